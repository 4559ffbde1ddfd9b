//! The searchable units of an essay: the sections of its artifacts, its claims, overrides and revisions.

use std::ops::ControlFlow;

use super::load::{Session, list};
use super::names::{self, STATE};
use crate::error::Result;
use crate::formats::{Context, Place};
use crate::session::{Entry, EntryKind, Timestamp};
use crate::text::markdown::Doc;

/// Every searchable unit, until the sink breaks. Archived versions are not part of it.
pub(super) fn entries(
    cx: &Context<'_>,
    place: &Place,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<()> {
    for name in list(cx.files, &place.path)?.keys() {
        if !names::is_markdown(name) || names::version_of(name).is_some() {
            continue;
        }
        let file = names::file(&place.path, name)?;
        let Some((bytes, _)) = cx.files.read(&file)? else {
            continue;
        };
        let doc = Doc::parse(String::from_utf8_lossy(&bytes));
        for section in doc.sections() {
            let text = section.own_text();
            let text = if text.is_empty() {
                section.title().to_owned()
            } else {
                format!("{}\n{text}", section.title())
            };
            let line = section.heading().line as u64 + 1;
            if sink(Entry::new(EntryKind::Document, text, file.clone(), line)).is_break() {
                return Ok(());
            }
        }
    }
    let Ok(session) = Session::try_open(cx, place)? else {
        return Ok(());
    };
    claims(&session, sink)
}

fn claims(session: &Session, sink: &mut dyn FnMut(Entry) -> ControlFlow<()>) -> Result<()> {
    let file = names::file(session.dir(), STATE)?;
    let time = |raw: &Option<String>| raw.as_deref().and_then(Timestamp::parse);
    for claim in &session.state.deferred {
        let text = claim.claim.clone().unwrap_or_default();
        let entry = Entry::new(EntryKind::Question, text, file.clone(), claim.line)
            .at(time(&claim.added_at));
        if sink(entry).is_break() {
            return Ok(());
        }
    }
    for known in &session.state.overrides {
        let claim = known.claim.as_deref().unwrap_or_default();
        let why = known.rationale.as_deref().unwrap_or_default();
        let entry = Entry::new(
            EntryKind::Decision,
            format!("{claim}\n{why}"),
            file.clone(),
            known.line,
        );
        if sink(entry.by("user").at(time(&known.logged_at))).is_break() {
            return Ok(());
        }
    }
    Ok(())
}
