//! `segno discuss`: discussions that end in patch operations.

mod apply;
mod chat;
mod done;
mod error;
mod input;
mod plan;
mod prompt;
mod replay;
mod say;
mod scope;
mod start;

use clap::{Args, Subcommand};
use segno_store::formats::Place;
use segno_store::formats::discuss::card_at_end;
use serde::Serialize;

use crate::cli::opened::Opened;
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::card;

/// Discuss tasks, phases and tracks, and replay what was decided into the plan
#[derive(Debug, Args)]
pub struct DiscussArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Begin a discussion
    Start(start::StartArgs),
    /// Record a turn of the user or the assistant
    Say(say::SayArgs),
    /// Record that something went wrong
    Error(error::ErrorArgs),
    /// Discuss on a terminal with an engine
    Chat(chat::ChatArgs),
    /// End a discussion with its final JSON
    Done(done::DoneArgs),
    /// Apply what a discussion ended in to the plan, without any engine
    Replay(replay::ReplayArgs),
    /// Show tracks, phases and tasks as a tree
    Plan(plan::PlanArgs),
}

/// Runs a verb of discussions.
pub fn run(app: &App, args: &DiscussArgs) -> Result<(), CommandError> {
    match &args.verb {
        Verb::Start(args) => start::run(app, args),
        Verb::Say(args) => say::run(app, args),
        Verb::Error(args) => error::run(app, args),
        Verb::Chat(args) => chat::run(app, args),
        Verb::Done(args) => done::run(app, args),
        Verb::Replay(args) => replay::run(app, args),
        Verb::Plan(args) => plan::run(app, args),
    }
}

/// Says that an answer held more than one final JSON.
fn several(app: &App, passed_over: usize) {
    if passed_over > 0 {
        app.ui
            .note(msg!("discuss-final-several", count = passed_over + 1));
    }
}

/// Answers after a turn, whose cost must not grow with the transcript: the card comes without counts.
fn answer_turn(app: &App, opened: &Opened, place: &Place) -> Result<(), CommandError> {
    if app.ui.is_json() {
        let workspace = opened.workspace();
        let cx = workspace.context(place.root, &opened.now);
        let card = card_at_end(&cx, place)?;
        return app.ui.json(&card::session(&card, ()));
    }
    app.ui.data(place.id.as_str())
}

/// Answers with the session: its id for people, its card for programs.
fn answer(
    app: &App,
    opened: &Opened,
    place: &Place,
    more: impl Serialize,
) -> Result<(), CommandError> {
    if app.ui.is_json() {
        return app.ui.json(&card::session(&opened.card(place), more));
    }
    app.ui.data(place.id.as_str())
}
