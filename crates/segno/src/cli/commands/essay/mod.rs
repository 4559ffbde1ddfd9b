//! `segno essay`: the verbs of the writing pipeline.

mod begin;
mod claim;
mod finish;
mod history;
mod input;
mod relocate;
mod revise;
mod show;
mod stages;
mod voice;
mod words;

use clap::{Args, Subcommand};

use crate::cli::{App, CommandError};

/// Write an essay in four stages: thesis, outline, arguments, paragraphs
#[derive(Debug, Args)]
pub struct EssayArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Begin an essay
    New(begin::NewArgs),
    /// Hand in the approved thesis (stage 1)
    Thesis(stages::ThesisArgs),
    /// Hand in the approved outline (stage 2)
    Outline(stages::OutlineArgs),
    /// Hand in the argument map of a section (stage 3)
    Argument(stages::ArgumentArgs),
    /// Approve all arguments at a glance: stage 3 ends, stage 4 begins
    Approve(stages::OneArgs),
    /// Add an approved paragraph to the draft (stage 4)
    Paragraph(stages::ParagraphArgs),
    /// Finish a section of the draft
    Section(stages::SectionArgs),
    /// Set an essay aside
    Pause(stages::OneArgs),
    /// Give an essay up; nothing is removed
    Abandon(stages::OneArgs),
    /// Say that what was flagged for review stands as it is
    Review(stages::ReviewArgs),
    /// Put off, settle or override the verification of a claim
    Claim(claim::ClaimArgs),
    /// Record a voice check or a calibration
    Voice(voice::VoiceArgs),
    /// Check the gates and assemble the final essay
    Finish(finish::FinishArgs),
    /// Show the full state, and where in it you are
    Status(stages::OneArgs),
    /// Print the essay so far
    Draft(stages::OneArgs),
    /// Go back to a stage: what rests on it is flagged, archived or begun anew
    Revise(revise::ReviseArgs),
    /// List the versions of the artifacts, or compare two
    History(history::HistoryArgs),
    /// Move a session out of the system's temporary directory into the workspace
    Move(stages::OneArgs),
}

/// Runs a verb of the pipeline.
pub fn run(app: &App, args: EssayArgs) -> Result<(), CommandError> {
    match args.verb {
        Verb::New(args) => begin::run(app, args),
        Verb::Thesis(args) => stages::thesis(app, &args),
        Verb::Outline(args) => stages::outline(app, &args),
        Verb::Argument(args) => stages::argument(app, &args),
        Verb::Approve(args) => stages::approve(app, &args),
        Verb::Paragraph(args) => stages::paragraph(app, args),
        Verb::Section(args) => stages::section(app, &args),
        Verb::Pause(args) => stages::pause(app, &args),
        Verb::Abandon(args) => stages::abandon(app, &args),
        Verb::Review(args) => stages::review(app, &args),
        Verb::Claim(args) => claim::run(app, args),
        Verb::Voice(args) => voice::run(app, args),
        Verb::Finish(args) => finish::run(app, &args),
        Verb::Status(args) => show::status(app, &args),
        Verb::Draft(args) => show::draft(app, &args),
        Verb::Revise(args) => revise::run(app, args),
        Verb::History(args) => history::run(app, &args),
        Verb::Move(args) => relocate::run(app, &args),
    }
}
