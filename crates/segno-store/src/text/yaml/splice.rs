//! From changes to splices: which bytes go, which come, and nothing else.
//!
//! Entries and items come and go here; values are set in the place of others in `replace`.

use std::cmp::Reverse;

use super::changes::Fresh;
use super::doc::{Doc, Shape, Style};
use super::edit::Edit;
use super::error::{ErrorKind, YamlError};
use super::layout;
use super::write::{self, Printer, spaces};

/// Bytes that go and text that comes.
#[derive(Debug)]
struct Splice {
    start: usize,
    end: usize,
    /// Whole lines to be set before the line at `start`, and where among others there.
    lines: Option<Rank>,
    text: String,
}

/// The order of whole lines at one place: first what follows an inner child, then an outer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Behind(Reverse<u32>),
    Before,
}

/// The text with all changes made.
pub(super) fn render(edit: &Edit<'_>) -> Result<String, YamlError> {
    plan(edit)?.assemble()
}

/// The text with all changes made, and the same without some pieces of the old text, which are away from all changes.
pub(super) fn render_with_excerpt(
    edit: &Edit<'_>,
    left_out: &[(usize, usize)],
) -> Result<(String, String), YamlError> {
    let mut plan = plan(edit)?;
    let whole = plan.assemble()?;
    for (start, end) in left_out {
        plan.push(*start, *end, String::new());
    }
    Ok((whole, plan.assemble()?))
}

fn plan<'e>(edit: &'e Edit<'_>) -> Result<Plan<'e>, YamlError> {
    let mut plan = Plan {
        doc: edit.doc,
        edit,
        text: &edit.doc.text,
        splices: Vec::new(),
    };
    for (node, value) in &edit.changes.replaced {
        plan.replace(*node, value)?;
    }
    for (child, group) in &edit.changes.before {
        plan.insert(*child, group, true)?;
    }
    for (child, group) in &edit.changes.after {
        plan.insert(*child, group, false)?;
    }
    for (child, collection) in &edit.changes.removed {
        plan.remove(*child, *collection)?;
    }
    Ok(plan)
}

/// Splices being collected for one document.
pub(super) struct Plan<'e> {
    pub(super) doc: &'e Doc,
    pub(super) edit: &'e Edit<'e>,
    pub(super) text: &'e str,
    splices: Vec<Splice>,
}

