//! List items: bullets, numbers and checkboxes, nested by their indentation.

use std::ops::Range;

/// What an item begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// `-`, `*` or `+`
    Bullet(char),
    /// A number and the mark behind it, `.` or `)`.
    Number(u32, char),
}

impl std::fmt::Display for Marker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bullet(mark) => write!(f, "{mark}"),
            Self::Number(number, mark) => write!(f, "{number}{mark}"),
        }
    }
}

/// The box that an item may begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkbox {
    /// None.
    None,
    /// `[ ]`
    Open,
    /// `[x]`
    Done,
}

/// One list item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item<'d> {
    /// What it begins with.
    pub marker: Marker,
    /// Its box.
    pub checkbox: Checkbox,
    /// The byte inside the box, where it has one.
    pub mark_range: Option<Range<usize>>,
    /// How many items it stands in.
    pub depth: usize,
    /// The column of its marker.
    pub column: usize,
    /// The text of its first line, behind marker and box.
    pub text: &'d str,
    /// The bytes of that text.
    pub text_range: Range<usize>,
    /// All its bytes: its lines, those that continue it and the items inside it, the last line end included.
    pub range: Range<usize>,
    /// The position of its first line, from 0.
    pub line: usize,
}

/// A marker at the beginning of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) marker: Marker,
    /// The columns from the marker to the text behind it.
    pub(super) width: usize,
    /// The bytes of the marker alone.
    pub(super) bytes: usize,
}

/// The marker that a text begins with.
pub(super) fn marker_of(rest: &str) -> Option<Found> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let mark = rest.get(digits..)?.chars().next()?;
    let marker = match mark {
        '-' | '*' | '+' if digits == 0 => Marker::Bullet(mark),
        '.' | ')' if (1..=9).contains(&digits) => {
            Marker::Number(rest.get(..digits)?.parse().ok()?, mark)
        }
        _ => return None,
    };
    let bytes = digits + 1;
    let behind = rest.get(bytes..)?;
    let spaces = behind.bytes().take_while(|byte| *byte == b' ').count();
    if !behind.is_empty() && !behind.starts_with([' ', '\t']) {
        return None;
    }
    // Five spaces and more begin a code block one column behind the marker.
    let gap = if (1..=4).contains(&spaces) && !behind.trim().is_empty() {
        spaces
    } else {
        1
    };
    Some(Found {
        marker,
        width: bytes + gap,
        bytes,
    })
}

/// The box that an item's text begins with, the bytes up to its mark, and the bytes to the text behind it.
pub(super) fn checkbox_of(text: &str) -> Option<(Checkbox, usize)> {
    let inner = text.strip_prefix('[')?;
    let checkbox = match inner.bytes().next()? {
        b' ' => Checkbox::Open,
        b'x' | b'X' => Checkbox::Done,
        _ => return None,
    };
    let behind = inner.get(1..)?.strip_prefix(']')?;
    let text_at = text.len() - behind.trim_start().len();
    (behind.is_empty() || behind.starts_with([' ', '\t'])).then_some((checkbox, text_at))
}
