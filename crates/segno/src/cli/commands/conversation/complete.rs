//! `segno conversation complete`: finished, with a summary.

use clap::Args;
use segno_store::formats::conversation;
use segno_store::session::Kind;

use crate::cli::commit::{self, Saved};
use crate::cli::{App, CommandError, Line, Role};
use crate::msg;
use crate::view::card;

/// Mark a conversation as completed
#[derive(Debug, Args)]
pub struct CompleteArgs {
    /// Which one: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// What came of it, in a sentence or two; without it, it is made from what was said last
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// Commit the session to git, as `git.commit = true` does
    #[arg(long)]
    commit: bool,
}

/// Completes a conversation.
pub fn run(app: &App, args: &CompleteArgs) -> Result<(), CommandError> {
    let opened = app.open("conversation complete")?;
    let place = opened.find_of(Kind::Conversation, &args.session)?;
    let summary = args.summary.as_deref();
    let done = opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            conversation::complete(cx, &place, summary)
        })?
        .outcome;
    let saved = Saved::new(&place, format!("[session] Complete: {}", done.title));
    let commit = commit::session(app, &opened, &saved, args.commit)?;
    if app.ui.is_json() {
        let card = opened.card(&place);
        let more = serde_json::json!({"summary": done.summary, "commit": commit});
        return app.ui.json(&card::session(&card, more));
    }
    app.ui.data(msg!("stop-saved"))?;
    app.ui
        .data(msg!("conversation-completed", title = &done.title))?;
    if !done.summary.trim().is_empty() {
        app.ui.data(
            Line::new()
                .add(Role::Strong, msg!("stop-summary"))
                .plain(" ")
                .plain(done.summary.trim()),
        )?;
    }
    Ok(())
}
