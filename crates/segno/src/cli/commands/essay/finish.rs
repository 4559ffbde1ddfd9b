//! `segno essay finish`

use clap::Args;
use segno_store::formats::essay::{self, FinishInput};
use serde::Serialize;

use super::input;
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::card;

/// Check the gates and assemble the final essay
#[derive(Debug, Args)]
pub(super) struct FinishArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// The overrides were looked at again, and stand
    #[arg(long)]
    confirm_overrides: bool,
    /// Finish although the voice was never checked
    #[arg(long)]
    without_voice_check: bool,
}

#[derive(Serialize)]
struct FinishedView<'a> {
    file: &'a str,
    word_count: u64,
    sections: u64,
    verified_claims: u64,
    unique_sources: u64,
    voice_consistency_score: Option<f64>,
    user_overrides: u64,
    deferred_resolved: u64,
    minutes_spent: Option<u64>,
}

/// Finishes the essay.
pub(super) fn run(app: &App, args: &FinishArgs) -> Result<(), CommandError> {
    let opened = app.open("essay finish")?;
    let place = input::find(app, &opened, &args.session)?;
    let gates = FinishInput {
        overrides_confirmed: args.confirm_overrides,
        without_voice_check: args.without_voice_check,
    };
    let written = opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            essay::finish(cx, &place, gates)
        })?;
    let done = written.outcome;
    if app.ui.is_json() {
        let view = FinishedView {
            file: &done.file,
            word_count: done.words,
            sections: done.sections,
            verified_claims: done.verified,
            unique_sources: done.sources,
            voice_consistency_score: done.voice_score.map(|score| score.0),
            user_overrides: done.overrides,
            deferred_resolved: done.resolved,
            minutes_spent: done.minutes,
        };
        return app.ui.json(&card::session(&opened.card(&place), view));
    }
    app.ui.data(done.file.as_str())?;
    app.ui.note(msg!(
        "essay-finished-words",
        words = done.words,
        sections = done.sections
    ));
    app.ui.note(msg!(
        "essay-finished-sources",
        claims = done.verified,
        sources = done.sources
    ));
    if let Some(score) = done.voice_score {
        app.ui
            .note(msg!("essay-finished-voice", score = score.to_string()));
    }
    app.ui.note(msg!(
        "essay-finished-claims",
        overrides = done.overrides,
        resolved = done.resolved
    ));
    if let Some(minutes) = done.minutes {
        app.ui.note(msg!("essay-finished-time", minutes = minutes));
    }
    Ok(())
}
