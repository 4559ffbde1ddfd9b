//! What outsiders see: the JSON shapes and the texts of what the store gives back.
//!
//! The store's own types are not serialisable on purpose. The keys here are a promise to scripts and agents: they are
//! added to, never renamed.

pub mod ago;
pub mod brief;
pub mod card;
pub mod entry;
pub mod problem;

/// A text of several lines on one.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
