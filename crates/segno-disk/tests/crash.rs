//! The central test on plain appends, replacements and units, and the proof that it can fail.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use segno_disk::log::{self, Tail};
use segno_disk::{Access, Basis, Change, Disk, RelPath, Volume};
use segno_testkit::crash::{self, Story, Wrap};
use segno_testkit::forgetful::{Forget, ForgetfulDisk};

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

fn volume(disk: &dyn Disk) -> Volume<'_> {
    Volume::new(disk, path(".segno"))
}

/// How the story finds the place of an append.
#[derive(Clone, Copy, PartialEq)]
enum At {
    /// Behind the valid prefix, as it must be.
    ValidPrefix,
    /// At the end of the file, whatever is there: the mistake that glues a line to a torn one.
    EndOfFile,
}

/// Appends one numbered line a step to a log that does not exist at first.
struct Appends(At);

impl Story for Appends {
    fn steps(&self) -> usize {
        4
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let log = path("talk/log.jsonl");
        let found = log::tail(disk, &log).map_err(|e| e.to_string())?;
        let tail = match self.0 {
            At::ValidPrefix => found,
            At::EndOfFile => Tail {
                valid: found.len,
                unfinished: false,
                ..found
            },
        };
        let line = format!("{{\"n\": {step}, \"t\": \"é\"}}\n");
        let change = tail.append(log, line.as_bytes(), Access::Private);
        volume(disk)
            .commit(&[change])
            .map(drop)
            .map_err(|e| e.to_string())
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let log = path("talk/log.jsonl");
        let tail = log::tail(disk, &log).map_err(|e| e.to_string())?;
        let content = disk
            .read(&log)
            .map_err(|e| e.to_string())?
            .map(|(bytes, _)| bytes);
        let mut valid = content.unwrap_or_default();
        valid.truncate(usize::try_from(tail.valid).unwrap());
        let text = std::str::from_utf8(&valid).map_err(|_| "the valid prefix is not text")?;
        for (n, line) in text.lines().enumerate() {
            if line != format!("{{\"n\": {n}, \"t\": \"é\"}}") {
                return Err(format!("line {n} of the valid prefix is {line:?}"));
            }
        }
        Ok(text.lines().count())
    }
}

/// Replaces one file by its next version a step, the previous one kept as the backup.
struct Replacements;

impl Story for Replacements {
    fn steps(&self) -> usize {
        4
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let file = path("state/session.yaml");
        let basis = match disk.stat(&file).map_err(|e| e.to_string())? {
            Some(stat) => Basis::Version(stat.stamp()),
            None => Basis::Absent,
        };
        let bytes = format!("version: {step}\n").into_bytes();
        let change = Change::replace(file, bytes, basis, Access::Private)
            .with_backup(path("state/session.yaml.bak"));
        volume(disk)
            .commit(&[change])
            .map(drop)
            .map_err(|e| e.to_string())
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let read = |name: &str| -> Result<Option<usize>, String> {
            let Some((bytes, _)) = disk.read(&path(name)).map_err(|e| e.to_string())? else {
                return Ok(None);
            };
            let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
            let number = text
                .strip_prefix("version: ")
                .and_then(|rest| rest.strip_suffix('\n'));
            let number = number.ok_or_else(|| format!("{name} holds {text:?}"))?;
            number
                .parse()
                .map(Some)
                .map_err(|_| format!("{name} holds {text:?}"))
        };
        let main = read("state/session.yaml")?;
        let backup = read("state/session.yaml.bak")?;
        match (main, backup) {
            (None, None) => Ok(0),
            (Some(0), None) => Ok(1),
            // The backup is the version before, or already this one.
            (Some(n), Some(b)) if b == n || b + 1 == n => Ok(n + 1),
            other => Err(format!("main and backup are {other:?}")),
        }
    }
}

/// One unit a step: two replacements, a new file, a move, an append and a removal belong together.
struct Units;

impl Units {
    fn read(disk: &dyn Disk, name: &str) -> Result<Option<String>, String> {
        let found = disk.read(&path(name)).map_err(|e| e.to_string())?;
        Ok(found.map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned()))
    }
}

