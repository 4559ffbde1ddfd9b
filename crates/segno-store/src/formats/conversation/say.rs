//! Saying something: lines behind the transcript's valid prefix. One append and one sync, however long the history is.

use segno_disk::Access;

use super::super::{Context, Place, Plan};
use super::lifecycle::refuse_transition;
use super::message::{Role, to_line};
use super::state::{self, StateFile};
use super::transcript::Transcript;
use crate::error::{Result, StoreError};
use crate::session::{Status, Timestamp};
use crate::text::json::{Layout, Tree};
use crate::text::jsonl::MAX_LINE;

/// Something to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// By whom.
    pub role: Role,
    /// What.
    pub content: String,
    /// When, where somebody else's clock says so.
    pub at: Option<Timestamp>,
    /// Further members of the line, kept behind the three that the format knows.
    pub more: Vec<(String, Tree)>,
}

impl Remark {
    /// A remark of now.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            at: None,
            more: Vec::new(),
        }
    }
}

/// What was said, once it is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The time of each line, as written.
    pub times: Vec<String>,
    /// True when the conversation was paused and is active again.
    pub resumed: bool,
}

/// Says something, in order. The lines are the commit point.
///
/// A paused conversation becomes active again: nobody who speaks means to be turned away. A completed one does not.
pub fn say(cx: &Context<'_>, place: &Place, remarks: &[Remark]) -> Result<Plan<Said>> {
    let state = match state::read(cx, place)? {
        StateFile::Sound(state) => Some(state),
        // The transcript is the truth: a broken projection is no reason to lose what is being said.
        StateFile::Broken(_) | StateFile::Missing => None,
    };
    if let Some(state) = &state {
        state.refuse_newer(place)?;
        if state.status() == Status::Completed {
            return Err(refuse_transition(place, Status::Completed, "be continued"));
        }
    }
    let transcript = Transcript::open(cx, place)?;
    let last = transcript.last()?;
    let layout = last.layout.unwrap_or(Layout::Compact);
    let mut before = last.at;
    let mut bytes = Vec::new();
    let mut times = Vec::with_capacity(remarks.len());
    for remark in remarks {
        let wanted = remark
            .at
            .clone()
            .unwrap_or_else(|| Timestamp::utc_seconds(cx.now));
        let at = match before.take() {
            // The clock went back: the order of what was said is worth more than its word.
            Some(before) if wanted.cmp_in(&before, cx.now.zone()).is_lt() => before,
            _ => wanted,
        };
        let line = to_line(remark.role, &remark.content, at.raw(), &remark.more, layout);
        if line.len() > MAX_LINE {
            return Err(too_long(line.len()));
        }
        bytes.extend_from_slice(line.as_bytes());
        times.push(at.raw().to_owned());
        before = Some(at);
    }
    // Crash: none, some or all of the lines are there, the last one perhaps torn. None was acknowledged.
    let mut changes =
        vec![
            transcript
                .tail
                .append(transcript.path.clone(), &bytes, Access::Private),
        ];
    let mut resumed = false;
    if let Some(mut state) = state
        && state.status() == Status::Paused
        && let Some(at) = times.last()
    {
        // The count stays as it was: it says up to where the summary tells the story.
        state.set("status", Status::Active.name())?;
        state.set("last_active", at.as_str())?;
        // Crash: the lines are there and the state still says paused. Readers take the time of the last line; the
        // next thing said makes it active.
        changes.push(state.into_change(place)?);
        resumed = true;
    }
    Ok(Plan::in_order(changes, Said { times, resumed }))
}

fn too_long(bytes: usize) -> StoreError {
    StoreError::Invalid {
        what: format!(
            "the message takes {bytes} bytes, more than the {MAX_LINE} that a line may have"
        ),
        hints: vec!["put it into a file beside the document, and say where it is".to_owned()],
    }
}
