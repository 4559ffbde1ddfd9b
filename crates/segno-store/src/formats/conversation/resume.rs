//! Coming back: the agent's instructions, what the conversation was, and all that was said, as one text.

use std::fmt::Write as _;

use super::super::{Context, Notice, Place, Plan, ResumeOptions, Resumed};
use super::command::{self, CommandFile};
use super::document::title;
use super::lifecycle::{check_transition, refuse_transition};
use super::state::{self, State, later};
use super::transcript::{Newest, Transcript, Wanted};
use super::types::default_command;
use super::{card, check, reference};
use crate::error::Result;
use crate::session::{Ago, AgoUnit, Now, Problem, Status, Timestamp, estimate_tokens, first_lines};

/// Makes a conversation active again and gives the text that an agent goes on from.
pub(super) fn resume(
    cx: &Context<'_>,
    place: &Place,
    options: &ResumeOptions,
) -> Result<Plan<Resumed>> {
    let mut state = state::read_to_change(cx, place)?;
    let mut warnings = Vec::new();
    match state.status() {
        // Asking again for what is active changes no status.
        Status::Active => {}
        Status::Completed if options.force => warnings.push(notice(
            place,
            "was_completed",
            "it had been marked as completed and is active again",
        )),
        Status::Completed => return Err(refuse_transition(place, Status::Completed, "be resumed")),
        from => check_transition(place, from, Status::Active, "be resumed")?,
    }
    let transcript = Transcript::open(cx, place)?;
    let count = transcript.count()?;
    let kind = state.text("conversation_type");
    let kind = kind.unwrap_or_else(|| card::kind_of(place, &state::StateFile::Missing));
    let instructions = instructions(cx, place, &state, &kind, &mut warnings)?;
    let block = context_block(cx, place, &state, &kind, &transcript, count)?;
    let problems = match options.budget {
        Some(_) => check::check_soon(cx, place)?,
        None => check::check(cx, place)?,
    };
    let end = problems_text(&problems, options.budget);
    let prompt = instructions.as_ref().map(CommandFile::prompt);
    let frame = estimate_tokens(&block) + estimate_tokens(&end) + FRAME;
    let mut text = match (prompt, options.budget) {
        (Some(prompt), Some(budget)) => within(&prompt, budget.saturating_sub(frame)) + "\n\n",
        (Some(prompt), None) => format!("{prompt}\n\n"),
        (None, _) => String::new(),
    };
    text.push_str(&block);
    let wanted = match options.budget {
        Some(budget) => {
            let rest = estimate_tokens(&text) + estimate_tokens(&end) + FRAME;
            Wanted::Tokens(budget.saturating_sub(rest))
        }
        None => Wanted::All,
    };
    let newest = transcript.newest(wanted)?;
    if newest.unreadable > 0 {
        let lines = if newest.unreadable == 1 {
            "line"
        } else {
            "lines"
        };
        let what = format!(
            "{} {lines} of the history could not be read: `segno check {}` shows where",
            newest.unreadable, place.id
        );
        warnings.push(notice(place, "lines_unreadable", &what));
    }
    write_history(&mut text, &newest, options.budget);
    text.push_str(&end);
    let agent = state.agent("agent").filter(|name| !name.trim().is_empty());
    let resumed = Resumed {
        text: Some(text),
        warnings,
        tool: agent.or_else(|| instructions.map(|file| file.agent.to_owned())),
        left_out: newest.left_out,
    };
    state.touch(Status::Active, &cx.now.utc_seconds(), count)?;
    // Crash: the old state or the new one; nothing else is touched.
    Ok(Plan::in_order(vec![state.into_change(place)?], resumed))
}

/// What the marks around the history cost.
const FRAME: usize = 40;

/// The instructions whole where they leave at least as much room for what was said; else as many of their lines.
fn within(prompt: &str, room: usize) -> String {
    if estimate_tokens(prompt) <= room / 2 {
        return prompt.to_owned();
    }
    let mut lines = prompt.lines().count();
    loop {
        let cut = first_lines(prompt, lines);
        if lines == 0 || estimate_tokens(&cut) <= room / 2 {
            return cut;
        }
        lines = lines * 3 / 4;
    }
}

