//! A session's id within its kind.

use std::fmt;

use segno_disk::bad_name;

/// A session's id: one name, fit to be part of a path, checked when it is made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(String);

/// The longest id, in bytes: room is left for a suffix within a file name.
pub const MAX_ID: usize = 200;

impl SessionId {
    /// Checks an id that came from a person or a file.
    pub fn new(text: &str) -> Result<Self, BadId> {
        let why = if text.len() > MAX_ID {
            Some("it is too long")
        } else if text.trim().is_empty() {
            Some("it is empty")
        } else if text.contains('/') || text.contains('\\') {
            Some("it contains a path separator")
        } else {
            bad_name(text)
        };
        match why {
            Some(why) => Err(BadId {
                shown: text.chars().take(60).flat_map(char::escape_debug).collect(),
                why,
            }),
            None => Ok(Self(text.to_owned())),
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The text cannot be an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` cannot be a session id: {why}")]
pub struct BadId {
    shown: String,
    why: &'static str,
}

impl BadId {
    /// What is wrong with it.
    pub const fn why(&self) -> &'static str {
        self.why
    }
}
