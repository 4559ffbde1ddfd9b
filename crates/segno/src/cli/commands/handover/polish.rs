//! `segno handover polish`: the hand-over with the user's own words.

use clap::Args;
use segno_store::formats::handover::polish::{Answers, Note, Polished, polish};
use serde_json::json;

use super::answers::{from_json, split};
use super::collect::Facts;
use super::{Desk, RoleArgs, warn};
use crate::cli::{App, Code, CommandError, Line, Role};
use crate::messages::Message;
use crate::msg;
use crate::view::card;

/// Hand the session over: archive session.md, write the polished one, record the end of the session
#[derive(Debug, Args)]
pub(super) struct PolishArgs {
    /// Read the answers as one JSON object from FILE, or from standard input with `-`, instead of asking
    #[arg(long, value_name = "FILE")]
    input: Option<String>,
    #[command(flatten)]
    role: RoleArgs,
}

pub(super) fn run(app: &App, args: &PolishArgs) -> Result<(), CommandError> {
    let desk = Desk::open(app, "handover polish", &args.role)?;
    let given = match &args.input {
        Some(input) => Some(from_json(&read(input)?)?),
        None => None,
    };
    let facts = Facts::all(app, &desk)?;
    let mut answers = match given {
        Some(answers) => answers,
        None => ask(app, &facts)?,
    };
    answers.branch = facts.branch;
    answers.files = facts.files;
    answers.tests = facts.tests;
    let polished = desk
        .write(app, |cx| polish(cx, &desk.place, desk.lead, &answers))?
        .outcome;
    warn(app, &polished.problems);
    report(app, &desk, &polished)
}

fn read(input: &str) -> Result<String, CommandError> {
    let text = if input == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(input)
    };
    text.map_err(|error| {
        CommandError::new(Code::Io, msg!("handover-no-input", input = input))
            .because(error.to_string())
    })
}

/// The session goal and the five questions, each with what was collected beside it.
fn ask(app: &App, facts: &Facts) -> Result<Answers, CommandError> {
    let handed = facts.handed.as_ref();
    let before = |text: Option<&String>| -> Vec<String> {
        let lines = text.into_iter().flat_map(|text| text.lines());
        lines.map(ToOwned::to_owned).collect()
    };
    let mut branch: Vec<String> = facts.branch.iter().cloned().collect();
    branch.extend(before(handed.and_then(|handed| handed.goal.as_ref())));
    let goal = question(app, msg!("handover-ask-goal"), &branch)?;
    let mut work = before(handed.and_then(|handed| handed.accomplished.as_ref()));
    work.extend(facts.commits.iter().cloned());
    work.extend(facts.files.iter().cloned());
    work.extend(facts.tests.iter().cloned());
    let accomplished = question(app, msg!("handover-ask-accomplished"), &work)?;
    let mut ahead = before(handed.and_then(|handed| handed.next.as_ref()));
    ahead.extend(facts.specs.iter().cloned());
    let next = question(app, msg!("handover-ask-next"), &ahead)?;
    let decisions = question(app, msg!("handover-ask-decisions"), &facts.decisions)?;
    let tone = question(
        app,
        msg!("handover-ask-tone"),
        &before(handed.and_then(|handed| handed.tone.as_ref())),
    )?;
    let mut steering = before(handed.and_then(|handed| handed.exceptions.as_ref()));
    steering.extend(facts.steering.iter().cloned());
    let exceptions = question(app, msg!("handover-ask-exceptions"), &steering)?;
    let (warnings, decisions): (Vec<String>, Vec<String>) = split(&decisions)
        .into_iter()
        .partition(|text| text.starts_with('!'));
    let notes = |texts: &[String]| {
        texts
            .iter()
            .map(|text| text.as_str().into())
            .collect::<Vec<Note>>()
    };
    let kept = |answer: String| (answer != "-").then_some(answer);
    Ok(Answers {
        accomplished: split(&accomplished),
        next,
        decisions: notes(&decisions),
        warnings: warnings
            .iter()
            .map(|text| text.trim_start_matches('!').trim().to_owned())
            .collect(),
        tone: kept(tone),
        exceptions: kept(exceptions).map(|typed| notes(&split(&typed))),
        goal: kept(goal),
        ..Answers::default()
    })
}

fn question(app: &App, question: Message, beside: &[String]) -> Result<String, CommandError> {
    if app.ui.can_ask() {
        for line in beside.iter().take(12) {
            let line = Line::new().plain("  ").add(Role::Dim, line.as_str());
            app.ui.note(line);
        }
    }
    app.ui.ask(question, msg!("handover-ask-otherwise"))
}

/// Where the handover is, where the archive is, what was captured, and that the next session loads it by itself.
fn report(app: &App, desk: &Desk, polished: &Polished) -> Result<(), CommandError> {
    let end = polished.seqs.last().copied().unwrap_or_default();
    if app.ui.is_json() {
        let captured: serde_json::Map<String, serde_json::Value> = polished
            .captured
            .iter()
            .map(|(name, count)| ((*name).to_owned(), json!(count)))
            .collect();
        let more = json!({
            "handover": polished.path.as_str(),
            "archive": polished.archive.as_ref().map(segno_disk::RelPath::as_str),
            "decisions": polished.seqs.iter().map(|seq| format!("D{seq}")).collect::<Vec<_>>(),
            "captured": captured,
            "next": polished.next,
        });
        return app
            .ui
            .json(&card::session(&desk.opened.card(&desk.place), more));
    }
    app.ui
        .data(Line::new().plain(msg!("handover-report-path", path = &polished.path)))?;
    if let Some(archive) = &polished.archive {
        app.ui
            .data(Line::new().plain(msg!("handover-report-archive", path = archive)))?;
    }
    let captured: Vec<String> = polished
        .captured
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    app.ui.data(Line::new().plain(msg!(
        "handover-report-captured",
        what = captured.join(", "),
        end = format!("D{end}")
    )))?;
    app.ui
        .data(Line::new().plain(msg!("handover-next", next = &polished.next)))?;
    app.ui.note(msg!("handover-report-reminder"));
    Ok(())
}
