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
