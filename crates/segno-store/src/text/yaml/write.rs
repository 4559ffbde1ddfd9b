//! The printer: plain data to text that every reader, old or new, reads back as the same data.
//!
//! YAML 1.1 readers (`PyYAML`, ruamel in its compatible modes, libyaml) and YAML 1.2 readers (js-yaml, this one) differ in
//! what an unquoted word means and in which characters end a line. So a string goes unquoted only if it is made of
//! letters and a few harmless signs, and becomes a literal block only if no reader can misjudge its indentation.

use std::fmt::Write as _;

use super::error::{ErrorKind, YamlError};
use super::scalar::is_ambiguous;
use super::value::{Map, Value};

/// Readers find a key only within 1,024 characters; a little less leaves room for the quotes' own cost.
const LONGEST_KEY: usize = 1_000;

/// Deeper data is refused rather than printed: no reader of ours would take it back.
const DEEPEST: usize = 128;

/// How new text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Which strings get quotes.
    pub strings: Strings,
    /// Spaces per level of mappings.
    pub indent: usize,
    /// Spaces between a key and the dashes of the list under it; may be 0.
    pub list_indent: usize,
    /// Keys whose lists of single-line scalars are written on the key's line: `tags: ["a", "b"]`.
    pub inline_keys: &'static [&'static str],
}

/// Which strings get quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strings {
    /// All: `status: "in_progress"`. Keys stay bare where they can.
    Quoted,
    /// Only those that some reader would misunderstand.
    AsNeeded,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            strings: Strings::Quoted,
            indent: 2,
            list_indent: 2,
            inline_keys: &[],
        }
    }
}

/// How a scalar is to be written if it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// As the style says, multi-line text as a literal block.
    Style,
    /// On one line, as the style says.
    OneLine,
    Plain,
    Single,
    Double,
    Literal,
}

/// Prints a whole document: a mapping or list as a block, anything else on one line; with a line break at the end.
///
/// # Errors
/// Data deeper than 128 levels, keys that are collections or longer than 1,000 characters.
pub fn to_text(value: &Value, style: &Style) -> Result<String, YamlError> {
    check(value)?;
    let mut out = String::new();
    if value.is_collection() && !value.is_empty_collection() {
        Printer::new(style).block(&mut out, value, 0);
    } else {
        out.push_str(&one_line(value, style, false));
    }
    out.push('\n');
    Ok(out)
}

/// Refuses what cannot be printed so that all readers agree. Also bounds the recursion of everything below.
pub(super) fn check(value: &Value) -> Result<(), YamlError> {
    let mut queue = vec![(value, 0_usize)];
    while let Some((value, depth)) = queue.pop() {
        if depth > DEEPEST {
            let message = format!("the new value is nested more than {DEEPEST} levels deep");
            return Err(YamlError::new(ErrorKind::TooDeep, (1, 1), message));
        }
        match value {
            Value::List(items) => queue.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    check_key(key)?;
                    queue.push((value, depth + 1));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_key(key: &Value) -> Result<(), YamlError> {
    let message = if key.is_collection() {
        "a list or mapping cannot be a key here".to_owned()
    } else if key_text(key).chars().count() > LONGEST_KEY {
        format!("a key may have at most {LONGEST_KEY} characters, escapes included")
    } else {
        return Ok(());
    };
    Err(YamlError::new(ErrorKind::Unsupported, (1, 1), message))
}

/// Prints blocks in a style.
pub(super) struct Printer<'s> {
    style: &'s Style,
    /// False where what follows would be taken into a literal block.
    literals: bool,
}

impl<'s> Printer<'s> {
    pub(super) fn new(style: &'s Style) -> Self {
        Self {
            style,
            literals: true,
        }
    }

    pub(super) fn without_literals(style: &'s Style) -> Self {
        Self {
            style,
            literals: false,
        }
    }

    /// A collection that is not empty, each line indented; no line break at the end.
    pub(super) fn block(&self, out: &mut String, value: &Value, indent: usize) {
        match value {
            Value::List(items) => {
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push('\n');
                    }
                    self.item(out, item, indent);
                }
            }
            Value::Map(map) => {
                for (n, (key, value)) in map.iter().enumerate() {
                    if n > 0 {
                        out.push('\n');
                    }
                    self.entry(out, key, value, indent);
                }
            }
            _ => {}
        }
    }

    /// One `- item`.
    pub(super) fn item(&self, out: &mut String, item: &Value, indent: usize) {
        spaces(out, indent);
        out.push('-');
        if item.is_collection() && !item.is_empty_collection() {
            let mut nested = String::new();
            self.block(&mut nested, item, indent + 2);
            out.push(' ');
            out.push_str(nested.trim_start_matches(' '));
        } else {
            self.scalar(out, item, indent + 2);
        }
    }

    /// One `key: value`.
    pub(super) fn entry(&self, out: &mut String, key: &Value, value: &Value, indent: usize) {
        spaces(out, indent);
        out.push_str(&key_text(key));
        out.push(':');
        let inline = key
            .as_str()
            .is_some_and(|key| self.style.inline_keys.contains(&key));
        match value {
            Value::List(items) if !items.is_empty() => {
                if inline && fits_one_line(value) {
                    out.push(' ');
                    out.push_str(&one_line(value, self.style, true));
                } else {
                    out.push('\n');
                    self.block(out, value, indent + self.style.list_indent);
                }
            }
            Value::Map(map) if !map.is_empty() => {
                out.push('\n');
                self.block(out, value, indent + self.style.indent.max(1));
            }
            _ => self.scalar(out, value, indent + self.style.indent.max(1)),
        }
    }

    fn scalar(&self, out: &mut String, value: &Value, body_indent: usize) {
        let wish = if self.literals {
            Wish::Style
        } else {
            Wish::OneLine
        };
        let (first, rest) = scalar(value, wish, self.style, false, body_indent);
        out.push(' ');
        out.push_str(&first);
        if !rest.is_empty() {
            out.push('\n');
            out.push_str(&rest);
        }
    }
}

