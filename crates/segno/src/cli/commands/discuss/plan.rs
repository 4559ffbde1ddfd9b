//! `segno discuss plan`: tracks, phases and tasks as a tree.

use clap::Args;
use segno_store::formats::Root;
use segno_store::formats::discuss::Item;
use segno_store::formats::discuss::plan::{Branch, tree};
use serde_json::{Value, json};

use crate::cli::{App, Code, CommandError, Line, Role};
use crate::msg;
use crate::view::problem::{self, ProblemView};

/// Show tracks, phases and tasks as a tree
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// Only this track
    #[arg(long, value_name = "ID")]
    track: Option<String>,
}

/// Shows the plan.
pub(super) fn run(app: &App, args: &PlanArgs) -> Result<(), CommandError> {
    let opened = app.open("discuss plan")?;
    let workspace = opened.workspace();
    let mut plan = tree(workspace.context(Root::Workspace, &opened.now).files)?;
    if let Some(wanted) = &args.track {
        if plan.tracks.iter().all(|track| track.id != *wanted) {
            return Err(no_track(wanted, &plan.tracks));
        }
        plan.tracks.retain(|track| track.id == *wanted);
        plan.loose_phases.clear();
        plan.loose_tasks.clear();
    }
    if app.ui.is_json() {
        let problems: Vec<ProblemView<'_>> = plan.problems.iter().map(Into::into).collect();
        return app.ui.json(&json!({
            "tracks": plan.tracks.iter().map(view).collect::<Vec<_>>(),
            "loose_phases": plan.loose_phases.iter().map(view).collect::<Vec<_>>(),
            "loose_tasks": plan.loose_tasks.iter().map(view).collect::<Vec<_>>(),
            "problems": problems,
        }));
    }
    for track in &plan.tracks {
        show(app, track, "", "")?;
    }
    let loose = plan.loose_phases.iter().chain(&plan.loose_tasks);
    for branch in loose {
        show(app, branch, "? ", "  ")?;
    }
    for found in &plan.problems {
        app.ui.note(problem::row(found, None));
    }
    if plan.tracks.is_empty() && plan.loose_phases.is_empty() && plan.loose_tasks.is_empty() {
        app.ui.note(msg!("discuss-plan-empty"));
    }
    Ok(())
}

/// How many tracks are named to somebody who asked for another one.
const NAMED: usize = 10;

fn no_track(wanted: &str, tracks: &[Branch]) -> CommandError {
    let error = CommandError::new(Code::NotFound, msg!("discuss-no-track", track = wanted));
    if tracks.is_empty() {
        return error.hint(msg!("discuss-plan-empty"));
    }
    let names: Vec<&str> = tracks.iter().map(|track| track.id.as_str()).collect();
    let more = names.len().saturating_sub(NAMED);
    let mut named = names.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        named.push_str(", \u{2026}");
    }
    error.hint(msg!("discuss-tracks", tracks = named))
}

fn show(app: &App, branch: &Branch, lead: &str, below: &str) -> Result<(), CommandError> {
    let mut line = Line::new().add(Role::Dim, lead);
    line = match branch.item {
        Item::Task => line.plain(if branch.done > 0 { "[x] " } else { "[ ] " }),
        _ => line,
    };
    line = line
        .add(Role::Accent, branch.id.as_str())
        .plain(format!("  {}  ", branch.name))
        .add(Role::Dim, format!("({})", branch.status));
    if branch.item != Item::Task {
        line = line.plain(format!(
            "  {}% ({}/{})",
            branch.completion, branch.done, branch.tasks
        ));
    }
    app.ui.data(line)?;
    for (place, child) in branch.children.iter().enumerate() {
        let is_last = place + 1 == branch.children.len();
        let (lead, inner) = if is_last {
            ("\u{2514}\u{2500} ", "   ")
        } else {
            ("\u{251c}\u{2500} ", "\u{2502}  ")
        };
        show(
            app,
            child,
            &format!("{below}{lead}"),
            &format!("{below}{inner}"),
        )?;
    }
    Ok(())
}

fn view(branch: &Branch) -> Value {
    let mut value = json!({
        "item_type": branch.item.name(),
        "id": branch.id,
        "name": branch.name,
        "status": branch.status,
        "completion": branch.completion,
    });
    if branch.item != Item::Task
        && let Some(members) = value.as_object_mut()
    {
        members.insert("tasks".to_owned(), branch.tasks.into());
        members.insert("done".to_owned(), branch.done.into());
        let children = branch.children.iter().map(view).collect();
        members.insert("children".to_owned(), Value::Array(children));
    }
    value
}
