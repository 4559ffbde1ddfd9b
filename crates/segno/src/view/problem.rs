//! A problem, for outsiders.

use segno_store::session::Problem;
use serde::Serialize;

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

/// A problem in one line: `file:line: what was found [code]`.
pub fn line(problem: &Problem) -> Line {
    Line::new()
        .add(Role::Strong, problem.location())
        .plain(": ")
        .plain(problem.found.as_str())
        .add(Role::Dim, format!(" [{}]", problem.code))
}

/// What can be done about it, to stand below its line; `None` when nothing has to be.
pub fn repair(problem: &Problem) -> Option<Line> {
    let text = problem.repair.text();
    (!text.is_empty()).then(|| Line::new().plain("    ").add(Role::Dim, text))
}
