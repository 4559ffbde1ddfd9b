//! Prints values that are to be written, in the style of the tools that read them.

use super::string::push_quoted;
use super::tree::Tree;

/// How characters beyond ASCII are spelt in what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Escapes {
    /// As they are, in UTF-8.
    #[default]
    Raw,
    /// As `\uXXXX`, as Python's `json.dumps` does unless told otherwise.
    Ascii,
}

/// Where space goes in what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// One line, no space: `{"a":1,"b":2}`.
    Compact,
    /// One line, space behind commas and colons: `{"a": 1, "b": 2}`.
    #[default]
    Spaced,
    /// One member or item per line, this many spaces per level.
    Indented(usize),
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// How characters beyond ASCII are spelt.
    pub escapes: Escapes,
    /// Where space goes.
    pub layout: Layout,
}

impl Style {
    /// As Python's `json.dumps(value, indent=2)` writes.
    pub const PYTHON_INDENTED: Self = Self {
        escapes: Escapes::Ascii,
        layout: Layout::Indented(2),
    };
    /// As Python's `json.dumps(value)` writes.
    pub const PYTHON_LINE: Self = Self {
        escapes: Escapes::Ascii,
        layout: Layout::Spaced,
    };
    /// As `JSON.stringify(value, null, 2)` and `jq` write.
    pub const INDENTED: Self = Self {
        escapes: Escapes::Raw,
        layout: Layout::Indented(2),
    };
    /// As `JSON.stringify(value)` and `jq -c` write.
    pub const COMPACT: Self = Self {
        escapes: Escapes::Raw,
        layout: Layout::Compact,
    };
    /// One line with spaces, characters as they are.
    pub const SPACED: Self = Self {
        escapes: Escapes::Raw,
        layout: Layout::Spaced,
    };
}

impl Tree {
    /// The value as text, without a line end behind it.
    pub fn to_text(&self, style: Style) -> String {
        let mut printer = Printer::styled(style);
        let mut out = String::new();
        printer.print(&mut out, self);
        out
    }
}

/// The marks between values, and how deep the printer is.
pub(super) struct Printer {
    pub(super) escapes: Escapes,
    pub(super) comma: String,
    pub(super) colon: String,
    /// One member per line, or all on one.
    pub(super) lines: Option<Lines>,
}

/// How lines begin and end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) eol: &'static str,
    pub(super) unit: String,
    /// What the line that holds the value begins with.
    pub(super) indent: String,
}

impl Printer {
    fn styled(style: Style) -> Self {
        let (comma, colon) = match style.layout {
            Layout::Compact => (",", ":"),
            Layout::Spaced => (", ", ": "),
            Layout::Indented(_) => (",", ": "),
        };
        Self {
            escapes: style.escapes,
            comma: comma.to_owned(),
            colon: colon.to_owned(),
            lines: match style.layout {
                Layout::Indented(width) => Some(Lines {
                    eol: "\n",
                    unit: " ".repeat(width),
                    indent: String::new(),
                }),
                Layout::Compact | Layout::Spaced => None,
            },
        }
    }

    /// Prints a value. Recursion is as deep as the tree, which this program built.
    pub(super) fn print(&mut self, out: &mut String, tree: &Tree) {
        match tree {
            Tree::Null => out.push_str("null"),
            Tree::Bool(true) => out.push_str("true"),
            Tree::Bool(false) => out.push_str("false"),
            Tree::Text(text) => push_quoted(out, text, self.escapes),
            Tree::Raw(raw) if self.lines.is_some() => out.push_str(raw.as_str()),
            Tree::Raw(raw) => self.print_on_one_line(out, raw.as_str()),
            Tree::Array(items) => self.print_list(out, "[", items, "]", Self::print),
            Tree::Object(members) => {
                self.print_list(out, "{", members, "}", |printer, out, member| {
                    printer.print_member(out, &member.0, &member.1);
                });
            }
        }
    }

    /// Prints a key, its colon and its value.
    pub(super) fn print_member(&mut self, out: &mut String, key: &str, value: &Tree) {
        push_quoted(out, key, self.escapes);
        out.push_str(&self.colon);
        self.print(out, value);
    }

    fn print_list<T>(
        &mut self,
        out: &mut String,
        open: &str,
        list: &[T],
        close: &str,
        mut print: impl FnMut(&mut Self, &mut String, &T),
    ) {
        out.push_str(open);
        self.deepen();
        for (index, one) in list.iter().enumerate() {
            if index > 0 {
                out.push_str(&self.comma);
            }
            self.new_line(out);
            print(self, out, one);
        }
        self.rise();
        if !list.is_empty() {
            self.new_line(out);
        }
        out.push_str(close);
    }

    fn deepen(&mut self) {
        if let Some(lines) = &mut self.lines {
            lines.indent.push_str(&lines.unit);
        }
    }

    fn rise(&mut self) {
        if let Some(lines) = &mut self.lines {
            lines.indent.truncate(lines.indent.len() - lines.unit.len());
        }
    }

    fn new_line(&self, out: &mut String) {
        if let Some(lines) = &self.lines {
            out.push_str(lines.eol);
            out.push_str(&lines.indent);
        }
    }

    /// Copies a value that may have been spelt over several lines; its strings and numbers stay as they are.
    fn print_on_one_line(&self, out: &mut String, raw: &str) {
        if memchr::memchr2(b'\n', b'\r', raw.as_bytes()).is_none() {
            out.push_str(raw);
            return;
        }
        let (mut in_string, mut escaped) = (false, false);
        for c in raw.chars() {
            match c {
                _ if in_string => {
                    in_string = escaped || c != '"';
                    escaped = c == '\\' && !escaped;
                    out.push(c);
                }
                ' ' | '\t' | '\n' | '\r' => {}
                ',' => out.push_str(&self.comma),
                ':' => out.push_str(&self.colon),
                _ => {
                    in_string = c == '"';
                    out.push(c);
                }
            }
        }
    }
}