/// A scalar or empty collection: what goes on the line, and the lines below it (of a literal block).
pub(super) fn scalar(
    value: &Value,
    wish: Wish,
    style: &Style,
    flow: bool,
    body_indent: usize,
) -> (String, String) {
    let Value::Str(text) = value else {
        return (one_line(value, style, flow), String::new());
    };
    let literal = match wish {
        Wish::Literal => true,
        Wish::Style => text.contains('\n'),
        _ => false,
    };
    if literal && !flow && is_literal_safe(text) {
        return literal_block(text, body_indent);
    }
    let bare = match wish {
        Wish::Plain => true,
        Wish::Style | Wish::OneLine => style.strings == Strings::AsNeeded,
        _ => false,
    };
    let line = if bare && is_plain_safe(text) {
        text.clone()
    } else if wish == Wish::Single && is_single_safe(text) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        double_quoted(text)
    };
    (line, String::new())
}

/// Any value on one line, collections in brackets.
pub(super) fn one_line(value: &Value, style: &Style, flow: bool) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Plain(spelling) => spelling.as_str().to_owned(),
        Value::Str(_) => scalar(value, Wish::OneLine, style, flow, 0).0,
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|i| one_line(i, style, true)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => {
            let entries = map
                .iter()
                .map(|(key, value)| one_line_entry(key, value, style));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// `key: value` for use in brackets.
pub(super) fn one_line_entry(key: &Value, value: &Value, style: &Style) -> String {
    format!("{}: {}", key_text(key), one_line(value, style, true))
}

/// True for a list of scalars without line breaks.
pub(super) fn fits_one_line(value: &Value) -> bool {
    let Value::List(items) = value else {
        return false;
    };
    items.iter().all(|item| match item {
        Value::Str(text) => !text.contains('\n'),
        other => !other.is_collection(),
    })
}

pub(super) fn key_text(key: &Value) -> String {
    match key {
        Value::Str(text) if is_plain_safe(text) => text.clone(),
        Value::Str(text) => double_quoted(text),
        other => one_line(other, &Style::default(), true),
    }
}

/// A mapping with one entry, for printing it alone.
pub(super) fn single_entry(key: Value, value: Value) -> Value {
    Value::Map(Map::from_entries(vec![(key, value)]))
}

pub(super) fn spaces(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// True when every reader takes the unquoted text for this very string, in brackets too.
fn is_plain_safe(text: &str) -> bool {
    let letter_first = text.starts_with(|c: char| c.is_alphabetic());
    letter_first
        && !text.ends_with(' ')
        && !is_ambiguous(text)
        && text.chars().all(|c| {
            (c.is_alphanumeric() && is_printable(c))
                || matches!(c, ' ' | '-' | '_' | '.' | '/' | '(' | ')' | '+')
        })
}

/// True when every reader takes the text between single quotes, on one line, for this very string.
fn is_single_safe(text: &str) -> bool {
    text.chars().all(is_printable)
}

/// True when every reader takes the text as a literal block for this very string.
fn is_literal_safe(text: &str) -> bool {
    let printable = text
        .chars()
        .all(|c| c == '\n' || c == '\t' || is_printable(c));
    // A first line that begins with white space would need an indentation mark, and libyaml refuses a tab there.
    let starts_plainly = !text.starts_with([' ', '\t', '\n']) && !text.is_empty();
    // Lines of white space alone are read differently, and two line breaks at the end would need `+`, which takes in
    // whatever blank lines come to follow.
    let no_ghosts = text
        .split('\n')
        .all(|line| line.is_empty() || !line.trim_matches([' ', '\t']).is_empty());
    printable && starts_plainly && no_ghosts && !text.ends_with("\n\n")
}

fn literal_block(text: &str, indent: usize) -> (String, String) {
    let (header, body) = match text.strip_suffix('\n') {
        Some(body) => ("|", body),
        None => ("|-", text),
    };
    let mut rest = String::with_capacity(text.len() + indent * 4);
    for (n, line) in body.split('\n').enumerate() {
        if n > 0 {
            rest.push('\n');
        }
        if !line.is_empty() {
            spaces(&mut rest, indent);
            rest.push_str(line);
        }
    }
    (header.to_owned(), rest)
}

fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_printable(c) => out.push(c),
            c => {
                let code = u32::from(c);
                let written = match code {
                    0..=0xFF => write!(out, "\\x{code:02X}"),
                    0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
                    _ => write!(out, "\\U{code:08X}"),
                };
                written.expect("because writing to a String cannot fail");
            }
        }
    }
    out.push('"');
    out
}

