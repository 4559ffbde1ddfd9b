//! The codes of what can be wrong with a handover, and the problems that several of its files share.

use segno_disk::RelPath;

use crate::error::StoreError;
use crate::session::Problem;
use crate::text::damage;
use crate::text::markdown::{Doc, NotUtf8};

pub use crate::text::damage::MERGE_CONFLICT;

/// The file is not UTF-8.
pub const NOT_UTF8: &str = "not_utf8";
/// The log ends inside an entry.
pub const TORN_TAIL: &str = "torn_tail";
/// Two entries of the log have the same number.
pub const DUPLICATE_NUMBER: &str = "duplicate_number";
/// An entry of the log lacks a field that its type requires.
pub const INCOMPLETE_ENTRY: &str = "incomplete_entry";
/// The specs depend on each other in a circle.
pub const DEPENDENCY_CYCLE: &str = "dependency_cycle";
/// A spec depends on one that is not there.
pub const MISSING_DEPENDENCY: &str = "missing_dependency";
/// A spec is in a phase that nobody knows.
pub const UNKNOWN_PHASE: &str = "unknown_phase";

/// The marks that a merge left in a document, as one problem that names the lines.
pub(super) fn conflicts(doc: &Doc, file: &RelPath) -> Option<Problem> {
    let lines: Vec<u64> = doc
        .conflicts()
        .iter()
        .filter(|conflict| !conflict.in_block)
        .map(|conflict| conflict.line as u64 + 1)
        .collect();
    damage::merge_on(&lines, file)
}

/// The problem of a file in another encoding.
pub(super) fn not_utf8(error: &NotUtf8, file: &RelPath) -> Problem {
    Problem::new(NOT_UTF8, file.clone())
        .line(error.line as u64)
        .found(format!("not UTF-8 from byte {} on", error.offset))
        .manual("save the file as UTF-8")
}

/// The refusal to write to a file that has a problem.
pub(super) fn refuse(problem: Problem) -> StoreError {
    StoreError::Damaged {
        session: format!("handover/{}", super::layout::CURRENT),
        problems: vec![problem],
    }
}
