//! Asking and answering: iterations, phases, personas, energy, save points.

use super::codec::change;
use super::ems::{Axes, Axis};
use super::rewind;
use super::schema::{
    Iteration, Persona, Phase, ProgressiveState, Session, SessionStatus, Source, TransitionSummary,
};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;

/// More questions than this in one iteration tire the user: a warning, not a refusal.
pub const MANY_QUESTIONS: usize = 3;
/// More iterations than this are unusual: a warning, not a refusal.
pub const MANY_ITERATIONS: i64 = 10;
/// An idea of this score counts as validated.
pub(super) const VALIDATED: i64 = 7;

/// The next iteration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ask {
    /// What is asked.
    pub questions: Vec<String>,
    /// The score, where it is given.
    pub ems: Option<i64>,
    /// The axes that were measured; the others stay as last known.
    pub axes: Vec<(Axis, i64)>,
    /// The phase, where it changes.
    pub phase: Option<Phase>,
}

/// What asking did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The new iteration.
    pub iteration: i64,
    /// Its score.
    pub ems: i64,
    /// The change of score.
    pub delta: i64,
    /// The phase before and after, where it changed: a save point.
    pub phase_change: Option<(Phase, Phase)>,
    /// The branch that holds the iterations this one took the place of.
    pub branch: Option<i64>,
    /// How many questions were asked.
    pub questions: usize,
}

/// Begins the next iteration.
pub fn ask(cx: &Context<'_>, place: &Place, ask: &Ask) -> Result<Plan<Asked>> {
    let questions = texts(&ask.questions, Said::Question)?;
    change(cx, place, |session| {
        in_progress(session)?;
        let (ems, axes) = score(session, ask)?;
        let branch = rewind::set_aside_later(session, cx.now)?;
        let iteration = session.iteration() + 1;
        let is_first = session.history.is_empty() && session.iteration() == 0;
        let delta = if is_first { 0 } else { ems - session.ems() };
        let phase_change = set_phase(session, ask.phase.unwrap_or(session.phase()));
        session.last_question = questions.last().cloned();
        session.history.push(Iteration {
            iteration: Some(iteration),
            phase: Some(session.phase()),
            ems: Some(ems),
            ems_delta: Some(delta),
            axes,
            questions: questions.clone(),
            timestamp: Some(cx.now.utc_seconds()),
            ..Iteration::default()
        });
        session.iteration = Some(iteration);
        session.ems = Some(ems);
        Ok(Asked {
            iteration,
            ems,
            delta,
            phase_change,
            branch,
            questions: questions.len(),
        })
    })
}

/// The score given, or computed from the axes given and those known before; the last one when neither is given.
fn score(session: &Session, ask: &Ask) -> Result<(i64, Option<Axes>)> {
    let in_range = |what: &str, score: i64| {
        if (0..=100).contains(&score) {
            return Ok(());
        }
        let what = phrase!(
            "brainstorm-rule-score",
            "{what} is {score}",
            what = what,
            score = score
        );
        let hint = phrase!(
            "brainstorm-rule-score-hint",
            "a score is a whole number from 0 to 100"
        );
        Err(StoreError::from(Refusal::input(what).hint(hint)))
    };
    if ask.axes.is_empty() {
        let ems = ask.ems.unwrap_or(session.ems());
        return in_range("EMS", ems).map(|()| (ems, None));
    }
    if ask.ems.is_some() {
        let what = phrase!(
            "brainstorm-rule-both-scores",
            "both the EMS and axes are given"
        );
        let hint = phrase!(
            "brainstorm-rule-both-scores-hint",
            "give `--ems`, or the axes it is computed from"
        );
        return Err(Refusal::input(what).hint(hint).into());
    }
    let mut axes = session.axes().cloned().unwrap_or_default();
    for (axis, score) in &ask.axes {
        in_range(axis.name(), *score)?;
        axes.set(*axis, *score);
    }
    let Some(ems) = axes.ems() else {
        let missing: Vec<String> = axes
            .missing()
            .into_iter()
            .map(|a| a.name().to_lowercase())
            .collect();
        let what = phrase!(
            "brainstorm-rule-axes",
            "the EMS needs all five axes; unknown so far: {names}",
            names = missing.join(", ")
        );
        let flags: Vec<String> = missing
            .iter()
            .map(|name| format!("--axis {name}=N"))
            .collect();
        let hint = phrase!(
            "brainstorm-rule-axes-hint",
            "add {flags}",
            flags = flags.join(" ")
        );
        return Err(Refusal::input(what).hint(hint).into());
    };
    Ok((ems, Some(axes)))
}