impl Plan<'_> {
    pub(super) fn push(&mut self, start: usize, end: usize, text: String) {
        self.splices.push(Splice {
            start,
            end,
            lines: None,
            text,
        });
    }

    pub(super) fn push_lines(&mut self, at: usize, rank: Rank, text: String) {
        self.splices.push(Splice {
            start: at,
            end: at,
            lines: Some(rank),
            text,
        });
    }

    fn insert(&mut self, child: u32, group: &[Fresh], before: bool) -> Result<(), YamlError> {
        let collection = self.doc.raw(child).parent;
        let raw = self.doc.raw(collection);
        if matches!(
            raw.shape,
            Shape::Map { flow: true } | Shape::List { flow: true }
        ) {
            self.refuse_bare_pair(collection)?;
            let texts = group.iter().map(|fresh| match &fresh.key {
                Some(key) => write::one_line_entry(key, &fresh.value, &self.edit.style),
                None => write::one_line(&fresh.value, &self.edit.style, true),
            });
            let texts: Vec<String> = texts.collect();
            if before {
                let head = self.doc.raw(child).head as usize;
                self.push(head, head, format!("{}, ", texts.join(", ")));
            } else {
                let end = self.extent_end(child, collection);
                self.push(end, end, format!(", {}", texts.join(", ")));
            }
            return Ok(());
        }
        let column = self.column(raw.start);
        if before {
            self.insert_before(child, group, column);
        } else {
            let end = self.extent_end(child, collection);
            let line = if self.ends_line(end) {
                end
            } else {
                layout::line_end(self.text, end)
            };
            let line = layout::deeper_comments_end(self.text, line, column);
            let lines = self.lines(group, column, line);
            let rank = Rank::Behind(Reverse(child));
            self.push_lines(layout::line_after(self.text, line), rank, lines);
        }
        Ok(())
    }

    fn insert_before(&mut self, child: u32, group: &[Fresh], column: usize) {
        let lead = self.doc.raw(child).lead as usize;
        let lines = self.lines(group, column, layout::line_end(self.text, lead));
        if layout::is_first_on_line(self.text, lead) {
            let line = layout::line_start(self.text, lead);
            let top = layout::own_comments_start(self.text, line, column);
            self.push_lines(top, Rank::Before, lines);
        } else {
            let mut text = lines.trim_start_matches(' ').to_owned();
            text.push('\n');
            spaces(&mut text, column);
            self.push(lead, lead, text);
        }
    }

    /// New entries or items as lines, for a place whose text goes on behind `end_of_line`.
    fn lines(&self, group: &[Fresh], column: usize, end_of_line: usize) -> String {
        let swallows = !self.edit.literals || layout::would_swallow(self.text, end_of_line, column);
        let printer = if swallows {
            Printer::without_literals(&self.edit.style)
        } else {
            Printer::new(&self.edit.style)
        };
        let mut lines = String::new();
        for (n, fresh) in group.iter().enumerate() {
            if n > 0 {
                lines.push('\n');
            }
            match &fresh.key {
                Some(key) => printer.entry(&mut lines, key, &fresh.value, column),
                None => printer.item(&mut lines, &fresh.value, column),
            }
        }
        lines
    }

    fn remove(&mut self, child: u32, collection: u32) -> Result<(), YamlError> {
        let raw = self.doc.raw(child);
        let end = self.extent_end(child, collection);
        let is_map = matches!(self.doc.raw(collection).shape, Shape::Map { .. });
        let after_child = if is_map {
            self.doc.raw(raw.next).next
        } else {
            raw.next
        };
        let next = (after_child < self.doc.raw(collection).next).then_some(after_child);
        if matches!(
            self.doc.raw(collection).shape,
            Shape::Map { flow: true } | Shape::List { flow: true }
        ) {
            self.refuse_bare_pair(collection)?;
            self.remove_in_flow(child, collection, end, next);
            return Ok(());
        }
        let lead = raw.lead as usize;
        if layout::is_first_on_line(self.text, lead) {
            let line = layout::line_start(self.text, lead);
            let behind = layout::line_after(self.text, end);
            self.push(line, behind, String::new());
            if self.is_behind_block_scalar(child) {
                self.pull_comments_out(behind, self.column(raw.lead));
            }
            return Ok(());
        }
        // The first of a nested collection, on its parent's line: the next moves up, unless comments are between.
        let next_lead = next.map_or(end, |next| self.doc.raw(next).lead as usize);
        let gap = self
            .text
            .get(layout::line_end(self.text, end)..next_lead)
            .unwrap_or("");
        let stop = if gap.trim().is_empty() {
            next_lead
        } else {
            end
        };
        self.push(lead, stop, String::new());
        Ok(())
    }

    /// True when what ends before a node is a `|` or `>` text, which would take in any deeper line that follows it.
    fn is_behind_block_scalar(&self, child: u32) -> bool {
        child.checked_sub(1).is_some_and(|before| {
            matches!(
                self.doc.raw(before).shape,
                Shape::Scalar(Style::Literal | Style::Folded, _)
            )
        })
    }

    /// Moves the comment lines from a place on that stand deeper than a column to that column.
    fn pull_comments_out(&mut self, from: usize, column: usize) {
        let rest = self.text.get(from..).unwrap_or("");
        let mut at = from;
        for line in rest.split_inclusive('\n') {
            let content = line.trim_start_matches(' ');
            let indent = line.len() - content.len();
            if content.starts_with('#') && indent > column {
                self.push(at + column, at + indent, String::new());
            } else if !line.trim_end_matches(['\r', '\n']).is_empty() {
                break;
            }
            at += line.len();
        }
    }

    fn remove_in_flow(&mut self, child: u32, collection: u32, end: usize, next: Option<u32>) {
        let is_map = matches!(self.doc.raw(collection).shape, Shape::Map { .. });
        let children: Vec<u32> = if is_map {
            self.doc.pairs(collection).map(|(key, _)| key).collect()
        } else {
            self.doc.children(collection).collect()
        };
        let survives = |n: &u32| *n > child && !self.edit.changes.removed.contains_key(n);
        let head = self.doc.raw(child).head as usize;
        match next {
            Some(next) if children.iter().any(survives) => {
                let stop = self.doc.raw(next).head as usize;
                self.push(head, stop, String::new());
            }
            _ => {
                let previous = children.iter().copied().take_while(|n| *n < child).last();
                let start = previous.map_or(head, |previous| self.extent_end(previous, collection));
                self.push(start, end, String::new());
            }
        }
    }

    /// The end of an entry or item: of its value, or of its key where that is all there is.
    fn extent_end(&self, child: u32, collection: u32) -> usize {
        let raw = self.doc.raw(child);
        if matches!(self.doc.raw(collection).shape, Shape::Map { .. }) {
            let value = self.doc.raw(raw.next);
            raw.end.max(value.end) as usize
        } else {
            raw.end.max(raw.head) as usize
        }
    }

    fn ends_line(&self, at: usize) -> bool {
        at > 0 && self.text.as_bytes().get(at - 1) == Some(&b'\n')
    }

    pub(super) fn column(&self, at: u32) -> usize {
        layout::column(self.text, at as usize)
    }

    /// `[a: b]` holds a mapping without braces: there is no room in it for another entry.
    fn refuse_bare_pair(&self, collection: u32) -> Result<(), YamlError> {
        let start = self.doc.raw(collection).start as usize;
        match self.text.as_bytes().get(start) {
            Some(b'{' | b'[') => Ok(()),
            _ => Err(self.refuse(
                collection,
                "a `key: value` without braces cannot grow or shrink",
            )),
        }
    }

    pub(super) fn refuse(&self, node: u32, message: &str) -> YamlError {
        self.doc
            .error_at(node, ErrorKind::Refused, message.to_owned())
    }

    fn assemble(&mut self) -> Result<String, YamlError> {
        if self.splices.is_empty() {
            return Ok(self.text.to_owned());
        }
        if has_bare_return(self.text) {
            let message = "lines that end in a bare carriage return cannot be edited; convert the line ends first";
            return Err(self.refuse(0, message));
        }
        let newline = layout::newline(self.text);
        self.splices.sort_by_key(|s| (s.start, s.end, s.lines));
        let added: usize = self.splices.iter().map(|s| s.text.len() + 2).sum();
        let mut out = String::with_capacity(self.text.len() + added);
        let mut at = 0;
        for splice in &self.splices {
            let Some(kept) = self.text.get(at..splice.start) else {
                return Err(self.refuse(
                    0,
                    "two changes meet in the same place; make them one after the other",
                ));
            };
            out.push_str(kept);
            if splice.lines.is_some() && !out.is_empty() && !out.ends_with(['\n', '\u{FEFF}']) {
                out.push_str(newline);
            }
            if newline == "\n" {
                out.push_str(&splice.text);
            } else {
                out.push_str(&splice.text.replace('\n', newline));
            }
            if splice.lines.is_some() {
                out.push_str(newline);
            }
            at = splice.end;
        }
        out.push_str(self.text.get(at..).unwrap_or(""));
        Ok(out)
    }
}

fn has_bare_return(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'))
}
