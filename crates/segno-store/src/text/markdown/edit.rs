//! Edits of a document: collected against its text as it stands, made all at once.

use std::ops::Range;

use super::classify::Open;
use super::doc::Doc;
use super::field::{Field, FieldStyle};
use super::heading::Section;
use super::item::{Checkbox, Item, Marker};
use super::line::LineKind;
use super::written::{check_block, check_key, check_line, check_value, following, item_text};
use crate::text::splice::{SpliceError, Splices};

/// Where a new section stands.
#[derive(Debug, Clone, Copy)]
pub enum Place<'d> {
    /// Before this section.
    Before(Section<'d>),
    /// Behind this section and all that is inside it.
    After(Section<'d>),
    /// Behind all.
    End,
}

/// Why an edit was not made. The document is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The text holds a heading that would end the section it is put into.
    #[error("the text holds the heading `{0}`, which would end its section; escape it (`\\#`)")]
    HeadingInside(String),
    /// The text leaves a code block or comment open, which would swallow what follows.
    #[error("the text leaves a code block or a comment open; close it")]
    LeftOpen,
    /// A title, item or value is empty where it must not be, or has several lines where it must have one.
    #[error("`{0}` must be one line that is not empty")]
    NotOneLine(String),
    /// A key cannot be written as one.
    #[error("`{0}` cannot be a key: it must be one line without `:` and `*`")]
    BadKey(String),
    /// An edit would make a heading elsewhere vanish or change.
    #[error("the edit would change the heading `{0}`")]
    Disturbs(String),
    /// The document ends inside a code block or comment, so that nothing put at its end would be read as meant.
    #[error(
        "the document ends inside a code block or a comment that is never closed; close it first"
    )]
    EndsOpen,
    /// Two edits contradict each other.
    #[error(transparent)]
    Splice(#[from] SpliceError),
}

/// Edits of one document.
///
/// Ranges, sections, fields and items are those of the document as it was when the edit began. Text that is put in
/// may end its lines with `\n`: it is given the line ends of the document.
#[derive(Debug, Clone)]
#[must_use = "nothing is changed until `finish`"]
pub struct Edit<'d> {
    doc: &'d Doc,
    splices: Splices,
}

impl<'d> Edit<'d> {
    pub(super) fn new(doc: &'d Doc) -> Self {
        Self {
            doc,
            splices: Splices::new(),
        }
    }

    /// Makes the edits and gives the new text; headings that no edit was about are still what they were.
    pub fn finish(self) -> Result<String, EditError> {
        let text = self.splices.apply(self.doc.text())?;
        let after = Doc::parse(text);
        for heading in self.doc.headings() {
            if self.splices.touches(&heading.range) {
                continue;
            }
            let start = self.splices.moved(heading.range.start);
            let at = after
                .headings()
                .partition_point(|other| other.range.start < start);
            let same = after.headings().get(at).is_some_and(|other| {
                (other.range.start, other.level, &other.title)
                    == (start, heading.level, &heading.title)
            });
            if !same {
                return Err(EditError::Disturbs(heading.title.clone()));
            }
        }
        Ok(after.text().to_owned())
    }

    /// Puts a text in the place of some bytes, as it is but for its line ends.
    pub fn replace(&mut self, range: Range<usize>, text: &str) -> &mut Self {
        let text = self.with_eol(text);
        self.splices.replace(range, text);
        self
    }

    /// Replaces what stands under a heading, the sections inside it included. Blank lines around it stay.
    pub fn replace_body(
        &mut self,
        section: Section<'_>,
        text: &str,
    ) -> Result<&mut Self, EditError> {
        check_block(text, section.level())?;
        Ok(self.replace_block(section.body(), text))
    }

    /// Replaces what stands under a heading up to the next heading of any level.
    pub fn replace_own_body(
        &mut self,
        section: Section<'_>,
        text: &str,
    ) -> Result<&mut Self, EditError> {
        check_block(text, 6)?;
        Ok(self.replace_block(section.own_body(), text))
    }

