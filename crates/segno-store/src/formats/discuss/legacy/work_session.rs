//! Work sessions: `session.json` with one file per turn below `breadcrumbs/`, at any depth.

use segno_disk::{FileKind, ReadDisk};

use super::breadcrumb::{self, more_of};
use super::{Converted, object, text};
use crate::error::Result;
use crate::formats::Place;
use crate::formats::discuss::schema::{About, EventKind, Subject};
use crate::formats::discuss::site::WORK_SESSIONS;
use crate::formats::discuss::{NOT_A_SESSION, site};
use crate::session::{Problem, Timestamp};
use crate::text::json::Doc;

/// How deep work sessions are looked for.
const DEPTH: usize = 8;

/// What of a `session.json` has a place of its own in a discussion.
const SESSION: [&str; 10] = [
    "session_id",
    "session_type",
    "status",
    "state",
    "created",
    "created_at",
    "modified",
    "related_entity",
    "breadcrumbs_dir",
    "context",
];

/// What a router needs to know of a work session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct WorkSession {
    pub(in super::super) id: String,
    pub(in super::super) kind: String,
    pub(in super::super) reference: Option<String>,
}

/// The work session that was modified last among those that go on.
pub(in super::super) fn running(
    files: &dyn ReadDisk,
    zone: &jiff::tz::TimeZone,
) -> Result<Option<WorkSession>> {
    let mut best: Option<Known> = None;
    for known in all(files, zone)? {
        let goes_on = matches!(known.status.as_str(), "running" | "paused");
        let is_newer = best
            .as_ref()
            .is_none_or(|best| known.modified > best.modified);
        if goes_on && is_newer {
            best = Some(known);
        }
    }
    Ok(best.map(|known| known.session))
}

/// The work session of an id, else those whose id begins so.
pub(in super::super) fn named(
    files: &dyn ReadDisk,
    id: &str,
    zone: &jiff::tz::TimeZone,
) -> Result<Vec<WorkSession>> {
    let mut found: Vec<WorkSession> = all(files, zone)?
        .into_iter()
        .map(|known| known.session)
        .filter(|session| session.id.starts_with(id))
        .collect();
    if let Some(exact) = found.iter().position(|session| session.id == id) {
        return Ok(vec![found.swap_remove(exact)]);
    }
    Ok(found)
}

/// A work session and what the router chooses by.
struct Known {
    modified: Option<jiff::Timestamp>,
    status: String,
    session: WorkSession,
}

fn all(files: &dyn ReadDisk, zone: &jiff::tz::TimeZone) -> Result<Vec<Known>> {
    let mut found = Vec::new();
    let mut waiting = vec![site::fixed(WORK_SESSIONS)];
    while let Some(dir) = waiting.pop() {
        for entry in files.list(&dir)? {
            if entry.kind != FileKind::Dir || entry.name == "breadcrumbs" {
                continue;
            }
            let Ok(inner) = dir.join_name(&entry.name) else {
                continue;
            };
            let file = inner.join_name("session.json")?;
            let doc = object(files, &file, &mut Vec::new())?.filter(is_work_session);
            if inner.names().count() < 2 + DEPTH {
                waiting.push(inner);
            }
            let Some(doc) = doc else { continue };
            let modified = ["modified", "created"]
                .into_iter()
                .find_map(|key| Some(Timestamp::parse(&text(doc.root(), key))?.instant(zone)));
            let about = about(&doc);
            found.push(Known {
                modified,
                status: text(doc.root(), "status"),
                session: WorkSession {
                    id: entry.name,
                    kind: about.kind,
                    reference: about.reference,
                },
            });
        }
    }
    Ok(found)
}

/// Older programs wrote other things under the same name.
pub(super) fn is_work_session(doc: &Doc) -> bool {
    let has = |key: &str| doc.get(key).is_some_and(|value| value.str().is_some());
    has("session_id") && has("session_type") && has("status")
}

pub(super) fn convert(files: &dyn ReadDisk, place: &Place, out: &mut Converted) -> Result<()> {
    let Some(doc) = object(files, &place.path, &mut out.problems)? else {
        return Ok(());
    };
    if !is_work_session(&doc) {
        let problem = Problem::new(NOT_A_SESSION, place.path.clone())
            .found("a session.json, but not of a work session: session_id, session_type and status are not all there")
            .manual("it belongs to another program; nothing needs to be done");
        out.problems.push(problem);
        return Ok(());
    }
    let root = doc.root();
    let reason = std::mem::take(&mut out.meta.about.router_reason);
    out.meta.about = About {
        router_reason: reason,
        ..about(&doc)
    };
    let subject: Subject = out.meta.about.kind.parse().unwrap_or(Subject::Global);
    subject
        .contract()
        .name()
        .clone_into(&mut out.meta.contract_type);
    out.meta.created_at = first_of(&[text(root, "created"), text(root, "created_at")]);
    out.meta.updated_at = first_of(&[text(root, "modified"), out.meta.created_at.clone()]);
    let open = matches!(text(root, "status").as_str(), "running" | "paused");
    if open { "open" } else { "closed" }.clone_into(&mut out.meta.status);
    out.meta.wsession_id = Some(place.id.to_string());
    let dir = place.path.parent().unwrap_or_default();
    let mut crumbs = Vec::new();
    breadcrumb::files(files, &dir.join_name("breadcrumbs")?, 0, &mut crumbs)?;
    // Their names are their times; the directories above them only say how deep the turn was.
    crumbs.sort_by(|a, b| a.name().cmp(b.name()).then_with(|| a.cmp(b)));
    for path in crumbs {
        if let Some(crumb) = object(files, &path, &mut out.problems)? {
            breadcrumb::turn(&crumb, &path, out);
        }
    }
    let purpose = text(root, "purpose");
    let more = more_of(root, &SESSION);
    out.keep_of_work_session(more);
    let said = out
        .events
        .iter()
        .find(|located| located.event.kind() == Some(EventKind::UserMessage));
    let said = said
        .map(|located| located.event.shown())
        .unwrap_or_default();
    out.meta.initial_prompt = first_of(&[said, purpose]);
    Ok(())
}

fn first_of(texts: &[String]) -> String {
    texts
        .iter()
        .find(|text| !text.is_empty())
        .cloned()
        .unwrap_or_default()
}

/// What a work session is about: its own context, else the most exact of what it is related to.
fn about(doc: &Doc) -> About {
    let own = doc.get(["context", "kind"]).and_then(|kind| kind.str());
    let of = |kind: &str, reference: Option<String>| About {
        kind: kind.to_owned(),
        reference,
        router_reason: String::new(),
    };
    if let Some(kind) = own.filter(|kind| !kind.is_empty()) {
        let reference = doc.get(["context", "ref"]).and_then(|value| value.str());
        return of(&kind, reference.map(std::borrow::Cow::into_owned));
    }
    for kind in ["task", "phase", "track"] {
        let key = format!("{kind}_id");
        let id = doc
            .get(["related_entity", key.as_str()])
            .and_then(|id| id.str());
        if let Some(id) = id {
            return of(kind, Some(id.into_owned()));
        }
    }
    of("global", None)
}
