//! `revise`: a stage is gone back to, and what rests on it is flagged, archived or begun anew, all in one commit.

use std::collections::BTreeSet;

use super::argument::require_section;
use super::artifact::{Draft, Outline, Thesis, with_approval};
use super::diff::{DiffLine, diff};
use super::downstream::{Consequence, Downstream};
use super::impact::{Judged, Why, judge};
use super::load::{Session, read_text, touch};
use super::names::{self, DRAFT, OUTLINE, THESIS};
use super::position::anchor;
use super::retake::Retake;
use super::schema::{Impact, RunStatus, Stage};
use super::state::{Revision, State};
use super::store_artifact::{Keep, missing, no_stage, require_text, store};
use super::thesis::sections_of;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;

/// A revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviseInput {
    /// The stage that is gone back to.
    pub stage: u64,
    /// Its new artifact.
    pub text: String,
    /// What the user says it touches; the proposal when not given.
    pub impact: Option<Impact>,
    /// For stage 3 the section; for a moderate impact the sections that it touches.
    pub sections: Vec<u64>,
    /// Why.
    pub reason: String,
}

/// What a revision does: shown before, confirmed, then done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revised {
    /// The stage.
    pub stage: u64,
    /// What the difference suggests.
    pub proposed: Impact,
    /// Why.
    pub why: Why,
    /// What is done.
    pub impact: Impact,
    /// The difference between the old and the new artifact.
    pub diff: Vec<DiffLine>,
    /// The old version of the revised artifact.
    pub own_version: Option<String>,
    /// What is archived of later stages: file and archived name.
    pub archived: Vec<(String, String)>,
    /// What is flagged for review, or begun anew.
    pub consequences: Vec<Consequence>,
    /// Where the session stands afterwards.
    pub anchor: String,
}

/// Says what a revision would do. Writes nothing.
pub fn assess(cx: &Context<'_>, place: &Place, input: &ReviseInput) -> Result<Revised> {
    Ok(revise(cx, place, input)?.outcome)
}

/// Revises a stage: state and archived files change together or not at all.
pub fn revise(cx: &Context<'_>, place: &Place, input: &ReviseInput) -> Result<Plan<Revised>> {
    let session = Session::open(cx, place)?;
    if session.state.status == Some(RunStatus::Abandoned) {
        session.require_open()?;
    }
    let stage = Stage::of(input.stage).ok_or_else(|| no_stage(input.stage))?;
    require_text(
        &input.text,
        phrase!("essay-empty-artifact", "the new artifact is empty"),
    )?;
    require_reason(&input.reason)?;
    for section in &input.sections {
        require_section(&session, *section)?;
    }
    let target = Target::of(cx, &session, stage, input)?;
    let new = target.complete(&session, input, &cx.now.utc_seconds())?;
    if new == target.old {
        return Err(missing(
            phrase!(
                "essay-same-artifact",
                "the new artifact is the same as the present one"
            ),
            phrase!("essay-same-artifact-hint", "nothing needs to be revised"),
        ));
    }
    let judged = judge(stage, target.section, &target.old, &new);
    let impact = input.impact.unwrap_or(judged.impact);
    let touched = touched(&session.state, stage, impact, input, &judged);
    let stored = store(
        cx,
        &session,
        target.raw.as_deref(),
        &target.name,
        &new,
        Keep::Archive,
    )?;

    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    let mut work = Downstream::new(cx, &session, after, stored.change);
    match impact {
        Impact::Minor => work.minor(stage, target.section),
        Impact::Moderate => work.moderate(stage, &touched)?,
        Impact::Major => work.major(stage)?,
    }
    let mut retake = Retake {
        cx,
        session: &session,
        state: &mut work.after,
        changes: &mut work.changes,
    };
    retake.stage(stage, target.section, &new, stored.path, impact)?;
    retake.position(stage, impact);
    work.after.revisions.push(Revision {
        stage: Some(stage.number()),
        impact: Some(impact),
        reason: Some(input.reason.trim().to_owned()),
        archived: work.archived.iter().map(|(_, to)| to.clone()).collect(),
        timestamp: Some(cx.now.utc_seconds()),
        ..Revision::default()
    });
    let revised = Revised {
        stage: stage.number(),
        proposed: judged.impact,
        why: judged.why,
        impact,
        diff: diff(&target.old, &new),
        own_version: stored.archived,
        archived: work.archived,
        consequences: work.consequences,
        anchor: anchor(&work.after),
    };
    // Crash: archived files, the new artifact and the state are one unit: all of it or none.
    session.save(&work.after, work.changes, revised)
}

