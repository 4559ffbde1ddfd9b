//! `status`: the full state, and where in it you are.

use std::fmt;

use super::evidence;
use super::load::{Session, read_text};
use super::position::{anchor, next};
use super::schema::{Audience, ClaimType, Progress, RunStatus, Score, Stage};
use super::state::{ArgumentSection, State, WritingSection};
use crate::error::Result;
use crate::formats::{Context, Place};
use crate::phrase;

/// The full state of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// The line that every answer of the pipeline begins with.
    pub anchor: String,
    /// Where the session as a whole stands.
    pub status: Option<RunStatus>,
    /// The stages and their sections.
    pub stages: Vec<StageView>,
    /// Claims that wait for a verification: number in the list and text.
    pub open_claims: Vec<(u64, String)>,
    /// Claims kept against the fact checker.
    pub overrides: Vec<String>,
    /// Words written so far.
    pub words: u64,
    /// Words wanted.
    pub target_words: Option<u64>,
    /// The command that comes next.
    pub next: String,
}

/// One stage.
#[derive(Debug, Clone, PartialEq)]
pub struct StageView {
    /// Its number.
    pub number: u64,
    /// Its name for people.
    pub title: &'static str,
    /// Where it stands.
    pub status: Progress,
    /// True for the stage being worked on.
    pub here: bool,
    /// What it holds, a line each.
    pub lines: Vec<SectionView>,
}

/// One line of a stage.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionView {
    /// What it says.
    pub detail: Detail,
    /// True for the section being worked on.
    pub here: bool,
}

/// What one line of a stage says.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// The claim type of the thesis.
    ClaimType(ClaimType),
    /// What the outline plans.
    Plan {
        /// How many sections.
        sections: Option<u64>,
        /// For whom.
        audience: Option<Audience>,
    },
    /// The arguments of a section.
    Argued {
        /// Its number.
        section: u64,
        /// Its title, where the outline gives one.
        title: Option<String>,
        /// Where it stands.
        status: Progress,
        /// Claims that are verified.
        verified: u64,
        /// Claims that wait.
        deferred: u64,
    },
    /// The paragraphs of a section.
    Written {
        /// Its number.
        section: u64,
        /// Its title, where the outline gives one.
        title: Option<String>,
        /// How many paragraphs it has.
        paragraphs: u64,
        /// How many it is to have, where known.
        total: Option<u64>,
        /// How well it sounds like its author.
        voice: Option<Score>,
        /// True when it is flagged for review.
        needs_review: bool,
    },
}

impl fmt::Display for Detail {
    /// In English, for a brief.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |title: &Option<String>| {
            let title = title.as_deref().map(|title| format!(" ({title})"));
            title.unwrap_or_default()
        };
        match self {
            Self::ClaimType(claim) => write!(f, "Claim type: {claim}"),
            Self::Plan { sections, audience } => {
                let plural = |n: u64| if n == 1 { "" } else { "s" };
                let sections = sections.map(|n| format!("{n} section{}", plural(n)));
                let audience = audience.map(|audience| format!("audience {audience}"));
                let parts: Vec<String> = sections.into_iter().chain(audience).collect();
                f.write_str(&parts.join(", "))
            }
            Self::Argued {
                section,
                title,
                status,
                verified,
                deferred,
            } => {
                let (title, status) = (named(title), status.name().replace('_', " "));
                write!(
                    f,
                    "Section {section}{title}: {status}, {verified} verified, {deferred} deferred"
                )
            }
            Self::Written {
                section,
                title,
                paragraphs,
                total,
                voice,
                needs_review,
            } => {
                let total = total.map_or_else(|| "?".to_owned(), |total| total.to_string());
                let title = named(title);
                write!(
                    f,
                    "Section {section}{title}: {paragraphs}/{total} paragraphs approved"
                )?;
                if let Some(score) = voice {
                    write!(f, ", voice {score}/5")?;
                }
                f.write_str(if *needs_review { ", needs review" } else { "" })
            }
        }
    }
}

impl Overview {
    /// The view as English text, for a brief: a line per stage and section, with `<-- YOU ARE HERE`.
    pub fn lines(&self) -> Vec<String> {
        let mark = |here: bool| if here { "  <-- YOU ARE HERE" } else { "" };
        let mut lines = vec![self.anchor.clone(), String::new()];
        for stage in &self.stages {
            let inside = stage.lines.iter().any(|line| line.here);
            let status = stage.status.name().replace('_', " ").to_uppercase();
            lines.push(format!(
                "Stage {} - {}: {status}{}",
                stage.number,
                stage.title,
                mark(stage.here && !inside)
            ));
            for line in &stage.lines {
                lines.push(format!("  {}{}", line.detail, mark(line.here)));
            }
        }
        lines.push(String::new());
        let target = self
            .target_words
            .map(|words| format!(" of {words}"))
            .unwrap_or_default();
        lines.push(format!("Words so far: {}{target}", self.words));
        for (number, claim) in &self.open_claims {
            lines.push(format!("Claim {number} waits for a verification: {claim}"));
        }
        for claim in &self.overrides {
            lines.push(format!("Override: {claim}"));
        }
        lines.push(format!("Next: {}", self.next));
        lines
    }
}

