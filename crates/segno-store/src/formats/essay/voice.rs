//! The voice: scores per section and for the whole, calibration, what it is compared with.

use super::argument::require_section;
use super::artifact::LogEntry;
use super::load::{Session, touch};
use super::names::VOICE_LOG;
use super::note::{Note, VoiceAction};
use super::position::Step;
use super::schema::{Score, VoiceMode};
use super::state::State;
use super::store_artifact::{log, missing};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;

/// What is said of the voice. Everything is optional, but something must be said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VoiceInput {
    /// Which section; the whole essay when none.
    pub section: Option<u64>,
    /// How well it sounds like its author, 1 to 5.
    pub score: Option<Score>,
    /// What was observed.
    pub observations: Option<String>,
    /// What was suggested.
    pub suggestions: Option<String>,
    /// How accurate the author found the first assessment, 1 to 5.
    pub rating: Option<u64>,
    /// What to correct in the assessments.
    pub calibration: Option<String>,
    /// What the voice is compared with.
    pub mode: Option<VoiceMode>,
}

/// Records an assessment, a calibration or both.
pub fn voice(cx: &Context<'_>, place: &Place, input: &VoiceInput) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    let silent = VoiceInput {
        section: input.section,
        ..VoiceInput::default()
    };
    if *input == silent {
        return Err(missing(
            phrase!("essay-voice-silent", "nothing is said of the voice"),
            phrase!(
                "essay-voice-silent-hint",
                "give --score, --rating, --calibration or --mode"
            ),
        ));
    }
    if input
        .rating
        .is_some_and(|rating| !(1..=5).contains(&rating))
    {
        let what = phrase!("essay-bad-rating", "a rating is a number from 1 to 5");
        return Err(Refusal::input(what).into());
    }
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    score(&session, &mut after, input)?;
    after.voice.rating = input.rating.or(after.voice.rating);
    after.voice.notes = input.calibration.clone().or(after.voice.notes);
    after.voice.mode = input.mode.or(after.voice.mode);
    let title = input.section.map_or_else(
        || "Whole essay".to_owned(),
        |section| format!("Section {section}"),
    );
    let title = if input.score.is_some() {
        title
    } else {
        "Calibration".to_owned()
    };
    let entry = LogEntry::new(title)
        .with(
            "Score",
            input.score.map(|score| format!("{score}/5")).as_deref(),
        )
        .with("Observations", input.observations.as_deref())
        .with("Suggestions", input.suggestions.as_deref())
        .with(
            "User-rated accuracy",
            input.rating.map(|rating| format!("{rating}/5")).as_deref(),
        )
        .with("Calibration notes", input.calibration.as_deref())
        .with("Reference mode", input.mode.map(VoiceMode::name))
        .with("Logged at", Some(&cx.now.utc_seconds()));
    let change = log(cx, &session.file(VOICE_LOG)?, "Voice Check Log", &entry)?;
    let asked = input.score.map(|score| Note::Voice(VoiceAction::of(score)));
    let notes = asked.into_iter().collect();
    let step = Step::of(&after, place, notes);
    session.save(&after, vec![change], step)
}

fn score(session: &Session, after: &mut State, input: &VoiceInput) -> Result<()> {
    let Some(score) = input.score else {
        return Ok(());
    };
    match input.section {
        Some(section) => {
            require_section(session, section)?;
            if after.written(section).is_none() {
                return Err(missing(
                    phrase!(
                        "essay-no-paragraphs",
                        "section {section} has no paragraphs yet",
                        section = section
                    ),
                    phrase!(
                        "essay-voice-unheard",
                        "a voice check needs something to listen to"
                    ),
                ));
            }
            after.written_mut(section).voice_score = Some(score);
        }
        None => after.output.voice_score = Some(score),
    }
    Ok(())
}
