//! What is found out beside what the user says: git, specs, tests, steering.

use std::path::Path;
use std::process::{Command, Stdio};

use segno_store::formats::Root;
use segno_store::formats::handover::Layout;
use segno_store::formats::handover::decision::Decision;
use segno_store::formats::handover::document::Handed;
use segno_store::formats::handover::resume::State;

use super::Desk;
use crate::cli::{App, CommandError};
use crate::config::Source;
use crate::git::Git;
use crate::msg;
use crate::tools::Trust;

/// How many files and commits are worth showing.
const MANY: usize = 50;
const COMMITS: usize = 5;

/// What was found out.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) branch: Option<String>,
    pub(super) files: Vec<String>,
    pub(super) commits: Vec<String>,
    pub(super) steering: Vec<String>,
    pub(super) tests: Option<String>,
    pub(super) specs: Vec<String>,
    pub(super) handed: Option<Handed>,
    pub(super) decisions: Vec<String>,
}

impl Facts {
    /// What git says alone.
    pub(super) fn of_git(app: &App, desk: &Desk) -> Self {
        let root = desk.opened.root();
        let Ok(git) = Git::open(&app.ambient, root) else {
            return Self::default();
        };
        let changed = git.changed_files().unwrap_or_default();
        let mut files: Vec<String> = changed.into_iter().map(|file| file.path).collect();
        if let Some(above) = below_top(root) {
            let inside = files.iter().filter_map(|file| file.strip_prefix(&above));
            files = inside.map(ToOwned::to_owned).collect();
        }
        let commits = git.recent_commits(COMMITS).unwrap_or_default();
        // The files that this very command writes say nothing about the work.
        let own = format!("{}/", desk.place.path.as_str());
        files.retain(|file| !file.starts_with(".segno/") && !file.starts_with(&own));
        let steering = Layout::of(&desk.place).map(|layout| layout.steering.as_str().to_owned());
        let steering = steering.unwrap_or_default();
        let changed = files.iter().filter(|file| file.starts_with(&steering));
        Self {
            steering: changed.cloned().collect(),
            branch: git.branch().ok().flatten(),
            commits: commits.into_iter().map(|commit| commit.subject).collect(),
            files: files.into_iter().take(MANY).collect(),
            ..Self::default()
        }
    }

    /// Everything: git, specs, tests where a command is configured, steering, and what was handed over before.
    pub(super) fn all(app: &App, desk: &Desk) -> Result<Self, CommandError> {
        let workspace = desk.opened.workspace();
        let cx = workspace.context(Root::Workspace, &desk.opened.now);
        let state = State::read(&cx, &Layout::of(&desk.place)?)?;
        let mut facts = Self::of_git(app, desk);
        facts.tests = tests(app, desk)?;
        if let Some(pipeline) = &state.pipeline {
            facts.specs = pipeline
                .waves
                .iter()
                .map(|wave| {
                    let name = wave
                        .number
                        .map_or_else(|| "-".to_owned(), |n| n.to_string());
                    format!("{name}: {}/{}", wave.done(), wave.specs.len())
                })
                .collect();
        }
        let updates = state
            .decisions
            .iter()
            .filter(|entry| entry.kind == "STEERING_UPDATE");
        facts.steering.extend(updates.map(Decision::title));
        facts.decisions = state.decisions.iter().map(Decision::title).collect();
        facts.handed = state.handed;
        Ok(facts)
    }
}

/// What the paths of files inside `root` begin with, seen from the top of the work tree; `None` when it is that top.
fn below_top(root: &Path) -> Option<String> {
    let top = root.ancestors().find(|dir| dir.join(".git").exists())?;
    let inner = root.strip_prefix(top).ok()?.to_str()?;
    (!inner.is_empty()).then(|| format!("{inner}/"))
}

/// Runs the project's tests where the configuration says how, and says in a line what came of it.
fn tests(app: &App, desk: &Desk) -> Result<Option<String>, CommandError> {
    let Some(command) = app.settings()?.handover.test_command.clone() else {
        return Ok(None);
    };
    if !may_run(app, &command)? {
        return Ok(None);
    }
    let ran = Command::new("sh")
        .arg("-c")
        .arg(&command)
        .current_dir(desk.opened.root())
        .stdin(Stdio::null())
        .output();
    let said = match ran {
        Ok(output) if output.status.success() => "passed".to_owned(),
        Ok(output) => match output.status.code() {
            Some(code) => format!("failed (exit code {code})"),
            None => "was ended by a signal".to_owned(),
        },
        Err(error) => format!("could not be run: {error}"),
    };
    Ok(Some(format!("`{}` {said}", command.trim())))
}

/// A command that came with the workspace is somebody else's: its user has to agree to it once. A handover does not
/// depend on it.
fn may_run(app: &App, command: &str) -> Result<bool, CommandError> {
    if app.config()?.own.test_command != Some(Source::Workspace) {
        return Ok(true);
    }
    let trust = Trust::new(app.ambient.config_dir());
    if trust.holds(app.root(), command) {
        return Ok(true);
    }
    let otherwise = msg!("handover-tests-not-run", command = command);
    if app.ui.can_ask() {
        let question = msg!("handover-tests-trust", command = command);
        if app.ui.confirm(question, otherwise.clone())? {
            trust.add(app.root(), command)?;
            return Ok(true);
        }
    }
    app.ui.warn(otherwise);
    Ok(false)
}
