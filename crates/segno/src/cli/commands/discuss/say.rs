//! `segno discuss say`: one turn, one durable line.

use clap::Args;
use segno_store::formats::discuss::{Role, say};
use segno_store::session::Kind;

use super::input::TextInput;
use crate::cli::{App, CommandError};
use crate::msg;

/// Record a turn of the user or the assistant
#[derive(Debug, Args)]
pub(super) struct SayArgs {
    /// The discussion: its id, the beginning of one, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Who says it: user or assistant
    #[arg(long, value_name = "ROLE")]
    role: Role,
    /// The model that the assistant answered with
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    #[command(flatten)]
    text: TextInput,
}

/// Records a turn.
pub(super) fn run(app: &App, args: &SayArgs) -> Result<(), CommandError> {
    let opened = app.open("discuss say")?;
    let place = opened.find_of(Kind::Discuss, &args.session)?;
    let text = args.text.required(app)?;
    opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            say(cx, &place, args.role, &text, args.model.as_deref())
        })?;
    app.ui.note(msg!("discuss-said", role = args.role.name()));
    super::answer_turn(app, &opened, &place)
}
