//! A problem, for outsiders.

use segno_store::session::Problem;
use serde::Serialize;

use super::one_line;
use crate::cli::{Line, Role};

/// A problem as JSON.
#[derive(Debug, Serialize)]
pub struct ProblemView<'a> {
    code: &'static str,
    file: &'a str,
    line: Option<u64>,
    found: &'a str,
    repair: RepairView<'a>,
}

/// What can be done about it: `kind` is `safe`, `lossy`, `manual` or `none`.
#[derive(Debug, Serialize)]
struct RepairView<'a> {
    kind: &'static str,
    text: &'a str,
}

impl<'a> From<&'a Problem> for ProblemView<'a> {
    fn from(problem: &'a Problem) -> Self {
        Self {
            code: problem.code,
            file: problem.file.as_str(),
            line: problem.line,
            found: &problem.found,
            repair: RepairView {
                kind: problem.repair.name(),
                text: problem.repair.text(),
            },
        }
    }
}

/// A problem in one row of a list: session, code, `file:line`, what was found, and how it is repaired. Whole, however long.
///
/// `session` is how it is named in a command; files that belong to none have none.
pub fn row(problem: &Problem, session: Option<&str>) -> Line {
    let command = session.and_then(|name| command(problem, name));
    let text = one_line(problem.repair.text());
    let line = Line::new()
        .plain(session.unwrap_or("-"))
        .plain("  ")
        .add(Role::Bad, problem.code)
        .plain("  ")
        .add(Role::Strong, problem.location())
        .plain("  ")
        .plain(one_line(&problem.found));
    match command {
        Some(command) if text.is_empty() => line.plain("  -> ").add(Role::Accent, command),
        Some(command) => line
            .add(Role::Dim, format!(" ({text})"))
            .plain("  -> ")
            .add(Role::Accent, command),
        None if text.is_empty() => line,
        None => line.plain("  -> ").add(Role::Dim, text),
    }
}

/// The command that repairs it; `None` when only a person can, or nothing has to be done.
pub fn command(problem: &Problem, session: &str) -> Option<String> {
    let automatic = problem.repair.is_automatic();
    automatic.then(|| format!("segno recover {session}"))
}
