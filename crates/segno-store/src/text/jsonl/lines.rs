//! Reads lines from an offset to the end of a file.

use segno_disk::{ReadFile, Result};

use super::{BLOCK, Line, MAX_LINE, is_blank, mark_len, without_cr};

/// The lines of a file from an offset on, blank ones counted but not given.
///
/// Memory is one block, or the longest line met when that is longer, up to the longest line that is read at all.
pub struct Lines<'f> {
    file: &'f dyn ReadFile,
    buffer: Vec<u8>,
    /// The bytes of the buffer that hold what has been read and not given yet.
    from: usize,
    until: usize,
    /// Where in the file the byte at `from` stands.
    offset: u64,
    number: u64,
    max_line: usize,
}

impl<'f> Lines<'f> {
    /// Reads from the beginning.
    pub fn new(file: &'f dyn ReadFile) -> Self {
        Self::from_offset(file, 0)
    }

    /// Reads from where a line begins, such as the [`Line::next`] of the last one read before.
    pub fn from_offset(file: &'f dyn ReadFile, offset: u64) -> Self {
        Self {
            file,
            buffer: vec![0; BLOCK],
            from: 0,
            until: 0,
            offset,
            number: 0,
            max_line: MAX_LINE,
        }
    }

    /// Counts lines from behind this many.
    #[must_use]
    pub fn numbered_after(mut self, lines: u64) -> Self {
        self.number = lines;
        self
    }

    /// Passes over lines longer than this instead of those longer than [`MAX_LINE`].
    #[must_use]
    pub fn with_max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes.max(1);
        self
    }

    /// The next line that is not blank.
    #[expect(
        clippy::should_implement_trait,
        reason = "the line borrows the buffer; no Iterator can say so"
    )]
    pub fn next(&mut self) -> Result<Option<Line<'_>>> {
        loop {
            let Some(found) = self.find_line()? else {
                return Ok(None);
            };
            let start = self.offset;
            self.number += 1;
            self.offset = found.next;
            let (from, until) = match found.at {
                Place::Buffered { from, until } => (from, until),
                Place::TooLong => {
                    let range = start..found.content_end;
                    let line = Line::too_long(self.number, range, found.next, found.ended);
                    return Ok(Some(line));
                }
            };
            let line = self.buffer.get(from..until).unwrap_or_default();
            let mark = mark_len(line, start);
            if is_blank(line.get(mark..).unwrap_or_default()) {
                continue;
            }
            // Borrowed anew: a borrow that the loop may carry on cannot also be returned.
            let line = self.buffer.get(from + mark..until).unwrap_or_default();
            let start = start + mark as u64;
            let line = without_cr(line);
            return Ok(Some(Line::judged(
                self.number,
                start,
                found.next,
                found.ended,
                line,
            )));
        }
    }

    /// Where the next line begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    fn find_line(&mut self) -> Result<Option<Found>> {
        let mut searched = self.from;
        loop {
            let unread = self.buffer.get(searched..self.until).unwrap_or_default();
            if let Some(newline) = memchr::memchr(b'\n', unread) {
                let until = searched + newline;
                return Ok(Some(self.take(until, true)));
            }
            if self.until - self.from > self.max_line {
                return self.pass_over().map(Some);
            }
            self.make_room();
            searched = self.until;
            if !self.fill()? {
                return Ok((self.from < self.until).then(|| self.take(self.until, false)));
            }
        }
    }

    /// Takes the line that ends before `until` out of the buffer.
    fn take(&mut self, until: usize, ended: bool) -> Found {
        let from = self.from;
        self.from = until + usize::from(ended);
        let content_end = self.offset + (until - from) as u64;
        let at = if until - from > self.max_line {
            Place::TooLong
        } else {
            Place::Buffered { from, until }
        };
        Found {
            at,
            content_end,
            next: content_end + u64::from(ended),
            ended,
        }
    }

    /// Moves what is unread to the front and grows a buffer that is full all the same.
    fn make_room(&mut self) {
        self.buffer.copy_within(self.from..self.until, 0);
        self.until -= self.from;
        self.from = 0;
        if self.until == self.buffer.len() {
            let longer = (self.until * 2).min(self.max_line + BLOCK);
            self.buffer.resize(longer, 0);
        }
    }

    /// Reads on; false at the end of the file.
    fn fill(&mut self) -> Result<bool> {
        let at = self.offset + (self.until - self.from) as u64;
        let room = self.buffer.get_mut(self.until..).unwrap_or_default();
        let count = self.file.read_at(at, room)?;
        self.until += count;
        Ok(count > 0)
    }

    /// Finds the end of a line that is too long to keep, block by block.
    fn pass_over(&mut self) -> Result<Found> {
        let mut at = self.offset + (self.until - self.from) as u64;
        loop {
            let count = self.file.read_at(at, &mut self.buffer)?;
            let block = self.buffer.get(..count).unwrap_or_default();
            let newline = memchr::memchr(b'\n', block);
            (self.from, self.until) = newline.map_or((0, 0), |newline| (newline + 1, count));
            if count > 0 && newline.is_none() {
                at += count as u64;
                continue;
            }
            let content_end = at + newline.unwrap_or(0) as u64;
            return Ok(Found {
                at: Place::TooLong,
                content_end,
                next: content_end + u64::from(newline.is_some()),
                ended: newline.is_some(),
            });
        }
    }
}

/// A line found, before it is judged.
struct Found {
    at: Place,
    content_end: u64,
    next: u64,
    ended: bool,
}

enum Place {
    Buffered { from: usize, until: usize },
    TooLong,
}
