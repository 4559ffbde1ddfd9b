//! The picker as a value: rows, what was typed, which row is marked.

use std::collections::BTreeMap;

use super::keys::Key;
use super::rank::{Haystack, rank};

/// One session, worded and harmless, as it is shown.
#[derive(Debug, Clone)]
pub struct Row {
    /// What kind of work.
    pub kind: String,
    /// What a person calls it.
    pub title: String,
    /// Where it stands.
    pub status: String,
    /// When it was last worked on.
    pub when: String,
    /// What is known of it without opening it, a line each.
    pub about: Vec<String>,
    /// What it is searched by.
    pub haystack: Haystack,
}

/// What a key led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It goes on.
    More,
    /// This row was chosen.
    Chosen(usize),
    /// None was.
    Left,
}

/// The picker.
#[derive(Debug, Clone)]
pub struct Picker {
    rows: Vec<Row>,
    query: String,
    // Invariant: places in `rows`, best first; `marked` is one of them unless there are none.
    shown: Vec<usize>,
    marked: usize,
    page: usize,
    previews: BTreeMap<usize, Vec<String>>,
}

impl Picker {
    /// A picker over rows in the order of the list.
    pub fn new(rows: Vec<Row>) -> Self {
        Self {
            shown: (0..rows.len()).collect(),
            rows,
            query: String::new(),
            marked: 0,
            page: 10,
            previews: BTreeMap::new(),
        }
    }

    /// Takes a key.
    pub fn press(&mut self, key: Key) -> Step {
        let last = self.shown.len().saturating_sub(1);
        match key {
            Key::Up => self.marked = self.marked.saturating_sub(1),
            Key::Down => self.marked = (self.marked + 1).min(last),
            Key::PageUp => self.marked = self.marked.saturating_sub(self.page),
            Key::PageDown => self.marked = (self.marked + self.page).min(last),
            Key::First => self.marked = 0,
            Key::Last => self.marked = last,
            Key::Letter(c) => {
                self.query.push(c);
                self.search();
            }
            Key::Erase => {
                self.query.pop();
                self.search();
            }
            Key::EraseWord => {
                let kept = self.query.trim_end();
                let end = kept.rfind(char::is_whitespace).map_or(0, |at| {
                    at + kept
                        .get(at..)
                        .and_then(|rest| rest.chars().next())
                        .map_or(1, char::len_utf8)
                });
                self.query.truncate(end);
                self.search();
            }
            Key::EraseAll => {
                self.query.clear();
                self.search();
            }
            Key::Take => {
                if let Some(row) = self.marked_row() {
                    return Step::Chosen(row);
                }
            }
            Key::Leave => return Step::Left,
        }
        Step::More
    }

    fn search(&mut self) {
        self.shown = rank(&self.query, self.rows.iter().map(|row| &row.haystack));
        self.marked = 0;
    }

    /// What was typed.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The rows that fit, best first.
    pub fn shown(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.shown.iter().map(|place| {
            self.rows
                .get(*place)
                .expect("because `shown` holds places of rows")
        })
    }

    /// How many rows there are in all.
    pub fn total(&self) -> usize {
        self.rows.len()
    }

    /// Which of the shown rows is marked.
    pub fn marked(&self) -> usize {
        self.marked
    }

    /// The marked row's place in the list the picker was made of; `None` when nothing fits.
    pub fn marked_row(&self) -> Option<usize> {
        self.shown.get(self.marked).copied()
    }

    /// What to show of the marked row: what was loaded, else what is known without loading.
    pub fn preview(&self) -> &[String] {
        let Some(place) = self.marked_row() else {
            return &[];
        };
        let loaded = self.previews.get(&place).map(Vec::as_slice);
        loaded.unwrap_or_else(|| self.rows.get(place).map_or(&[], |row| row.about.as_slice()))
    }

