//! The verbs, one file each. A kind of session has a folder of its own for the verbs that are particular to it.
//!
//! A verb is a struct of arguments (its doc comments are its help) and a function
//! `run(app: &App, args: &XArgs) -> Result<(), CommandError>`: resolve, check, call the store, answer through `app.ui`.

pub mod brainstorm;
pub mod check;
pub mod clean;
pub mod completions;
pub mod config;
pub mod conversation;
pub mod dashboard;
pub mod discuss;
pub mod essay;
pub mod export;
pub mod handover;
pub mod index;
pub mod list;
pub mod man;
pub mod migrate;
pub mod recover;
pub mod resume;
pub mod search;
pub mod show;
pub mod stop;
pub mod tour;
pub mod watch;

use clap::Subcommand;

use super::app::App;
use super::error::CommandError;

/// The verbs. Each line of documentation here is that of the verb's arguments: this one is shown in the list of commands,
/// the other one in the verb's own help. A test compares them. The kinds come first, then what they have in common.
#[derive(Debug, Subcommand)]
// The arguments of a verb are built when it is used: a start of the program does not pay for all of them.
#[command(defer = true)]
pub enum Command {
    /// Explore an idea in scored iterations that can be saved, rewound and finished
    Brainstorm(brainstorm::BrainstormArgs),
    /// Hold a typed conversation with an agent that can be paused and resumed
    Conversation(conversation::ConversationArgs),
    /// Discuss tasks, phases and tracks, and replay what was decided into the plan
    Discuss(discuss::DiscussArgs),
    /// Write an essay in four stages: thesis, outline, arguments, paragraphs
    Essay(essay::EssayArgs),
    /// Keep what one working session passes to the next
    Handover(handover::HandoverArgs),
    /// List the sessions of the workspace
    List(list::ListArgs),
    /// Search everything that was said, decided and written
    Search(search::SearchArgs),
    /// Show a session: what it is about, where it stands, and all that is in it
    Show(show::ShowArgs),
    /// Come back to a session: its text is loaded into an agent's tool, or printed
    Resume(resume::ResumeArgs),
    /// Set a session aside, to be resumed later
    Stop(stop::StopArgs),
    /// Say what is wrong with sessions, and the command that repairs it
    Check(check::CheckArgs),
    /// Repair sessions, saying what was done and what could not be known
    Recover(recover::RecoverArgs),
    /// Write a session as one file that a colleague or another tool can read, without its secrets
    Export(export::ExportArgs),
    /// Bring sessions of older versions to the current one, keeping the old files
    Migrate(migrate::MigrateArgs),
    /// Put sessions past their retention into the trash, and empty what was long in it
    Clean(clean::CleanArgs),
    /// Pause sessions that nobody works on any more, as soon as they are due
    Watch(watch::WatchArgs),
    /// Show what the search index holds, or build it anew
    Index(index::IndexArgs),
    /// Show what segno does: one session of every kind, a crash, a recovery, and the way back
    Tour(tour::TourArgs),
    /// Show every setting, its value, where it comes from, and what it does
    Config(config::ConfigArgs),
    /// Print the script that completes segno's commands in a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write the pages of all commands to a directory
    Man(man::ManArgs),
}

/// Runs a verb.
pub fn run(app: &App, command: Command) -> Result<(), CommandError> {
    match command {
        Command::Brainstorm(args) => brainstorm::run(app, &args),
        Command::Conversation(args) => conversation::run(app, args),
        Command::Discuss(args) => discuss::run(app, &args),
        Command::Essay(args) => essay::run(app, args),
        Command::Handover(args) => handover::run(app, &args),
        Command::List(args) => list::run(app, &args),
        Command::Search(args) => search::run(app, &args),
        Command::Show(args) => show::run(app, &args),
        Command::Resume(args) => resume::run(app, &args),
        Command::Stop(args) => stop::run(app, &args),
        Command::Check(args) => check::run(app, &args),
        Command::Recover(args) => recover::run(app, &args),
        Command::Export(args) => export::run(app, &args),
        Command::Migrate(args) => migrate::run(app, &args),
        Command::Clean(args) => clean::run(app, &args),
        Command::Watch(args) => watch::run(app, &args),
        Command::Index(args) => index::run(app, &args),
        Command::Tour(args) => tour::run(app, &args),
        Command::Config(args) => config::run(app, args),
        Command::Completions(args) => completions::run(app, &args),
        Command::Man(args) => man::run(app, &args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::cli::args::Cli;

    #[test]
    fn a_verb_says_the_same_of_itself_in_the_list_and_in_its_own_help() {
        let listed = Cli::command();
        let mut built = Cli::command();
        built.build();
        for verb in listed.get_subcommands() {
            let own = built.find_subcommand(verb.get_name()).unwrap();
            let words = |about: Option<&clap::builder::StyledStr>| about.map(ToString::to_string);
            assert_eq!(
                words(verb.get_about()),
                words(own.get_about()),
                "{}",
                verb.get_name()
            );
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
