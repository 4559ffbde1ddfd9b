//! The part of the plan that a discussion is about, for an engine that cannot look: ids and names, of bounded length.

use std::fmt::Write as _;

use segno_store::formats::Context;
use segno_store::formats::discuss::About;
use segno_store::formats::discuss::plan::{Branch, tree};

use crate::cli::CommandError;

/// How many items an engine is told.
const ITEMS: usize = 200;
/// How many characters of a name.
const NAME: usize = 80;

/// The items in scope, a line each; empty without a plan.
pub(super) fn of(cx: &Context<'_>, about: &About) -> Result<String, CommandError> {
    let plan = tree(cx.files)?;
    let within: Vec<&Branch> = plan
        .tracks
        .iter()
        .filter(|track| {
            about
                .reference
                .as_deref()
                .is_some_and(|id| holds(track, id))
        })
        .collect();
    let mut lines = Vec::new();
    if within.is_empty() {
        let all = plan.tracks.iter();
        let loose = plan.loose_phases.iter().chain(&plan.loose_tasks);
        for branch in all.chain(loose) {
            list(branch, 0, &mut lines);
        }
    } else {
        for branch in within {
            list(branch, 0, &mut lines);
        }
    }
    if lines.is_empty() {
        return Ok(String::new());
    }
    let more = lines.len().saturating_sub(ITEMS);
    lines.truncate(ITEMS);
    let mut text = format!("\nPlan\n{}\n", lines.join("\n"));
    if more > 0 {
        let _ = writeln!(text, "... and {more} more");
    }
    Ok(text)
}

fn holds(branch: &Branch, id: &str) -> bool {
    branch.id == id || branch.children.iter().any(|child| holds(child, id))
}

fn list(branch: &Branch, depth: usize, lines: &mut Vec<String>) {
    let name: String = branch.name.chars().take(NAME).collect();
    lines.push(format!(
        "{}- {} {}: {name} ({})",
        "  ".repeat(depth),
        branch.item,
        branch.id,
        branch.status
    ));
    for child in &branch.children {
        list(child, depth + 1, lines);
    }
}
