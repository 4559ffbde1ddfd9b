//! Reads lines from the end of a file towards its beginning: the newest first.

use std::ops::Range;

use segno_disk::{DiskError, ReadFile, Reason, Result};

use super::{BLOCK, Line, MAX_LINE, is_blank, mark_len, without_cr};

/// The lines of a file from its end, blank ones counted but not given.
///
/// What is appended after the reader was opened is not seen. Memory is as for [`super::Lines`].
pub struct Tail<'f> {
    file: &'f dyn ReadFile,
    /// Invariant: the bytes of the file from `base` on; those before `unread` have not been given yet.
    buffer: Vec<u8>,
    base: u64,
    unread: usize,
    number: u64,
    max_line: usize,
}

impl<'f> Tail<'f> {
    /// Reads from the end of the file as it is now.
    pub fn open(file: &'f dyn ReadFile) -> Result<Self> {
        Ok(Self::before(file, file.stat()?.len))
    }

    /// Reads what stands before an offset, such as the start of a [`Line::range`] read before.
    pub fn before(file: &'f dyn ReadFile, offset: u64) -> Self {
        Self {
            file,
            buffer: Vec::new(),
            base: offset,
            unread: 0,
            number: 0,
            max_line: MAX_LINE,
        }
    }

    /// Passes over lines longer than this instead of those longer than [`MAX_LINE`].
    #[must_use]
    pub fn with_max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes.max(1);
        self
    }

    /// The next line towards the beginning that is not blank.
    #[expect(
        clippy::should_implement_trait,
        reason = "the line borrows the buffer; no Iterator can say so"
    )]
    pub fn next(&mut self) -> Result<Option<Line<'_>>> {
        loop {
            if self.unread == 0 && !self.load()? {
                return Ok(None);
            }
            let next = self.base + self.unread as u64;
            let (found, ended) = self.find_line()?;
            self.number += 1;
            let range = match found {
                Found::Buffered(range) => range,
                Found::TooLong(range) => {
                    return Ok(Some(Line::too_long(self.number, range, next, ended)));
                }
            };
            let start = self.base + range.start as u64;
            let line = self.buffer.get(range.clone()).unwrap_or_default();
            let mark = mark_len(line, start);
            if is_blank(line.get(mark..).unwrap_or_default()) {
                continue;
            }
            // Borrowed anew: a borrow that the loop may carry on cannot also be returned.
            let line = self
                .buffer
                .get(range.start + mark..range.end)
                .unwrap_or_default();
            let start = start + mark as u64;
            return Ok(Some(Line::judged(
                self.number,
                start,
                next,
                ended,
                without_cr(line),
            )));
        }
    }

    /// Finds the last unread line and takes it; the buffer holds at least one unread byte.
    fn find_line(&mut self) -> Result<(Found, bool)> {
        let newest = self
            .unread
            .checked_sub(1)
            .and_then(|last| self.buffer.get(last));
        let ended = newest == Some(&b'\n');
        loop {
            let until = self.unread - usize::from(ended);
            let content = self.buffer.get(..until).unwrap_or_default();
            let start = match memchr::memrchr(b'\n', content) {
                Some(newline) => newline + 1,
                None if self.base == 0 => 0,
                None if until > self.max_line => {
                    let end = self.base + until as u64;
                    let start = self.pass_over()?;
                    return Ok((Found::TooLong(start..end), ended));
                }
                None => {
                    self.load()?;
                    continue;
                }
            };
            self.unread = start;
            if until - start > self.max_line {
                let file_range = self.base + start as u64..self.base + until as u64;
                return Ok((Found::TooLong(file_range), ended));
            }
            return Ok((Found::Buffered(start..until), ended));
        }
    }

    /// Reads a block before those in memory, as large as what is unread so that long lines cost no more than twice.
    fn load(&mut self) -> Result<bool> {
        let count = narrow(self.base, BLOCK.max(self.unread));
        if count == 0 {
            return Ok(false);
        }
        let mut longer = vec![0; count + self.unread];
        let (front, back) = longer.split_at_mut(count);
        let start = self.base - count as u64;
        self.read_exact(start, front)?;
        back.copy_from_slice(self.buffer.get(..self.unread).unwrap_or_default());
        self.buffer = longer;
        self.base = start;
        self.unread += count;
        Ok(true)
    }

    /// Finds where a line that is too long to keep begins, block by block.
    fn pass_over(&mut self) -> Result<u64> {
        self.buffer.truncate(BLOCK);
        self.unread = 0;
        loop {
            let count = narrow(self.base, BLOCK);
            self.base -= count as u64;
            let mut block = vec![0; count];
            self.read_exact(self.base, &mut block)?;
            let newline = memchr::memrchr(b'\n', &block);
            if newline.is_some() || self.base == 0 {
                self.buffer = block;
                self.unread = newline.map_or(0, |newline| newline + 1);
                return Ok(self.base + self.unread as u64);
            }
        }
    }

    fn read_exact(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        if self.file.read_full_at(at, bytes)? == bytes.len() {
            return Ok(());
        }
        let message = "the file was cut while it was read; read it again";
        Err(DiskError::because(
            "read",
            "(open file)",
            Reason::Conflict,
            message,
        ))
    }
}

enum Found {
    /// Bytes of the buffer.
    Buffered(Range<usize>),
    /// Bytes of the file.
    TooLong(Range<u64>),
}

/// The lesser of a position in the file and a size in memory.
fn narrow(base: u64, most: usize) -> usize {
    usize::try_from(base).map_or(most, |base| base.min(most))
}
