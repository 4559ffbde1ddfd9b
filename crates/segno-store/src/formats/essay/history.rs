//! `history`: the versions of the artifacts, the revisions that made them, and the difference between two.

use std::collections::BTreeMap;

use super::diff::{DiffLine, diff};
use super::load::{Session, read_text};
use super::names;
use super::state::Revision;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place};
use crate::phrase;
use crate::phrase::Refusal;

/// The versions of a session's artifacts.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Each artifact with the numbers of its archived versions.
    pub artifacts: Vec<Versions>,
    /// What was revised, oldest first.
    pub revisions: Vec<Revision>,
}

/// The versions of one artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    /// Its file.
    pub name: String,
    /// Its archived versions, in order.
    pub archived: Vec<u64>,
    /// Whether there is a current one.
    pub current: bool,
}

/// One version of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// `v1`, `v2` ...
    Archived(u64),
    /// The one that the pipeline uses.
    Current,
}

impl Version {
    /// Reads `v2`, `2` and `current`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("current") {
            return Some(Self::Current);
        }
        let number = text.strip_prefix(['v', 'V']).unwrap_or(text);
        number.parse().ok().map(Self::Archived)
    }

    fn file(self, name: &str) -> String {
        match self {
            Self::Archived(version) => names::version_name(name, version),
            Self::Current => name.to_owned(),
        }
    }
}

/// Lists the versions of all artifacts.
pub fn history(cx: &Context<'_>, place: &Place) -> Result<History> {
    let session = Session::open(cx, place)?;
    let mut found: BTreeMap<String, Versions> = BTreeMap::new();
    for name in session.files.keys().filter(|name| names::is_markdown(name)) {
        let (artifact, version) = match names::version_of(name) {
            Some((artifact, version)) => (artifact, Some(version)),
            None => (name.clone(), None),
        };
        let versions = found.entry(artifact.clone()).or_insert(Versions {
            name: artifact,
            archived: Vec::new(),
            current: false,
        });
        match version {
            Some(version) => versions.archived.push(version),
            None => versions.current = true,
        }
    }
    let mut artifacts: Vec<Versions> = found.into_values().collect();
    for versions in &mut artifacts {
        versions.archived.sort_unstable();
    }
    Ok(History {
        artifacts,
        revisions: session.state.revisions,
    })
}

/// The difference between two versions of an artifact, named by its file, by `thesis`, `outline`, `draft`, or by the
/// number of a section for its argument map.
pub fn compare(
    cx: &Context<'_>,
    place: &Place,
    artifact: &str,
    from: Version,
    to: Version,
) -> Result<Vec<DiffLine>> {
    let name = match artifact {
        "thesis" => names::THESIS.to_owned(),
        "outline" => names::OUTLINE.to_owned(),
        "draft" => names::DRAFT.to_owned(),
        "final" => names::FINAL.to_owned(),
        number if number.parse::<u64>().is_ok() => {
            names::argument_map(number.parse().unwrap_or_default())
        }
        file => file.to_owned(),
    };
    let text = |version: Version| {
        let file = names::file(&place.path, &version.file(&name))?;
        read_text(cx.files, &file)?
            .map(|(text, _)| text)
            .ok_or_else(|| {
                let what = phrase!(
                    "essay-no-version",
                    "there is no `{name}`",
                    name = file.name()
                );
                let hint = phrase!(
                    "essay-history-lists",
                    "`segno essay history {id}` lists the versions",
                    id = &place.id
                );
                StoreError::from(Refusal::input(what).hint(hint))
            })
    };
    Ok(diff(&text(from)?, &text(to)?))
}
