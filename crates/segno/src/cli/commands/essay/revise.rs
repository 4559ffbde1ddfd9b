//! `segno essay revise`: shows what it would do, asks, then does it in one commit.

use clap::Args;
use segno_store::formats::essay::{self, DiffKind, Impact, ReviseInput, Revised, Stage};
use serde_json::json;

use super::input::{self, InputArgs};
use super::words::{self, Said};
use crate::cli::{App, Code, CommandError, Line, Role};
use crate::messages::Message;
use crate::msg;
use crate::view::card;

/// Go back to a stage: what rests on it is flagged, archived or begun anew
#[derive(Debug, Args)]
pub(super) struct ReviseArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Number of the stage to go back to, 1 to 4
    #[arg(long, value_name = "N")]
    stage: u64,
    #[command(flatten)]
    input: InputArgs,
    /// What it touches: minor, moderate, major; proposed from the difference when not given
    #[arg(long, value_name = "IMPACT", value_parser = impact)]
    impact: Option<Impact>,
    /// For stage 3 the section; for a moderate impact the sections that it touches
    #[arg(long, value_name = "N,M", value_delimiter = ',')]
    section: Vec<u64>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
    /// Do it without asking
    #[arg(long)]
    yes: bool,
}

fn impact(text: &str) -> Result<Impact, String> {
    Impact::parse(text).ok_or_else(|| format!("it is one of {}", Impact::choices()))
}

/// Revises a stage.
pub(super) fn run(app: &App, args: ReviseArgs) -> Result<(), CommandError> {
    let mut revision = ReviseInput {
        stage: args.stage,
        text: args.input.text()?,
        impact: args.impact,
        sections: args.section,
        reason: args.reason,
    };
    let opened = app.open("essay revise")?;
    let place = input::find(app, &opened, &args.session)?;
    let workspace = opened.workspace();
    let cx = workspace.context(place.root, &opened.now);
    let assessed = essay::assess(&cx, &place, &revision)?;
    if !app.ui.is_json() {
        show(app, &assessed)?;
    }
    if args.dry_run {
        if app.ui.is_json() {
            return app.ui.json(&card::session(
                &opened.card(&place),
                view(app, &assessed, false),
            ));
        }
        app.ui.note(msg!("essay-dry-run"));
        return Ok(());
    }
    if !args.yes {
        let impact = app.ui.catalogue.say(&words::impact(assessed.impact));
        let question = msg!("essay-revise-confirm", impact = impact);
        if !app.ui.confirm(question, msg!("essay-revise-yes"))? {
            return Err(CommandError::new(
                Code::Refused,
                msg!("essay-not-confirmed"),
            ));
        }
    }
    // What was confirmed is what is done, also when the plan is made anew.
    revision.impact = Some(assessed.impact);
    let written = workspace.write(&place, &opened.now, &opened.writer, |cx| {
        essay::revise(cx, &place, &revision)
    })?;
    if app.ui.is_json() {
        return app.ui.json(&card::session(
            &opened.card(&place),
            view(app, &written.outcome, true),
        ));
    }
    app.ui
        .data(Line::new().add(Role::Strong, written.outcome.anchor.as_str()))
}

fn show(app: &App, revised: &Revised) -> Result<(), CommandError> {
    let say = |message: Message| app.ui.catalogue.say(&message);
    super::history::show_diff(app, &revised.diff)?;
    app.ui.data(Line::new().plain(msg!(
        "essay-proposed",
        impact = say(words::impact(revised.proposed)),
        why = say(words::why(&revised.why))
    )))?;
    if revised.impact != revised.proposed {
        app.ui.data(Line::new().plain(msg!(
            "essay-chosen",
            impact = say(words::impact(revised.impact))
        )))?;
    }
    if revised.impact == Impact::Major {
        app.ui.warn(msg!("essay-major-scope"));
    }
    for (from, to) in &revised.archived {
        app.ui
            .data(Line::new().plain(msg!("essay-archives", from = from, to = to)))?;
    }
    for consequence in &revised.consequences {
        app.ui
            .data(Line::new().plain(words::consequence(*consequence)))?;
    }
    Ok(())
}

fn view(app: &App, revised: &Revised, done: bool) -> serde_json::Value {
    let diff: Vec<String> = revised
        .diff
        .iter()
        .filter(|line| line.kind != DiffKind::Gap)
        .map(|line| format!("{}{}", line.mark(), line.text))
        .collect();
    let archived: Vec<_> = revised
        .archived
        .iter()
        .map(|(from, to)| json!({ "from": from, "to": to }))
        .collect();
    let consequences: Vec<_> = revised
        .consequences
        .iter()
        .map(|one| {
            json!({
                "code": one.code(), "stage": one.stage().map(Stage::number),
                "message": app.ui.catalogue.say(&words::consequence(*one)),
            })
        })
        .collect();
    let why = Said::why(&revised.why, &app.ui.catalogue);
    json!({
        "done": done, "stage": revised.stage, "proposed": revised.proposed.name(), "why": why,
        "impact": revised.impact.name(), "diff": diff, "own_version": revised.own_version, "archived": archived,
        "consequences": consequences, "anchor": revised.anchor,
    })
}
