//! What must hold for any bytes in any file: no panic, reading writes nothing, and a repair has an end.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::RelPath;
use segno_disk::sim::SimDisk;
use segno_store::formats::{self, RecoverOptions};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

/// The files of a workspace.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

fn now() -> Now {
    Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "test".into(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

/// What is there, without what the program keeps for itself.
fn seen(disk: &SimDisk) -> Files {
    let files = disk.files().into_iter();
    let files = files.map(|(path, bytes)| (path.as_str().to_owned(), bytes));
    files
        .filter(|(path, _)| !path.starts_with(".segno/locks/"))
        .collect()
}

/// Reads everything there is of every session; what it says does not matter, only that it comes back.
fn read_all(workspace: &Workspace<'_>) {
    let now = now();
    for place in workspace.places(None, &now).unwrap_or_default() {
        let Some(format) = formats::of(place.kind) else {
            continue;
        };
        let cx = workspace.context(place.root, &now);
        let _ = format.card(&cx, &place);
        let _ = format.check(&cx, &place);
        let _ = format.entries(&cx, &place, &mut |_| ControlFlow::Continue(()));
        let _ = format.brief(&cx, &place, Some(500));
        let _ = format.migrate(&cx, &place);
        let _ = format.on_access(&cx, &place);
        let _ = format.sort_of(&cx, &place);
    }
}

/// Repairs every session that needs it.
fn repair_all(workspace: &Workspace<'_>) {
    let now = now();
    for place in workspace.places(None, &now).unwrap_or_default() {
        let options = RecoverOptions::default();
        let _ = workspace.recover(&place, &options, &now, &writer());
    }
}

/// Opens a workspace of these files, reads all of it, repairs it twice.
pub(crate) fn survives(files: &Files) {
    let disk = SimDisk::new();
    for (path, bytes) in files {
        disk.plant(&RelPath::new(path).unwrap(), bytes);
    }
    let workspace = Workspace::new(&disk, Settings::default());
    let before = seen(&disk);
    read_all(&workspace);
    assert!(seen(&disk) == before, "reading has written");
    repair_all(&workspace);
    read_all(&workspace);
    let once = seen(&disk);
    repair_all(&workspace);
    let twice = seen(&disk);
    for (path, bytes) in &twice {
        let before = once.get(path).map_or(&b"nothing"[..], |bytes| bytes);
        assert!(
            before == bytes,
            "the second repair wrote {path}, from {}",
            difference(before, bytes)
        );
    }
    assert_eq!(once.len(), twice.len(), "the second repair removed a file");
}

/// The first line that two texts do not share.
fn difference(before: &[u8], after: &[u8]) -> String {
    let lines = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes);
        text.lines().map(str::to_owned).collect()
    };
    let (before, after) = (lines(before), lines(after));
    let shared = before.iter().zip(&after).take_while(|(a, b)| a == b);
    let at = shared.count();
    format!("{:?} to {:?}", before.get(at), after.get(at))
}
