//! Writing an artifact: new, over the version before it, or with that version archived.

use std::collections::BTreeMap;

use segno_disk::{Access, Change, FileKind, RelPath};

use super::artifact::LogEntry;
use super::load::{Session, read_text, write_artifact};
use super::names;
use crate::error::{Result, StoreError};
use crate::formats::Context;
use crate::phrase;
use crate::phrase::{Phrase, Refusal};
use crate::session::SessionId;

/// What becomes of the version before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// It was not finished: the new one takes its place.
    Overwrite,
    /// It becomes `{stem}.v{N}.md`.
    Archive,
}

/// An artifact on its way to the disk.
pub(super) struct Stored {
    /// What writes it; nothing when it is there already, word for word.
    pub(super) change: Option<Change>,
    /// How the state writes its path.
    pub(super) path: String,
    /// The name of the archived version.
    pub(super) archived: Option<String>,
}

/// Prepares an artifact to be written where the state says it is, else under its own name.
pub(super) fn store(
    cx: &Context<'_>,
    session: &Session,
    raw: Option<&str>,
    name: &str,
    text: &str,
    keep: Keep,
) -> Result<Stored> {
    let path = session.artifact(raw, name)?;
    let written = raw.map_or_else(|| session.written_path(name), str::to_owned);
    let old = read_text(cx.files, &path)?;
    if old.as_ref().is_some_and(|(old, _)| old == text) {
        return Ok(Stored {
            change: None,
            path: written,
            archived: None,
        });
    }
    let stamp = old.map(|(_, stamp)| stamp);
    let change = write_artifact(path.clone(), text, stamp);
    if keep == Keep::Overwrite || stamp.is_none() {
        return Ok(Stored {
            change: Some(change),
            path: written,
            archived: None,
        });
    }
    let kept = next_version(&session.files, &path)?;
    let archived = kept.name().to_owned();
    Ok(Stored {
        change: Some(change.with_backup(kept)),
        path: written,
        archived: Some(archived),
    })
}

/// The next free `{stem}.v{N}.md` beside an artifact.
pub(super) fn next_version(files: &BTreeMap<String, FileKind>, path: &RelPath) -> Result<RelPath> {
    let versions = files.keys().filter_map(|name| names::version_of(name));
    let taken = versions
        .filter(|(name, _)| name == path.name())
        .map(|(_, version)| version);
    let next = taken.max().unwrap_or(0) + 1;
    let dir = path.parent().unwrap_or_default();
    Ok(dir.join_name(&names::version_name(path.name(), next))?)
}

/// Appends an entry to a log of the session.
pub(super) fn log(
    cx: &Context<'_>,
    path: &RelPath,
    title: &str,
    entry: &LogEntry,
) -> Result<Change> {
    let len = cx.files.stat(path)?.map_or(0, |stat| stat.len);
    let text = entry.text((len == 0).then_some(title));
    Ok(Change::Append {
        path: path.clone(),
        at: len,
        seen: len,
        bytes: text.into_bytes(),
        access: Access::Shared,
    })
}

/// Refuses an empty text; `what` says which.
pub(super) fn require_text(text: &str, what: Phrase) -> Result<()> {
    if text.trim().is_empty() {
        let hint = phrase!(
            "essay-give-input",
            "give it with `--input FILE`, or `--input -` for standard input"
        );
        return Err(Refusal::input(what).hint(hint).into());
    }
    Ok(())
}

/// An operation whose prerequisites are not met.
pub(super) fn missing(rule: Phrase, hint: Phrase) -> StoreError {
    Refusal::rule(rule).hint(hint).into()
}

/// A stage that there is not.
pub(super) fn no_stage(number: impl std::fmt::Display) -> StoreError {
    let what = phrase!(
        "essay-no-stage",
        "there is no stage {stage}",
        stage = number
    );
    let hint = phrase!("essay-stages-are", "the stages are 1 to 4");
    Refusal::input(what).hint(hint).into()
}

/// A section that there is not.
pub(super) fn no_section(section: u64, total: u64, id: &SessionId) -> StoreError {
    let what = phrase!(
        "essay-no-section",
        "there is no section {section}: the outline has {total}",
        section = section,
        total = total
    );
    let hint = phrase!(
        "essay-status-lists",
        "`segno essay status {id}` lists the sections",
        id = id
    );
    Refusal::input(what).hint(hint).into()
}
