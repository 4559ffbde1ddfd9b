//! `segno check`: what is wrong with sessions, and the command that repairs it.

use clap::Args;
use segno_disk::RelPath;
use segno_store::StoreError;
use segno_store::formats::{self, Place, RecoverOptions, Root};
use segno_store::session::{Problem, Repair};
use serde::Serialize;

use super::recover::{Failure, end, repair, show_left};
use crate::cli::opened::Opened;
use crate::cli::sessions::Names;
use crate::cli::{App, CommandError};
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
    pub(super) session: Chosen,
    pub(super) problems: Vec<Problem>,
}

/// A session that a command is about, and how it is named in a command to type.
pub(super) struct Chosen {
    pub(super) place: Place,
    pub(super) name: String,
}

/// Checks sessions; ends with exit code 3 when anything is wrong, or left wrong after `--fix`.
pub fn run(app: &App, args: &CheckArgs) -> Result<(), CommandError> {
    let opened = app.open("check")?;
    let mut checked = Vec::new();
    let mut fixed = Vec::new();
    let mut failures: Vec<Failure> = Vec::new();
    for session in chosen(app, &opened, &args.sessions)? {
        let problems = check(&opened, &session.place);
        let mut one = Checked { session, problems };
        if args.fix && one.problems.iter().any(loses_nothing) {
            match fix(app, &opened, &mut one) {
                Ok(view) => fixed.extend(view),
                Err(error) => failures.push(Failure::of(&one, error)),
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
        app.ui.json(&view(&checked, &shared, fixed, &failures))?;
    } else {
        for one in &checked {
            show_left(app, Some(&one.session.name), &one.problems)?;
        }
        show_left(app, None, &shared)?;
        app.ui.note(msg!(
            "common-checked",
            sessions = checked.len(),
            count = count
        ));
        for failure in &failures {
            failure.tell(app);
        }
    }
    end(app, count, &failures)
}

/// Repairs what loses nothing, looks again, and says what was done; to programs it is given back.
fn fix(
    app: &App,
    opened: &Opened,
    one: &mut Checked,
) -> Result<Option<serde_json::Value>, CommandError> {
    let place = &one.session.place;
    let safe = RecoverOptions {
        safe_only: true,
        ..RecoverOptions::default()
    };
    let done = repair(opened, place, &safe)?;
    one.problems = check(opened, place);
    if app.ui.is_json() {
        return done.view(&opened.card(place)).map(Some);
    }
    done.show_done(app, &one.session.name)?;
    Ok(None)
}

fn loses_nothing(problem: &Problem) -> bool {
    matches!(problem.repair, Repair::Safe(_))
}

/// The sessions that were named, or all of them; the rules of time are applied first, as by whatever looks at a session.
pub(super) fn chosen(
    app: &App,
    opened: &Opened,
    names: &[String],
) -> Result<Vec<Chosen>, CommandError> {
    let all = opened.workspace().places(None, &opened.now)?;
    let places = if names.is_empty() {
        all.clone()
    } else {
        let named: Result<Vec<Place>, CommandError> =
            names.iter().map(|name| opened.find(name)).collect();
        named?
    };
    app.keep_all_in_time(opened, &places);
    let names = Names::among(all.iter());
    let chosen = places.into_iter().map(|place| Chosen {
        name: names.name(&place, opened),
        place,
    });
    Ok(chosen.collect())
}

pub(super) fn check(opened: &Opened, place: &Place) -> Vec<Problem> {
    let workspace = opened.workspace();
    let problems = match formats::of(place.kind) {
        Some(format) => format.check(&workspace.context(place.root, &opened.now), place),
        None => Ok(Vec::new()),
    };
    problems.unwrap_or_else(|error| vec![unreadable(&place.path, &error)])
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
    /// What `--fix` could not repair now, a session each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<serde_json::Value>,
    problems: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    /// `null` for files that belong to no session.
    session: Option<&'a str>,
    /// What repairs it; `null` when only a person can.
    command: Option<String>,
    #[serde(flatten)]
    problem: ProblemView<'a>,
}

fn view<'a>(
    checked: &'a [Checked],
    shared: &'a [Problem],
    fixed: Vec<serde_json::Value>,
    failures: &[Failure],
) -> CheckView<'a> {
    let found = |session: Option<&'a str>, problem: &'a Problem| Found {
        session,
        command: session.and_then(|name| problem::command(problem, name)),
        problem: problem.into(),
    };
    let of_sessions = checked.iter().flat_map(|one| {
        let problems = one.problems.iter();
        problems.map(move |problem| found(Some(one.session.name.as_str()), problem))
    });
    let of_none = shared.iter().map(|problem| found(None, problem));
    CheckView {
        checked: checked.len(),
        fixed,
        failed: failures.iter().map(Failure::view).collect(),
        problems: of_sessions.chain(of_none).collect(),
    }
}
