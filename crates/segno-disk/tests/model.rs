//! Random changes, crashes and reopenings against a plain map: after each the disk holds what the map does.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says plainly what it expects"
)]

use std::collections::BTreeMap;

use segno_disk::sim::images;
use segno_disk::{Access, Basis, Change, Disk, RelPath, SimDisk, Volume, is_temp_name, log};
use segno_testkit::dice::Dice;
use segno_testkit::skip::is_soak;

const STEPS: usize = 60;
const NAMES: [&str; 5] = ["a", "d/a", "d/e/f", "log", "g/log"];

/// Lines are appended to these and versions with a backup made of the others, as the formats do: after a crash a backup
/// may be the very file it was made of, and an append would go to both.
fn is_log(name: &RelPath) -> bool {
    name.name() == "log"
}

/// What the files are meant to hold.
type Model = BTreeMap<RelPath, String>;

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

/// A change that is possible now, and the model after it.
fn roll(disk: &dyn Disk, model: &Model, step: usize, dice: &mut Dice) -> (Change, Model) {
    let name = path(NAMES.get(dice.index(NAMES.len())).unwrap());
    let mut after = model.clone();
    let line = format!("{{\"step\":{step}}}\n");
    let change = match (dice.below(5), model.contains_key(&name)) {
        (0, true) => {
            after.remove(&name);
            let basis = basis(disk, &name);
            Change::Remove { path: name, basis }
        }
        (1, true) => {
            let to = path(&format!("moved/{step}"));
            let text = after.remove(&name).unwrap();
            after.insert(to.clone(), text);
            let access = Access::Shared;
            Change::Move {
                from: name,
                to,
                access,
            }
        }
        (2 | 3, _) if is_log(&name) => {
            after.entry(name.clone()).or_default().push_str(&line);
            let tail = log::tail(disk, &name).unwrap();
            tail.append(name, line.as_bytes(), Access::Private)
        }
        (_, exists) => {
            let backup = path(&format!("{name}.bak"));
            let basis = basis(disk, &name);
            let previous = after.insert(name.clone(), line.clone());
            let change = Change::replace(name.clone(), line.into_bytes(), basis, Access::Shared);
            if exists && !is_log(&name) && dice.one_in(2) {
                after.insert(backup.clone(), previous.unwrap());
                change.with_backup(backup)
            } else {
                change
            }
        }
    };
    (change, after)
}

fn basis(disk: &dyn Disk, name: &RelPath) -> Basis {
    let stat = disk.stat(name).unwrap();
    stat.map_or(Basis::Absent, |stat| Basis::Version(stat.stamp()))
}

/// The user's files as a fresh reader sees them: the valid prefix of each that has one.
fn seen(disk: &SimDisk) -> Model {
    let own = path(".segno");
    let files = disk.files().into_iter();
    files
        .filter(|(path, _)| !path.is_within(&own) && !is_temp_name(path.name()))
        .filter_map(|(path, mut bytes)| {
            let tail = log::tail(disk, &path).unwrap();
            bytes.truncate(usize::try_from(tail.valid).unwrap());
            if tail.unfinished {
                bytes.push(b'\n');
            }
            // A new log whose first line is torn is as good as none.
            (!bytes.is_empty()).then(|| (path, String::from_utf8(bytes).unwrap()))
        })
        .collect()
}

/// One of the images that a power cut at this position may leave.
fn crashed(disk: &SimDisk, position: usize, dice: &mut Dice) -> SimDisk {
    let mut chosen = None;
    let mut count = 0;
    images(disk, position, &mut |image| {
        count += 1;
        if dice.one_in(count) {
            chosen = Some(image);
        }
    });
    chosen.unwrap().into_disk()
}

/// Plays a sequence and says how many crashes it met.
fn play(seed: u64) -> u64 {
    let mut dice = Dice::new(seed);
    let mut disk = SimDisk::new();
    let mut model = Model::new();
    let mut crashes = 0;
    for step in 0..STEPS {
        let (change, after) = roll(&disk, &model, step, &mut dice);
        let began = disk.position();
        let context = format!("seed {seed}, step {step}: {change:?}");
        Volume::new(&disk, path(".segno"))
            .commit(&[change])
            .unwrap_or_else(|error| panic!("{context}: {error}: {}", error.source));
        let done = disk.position();
        assert_eq!(seen(&disk), after, "{context}");
        // Three ways on: nothing happens, the power goes after the acknowledgement, or before.
        match dice.below(6) {
            0 => {
                disk = crashed(&disk, done, &mut dice);
                assert_eq!(seen(&disk), after, "{context}: crash after it");
                crashes += 1;
                model = after;
            }
            1 | 2 => {
                let position = began + dice.index(done - began + 1);
                disk = crashed(&disk, position, &mut dice);
                let found = seen(&disk);
                let is_between = found == half_way(&model, &after, &found);
                assert!(
                    found == model || found == after || is_between,
                    "{context}: crash in it left {found:?} of {model:?}"
                );
                crashes += 1;
                model = found;
            }
            _ => model = after,
        }
    }
    crashes
}

/// The one state between old and new: the backup is there, the new version is not yet.
fn half_way(before: &Model, after: &Model, found: &Model) -> Model {
    let mut model = before.clone();
    for (path, text) in after {
        if path.as_str().strip_suffix(".bak").is_some() && found.get(path) == Some(text) {
            model.insert(path.clone(), text.clone());
        }
    }
    model
}

#[test]
fn random_changes_and_crashes_leave_what_the_model_says() {
    let sequences = if is_soak() { 5_000 } else { 300 };
    let crashes: u64 = (0..sequences).map(play).sum();
    println!("{sequences} sequences of {STEPS} steps, {crashes} crashes");
    assert!(crashes > sequences);
}
