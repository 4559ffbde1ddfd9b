//! The values that stand under the keys of a record: text, numbers, truths, words, lists, records.

use super::{Patch, Path, Reader, Record};
use crate::text::yaml::{Map, Node, NodeKind, Value, YamlError};

/// A value under a key.
pub(in super::super) trait Field: PartialEq + Default {
    /// Reads it; what has the wrong type is reported and reads as absent.
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self;

    /// What is written; `None` when the key is left out.
    fn value(&self) -> Option<Value>;

    /// Writes the difference over an existing node.
    fn diff<'d>(
        _old: &Self,
        new: &Self,
        patch: &mut Patch<'d>,
        _node: Node<'d>,
        path: &mut Path,
    ) -> Result<(), YamlError> {
        match new.value() {
            Some(value) => patch.set(path, value),
            None => patch.remove(path),
        }
    }
}

impl Field for Option<String> {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        match node.kind() {
            NodeKind::Null => None,
            NodeKind::Scalar => node.as_str().map(ToOwned::to_owned),
            NodeKind::List | NodeKind::Map => {
                reader.bad(node, key, "a text");
                None
            }
        }
    }

    fn value(&self) -> Option<Value> {
        self.as_ref().map(Into::into)
    }
}

impl Field for Option<i64> {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        if node.is_null() {
            return None;
        }
        let quoted = || node.as_str().and_then(|text| text.trim().parse().ok());
        let number = node.as_i64().or_else(quoted);
        if number.is_none() {
            reader.bad(node, key, "a whole number");
        }
        number
    }

    fn value(&self) -> Option<Value> {
        self.map(Into::into)
    }
}

impl Field for Option<bool> {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        if node.is_null() {
            return None;
        }
        let truth = node.as_bool_yaml11();
        if truth.is_none() {
            reader.bad(node, key, "true or false");
        }
        truth
    }

    fn value(&self) -> Option<Value> {
        self.map(Into::into)
    }
}

impl Field for Vec<String> {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        match node.kind() {
            NodeKind::Null => Vec::new(),
            NodeKind::List => node
                .items()
                // `- really: yes?` is a question that YAML takes for a mapping: its own words are what was meant.
                .map(|item| item.as_str().unwrap_or_else(|| item.raw()).to_owned())
                .collect(),
            NodeKind::Scalar | NodeKind::Map => {
                reader.bad(node, key, "a list");
                Vec::new()
            }
        }
    }

    fn value(&self) -> Option<Value> {
        Some(self.clone().into())
    }

    fn diff<'d>(
        old: &Self,
        new: &Self,
        patch: &mut Patch<'d>,
        node: Node<'d>,
        path: &mut Path,
    ) -> Result<(), YamlError> {
        match new.strip_prefix(old.as_slice()) {
            Some(added) if node.is_list() && !old.is_empty() => {
                for text in added {
                    patch.push(path, text.into())?;
                }
                Ok(())
            }
            _ => patch.set(path, new.clone().into()),
        }
    }
}

impl<R: Record> Field for Vec<R> {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        match node.kind() {
            NodeKind::Null => Vec::new(),
            NodeKind::List => node
                .items()
                .map(|item| {
                    if !item.is_map() {
                        reader.bad(item, key, "a list of mappings");
                    }
                    R::read(item, reader)
                })
                .collect(),
            NodeKind::Scalar | NodeKind::Map => {
                reader.bad(node, key, "a list");
                Vec::new()
            }
        }
    }

    fn value(&self) -> Option<Value> {
        let items = self.iter().map(|item| Value::Map(item.to_map())).collect();
        Some(Value::List(items))
    }

    fn diff<'d>(
        old: &Self,
        new: &Self,
        patch: &mut Patch<'d>,
        node: Node<'d>,
        path: &mut Path,
    ) -> Result<(), YamlError> {
        // Items are told apart by what identifies them, so that a removed one does not lend its place to another.
        let mut wanted = new.iter().peekable();
        let mut removed = Vec::new();
        for (index, (old, item)) in old.iter().zip(node.items()).enumerate() {
            let Some(new) = wanted.next_if(|new| old.is_same(new)) else {
                removed.push(index);
                continue;
            };
            path.push(index.into());
            if old != new || patch.fills_below(path) {
                if item.is_map() {
                    R::diff(old, new, patch, item, path)?;
                } else {
                    patch.set(path, new.to_map().into())?;
                }
            }
            path.pop();
        }
        for index in removed.into_iter().rev() {
            path.push(index.into());
            patch.remove(path)?;
            path.pop();
        }
        for item in wanted {
            patch.push(path, item.to_map().into())?;
        }
        Ok(())
    }
}

