//! The verbs of the four stages.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use segno_store::formats::essay::{self, ArgumentInput, ClaimType, ParagraphInput, ThesisInput};

use super::input::{self, InputArgs, read, step};
use crate::cli::{App, CommandError};
use crate::view::card;

/// A verb that takes nothing but the session
#[derive(Debug, Args)]
pub(super) struct OneArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    pub(super) session: String,
}

/// Hand in the approved thesis (stage 1)
#[derive(Debug, Args)]
pub(super) struct ThesisArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// What the thesis claims: argument, explainer, prediction, hybrid; read from the thesis when not given
    #[arg(long, value_name = "TYPE", value_parser = claim_type)]
    claim_type: Option<ClaimType>,
    #[command(flatten)]
    input: InputArgs,
    /// The development log
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

fn claim_type(text: &str) -> Result<ClaimType, String> {
    ClaimType::parse(text).ok_or_else(|| format!("it is one of {}", ClaimType::choices()))
}

/// Hands in the thesis.
pub(super) fn thesis(app: &App, args: &ThesisArgs) -> Result<(), CommandError> {
    let thesis = ThesisInput {
        text: args.input.text()?,
        claim_type: args.claim_type,
        log: args.log.as_deref().map(read).transpose()?,
    };
    step(app, "essay thesis", &args.session, |cx, place| {
        essay::thesis(cx, place, &thesis)
    })
}

/// Hand in the approved outline (stage 2)
#[derive(Debug, Args)]
pub(super) struct OutlineArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    #[command(flatten)]
    input: InputArgs,
}

/// Hands in the outline.
pub(super) fn outline(app: &App, args: &OutlineArgs) -> Result<(), CommandError> {
    let text = args.input.text()?;
    step(app, "essay outline", &args.session, |cx, place| {
        essay::outline(cx, place, &text)
    })
}

/// Hand in the argument map of a section (stage 3)
#[derive(Debug, Args)]
pub(super) struct ArgumentArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Number of the section, from 1
    section: u64,
    #[command(flatten)]
    input: InputArgs,
    /// The user approves the map now; otherwise what the map itself says counts
    #[arg(long)]
    approved: bool,
}

/// Hands in an argument map.
pub(super) fn argument(app: &App, args: &ArgumentArgs) -> Result<(), CommandError> {
    let map = ArgumentInput {
        section: args.section,
        text: args.input.text()?,
        approved: args.approved,
    };
    step(app, "essay argument", &args.session, |cx, place| {
        essay::argument(cx, place, &map)
    })
}

/// Approves all arguments.
pub(super) fn approve(app: &App, args: &OneArgs) -> Result<(), CommandError> {
    step(app, "essay approve", &args.session, essay::approve)
}

/// Add an approved paragraph to the draft (stage 4)
#[derive(Debug, Args)]
pub(super) struct ParagraphArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Number of the section, from 1
    section: u64,
    #[command(flatten)]
    input: InputArgs,
    /// What the user did, such as `Approved with edit`
    #[arg(long, value_name = "TEXT")]
    action: Option<String>,
    /// What was presented before the user's edit
    #[arg(long, value_name = "TEXT")]
    presented: Option<String>,
    /// What the edit changed
    #[arg(long, value_name = "TEXT")]
    edit_summary: Option<String>,
    /// Points of the argument map that it covers
    #[arg(long, value_name = "TEXT")]
    points: Option<String>,
    /// Its sources, parted by `;`
    #[arg(long, value_name = "TEXT")]
    sources: Option<String>,
    /// What was said of its voice
    #[arg(long, value_name = "TEXT")]
    voice_notes: Option<String>,
    /// How many paragraphs the section is to have
    #[arg(long, value_name = "N")]
    of: Option<u64>,
}

/// Adds a paragraph.
pub(super) fn paragraph(app: &App, args: ParagraphArgs) -> Result<(), CommandError> {
    let paragraph = ParagraphInput {
        section: args.section,
        text: args.input.text()?,
        action: args.action,
        presented: args.presented,
        edit_summary: args.edit_summary,
        points: args.points,
        sources: args.sources,
        voice_notes: args.voice_notes,
        of: args.of,
    };
    step(app, "essay paragraph", &args.session, |cx, place| {
        essay::paragraph(cx, place, &paragraph)
    })
}

/// Finish a section of the draft
#[derive(Debug, Args)]
pub(super) struct SectionArgs {
    #[command(subcommand)]
    verb: SectionVerb,
}

#[derive(Debug, Subcommand)]
enum SectionVerb {
    /// Say that a section is written to its end
    Done {
        /// The essay: its id, the beginning of it, or a path
        #[arg(value_name = "SESSION")]
        session: String,
        /// Number of the section, from 1
        section: u64,
    },
}

/// Finishes a section.
pub(super) fn section(app: &App, args: &SectionArgs) -> Result<(), CommandError> {
    let SectionVerb::Done { session, section } = &args.verb;
    step(app, "essay section done", session, |cx, place| {
        essay::section_done(cx, place, *section)
    })
}

/// Sets an essay aside.
pub(super) fn pause(app: &App, args: &OneArgs) -> Result<(), CommandError> {
    let opened = app.open("essay pause")?;
    let place = input::find(app, &opened, &args.session)?;
    let written = opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            essay::pause(cx, &place)
        })?;
    if app.ui.is_json() {
        let more = serde_json::json!({ "message": written.outcome.summary });
        return app.ui.json(&card::session(&opened.card(&place), more));
    }
    app.ui.data(written.outcome.summary.as_str())
}

/// Gives an essay up.
pub(super) fn abandon(app: &App, args: &OneArgs) -> Result<(), CommandError> {
    step(app, "essay abandon", &args.session, essay::abandon)
}

/// Say that what was flagged for review stands as it is
#[derive(Debug, Args)]
pub(super) struct ReviewArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Number of the stage, 1 to 4
    #[arg(long, value_name = "N")]
    stage: u64,
    /// Only this section
    #[arg(long, value_name = "N")]
    section: Option<u64>,
}

/// Takes the flag of a review.
pub(super) fn review(app: &App, args: &ReviewArgs) -> Result<(), CommandError> {
    step(app, "essay review", &args.session, |cx, place| {
        essay::review(cx, place, args.stage, args.section)
    })
}
