//! Where essays are: directories named `essay-pipeline-*` below the configured roots, or in the temporary directory.

use segno_disk::{FileKind, RelPath};

use super::names::{TEMP, is_session_dir};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Root};
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::{Kind, SessionId};

/// Every session below the root.
pub(super) fn find(cx: &Context<'_>) -> Result<Vec<Place>> {
    let mut places: Vec<Place> = Vec::new();
    for root in roots(cx)? {
        for entry in cx.files.list(&root)? {
            if entry.kind != FileKind::Dir || !is_session_dir(&entry.name) {
                continue;
            }
            let (Ok(id), Ok(path)) = (SessionId::new(&entry.name), root.join_name(&entry.name))
            else {
                continue;
            };
            if !places.iter().any(|place| place.path == path) && !is_vacant(cx, &path)? {
                places.push(place(cx, id, path));
            }
        }
    }
    Ok(places)
}

/// The sessions of this very id: a look per root.
pub(super) fn find_exact(cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    let Some(id) = SessionId::new(id)
        .ok()
        .filter(|id| is_session_dir(id.as_str()))
    else {
        return Ok(places);
    };
    for root in roots(cx)? {
        let path = root.join_name(id.as_str())?;
        let is_dir = cx
            .files
            .stat(&path)?
            .is_some_and(|stat| stat.kind == FileKind::Dir);
        if is_dir && !is_vacant(cx, &path)? {
            places.push(place(cx, id.clone(), path));
        }
    }
    Ok(places)
}

/// True for a directory in which nothing was ever saved: a crash while a session was begun leaves it.
pub(super) fn is_vacant(cx: &Context<'_>, dir: &RelPath) -> Result<bool> {
    let entries = cx.files.list(dir)?;
    Ok(entries
        .iter()
        .all(|entry| entry.name == TEMP || segno_disk::is_temp_name(&entry.name)))
}

/// The session that a path belongs to.
pub(super) fn at_path(cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
    let mut at = Some(path.clone());
    while let Some(dir) = at {
        if is_session_dir(dir.name())
            && cx
                .files
                .stat(&dir)?
                .is_some_and(|stat| stat.kind == FileKind::Dir)
        {
            return Ok(Some(place(cx, SessionId::new(dir.name())?, dir)));
        }
        at = dir.parent();
    }
    Ok(None)
}

/// Where new sessions are made.
pub(super) fn first_root(cx: &Context<'_>) -> Result<RelPath> {
    let mut all = roots(cx)?;
    if all.is_empty() {
        let what = phrase!("essay-no-roots", "no directory for essays is configured");
        let hint = phrase!(
            "essay-no-roots-hint",
            "set `essay.roots` to at least one directory below the workspace"
        );
        return Err(Refusal::rule(what).hint(hint).into());
    }
    Ok(all.swap_remove(0))
}

fn roots(cx: &Context<'_>) -> Result<Vec<RelPath>> {
    if cx.root == Root::Temporary {
        return Ok(vec![RelPath::root()]);
    }
    let root = |text: &String| {
        let plain = text.trim_end_matches('/');
        let plain = plain.strip_prefix("./").unwrap_or(plain);
        if plain == "." {
            return Ok(RelPath::root());
        }
        RelPath::new(plain).map_err(|error| {
            let what = phrase!(
                "essay-bad-root",
                "`essay.roots` names `{path}`, which is not a directory below the workspace ({why})",
                path = text,
                why = error.source
            );
            let hint = phrase!("essay-bad-root-hint", "give a path relative to the workspace, without `..`");
            StoreError::from(Refusal::input(what).hint(hint))
        })
    };
    cx.settings.essay.roots.iter().map(root).collect()
}

fn place(cx: &Context<'_>, id: SessionId, path: RelPath) -> Place {
    Place {
        kind: Kind::Essay,
        root: cx.root,
        id,
        path,
    }
}
