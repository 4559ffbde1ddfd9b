//! Discussions that end in patch operations, replayed deterministically with an audit trail.
//!
//! Truth on disk: `docs/maestro/sessions/discuss/{id}/transcript.jsonl`, one event per line; `meta.json` beside it says
//! what the discussion is about and is otherwise a projection of it. The plan that operations change lies in
//! `docs/maestro/{index.json,tracks,phases,tasks}`. `formats/discuss/FORMAT.md` says it all. Nothing is ever written
//! under `.maestro/`.

mod answer;
mod brief;
mod end;
mod event;
mod failure;
mod gate;
mod grown;
mod legacy;
mod load;
mod meta;
mod migrate;
mod ops;
pub mod plan;
mod recover;
pub mod replay;
pub mod repo_lock;
mod route;
mod schema;
mod site;
mod surroundings;
mod talk;
mod transcript;
mod unusable;

use std::ops::ControlFlow;

use segno_disk::RelPath;

use super::{
    Context, Format, Migration, Notice, Place, Plan, RecoverOptions, Recovery, ResumeOptions,
    Resumed, Root, Stopped,
};
use crate::error::Result;
use crate::session::{Brief, Card, Entry, Kind, LineMark, Problem};

pub use brief::{FINAL_SHAPE, data_of};
pub use end::{DoneOptions, Ended, Ready, done, ready};
pub use failure::{Failure, FailureKind};
pub use meta::{CachePolicy, Meta};
pub use route::{Route, Wish, route};
pub use schema::{About, Contract, EventKind, Item, OpType, Role, Subject, UnknownWord};
pub use site::{SESSIONS, Sort, canonical};
pub use talk::{Beginning, Said, close, error, say, start};

/// `meta.json` is not there.
pub const META_MISSING: &str = "meta_missing";
/// `meta.json` is no JSON object.
pub const META_UNREADABLE: &str = "meta_unreadable";
/// `meta.json` lacks keys, or they have another type.
pub const META_INCOMPLETE: &str = "meta_incomplete";
/// `meta.json` does not say yet what the transcript does.
pub const META_LAGS: &str = "meta_lags";
/// `meta.json` says another id than the directory does.
pub const ID_MISMATCH: &str = "id_mismatch";
/// A work session went on after a canonical session was made of it.
pub const ORIGIN_GREW: &str = "origin_grew";
/// `transcript.jsonl` is not there.
pub const TRANSCRIPT_MISSING: &str = "transcript_missing";
/// The last line of the transcript breaks off.
pub const TORN_TAIL: &str = "torn_tail";
/// A line of the transcript is not JSON.
pub const BAD_LINE: &str = "bad_line";
/// A line of the transcript is JSON, but no event.
pub const BAD_EVENT: &str = "bad_event";
/// There is more than one `final_json`.
pub const SECOND_FINAL: &str = "second_final_json";
/// A file where an older session would lie holds something else.
pub const NOT_A_SESSION: &str = "not_a_session";
/// A directory or a file where a session would lie has a name that cannot be an id.
pub const UNUSABLE_NAME: &str = "unusable_name";
/// A file of the plan cannot be read.
pub const PLAN_UNREADABLE: &str = "plan_unreadable";
/// A file of the plan lists an item that has no file.
pub const PLAN_MISSING_ITEM: &str = "plan_missing_item";
/// Two files of the plan list one item.
pub const PLAN_LISTED_TWICE: &str = "plan_listed_twice";
/// A value in a file of the plan has another type than it should.
pub const PLAN_WRONG_TYPE: &str = "plan_wrong_type";

/// Discussions.
pub struct Discuss;

impl Format for Discuss {
    fn kind(&self) -> Kind {
        Kind::Discuss
    }

    fn find(&self, cx: &Context<'_>) -> Result<Vec<Place>> {
        site::find(cx)
    }

    fn find_exact(&self, cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
        site::find_exact(cx, id)
    }

    fn find_called(&self, cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
        site::find_called(cx, id)
    }

    fn at_path(&self, cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
        site::at_path(cx, path)
    }

    fn card(&self, cx: &Context<'_>, place: &Place) -> Result<Card> {
        brief::card(cx, place)
    }

    fn check(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
        Ok(load::load(cx, place)?.problems)
    }

    /// The plan belongs to all discussions; a name that cannot be an id belongs to none.
    fn check_shared(&self, cx: &Context<'_>) -> Result<Vec<Problem>> {
        match cx.root {
            Root::Workspace => {
                let mut problems = unusable::names(cx.files)?;
                problems.extend(plan::problems(cx.files)?);
                Ok(problems)
            }
            Root::Temporary => Ok(Vec::new()),
        }
    }

    fn recover(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &RecoverOptions,
    ) -> Result<Plan<Recovery>> {
        recover::recover(cx, place, options)
    }

    fn entries(
        &self,
        cx: &Context<'_>,
        place: &Place,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<()> {
        brief::entries(cx, place, sink)
    }

    fn transcript(&self, place: &Place) -> Result<Option<RelPath>> {
        let grows = site::Sort::of(place) == site::Sort::Canonical;
        grows.then(|| site::transcript_path(place)).transpose()
    }

    fn entries_from(
        &self,
        cx: &Context<'_>,
        place: &Place,
        from: LineMark,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<()> {
        brief::entries_from(cx, place, from, sink)
    }

    fn brief(&self, cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
        brief::brief(cx, place, budget)
    }

    fn resume(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &ResumeOptions,
    ) -> Result<Plan<Resumed>> {
        let loaded = load::load(cx, place)?;
        let mut warnings = Vec::new();
        if !loaded.meta.is_open() && !options.force {
            warnings.push(Notice {
                code: "closed",
                session: format!("{}/{}", place.kind, place.id),
                text: "the discussion is closed: it can be read, not gone on with".to_owned(),
            });
        }
        let brief = brief::brief(cx, place, options.budget)?;
        let engine = loaded.meta.engine;
        Ok(Plan::nothing(Resumed {
            text: None,
            warnings,
            tool: Some(engine).filter(|engine| engine != "unknown" && !engine.is_empty()),
            left_out: brief.turns_left_out,
        }))
    }

    /// Every turn is recorded as it happens, so there is nothing to save; a summary is something the assistant says.
    fn stop(
        &self,
        cx: &Context<'_>,
        place: &Place,
        summary: Option<&str>,
    ) -> Result<Plan<Stopped>> {
        let card = brief::card(cx, place)?;
        let stopped = Stopped {
            title: card.title,
            summary: summary.map_or(card.position, str::to_owned),
        };
        Ok(match summary {
            Some(summary) => {
                let said = talk::say(cx, place, Role::Assistant, summary, None)?;
                Plan::in_order(said.changes, stopped)
            }
            None => Plan::nothing(stopped),
        })
    }

    fn migrate(&self, cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Migration>>> {
        migrate::migrate(cx, place)
    }

    /// One lock for all discussions: a replay writes the plan, which they share, and its transcript as one unit.
    fn lock_name(&self, _place: &Place) -> String {
        LOCK.to_owned()
    }
}

/// The lock that writers of discussions and of the plan take.
pub const LOCK: &str = "discuss";

/// The card of a canonical session after a turn, without the counts that would cost reading all of its transcript.
pub fn card_at_end(cx: &Context<'_>, place: &Place) -> Result<Card> {
    brief::card_by_last_line(cx, place)
}

/// What `meta.json` of a session says, brought up to its transcript.
pub fn meta(cx: &Context<'_>, place: &Place) -> Result<Meta> {
    Ok(load::load(cx, place)?.meta)
}
