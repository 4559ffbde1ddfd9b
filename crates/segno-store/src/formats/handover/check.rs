//! What is wrong with a handover, from a full read, and the repair of what a crash left.

use std::collections::HashMap;
use std::ops::ControlFlow;

use segno_disk::{Access, Change};

use super::document;
use super::layout::{Layout, is_current};
use super::log;
use super::pipeline::Pipeline;
use super::problems::{DUPLICATE_NUMBER, INCOMPLETE_ENTRY, MERGE_CONFLICT, NOT_UTF8};
use super::scan::each_line;
use super::verdicts;
use crate::error::Result;
use crate::formats::{Context, Place, Plan, RecoverOptions, Recovery};
use crate::session::Problem;
use crate::text::damage::{self, is_mark, is_mark_or_middle, merge_on};

/// Everything that is wrong.
pub(super) fn check(cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    document::read_handed(cx, &Layout::document(place)?, &mut problems)?;
    if !is_current(place) {
        return Ok(problems);
    }
    let layout = Layout::of(place)?;
    check_log(cx, &layout, &mut problems)?;
    document::read(cx, &layout.buffer, &mut problems)?;
    verdicts::active(cx, &layout, &mut problems)?;
    if let Some(pipeline) = Pipeline::scan(cx, &layout)? {
        problems.extend(pipeline.problems);
    }
    Ok(problems)
}

fn check_log(cx: &Context<'_>, layout: &Layout, problems: &mut Vec<Problem>) -> Result<()> {
    let path = &layout.decisions;
    let end = log::end(cx.files, path)?;
    if end.len == 0 {
        if cx.files.stat(path)?.is_some() {
            problems.push(damage::empty(path));
        }
        return Ok(());
    }
    // The whole file is looked at below: what its end shows of marks and encoding is found there with its line.
    let at_end = end
        .problems
        .iter()
        .filter(|problem| ![MERGE_CONFLICT, NOT_UTF8].contains(&problem.code));
    problems.extend(at_end.cloned());
    let file = cx.files.open(path)?;
    let (mut marks, mut sides, mut other) = (Vec::new(), false, None);
    each_line(file.as_ref(), 0, end.valid, &mut |line| {
        if is_mark_or_middle(line.bytes) {
            sides |= is_mark(line.bytes);
            marks.push(line.number);
        }
        if other.is_none() && std::str::from_utf8(line.bytes).is_err() {
            other = Some(line.number);
        }
        ControlFlow::Continue(())
    })?;
    problems.extend(merge_on(&marks, path).filter(|_| sides));
    problems.extend(other.map(|line| {
        Problem::new(NOT_UTF8, path.clone())
            .line(line)
            .found("the line is not UTF-8")
            .manual("save the file as UTF-8")
    }));
    let mut seen: HashMap<u64, u64> = HashMap::new();
    log::each_entry(file.as_ref(), end.valid, &mut |entry| {
        if let Some(first) = seen.insert(entry.seq, entry.line) {
            problems.push(
                Problem::new(DUPLICATE_NUMBER, path.clone())
                    .line(entry.line)
                    .found(format!("D{} is used twice, first on line {first}", entry.seq))
                    .manual("leave both as they are, or number one of them anew by hand; the next number is free either way"),
            );
        }
        let missing = entry.missing();
        if !missing.is_empty() {
            problems.push(
                Problem::new(INCOMPLETE_ENTRY, path.clone())
                    .line(entry.line)
                    .found(format!("D{} lacks {}", entry.seq, missing.join(", ")))
                    .manual("add the fields by hand"),
            );
        }
        ControlFlow::Continue(())
    })
}

/// Sets half an entry at the end of the log aside. The rest is for people.
pub(super) fn recover(
    cx: &Context<'_>,
    place: &Place,
    _options: &RecoverOptions,
) -> Result<Plan<Recovery>> {
    let mut recovery = Recovery::default();
    let mut changes = Vec::new();
    if is_current(place) {
        let layout = Layout::of(place)?;
        let end = log::end(cx.files, &layout.decisions)?;
        if end.valid < end.len && end.closed.is_none() {
            changes.push(Change::Append {
                path: layout.decisions.clone(),
                at: end.valid,
                seen: end.len,
                bytes: Vec::new(),
                access: Access::Shared,
            });
            recovery.done.push(format!(
                "{}: the half entry at the end ({} bytes) was set aside",
                layout.decisions,
                end.len - end.valid
            ));
        }
    }
    let left = check(cx, place)?;
    recovery.left = left
        .into_iter()
        .filter(|problem| !problem.repair.is_automatic())
        .collect();
    Ok(Plan::in_order(changes, recovery))
}
