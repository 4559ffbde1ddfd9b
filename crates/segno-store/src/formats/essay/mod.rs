//! Essays: a four-stage writing pipeline whose state can be recovered from its backup, from its artifacts, or by hand.
//!
//! Truth: `essay-pipeline-{YYYYMMDD-HHMMSS}/session-state.yaml` and the artifacts beside it. The commit point of every
//! operation is the state's rename, or the journal's where artifacts change with it, so that the two never disagree.
//! `formats/essay/FORMAT.md` describes the bytes.

mod argument;
mod artifact;
mod begin;
mod brief;
mod claim;
mod codec;
mod diff;
mod downstream;
mod entries;
mod evidence;
mod find;
mod finish;
mod history;
mod impact;
mod layout;
mod load;
mod names;
mod note;
mod overview;
mod paragraph;
mod paragraph_log;
mod pause;
mod position;
mod problem;
mod reconcile;
mod recover;
mod relocate;
mod retake;
mod review;
mod revise;
mod schema;
mod state;
mod store_artifact;
mod template;
mod thesis;
mod validate;
mod voice;

use std::ops::ControlFlow;

use segno_disk::{Access, Change, RelPath};

use super::{
    Context, Format, Notice, Place, Plan, RecoverOptions, Recovery, Removal, ResumeOptions,
    Resumed, Stopped,
};
use crate::error::Result;
use crate::session::{Brief, Card, Entry, Kind, Problem, Status};

pub use argument::{ArgumentInput, approve, argument};
pub use begin::{NEW_LOCK, NewEssay, begin};
pub use claim::{DeferInput, OverrideInput, ResolveInput, defer, override_claim, resolve};
pub use diff::{DiffKind, DiffLine};
pub use downstream::Consequence;
pub use finish::{FinishInput, Finished, finish};
pub use history::{History, Version, Versions, compare, history};
pub use impact::Why;
pub use note::{Note, VoiceAction};
pub use overview::{Detail, Overview, SectionView, StageView, essay_so_far, overview};
pub use paragraph::{ParagraphInput, paragraph, section_done};
pub use pause::{abandon, pause};
pub use position::Step;
pub use problem::*;
pub use relocate::{copy_in, set_aside};
pub use review::review;
pub use revise::{ReviseInput, Revised, assess, revise};
pub use schema::{
    Audience, ClaimType, Impact, Progress, Pushback, RunStatus, Score, Stage, VoiceMode,
};
pub use state::Revision;
pub use thesis::{ThesisInput, outline, thesis};
pub use voice::{VoiceInput, voice};

/// The format.
pub struct Essay;

/// Days after which an abandoned essay may go to the trash when the user cleans up.
const KEEP_ABANDONED_DAYS: u64 = 7;

impl Format for Essay {
    fn kind(&self) -> Kind {
        Kind::Essay
    }

    fn find(&self, cx: &Context<'_>) -> Result<Vec<Place>> {
        find::find(cx)
    }

    fn find_exact(&self, cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
        find::find_exact(cx, id)
    }

    fn at_path(&self, cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
        find::at_path(cx, path)
    }

    fn card(&self, cx: &Context<'_>, place: &Place) -> Result<Card> {
        brief::card(cx, place)
    }

    fn check(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
        let session = match load::Session::try_open(cx, place)? {
            Ok(session) => session,
            Err(problems) => return recover::unreadable(cx, place, problems),
        };
        let evidence = evidence::gather(cx, session.dir(), &session.state, &session.files)?;
        let subject = validate::Subject {
            cx,
            dir: session.dir(),
            state: &session.state,
            files: &session.files,
        };
        let mut problems = session.problems.clone();
        problems.extend(subject.table());
        problems.extend(subject.against(&evidence));
        Ok(problems)
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
        brief::brief(cx, place, budget)
    }

    fn resume(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &ResumeOptions,
    ) -> Result<Plan<Resumed>> {
        pause::resume(cx, place, options)
    }

    fn stop(
        &self,
        cx: &Context<'_>,
        place: &Place,
        _summary: Option<&str>,
    ) -> Result<Plan<Stopped>> {
        pause::pause(cx, place)
    }

    fn due(&self, cx: &Context<'_>, card: &Card) -> Option<jiff::Timestamp> {
        pause::due(cx, card)
    }

    fn on_access(&self, cx: &Context<'_>, place: &Place) -> Result<Option<Plan<Notice>>> {
        pause::on_access(cx, place)
    }

    fn reminds_of_paused(&self) -> bool {
        true
    }

    /// Only what was abandoned, and not lately: an essay that merely rests is never put away.
    fn clean(&self, cx: &Context<'_>) -> Result<Plan<Vec<Removal>>> {
        let mut changes = Vec::new();
        let mut removed = Vec::new();
        for place in self.find(cx)? {
            let card = self.card(cx, &place)?;
            let idle = card
                .last_active
                .as_ref()
                .map_or(0, |last| cx.now.days_since(last));
            if card.status != Status::Abandoned || idle < KEEP_ABANDONED_DAYS {
                continue;
            }
            let to = RelPath::new(&format!(
                "{}/trash/essay/{}",
                crate::workspace::OWN_DIR,
                place.id
            ))?;
            if cx.files.stat(&to)?.is_some() {
                continue;
            }
            removed.push(Removal {
                session: card.reference(),
                from: place.path.clone(),
                to: Some(to.clone()),
            });
            changes.push(Change::Move {
                from: place.path,
                to,
                access: Access::Private,
            });
        }
        Ok(Plan::in_order(changes, removed))
    }
}
