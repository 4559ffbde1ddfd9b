//! Every file of `formats/brainstorm`: what is read of it, what is wrong with it, and that it round-trips.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads its fixtures and says plainly what it expects"
)]

use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::sim::SimDisk;
use segno_disk::{ReadDisk as _, RelPath};
use segno_store::formats::brainstorm as bs;
use segno_store::formats::{self, RecoverOptions, Root};
use segno_store::session::{Kind, Now, Repair};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

fn texts(folder: &str) -> Vec<(String, Vec<u8>)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../formats/brainstorm")
        .join(folder);
    let entries = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = entries
        .map(|path| {
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (stem, std::fs::read(path).unwrap())
        })
        .collect();
    texts.sort();
    texts
}

fn now() -> Now {
    Now::new("2026-03-06T09:00:00Z".parse().unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "test".into(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

/// Where a file stands: under the slug it has.
fn path_of(name: &str, bytes: &[u8]) -> RelPath {
    let text = String::from_utf8_lossy(bytes);
    let slug = text
        .lines()
        .find_map(|line| line.strip_prefix("  slug: \"")?.strip_suffix('"'));
    let dir = RelPath::new(bs::DIR).unwrap();
    dir.join_name(&format!("{}.yaml", slug.unwrap_or(name)))
        .unwrap()
}

/// One line per file: its position, and the problems with what can be done about each.
fn describe(folder: &str) -> String {
    let mut lines = Vec::new();
    for (name, bytes) in texts(folder) {
        let disk = SimDisk::new();
        let path = path_of(&name, &bytes);
        disk.plant(&path, &bytes);
        let workspace = Workspace::new(&disk, Settings::default());
        let place = workspace
            .places(Some(Kind::Brainstorm), &now())
            .unwrap()
            .remove(0);
        let card = workspace.card(&place, &now());
        let line = format!("{name}: {} | {}", card.raw_status, card.position);
        lines.push(line.trim_end().to_owned());
        for problem in &card.problems {
            let line = problem
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            lines.push(format!(
                "  {}{line} ({})",
                problem.code,
                problem.repair.name()
            ));
        }
        assert_eq!(
            disk.read(&path).unwrap().unwrap().0,
            bytes,
            "reading changes nothing"
        );
    }
    lines.join("\n")
}

#[test]
fn the_examples_and_the_old_files_read_as_they_should() {
    insta::assert_snapshot!(describe("examples"), @r"
    panel: in_progress | iteration 4, EMS 68, convergent
      missing_field:4 (safe)
      missing_field:4 (safe)
      missing_field:4 (safe)
      missing_field:4 (lossy)
      missing_field:4 (safe)
      missing_field:4 (safe)
      missing_field:4 (safe)
      missing_field:4 (safe)
    party: in_progress | iteration 2, EMS 45, divergent
      missing_field:4 (safe)
      missing_field:4 (safe)
      missing_field:4 (lossy)
      missing_field:4 (safe)
      missing_field:4 (safe)
      missing_field:4 (safe)
      missing_field:4 (safe)
    standard: in_progress | iteration 3, EMS 52, divergent
    ");
    insta::assert_snapshot!(describe("old"), @r"
    progressive-1.0: in_progress | iteration 1, EMS 50, transition
    random-1.0: in_progress | iteration 3, EMS 41, divergent
    script-migrated: in_progress | iteration 1, EMS 30, divergent
    standard-1.0: completed | iteration 2, EMS 78, convergent
    suggested-applied: in_progress | iteration 2, EMS 44, divergent
    ");
}

#[test]
fn the_broken_files_have_their_problems() {
    insta::assert_snapshot!(describe("broken"), @r"
    alias-bomb:  |
      yaml_aliases:7 (manual)
    bare:  | iteration 0, EMS 0, divergent
      missing_field:3 (lossy)
      missing_field:3 (lossy)
      missing_field:3 (lossy)
      missing_field:3 (safe)
      missing_field:3 (lossy)
      missing_field:3 (safe)
      missing_field:3 (lossy)
      missing_field:3 (safe)
      missing_field:3 (lossy)
      missing_field:3 (lossy)
      missing_field:3 (safe)
      missing_field:3 (safe)
      missing_field:3 (lossy)
      missing_field:3 (lossy)
    both-active: in_progress | iteration 1, EMS 30, divergent
      mode_mismatch:7 (manual)
    duplicate-keys:  |
      yaml_duplicate_key:4 (manual)
    ems-250: in_progress | iteration 1, EMS 100, divergent
      out_of_range:8 (safe)
    entries-lacking: in_progress | iteration 3, EMS 48, divergent
      missing_field:15 (lossy)
      missing_field:15 (safe)
      missing_field:15 (lossy)
      missing_field:15 (safe)
      missing_field:15 (lossy)
      missing_field:15 (safe)
      missing_field:21 (safe)
      missing_field:22 (manual)
      missing_field:24 (safe)
      missing_field:30 (lossy)
      missing_field:30 (safe)
      missing_field:30 (safe)
      missing_field:30 (safe)
      missing_field:34 (safe)
      missing_field:34 (lossy)
    history-gap: in_progress | iteration 4, EMS 30, divergent
      history_gap:21 (manual)
    history-order: in_progress | iteration 2, EMS 30, divergent
      history_order:28 (manual)
    iteration-ahead: in_progress | iteration 9, EMS 30, divergent
      iteration_mismatch:10 (lossy)
    not-a-session:  |
      not_a_session:1 (manual)
    not-yaml:  |
      yaml_syntax:1 (manual)
    tabs:  |
      yaml_tabs:3 (manual)
    too-new: in_progress | iteration 1, EMS 30, divergent
      too_new:3 (manual)
    wrong-types: in_progress | iteration 1, EMS 30, divergent
      bad_value:6 (manual)
      bad_value:13 (manual)
      bad_value:19 (manual)
    ");
}

#[test]
fn looking_at_a_broken_file_in_any_way_leaves_it_as_it_was() {
    for (name, bytes) in texts("broken") {
        let disk = SimDisk::new();
        let path = path_of(&name, &bytes);
        disk.plant(&path, &bytes);
        let workspace = Workspace::new(&disk, Settings::default());
        let (at, format) = (now(), formats::of(Kind::Brainstorm).unwrap());
        let place = workspace
            .places(Some(Kind::Brainstorm), &at)
            .unwrap()
            .remove(0);
        let cx = workspace.context(Root::Workspace, &at);
        let found = format.check(&cx, &place).unwrap();
        assert!(!found.is_empty(), "{name}");
        let _ = format.brief(&cx, &place, None);
        let _ = bs::existing(&cx, &place).unwrap();
        let mut count = 0;
        let mut see = |_| {
            count += 1;
            std::ops::ControlFlow::Continue(())
        };
        format.entries(&cx, &place, &mut see).unwrap();
        assert_eq!(format.clean(&cx).unwrap().changes, [], "{name}");
        // What cannot be read is not changed either; what can is changed in the lines of the operation alone.
        let written = workspace.write(&place, &at, &writer(), |cx| {
            bs::add_idea(cx, &place, "one more", Some(5))
        });
        let new = disk.read(&path).unwrap().unwrap().0;
        if written.is_err() {
            assert_eq!(new, bytes, "{name}");
        } else {
            let (old, new) = (
                String::from_utf8(bytes).unwrap(),
                String::from_utf8(new).unwrap(),
            );
            let gone: Vec<&str> = old
                .lines()
                .filter(|line| !new.lines().any(|kept| kept == *line))
                .collect();
            let of_operation = |line: &&str| {
                ["updated:", "duration_minutes:", "ideas:"]
                    .iter()
                    .any(|key| line.contains(key))
            };
            assert!(gone.iter().all(of_operation), "{name}: {gone:?}");
        }
    }
}

#[test]
fn recover_repairs_all_that_it_promises_and_keeps_the_file_as_it_was() {
    for (name, bytes) in texts("broken").into_iter().chain(texts("examples")) {
        let disk = SimDisk::new();
        let path = path_of(&name, &bytes);
        disk.plant(&path, &bytes);
        let workspace = Workspace::new(&disk, Settings::default());
        let place = workspace
            .places(Some(Kind::Brainstorm), &now())
            .unwrap()
            .remove(0);
        let recovery = workspace
            .recover(&place, &RecoverOptions::default(), &now(), &writer())
            .unwrap();
        let cx_now = now();
        let cx = workspace.context(Root::Workspace, &cx_now);
        let left = formats::of(Kind::Brainstorm)
            .unwrap()
            .check(&cx, &place)
            .unwrap();
        let automatic = |repair: &Repair| repair.is_automatic();
        let newer = name == "too-new";
        assert!(
            newer || !left.iter().any(|problem| automatic(&problem.repair)),
            "{name}: {left:?}"
        );
        if recovery.outcome.done.is_empty() {
            assert_eq!(disk.read(&path).unwrap().unwrap().0, bytes, "{name}");
        } else {
            let backup = disk
                .files()
                .into_iter()
                .find(|(path, _)| path.name().contains(".bak"));
            assert_eq!(backup.unwrap().1, bytes, "{name}");
        }
    }
}
