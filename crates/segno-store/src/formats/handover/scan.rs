//! The lines of a file of any size, one after the other in constant memory.

use std::ops::ControlFlow;

use segno_disk::ReadFile;

use crate::error::Result;

const PIECE: usize = 256 * 1024;

/// One line of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'b> {
    /// Its position, from 1.
    pub(super) number: u64,
    /// Its bytes without the line end.
    pub(super) bytes: &'b [u8],
}

/// Gives every line of a range to a sink until it breaks. The range begins at the beginning of a line.
pub(super) fn each_line(
    file: &dyn ReadFile,
    start: u64,
    end: u64,
    sink: &mut dyn FnMut(Line<'_>) -> ControlFlow<()>,
) -> Result<()> {
    let size = usize::try_from(end.saturating_sub(start)).unwrap_or(PIECE);
    let mut piece = vec![0; size.min(PIECE)];
    let mut held: Vec<u8> = Vec::new();
    let mut number = 0;
    let mut at = start;
    while at < end {
        let want = usize::try_from(end - at).unwrap_or(PIECE).min(PIECE);
        let n = file.read_full_at(at, piece.get_mut(..want).unwrap_or_default())?;
        if n == 0 {
            break;
        }
        at += n as u64;
        let mut rest = piece.get(..n).unwrap_or_default();
        while let Some(newline) = memchr::memchr(b'\n', rest) {
            let (line, behind) = rest.split_at(newline);
            rest = behind.get(1..).unwrap_or_default();
            number += 1;
            let bytes = if held.is_empty() {
                line
            } else {
                held.extend_from_slice(line);
                held.as_slice()
            };
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            if sink(Line { number, bytes }).is_break() {
                return Ok(());
            }
            held.clear();
        }
        held.extend_from_slice(rest);
    }
    if !held.is_empty() {
        number += 1;
        let bytes = held.as_slice();
        let _ = sink(Line { number, bytes });
    }
    Ok(())
}

/// The lines of a text in memory, without their line feeds; the last one may be empty.
pub(super) fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let mut start = 0;
    ends.map(move |end| {
        let line = bytes.get(start..end).unwrap_or_default();
        start = end + 1;
        line
    })
}

/// True for a line that begins or ends a side of an unsettled merge.
pub(super) fn is_mark(line: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"<<<<<<<", b">>>>>>>", b"|||||||"];
    marks.iter().any(|mark| {
        line.strip_prefix(*mark).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(b" ") || rest.starts_with(b"\r")
        })
    })
}

/// True for any line of a merge's own, the middle one included: by itself that may also underline a title.
pub(super) fn is_mark_or_middle(line: &[u8]) -> bool {
    is_mark(line) || line.trim_ascii_end() == b"======="
}

/// The lines that a merge left behind; none when there is only what looks like its middle.
pub(super) fn marks<'b>(lines: impl Iterator<Item = &'b [u8]>) -> Vec<u64> {
    let mut found = Vec::new();
    let mut sides = false;
    for (index, line) in lines.enumerate() {
        if is_mark_or_middle(line) {
            sides |= is_mark(line);
            found.push(index as u64 + 1);
        }
    }
    if sides { found } else { Vec::new() }
}
