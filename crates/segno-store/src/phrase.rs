//! What the store has to say to people, so that it can be said in any language.
//!
//! A [`Phrase`] is a key, its arguments, and the English. A refusal made of phrases travels as
//! [`crate::StoreError::Said`]; whoever shows it looks the key up in their language's catalogue and falls back to the
//! English. A test of the program holds the catalogues to the phrases written here.

use std::fmt;

use crate::error::StoreError;

/// Words in English, and the key and arguments to find them in another language. Made by [`crate::phrase!`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    key: &'static str,
    args: Vec<(&'static str, String)>,
    english: String,
}

impl Phrase {
    /// A phrase. [`crate::phrase!`] makes one from its parts.
    pub fn new(key: &'static str, english: String, args: Vec<(&'static str, String)>) -> Self {
        Self { key, args, english }
    }

    /// The key in the catalogues.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// The arguments, by name.
    pub fn args(&self) -> &[(&'static str, String)] {
        &self.args
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

/// Makes a [`Phrase`]: `phrase!("brainstorm-no-idea-of-id", "there is no idea {id}", id = 7)`. Key and English are
/// written out, so that a test finds both.
#[macro_export]
macro_rules! phrase {
    ($key:literal, $english:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        $(let $name = ($value).to_string();)*
        let english = format!($english $(, $name = $name)*);
        $crate::phrase::Phrase::new($key, english, vec![$((stringify!($name), $name)),*])
    }};
}

/// Whose fault it is that something is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The format's rules forbid it.
    Refused,
    /// The input is not what the operation takes.
    Invalid,
}

/// Why something is not done, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Whose fault it is.
    pub fault: Fault,
    /// What is not done, and by which rule.
    pub what: Phrase,
    /// How things stand.
    pub causes: Vec<Phrase>,
    /// What to do instead.
    pub hints: Vec<Phrase>,
}

impl Refusal {
    /// The format's rules forbid it.
    pub fn rule(what: Phrase) -> Self {
        Self::new(Fault::Refused, what)
    }

    /// The input is not what the operation takes.
    pub fn input(what: Phrase) -> Self {
        Self::new(Fault::Invalid, what)
    }

    fn new(fault: Fault, what: Phrase) -> Self {
        Self {
            fault,
            what,
            causes: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Says how things stand.
    #[must_use]
    pub fn because(mut self, cause: Phrase) -> Self {
        self.causes.push(cause);
        self
    }

    /// Adds something to do instead.
    #[must_use]
    pub fn hint(mut self, hint: Phrase) -> Self {
        self.hints.push(hint);
        self
    }
}

impl From<Refusal> for StoreError {
    fn from(refusal: Refusal) -> Self {
        Self::Said(Box::new(refusal))
    }
}