/// True for characters that stand for themselves in every reader: no controls, no line breaks of YAML 1.1 or
/// Unicode, no byte order mark, nothing that is no character.
pub(super) fn is_printable(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{A0}' => false,
        '\u{A1}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' => !('\u{FDD0}'..='\u{FDEF}').contains(&c),
        '\u{10000}'.. => u32::from(c) & 0xFFFE != 0xFFFE,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_line(text: &str, expected: &str) {
        let style = Style {
            strings: Strings::AsNeeded,
            ..Style::default()
        };
        let printed = to_text(&single_entry("k".into(), text.into()), &style).unwrap();
        assert_eq!(printed, format!("k: {expected}\n"), "{text:?}");
    }

    #[test]
    fn strings_are_bare_only_when_every_reader_agrees() {
        check_line("word and word", "word and word");
        check_line("\u{e9}t\u{e9}", "\u{e9}t\u{e9}");
        check_line("no", "\"no\"");
        check_line("", "\"\"");
        check_line("12:30", "\"12:30\"");
        check_line("2026-11-18", "\"2026-11-18\"");
        check_line("-_", "\"-_\"");
        check_line("a: b", "\"a: b\"");
        check_line("a #b", "\"a #b\"");
        check_line(" a", "\" a\"");
        check_line("a ", "\"a \"");
        check_line("tab\there", "\"tab\\there\"");
        check_line("\u{85}\u{2028}\u{0}", "\"\\x85\\u2028\\x00\"");
        check_line("say \"x\\y\"", "\"say \\\"x\\\\y\\\"\"");
    }

    #[test]
    fn several_lines_become_a_literal_block_when_it_is_safe() {
        check_line("one\ntwo\n", "|\n  one\n  two");
        check_line("one\n\n\ttwo", "|-\n  one\n\n  \ttwo");
        check_line("\tgo\ncode\n", "\"\\tgo\\ncode\\n\"");
        check_line(" one\ntwo", "\" one\\ntwo\"");
        check_line("one\n \ntwo", "\"one\\n \\ntwo\"");
        check_line("one\n\n", "\"one\\n\\n\"");
        check_line("one\r\ntwo", "\"one\\r\\ntwo\"");
    }

    #[test]
    fn data_too_deep_for_any_reader_is_refused() {
        let mut value = Value::Null;
        for _ in 0..200 {
            value = Value::List(vec![value]);
        }
        let error = to_text(&value, &Style::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooDeep);
    }

    #[test]
    fn a_key_that_readers_would_not_find_is_refused() {
        let map = Map::new().with("k".repeat(1001), 1);
        let error = to_text(&map.into(), &Style::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
    }
}
