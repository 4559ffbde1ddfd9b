//! A process dies in the middle, another finishes the work and acknowledges it, and only then the power goes: what the
//! dead one had not yet made durable is the second one's business.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use segno_disk::sim::images;
use segno_disk::{
    Access, Basis, Change, CountdownDisk, Disk, Fault, ReadDisk as _, RelPath, SimDisk, Volume, log,
};

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

fn commit(disk: &dyn Disk, change: Change) -> segno_disk::Result<()> {
    Volume::new(disk, path(".segno"))
        .commit(&[change])
        .map(drop)
}

fn text(disk: &SimDisk, name: &str) -> String {
    let found = disk.read(&path(name)).unwrap();
    String::from_utf8(found.unwrap().0).unwrap()
}

/// Every file that every power cut now must leave, with its content.
fn check(disk: &SimDisk, expected: &[(&str, &str)], context: &str) {
    images(disk, disk.position(), &mut |image| {
        let files = image.into_disk().files();
        for (name, text) in expected {
            let found = files.iter().find(|(path, _)| path.as_str() == *name);
            let found = found.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
            assert_eq!(found.as_deref(), Some(*text), "{name}, {context}");
        }
    });
}

#[test]
fn a_replacement_begun_by_a_dead_process_is_durable_with_its_backup_once_it_is_acknowledged() {
    let replace = |text: &str| {
        Change::replace(path("a/file"), text.into(), Basis::Any, Access::Shared)
            .with_backup(path("kept/here/file.bak"))
    };
    for n in 0.. {
        let disk = SimDisk::new();
        commit(&disk, replace("one")).unwrap();
        let dying = CountdownDisk::new(disk.clone(), n, Fault::Io);
        let outcome = commit(&dying, replace("two"));
        if !dying.has_failed() {
            break;
        }
        // A failure after the rename leaves the new version; then the second process makes its backup.
        let there = text(&disk, "a/file");
        assert!(outcome.is_err() || there == "two");
        commit(&disk, replace("three")).unwrap();
        let expected = [("a/file", "three"), ("kept/here/file.bak", there.as_str())];
        check(&disk, &expected, &format!("operation {n} failed"));
    }
}

#[test]
fn a_log_made_by_a_dead_process_keeps_its_name_once_a_line_is_acknowledged() {
    for n in 0.. {
        let disk = SimDisk::new();
        let dying = CountdownDisk::new(disk.clone(), n, Fault::Io);
        let name = path("talk/log");
        let made = dying
            .create_dir(&path("talk"), Access::Shared)
            .and_then(|_| dying.create(&name, Access::Private));
        if made.is_ok() {
            // It dies here, its file empty and nothing synced.
            assert!(n >= 2);
        }
        let tail = log::tail(&disk, &name).unwrap();
        commit(&disk, tail.append(name, b"{}\n", Access::Private)).unwrap();
        check(
            &disk,
            &[("talk/log", "{}\n")],
            &format!("died at operation {n}"),
        );
        if !dying.has_failed() {
            break;
        }
    }
}

#[test]
fn a_unit_cuts_a_torn_tail_once_whether_or_not_it_adds_a_line() {
    for (line, expected) in [("", "one\n"), ("two\n", "one\ntwo\n")] {
        for n in 0.. {
            let disk = SimDisk::new();
            disk.plant(&path("log"), b"one\nhal");
            let unit = |on: &dyn Disk| {
                let log = log::tail(on, &path("log")).unwrap();
                let state =
                    Change::replace(path("state"), "new".into(), Basis::Any, Access::Shared);
                let changes = [
                    log.append(path("log"), line.as_bytes(), Access::Private),
                    state,
                ];
                Volume::new(on, path(".segno")).commit_unit("it", &changes)
            };
            let dying = CountdownDisk::new(disk.clone(), n, Fault::Io);
            let outcome = unit(&dying);
            let failed = dying.has_failed();
            assert!(failed || outcome.is_ok());
            if outcome.is_err() {
                // Another process finishes it, or begins anew what never came to its commit point.
                let volume = Volume::new(&disk, path(".segno"));
                volume
                    .finish_units(&segno_disk::lock::Holder::default())
                    .unwrap();
                if text(&disk, "log") != expected {
                    unit(&disk).unwrap();
                }
            }
            let context = format!("operation {n} failed, line {line:?}");
            check(&disk, &[("log", expected), ("state", "new")], &context);
            let files = disk.files();
            let kept = files.iter().filter(|(_, bytes)| bytes == b"hal").count();
            assert!(kept == 1 || failed && kept > 0, "{kept} copies, {context}");
            if !failed {
                break;
            }
        }
    }
}
