//! `segno brainstorm ask` and `answer`.

use std::collections::BTreeMap;

use clap::Args;
use segno_store::formats::brainstorm::{
    self as bs, Ask, Axis, MANY_ITERATIONS, MANY_QUESTIONS, Phase,
};
use serde::Deserialize;

use super::{change, phase_title, signed, stdin};
use crate::cli::{App, Code, CommandError, Line};
use crate::msg;

/// Ask questions: the next iteration, with its score
#[derive(Debug, Args)]
pub(super) struct AskArgs {
    /// The session
    session: String,
    /// A question; give it several times for several
    #[arg(long, value_name = "TEXT")]
    question: Vec<String>,
    /// The score, 0 to 100
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "axis",
        allow_negative_numbers = true
    )]
    ems: Option<i64>,
    /// An axis and its score, such as clarte=42; the score is computed from the five
    #[arg(long, value_name = "AXIS=N", value_parser = axis)]
    axis: Vec<(Axis, i64)>,
    /// The phase from here on: divergent, transition, convergent
    #[arg(long, value_parser = phase)]
    phase: Option<Phase>,
    /// Read `{"questions", "ems", "axes", "phase"}` from standard input
    #[arg(long, conflicts_with_all = ["question", "ems", "axis", "phase"])]
    stdin: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskInput {
    questions: Vec<String>,
    ems: Option<i64>,
    #[serde(default)]
    axes: BTreeMap<String, i64>,
    #[serde(default, deserialize_with = "stdin::phase")]
    phase: Option<Phase>,
}

/// Understands `clarte=42`.
fn axis(text: &str) -> Result<(Axis, i64), String> {
    let (name, score) = text.split_once('=').ok_or("write it as AXIS=N")?;
    let score = score
        .trim()
        .parse()
        .map_err(|_| "the score is a whole number")?;
    let axis = Axis::named(name).ok_or_else(|| format!("the axes are {}", axis_names()))?;
    Ok((axis, score))
}

fn axis_names() -> String {
    Axis::ALL.map(|axis| axis.name().to_lowercase()).join(", ")
}

/// Understands a phase.
pub(super) fn phase(text: &str) -> Result<Phase, String> {
    Phase::named(text).ok_or_else(|| {
        let all: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).collect();
        format!("it is one of {}", all.join(", "))
    })
}

fn wanted(args: &AskArgs) -> Result<Ask, CommandError> {
    if !args.stdin {
        return Ok(Ask {
            questions: args.question.clone(),
            ems: args.ems,
            axes: args.axis.clone(),
            phase: args.phase,
        });
    }
    let input: AskInput = stdin::read()?;
    let mut axes = Vec::new();
    for (name, score) in input.axes {
        let Some(axis) = Axis::named(&name) else {
            let error = msg!("brainstorm-no-axis", name = &name);
            let hint = msg!("brainstorm-axes", names = axis_names());
            return Err(CommandError::new(Code::Invalid, error).hint(hint));
        };
        axes.push((axis, score));
    }
    Ok(Ask {
        questions: input.questions,
        ems: input.ems,
        axes,
        phase: input.phase,
    })
}

/// Begins the next iteration.
pub(super) fn ask(app: &App, args: &AskArgs) -> Result<(), CommandError> {
    let ask = wanted(args)?;
    let changed = change(app, "ask", &args.session, |cx, place| {
        bs::ask(cx, place, &ask)
    })?;
    let asked = &changed.outcome;
    if asked.questions > MANY_QUESTIONS {
        app.ui
            .warn(msg!("brainstorm-many-questions", max = MANY_QUESTIONS));
    }
    if asked.iteration > MANY_ITERATIONS {
        app.ui.warn(msg!(
            "brainstorm-many-iterations",
            max = MANY_ITERATIONS.to_string()
        ));
    }
    if app.ui.is_json() {
        let more = serde_json::json!({
            "iteration": asked.iteration, "ems": asked.ems, "delta": asked.delta, "branch": asked.branch,
        });
        return changed.json(app, more);
    }
    app.ui.data(msg!(
        "brainstorm-asked",
        iteration = asked.iteration.to_string(),
        ems = asked.ems.to_string(),
        delta = signed(asked.delta),
        bar = bs::bar(asked.ems)
    ))?;
    if let Some((from, to)) = asked.phase_change {
        app.ui.note(msg!(
            "brainstorm-phase-changed",
            from = from.name(),
            to = phase_title(to)
        ));
        app.ui.note(changed.saved());
    }
    if let Some(branch) = asked.branch {
        app.ui
            .note(msg!("brainstorm-branched", branch = branch.to_string()));
    }
    Ok(())
}

/// Answer the current questions
#[derive(Debug, Args)]
pub(super) struct AnswerArgs {
    /// The session
    session: String,
    /// An answer; give it several times, in the order of the questions
    #[arg(long, value_name = "TEXT")]
    response: Vec<String>,
    /// Read `{"responses"}` from standard input
    #[arg(long, conflicts_with = "response")]
    stdin: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerInput {
    responses: Vec<String>,
}

/// Answers the current questions.
pub(super) fn answer(app: &App, args: &AnswerArgs) -> Result<(), CommandError> {
    let responses = if args.stdin {
        stdin::read::<AnswerInput>()?.responses
    } else {
        args.response.clone()
    };
    let changed = change(app, "answer", &args.session, |cx, place| {
        bs::answer(cx, place, &responses)
    })?;
    let answered = &changed.outcome;
    if app.ui.is_json() {
        return changed.json(
            app,
            serde_json::json!({"iteration": answered.iteration, "open": answered.open}),
        );
    }
    app.ui.data(msg!(
        "brainstorm-answered",
        iteration = answered.iteration.to_string(),
        open = answered.open.len()
    ))?;
    for question in &answered.open {
        app.ui
            .note(Line::new().plain("   - ").plain(question.as_str()));
    }
    Ok(())
}
