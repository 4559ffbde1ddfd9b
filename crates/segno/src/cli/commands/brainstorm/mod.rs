//! `segno brainstorm`: guided exploration that can be saved, rewound and finished.
//!
//! Every verb that changes a session is durable when it answers. Each takes flags, or one JSON object on standard input
//! with `--stdin`, so that an agent can drive it in one call.

mod ask;
mod finish;
mod idea;
mod lead;
mod panel;
mod party;
mod rewind;
mod round;
mod start;
mod status;
mod stdin;
mod technique;

use clap::{Args, Subcommand};
use segno_store::formats::brainstorm::{Phase, Session, open};
use segno_store::formats::{Context, Place, Plan};
use segno_store::session::Kind;
use serde::Serialize;

use crate::cli::opened::Opened;
use crate::cli::{App, CommandError};
use crate::messages::Message;
use crate::msg;
use crate::view::card;

/// Explore an idea in scored iterations that can be saved, rewound and finished
#[derive(Debug, Args)]
pub struct BrainstormArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Begin a session, or come back to one that is there
    Start(start::StartArgs),
    /// Ask questions: the next iteration, with its score
    Ask(ask::AskArgs),
    /// Answer the current questions
    Answer(ask::AnswerArgs),
    /// Add, score and list ideas
    Idea(idea::IdeaArgs),
    /// Change the phase; a save point
    Phase(lead::PhaseArgs),
    /// Change who leads
    Persona(lead::PersonaArgs),
    /// Record an energy check; a save point
    Energy(lead::EnergyArgs),
    /// Show the score, its axes, and what to do next
    Status(status::StatusArgs),
    /// List, suggest, apply and skip techniques
    Technique(technique::TechniqueArgs),
    /// Hold rounds of personas
    Party(party::PartyArgs),
    /// Hold rounds of experts
    Panel(panel::PanelArgs),
    /// Confirm where the session is saved and how to come back
    Save(lead::SaveArgs),
    /// Go back by 1 to 5 iterations
    Back(rewind::BackArgs),
    /// Go forward again, or return to a branch
    Continue(rewind::ContinueArgs),
    /// List the iterations, or the branches that others took the place of
    History(rewind::HistoryArgs),
    /// Write the brief and the journal, and complete the session
    Finish(finish::FinishArgs),
    /// Give the session up
    Abandon(finish::AbandonArgs),
}

/// Runs a verb.
pub fn run(app: &App, args: &BrainstormArgs) -> Result<(), CommandError> {
    match &args.verb {
        Verb::Start(args) => start::run(app, args),
        Verb::Ask(args) => ask::ask(app, args),
        Verb::Answer(args) => ask::answer(app, args),
        Verb::Idea(args) => idea::run(app, args),
        Verb::Phase(args) => lead::phase(app, args),
        Verb::Persona(args) => lead::persona(app, args),
        Verb::Energy(args) => lead::energy(app, args),
        Verb::Status(args) => status::run(app, args),
        Verb::Technique(args) => technique::run(app, args),
        Verb::Party(args) => party::run(app, args),
        Verb::Panel(args) => panel::run(app, args),
        Verb::Save(args) => lead::save(app, args),
        Verb::Back(args) => rewind::back(app, args),
        Verb::Continue(args) => rewind::forward(app, args),
        Verb::History(args) => rewind::history(app, args),
        Verb::Finish(args) => finish::finish(app, args),
        Verb::Abandon(args) => finish::abandon(app, args),
    }
}

/// A session that was found and changed.
struct Changed<T> {
    opened: Opened,
    place: Place,
    outcome: T,
}

/// Finds a session and carries an operation out on it.
fn change<T>(
    app: &App,
    verb: &str,
    session: &str,
    mut plan: impl FnMut(&Context<'_>, &Place) -> segno_store::Result<Plan<T>>,
) -> Result<Changed<T>, CommandError> {
    let opened = app.open(&format!("brainstorm {verb}"))?;
    let place = opened.find_of(Kind::Brainstorm, session)?;
    let workspace = opened.workspace();
    let written = workspace.write(&place, &opened.now, &opened.writer, |cx| plan(cx, &place))?;
    drop(workspace);
    Ok(Changed {
        opened,
        place,
        outcome: written.outcome,
    })
}

impl<T> Changed<T> {
    /// Answers a program with the card and more.
    fn json(&self, app: &App, more: impl Serialize) -> Result<(), CommandError> {
        app.ui
            .json(&card::session(&self.opened.card(&self.place), more))
    }

    /// Confirms a save point.
    fn saved(&self) -> Message {
        msg!("brainstorm-saved", path = self.place.path.as_str())
    }
}

/// The session as it stands.
fn look(opened: &Opened, place: &Place) -> Result<Session, CommandError> {
    let workspace = opened.workspace();
    Ok(open(&workspace.context(place.root, &opened.now), place)?)
}

/// The line above and below a box of the format's document.
const RULE: &str = "-------------------------------------------------------";

/// The phase as a title: `Divergent`.
fn phase_title(phase: Phase) -> &'static str {
    match phase {
        Phase::Divergent => "Divergent",
        Phase::Transition => "Transition",
        Phase::Convergent => "Convergent",
    }
}

/// `+12`, `-16`, `+0`.
fn signed(number: i64) -> String {
    format!("{number:+}")
}
