//! Where a session stands, in the four words that all formats share.

use std::fmt;

/// The common status. The word that the format itself uses is kept beside it (`Card::raw_status`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Being worked on.
    Active,
    /// Set aside, to be resumed.
    Paused,
    /// Finished.
    Completed,
    /// Given up.
    Abandoned,
}

impl Status {
    /// All statuses.
    pub const ALL: [Self; 4] = [Self::Active, Self::Paused, Self::Completed, Self::Abandoned];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Abandoned => "abandoned",
        }
    }

    /// True when there is something to come back to.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Active | Self::Paused)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|status| status.name() == text)
            .ok_or(UnknownStatus)
    }
}

/// The text names no status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a status: it is one of active, paused, completed, abandoned")]
pub struct UnknownStatus;
