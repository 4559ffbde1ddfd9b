//! Does a text hold all the words a person remembers, and how well?

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::fold::{fold, is_dropped};

/// How well a text matches; the greater the better. Comparable between texts for the same query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(u32);

/// Matches one query against one text: see [`Matcher::score`]. For many texts, make the [`Matcher`] once.
pub fn matches_words(haystack: &str, query: &str) -> Option<Score> {
    Matcher::new(query).score(haystack)
}

/// A query, made ready to be matched against many texts.
#[derive(Debug, Clone)]
pub struct Matcher {
    phrase: String,
    words: Vec<QueryWord>,
}

#[derive(Debug, Clone)]
struct QueryWord {
    /// The word as typed, folded.
    whole: String,
    /// The words inside it: `append_only`, `append-only` and `appendOnly` hold two.
    parts: Vec<String>,
}

/// How a word of the query occurs in the text, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hit {
    Inside = 1,
    Beginning = 2,
    Whole = 3,
}

impl Matcher {
    /// Reads a query: words between white space.
    pub fn new(query: &str) -> Self {
        let words: Vec<QueryWord> = query
            .split_whitespace()
            .map(|word| QueryWord {
                whole: fold(word),
                parts: split_words(word),
            })
            .filter(|word| !word.whole.is_empty())
            .collect();
        let wholes: Vec<&str> = words.iter().map(|word| word.whole.as_str()).collect();
        Self {
            phrase: wholes.join(" "),
            words,
        }
    }

    /// Matches when every word of the query occurs in the text, in any order and anywhere, also inside a word, as
    /// Japanese and Chinese need. A whole word counts more than the beginning of one, that more than its inside, and the
    /// query as it was typed more than the same words scattered. A query without words matches everything.
    pub fn score(&self, haystack: &str) -> Option<Score> {
        self.score_folded(&Folded::new(haystack))
    }

    /// The same for a text that was made ready: for one that is searched at every key a person presses.
    pub fn score_folded(&self, haystack: &Folded) -> Option<Score> {
        let mut score = 0;
        for word in &self.words {
            score += 2 * word.hit(&haystack.text, &haystack.words)? as u32;
        }
        if haystack.text.contains(&self.phrase) {
            score += 1;
        }
        Some(Score(score))
    }
}

/// A text, made ready to be matched by many queries.
#[derive(Debug, Clone)]
pub struct Folded {
    text: String,
    words: Vec<String>,
}

impl Folded {
    /// Folds a text and cuts it into words.
    pub fn new(text: &str) -> Self {
        Self {
            text: fold(text),
            words: split_words(text),
        }
    }
}

impl QueryWord {
    fn hit(&self, text: &str, words: &[String]) -> Option<Hit> {
        let literal = text.contains(&self.whole).then(|| {
            let best = words.iter().filter_map(|word| beginning(word, &self.whole));
            best.max().unwrap_or(Hit::Inside)
        });
        literal.max(self.parts_in_a_row(words))
    }

    /// `append-only` is found in `appendOnly` and in `append only`, but not in `only append`.
    fn parts_in_a_row(&self, words: &[String]) -> Option<Hit> {
        let (last, before) = self.parts.split_last()?;
        let rows = words.windows(self.parts.len());
        rows.filter_map(|row| match row.split_last() {
            Some((word, others)) if others == before => beginning(word, last),
            _ => None,
        })
        .max()
    }
}

fn beginning(word: &str, wanted: &str) -> Option<Hit> {
    let rest = word.strip_prefix(wanted)?;
    Some(if rest.is_empty() {
        Hit::Whole
    } else {
        Hit::Beginning
    })
}

/// The words of a text, folded: runs of letters and digits, cut also where a small letter meets a capital one.
fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_small = false;
    // Decomposed, so that a text in either form is cut alike; a mark belongs to the letter before it.
    for c in text.nfkd() {
        if is_combining_mark(c) || is_dropped(c) {
            word.push(c);
            continue;
        }
        let ends = !c.is_alphanumeric() || (after_small && c.is_uppercase());
        if ends && !word.is_empty() {
            words.push(fold(&word));
            word.clear();
        }
        if c.is_alphanumeric() {
            word.push(c);
        }
        after_small = c.is_lowercase() || c.is_numeric();
    }
    words.push(fold(&word));
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_query_is_found_however_it_is_written() {
        for (haystack, query) in [
            ("À l'hôpital", "hopital"),
            ("à l'ho\u{302}pital", "hôpital"),
            ("hopital", "HÔPITAL"),
            ("Un cœur simple", "coeur"),
            ("un coeur simple", "cœur"),
            ("La décision du jour", "decision"),
            ("La décision du jour", "jour DÉCISION"),
            ("全文検索のテスト", "検索"),
            ("全文検索のテスト", "テスト　検索"),
            ("カ\u{3099}イト\u{3099}", "ガイド"),
            ("ＡＰＰＥＮＤ only", "append"),
            ("append", "ａｐｐｅｎｄ"),
            ("the append_only log", "append only"),
            ("the appendOnly log", "append only"),
            ("the append-only log", "appendOnly"),
            ("the append only log", "append_only"),
            ("the appendonly log", "appendOnly"),
            ("unbreakable", "break"),
            ("what now?", "?"),
            ("C++ and Rust", "c++"),
            ("l’été dernier", "l'été"),
            ("anything", ""),
            ("anything", "  "),
        ] {
            assert!(
                matches_words(haystack, query).is_some(),
                "{query:?} in {haystack:?}"
            );
        }
    }

    #[test]
    fn a_missing_word_is_a_miss() {
        for (haystack, query) in [
            ("the append_only log", "append index"),
            ("the log that only appends", "append_only"),
            ("directory of telephones", "iPhone"),
            ("かき", "がき"),
            ("", "log"),
        ] {
            assert_eq!(
                matches_words(haystack, query),
                None,
                "{query:?} in {haystack:?}"
            );
        }
    }

    #[test]
    fn the_better_match_scores_higher() {
        for (query, best_first) in [
            ("log", &["the log", "the logs", "a catalogue"][..]),
            ("only", &["append_only", "the onlyness", "commonly"]),
            ("only", &["appendOnly", "the onlyness", "commonly"]),
            ("été", &["l'été", "étéin", "coéternel arrêtés éclaté tété"]),
            (
                "append log",
                &["append log", "log append", "append logs", "appends logs"],
            ),
            // Punctuation helps where it is there, and does not hinder where it is not.
            ("c++", &["C++ and Rust", "C and Rust"]),
            ("検索", &["検索", "検索のテスト", "全文検索"]),
        ] {
            let scores: Vec<_> = best_first
                .iter()
                .map(|text| matches_words(text, query))
                .collect();
            assert!(scores.iter().all(Option::is_some), "{query}: {scores:?}");
            assert!(
                scores.windows(2).all(|pair| pair[0] > pair[1]),
                "{query}: {scores:?}"
            );
        }
    }
}
