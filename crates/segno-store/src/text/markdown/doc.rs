//! One Markdown document: its text, its lines, its headings.

use std::ops::Range;

use super::classify::{Open, classify};
use super::conflict::{Conflict, Mark, mark_of};
use super::edit::Edit;
use super::field::{Field, field_parts};
use super::heading::{Heading, Section, headings, plain};
use super::item::{Checkbox, Item, checkbox_of, marker_of};
use super::line::{Line, LineKind, indented, split};
use super::table::{Table, cells, is_delimiter};

/// A Markdown document that can be read and edited without touching any other byte of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doc {
    text: String,
    lines: Vec<Line>,
    headings: Vec<Heading>,
    pub(super) open: Open,
}

/// The bytes of a file are not UTF-8, so that it cannot be edited without loss.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: not UTF-8 from byte {offset} on")]
pub struct NotUtf8 {
    /// The line, from 1.
    pub line: usize,
    /// The first byte that is not.
    pub offset: usize,
}

impl Doc {
    /// Reads a document. Every text is one.
    pub fn parse(text: impl Into<String>) -> Self {
        let text = text.into();
        let mut lines = split(&text);
        let open = classify(&text, &mut lines);
        let headings = headings(&text, &lines);
        Self {
            text,
            lines,
            headings,
            open,
        }
    }

