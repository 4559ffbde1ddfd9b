//! The paragraph log keeps step with the draft: what a revision, a recovery or an editor makes of a section is noted in it.
//!
//! The log is only ever appended to. An entry `Section N` with the number of its paragraphs overrules the entries before it.

use std::collections::BTreeMap;

use segno_disk::{Access, Change};

use super::artifact::{LogEntry, paragraph_counts};
use super::load::Session;
use super::names::{self, PARAGRAPH_LOG};
use crate::error::Result;
use crate::formats::Context;

/// The entries that bring the log in line with the draft; nothing when it is, or when there is no log.
pub(super) fn correction(
    cx: &Context<'_>,
    session: &Session,
    raw: Option<&str>,
    counts: &BTreeMap<u64, u64>,
) -> Result<Option<Change>> {
    if raw.is_none() {
        return Ok(None);
    }
    append(cx, &session.artifact(raw, PARAGRAPH_LOG)?, counts)
}

/// The same, where there is no readable state to say where the log is.
pub(super) fn append(
    cx: &Context<'_>,
    path: &segno_disk::RelPath,
    counts: &BTreeMap<u64, u64>,
) -> Result<Option<Change>> {
    let Some((bytes, _)) = cx.files.read(path)? else {
        return Ok(None);
    };
    let logged = paragraph_counts(&String::from_utf8_lossy(&bytes));
    let mut text = String::new();
    for (section, count) in differing(&logged, counts) {
        let entry = LogEntry::new(format!("Section {section}"))
            .with("User action", Some("Revised"))
            .with(names::PARAGRAPHS_NOW, Some(&count.to_string()));
        text.push_str(&entry.text(None));
    }
    let len = bytes.len() as u64;
    Ok((!text.is_empty()).then(|| Change::Append {
        path: path.clone(),
        at: len,
        seen: len,
        bytes: text.into_bytes(),
        access: Access::Shared,
    }))
}

/// The sections of which the log says something else than the draft, with what the draft says. A log that lists no
/// paragraph at all is not of our shape, and says nothing.
pub(super) fn differing(
    logged: &BTreeMap<u64, u64>,
    counts: &BTreeMap<u64, u64>,
) -> Vec<(u64, u64)> {
    if logged.is_empty() {
        return Vec::new();
    }
    let known = |section: &u64| logged.get(section).copied().unwrap_or(0);
    let differs = counts
        .iter()
        .filter(|(section, count)| known(section) != **count);
    differs.map(|(section, count)| (*section, *count)).collect()
}
