//! Small readings of text that several artifacts share.

/// How many words a text has.
pub(in super::super) fn count_words(text: &str) -> u64 {
    let words = text.split_whitespace();
    words
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count() as u64
}

/// The text on one line, space collapsed.
pub(in super::super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// True when two titles are the same but for case, marks and spacing.
pub(in super::super) fn same_title(a: &str, b: &str) -> bool {
    key(a) == key(b)
}

/// What is left of a title without case, marks and spacing.
pub(super) fn key(title: &str) -> String {
    let letters = title.chars().filter(|c| c.is_alphanumeric());
    let folded: String = letters.flat_map(char::to_lowercase).collect();
    if folded.is_empty() {
        title.trim().to_owned()
    } else {
        folded
    }
}

/// The first whole number in a text; thousands may be parted by commas.
pub(super) fn first_number(text: &str) -> Option<u64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits: String = text
        .get(start..)?
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}
