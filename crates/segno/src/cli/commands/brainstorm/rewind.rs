//! `segno brainstorm back`, `continue` and `history`.

use clap::Args;
use segno_store::formats::brainstorm::{self as bs, Branch, Iteration, Jump};
use segno_store::session::Kind;
use serde::Deserialize;

use super::{Changed, change, look, signed, stdin};
use crate::cli::{App, CommandError, Line, Table};
use crate::messages::{Message, Text};
use crate::msg;
use crate::view::card;

/// Go back by 1 to 5 iterations
#[derive(Debug, Args)]
pub(super) struct BackArgs {
    /// The session
    session: String,
    #[command(flatten)]
    by: By,
    /// Read `{"n"}` from standard input
    #[arg(long, conflicts_with = "By")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct By {
    /// By how many iterations; 1 when not given
    #[arg(allow_negative_numbers = true)]
    n: Option<i64>,
}

/// Goes back.
pub(super) fn back(app: &App, args: &BackArgs) -> Result<(), CommandError> {
    let n = stdin::or(&args.by, args.stdin)?.n.unwrap_or(1);
    let changed = change(app, "back", &args.session, |cx, place| {
        bs::back(cx, place, n)
    })?;
    let steps = changed.outcome.iteration.0 - changed.outcome.iteration.1;
    let title = msg!(
        "brainstorm-back-done",
        n = u64::try_from(steps).unwrap_or(0)
    );
    jumped(app, &changed, title)
}

/// Go forward again, or return to a branch
#[derive(Debug, Args)]
pub(super) struct ContinueArgs {
    /// The session
    session: String,
    #[command(flatten)]
    to: To,
    /// Read `{"branch"}` from standard input
    #[arg(long, conflicts_with = "To")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct To {
    /// Return to this branch; what stands in its place becomes one
    #[arg(long, value_name = "N")]
    branch: Option<i64>,
}

/// Goes forward.
pub(super) fn forward(app: &App, args: &ContinueArgs) -> Result<(), CommandError> {
    let to = stdin::or(&args.to, args.stdin)?;
    let changed = change(app, "continue", &args.session, |cx, place| {
        match to.branch {
            Some(branch) => bs::return_to(cx, place, branch),
            None => bs::forward(cx, place),
        }
    })?;
    let title = match to.branch {
        Some(branch) => msg!("brainstorm-branch-returned", branch = branch.to_string()),
        None => msg!("brainstorm-forward-done"),
    };
    jumped(app, &changed, title)
}

/// The jump summary of the format's document.
fn jumped(app: &App, changed: &Changed<Jump>, title: Message) -> Result<(), CommandError> {
    let jump = &changed.outcome;
    if app.ui.is_json() {
        let more = serde_json::json!({
            "from": {"iteration": jump.iteration.0, "ems": jump.ems.0, "phase": jump.phase.0.name()},
            "to": {"iteration": jump.iteration.1, "ems": jump.ems.1, "phase": jump.phase.1.name()},
            "questions": jump.questions, "ahead": jump.ahead,
        });
        return changed.json(app, more);
    }
    let phase = if jump.phase.0 == jump.phase.1 {
        jump.phase.1.name().to_owned()
    } else {
        format!("{} → {}", jump.phase.0, jump.phase.1)
    };
    let indented = |message: Message| Line::new().plain("   ").plain(message);
    app.ui.data(super::RULE)?;
    app.ui.data(title)?;
    app.ui.data(indented(msg!(
        "brainstorm-jump-iteration",
        from = jump.iteration.0.to_string(),
        to = jump.iteration.1.to_string()
    )))?;
    app.ui.data(indented(msg!(
        "brainstorm-jump-ems",
        from = jump.ems.0.to_string(),
        to = jump.ems.1.to_string(),
        delta = signed(jump.ems.1 - jump.ems.0)
    )))?;
    app.ui
        .data(indented(msg!("brainstorm-jump-phase", phase = phase)))?;
    if !jump.questions.is_empty() {
        app.ui.data("")?;
        app.ui.data(indented(msg!(
            "brainstorm-jump-questions",
            iteration = jump.iteration.1.to_string()
        )))?;
        for question in &jump.questions {
            app.ui
                .data(Line::new().plain("   - ").plain(question.as_str()))?;
        }
    }
    app.ui.data(super::RULE)
}

/// List the iterations, or the branches that others took the place of
#[derive(Debug, Args)]
pub(super) struct HistoryArgs {
    /// The session
    session: String,
    /// The branches
    #[arg(long)]
    branches: bool,
}

/// Lists the iterations or the branches.
pub(super) fn history(app: &App, args: &HistoryArgs) -> Result<(), CommandError> {
    let opened = app.open("brainstorm history")?;
    let place = opened.find_of(Kind::Brainstorm, &args.session)?;
    let session = look(&opened, &place)?;
    if app.ui.is_json() {
        let more = serde_json::json!({
            "iteration": session.iteration(),
            "history": session.history.iter().map(entry).collect::<Vec<_>>(),
            "branches": session.branches.iter().map(branch).collect::<Vec<_>>(),
        });
        return app.ui.json(&card::session(&opened.card(&place), more));
    }
    if !args.branches {
        return iterations(app, &session.history, session.iteration());
    }
    if session.branches.is_empty() {
        app.ui.note(msg!("brainstorm-no-branches"));
        return Ok(());
    }
    for one in &session.branches {
        app.ui.data(msg!(
            "brainstorm-branch",
            branch = one.branch.unwrap_or_default().to_string(),
            from = one.from_iteration.unwrap_or_default().to_string(),
            count = one.history.len()
        ))?;
        iterations(app, &one.history, -1)?;
    }
    app.ui
        .note(msg!("brainstorm-branch-hint", slug = place.id.as_str()));
    Ok(())
}

fn iterations(app: &App, entries: &[Iteration], current: i64) -> Result<(), CommandError> {
    let mut table = Table::new([
        msg!("brainstorm-column-iteration"),
        msg!("brainstorm-column-ems"),
        msg!("brainstorm-column-phase"),
        msg!("brainstorm-column-questions"),
    ]);
    for entry in entries {
        let n = entry.iteration.unwrap_or_default();
        let mark = if n == current { "*" } else { "" };
        let ems = entry
            .ems
            .map_or_else(|| "-".to_owned(), |ems| ems.to_string());
        let delta = entry.ems_delta.map(signed).unwrap_or_default();
        table.row([
            Text::from(format!("{n}{mark}")),
            Text::from(format!("{ems} {delta}").trim().to_owned()),
            entry.phase.map_or("-", bs::Phase::name).into(),
            entry.questions.join(" / ").into(),
        ]);
    }
    app.ui.table(&table)
}

fn entry(entry: &Iteration) -> serde_json::Value {
    serde_json::json!({
        "iteration": entry.iteration, "phase": entry.phase.map(bs::Phase::name), "ems": entry.ems,
        "ems_delta": entry.ems_delta, "questions": entry.questions, "responses": entry.responses,
        "timestamp": entry.timestamp, "duration": entry.duration,
    })
}

fn branch(one: &Branch) -> serde_json::Value {
    serde_json::json!({
        "branch": one.branch, "from_iteration": one.from_iteration, "replaced_at": one.replaced_at,
        "history": one.history.iter().map(entry).collect::<Vec<_>>(),
    })
}