/// What answering did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The iteration.
    pub iteration: i64,
    /// Questions that still have no answer.
    pub open: Vec<String>,
}

/// Answers the current questions, in their order.
pub fn answer(cx: &Context<'_>, place: &Place, responses: &[String]) -> Result<Plan<Answered>> {
    let responses = texts(responses, Said::Response)?;
    change(cx, place, |session| {
        in_progress(session)?;
        let iteration = session.iteration();
        let slug = session.slug.clone().unwrap_or_default();
        let Some(entry) = session.current_mut() else {
            let none = phrase!("brainstorm-rule-not-asked", "nothing has been asked yet");
            let hint = phrase!(
                "brainstorm-rule-not-asked-hint",
                "ask first: `segno brainstorm ask {slug} --question ...`",
                slug = slug
            );
            return Err(Refusal::rule(none).hint(hint).into());
        };
        let open = entry.questions.len().saturating_sub(entry.responses.len());
        if responses.len() > open {
            let many = phrase!(
                "brainstorm-rule-answers",
                "answers given: {given}, questions open: {open}",
                given = responses.len(),
                open = open
            );
            let hint = phrase!(
                "brainstorm-rule-answers-hint",
                "one `--response` for each open question, in their order"
            );
            return Err(Refusal::rule(many).hint(hint).into());
        }
        entry.responses.extend(responses);
        let open = entry
            .questions
            .get(entry.responses.len()..)
            .unwrap_or_default();
        Ok(Answered {
            iteration,
            open: open.to_vec(),
        })
    })
}

/// Changes the phase: a save point. The outcome is the phase before.
pub fn phase(cx: &Context<'_>, place: &Place, phase: Phase) -> Result<Plan<Phase>> {
    change(cx, place, |session| {
        in_progress(session)?;
        let before = session.phase();
        set_phase(session, phase);
        Ok(before)
    })
}

/// Changes who leads. The outcome is who led before.
pub fn persona(cx: &Context<'_>, place: &Place, persona: Persona) -> Result<Plan<Option<String>>> {
    change(cx, place, |session| {
        in_progress(session)?;
        Ok(session.persona.replace(persona.name().to_owned()))
    })
}

/// What the user wants after an energy check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Energy {
    /// Go on.
    Continue,
    /// Pause; everything is saved.
    Pause,
    /// Speed up: converge.
    Accelerate,
    /// Take another direction.
    Pivot,
}

impl Energy {
    /// Its number in the menu and in the file.
    pub const fn number(self) -> i64 {
        match self {
            Self::Continue => 1,
            Self::Pause => 2,
            Self::Accelerate => 3,
            Self::Pivot => 4,
        }
    }
}

/// Records an energy check: a save point. The outcome is the score and the phase afterwards.
pub fn energy(cx: &Context<'_>, place: &Place, energy: Energy) -> Result<Plan<(i64, Phase)>> {
    change(cx, place, |session| {
        in_progress(session)?;
        if let Some(entry) = session.current_mut() {
            entry.energy_check = Some(true);
            entry.user_choice = Some(energy.number());
        }
        if energy == Energy::Accelerate {
            set_phase(session, Phase::Convergent);
        }
        Ok((session.ems(), session.phase()))
    })
}