    /// Reads a document from the bytes of a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, NotUtf8> {
        String::from_utf8(bytes).map(Self::parse).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            let before = error.as_bytes().get(..offset).unwrap_or_default();
            NotUtf8 {
                line: memchr::memchr_iter(b'\n', before).count() + 1,
                offset,
            }
        })
    }

    /// The text as it stands.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Some of the text.
    pub fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// All lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The lines that begin in a range, each with its position from 0.
    pub fn lines_in(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &Line)> {
        let first = self.lines.partition_point(|line| line.start < range.start);
        let all = self.lines.iter().enumerate().skip(first);
        all.take_while(move |(_, line)| line.start < range.end)
    }

    /// How new lines are to end: as the first line of the document does.
    pub fn eol(&self) -> &'static str {
        let first = self.lines.first();
        let crlf = first.is_some_and(|line| line.next - line.end == 2);
        if crlf { "\r\n" } else { "\n" }
    }

    /// All headings in the order of the text.
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// All sections in the order of the text, those inside others included.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_>> {
        (0..self.headings.len()).map(|index| Section::new(self, index))
    }

    /// The first section that has one of these titles, whatever its case, spacing, emphasis or closing colon.
    pub fn section(&self, titles: &[&str]) -> Option<Section<'_>> {
        self.sections().find(|section| section.is(titles))
    }

    /// The bytes of the whole document, a byte order mark left out.
    pub fn whole(&self) -> Range<usize> {
        self.lines
            .first()
            .map_or(self.text.len(), |line| line.start)..self.text.len()
    }

    /// The bytes before the first heading below the title, that title (a first heading of level 1) left out:
    /// where header fields stand.
    pub fn header(&self) -> Range<usize> {
        match self.headings.first() {
            Some(title) if title.level == 1 => Section::new(self, 0).own_body(),
            Some(first) => self.whole().start..first.range.start,
            None => self.whole(),
        }
    }

    /// The fields in a range.
    pub fn fields(&self, range: Range<usize>) -> Vec<Field<'_>> {
        self.lines_in(range)
            .filter_map(|(index, line)| self.field_at(index, line))
            .collect()
    }

    /// The first field in a range that has one of these keys, compared as titles are.
    pub fn field(&self, range: Range<usize>, keys: &[&str]) -> Option<Field<'_>> {
        let keys: Vec<String> = keys.iter().map(|key| plain(key)).collect();
        self.lines_in(range)
            .filter_map(|(index, line)| self.field_at(index, line))
            .find(|field| keys.contains(&plain(field.key)))
    }

    fn field_at(&self, index: usize, line: &Line) -> Option<Field<'_>> {
        if !matches!(line.kind, LineKind::Text | LineKind::Item) {
            return None;
        }
        let parts = field_parts(self.slice(line.range()))?;
        let value_range = line.start + parts.value.start..line.start + parts.value.end;
        Some(Field {
            key: parts.key,
            value: self.slice(value_range.clone()),
            value_range,
            range: line.full(),
            line: index,
            style: parts.style,
        })
    }

    /// The list items in a range, those inside others included, in the order of the text.
    pub fn items(&self, range: Range<usize>) -> Vec<Item<'_>> {
        let lines: Vec<(usize, &Line)> = self.lines_in(range).collect();
        let mut columns: Vec<usize> = Vec::new();
        let mut found = Vec::new();
        for (at, (index, line)) in lines.iter().enumerate() {
            let (column, rest) = indented(self.slice(line.range()));
            match line.kind {
                LineKind::Item => {}
                LineKind::Heading | LineKind::Titled | LineKind::Rule => {
                    columns.clear();
                    continue;
                }
                _ => continue,
            }
            let Some(marker) = marker_of(rest) else {
                continue;
            };
            // An item stands in another when it begins behind that one's marker.
            columns.retain(|outer| *outer + 1 < column);
            let depth = columns.len();
            columns.push(column);
            let behind = rest.get(marker.bytes..).unwrap_or_default().trim_start();
            let behind_at = line.end - behind.len();
            let checkbox = checkbox_of(behind);
            let text_start = behind_at + checkbox.map_or(0, |(_, text_at)| text_at);
            let text = self.slice(text_start..line.end).trim_end();
            found.push(Item {
                marker: marker.marker,
                checkbox: checkbox.map_or(Checkbox::None, |(checkbox, _)| checkbox),
                mark_range: checkbox.map(|_| behind_at + 1..behind_at + 2),
                depth,
                column,
                text,
                text_range: text_start..text_start + text.len(),
                range: line.start
                    ..self.item_end(column, line, lines.get(at + 1..).unwrap_or_default()),
                line: *index,
            });
        }
        found
    }

    /// Where an item ends: before the next line that is neither indented behind its marker nor typed on lazily.
    fn item_end(&self, column: usize, first: &Line, later: &[(usize, &Line)]) -> usize {
        let mut end = first.next;
        let mut after_blank = false;
        for (_, line) in later {
            let text = self.slice(line.range());
            let deeper = indented(text).0 > column;
            let continues = match line.kind {
                LineKind::Blank => {
                    after_blank = true;
                    continue;
                }
                LineKind::Code => true,
                LineKind::Text => deeper || (!after_blank && field_parts(text).is_none()),
                LineKind::Item | LineKind::Fence | LineKind::Comment => deeper,
                _ => false,
            };
            if !continues {
                break;
            }
            after_blank = false;
            end = line.next;
        }
        end
    }

    /// The tables in a range.
    pub fn tables(&self, range: Range<usize>) -> Vec<Table<'_>> {
        let lines: Vec<(usize, &Line)> = self.lines_in(range).collect();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some([(index, header), (_, dashes), rows @ ..]) = lines.get(at..) {
            at += 1;
            let is_row =
                |line: &Line| line.kind == LineKind::Text && self.slice(line.range()).contains('|');
            let is_table =
                is_row(header) && is_row(dashes) && is_delimiter(self.slice(dashes.range()));
            if !is_table {
                continue;
            }
            let rows: Vec<&Line> = rows
                .iter()
                .map(|(_, line)| *line)
                .take_while(|line| is_row(line))
                .collect();
            at += 1 + rows.len();
            let row = |line: &Line| cells(self.slice(line.range()), line.start);
            found.push(Table {
                header: row(header),
                range: header.start..rows.last().unwrap_or(dashes).next,
                rows: rows.into_iter().map(row).collect(),
                line: *index,
            });
        }
        found
    }

    /// The blocks of a range that blank lines part from each other, line ends left out; code blocks stay whole.
    pub fn blocks(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut apart = true;
        for (_, line) in self.lines_in(range) {
            if line.kind == LineKind::Blank {
                apart = true;
                continue;
            }
            match found.last_mut() {
                Some(last) if !apart => last.end = line.end,
                _ => found.push(line.range()),
            }
            apart = false;
        }
        found
    }

    /// The marks of merges that nobody has settled.
    pub fn conflicts(&self) -> Vec<Conflict> {
        // A conflict that a code block shows does not open one in the text behind it, nor the other way round.
        let (mut within_text, mut within_block) = (false, false);
        let mut found = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            let Some(mark) = mark_of(self.slice(line.range())) else {
                continue;
            };
            let in_block = matches!(line.kind, LineKind::Code | LineKind::Comment);
            let within = if in_block {
                &mut within_block
            } else {
                &mut within_text
            };
            // `=======` alone may underline a title.
            if !*within && matches!(mark, Mark::Middle | Mark::Base) {
                continue;
            }
            *within = mark != Mark::Theirs;
            found.push(Conflict {
                mark,
                line: index,
                in_block,
            });
        }
        found
    }

    /// Begins an edit.
    pub fn edit(&self) -> Edit<'_> {
        Edit::new(self)
    }
}
