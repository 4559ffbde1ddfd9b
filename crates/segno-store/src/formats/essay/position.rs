//! Where a session stands, in the document's words.

use std::fmt::Write as _;

use super::note::Note;
use super::schema::{Progress, RunStatus, Stage};
use super::state::State;
use crate::formats::Place;

/// What a verb answers: the state anchor, and what else the user should know.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// `[Stage 3/4 - Argument Development - Section 2 of 5] in progress`
    pub anchor: String,
    /// What was done beyond what was asked, or should be looked at.
    pub notes: Vec<Note>,
    /// The command that comes next.
    pub next: String,
}

impl Step {
    pub(super) fn of(state: &State, place: &Place, notes: Vec<Note>) -> Self {
        Self {
            anchor: anchor(state),
            notes,
            next: next(state, place.id.as_str()),
        }
    }
}

/// `Stage 4, Section 1, Paragraph 3`
pub(super) fn position(state: &State) -> String {
    let stage = state.current();
    let mut text = format!("Stage {}", stage.number());
    let section = match stage {
        Stage::Arguments => state.arguments.current_section,
        Stage::Writing => state.writing.current_section,
        Stage::Thesis | Stage::Outline => None,
    };
    if let Some(section) = section {
        let _ = write!(text, ", Section {section}");
    }
    if stage == Stage::Writing
        && let Some(paragraph) = state.writing.current_paragraph
    {
        let _ = write!(text, ", Paragraph {paragraph}");
    }
    text
}

/// The line that every answer of the pipeline begins with.
pub(super) fn anchor(state: &State) -> String {
    let stage = state.current();
    let mut text = format!("[Stage {}/4 - {}", stage.number(), stage.title());
    match stage {
        Stage::Arguments => {
            if let Some(section) = state.arguments.current_section {
                let _ = write!(text, " - Section {section}");
                if let Some(total) = state.total_sections() {
                    let _ = write!(text, " of {total}");
                }
            }
        }
        Stage::Writing => {
            if let Some(section) = state.writing.current_section {
                let _ = write!(text, " - Section {section}");
            }
            if let Some(paragraph) = state.writing.current_paragraph {
                let _ = write!(text, ", Paragraph {paragraph}");
            }
        }
        Stage::Thesis | Stage::Outline => {}
    }
    let status = match state.status {
        Some(RunStatus::Paused) => "paused",
        Some(RunStatus::Completed) => "completed",
        Some(RunStatus::Abandoned) => "abandoned",
        _ => match state.stage(stage) {
            Progress::NotStarted => "not started",
            Progress::InProgress => "in progress",
            Progress::Completed => "completed",
            Progress::NeedsReview => "needs review",
        },
    };
    let _ = write!(text, "] {status}");
    text
}

/// The command that comes next.
pub(super) fn next(state: &State, id: &str) -> String {
    if state.status == Some(RunStatus::Completed) {
        return format!("segno essay draft {id}");
    }
    let stands = |stage: Stage| {
        matches!(
            state.stage(stage),
            Progress::Completed | Progress::NeedsReview
        )
    };
    if !stands(Stage::Thesis) || state.thesis.file.is_none() {
        return format!("segno essay thesis {id} --claim-type C --input FILE");
    }
    if !stands(Stage::Outline) || state.outline.file.is_none() {
        return format!("segno essay outline {id} --input FILE");
    }
    let total = state.total_sections().unwrap_or(0);
    let argued = |section: u64| {
        state.argument(section).and_then(|row| row.status) == Some(Progress::Completed)
    };
    let written = |section: u64| {
        state.written(section).and_then(|row| row.status) == Some(Progress::Completed)
    };
    if let Some(section) = (1..=total).find(|section| !argued(*section)) {
        return format!("segno essay argument {id} {section} --input FILE");
    }
    if state.arguments.birds_eye_approved != Some(true) {
        return format!("segno essay approve {id}");
    }
    if let Some(section) = (1..=total).find(|section| !written(*section)) {
        return format!("segno essay paragraph {id} {section} --input FILE");
    }
    format!("segno essay finish {id}")
}

/// The first section whose arguments are not completed; the last when all are.
pub(super) fn first_open(state: &State) -> Option<u64> {
    let total = state.total_sections().filter(|total| *total > 0)?;
    let open = (1..=total).find(|section| {
        let row = state.argument(*section);
        row.and_then(|row| row.status) != Some(Progress::Completed)
    });
    open.or(Some(total))
}

/// The first section that is not written to its end; the last when all are.
pub(super) fn next_to_write(state: &State) -> Option<u64> {
    let total = state.total_sections().filter(|total| *total > 0)?;
    let open = (1..=total).find(|section| {
        let row = state.written(*section);
        row.and_then(|row| row.status) != Some(Progress::Completed)
    });
    open.or(Some(total))
}
