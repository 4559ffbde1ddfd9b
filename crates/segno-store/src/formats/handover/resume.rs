//! Coming back: the nine points in their order, from the files as they are now.
//!
//! Everything is read; only `SESSION_START` is written. A file that is missing or cannot be read is said to be so, and
//! the others are shown.

use super::buffer::{self, Knowledge};
use super::decide::append;
use super::decision::{Decision, DecisionType, NewDecision};
use super::document::{self, Handed};
use super::layout::Layout;
use super::log::{self, End};
use super::pipeline::Pipeline;
use super::role::Lead;
use super::verdicts::{self, Review};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::session::Problem;

/// What made the session come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// A new session of the agent.
    Startup,
    /// The agent's conversation was compacted.
    Compact,
    /// The user asked for it.
    Handover,
}

impl Trigger {
    /// All triggers.
    pub const ALL: [Self; 3] = [Self::Startup, Self::Compact, Self::Handover];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Compact => "compact",
            Self::Handover => "handover",
        }
    }
}

impl std::str::FromStr for Trigger {
    type Err = UnknownTrigger;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownTrigger> {
        let found = Self::ALL.into_iter().find(|trigger| trigger.name() == text);
        found.ok_or(UnknownTrigger)
    }
}

/// The text names no trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a trigger: it is one of startup, compact, handover")]
pub struct UnknownTrigger;

/// What a returning Lead is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// True when there is no `session.md`: nothing was handed over.
    pub first: bool,
    /// What was handed over.
    pub handed: Option<Handed>,
    /// Reviews that track something.
    pub reviews: Vec<Review>,
    /// The last decisions, oldest first.
    pub decisions: Vec<Decision>,
    /// Knowledge that waits for the end of the wave.
    pub knowledge: Vec<Knowledge>,
    /// What might become a skill.
    pub skills: Vec<String>,
    /// The pipeline, when a roadmap is active.
    pub pipeline: Option<Pipeline>,
    /// What was found wrong on the way.
    pub problems: Vec<Problem>,
}

impl State {
    /// Reads everything. Points 1 to 6.
    pub fn read(cx: &Context<'_>, layout: &Layout) -> Result<Self> {
        Ok(Self::read_with_end(cx, layout)?.0)
    }

    /// Reads everything, and where the log ends.
    fn read_with_end(cx: &Context<'_>, layout: &Layout) -> Result<(Self, End)> {
        let mut problems = Vec::new();
        let first = cx.files.stat(&layout.session)?.is_none();
        let loaded = document::read_handed(cx, &layout.session, &mut problems)?;
        let handed = loaded.map(|loaded| Handed::read(&loaded.doc));
        let reviews = verdicts::active(cx, layout, &mut problems)?;
        let count = usize::try_from(cx.settings.handover.recent_decisions).unwrap_or(usize::MAX);
        let (decisions, end) = log::recent(cx.files, &layout.decisions, count)?;
        problems.extend(end.problems.iter().cloned());
        let buffer = document::read(cx, &layout.buffer, &mut problems)?;
        let pipeline = Pipeline::scan(cx, layout)?;
        if let Some(pipeline) = &pipeline {
            problems.extend(pipeline.problems.iter().cloned());
        }
        let state = Self {
            first,
            handed,
            reviews,
            decisions,
            knowledge: buffer
                .as_ref()
                .map_or_else(Vec::new, |loaded| buffer::pending(&loaded.doc)),
            skills: buffer.map_or_else(Vec::new, |loaded| buffer::candidates(&loaded.doc)),
            pipeline,
            problems,
        };
        Ok((state, end))
    }

    /// What to do next; `None` in a first session.
    pub fn next(&self) -> Option<&str> {
        self.handed.as_ref()?.next.as_deref()
    }
}

/// A session that has been come back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Back {
    /// What was found.
    pub state: State,
    /// Why.
    pub trigger: Trigger,
    /// The number of `SESSION_START`; `None` when the log could not be added to, which is among the problems.
    pub started: Option<u64>,
    /// True when the Lead waits for the user: in a first session, after a compaction, and when nothing is next.
    pub wait: bool,
}

/// Comes back: reads everything and records the beginning of the session.
pub fn resume(
    cx: &Context<'_>,
    place: &Place,
    _lead: Lead,
    trigger: Trigger,
) -> Result<Plan<Back>> {
    let layout = Layout::of(place)?;
    let (mut state, end) = State::read_with_end(cx, &layout)?;
    let entry = session_start(&state, trigger);
    let appended = append(cx, &layout, end, &[entry]);
    let (changes, started) = match appended {
        Ok((changes, recorded)) => (changes, recorded.seqs.first().copied()),
        // The log is somebody's to repair; coming back does not depend on it.
        Err(StoreError::Damaged { problems, .. }) => {
            let new = problems
                .into_iter()
                .filter(|problem| !state.problems.contains(problem));
            let new: Vec<Problem> = new.collect();
            state.problems.extend(new);
            (Vec::new(), None)
        }
        Err(error) => return Err(error),
    };
    let wait = state.first || trigger == Trigger::Compact || state.next().is_none();
    let back = Back {
        state,
        trigger,
        started,
        wait,
    };
    Ok(Plan::all_or_none(changes, back))
}

fn session_start(state: &State, trigger: Trigger) -> NewDecision {
    let summary = if state.first {
        "First session"
    } else {
        "Resume session"
    };
    let mut entry = NewDecision::new(DecisionType::SessionStart, summary);
    let goal = state
        .handed
        .as_ref()
        .and_then(|handed| handed.goal.as_deref());
    let goal = goal
        .map(|goal| format!("; goal: {goal}"))
        .unwrap_or_default();
    entry.context = Some(format!("Trigger: {}{goal}", trigger.name()));
    entry
}
