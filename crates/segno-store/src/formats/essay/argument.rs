//! Stage 3: an argument map per section, and the look at the whole.

use super::artifact::{ArgumentMap, same_title, with_approval};
use super::load::{Session, read_text, touch};
use super::names;
use super::note::Note;
use super::position::Step;
use super::position::{first_open, next_to_write};
use super::schema::{Progress, Stage};
use super::state::{Deferred, State};
use super::store_artifact::{Keep, missing, no_section, require_text, store};
use super::thesis::{approved_already, begin_stage, require_stage};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::session::Now;

/// The argument map of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentInput {
    /// Which section, from 1.
    pub section: u64,
    /// The map as far as it goes.
    pub text: String,
    /// The user approves it now; otherwise what the map itself says counts.
    pub approved: bool,
}

/// Hands in an argument map. Without approval the section stays in progress.
pub fn argument(cx: &Context<'_>, place: &Place, input: &ArgumentInput) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    require_text(
        &input.text,
        phrase!("essay-empty-map", "the argument map is empty"),
    )?;
    require_stage(&session, Stage::Outline)?;
    require_section(&session, input.section)?;
    let section = input.section;
    let text = if input.approved {
        with_approval(&input.text, &cx.now.utc_seconds())?
    } else {
        input.text.clone()
    };
    let row = session.state.argument(section);
    let raw = row.and_then(|row| row.file.as_deref());
    let name = names::argument_map(section);
    let status = row.and_then(|row| row.status);
    if status == Some(Progress::Completed) {
        let there = session.artifact(raw, &name)?;
        if read_text(cx.files, &there)?.is_some_and(|(old, _)| old == text || old == input.text) {
            return Ok(Plan::nothing(Step::of(&session.state, place, Vec::new())));
        }
        let more = format!(" --section {section}");
        return Err(approved_already(
            place,
            phrase!(
                "essay-map-approved",
                "the argument map of section {section} is approved already",
                section = section
            ),
            3,
            &more,
        ));
    }
    let keep = if status == Some(Progress::NeedsReview) {
        Keep::Archive
    } else {
        Keep::Overwrite
    };
    let stored = store(cx, &session, raw, &name, &text, keep)?;
    let read = ArgumentMap::read(&text);
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    take_map(&mut after, section, &read, cx.now);
    after.argument_mut(section).file = Some(stored.path);
    begin_stage(&mut after, Stage::Arguments);
    after.arguments.current_section = if read.approval.yes {
        first_open(&after)
    } else {
        Some(section)
    };
    let mut notes = Vec::new();
    if !read.approval.yes {
        notes.push(Note::MapNotApproved { section });
    }
    notes.extend(stored.archived.map(|name| Note::VersionKept { name }));
    let step = Step::of(&after, place, notes);
    session.save(&after, stored.change.into_iter().collect(), step)
}

/// Takes over what a map says: its counts, its approval, the claims to be verified later.
pub(super) fn take_map(state: &mut State, section: u64, read: &ArgumentMap, now: &Now) {
    let approved = read.approval.yes;
    let row = state.argument_mut(section);
    row.status = Some(if approved {
        Progress::Completed
    } else {
        Progress::InProgress
    });
    row.verified = Some(read.verified());
    row.deferred = Some(read.deferred());
    row.completed_at = approved.then(|| now.utc_seconds());
    for (claim, reason) in read.deferred_claims() {
        let known = state.deferred.iter().any(|known| {
            known.section == Some(section)
                && known
                    .claim
                    .as_deref()
                    .is_some_and(|text| same_title(text, &claim))
        });
        if !known {
            state.deferred.push(Deferred {
                claim: Some(claim),
                section: Some(section),
                reason: Some(reason.unwrap_or_else(|| "deferred".to_owned())),
                added_at: Some(now.utc_seconds()),
                resolved: Some(false),
                ..Deferred::default()
            });
        }
    }
}

/// The bird's-eye look at all arguments: stage 3 is completed, stage 4 begins.
pub fn approve(cx: &Context<'_>, place: &Place) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    require_stage(&session, Stage::Outline)?;
    let total = session.state.total_sections().unwrap_or(0);
    let open: Vec<String> = (1..=total)
        .filter(|section| {
            let row = session.state.argument(*section);
            row.and_then(|row| row.status) != Some(Progress::Completed)
        })
        .map(|section| section.to_string())
        .collect();
    if total == 0 || !open.is_empty() {
        let shown: Vec<String> = open.iter().take(20).cloned().collect();
        return Err(missing(
            phrase!(
                "essay-arguments-open",
                "the arguments of section {sections} are not completed",
                sections = shown.join(", ")
            ),
            phrase!(
                "essay-hand-in-map",
                "first `segno essay argument {id} {section} --input FILE`, approved",
                id = &place.id,
                section = shown.first().map_or("1", String::as_str)
            ),
        ));
    }
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    after.arguments.birds_eye_approved = Some(true);
    after.arguments.status = Some(Progress::Completed);
    after.arguments.completed_at = Some(cx.now.utc_seconds());
    begin_stage(&mut after, Stage::Writing);
    if after.writing.current_section.is_none() {
        after.writing.current_section = next_to_write(&after);
        after.writing.current_paragraph = Some(1);
    }
    let step = Step::of(&after, place, Vec::new());
    session.save(&after, Vec::new(), step)
}

/// Refuses a section that the essay does not have.
pub(super) fn require_section(session: &Session, section: u64) -> Result<()> {
    let total = session.state.total_sections().unwrap_or(0);
    if section >= 1 && section <= total {
        return Ok(());
    }
    Err(no_section(section, total, &session.place.id))
}
