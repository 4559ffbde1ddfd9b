//! Writing a new document line by line, with the comments and blank lines a person would give it.

use super::budget::Budget;
use super::doc::Doc;
use super::error::{ErrorKind, YamlError};
use super::value::Value;
use super::write::{self, Printer, Style, key_text, single_entry, spaces};

/// A new document in the making: entries in order, between them comments and blank lines.
///
/// ```
/// use segno_store::text::yaml::{Page, Style, Value};
///
/// let mut page = Page::new(Style::default());
/// page.comment("Session Identity")
///     .noted("status", "in_progress", "in_progress | paused")
///     .blank()
///     .open("stages")
///     .entry("current", 1)
///     .close();
/// assert_eq!(
///     page.finish()?,
///     "# Session Identity\nstatus: \"in_progress\"  # in_progress | paused\n\nstages:\n  current: 1\n"
/// );
/// # Ok::<(), segno_store::text::yaml::YamlError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Page {
    style: Style,
    text: String,
    indent: usize,
    /// For each open mapping, whether it has an entry yet.
    open: Vec<bool>,
    failure: Option<YamlError>,
}

impl Page {
    /// An empty page.
    pub fn new(style: Style) -> Self {
        Self {
            style,
            text: String::new(),
            indent: 0,
            open: vec![false],
            failure: None,
        }
    }

    /// A comment on lines of its own.
    pub fn comment(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            spaces(&mut self.text, self.indent);
            push_comment(&mut self.text, line);
            self.text.push('\n');
        }
        self
    }

    /// A blank line.
    pub fn blank(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// An entry.
    pub fn entry(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> &mut Self {
        let entry = single_entry(key.into(), value.into());
        if self.check(&entry) {
            Printer::new(&self.style).block(&mut self.text, &entry, self.indent);
            self.text.push('\n');
            self.began();
        }
        self
    }

    /// An entry with a comment behind it; its value is written on one line.
    pub fn noted(
        &mut self,
        key: impl Into<Value>,
        value: impl Into<Value>,
        note: &str,
    ) -> &mut Self {
        let (key, value) = (key.into(), value.into());
        let entry = single_entry(key.clone(), value.clone());
        if self.check(&entry) {
            spaces(&mut self.text, self.indent);
            self.text.push_str(&key_text(&key));
            self.text.push_str(": ");
            self.text
                .push_str(&write::one_line(&value, &self.style, false));
            self.text.push_str("  ");
            push_comment(&mut self.text, &note.replace(['\n', '\r'], " "));
            self.text.push('\n');
            self.began();
        }
        self
    }

    /// Opens a mapping under a key: what follows stands in it, until it is closed.
    pub fn open(&mut self, key: impl Into<Value>) -> &mut Self {
        let key = key.into();
        if self.check(&single_entry(key.clone(), Value::Null)) {
            spaces(&mut self.text, self.indent);
            self.text.push_str(&key_text(&key));
            self.text.push_str(":\n");
            self.began();
        }
        self.indent += self.style.indent.max(1);
        self.open.push(false);
        self
    }

    /// Closes the mapping opened last.
    pub fn close(&mut self) -> &mut Self {
        let empty = self.open.pop() == Some(false);
        if empty || self.open.is_empty() {
            let message = "a mapping on the page was closed with nothing in it, or never opened";
            self.fail(YamlError::new(ErrorKind::Unsupported, (1, 1), message));
        }
        if self.open.is_empty() {
            self.open.push(true);
        }
        self.indent = self.indent.saturating_sub(self.style.indent.max(1));
        self
    }

    /// The text, once it has been read back.
    ///
    /// # Errors
    /// An entry that cannot be printed, an empty mapping, or a text that does not read back.
    pub fn finish(&self) -> Result<String, YamlError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let doc = Doc::parse(self.text.clone(), &Budget::with_bytes(usize::MAX))?;
        Ok(doc.into_text())
    }

    fn check(&mut self, entry: &Value) -> bool {
        match write::check(entry) {
            Ok(()) => true,
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    fn fail(&mut self, error: YamlError) {
        self.failure.get_or_insert(error);
    }

    fn began(&mut self) {
        if let Some(has_entry) = self.open.last_mut() {
            *has_entry = true;
        }
    }
}

/// A comment of one line. Characters that some reader takes for a line break or refuses become spaces.
fn push_comment(out: &mut String, line: &str) {
    out.push('#');
    if !line.is_empty() {
        out.push(' ');
    }
    out.extend(
        line.chars()
            .map(|c| if write::is_printable(c) { c } else { ' ' }),
    );
}
