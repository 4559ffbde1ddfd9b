//! The way from a document's root to one of its values.

use std::fmt::Write as _;

/// One step down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'p> {
    /// Into the member of an object with this key.
    Key(&'p str),
    /// Into the item of an array at this position, from 0.
    Index(usize),
}

impl<'p> From<&'p str> for Step<'p> {
    fn from(key: &'p str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// Whatever says a way down: `"status"`, `["agent_config", "model"]`, `[Step::Key("tasks"), Step::Index(2)]`.
///
/// `""` is a key like any other; the root is the empty list `[] as [&str; 0]`, or [`Step::ROOT`].
pub trait Path<'p> {
    /// The steps from the root down.
    fn steps(self) -> Vec<Step<'p>>;
}

impl Step<'_> {
    /// The way to the root itself.
    pub const ROOT: [Step<'static>; 0] = [];
}

impl<'p> Path<'p> for &'p str {
    fn steps(self) -> Vec<Step<'p>> {
        vec![Step::Key(self)]
    }
}

impl<'p> Path<'p> for &'p String {
    fn steps(self) -> Vec<Step<'p>> {
        vec![Step::Key(self)]
    }
}

impl<'p, S: Copy + Into<Step<'p>>> Path<'p> for &[S] {
    fn steps(self) -> Vec<Step<'p>> {
        self.iter().map(|step| (*step).into()).collect()
    }
}

impl<'p, S: Into<Step<'p>>, const N: usize> Path<'p> for [S; N] {
    fn steps(self) -> Vec<Step<'p>> {
        self.into_iter().map(Into::into).collect()
    }
}

/// The way as a person would write it: `tasks[2].name`.
pub(super) fn shown(steps: &[Step<'_>]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Key(key) if out.is_empty() => out.push_str(key),
            Step::Key(key) => {
                out.push('.');
                out.push_str(key);
            }
            Step::Index(index) => {
                write!(out, "[{index}]").expect("because writing to a string cannot fail");
            }
        }
    }
    if out.is_empty() {
        out.push_str("the document");
    }
    out
}
