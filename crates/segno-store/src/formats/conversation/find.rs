//! Where conversations are: below the folders of the registry, in the layouts of the years, or anywhere in the workspace.
//!
//! A session is a directory with a `.session` directory in it that holds the state or the transcript. Names alone decide.

use segno_disk::{FileKind, RelPath};

use super::super::{Context, Place, Root};
use super::registry::Registry;
use super::{SESSION_DIR, STATE_FILE, TRANSCRIPT_FILE};
use crate::error::Result;
use crate::session::{Kind, MAX_ID, SessionId};

/// How many directories deep a session may lie. The deepest layout of the years needs four.
const MAX_DEPTH: usize = 10;

/// Directories that hold what other programs made, and much of it.
const SKIPPED: [&str; 3] = ["node_modules", "target", "__pycache__"];

/// The folder of conversations in a workspace without a registry.
pub(super) const DEFAULT_FOLDER: &str = "conversations";

/// Every conversation below the root.
pub(super) fn all(cx: &Context<'_>) -> Result<Vec<Place>> {
    // No conversation is kept in the system's temporary directory; those of other workspaces may lie below it.
    if cx.root == Root::Temporary {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    walk(cx, &RelPath::root(), 0, &mut found)?;
    // A folder that somebody registered is looked into even where its name would have been passed over.
    for folder in Registry::folders(cx)? {
        if folder.names().any(is_passed_over) {
            walk(cx, &folder, 0, &mut found)?;
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn walk(cx: &Context<'_>, dir: &RelPath, depth: usize, found: &mut Vec<Place>) -> Result<()> {
    let entries = match cx.files.list(dir) {
        Ok(entries) => entries,
        // Somebody else's directory inside the workspace is not ours to read; the root itself must be.
        Err(_) if depth > 0 => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let is_dir = |kind: FileKind| kind == FileKind::Dir;
    if !dir.is_root()
        && entries
            .iter()
            .any(|entry| entry.name == SESSION_DIR && is_dir(entry.kind))
        && let Some(place) = place_in(cx, dir)?
    {
        found.push(place);
        return Ok(());
    }
    if depth == MAX_DEPTH {
        return Ok(());
    }
    for entry in entries {
        if is_dir(entry.kind)
            && !is_passed_over(&entry.name)
            && let Ok(inner) = dir.join_name(&entry.name)
        {
            walk(cx, &inner, depth + 1, found)?;
        }
    }
    Ok(())
}

fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || SKIPPED.contains(&name)
}

/// The sessions of this very id in the known layouts: a look at dated folders instead of a walk through everything.
pub(super) fn exact(cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
    let mut bases = Registry::folders(cx)?;
    bases.push(RelPath::new(DEFAULT_FOLDER)?);
    bases.sort();
    bases.dedup();
    let mut found = Vec::new();
    for base in &bases {
        below_dates(cx, base, id, Below::Types, &mut found)?;
    }
    Ok(found)
}

/// Whether folders that are no dates are looked into as well.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    /// `conversations/{type}/YYYY-MM-DD/...`
    Types,
    /// Only dates.
    Dates,
}

fn below_dates(
    cx: &Context<'_>,
    base: &RelPath,
    id: &str,
    below: Below,
    found: &mut Vec<Place>,
) -> Result<()> {
    for entry in cx.files.list(base)? {
        if entry.kind != FileKind::Dir || is_passed_over(&entry.name) {
            continue;
        }
        let Ok(dir) = base.join_name(&entry.name) else {
            continue;
        };
        if is_date(&entry.name) {
            if let Ok(session) = dir.join_name(id)
                && let Some(place) = place_in(cx, &session)?
            {
                found.push(place);
            }
        } else if below == Below::Types {
            below_dates(cx, &dir, id, Below::Dates, found)?;
        }
    }
    Ok(())
}

/// `YYYY-MM-DD`, or `YYYY-MM` as the oldest layout has it.
pub(super) fn is_date(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = name.split('-');
    matches!(parts.next(), Some(year) if year.len() == 4 && digits(year))
        && matches!(parts.next(), Some(month) if month.len() == 2 && digits(month))
        && parts
            .next()
            .is_none_or(|day| day.len() == 2 && digits(day) && parts.next().is_none())
}

/// The session that a path is or lies in.
pub(super) fn at_path(cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
    let mut at = Some(path.clone());
    while let Some(dir) = at.filter(|dir| !dir.is_root()) {
        if dir.name() != SESSION_DIR
            && let Some(place) = place_in(cx, &dir)?
        {
            return Ok(Some(place));
        }
        at = dir.parent();
    }
    Ok(None)
}

/// The session whose directory this is.
fn place_in(cx: &Context<'_>, dir: &RelPath) -> Result<Option<Place>> {
    let own = dir.join(SESSION_DIR)?;
    for name in [STATE_FILE, TRANSCRIPT_FILE] {
        // A file where a directory should be: there is no session below it.
        let Ok(stat) = cx.files.stat(&own.join(name)?) else {
            continue;
        };
        if stat.is_some_and(|stat| stat.kind == FileKind::File) {
            return Ok(Some(Place {
                kind: Kind::Conversation,
                root: cx.root,
                id: id_of(dir)?,
                path: dir.clone(),
            }));
        }
    }
    Ok(None)
}

/// The directory's name; the beginning of it where somebody made it longer than an id may be.
fn id_of(dir: &RelPath) -> Result<SessionId> {
    let name = dir.name();
    let end = name.floor_char_boundary(MAX_ID);
    let id = name.get(..end).unwrap_or(name).replace('\\', "_");
    Ok(SessionId::new(&id)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dated_folders_are_known_by_their_names() {
        for (name, expected) in [
            ("2026-11-18", true),
            ("2026-11", true),
            ("2026", false),
            ("2026-11-18-x", false),
            ("plan", false),
            ("20261118", false),
            ("2026-1-1", false),
            ("", false),
        ] {
            assert_eq!(is_date(name), expected, "{name}");
        }
    }
}
