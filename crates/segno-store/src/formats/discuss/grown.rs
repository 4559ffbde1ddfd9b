//! Work sessions that went on after a canonical session was made of them: their new turns are found and can be added.
//!
//! A turn is known by its time: the origin is another program's, and only ever grows.

use std::collections::HashSet;
use std::ops::ControlFlow;

use segno_disk::{Change, RelPath};

use super::legacy::{self, Located};
use super::load::{self, Loaded};
use super::meta::ORIGIN;
use super::site::Sort;
use super::{ORIGIN_GREW, talk};
use crate::error::Result;
use crate::formats::{Context, Migration, Place, Plan};
use crate::session::Problem;

/// What a work session says that the canonical session made of it does not.
struct Grown {
    origin: RelPath,
    events: Vec<Located>,
}

/// The problem that an origin is which went on.
pub(super) fn problem(cx: &Context<'_>, loaded: &Loaded) -> Result<Option<Problem>> {
    let Some(grown) = grown(cx, loaded)? else {
        return Ok(None);
    };
    let problem = Problem::new(ORIGIN_GREW, grown.origin.clone()).found(format!(
        "the work session went on after it was migrated: {} of its events are not in the discussion",
        grown.events.len()
    ));
    Ok(Some(if is_open(loaded) {
        problem.safe("add them behind the discussion")
    } else {
        let dir = grown.origin.parent().unwrap_or_default();
        problem.manual(format!(
            "the discussion is over: read them in {dir}/breadcrumbs, and begin another one about them"
        ))
    }))
}

/// The change that adds what the origin says by now; `None` when there is nothing, or the discussion is over.
pub(super) fn add(cx: &Context<'_>, loaded: &Loaded) -> Result<Option<(Change, Migration)>> {
    if !is_open(loaded) {
        return Ok(None);
    }
    let Some(grown) = grown(cx, loaded)? else {
        return Ok(None);
    };
    let lines: String = grown
        .events
        .iter()
        .map(|located| located.event.line())
        .collect();
    let change = talk::append_lines(cx, &loaded.place, &lines)?;
    let migration = Migration {
        from: Sort::WorkSession.name().to_owned(),
        to: Sort::Canonical.name().to_owned(),
        steps: vec![
            format!(
                "add {} later events of {} to {}",
                grown.events.len(),
                grown.origin,
                loaded.place.path
            ),
            format!("leave {} as it is", grown.origin),
        ],
    };
    Ok(Some((change, migration)))
}

/// What `segno migrate` makes of a canonical session whose origin went on.
pub(super) fn migrate(cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Migration>>> {
    let added = add(cx, &load::load(cx, place)?)?;
    Ok(added.map(|(change, migration)| Plan::in_order(vec![change], migration)))
}

/// Nothing is said any more in a discussion that has ended.
fn is_open(loaded: &Loaded) -> bool {
    loaded.meta.is_open() && !loaded.meta.final_json_present
}

fn grown(cx: &Context<'_>, loaded: &Loaded) -> Result<Option<Grown>> {
    let reason = &loaded.meta.about.router_reason;
    let named = reason.rsplit_once(ORIGIN).map(|(_, path)| path);
    let named = named.and_then(|path| RelPath::new(path.strip_suffix(')')?).ok());
    let Some(origin) = named else { return Ok(None) };
    let place = Place {
        path: origin,
        ..loaded.place.clone()
    };
    if Sort::of(&place) != Sort::WorkSession || cx.files.stat(&place.path)?.is_none() {
        return Ok(None);
    }
    let mut known = HashSet::new();
    load::events(cx, &loaded.place, &mut |event, _, _| {
        known.insert(event.ts().into_owned());
        ControlFlow::Continue(())
    })?;
    let mut events = legacy::load(cx.files, &place)?.events;
    events.retain(|located| {
        let ts = located.event.ts();
        !ts.is_empty() && !known.contains(ts.as_ref())
    });
    Ok((!events.is_empty()).then_some(Grown {
        origin: place.path,
        events,
    }))
}
