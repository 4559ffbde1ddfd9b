//! From one status to the next: stop, complete, and the pause that comes by itself.

use super::super::{Context, Notice, Place, Plan, Stopped};
use super::document::title;
use super::state::{self, State, StateFile, later};
use super::transcript::{Transcript, Wanted};
use super::{card, reference};
use crate::error::{Result, StoreError};
use crate::session::{Card, Status, Turn};

/// The transitions that there are.
const TRANSITIONS: [(Status, Status); 4] = [
    (Status::Active, Status::Paused),
    (Status::Active, Status::Completed),
    (Status::Paused, Status::Active),
    (Status::Paused, Status::Completed),
];

/// How much of each of the last messages a summary shows, in characters.
const QUOTED: usize = 160;
/// How many of the last messages a summary is made from.
const LOOKED_AT: usize = 12;

/// Pauses a conversation. One that is paused already takes a new summary and nothing else.
pub(super) fn stop(
    cx: &Context<'_>,
    place: &Place,
    summary: Option<&str>,
) -> Result<Plan<Stopped>> {
    let given = given(summary);
    let state = state::read_to_change(cx, place)?;
    if state.status() == Status::Paused && given.is_some() {
        return end(cx, place, state, Status::Paused, given);
    }
    check_transition(place, state.status(), Status::Paused, "be paused")?;
    end(cx, place, state, Status::Paused, given)
}

/// Completes a conversation.
pub fn complete(cx: &Context<'_>, place: &Place, summary: Option<&str>) -> Result<Plan<Stopped>> {
    let state = state::read_to_change(cx, place)?;
    check_transition(place, state.status(), Status::Completed, "be completed")?;
    end(cx, place, state, Status::Completed, given(summary))
}

fn given(summary: Option<&str>) -> Option<&str> {
    summary.map(str::trim).filter(|text| !text.is_empty())
}

fn end(
    cx: &Context<'_>,
    place: &Place,
    mut state: State,
    to: Status,
    given: Option<&str>,
) -> Result<Plan<Stopped>> {
    let transcript = Transcript::open(cx, place)?;
    let count = transcript.count()?;
    let before = state.text("context_summary").unwrap_or_default();
    let summary = match given {
        Some(text) => text.to_owned(),
        // Nothing was said since somebody wrote a summary: theirs is better than one made from the same messages.
        None if !before.trim().is_empty() && state.count() == Some(count) => before,
        None => summarise(&transcript)?,
    };
    state.touch(to, &cx.now.utc_seconds(), count)?;
    state.set("context_summary", summary.as_str())?;
    let kind = state.text("conversation_type").unwrap_or_default();
    let stopped = Stopped {
        title: title(cx, place, &kind)?,
        summary,
    };
    // Crash: the old state or the new one; the transcript is not touched.
    Ok(Plan::in_order(vec![state.into_change(place)?], stopped))
}

/// Where the conversation stopped, in the words of those who held it.
pub(super) fn summarise(transcript: &Transcript) -> Result<String> {
    let newest = transcript.newest(Wanted::Turns(LOOKED_AT))?;
    let last_of = |role: &str| newest.turns.iter().rposition(|turn| turn.role == role);
    let mut chosen: Vec<usize> = ["user", "assistant"]
        .into_iter()
        .filter_map(last_of)
        .collect();
    if chosen.is_empty() {
        chosen.extend(newest.turns.len().checked_sub(1));
    }
    chosen.sort_unstable();
    let quotes = chosen
        .into_iter()
        .filter_map(|at| newest.turns.get(at))
        .map(quote);
    Ok(quotes.collect::<Vec<_>>().join(" "))
}

fn quote(turn: &Turn) -> String {
    let who = match turn.role.as_str() {
        "user" => "User",
        "assistant" => "Assistant",
        other => other,
    };
    let line = turn.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(QUOTED).collect();
    if short.len() < line.len() {
        // Cut between words where there are any.
        if let Some((words, _)) = short.rsplit_once(' ')
            && words.len() * 2 > short.len()
        {
            short.truncate(words.len());
        }
        short.push('\u{2026}');
    }
    format!("{who}: {short}")
}

/// The moment from which on [`on_access`] pauses an active session: it looks at the same times.
pub(super) fn due(cx: &Context<'_>, card: &Card) -> Option<jiff::Timestamp> {
    let minutes = i64::from(cx.settings.conversation.auto_pause_minutes);
    let active = card.last_active.as_ref().or(card.created.as_ref())?;
    let idle = jiff::SignedDuration::from_mins(minutes);
    (minutes > 0).then(|| {
        let active = active.instant(cx.now.zone());
        active.checked_add(idle).unwrap_or(jiff::Timestamp::MAX)
    })
}

/// Pauses an active conversation that has been idle for longer than the settings allow.
pub(super) fn on_access(cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Notice>>> {
    let minutes = u64::from(cx.settings.conversation.auto_pause_minutes);
    let StateFile::Sound(mut state) = state::read(cx, place)? else {
        return Ok(None);
    };
    if minutes == 0 || state.status() != Status::Active || state.newer_version().is_some() {
        return Ok(None);
    }
    let transcript = Transcript::open(cx, place)?;
    let active = later(state.time("last_active"), transcript.last()?.at, cx.now);
    let Some(active) = active.or_else(|| state.time("created_at")) else {
        return Ok(None);
    };
    if cx.now.seconds_since(&active) <= minutes * 60 {
        return Ok(None);
    }
    let count = transcript.count()?;
    let before = state.text("context_summary").unwrap_or_default();
    if before.trim().is_empty() || state.count() != Some(count) {
        state.set("context_summary", summarise(&transcript)?)?;
    }
    // It was last active when somebody was: the pause itself is no activity.
    state.touch(Status::Paused, active.raw(), count)?;
    let kind = card::kind_of(place, &StateFile::Missing);
    let kind = state.text("conversation_type").unwrap_or(kind);
    let title = title(cx, place, &kind)?;
    let notice = Notice {
        code: "auto_paused",
        session: reference(place),
        text: format!(
            "`{title}` was idle for more than {minutes} minutes: saved and paused; `segno resume {}` goes on",
            place.id
        ),
    };
    Ok(Some(Plan::in_order(
        vec![state.into_change(place)?],
        notice,
    )))
}

/// Refuses what is no transition, naming those that are.
pub(super) fn check_transition(
    place: &Place,
    from: Status,
    to: Status,
    what: &'static str,
) -> Result<()> {
    if TRANSITIONS.contains(&(from, to)) {
        return Ok(());
    }
    Err(refuse_transition(place, from, what))
}

/// The refusal of something that a conversation of this status cannot.
pub(super) fn refuse_transition(place: &Place, from: Status, what: &'static str) -> StoreError {
    let allowed: Vec<String> = TRANSITIONS
        .iter()
        .filter(|(status, _)| *status == from)
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect();
    let allowed = if allowed.is_empty() {
        format!(
            "from {from} there is no way but `segno resume {} --force`",
            place.id
        )
    } else {
        format!("allowed: {}", allowed.join(", "))
    };
    StoreError::Refused {
        rule: format!("`{}` is {from} and cannot {what}", reference(place)),
        hints: vec![allowed],
    }
}
