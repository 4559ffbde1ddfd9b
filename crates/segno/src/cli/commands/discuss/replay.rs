//! `segno discuss replay`: what a discussion ended in reaches the plan, all of it or nothing.

use clap::Args;
use segno_store::formats::Place;
use segno_store::formats::discuss::plan::{Effect, FileDiff, OpReport};
use segno_store::formats::discuss::replay::{Outcome, ReplayOptions, Replayed};
use segno_store::formats::discuss::{Failure, FailureKind};
use segno_store::session::Kind;
use serde_json::{Value, json};

use super::apply;
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError, Line, Role};
use crate::msg;
use crate::view::card;

/// How many operations and files are listed for people; programs get all of them.
const LISTED: usize = 200;

/// Apply what a discussion ended in to the plan, without any engine
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// The discussion: its id, the beginning of one, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Show the operations and what they would change; touch nothing but the audit line
    #[arg(long)]
    dry_run: bool,
    /// Also operations that the context does not allow
    #[arg(long)]
    allow_cross_context: bool,
}

/// Replays a session.
pub(super) fn run(app: &App, args: &ReplayArgs) -> Result<(), CommandError> {
    let opened = app.open("discuss replay")?;
    let place = find(&opened, &args.session)?;
    let options = ReplayOptions {
        dry_run: args.dry_run,
        allow_cross_context: args.allow_cross_context,
    };
    let replayed = apply::run(app, &opened, &place, options)?;
    if let Err(failure) = &replayed.result {
        return Err(failed(failure, &place.id.to_string()));
    }
    if app.ui.is_json() {
        let card = opened.card(&replayed.place);
        return app.ui.json(&card::session(&card, view(&replayed)));
    }
    show(app, &opened, &replayed)
}

/// The session that a reference names. What no session answers to may still be a file in the current directory.
fn find(opened: &Opened, session: &str) -> Result<Place, CommandError> {
    opened.find_of(Kind::Discuss, session).or_else(|error| {
        let is_bare = error.code == Code::NotFound && !session.contains('/');
        let file = is_bare.then(|| opened.find_of(Kind::Discuss, &format!("./{session}")));
        match file {
            Some(Err(other)) if other.code != Code::NotFound => Err(other),
            Some(Ok(place)) => Ok(place),
            _ => Err(error),
        }
    })
}

/// The error that a failed replay is.
pub(super) fn failed(failure: &Failure, id: &str) -> CommandError {
    let mut error = CommandError::new(
        apply::code(failure.kind),
        msg!("discuss-replay-failed", why = &failure.message),
    );
    if let Some(details) = &failure.details {
        error = error.because(details.clone());
    }
    match failure.kind {
        FailureKind::Damaged => error.hint(msg!("discuss-replay-recover", id = id)),
        FailureKind::Busy => error.hint(msg!("discuss-replay-busy")),
        FailureKind::DamagedPlan => error.hint(msg!("discuss-replay-check-plan")),
        FailureKind::NotFound => error
            .hint(msg!("discuss-replay-nothing"))
            .hint(msg!("discuss-replay-see-plan")),
        _ => error.hint(msg!("discuss-replay-nothing")),
    }
}

fn show(app: &App, opened: &Opened, replayed: &Replayed) -> Result<(), CommandError> {
    let Ok(outcome) = &replayed.result else {
        return Ok(());
    };
    app.ui.note(msg!(
        "discuss-replay-loaded",
        id = &replayed.place.id,
        about = replayed.about.shown(),
        contract = &replayed.contract
    ));
    show_outcome(app, outcome)?;
    let mark = if replayed.dry_run { " (dry-run)" } else { "" };
    let verdict = format!("{}{mark}", replayed.verdict());
    let card = opened.card(&replayed.place);
    app.ui.note(msg!("discuss-replay-audit", path = &card.path));
    app.ui.data(Line::new().add(Role::Good, verdict))
}

/// The operations and the difference in the plan.
pub(super) fn show_outcome(app: &App, outcome: &Outcome) -> Result<(), CommandError> {
    for (place, report) in outcome.operations.iter().enumerate().take(LISTED) {
        app.ui.data(operation(place + 1, report))?;
        for note in &report.notes {
            app.ui
                .data(Line::new().plain("       ").add(Role::Dim, note.as_str()))?;
        }
    }
    more(app, outcome.operations.len())?;
    for diff in outcome.diff.iter().take(LISTED) {
        show_diff(app, diff)?;
    }
    more(app, outcome.diff.len())
}

fn more(app: &App, count: usize) -> Result<(), CommandError> {
    if count > LISTED {
        app.ui.data(msg!("discuss-more", count = count - LISTED))?;
    }
    Ok(())
}

fn operation(number: usize, report: &OpReport) -> Line {
    let role = match report.effect {
        Effect::Added => Role::Good,
        Effect::Changed => Role::Accent,
        Effect::AlreadyThere => Role::Dim,
    };
    Line::new()
        .plain(format!("{number:>5}  "))
        .add(Role::Strong, report.op.name())
        .plain("  ")
        .add(role, report.text.as_str())
}

fn show_diff(app: &App, diff: &FileDiff) -> Result<(), CommandError> {
    for (place, line) in diff.lines().into_iter().enumerate() {
        let role = match (place, line.trim_start().chars().next()) {
            (0, _) => Role::Strong,
            (_, Some('-')) => Role::Bad,
            _ => Role::Good,
        };
        app.ui.data(Line::new().add(role, line))?;
    }
    Ok(())
}

fn view(replayed: &Replayed) -> Value {
    let Ok(outcome) = &replayed.result else {
        return Value::Null;
    };
    let operations: Vec<Value> = outcome
        .operations
        .iter()
        .map(|report| {
            json!({
                "op_type": report.op.name(),
                "item_type": report.item.name(),
                "item_id": report.id,
                "effect": report.effect.name(),
                "text": report.text,
                "notes": report.notes,
            })
        })
        .collect();
    let diff: Vec<Value> = outcome
        .diff
        .iter()
        .map(|file| {
            let fields: Vec<Value> = file
                .fields
                .iter()
                .map(|field| json!({"name": field.name, "old": field.old, "new": field.new}))
                .collect();
            json!({"path": file.path.as_str(), "new": file.is_new, "fields": fields})
        })
        .collect();
    json!({
        "result": replayed.verdict(),
        "dry_run": replayed.dry_run,
        "ops_count": operations.len(),
        "operations": operations,
        "diff": diff,
    })
}