/// What was found wrong, for whoever goes on; empty when nothing was. Within a budget, the first few.
fn problems_text(problems: &[Problem], budget: Option<usize>) -> String {
    const FEW: usize = 4;
    if problems.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| format!("- {problem}"))
        .collect();
    let list = lines.join("\n");
    let list = match budget {
        Some(_) => first_lines(&list, FEW),
        None => list,
    };
    format!("\n[PROBLEMS FOUND]\n{list}\n[END PROBLEMS FOUND]\n")
}

/// The command's current file. Warns when it is not the one that the conversation was begun with.
fn instructions(
    cx: &Context<'_>,
    place: &Place,
    state: &State,
    kind: &str,
    warnings: &mut Vec<Notice>,
) -> Result<Option<CommandFile>> {
    let command = state
        .agent("command")
        .filter(|text| !text.trim().is_empty());
    let command = command.unwrap_or_else(|| default_command(kind));
    let mut files = command::files(cx, &command)?;
    let before = state.agent("system_prompt_hash").unwrap_or_default();
    if let Some(same) = files.iter().position(|file| file.hash() == before) {
        return Ok(Some(files.swap_remove(same)));
    }
    let agent = state.agent("agent");
    let own = files
        .iter()
        .position(|file| Some(file.agent) == agent.as_deref());
    let file = (!files.is_empty()).then(|| files.swap_remove(own.unwrap_or(0)));
    match &file {
        Some(file) if !before.is_empty() => {
            let what = format!(
                "the agent's instructions ({command}) have changed since: the current ones in {} are used",
                file.path
            );
            warnings.push(notice(place, "prompt_changed", &what));
        }
        Some(_) => {}
        None => {
            let what = format!(
                "no file with the instructions of {command} was found: the agent is given the history without them"
            );
            warnings.push(notice(place, "prompt_missing", &what));
        }
    }
    Ok(file)
}

fn context_block(
    cx: &Context<'_>,
    place: &Place,
    state: &State,
    kind: &str,
    transcript: &Transcript,
    count: u64,
) -> Result<String> {
    let active = later(state.time("last_active"), transcript.last()?.at, cx.now);
    let summary = state.text("context_summary").unwrap_or_default();
    let summary = if summary.trim().is_empty() {
        super::lifecycle::summarise(transcript)?
    } else {
        summary
    };
    Ok(format!(
        "[RESUMED CONVERSATION]\n\
         You are continuing a previous conversation.\n\n\
         Conversation: {kind} / {}\n\
         Last active: {}\n\
         Messages: {count} exchanges\n\
         Summary: {}\n\n\
         Previous context is loaded. The user expects you to continue where you left off.\n\
         Review the conversation history and pick up naturally.\n\
         [END RESUMED CONTEXT]\n",
        title(cx, place, kind)?,
        active.map_or_else(|| "unknown".to_owned(), |at| ago(&at, cx.now)),
        summary.trim(),
    ))
}

fn write_history(text: &mut String, newest: &Newest, budget: Option<usize>) {
    text.push_str("\n[CONVERSATION HISTORY]\n");
    if newest.left_out > 0 {
        let budget = budget.map_or_else(String::new, |tokens| format!(" of {tokens} tokens"));
        let _ = writeln!(
            text,
            "({} earlier messages are left out to keep within the budget{budget}.)",
            newest.left_out
        );
    }
    for turn in &newest.turns {
        let at = turn.at.as_ref().map(|at| format!(" ({})", at.raw()));
        let _ = write!(
            text,
            "\n{}{}:\n{}\n",
            turn.role,
            at.unwrap_or_default(),
            turn.text
        );
    }
    text.push_str("\n[END CONVERSATION HISTORY]\n");
}

fn notice(place: &Place, code: &'static str, text: &str) -> Notice {
    Notice {
        code,
        session: reference(place),
        text: text.to_owned(),
    }
}

/// How long ago, in the language that the block around it is written in.
fn ago(then: &Timestamp, now: &Now) -> String {
    let Ago { unit, n } = Ago::between(then, now);
    match (unit, n) {
        (AgoUnit::Now, _) => "just now".to_owned(),
        (AgoUnit::Day, 0) => "today".to_owned(),
        (AgoUnit::Day, 1) => "yesterday".to_owned(),
        (unit, 1) => format!("1 {} ago", unit.name()),
        (unit, n) => format!("{n} {}s ago", unit.name()),
    }
}
