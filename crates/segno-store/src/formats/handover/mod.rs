//! `handover`: what one working session passes to the next.
//!
//! Truth: `session.md` (a person's document), `decisions.md` (an append-only log) and `buffer.md` in the handover
//! directory, earlier documents in `sessions/`. The pipeline's state is never stored here: it is read from every
//! `spec.yaml` when somebody comes back. `formats/handover/FORMAT.md` says what lies on disk.
//!
//! There is one current handover per directory (id `current`); its archives are completed sessions by their date.

mod brief;
pub mod buffer;
mod check;
pub mod decide;
pub mod decision;
pub mod document;
pub mod draft;
pub mod flush;
mod layout;
pub mod log;
mod mark;
mod page;
pub mod pipeline;
pub mod polish;
pub mod problems;
mod regroup;
pub mod render;
pub mod resume;
pub mod role;
mod scan;
pub mod spec;
pub mod verdicts;

use std::ops::ControlFlow;

use segno_disk::RelPath;

use super::{
    Context, Format, Place, Plan, RecoverOptions, Recovery, ResumeOptions, Resumed, Stopped,
};
use crate::error::{Result, StoreError};
use crate::session::{Brief, Card, Entry, EntryKind, Kind, Problem};

pub use layout::{Layout, current};

/// The format of handovers.
#[derive(Debug)]
pub struct Handover;

impl Format for Handover {
    fn kind(&self) -> Kind {
        Kind::Handover
    }

    fn find(&self, cx: &Context<'_>) -> Result<Vec<Place>> {
        if cx.root == super::Root::Temporary {
            return Ok(Vec::new());
        }
        layout::find(cx)
    }

    fn at_path(&self, cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
        layout::at_path(cx, path)
    }

    fn card(&self, cx: &Context<'_>, place: &Place) -> Result<Card> {
        brief::card(cx, place)
    }

    fn check(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
        check::check(cx, place)
    }

    fn recover(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &RecoverOptions,
    ) -> Result<Plan<Recovery>> {
        check::recover(cx, place, options)
    }

    fn entries(
        &self,
        cx: &Context<'_>,
        place: &Place,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<()> {
        brief::entries(cx, place, sink)
    }

    /// What was learnt and kept for good belongs to the current handover.
    fn documents(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<(EntryKind, RelPath)>> {
        let files = layout::knowledge(cx, place)?.into_iter();
        Ok(files.map(|file| (EntryKind::Knowledge, file)).collect())
    }

    fn brief(&self, cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
        let mut brief = brief::brief(cx, place)?;
        if let Some(budget) = budget {
            // The oldest decisions come first, and give way first.
            while brief.tokens() > budget && brief.decisions.len() > 1 {
                brief.decisions.remove(0);
            }
            brief.fit(budget);
        }
        Ok(brief)
    }

    /// The current handover is come back to by the nine points. An archive is only read.
    fn resume(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &ResumeOptions,
    ) -> Result<Plan<Resumed>> {
        if !layout::is_current(place) {
            return Ok(Plan::nothing(Resumed::default()));
        }
        let lead = role::Lead::claim(&cx.settings.handover.role)?;
        let plan = resume::resume(cx, place, lead, resume::Trigger::Handover)?;
        let (text, left_out) = render::text(&plan.outcome, options.budget);
        Ok(Plan {
            changes: plan.changes,
            unit: plan.unit,
            outcome: Resumed {
                text: Some(text),
                left_out,
                ..Resumed::default()
            },
        })
    }

    /// Stopping the pipeline writes a draft.
    fn stop(
        &self,
        cx: &Context<'_>,
        place: &Place,
        summary: Option<&str>,
    ) -> Result<Plan<Stopped>> {
        if !layout::is_current(place) {
            return Err(StoreError::Unsupported {
                kind: Kind::Handover,
                operation: "be stopped once it is archived",
            });
        }
        let lead = role::Lead::claim(&cx.settings.handover.role)?;
        let input = draft::DraftInput {
            after: draft::After::Stop,
            next: None,
            done: summary.map(ToOwned::to_owned).into_iter().collect(),
            files: Vec::new(),
            goal: None,
            branch: None,
        };
        let plan = draft::draft(cx, place, lead, &input)?;
        let title = brief::card(cx, place)?.title;
        Ok(Plan {
            changes: plan.changes,
            unit: plan.unit,
            outcome: Stopped {
                title,
                summary: plan.outcome.next,
            },
        })
    }

    /// All files of a handover directory share one lock, archives included.
    fn lock_name(&self, place: &Place) -> String {
        let dir = Layout::of(place)
            .map(|layout| layout.dir)
            .unwrap_or_default();
        format!("handover-{}", dir.as_str().replace('/', "_"))
    }
}
