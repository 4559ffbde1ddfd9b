//! The five kinds of session, one spelling each.

use std::fmt;
use std::str::FromStr;

/// What kind of work a session keeps. Folder, module, command and documentation page share its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Guided exploration scored by maturity.
    Brainstorm,
    /// Any typed conversation with an agent.
    Conversation,
    /// A discussion that ends in patch operations.
    Discuss,
    /// A four-stage writing pipeline.
    Essay,
    /// What one working session passes to the next.
    Handover,
}

impl Kind {
    /// All kinds, in the order of their names.
    pub const ALL: [Self; 5] = [
        Self::Brainstorm,
        Self::Conversation,
        Self::Discuss,
        Self::Essay,
        Self::Handover,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brainstorm => "brainstorm",
            Self::Conversation => "conversation",
            Self::Discuss => "discuss",
            Self::Essay => "essay",
            Self::Handover => "handover",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or(UnknownKind)
    }
}

/// The text names no kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a kind of session: it is one of brainstorm, conversation, discuss, essay, handover")]
pub struct UnknownKind;
