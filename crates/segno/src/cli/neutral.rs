//! Text from files made harmless before a person's terminal sees it.
//!
//! Control characters (and with them every terminal escape) and the characters that turn the direction of writing
//! around are shown as `\u{1b}`: visible, and without effect.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text that may have several lines: line ends and tabs stay.
pub fn block(text: &str) -> Cow<'_, str> {
    escape(text, |c| matches!(c, '\n' | '\t'))
}

/// Text that has to stay on one line: line ends and tabs are shown escaped as well.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// JSON text whose strings hold nothing that a terminal would act on; it says the same to a parser.
///
/// The serializer has escaped what lies below U+0020; outside strings, JSON has none of the others.
pub fn json(text: String) -> String {
    // Each of them begins with one of these bytes.
    let is_active_at = |at: usize| {
        text.get(at..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(is_active)
    };
    if !memchr::memchr3_iter(0x7f, 0xc2, 0xe2, text.as_bytes()).any(is_active_at) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_active(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let active = |c: char| is_active(c) && !keep(c);
    if !text.contains(active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if active(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// True for what a terminal acts on instead of showing it. All of these are within four hexadecimal digits.
fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Embeddings, overrides and isolates of the writing direction.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators: a line end to some programs only.
            | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_shown_instead() {
        let check = |text: &str, as_line: &str, as_block: &str| {
            assert_eq!(line(text), as_line);
            assert_eq!(block(text), as_block);
        };
        check(
            "plain 日本語 é 👩‍💻",
            "plain 日本語 é 👩‍💻",
            "plain 日本語 é 👩‍💻",
        );
        check("\u{1b}[31mred", "\\u{1b}[31mred", "\\u{1b}[31mred");
        check("\u{9b}2J", "\\u{9b}2J", "\\u{9b}2J");
        check(
            "a\u{202e}b\u{2066}",
            "a\\u{202e}b\\u{2066}",
            "a\\u{202e}b\\u{2066}",
        );
        check(
            "bell\u{7}del\u{7f}",
            "bell\\u{7}del\\u{7f}",
            "bell\\u{7}del\\u{7f}",
        );
        check(
            "one\ntwo\tthree\r",
            "one\\ntwo\\tthree\\r",
            "one\ntwo\tthree\\r",
        );
    }

    #[test]
    fn json_says_the_same_after_it_was_made_harmless() {
        let value = serde_json::json!({"title": "a\u{202e}b\u{9b}c\u{1b}\u{7f} 日本"});
        let text = json(value.to_string());
        assert!(text.contains("\\u202e") && text.contains("\\u009b") && text.contains("\\u007f"));
        assert!(!text.contains(is_active));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            value
        );
    }
}
