//! `## Approved By User`: whether an artifact was approved, and when.

use crate::error::Result;
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::Timestamp;
use crate::text::markdown::{Doc, Place};

/// What an artifact says of its approval.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct Approval {
    /// `Yes`.
    pub(in super::super) yes: bool,
    /// When, as it was written, where that can be read as a time.
    pub(in super::super) at: Option<String>,
}

const TITLES: &[&str] = &["Approved By User", "Approved", "Approval", "User Approval"];

/// Reads the approval of an artifact.
pub(in super::super) fn approval(doc: &Doc) -> Approval {
    let Some(section) = doc.section(TITLES) else {
        return Approval::default();
    };
    let text = section.own_text().trim_start_matches(['*', '-', ' ']);
    let first = text.lines().next().unwrap_or_default();
    let word: String = first.chars().take_while(|c| c.is_alphabetic()).collect();
    let yes = matches!(
        word.to_ascii_lowercase().as_str(),
        "yes" | "approved" | "true"
    );
    let behind = first.get(word.len()..).unwrap_or_default();
    let time = behind.trim_start_matches([' ', '-', '*', ':', '(', '\u{2013}', '\u{2014}']);
    let time = time.trim_end_matches([')', '.', ' ']);
    Approval {
        yes,
        at: Timestamp::parse(time).map(|_| time.to_owned()),
    }
}

/// The text with an approval of now, where it has none yet.
pub(in super::super) fn with_approval(text: &str, now: &str) -> Result<String> {
    let doc = Doc::parse(text);
    let line = format!("Yes -- {now}");
    let mut edit = doc.edit();
    let section = doc.section(TITLES);
    let changed = match section {
        Some(_) if approval(&doc).yes => return Ok(text.to_owned()),
        Some(section) => edit.replace_own_body(section, &line).map(drop),
        None => edit
            .insert_section(Place::End, 2, "Approved By User", &line)
            .map(drop),
    };
    changed.and_then(|()| edit.finish()).map_err(|error| {
        let what = phrase!(
            "essay-artifact-closed",
            "the artifact cannot take the line of its approval: {why}",
            why = error
        );
        let hint = phrase!(
            "essay-artifact-closed-hint",
            "close what is left open in it (a code block, a comment)"
        );
        Refusal::input(what).hint(hint).into()
    })
}
