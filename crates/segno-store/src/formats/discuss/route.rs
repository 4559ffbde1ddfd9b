//! The router: what a new discussion is about, and why.

use super::legacy::{WorkSession, named, running};
use super::schema::{About, Contract, Subject};
use super::site::WORK_SESSIONS;
use crate::error::{Result, StoreError};
use crate::formats::Context;

/// What the user said about the subject; all of it may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// A task.
    pub task: Option<String>,
    /// A phase.
    pub phase: Option<String>,
    /// A track.
    pub track: Option<String>,
    /// A kind of subject, and which one.
    pub context: Option<(Subject, Option<String>)>,
    /// A work session.
    pub wsession: Option<String>,
}

/// What the router chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// What the discussion is about, and why.
    pub about: About,
    /// The contract that follows.
    pub contract: Contract,
    /// The work session it belongs to.
    pub wsession_id: Option<String>,
}

impl Route {
    /// What is asked when the user asks nothing.
    pub fn default_prompt(&self) -> String {
        match &self.about.reference {
            Some(reference) => {
                format!("Start a discussion about {} {reference}.", self.about.kind)
            }
            None => format!("Start a discussion about {} context.", self.about.kind),
        }
    }
}

/// Chooses: task, phase, track, context, work session as the user said, else the work session that goes on, else all.
pub fn route(cx: &Context<'_>, wish: &Wish) -> Result<Route> {
    for (subject, id) in [
        (Subject::Task, &wish.task),
        (Subject::Phase, &wish.phase),
        (Subject::Track, &wish.track),
    ] {
        if let Some(id) = id {
            let reason = format!("Explicit --{subject} flag: {id}");
            return Ok(routed(subject.name(), Some(id.clone()), reason, None));
        }
    }
    if let Some((subject, reference)) = &wish.context {
        let reason = format!("Explicit --context flag: {subject}");
        return Ok(routed(subject.name(), reference.clone(), reason, None));
    }
    if let Some(id) = &wish.wsession {
        let session = one_named(named(cx.files, id, cx.now.zone())?, id)?;
        let reason = format!("Explicit --wsession: {}", session.id);
        return Ok(of_session(session, reason));
    }
    if let Some(session) = running(cx.files, cx.now.zone())? {
        let reason = format!("Active work session {}", session.id);
        return Ok(of_session(session, reason));
    }
    let reason = "No explicit context or active work session; defaulting to global".to_owned();
    Ok(routed("global", None, reason, None))
}

/// The work session that a person named, among those whose id begins so.
fn one_named(mut found: Vec<WorkSession>, id: &str) -> Result<WorkSession> {
    if found.len() > 1 {
        return Err(StoreError::Ambiguous {
            wanted: id.to_owned(),
            candidates: found.into_iter().map(|session| session.id).collect(),
        });
    }
    found.pop().ok_or_else(|| StoreError::Invalid {
        what: format!("there is no work session `{id}` in {WORK_SESSIONS}"),
        hints: vec!["leave --wsession out to go by the one that was worked on last".to_owned()],
    })
}

fn of_session(session: WorkSession, reason: String) -> Route {
    routed(&session.kind, session.reference, reason, Some(session.id))
}

fn routed(
    kind: &str,
    reference: Option<String>,
    reason: String,
    wsession_id: Option<String>,
) -> Route {
    let subject: Subject = kind.parse().unwrap_or(Subject::Global);
    Route {
        about: About {
            kind: kind.to_owned(),
            reference,
            router_reason: reason,
        },
        contract: subject.contract(),
        wsession_id,
    }
}