/// The full state of a session.
pub fn overview(cx: &Context<'_>, place: &Place) -> Result<Overview> {
    let session = Session::open(cx, place)?;
    let evidence = evidence::gather(cx, session.dir(), &session.state, &session.files)?;
    let state = &session.state;
    let titles = evidence.titles();
    let title = |index: u64| {
        let found = titles.iter().find(|(number, _)| *number == index);
        found.map(|(_, title)| title.clone())
    };
    let current = state.current();
    let closed = matches!(state.status, Some(RunStatus::Completed));
    let stages = Stage::ALL.map(|stage| StageView {
        number: stage.number(),
        title: stage.title(),
        status: state.stage(stage),
        here: stage == current && !closed,
        lines: stage_lines(state, stage, current == stage && !closed, &title),
    });
    let claims = state.deferred.iter().zip(1..);
    let open_claims = claims
        .filter(|(claim, _)| claim.resolved != Some(true))
        .map(|(claim, number)| (number, claim.claim.clone().unwrap_or_default()));
    Ok(Overview {
        anchor: anchor(state),
        status: state.status,
        stages: stages.into(),
        open_claims: open_claims.collect(),
        overrides: state
            .overrides
            .iter()
            .filter_map(|known| known.claim.clone())
            .collect(),
        words: evidence
            .draft
            .as_ref()
            .map_or(0, |found| found.read.words()),
        target_words: state.outline.target_word_count,
        next: next(state, place.id.as_str()),
    })
}

fn stage_lines(
    state: &State,
    stage: Stage,
    here: bool,
    title: &dyn Fn(u64) -> Option<String>,
) -> Vec<SectionView> {
    let plain = |detail: Detail| SectionView {
        detail,
        here: false,
    };
    match stage {
        Stage::Thesis => {
            let claim = state.thesis.claim_type.map(Detail::ClaimType);
            claim.map(plain).into_iter().collect()
        }
        Stage::Outline => {
            let (sections, audience) = (state.outline.total_sections, state.outline.audience);
            let said = sections.is_some() || audience.is_some();
            let plan = said.then_some(Detail::Plan { sections, audience });
            plan.map(plain).into_iter().collect()
        }
        Stage::Arguments => {
            let line = |row: &ArgumentSection| SectionView {
                detail: Detail::Argued {
                    section: row.index.unwrap_or(0),
                    title: title(row.index.unwrap_or(0)),
                    status: row.status.unwrap_or(Progress::NotStarted),
                    verified: row.verified.unwrap_or(0),
                    deferred: row.deferred.unwrap_or(0),
                },
                here: here && state.arguments.current_section == row.index,
            };
            state.arguments.sections.iter().map(line).collect()
        }
        Stage::Writing => {
            let line = |row: &WritingSection| SectionView {
                detail: Detail::Written {
                    section: row.index.unwrap_or(0),
                    title: title(row.index.unwrap_or(0)),
                    paragraphs: row.completed.unwrap_or(0),
                    total: row.total,
                    voice: row.voice_score,
                    needs_review: row.status == Some(Progress::NeedsReview),
                },
                here: here && state.writing.current_section == row.index,
            };
            state.writing.sections.iter().map(line).collect()
        }
    }
}

/// The essay so far: the final essay when there is one, else the draft.
pub fn essay_so_far(cx: &Context<'_>, place: &Place) -> Result<String> {
    let session = Session::open(cx, place)?;
    let state = &session.state;
    let files = [
        (
            state
                .output
                .file
                .as_deref()
                .filter(|_| state.status == Some(RunStatus::Completed)),
            super::names::FINAL,
        ),
        (state.writing.draft.as_deref(), super::names::DRAFT),
    ];
    for (raw, name) in files {
        let Some(raw) = raw else { continue };
        let path = session.artifact(Some(raw), name)?;
        if let Some((text, _)) = read_text(cx.files, &path)? {
            return Ok(text);
        }
    }
    Err(super::store_artifact::missing(
        phrase!("essay-unwritten", "nothing is written yet"),
        phrase!(
            "essay-unwritten-hint",
            "next: `{command}`",
            command = next(state, place.id.as_str())
        ),
    ))
}
