//! One JSON document: its text and the spans of its values.

use super::error::JsonError;
use super::path::Path;
use super::print::Style;
use super::tape::{self, Node};
use super::value::{Kind, Value};

/// How much of a document is read at once; checked before anything is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The most bytes. More than 4 GiB is never read.
    pub bytes: usize,
    /// The most values and keys.
    pub values: usize,
}

impl Default for Budget {
    /// 64 MiB and four million values: far above any session, far below what a machine has.
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            values: 4_000_000,
        }
    }
}

/// A JSON document that can be read and edited without touching any other byte of it.
///
/// A byte order mark, the line ends, the indentation, the order of the keys, duplicate keys and the spelling of every
/// value are kept. Where a key stands twice, the last one is read and edited, as most readers of JSON do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doc {
    pub(super) text: String,
    /// Invariant: the spans of `text`, never empty, the root first.
    pub(super) nodes: Vec<Node>,
    pub(super) budget: Budget,
    /// How to write where the text itself shows no habit.
    pub(super) fallback: Style,
}

impl Doc {
    /// Reads a document within the default budget.
    pub fn parse(text: impl Into<String>) -> Result<Self, JsonError> {
        Self::parse_within(text, Budget::default())
    }

    /// Reads a document within a budget.
    pub fn parse_within(text: impl Into<String>, budget: Budget) -> Result<Self, JsonError> {
        let text = text.into();
        let nodes = spans(&text, budget)?;
        Ok(Self {
            text,
            nodes,
            budget,
            fallback: Style::default(),
        })
    }

    /// Reads a document whose root must be an object, as all the state files of the formats are.
    pub fn parse_object(text: impl Into<String>) -> Result<Self, JsonError> {
        let doc = Self::parse(text)?;
        if doc.root().kind() == Kind::Object {
            return Ok(doc);
        }
        let at = doc.root().range().start;
        let message = "expected an object, `{` first";
        Err(JsonError::at(doc.text.as_bytes(), at, message))
    }

    /// Reads a document from the bytes of a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, JsonError> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            JsonError::at(error.as_bytes(), at, "not UTF-8 from here on")
        })?;
        Self::parse(text)
    }

    /// Says how to write where the text shows no habit of its own: an empty object, a text without any accent.
    #[must_use]
    pub fn or_styled(mut self, fallback: Style) -> Self {
        self.fallback = fallback;
        self
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value::new(&self.text, &self.nodes, 0)
    }

    /// The value at a path: a key, or keys and positions from the root down.
    pub fn get<'p>(&self, path: impl Path<'p>) -> Option<Value<'_>> {
        self.root().at(path)
    }

    /// The text as it stands.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as it stands.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// The spans of a text that fits the budget.
pub(super) fn spans(text: &str, budget: Budget) -> Result<Vec<Node>, JsonError> {
    if text.len() > budget.bytes.min(u32::MAX as usize) {
        let message = "the document is larger than is read at once";
        return Err(JsonError::at(b"", 0, message));
    }
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    tape::build(text, start, budget.values)
        .map_err(|stop| JsonError::at(text.as_bytes(), stop.at, stop.message))
}
