//! Where a path leads, in the document and in what has been changed of it so far.

use super::changes::{Fresh, Side};
use super::doc::{Shape, Style as Quoting};
use super::edit::Edit;
use super::error::{ErrorKind, YamlError};
use super::node::Node;
use super::path::{Step, describe};
use super::value::Value;

/// Where a path leads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    /// To a node of the document; with the key or item that names it in its collection.
    Node { node: u32, named: u32 },
    /// Into a replaced node's new value, this many steps down the path.
    Replaced { node: u32, steps: usize },
    /// Into a new entry or item, this many steps down the path.
    Fresh {
        side: Side,
        child: u32,
        nth: usize,
        steps: usize,
    },
}
impl Edit<'_> {
    pub(super) fn find(&self, path: &[Step<'_>]) -> Result<Found, YamlError> {
        let mut found = Found::Node { node: 0, named: 0 };
        for (n, step) in path.iter().enumerate() {
            let Found::Node { node, .. } = found else {
                break;
            };
            if self.changes.replaced.contains_key(&node) {
                found = Found::Replaced { node, steps: n };
                break;
            }
            if matches!(self.doc.raw(node).shape, Shape::Alias { .. }) {
                let here = describe(path.get(..n).unwrap_or(path));
                let message = format!(
                    "`{here}` is an alias; change the value it stands for, or write it out"
                );
                return Err(self.doc.error_at(node, ErrorKind::Refused, message));
            }
            found = match step {
                Step::Key(key) => self.find_key(node, key, n + 1),
                Step::Index(index) => self.find_item(node, *index, n + 1),
            }
            .ok_or_else(|| self.missing_below(node, path.get(..=n).unwrap_or(path)))?;
        }
        if let Found::Node { node, .. } = found
            && self.changes.replaced.contains_key(&node)
        {
            found = Found::Replaced {
                node,
                steps: path.len(),
            };
        }
        if self.leads_on(found, path) {
            Ok(found)
        } else {
            Err(self.missing(path))
        }
    }

    /// True when the steps inside a new value lead somewhere too.
    fn leads_on(&self, found: Found, path: &[Step<'_>]) -> bool {
        let (value, steps) = match found {
            Found::Node { .. } => return true,
            Found::Replaced { node, steps } => (self.changes.replaced.get(&node), steps),
            Found::Fresh {
                side,
                child,
                nth,
                steps,
            } => {
                let groups = match side {
                    Side::Before => &self.changes.before,
                    Side::After => &self.changes.after,
                };
                let fresh = groups.get(&child).and_then(|group| group.get(nth));
                (fresh.map(|fresh| &fresh.value), steps)
            }
        };
        let rest = path.get(steps..).unwrap_or_default();
        value.and_then(|value| descend(value, rest)).is_some()
    }

    fn find_key(&self, map: u32, key: &str, steps: usize) -> Option<Found> {
        if !matches!(self.doc.raw(map).shape, Shape::Map { .. }) {
            return None;
        }
        for (name, value) in self.doc.pairs(map) {
            let there = !self.changes.removed.contains_key(&name);
            if there && self.doc.scalar_text(name) == Some(key) {
                return Some(Found::Node {
                    node: value,
                    named: name,
                });
            }
            for (side, groups) in self.changes.sides() {
                let group = groups.get(&name).map_or(&[][..], Vec::as_slice);
                let named = |f: &Fresh| f.key.as_ref().and_then(Value::as_str) == Some(key);
                if let Some(nth) = group.iter().position(named) {
                    return Some(Found::Fresh {
                        side,
                        child: name,
                        nth,
                        steps,
                    });
                }
            }
        }
        None
    }

    fn find_item(&self, list: u32, index: usize, steps: usize) -> Option<Found> {
        if !matches!(self.doc.raw(list).shape, Shape::List { .. }) {
            return None;
        }
        let mut left = index;
        for item in self.doc.children(list) {
            if !self.changes.removed.contains_key(&item) {
                if left == 0 {
                    return Some(Found::Node {
                        node: item,
                        named: item,
                    });
                }
                left -= 1;
            }
            let count = self.changes.after.get(&item).map_or(0, Vec::len);
            if left < count {
                let side = Side::After;
                return Some(Found::Fresh {
                    side,
                    child: item,
                    nth: left,
                    steps,
                });
            }
            left -= count;
        }
        None
    }

    /// The new value that a path leads to.
    pub(super) fn fresh(
        &mut self,
        found: Found,
        path: &[Step<'_>],
    ) -> Result<&mut Value, YamlError> {
        let missing = self.missing(path);
        let (value, steps) = match found {
            Found::Node { .. } => (None, 0),
            Found::Replaced { node, steps } => (self.changes.replaced.get_mut(&node), steps),
            Found::Fresh {
                side,
                child,
                nth,
                steps,
            } => {
                let group = self.changes.side(side).get_mut(&child);
                (
                    group.and_then(|g| g.get_mut(nth)).map(|f| &mut f.value),
                    steps,
                )
            }
        };
        let rest = path.get(steps..).unwrap_or_default();
        let mut value = value.ok_or_else(|| missing.clone())?;
        for step in rest {
            let below = match (value, step) {
                (Value::Map(map), Step::Key(key)) => map.get_mut(key),
                (Value::List(items), Step::Index(index)) => items.get_mut(*index),
                _ => None,
            };
            value = below.ok_or_else(|| missing.clone())?;
        }
        Ok(value)
    }

    /// Refuses a change to a value that aliases repeat elsewhere: it would change there too.
    pub(super) fn guard(&self, node: u32) -> Result<(), YamlError> {
        let end = self.doc.raw(node).next;
        for (alias, target) in &self.doc.aliases {
            let inside = (*target..self.doc.raw(*target).next).contains(&node);
            let around = (node..end).contains(target) && !(node..end).contains(alias);
            if inside || around {
                let line = self.doc.raw(*alias).line;
                let message =
                    format!("an alias on line {line} repeats this value; write it out there first");
                return Err(self.doc.error_at(node, ErrorKind::Refused, message));
            }
        }
        Ok(())
    }

    pub(super) fn is_null(&self, node: u32) -> bool {
        Node::at(self.doc, node).is_null() && !self.is_alias(node)
    }

    fn is_alias(&self, node: u32) -> bool {
        matches!(self.doc.raw(node).shape, Shape::Alias { .. })
    }

    pub(super) fn missing(&self, path: &[Step<'_>]) -> YamlError {
        self.missing_below(0, path)
    }

    fn missing_below(&self, node: u32, path: &[Step<'_>]) -> YamlError {
        let message = format!("there is no `{}`", describe(path));
        self.doc.error_at(node, ErrorKind::Missing, message)
    }

    pub(super) fn wrong_type(&self, path: &[Step<'_>], wanted: &str) -> YamlError {
        let message = format!("`{}` is not {wanted}", describe(path));
        self.doc.error_at(0, ErrorKind::WrongType, message)
    }

    /// How the scalar at a node is quoted, if it is one.
    pub(super) fn quoting(&self, node: u32) -> Option<Quoting> {
        match self.doc.raw(node).shape {
            Shape::Scalar(style, _) if !self.is_null(node) => Some(style),
            _ => None,
        }
    }
}

fn descend<'v>(value: &'v Value, path: &[Step<'_>]) -> Option<&'v Value> {
    path.iter()
        .try_fold(value, |value, step| match (value, step) {
            (Value::Map(map), Step::Key(key)) => map.get(key),
            (Value::List(items), Step::Index(index)) => items.get(*index),
            _ => None,
        })
}
