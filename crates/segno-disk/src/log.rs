//! The valid prefix of a JSON-Lines file, found from its tail in constant memory.
//!
//! A crash may leave a last line without its newline, half a character, or a run of NUL bytes. Nothing is read but the
//! last line, however long the history is; a line of any length is walked in pieces.

use std::io::{self, BufReader, Read};
use std::ops::Range;

use serde::de::IgnoredAny;

use crate::change::Change;
use crate::disk::{Access, ReadDisk, ReadFile};
use crate::error::{DiskError, Result};
use crate::path::RelPath;

const PIECE: usize = 64 * 1024;
/// Most last lines are shorter than this.
const SHORT: usize = 4096;

/// The end of a log: where it is valid and how an append must begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    /// The file's length.
    pub len: u64,
    /// The end of the valid prefix; what lies behind it is torn.
    pub valid: u64,
    /// True when the last line is whole but has no newline: another program's, or torn just there. An append must begin
    /// with the newline.
    pub unfinished: bool,
}

impl Tail {
    /// The tail of a file that does not exist yet.
    pub const EMPTY: Self = Self {
        len: 0,
        valid: 0,
        unfinished: false,
    };

    /// The bytes behind the valid prefix, when there are any.
    pub fn torn(&self) -> Option<Range<u64>> {
        (self.valid < self.len).then_some(self.valid..self.len)
    }

    /// The change that adds lines behind the valid prefix. `lines` ends with a newline.
    pub fn append(&self, path: RelPath, lines: &[u8], access: Access) -> Change {
        let mut bytes = Vec::with_capacity(lines.len() + 1);
        if self.unfinished {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(lines);
        Change::Append {
            path,
            at: self.valid,
            seen: self.len,
            bytes,
            access,
        }
    }
}

/// Finds the tail of the log at a path; [`Tail::EMPTY`] when there is no file.
pub fn tail(disk: &dyn ReadDisk, path: &RelPath) -> Result<Tail> {
    match disk.open(path) {
        Ok(file) => tail_of(file.as_ref(), path),
        Err(error) if error.is_not_found() => Ok(Tail::EMPTY),
        Err(error) => Err(error),
    }
}

/// Finds the tail of an open log.
pub fn tail_of(file: &dyn ReadFile, path: &RelPath) -> Result<Tail> {
    Ok(end_of(file, path)?.0)
}

/// Finds the tail of an open log and, where the same short read shows it, its last line without the newline.
pub fn end_of(file: &dyn ReadFile, path: &RelPath) -> Result<(Tail, Option<Vec<u8>>)> {
    let len = file.stat()?.len;
    if let Some(line) = whole_last_line(file, len)? {
        let tail = Tail {
            len,
            valid: len,
            unfinished: false,
        };
        return Ok((tail, Some(line)));
    }
    Ok((torn_tail_of(file, path, len)?, None))
}

/// The tail of a log whose last line is long, broken off, or not there.
fn torn_tail_of(file: &dyn ReadFile, path: &RelPath, len: u64) -> Result<Tail> {
    let mut end = line_start(file, len)?;
    let fragment = end..len;
    if !fragment.is_empty() && is_whole(file, &fragment, path)? {
        return Ok(Tail {
            len,
            valid: len,
            unfinished: true,
        });
    }
    // A page that never reached the disk reads as NUL bytes, also in front of one that did.
    while end > 0 {
        let start = line_start(file, end - 1)?;
        if !has_nul(file, start..end)? {
            break;
        }
        end = start;
    }
    Ok(Tail {
        len,
        valid: end,
        unfinished: false,
    })
}

/// The last line, when one short read shows that it is whole: what nearly every append finds.
fn whole_last_line(file: &dyn ReadFile, len: u64) -> Result<Option<Vec<u8>>> {
    let mut window = [0; SHORT];
    let start = len.saturating_sub(SHORT as u64);
    let n = file.read_full_at(start, &mut window)?;
    let Some((b'\n', rest)) = window.get(..n).and_then(<[u8]>::split_last) else {
        return Ok(None);
    };
    let line = match rest.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => rest.get(at + 1..).unwrap_or_default(),
        None if start == 0 => rest,
        None => return Ok(None),
    };
    let is_whole = start + n as u64 == len && !line.contains(&0);
    Ok(is_whole.then(|| line.to_vec()))
}

/// The offset just behind the last newline before `end`.
pub fn line_start(file: &dyn ReadFile, end: u64) -> Result<u64> {
    let mut short = [0; SHORT];
    let before = end.saturating_sub(SHORT as u64);
    if let Some(start) = newline_in(file, before, end, &mut short)? {
        return Ok(start);
    }
    let mut piece = vec![0; PIECE];
    let mut end = before;
    while end > 0 {
        let start = end.saturating_sub(PIECE as u64);
        if let Some(found) = newline_in(file, start, end, &mut piece)? {
            return Ok(found);
        }
        end = start;
    }
    Ok(0)
}

/// The offset behind the last newline of a range that fits into the window.
fn newline_in(file: &dyn ReadFile, start: u64, end: u64, window: &mut [u8]) -> Result<Option<u64>> {
    let want = usize::try_from(end - start).unwrap_or(window.len());
    let Some(window) = window.get_mut(..want) else {
        return Ok(None);
    };
    let n = file.read_full_at(start, window)?;
    let read = window.get(..n).unwrap_or_default();
    let newline = read.iter().rposition(|byte| *byte == b'\n');
    Ok(newline.map(|at| start + at as u64 + 1))
}

