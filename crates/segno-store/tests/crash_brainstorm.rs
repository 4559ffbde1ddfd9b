//! The central test on a brainstorm: go back, branch, finish; cut the power anywhere.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::{Access, Basis, Change, Disk, RelPath};
use segno_store::formats::brainstorm::{self as bs, Session};
use segno_store::formats::{Context, Plan, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};
use segno_testkit::crash::{self, Story, Wrap};
use segno_testkit::forgetful::{Forget, ForgetfulDisk};

/// Two stories: through iterations and branches, and to the end.
#[derive(Clone, Copy)]
enum Tale {
    /// a session of two iterations, back, continue, back, ask something else (a branch), return to what was left
    Branches,
    /// a session of two iterations, finish
    Finish,
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "test".into(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

fn now(step: usize) -> Now {
    let at = format!("2026-03-02T11:{step:02}:00Z").parse().unwrap();
    Now::new(at, TimeZone::UTC)
}

fn done<T>(plan: segno_store::Result<Plan<T>>) -> segno_store::Result<Plan<()>> {
    let Plan { changes, unit, .. } = plan?;
    Ok(Plan {
        changes,
        unit,
        outcome: (),
    })
}

fn ask(text: &str, ems: i64) -> bs::Ask {
    bs::Ask {
        questions: vec![text.to_owned()],
        ems: Some(ems),
        ..bs::Ask::default()
    }
}

/// A session as somebody else may have written it: short, so that every image is read quickly.
const SESSION: &str = "format_version: \"1.2\"\nsession:\n  slug: t\n  ems: 50\n  iteration: 2\n  history:\n    \
     - iteration: 1\n      ems: 30\n      questions: [\"1?\"]\n    - iteration: 2\n      ems: 50\n      questions: [\"2?\"]\n";

fn step_of(cx: &Context<'_>, tale: Tale, step: usize) -> segno_store::Result<Plan<()>> {
    let place = bs::place_of("t")?;
    match (tale, step) {
        (_, 0) => {
            let text = SESSION.as_bytes().to_vec();
            let change = Change::replace(place.path, text, Basis::Absent, Access::Private);
            Ok(Plan::in_order(vec![change], ()))
        }
        (Tale::Finish, _) => done(bs::finish(cx, &place, true)),
        (_, 1 | 3) => done(bs::back(cx, &place, 1)),
        (_, 2) => done(bs::forward(cx, &place)),
        (_, 4) => done(bs::ask(cx, &place, &ask("2b?", 60))),
        _ => done(bs::return_to(cx, &place, 1)),
    }
}

impl Story for Tale {
    fn steps(&self) -> usize {
        match self {
            Self::Branches => 6,
            Self::Finish => 2,
        }
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let workspace = Workspace::new(disk, Settings::default());
        let writer = writer();
        workspace
            .settle(&writer)
            .map_err(|error| error.to_string())?;
        workspace
            .write_locked(Root::Workspace, bs::LOCK, &now(step), &writer, |cx| {
                step_of(cx, *self, step)
            })
            .map(drop)
            .map_err(|error| error.to_string())
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace
            .settle(&writer())
            .map_err(|error| error.to_string())?;
        let now = now(59);
        let cx = workspace.context(Root::Workspace, &now);
        let place = bs::place_of("t").unwrap();
        if disk
            .stat(&place.path)
            .map_err(|error| error.to_string())?
            .is_none()
        {
            return Ok(0);
        }
        let session = bs::open(&cx, &place).map_err(|error| error.to_string())?;
        let is_finished = session.status() == bs::SessionStatus::Completed;
        documents(disk, is_finished)?;
        Ok(match self {
            Self::Branches => held(&session)?,
            Self::Finish => 1 + usize::from(is_finished),
        })
    }
}

/// How many steps of the first story the session holds.
fn held(session: &Session) -> Result<usize, String> {
    let question = |entry: &bs::Iteration| entry.questions.first().cloned();
    let second = session.entry(2).and_then(question);
    let kept = session
        .branches
        .first()
        .and_then(|branch| branch.history.first())
        .and_then(question);
    // Back, forward and back again leave the same places: the time of the last change tells them apart.
    let minute = session.updated.as_deref().and_then(|time| time.get(14..16));
    let minute = minute.unwrap_or("00").parse().unwrap_or(0_usize);
    Ok(
        match (
            session.iteration(),
            second.as_deref(),
            kept.as_deref(),
            minute,
        ) {
            (2, Some("2?"), None, 0) => 1,
            (1, Some("2?"), None, 1) => 2,
            (2, Some("2?"), None, 2) => 3,
            (1, Some("2?"), None, 3) => 4,
            (2, Some("2b?"), Some("2?"), 4) => 5,
            (2, Some("2?"), Some("2b?"), 5) => 6,
            other => return Err(format!("no prefix of the story: {other:?}")),
        },
    )
}

/// The documents and the counts are there together, or not at all.
fn documents(disk: &dyn Disk, wanted: bool) -> Result<(), String> {
    for name in [
        "docs/briefs/t/brief-t-2026-03-02.md",
        "docs/briefs/t/journal-t-2026-03-02.md",
        ".project-memory/metrics/brainstorm-stats.json",
        ".project-memory/logs/brainstorm-history.jsonl",
        ".project-memory/briefs-index.jsonl",
    ] {
        let found = disk
            .stat(&RelPath::new(name).unwrap())
            .map_err(|error| error.to_string())?;
        if found.is_some_and(|stat| stat.len > 0) != wanted {
            return Err(format!(
                "finished is {wanted}, {name} there is {}",
                found.is_some()
            ));
        }
    }
    Ok(())
}

#[test]
fn every_acknowledged_step_through_back_and_branches_survives_every_power_cut() {
    let report = crash::check(&Tale::Branches).unwrap();
    println!("branches: {report}");
    assert!(report.images > 100, "{report}");
}

#[test]
fn a_finish_is_there_whole_or_not_at_all_after_every_power_cut() {
    let report = crash::check(&Tale::Finish).unwrap();
    println!("finish: {report}");
    assert!(report.images > 100, "{report}");
}

#[test]
fn every_failing_operation_leaves_the_old_or_the_new_session() {
    for tale in [Tale::Branches, Tale::Finish] {
        let report = crash::check_faults(&tale).unwrap();
        println!("{report:?}");
        assert!(report.reported > 20, "{report:?}");
    }
}

#[test]
fn the_test_finds_a_missing_sync() {
    for forget in [Forget::File, Forget::Dir] {
        let wrap: Box<Wrap> = Box::new(move |disk| Box::new(ForgetfulDisk::new(disk, forget)));
        assert!(
            crash::check_on(&Tale::Branches, &wrap).is_err(),
            "{forget:?}"
        );
    }
}
