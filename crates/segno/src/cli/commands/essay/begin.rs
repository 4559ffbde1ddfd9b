//! `segno essay new`

use clap::Args;
use segno_store::formats::Root;
use segno_store::formats::essay::{self, NewEssay, Pushback};

use super::input;
use crate::cli::{App, CommandError};
use crate::msg;

/// Begin an essay
#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// How hard the agent questions the author: full, light, minimal
    #[arg(long, value_name = "LEVEL", default_value = "full", value_parser = pushback)]
    pushback: Pushback,
    /// The author's style profile
    #[arg(long, value_name = "FILE")]
    style_profile: Option<String>,
    /// The author's writing samples
    #[arg(long, value_name = "DIR")]
    samples: Option<String>,
}

fn pushback(text: &str) -> Result<Pushback, String> {
    Pushback::parse(text).ok_or_else(|| format!("it is one of {}", Pushback::choices()))
}

/// Begins an essay.
pub(super) fn run(app: &App, args: NewArgs) -> Result<(), CommandError> {
    let opened = app.open("essay new")?;
    let new = NewEssay {
        uuid: app.ids()?.uuid().to_string(),
        pushback: args.pushback,
        style_profile: args.style_profile,
        samples: args.samples,
    };
    let written = opened.workspace().write_locked(
        Root::Workspace,
        essay::NEW_LOCK,
        &opened.now,
        &opened.writer,
        |cx| essay::begin(cx, &new),
    )?;
    let (place, step) = written.outcome;
    if !app.ui.is_json() {
        app.ui
            .note(msg!("essay-begun", id = &place.id, path = &place.path));
    }
    input::answer(app, &opened, &place, &step)
}
