//! The real disk: modes, symbolic links, odd things in the way, torn tails, and edits by somebody else.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use segno_disk::lock::Holder;
use segno_disk::{
    Access, Basis, Change, Disk as _, DiskError, ReadDisk as _, RealDisk, Reason, RelPath, Volume,
    log,
};
use segno_testkit::numbered::shown;
use segno_testkit::rerun::{self, Child};

const PATIENCE: Duration = Duration::from_secs(20);

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

fn volume(disk: &RealDisk) -> Volume<'_> {
    Volume::new(disk, path(".segno"))
}

fn replace(disk: &RealDisk, name: &str, text: &str, basis: Basis) -> Result<(), DiskError> {
    let change = Change::replace(path(name), text.into(), basis, Access::Shared);
    volume(disk).commit(&[change]).map(drop)
}

fn append(disk: &RealDisk, name: &str, line: &str) -> Result<Vec<RelPath>, DiskError> {
    let tail = log::tail(disk, &path(name))?;
    let change = tail.append(path(name), line.as_bytes(), Access::Private);
    Ok(volume(disk).commit(&[change])?.quarantined)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn child() {
    let Some((role, dir)) = rerun::role() else {
        return;
    };
    let disk = RealDisk::open(&dir).unwrap();
    if role == "refused" {
        let outcomes = [
            replace(&disk, "locked/new", "x", Basis::Absent),
            append(&disk, "locked/log", "{}\n").map(drop),
            append(&disk, "locked/new-log", "{}\n").map(drop),
            disk.create_dir(&path("locked/dir"), Access::Shared)
                .map(drop),
        ];
        for outcome in outcomes {
            let error = outcome.unwrap_err();
            assert_eq!(error.source.kind(), ErrorKind::PermissionDenied);
            rerun::say(&shown(error)).unwrap();
        }
        return;
    }
    let bits = u32::from_str_radix(&role, 8).unwrap();
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(bits));
    let volume = volume(&disk);
    for (access, name) in [(Access::Private, "private"), (Access::Shared, "shared")] {
        let log_path = path(&format!("{name}/log"));
        let file = path(&format!("{name}/file"));
        let changes = [
            Change::CreateDir {
                path: path(name),
                access,
            },
            log::Tail::EMPTY.append(log_path, b"{}\n", access),
            Change::replace(file, b"x".to_vec(), Basis::Absent, access),
        ];
        volume.commit(&changes).unwrap();
    }
    drop(
        volume
            .lock("talk", &Holder::default(), Duration::ZERO)
            .unwrap(),
    );
    rerun::say("done").unwrap();
}

#[test]
fn private_files_are_private_whatever_the_umask_and_shared_ones_follow_it() {
    for umask in [0o000, 0o022, 0o077] {
        let home = tempfile::tempdir().unwrap();
        let child = Child::play(&format!("{umask:o}"), home.path()).unwrap();
        assert_eq!(child.hear(PATIENCE).as_deref(), Some("done"));
        for (name, expected) in [
            ("private", 0o700),
            ("private/log", 0o600),
            ("private/file", 0o600),
            ("shared", 0o777 & !umask),
            ("shared/log", 0o666 & !umask),
            ("shared/file", 0o666 & !umask),
            (".segno/locks", 0o700),
            (".segno/locks/talk.lock", 0o600),
        ] {
            let found = mode(&home.path().join(name));
            assert_eq!(found, expected, "{name} under {umask:03o}: {found:03o}");
        }
    }
}

#[test]
fn an_existing_file_keeps_its_mode() {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path()).unwrap();
    for bits in [0o640, 0o600, 0o644, 0o755, 0o664, 0o444] {
        let file = home.path().join("file");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(bits)).unwrap();
        let change = Change::replace(path("file"), b"new".to_vec(), Basis::Any, Access::Private);
        let change = change.with_backup(path("file.bak"));
        volume(&disk).commit(&[change]).unwrap();
        assert_eq!(
            (mode(&file), fs::read_to_string(&file).unwrap().as_str()),
            (bits, "new")
        );
        assert_eq!(mode(&home.path().join("file.bak")), bits);
        fs::remove_file(&file).unwrap();
    }
}

