//! A value that is to be written.

use super::error::JsonError;
use super::scan;
use super::value::{Kind, Value};

/// A value that is to be written. Whatever it holds, what is printed of it is valid JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A text.
    Text(String),
    /// Items in order.
    Array(Vec<Tree>),
    /// Members in order.
    Object(Vec<(String, Tree)>),
    /// A number, or any value in a spelling that must not change.
    Raw(Raw),
}

/// The spelling of a value, known to be JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw(String);

impl Raw {
    /// The spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Tree {
    /// A value in the spelling that it has already; refused when it is not JSON.
    pub fn raw(text: &str) -> Result<Self, JsonError> {
        scan::check(text.as_bytes())?;
        Ok(Self::Raw(Raw(text.trim_ascii().to_owned())))
    }

    /// A value of a document in the spelling of whoever prints it. Numbers keep theirs, and so does what no text can
    /// hold: half a surrogate pair.
    pub fn respelt(value: Value<'_>) -> Self {
        match value.kind() {
            Kind::Null => Self::Null,
            Kind::Bool => Self::Bool(value.bool() == Some(true)),
            Kind::String if !value.is_lossy() => {
                Self::Text(value.str().unwrap_or_default().into_owned())
            }
            Kind::Array => Self::Array(value.items().map(Self::respelt).collect()),
            Kind::Object if !value.entries().any(|entry| entry.name.is_lossy()) => {
                let members = value.entries();
                let respelt =
                    members.map(|entry| (entry.key().into_owned(), Self::respelt(entry.value)));
                Self::Object(respelt.collect())
            }
            Kind::Number | Kind::String | Kind::Object => Self::from(value),
        }
    }

    /// An object from its members.
    pub fn object<K: Into<String>, V: Into<Self>>(
        members: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let members = members.into_iter();
        Self::Object(
            members
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
        )
    }

    /// An array from its items.
    pub fn array<V: Into<Self>>(items: impl IntoIterator<Item = V>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }

    /// A number with a fraction; `None` for what JSON cannot say (`NaN`, infinity).
    pub fn float(number: f64) -> Option<Self> {
        serde_json::Number::from_f64(number).map(|number| Self::Raw(Raw(number.to_string())))
    }
}

impl From<bool> for Tree {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Tree {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Tree {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Tree>> From<Option<T>> for Tree {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Tree>> From<Vec<T>> for Tree {
    fn from(items: Vec<T>) -> Self {
        Self::array(items)
    }
}

/// A value of a document, in the spelling that it has there.
impl From<Value<'_>> for Tree {
    fn from(value: Value<'_>) -> Self {
        Self::Raw(Raw(value.raw().to_owned()))
    }
}

impl From<serde_json::Value> for Tree {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(value) => Self::Bool(value),
            serde_json::Value::Number(number) => Self::Raw(Raw(number.to_string())),
            serde_json::Value::String(text) => Self::Text(text),
            serde_json::Value::Array(items) => Self::array(items),
            serde_json::Value::Object(members) => Self::object(members),
        }
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Tree {
            fn from(number: $integer) -> Self {
                Self::Raw(Raw(number.to_string()))
            }
        }
    )*};
}

from_integers!(i32, i64, u8, u32, u64, usize);
