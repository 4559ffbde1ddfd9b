//! The document: the original text and a tree of spans over it.
//!
//! The tree is one flat list in reading order, each node knowing where its subtree ends. Nothing in it recurses, so
//! neither a deep text nor dropping it can exhaust the stack.

use super::budget::Budget;
use super::build;
use super::edit::Edit;
use super::error::{ErrorKind, YamlError};
use super::node::Node;

/// A YAML text and the tree of spans over it. The text is never printed again: edits splice into it.
#[derive(Debug, Clone)]
pub struct Doc {
    pub(super) text: String,
    pub(super) nodes: Vec<Raw>,
    /// Each alias with the node it stands for.
    pub(super) aliases: Vec<(u32, u32)>,
    pub(super) budget: Budget,
}

/// One node. Positions are bytes into the text; the budget keeps them within 32 bits.
#[derive(Debug, Clone)]
pub(super) struct Raw {
    /// The indicator that introduces it: `-` of an item, `:` of a value, `?` of an explicit key; else `head`.
    pub(super) lead: u32,
    /// Its first byte, anchor, tag and block scalar header included.
    pub(super) head: u32,
    /// Its first byte without anchor and tag: the bracket, the first key, the first dash, the scalar or its header.
    pub(super) start: u32,
    /// The byte after its last. Blank lines and comments behind it are not part of it.
    pub(super) end: u32,
    /// The index after its subtree.
    pub(super) next: u32,
    /// Its parent; the root is its own.
    pub(super) parent: u32,
    /// The line it begins on, from 1.
    pub(super) line: u32,
    pub(super) tag: Tag,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone)]
pub(super) enum Shape {
    Scalar(Style, Text),
    List { flow: bool },
    Map { flow: bool },
    Alias { target: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    None,
    /// `!!str` or `!`: text whatever it looks like.
    Str,
    /// Another tag that YAML itself defines.
    Core,
    /// A tag of somebody's own.
    Custom,
}

/// The resolved text of a scalar: a piece of the document where it stands there as it is.
#[derive(Debug, Clone)]
pub(super) enum Text {
    Piece(u32, u32),
    Own(Box<str>),
}

impl Doc {
    /// Reads a text within a budget.
    pub fn parse(text: impl Into<String>, budget: &Budget) -> Result<Self, YamlError> {
        build::build(text.into(), budget.capped())
    }

    /// Reads bytes within a budget; bytes that are not UTF-8 are an error that says where.
    pub fn from_bytes(bytes: &[u8], budget: &Budget) -> Result<Self, YamlError> {
        build::check_size(bytes.len(), budget.capped())?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text, budget),
            Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
        }
    }

    /// The top of the tree. An empty text has a null there.
    pub fn root(&self) -> Node<'_> {
        Node::at(self, 0)
    }

    /// The text, byte for byte as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Gives the text back.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Begins a batch of changes.
    pub fn edit(&self) -> Edit<'_> {
        Edit::new(self)
    }

    pub(super) fn raw(&self, index: u32) -> &Raw {
        self.nodes
            .get(index as usize)
            .expect("because indexes come from the tree itself")
    }

    pub(super) fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The resolved text of a scalar.
    pub(super) fn scalar_text(&self, index: u32) -> Option<&str> {
        match &self.raw(index).shape {
            Shape::Scalar(_, Text::Piece(start, end)) => Some(self.slice(*start, *end)),
            Shape::Scalar(_, Text::Own(text)) => Some(text),
            _ => None,
        }
    }

    /// The direct children of a node: items, or keys and values in turn.
    pub(super) fn children(&self, index: u32) -> Children<'_> {
        Children {
            doc: self,
            at: index + 1,
            end: self.raw(index).next,
        }
    }

    /// The keys and values of a mapping.
    pub(super) fn pairs(&self, index: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut children = self.children(index);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// An error about a place in the text.
    pub(super) fn error_at(&self, index: u32, kind: ErrorKind, message: String) -> YamlError {
        let at = position(self.text.as_bytes(), self.raw(index).head as usize);
        YamlError::new(kind, at, message)
    }
}

/// The indexes of the children of a node.
pub(super) struct Children<'d> {
    doc: &'d Doc,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let child = (self.at < self.end).then_some(self.at)?;
        self.at = self.doc.raw(child).next;
        Some(child)
    }
}

/// Line and column of a byte, from 1; columns count characters.
pub(super) fn position(bytes: &[u8], at: usize) -> (u64, u64) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let in_line = before.get(line_start..).unwrap_or_default();
    let column = in_line.iter().filter(|b| (**b & 0xC0) != 0x80).count() as u64 + 1;
    (line, column)
}

fn not_utf8(bytes: &[u8], valid: usize) -> YamlError {
    let message = if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        "the file is UTF-16; save it as UTF-8".to_owned()
    } else {
        let byte = bytes.get(valid).copied().unwrap_or_default();
        format!("byte 0x{byte:02X} is not UTF-8 text; is this a binary file or another encoding?")
    };
    YamlError::new(ErrorKind::NotUtf8, position(bytes, valid), message)
}
