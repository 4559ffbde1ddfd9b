//! A list of ids inside a parent: additions and removals are gathered and written once.

use std::collections::{HashMap, HashSet};

use crate::text::json::{Doc, EditError, Kind, Step, Tree, Value};

/// Up to so many changes are made one by one, in the layout that the list has; more of them write the list anew.
const ONE_BY_ONE: usize = 16;

/// A list of ids as it was read, and what has become of it.
#[derive(Debug)]
pub(super) struct IdList {
    /// The ids in the file; `None` for items that are no text. Such items and repeated ids stay as they are.
    original: Vec<Option<String>>,
    there: HashSet<String>,
    gone: HashSet<String>,
    added: Vec<Option<String>>,
    added_at: HashMap<String, usize>,
}

impl IdList {
    /// Reads a list; `None` when the value is there and is no list.
    pub(super) fn read(value: Option<Value<'_>>) -> Option<Self> {
        let original: Vec<Option<String>> = match value {
            Some(list) if list.kind() == Kind::Array => list
                .items()
                .map(|item| item.str().map(std::borrow::Cow::into_owned))
                .collect(),
            Some(list) if list.is_null() => Vec::new(),
            None => Vec::new(),
            Some(_) => return None,
        };
        let there = original.iter().flatten().cloned().collect();
        Some(Self {
            original,
            there,
            gone: HashSet::new(),
            added: Vec::new(),
            added_at: HashMap::new(),
        })
    }

    /// The ids as they were read.
    pub(super) fn original(&self) -> impl Iterator<Item = &String> {
        self.original.iter().flatten()
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.added_at.contains_key(id) || (self.there.contains(id) && !self.gone.contains(id))
    }

    /// Adds an id behind the others, unless it is there.
    pub(super) fn add(&mut self, id: &str) -> bool {
        if self.contains(id) {
            return false;
        }
        self.added_at.insert(id.to_owned(), self.added.len());
        self.added.push(Some(id.to_owned()));
        true
    }

    /// Takes an id out wherever it stands.
    pub(super) fn remove(&mut self, id: &str) -> bool {
        let was_there = self.contains(id);
        if let Some(slot) = self
            .added_at
            .remove(id)
            .and_then(|at| self.added.get_mut(at))
        {
            *slot = None;
        }
        if self.there.contains(id) {
            self.gone.insert(id.to_owned());
        }
        was_there
    }

    /// The ids that have come and gone; both empty when the list is what it was.
    pub(super) fn difference(&self) -> (Vec<&str>, Vec<&str>) {
        let added: Vec<&str> = self.added.iter().flatten().map(String::as_str).collect();
        let kept = self
            .original
            .iter()
            .filter(|id| !self.is_gone(id.as_deref()));
        let now = kept
            .map(Option::as_deref)
            .chain(added.iter().map(|id| Some(*id)));
        if now.eq(self.original.iter().map(Option::as_deref)) {
            return (Vec::new(), Vec::new());
        }
        let removed = self.original.iter().flatten().map(String::as_str);
        (
            added,
            removed.filter(|id| self.gone.contains(*id)).collect(),
        )
    }

    fn is_gone(&self, id: Option<&str>) -> bool {
        id.is_some_and(|id| self.gone.contains(id))
    }

    /// Writes the changes into the document.
    pub(super) fn write(&self, doc: &mut Doc, key: &str) -> Result<(), EditError> {
        let (added, removed) = self.difference();
        if added.is_empty() && removed.is_empty() {
            return Ok(());
        }
        let is_list = doc.get(key).is_some_and(|list| list.kind() == Kind::Array);
        if !is_list || added.len() + removed.len() > ONE_BY_ONE {
            let kept = doc.get(key).into_iter().flat_map(|list| list.items());
            let kept = kept.filter(|item| !self.is_gone(item.str().as_deref()));
            let items: Vec<Tree> = kept
                .map(Tree::from)
                .chain(added.into_iter().map(Tree::from))
                .collect();
            return doc.set(key, Tree::Array(items));
        }
        for index in (0..self.original.len()).rev() {
            let id = self.original.get(index).and_then(Option::as_deref);
            if self.is_gone(id) {
                doc.remove([Step::Key(key), Step::Index(index)])?;
            }
        }
        for id in added {
            doc.push(key, id)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, change: impl Fn(&mut IdList), expected: &str) {
        let mut doc = Doc::parse(text).unwrap();
        let mut list = IdList::read(doc.get("tasks")).unwrap();
        change(&mut list);
        list.write(&mut doc, "tasks").unwrap();
        assert_eq!(doc.text(), expected);
    }

    #[test]
    fn ids_come_and_go_and_everything_else_of_the_list_stays() {
        let text = "{\"tasks\": [\"a\", 7, \"b\",\"a\"], \"x\": 1.10}";
        check(text, |list| assert!(!list.add("b")), text);
        check(
            text,
            |list| assert!(list.add("c")),
            "{\"tasks\": [\"a\", 7, \"b\",\"a\", \"c\"], \"x\": 1.10}",
        );
        check(
            text,
            |list| assert!(list.remove("a")),
            "{\"tasks\": [7, \"b\"], \"x\": 1.10}",
        );
        check(
            text,
            |list| {
                list.add("c");
                list.remove("c");
            },
            text,
        );
        check(
            "{\"x\": 1}",
            |list| assert!(list.add("c")),
            "{\"x\": 1, \"tasks\": [\"c\"]}",
        );
    }

    #[test]
    fn an_id_that_left_and_came_back_to_its_place_changes_nothing() {
        let text = "{\"tasks\": [\"a\", \"b\"]}";
        check(
            text,
            |list| {
                list.remove("b");
                list.add("b");
            },
            text,
        );
    }

    #[test]
    fn many_changes_are_written_at_once() {
        let text = "{\n  \"tasks\": [\n    \"a\",\n    7\n  ]\n}";
        let mut expected = "{\n  \"tasks\": [\n    7".to_owned();
        let added: Vec<String> = (0..20).map(|n| format!(",\n    \"n{n}\"")).collect();
        expected.push_str(&added.concat());
        expected.push_str("\n  ]\n}");
        check(
            text,
            |list| {
                list.remove("a");
                for n in 0..20 {
                    list.add(&format!("n{n}"));
                }
            },
            &expected,
        );
    }

    #[test]
    fn what_is_no_list_is_not_taken_for_one() {
        let doc = Doc::parse("{\"tasks\": \"a\"}").unwrap();
        assert!(IdList::read(doc.get("tasks")).is_none());
    }
}