/// A link that is planted between a check and an open is refused as well: there is no check, `openat2` resolves the path
/// beneath the root in the very call that opens it.
#[test]
fn a_symbolic_link_that_leads_out_is_refused_by_every_verb() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("file"), "secret").unwrap();
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("root");
    fs::create_dir(&root).unwrap();
    symlink(outside.path(), root.join("dir")).unwrap();
    symlink(outside.path().join("file"), root.join("file")).unwrap();
    symlink("../escaped", root.join("up")).unwrap();
    let disk = RealDisk::open(&root).unwrap();
    let name = path("dir/file");
    for (what, outcome) in [
        ("read", disk.read(&name).map(drop)),
        ("read a link", disk.read(&path("file")).map(drop)),
        ("stat", disk.stat(&name).map(drop)),
        ("list", disk.list(&path("dir")).map(drop)),
        ("append", append(&disk, "dir/file", "{}\n").map(drop)),
        ("append to a link", append(&disk, "file", "{}\n").map(drop)),
        (
            "append to a link to nothing",
            append(&disk, "up", "{}\n").map(drop),
        ),
        ("replace", replace(&disk, "dir/file", "x", Basis::Any)),
        ("replace a link", replace(&disk, "file", "x", Basis::Any)),
        (
            "replace a link to nothing",
            replace(&disk, "up", "x", Basis::Any),
        ),
        (
            "create_dir",
            disk.create_dir(&path("dir/new"), Access::Shared).map(drop),
        ),
        ("rename", disk.rename(&name, &path("mine")).map(drop)),
        ("link", disk.link(&name, &path("mine")).map(drop)),
        ("remove", disk.remove(&name).map(drop)),
        ("lock", disk.try_lock(&path("dir/lock")).map(drop)),
        ("lock a link", disk.try_lock(&path("file")).map(drop)),
    ] {
        let error = outcome.expect_err(what);
        assert_eq!(
            error.reason,
            Reason::Escapes,
            "{what}: {error}: {}",
            error.source
        );
    }
    assert_eq!(
        fs::read_to_string(outside.path().join("file")).unwrap(),
        "secret"
    );
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    assert!(!home.path().join("escaped").exists());
}

#[test]
fn a_symbolic_link_inside_is_followed_and_stays_a_link() {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path()).unwrap();
    fs::create_dir(home.path().join("real")).unwrap();
    fs::write(home.path().join("real/file"), "old").unwrap();
    fs::create_dir(home.path().join("deep")).unwrap();
    symlink("../real/file", home.path().join("deep/link")).unwrap();
    symlink("real", home.path().join("dir")).unwrap();
    replace(&disk, "deep/link", "new", Basis::Any).unwrap();
    assert_eq!(
        fs::read_to_string(home.path().join("real/file")).unwrap(),
        "new"
    );
    replace(&disk, "dir/file", "newer", Basis::Any).unwrap();
    assert_eq!(
        fs::read_to_string(home.path().join("real/file")).unwrap(),
        "newer"
    );
    for link in ["deep/link", "dir"] {
        assert!(home.path().join(link).is_symlink(), "{link}");
    }
}

#[test]
fn what_is_no_file_is_refused_and_hangs_nobody() {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path()).unwrap();
    let made = Command::new("mkfifo")
        .arg(home.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    fs::create_dir(home.path().join("dir")).unwrap();
    for name in ["pipe", "dir"] {
        for (what, outcome) in [
            ("read", disk.read(&path(name)).map(drop)),
            ("append", append(&disk, name, "{}\n").map(drop)),
            ("replace", replace(&disk, name, "x", Basis::Any)),
            ("append without a look", {
                let change = log::Tail::EMPTY.append(path(name), b"{}\n", Access::Private);
                volume(&disk).commit(&[change]).map(drop)
            }),
        ] {
            let error = outcome.expect_err(what);
            assert_eq!(error.reason, Reason::Io, "{what} {name}");
        }
    }
    assert!(home.path().join("pipe").exists() && home.path().join("dir").is_dir());
}

#[test]
fn names_that_are_not_text_are_left_out_of_listings() {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path()).unwrap();
    for name in [&b"good"[..], b"b\xffd", b"new\nline", b"esc\x1b[0m"] {
        fs::write(home.path().join(std::ffi::OsStr::from_bytes(name)), "").unwrap();
    }
    let names: Vec<String> = disk
        .list(&RelPath::root())
        .unwrap()
        .into_iter()
        .map(|entry| entry.name)
        .collect();
    assert_eq!(names, ["good"]);
}

