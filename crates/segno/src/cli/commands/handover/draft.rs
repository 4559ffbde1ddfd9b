//! `segno handover draft`: the automatic update of session.md.

use clap::Args;
use segno_store::formats::handover::draft::{After, DraftInput, draft};
use serde_json::json;

use super::{Desk, RoleArgs, collect::Facts};
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::card;

/// Bring session.md up to date after a command has finished
#[derive(Debug, Args)]
pub(super) struct DraftArgs {
    /// What has just been done: design, impl, review, roadmap, steering, stop
    #[arg(long, value_name = "COMMAND")]
    after: After,
    /// What to do next; else the pipeline says, else what session.md says stays
    #[arg(long, value_name = "TEXT")]
    next: Option<String>,
    /// What was done; may be given several times
    #[arg(long, value_name = "TEXT")]
    done: Vec<String>,
    /// A file that was changed; may be given several times. Else git says
    #[arg(long, value_name = "PATH")]
    file: Vec<String>,
    /// What the session is for
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    #[command(flatten)]
    role: RoleArgs,
}

pub(super) fn run(app: &App, args: &DraftArgs) -> Result<(), CommandError> {
    let desk = Desk::open(app, "handover draft", &args.role)?;
    let facts = Facts::of_git(app, &desk);
    let input = DraftInput {
        after: args.after,
        next: args.next.clone(),
        done: args.done.clone(),
        files: if args.file.is_empty() {
            facts.files
        } else {
            args.file.clone()
        },
        goal: args.goal.clone(),
        branch: facts.branch,
    };
    let drafted = desk
        .write(app, |cx| draft(cx, &desk.place, desk.lead, &input))?
        .outcome;
    if app.ui.is_json() {
        let more = json!({
            "created": drafted.created,
            "next": drafted.next,
            "work_added": drafted.added,
            "files_added": drafted.files,
        });
        return app
            .ui
            .json(&card::session(&desk.opened.card(&desk.place), more));
    }
    app.ui.data(drafted.path.as_str())?;
    app.ui.note(msg!("handover-next", next = drafted.next));
    Ok(())
}
