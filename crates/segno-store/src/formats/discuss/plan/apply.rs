//! Carries operations out on the plan store in memory: all of them, or the first that cannot be.

use std::collections::{BTreeMap, HashMap};

use segno_disk::{Change, ReadDisk};

use super::super::ops::{Action, Operation};
use super::super::schema::{Item, OpType};
use super::add::Addition;
use super::diff::FileDiff;
use super::names::Names;
use super::{Stop, Stopped, Store};

/// What became of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpReport {
    /// Which of the seven.
    pub op: OpType,
    /// What it is about.
    pub item: Item,
    /// The id that it ended at: an added item may have got another one than was asked for.
    pub id: String,
    /// What it did, in a sentence.
    pub text: String,
    /// What it did, in a word.
    pub effect: Effect,
    /// What else there is to know: keys that mean nothing, another id than the one asked for.
    pub notes: Vec<String>,
}

/// What an operation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It put something new into the plan.
    Added,
    /// It changed something.
    Changed,
    /// The plan says so already.
    AlreadyThere,
}

impl Effect {
    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::AlreadyThere => "already_there",
        }
    }
}

/// What came of a list of operations.
#[derive(Debug)]
pub(in super::super) struct Applied {
    /// What became of each.
    pub(in super::super) reports: Vec<OpReport>,
    /// What is to be written.
    pub(in super::super) changes: Vec<Change>,
    /// The same for people.
    pub(in super::super) diff: Vec<FileDiff>,
}

/// What earlier runs of the same list say of the items that it adds.
#[derive(Debug, Default)]
pub(in super::super) struct Earlier {
    /// Which item the operation at a place (from 0) led to.
    pub(in super::super) items: BTreeMap<usize, String>,
    /// A run did not say which: then an item of the same name below the same parent is the one.
    pub(in super::super) by_name: bool,
}

/// Carries operations out. `ts` is written into what changes.
pub(in super::super) fn apply(
    files: &dyn ReadDisk,
    operations: &[Operation],
    ts: &str,
    earlier: &Earlier,
) -> Result<Applied, Stop> {
    let mut run = Run {
        store: Store::new(files, ts),
        names: Names::default(),
        next: HashMap::new(),
        by_name: earlier.by_name,
    };
    for (place, id) in &earlier.items {
        if let Some(operation) = operations.get(*place) {
            run.names.claim(operation.item(), id);
        }
    }
    let mut reports = Vec::with_capacity(operations.len());
    for (place, operation) in operations.iter().enumerate() {
        let done = run.perform(operation, earlier.items.get(&place));
        let mut report = done.map_err(|stop| numbered(stop, place + 1, operation.op))?;
        if !operation.ignored.is_empty() {
            let keys = operation.ignored.join(", ");
            report.notes.push(format!("without meaning here: {keys}"));
        }
        reports.push(report);
    }
    let (changes, diff) = run.store.finish()?;
    Ok(Applied {
        reports,
        changes,
        diff,
    })
}

fn numbered(stop: Stop, number: usize, op: OpType) -> Stop {
    match stop {
        Stop::Failure(failure) if failure.details.is_none() => {
            Stop::Failure(failure.with_details(format!("operation {number}, {op}")))
        }
        other => other,
    }
}

/// One run of a list of operations over the plan.
pub(super) struct Run<'a> {
    pub(super) store: Store<'a>,
    pub(super) names: Names,
    /// The next number to try behind the beginning of an id.
    pub(super) next: HashMap<(Item, String), u64>,
    /// Whether an addition may mean an item of its name that was there before the run.
    pub(super) by_name: bool,
}

impl Run<'_> {
    fn perform(&mut self, operation: &Operation, earlier: Option<&String>) -> Stopped<OpReport> {
        match &operation.action {
            Action::AddTrack { name, id } => {
                let addition = Addition {
                    item: Item::Track,
                    name,
                    asked: id.as_deref(),
                    parent: String::new(),
                };
                self.add(operation.op, &addition, earlier)
            }
            Action::AddPhase { name, id, track } => {
                let addition = Addition {
                    item: Item::Phase,
                    name,
                    asked: id.as_deref(),
                    parent: self
                        .names
                        .parent(&mut self.store, Item::Track, track, None)?,
                };
                self.add(operation.op, &addition, earlier)
            }
            Action::AddTask {
                name,
                id,
                phase,
                track,
            } => {
                let parent = self.phase(phase, track.as_ref())?;
                let addition = Addition {
                    item: Item::Task,
                    name,
                    asked: id.as_deref(),
                    parent,
                };
                self.add(operation.op, &addition, earlier)
            }
            Action::MoveTask {
                task,
                source,
                target,
            } => self.move_task(task, source, target),
            Action::EditTaskFields { task, fields } => self.edit(task, fields),
            Action::Mark { done, item, id } => self.mark(operation.op, *done, *item, id),
        }
    }
}

pub(super) fn report(op: OpType, item: Item, id: String, text: String, effect: Effect) -> OpReport {
    OpReport {
        op,
        item,
        id,
        text,
        effect,
        notes: Vec::new(),
    }
}
