//! The plan as a tree: tracks, phases and tasks with how far each is.

use std::collections::{BTreeMap, HashMap};

use segno_disk::{ReadDisk, RelPath};

use super::super::schema::Item;
use super::super::{PLAN_LISTED_TWICE, PLAN_MISSING_ITEM};
use super::found::{Found, Pool, read_all, read_index};
use super::index_path;
use crate::error::Result;
use crate::session::Problem;

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
    /// How much of it is done, in percent: all when it is marked so, by its tasks where it has any, else as the file says.
    pub completion: u64,
    /// How many tasks it holds.
    pub tasks: u64,
    /// How many of them are done.
    pub done: u64,
    /// What it holds.
    pub children: Vec<Branch>,
}

/// Reads the plan. What cannot be read is a problem and left out. Linear in the size of the plan.
pub fn tree(files: &dyn ReadDisk) -> Result<PlanTree> {
    let mut problems = Vec::new();
    let tasks = read_all(files, Item::Task, &mut problems)?;
    let mut phases = read_all(files, Item::Phase, &mut problems)?;
    let mut tracks = read_all(files, Item::Track, &mut problems)?;
    let order = read_index(files, index_path(), &mut problems);
    let loose_tasks = nest(&mut phases.found, tasks, Item::Task, &mut problems);
    let loose_phases = nest(&mut tracks.found, phases, Item::Phase, &mut problems);
    let mut tree = PlanTree {
        loose_phases,
        loose_tasks,
        ..PlanTree::default()
    };
    for id in order {
        match tracks.found.remove(&id) {
            Some(track) => tree.tracks.push(track.branch),
            None if tracks.broken.contains(&id) => {}
            None => problems.push(missing(&index_path(), Item::Track, &id)),
        }
    }
    tree.tracks.extend(branches(tracks.found));
    tree.problems = problems;
    Ok(tree)
}

/// What is wrong with the files of the plan.
pub(in crate::formats::discuss) fn problems(files: &dyn ReadDisk) -> Result<Vec<Problem>> {
    Ok(tree(files)?.problems)
}

/// Gives items their children: those they list in their order, then those that name them as their parent. Returns the
/// children of none.
fn nest(
    parents: &mut BTreeMap<String, Found>,
    mut children: Pool,
    item: Item,
    problems: &mut Vec<Problem>,
) -> Vec<Branch> {
    let owners = owners(parents, &children.found);
    for (parent_id, parent) in parents.iter_mut() {
        for id in std::mem::take(&mut parent.children) {
            match owners.get(&id) {
                Some(owner) if owner == parent_id => {
                    let child = children.found.remove(&id);
                    parent.branch.children.extend(child.map(|c| c.branch));
                }
                Some(owner) => problems.push(listed_twice(&parent.path, item, &id, owner)),
                None if children.broken.contains(&id) => {}
                None => problems.push(missing(&parent.path, item, &id)),
            }
        }
    }
    let mut loose = Vec::new();
    for child in children.found.into_values() {
        match parents.get_mut(&child.parent) {
            Some(parent) => parent.branch.children.push(child.branch),
            None => loose.push(child.branch),
        }
    }
    for parent in parents.values_mut() {
        add_up(&mut parent.branch);
    }
    loose
}

/// Which parent each listed child belongs to: the one that both sides name, else the first that lists it.
fn owners(
    parents: &BTreeMap<String, Found>,
    children: &BTreeMap<String, Found>,
) -> HashMap<String, String> {
    let mut owners = HashMap::new();
    for (parent_id, parent) in parents {
        for id in &parent.children {
            let Some(child) = children.get(id) else {
                continue;
            };
            if child.parent == *parent_id || !owners.contains_key(id) {
                owners.insert(id.clone(), parent_id.clone());
            }
        }
    }
    owners
}

fn add_up(branch: &mut Branch) {
    branch.tasks = branch.children.iter().map(|child| child.tasks).sum();
    branch.done = branch.children.iter().map(|child| child.done).sum();
    if branch.status == "done" {
        branch.completion = 100;
    } else if let Some(percent) = (branch.done * 100).checked_div(branch.tasks) {
        branch.completion = percent;
    }
}

fn branches(found: BTreeMap<String, Found>) -> impl Iterator<Item = Branch> {
    found.into_values().map(|found| found.branch)
}

fn missing(file: &RelPath, item: Item, id: &str) -> Problem {
    Problem::new(PLAN_MISSING_ITEM, file.clone())
        .found(format!("it lists the {item} '{id}', which has no file"))
        .manual("add the file, or take the id out of the list")
}

fn listed_twice(file: &RelPath, item: Item, id: &str, owner: &str) -> Problem {
    Problem::new(PLAN_LISTED_TWICE, file.clone())
        .found(format!(
            "it lists the {item} '{id}', which '{owner}' lists too"
        ))
        .manual(format!(
            "take the id out of one of the two lists; until then the {item} is shown below '{owner}'"
        ))
}
