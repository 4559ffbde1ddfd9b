//! One searchable unit of a transcript or document.

use std::fmt;
use std::str::FromStr;

use segno_disk::RelPath;

use super::Timestamp;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// Something said in a conversation.
    Message,
    /// A question put to the user.
    Question,
    /// An answer to a question.
    Answer,
    /// An idea.
    Idea,
    /// A decision.
    Decision,
    /// A part of a document.
    Document,
    /// Knowledge kept for later.
    Knowledge,
    /// Anything else that happened: a replay, an error, a technique.
    Event,
}

impl EntryKind {
    /// All kinds of entry.
    pub const ALL: [Self; 8] = [
        Self::Message,
        Self::Question,
        Self::Answer,
        Self::Idea,
        Self::Decision,
        Self::Document,
        Self::Knowledge,
        Self::Event,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Idea => "idea",
            Self::Decision => "decision",
            Self::Document => "document",
            Self::Knowledge => "knowledge",
            Self::Event => "event",
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EntryKind {
    type Err = UnknownEntryKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or(UnknownEntryKind)
    }
}

/// The text names no kind of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a kind of entry: it is one of message, question, answer, idea, decision, document, knowledge, event"
)]
pub struct UnknownEntryKind;

/// One searchable unit, with the exact place it stands at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// Who said it, where the format says so: `user`, `assistant`, a persona.
    pub role: Option<String>,
    /// What it says.
    pub text: String,
    /// When, where the format says so.
    pub at: Option<Timestamp>,
    /// The file it stands in.
    pub file: RelPath,
    /// The line it begins on, from 1.
    pub line: u64,
    /// Where that line begins in the file, in bytes, where the format knows without counting.
    pub offset: Option<u64>,
}

impl Entry {
    /// A unit at its place, by nobody and at no time yet.
    pub fn new(kind: EntryKind, text: impl Into<String>, file: RelPath, line: u64) -> Self {
        Self {
            kind,
            role: None,
            text: text.into(),
            at: None,
            file,
            line,
            offset: None,
        }
    }

    /// The same, said by someone.
    #[must_use]
    pub fn by(mut self, role: impl Into<String>) -> Self {
        self.role = Some(role.into());
        self
    }

    /// The same, at a time where one is known.
    #[must_use]
    pub fn at(mut self, at: Option<Timestamp>) -> Self {
        self.at = at;
        self
    }

    /// The same, on a line that begins at this byte of the file.
    #[must_use]
    pub fn at_byte(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// `file:line`, as editors take it.
    pub fn location(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// A place between two lines of a file that only grows: reading goes on from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineMark {
    /// Where the next line begins, in bytes.
    pub offset: u64,
    /// How many lines there are before it.
    pub lines: u64,
}
