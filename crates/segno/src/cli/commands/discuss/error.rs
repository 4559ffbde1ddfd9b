//! `segno discuss error`: something went wrong, and the transcript says so.

use clap::Args;
use segno_store::formats::discuss::error;
use segno_store::session::Kind;

use super::input::TextInput;
use crate::cli::{App, CommandError};
use crate::msg;

/// Record that something went wrong
#[derive(Debug, Args)]
pub(super) struct ErrorArgs {
    /// The discussion: its id, the beginning of one, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// More about it
    #[arg(long, value_name = "TEXT")]
    details: Option<String>,
    #[command(flatten)]
    text: TextInput,
}

/// Records an error.
pub(super) fn run(app: &App, args: &ErrorArgs) -> Result<(), CommandError> {
    let opened = app.open("discuss error")?;
    let place = opened.find_of(Kind::Discuss, &args.session)?;
    let message = args.text.required(app)?;
    opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            error(cx, &place, &message, args.details.as_deref())
        })?;
    app.ui.note(msg!("discuss-error-recorded"));
    super::answer_turn(app, &opened, &place)
}
