//! Pause, resume, and the rules of time: paused after a day, warned of after a week, never removed.

use super::brief;
use super::evidence;
use super::load::{Session, touch};
use super::position::{Step, position};
use super::schema::RunStatus;
use super::state::State;
use super::validate::Subject;
use crate::error::Result;
use crate::formats::{Context, Notice, Place, Plan, ResumeOptions, Resumed, Root, Stopped};
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::{Card, Repair, Status, Timestamp};

/// Seconds without activity after which a session counts as paused.
const PAUSE_AFTER: u64 = 24 * 60 * 60;
/// Seconds without activity after which the user is asked what is to become of it.
const WARN_AFTER: u64 = 7 * PAUSE_AFTER;

/// The document's message of a pause.
pub(super) fn pause_message(state: &State) -> String {
    format!(
        "Session paused at [{}]. To resume, invoke essay-pipeline and select this session.",
        position(state)
    )
}

/// Sets a session aside.
pub fn pause(cx: &Context<'_>, place: &Place) -> Result<Plan<Stopped>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    let stopped = Stopped {
        title: brief::title(cx, &session)?,
        summary: pause_message(&session.state),
    };
    if session.state.status == Some(RunStatus::Paused) {
        return Ok(Plan::nothing(stopped));
    }
    let mut after = session.state.clone();
    after.status = Some(RunStatus::Paused);
    after.last_activity = Some(cx.now.utc_seconds());
    session.save(&after, Vec::new(), stopped)
}

/// Gives a session up. Nothing is removed.
pub fn abandon(cx: &Context<'_>, place: &Place) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    if session.state.status == Some(RunStatus::Completed) {
        let what = phrase!("essay-is-completed", "`{id}` is completed", id = &place.id);
        return Err(Refusal::rule(what).into());
    }
    let mut after = session.state.clone();
    after.status = Some(RunStatus::Abandoned);
    let step = Step::of(&after, place, Vec::new());
    session.save(&after, Vec::new(), step)
}

/// Comes back to a session: active again, with what the agent is to read.
pub(super) fn resume(
    cx: &Context<'_>,
    place: &Place,
    options: &ResumeOptions,
) -> Result<Plan<Resumed>> {
    let session = Session::open(cx, place)?;
    let closed = matches!(
        session.state.status,
        Some(RunStatus::Completed | RunStatus::Abandoned)
    );
    if !options.force {
        session.require_open()?;
    }
    let evidence = evidence::gather(cx, session.dir(), &session.state, &session.files)?;
    let subject = Subject {
        cx,
        dir: session.dir(),
        state: &session.state,
        files: &session.files,
    };
    let mut problems = session.problems.clone();
    problems.extend(subject.table());
    problems.extend(subject.against(&evidence));
    let warnings = problems.iter().map(|problem| Notice {
        code: problem.code,
        session: format!("essay/{}", place.id),
        text: question(&problem.to_string(), &problem.repair, place),
    });
    let mut warnings: Vec<Notice> = warnings.collect();
    warnings.extend(overdue(cx, place, &session.state));
    warnings.extend(passing(place));
    let text = format!(
        "Resuming at [Stage {}]. Here's where you left off: {}",
        session.state.current().number(),
        brief::summary(&session.state, &evidence)
    );
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    let text = brief::resume_text(&text, &after, cx, place, options.budget)?;
    let resumed = Resumed {
        text: Some(text),
        warnings,
        tool: None,
        left_out: 0,
    };
    if session.state.status == Some(RunStatus::InProgress) && !closed {
        return Ok(Plan::nothing(resumed));
    }
    session.save(&after, Vec::new(), resumed)
}

fn question(found: &str, repair: &Repair, place: &Place) -> String {
    if repair.is_automatic() {
        format!(
            "{found}. How to proceed? `segno recover {}`: {}",
            place.id,
            repair.text()
        )
    } else {
        format!("{found}. How to proceed? {}", repair.text())
    }
}

/// The warning of a session that nobody has touched for a week.
fn overdue(cx: &Context<'_>, place: &Place, state: &State) -> Option<Notice> {
    let idle = idle_seconds(cx, state)?;
    (idle >= WARN_AFTER).then(|| Notice {
        code: "essay_idle",
        session: format!("essay/{}", place.id),
        text: format!(
            "no activity for {} days: `segno resume {}` goes on; `segno essay abandon {}` gives it up, and `segno clean` then puts it into the trash; nothing is removed before you say so",
            idle / PAUSE_AFTER,
            place.id,
            place.id
        ),
    })
}

/// A session in the temporary directory does not survive a reboot.
fn passing(place: &Place) -> Option<Notice> {
    (place.root == Root::Temporary).then(|| Notice {
        code: "essay_temporary",
        session: format!("essay/{}", place.id),
        text: format!(
            "it lies in the temporary directory, which a reboot empties: `segno essay move {}` brings it into the workspace",
            place.id
        ),
    })
}

fn idle_seconds(cx: &Context<'_>, state: &State) -> Option<u64> {
    let last = state
        .last_activity
        .as_deref()
        .or(state.started_at.as_deref())?;
    Some(cx.now.seconds_since(&Timestamp::parse(last)?))
}

/// The moment from which on [`on_access`] pauses an active session, or reminds of a paused one.
pub(super) fn due(cx: &Context<'_>, card: &Card) -> Option<jiff::Timestamp> {
    let last = card.last_active.as_ref().or(card.created.as_ref())?;
    let idle = if card.status == Status::Paused {
        WARN_AFTER
    } else {
        PAUSE_AFTER
    };
    let idle = jiff::SignedDuration::from_secs(idle.cast_signed());
    let last = last.instant(cx.now.zone());
    Some(last.checked_add(idle).unwrap_or(jiff::Timestamp::MAX))
}

/// Applies the rules of time.
pub(super) fn on_access(cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Notice>>> {
    let Ok(session) = Session::try_open(cx, place)? else {
        return Ok(None);
    };
    let state = &session.state;
    let idle = idle_seconds(cx, state).unwrap_or(0);
    let warning = overdue(cx, place, state);
    match state.status {
        Some(RunStatus::Completed | RunStatus::Abandoned) => Ok(None),
        Some(RunStatus::Paused) => Ok(warning.map(Plan::nothing)),
        _ if idle < PAUSE_AFTER => Ok(None),
        _ => {
            let mut after = state.clone();
            after.status = Some(RunStatus::Paused);
            let notice = warning.unwrap_or_else(|| Notice {
                code: "auto_paused",
                session: format!("essay/{}", place.id),
                text: format!("paused after {} hours without activity", idle / 3600),
            });
            session.save(&after, Vec::new(), notice).map(Some)
        }
    }
}
