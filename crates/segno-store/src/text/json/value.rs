//! One value of a document, read where it stands.

use std::borrow::Cow;
use std::ops::Range;

use super::path::{Path, Step};
use super::string;
use super::tape::Node;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `{ ... }`
    Object,
    /// `[ ... ]`
    Array,
    /// `"..."`
    String,
    /// A number, spelt as its writer liked.
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

/// One value of a document: its raw text, and typed readings of it that never fail but may have no answer.
#[derive(Clone, Copy)]
pub struct Value<'d> {
    text: &'d str,
    nodes: &'d [Node],
    at: usize,
}

impl<'d> Value<'d> {
    pub(super) fn new(text: &'d str, nodes: &'d [Node], at: usize) -> Self {
        Self { text, nodes, at }
    }

    pub(super) fn node(&self) -> Node {
        *self
            .nodes
            .get(self.at)
            .expect("because a value is made only for a node that exists")
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.node().kind
    }

    /// The bytes it takes in the document.
    pub fn range(&self) -> Range<usize> {
        let node = self.node();
        node.start as usize..node.end as usize
    }

    /// Its text exactly as it stands in the document.
    pub fn raw(&self) -> &'d str {
        self.text
            .get(self.range())
            .expect("because spans end at ASCII bytes")
    }

    /// The text of a string. Half a surrogate pair, which no text can hold, is shown as U+FFFD; the document keeps it.
    pub fn str(&self) -> Option<Cow<'d, str>> {
        (self.kind() == Kind::String).then(|| string::decode(self.raw()).0)
    }

    /// True when [`Value::str`] had to show U+FFFD for half a surrogate pair.
    pub fn is_lossy(&self) -> bool {
        self.kind() == Kind::String && string::decode(self.raw()).1
    }

    /// A whole number, also when spelt `12.0`; `None` when it is none or does not fit.
    pub fn i64(&self) -> Option<i64> {
        self.number()?.parse().ok().or_else(|| {
            let whole = self.f64().filter(|float| float.fract() == 0.0)?;
            // Up to here every whole number has a float of its own.
            #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
            (whole.abs() <= 9_007_199_254_740_992.0).then_some(whole as i64)
        })
    }

    /// A whole number that is not negative, also when spelt `12.0`.
    pub fn u64(&self) -> Option<u64> {
        self.number()?
            .parse()
            .ok()
            .or_else(|| u64::try_from(self.i64()?).ok())
    }

    /// A number as the nearest float; `None` when it is too large for one.
    pub fn f64(&self) -> Option<f64> {
        self.number()?
            .parse()
            .ok()
            .filter(|float: &f64| float.is_finite())
    }

    fn number(&self) -> Option<&'d str> {
        (self.kind() == Kind::Number).then(|| self.raw())
    }

    /// `true` or `false`.
    pub fn bool(&self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// True for `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// The member with this key; the last one where several have it. `None` too when this is no object.
    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        self.entries()
            .filter(|entry| entry.is(key))
            .last()
            .map(|entry| entry.value)
    }

    /// The item at this position. `None` too when this is no array.
    pub fn item(&self, index: usize) -> Option<Value<'d>> {
        self.items().nth(index)
    }

    /// The value at a path that begins here.
    pub fn at<'p>(&self, path: impl Path<'p>) -> Option<Value<'d>> {
        self.at_steps(&path.steps())
    }

    pub(super) fn at_steps(&self, steps: &[Step<'_>]) -> Option<Value<'d>> {
        steps.iter().try_fold(*self, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.item(*index),
        })
    }

    /// The members of an object in the order of the text, duplicates included; none when this is no object.
    pub fn entries(&self) -> Entries<'d> {
        Entries(self.children(Kind::Object))
    }

    /// The items of an array; none when this is no array.
    pub fn items(&self) -> Items<'d> {
        self.children(Kind::Array)
    }

    fn children(&self, of: Kind) -> Items<'d> {
        let node = self.node();
        let end = if node.kind == of {
            node.next as usize
        } else {
            0
        };
        Items {
            parent: *self,
            at: self.at + 1,
            end,
        }
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.raw())
    }
}

/// One member of an object.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'d> {
    /// The key as a value: always a string.
    pub name: Value<'d>,
    /// The value.
    pub value: Value<'d>,
}

impl<'d> Entry<'d> {
    /// The key as text.
    pub fn key(&self) -> Cow<'d, str> {
        string::decode(self.name.raw()).0
    }

    /// True when the key is this text, however it is escaped.
    pub fn is(&self, key: &str) -> bool {
        let raw = self.name.raw();
        match raw.get(1..raw.len() - 1) {
            Some(plain) if !plain.contains('\\') => plain == key,
            _ => self.key() == key,
        }
    }
}

/// The members of an object.
#[derive(Debug, Clone)]
pub struct Entries<'d>(Items<'d>);

impl<'d> Iterator for Entries<'d> {
    type Item = Entry<'d>;

    fn next(&mut self) -> Option<Entry<'d>> {
        Some(Entry {
            name: self.0.next()?,
            value: self.0.next()?,
        })
    }
}

/// The items of an array.
#[derive(Debug, Clone)]
pub struct Items<'d> {
    parent: Value<'d>,
    at: usize,
    end: usize,
}

impl<'d> Iterator for Items<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        if self.at >= self.end {
            return None;
        }
        let value = Value {
            at: self.at,
            ..self.parent
        };
        self.at = value.node().next as usize;
        Some(value)
    }
}
