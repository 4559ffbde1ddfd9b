//! Every system call of an append and of a replacement fails once, in every way, against the real kernel.
//!
//! `strace` runs a child that does one thing between two marks; the trace of a first run says which calls there are, and
//! each of them is then made to fail. A short write is not among the faults, because the tracer can only claim one: the
//! bytes would not be written. `full.rs` has true ones.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says plainly what it expects"
)]
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use segno_disk::{ReadDisk as _, RealDisk, Reason, RelPath};
use segno_testkit::numbered::{Numbered, Seen, shown};
use segno_testkit::rerun::{self, Child};
use segno_testkit::skip::skip;

const PATIENCE: Duration = Duration::from_secs(20);
const BIGGEST: usize = 3000;
const REQUIRED: &str = "SEGNO_REQUIRE_STRACE";
const BEGIN: &str = "/segno-test-begin";
const END: &str = "/segno-test-end";
/// Calls that have nothing to do with files.
const OTHER_CALLS: [&str; 10] = [
    "brk",
    "mmap",
    "munmap",
    "mremap",
    "madvise",
    "mprotect",
    "futex",
    "getrandom",
    "getpid",
    // The standard library's own check of a handle before it closes it, in debug builds.
    "fcntl",
];

/// Leaves a mark in the trace: a look at a path that does not exist.
fn mark(path: &str) {
    assert!(!Path::new(path).exists());
}

#[test]
fn child() {
    let Some((role, dir)) = rerun::role() else {
        return;
    };
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    let thread = std::fs::read_link("/proc/thread-self").unwrap();
    rerun::say(thread.file_name().unwrap().to_str().unwrap()).unwrap();
    std::io::stdin().read_line(&mut String::new()).unwrap();
    mark(BEGIN);
    let done = RealDisk::open(&dir)
        .map_err(shown)
        .and_then(|disk| perform(&numbered, &role, &disk));
    mark(END);
    match done {
        Ok(()) => rerun::say("done").unwrap(),
        Err(why) => rerun::say(&why).unwrap(),
    }
}

fn perform(numbered: &Numbered, role: &str, disk: &RealDisk) -> Result<(), String> {
    match role {
        "append" => numbered.append(disk).map(drop),
        "replace" => numbered.replace(disk).map(drop),
        _ => {
            let outside = disk.open(&RelPath::new("out/secret").unwrap());
            let error = outside.map(drop).unwrap_err();
            if error.reason == Reason::Escapes
                || error.source.kind() == std::io::ErrorKind::NotADirectory
            {
                return Ok(());
            }
            Err(shown(error))
        }
    }
}

/// Runs the child with `strace` attached to the one thread that does the work, and returns what it said.
fn traced(role: &str, dir: &Path, options: &[&str]) -> Result<String, String> {
    let mut child = Child::play(role, dir).map_err(|e| e.to_string())?;
    let thread = child.hear(PATIENCE).ok_or("the child did not start")?;
    let mut tracer = Command::new("strace")
        .args(options)
        .args(["-p", &thread])
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("strace cannot be run: {e}"))?;
    let mut said = String::new();
    let mut stderr = BufReader::new(tracer.stderr.take().unwrap());
    stderr.read_line(&mut said).unwrap();
    let attached = said.contains("attached");
    if attached {
        child.tell("go").unwrap();
    }
    let outcome = child.hear(PATIENCE);
    drop(child);
    tracer.wait().unwrap();
    if attached {
        outcome.ok_or_else(|| "the child said nothing".to_owned())
    } else {
        Err(format!("strace cannot attach: {}", said.trim()))
    }
}

/// Why there is nothing to be tested here, if so.
fn why_not() -> Option<String> {
    let home = prepared(1);
    let options = ["-o", "/dev/null", "-e", "trace=none"];
    traced("append", &home.path().join("work"), &options).err()
}

/// The calls between the marks: the name, and the how-manieth of that name it is.
fn calls(role: &str, dir: &Path) -> Vec<(String, u32)> {
    let trace = dir.parent().unwrap().join("trace");
    let said = traced(role, dir, &["-o", trace.to_str().unwrap()]);
    assert_eq!(said.as_deref(), Ok("done"));
    let text = std::fs::read_to_string(&trace).unwrap();
    let mut counts = BTreeMap::new();
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let Some((name, _)) = line.split_once('(') else {
            continue;
        };
        let count = counts.entry(name.to_owned()).or_insert(0_u32);
        *count += 1;
        if line.contains(END) {
            break;
        }
        if inside && !OTHER_CALLS.contains(&name) {
            found.push((name.to_owned(), *count));
        }
        inside |= line.contains(BEGIN);
    }
    found
}

