//! `segno handover resume`: the nine points, for an agent, for a program, and short for a person.

use clap::Args;
use segno_store::formats::handover::render;
use segno_store::formats::handover::resume::{Back, Trigger, resume};

use super::view::BackView;
use super::{Desk, RoleArgs};
use crate::cli::{App, CommandError, Line, Role};
use crate::msg;
use crate::view::card;

/// Come back: direction, reviews, decisions, buffer, pipeline, next action
///
/// The beginning of the session is recorded in the log. Into a pipe the whole text for an agent is written, on a
/// terminal a short one for a person.
#[derive(Debug, Args)]
pub(super) struct ResumeArgs {
    /// What made the session come back: startup, compact, handover
    #[arg(long, value_name = "TRIGGER", default_value = "startup")]
    trigger: Trigger,
    /// Write the whole text for an agent, also on a terminal
    #[arg(long, conflicts_with = "short")]
    full: bool,
    /// Write the short text for a person, also into a pipe
    #[arg(long)]
    short: bool,
    /// The most tokens that the whole text may have; the oldest decisions give way
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
    #[command(flatten)]
    role: RoleArgs,
}

pub(super) fn run(app: &App, args: &ResumeArgs) -> Result<(), CommandError> {
    let desk = Desk::open(app, "handover resume", &args.role)?;
    let back = desk
        .write(app, |cx| resume(cx, &desk.place, desk.lead, args.trigger))?
        .outcome;
    if app.ui.is_json() {
        let card = desk.opened.card(&desk.place);
        return app.ui.json(&card::session(&card, BackView::from(&back)));
    }
    if args.short || (app.ui.is_terminal() && !args.full) {
        return short(app, &back);
    }
    let (text, _) = render::text(&back, args.budget);
    app.ui.document(&text)
}

fn short(app: &App, back: &Back) -> Result<(), CommandError> {
    let state = &back.state;
    if state.first {
        return app.ui.data(Line::new().plain(msg!("handover-first")));
    }
    if let Some(goal) = state
        .handed
        .as_ref()
        .and_then(|handed| handed.goal.as_ref())
    {
        app.ui.data(Line::new().add(Role::Strong, goal.as_str()))?;
    }
    for line in state
        .handed
        .iter()
        .filter_map(|handed| handed.warnings.as_ref())
        .flat_map(|text| text.lines())
    {
        app.ui.data(Line::new().add(Role::Warn, "! ").plain(line))?;
    }
    if let Some(pipeline) = &state.pipeline {
        for wave in &pipeline.waves {
            let name = wave
                .number
                .map_or_else(|| "-".to_owned(), |number| number.to_string());
            let line = msg!(
                "handover-wave",
                wave = name,
                done = wave.done(),
                all = wave.specs.len()
            );
            app.ui.data(Line::new().plain(line))?;
        }
    }
    let tracked: usize = state
        .reviews
        .iter()
        .map(|review| review.tracked.len())
        .sum();
    app.ui.data(Line::new().plain(msg!(
        "handover-short",
        reviews = tracked,
        decisions = state.decisions.len(),
        knowledge = state.knowledge.len()
    )))?;
    for problem in &state.problems {
        app.ui.warn(problem.to_string());
    }
    match state.next() {
        Some(next) => app
            .ui
            .data(Line::new().plain(msg!("handover-next", next = next))),
        None => app.ui.data(Line::new().plain(msg!("handover-no-next"))),
    }
}
