//! Brainstorms: guided exploration, scored by EMS, that can be saved, rewound and finished.
//!
//! One YAML file is the truth: `.project-memory/brainstorm-sessions/{slug}.yaml`. Every operation reads it, changes the
//! session in memory, and replaces the file by one in which only the differences differ. `formats/brainstorm/FORMAT.md`
//! says what is on disk.

mod catalogue;
mod checks;
mod clean;
mod clock;
mod codec;
mod documents;
mod ems;
mod entries;
mod finish;
mod gaps;
mod ideas;
mod iterate;
mod launch;
mod migrate;
mod panel;
mod party;
pub mod problems;
mod record;
mod recover;
mod rewind;
mod round;
mod schema;
mod select;
mod session;
mod statistics;
mod summary;
mod technique;

use std::ops::ControlFlow;

use segno_disk::{FileKind, RelPath};

use super::{
    Context, Format, Migration, Place, Plan, RecoverOptions, Recovery, Removal, ResumeOptions,
    Resumed, Root, Stopped,
};
use crate::error::Result;
use crate::session::{Brief, Card, Entry, Kind, Problem, SessionId};

pub use catalogue::{Difficulty, Technique, categories, technique as technique_named, techniques};
pub use clean::{TRASH, TRASH_DAYS};
pub use codec::MAX_BYTES;
pub use ems::{Advice, Axes, Axis, Level, WEAK_BELOW, bar, is_stagnant, is_waiting, sparkline};
pub use finish::{FORCE_BELOW, Finished, WARN_BELOW, finish};
pub use ideas::{add_idea, ranked, score_idea};
pub use iterate::{
    Answered, Ask, Asked, Energy, MANY_ITERATIONS, MANY_QUESTIONS, answer, ask, energy, persona,
    phase, save,
};
pub use launch::{
    Existing, FIRST_EMS, MAX_SLUG, Start, Started, abandon, existing, place_of, reopen, start,
};
pub use panel::{EXPERTS, experts_for, panel_exit, panel_round, panel_start};
pub use party::{PERSONAS, party_exit, party_round, party_start, personas_for};
pub use record::{Applied, Counts, Extra, Slugs};
pub use rewind::{Jump, MAX_BACK, back, forward, max_back, return_to};
pub use schema::{
    Branch, Contribution, Idea, Iteration, Mode, Opinion, PanelPhase, PanelRound, PartyRound,
    Persona, Phase, ProgressiveState, RandomState, Session, SessionStatus, Source, Synthesis,
    TechniqueUse, TransitionSummary, VERSION,
};
pub use select::Suggestion;
pub use technique::{Suggested, apply, skip, suggest};

/// Where the sessions are.
pub const DIR: &str = ".project-memory/brainstorm-sessions";

/// The lock that every writer of brainstorms takes: they share the statistics and the clean-up.
pub const LOCK: &str = "brainstorm";

const KIND: Kind = Kind::Brainstorm;

/// The format.
pub struct Brainstorm;

/// The session as it stands, in the current version. Reads; changes nothing.
pub fn open(cx: &Context<'_>, place: &Place) -> Result<Session> {
    codec::read_to_show(cx, place)
}

impl Format for Brainstorm {
    fn kind(&self) -> Kind {
        KIND
    }

    fn find(&self, cx: &Context<'_>) -> Result<Vec<Place>> {
        if cx.root != Root::Workspace {
            return Ok(Vec::new());
        }
        let dir = RelPath::new(DIR)?;
        let entries = cx.files.list(&dir)?.into_iter();
        let files = entries.filter(|entry| entry.kind != FileKind::Dir);
        Ok(files
            .filter_map(|entry| place_in(&dir, &entry.name))
            .collect())
    }

    fn at_path(&self, cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
        let dir = RelPath::new(DIR)?;
        let place = path.below(&dir).filter(|name| !name.contains('/'));
        let Some(place) = place.and_then(|name| place_in(&dir, name)) else {
            return Ok(None);
        };
        let is_there = cx.files.stat(&place.path)?.is_some();
        Ok(is_there.then_some(place))
    }

    fn card(&self, cx: &Context<'_>, place: &Place) -> Result<Card> {
        summary::card(cx, place)
    }

    fn check(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
        Ok(match codec::read(cx, place)? {
            codec::Read::Session(reading) => checks::problems(cx, place, &reading),
            codec::Read::Broken(problem) => vec![problem],
        })
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
        entries::entries(cx, place, sink)
    }

    fn brief(&self, cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
        summary::brief(cx, place, budget)
    }

    /// A session in progress is come back to as it is; a finished one only when that is forced, and then it is in
    /// progress again.
    fn resume(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &ResumeOptions,
    ) -> Result<Plan<Resumed>> {
        let reopened = launch::reopen(cx, place, options.force)?;
        Ok(Plan {
            changes: reopened.changes,
            unit: reopened.unit,
            outcome: Resumed::default(),
        })
    }

    /// A brainstorm is stopped by saving it. A summary given becomes the question to come back to.
    fn stop(
        &self,
        cx: &Context<'_>,
        place: &Place,
        summary: Option<&str>,
    ) -> Result<Plan<Stopped>> {
        codec::change(cx, place, |session| {
            if let Some(summary) = summary.map(str::trim).filter(|text| !text.is_empty()) {
                session.last_question = Some(summary.to_owned());
            }
            let title = summary::title(session.slug.as_deref().unwrap_or(place.id.as_str()));
            let at = format!(
                "iteration {}, EMS {}, {}",
                session.iteration(),
                session.ems(),
                session.phase()
            );
            let summary = match session.last_question.as_deref() {
                Some(question) if !question.is_empty() => {
                    format!("{at}; last question: {question}")
                }
                _ => at,
            };
            Ok(Stopped { title, summary })
        })
    }

    fn migrate(&self, cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Migration>>> {
        let codec::Read::Session(reading) = codec::read(cx, place)? else {
            return Ok(None);
        };
        if reading.age != codec::Age::Old {
            return Ok(None);
        }
        let change = reading.write(cx, place, &reading.current(), Vec::new())?;
        let from = reading.version.clone().unwrap_or_else(|| "1.0".to_owned());
        let migration = Migration {
            steps: migrate::steps(&from, &reading.session),
            to: VERSION.to_owned(),
            from,
        };
        Ok(Some(Plan::in_order(
            change.into_iter().collect(),
            migration,
        )))
    }

    fn clean(&self, cx: &Context<'_>) -> Result<Plan<Vec<Removal>>> {
        clean::clean(cx, &self.find(cx)?)
    }

    fn lock_name(&self, _place: &Place) -> String {
        LOCK.to_owned()
    }

    fn clean_lock(&self) -> String {
        LOCK.to_owned()
    }
}

fn place_in(dir: &RelPath, name: &str) -> Option<Place> {
    let stem = name.strip_suffix(".yaml")?;
    Some(Place {
        kind: KIND,
        root: Root::Workspace,
        id: SessionId::new(stem).ok()?,
        path: dir.join_name(name).ok()?,
    })
}
