//! What is to become of the nodes of a document, until it is spliced in.

use std::collections::BTreeMap;

use super::doc::{Doc, Shape};
use super::value::{Map, Value};

/// What is to become of the nodes of a document. A node that is replaced or removed has no changes below it.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    /// Nodes that get another value.
    pub(super) replaced: BTreeMap<u32, Value>,
    /// Keys or items that go, each with its collection.
    pub(super) removed: BTreeMap<u32, u32>,
    /// New entries and items before or behind a key or item that was there.
    pub(super) before: BTreeMap<u32, Vec<Fresh>>,
    pub(super) after: BTreeMap<u32, Vec<Fresh>>,
}

/// A new entry of a mapping, or a new item of a list.
#[derive(Debug, Clone)]
pub(super) struct Fresh {
    pub(super) key: Option<Value>,
    pub(super) value: Value,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}
impl Changes {
    pub(super) fn side(&mut self, side: Side) -> &mut BTreeMap<u32, Vec<Fresh>> {
        match side {
            Side::Before => &mut self.before,
            Side::After => &mut self.after,
        }
    }

    pub(super) fn sides(&self) -> [(Side, &BTreeMap<u32, Vec<Fresh>>); 2] {
        [(Side::Before, &self.before), (Side::After, &self.after)]
    }

    /// The nodes that something happens to or beside, sorted.
    pub(super) fn touched(&self) -> Vec<u32> {
        let mut touched: Vec<u32> = Vec::new();
        touched.extend(self.replaced.keys());
        touched.extend(self.removed.keys());
        touched.extend(self.before.keys());
        touched.extend(self.after.keys());
        touched.sort_unstable();
        touched
    }

    /// Forgets what was to happen inside a node that is replaced or removed as a whole.
    pub(super) fn clear_below(&mut self, doc: &Doc, node: u32) {
        let inside = node + 1..doc.raw(node).next;
        self.replaced.retain(|n, _| !inside.contains(n));
        self.removed.retain(|n, _| !inside.contains(n));
        self.before.retain(|n, _| !inside.contains(n));
        self.after.retain(|n, _| !inside.contains(n));
    }

    /// A collection that loses all it had is replaced by one of what is new in it.
    pub(super) fn settle(&mut self, doc: &Doc) {
        self.before.retain(|_, group| !group.is_empty());
        self.after.retain(|_, group| !group.is_empty());
        let mut losing: Vec<u32> = self.removed.values().copied().collect();
        losing.dedup();
        for collection in losing {
            let is_map = matches!(doc.raw(collection).shape, Shape::Map { .. });
            let children: Vec<u32> = if is_map {
                doc.pairs(collection).map(|(key, _)| key).collect()
            } else {
                doc.children(collection).collect()
            };
            if !children
                .iter()
                .all(|child| self.removed.contains_key(child))
            {
                continue;
            }
            let mut fresh = Vec::new();
            for child in &children {
                fresh.extend(self.before.remove(child).into_iter().flatten());
                fresh.extend(self.after.remove(child).into_iter().flatten());
            }
            self.clear_below(doc, collection);
            let value = if is_map {
                let entries = fresh
                    .into_iter()
                    .map(|f| (f.key.unwrap_or_default(), f.value));
                Value::Map(Map::from_entries(entries.collect()))
            } else {
                Value::List(fresh.into_iter().map(|f| f.value).collect())
            };
            self.replaced.insert(collection, value);
        }
    }
}
