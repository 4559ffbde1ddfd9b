//! One file of the plan store: read once, changed in memory, written once and only where it changed.

use std::collections::HashMap;

use segno_disk::{Access, Basis, Change, RelPath, Stamp};

use super::diff::{FieldDiff, FileDiff};
use super::list::IdList;
use crate::formats::discuss::schema::Item;
use crate::session::Timestamp;
use crate::text::json::{Doc, EditError, Style, Tree, Value};

/// One file of the plan store.
#[derive(Debug)]
pub(super) struct Entity {
    pub(super) path: RelPath,
    doc: Doc,
    stamp: Option<Stamp>,
    edits: Vec<(String, Tree)>,
    /// Fields of a task that no task has: they are kept under `details`.
    details: Vec<(String, Tree)>,
    list: Option<(&'static str, IdList)>,
}

impl Entity {
    /// A file that was read.
    pub(super) fn read(path: RelPath, doc: Doc, stamp: Stamp) -> Self {
        Self {
            path,
            doc,
            stamp: Some(stamp),
            edits: Vec::new(),
            details: Vec::new(),
            list: None,
        }
    }

    /// A file that is new.
    pub(super) fn new(path: RelPath, content: &Tree) -> Self {
        let text = content.to_text(Style::PYTHON_INDENTED);
        Self {
            path,
            doc: Doc::parse(text).expect("because a printed tree is JSON"),
            stamp: None,
            edits: Vec::new(),
            details: Vec::new(),
            list: None,
        }
    }

    /// A value as the file has it, whatever has been changed since.
    pub(super) fn original(&self, key: &str) -> Option<Value<'_>> {
        self.doc.get(key)
    }

    /// A text as it stands now.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        match self.edit(key) {
            Some(Tree::Text(text)) => Some(text.clone()),
            Some(Tree::Raw(raw)) => {
                let doc = Doc::parse(raw.as_str()).ok()?;
                doc.root().str().map(std::borrow::Cow::into_owned)
            }
            Some(_) => None,
            None => Some(self.doc.get(key)?.str()?.into_owned()),
        }
    }

    fn edit(&self, key: &str) -> Option<&Tree> {
        let found = self.edits.iter().rev().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    /// Sets a member. Returns false when that is what stands there.
    pub(super) fn set(&mut self, key: &str, value: impl Into<Tree>) -> bool {
        let value = value.into();
        let is_there = match self.edit(key) {
            Some(edit) => same_tree(edit, &value),
            None => self.doc.get(key).is_some_and(|old| same(old, &value)),
        };
        if is_there {
            return false;
        }
        self.edits.retain(|(name, _)| name != key);
        self.edits.push((key.to_owned(), value));
        true
    }

    /// Sets members below `details`. Returns false when all of them stand there.
    pub(super) fn set_details(&mut self, members: Vec<(String, Tree)>) -> bool {
        let details = self.doc.get("details").into_iter();
        let stands: HashMap<_, _> = details
            .flat_map(|object| object.entries())
            .map(|entry| (entry.key(), entry.value))
            .collect();
        let all_there = members.iter().all(|(key, value)| {
            let old = stands.get(key.as_str());
            old.is_some_and(|old| same(*old, value))
        });
        if all_there && self.details.is_empty() {
            return false;
        }
        self.details.extend(members);
        true
    }

    /// Its list of children; `None` when the file has something else there.
    pub(super) fn list(&mut self, key: &'static str) -> Option<&mut IdList> {
        if self.list.is_none() {
            self.list = Some((key, IdList::read(self.doc.get(key))?));
        }
        self.list.as_mut().map(|(_, list)| list)
    }

    /// The change that writes it and what is different then; `None` when nothing is.
    pub(super) fn finish(mut self, ts: &str) -> Result<Option<(Change, FileDiff)>, EditError> {
        let mut fields = Vec::new();
        self.merge_details();
        let edits = std::mem::take(&mut self.edits);
        for (key, value) in edits {
            let old = self.doc.get(key.as_str());
            if old.is_some_and(|old| same(old, &value)) {
                continue;
            }
            fields.push(FieldDiff {
                old: old.map(|old| Tree::respelt(old).to_text(Style::SPACED)),
                new: Some(value.to_text(Style::SPACED)),
                name: key.clone(),
            });
            self.doc.set(key.as_str(), value)?;
        }
        if let Some((key, list)) = &self.list {
            let (added, removed) = list.difference();
            let diff = |id: &&str| Some(format!("{id:?}"));
            fields.extend(
                removed
                    .iter()
                    .map(|id| FieldDiff::item(key, diff(id), None)),
            );
            fields.extend(added.iter().map(|id| FieldDiff::item(key, None, diff(id))));
            list.write(&mut self.doc, key)?;
        }
        if self.stamp.is_some() {
            if fields.is_empty() {
                return Ok(None);
            }
            if fields.iter().all(|field| field.name != "updated_at") {
                fields.extend(self.touch(ts)?);
            }
        } else {
            fields = whole(&self.doc);
        }
        let diff = FileDiff {
            path: self.path.clone(),
            is_new: self.stamp.is_none(),
            fields,
        };
        let basis = self.stamp.map_or(Basis::Absent, Basis::Version);
        let bytes = self.doc.into_text().into_bytes();
        let change = Change::replace(self.path, bytes, basis, Access::Shared);
        Ok(Some((change, diff)))
    }

    /// Moves `updated_at` on to the time of the discussion, never back.
    fn touch(&mut self, ts: &str) -> Result<Option<FieldDiff>, EditError> {
        let Some(at) = Timestamp::parse(ts) else {
            return Ok(None);
        };
        let zone = jiff::tz::TimeZone::UTC;
        let stands = self.doc.get("updated_at").and_then(|value| value.str());
        let stands = stands.and_then(|text| Timestamp::parse(&text));
        if stands.is_some_and(|stands| stands.cmp_in(&at, &zone).is_ge()) {
            return Ok(None);
        }
        let old = self.doc.get("updated_at");
        let diff = FieldDiff {
            name: "updated_at".to_owned(),
            old: old.map(|old| Tree::respelt(old).to_text(Style::SPACED)),
            new: Some(Tree::from(ts).to_text(Style::SPACED)),
        };
        self.doc.set("updated_at", ts)?;
        Ok(Some(diff))
    }

    fn merge_details(&mut self) {
        let details = std::mem::take(&mut self.details);
        if details.is_empty() {
            return;
        }
        let mut members: Vec<(String, Tree)> = self
            .doc
            .get("details")
            .into_iter()
            .flat_map(|object| object.entries())
            .map(|entry| (entry.key().into_owned(), Tree::from(entry.value)))
            .collect();
        let mut places: HashMap<String, usize> = members
            .iter()
            .enumerate()
            .map(|(place, (key, _))| (key.clone(), place))
            .collect();
        for (key, value) in details {
            let found = places.get(&key).copied();
            if let Some(member) = found.and_then(|place| members.get_mut(place)) {
                member.1 = value;
            } else {
                places.insert(key.clone(), members.len());
                members.push((key, value));
            }
        }
        self.set("details", Tree::Object(members));
    }
}