/// An explicit save. Everything is durable already: only the time is new.
pub fn save(cx: &Context<'_>, place: &Place) -> Result<Plan<Session>> {
    change(cx, place, |session| Ok(session.clone()))
}

/// Sets the phase and keeps the state of progressive sessions in step.
pub(super) fn set_phase(session: &mut Session, phase: Phase) -> Option<(Phase, Phase)> {
    let before = session.phase();
    session.phase = Some(phase);
    if before == phase {
        return None;
    }
    if session.progressive_state.is_some() || session.technique_mode == Some(Source::Progressive) {
        let ideas = session.ideas.iter();
        let validated = ideas
            .filter(|idea| idea.score.is_some_and(|score| score >= VALIDATED))
            .count();
        let rest = session.ideas.len() - validated;
        let state = session
            .progressive_state
            .get_or_insert_with(ProgressiveState::default);
        state.divergent_completed = Some(phase != Phase::Divergent);
        state.transition_completed = Some(phase == Phase::Convergent);
        if before == Phase::Divergent {
            let summary = state
                .transition_summary
                .get_or_insert_with(TransitionSummary::default);
            summary.validated_ideas = i64::try_from(validated).ok();
            summary.ideas_to_deepen = i64::try_from(rest).ok();
        }
    }
    Some((before, phase))
}

/// Refuses to work on a session that is not in progress.
pub(super) fn in_progress(session: &Session) -> Result<()> {
    let slug = session.slug.as_deref().unwrap_or_default();
    match session.status() {
        SessionStatus::InProgress => Ok(()),
        status => Err(Refusal::rule(phrase!(
            "brainstorm-rule-over",
            "`{slug}` is {status}: only a session in progress can be worked on",
            slug = slug,
            status = status
        ))
        .hint(phrase!(
            "brainstorm-rule-over-new",
            "begin anew with `segno brainstorm start {slug} --new`; this one is kept",
            slug = slug
        ))
        .hint(phrase!(
            "brainstorm-rule-over-reopen",
            "or take it up again with `segno brainstorm start {slug} --resume --force`",
            slug = slug
        ))
        .into()),
    }
}

/// What somebody says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Said {
    Question,
    Response,
    Idea,
}

impl Said {
    fn none(self) -> Refusal {
        let (what, hint) = match self {
            Self::Question => (
                phrase!("brainstorm-rule-no-question", "no question was given"),
                phrase!(
                    "brainstorm-rule-no-question-hint",
                    "give at least one with `--question`"
                ),
            ),
            Self::Response => (
                phrase!("brainstorm-rule-no-response", "no response was given"),
                phrase!(
                    "brainstorm-rule-no-response-hint",
                    "give at least one with `--response`"
                ),
            ),
            Self::Idea => return self.empty(),
        };
        Refusal::input(what).hint(hint)
    }

    fn empty(self) -> Refusal {
        let what = match self {
            Self::Question => phrase!("brainstorm-rule-empty-question", "a question is empty"),
            Self::Response => phrase!("brainstorm-rule-empty-response", "a response is empty"),
            Self::Idea => phrase!("brainstorm-rule-empty-idea", "the idea is empty"),
        };
        Refusal::input(what).hint(phrase!(
            "brainstorm-rule-empty-hint",
            "say something in every one of them"
        ))
    }
}

/// Texts that say something; none is an error, and so is an empty one.
pub(super) fn texts(given: &[String], what: Said) -> Result<Vec<String>> {
    if given.is_empty() {
        return Err(what.none().into());
    }
    given.iter().map(|text| one_text(text, what)).collect()
}

/// A text that says something.
pub(super) fn one_text(given: &str, what: Said) -> Result<String> {
    let text = given.trim();
    if text.is_empty() {
        return Err(what.empty().into());
    }
    Ok(text.to_owned())
}
