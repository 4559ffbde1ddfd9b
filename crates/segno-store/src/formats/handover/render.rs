//! What a returning agent reads: the nine points as Markdown, in their order.

use std::fmt::Write as _;

use super::decision::Decision;
use super::pipeline::Pipeline;
use super::resume::{Back, State, Trigger};
use super::spec::Phase;
use crate::session::{estimate_tokens, first_lines};

/// The text for an agent. With a budget in tokens the oldest decisions give way first, then the long parts to their first
/// lines; the goal, the next action and the problems stay longest. Gives back how many decisions were left out.
pub fn text(back: &Back, budget: Option<usize>) -> (String, u64) {
    const LINES: [usize; 4] = [12, 4, 1, 0];
    let total = back.state.decisions.len();
    let mut left_out = 0;
    let mut text = page(back, left_out, None);
    let Some(budget) = budget else {
        return (text, 0);
    };
    let fits = |text: &str| estimate_tokens(text) <= budget;
    while left_out < total && !fits(&text) {
        left_out += 1;
        text = page(back, left_out, None);
    }
    for lines in LINES {
        if fits(&text) {
            break;
        }
        text = page(back, left_out, Some(lines));
    }
    (text, left_out as u64)
}

/// `most` is how many lines a part may have that a reader can look up; with none it is left out.
fn page(back: &Back, left_out: usize, most: Option<usize>) -> String {
    let state = &back.state;
    let mut page = Page {
        text: String::from("# Handover\n"),
        most,
    };
    if state.first {
        page.text.push_str(
            "\nThis is the first session: there is no session.md, so nothing was handed over.\n",
        );
    } else {
        handed(&mut page, state);
        reviews(&mut page, state);
    }
    decisions(
        &mut page,
        state.decisions.get(left_out..).unwrap_or_default(),
        left_out,
    );
    buffer(&mut page, state);
    if let Some(pipeline) = &state.pipeline {
        page.part("Pipeline", &pipeline_text(pipeline));
    }
    let begun = match back.started {
        Some(seq) => format!(
            "SESSION_START is D{seq} (trigger: {}).",
            back.trigger.name()
        ),
        None => "SESSION_START could not be recorded: see the problems found.".to_owned(),
    };
    page.whole("Session", &begun);
    page.whole("Now", &now(back, most.is_some()));
    problems(&mut page, state);
    page.text
}

/// The text so far.
struct Page {
    text: String,
    most: Option<usize>,
}

impl Page {
    /// A part that gives way to a budget.
    fn part(&mut self, title: &str, body: &str) {
        match self.most {
            None => self.whole(title, body),
            Some(0) => {}
            Some(most) => self.whole(title, &first_lines(body.trim_end(), most)),
        }
    }

    /// A part that a reader must have.
    fn whole(&mut self, title: &str, body: &str) {
        let _ = write!(self.text, "\n## {title}\n\n{}\n", body.trim_end());
    }
}

fn handed(page: &mut Page, state: &State) {
    let Some(handed) = &state.handed else {
        page.text
            .push_str("\nsession.md is there but could not be read: see the problems below.\n");
        return;
    };
    page.text.push('\n');
    for (name, value) in [
        ("Generated", &handed.generated),
        ("Branch", &handed.branch),
        ("Goal", &handed.goal),
    ] {
        if let Some(value) = value {
            let _ = writeln!(page.text, "{name}: {value}");
        }
    }
    let _ = writeln!(page.text, "Mode: {}", handed.mode.name());
    if let Some(next) = &handed.next {
        page.whole("Immediate Next Action", next);
    }
    for (title, body) in [
        ("Active Goals", &handed.goals),
        ("Key Decisions", &handed.decisions),
        ("Warnings", &handed.warnings),
        ("Tone and Nuance", &handed.tone),
        ("Steering Exceptions", &handed.exceptions),
        ("Accomplished", &handed.accomplished),
        ("Resume Instructions", &handed.instructions),
    ] {
        if let Some(body) = body {
            page.part(title, body);
        }
    }
    for (title, body) in &handed.others {
        page.part(title, body);
    }
}

fn reviews(page: &mut Page, state: &State) {
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
    page.part("Active reviews", &body);
}

fn decisions(page: &mut Page, entries: &[Decision], left_out: usize) {
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
    page.part("Recent decisions", &body);
}

fn buffer(page: &mut Page, state: &State) {
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
        page.part("Knowledge buffer", &body);
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

fn problems(page: &mut Page, state: &State) {
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
    page.whole("Problems found", &body);
}

/// `is_short` leaves out what is told above.
fn now(back: &Back, is_short: bool) -> String {
    if back.state.first {
        return "Wait for the user's instruction.".to_owned();
    }
    match (back.state.next(), back.trigger) {
        (Some(_), Trigger::Compact) if is_short => {
            "Wait for the user: after a compaction nothing is done unasked.".to_owned()
        }
        (Some(_), _) if is_short => "Go on with the immediate next action.".to_owned(),
        (None, _) => "No next action was handed over: ask the user.".to_owned(),
        (Some(next), Trigger::Compact) => {
            format!(
                "Wait for the user: after a compaction nothing is done unasked. Next would be:\n\n{next}"
            )
        }
        (Some(next), _) => format!("Go on with the immediate next action:\n\n{next}"),
    }
}