    /// The marked row, when its preview has not been loaded yet.
    pub fn wants_preview(&self) -> Option<usize> {
        self.marked_row()
            .filter(|place| !self.previews.contains_key(place))
    }

    /// Keeps what was loaded for a row.
    pub fn set_preview(&mut self, place: usize, lines: Vec<String>) {
        self.previews.insert(place, lines);
    }

    /// How many rows a page has; the painter knows.
    pub fn set_page(&mut self, rows: usize) {
        self.page = rows.max(1);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::picker) fn row(title: &str, kind: &str, summary: &str) -> Row {
        Row {
            kind: kind.to_owned(),
            title: title.to_owned(),
            status: "paused".to_owned(),
            when: "2 hours ago".to_owned(),
            about: vec![format!("About {title}"), summary.to_owned()],
            haystack: Haystack::new(&[title, kind], summary),
        }
    }

    pub(in crate::picker) fn picker() -> Picker {
        Picker::new(vec![
            row("The append-only log", "conversation", "we chose the log"),
            row("全文検索の設計", "brainstorm", "索引は後で"),
            row("La décision", "discuss", "rien de plus"),
        ])
    }

    fn typed(picker: &mut Picker, text: &str) {
        for c in text.chars() {
            assert_eq!(picker.press(Key::Letter(c)), Step::More);
        }
    }

    #[test]
    fn arrows_stay_within_the_list() {
        let mut picker = picker();
        for (key, marked) in [
            (Key::Up, 0),
            (Key::Down, 1),
            (Key::Down, 2),
            (Key::Down, 2),
            (Key::PageUp, 0),
            (Key::PageDown, 2),
            (Key::First, 0),
            (Key::Last, 2),
        ] {
            assert_eq!(picker.press(key), Step::More);
            assert_eq!(picker.marked(), marked, "{key:?}");
        }
        assert_eq!(picker.press(Key::Take), Step::Chosen(2));
    }

    #[test]
    fn typing_narrows_and_erasing_widens() {
        let mut picker = picker();
        picker.press(Key::Down);
        typed(&mut picker, "decision");
        assert_eq!(picker.shown().len(), 1);
        assert_eq!(picker.press(Key::Take), Step::Chosen(2));
        picker.press(Key::EraseAll);
        assert_eq!(picker.shown().len(), 3);
        typed(&mut picker, "検索");
        assert_eq!(picker.press(Key::Take), Step::Chosen(1));
        picker.press(Key::Erase);
        picker.press(Key::Erase);
        typed(&mut picker, "the 設計");
        assert_eq!(picker.shown().len(), 0);
        picker.press(Key::EraseWord);
        assert_eq!(picker.query(), "the ");
        picker.press(Key::EraseWord);
        assert_eq!(picker.query(), "");
        picker.press(Key::EraseWord);
        assert_eq!(picker.shown().len(), 3);
    }

    #[test]
    fn nothing_that_fits_can_be_taken_and_leaving_is_always_possible() {
        let mut picker = picker();
        typed(&mut picker, "zzzz");
        assert_eq!(picker.press(Key::Down), Step::More);
        assert_eq!(picker.press(Key::Take), Step::More);
        assert!(picker.preview().is_empty());
        assert_eq!(picker.wants_preview(), None);
        assert_eq!(picker.press(Key::Leave), Step::Left);
        assert_eq!(Picker::new(Vec::new()).press(Key::Take), Step::More);
    }

    #[test]
    fn a_preview_is_wanted_once_and_what_is_known_stands_in_for_it() {
        let mut picker = picker();
        assert_eq!(picker.preview()[0], "About The append-only log");
        assert_eq!(picker.wants_preview(), Some(0));
        picker.set_preview(0, vec!["loaded".to_owned()]);
        assert_eq!(picker.preview(), ["loaded"]);
        assert_eq!(picker.wants_preview(), None);
        picker.press(Key::Down);
        assert_eq!(picker.wants_preview(), Some(1));
    }
}
