//! The same table of behaviours on the real disk and the simulated one: what the crash test proves on the one holds for
//! the other only as far as the two agree.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::io::ErrorKind;

use segno_disk::{Access, Disk, DiskError, FileKind, RealDisk, RelPath, SimDisk};

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

/// A disk with the file `a` ("old a"), the file `b` ("old b"), and the directory `d` with the file `d/f`.
fn furnished(disk: &dyn Disk) {
    for (name, text) in [("a", "old a"), ("b", "old b")] {
        disk.create(&path(name), Access::Private)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }
    disk.create_dir(&path("d"), Access::Private).unwrap();
    disk.create(&path("d/f"), Access::Private)
        .unwrap()
        .write_all(b"f")
        .unwrap();
}

fn text(disk: &dyn Disk, name: &str) -> Option<String> {
    let found = disk.read(&path(name)).unwrap();
    found.map(|(bytes, _)| String::from_utf8(bytes).unwrap())
}

fn kind<T>(outcome: Result<T, DiskError>) -> Result<(), ErrorKind> {
    outcome.map(drop).map_err(|error| error.source.kind())
}

type Case = (
    &'static str,
    fn(&dyn Disk) -> Result<(), ErrorKind>,
    Result<(), ErrorKind>,
);

/// What a verb does and how it fails; what else it must leave is asserted inside.
const CASES: &[Case] = &[
    (
        "rename takes the place of a file",
        |disk| {
            kind(disk.rename(&path("a"), &path("b")))?;
            assert_eq!(
                (text(disk, "a"), text(disk, "b")),
                (None, Some("old a".into()))
            );
            Ok(())
        },
        Ok(()),
    ),
    (
        "rename of nothing",
        |disk| kind(disk.rename(&path("no"), &path("b"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "rename into no directory",
        |disk| kind(disk.rename(&path("a"), &path("no/a"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "rename of a file over a directory",
        |disk| kind(disk.rename(&path("a"), &path("d"))),
        Err(ErrorKind::IsADirectory),
    ),
    (
        "rename of a directory over a file",
        |disk| kind(disk.rename(&path("d"), &path("a"))),
        Err(ErrorKind::NotADirectory),
    ),
    (
        "rename of a directory over one that is not empty",
        |disk| {
            disk.create_dir(&path("e"), Access::Private).unwrap();
            kind(disk.rename(&path("e"), &path("d")))
        },
        Err(ErrorKind::DirectoryNotEmpty),
    ),
    (
        "rename of one name to another of the same file leaves both",
        |disk| {
            kind(disk.link(&path("a"), &path("c")))?;
            kind(disk.rename(&path("a"), &path("c")))?;
            assert_eq!(
                (text(disk, "a"), text(disk, "c")),
                (Some("old a".into()), Some("old a".into()))
            );
            Ok(())
        },
        Ok(()),
    ),
    (
        "rename_new to a free name",
        |disk| {
            kind(disk.rename_new(&path("a"), &path("d/a")))?;
            assert_eq!(
                (text(disk, "a"), text(disk, "d/a")),
                (None, Some("old a".into()))
            );
            Ok(())
        },
        Ok(()),
    ),
    (
        "rename_new to a taken name",
        |disk| {
            let outcome = kind(disk.rename_new(&path("a"), &path("b")));
            assert_eq!(
                (text(disk, "a"), text(disk, "b")),
                (Some("old a".into()), Some("old b".into()))
            );
            outcome
        },
        Err(ErrorKind::AlreadyExists),
    ),
    (
        "rename_new of a directory",
        |disk| {
            kind(disk.rename_new(&path("d"), &path("e")))?;
            assert_eq!(text(disk, "e/f"), Some("f".into()));
            Ok(())
        },
        Ok(()),
    ),
    (
        "link to a taken name",
        |disk| kind(disk.link(&path("a"), &path("b"))),
        Err(ErrorKind::AlreadyExists),
    ),
    (
        "link of nothing",
        |disk| kind(disk.link(&path("no"), &path("c"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "link of a directory",
        |disk| kind(disk.link(&path("d"), &path("c"))),
        Err(ErrorKind::PermissionDenied),
    ),
    (
        "link shares the content, not the name",
        |disk| {
            kind(disk.link(&path("a"), &path("c")))?;
            kind(disk.remove(&path("a")))?;
            disk.open_append(&path("c"))
                .unwrap()
                .write_all(b"!")
                .unwrap();
            assert_eq!(
                (text(disk, "a"), text(disk, "c")),
                (None, Some("old a!".into()))
            );
            Ok(())
        },
        Ok(()),
    ),
    (
        "remove of nothing",
        |disk| kind(disk.remove(&path("no"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "remove of a directory",
        |disk| kind(disk.remove(&path("d"))),
        Err(ErrorKind::IsADirectory),
    ),
    (
        "create of a taken name",
        |disk| kind(disk.create(&path("a"), Access::Shared)),
        Err(ErrorKind::AlreadyExists),
    ),
    (
        "create in no directory",
        |disk| kind(disk.create(&path("no/a"), Access::Shared)),
        Err(ErrorKind::NotFound),
    ),
    (
        "create below a file",
        |disk| kind(disk.create(&path("a/b"), Access::Shared)),
        Err(ErrorKind::NotADirectory),
    ),
    (
        "create_dir anew, then again",
        |disk| {
            assert!(disk.create_dir(&path("e"), Access::Shared).unwrap());
            assert!(!disk.create_dir(&path("e"), Access::Shared).unwrap());
            Ok(())
        },
        Ok(()),
    ),
    (
        "create_dir where a file is",
        |disk| kind(disk.create_dir(&path("a"), Access::Shared)),
        Err(ErrorKind::NotADirectory),
    ),
    (
        "create_dir in no directory",
        |disk| kind(disk.create_dir(&path("no/e"), Access::Shared)),
        Err(ErrorKind::NotFound),
    ),
    (
        "open of nothing",
        |disk| kind(disk.open(&path("no"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "open of a directory",
        |disk| kind(disk.open(&path("d"))),
        Err(ErrorKind::InvalidInput),
    ),
    (
        "open_append of nothing",
        |disk| kind(disk.open_append(&path("no"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "open_append of a directory",
        |disk| kind(disk.open_append(&path("d"))),
        Err(ErrorKind::IsADirectory),
    ),
    (
        "stat of nothing, also below a file",
        |disk| {
            assert_eq!(disk.stat(&path("no")).unwrap(), None);
            assert_eq!(disk.stat(&path("a/b")).unwrap(), None);
            assert_eq!(disk.stat(&path("no/b")).unwrap(), None);
            Ok(())
        },
        Ok(()),
    ),
    (
        "stat of a file and of a directory",
        |disk| {
            let file = disk.stat(&path("a")).unwrap().unwrap();
            assert_eq!((file.kind, file.len, file.mode), (FileKind::File, 5, 0o600));
            let dir = disk.stat(&path("d")).unwrap().unwrap();
            assert_eq!((dir.kind, dir.mode), (FileKind::Dir, 0o700));
            Ok(())
        },
        Ok(()),
    ),
    (
        "list is in byte order",
        |disk| {
            for name in ["Z", "é", "a.b", "-"] {
                kind(disk.create(&path(name), Access::Shared))?;
            }
            let names: Vec<String> = disk
                .list(&RelPath::root())
                .unwrap()
                .into_iter()
                .map(|entry| entry.name)
                .collect();
            assert_eq!(names, ["-", "Z", "a", "a.b", "b", "d", "é"]);
            Ok(())
        },
        Ok(()),
    ),
    (
        "list of nothing and of a file is empty",
        |disk| {
            assert_eq!(disk.list(&path("no")).unwrap(), []);
            assert_eq!(disk.list(&path("a")).unwrap(), []);
            Ok(())
        },
        Ok(()),
    ),
    (
        "writes go to the end, also after a cut",
        |disk| {
            let mut file = disk.open_append(&path("a")).unwrap();
            file.write_all(b" and more").unwrap();
            file.truncate(3).unwrap();
            file.write_all(b"!").unwrap();
            file.sync_data().unwrap();
            file.sync_all().unwrap();
            assert_eq!(text(disk, "a"), Some("old!".into()));
            Ok(())
        },
        Ok(()),
    ),
    (
        "a cut beyond the end fills with zeros",
        |disk| {
            disk.open_append(&path("a")).unwrap().truncate(7).unwrap();
            assert_eq!(text(disk, "a"), Some("old a\0\0".into()));
            Ok(())
        },
        Ok(()),
    ),
    (
        "an open file goes on under another name",
        |disk| {
            let mut file = disk.open_append(&path("a")).unwrap();
            let reader = disk.open(&path("b")).unwrap();
            kind(disk.rename(&path("a"), &path("b")))?;
            file.write_all(b"!").unwrap();
            let mut old = [0; 16];
            let n = reader.read_full_at(4, &mut old).unwrap();
            assert_eq!(
                (old.get(..n).unwrap(), text(disk, "b")),
                (&b"b"[..], Some("old a!".into()))
            );
            Ok(())
        },
        Ok(()),
    ),
    (
        "a replaced file has another stamp",
        |disk| {
            let before = disk.stat(&path("b")).unwrap().unwrap().stamp();
            kind(disk.rename(&path("a"), &path("b")))?;
            assert_ne!(disk.stat(&path("b")).unwrap().unwrap().stamp(), before);
            Ok(())
        },
        Ok(()),
    ),
    (
        "set_mode is seen",
        |disk| {
            disk.open_append(&path("a"))
                .unwrap()
                .set_mode(0o640)
                .unwrap();
            assert_eq!(disk.stat(&path("a")).unwrap().unwrap().mode, 0o640);
            Ok(())
        },
        Ok(()),
    ),
    (
        "sync_dir of nothing",
        |disk| kind(disk.sync_dir(&path("no"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "sync_dir of the root, of a directory, of everything",
        |disk| {
            kind(disk.sync_dir(&RelPath::root()))?;
            kind(disk.sync_dir(&path("d")))?;
            kind(disk.sync_everything(&[path("a")]))
        },
        Ok(()),
    ),
    (
        "a lock has one holder at a time",
        |disk| {
            let held = disk.try_lock(&path("d/lock")).unwrap();
            assert!(held.is_some());
            assert!(disk.try_lock(&path("d/lock")).unwrap().is_none());
            drop(held);
            assert!(disk.try_lock(&path("d/lock")).unwrap().is_some());
            assert!(disk.stat(&path("d/lock")).unwrap().is_some());
            Ok(())
        },
        Ok(()),
    ),
    (
        "a lock in no directory",
        |disk| kind(disk.try_lock(&path("no/lock"))),
        Err(ErrorKind::NotFound),
    ),
    (
        "no link is read where there is none",
        |disk| {
            assert_eq!(disk.read_link(&path("a")).unwrap(), None);
            assert_eq!(disk.read_link(&path("no/a")).unwrap(), None);
            Ok(())
        },
        Ok(()),
    ),
];

#[test]
fn the_real_disk_and_the_simulated_one_behave_alike() {
    for (name, case, expected) in CASES {
        let home = tempfile::tempdir().unwrap();
        let real = RealDisk::open(home.path()).unwrap();
        let simulated = SimDisk::new();
        for (which, disk) in [("real", &real as &dyn Disk), ("simulated", &simulated)] {
            furnished(disk);
            assert_eq!(case(disk), *expected, "{name}, on the {which} disk");
        }
    }
}