impl<R: Record> Field for Option<R> {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        match node.kind() {
            NodeKind::Null => None,
            NodeKind::Map => Some(R::read(node, reader)),
            NodeKind::Scalar | NodeKind::List => {
                reader.bad(node, key, "a mapping");
                None
            }
        }
    }

    fn value(&self) -> Option<Value> {
        self.as_ref().map(|record| record.to_map().into())
    }

    fn diff<'d>(
        old: &Self,
        new: &Self,
        patch: &mut Patch<'d>,
        node: Node<'d>,
        path: &mut Path,
    ) -> Result<(), YamlError> {
        match (old, new) {
            (Some(old), Some(new)) if node.is_map() => R::diff(old, new, patch, node, path),
            _ => match new.value() {
                Some(value) => patch.set(path, value),
                None => patch.remove(path),
            },
        }
    }
}

/// How often each name occurs, in the order of the file: `category_counts`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts(pub Vec<(String, i64)>);

impl Counts {
    /// The count of a name.
    pub fn get(&self, name: &str) -> i64 {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map_or(0, |(_, count)| *count)
    }

    /// Counts one more.
    pub fn add(&mut self, name: &str) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, count)) => *count += 1,
            None => self.0.push((name.to_owned(), 1)),
        }
    }
}

impl Field for Counts {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        if !matches!(node.kind(), NodeKind::Null | NodeKind::Map) {
            reader.bad(node, key, "a mapping of counts");
        }
        let count = |(key, value): (Node<'_>, Node<'_>)| {
            Some((key.as_str()?.to_owned(), value.as_i64().unwrap_or(0)))
        };
        Self(node.entries().filter_map(count).collect())
    }

    fn value(&self) -> Option<Value> {
        let mut map = Map::new();
        for (name, count) in &self.0 {
            map.append(name.as_str(), *count);
        }
        Some(map.into())
    }
}

/// Whether a suggested technique was applied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Applied {
    /// The file does not say.
    #[default]
    Unknown,
    /// It was.
    Yes,
    /// It was not.
    No,
    /// Those of several that were: a shape that other tools write, taken apart on reading.
    These(Vec<String>),
}

impl From<bool> for Applied {
    fn from(applied: bool) -> Self {
        if applied { Self::Yes } else { Self::No }
    }
}

impl Field for Applied {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        if node.is_list() {
            return Self::These(Field::read(node, key, reader));
        }
        <Option<bool> as Field>::read(node, key, reader).map_or(Self::Unknown, Into::into)
    }

    fn value(&self) -> Option<Value> {
        match self {
            Self::Unknown => None,
            Self::Yes => Some(true.into()),
            Self::No => Some(false.into()),
            Self::These(slugs) => Some(slugs.clone().into()),
        }
    }
}

/// A list that is left out when there is nothing in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slugs(pub Vec<String>);

impl Field for Slugs {
    fn read(node: Node<'_>, key: &'static str, reader: &mut Reader) -> Self {
        Self(Field::read(node, key, reader))
    }

    fn value(&self) -> Option<Value> {
        (!self.0.is_empty()).then(|| self.0.clone().into())
    }
}
