//! Several processes at one file: the lock between them, and what holds when two create the same name.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::io::BufRead as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use segno_disk::lock::Holder;
use segno_disk::{
    Access, Basis, Change, DiskError, ReadDisk as _, RealDisk, Reason, RelPath, Volume, log,
};
use segno_testkit::rerun::{self, Child};

const WRITERS: usize = 8;
const LINES: usize = 25;
const PATIENCE: Duration = Duration::from_secs(30);

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

fn volume(disk: &RealDisk) -> Volume<'_> {
    Volume::new(disk, path(".segno"))
}

fn holder(program: &str) -> Holder {
    Holder {
        pid: std::process::id(),
        program: program.to_owned(),
        since: "2026-11-18T09:30:00Z".to_owned(),
    }
}

#[test]
fn child() {
    let Some((role, dir)) = rerun::role() else {
        return;
    };
    let disk = RealDisk::open(&dir).unwrap();
    match role.split_once(' ').unwrap() {
        ("append", writer) => append_lines(&disk, writer.parse().unwrap()),
        ("hold", _) => hold(&disk),
        ("create", writer) => create_names(&disk, writer),
        other => panic!("no such role: {other:?}"),
    }
}

fn line(writer: usize, n: usize) -> String {
    // Now and then more than one page, so that two writes at once would show.
    let length = if n.is_multiple_of(5) {
        20_000
    } else {
        40 * writer
    };
    let letter = char::from(b'a' + u8::try_from(writer).unwrap());
    format!(
        "{{\"w\":{writer},\"n\":{n},\"t\":\"{}\"}}\n",
        letter.to_string().repeat(length)
    )
}

fn append_lines(disk: &RealDisk, writer: usize) {
    let volume = volume(disk);
    let log_path = path("talk/log.jsonl");
    for n in 0..LINES {
        let lock = volume.lock("talk", &holder("append"), PATIENCE).unwrap();
        let tail = log::tail(disk, &log_path).unwrap();
        let change = tail.append(
            log_path.clone(),
            line(writer, n).as_bytes(),
            Access::Private,
        );
        volume.commit(&[change]).unwrap();
        drop(lock);
    }
}

fn hold(disk: &RealDisk) {
    let _lock = volume(disk)
        .lock("talk", &holder("segno talk say"), PATIENCE)
        .unwrap();
    rerun::say("held").unwrap();
    wait_for_word();
}

/// Waits until the parent says something; false when it will say nothing more.
fn wait_for_word() -> bool {
    std::io::stdin()
        .lock()
        .read_line(&mut String::new())
        .unwrap()
        > 0
}

fn create_names(disk: &RealDisk, writer: &str) {
    let volume = volume(disk);
    for n in 0.. {
        if !wait_for_word() {
            return;
        }
        let name = path(&format!("names/{n}"));
        let change = Change::replace(name, writer.into(), Basis::Absent, Access::Shared);
        let outcome = match volume.commit(&[change]) {
            Ok(_) => "won".to_owned(),
            Err(error) if error.is_conflict() => "conflict".to_owned(),
            Err(error) => format!("{error}: {}", error.source),
        };
        rerun::say(&outcome).unwrap();
    }
}

fn play(role: &str, dir: &Path) -> Child {
    Child::play(role, dir).unwrap()
}

#[test]
fn eight_processes_append_through_the_lock_and_no_line_is_lost_or_mixed() {
    let home = tempfile::tempdir().unwrap();
    let mut writers: Vec<Child> = (0..WRITERS)
        .map(|writer| play(&format!("append {writer}"), home.path()))
        .collect();
    for writer in &mut writers {
        writer.rest();
    }
    let text = std::fs::read_to_string(home.path().join("talk/log.jsonl")).unwrap();
    let mut next = [0; WRITERS];
    for found in text.split_inclusive('\n') {
        let (digit, _) = found
            .strip_prefix("{\"w\":")
            .unwrap()
            .split_once(',')
            .unwrap();
        let writer: usize = digit.parse().unwrap();
        assert_eq!(
            found,
            line(writer, next[writer]),
            "the next line of writer {writer}"
        );
        next[writer] += 1;
    }
    assert_eq!(next, [LINES; WRITERS]);
}

#[test]
fn a_held_lock_names_its_holder_and_is_free_when_the_holder_dies() {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path()).unwrap();
    let volume = volume(&disk);
    let lock_file = home.path().join(".segno/locks/talk.lock");
    let mut child = play("hold it", home.path());
    assert_eq!(child.hear(PATIENCE).as_deref(), Some("held"));
    let inode = std::fs::metadata(&lock_file).unwrap().ino();

    let patience = Duration::from_millis(200);
    let began = Instant::now();
    let error: DiskError = volume
        .lock("talk", &holder("me"), patience)
        .map(drop)
        .unwrap_err();
    assert!(began.elapsed() >= patience);
    let expected = Holder {
        pid: child.id(),
        ..holder("segno talk say")
    };
    assert_eq!(error.reason, Reason::Busy(Box::new(expected)));

    child.kill();
    let stale = std::fs::read_to_string(&lock_file).unwrap();
    assert!(stale.contains(&format!("pid: {}", child.id())), "{stale}");
    let lock = volume.lock("talk", &holder("me"), Duration::ZERO).unwrap();
    let text = std::fs::read_to_string(&lock_file).unwrap();
    let mine = format!(
        "pid: {}\nprogram: me\nsince: 2026-11-18T09:30:00Z\n",
        std::process::id()
    );
    // Written in place, the rest of a longer text blanked out.
    assert_eq!(
        text.trim_end(),
        mine.trim_end(),
        "nothing of the longer text of before is left"
    );
    drop(lock);
    let after = std::fs::metadata(&lock_file).unwrap();
    assert_eq!(after.ino(), inode, "the lock file is never deleted");
    assert_eq!(after.mode() & 0o777, 0o600);
}

#[test]
fn whatever_stands_in_a_lock_file_is_no_obstacle() {
    for stale in [
        &b"pid: 1\nprogram: init\n"[..],
        b"",
        b"\0\xff\xfe garbage",
        &vec![b'x'; 100_000],
    ] {
        let home = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(home.path()).unwrap();
        std::fs::create_dir_all(home.path().join(".segno/locks")).unwrap();
        std::fs::write(home.path().join(".segno/locks/talk.lock"), stale).unwrap();
        let held = volume(&disk).lock("talk", &holder("me"), Duration::ZERO);
        assert!(held.is_ok());
    }
}

#[test]
fn of_eight_processes_that_create_one_name_exactly_one_wins() {
    let home = tempfile::tempdir().unwrap();
    let mut writers: Vec<Child> = (0..WRITERS)
        .map(|writer| play(&format!("create {writer}"), home.path()))
        .collect();
    for n in 0..12 {
        for writer in &mut writers {
            writer.tell("go").unwrap();
        }
        let outcomes: Vec<String> = writers
            .iter()
            .map(|writer| writer.hear(PATIENCE).unwrap())
            .collect();
        let winner = outcomes
            .iter()
            .position(|outcome| outcome == "won")
            .unwrap();
        let lost = outcomes
            .iter()
            .filter(|outcome| *outcome == "conflict")
            .count();
        assert_eq!(lost, WRITERS - 1, "{outcomes:?}");
        let text = std::fs::read_to_string(home.path().join(format!("names/{n}"))).unwrap();
        assert_eq!(text, winner.to_string());
    }
    let disk = RealDisk::open(home.path()).unwrap();
    let names = disk.list(&path("names")).unwrap();
    assert_eq!(names.len(), 12, "no temporary file is left: {names:?}");
}
