//! Reading back: is the changed text the old tree with the changes made, and nothing else?

use super::changes::Fresh;
use super::doc::{Doc, Shape};
use super::edit::Edit;
use super::node::Node;
use super::scalar::is_ambiguous;
use super::value::Value;

/// The line of the new text where it first says something else than intended. The old items that are `left_out` of the
/// new text are not looked for in it.
pub(super) fn first_difference(edit: &Edit<'_>, new: &Doc, left_out: &[u32]) -> Option<u64> {
    let mut touched = edit.changes.touched();
    touched.extend(left_out);
    touched.sort_unstable();
    let reader = Reader {
        edit,
        old: edit.doc,
        new,
        touched,
        left_out,
    };
    let end = u32::try_from(new.nodes.len()).unwrap_or(u32::MAX);
    match reader.node(0, 0) {
        Ok(next) if next == end => None,
        Ok(next) => Some(Node::at(new, next.min(end - 1)).line()),
        Err(Differs(index)) => Some(Node::at(new, index.min(end - 1)).line()),
    }
}

/// The node of the new document that differs.
struct Differs(u32);

struct Reader<'e> {
    edit: &'e Edit<'e>,
    old: &'e Doc,
    new: &'e Doc,
    /// The nodes with changes and those left out, sorted.
    touched: Vec<u32>,
    /// The items that the new text was made without, sorted.
    left_out: &'e [u32],
}

impl Reader<'_> {
    /// Compares an old node, as changed, with a new one; gives the index behind the new one.
    fn node(&self, old: u32, new: u32) -> Result<u32, Differs> {
        if let Some(value) = self.edit.changes.replaced.get(&old) {
            return self.value(value, new);
        }
        let end = self.old.raw(old).next;
        // What is set beside or instead of the node itself is its parent's concern.
        let first = self.touched.partition_point(|n| *n <= old);
        if self.touched.get(first).is_none_or(|n| *n >= end) {
            return self.unchanged(old, new);
        }
        let is_map = match (&self.old.raw(old).shape, &self.exists(new)?.shape) {
            (Shape::Map { .. }, Shape::Map { .. }) => true,
            (Shape::List { .. }, Shape::List { .. }) => false,
            _ => return Err(Differs(new)),
        };
        let mut at = new + 1;
        let mut children = self.old.children(old);
        while let Some(child) = children.next() {
            let value = if is_map { children.next() } else { None };
            if self.left_out.binary_search(&child).is_ok() {
                continue;
            }
            at = self.fresh(self.edit.changes.before.get(&child), at)?;
            if !self.edit.changes.removed.contains_key(&child) {
                at = self.node(child, at)?;
                if let Some(value) = value {
                    at = self.node(value, at)?;
                }
            }
            at = self.fresh(self.edit.changes.after.get(&child), at)?;
        }
        self.closes(new, at)
    }

    fn fresh(&self, group: Option<&Vec<Fresh>>, mut at: u32) -> Result<u32, Differs> {
        for fresh in group.into_iter().flatten() {
            if let Some(key) = &fresh.key {
                at = self.value(key, at)?;
            }
            at = self.value(&fresh.value, at)?;
        }
        Ok(at)
    }

    /// Compares a subtree without changes, node by node.
    fn unchanged(&self, old: u32, new: u32) -> Result<u32, Differs> {
        let end = self.old.raw(old).next;
        for step in 0..end - old {
            let (a, b) = (self.old.raw(old + step), self.exists(new + step)?);
            let same_size = a.next - old == b.next.wrapping_sub(new);
            let same = match (&a.shape, &b.shape) {
                (Shape::Scalar(was, _), Shape::Scalar(is, _)) => {
                    was == is
                        && self.old.scalar_text(old + step) == self.new.scalar_text(new + step)
                }
                (Shape::List { flow: was }, Shape::List { flow: is })
                | (Shape::Map { flow: was }, Shape::Map { flow: is }) => was == is,
                (Shape::Alias { .. }, Shape::Alias { .. }) => {
                    self.old.slice(a.start, a.end) == self.new.slice(b.start, b.end)
                }
                _ => false,
            };
            if !same || !same_size || a.tag != b.tag {
                return Err(Differs(new + step));
            }
        }
        Ok(new + (end - old))
    }

    /// Compares new data with what was read back. The data was checked to be no deeper than a document may be.
    fn value(&self, value: &Value, new: u32) -> Result<u32, Differs> {
        let raw = self.exists(new)?;
        let node = Node::at(self.new, new);
        let mut at = new + 1;
        match (value, &raw.shape) {
            (Value::List(items), Shape::List { .. }) => {
                for item in items {
                    at = self.value(item, at)?;
                }
                return self.closes(new, at);
            }
            (Value::Map(map), Shape::Map { .. }) => {
                for (key, value) in map.iter() {
                    at = self.value(key, at)?;
                    at = self.value(value, at)?;
                }
                return self.closes(new, at);
            }
            _ => {}
        }
        let same = match value {
            Value::Null => node.is_null(),
            Value::Bool(truth) => node.as_bool() == Some(*truth),
            Value::Int(number) => node.as_i64() == Some(*number),
            Value::Plain(spelling) => node.raw() == spelling.as_str(),
            Value::Str(text) => {
                let bare = node.raw() == text && is_ambiguous(text);
                self.new.scalar_text(new) == Some(text) && !bare
            }
            Value::List(_) | Value::Map(_) => false,
        };
        if same { Ok(at) } else { Err(Differs(new)) }
    }

    fn closes(&self, new: u32, at: u32) -> Result<u32, Differs> {
        let end = self.exists(new)?.next;
        if end == at {
            Ok(at)
        } else {
            Err(Differs(at.min(end)))
        }
    }

    fn exists(&self, new: u32) -> Result<&super::doc::Raw, Differs> {
        self.new.nodes.get(new as usize).ok_or(Differs(new))
    }
}
