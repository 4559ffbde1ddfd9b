//! `move`: a session in the temporary directory does not survive a reboot; this brings it into the workspace.

use segno_disk::{Access, Basis, Change, FileKind, RelPath};

use super::load::Session;
use super::names::{self, BACKUP, STATE, TEMP};
use super::{codec, find, load};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan, Root};
use crate::phrase;
use crate::phrase::Refusal;

/// The plan that copies a session from one root into the workspace, with its paths written anew.
pub fn copy_in(here: &Context<'_>, from: &Context<'_>, place: &Place) -> Result<Plan<Place>> {
    if place.root == Root::Workspace {
        let what = phrase!(
            "essay-moved-already",
            "`{id}` is in the workspace already",
            id = &place.id
        );
        return Err(Refusal::rule(what).into());
    }
    let session = Session::open(from, place)?;
    let to = find::first_root(here)?.join_name(place.id.as_str())?;
    let mut changes = Vec::new();
    copy_dir(from, session.dir(), &to, &mut changes)?;
    let mut after = session.state.clone();
    after.session_dir = Some(to.as_str().to_owned());
    rewrite(&session, &mut after);
    let text = codec::encode(session.doc(), &session.state, &after)?;
    changes.push(Change::replace(
        names::file(&to, STATE)?,
        text.into_bytes(),
        Basis::Absent,
        Access::Private,
    ));
    let moved = Place {
        root: Root::Workspace,
        path: to,
        ..place.clone()
    };
    if here.files.stat(&moved.path)?.is_some() {
        // Crash: an earlier move got as far as the copy; it is not made twice.
        if holds_all(here, &changes)? {
            return Ok(Plan::nothing(moved));
        }
        return Err(StoreError::Exists {
            what: format!("`{}`", moved.path),
            hint: "rename or move away the one that is there".to_owned(),
        });
    }
    // Crash: the copy is there whole or not at all; the original is not touched by it.
    Ok(Plan::all_or_none(changes, moved))
}

/// True when every file that the copy would write is there already, byte for byte.
fn holds_all(here: &Context<'_>, changes: &[Change]) -> Result<bool> {
    for change in changes {
        let Change::Replace { path, bytes, .. } = change else {
            return Ok(false);
        };
        let there = here.files.read(path)?;
        if there.is_none_or(|(there, _)| there != *bytes) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The plan that puts the original out of the way under a name that is no session's. It is not removed.
pub fn set_aside(cx: &Context<'_>, place: &Place) -> Result<Plan<RelPath>> {
    let parent = place.path.parent().unwrap_or_default();
    let mut n = 0_u64;
    let to = loop {
        let suffix = if n == 0 {
            String::new()
        } else {
            format!("-{n}")
        };
        let to = parent.join_name(&format!("moved-{}{suffix}", place.id))?;
        if cx.files.stat(&to)?.is_none() {
            break to;
        }
        n += 1;
    };
    let change = Change::Move {
        from: place.path.clone(),
        to: to.clone(),
        access: Access::Private,
    };
    Ok(Plan::in_order(vec![change], to))
}

/// Copies all files but the state itself and what a crash left of one.
fn copy_dir(
    from: &Context<'_>,
    dir: &RelPath,
    to: &RelPath,
    changes: &mut Vec<Change>,
) -> Result<()> {
    for entry in from.files.list(dir)? {
        let source = dir.join_name(&entry.name)?;
        let target = to.join_name(&entry.name)?;
        match entry.kind {
            FileKind::Dir => copy_dir(from, &source, &target, changes)?,
            FileKind::File
                if entry.name == STATE
                    || entry.name == TEMP
                    || segno_disk::is_temp_name(&entry.name) => {}
            FileKind::File => {
                let Some((bytes, _)) = from.files.read(&source)? else {
                    continue;
                };
                let access = if entry.name == BACKUP {
                    Access::Private
                } else {
                    Access::Shared
                };
                changes.push(Change::replace(target, bytes, Basis::Absent, access));
            }
            FileKind::Other => {
                let what = phrase!(
                    "essay-odd-file",
                    "`{path}` is neither a file nor a directory",
                    path = &source
                );
                let hint = phrase!(
                    "essay-odd-file-hint",
                    "take it out of the session, then move it"
                );
                return Err(Refusal::rule(what).hint(hint).into());
            }
        }
    }
    Ok(())
}

/// Every path that lies inside the session is written for its new place.
fn rewrite(session: &Session, after: &mut super::state::State) {
    let dir = session.dir();
    let old_dir = session.state.session_dir.clone();
    let target = after.clone();
    let anew = |raw: &mut Option<String>| {
        let resolved = raw
            .as_deref()
            .map(|raw| names::resolve(dir, old_dir.as_deref(), raw));
        if let Some(Ok(path)) = resolved
            && let Some(below) = path.below(dir)
        {
            *raw = Some(load::written_path(&target, below));
        }
    };
    anew(&mut after.thesis.file);
    anew(&mut after.thesis.log);
    anew(&mut after.outline.file);
    for row in &mut after.arguments.sections {
        anew(&mut row.file);
    }
    anew(&mut after.writing.draft);
    anew(&mut after.writing.log);
    anew(&mut after.output.file);
}
