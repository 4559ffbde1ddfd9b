//! The lines of a text: where they begin and end, and what they are.

use std::ops::Range;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing but space.
    Blank,
    /// A paragraph, a block quote, a row of a table.
    Text,
    /// The first line of a list item.
    Item,
    /// A heading that begins with `#`.
    Heading,
    /// The text of a heading that is underlined.
    Titled,
    /// The underline of such a heading.
    Underline,
    /// A rule: `---`, `***` or `___`.
    Rule,
    /// The fence of a code block.
    Fence,
    /// A line of a code block.
    Code,
    /// A line of an HTML comment.
    Comment,
    /// A line of the YAML block that a document may begin with, its fences included.
    FrontMatter,
    /// A mark that a merge left behind.
    Conflict,
}

/// One line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Its first byte, behind a byte order mark.
    pub start: usize,
    /// Behind its last byte, its line end left out.
    pub end: usize,
    /// Where the next line begins.
    pub next: usize,
    /// What it is.
    pub kind: LineKind,
}

impl Line {
    /// Its bytes without the line end.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Its bytes with the line end.
    pub fn full(&self) -> Range<usize> {
        self.start..self.next
    }
}

/// Splits a text into lines, all of them [`LineKind::Text`] for now. A text that ends with a newline has no line behind.
pub(super) fn split(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while start < text.len() {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let newline = memchr::memchr(b'\n', rest);
        let next = newline.map_or(text.len(), |newline| start + newline + 1);
        let content = newline
            .and_then(|newline| rest.get(..newline))
            .unwrap_or(rest);
        let content = content
            .strip_suffix(b"\r")
            .filter(|_| newline.is_some())
            .unwrap_or(content);
        lines.push(Line {
            start,
            end: start + content.len(),
            next,
            kind: LineKind::Text,
        });
        start = next;
    }
    lines
}

/// The column at which a line's text begins, and that text. Tabs reach to the next multiple of four.
pub(super) fn indented(line: &str) -> (usize, &str) {
    let mut column = 0;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 4 - column % 4,
            _ => return (column, line.get(at..).unwrap_or_default()),
        }
    }
    (column, "")
}
