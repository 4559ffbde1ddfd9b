//! `segno handover`: what one working session passes to the next.

mod answers;
mod collect;
mod decide;
mod draft;
mod flush;
mod learn;
mod log;
mod polish;
mod resume;
mod view;

use clap::{Args, Subcommand};
use segno_store::formats::handover::current;
use segno_store::formats::handover::role::Lead;
use segno_store::formats::{Context, Place, Plan, Root};
use segno_store::session::Problem;
use segno_store::workspace::Written;

use crate::cli::opened::Opened;
use crate::cli::{App, CommandError};
use crate::msg;

/// Keep what one working session passes to the next
#[derive(Debug, Args)]
pub struct HandoverArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Record a decision in the append-only log, under the next number
    Decide(decide::DecideArgs),
    /// Bring session.md up to date after a command has finished
    Draft(draft::DraftArgs),
    /// Move the knowledge of the buffer into knowledge/, then clear the buffer
    Flush(flush::FlushArgs),
    /// Add knowledge to the buffer: given here, or the tagged lines of a report on standard input
    Learn(learn::LearnArgs),
    /// Show the decisions
    Log(log::LogArgs),
    /// Hand the session over: archive session.md, write the polished one, record the end of the session
    Polish(polish::PolishArgs),
    /// Come back: direction, reviews, decisions, buffer, pipeline, next action
    Resume(resume::ResumeArgs),
}

/// Runs a verb of handovers.
pub fn run(app: &App, args: &HandoverArgs) -> Result<(), CommandError> {
    match &args.verb {
        Verb::Decide(args) => decide::run(app, args),
        Verb::Draft(args) => draft::run(app, args),
        Verb::Flush(args) => flush::run(app, args),
        Verb::Learn(args) => learn::run(app, args),
        Verb::Log(args) => log::run(app, args),
        Verb::Polish(args) => polish::run(app, args),
        Verb::Resume(args) => resume::run(app, args),
    }
}

/// Who writes.
#[derive(Debug, Args)]
struct RoleArgs {
    /// The role you write as; else `handover.role` of the configuration. Only the Lead writes
    #[arg(id = "as", long = "as", value_name = "ROLE")]
    role: Option<String>,
}

/// The handover of the workspace, opened by its Lead.
struct Desk {
    opened: Opened,
    place: Place,
    lead: Lead,
}

impl Desk {
    fn open(app: &App, verb: &str, role: &RoleArgs) -> Result<Self, CommandError> {
        let configured = &app.settings()?.handover.role;
        let lead = Lead::claim(role.role.as_deref().unwrap_or(configured))?;
        let opened = app.open(verb)?;
        let place = current(&opened.workspace().context(Root::Workspace, &opened.now))?;
        Ok(Self {
            opened,
            place,
            lead,
        })
    }

    fn write<T>(
        &self,
        app: &App,
        plan: impl FnMut(&Context<'_>) -> segno_store::Result<Plan<T>>,
    ) -> Result<Written<T>, CommandError> {
        let opened = &self.opened;
        let workspace = opened.workspace();
        let written = workspace.write(&self.place, &opened.now, &opened.writer, plan)?;
        for path in &written.receipt.quarantined {
            app.ui.warn(msg!("handover-set-aside", path = path));
        }
        Ok(written)
    }
}

/// Warns of what was found wrong on the way; the torn end of a log has just been set aside and is said as that.
fn warn(app: &App, problems: &[Problem]) {
    use segno_store::formats::handover::problems::TORN_TAIL;
    for problem in problems.iter().filter(|problem| problem.code != TORN_TAIL) {
        app.ui.warn(problem.to_string());
    }
}
