//! A real power cut: the kernel's `SHUTDOWN` of a mounted file system while a child writes to it.
//!
//! It needs root and a loop device and says so where it has none; with `SEGNO_REQUIRE_POWERCUT` set, that is a failure.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says plainly what it expects and what it met"
)]
#![cfg(target_os = "linux")]

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use segno_disk::{Disk, RealDisk};
use segno_testkit::dice::Dice;
use segno_testkit::forgetful::{Forget, ForgetfulDisk};
use segno_testkit::mount::{FileSystem, Mount};
use segno_testkit::numbered::{Numbered, Seen};
use segno_testkit::rerun::{self, Child};
use segno_testkit::skip::{is_soak, skip};

const BIGGEST: usize = 96 * 1024;
const PATIENCE: Duration = Duration::from_secs(20);
const REQUIRED: &str = "SEGNO_REQUIRE_POWERCUT";
/// So many cuts in which a left-out sync must show.
const MOST_TRIES: u64 = 40;

/// What the kernel does with its own journal before everything stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// The journal is written out, the data is not.
    JournalFlushed,
    /// Nothing is written out.
    NothingFlushed,
}

#[expect(unsafe_code, reason = "the ioctl that cuts the power has no safe name")]
fn cut_power(root: &Path, cut: Cut) -> std::io::Result<()> {
    use rustix::ioctl::{Setter, ioctl, opcode};
    const SHUTDOWN: rustix::ioctl::Opcode = opcode::read::<u32>(b'X', 125);
    let flag: u32 = match cut {
        Cut::JournalFlushed => 1,
        Cut::NothingFlushed => 2,
    };
    let dir = File::open(root)?;
    // SAFETY: the call reads one u32 through the pointer that `Setter` gives it, and it lives until the call returns.
    unsafe { ioctl(&dir, Setter::<SHUTDOWN, u32>::new(flag)) }.map_err(Into::into)
}

#[test]
fn child() {
    let Some((role, dir)) = rerun::role() else {
        return;
    };
    let real = RealDisk::open(&dir).unwrap();
    let disk: Box<dyn Disk> = match role.as_str() {
        "without directory syncs" => Box::new(ForgetfulDisk::new(real, Forget::Dir)),
        "without data syncs" => Box::new(ForgetfulDisk::new(real, Forget::Data)),
        _ => Box::new(real),
    };
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    // Until the power is cut: then every call fails.
    while let Ok(line) = numbered.append(disk.as_ref()) {
        rerun::say(&format!("line {line} {}", now())).unwrap();
        let Ok(version) = numbered.replace(disk.as_ref()) else {
            return;
        };
        rerun::say(&format!("version {version} {}", now())).unwrap();
    }
}

/// What a child had been told is saved: how many lines, how many versions.
#[derive(Debug, Clone, Copy, Default)]
struct Acknowledged {
    lines: u64,
    versions: u64,
}

impl Acknowledged {
    /// Counts what a child said, when it said it before `cut`.
    fn hear(&mut self, said: &str, cut: u128) {
        let mut words = said.split(' ');
        let what = words.next().unwrap();
        let count = words.next().unwrap().parse::<u64>().unwrap() + 1;
        let when: u128 = words.next().unwrap().parse().unwrap();
        match what {
            _ if when >= cut => {}
            "line" => self.lines = count,
            _ => self.versions = count,
        }
    }
}

/// The time in nanoseconds, the same for parent and child.
fn now() -> u128 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap().as_nanos()
}

/// What one cut met.
struct Met {
    /// What had been acknowledged when the power was cut: all of it must be there.
    acknowledged: Acknowledged,
    /// What the child went on to say. It does not bind, for where there is no power nobody says anything; but here the
    /// child lives on for a moment, and a sync that the shutdown overtakes may be called done.
    late: Acknowledged,
}

