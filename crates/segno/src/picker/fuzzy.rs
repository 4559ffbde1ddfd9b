//! Letters in the right order, not too far apart: what a person types who does not type it all.

/// How well the letters of `word` occur in `text`, in order; the greater the better. Both are folded.
///
/// The letters may have others between them, but only a few: a match scattered over a whole title is no match.
pub(super) fn score(word: &[char], text: &[char]) -> Option<u32> {
    if word.is_empty() {
        return Some(0);
    }
    let mut best: Option<u32> = None;
    let mut from = 0;
    while let Some(end) = forward(word, text, from) {
        let start = backward(word, text, end)?;
        let length = end + 1 - start;
        if length <= allowed(word.len()) {
            let begins_word = start == 0
                || text
                    .get(start - 1)
                    .is_some_and(|before| !before.is_alphanumeric());
            let tight = u32::try_from(1000 * word.len() / length).unwrap_or(0);
            let score = tight + if begins_word { 200 } else { 0 };
            best = best.max(Some(score));
        }
        from = start + 1;
    }
    best
}

/// The longest stretch of text in which a word of this many letters may be scattered.
fn allowed(letters: usize) -> usize {
    letters * 2 + 2
}

/// Where the last letter falls when each is taken as early as possible.
fn forward(word: &[char], text: &[char], from: usize) -> Option<usize> {
    let mut letters = word.iter();
    let mut wanted = letters.next()?;
    for (place, c) in text.iter().enumerate().skip(from) {
        if c == wanted {
            match letters.next() {
                Some(next) => wanted = next,
                None => return Some(place),
            }
        }
    }
    None
}

/// Where the first letter falls when each is taken as late as possible before `end`.
fn backward(word: &[char], text: &[char], end: usize) -> Option<usize> {
    let mut letters = word.iter().rev();
    let mut wanted = letters.next()?;
    for (place, c) in text.iter().enumerate().take(end + 1).rev() {
        if c == wanted {
            match letters.next() {
                Some(next) => wanted = next,
                None => return Some(place),
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str, text: &str) -> Option<u32> {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        score(&chars(word), &chars(text))
    }

    #[test]
    fn letters_in_order_match_and_scattered_ones_do_not() {
        for (word, text, matches) in [
            ("", "anything", true),
            ("apnd", "append-only", true),
            ("aol", "append-only log", false),
            ("検", "全文検索", true),
            ("全索", "全文検索", true),
            ("log", "gol", false),
            ("log", "lxoxg", true),
            ("log", "l and o and g", false),
            ("aab", "aaab", true),
        ] {
            assert_eq!(of(word, text).is_some(), matches, "{word} in {text}");
        }
    }

    #[test]
    fn the_tighter_match_wins_and_the_beginning_of_a_word_counts() {
        assert!(of("log", "the log") > of("log", "the lo-g"));
        assert!(of("log", "the log") > of("log", "catalog"));
    }
}
