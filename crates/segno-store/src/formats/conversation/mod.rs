//! Conversations: any typed talk with an agent, kept as a transcript, a state file and a document for people.
//!
//! ```text
//! conversations/2026-11-18/001-plan-log/
//! ├── feature-planning.md        the document, named for the type
//! └── .session/
//!     ├── session.json           the state: a projection
//!     └── messages.jsonl         the transcript: the truth
//! ```
//!
//! A line of the transcript is the commit point of everything that is said. `session.json` is written when the status
//! changes and is otherwise read through the transcript's tail, so that saying something costs one append and one sync.
//! `formats/conversation/FORMAT.md` has the whole of it.

mod brief;
mod card;
mod check;
mod command;
mod document;
mod find;
mod lifecycle;
mod message;
mod recover;
mod registry;
mod resume;
mod say;
mod start;
mod state;
mod transcript;
mod types;

use std::ops::ControlFlow;

use segno_disk::RelPath;

use super::{
    Context, Format, Notice, Place, Plan, RecoverOptions, Recovery, ResumeOptions, Resumed, Stopped,
};
use crate::error::Result;
use crate::session::{Brief, Card, Entry, EntryKind, Kind, LineMark, Problem};

pub use lifecycle::complete;
pub use message::{Role, UnknownRole};
pub use say::{Remark, Said, say};
pub use start::{LOCK_NEW, Note, Start, Started, start};

/// The newest version of `session.json` that is written.
pub const VERSION: &str = "1.0";

/// The directory of a session's own files, beside its document.
const SESSION_DIR: &str = ".session";
/// The state file.
const STATE_FILE: &str = "session.json";
/// The transcript.
const TRANSCRIPT_FILE: &str = "messages.jsonl";

/// What can be wrong with a conversation; each is explained in `docs/problems.md`.
pub mod codes {
    /// `session.json` is not there.
    pub const STATE_MISSING: &str = "state_missing";
    /// `session.json` is not a JSON object.
    pub const STATE_INVALID: &str = "state_invalid";
    /// A field of `session.json` is not what it should be.
    pub const FIELD_INVALID: &str = "field_invalid";
    /// The status is none of the three.
    pub const STATUS_UNKNOWN: &str = "status_unknown";
    /// `message_count` is not the number of messages.
    pub const COUNT_OFF: &str = "count_off";
    /// There is no transcript.
    pub const TRANSCRIPT_MISSING: &str = "transcript_missing";
    /// A line of the transcript is not a JSON object.
    pub const LINE_INVALID: &str = "line_invalid";
    /// A line of the transcript holds NUL bytes.
    pub const LINE_NUL: &str = "line_nul";
    /// Several messages stand on one line.
    pub const LINE_SPLICED: &str = "line_spliced";
    /// A message lacks its role or content.
    pub const MESSAGE_INCOMPLETE: &str = "message_incomplete";
    /// The last line breaks off.
    pub const TORN_TAIL: &str = "torn_tail";
    /// Written by a newer version.
    pub const TOO_NEW: &str = "too_new";
}

/// The format itself.
#[derive(Debug, Clone, Copy)]
pub struct Conversation;

impl Format for Conversation {
    fn kind(&self) -> Kind {
        Kind::Conversation
    }

    fn find(&self, cx: &Context<'_>) -> Result<Vec<Place>> {
        find::all(cx)
    }

    fn find_exact(&self, cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
        find::exact(cx, id)
    }

    fn at_path(&self, cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
        find::at_path(cx, path)
    }

    fn card(&self, cx: &Context<'_>, place: &Place) -> Result<Card> {
        card::card(cx, place)
    }

    fn check(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
        check::check(cx, place)
    }

    fn recover(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &RecoverOptions,
    ) -> Result<Plan<Recovery>> {
        recover::recover(cx, place, options)
    }

    fn entries(
        &self,
        cx: &Context<'_>,
        place: &Place,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<()> {
        transcript::entries(cx, place, LineMark::default(), sink)
    }

    fn transcript(&self, place: &Place) -> Result<Option<RelPath>> {
        transcript_path(place).map(Some)
    }

    fn entries_from(
        &self,
        cx: &Context<'_>,
        place: &Place,
        from: LineMark,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<()> {
        transcript::entries(cx, place, from, sink)
    }

    fn documents(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<(EntryKind, RelPath)>> {
        let names = document::all_in(cx, place)?.into_iter();
        names
            .map(|name| Ok((EntryKind::Document, place.path.join_name(&name)?)))
            .collect()
    }

    fn due(&self, cx: &Context<'_>, card: &Card) -> Option<jiff::Timestamp> {
        lifecycle::due(cx, card)
    }

    fn brief(&self, cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
        brief::brief(cx, place, budget)
    }

    fn resume(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &ResumeOptions,
    ) -> Result<Plan<Resumed>> {
        resume::resume(cx, place, options)
    }

    fn stop(
        &self,
        cx: &Context<'_>,
        place: &Place,
        summary: Option<&str>,
    ) -> Result<Plan<Stopped>> {
        lifecycle::stop(cx, place, summary)
    }

    fn on_access(&self, cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Notice>>> {
        lifecycle::on_access(cx, place)
    }

    fn sort_of(&self, cx: &Context<'_>, place: &Place) -> Result<Option<String>> {
        Ok(Some(card::kind_of(place, &state::read(cx, place)?)))
    }
}

/// Where the state of a session lies.
fn state_path(place: &Place) -> Result<RelPath> {
    Ok(place.path.join(SESSION_DIR)?.join(STATE_FILE)?)
}

/// Where the transcript of a session lies.
fn transcript_path(place: &Place) -> Result<RelPath> {
    Ok(place.path.join(SESSION_DIR)?.join(TRANSCRIPT_FILE)?)
}

/// How a session is named in notices and errors.
fn reference(place: &Place) -> String {
    format!("{}/{}", place.kind, place.id)
}
