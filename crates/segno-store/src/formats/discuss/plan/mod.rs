//! The plan store, `docs/maestro/{index.json,tracks,phases,tasks}`: tracks hold phases, phases hold tasks.
//!
//! A file is read when an operation first needs it and written at most once. Unknown keys, their order and the layout of
//! a file stay; what cannot be read is never written.

mod add;
mod apply;
mod diff;
mod edit;
mod entity;
mod fields;
mod found;
mod list;
mod names;
mod tree;

use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;

use segno_disk::{Change, ReadDisk, Reason, RelPath};

pub use diff::{FieldDiff, FileDiff};
pub use tree::{Branch, PlanTree, tree};

pub(super) use apply::{Applied, Earlier, apply};
pub use apply::{Effect, OpReport};
pub(super) use tree::problems;

use self::entity::Entity;
use super::failure::Failure;
use super::schema::Item;
use crate::error::StoreError;
use crate::text::json::Doc;

/// Where the plan lies.
pub const PLAN_DIR: &str = "docs/maestro";

/// Why the operations stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// Something is wrong with them or the plan: nothing is applied, and the run is recorded.
    Failure(Failure),
    /// The disk failed.
    Disk(StoreError),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<segno_disk::DiskError> for Stop {
    /// What stands there and is no file that may be read is the plan's fault, and the run is recorded; what the disk
    /// itself fails at is not.
    fn from(error: segno_disk::DiskError) -> Self {
        let is_the_plans = error.reason == Reason::Escapes
            || matches!(
                error.source.kind(),
                ErrorKind::InvalidInput
                    | ErrorKind::PermissionDenied
                    | ErrorKind::IsADirectory
                    | ErrorKind::NotADirectory
            );
        if is_the_plans {
            let path = error.path.display();
            let why = &error.source;
            return Failure::damaged_plan(format!("{path} cannot be read: {why}")).into();
        }
        Self::Disk(error.into())
    }
}

type Stopped<T> = std::result::Result<T, Stop>;

/// The plan store in memory: what has been opened of it.
struct Store<'a> {
    files: &'a dyn ReadDisk,
    /// The time that is written into what changes.
    ts: String,
    shelves: [Shelf; 3],
    index: Option<Entity>,
}

/// The files of one directory.
#[derive(Default)]
struct Shelf {
    /// The ids that exist, once the directory has been listed.
    ids: Option<HashSet<String>>,
    open: BTreeMap<String, Entity>,
}

impl<'a> Store<'a> {
    fn new(files: &'a dyn ReadDisk, ts: &str) -> Self {
        Self {
            files,
            ts: ts.to_owned(),
            shelves: Default::default(),
            index: None,
        }
    }

    fn shelf(&mut self, item: Item) -> &mut Shelf {
        let [tracks, phases, tasks] = &mut self.shelves;
        match item {
            Item::Track => tracks,
            Item::Phase => phases,
            Item::Task => tasks,
        }
    }

    /// The ids of an item that exist, those of this run included.
    fn ids(&mut self, item: Item) -> Stopped<&mut HashSet<String>> {
        let files = self.files;
        let shelf = self.shelf(item);
        if shelf.ids.is_none() {
            let names = files.list(&dir_of(item))?;
            let ids = names
                .into_iter()
                .filter_map(|entry| entry.name.strip_suffix(".json").map(str::to_owned));
            shelf.ids = Some(ids.collect());
        }
        Ok(shelf.ids.get_or_insert_default())
    }

    fn contains(&mut self, item: Item, id: &str) -> Stopped<bool> {
        Ok(self.ids(item)?.contains(id))
    }

    /// The file of an item that exists.
    fn get(&mut self, item: Item, id: &str) -> Stopped<&mut Entity> {
        let files = self.files;
        if !self.contains(item, id)? {
            return Err(not_found(item, id).into());
        }
        let shelf = self.shelf(item);
        if !shelf.open.contains_key(id) {
            let path = path_of(item, id)?;
            let Some((bytes, stamp)) = files.read(&path)? else {
                return Err(not_found(item, id).into());
            };
            let doc = object(bytes, &path)?;
            let entity = Entity::read(path, doc, stamp);
            shelf.open.insert(id.to_owned(), entity);
        }
        shelf
            .open
            .get_mut(id)
            .ok_or_else(|| not_found(item, id).into())
    }

