//! A change to one file, as a value: what a format returns and the commit path carries out.

use crate::disk::{Access, Stamp};
use crate::path::RelPath;

/// What a change was computed from. A change whose basis no longer holds is refused as a conflict, so that an edit made
/// by somebody else in between is never overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Nothing may stand there: the file is new. Two processes that create it at once: one gets the conflict.
    Absent,
    /// Exactly this version of the file.
    Version(Stamp),
    /// Whatever stands there, or nothing.
    Any,
}

/// One change to one file. Each is durable before the next of a set begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Swaps the whole content atomically: old or new, never a mix, never nothing.
    Replace {
        /// The file.
        path: RelPath,
        /// Its new content.
        bytes: Vec<u8>,
        /// What it was computed from.
        basis: Basis,
        /// Where the previous version is kept, itself put in place atomically; overwritten when there is one already.
        backup: Option<RelPath>,
        /// The name of the temporary file, where the format documents one; otherwise one of our own.
        temp: Option<RelPath>,
        /// Mode for a file that is new. An existing file keeps its own.
        access: Access,
    },
    /// Adds bytes behind the valid prefix in one write.
    Append {
        /// The file; created when `seen` is 0 and it is missing.
        path: RelPath,
        /// Where the valid prefix ends and the bytes go. What lies behind it is a torn tail: it is copied to quarantine,
        /// then cut.
        at: u64,
        /// The file's length when it was read. A file that has grown since was written by somebody else: a conflict.
        seen: u64,
        /// What is added.
        bytes: Vec<u8>,
        /// Mode for a file that is new.
        access: Access,
    },
    /// Renames a file or directory to a name that must not exist yet.
    Move {
        /// From here.
        from: RelPath,
        /// To here.
        to: RelPath,
        /// Mode for the directories that are made on the way.
        access: Access,
    },
    /// Removes a file. Only for what has been kept elsewhere before, or was derived.
    Remove {
        /// The file.
        path: RelPath,
        /// What the decision was made from.
        basis: Basis,
    },
    /// Makes a directory that must not exist yet, its parents where they are missing.
    CreateDir {
        /// The directory.
        path: RelPath,
        /// Its mode.
        access: Access,
    },
}

impl Change {
    /// A replacement without a backup.
    pub fn replace(path: RelPath, bytes: Vec<u8>, basis: Basis, access: Access) -> Self {
        Self::Replace {
            path,
            bytes,
            basis,
            backup: None,
            temp: None,
            access,
        }
    }

    /// The same replacement, the previous version kept at `backup`.
    #[must_use]
    pub fn with_backup(mut self, path: RelPath) -> Self {
        if let Self::Replace { backup, .. } = &mut self {
            *backup = Some(path);
        }
        self
    }

    /// The same replacement through a temporary file of this name.
    #[must_use]
    pub fn with_temp(mut self, path: RelPath) -> Self {
        if let Self::Replace { temp, .. } = &mut self {
            *temp = Some(path);
        }
        self
    }

    /// The path the change is about (the new one for a move).
    pub fn path(&self) -> &RelPath {
        match self {
            Self::Replace { path, .. }
            | Self::Append { path, .. }
            | Self::Remove { path, .. }
            | Self::CreateDir { path, .. } => path,
            Self::Move { to, .. } => to,
        }
    }
}
