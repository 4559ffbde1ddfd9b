//! `segno brainstorm panel start|round|exit`.

use clap::{Args, Subcommand};
use segno_store::formats::brainstorm::{self as bs, Opinion, PanelPhase, PanelRound, Synthesis};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::round::{self, ExitArgs, StartArgs, pair, references_of};
use super::{change, stdin};
use crate::cli::{App, CommandError};
use crate::msg;

/// Hold rounds of experts
#[derive(Debug, Args)]
pub(super) struct PanelArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Open a panel
    Start(StartArgs),
    /// Record a round
    Round(RoundArgs),
    /// End the panel
    Exit(ExitArgs),
}

#[derive(Debug, Args)]
struct RoundArgs {
    /// The session
    session: String,
    /// What the round is about
    #[arg(long)]
    topic: Option<String>,
    /// The phase: discussion, debate, socratic; that of the round before when not given
    #[arg(long, value_parser = phase)]
    phase: Option<PanelPhase>,
    /// What an expert says, as NAME=POSITION
    #[arg(long, value_name = "NAME=POSITION", value_parser = pair)]
    contribution: Vec<(String, String)>,
    /// Whom an expert refers to, as NAME=OTHER[,OTHER]
    #[arg(long, value_name = "NAME=OTHERS", value_parser = pair)]
    reference: Vec<(String, String)>,
    /// A point of agreement; give it several times for several
    #[arg(long, value_name = "TEXT")]
    convergent: Vec<String>,
    /// A tension; give it several times for several
    #[arg(long, value_name = "TEXT")]
    tension: Vec<String>,
    /// What the user is asked
    #[arg(long)]
    user_question: Option<String>,
    /// Read `{"topic", "phase", "experts_selected", "contributions", "synthesis", "user_question"}` from standard input
    #[arg(long, conflicts_with_all = ["topic", "phase", "contribution", "reference", "convergent", "tension", "user_question"])]
    stdin: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundInput {
    topic: Option<String>,
    #[serde(default, deserialize_with = "phase_in_json")]
    phase: Option<PanelPhase>,
    #[serde(default)]
    experts_selected: Vec<String>,
    contributions: Vec<OpinionInput>,
    synthesis: Option<SynthesisInput>,
    user_question: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpinionInput {
    expert: String,
    framework: Option<String>,
    position: String,
    #[serde(default)]
    references: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SynthesisInput {
    #[serde(default)]
    convergent: Vec<String>,
    #[serde(default)]
    tensions: Vec<String>,
}

fn phase(text: &str) -> Result<PanelPhase, String> {
    PanelPhase::named(text).ok_or_else(|| {
        let all: Vec<&str> = PanelPhase::ALL.iter().map(|phase| phase.name()).collect();
        format!("it is one of {}", all.join(", "))
    })
}

fn phase_in_json<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PanelPhase>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    let named = text.map(|text| phase(&text)).transpose();
    named.map_err(D::Error::custom)
}

/// Runs a verb of the panel.
pub(super) fn run(app: &App, args: &PanelArgs) -> Result<(), CommandError> {
    match &args.verb {
        Verb::Start(args) => start(app, args),
        Verb::Round(args) => record(app, args),
        Verb::Exit(args) => exit(app, args),
    }
}

fn start(app: &App, args: &StartArgs) -> Result<(), CommandError> {
    let said = |names: String| msg!("brainstorm-panel-started", experts = names);
    round::start(
        app,
        "panel start",
        args,
        bs::panel_start,
        bs::experts_for,
        ("experts_suggested", said),
    )
}

fn record(app: &App, args: &RoundArgs) -> Result<(), CommandError> {
    let round = if args.stdin {
        from_stdin()?
    } else {
        from_flags(args)
    };
    let changed = change(app, "panel round", &args.session, |cx, place| {
        bs::panel_round(cx, place, round.clone())
    })?;
    let (number, phase) = changed.outcome;
    if app.ui.is_json() {
        return changed.json(
            app,
            serde_json::json!({"round": number, "phase": phase.name()}),
        );
    }
    app.ui.data(msg!(
        "brainstorm-round-recorded",
        round = number.to_string()
    ))
}

fn from_flags(args: &RoundArgs) -> PanelRound {
    let opinion = |(name, position): &(String, String)| Opinion {
        expert: Some(name.clone()),
        position: Some(position.trim().to_owned()),
        references: references_of(name, &args.reference),
        ..Opinion::default()
    };
    PanelRound {
        topic: args.topic.clone(),
        phase: args.phase,
        contributions: args.contribution.iter().map(opinion).collect(),
        synthesis: Some(Synthesis {
            convergent: args.convergent.clone(),
            tensions: args.tension.clone(),
            ..Synthesis::default()
        }),
        user_question: args.user_question.clone(),
        ..PanelRound::default()
    }
}

fn from_stdin() -> Result<PanelRound, CommandError> {
    let input: RoundInput = stdin::read()?;
    let opinion = |one: OpinionInput| Opinion {
        expert: Some(one.expert),
        framework: one.framework,
        position: Some(one.position),
        references: one.references,
        ..Opinion::default()
    };
    Ok(PanelRound {
        topic: input.topic,
        phase: input.phase,
        experts: input.experts_selected,
        contributions: input.contributions.into_iter().map(opinion).collect(),
        synthesis: input.synthesis.map(|one| Synthesis {
            convergent: one.convergent,
            tensions: one.tensions,
            ..Synthesis::default()
        }),
        user_question: input.user_question,
        ..PanelRound::default()
    })
}

fn exit(app: &App, args: &ExitArgs) -> Result<(), CommandError> {
    round::exit(app, "panel exit", args, bs::panel_exit, |rounds| {
        msg!("brainstorm-panel-ended", rounds = rounds)
    })
}
