//! Edits of a document: each changes the bytes of one value, or adds or takes out one member.

use std::ops::Range;

use super::doc::{Doc, spans};
use super::error::JsonError;
use super::layout::children;
use super::path::{Path, Step, shown};
use super::print::Printer;
use super::tree::Tree;
use super::value::{Kind, Value};
use crate::text::splice::Splices;

/// Where a new member stands among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'k> {
    /// Before all.
    First,
    /// Behind all.
    Last,
    /// Before the member with this key; behind all when there is none.
    Before(&'k str),
    /// Behind the member with this key; behind all when there is none.
    After(&'k str),
}

/// Why an edit was not made. The document is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// There is no value at the path.
    #[error("there is no `{0}`")]
    Missing(String),
    /// The value at the path has no members.
    #[error("`{0}` is not an object")]
    NotObject(String),
    /// The value at the path has no items.
    #[error("`{0}` is not an array")]
    NotArray(String),
    /// There is such a member already.
    #[error("there is a `{0}` already")]
    Exists(String),
    /// The document would no longer fit its budget.
    #[error(transparent)]
    Json(#[from] JsonError),
}

impl Doc {
    /// Sets a value: in place when there is one at the path, else as the last member of the object around it.
    pub fn set<'p>(
        &mut self,
        path: impl Path<'p>,
        value: impl Into<Tree>,
    ) -> Result<(), EditError> {
        let steps = path.steps();
        let value = value.into();
        if let Some(old) = self.root().at_steps(&steps) {
            let range = old.range();
            let mut text = String::new();
            self.value_printer(&steps).print(&mut text, &value);
            return self.splice([(range, text)]);
        }
        match steps.split_last() {
            Some((Step::Key(key), object)) => self.add_member(object, Place::Last, key, &value),
            _ => Err(EditError::Missing(shown(&steps))),
        }
    }

    /// Adds a member to the object at a path; refused when the key is there already.
    pub fn insert<'p>(
        &mut self,
        object: impl Path<'p>,
        place: Place<'_>,
        key: &str,
        value: impl Into<Tree>,
    ) -> Result<(), EditError> {
        let steps = object.steps();
        if self
            .root()
            .at_steps(&steps)
            .is_some_and(|object| object.get(key).is_some())
        {
            let full: Vec<Step<'_>> = steps.iter().copied().chain([Step::Key(key)]).collect();
            return Err(EditError::Exists(shown(&full)));
        }
        self.add_member(&steps, place, key, &value.into())
    }

    /// Adds an item behind the others of the array at a path.
    pub fn push<'p>(
        &mut self,
        array: impl Path<'p>,
        value: impl Into<Tree>,
    ) -> Result<(), EditError> {
        self.insert_item(array, usize::MAX, value)
    }

    /// Adds an item before the one at a position of the array at a path; behind all when there is none.
    pub fn insert_item<'p>(
        &mut self,
        array: impl Path<'p>,
        index: usize,
        value: impl Into<Tree>,
    ) -> Result<(), EditError> {
        let steps = array.steps();
        let container = self.container(&steps, Kind::Array)?;
        let mut printer = self.child_printer(container);
        let mut text = String::new();
        printer.print(&mut text, &value.into());
        let edit = insertion(container, &printer, index, &text);
        self.splice([edit])
    }

    /// Takes a member or item out; a key that stands several times is taken out everywhere.
    pub fn remove<'p>(&mut self, path: impl Path<'p>) -> Result<(), EditError> {
        let steps = path.steps();
        let missing = || EditError::Missing(shown(&steps));
        let (last, parents) = steps.split_last().ok_or_else(missing)?;
        let container = self.root().at_steps(parents).ok_or_else(missing)?;
        let doomed: Vec<bool> = match last {
            Step::Key(key) => container.entries().map(|entry| entry.is(key)).collect(),
            Step::Index(index) => (0..container.items().count())
                .map(|at| at == *index)
                .collect(),
        };
        if !doomed.contains(&true) {
            return Err(missing());
        }
        let ranges = removals(container.range(), &children(container), &doomed);
        self.splice(ranges.into_iter().map(|range| (range, String::new())))
    }

    fn add_member(
        &mut self,
        object: &[Step<'_>],
        place: Place<'_>,
        key: &str,
        value: &Tree,
    ) -> Result<(), EditError> {
        let container = self.container(object, Kind::Object)?;
        let position = |wanted: &str| container.entries().position(|entry| entry.is(wanted));
        let index = match place {
            Place::First => Some(0),
            Place::Last => None,
            Place::Before(wanted) => position(wanted),
            Place::After(wanted) => position(wanted).map(|at| at + 1),
        };
        let mut printer = self.child_printer(container);
        let mut text = String::new();
        printer.print_member(&mut text, key, value);
        let edit = insertion(container, &printer, index.unwrap_or(usize::MAX), &text);
        self.splice([edit])
    }

    fn container(&self, steps: &[Step<'_>], kind: Kind) -> Result<Value<'_>, EditError> {
        let found = self.root().at_steps(steps);
        let found = found.ok_or_else(|| EditError::Missing(shown(steps)))?;
        match kind {
            _ if found.kind() == kind => Ok(found),
            Kind::Object => Err(EditError::NotObject(shown(steps))),
            _ => Err(EditError::NotArray(shown(steps))),
        }
    }

    /// The printer for a value that takes another's place: as any child of the same container.
    fn value_printer(&self, steps: &[Step<'_>]) -> Printer {
        let parents = steps.split_last().map_or(steps, |(_, parents)| parents);
        let container = self.root().at_steps(parents).unwrap_or_else(|| self.root());
        let mut printer = self.child_printer(container);
        if steps.is_empty() {
            // The root stands one level above its children.
            if let Some(lines) = &mut printer.lines {
                lines.indent.clear();
            }
        }
        printer
    }

    /// Makes the edits and finds the spans again; on failure nothing has changed.
    fn splice(
        &mut self,
        edits: impl IntoIterator<Item = (Range<usize>, String)>,
    ) -> Result<(), EditError> {
        let mut splices = Splices::new();
        for (range, text) in edits {
            splices.replace(range, text);
        }
        let text = splices
            .apply(&self.text)
            .expect("because the ranges are spans of this text that do not overlap");
        self.nodes = spans(&text, self.budget)?;
        self.text = text;
        Ok(())
    }
}

/// The splice that puts a printed child into its container.
fn insertion(
    container: Value<'_>,
    printer: &Printer,
    index: usize,
    child: &str,
) -> (Range<usize>, String) {
    let children = children(container);
    let (comma, lead) = match &printer.lines {
        Some(lines) => (",", format!("{}{}", lines.eol, lines.indent)),
        None => (printer.comma.as_str(), String::new()),
    };
    // Behind a neighbour wherever there is one, so that taking the child out again leaves no trace.
    if let (0, Some(first)) = (index, children.first()) {
        return (first.start..first.start, format!("{child}{comma}{lead}"));
    }
    let neighbour = index.min(children.len()).checked_sub(1);
    if let Some(before) = neighbour.and_then(|before| children.get(before)) {
        return (before.end..before.end, format!("{comma}{lead}{child}"));
    }
    let inside = container.range().start + 1..container.range().end - 1;
    let tail = printer.lines.as_ref().map_or_else(String::new, |lines| {
        let outer = lines.indent.strip_suffix(&lines.unit).unwrap_or_default();
        format!("{}{outer}", lines.eol)
    });
    (inside, format!("{lead}{child}{tail}"))
}

/// The bytes to take out so that the children that stay are still parted by one comma each.
fn removals(
    container: Range<usize>,
    children: &[Range<usize>],
    doomed: &[bool],
) -> Vec<Range<usize>> {
    let Some(first_kept) = doomed.iter().position(|doomed| !doomed) else {
        let inside = container.start + 1..container.end - 1;
        return Vec::from([inside]);
    };
    let mut ranges = Vec::new();
    for (index, child) in children.iter().enumerate() {
        if doomed.get(index) != Some(&true) {
            continue;
        }
        let previous = index.checked_sub(1).and_then(|before| children.get(before));
        match (previous, children.get(index + 1)) {
            (_, Some(next)) if index < first_kept => ranges.push(child.start..next.start),
            (Some(previous), _) => ranges.push(previous.end..child.end),
            _ => {}
        }
    }
    ranges
}
