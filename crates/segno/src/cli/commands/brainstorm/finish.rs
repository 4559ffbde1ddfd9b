//! `segno brainstorm finish` and `abandon`.

use clap::Args;
use segno_store::formats::brainstorm::{self as bs, WARN_BELOW};
use serde::Deserialize;

use super::{change, stdin};
use crate::cli::{App, CommandError};
use crate::msg;

/// Write the brief and the journal, and complete the session
#[derive(Debug, Args)]
pub(super) struct FinishArgs {
    /// The session
    session: String,
    #[command(flatten)]
    how: FinishHow,
    /// Read `{"force"}` from standard input
    #[arg(long, conflicts_with = "FinishHow")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct FinishHow {
    /// Also below a score of 50
    #[arg(long)]
    #[serde(default)]
    force: bool,
}

/// Finishes a session.
pub(super) fn finish(app: &App, args: &FinishArgs) -> Result<(), CommandError> {
    let how = stdin::or(&args.how, args.stdin)?;
    let changed = change(app, "finish", &args.session, |cx, place| {
        bs::finish(cx, place, how.force)
    })?;
    let done = &changed.outcome;
    if done.is_early {
        app.ui.warn(msg!(
            "brainstorm-finished-early",
            ems = done.ems.to_string(),
            wanted = WARN_BELOW.to_string()
        ));
    }
    if app.ui.is_json() {
        let more = serde_json::json!({
            "brief": done.brief.as_str(), "journal": done.journal.as_str(), "ems": done.ems, "early": done.is_early,
        });
        return changed.json(app, more);
    }
    app.ui.note(changed.saved());
    app.ui
        .data(msg!("brainstorm-brief-written", path = done.brief.as_str()))?;
    app.ui.data(msg!(
        "brainstorm-journal-written",
        path = done.journal.as_str()
    ))
}

/// Give the session up
#[derive(Debug, Args)]
pub(super) struct AbandonArgs {
    /// The session
    session: String,
}

/// Gives a session up.
pub(super) fn abandon(app: &App, args: &AbandonArgs) -> Result<(), CommandError> {
    let changed = change(app, "abandon", &args.session, bs::abandon)?;
    if app.ui.is_json() {
        return changed.json(app, ());
    }
    app.ui.data(msg!(
        "brainstorm-abandoned",
        slug = changed.place.id.as_str()
    ))
}