/// Cuts the power under a working child and mounts again.
fn one_cut(mount: &Mount, role: &str, cut: Cut, before: Acknowledged, dice: &mut Dice) -> Met {
    let mut child = Child::play(role, mount.at()).unwrap();
    let mut heard = vec![child.hear(PATIENCE).expect("the child can go on")];
    std::thread::sleep(Duration::from_micros(dice.below(60_000)));
    if dice.one_in(2) {
        // Right after an acknowledgement, when all that it promises must be durable already.
        while let Some(said) = child.hear(Duration::ZERO) {
            heard.push(said);
        }
        heard.extend(child.hear(PATIENCE));
    }
    let moment = now();
    cut_power(mount.at(), cut).unwrap();
    heard.extend(child.rest());
    let mut met = Met {
        acknowledged: before,
        late: before,
    };
    for said in heard {
        met.acknowledged.hear(&said, moment);
        met.late.hear(&said, u128::MAX);
    }
    mount.unmount().unwrap();
    mount.mount().unwrap();
    met
}

/// Looks at what is there after the journal has been replayed.
fn look(
    mount: &Mount,
    numbered: &Numbered,
    acknowledged: Acknowledged,
) -> Result<Acknowledged, String> {
    let disk = RealDisk::open(mount.at()).unwrap();
    let (lines, _) = numbered.look(&disk, Seen::default())?;
    let versions = numbered.versions(&disk)?;
    if lines < acknowledged.lines || versions < acknowledged.versions {
        return Err(format!(
            "{lines} lines and {versions} versions are there of {acknowledged:?}"
        ));
    }
    Ok(Acknowledged { lines, versions })
}

fn with_each_file_system(check: impl Fn(FileSystem, &Mount)) {
    // XFS refuses to be smaller.
    for (kind, kilobytes) in [(FileSystem::Ext4, 256 << 10), (FileSystem::Xfs, 320 << 10)] {
        let inside = tempfile::tempdir().unwrap();
        match Mount::make(kind, inside.path(), kilobytes) {
            Ok(mount) => check(kind, &mount),
            Err(why) => skip(REQUIRED, &format!("power cut on {kind:?}: {why}")).unwrap(),
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_by_a_power_cut_and_the_work_goes_on() {
    let cuts = if is_soak() { 100 } else { 25 };
    with_each_file_system(|kind, mount| {
        let numbered = Numbered::up_to(BIGGEST).unwrap();
        let mut dice = Dice::new(3);
        let mut found = Acknowledged::default();
        let mut unheard = 0;
        for n in 0..cuts {
            let cut = if dice.one_in(3) {
                Cut::JournalFlushed
            } else {
                Cut::NothingFlushed
            };
            let met = one_cut(mount, "as it is", cut, found, &mut dice);
            found = look(mount, &numbered, met.acknowledged)
                .unwrap_or_else(|why| panic!("{kind:?}, cut {n}, {cut:?}: {why}"));
            unheard += u64::from(found.lines < met.late.lines)
                + u64::from(found.versions < met.late.versions);
        }
        println!(
            "{kind:?}: {cuts} power cuts, {found:?}; {unheard} lost of those said after the cut"
        );
    });
}

/// The same test on a disk that leaves a sync out must find the loss, or it proves nothing.
fn must_be_found(role: &str) {
    with_each_file_system(|kind, mount| {
        let numbered = Numbered::up_to(BIGGEST).unwrap();
        let mut dice = Dice::new(4);
        let mut found = Acknowledged::default();
        for n in 1..=MOST_TRIES {
            let met = one_cut(mount, role, Cut::NothingFlushed, found, &mut dice);
            match look(mount, &numbered, met.acknowledged) {
                Ok(there) => found = there,
                Err(why) => {
                    println!("{kind:?} {role}: found at cut {n}: {why}");
                    return;
                }
            }
        }
        panic!("{kind:?} {role}: {MOST_TRIES} power cuts and nothing was noticed");
    });
}

#[test]
fn a_missing_directory_sync_is_found() {
    must_be_found("without directory syncs");
}

#[test]
fn a_missing_data_sync_is_found() {
    must_be_found("without data syncs");
}
