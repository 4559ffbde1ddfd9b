//! What can go wrong above the disk, sorted by what the caller can do about it.

use segno_disk::DiskError;
use segno_disk::lock::Holder;

use crate::phrase::Refusal;
use crate::session::{BadId, BadReference, Kind, Problem, Unresolved};

/// The result of an operation on sessions.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why an operation on a session did not happen. Each variant answers: what can the caller do?
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No session answers to the name; these are the nearest.
    #[error("no session `{wanted}`")]
    NotFound {
        /// What was asked for.
        wanted: String,
        /// The nearest ids, as `kind/id`.
        near: Vec<String>,
    },
    /// Several sessions answer to the name.
    #[error("`{wanted}` names {} sessions", candidates.len())]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// All that match, as `kind/id` or as a path where ids repeat.
        candidates: Vec<String>,
    },
    /// Something is there already and would have been overwritten.
    #[error("{what} exists already")]
    Exists {
        /// What.
        what: String,
        /// What to do instead.
        hint: String,
    },
    /// The format's rules forbid it.
    #[error("{rule}")]
    Refused {
        /// The rule, named.
        rule: String,
        /// What to do instead.
        hints: Vec<String>,
    },
    /// The input is not what the operation takes.
    #[error("{what}")]
    Invalid {
        /// What is wrong with it.
        what: String,
        /// What would be right.
        hints: Vec<String>,
    },
    /// A rule forbids it or the input is wrong, in words that can be said in any language.
    #[error("{}", .0.what)]
    Said(Box<Refusal>),
    /// The files are damaged so that the operation would lose something.
    #[error("`{session}` is damaged")]
    Damaged {
        /// Which session.
        session: String,
        /// What is wrong.
        problems: Vec<Problem>,
    },
    /// Another process is writing.
    #[error("`{what}` is being written by another process")]
    Busy {
        /// What is locked.
        what: String,
        /// By whom.
        holder: Holder,
    },
    /// Written by a newer version: readable, never rewritten.
    #[error(
        "`{session}` was written by a newer version (format {found}, this program knows {supported})"
    )]
    TooNew {
        /// Which session.
        session: String,
        /// The version in the file.
        found: String,
        /// The newest one understood.
        supported: &'static str,
    },
    /// This kind of session has no such operation.
    #[error("a {kind} session cannot {operation}")]
    Unsupported {
        /// The kind.
        kind: Kind,
        /// The operation, as a verb phrase.
        operation: &'static str,
    },
    /// The disk failed or refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl From<BadReference> for StoreError {
    fn from(bad: BadReference) -> Self {
        Self::Invalid {
            what: bad.to_string(),
            hints: vec![bad.hint().to_owned()],
        }
    }
}

impl From<BadId> for StoreError {
    fn from(bad: BadId) -> Self {
        Self::Invalid {
            what: bad.to_string(),
            hints: vec!["an id is one name without `/` or control characters".to_owned()],
        }
    }
}

impl From<Unresolved> for StoreError {
    fn from(why: Unresolved) -> Self {
        match why {
            Unresolved::NotFound { wanted, near } => Self::NotFound { wanted, near },
            Unresolved::Ambiguous { wanted, candidates } => Self::Ambiguous { wanted, candidates },
        }
    }
}