fn has_nul(file: &dyn ReadFile, range: Range<u64>) -> Result<bool> {
    let mut piece = vec![0; PIECE];
    let mut at = range.start;
    while at < range.end {
        let want = usize::try_from(range.end - at).unwrap_or(PIECE).min(PIECE);
        let Some(window) = piece.get_mut(..want) else {
            break;
        };
        let n = file.read_full_at(at, window)?;
        if n == 0 {
            break;
        }
        if window.iter().take(n).any(|byte| *byte == 0) {
            return Ok(true);
        }
        at += n as u64;
    }
    Ok(false)
}

/// True when the range holds exactly one JSON object or array: something that cannot be the beginning of a longer one.
fn is_whole(file: &dyn ReadFile, range: &Range<u64>, path: &RelPath) -> Result<bool> {
    let mut source = Piecewise {
        file,
        at: range.start,
        end: range.end,
        failed: None,
    };
    let mut reader = BufReader::with_capacity(PIECE, &mut source);
    let opens = match io::BufRead::fill_buf(&mut reader) {
        Ok(first) => matches!(
            first.iter().find(|byte| !byte.is_ascii_whitespace()),
            Some(b'{' | b'[')
        ),
        Err(_) => false,
    };
    let whole = opens && serde_json::from_reader::<_, IgnoredAny>(reader).is_ok();
    match source.failed {
        Some(cause) => Err(DiskError::io("read", path.to_path_buf(), cause)),
        None => Ok(whole && is_utf8(file, range.clone())?),
    }
}

fn is_utf8(file: &dyn ReadFile, range: Range<u64>) -> Result<bool> {
    let mut piece = vec![0; PIECE];
    let mut held = 0;
    let mut at = range.start;
    while at < range.end {
        let room = PIECE - held;
        let want = usize::try_from(range.end - at).unwrap_or(room).min(room);
        let Some(window) = piece.get_mut(held..held + want) else {
            break;
        };
        let n = file.read_full_at(at, window)?;
        if n == 0 {
            break;
        }
        at += n as u64;
        let filled = held + n;
        let Some(bytes) = piece.get(..filled) else {
            break;
        };
        let good = match std::str::from_utf8(bytes) {
            Ok(_) => filled,
            // A character cut by the piece's end goes on in the next one.
            Err(e) if e.error_len().is_none() && at < range.end => e.valid_up_to(),
            Err(_) => return Ok(false),
        };
        piece.copy_within(good..filled, 0);
        held = filled - good;
    }
    Ok(held == 0)
}

struct Piecewise<'a> {
    file: &'a dyn ReadFile,
    at: u64,
    end: u64,
    failed: Option<io::Error>,
}

impl Read for Piecewise<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let want = left.min(buf.len());
        let Some(window) = buf.get_mut(..want).filter(|window| !window.is_empty()) else {
            return Ok(0);
        };
        match self.file.read_at(self.at, window) {
            Ok(n) => {
                self.at += n as u64;
                Ok(n)
            }
            Err(error) => {
                self.failed = Some(error.source);
                Err(io::Error::other("the disk failed"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::SimDisk;

    fn check(content: &[u8], valid: u64, unfinished: bool) {
        let disk = SimDisk::new();
        let path = RelPath::new("log.jsonl").unwrap();
        disk.plant(&path, content);
        let found = tail(&disk, &path).unwrap();
        let want = Tail {
            len: content.len() as u64,
            valid,
            unfinished,
        };
        assert_eq!(found, want, "{:?}", String::from_utf8_lossy(content));
    }

    #[test]
    fn the_valid_prefix_ends_where_the_last_whole_line_does() {
        check(b"", 0, false);
        check(b"{}\n", 3, false);
        check(b"{}\n{\"a\": 1}\n", 12, false);
        check(b"{}\n{\"a\": 1", 3, false);
        check(b"{\"a", 0, false);
        check("{}\n{\"a\": \"é\"".as_bytes(), 3, false);
        check(b"{}\n{\"a\": \"\xc3", 3, false);
        check(b"{}\n{\"a\": \"\xc3\"}", 3, false);
        check(b"{}\n\0\0\0\0", 3, false);
        check(b"{}\n{\"a\0\0\0\0", 3, false);
        check(b"{}\n\0\0\0\0\"}\n", 3, false);
        check(b"{}\n\0\0\n\0\0\0\0\"}\n", 3, false);
        check(b"{}\n\n", 4, false);
        check(b"\n", 1, false);
        check(b"\0\n", 0, false);
    }

    #[test]
    fn the_length_of_the_last_line_makes_no_difference() {
        for length in [
            SHORT - 6,
            SHORT - 5,
            SHORT - 4,
            SHORT,
            PIECE - 6,
            PIECE,
            PIECE + SHORT,
        ] {
            let mut content = b"{}\n{\"a\":\"".to_vec();
            content.resize(content.len() + length, b'x');
            content.extend_from_slice(b"\"}\n");
            check(&content, content.len() as u64, false);
            content[9] = 0;
            check(&content, 3, false);
        }
    }

    #[test]
    fn a_whole_last_line_without_newline_is_kept() {
        check(b"{\"a\": 1}", 8, true);
        check(b"{}\n{\"a\": {\"b\": [\"}\"]}}", 22, true);
        check(b"{}\n{\"a\": 1}  ", 13, true);
        // A number may be the beginning of a longer one.
        check(b"{}\n12", 3, false);
        check(b"{}\n{}{}", 3, false);
    }

    #[test]
    fn a_line_of_64_mib_is_walked_in_pieces() {
        let mut content = b"{}\n{\"a\": \"".to_vec();
        content.resize(content.len() + (64 << 20), b'x');
        check(&content, 3, false);
        content.extend_from_slice(b"\"}");
        check(&content, content.len() as u64, true);
        content.push(b'\n');
        check(&content, content.len() as u64, false);
    }
}
