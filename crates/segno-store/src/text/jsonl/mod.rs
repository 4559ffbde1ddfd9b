//! JSON Lines: one JSON value per line, read in bounded memory from either end.
//!
//! [`Lines`] reads from an offset to the end of a file, [`Tail`] from the end towards the beginning. Both give every
//! line that is not blank, with its bytes and, when it is not one sound JSON value, with the [`Fault`] found: nothing
//! is skipped in silence and no line stops the reading.

mod lines;
mod tail;

use std::ops::Range;

pub use lines::Lines;
pub use tail::Tail;

use crate::text::json::{self, Escapes, Layout, Style, Tree};

/// Lines longer than this are not read into memory.
pub const MAX_LINE: usize = 64 << 20;

/// How much is read from the disk at once.
const BLOCK: usize = 256 << 10;

/// One line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'b> {
    /// Which line it is, blank ones counted, from 1: from where [`Lines`] began, or from the end in a [`Tail`].
    pub number: u64,
    /// The bytes it takes in the file, without its line end and without a byte order mark.
    pub range: Range<u64>,
    /// Where the next line begins.
    pub next: u64,
    /// False when the file ends before the line does: it may be half written.
    pub ended: bool,
    /// Its bytes; empty when it is [`Fault::TooLong`].
    pub bytes: &'b [u8],
    /// The line as text when it is one sound JSON value, else what is wrong with it.
    pub json: Result<&'b str, Fault>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is not JSON.
    #[error("not JSON at column {column}: {message}")]
    InvalidJson {
        /// Where, from 1, in characters.
        column: usize,
        /// Why.
        message: &'static str,
    },
    /// It is not UTF-8.
    #[error("not UTF-8 at byte {column}")]
    NotUtf8 {
        /// The first byte that is not, from 1.
        column: usize,
    },
    /// It holds NUL bytes, as a crash may leave them.
    #[error("{run} NUL bytes at byte {column}, as a crash may leave them")]
    Nul {
        /// The first of them, from 1.
        column: usize,
        /// How many stand there in a row.
        run: usize,
    },
    /// It is longer than is read into memory; it was passed over.
    #[error("the line has {len} bytes, more than are read at once")]
    TooLong {
        /// Its length.
        len: u64,
    },
    /// Two or more objects stand on it; [`Line::objects`] gives those that are whole.
    #[error("{whole} objects on one line{}", if *torn { ", the last one torn" } else { "" })]
    Spliced {
        /// How many are whole.
        whole: usize,
        /// True when something that is no whole object stands behind them.
        torn: bool,
    },
}

impl<'b> Line<'b> {
    /// The objects of the line that can be used: the line itself when it is sound, all whole ones of a spliced line.
    pub fn objects(&self) -> Vec<&'b str> {
        match &self.json {
            Ok(text) => vec![text],
            Err(Fault::Spliced { whole, .. }) => Whole { rest: self.bytes }.take(*whole).collect(),
            Err(_) => Vec::new(),
        }
    }

    /// Judges the bytes of a line.
    fn judged(number: u64, start: u64, next: u64, ended: bool, bytes: &'b [u8]) -> Self {
        Self {
            number,
            range: start..start + bytes.len() as u64,
            next,
            ended,
            bytes,
            json: judge(bytes),
        }
    }

    fn too_long(number: u64, range: Range<u64>, next: u64, ended: bool) -> Self {
        let len = range.end - range.start;
        Self {
            number,
            range,
            next,
            ended,
            bytes: &[],
            json: Err(Fault::TooLong { len }),
        }
    }
}

fn judge(bytes: &[u8]) -> Result<&str, Fault> {
    let error = match (std::str::from_utf8(bytes), json::check(bytes)) {
        (Ok(text), Ok(())) => return Ok(text),
        (Err(error), _) => Err(error.valid_up_to()),
        (Ok(_), Err(error)) => Ok(error),
    };
    // A crash leaves NUL bytes where the file grew before its data came: that explains all else on the line.
    if let Some(first) = memchr::memchr(0, bytes) {
        let run = bytes
            .iter()
            .skip(first)
            .take_while(|byte| **byte == 0)
            .count();
        return Err(Fault::Nul {
            column: first + 1,
            run,
        });
    }
    let error = match error {
        Ok(error) => error,
        Err(valid) => return Err(Fault::NotUtf8 { column: valid + 1 }),
    };
    let mut objects = Whole { rest: bytes };
    let whole = objects.by_ref().count();
    let rest = objects.rest.trim_ascii();
    if whole >= 2 || (whole == 1 && rest.starts_with(b"{")) {
        return Err(Fault::Spliced {
            whole,
            torn: !rest.is_empty(),
        });
    }
    Err(Fault::InvalidJson {
        column: error.column,
        message: error.message,
    })
}

/// The whole objects that some bytes begin with.
struct Whole<'b> {
    rest: &'b [u8],
}

impl<'b> Iterator for Whole<'b> {
    type Item = &'b str;

    fn next(&mut self) -> Option<&'b str> {
        let rest = self.rest.trim_ascii_start();
        if !rest.starts_with(b"{") {
            return None;
        }
        let (object, rest) = rest.split_at_checked(json::check_prefix(rest).ok()?)?;
        let object = std::str::from_utf8(object).ok()?;
        self.rest = rest;
        Some(object)
    }
}

/// Removes the carriage return that may stand before a newline.
fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The length of a byte order mark, which is looked for only where a file begins.
fn mark_len(line: &[u8], start: u64) -> usize {
    if start == 0 && line.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    }
}

/// A value as one line, its newline included, whatever layout is asked for or its raw parts have.
pub fn to_line(value: &Tree, style: Style) -> String {
    let layout = match style.layout {
        Layout::Indented(_) => Layout::Spaced,
        on_one_line => on_one_line,
    };
    let mut line = value.to_text(Style { layout, ..style });
    line.push('\n');
    line
}

/// How the lines of a file are written, learnt from one of them; `fallback` where it shows no habit.
pub fn style_of(line: &str, fallback: Style) -> Style {
    let layout = if line.contains("\": ") {
        Layout::Spaced
    } else if line.contains("\":") {
        Layout::Compact
    } else {
        fallback.layout
    };
    let escapes = if !line.is_ascii() {
        Escapes::Raw
    } else if json::has_wide_escape(line) {
        Escapes::Ascii
    } else {
        fallback.escapes
    };
    Style { escapes, layout }
}
