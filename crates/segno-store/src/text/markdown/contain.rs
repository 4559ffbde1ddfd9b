//! Makes any text fit to stand under a heading without becoming structure of the document around it.

use std::borrow::Cow;

use super::classify::Open;
use super::doc::Doc;
use super::line::LineKind;
use crate::text::splice::Splices;

/// The text with its headings and merge marks escaped by a backslash and its open code block or comment closed.
///
/// It reads the same to a person and shows the same when rendered, a heading apart, which becomes a line of text.
pub fn contained(text: &str) -> Cow<'_, str> {
    // Inside a document a byte order mark would only hide what its line is.
    let mut out = Cow::Borrowed(text.trim_start_matches('\u{feff}'));
    // What is escaped becomes text, and text may become a title over the next line: few rounds settle it.
    while let Some(next) = contained_once(&out) {
        out = Cow::Owned(next);
    }
    out
}

/// One round of it; `None` when there is nothing to do.
fn contained_once(text: &str) -> Option<String> {
    let doc = Doc::parse(text);
    let mut splices = Splices::new();
    for line in doc.lines() {
        if matches!(
            line.kind,
            LineKind::Heading | LineKind::Underline | LineKind::Conflict
        ) {
            let written = doc.slice(line.range());
            let indent = written.len() - written.trim_start().len();
            splices.insert(line.start + indent, "\\");
        }
    }
    let ends_line = text.is_empty() || text.ends_with('\n');
    let eol = if ends_line { "" } else { doc.eol() };
    match doc.open {
        Open::Nothing => {}
        Open::Comment => splices.insert(text.len(), format!("{eol}-->")),
        Open::Fence {
            mark,
            count,
            within,
        } => {
            let fence = mark.to_string().repeat(count);
            splices.insert(text.len(), format!("{eol}{}{fence}", " ".repeat(within)));
        }
    }
    if splices.is_empty() {
        return None;
    }
    Some(
        splices
            .apply(text)
            .expect("because the places are ends and beginnings of lines"),
    )
}
