//! Finding items by name: parents that an operation names, and items that an earlier run has added already.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::super::failure::Failure;
use super::super::ops::Named;
use super::super::schema::Item;
use super::{Stopped, Store, list_key, not_found, parent_key};

/// The names below each parent as they were before the run, and which items have been spoken for.
#[derive(Default)]
pub(super) struct Names {
    below: HashMap<(Item, String), HashMap<String, VecDeque<String>>>,
    claimed: HashSet<(Item, String)>,
    /// What ids of this run stand for: an id that was asked for and the one that was given.
    aliases: HashMap<(Item, String), String>,
    /// Ids by name in lower case, from the first time that one is asked for by its name.
    by_name: HashMap<Item, HashMap<String, BTreeSet<String>>>,
}

impl Names {
    /// Says that an item is the result of an operation, so that no other one finds it by its name.
    pub(super) fn claim(&mut self, item: Item, id: &str) {
        self.claimed.insert((item, id.to_owned()));
    }

    /// Says that later operations may use an id for an item that got another one.
    pub(super) fn alias(&mut self, item: Item, asked: &str, id: &str) {
        if asked != id {
            self.aliases.insert((item, asked.to_owned()), id.to_owned());
        }
    }

    /// The item that an id means: it exists, or an operation before asked for it.
    pub(super) fn resolve(&self, store: &mut Store<'_>, item: Item, id: &str) -> Stopped<String> {
        if store.contains(item, id)? {
            return Ok(id.to_owned());
        }
        match self.aliases.get(&(item, id.to_owned())) {
            Some(given) => Ok(given.clone()),
            None => Err(not_found(item, id).into()),
        }
    }

    /// Says what an item is called from now on.
    pub(super) fn rename(&mut self, item: Item, id: &str, old: Option<&str>, name: &str) {
        let Some(names) = self.by_name.get_mut(&item) else {
            return;
        };
        if let Some(ids) = old.and_then(|old| names.get_mut(&old.to_lowercase())) {
            ids.remove(id);
        }
        let ids = names.entry(name.to_lowercase()).or_default();
        ids.insert(id.to_owned());
    }

    /// The parent that an operation names.
    pub(super) fn parent(
        &mut self,
        store: &mut Store<'_>,
        item: Item,
        named: &Named,
        within: Option<&str>,
    ) -> Stopped<String> {
        let name = match named {
            Named::Id(id) => return self.resolve(store, item, id),
            Named::Name(name) => name,
        };
        let names = match self.by_name.entry(item) {
            Entry::Occupied(names) => names.into_mut(),
            Entry::Vacant(names) => names.insert(all_names(store, item)?),
        };
        let ids = names.get(&name.to_lowercase());
        let mut found = Vec::new();
        for id in ids.into_iter().flatten() {
            let is_within = match within {
                Some(parent) => {
                    store.get(item, id)?.text(parent_key(item)).as_deref() == Some(parent)
                }
                None => true,
            };
            if is_within {
                found.push(id.clone());
            }
        }
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(not_found(item, name).into()),
            several => Err(Failure::refused(format!(
                "'{name}' names {} {item}s: {}; name it by its id",
                several.len(),
                several.join(", ")
            ))
            .into()),
        }
    }

    /// The next item of this name below a parent that was there before the run and is not spoken for. The n-th operation
    /// that adds a name finds the n-th item of that name, so that a second run finds exactly what the first one added.
    pub(super) fn already(
        &mut self,
        store: &mut Store<'_>,
        item: Item,
        parent: &str,
        name: &str,
    ) -> Stopped<Option<String>> {
        let key = (item, parent.to_owned());
        if !self.below.contains_key(&key) {
            let names = read_names(store, item, parent)?;
            self.below.insert(key.clone(), names);
        }
        let names = self.below.get_mut(&key);
        let Some(waiting) = names.and_then(|names| names.get_mut(name)) else {
            return Ok(None);
        };
        while let Some(id) = waiting.pop_front() {
            if self.claimed.insert((item, id.clone())) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}

fn all_names(store: &mut Store<'_>, item: Item) -> Stopped<HashMap<String, BTreeSet<String>>> {
    let mut ids: Vec<String> = store.ids(item)?.iter().cloned().collect();
    // The first one that cannot be read is the same one in every run.
    ids.sort();
    let mut names: HashMap<String, BTreeSet<String>> = HashMap::new();
    for id in ids {
        if let Some(name) = store.get(item, &id)?.text("name") {
            names.entry(name.to_lowercase()).or_default().insert(id);
        }
    }
    Ok(names)
}

fn read_names(
    store: &mut Store<'_>,
    item: Item,
    parent: &str,
) -> Stopped<HashMap<String, VecDeque<String>>> {
    let ids: Vec<String> = match item {
        Item::Track => {
            let mut ids: Vec<String> = store.ids(item)?.iter().cloned().collect();
            ids.sort();
            ids
        }
        Item::Phase => store.children(Item::Track, parent, item)?,
        Item::Task => store.children(Item::Phase, parent, item)?,
    };
    let mut names: HashMap<String, VecDeque<String>> = HashMap::new();
    let mut seen = HashSet::new();
    for id in ids {
        if !seen.insert(id.clone()) || !store.contains(item, &id)? {
            continue;
        }
        let entity = store.get(item, &id)?;
        if let Some(name) = entity.original("name").and_then(|name| name.str()) {
            names.entry(name.into_owned()).or_default().push_back(id);
        }
    }
    Ok(names)
}

impl Store<'_> {
    /// The ids that a parent listed before the run.
    fn children(&mut self, of: Item, parent: &str, item: Item) -> Stopped<Vec<String>> {
        let list = self.list_of(of, parent, item)?;
        Ok(list.original().cloned().collect())
    }

    /// The list of a parent.
    pub(super) fn list_of(
        &mut self,
        of: Item,
        parent: &str,
        item: Item,
    ) -> Stopped<&mut super::list::IdList> {
        let entity = self.get(of, parent)?;
        let path = entity.path.clone();
        entity.list(list_key(item)).ok_or_else(|| {
            Failure::damaged_plan(format!("{path}: `{}` is not a list", list_key(item))).into()
        })
    }
}
