//! Why a command did not do what was asked: a code for programs, words for people.
//!
//! Every code is explained in `docs/errors.md`; a test holds the two together.

use crate::messages::Text;

/// What happened, for programs to branch on. A promise: a code is never renamed or given another meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// What was named is not there.
    NotFound,
    /// The name fits several.
    Ambiguous,
    /// It is there already and would have been overwritten.
    Exists,
    /// A rule forbids it.
    Refused,
    /// The input is not what the command takes.
    Invalid,
    /// The files are damaged.
    Damaged,
    /// Somebody else is writing.
    Busy,
    /// Written by a newer version.
    TooNew,
    /// This kind of session has no such operation.
    Unsupported,
    /// The agent's tool is not installed.
    NoTool,
    /// The disk failed or refused.
    Io,
    /// The command line is wrong.
    Usage,
    /// A bug in this program.
    Internal,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 13] = [
        Self::NotFound,
        Self::Ambiguous,
        Self::Exists,
        Self::Refused,
        Self::Invalid,
        Self::Damaged,
        Self::Busy,
        Self::TooNew,
        Self::Unsupported,
        Self::NoTool,
        Self::Io,
        Self::Usage,
        Self::Internal,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Exists => "exists",
            Self::Refused => "refused",
            Self::Invalid => "invalid",
            Self::Damaged => "damaged",
            Self::Busy => "busy",
            Self::TooNew => "too_new",
            Self::Unsupported => "unsupported",
            Self::NoTool => "no_tool",
            Self::Io => "io",
            Self::Usage => "usage",
            Self::Internal => "internal",
        }
    }

    /// The exit code of a command that ends with it.
    pub const fn exit(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Damaged => 3,
            Self::Busy => 4,
            Self::Internal => 70,
            _ => 1,
        }
    }
}

/// Why a command did not do what was asked.
#[derive(Debug, Clone)]
pub struct CommandError {
    /// For programs.
    pub code: Code,
    /// What failed, on which thing.
    pub message: Text,
    /// Why, from the nearest cause to the deepest.
    pub causes: Vec<Text>,
    /// What to do next.
    pub hints: Vec<Text>,
    /// For programs: the card of the session that it is about, where that helps to decide.
    pub session: Option<Box<serde_json::Value>>,
    end: End,
}

/// How a command that failed ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The error is said, and the exit code is that of the error's code.
    Report,
    /// All has been said already; the exit code is that of the error's code.
    Silent,
    /// The reader of standard output has gone away: nothing is wrong.
    BrokenPipe,
}

impl CommandError {
    /// An error with its message.
    pub fn new(code: Code, message: impl Into<Text>) -> Self {
        Self {
            code,
            message: message.into(),
            causes: Vec::new(),
            hints: Vec::new(),
            session: None,
            end: End::Report,
        }
    }

    /// Ends the command with the exit code of `code` and says nothing: the answer on standard output has said it
    /// (`check` that found problems).
    pub fn silent(code: Code) -> Self {
        Self {
            end: End::Silent,
            ..Self::new(code, "")
        }
    }

    /// Whoever read standard output has gone away; the command ends, and nothing is wrong.
    pub fn broken_pipe() -> Self {
        Self {
            end: End::BrokenPipe,
            ..Self::new(Code::Io, "")
        }
    }

    /// Names the session it is about, to programs.
    #[must_use]
    pub fn about(mut self, card: serde_json::Value) -> Self {
        self.session = Some(Box::new(card));
        self
    }

    /// Adds a cause, the nearest first.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Text>) -> Self {
        self.causes.push(cause.into());
        self
    }

    /// Adds something to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Text>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The exit code of the command.
    pub fn exit(&self) -> u8 {
        match self.end {
            End::BrokenPipe => 0,
            End::Report | End::Silent => self.code.exit(),
        }
    }

    /// True when there is something to say.
    pub(super) fn is_said(&self) -> bool {
        self.end == End::Report
    }
}
