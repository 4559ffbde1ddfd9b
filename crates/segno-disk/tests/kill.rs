//! `kill -9` at random moments: what was acknowledged is there, and the work goes on.
//!
//! A killed process loses nothing that the kernel has taken, so that this proves the order of the steps and the torn
//! write, not the power cut: `powercut.rs` does that.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::path::Path;
use std::time::Duration;

use segno_disk::{ReadDisk as _, RealDisk, RelPath};
use segno_testkit::dice::Dice;
use segno_testkit::numbered::{Numbered, Seen};
use segno_testkit::rerun::{self, Child};
use segno_testkit::skip::is_soak;

const BIGGEST: usize = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(20);
/// A log of this size is left behind and another begun, so that the test's time goes into kills.
const FULL: u64 = 64 << 20;

fn kills() -> u64 {
    if is_soak() { 300 } else { 60 }
}

#[test]
fn child() {
    let Some((role, dir)) = rerun::role() else {
        return;
    };
    let disk = RealDisk::open(&dir).unwrap();
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    loop {
        let number = match role.as_str() {
            "append" => numbered.append(&disk),
            _ => numbered.replace(&disk),
        };
        rerun::say(&number.unwrap().to_string()).unwrap();
    }
}

/// Lets a child work, kills it after a random while, and returns the last number it had acknowledged.
fn killed(role: &str, dir: &Path, dice: &mut Dice) -> Option<u64> {
    let mut child = Child::play(role, dir).unwrap();
    // Some die in the middle of their work, some while they open what the one before left.
    let first = if dice.one_in(3) {
        None
    } else {
        Some(child.hear(PATIENCE).expect("the child can go on"))
    };
    std::thread::sleep(Duration::from_micros(dice.below(25_000)));
    let last = child.kill().pop().or(first)?;
    Some(last.parse().unwrap())
}

#[test]
fn no_acknowledged_line_is_lost_by_a_kill_and_the_log_goes_on() {
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    let mut dice = Dice::new(1);
    let (mut torn, mut lines, mut acknowledged) = (0, 0, 0);
    let mut home = tempfile::tempdir().unwrap();
    let mut seen = Seen::default();
    let mut lines_there = 0;
    for kill in 0..kills() {
        if seen.at > FULL {
            home = tempfile::tempdir().unwrap();
            seen = Seen::default();
            lines_there = 0;
        }
        let last = killed("append", home.path(), &mut dice);
        let disk = RealDisk::open(home.path()).unwrap();
        let before = lines_there;
        let (there, now) = numbered.look(&disk, seen).unwrap();
        // The child began behind what the one before it left, not anew, and acknowledged one by one.
        let least = last.map_or(before, |n| n + 1);
        assert!(
            last.is_none_or(|n| n >= before),
            "kill {kill}: {last:?} after {before}"
        );
        assert!(
            there >= least,
            "kill {kill}: {last:?} was acknowledged, {there} lines are there"
        );
        assert!(
            there <= least + 1,
            "kill {kill}: {there} lines, {last:?} was acknowledged"
        );
        let log = RelPath::new("talk/log.jsonl").unwrap();
        torn += u64::from(segno_disk::log::tail(&disk, &log).unwrap().torn().is_some());
        lines += there - before;
        acknowledged += least - before;
        lines_there = there;
        seen = now;
    }
    println!(
        "{} kills, {lines} lines, {acknowledged} acknowledged, {torn} torn tails",
        kills()
    );
}

#[test]
fn no_acknowledged_version_is_lost_by_a_kill_and_its_backup_is_whole() {
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    let mut dice = Dice::new(2);
    let home = tempfile::tempdir().unwrap();
    let (mut versions, mut swept) = (0, 0);
    for kill in 0..kills() {
        let last = killed("replace", home.path(), &mut dice);
        assert!(
            last.is_none_or(|n| n >= versions),
            "kill {kill}: {last:?} after {versions}"
        );
        let least = last.map_or(versions, |n| n + 1);
        let disk = RealDisk::open(home.path()).unwrap();
        versions = numbered.versions(&disk).unwrap();
        assert!(
            versions >= least,
            "kill {kill}: {last:?} was acknowledged, {versions} versions are there"
        );
        assert!(
            versions <= least + 1,
            "kill {kill}: {versions} versions, {last:?} was acknowledged"
        );
        swept += numbered.sweep(&disk).unwrap();
        let names = disk.list(&RelPath::new("state").unwrap()).unwrap();
        assert!(names.len() <= 2, "kill {kill}: {names:?}");
    }
    println!(
        "{} kills, {versions} versions, {swept} temporary files swept",
        kills()
    );
}
