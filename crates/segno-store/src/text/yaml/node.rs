//! Reading typed values from the tree, without a second parse.

use std::borrow::Cow;

use super::doc::{Doc, Shape, Style, Tag};
use super::error::{ErrorKind, YamlError};
use super::scalar::{self, Meaning, meaning};
use super::value::{Map, Spelling, Value};

/// A node of a document. Aliases are followed: such a node reads as what it stands for.
#[derive(Debug, Clone, Copy)]
pub struct Node<'d> {
    doc: &'d Doc,
    index: u32,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// Nothing: an absent value, `~` or `null`.
    Null,
    /// A number, a truth or text.
    Scalar,
    /// A list.
    List,
    /// A mapping.
    Map,
}

impl<'d> Node<'d> {
    pub(super) fn at(doc: &'d Doc, index: u32) -> Self {
        Self { doc, index }
    }

    fn target(self) -> u32 {
        match self.doc.raw(self.index).shape {
            Shape::Alias { target } => target,
            _ => self.index,
        }
    }

    /// What it is.
    pub fn kind(self) -> NodeKind {
        match self.doc.raw(self.target()).shape {
            Shape::List { .. } => NodeKind::List,
            Shape::Map { .. } => NodeKind::Map,
            _ if self.is_null() => NodeKind::Null,
            _ => NodeKind::Scalar,
        }
    }

    /// True for a mapping.
    pub fn is_map(self) -> bool {
        self.kind() == NodeKind::Map
    }

    /// True for a list.
    pub fn is_list(self) -> bool {
        self.kind() == NodeKind::List
    }

    /// The value under a key of a mapping.
    pub fn get(self, key: &str) -> Option<Node<'d>> {
        let mut entries = self.entries();
        entries
            .find(|(name, _)| name.text() == Some(key))
            .map(|(_, value)| value)
    }

    /// The keys and values of a mapping, in order; nothing for anything else.
    pub fn entries(self) -> impl Iterator<Item = (Node<'d>, Node<'d>)> {
        let target = self.target();
        let is_map = matches!(self.doc.raw(target).shape, Shape::Map { .. });
        let doc = self.doc;
        let pairs = is_map.then(|| doc.pairs(target)).into_iter().flatten();
        pairs.map(move |(key, value)| (Node::at(doc, key), Node::at(doc, value)))
    }

    /// The items of a list, in order; nothing for anything else.
    pub fn items(self) -> impl Iterator<Item = Node<'d>> {
        let target = self.target();
        let is_list = matches!(self.doc.raw(target).shape, Shape::List { .. });
        let doc = self.doc;
        let children = is_list.then(|| doc.children(target)).into_iter().flatten();
        children.map(move |child| Node::at(doc, child))
    }

    /// The resolved text of any scalar but a null: quotes, escapes and block layout undone, numbers as spelled.
    pub fn as_str(self) -> Option<&'d str> {
        if self.is_null() { None } else { self.text() }
    }

    /// The number, if 64 bits hold it. `010` is ten, as in YAML 1.2.
    pub fn as_i64(self) -> Option<i64> {
        self.int()
    }

    /// The number, if it is not negative and 64 bits hold it.
    pub fn as_u64(self) -> Option<u64> {
        self.int()
    }

    fn int<T: TryFrom<i128>>(self) -> Option<T> {
        let text = self.plain()?;
        (meaning(text) == Meaning::Int).then(|| scalar::int(text))?
    }

    /// The number, whole or not.
    pub fn as_f64(self) -> Option<f64> {
        let text = self.plain()?;
        matches!(meaning(text), Meaning::Int | Meaning::Float).then(|| scalar::float(text))?
    }

    /// `true` or `false`, as YAML 1.2 spells them. `no` and `yes` are text.
    pub fn as_bool(self) -> Option<bool> {
        match meaning(self.plain()?) {
            Meaning::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// A truth in any spelling of YAML 1.1 too: `yes`, `no`, `on`, `off`, `y`, `n`.
    pub fn as_bool_yaml11(self) -> Option<bool> {
        scalar::bool_yaml11(self.plain()?)
    }

    /// True for an absent value, `~` and `null`.
    pub fn is_null(self) -> bool {
        self.plain()
            .is_some_and(|text| meaning(text) == Meaning::Null)
    }

    /// The exact text of the node in the file, quotes, anchor and tag included; of an alias, the alias.
    pub fn raw(self) -> &'d str {
        let raw = self.doc.raw(self.index);
        self.doc.slice(raw.head, raw.end)
    }

    /// The line it begins on, from 1.
    pub fn line(self) -> u64 {
        self.doc.raw(self.index).line.into()
    }

    /// The node as plain data, aliases written out.
    ///
    /// # Errors
    /// A list or mapping as a key, and a tag that YAML does not define, have no plain data.
    pub fn to_value(self) -> Result<Value, YamlError> {
        let target = self.target();
        let raw = self.doc.raw(target);
        if raw.tag == Tag::Custom {
            return Err(self.unsupported("a value with a tag of its own has no plain form"));
        }
        match raw.shape {
            Shape::List { .. } => {
                let items: Result<_, _> = self.items().map(Node::to_value).collect();
                Ok(Value::List(items?))
            }
            Shape::Map { .. } => {
                let mut entries = Vec::new();
                for (key, value) in self.entries() {
                    if matches!(key.kind(), NodeKind::List | NodeKind::Map) {
                        return Err(key.unsupported("a list or mapping as a key has no plain form"));
                    }
                    entries.push((key.to_value()?, value.to_value()?));
                }
                Ok(Value::Map(Map::from_entries(entries)))
            }
            _ => Ok(self.scalar_value()),
        }
    }

    fn scalar_value(self) -> Value {
        let Some(text) = self.plain() else {
            return Value::Str(self.text().unwrap_or("").to_owned());
        };
        match meaning(text) {
            Meaning::Null => Value::Null,
            Meaning::Bool(truth) => Value::Bool(truth),
            Meaning::Int if has_canonical_int(text).is_some() => {
                Value::Int(has_canonical_int(text).unwrap_or_default())
            }
            _ => match Spelling::new(text) {
                Some(spelling) => Value::Plain(spelling),
                None => Value::Str(text.to_owned()),
            },
        }
    }

    fn unsupported(self, message: &str) -> YamlError {
        let kind = ErrorKind::Unsupported;
        self.doc.error_at(self.index, kind, message.to_owned())
    }

    /// The resolved text of any scalar.
    fn text(self) -> Option<&'d str> {
        self.doc.scalar_text(self.target())
    }

    /// The text of an unquoted scalar that is not tagged as text.
    fn plain(self) -> Option<&'d str> {
        let target = self.target();
        let raw = self.doc.raw(target);
        let plain = matches!(raw.shape, Shape::Scalar(Style::Plain, _));
        (plain && matches!(raw.tag, Tag::None | Tag::Core)).then(|| self.text())?
    }
}

/// The number, when its ordinary spelling is the one given.
pub(super) fn has_canonical_int(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    let ordinary: Cow<'_, str> = number.to_string().into();
    (ordinary == text).then_some(number)
}
