//! `segno essay voice`

use clap::Args;
use segno_store::formats::essay::{self, Score, VoiceInput, VoiceMode};

use super::input::step;
use crate::cli::{App, CommandError};

/// Record a voice check or a calibration
#[derive(Debug, Args)]
pub(super) struct VoiceArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Section that was checked; the whole essay when not given
    #[arg(long, value_name = "N")]
    section: Option<u64>,
    /// How well it sounds like its author, 1 to 5
    #[arg(long, value_name = "N", value_parser = score)]
    score: Option<Score>,
    /// What was observed
    #[arg(long, value_name = "TEXT")]
    observations: Option<String>,
    /// What was suggested
    #[arg(long, value_name = "TEXT")]
    suggestions: Option<String>,
    /// How accurate the author found the first assessment, 1 to 5
    #[arg(long, value_name = "N")]
    rating: Option<u64>,
    /// What to correct in the assessments
    #[arg(long, value_name = "TEXT")]
    calibration: Option<String>,
    /// What the voice is compared with: profile, sample, hybrid
    #[arg(long, value_name = "MODE", value_parser = mode)]
    mode: Option<VoiceMode>,
}

fn score(text: &str) -> Result<Score, String> {
    Score::parse(text).ok_or_else(|| "it is a number from 1 to 5".to_owned())
}

fn mode(text: &str) -> Result<VoiceMode, String> {
    VoiceMode::parse(text).ok_or_else(|| format!("it is one of {}", VoiceMode::choices()))
}

/// Records what is said of the voice.
pub(super) fn run(app: &App, args: VoiceArgs) -> Result<(), CommandError> {
    let voice = VoiceInput {
        section: args.section,
        score: args.score,
        observations: args.observations,
        suggestions: args.suggestions,
        rating: args.rating,
        calibration: args.calibration,
        mode: args.mode,
    };
    step(app, "essay voice", &args.session, |cx, place| {
        essay::voice(cx, place, &voice)
    })
}
