//! A table for people: columns line up, in any script, and a row stays on one line.

use comfy_table::{ContentArrangement, Row, presets};

use super::neutral;
use crate::messages::{Catalogue, Text};

/// Rows under a heading.
#[derive(Debug, Clone, Default)]
pub struct Table {
    heading: Vec<Text>,
    rows: Vec<Vec<Text>>,
}

impl Table {
    /// A table without rows.
    pub fn new(heading: impl IntoIterator<Item = impl Into<Text>>) -> Self {
        Self {
            heading: heading.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
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
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        match width {
            Some(width) => {
                table.set_content_arrangement(ContentArrangement::Dynamic);
                table.set_width(width);
                table.set_truncation_indicator("…");
            }
            None => {
                table.set_content_arrangement(ContentArrangement::Disabled);
            }
        }
        for cells in std::iter::once(&self.heading).chain(&self.rows) {
            let cells = cells.iter().map(|cell| one_line(&catalogue.text(cell)));
            let mut row = Row::from(cells.collect::<Vec<_>>());
            row.max_height(1);
            table.add_row(row);
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        table
            .trim_fmt()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    neutral::line(&words.join(" ")).into_owned()
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
