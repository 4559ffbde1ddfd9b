//! `segno check`: what is wrong with sessions, and the command that repairs it.

use clap::Args;
use segno_disk::RelPath;
use segno_store::StoreError;
use segno_store::formats::{self, Place, RecoverOptions, Root};
use segno_store::session::{Problem, Repair};
use serde::Serialize;

use super::recover::{repair, show_left};
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError, Line};
use crate::msg;
use crate::view::problem::{self, ProblemView};

/// Say what is wrong with sessions, and the command that repairs it
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Sessions to check: `kind/id`, an id, the beginning of one, or a path; all when none is given
    #[arg(value_name = "SESSION")]
    sessions: Vec<String>,
    /// Repair what loses nothing; the rest is left, with the way to repair it
    #[arg(long)]
    fix: bool,
}

/// One session with what is wrong with it.
pub(super) struct Checked {
    pub(super) place: Place,
    pub(super) problems: Vec<Problem>,
}

/// Checks sessions; ends with exit code 3 when anything is wrong, or left wrong after `--fix`.
pub fn run(app: &App, args: &CheckArgs) -> Result<(), CommandError> {
    let opened = app.open("check")?;
    let mut checked = Vec::new();
    let mut fixed = Vec::new();
    for place in chosen(app, &opened, &args.sessions)? {
        let mut one = check(&opened, place);
        if args.fix && one.problems.iter().any(loses_nothing) {
            let safe = RecoverOptions {
                safe_only: true,
                ..RecoverOptions::default()
            };
            let done = repair(&opened, &one.place, &safe)?;
            one = check(&opened, one.place);
            if app.ui.is_json() {
                fixed.push(done.view(&opened.card(&one.place))?);
            } else {
                done.show_done(app, &name(&one.place))?;
            }
        }
        checked.push(one);
    }
    // What belongs to no session is looked at when everything is.
    let shared = if args.sessions.is_empty() {
        shared(&opened)
    } else {
        Vec::new()
    };
    let of_sessions: usize = checked.iter().map(|one| one.problems.len()).sum();
    let count = of_sessions + shared.len();
    if app.ui.is_json() {
        app.ui.json(&view(&checked, &shared, fixed))?;
    } else {
        checked.iter().try_for_each(|one| show(app, one))?;
        show_left(app, &shared)?;
        app.ui.note(msg!(
            "common-checked",
            sessions = checked.len(),
            count = count
        ));
    }
    if count == 0 {
        return Ok(());
    }
    app.ui.flush()?;
    Err(CommandError::silent(Code::Damaged))
}

fn loses_nothing(problem: &Problem) -> bool {
    matches!(problem.repair, Repair::Safe(_))
}

/// A line for every problem, and below it the way to repair it.
fn show(app: &App, one: &Checked) -> Result<(), CommandError> {
    for found in &one.problems {
        app.ui.data(problem::line(found))?;
        if let Some(repair) = problem::repair(found) {
            app.ui.data(repair)?;
        }
        if found.repair.is_automatic() {
            let command = format!("segno recover {}", name(&one.place));
            app.ui.data(
                Line::new()
                    .plain("    ")
                    .plain(msg!("common-repair-with", command = command)),
            )?;
        }
    }
    Ok(())
}

/// The sessions that were named, or all of them; the rules of time are applied first, as by whatever looks at a session.
pub(super) fn chosen(
    app: &App,
    opened: &Opened,
    names: &[String],
) -> Result<Vec<Place>, CommandError> {
    let places = if names.is_empty() {
        opened.workspace().places(None, &opened.now)?
    } else {
        let named: Result<Vec<Place>, CommandError> =
            names.iter().map(|name| opened.find(name)).collect();
        named?
    };
    let found = places.into_iter().map(|place| app.found(opened, place));
    Ok(found.map(|one| one.place).collect())
}

/// How a session is named in a command: by its path where the id alone would not do.
pub(super) fn name(place: &Place) -> String {
    format!("{}/{}", place.kind, place.id)
}

pub(super) fn check(opened: &Opened, place: Place) -> Checked {
    let workspace = opened.workspace();
    let problems = match formats::of(place.kind) {
        Some(format) => format.check(&workspace.context(place.root, &opened.now), &place),
        None => Ok(Vec::new()),
    };
    let problems = problems.unwrap_or_else(|error| vec![unreadable(&place.path, &error)]);
    Checked { place, problems }
}

/// What is wrong with files that belong to no session, once for the workspace.
pub(super) fn shared(opened: &Opened) -> Vec<Problem> {
    let workspace = opened.workspace();
    let cx = workspace.context(Root::Workspace, &opened.now);
    let found = formats::all().iter().map(|format| {
        let problems = format.check_shared(&cx);
        problems.unwrap_or_else(|error| vec![unreadable(&RelPath::root(), &error)])
    });
    found.flatten().collect()
}

fn unreadable(path: &RelPath, error: &StoreError) -> Problem {
    Problem::new("unreadable", path.clone())
        .found(error.to_string())
        .manual("look at the file, or move it away")
}

#[derive(Serialize)]
struct CheckView<'a> {
    checked: usize,
    /// What `--fix` did, a session each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixed: Vec<serde_json::Value>,
    problems: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    /// `null` for files that belong to no session.
    session: Option<String>,
    #[serde(flatten)]
    problem: ProblemView<'a>,
}

fn view<'a>(
    checked: &'a [Checked],
    shared: &'a [Problem],
    fixed: Vec<serde_json::Value>,
) -> CheckView<'a> {
    let of_sessions = checked.iter().flat_map(|one| {
        one.problems.iter().map(|problem| Found {
            session: Some(name(&one.place)),
            problem: problem.into(),
        })
    });
    let of_none = shared.iter().map(|problem| Found {
        session: None,
        problem: problem.into(),
    });
    CheckView {
        checked: checked.len(),
        fixed,
        problems: of_sessions.chain(of_none).collect(),
    }
}