#[test]
fn a_directory_that_may_not_be_written_to_gives_a_clear_error() {
    const NOBODY: u32 = 65534;
    let home = tempfile::tempdir().unwrap();
    let locked = home.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::write(locked.join("log"), "{}\n").unwrap();
    fs::set_permissions(locked.join("log"), Permissions::from_mode(0o444)).unwrap();
    // Nobody must be able to run the test binary, wherever it was built.
    let program = home.path().join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&locked, Permissions::from_mode(0o555)).unwrap();
    let template = rerun::command("refused", home.path()).unwrap();
    let mut command = Command::new(program);
    command.args(template.get_args()).current_dir(home.path());
    command.envs(
        template
            .get_envs()
            .filter_map(|(key, value)| Some((key, value?))),
    );
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        // Root may write everywhere.
        command.uid(NOBODY).gid(NOBODY);
    }
    let said = Child::start(&mut command).unwrap().rest();
    fs::set_permissions(&locked, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(said.len(), 4, "{said:?}");
    for line in said {
        assert!(
            line.starts_with("cannot ") && line.contains("`locked/"),
            "{line}"
        );
        assert!(line.contains("Permission denied"), "{line}");
    }
}

#[test]
fn a_torn_tail_is_kept_byte_for_byte_before_it_is_cut() {
    for torn in [
        &b"{\"n\":1,\"t\":\"\xc3"[..],
        b"{\"n\":1",
        &[0; 5000],
        b"\0\0\0\"}\n",
        b"{\"n\":1,\"t\":\"\0\0\0\"}\n",
        b"no json at all",
    ] {
        let home = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(home.path()).unwrap();
        let file = home.path().join("log");
        fs::write(&file, [b"{\"n\":0}\n", torn].concat()).unwrap();
        let kept = append(&disk, "log", "{\"n\":1}\n").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"{\"n\":0}\n{\"n\":1}\n");
        assert_eq!(kept.len(), 1, "{kept:?}");
        let kept = home.path().join(kept[0].as_str());
        assert_eq!(fs::read(&kept).unwrap(), torn);
        assert_eq!(mode(&kept), 0o600);
    }
}

#[test]
fn what_somebody_else_wrote_in_between_is_never_overwritten() {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path()).unwrap();
    let file = home.path().join("log");
    fs::write(&file, "{}\n").unwrap();
    let tail = log::tail(&disk, &path("log")).unwrap();
    let stamp = disk.stat(&path("log")).unwrap().unwrap().stamp();
    let grown = "{}\n{\"theirs\":1}\n";
    fs::write(&file, grown).unwrap();
    let appended = Change::replace(
        path("log"),
        b"mine".to_vec(),
        Basis::Version(stamp),
        Access::Private,
    );
    for change in [
        tail.append(path("log"), b"{}\n", Access::Private),
        appended.with_backup(path("log.bak")),
        Change::Remove {
            path: path("log"),
            basis: Basis::Version(stamp),
        },
        Change::replace(
            path("log"),
            b"mine".to_vec(),
            Basis::Absent,
            Access::Private,
        ),
        Change::CreateDir {
            path: path(".segno"),
            access: Access::Private,
        },
    ] {
        fs::create_dir_all(home.path().join(".segno")).unwrap();
        let error = volume(&disk)
            .commit(std::slice::from_ref(&change))
            .unwrap_err();
        assert!(error.is_conflict(), "{change:?}: {error}: {}", error.source);
    }
    fs::write(home.path().join("other"), "").unwrap();
    let access = Access::Private;
    let moved = Change::Move {
        from: path("other"),
        to: path("log"),
        access,
    };
    assert!(volume(&disk).commit(&[moved]).unwrap_err().is_conflict());
    assert_eq!(fs::read_to_string(&file).unwrap(), grown);
    assert!(!home.path().join("log.bak").exists());
    let left: Vec<_> = disk.list(&RelPath::root()).unwrap();
    assert!(
        left.iter()
            .all(|entry| !segno_disk::is_temp_name(&entry.name)),
        "{left:?}"
    );
}

#[test]
fn only_our_own_temporary_files_are_swept() {
    let home = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(home.path()).unwrap();
    for name in [
        ".segno-12-0.tmp",
        ".segno-12-0.tmp.txt",
        "segno-12.tmp",
        "notes.tmp",
    ] {
        fs::write(home.path().join(name), "").unwrap();
    }
    fs::create_dir(home.path().join(".segno-dir.tmp")).unwrap();
    let swept = volume(&disk).sweep(&RelPath::root()).unwrap();
    assert_eq!(swept, [path(".segno-12-0.tmp")]);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 4);
}
