//! A brief within a budget: what gives way, and in which order.
//!
//! The oldest turns go first, then what a reader can look up: quotations, lists, the ends of long texts. The goal, the state,
//! the next action, the problems and the last turns stay longest. Wherever something was cut, a mark says how much.

use super::{Brief, estimate_tokens, fit_newest};

/// One cut. Each is made only while the brief is too large.
#[derive(Debug, Clone, Copy)]
enum Cut {
    /// Sections to so many lines.
    Sections(usize),
    /// Decisions to so many.
    Decisions(usize),
    /// Open questions to so many.
    Questions(usize),
    /// Every text to so many letters.
    Letters(usize),
    /// Turns to the newest so many.
    Turns(usize),
    /// Lines of the state to so many.
    State(usize),
    /// Problems to so many.
    Problems(usize),
}

/// So many of the newest turns outlive the first cut.
const LAST_TURNS: usize = 4;

/// The order in which things give way.
const ORDER: [Cut; 18] = [
    Cut::Sections(12),
    Cut::Decisions(12),
    Cut::Questions(12),
    Cut::Letters(1200),
    Cut::Sections(4),
    Cut::Decisions(4),
    Cut::Questions(4),
    Cut::Letters(400),
    Cut::Sections(0),
    Cut::Turns(2),
    Cut::Decisions(1),
    Cut::Questions(1),
    Cut::State(4),
    Cut::Problems(4),
    Cut::Letters(160),
    Cut::Turns(1),
    Cut::State(1),
    Cut::Turns(0),
];

impl Brief {
    /// Cuts the brief until it fits, in the order of this module. What is left then is the least a reader needs: it may
    /// still be more than the budget, and [`Brief::tokens`] says so.
    pub fn fit(&mut self, budget: usize) {
        let left = budget.saturating_sub(self.tokens_without_turns());
        let sizes: Vec<usize> = self.turns.iter().map(super::Turn::tokens).collect();
        let kept = self.turns.len() - fit_newest(&sizes, left).left_out;
        self.keep_turns(kept.max(LAST_TURNS));
        for cut in ORDER {
            if self.tokens() <= budget {
                return;
            }
            self.cut(cut);
        }
    }

    /// The brief as a text of at most so many tokens: headings, and whatever else a text has around the words of the brief,
    /// are counted as well.
    pub fn text_within(
        &self,
        budget: Option<usize>,
        text_of: impl Fn(&Self) -> String,
    ) -> (String, Self) {
        let Some(budget) = budget else {
            return (text_of(self), self.clone());
        };
        let mut room = budget;
        loop {
            let mut brief = self.clone();
            brief.fit(room);
            let text = text_of(&brief);
            let over = estimate_tokens(&text).saturating_sub(budget);
            if over == 0 || room == 0 {
                return (text, brief);
            }
            room = room.saturating_sub(over);
        }
    }

    fn keep_turns(&mut self, most: usize) {
        let left_out = self.turns.len().saturating_sub(most);
        self.turns.drain(..left_out);
        self.turns_left_out += left_out as u64;
    }

    fn cut(&mut self, cut: Cut) {
        match cut {
            Cut::Sections(most) => {
                for section in &mut self.sections {
                    section.text = first_lines(&section.text, most);
                }
            }
            Cut::Decisions(most) => keep_first(&mut self.decisions, most),
            Cut::Questions(most) => keep_first(&mut self.open_questions, most),
            Cut::State(most) => keep_first(&mut self.state, most),
            Cut::Turns(most) => self.keep_turns(most),
            Cut::Problems(most) => self.problems.truncate(most),
            Cut::Letters(most) => self.shorten(most),
        }
    }

    fn shorten(&mut self, most: usize) {
        let lists = [
            &mut self.state,
            &mut self.decisions,
            &mut self.open_questions,
        ];
        let sections = self.sections.iter_mut().map(|section| &mut section.text);
        let texts = lists
            .into_iter()
            .flatten()
            .chain([&mut self.goal, &mut self.card.summary])
            .chain(&mut self.next)
            .chain(sections)
            .chain(self.turns.iter_mut().map(|turn| &mut turn.text))
            .chain(self.problems.iter_mut().map(|problem| &mut problem.found));
        for text in texts {
            if let Some(short) = first_letters(text, most) {
                *text = short;
            }
        }
    }
}

/// The first so many lines, and how many more there are.
pub fn first_lines(text: &str, most: usize) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    keep_first(&mut lines, most);
    lines.join("\n")
}

/// The first so many letters with a mark behind them; `None` when there are no more.
fn first_letters(text: &str, most: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(most)?;
    let kept = text.get(..end).unwrap_or_default().trim_end();
    Some(format!("{} …", kept.trim_end_matches([' ', '…'])))
}

fn keep_first(items: &mut Vec<String>, most: usize) {
    if items.len() <= most + 1 {
        return;
    }
    let marked = items.last().and_then(|last| marked(last));
    let cut = items.len() - most;
    let count = marked.map_or(cut, |before| cut - 1 + before);
    items.truncate(most);
    items.push(more(count));
}

fn more(count: usize) -> String {
    format!("… and {count} more")
}

/// How many a mark says were cut.
fn marked(text: &str) -> Option<usize> {
    let count = text.strip_prefix("… and ")?.strip_suffix(" more")?;
    count.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_cut_twice_counts_all_that_was_cut() {
        let mut items: Vec<String> = (0..60).map(|n| n.to_string()).collect();
        keep_first(&mut items, 12);
        assert_eq!(items.last().unwrap(), "… and 48 more");
        keep_first(&mut items, 4);
        assert_eq!(
            (items.len(), items.last().unwrap().as_str()),
            (5, "… and 56 more")
        );
        let mut short = vec!["a".to_owned(), "b".to_owned()];
        keep_first(&mut short, 1);
        assert_eq!(
            short,
            ["a", "b"],
            "a mark takes no less than what it stands for"
        );
    }

    #[test]
    fn a_text_is_cut_between_letters_and_says_so() {
        assert_eq!(first_letters("été 日本語", 6).unwrap(), "été 日本 …");
        assert_eq!(first_letters("abc", 3), None);
        assert_eq!(first_lines("a\nb\nc\nd", 2), "a\nb\n… and 2 more");
        assert_eq!(first_lines("a\nb\nc", 2), "a\nb\nc");
    }
}
