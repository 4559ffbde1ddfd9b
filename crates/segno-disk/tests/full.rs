//! A disk that is really full: short writes and ENOSPC from the kernel, and the work goes on once there is room.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test says plainly what it expects and what it met"
)]
#![cfg(target_os = "linux")]

use std::path::Path;

use segno_disk::{ReadDisk as _, RealDisk, RelPath, log};
use segno_testkit::mount::{FileSystem, Mount};
use segno_testkit::numbered::{Numbered, Seen};
use segno_testkit::skip::skip;

const BIGGEST: usize = 60_000;
const REQUIRED: &str = "SEGNO_REQUIRE_POWERCUT";

/// Works until the disk is full, then makes room and goes on.
fn check(root: &Path, kind: FileSystem) {
    let ballast = root.join("ballast");
    std::fs::write(&ballast, vec![b'x'; 500_000]).unwrap();
    let disk = RealDisk::open(root).unwrap();
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    numbered.replace(&disk).unwrap();
    let (mut lines, mut versions) = (0, 1);
    let mut complaints = Vec::new();
    // The first refusal of either is not the end: smaller things may still fit.
    while complaints.len() < 6 {
        match numbered.append(&disk) {
            Ok(n) => lines = n + 1,
            Err(why) => complaints.push(why),
        }
        if lines.is_multiple_of(4) {
            match numbered.replace(&disk) {
                Ok(n) => versions = n + 1,
                Err(why) => complaints.push(why),
            }
        }
    }
    for why in &complaints {
        assert!(
            why.starts_with("cannot ") && why.contains("No space left"),
            "{kind:?}: {why}"
        );
    }
    let log_path = RelPath::new("talk/log.jsonl").unwrap();
    let tail = log::tail(&disk, &log_path).unwrap();
    assert_eq!(tail.torn(), None, "{kind:?}: half a line was left behind");
    assert_eq!(
        numbered.look(&disk, Seen::default()).unwrap().0,
        lines,
        "{kind:?}"
    );
    assert_eq!(numbered.versions(&disk).unwrap(), versions, "{kind:?}");
    let names = disk.list(&RelPath::new("state").unwrap()).unwrap();
    assert!(
        names.len() <= 2,
        "{kind:?}: a temporary file keeps the disk full: {names:?}"
    );

    std::fs::remove_file(&ballast).unwrap();
    assert_eq!(numbered.append(&disk).unwrap(), lines, "{kind:?}");
    assert_eq!(numbered.replace(&disk).unwrap(), versions, "{kind:?}");
    println!("{kind:?}: full after {lines} lines and {versions} versions: {complaints:?}");
}

#[test]
fn a_full_disk_is_reported_costs_nothing_and_the_work_goes_on_with_room() {
    for (kind, kilobytes) in [(FileSystem::Tmpfs, 1024), (FileSystem::Ext4, 4096)] {
        let inside = tempfile::tempdir().unwrap();
        match Mount::make(kind, inside.path(), kilobytes) {
            Ok(mount) => check(mount.at(), kind),
            Err(why) => skip(REQUIRED, &format!("full {kind:?}: {why}")).unwrap(),
        }
    }
}