    /// Adds a section, parted by blank lines from what stands around it.
    pub fn insert_section(
        &mut self,
        place: Place<'_>,
        level: usize,
        title: &str,
        body: &str,
    ) -> Result<&mut Self, EditError> {
        check_line(title)?;
        check_block(body, level)?;
        let at = match place {
            Place::Before(section) => section.range().start,
            Place::After(section) => section.range().end,
            Place::End => self.doc.text().len(),
        };
        self.check_place(at)?;
        let (eol, body) = (
            self.doc.eol(),
            self.with_eol(body.trim_matches(['\n', '\r'])),
        );
        let parting = self.parting(at);
        let (marks, title) = ("#".repeat(level.clamp(1, 6)), title.trim());
        let body = match body.as_str() {
            "" => body,
            _ if self.doc.parts_headings() => format!("{eol}{body}{eol}"),
            _ => format!("{body}{eol}"),
        };
        let tail = if at < self.doc.text().len() { eol } else { "" };
        let text = format!("{parting}{marks} {title}{eol}{body}{tail}");
        self.splices.insert(at, text);
        Ok(self)
    }

    /// Takes a section out, with all that is inside it.
    pub fn remove_section(&mut self, section: Section<'_>) -> &mut Self {
        self.splices.remove(section.range());
        self
    }

    /// Adds items behind the list of a range, written as its last outermost item is; begins a list where there is none.
    pub fn append_items<'t>(
        &mut self,
        range: Range<usize>,
        checkbox: Checkbox,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<&mut Self, EditError> {
        let eol = self.doc.eol();
        let items = self.doc.items(range.clone());
        let last = items.iter().rev().find(|item| item.depth == 0);
        let mut marker = last.map_or(Marker::Bullet('-'), |item| following(item.marker));
        let column = last.map_or(0, |item| item.column);
        let mut lines: Vec<String> = Vec::new();
        for text in texts {
            let item = item_text(marker, column, checkbox, text)?;
            lines.push(self.with_eol(&item));
            marker = following(marker);
        }
        let list = lines.join(eol);
        if list.is_empty() {
            return Ok(self);
        }
        let core = self.core(&range);
        self.check_place(last.map_or(core.end, |item| item.range.end))?;
        match last {
            Some(item) if self.doc.slice(item.range.clone()).ends_with('\n') => {
                self.splices.insert(item.range.end, format!("{list}{eol}"));
            }
            Some(item) => self.splices.insert(item.range.end, format!("{eol}{list}")),
            None if core.is_empty() => {
                self.replace_block(range, &list);
            }
            None => {
                // A list stands right under a label, and apart from a paragraph.
                let last_field = self.doc.fields(core.clone()).pop();
                let labelled = last_field
                    .is_some_and(|field| field.value.is_empty() && field.range.end >= core.end);
                let gap = if labelled { "" } else { eol };
                self.splices.insert(core.end, format!("{eol}{gap}{list}"));
            }
        }
        Ok(self)
    }

    /// Ticks or clears an item's box; an item without one stays as it is.
    pub fn set_checkbox(&mut self, item: &Item<'_>, done: bool) -> &mut Self {
        if let Some(range) = item.mark_range.clone() {
            self.splices.replace(range, if done { "x" } else { " " });
        }
        self
    }

    /// Replaces a field's value.
    pub fn set_value(&mut self, field: &Field<'_>, value: &str) -> Result<&mut Self, EditError> {
        let value = value.trim();
        check_value(field.key, value)?;
        let parted = field.value.is_empty() && !value.is_empty();
        let range = field.value_range.clone();
        self.splices
            .replace(range, format!("{}{value}", if parted { " " } else { "" }));
        Ok(self)
    }

    /// Sets the field that has one of these keys in a range; adds it (by its first key) behind the last one, or at the
    /// beginning of the range when there is none.
    pub fn set_field(
        &mut self,
        range: Range<usize>,
        style: FieldStyle,
        keys: &[&str],
        value: &str,
    ) -> Result<&mut Self, EditError> {
        if let Some(field) = self.doc.field(range.clone(), keys) {
            return self.set_value(&field, value);
        }
        let key = keys.first().copied().unwrap_or_default();
        if let Some(last) = self.doc.fields(range.clone()).pop() {
            return self.insert_field(&last, style, key, value);
        }
        check_key(key)?;
        check_value(key, value.trim())?;
        let line = style.line(key, value.trim());
        let eol = self.doc.eol();
        let core = self.core(&range);
        if core.is_empty() {
            return Ok(self.replace_block(range, &line));
        }
        // A paragraph right below would run into the field.
        self.splices.insert(core.start, format!("{line}{eol}{eol}"));
        Ok(self)
    }

