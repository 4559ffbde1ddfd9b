//! What can be wrong with a YAML text or with a change asked of it.

use std::fmt;

use segno_disk::RelPath;

use crate::session::{Problem, Repair};

/// Why a YAML text was not read, or a change to it not made. Line and column count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct YamlError {
    /// The line it is about.
    pub line: u64,
    /// The column it is about, in characters.
    pub column: u64,
    /// What is wrong and what would help, in a person's words.
    pub message: String,
    /// What sort of thing is wrong, for code to branch on.
    pub kind: ErrorKind,
}

/// The sorts of things that are wrong with a YAML text or a change to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// More bytes than the budget allows.
    TooLarge,
    /// Nested more deeply than the budget allows.
    TooDeep,
    /// More values than the budget allows.
    TooManyNodes,
    /// More aliases, or more text behind them, than the budget allows; or an alias to itself.
    Aliases,
    /// One mapping has the same key twice.
    DuplicateKey,
    /// A tab where indentation must be spaces.
    Tabs,
    /// More than one document in the file.
    ManyDocuments,
    /// The bytes are not UTF-8 text.
    NotUtf8,
    /// Not YAML.
    Syntax,
    /// The path of a change leads nowhere.
    Missing,
    /// A key to be inserted is there already.
    Exists,
    /// The value is of another type than the change needs.
    WrongType,
    /// The change cannot be made without changing something else too.
    Refused,
    /// The value has no spelling that every reader understands.
    Unsupported,
    /// The changed text did not read back as intended, so it was not handed out.
    Mismatch,
}

impl ErrorKind {
    /// The stable word for it, as in [`Problem::code`].
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "yaml_too_large",
            Self::TooDeep => "yaml_too_deep",
            Self::TooManyNodes => "yaml_too_many_nodes",
            Self::Aliases => "yaml_aliases",
            Self::DuplicateKey => "yaml_duplicate_key",
            Self::Tabs => "yaml_tabs",
            Self::ManyDocuments => "yaml_many_documents",
            Self::NotUtf8 => "yaml_not_utf8",
            Self::Syntax => "yaml_syntax",
            Self::Missing => "yaml_missing",
            Self::Exists => "yaml_exists",
            Self::WrongType => "yaml_wrong_type",
            Self::Refused => "yaml_refused",
            Self::Unsupported => "yaml_unsupported",
            Self::Mismatch => "yaml_mismatch",
        }
    }

    /// What a person can do about it.
    const fn advice(self) -> &'static str {
        match self {
            Self::TooLarge | Self::TooManyNodes => "split the file or move old parts to another",
            Self::TooDeep => "flatten the value at this line",
            Self::Aliases => "write the repeated value out instead of using aliases",
            Self::DuplicateKey => "keep one of the two keys and delete the other",
            Self::Tabs => "replace the tab with spaces",
            Self::ManyDocuments => "keep one document in the file",
            Self::NotUtf8 => "save the file as UTF-8",
            _ => "correct the line by hand, or restore a backup",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl YamlError {
    pub(super) fn new(kind: ErrorKind, at: (u64, u64), message: impl Into<String>) -> Self {
        Self {
            line: at.0,
            column: at.1,
            message: message.into(),
            kind,
        }
    }

    /// The same as a problem of a file, for reading that reports instead of failing.
    pub fn problem(&self, file: RelPath) -> Problem {
        Problem {
            code: self.kind.code(),
            file,
            line: Some(self.line),
            found: format!("{} (column {})", self.message, self.column),
            repair: Repair::Manual(self.kind.advice().to_owned()),
        }
    }
}
