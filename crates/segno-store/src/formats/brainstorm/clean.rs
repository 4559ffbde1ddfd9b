//! Retention: what is finished or given up and has not been touched for long goes to the trash, then away.

use segno_disk::{Access, Basis, Change, FileKind, RelPath};

use super::codec::{Read, free_name, read};
use super::launch::last_active;
use super::schema::SessionStatus;
use crate::error::Result;
use crate::formats::{Context, Place, Plan, Removal};
use crate::session::Timestamp;

/// Where removed sessions wait.
pub const TRASH: &str = ".segno/trash/brainstorm";

/// How many days the trash keeps them.
pub const TRASH_DAYS: u64 = 30;

/// Moves sessions past their retention to the trash, and lets go of what has been in the trash for long.
///
/// What cannot be read, says no time, or is in progress is never touched.
pub(super) fn clean(cx: &Context<'_>, places: &[Place]) -> Result<Plan<Vec<Removal>>> {
    let mut changes = Vec::new();
    let mut removals = Vec::new();
    for place in places.iter().filter(|place| place.root == cx.root) {
        if !is_due(cx, place)? {
            continue;
        }
        let to = trash_path(cx, place)?;
        changes.push(Change::Move {
            from: place.path.clone(),
            to: to.clone(),
            access: Access::Private,
        });
        removals.push(Removal {
            session: format!("{}/{}", place.kind, place.id),
            from: place.path.clone(),
            to: Some(to),
        });
    }
    empty_trash(cx, &mut changes, &mut removals)?;
    Ok(Plan::all_or_none(changes, removals))
}

fn is_due(cx: &Context<'_>, place: &Place) -> Result<bool> {
    let Read::Session(reading) = read(cx, place)? else {
        return Ok(false);
    };
    // Read as it stands: a status that cannot be understood is not a reason to remove anything.
    let session = &reading.session;
    let is_over = matches!(
        session.status,
        Some(SessionStatus::Completed | SessionStatus::Abandoned)
    );
    let days = u64::from(cx.settings.brainstorm.retention_days);
    let is_old = last_active(session).is_some_and(|at| cx.now.days_since(&at) > days);
    Ok(is_over && is_old)
}

/// The name says since when: `2026-11-18_{slug}.yaml`.
fn trash_path(cx: &Context<'_>, place: &Place) -> Result<RelPath> {
    let trash = RelPath::new(TRASH)?;
    let day = cx.now.date();
    free_name(cx, |n| match n {
        1 => trash.join_name(&format!("{day}_{}.yaml", place.id)),
        n => trash.join_name(&format!("{day}_{}.{n}.yaml", place.id)),
    })
}

fn empty_trash(
    cx: &Context<'_>,
    changes: &mut Vec<Change>,
    removals: &mut Vec<Removal>,
) -> Result<()> {
    let trash = RelPath::new(TRASH)?;
    for entry in cx.files.list(&trash)? {
        let Some((day, name)) = entry.name.split_once('_') else {
            continue;
        };
        let Some(since) = Timestamp::parse(day).filter(Timestamp::is_date) else {
            continue;
        };
        if entry.kind != FileKind::File || cx.now.days_since(&since) <= TRASH_DAYS {
            continue;
        }
        let Ok(path) = trash.join_name(&entry.name) else {
            continue;
        };
        let Some(stat) = cx.files.stat(&path)? else {
            continue;
        };
        changes.push(Change::Remove {
            path: path.clone(),
            basis: Basis::Version(stat.stamp()),
        });
        removals.push(Removal {
            session: format!("{}/{}", super::KIND, name.trim_end_matches(".yaml")),
            from: path,
            to: None,
        });
    }
    Ok(())
}
