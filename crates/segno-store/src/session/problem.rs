//! Something wrong with a file, said without failing: reading reports.
//!
//! **Codes.** Each format declares its own as constants in its module, `snake_case`, named for what was found and not
//! for the repair (`torn_tail`, never `cut_tail`); one that several formats report has one spelling in all of them. A
//! code is a promise to scripts: once released it is never renamed or reused. Every code has its entry in
//! `docs/errors.md`.

use std::fmt;

use segno_disk::RelPath;

/// Something found wrong while reading, and what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A stable word for it, such as `torn_tail`; each is explained in `docs/errors.md`.
    pub code: &'static str,
    /// The file.
    pub file: RelPath,
    /// The line it begins on, from 1, where there is one.
    pub line: Option<u64>,
    /// What was found, in a person's words.
    pub found: String,
    /// What can be done.
    pub repair: Repair,
}

impl Problem {
    /// A problem with a file as a whole that needs no repair, to be completed:
    ///
    /// ```
    /// # use segno_store::session::Problem;
    /// # let file = segno_disk::RelPath::root();
    /// Problem::new("torn_tail", file)
    ///     .line(12)
    ///     .found("the last line breaks off")
    ///     .safe("set the broken line aside and go on after line 11");
    /// ```
    pub fn new(code: &'static str, file: RelPath) -> Self {
        debug_assert!(
            code.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
            "problem codes are snake_case: {code}"
        );
        Self {
            code,
            file,
            line: None,
            found: String::new(),
            repair: Repair::None,
        }
    }

    /// The line it begins on, from 1.
    #[must_use]
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// What was found, in a person's words.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = found.into();
        self
    }

    /// `segno recover` repairs it and loses nothing; what it does.
    #[must_use]
    pub fn safe(mut self, repair: impl Into<String>) -> Self {
        self.repair = Repair::Safe(repair.into());
        self
    }

    /// `segno recover` repairs it, but something cannot be known again or must be chosen; what.
    #[must_use]
    pub fn lossy(mut self, repair: impl Into<String>) -> Self {
        self.repair = Repair::Lossy(repair.into());
        self
    }

    /// Only a person can repair it; how.
    #[must_use]
    pub fn manual(mut self, repair: impl Into<String>) -> Self {
        self.repair = Repair::Manual(repair.into());
        self
    }

    /// The same where `segno recover` must not touch the file: what it would do is left to a person, and how.
    #[must_use]
    pub fn by_hand(self, repair: impl Into<String>) -> Self {
        if self.repair.is_automatic() {
            self.manual(repair)
        } else {
            self
        }
    }

    /// `file:line`, or the file where no line is known.
    pub fn location(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.to_string(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location(), self.found)
    }
}

/// What can be done about a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// `segno recover` repairs it and loses nothing.
    Safe(String),
    /// `segno recover` repairs it, but something cannot be known again or must be chosen; the text says what.
    Lossy(String),
    /// Only a person can: the text says how.
    Manual(String),
    /// Nothing needs to be done; it is read around.
    None,
}

impl Repair {
    /// The one spelling of its sort: `safe`, `lossy`, `manual`, `none`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Safe(_) => "safe",
            Self::Lossy(_) => "lossy",
            Self::Manual(_) => "manual",
            Self::None => "none",
        }
    }

    /// What the repair does or asks for.
    pub fn text(&self) -> &str {
        match self {
            Self::Safe(text) | Self::Lossy(text) | Self::Manual(text) => text,
            Self::None => "",
        }
    }

    /// True when `segno recover` has something to do.
    pub const fn is_automatic(&self) -> bool {
        matches!(self, Self::Safe(_) | Self::Lossy(_))
    }
}
