//! What a returning agent reads: the nine points as Markdown, in their order.

use std::fmt::Write as _;

use super::decision::Decision;
use super::pipeline::Pipeline;
use super::resume::{Back, State, Trigger};
use super::spec::Phase;

/// The text for an agent. With a budget in tokens, the oldest decisions give way first.
pub fn text(back: &Back, budget: Option<usize>) -> (String, u64) {
    let total = back.state.decisions.len();
    let whole = page(back, 0);
    let Some(budget) = budget else {
        return (whole, 0);
    };
    let mut left_out = 0;
    let mut text = whole;
    while left_out < total && crate::session::estimate_tokens(&text) > budget {
        left_out += 1;
        text = page(back, left_out);
    }
    (text, left_out as u64)
}

fn page(back: &Back, left_out: usize) -> String {
    let state = &back.state;
    let mut text = String::from("# Handover\n");
    if state.first {
        text.push_str(
            "\nThis is the first session: there is no session.md, so nothing was handed over.\n",
        );
    } else {
        handed(&mut text, state);
        reviews(&mut text, state);
    }
    decisions(
        &mut text,
        state.decisions.get(left_out..).unwrap_or_default(),
        left_out,
    );
    buffer(&mut text, state);
    if let Some(pipeline) = &state.pipeline {
        part(&mut text, "Pipeline", &pipeline_text(pipeline));
    }
    problems(&mut text, state);
    let begun = match back.started {
        Some(seq) => format!(
            "SESSION_START is D{seq} (trigger: {}).",
            back.trigger.name()
        ),
        None => "SESSION_START could not be recorded: see the problems above.".to_owned(),
    };
    part(&mut text, "Session", &begun);
    part(&mut text, "Now", &now(back));
    text
}

fn handed(text: &mut String, state: &State) {
    let Some(handed) = &state.handed else {
        text.push_str("\nsession.md is there but could not be read: see the problems below.\n");
        return;
    };
    text.push('\n');
    for (name, value) in [
        ("Generated", &handed.generated),
        ("Branch", &handed.branch),
        ("Goal", &handed.goal),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "{name}: {value}");
        }
    }
    let _ = writeln!(text, "Mode: {}", handed.mode.name());
    for (title, body) in [
        ("Immediate Next Action", &handed.next),
        ("Active Goals", &handed.goals),
        ("Key Decisions", &handed.decisions),
        ("Warnings", &handed.warnings),
        ("Tone and Nuance", &handed.tone),
        ("Steering Exceptions", &handed.exceptions),
        ("Accomplished", &handed.accomplished),
        ("Resume Instructions", &handed.instructions),
    ] {
        if let Some(body) = body {
            part(text, title, body);
        }
    }
    for (title, body) in &handed.others {
        part(text, title, body);
    }
}

fn reviews(text: &mut String, state: &State) {
    if state.reviews.is_empty() {
        return;
    }
    let mut body = String::new();
    for review in &state.reviews {
        let disposition = review
            .disposition
            .as_deref()
            .map(|word| format!(", {word}"));
        let _ = writeln!(
            body,
            "- {} [{}] {}{} ({}:{})",
            review.subject,
            review.batch,
            review.heading,
            disposition.unwrap_or_default(),
            review.file,
            review.line
        );
        for tracked in &review.tracked {
            let _ = writeln!(body, "  - {tracked}");
        }
    }
    part(text, "Active reviews", &body);
}

fn decisions(text: &mut String, entries: &[Decision], left_out: usize) {
    if entries.is_empty() && left_out == 0 {
        return;
    }
    let mut body = String::new();
    if left_out > 0 {
        let _ = writeln!(
            body,
            "({left_out} earlier ones are left out to keep within the budget)"
        );
    }
    for entry in entries {
        let _ = writeln!(body, "- {}", entry.title());
        for key in ["Decision", "Reason", "Steering-ref"] {
            if let Some(value) = entry.field(key).filter(|value| !value.is_empty()) {
                let _ = writeln!(body, "  {key}: {value}");
            }
        }
    }
    part(text, "Recent decisions", &body);
}

fn buffer(text: &mut String, state: &State) {
    let mut body = String::new();
    for piece in &state.knowledge {
        let source = if piece.source.is_empty() {
            String::new()
        } else {
            format!(" ({})", piece.source)
        };
        let _ = writeln!(body, "- {} {}{source}", piece.tag.mark(), piece.text);
    }
    for skill in &state.skills {
        let _ = writeln!(body, "- Skill candidate: {skill}");
    }
    if !body.is_empty() {
        part(text, "Knowledge buffer", &body);
    }
}

/// The pipeline wave by wave.
pub(super) fn pipeline_text(pipeline: &Pipeline) -> String {
    let mut body = String::new();
    for wave in &pipeline.waves {
        let name = wave
            .number
            .map_or_else(|| "No wave".to_owned(), |number| format!("Wave {number}"));
        let complete = if wave.is_complete() { ", complete" } else { "" };
        let _ = writeln!(
            body,
            "- {name}: {}/{} implemented ({} %){complete}",
            wave.done(),
            wave.specs.len(),
            wave.percent()
        );
        for spec in &wave.specs {
            let mut notes = Vec::new();
            if matches!(spec.phase, Phase::Blocked | Phase::Unknown(_)) {
                notes.push(spec.obstacle());
            } else if spec.phase != Phase::ImplementationComplete {
                let waits = pipeline.waiting_for(spec);
                if !waits.is_empty() {
                    notes.push(format!("waits for {}", waits.join(", ")));
                }
            }
            if let Some((design, implementation)) = &spec.lagging {
                notes.push(format!("design {design}, implementation {implementation}"));
            }
            let notes = if notes.is_empty() {
                String::new()
            } else {
                format!(" ({})", notes.join("; "))
            };
            let _ = writeln!(body, "  - {}: {}{notes}", spec.name, spec.phase.name());
        }
    }
    for cycle in &pipeline.cycles {
        let _ = writeln!(
            body,
            "- Circular dependency detected: {}",
            cycle.join(" -> ")
        );
    }
    body
}

fn problems(text: &mut String, state: &State) {
    if state.problems.is_empty() {
        return;
    }
    let mut body = String::new();
    for problem in &state.problems {
        let _ = writeln!(body, "- {problem}");
        if !problem.repair.text().is_empty() {
            let _ = writeln!(body, "  {}", problem.repair.text());
        }
    }
    part(text, "Problems found", &body);
}

fn now(back: &Back) -> String {
    if back.state.first {
        return "Wait for the user's instruction.".to_owned();
    }
    match (back.state.next(), back.trigger) {
        (None, _) => "No next action was handed over: ask the user.".to_owned(),
        (Some(next), Trigger::Compact) => {
            format!(
                "Wait for the user: after a compaction nothing is done unasked. Next would be:\n\n{next}"
            )
        }
        (Some(next), _) => format!("Go on with the immediate next action:\n\n{next}"),
    }
}

fn part(text: &mut String, title: &str, body: &str) {
    let _ = write!(text, "\n## {title}\n\n{}\n", body.trim_end());
}
