//! `segno handover learn`: knowledge for the buffer.

use std::io::IsTerminal as _;

use clap::Args;
use segno_store::formats::handover::buffer::{
    Knowledge, Origin, Tag, feature_of, from_report, learn,
};
use serde_json::json;

use super::{Desk, RoleArgs};
use crate::cli::{App, Code, CommandError};
use crate::msg;
use crate::view::card;

/// Add knowledge to the buffer: given here, or the tagged lines of a report on standard input
#[derive(Debug, Args)]
pub(super) struct LearnArgs {
    /// What it is: pattern, incident, reference; without it a report is read from standard input
    #[arg(value_name = "TAG", requires = "text")]
    tag: Option<Tag>,
    /// What was learnt; several texts are several pieces of knowledge
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    /// The spec it came from; a report may name it itself (`Feature: ...`)
    #[arg(long, value_name = "SPEC")]
    spec: Option<String>,
    /// Who reported it: Builder, Inspector
    #[arg(long, value_name = "ROLE")]
    role: String,
    /// The task it came from, such as 1.4
    #[arg(long, value_name = "N")]
    task: Option<String>,
    /// What it is about: state, api, async, data, security, integration
    #[arg(long, value_name = "CATEGORY")]
    category: Option<String>,
    #[command(flatten)]
    writer: RoleArgs,
}

pub(super) fn run(app: &App, args: &LearnArgs) -> Result<(), CommandError> {
    let desk = Desk::open(app, "handover learn", &args.writer)?;
    let mut origin = Origin {
        spec: args.spec.clone().unwrap_or_default(),
        role: args.role.clone(),
        task: args.task.clone(),
        category: args.category.clone(),
    };
    let pieces: Vec<Knowledge> = if let Some(tag) = args.tag {
        need_spec(&origin)?;
        let texts = args.text.iter();
        texts
            .map(|text| Knowledge::new(tag, text, &origin))
            .collect()
    } else {
        let report = report()?;
        if origin.spec.is_empty() {
            origin.spec = feature_of(&report).unwrap_or_default();
        }
        need_spec(&origin)?;
        from_report(&report, &origin)
    };
    let learnt = desk
        .write(app, |cx| learn(cx, &desk.place, desk.lead, &pieces))?
        .outcome;
    if app.ui.is_json() {
        let more = json!({
            "added": learnt.added,
            "known": learnt.known,
            "pending": learnt.pending,
            "skill_candidates": learnt.candidates,
        });
        return app
            .ui
            .json(&card::session(&desk.opened.card(&desk.place), more));
    }
    app.ui.note(msg!(
        "handover-learnt",
        added = learnt.added,
        known = learnt.known,
        pending = learnt.pending
    ));
    for candidate in &learnt.candidates {
        app.ui.note(msg!("handover-candidate", what = candidate));
    }
    Ok(())
}

fn need_spec(origin: &Origin) -> Result<(), CommandError> {
    if origin.spec.trim().is_empty() {
        let error = CommandError::new(Code::Invalid, msg!("handover-no-spec"));
        return Err(error.hint("--spec SPEC"));
    }
    Ok(())
}

fn report() -> Result<String, CommandError> {
    if std::io::stdin().is_terminal() {
        let error = CommandError::new(Code::Invalid, msg!("handover-no-report"));
        return Err(error.hint("segno handover learn --role Builder < report.md"));
    }
    std::io::read_to_string(std::io::stdin()).map_err(|error| {
        CommandError::new(Code::Io, msg!("handover-no-input", input = "-"))
            .because(error.to_string())
    })
}