fn whole(doc: &Doc) -> Vec<FieldDiff> {
    let members = doc.root().entries();
    members
        .map(|entry| FieldDiff {
            name: entry.key().into_owned(),
            old: None,
            new: Some(Tree::respelt(entry.value).to_text(Style::SPACED)),
        })
        .collect()
}

/// True when a value in a file says what is to be written.
fn same(old: Value<'_>, new: &Tree) -> bool {
    match new {
        Tree::Text(text) => old.str().is_some_and(|old| old == text.as_str()),
        Tree::Bool(flag) => old.bool() == Some(*flag),
        Tree::Null => old.is_null(),
        other => same_json(old.raw(), &other.to_text(Style::COMPACT)),
    }
}

fn same_tree(old: &Tree, new: &Tree) -> bool {
    old == new || same_json(&old.to_text(Style::COMPACT), &new.to_text(Style::COMPACT))
}

fn same_json(old: &str, new: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    old == new || (read(old).is_some() && read(old) == read(new))
}

/// The content of a new file, its keys in the order of the format.
pub(super) fn blank(item: Item, id: &str, name: &str, parent: &str, ts: &str) -> Tree {
    let none = || Tree::Array(Vec::new());
    let at = || {
        if ts.is_empty() {
            Tree::Null
        } else {
            Tree::from(ts)
        }
    };
    let members: Vec<(&str, Tree)> = match item {
        Item::Track => vec![
            ("track_id", id.into()),
            ("name", name.into()),
            ("status", "proposed".into()),
            ("completion", 0.into()),
            ("description", none()),
            ("phases", none()),
            ("priority", 0.into()),
            ("created_at", at()),
            ("updated_at", at()),
            ("tags", none()),
            ("owner", Tree::Null),
            ("is_top_priority", false.into()),
        ],
        Item::Phase => vec![
            ("phase_id", id.into()),
            ("name", name.into()),
            ("status", "proposed".into()),
            ("completion", 0.into()),
            ("description", none()),
            ("tasks", none()),
            ("track_id", parent.into()),
            ("priority", "P2".into()),
            ("created_at", at()),
            ("updated_at", at()),
            ("tags", none()),
            ("owner", Tree::Null),
            ("dependencies", none()),
            ("order", Tree::Null),
        ],
        Item::Task => vec![
            ("task_id", id.into()),
            ("name", name.into()),
            ("status", "proposed".into()),
            ("priority", "P2".into()),
            ("estimated_hours", Tree::Null),
            ("description", none()),
            ("phase_id", parent.into()),
            ("completed", false.into()),
            ("created_at", at()),
            ("updated_at", at()),
            ("tags", none()),
            ("owner", Tree::Null),
            ("dependencies", none()),
            ("subtasks", none()),
            ("details", Tree::Object(Vec::new())),
        ],
    };
    Tree::object(members)
}

/// The content of a new `index.json`.
pub(super) fn blank_index(tracks: impl Iterator<Item = String>, ts: &str) -> Tree {
    let at = || {
        if ts.is_empty() {
            Tree::Null
        } else {
            Tree::from(ts)
        }
    };
    Tree::object([
        ("tracks", Tree::array(tracks)),
        ("top_priority_track", Tree::Null),
        ("created_at", at()),
        ("updated_at", at()),
    ])
}
