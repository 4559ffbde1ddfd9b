//! What the store says by values, in the user's language: notes, reasons, consequences, statuses.

use segno_store::formats::essay::{
    Consequence, Detail, Impact, Note, Progress, Stage, VoiceAction, Why,
};
use serde::Serialize;

use crate::messages::{Catalogue, Message};
use crate::msg;

/// Something said, for programs: they branch on the code, people read the message.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    code: &'static str,
    message: String,
}

impl Said {
    /// A note.
    pub(super) fn note(said: &Note, catalogue: &Catalogue) -> Self {
        Self {
            code: said.code(),
            message: catalogue.say(&note(said)),
        }
    }

    /// A reason.
    pub(super) fn why(said: &Why, catalogue: &Catalogue) -> Self {
        Self {
            code: said.code(),
            message: catalogue.say(&why(said)),
        }
    }
}

/// What a verb says beside its answer.
pub(super) fn note(note: &Note) -> Message {
    match note {
        Note::VersionKept { name } => msg!("essay-note-version-kept", name = name),
        Note::MapNotApproved { section } => {
            msg!("essay-note-map-not-approved", section = *section)
        }
        Note::ParagraphThere => msg!("essay-note-paragraph-there"),
        Note::ClaimWaits => msg!("essay-note-claim-waits"),
        Note::ClaimSettled => msg!("essay-note-claim-settled"),
        Note::ClaimsOpen { count } => msg!("essay-note-claims-open", count = *count),
        Note::Voice(VoiceAction::Proceed) => msg!("essay-note-voice-proceed"),
        Note::Voice(VoiceAction::ProceedWithNotes) => msg!("essay-note-voice-with-notes"),
        Note::Voice(VoiceAction::Ask) => msg!("essay-note-voice-ask"),
        Note::Voice(VoiceAction::Flag) => msg!("essay-note-voice-flag"),
        Note::Voice(VoiceAction::Pause) => msg!("essay-note-voice-pause"),
    }
}

/// Why an impact is proposed.
pub(super) fn why(why: &Why) -> Message {
    match why {
        Why::ClaimType { from, to } => {
            msg!("essay-why-claim-type", from = from.name(), to = to.name())
        }
        Why::OtherThesis => msg!("essay-why-other-thesis"),
        Why::Ground => msg!("essay-why-ground"),
        Why::OutlineThesis => msg!("essay-why-outline-thesis"),
        Why::EverySection => msg!("essay-why-every-section"),
        Why::Audience => msg!("essay-why-audience"),
        Why::Sections(sections) => {
            let list: Vec<String> = sections.iter().map(ToString::to_string).collect();
            msg!("essay-why-sections", sections = list.join(", "))
        }
        Why::SectionsAdded => msg!("essay-why-sections-added"),
        Why::Claims => msg!("essay-why-claims"),
        Why::Verifications => msg!("essay-why-verifications"),
        Why::Wording => msg!("essay-why-wording"),
        Why::OnlyFinal => msg!("essay-why-only-final"),
    }
}

/// How much a revision touches.
pub(super) fn impact(impact: Impact) -> Message {
    match impact {
        Impact::Minor => msg!("essay-impact-minor"),
        Impact::Moderate => msg!("essay-impact-moderate"),
        Impact::Major => msg!("essay-impact-major"),
    }
}

/// What becomes of a later stage.
pub(super) fn consequence(consequence: Consequence) -> Message {
    match consequence {
        Consequence::NeedsReview(stage) => {
            msg!("essay-consequence-needs-review", stage = stage.number())
        }
        Consequence::NotStarted(stage) => {
            msg!("essay-consequence-not-started", stage = stage.number())
        }
        Consequence::FinishAgain => msg!("essay-consequence-finish-again"),
    }
}

/// Where a stage or a section stands.
pub(super) fn progress(progress: Progress) -> Message {
    match progress {
        Progress::NotStarted => msg!("essay-progress-not-started"),
        Progress::InProgress => msg!("essay-progress-in-progress"),
        Progress::Completed => msg!("essay-progress-completed"),
        Progress::NeedsReview => msg!("essay-progress-needs-review"),
    }
}

/// The name of a stage.
pub(super) fn stage(number: u64) -> Message {
    match Stage::of(number) {
        Some(Stage::Thesis) | None => msg!("essay-stage-thesis"),
        Some(Stage::Outline) => msg!("essay-stage-outline"),
        Some(Stage::Arguments) => msg!("essay-stage-arguments"),
        Some(Stage::Writing) => msg!("essay-stage-writing"),
    }
}

/// One line of the full state.
pub(super) fn detail(detail: &Detail, catalogue: &Catalogue) -> String {
    let named = |title: &Option<String>| {
        let title = title.as_deref().map(|title| format!(" ({title})"));
        title.unwrap_or_default()
    };
    match detail {
        Detail::ClaimType(claim) => {
            catalogue.say(&msg!("essay-line-claim-type", claim = claim.name()))
        }
        Detail::Plan { sections, audience } => {
            let sections = sections.map(|total| msg!("essay-line-sections", sections = total));
            let audience = audience.map(|a| msg!("essay-line-audience", audience = a.name()));
            let parts = sections.iter().chain(&audience);
            let parts: Vec<String> = parts.map(|part| catalogue.say(part)).collect();
            parts.join(", ")
        }
        Detail::Argued {
            section,
            title,
            status,
            verified,
            deferred,
        } => catalogue.say(&msg!(
            "essay-line-argued",
            section = *section,
            title = named(title),
            status = catalogue.say(&progress(*status)),
            verified = *verified,
            deferred = *deferred
        )),
        Detail::Written {
            section,
            title,
            paragraphs,
            total,
            voice,
            needs_review,
        } => {
            let total = total.map_or_else(|| "?".to_owned(), |total| total.to_string());
            let line = msg!(
                "essay-line-written",
                section = *section,
                title = named(title),
                paragraphs = *paragraphs,
                total = total
            );
            let voice = voice.map(|score| msg!("essay-line-voice", score = score.to_string()));
            let review = needs_review.then(|| progress(Progress::NeedsReview));
            let parts = std::iter::once(line).chain(voice).chain(review);
            let parts: Vec<String> = parts.map(|part| catalogue.say(&part)).collect();
            parts.join(", ")
        }
    }
}
