//! A conversation in one row.

use super::super::{Context, Place};
use super::document::{title, type_in_id};
use super::state::{self, StateFile, later};
use super::transcript::Transcript;
use super::{codes, state_path};
use crate::error::Result;
use crate::session::{Card, Problem, Status};

/// A transcript up to this size is counted; of a larger one the state's word is taken while it is the newer file.
const COUNTED: u64 = 1024 * 1024;

/// The card, with the number of messages.
pub(super) fn card(cx: &Context<'_>, place: &Place) -> Result<Card> {
    let state = state::read(cx, place)?;
    let transcript = Transcript::open(cx, place)?;
    let mut card = compose(cx, place, &state, &transcript)?;
    let count = count(cx, place, &state, &transcript)?;
    card.position = format!("message {count}");
    card.counts = vec![("messages", count)];
    Ok(card)
}

fn compose(
    cx: &Context<'_>,
    place: &Place,
    state: &StateFile,
    transcript: &Transcript,
) -> Result<Card> {
    let mut problems = state.problems(place)?;
    if let Some(torn) = transcript.tail.torn() {
        problems.push(torn_tail(transcript, torn.end - torn.start));
    }
    let last_said = transcript.last()?.at;
    let known = match state {
        StateFile::Sound(state) => Some(state),
        StateFile::Broken(_) | StateFile::Missing => None,
    };
    let kind = kind_of(place, state);
    Ok(Card {
        kind: place.kind,
        id: place.id.clone(),
        title: title(cx, place, &kind)?,
        status: known.map_or(Status::Paused, state::State::status),
        raw_status: known.map(state::State::raw_status).unwrap_or_default(),
        position: String::new(),
        summary: known
            .and_then(|state| state.text("context_summary"))
            .unwrap_or_default(),
        created: known.and_then(|state| state.time("created_at")),
        last_active: later(
            known.and_then(|state| state.time("last_active")),
            last_said,
            cx.now,
        ),
        path: place.path.clone(),
        counts: Vec::new(),
        problems,
    })
}

/// The type: what the state says, else what the directory's name tells.
pub(super) fn kind_of(place: &Place, state: &StateFile) -> String {
    let said = match state {
        StateFile::Sound(state) => state.text("conversation_type"),
        StateFile::Broken(_) | StateFile::Missing => None,
    };
    said.filter(|kind| !kind.trim().is_empty())
        .unwrap_or_else(|| type_in_id(place.id.as_str()))
}

/// The problem of a last line that breaks off.
pub(super) fn torn_tail(transcript: &Transcript, bytes: u64) -> Problem {
    Problem::new(codes::TORN_TAIL, transcript.path.clone())
        .found(format!("the last line breaks off ({bytes} bytes)"))
        .safe("set the broken line aside; the next message does so as well")
}

fn count(
    cx: &Context<'_>,
    place: &Place,
    state: &StateFile,
    transcript: &Transcript,
) -> Result<u64> {
    if transcript.tail.len > COUNTED
        && let StateFile::Sound(state) = state
        && let Some(count) = state.count()
        && is_newer(cx, place, transcript)?
    {
        return Ok(count);
    }
    transcript.count()
}

/// True when the state was written after the last message.
fn is_newer(cx: &Context<'_>, place: &Place, transcript: &Transcript) -> Result<bool> {
    let state = cx.files.stat(&state_path(place)?)?;
    let said = cx.files.stat(&transcript.path)?;
    Ok(match (state, said) {
        (Some(state), Some(said)) => state.modified_ns > said.modified_ns,
        _ => false,
    })
}
