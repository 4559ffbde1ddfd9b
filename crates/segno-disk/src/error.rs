//! What a disk operation says when it fails: the operation, the path, the cause.
//!
//! There is nothing to branch on but the kind of the cause and a short list of [`Reason`]s; words for people are the
//! caller's business.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The result of a disk operation.
pub type Result<T> = std::result::Result<T, DiskError>;

/// A failed disk operation.
#[derive(Debug)]
pub struct DiskError {
    /// What was being done, as a verb: `open`, `write`, `sync`, `rename` ...
    pub op: &'static str,
    /// What it was done to, relative to the root of the disk where there is one.
    pub path: PathBuf,
    /// Why it failed, where the caller may want to branch.
    pub reason: Reason,
    /// The cause as the system gave it.
    pub source: io::Error,
}

/// The failures that a caller handles differently from any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The system refused or failed; look at `source`.
    Io,
    /// The name is not one this program will open (`..`, absolute, empty, control characters, over-long).
    BadPath,
    /// The path leaves the root through a symbolic link.
    Escapes,
    /// The file is not in the state the change was computed from: somebody else wrote to it.
    Conflict,
    /// Another process holds the lock.
    Busy(Box<crate::lock::Holder>),
}

impl DiskError {
    /// Wraps a system error.
    pub fn io(op: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self {
            op,
            path: path.into(),
            reason: Reason::Io,
            source,
        }
    }

    /// Builds an error that has a reason of its own.
    pub fn because(
        op: &'static str,
        path: impl Into<PathBuf>,
        reason: Reason,
        message: impl Into<String>,
    ) -> Self {
        Self {
            op,
            path: path.into(),
            reason,
            source: io::Error::other(message.into()),
        }
    }

    /// True when the thing simply is not there.
    pub fn is_not_found(&self) -> bool {
        self.reason == Reason::Io && self.source.kind() == io::ErrorKind::NotFound
    }

    /// True when somebody else changed the file since it was read.
    pub fn is_conflict(&self) -> bool {
        self.reason == Reason::Conflict
    }
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`", self.op, self.path.display())
    }
}

impl std::error::Error for DiskError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
