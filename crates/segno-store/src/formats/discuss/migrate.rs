//! An older session becomes a canonical one beside it. The old files are never touched.

use super::load;
use super::site::{self, Sort};
use super::talk;
use super::{grown, legacy};
use crate::error::Result;
use crate::formats::{Context, Migration, Place, Plan};

/// What makes a canonical session of an older one; `None` when it is one, or has one already that says as much.
pub(super) fn migrate(cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Migration>>> {
    let home = load::home(cx, place)?;
    let sort = Sort::of(&home);
    if sort == Sort::Canonical {
        return grown::migrate(cx, &home);
    }
    let target = site::canonical(&place.id)?;
    let converted = legacy::load(cx.files, place)?;
    load::refuse_in_part(place, &converted.problems)?;
    let lines = converted.lines();
    let events = match lines.lines().count() {
        1 => "1 event".to_owned(),
        count => format!("{count} events"),
    };
    let changes = talk::new_session(&target, &converted.meta, lines)?;
    let migration = Migration {
        from: sort.name().to_owned(),
        to: Sort::Canonical.name().to_owned(),
        steps: vec![
            format!("write {} with {events}", target.path),
            format!("leave {} as it is", place.path),
        ],
    };
    Ok(Some(Plan::all_or_none(changes, migration)))
}
