//! One row of the list: what a person needs to know of a session to choose it.

use std::cmp::Ordering;

use jiff::tz::TimeZone;
use segno_disk::RelPath;

use super::{Kind, Problem, SessionId, Status, Timestamp};

/// One session in one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// What kind of work.
    pub kind: Kind,
    /// Its id within the kind. Not always unique: the path is.
    pub id: SessionId,
    /// What a person calls it.
    pub title: String,
    /// Where it stands.
    pub status: Status,
    /// The format's own word for that, as it stands in the file.
    pub raw_status: String,
    /// Where it stopped, in the format's words: `Stage 3, Section 2`, `iteration 4, EMS 58`.
    pub position: String,
    /// What it is about and what came of it so far.
    pub summary: String,
    /// When it began.
    pub created: Option<Timestamp>,
    /// When it was last worked on.
    pub last_active: Option<Timestamp>,
    /// The file or directory that holds it, relative to its root.
    pub path: RelPath,
    /// What it holds, by name: `("messages", 12)`, `("ideas", 3)`.
    pub counts: Vec<(&'static str, u64)>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl Card {
    /// How a person names it: `kind/id`.
    pub fn reference(&self) -> String {
        format!("{}/{}", self.kind, self.id)
    }

    /// True when the state could not be read at all: nothing is known of it but its name and what is wrong with it, and it
    /// cannot be gone on with.
    pub fn is_unreadable(&self) -> bool {
        !self.problems.is_empty() && self.raw_status.is_empty() && self.position.is_empty()
    }

    /// The order of a list: last worked on first, what never says when at the end, then by kind, id and path.
    ///
    /// Times without an offset are read on the given zone's clock.
    pub fn newest_first(&self, other: &Self, zone: &TimeZone) -> Ordering {
        let when = |card: &Self| {
            let time = card.last_active.as_ref().or(card.created.as_ref());
            time.map(|time| time.instant(zone))
        };
        when(other)
            .cmp(&when(self))
            .then_with(|| self.kind.cmp(&other.kind))
            .then_with(|| self.id.cmp(&other.id))
            .then_with(|| self.path.cmp(&other.path))
    }
}
