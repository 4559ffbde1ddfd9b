//! One file of the plan as `segno discuss plan` and `segno check` read it: what it says, and what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use segno_disk::{ReadDisk, RelPath};

use super::super::schema::Item;
use super::super::{PLAN_UNREADABLE, PLAN_WRONG_TYPE};
use super::fields::word;
use super::tree::Branch;
use super::{dir_of, list_key, parent_key, path_of};
use crate::error::Result;
use crate::session::Problem;
use crate::text::json::{Doc, Kind, Value};

/// One file before it found its place.
pub(super) struct Found {
    pub(super) branch: Branch,
    pub(super) path: RelPath,
    /// The id of its parent, as it says itself; empty when it does not.
    pub(super) parent: String,
    /// The ids that it lists, each once.
    pub(super) children: Vec<String>,
}

/// The files of one directory.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) found: BTreeMap<String, Found>,
    /// The ids whose file is there and cannot be read.
    pub(super) broken: BTreeSet<String>,
}

/// Reads the files of one directory. What cannot be read is a problem and left out.
pub(super) fn read_all(
    files: &dyn ReadDisk,
    item: Item,
    problems: &mut Vec<Problem>,
) -> Result<Pool> {
    let mut pool = Pool::default();
    for entry in files.list(&dir_of(item))? {
        let Some(id) = entry.name.strip_suffix(".json") else {
            continue;
        };
        let Ok(path) = path_of(item, id) else {
            continue;
        };
        match Reading::open(files, path) {
            Some(Ok(reading)) => {
                let found = reading.found(item, id, problems);
                pool.found.insert(id.to_owned(), found);
            }
            Some(Err(problem)) => {
                problems.push(problem);
                pool.broken.insert(id.to_owned());
            }
            None => {}
        }
    }
    Ok(pool)
}

/// The ids that the index lists, in its order; none when there is no index.
pub(super) fn read_index(
    files: &dyn ReadDisk,
    path: RelPath,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    match Reading::open(files, path) {
        Some(Ok(reading)) => reading.ids(list_key(Item::Track), problems),
        Some(Err(problem)) => {
            problems.push(problem);
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// A file that was read. What it says of another type than it should is a problem, never silently nothing.
struct Reading {
    path: RelPath,
    doc: Doc,
}

impl Reading {
    /// `None` when the file is not there (any more).
    fn open(files: &dyn ReadDisk, path: RelPath) -> Option<std::result::Result<Self, Problem>> {
        let unreadable = |found: String| {
            Problem::new(PLAN_UNREADABLE, path.clone())
                .found(found)
                .manual("mend the file by hand, or take the last good one from git")
        };
        let bytes = match files.read(&path) {
            Ok(Some((bytes, _))) => bytes,
            Ok(None) => return None,
            Err(error) => {
                return Some(Err(unreadable(format!(
                    "it cannot be read: {}",
                    error.source
                ))));
            }
        };
        let parsed = Doc::from_bytes(bytes).and_then(|doc| Doc::parse_object(doc.into_text()));
        Some(match parsed {
            Ok(doc) => Ok(Self { path, doc }),
            Err(error) => Err(unreadable(error.to_string()).line(error.line as u64)),
        })
    }

    fn found(self, item: Item, id: &str, problems: &mut Vec<Problem>) -> Found {
        let status = self.text("status", problems);
        let flag = self.member("completed", &[Kind::Bool], problems);
        let is_done = item == Item::Task
            && (flag.and_then(|flag| flag.bool()) == Some(true) || status == "done");
        let completion = match item {
            Item::Task => u64::from(is_done) * 100,
            _ => percent(self.member("completion", &[Kind::Number], problems)),
        };
        let children = match item {
            Item::Track => self.ids(list_key(Item::Phase), problems),
            Item::Phase => self.ids(list_key(Item::Task), problems),
            Item::Task => Vec::new(),
        };
        let parent = match item {
            Item::Track => String::new(),
            _ => self.text(parent_key(item), problems),
        };
        Found {
            branch: Branch {
                item,
                id: id.to_owned(),
                name: self.text("name", problems),
                status,
                completion,
                tasks: u64::from(item == Item::Task),
                done: u64::from(is_done),
                children: Vec::new(),
            },
            parent,
            children,
            path: self.path,
        }
    }

    /// A member that is there and is not null.
    fn member(&self, key: &str, kinds: &[Kind], problems: &mut Vec<Problem>) -> Option<Value<'_>> {
        let value = self.doc.get(key).filter(|value| !value.is_null())?;
        if kinds.contains(&value.kind()) {
            return Some(value);
        }
        let wanted: Vec<&str> = kinds.iter().map(|kind| word(*kind)).collect();
        let wanted = wanted.join(" or ");
        let found = format!("`{key}` is {}, not {wanted}", word(value.kind()));
        problems.push(self.wrong(&value, found, &format!("make it {wanted}")));
        None
    }

    fn text(&self, key: &str, problems: &mut Vec<Problem>) -> String {
        let value = self.member(key, &[Kind::String], problems);
        let text = value.and_then(|value| value.str());
        text.map(std::borrow::Cow::into_owned).unwrap_or_default()
    }

    /// The ids of a list, each once, in their order.
    fn ids(&self, key: &str, problems: &mut Vec<Problem>) -> Vec<String> {
        let Some(list) = self.member(key, &[Kind::Array], problems) else {
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        let mut ids = Vec::new();
        for (place, item) in list.items().enumerate() {
            match item.str() {
                // A list may say an id twice, as real ones do: that is one child.
                Some(id) if seen.insert(id.clone()) => ids.push(id.into_owned()),
                Some(_) => {}
                None => {
                    let kind = word(item.kind());
                    let found = format!("item {} of `{key}` is {kind}, not an id", place + 1);
                    problems.push(self.wrong(&item, found, "make it the id of a file, as a text"));
                }
            }
        }
        ids
    }

    fn wrong(&self, value: &Value<'_>, found: String, repair: &str) -> Problem {
        let before = self.doc.text().get(..value.range().start).unwrap_or("");
        let line = before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
        Problem::new(PLAN_WRONG_TYPE, self.path.clone())
            .line(line)
            .found(found)
            .manual(format!(
                "{repair}; until then it is read as if it were not there"
            ))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is between 0 and 100"
)]
fn percent(value: Option<Value<'_>>) -> u64 {
    let number = value.and_then(|value| value.f64()).unwrap_or(0.0);
    number.clamp(0.0, 100.0) as u64
}
