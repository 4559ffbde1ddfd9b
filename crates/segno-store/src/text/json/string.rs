//! Strings between their spelling in JSON and their text.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::print::Escapes;

/// The text of a scanned string with its quotes, and whether half a surrogate pair had to be shown as U+FFFD.
pub(super) fn decode(raw: &str) -> (Cow<'_, str>, bool) {
    let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    let Some(first) = memchr::memchr(b'\\', inner.as_bytes()) else {
        return (Cow::Borrowed(inner), false);
    };
    let (plain, mut rest) = inner.split_at(first);
    let mut out = String::with_capacity(inner.len());
    out.push_str(plain);
    let mut lossy = false;
    while let Some(escape) = rest.strip_prefix('\\') {
        rest = decode_escape(escape, &mut out, &mut lossy);
        let next = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        let (plain, later) = rest.split_at(next);
        out.push_str(plain);
        rest = later;
    }
    (Cow::Owned(out), lossy)
}

/// Decodes what stands behind a backslash and returns what follows it.
fn decode_escape<'t>(escape: &'t str, out: &mut String, lossy: &mut bool) -> &'t str {
    let mut chars = escape.chars();
    match chars.next() {
        Some('u') => {}
        Some(simple) => {
            out.push(match simple {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            });
            return chars.as_str();
        }
        None => return "",
    }
    let (unit, rest) = hex_unit(chars.as_str());
    if let Some(plain) = char::from_u32(unit) {
        out.push(plain);
        return rest;
    }
    let second = rest.strip_prefix("\\u").map(hex_unit);
    if let Some((low @ 0xdc00..0xe000, after)) = second
        && unit < 0xdc00
    {
        let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        out.extend(char::from_u32(code));
        return after;
    }
    out.push(char::REPLACEMENT_CHARACTER);
    *lossy = true;
    rest
}

/// Four hexadecimal digits and what follows them.
fn hex_unit(text: &str) -> (u32, &str) {
    let (digits, rest) = text.split_at_checked(4).unwrap_or((text, ""));
    (u32::from_str_radix(digits, 16).unwrap_or(0xfffd), rest)
}

/// A text as a JSON string, quotes included.
pub fn quote(text: &str, escapes: Escapes) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text, escapes);
    out
}

pub(super) fn push_quoted(out: &mut String, text: &str, escapes: Escapes) {
    out.push('"');
    let mut plain_from = 0;
    for (at, c) in text.char_indices() {
        if !needs_escape(c, escapes) {
            continue;
        }
        out.push_str(text.get(plain_from..at).unwrap_or_default());
        push_escape(out, c);
        plain_from = at + c.len_utf8();
    }
    out.push_str(text.get(plain_from..).unwrap_or_default());
    out.push('"');
}

fn needs_escape(c: char, escapes: Escapes) -> bool {
    match c {
        '"' | '\\' | '\0'..='\u{1f}' => true,
        ' '..='~' => false,
        _ => escapes == Escapes::Ascii,
    }
}

fn push_escape(out: &mut String, c: char) {
    let short = match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("because writing to a string cannot fail");
            }
            return;
        }
    };
    out.push_str(short);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_and_half_pairs_shown() {
        for (raw, text, lossy) in [
            (r#""""#, "", false),
            (r#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz", false),
            (r#""\u00e9\ud83d\ude00!""#, "\u{e9}\u{1f600}!", false),
            (r#""\ud83d""#, "\u{fffd}", true),
            (
                r#""\ude00\ud83d\ud83d\ude00""#,
                "\u{fffd}\u{fffd}\u{1f600}",
                true,
            ),
            (r#""\ud83d\u0041""#, "\u{fffd}A", true),
            (r#""\ud83d\n""#, "\u{fffd}\n", true),
        ] {
            assert_eq!(decode(raw), (Cow::Borrowed(text), lossy), "{raw}");
        }
    }

    #[test]
    fn text_is_quoted_as_python_and_as_everyone_else_does() {
        let text = "\u{e9}\u{1f600}\u{2028}\u{7f}\u{1}\n\"\\/";
        assert_eq!(
            quote(text, Escapes::Ascii),
            r#""\u00e9\ud83d\ude00\u2028\u007f\u0001\n\"\\/""#
        );
        assert_eq!(
            quote(text, Escapes::Raw),
            "\"\u{e9}\u{1f600}\u{2028}\u{7f}\\u0001\\n\\\"\\\\/\""
        );
    }
}
