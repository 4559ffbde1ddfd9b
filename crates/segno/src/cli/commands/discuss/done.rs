//! `segno discuss done`: the final JSON, for agents.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use segno_store::formats::discuss::{DoneOptions, Ended, Failure, FailureKind, done};
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
    /// Record it even if the context or the plan here does not take it: the plan is elsewhere
    #[arg(long)]
    as_is: bool,
    /// Also operations that the context does not allow
    #[arg(long)]
    allow_cross_context: bool,
}

/// Records the final JSON.
pub(super) fn run(app: &App, args: &DoneArgs) -> Result<(), CommandError> {
    let opened = app.open("discuss done")?;
    let place = opened.find_of(Kind::Discuss, &args.session)?;
    let text = read(app, &args.input)?;
    let options = DoneOptions {
        as_is: args.as_is,
        allow_cross_context: args.allow_cross_context,
    };
    let ended = opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            done(cx, &place, &text, options)
        })?
        .outcome;
    let count = match ended {
        Ended::Final { count, passed_over } => {
            super::several(app, passed_over);
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
        Ended::NotApplicable(failure) => {
            let error = rejected(&failure);
            return Err(match failure.kind {
                FailureKind::DamagedPlan => error.hint(msg!("discuss-replay-check-plan")),
                _ => error.hint(msg!("discuss-done-as-is")),
            });
        }
    };
    super::answer(app, &opened, &place, json!({"ops_count": count}))
}

/// The final JSON was not accepted.
fn rejected(failure: &Failure) -> CommandError {
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
