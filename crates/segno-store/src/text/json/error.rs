//! Where a text stops being JSON, and why.

/// A place in a text that is not JSON, or is more of it than was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct JsonError {
    /// The byte at which it was noticed.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong, in a person's words.
    pub message: &'static str,
}

impl JsonError {
    /// Counts lines and columns up to a byte of the text.
    pub(super) fn at(bytes: &[u8], offset: usize, message: &'static str) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let on_line = before.get(line_start..).unwrap_or_default();
        Self {
            offset,
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: characters(on_line) + 1,
            message,
        }
    }
}

/// Characters that begin in these bytes: continuation bytes are not counted, nor is a byte order mark.
fn characters(bytes: &[u8]) -> usize {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count()
}
