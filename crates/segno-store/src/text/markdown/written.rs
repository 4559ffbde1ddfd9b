//! Text that is to be put into a document: checked, and items spelt.

use super::classify::Open;
use super::doc::Doc;
use super::edit::EditError;
use super::item::{Checkbox, Marker};

pub(super) fn following(marker: Marker) -> Marker {
    match marker {
        Marker::Bullet(mark) => Marker::Bullet(mark),
        Marker::Number(number, mark) => Marker::Number(number.saturating_add(1), mark),
    }
}

/// An item's lines, those behind the first indented to stand inside it.
pub(super) fn item_text(
    marker: Marker,
    column: usize,
    checkbox: Checkbox,
    text: &str,
) -> Result<String, EditError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(EditError::NotOneLine("item".to_owned()));
    }
    let mark = match checkbox {
        Checkbox::None => "",
        Checkbox::Open => "[ ] ",
        Checkbox::Done => "[x] ",
    };
    let first = format!("{}{marker} ", " ".repeat(column));
    let inner = " ".repeat(first.len());
    let mut out = format!("{first}{mark}");
    for (index, line) in text.lines().enumerate() {
        if index > 0 {
            out.push('\n');
            out.push_str(if line.trim().is_empty() { "" } else { &inner });
        }
        out.push_str(line.trim_end());
    }
    check_block(&out, 6)?;
    Ok(out)
}

pub(super) fn check_block(text: &str, level: usize) -> Result<(), EditError> {
    let block = Doc::parse(text.trim_start_matches('\u{feff}'));
    if let Some(heading) = block
        .headings()
        .iter()
        .find(|heading| heading.level <= level)
    {
        return Err(EditError::HeadingInside(heading.title.clone()));
    }
    if block.open == Open::Nothing {
        Ok(())
    } else {
        Err(EditError::LeftOpen)
    }
}

pub(super) fn check_line(text: &str) -> Result<(), EditError> {
    if text.trim().is_empty() || text.contains(['\n', '\r']) {
        return Err(EditError::NotOneLine(text.trim().to_owned()));
    }
    Ok(())
}

pub(super) fn check_key(key: &str) -> Result<(), EditError> {
    let unfit = key.trim().is_empty() || key.contains([':', '\u{ff1a}', '*', '\n', '\r']);
    if unfit {
        Err(EditError::BadKey(key.to_owned()))
    } else {
        Ok(())
    }
}

pub(super) fn check_value(key: &str, value: &str) -> Result<(), EditError> {
    if value.contains(['\n', '\r']) {
        return Err(EditError::NotOneLine(key.to_owned()));
    }
    Ok(())
}
