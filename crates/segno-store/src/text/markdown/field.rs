//! Fields: lines that say `**Key**: value`, `- **Key**: value` or `- Key: value`.

use std::ops::Range;

use super::item::marker_of;
use super::line::indented;

/// How a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldStyle {
    /// `**Key**: value`
    Bold,
    /// `- **Key**: value`
    BoldItem,
    /// `- Key: value`
    Item,
}

impl FieldStyle {
    pub(super) fn line(self, key: &str, value: &str) -> String {
        let space = if value.is_empty() { "" } else { " " };
        match self {
            Self::Bold => format!("**{key}**:{space}{value}"),
            Self::BoldItem => format!("- **{key}**:{space}{value}"),
            Self::Item => format!("- {key}:{space}{value}"),
        }
    }
}

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'d> {
    /// The key, emphasis and colon left out.
    pub key: &'d str,
    /// What stands behind the colon on the same line, space around it left out; empty for a label over a list.
    pub value: &'d str,
    /// The bytes of the value; where it is empty, the place behind the colon.
    pub value_range: Range<usize>,
    /// The bytes of the line, its end included.
    pub range: Range<usize>,
    /// The position of the line, from 0.
    pub line: usize,
    /// How it is written.
    pub style: FieldStyle,
}

/// A field inside a line: style, key, and the place of the value in bytes of the line.
pub(super) struct Parts<'t> {
    pub(super) style: FieldStyle,
    pub(super) key: &'t str,
    pub(super) value: Range<usize>,
}

/// Reads a line as a field.
pub(super) fn field_parts(line: &str) -> Option<Parts<'_>> {
    let (_, rest) = indented(line);
    let marker = marker_of(rest);
    let body = marker
        .map_or(Some(rest), |marker| rest.get(marker.bytes..))?
        .trim_start();
    let (style, key, value) = match body.strip_prefix("**") {
        Some(bold) => {
            let (key, value) = bold_key(bold)?;
            let style = if marker.is_some() {
                FieldStyle::BoldItem
            } else {
                FieldStyle::Bold
            };
            (style, key, value)
        }
        None if marker.is_some() => {
            let (key, value) = plain_key(body)?;
            (FieldStyle::Item, key, value)
        }
        None => return None,
    };
    let behind_colon = line.len() - value.len();
    let start = line.len() - value.trim_start().len();
    let range = match value.trim() {
        "" => behind_colon..behind_colon,
        text => start..start + text.len(),
    };
    Some(Parts {
        style,
        key,
        value: range,
    })
}

/// `Key**: value` or `Key:** value`.
fn bold_key(bold: &str) -> Option<(&str, &str)> {
    let (key, behind) = bold.split_once("**")?;
    let key = key.trim();
    for colon in [':', '\u{ff1a}'] {
        if let Some(value) = behind.trim_start().strip_prefix(colon) {
            return usable(key).then_some((key, value));
        }
        if let Some(key) = key.strip_suffix(colon) {
            let key = key.trim_end();
            return usable(key).then_some((key, behind));
        }
    }
    None
}

/// `Key: value`, where a colon inside a word (`12:30`, `https://`) is none.
fn plain_key(body: &str) -> Option<(&str, &str)> {
    for (at, c) in body.char_indices() {
        let behind = body.get(at + c.len_utf8()..)?;
        match c {
            '\u{ff1a}' => {}
            ':' if behind.is_empty() || behind.starts_with([' ', '\t']) => {}
            ':' | '`' | '[' | '|' => return None,
            _ => continue,
        }
        let key = body.get(..at)?.trim_end();
        return usable(key).then_some((key, behind));
    }
    None
}

fn usable(key: &str) -> bool {
    !key.is_empty() && key.chars().count() <= 80
}