/// A directory in the state before the operation: so many lines and versions.
fn prepared(before: u64) -> tempfile::TempDir {
    // In memory where there is such a place: hundreds of directories are prepared, and no sync is put to the test.
    let home = tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap();
    let dir = home.path().join("work");
    std::fs::create_dir(&dir).unwrap();
    let disk = RealDisk::open(&dir).unwrap();
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    for _ in 0..before {
        numbered.append(&disk).unwrap();
        numbered.replace(&disk).unwrap();
    }
    home
}

fn held(numbered: &Numbered, role: &str, disk: &RealDisk) -> u64 {
    match role {
        "append" => numbered.look(disk, Seen::default()).unwrap().0,
        _ => numbered.versions(disk).unwrap(),
    }
}

/// Makes one call fail and looks at what it leaves.
fn check(role: &str, before: u64, call: &str, nth: u32, fault: &str) -> bool {
    let home = prepared(before);
    let dir = home.path().join("work");
    let inject = format!("inject={call}:{fault}:when={nth}");
    let trace = format!("trace={call}");
    let said = traced(
        role,
        &dir,
        &["-o", "/dev/null", "-e", &trace, "-e", &inject],
    );
    let said = said.unwrap_or_else(|why| panic!("{role} {before}, {inject}: {why}"));
    let disk = RealDisk::open(&dir).unwrap();
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    let now = held(&numbered, role, &disk);
    let context = format!("{role} {before}, {inject}: {now} there, {said:?}");
    if said == "done" {
        assert_eq!(now, before + 1, "{context}");
    } else {
        assert!(now == before || now == before + 1, "{context}");
        // What was tried, on which file, and the cause.
        assert!(said.starts_with("cannot "), "{context}");
        assert!(
            said.contains('`') && said.contains(cause(fault)),
            "{context}"
        );
        assert_ne!(fault, "error=EINTR", "{context}");
    }
    perform(&numbered, role, &disk).unwrap_or_else(|why| panic!("{context}; going on: {why}"));
    assert_eq!(held(&numbered, role, &disk), now + 1, "{context}");
    said != "done"
}

fn cause(fault: &str) -> &'static str {
    match fault {
        "error=ENOSPC" => "No space left on device",
        "error=EIO" => "Input/output error",
        "error=EACCES" => "Permission denied",
        "error=EINTR" => "Interrupted",
        _ => "took no bytes",
    }
}

#[test]
fn every_failing_system_call_is_reported_and_leaves_old_or_new() {
    if let Some(why) = why_not() {
        skip(REQUIRED, &format!("error matrix: {why}")).unwrap();
        return;
    }
    let (mut faults, mut reported) = (0, 0);
    for (role, before) in [("append", 0), ("append", 3), ("replace", 0), ("replace", 3)] {
        let home = prepared(before);
        let found = calls(role, &home.path().join("work"));
        println!("{role} after {before}: {found:?}");
        assert!(
            found
                .iter()
                .any(|(name, _)| name == "openat2" || name == "openat"),
            "{found:?}"
        );
        assert!(
            found
                .iter()
                .any(|(name, _)| name == "fsync" || name == "fdatasync"),
            "{found:?}"
        );
        for (call, nth) in &found {
            for fault in [
                "error=ENOSPC",
                "error=EIO",
                "error=EACCES",
                "error=EINTR",
                "retval=0",
            ] {
                if fault == "retval=0" && call != "write" {
                    continue;
                }
                faults += 1;
                reported += u64::from(check(role, before, call, *nth, fault));
            }
        }
    }
    println!("{faults} faults, {reported} reported, the others made good");
    assert!(reported > 100);
}

#[test]
fn a_kernel_without_openat2_is_served_name_by_name_and_no_link_is_followed_out() {
    if let Some(why) = why_not() {
        skip(REQUIRED, &format!("fallback of openat2: {why}")).unwrap();
        return;
    }
    let home = prepared(2);
    let dir = home.path().join("work");
    std::fs::write(home.path().join("secret"), "out here").unwrap();
    std::os::unix::fs::symlink(home.path(), dir.join("out")).unwrap();
    for role in ["append", "replace", "escape"] {
        let options = [
            "-o",
            "/dev/null",
            "-e",
            "trace=openat2",
            "-e",
            "inject=openat2:error=ENOSYS",
        ];
        assert_eq!(
            traced(role, &dir, &options).as_deref(),
            Ok("done"),
            "{role}"
        );
    }
    let disk = RealDisk::open(&dir).unwrap();
    let numbered = Numbered::up_to(BIGGEST).unwrap();
    assert_eq!(held(&numbered, "append", &disk), 3);
    assert_eq!(held(&numbered, "replace", &disk), 3);
}
