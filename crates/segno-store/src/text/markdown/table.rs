//! Tables: rows of cells between pipes, under a row of dashes.

use std::ops::Range;

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell<'d> {
    /// Its text, space around it left out, escaped pipes still escaped.
    pub text: &'d str,
    /// The bytes of that text; where it is empty, the place between the pipes.
    pub range: Range<usize>,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<'d> {
    /// The cells above the dashes.
    pub header: Vec<Cell<'d>>,
    /// The rows below them, each with as many cells as it was given.
    pub rows: Vec<Vec<Cell<'d>>>,
    /// The bytes from the header to the last row, its line end included.
    pub range: Range<usize>,
    /// The position of the header's line, from 0.
    pub line: usize,
}

impl<'d> Table<'d> {
    /// The column whose heading is this text, case and space apart.
    pub fn column(&self, heading: &str) -> Option<usize> {
        let wanted = super::heading::plain(heading);
        self.header
            .iter()
            .position(|cell| super::heading::plain(cell.text) == wanted)
    }

    /// The text of a cell; `None` where the row is too short.
    pub fn cell(&self, row: usize, column: usize) -> Option<&'d str> {
        self.rows.get(row)?.get(column).map(|cell| cell.text)
    }
}

/// The cells of a line that begins at byte `start` of its document.
pub(super) fn cells(line: &str, start: usize) -> Vec<Cell<'_>> {
    let lead = line.len() - line.trim_start().len();
    let mut from = lead + usize::from(line.trim_start().starts_with('|'));
    let mut found = Vec::new();
    let mut escaped = false;
    for (at, byte) in line.bytes().enumerate().skip(from) {
        if byte == b'|' && !escaped {
            found.push(cell(line, from..at, start));
            from = at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    // What stands behind the last pipe is a cell only when it is something.
    if line.get(from..).is_some_and(|rest| !rest.trim().is_empty()) {
        found.push(cell(line, from..line.len(), start));
    }
    found
}

fn cell(line: &str, range: Range<usize>, start: usize) -> Cell<'_> {
    let written = line.get(range.clone()).unwrap_or_default();
    let text = written.trim();
    let lead = written.len() - written.trim_start().len();
    let at = start + range.start + if text.is_empty() { 0 } else { lead };
    Cell {
        text,
        range: at..at + text.len(),
    }
}

/// True for a row of dashes: at least one cell, each `---` with or without colons.
pub(super) fn is_delimiter(line: &str) -> bool {
    let cells = cells(line, 0);
    let dashes = |cell: &Cell<'_>| {
        let inner = cell.text.strip_prefix(':').unwrap_or(cell.text);
        let inner = inner.strip_suffix(':').unwrap_or(inner);
        !inner.is_empty() && inner.bytes().all(|byte| byte == b'-')
    };
    line.contains('|') && !cells.is_empty() && cells.iter().all(dashes)
}