    /// Adds a field on the line behind another.
    pub fn insert_field(
        &mut self,
        behind: &Field<'_>,
        style: FieldStyle,
        key: &str,
        value: &str,
    ) -> Result<&mut Self, EditError> {
        check_key(key)?;
        check_value(key, value.trim())?;
        let eol = self.doc.eol();
        let line = style.line(key, value.trim());
        let full = self.doc.slice(behind.range.clone());
        let written = full.trim_end_matches(['\n', '\r']);
        // Two spaces that break the line above break this one too.
        let breaks = written
            .get(written.trim_end_matches(' ').len()..)
            .unwrap_or_default();
        let text = if full.len() > written.len() {
            format!("{line}{breaks}{eol}")
        } else {
            format!("{eol}{line}{breaks}")
        };
        self.splices.insert(behind.range.end, text);
        Ok(self)
    }

    /// Takes a field's line out.
    pub fn remove_field(&mut self, field: &Field<'_>) -> &mut Self {
        self.splices.remove(field.range.clone());
        self
    }

    /// The bytes of a range without the blank lines around its text and without the last line end.
    fn core(&self, range: &Range<usize>) -> Range<usize> {
        let mut lines = self.doc.lines_in(range.clone());
        let Some((_, first)) = lines.find(|(_, line)| line.kind != LineKind::Blank) else {
            return range.start..range.start;
        };
        let last = lines
            .filter(|(_, line)| line.kind != LineKind::Blank)
            .last();
        first.start..last.map_or(first.end, |(_, line)| line.end)
    }

    fn replace_block(&mut self, range: Range<usize>, text: &str) -> &mut Self {
        let text = self.with_eol(text.trim_matches(['\n', '\r']));
        let eol = self.doc.eol();
        let core = self.core(&range);
        let at_end = range.end == self.doc.text().len();
        if !core.is_empty() && !text.trim().is_empty() {
            self.splices.replace(core, text);
        } else if !core.is_empty() {
            // The blank lines above are enough to part what stays; without any, those below are.
            let gap_above = core.start > range.start;
            let after_core = self
                .doc
                .lines_in(core)
                .last()
                .map_or(range.end, |(_, line)| line.next);
            let core_start = self.core(&range).start;
            let end = if gap_above { range.end } else { after_core };
            self.splices.remove(core_start..end);
        } else if !text.trim().is_empty() {
            let ends_line = range.start <= self.doc.whole().start
                || self.doc.slice(0..range.start).ends_with('\n');
            let lead = if ends_line { "" } else { eol };
            let after_heading = self
                .doc
                .headings()
                .iter()
                .any(|h| h.range.end == range.start);
            let gap = if after_heading && self.doc.parts_headings() {
                eol
            } else {
                ""
            };
            let tail = if at_end { "" } else { eol };
            self.splices
                .replace(range, format!("{lead}{gap}{text}{eol}{tail}"));
        }
        self
    }

    /// Refuses to add behind a code block or comment that is never closed: it would swallow the addition.
    fn check_place(&self, at: usize) -> Result<(), EditError> {
        let mut lines = self.doc.lines().iter().rev();
        let opening = match self.doc.open {
            Open::Nothing => return Ok(()),
            Open::Fence { .. } => lines.find(|line| line.kind == LineKind::Fence),
            Open::Comment => lines
                .take_while(|line| line.kind == LineKind::Comment)
                .last(),
        };
        match opening {
            Some(line) if at > line.start => Err(EditError::EndsOpen),
            _ => Ok(()),
        }
    }

    /// The line ends that part new text at a place from what stands before it.
    fn parting(&self, at: usize) -> String {
        let eol = self.doc.eol();
        let before = self.doc.slice(self.doc.whole().start.min(at)..at);
        let last = self.doc.lines().iter().rev().find(|line| line.start < at);
        match last {
            None => String::new(),
            Some(_) if !before.ends_with('\n') => eol.repeat(2),
            Some(line) if line.kind == LineKind::Blank => String::new(),
            Some(_) => eol.to_owned(),
        }
    }

    fn with_eol(&self, text: &str) -> String {
        let unix = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        if self.doc.eol() == "\r\n" {
            unix.replace('\n', "\r\n")
        } else {
            unix
        }
    }
}

impl Doc {
    /// True when the document leaves a blank line under its headings, as far as it shows.
    fn parts_headings(&self) -> bool {
        let mut balance = 0_i64;
        for section in self.sections() {
            if section.own_text().is_empty() {
                continue;
            }
            let first = self.lines_in(section.own_body()).next();
            let parted = first.is_some_and(|(_, line)| line.kind == LineKind::Blank);
            balance += if parted { 1 } else { -1 };
        }
        balance >= 0
    }
}
