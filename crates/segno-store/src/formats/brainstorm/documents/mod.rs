//! The two documents of a finish: the brief (a PRD) and the journal of the exploration.
//!
//! Headings and tables are those of the format, in its language, whatever language the program speaks: other tools look
//! for them. A section that the session has nothing for is left out.

mod brief;
mod journal;

use std::fmt::Write as _;

use super::ems::sparkline;
use super::schema::{Idea, Iteration, Session, TechniqueUse};

pub(super) use brief::brief;
pub(super) use journal::journal;

/// What the documents are made from.
pub(super) struct Sheet<'a> {
    pub(super) session: &'a Session,
    pub(super) slug: &'a str,
    pub(super) date: String,
    /// The number of the brief among all.
    pub(super) number: u64,
    pub(super) session_file: &'a str,
    pub(super) journal_file: &'a str,
}

impl Sheet<'_> {
    /// The iterations that led here, in their order.
    fn path(&self) -> Vec<&Iteration> {
        let now = self.session.iteration;
        let mut path: Vec<_> = self
            .session
            .history
            .iter()
            .filter(|entry| entry.iteration <= now)
            .collect();
        path.sort_by_key(|entry| entry.iteration);
        path
    }

    fn scores(&self) -> String {
        sparkline(self.path().iter().map(|entry| entry.ems.unwrap_or(0)))
    }
}

/// A document in the making.
struct Page(String);

impl Page {
    fn line(&mut self, text: impl AsRef<str>) -> &mut Self {
        self.0.push_str(text.as_ref());
        self.0.push('\n');
        self
    }

    /// A section, left out when it has no lines.
    fn section(&mut self, heading: &str, lines: &[String]) -> &mut Self {
        if !lines.is_empty() {
            let _ = write!(self.0, "\n## {heading}\n\n{}\n", lines.join("\n"));
        }
        self
    }
}

/// Text from the session on one line, with nothing in it that Markdown takes for a heading, a cell or a tag.
fn plain(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}

fn bullets<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    texts
        .into_iter()
        .map(|text| format!("- {}", plain(text)))
        .collect()
}

/// An idea with its score.
fn idea_text(idea: &Idea) -> String {
    let content = plain(idea.content.as_deref().unwrap_or_default());
    match idea.score {
        Some(score) => format!("{content} ({score}/10)"),
        None => content,
    }
}

/// The techniques that were applied, a line each.
fn techniques(session: &Session) -> Vec<String> {
    let line = |used: &TechniqueUse| {
        let slug = used.slug.as_deref().unwrap_or_default();
        let category = used.category.as_deref().unwrap_or("unknown");
        let reason = used.reason.as_deref().unwrap_or_default();
        let iteration = used.iteration.unwrap_or_default();
        format!(
            "- **{}** ({}) — iteration {iteration} — {}",
            plain(slug),
            plain(category),
            plain(reason)
        )
    };
    session.applied().map(line).collect()
}
