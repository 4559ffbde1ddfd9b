//! The habits of a document: how its lines end, how it indents, how it spells characters beyond ASCII.
//!
//! New members are written in the habits of their neighbours; where there are none, in those of the whole document;
//! where that shows none either, in the style that the caller gave.

use std::ops::Range;

use super::doc::Doc;
use super::print::{Escapes, Layout, Lines, Printer};
use super::value::{Kind, Value};

/// The children of an object or array: the bytes that each takes, key and value together.
pub(super) fn children(container: Value<'_>) -> Vec<Range<usize>> {
    match container.kind() {
        Kind::Object => container
            .entries()
            .map(|entry| entry.name.range().start..entry.value.range().end)
            .collect(),
        _ => container.items().map(|item| item.range()).collect(),
    }
}

impl Doc {
    /// How a child of this container is to be written, its line's indentation included.
    pub(super) fn child_printer(&self, container: Value<'_>) -> Printer {
        let children = children(container);
        let colon = self.colon_near(container);
        let lines = self.child_lines(container, children.first());
        let comma = match &lines {
            Some(_) => ",".to_owned(),
            None => self.comma_near(&children, &colon),
        };
        Printer {
            escapes: self.escapes(),
            comma,
            colon,
            lines,
        }
    }

    /// How the children's lines begin, when each stands on its own.
    fn child_lines(&self, container: Value<'_>, first: Option<&Range<usize>>) -> Option<Lines> {
        let open = container.range().start;
        if let Some(first) = first {
            let gap = self.slice(open + 1..first.start);
            return self.lines_of_gap(gap, open);
        }
        // An empty container takes the habit of the document around it.
        let root = self.root();
        let outer = self.line_indent(open);
        let mut lines = match children(root).first() {
            Some(first) => {
                let start = root.range().start;
                self.lines_of_gap(self.slice(start + 1..first.start), start)?
            }
            None => match self.fallback.layout {
                Layout::Indented(width) => Lines {
                    eol: if self.text.contains("\r\n") {
                        "\r\n"
                    } else {
                        "\n"
                    },
                    unit: " ".repeat(width),
                    indent: String::new(),
                },
                Layout::Compact | Layout::Spaced => return None,
            },
        };
        lines.indent = format!("{outer}{}", lines.unit);
        Some(lines)
    }

    /// Reads the space between a bracket and its first child; `None` when the child stands on the same line.
    fn lines_of_gap(&self, gap: &str, bracket: usize) -> Option<Lines> {
        let (before, indent) = gap.rsplit_once('\n')?;
        let outer = self.line_indent(bracket);
        let unit = indent.strip_prefix(outer).unwrap_or(indent);
        Some(Lines {
            eol: if before.ends_with('\r') { "\r\n" } else { "\n" },
            unit: unit.to_owned(),
            indent: indent.to_owned(),
        })
    }

    /// The space that the line of a byte begins with.
    fn line_indent(&self, at: usize) -> &str {
        let before = self.slice(0..at);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let line = line.trim_start_matches('\u{feff}');
        let text = line.trim_start_matches([' ', '\t']);
        line.get(..line.len() - text.len()).unwrap_or_default()
    }

    /// What stands between a key and its value: near the container, else anywhere, else as the caller said.
    fn colon_near(&self, container: Value<'_>) -> String {
        let near = container
            .entries()
            .next()
            .or_else(|| self.root().entries().next());
        let gap = near.map(|entry| self.slice(entry.name.range().end..entry.value.range().start));
        match gap {
            Some(gap) if !gap.contains(['\n', '\r']) => gap.to_owned(),
            None if self.fallback.layout == Layout::Compact => ":".to_owned(),
            _ => ": ".to_owned(),
        }
    }

    /// What stands between two children of one line.
    fn comma_near(&self, children: &[Range<usize>], colon: &str) -> String {
        let root = children_of_line(self);
        for pair in [children, &root] {
            if let [first, second, ..] = pair {
                let gap = self.slice(first.end..second.start);
                if !gap.contains(['\n', '\r']) {
                    return gap.to_owned();
                }
            }
        }
        let spaced = colon.ends_with(' ');
        if spaced { ", " } else { "," }.to_owned()
    }

    /// How the document spells characters beyond ASCII: as they are if any stands so, escaped if any is escaped.
    fn escapes(&self) -> Escapes {
        if !self.text.trim_start_matches('\u{feff}').is_ascii() {
            Escapes::Raw
        } else if has_wide_escape(&self.text) {
            Escapes::Ascii
        } else {
            self.fallback.escapes
        }
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text
            .get(range)
            .expect("because spans begin and end at ASCII bytes")
    }
}

fn children_of_line(doc: &Doc) -> Vec<Range<usize>> {
    children(doc.root()).into_iter().take(2).collect()
}

/// True when a character from U+0080 up is written as an escape.
pub(in crate::text) fn has_wide_escape(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), b"\\u").any(|at| {
        let digits = text.get(at + 2..at + 6).unwrap_or_default();
        // `\\u` preceded by an odd backslash is text about an escape; a rare miss costs only the look of new values.
        u32::from_str_radix(digits, 16).is_ok_and(|unit| unit >= 0x80)
    })
}
