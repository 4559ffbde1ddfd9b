//! `segno brainstorm party start|round|exit`.

use clap::{Args, Subcommand};
use segno_store::formats::brainstorm::{self as bs, Contribution, PartyRound};
use serde::Deserialize;

use super::round::{self, ExitArgs, StartArgs, pair, parts, references_of};
use super::{change, stdin};
use crate::cli::{App, CommandError};
use crate::msg;

/// Hold rounds of personas
#[derive(Debug, Args)]
pub(super) struct PartyArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Open a party
    Start(StartArgs),
    /// Record a round
    Round(RoundArgs),
    /// End the party
    Exit(ExitArgs),
}

#[derive(Debug, Args)]
struct RoundArgs {
    /// The session
    session: String,
    /// What the round is about
    #[arg(long)]
    topic: Option<String>,
    /// What a persona says, as NAME=POINT;POINT[;POINT]
    #[arg(long, value_name = "NAME=POINTS", value_parser = pair)]
    contribution: Vec<(String, String)>,
    /// Whom a persona refers to, as NAME=OTHER[,OTHER]
    #[arg(long, value_name = "NAME=OTHERS", value_parser = pair)]
    reference: Vec<(String, String)>,
    /// What came of it
    #[arg(long)]
    synthesis: Option<String>,
    /// What the user is asked
    #[arg(long)]
    user_question: Option<String>,
    /// Read `{"topic", "personas_selected", "contributions", "synthesis", "user_question"}` from standard input
    #[arg(long, conflicts_with_all = ["topic", "contribution", "reference", "synthesis", "user_question"])]
    stdin: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundInput {
    topic: Option<String>,
    #[serde(default)]
    personas_selected: Vec<String>,
    contributions: Vec<ContributionInput>,
    synthesis: Option<String>,
    user_question: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContributionInput {
    persona: String,
    key_points: Vec<String>,
    #[serde(default)]
    references: Vec<String>,
}

/// Runs a verb of the party.
pub(super) fn run(app: &App, args: &PartyArgs) -> Result<(), CommandError> {
    match &args.verb {
        Verb::Start(args) => start(app, args),
        Verb::Round(args) => record(app, args),
        Verb::Exit(args) => exit(app, args),
    }
}

fn start(app: &App, args: &StartArgs) -> Result<(), CommandError> {
    let said = |names: String| msg!("brainstorm-party-started", personas = names);
    round::start(
        app,
        "party start",
        args,
        bs::party_start,
        bs::personas_for,
        ("personas_suggested", said),
    )
}

fn record(app: &App, args: &RoundArgs) -> Result<(), CommandError> {
    let round = if args.stdin {
        from_stdin()?
    } else {
        from_flags(args)
    };
    let changed = change(app, "party round", &args.session, |cx, place| {
        bs::party_round(cx, place, round.clone())
    })?;
    if app.ui.is_json() {
        return changed.json(app, serde_json::json!({"round": changed.outcome}));
    }
    app.ui.data(msg!(
        "brainstorm-round-recorded",
        round = changed.outcome.to_string()
    ))
}

fn from_flags(args: &RoundArgs) -> PartyRound {
    let contribution = |(name, points): &(String, String)| Contribution {
        persona: Some(name.clone()),
        key_points: parts(points, ';'),
        references: references_of(name, &args.reference),
        ..Contribution::default()
    };
    PartyRound {
        topic: args.topic.clone(),
        contributions: args.contribution.iter().map(contribution).collect(),
        synthesis: args.synthesis.clone(),
        user_question: args.user_question.clone(),
        ..PartyRound::default()
    }
}

fn from_stdin() -> Result<PartyRound, CommandError> {
    let input: RoundInput = stdin::read()?;
    let contribution = |one: ContributionInput| Contribution {
        persona: Some(one.persona),
        key_points: one.key_points,
        references: one.references,
        ..Contribution::default()
    };
    Ok(PartyRound {
        topic: input.topic,
        personas: input.personas_selected,
        contributions: input.contributions.into_iter().map(contribution).collect(),
        synthesis: input.synthesis,
        user_question: input.user_question,
        ..PartyRound::default()
    })
}

fn exit(app: &App, args: &ExitArgs) -> Result<(), CommandError> {
    round::exit(app, "party exit", args, bs::party_exit, |rounds| {
        msg!("brainstorm-party-ended", rounds = rounds)
    })
}
