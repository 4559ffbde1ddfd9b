//! `segno discuss done`: the final JSON, for agents.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use segno_store::formats::discuss::{Ended, done};
use segno_store::session::Kind;
use serde_json::json;

use super::input::read;
use crate::cli::{App, Code, CommandError};
use crate::msg;

/// End a discussion with its final JSON
#[derive(Debug, Args)]
pub(super) struct DoneArgs {
    /// The discussion: its id, the beginning of one, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// The final JSON, bare or in a fence, from FILE, or from standard input with `-`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    input: PathBuf,
}

/// Records the final JSON.
pub(super) fn run(app: &App, args: &DoneArgs) -> Result<(), CommandError> {
    let opened = app.open("discuss done")?;
    let place = opened.find_of(Kind::Discuss, &args.session)?;
    let text = read(app, &args.input)?;
    let ended = opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            done(cx, &place, &text)
        })?
        .outcome;
    let count = match ended {
        Ended::Final(count) => {
            let command = format!("segno discuss replay {}", place.id);
            app.ui
                .note(msg!("discuss-final", count = count, command = command));
            count
        }
        Ended::NoOperations => {
            app.ui.note(msg!("discuss-no-operations"));
            0
        }
        Ended::Rejected(failure) => return Err(rejected(&failure)),
    };
    super::answer(app, &opened, &place, json!({"ops_count": count}))
}

/// The final JSON was not accepted.
pub(super) fn rejected(failure: &segno_store::formats::discuss::Failure) -> CommandError {
    let code = super::apply::code(failure.kind);
    let code = if code == Code::NotFound {
        Code::Invalid
    } else {
        code
    };
    let mut error = CommandError::new(code, failure.message.clone());
    if let Some(details) = &failure.details {
        error = error.because(details.clone());
    }
    error.hint(msg!("discuss-rejected-hint"))
}
