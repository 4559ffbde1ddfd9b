//! `segno conversation`: the verbs that are particular to conversations.

pub mod complete;
pub mod say;
pub mod start;

use clap::{Args, Subcommand};
use segno_store::session::Kind;

use super::{resume, stop};
use crate::cli::{App, CommandError};

/// Hold a typed conversation with an agent that can be paused and resumed
#[derive(Debug, Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct ConversationArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Start a conversation
    Start(start::StartArgs),
    /// Say something: the message is on the disk before it is acknowledged
    Say(say::SayArgs),
    /// Pause a conversation, to be resumed later
    Stop(stop::StopArgs),
    /// Come back to a conversation
    Resume(resume::ResumeKindArgs),
    /// Mark a conversation as completed
    Complete(complete::CompleteArgs),
}

/// Runs a verb of conversations.
pub fn run(app: &App, args: ConversationArgs) -> Result<(), CommandError> {
    match args.verb {
        Verb::Start(args) => start::run(app, args),
        Verb::Say(args) => say::run(app, &args),
        Verb::Stop(args) => stop::run_of(app, Kind::Conversation, &args),
        Verb::Resume(args) => resume::run_of(app, Kind::Conversation, &args),
        Verb::Complete(args) => complete::run(app, &args),
    }
}