    /// Puts a new item into the store.
    fn create(&mut self, item: Item, id: &str, name: &str, parent: &str) -> Stopped<()> {
        let path = path_of(item, id)?;
        let content = entity::blank(item, id, name, parent, &self.ts);
        self.ids(item)?.insert(id.to_owned());
        let entity = Entity::new(path, &content);
        self.shelf(item).open.insert(id.to_owned(), entity);
        Ok(())
    }

    /// The list of tracks; made when there is none.
    fn index(&mut self) -> Stopped<&mut Entity> {
        if self.index.is_none() {
            let path = index_path();
            let entity = if let Some((bytes, stamp)) = self.files.read(&path)? {
                let doc = object(bytes, &path)?;
                Entity::read(path, doc, stamp)
            } else {
                let tracks: std::collections::BTreeSet<String> =
                    self.ids(Item::Track)?.iter().cloned().collect();
                let content = entity::blank_index(tracks.into_iter(), &self.ts);
                Entity::new(path, &content)
            };
            self.index = Some(entity);
        }
        self.index
            .as_mut()
            .ok_or_else(|| Failure::damaged_plan("index.json cannot be read").into())
    }

    /// All changes, in the order of their paths.
    fn finish(self) -> Stopped<(Vec<Change>, Vec<FileDiff>)> {
        let (mut changes, mut diffs) = (Vec::new(), Vec::new());
        let shelved = self.shelves.into_iter().rev();
        let opened = shelved.flat_map(|shelf| shelf.open.into_values());
        for entity in opened.chain(self.index) {
            let path = entity.path.clone();
            let finished = entity.finish(&self.ts).map_err(|error| {
                Failure::damaged_plan(format!("{path} cannot be changed: {error}"))
            })?;
            if let Some((change, diff)) = finished {
                changes.push(change);
                diffs.push(diff);
            }
        }
        changes.sort_by(|a, b| a.path().cmp(b.path()));
        diffs.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((changes, diffs))
    }
}

fn object(bytes: Vec<u8>, path: &RelPath) -> Result<Doc, Failure> {
    Doc::from_bytes(bytes)
        .and_then(|doc| Doc::parse_object(doc.into_text()))
        .map_err(|error| Failure::damaged_plan(format!("{path} cannot be read: {error}")))
}

fn not_found(item: Item, id: &str) -> Failure {
    let (first, rest) = item.name().split_at(1);
    Failure::not_found(format!("{}{rest} '{id}' not found", first.to_uppercase()))
}

/// The directory of an item.
fn dir_of(item: Item) -> RelPath {
    fixed(match item {
        Item::Track => "docs/maestro/tracks",
        Item::Phase => "docs/maestro/phases",
        Item::Task => "docs/maestro/tasks",
    })
}

fn index_path() -> RelPath {
    fixed("docs/maestro/index.json")
}

fn fixed(path: &str) -> RelPath {
    RelPath::new(path).expect("because the path is written out here")
}

/// The file of an item. An id that would lead elsewhere is refused.
fn path_of(item: Item, id: &str) -> Result<RelPath, Failure> {
    dir_of(item)
        .join_name(&format!("{id}.json"))
        .map_err(|error| {
            Failure::invalid(format!(
                "'{id}' cannot be the id of a {item}: {}",
                error.source
            ))
        })
}

/// The list that an item is in, and the key of the parent in the item itself.
fn list_key(item: Item) -> &'static str {
    match item {
        Item::Track => "tracks",
        Item::Phase => "phases",
        Item::Task => "tasks",
    }
}

/// The key that names the parent.
fn parent_key(item: Item) -> &'static str {
    match item {
        Item::Track => "",
        Item::Phase => "track_id",
        Item::Task => "phase_id",
    }
}
