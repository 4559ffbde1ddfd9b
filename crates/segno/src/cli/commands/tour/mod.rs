//! `segno tour`: the main job, end to end, in a temporary workspace, with nothing to set up.
//!
//! Every step is this very program run once more, so that what the tour shows is what a user gets.

mod script;
mod stage;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::cli::{App, CommandError, Line, Role};
use crate::msg;
use script::Step;
use stage::{Done, Stage};

/// Show what segno does: one session of every kind, a crash, a recovery, and the way back
#[derive(Debug, Args)]
pub struct TourArgs {
    /// Keep the tour's workspace in DIR, which must not exist yet, instead of a temporary one
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Runs the tour and says at each step what it did and which files it wrote.
pub fn run(app: &App, args: &TourArgs) -> Result<(), CommandError> {
    let mut stage = Stage::open(app, args.keep.as_deref())?;
    if !app.ui.is_json() {
        let root = stage.root().display().to_string();
        app.ui
            .data(Line::new().plain(msg!("tour-workspace", path = root)))?;
    }
    let mut told = Vec::new();
    for (index, step) in script::steps().iter().enumerate() {
        let done = stage.perform(step)?;
        if app.ui.is_json() {
            told.push(StepView::new(step, done));
        } else {
            show(app, index + 1, step, &done)?;
        }
    }
    if app.ui.is_json() {
        return app.ui.json(&serde_json::json!({ "steps": told }));
    }
    if args.keep.is_some() {
        let root = stage.root().display().to_string();
        app.ui
            .data(Line::new().plain(msg!("tour-kept", path = root)))?;
    }
    app.ui.data(Line::new().plain(msg!("tour-end")))
}

fn show(app: &App, number: usize, step: &Step, done: &Done) -> Result<(), CommandError> {
    let mut line = Line::new()
        .add(Role::Strong, format!("{number:>2}. "))
        .plain(step.what.clone());
    if !done.wrote.is_empty() {
        line = line
            .add(Role::Dim, "  -> ")
            .add(Role::Dim, short(&done.wrote));
    }
    app.ui.data(line)?;
    if let Some(command) = &done.command {
        app.ui.data(
            Line::new()
                .plain("      ")
                .add(Role::Dim, format!("$ {command}")),
        )?;
    }
    for shown in done.shown.lines().take(step.lines) {
        app.ui.data(Line::new().plain("      ").plain(shown))?;
    }
    app.ui.flush()
}

/// The files by directory, as a shell would write them: `dir/{a,b}`.
fn short(files: &[String]) -> String {
    let mut dirs: Vec<(&str, Vec<&str>)> = Vec::new();
    for file in files {
        let (dir, name) = file.rsplit_once('/').unwrap_or(("", file));
        match dirs.iter_mut().find(|(known, _)| *known == dir) {
            Some((_, names)) => names.push(name),
            None => dirs.push((dir, vec![name])),
        }
    }
    let shown = dirs.into_iter().map(|(dir, names)| {
        let slash = if dir.is_empty() { "" } else { "/" };
        match names.as_slice() {
            [name] => format!("{dir}{slash}{name}"),
            many => format!("{dir}{slash}{{{}}}", many.join(",")),
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[derive(Serialize)]
struct StepView {
    what: &'static str,
    command: Option<String>,
    wrote: Vec<String>,
    exit: i32,
}

impl StepView {
    fn new(step: &Step, done: Done) -> Self {
        Self {
            what: step.key,
            command: done.command,
            wrote: done.wrote,
            exit: done.exit,
        }
    }
}
