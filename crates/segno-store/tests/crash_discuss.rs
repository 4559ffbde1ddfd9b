//! The central test on discussions: whatever moment the power is cut, a session and the plan it changes are a prefix of
//! the story, the audit agrees with the plan, and the story goes on.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::{Access, Disk, RelPath};
use segno_store::formats::discuss::replay::{ReplayOptions, replay};
use segno_store::formats::discuss::repo_lock::{self, Owner, Process};
use segno_store::formats::discuss::{
    self, About, Beginning, Contract, DoneOptions, canonical, done, start,
};
use segno_store::formats::{Context, Place, Root};
use segno_store::session::{Now, SessionId};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};
use segno_testkit::crash::{self, Story, Wrap};
use segno_testkit::forgetful::{Forget, ForgetfulDisk};

enum Discussion {
    /// A discussion begins and ends in operations.
    Talk,
    /// One that has ended is replayed into so many tasks of the plan, under the lock: plan, audit and `meta.json` are one
    /// unit.
    Replay(usize),
}

const ANSWER: &str = r#"[{"op_type":"mark_done","data":{"item_id":"k0"}}]"#;

fn task(n: usize) -> String {
    format!("docs/maestro/tasks/k{n}.json")
}

fn now(step: usize) -> Now {
    let second = 1_700_000_000 + i64::try_from(step).unwrap();
    Now::new(jiff::Timestamp::from_second(second).unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 7,
        program: "test".to_owned(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

fn place() -> Place {
    canonical(&SessionId::new("s").unwrap()).unwrap()
}

fn beginning() -> Beginning {
    Beginning {
        id: SessionId::new("s").unwrap(),
        about: About {
            kind: "global".to_owned(),
            reference: None,
            router_reason: "r".to_owned(),
        },
        contract: Contract::Global,
        wsession_id: None,
        engine: "e".to_owned(),
        model: "m".to_owned(),
        prompt: "p".to_owned(),
        cache_policy: None,
    }
}

/// A discussion that has ended, and a plan with the tasks that it marks, each file written plainly.
fn plant(disk: &dyn Disk, tasks: usize) -> segno_store::Result<()> {
    let meta = r#"{"session_id":"s","context":{"kind":"task","ref":"k","router_reason":"r"},"contract_type":"task","created_at":"","updated_at":"","status":"open","final_json_present":true,"engine":"e","model":"m","initial_prompt":"p"}"#;
    let marks: Vec<String> = (0..tasks)
        .map(|n| format!(r#"{{"op_type":"mark_done","data":{{"item_id":"k{n}"}}}}"#))
        .collect();
    let line = format!(
        "{{\"ts\":\"\",\"type\":\"final_json\",\"payload\":{{\"patch_operations\":[{}]}}}}\n",
        marks.join(",")
    );
    let session = |name: &str| format!("docs/maestro/sessions/discuss/s/{name}");
    for n in 0..tasks {
        lay(disk, &task(n), r#"{"status":"todo"}"#)?;
    }
    lay(disk, &session("meta.json"), meta)?;
    sync(disk)?;
    // The line makes the step true.
    lay(disk, &session("transcript.jsonl"), &line)?;
    sync(disk)
}

/// Puts a file down in the plainest way, as another program would.
fn lay(disk: &dyn Disk, path: &str, text: &str) -> segno_store::Result<()> {
    let path = RelPath::new(path).unwrap();
    let mut dir = RelPath::root();
    for name in path.parent().unwrap().names() {
        dir = dir.join_name(name)?;
        disk.create_dir(&dir, Access::Shared)?;
    }
    if disk.stat(&path)?.is_some() {
        disk.remove(&path)?;
    }
    disk.create(&path, Access::Shared)?
        .write_all(text.as_bytes())?;
    Ok(())
}

fn sync(disk: &dyn Disk) -> segno_store::Result<()> {
    Ok(disk.sync_everything(&[])?)
}

fn apply(workspace: &Workspace<'_>, now: &Now, place: &Place) -> Result<bool, String> {
    let text = |error: segno_store::StoreError| error.to_string();
    let owner = Owner {
        session_id: "s".to_owned(),
        pid: 7,
        host: Some("h".to_owned()),
    };
    let write = |plan: &dyn Fn(
        &segno_store::formats::Context<'_>,
    ) -> segno_store::Result<segno_store::formats::Plan<()>>| {
        workspace.write_locked(Root::Workspace, discuss::LOCK, now, &writer(), plan)
    };
    write(&|cx| {
        let taken = repo_lock::take(cx, &owner, &|_| Process::Gone)?;
        Ok(segno_store::formats::Plan::in_order(taken.changes, ()))
    })
    .map_err(text)?;
    let options = ReplayOptions::default();
    let written = workspace.write(place, now, &writer(), |cx| replay(cx, place, options));
    write(&|cx| repo_lock::release(cx, &owner)).map_err(text)?;
    Ok(written.map_err(text)?.outcome.result.is_ok())
}

impl Story for Discussion {
    fn steps(&self) -> usize {
        2
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let workspace = Workspace::new(disk, Settings::default());
        let (now, place) = (now(step), place());
        let text = |error: segno_store::StoreError| error.to_string();
        workspace.settle(&writer()).map_err(text)?;
        match (self, step) {
            (Self::Talk, 0) => {
                let plan = |cx: &Context<'_>| start(cx, &beginning());
                let begun = workspace.write(&place, &now, &writer(), plan);
                begun.map(drop).map_err(text)
            }
            (Self::Talk, _) => {
                let plan = |cx: &Context<'_>| done(cx, &place, ANSWER, DoneOptions::default());
                let ended = workspace.write(&place, &now, &writer(), plan);
                ended.map(drop).map_err(text)
            }
            (Self::Replay(tasks), 0) => plant(disk, *tasks).map_err(text),
            (Self::Replay(_), _) => {
                if apply(&workspace, &now, &place)? {
                    Ok(())
                } else {
                    Err("the replay was refused".to_owned())
                }
            }
        }
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let workspace = Workspace::new(disk, Settings::default());
        let now = now(9);
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let read = |path: &str| -> Result<String, String> {
            let path = RelPath::new(path).unwrap();
            let found = disk.read(&path).map_err(|e| e.to_string())?;
            let bytes = found.map(|(bytes, _)| bytes).unwrap_or_default();
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let transcript = read("docs/maestro/sessions/discuss/s/transcript.jsonl")?;
        // A last line may be whole without its newline; the next append adds it.
        let is_whole = |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok();
        let lines = transcript.lines().filter(is_whole).count();
        let tasks = match self {
            Self::Talk => 1,
            Self::Replay(tasks) => *tasks,
        };
        let mut done = 0;
        for n in 0..tasks {
            done += usize::from(read(&task(n))?.contains("\"done\""));
        }
        if done != 0 && done != tasks {
            return Err(format!("{done} of {tasks} tasks are done"));
        }
        let applied = done > 0;
        if applied != transcript.contains("REPLAY_OK") {
            return Err("the plan and the audit do not agree".to_owned());
        }
        if transcript.contains("REPLAY_FAIL") || transcript.matches("REPLAY_OK").count() > 1 {
            return Err("a run is recorded that was not asked for".to_owned());
        }
        if applied && workspace.card(&place(), &now).raw_status != "closed" {
            return Err("replayed, but meta.json does not say so".to_owned());
        }
        Ok(lines)
    }
}

#[test]
fn a_discussion_survives_every_power_cut() {
    let report = crash::check(&Discussion::Talk).unwrap();
    println!("talk: {report}");
    assert!(report.images > 200, "{report}");
}

#[test]
fn a_replay_is_there_whole_or_not_at_all_after_every_power_cut_and_the_audit_agrees() {
    let report = crash::check(&Discussion::Replay(1)).unwrap();
    println!("replay: {report}");
    assert!(report.images > 200, "{report}");
}

#[test]
fn a_replay_that_changes_ten_files_changes_all_of_them_or_none() {
    let report = crash::check_many(&Discussion::Replay(10)).unwrap();
    println!("replay of ten: {report}");
    assert!(report.reopened > 1000, "{report}");
}

#[test]
fn every_failing_operation_is_reported_and_leaves_old_or_new() {
    for story in [
        Discussion::Talk,
        Discussion::Replay(1),
        Discussion::Replay(10),
    ] {
        let report = crash::check_faults(&story).unwrap();
        println!("{report:?}");
        assert!(report.reported > 50, "{report:?}");
    }
}

#[test]
fn the_story_notices_a_sync_that_is_left_out() {
    for (story, forget) in [
        (Discussion::Talk, Forget::Data),
        (Discussion::Talk, Forget::Dir),
        (Discussion::Replay(1), Forget::Everything),
        (Discussion::Replay(10), Forget::Everything),
    ] {
        let wrap: Box<Wrap> = Box::new(move |disk| Box::new(ForgetfulDisk::new(disk, forget)));
        let found = crash::check_on(&story, &wrap);
        assert!(
            found.is_err(),
            "{forget:?} was left out and nothing was noticed"
        );
    }
}
