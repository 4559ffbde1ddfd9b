//! The plan as a tree: tracks, phases and tasks with how far each is.

use std::collections::{BTreeMap, BTreeSet};

use segno_disk::{ReadDisk, RelPath};

use super::super::schema::Item;
use super::super::{PLAN_MISSING_ITEM, PLAN_UNREADABLE};
use super::{dir_of, index_path, list_key, parent_key, path_of};
use crate::error::Result;
use crate::session::Problem;
use crate::text::json::Doc;

/// The plan as a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanTree {
    /// The tracks in the order of the index, those that it does not list behind them.
    pub tracks: Vec<Branch>,
    /// Phases of no track that exists.
    pub loose_phases: Vec<Branch>,
    /// Tasks of no phase that exists.
    pub loose_tasks: Vec<Branch>,
    /// What is wrong with the files.
    pub problems: Vec<Problem>,
}

/// One item with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// What it is.
    pub item: Item,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its status, in the words of the file.
    pub status: String,
    /// How much of it is done, in percent: by its tasks where it has any, else as the file says.
    pub completion: u64,
    /// How many tasks it holds.
    pub tasks: u64,
    /// How many of them are done.
    pub done: u64,
    /// What it holds.
    pub children: Vec<Branch>,
}

/// Reads the plan. What cannot be read is a problem and left out.
pub fn tree(files: &dyn ReadDisk) -> Result<PlanTree> {
    let mut problems = Vec::new();
    let mut tasks = read_all(files, Item::Task, &mut problems)?;
    let mut phases = read_all(files, Item::Phase, &mut problems)?;
    let mut tracks = read_all(files, Item::Track, &mut problems)?;
    let order = match read(files, &index_path(), &mut problems)? {
        Some(doc) => ids(&doc, list_key(Item::Track)),
        None => Vec::new(),
    };
    for phase in phases.values_mut() {
        gather(phase, &mut tasks, Item::Task, &mut problems);
    }
    for track in tracks.values_mut() {
        gather(track, &mut phases, Item::Phase, &mut problems);
    }
    let mut tree = PlanTree {
        loose_phases: rest(phases),
        loose_tasks: rest(tasks),
        ..PlanTree::default()
    };
    for id in order {
        match tracks.remove(&id) {
            Some(track) => tree.tracks.push(track.branch),
            // An index may list a track twice: it is shown once.
            None if tree.tracks.iter().any(|track| track.id == id) => {}
            None => problems.push(missing(&index_path(), Item::Track, &id)),
        }
    }
    tree.tracks.extend(rest(tracks));
    tree.problems = problems;
    Ok(tree)
}

/// One file before it found its place.
struct Found {
    branch: Branch,
    path: RelPath,
    parent: String,
    children: Vec<String>,
}

fn read_all(
    files: &dyn ReadDisk,
    item: Item,
    problems: &mut Vec<Problem>,
) -> Result<BTreeMap<String, Found>> {
    let mut all = BTreeMap::new();
    for entry in files.list(&dir_of(item))? {
        let Some(id) = entry.name.strip_suffix(".json") else {
            continue;
        };
        let Ok(path) = path_of(item, id) else {
            continue;
        };
        let Some(doc) = read(files, &path, problems)? else {
            continue;
        };
        all.insert(id.to_owned(), found(item, id, path, &doc));
    }
    Ok(all)
}

fn read(files: &dyn ReadDisk, path: &RelPath, problems: &mut Vec<Problem>) -> Result<Option<Doc>> {
    let Some((bytes, _)) = files.read(path)? else {
        return Ok(None);
    };
    match Doc::from_bytes(bytes).and_then(|doc| Doc::parse_object(doc.into_text())) {
        Ok(doc) => Ok(Some(doc)),
        Err(error) => {
            let problem = Problem::new(PLAN_UNREADABLE, path.clone())
                .line(error.line as u64)
                .found(error.to_string())
                .manual("mend the file by hand, or take the last good one from git");
            problems.push(problem);
            Ok(None)
        }
    }
}

fn found(item: Item, id: &str, path: RelPath, doc: &Doc) -> Found {
    let text = |key: &str| {
        let value = doc.get(key).and_then(|value| value.str());
        value.map(std::borrow::Cow::into_owned).unwrap_or_default()
    };
    let status = text("status");
    let flagged = doc.get("completed").and_then(|flag| flag.bool()) == Some(true);
    let is_done = item == Item::Task && (flagged || status == "done");
    let completion = match item {
        Item::Task => u64::from(is_done) * 100,
        _ => doc
            .get("completion")
            .and_then(|n| n.u64())
            .unwrap_or(0)
            .min(100),
    };
    let children = match item {
        Item::Track => ids(doc, list_key(Item::Phase)),
        Item::Phase => ids(doc, list_key(Item::Task)),
        Item::Task => Vec::new(),
    };
    Found {
        branch: Branch {
            item,
            id: id.to_owned(),
            name: text("name"),
            status,
            completion,
            tasks: u64::from(item == Item::Task),
            done: u64::from(is_done),
            children: Vec::new(),
        },
        path,
        parent: text(parent_key(item)),
        children,
    }
}

fn ids(doc: &Doc, key: &str) -> Vec<String> {
    let list = doc.get(key).into_iter().flat_map(|list| list.items());
    list.filter_map(|item| Some(item.str()?.into_owned()))
        .collect()
}

/// Gives an item its children: those it lists in their order, then those that name it as their parent.
fn gather(
    parent: &mut Found,
    pool: &mut BTreeMap<String, Found>,
    item: Item,
    problems: &mut Vec<Problem>,
) {
    let mut seen = BTreeSet::new();
    for id in std::mem::take(&mut parent.children) {
        if !seen.insert(id.clone()) {
            continue;
        }
        match pool.remove(&id) {
            Some(child) => parent.branch.children.push(child.branch),
            None => problems.push(missing(&parent.path, item, &id)),
        }
    }
    let unlisted: Vec<String> = pool
        .iter()
        .filter(|(_, child)| child.parent == parent.branch.id)
        .map(|(id, _)| id.clone())
        .collect();
    for id in unlisted {
        parent
            .branch
            .children
            .extend(pool.remove(&id).map(|child| child.branch));
    }
    let branch = &mut parent.branch;
    branch.tasks = branch.children.iter().map(|child| child.tasks).sum();
    branch.done = branch.children.iter().map(|child| child.done).sum();
    if let Some(percent) = (branch.done * 100).checked_div(branch.tasks) {
        branch.completion = percent;
    }
}

fn rest(pool: BTreeMap<String, Found>) -> Vec<Branch> {
    pool.into_values().map(|found| found.branch).collect()
}

fn missing(file: &RelPath, item: Item, id: &str) -> Problem {
    Problem::new(PLAN_MISSING_ITEM, file.clone())
        .found(format!("it lists the {item} '{id}', which has no file"))
        .manual("add the file, or take the id out of the list")
}