impl Story for Units {
    fn steps(&self) -> usize {
        2
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let volume = volume(disk);
        volume
            .finish_units(&segno_disk::lock::Holder::default())
            .map_err(|e| e.to_string())?;
        let text = |_: &str| format!("{step}").into_bytes();
        let basis = |name: &str| -> Result<Basis, String> {
            let stat = disk.stat(&path(name)).map_err(|e| e.to_string())?;
            Ok(stat.map_or(Basis::Absent, |stat| Basis::Version(stat.stamp())))
        };
        let replace = |name: &str| -> Result<Change, String> {
            Ok(Change::replace(
                path(name),
                text(name),
                basis(name)?,
                Access::Shared,
            ))
        };
        let tail = log::tail(disk, &path("log")).map_err(|e| e.to_string())?;
        let line = format!("{{\"n\":{step}}}\n");
        let mut changes = vec![
            replace("a")?.with_backup(path("a.bak")),
            replace("deep/er/b")?,
            tail.append(path("log"), line.as_bytes(), Access::Private),
        ];
        if step > 0 {
            // What was moved away is written anew in the same unit.
            let from = path("e");
            let to = path(&format!("e.v{step}"));
            changes.push(Change::Move {
                from,
                to,
                access: Access::Shared,
            });
            let old = format!("c{}", step - 1);
            let to = path(&format!("archive/c{}", step - 1));
            changes.push(Change::Move {
                from: path(&old),
                to,
                access: Access::Shared,
            });
            let gone = format!("d{}", step - 1);
            changes.push(Change::Remove {
                basis: basis(&gone)?,
                path: path(&gone),
            });
        }
        let anew = text("e");
        changes.push(Change::replace(
            path("e"),
            anew,
            Basis::Absent,
            Access::Shared,
        ));
        changes.push(replace(&format!("c{step}"))?);
        changes.push(replace(&format!("d{step}"))?);
        volume
            .commit_unit("plan", &changes)
            .map(drop)
            .map_err(|e| e.to_string())
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        // A reader comes after the next command has finished what the crash interrupted.
        let volume = volume(disk);
        volume
            .finish_units(&segno_disk::lock::Holder::default())
            .map_err(|e| e.to_string())?;
        let mut held = 0;
        while held < self.steps() && Self::read(disk, &format!("c{held}"))?.is_none() {
            if Self::read(disk, &format!("archive/c{held}"))?.is_none() {
                break;
            }
            held += 1;
        }
        let n = if Self::read(disk, &format!("c{held}"))?.is_some() {
            held + 1
        } else {
            held
        };
        let want = |_: &str| (n > 0).then(|| format!("{}", n - 1));
        let log: Vec<String> = (0..n).map(|i| format!("{{\"n\":{i}}}\n")).collect();
        let expected = [
            ("a", want("a")),
            ("a.bak", (n > 1).then(|| format!("{}", n - 2))),
            ("deep/er/b", want("deep/er/b")),
            ("e", want("e")),
            ("e.v1", (n > 1).then(|| "0".to_owned())),
            ("log", (n > 0).then(|| log.concat())),
        ];
        for (name, content) in expected {
            let found = Self::read(disk, name)?;
            if found != content && !(name == "log" && found.as_deref() == Some("") && n == 0) {
                return Err(format!(
                    "{n} units, but {name} is {found:?} and not {content:?}"
                ));
            }
        }
        for i in 0..self.steps() {
            let is_there = Self::read(disk, &format!("d{i}"))?.is_some();
            if is_there != (n > 0 && i == n - 1) {
                return Err(format!("{n} units, but d{i} there: {is_there}"));
            }
        }
        Ok(n)
    }
}

fn forgetting(forget: Forget) -> Box<Wrap> {
    Box::new(move |disk| Box::new(ForgetfulDisk::new(disk, forget)))
}

#[test]
fn every_acknowledged_append_survives_every_power_cut() {
    let report = crash::check_all(&Appends(At::ValidPrefix)).unwrap();
    println!("appends: {report}");
    assert!(report.images > 400, "{report}");
}

#[test]
fn every_acknowledged_replacement_survives_every_power_cut_and_so_does_its_backup() {
    let report = crash::check_all(&Replacements).unwrap();
    println!("replacements: {report}");
    assert!(report.images > 400, "{report}");
}

#[test]
fn a_unit_is_there_whole_or_not_at_all_after_every_power_cut() {
    let report = crash::check(&Units).unwrap();
    println!("units: {report}");
    assert!(report.images > 400, "{report}");
}

#[test]
fn the_test_finds_a_missing_sync() {
    let cases: [(&dyn Story, Forget); 7] = [
        (&Appends(At::ValidPrefix), Forget::Data),
        (&Appends(At::ValidPrefix), Forget::File),
        (&Appends(At::ValidPrefix), Forget::Dir),
        (&Replacements, Forget::File),
        (&Replacements, Forget::Dir),
        (&Units, Forget::Dir),
        (&Units, Forget::Everything),
    ];
    for (i, (story, forget)) in cases.into_iter().enumerate() {
        let found = crash::check_on(story, &forgetting(forget));
        assert!(
            found.is_err(),
            "case {i}: {forget:?} was left out and nothing was noticed"
        );
    }
}

#[test]
fn the_test_finds_an_append_that_ignores_the_valid_prefix() {
    let found = crash::check(&Appends(At::EndOfFile)).unwrap_err();
    assert!(
        found.contains("is there") || found.contains("valid prefix") || found.contains("steps"),
        "{found}"
    );
}

#[test]
fn every_failing_operation_is_reported_and_leaves_old_or_new() {
    for (name, story) in [
        ("appends", &Appends(At::ValidPrefix) as &dyn Story),
        ("replacements", &Replacements),
        ("units", &Units),
    ] {
        let report = crash::check_faults(story).unwrap();
        println!("{name}: {report:?}");
        assert!(report.reported > 0);
    }
}