fn require_reason(reason: &str) -> Result<()> {
    if reason.trim().is_empty() {
        let what = phrase!("essay-empty-reason", "the reason is empty");
        let hint = phrase!(
            "essay-empty-reason-hint",
            "say in a few words why the stage is revised"
        );
        return Err(Refusal::input(what).hint(hint).into());
    }
    Ok(())
}

/// The sections that a moderate revision touches: those the user names, else those that the difference shows.
fn touched(
    state: &State,
    stage: Stage,
    impact: Impact,
    input: &ReviseInput,
    judged: &Judged,
) -> BTreeSet<u64> {
    let named = !input.sections.is_empty() && stage != Stage::Arguments;
    let mut sections: BTreeSet<u64> = if named {
        input.sections.iter().copied().collect()
    } else {
        judged.sections.iter().copied().collect()
    };
    if stage == Stage::Outline {
        // A section that the new outline does not have cannot keep its arguments, whatever the user says.
        let total = Outline::read(&input.text).sections.len() as u64;
        let beyond = state.arguments.sections.iter().filter_map(|row| row.index);
        sections.extend(beyond.filter(|index| *index > total));
        if sections.is_empty() && impact == Impact::Moderate {
            sections.extend(1..=state.total_sections().unwrap_or(0));
        }
    }
    sections
}

/// The artifact that is revised.
struct Target {
    stage: Stage,
    section: Option<u64>,
    raw: Option<String>,
    name: String,
    old: String,
}

impl Target {
    fn of(cx: &Context<'_>, session: &Session, stage: Stage, input: &ReviseInput) -> Result<Self> {
        let state = &session.state;
        let (section, raw, name) = match stage {
            Stage::Thesis => (None, state.thesis.file.clone(), THESIS.to_owned()),
            Stage::Outline => (None, state.outline.file.clone(), OUTLINE.to_owned()),
            Stage::Writing => (None, state.writing.draft.clone(), DRAFT.to_owned()),
            Stage::Arguments => {
                let [section] = input.sections.as_slice() else {
                    let what = phrase!(
                        "essay-one-section",
                        "stage 3 is revised one section at a time"
                    );
                    let hint = phrase!("essay-one-section-hint", "give `--section N`");
                    return Err(Refusal::input(what).hint(hint).into());
                };
                let raw = state.argument(*section).and_then(|row| row.file.clone());
                (Some(*section), raw, names::argument_map(*section))
            }
        };
        let path = session.artifact(raw.as_deref(), &name)?;
        let Some((old, _)) = read_text(cx.files, &path)? else {
            return Err(missing(
                phrase!(
                    "essay-nothing-to-revise",
                    "there is no `{name}` to revise",
                    name = path.name()
                ),
                phrase!(
                    "essay-status-shows",
                    "`segno essay status {id}` shows what is there",
                    id = &session.place.id
                ),
            ));
        };
        Ok(Self {
            stage,
            section,
            raw,
            name,
            old,
        })
    }

    /// The new artifact as it is written: checked, and with the approval that the revision is.
    fn complete(&self, session: &Session, input: &ReviseInput, now: &str) -> Result<String> {
        match self.stage {
            Stage::Thesis => {
                let claim = Thesis::read(&input.text)
                    .claim_type
                    .or(session.state.thesis.claim_type);
                let claim = claim.ok_or_else(|| {
                    let what = phrase!(
                        "essay-no-claim-type",
                        "the thesis does not say what sort of claim it makes"
                    );
                    let hint = phrase!("essay-add-claim-type", "add `## Claim Type` to it");
                    StoreError::from(Refusal::input(what).hint(hint))
                })?;
                Thesis::complete(&input.text, claim, now)
            }
            Stage::Outline => {
                sections_of(&input.text)?;
                with_approval(&input.text, now)
            }
            Stage::Arguments => with_approval(&input.text, now),
            Stage::Writing => {
                if Draft::read(&input.text).sections.is_empty() {
                    let what = phrase!("essay-draft-bare", "the draft has no sections");
                    let hint = phrase!(
                        "essay-draft-bare-hint",
                        "give each section a heading `## Title`"
                    );
                    return Err(Refusal::input(what).hint(hint).into());
                }
                Ok(input.text.clone())
            }
        }
    }
}
