//! Setting a value in the place of another.
//!
//! New text that spans lines is laid as *first line*, then whatever comment the old line ended with, then *the other
//! lines*. A comment may stand behind any first line (a scalar, a `key:`, a `|`), so none needs to move.

use super::doc::{Raw, Shape, Style as Quoting};
use super::error::YamlError;
use super::layout;
use super::splice::{Plan, Rank};
use super::value::Value;
use super::write::{self, Printer, Wish};

/// What a block node is to what surrounds it, and the column that its indentation is measured from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Value(usize),
    Item(usize),
}

impl Place {
    fn base(self) -> usize {
        match self {
            Self::Root => 0,
            Self::Value(column) | Self::Item(column) => column,
        }
    }
}

/// Where the old value stands: its part on the first line, and the lines below that go with it.
struct Old {
    /// The part on the first line.
    inline: (usize, usize),
    /// Lines below, from the end of a line to the end of a line.
    below: (usize, usize),
    /// The new text needs a space before it.
    detached: bool,
    /// It is a collection that begins on a line below its indicator.
    on_later_line: bool,
    /// There are comments between the first line and the lines below.
    comments_between: bool,
}

impl Plan<'_> {
    pub(super) fn replace(&mut self, node: u32, value: &Value) -> Result<(), YamlError> {
        let raw = self.doc.raw(node);
        let parent = self.doc.raw(raw.parent);
        let in_flow = matches!(
            parent.shape,
            Shape::Map { flow: true } | Shape::List { flow: true }
        );
        if node != 0 && in_flow {
            return self.replace_in_flow(node, value);
        }
        if node == 0 && raw.head == raw.end {
            let printed = write::to_text(value, &self.edit.style)?;
            let at = layout::line_after(self.text, raw.end as usize);
            self.push_lines(at, Rank::Before, printed.trim_end_matches('\n').to_owned());
            return Ok(());
        }
        let place = if node == 0 {
            Place::Root
        } else if matches!(parent.shape, Shape::List { .. }) {
            Place::Item(self.column(raw.lead))
        } else {
            if self.text.as_bytes().get(raw.lead as usize) != Some(&b':') {
                return Err(self.refuse(node, "a key without `:` cannot get a value here"));
            }
            Place::Value(self.column(parent.start))
        };
        let old = self.old(raw, place);
        if value.is_collection() && !value.is_empty_collection() && !self.stays_inline(node, value)
        {
            self.replace_with_block(raw, value, place, old);
        } else {
            self.replace_with_scalar(node, value, place, &old);
        }
        Ok(())
    }

    /// True for brackets that stay: around scalars on one line, or around a mapping that had entries in them.
    fn stays_inline(&self, node: u32, value: &Value) -> bool {
        match self.doc.raw(node).shape {
            Shape::List { flow: true } => write::fits_one_line(value),
            Shape::Map { flow: true } => {
                matches!(value, Value::Map(_)) && self.doc.children(node).next().is_some()
            }
            _ => false,
        }
    }

    fn old(&self, raw: &Raw, place: Place) -> Old {
        let (lead, head, start) = (raw.lead as usize, raw.head as usize, raw.start as usize);
        let end = raw.end as usize;
        let line_end = layout::line_end(self.text, end);
        let mut old = Old {
            inline: (head, end),
            below: (line_end, line_end),
            detached: place != Place::Root && end == lead + 1,
            on_later_line: false,
            comments_between: false,
        };
        match raw.shape {
            Shape::Scalar(Quoting::Literal | Quoting::Folded, _) => {
                let header_end = layout::header_end(self.text, start);
                let below = layout::line_end(self.text, header_end);
                old.inline = (head, header_end);
                old.below = (below, self.before_newline(end).max(below));
            }
            Shape::Map { flow: false } | Shape::List { flow: false } if place != Place::Root => {
                let gap = self.text.get(lead..start).unwrap_or("");
                if gap.contains('\n') {
                    let props = self.properties_end(lead + 1, start);
                    let first_end = layout::line_end(self.text, props);
                    let line = layout::line_start(self.text, start);
                    let above = self.before_newline(line).max(first_end);
                    old.inline = (lead + 1, props);
                    old.below = (above, end);
                    old.detached = true;
                    old.on_later_line = true;
                    old.comments_between = above > first_end;
                }
            }
            _ => {}
        }
        old
    }

    /// The end of the anchor and tag that stand on the line of `from`; `from` if there are none.
    fn properties_end(&self, from: usize, limit: usize) -> usize {
        let mut end = from;
        loop {
            let line = self
                .text
                .get(end..layout::line_end(self.text, end))
                .unwrap_or("");
            let token = end + (line.len() - line.trim_start_matches([' ', '\t']).len());
            if token >= limit || !matches!(self.text.as_bytes().get(token), Some(b'&' | b'!')) {
                return end;
            }
            end = layout::token_end(self.text, token);
        }
    }

    /// A position before the line break that directly precedes `at`, or `at` itself.
    fn before_newline(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or("");
        let cut = before.strip_suffix('\n').unwrap_or(before);
        if cut.len() == before.len() {
            return at;
        }
        cut.strip_suffix('\r').unwrap_or(cut).len()
    }

    /// True when a literal block at the end of the new text would take in what follows the old one.
    fn would_swallow(&self, old: &Old, place: Place) -> bool {
        let end = old.below.1;
        let comment_behind = end < layout::line_end(self.text, end);
        !self.edit.literals || comment_behind || layout::would_swallow(self.text, end, place.base())
    }

    fn replace_with_scalar(&mut self, node: u32, value: &Value, place: Place, old: &Old) {
        let body_indent = match place {
            Place::Root => self.edit.style.indent,
            Place::Value(column) => column + self.edit.style.indent.max(1),
            Place::Item(column) => column + 2,
        };
        let swallows = old.comments_between || self.would_swallow(old, place);
        let wish = match self.edit.quoting(node) {
            Some(Quoting::Plain) => Wish::Plain,
            Some(Quoting::Single) => Wish::Single,
            Some(Quoting::Double) => Wish::Double,
            Some(Quoting::Literal | Quoting::Folded) => Wish::Literal,
            None => Wish::Style,
        };
        // Several lines in quotes are hard to read: there the style may choose a block after all.
        let many_lines = matches!(value, Value::Str(text) if text.contains('\n'));
        let wish = match wish {
            Wish::Plain if many_lines => Wish::Style,
            other => other,
        };
        let wish = match wish {
            Wish::Literal | Wish::Style if swallows || place == Place::Root => Wish::OneLine,
            other => other,
        };
        let (first, rest) = write::scalar(value, wish, &self.edit.style, false, body_indent);
        self.lay(old, &first, &rest);
    }

    fn replace_with_block(&mut self, raw: &Raw, value: &Value, place: Place, mut old: Old) {
        let same_kind = match value {
            Value::List(_) => matches!(raw.shape, Shape::List { flow: false }),
            _ => matches!(raw.shape, Shape::Map { flow: false }),
        };
        let compact = place != Place::Value(place.base()) && !old.on_later_line;
        let mut indent = match (place, value) {
            (Place::Root, _) => 0,
            (Place::Value(column), Value::List(_)) => column + self.edit.style.list_indent,
            (Place::Value(column), _) => column + self.edit.style.indent.max(1),
            (Place::Item(column), _) => column + 2,
        };
        if compact {
            if !old.detached {
                indent = self.column(raw.head);
            }
        } else if same_kind && old.on_later_line {
            indent = self.column(raw.start);
        }
        if !compact {
            let lead = raw.lead as usize;
            old.inline.0 = lead + 1;
            old.detached = false;
            let was_empty = old.below.0 == old.below.1 && !old.on_later_line;
            if was_empty
                && (raw.start == raw.end
                    || matches!(raw.shape, Shape::Map { .. } | Shape::List { .. }))
            {
                let end = layout::deeper_comments_end(self.text, old.below.0, place.base());
                if end > old.below.0 {
                    indent = self.commented_indent(old.below.0, indent, value, place);
                    old.below = (end, end);
                }
            }
        }
        let swallows = self.would_swallow(&old, place);
        let printer = if swallows {
            Printer::without_literals(&self.edit.style)
        } else {
            Printer::new(&self.edit.style)
        };
        let mut lines = String::new();
        printer.block(&mut lines, value, indent);
        if compact {
            let lines = lines.trim_start_matches(' ');
            let (first, rest) = lines.split_once('\n').unwrap_or((lines, ""));
            self.lay(&old, first, rest);
        } else {
            self.lay(&old, "", &lines);
        }
    }

    /// The column of the comments that stand in place of a value's lines: new lines follow them.
    fn commented_indent(
        &self,
        end_of_line: usize,
        default: usize,
        value: &Value,
        place: Place,
    ) -> usize {
        let line = layout::line_after(self.text, end_of_line);
        let content = self.text.get(line..).unwrap_or("").trim_start_matches(' ');
        let column = self.text.len() - line - content.len();
        let sketches_list = content.trim_start_matches(['#', ' ']).starts_with('-');
        let usable = column > place.base() && matches!(value, Value::List(_)) == sketches_list;
        if usable { column } else { default }
    }

    /// Sets the first line and the lines below in the place of an old value.
    fn lay(&mut self, old: &Old, first: &str, rest: &str) {
        let gap = if old.detached && !first.is_empty() {
            " "
        } else {
            ""
        };
        self.push(old.inline.0, old.inline.1, format!("{gap}{first}"));
        let (start, end) = old.below;
        if !rest.is_empty() {
            // A literal block needs the line break at the end of the text to be itself.
            let last = if end >= self.text.len() { "\n" } else { "" };
            self.push(start, end, format!("\n{rest}{last}"));
        } else if start < end {
            self.push(start, end, String::new());
        }
    }

    fn replace_in_flow(&mut self, node: u32, value: &Value) -> Result<(), YamlError> {
        let raw = self.doc.raw(node);
        let is_item = matches!(self.doc.raw(raw.parent).shape, Shape::List { .. });
        let wish = match self.edit.quoting(node) {
            Some(Quoting::Plain) => Wish::Plain,
            Some(Quoting::Single) => Wish::Single,
            Some(Quoting::Double) => Wish::Double,
            _ => Wish::OneLine,
        };
        let (text, _) = write::scalar(value, wish, &self.edit.style, true, 0);
        let (head, end) = (raw.head as usize, raw.end as usize);
        let has_colon = self.text.as_bytes().get(raw.lead as usize) == Some(&b':');
        let text = if is_item || head < end {
            text
        } else if has_colon && raw.lead + 1 == raw.end {
            format!(" {text}")
        } else if has_colon {
            return Err(self.refuse(node, "this value cannot be set between brackets"));
        } else {
            format!(": {text}")
        };
        self.push(head, end, text);
        Ok(())
    }
}
