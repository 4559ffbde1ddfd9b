//! Everything that is wrong with a conversation, from a full read.

use std::ops::ControlFlow;

use super::super::{Context, Place};
use super::card::torn_tail;
use super::state::{self, StateFile};
use super::transcript::{Found, Transcript};
use super::{codes, state_path, transcript_path};
use crate::error::Result;
use crate::session::{Problem, Status};
use crate::text::damage;
use crate::text::jsonl::Fault;

/// What is done about a session that a newer version wrote.
pub(super) const UPDATE_FIRST: &str = "update segno; until then it is only read";

/// Reads the state and every line of the transcript.
pub(super) fn check(cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
    let state = state::read(cx, place)?;
    let transcript = Transcript::open(cx, place)?;
    let mut problems = state.problems(place)?;
    problems.extend(count_off(place, &state, &transcript)?);
    if !transcript.is_there() {
        problems.push(
            Problem::new(codes::TRANSCRIPT_MISSING, transcript.path.clone())
                .found("there is no transcript")
                .lossy("begin an empty one: what was said cannot be known again, unless git or a backup has it"),
        );
    }
    transcript.each(&mut |line, found| {
        problems.extend(line_problem(&transcript, line, &found));
        ControlFlow::Continue(())
    })?;
    if let Some(torn) = transcript.tail.torn() {
        problems.push(torn_tail(&transcript, torn.end - torn.start));
    }
    problems.extend(merges(cx, place, &state, &transcript, &problems)?);
    let mut problems = damage::settle_first(problems);
    if let StateFile::Sound(state) = &state
        && state.newer_version().is_some()
    {
        let by_hand = |problem: Problem| problem.by_hand(UPDATE_FIRST);
        problems = problems.into_iter().map(by_hand).collect();
    }
    Ok(problems)
}

/// A transcript longer than this is not read for its problems by whoever only wants to go on.
const SOON: u64 = 1024 * 1024;

/// What is wrong as far as it can be told soon: with all lines of a transcript of ordinary length, else with the state and
/// the end.
pub(super) fn check_soon(cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
    let transcript = transcript_path(place)?;
    let len = cx.files.stat(&transcript)?.map_or(0, |stat| stat.len);
    if len <= SOON {
        return check(cx, place);
    }
    Ok(super::card::card(cx, place)?.problems)
}

/// The marks of a merge, looked for where something is no JSON.
fn merges(
    cx: &Context<'_>,
    place: &Place,
    state: &StateFile,
    transcript: &Transcript,
    problems: &[Problem],
) -> Result<Vec<Problem>> {
    let mut found = Vec::new();
    if let StateFile::Broken(broken) = state {
        found.extend(damage::merge(&broken.bytes, &state_path(place)?));
    }
    let is_line = |problem: &Problem| problem.code == codes::LINE_INVALID;
    if problems.iter().any(is_line)
        && let Some((bytes, _)) = cx.files.read(&transcript.path)?
    {
        found.extend(damage::merge(&bytes, &transcript.path));
    }
    Ok(found)
}

/// While a conversation is active its state lags on purpose; once it rests, the number must be right. Fewer messages than it
/// says may be a loss: that is not set right without being asked for.
pub(super) fn count_off(
    place: &Place,
    state: &StateFile,
    transcript: &Transcript,
) -> Result<Option<Problem>> {
    let StateFile::Sound(state) = state else {
        return Ok(None);
    };
    let (Some(said), false) = (state.count(), state.status() == Status::Active) else {
        return Ok(None);
    };
    let count = transcript.count()?;
    if said == count || state.newer_version().is_some() {
        return Ok(None);
    }
    let problem = Problem::new(codes::COUNT_OFF, state_path(place)?).found(format!(
        "`message_count` is {said}, and there are {count} messages"
    ));
    Ok(Some(if said < count {
        problem.safe(format!("set it to {count}"))
    } else {
        problem.lossy(format!(
            "set it to {count}, once neither git nor a backup has the others"
        ))
    }))
}

fn line_problem(transcript: &Transcript, line: u64, found: &Found<'_>) -> Option<Problem> {
    let problem = |code| Problem::new(code, transcript.path.clone()).line(line);
    Some(match found {
        Found::Message(message) if message.is_complete() => return None,
        Found::Message(message) => {
            let missing = if message.role.is_none() { "role" } else { "content" };
            problem(codes::MESSAGE_INCOMPLETE)
                .found(format!("the message has no `{missing}`"))
                .manual(format!("add its `{missing}`, or leave it: it is kept as it is"))
        }
        Found::Fault(fault @ Fault::Nul { .. }) => problem(codes::LINE_NUL)
            .found(fault.to_string())
            .lossy("keep the transcript aside and take the line out"),
        Found::Fault(fault @ Fault::Spliced { torn: false, .. }) => problem(codes::LINE_SPLICED)
            .found(fault.to_string())
            .safe("keep the transcript aside and put each on a line of its own"),
        Found::Fault(fault @ Fault::Spliced { .. }) => problem(codes::LINE_SPLICED)
            .found(fault.to_string())
            .lossy("keep the transcript aside, put the whole ones on lines of their own and take out the rest"),
        Found::Fault(fault) => problem(codes::LINE_INVALID)
            .found(fault.to_string())
            .lossy("keep the transcript aside and take the line out, or correct it by hand"),
    })
}
