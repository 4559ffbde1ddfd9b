//! The line that holds the words, cut to what can be read at a glance.

use std::ops::Range;

/// One line, and where the words stand in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, without line ends; `…` where something was left out.
    pub text: String,
    /// The bytes of the words in it.
    pub marks: Vec<Range<usize>>,
}

/// How many characters are shown before the first word, and in all.
const BEFORE: usize = 60;
const LONGEST: usize = 200;

/// The line of a text that holds the first of the marks.
pub(crate) fn excerpt(text: &str, marks: &[Range<usize>]) -> Excerpt {
    let at = marks.first().map_or(0, |mark| mark.start.min(text.len()));
    let head = text.get(..at).unwrap_or_default();
    let start = head.rfind('\n').map_or(0, |newline| newline + 1);
    let end = text
        .get(at..)
        .and_then(|rest| rest.find('\n'))
        .map_or(text.len(), |newline| at + newline);
    let from = cut_before(text.get(start..at).unwrap_or_default()) + start;
    let from = from + blanks(text.get(from..end).unwrap_or_default());
    let shown = text.get(from..end).unwrap_or_default();
    let to = shown
        .char_indices()
        .nth(LONGEST)
        .map_or(end, |(cut, _)| from + cut);
    let mut out = Excerpt::default();
    if from > start && !text.get(start..from).unwrap_or_default().trim().is_empty() {
        out.text.push('…');
    }
    let shift = out.text.len();
    out.text
        .push_str(text.get(from..to).unwrap_or_default().trim_end());
    let last = out.text.len();
    for mark in marks {
        let (a, b) = (mark.start.max(from), mark.end.min(to));
        if a < b && b - from + shift <= last {
            out.marks.push(a - from + shift..b - from + shift);
        }
    }
    if to < end {
        out.text.push('…');
    }
    // A tab or a carriage return would take the line apart.
    out.text = out
        .text
        .chars()
        .map(|c| if c == '\t' || c == '\r' { ' ' } else { c })
        .collect();
    out
}

/// Where to begin so that not too much stands before the word; at a word where there is one near.
fn cut_before(head: &str) -> usize {
    let count = head.chars().count();
    if count <= BEFORE {
        return 0;
    }
    let cut = head
        .char_indices()
        .nth(count - BEFORE)
        .map_or(0, |(cut, _)| cut);
    let rest = head.get(cut..).unwrap_or_default();
    let word = rest.find(' ').filter(|space| *space < BEFORE / 2);
    cut + word.map_or(0, |space| space + 1)
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_word_is_shown_with_its_mark() {
        let check = |text: &str, word: &str, expected: &str| {
            let at = text.find(word).unwrap();
            let found = excerpt(text, std::slice::from_ref(&(at..at + word.len())));
            let mut shown = found.text.clone();
            for mark in found.marks.iter().rev() {
                shown.insert(mark.end, ']');
                shown.insert(mark.start, '[');
            }
            assert_eq!(shown, expected);
        };
        check("one\n  two words\nthree", "words", "two [words]");
        check("log", "log", "[log]");
        check("a\tlog\r\nnext", "log", "a [log]");
        let long = format!("{}log{}", "word ".repeat(40), " and".repeat(80));
        let at = long.find("log").unwrap();
        let found = excerpt(&long, std::slice::from_ref(&(at..at + 3)));
        assert!(found.text.starts_with("…word"), "{}", found.text);
        assert!(found.text.ends_with('…'));
        assert!(found.text.chars().count() <= 210);
        assert_eq!(found.text.get(found.marks[0].clone()), Some("log"));
        check("検索の話", "索", "検[索]の話");
    }
}
