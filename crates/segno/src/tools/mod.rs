//! The agents' tools that a session is resumed in: which ones there are, which one is taken, how it is started.
//!
//! A tool is a [`Template`], ours for the agents we know or the user's own from the configuration. It never passes
//! through a shell: a session's text is data, whatever is written in it.

mod choose;
mod launch;
mod preset;
mod template;
mod trust;

pub use choose::{Choice, Wanted, choose};
pub(crate) use launch::while_child_runs;
pub use launch::{Handed, MAX_ARGUMENT, Started, hand, run};
pub use preset::PRESETS;
pub use template::{BadTemplate, Template, split};
pub use trust::Trust;

use crate::config::Source;

/// One tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// What it is called.
    pub name: String,
    /// How it is started, as written.
    pub command: String,
    /// Whose words those are: [`Source::Default`] for ours.
    pub source: Source,
}
