//! A table for people: columns line up, in any script, and a row stays on one line.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;

use super::neutral;
use crate::messages::{Catalogue, Message, Text};

/// Rows under a heading.
#[derive(Debug, Clone, Default)]
pub struct Table {
    heading: Vec<Text>,
    rows: Vec<Vec<Text>>,
    /// The column that is never cut: what stands in it is typed again.
    whole: Option<usize>,
}

impl Table {
    /// A table without rows.
    pub fn new(heading: impl IntoIterator<Item = impl Into<Text>>) -> Self {
        Self {
            heading: heading.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            whole: None,
        }
    }

    /// The same with a column that is never cut, whatever the width.
    #[must_use]
    pub fn with_whole(mut self, column: usize) -> Self {
        self.whole = Some(column);
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Text>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// True when there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines, the heading first; cut to `width` columns where one is given.
    pub fn lines(&self, catalogue: &Catalogue, width: Option<u16>) -> Vec<String> {
        let mut said = HashMap::new();
        let rows: Vec<Vec<Cell<'_>>> = std::iter::once(&self.heading)
            .chain(&self.rows)
            .map(|row| {
                row.iter()
                    .map(|text| cell(text, catalogue, &mut said))
                    .collect()
            })
            .collect();
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; count];
        for row in &rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = cell.width.max(*widest);
            }
        }
        if let Some(width) = width {
            let gaps = GAP.len() * count.saturating_sub(1);
            let room = usize::from(width).saturating_sub(gaps);
            narrow(&mut widths, room, self.whole);
        }
        rows.iter().map(|row| line(row, &widths)).collect()
    }
}

/// What stands between two columns.
const GAP: &str = "  ";
/// What stands where something was cut off.
const CUT: &str = "…";

/// One cell, worded, and how many columns of a terminal it takes.
#[derive(Debug, Clone)]
struct Cell<'t> {
    text: Cow<'t, str>,
    width: usize,
}

impl<'t> Cell<'t> {
    fn new(text: Cow<'t, str>) -> Self {
        let width = text.width();
        Self { text, width }
    }
}

/// Words a cell. Long lists say the same few messages over and over: each is worded once.
fn cell<'t>(
    text: &'t Text,
    catalogue: &Catalogue,
    said: &mut HashMap<&'t Message, Cell<'t>>,
) -> Cell<'t> {
    match text {
        Text::Plain(plain) => Cell::new(one_line(plain)),
        Text::Message(message) => {
            let word = || Cell::new(Cow::Owned(one_line(&catalogue.say(message)).into_owned()));
            said.entry(message).or_insert_with(word).clone()
        }
    }
}

/// Makes columns narrower until they fit: those that need less than their share keep what they need, the others share
/// what is left. The whole one takes what it needs first.
fn narrow(widths: &mut [usize], room: usize, whole: Option<usize>) {
    if widths.iter().sum::<usize>() <= room {
        return;
    }
    let taken = whole.and_then(|column| widths.get(column)).copied();
    let room = room.saturating_sub(taken.unwrap_or(0));
    let columns = widths.iter_mut().enumerate();
    let mut by_need: Vec<&mut usize> = columns
        .filter(|(column, _)| Some(*column) != whole)
        .map(|(_, width)| width)
        .collect();
    by_need.sort_by_key(|width| **width);
    let (mut room, mut count) = (room, by_need.len());
    for width in by_need {
        *width = (*width).min(room / count).max(1);
        room = room.saturating_sub(*width);
        count -= 1;
    }
}

fn line(row: &[Cell<'_>], widths: &[usize]) -> String {
    let mut line = String::new();
    let mut due = 0;
    for (cell, width) in row.iter().zip(widths) {
        line.extend(std::iter::repeat_n(' ', due));
        let used = if cell.width <= *width {
            line.push_str(&cell.text);
            cell.width
        } else {
            let cut = cut(&cell.text, width.saturating_sub(CUT.width()));
            line.push_str(cut);
            line.push_str(CUT);
            cut.width() + CUT.width()
        };
        due = width.saturating_sub(used) + GAP.len();
    }
    line.truncate(line.trim_end().len());
    line
}

/// The longest beginning of a text that takes at most so many columns, without the spaces at its end.
fn cut(text: &str, room: usize) -> &str {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        // Measured as a whole: some characters join the one before them.
        if text.get(..next).is_some_and(|begin| begin.width() > room) {
            break;
        }
        end = next;
    }
    text.get(..end).unwrap_or_default().trim_end()
}

fn one_line(text: &str) -> Cow<'_, str> {
    let is_plain = text.is_ascii()
        && text
            .bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_graphic())
        && !text.contains("  ")
        && !text.starts_with(' ')
        && !text.ends_with(' ');
    if is_plain {
        return Cow::Borrowed(text);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    Cow::Owned(neutral::line(&words.join(" ")).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Lang;

    fn table() -> Table {
        let mut table = Table::new(["ID", "TITLE"]);
        table.row(["k7f".into(), "日本語の題名".into()]);
        table.row([
            "long-id".into(),
            "two\nlines and an \u{1b}[31mescape".into(),
        ]);
        table
    }

    #[test]
    fn columns_line_up_and_a_row_is_one_line() {
        let lines = table().lines(&Catalogue::new(Lang::En), None);
        assert_eq!(
            lines,
            [
                "ID       TITLE",
                "k7f      日本語の題名",
                "long-id  two lines and an \\u{1b}[31mescape",
            ]
        );
    }

    #[test]
    fn narrow_columns_keep_their_width_and_wide_ones_share_the_rest() {
        for (widths, room, expected) in [
            (vec![3, 10, 4], 17, vec![3, 10, 4]),
            (vec![3, 30, 4], 17, vec![3, 10, 4]),
            (vec![3, 30, 40], 23, vec![3, 10, 10]),
            (vec![5, 5], 0, vec![1, 1]),
        ] {
            let mut narrowed = widths.clone();
            narrow(&mut narrowed, room, None);
            assert_eq!(narrowed, expected, "{widths:?} in {room}");
        }
    }

    #[test]
    fn what_is_typed_again_is_never_cut() {
        let mut widths = vec![5, 30, 40];
        narrow(&mut widths, 50, Some(1));
        assert_eq!(widths, [5, 30, 15]);
        let lines = table()
            .with_whole(0)
            .lines(&Catalogue::new(Lang::En), Some(10));
        assert!(lines[2].starts_with("long-id  "), "{lines:?}");
    }

    #[test]
    fn a_text_is_cut_where_the_next_character_would_not_fit() {
        for (text, room, expected) in [
            ("plain text", 6, "plain"),
            ("日本語", 5, "日本"),
            ("e\u{301}te\u{301}", 2, "e\u{301}t"),
            ("x", 0, ""),
        ] {
            assert_eq!(cut(text, room), expected, "{text} in {room}");
        }
    }

    #[test]
    fn a_narrow_terminal_cuts_rows_instead_of_wrapping_them() {
        let lines = table().lines(&Catalogue::new(Lang::En), Some(24));
        assert_eq!(lines.len(), 3);
        assert!(lines[2].ends_with('…'), "{lines:?}");
        assert!(
            lines.iter().all(|line| line.chars().count() <= 24),
            "{lines:?}"
        );
    }
}
