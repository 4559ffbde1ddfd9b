//! How a change names its place: keys and list positions from the top.

/// One step down: a key of a mapping, or a position in a list, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'p> {
    /// Into a mapping.
    Key(&'p str),
    /// Into a list.
    Index(usize),
}

impl<'p> From<&'p str> for Step<'p> {
    fn from(key: &'p str) -> Self {
        Self::Key(key)
    }
}

impl<'p> From<&'p String> for Step<'p> {
    fn from(key: &'p String) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// The path to the top of the document.
pub const ROOT: [Step<'static>; 0] = [];

/// Where in a mapping a key is inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At<'p> {
    /// Behind the last key.
    End,
    /// Before this key, and before the comment that stands directly above it.
    Before(&'p str),
    /// Directly behind this key's value.
    After(&'p str),
}

/// A path in a person's words: `session.ideas[3]`.
pub(super) fn describe(path: &[Step<'_>]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
            Step::Index(index) => {
                out.push('[');
                out.push_str(&index.to_string());
                out.push(']');
            }
        }
    }
    if out.is_empty() {
        out.push_str("the document");
    }
    out
}
