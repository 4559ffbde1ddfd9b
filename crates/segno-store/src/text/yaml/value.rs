//! Plain data: what a YAML node means, without its place, comments or quoting.

use super::scalar::is_ambiguous;

/// Plain data, as read from a node or about to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number of ordinary spelling.
    Int(i64),
    /// A scalar that is kept in its spelling and written unquoted: `1.10`, `010`, `2026-11-18`, 23 digits.
    Plain(Spelling),
    /// Text.
    Str(String),
    /// A list.
    List(Vec<Value>),
    /// A mapping that keeps its order.
    Map(Map),
}

impl Value {
    /// The text of a string or of a kept spelling.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            Self::Plain(spelling) => Some(spelling.as_str()),
            _ => None,
        }
    }

    /// The number, of an ordinary whole number.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The mapping.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value under a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    pub(super) fn is_empty_collection(&self) -> bool {
        match self {
            Self::List(items) => items.is_empty(),
            Self::Map(map) => map.is_empty(),
            _ => false,
        }
    }

    pub(super) fn is_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Str(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Str(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Str(text.clone())
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Int(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        match i64::try_from(number) {
            Ok(small) => Self::Int(small),
            Err(_) => Self::Plain(Spelling(number.to_string())),
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        let text = if number.is_nan() {
            ".nan".to_owned()
        } else if number.is_infinite() {
            if number > 0.0 { ".inf" } else { "-.inf" }.to_owned()
        } else {
            // `{:?}` always has a point or an exponent. PyYAML wants a point and a signed exponent too.
            let shortest = format!("{number:?}");
            match shortest.split_once('e') {
                None => shortest,
                Some((mantissa, exponent)) => {
                    let point = if mantissa.contains('.') { "" } else { ".0" };
                    let sign = if exponent.starts_with('-') { "" } else { "+" };
                    format!("{mantissa}{point}e{sign}{exponent}")
                }
            }
        };
        Self::Plain(Spelling(text))
    }
}

impl From<Spelling> for Value {
    fn from(spelling: Spelling) -> Self {
        Self::Plain(spelling)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Self::Map(map)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(maybe: Option<T>) -> Self {
        maybe.map_or(Self::Null, Into::into)
    }
}

/// An unquoted scalar whose spelling is kept because readers differ on what it means.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spelling(
    // Invariant: safe to write unquoted anywhere on one line, and ambiguous (so never an ordinary string).
    String,
);

impl Spelling {
    /// The spelling, if it is of the sort that must be kept: a number, date, time, or a word such as `no`.
    pub fn new(text: &str) -> Option<Self> {
        let safe = !text.is_empty()
            && text == text.trim()
            && !text.contains(": ")
            && !text.ends_with(':')
            && !text.starts_with("- ");
        (safe && is_ambiguous(text)).then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A mapping that keeps the order of its keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Map {
    entries: Vec<(Value, Value)>,
}

impl Map {
    /// An empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same mapping with one more entry; a key that is there already gets the new value.
    #[must_use]
    pub fn with(mut self, key: impl Into<Value>, value: impl Into<Value>) -> Self {
        self.insert(key, value);
        self
    }

    /// Sets a key: in its place if it is there, at the end if not.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) {
        let (key, value) = (key.into(), value.into());
        match self.entries.iter_mut().find(|entry| entry.0 == key) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((key, value)),
        }
    }

    /// Adds an entry whose key is known not to be there: no search, so that many can be added.
    pub fn append(&mut self, key: impl Into<Value>, value: impl Into<Value>) {
        self.entries.push((key.into(), value.into()));
    }

    /// The value under a text key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let entry = self.entries.iter().find(|e| e.0.as_str() == Some(key));
        entry.map(|e| &e.1)
    }

    /// The entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.entries.iter().map(|entry| (&entry.0, &entry.1))
    }

    /// How many entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn from_entries(entries: Vec<(Value, Value)>) -> Self {
        Self { entries }
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|e| e.0.as_str() == Some(key))
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let entry = self.entries.iter_mut().find(|e| e.0.as_str() == Some(key));
        entry.map(|e| &mut e.1)
    }

    pub(super) fn insert_at(&mut self, index: usize, key: Value, value: Value) {
        self.entries
            .insert(index.min(self.entries.len()), (key, value));
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Value> {
        let index = self.position(key)?;
        Some(self.entries.remove(index).1)
    }
}

impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}
