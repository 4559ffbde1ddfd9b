//! Which rows fit what was typed, best first.

use std::cmp::Reverse;

use segno_index::{Folded, Matcher, Score, fold};

use super::fuzzy;

/// What a row is searched by.
#[derive(Debug, Clone)]
pub struct Haystack {
    /// Searched for words.
    whole: Folded,
    /// Searched for letters in order: only the short texts, since in a long one any letters can be found.
    short: Vec<char>,
}

impl Haystack {
    /// Title, kind, id and the like, and the summary.
    pub fn new(short: &[&str], summary: &str) -> Self {
        let short = short.join(" ");
        Self {
            whole: Folded::new(&format!("{short} {summary}")),
            short: fold(&short).chars().collect(),
        }
    }
}

/// A row that has all the words comes before one that only has their letters.
type Rank = (Option<Score>, u32);

/// The places of the rows that fit, best first; rows that fit equally well keep their order.
pub(super) fn rank<'a>(query: &str, rows: impl Iterator<Item = &'a Haystack>) -> Vec<usize> {
    let matcher = Matcher::new(query);
    let words: Vec<Vec<char>> = query
        .split_whitespace()
        .map(|word| fold(word).chars().collect())
        .collect();
    let mut ranked: Vec<(Reverse<Rank>, usize)> = rows
        .enumerate()
        .filter_map(|(place, row)| {
            let whole = matcher.score_folded(&row.whole);
            let letters = words
                .iter()
                .map(|word| fuzzy::score(word, &row.short))
                .sum::<Option<u32>>();
            (whole.is_some() || letters.is_some())
                .then(|| (Reverse((whole, letters.unwrap_or(0))), place))
        })
        .collect();
    if words.is_empty() {
        ranked.sort_by_key(|(_, place)| *place);
    } else {
        ranked.sort();
    }
    ranked.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_win_over_letters_and_accents_and_case_do_not_matter() {
        let rows = [
            Haystack::new(&["The append-only log", "conversation"], "we chose the log"),
            Haystack::new(&["Décision à l'hôpital", "discuss"], ""),
            Haystack::new(&["全文検索の設計", "brainstorm"], "ログを選んだ"),
            Haystack::new(&["Un cœur simple", "essay"], "a short catalogue"),
        ];
        let check = |query: &str, expected: &[usize]| {
            assert_eq!(rank(query, rows.iter()), expected, "{query}");
        };
        check("", &[0, 1, 2, 3]);
        check("log", &[0, 3]);
        check("hopital", &[1]);
        check("HÔPITAL décision", &[1]);
        check("hoptl", &[1]);
        check("検索", &[2]);
        check("coeur", &[3]);
        check("essay", &[3]);
        check("ログ", &[2]);
        check("nothing like it", &[]);
    }
}
