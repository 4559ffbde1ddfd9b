//! The habits of a document, so that what is new in it looks like the rest.

use super::doc::{Doc, Shape, Style as Quoting};
use super::layout;
use super::node::Node;
use super::value::Value;
use super::write::{Strings, Style};

/// So many scalars show which habits a document has.
const ENOUGH: usize = 400;

/// The habits of a document: which strings it quotes and how far it indents.
pub(super) fn detect_style(doc: &Doc) -> Style {
    let (mut quoted, mut bare) = (0_usize, 0_usize);
    let (mut indent, mut list_indent) = (None, None);
    for index in (0_u32..).take(doc.nodes.len().min(ENOUGH)) {
        let raw = doc.raw(index);
        let parent = doc.raw(raw.parent);
        let in_block_map = index > 0 && matches!(parent.shape, Shape::Map { flow: false });
        let in_map = index > 0 && matches!(parent.shape, Shape::Map { .. });
        let is_key = in_map && doc.text.as_bytes().get(raw.lead as usize) != Some(&b':');
        let column = |at: u32| layout::column(&doc.text, at as usize);
        match raw.shape {
            Shape::Scalar(..) if is_key => {}
            Shape::Scalar(Quoting::Double | Quoting::Single, _) => quoted += 1,
            Shape::Scalar(Quoting::Plain, _) => {
                let is_text = matches!(Node::at(doc, index).to_value(), Ok(Value::Str(_)));
                bare += usize::from(is_text);
            }
            Shape::Map { flow: false } if in_block_map => {
                let deeper = column(raw.start).checked_sub(column(parent.start));
                indent = indent.or(deeper.filter(|n| *n > 0));
            }
            Shape::List { flow: false } if in_block_map => {
                let deeper = column(raw.start).checked_sub(column(parent.start));
                list_indent = list_indent.or(deeper);
            }
            _ => {}
        }
    }
    let indent = indent.or(list_indent.filter(|n| *n > 0)).unwrap_or(2);
    Style {
        strings: if quoted >= bare {
            Strings::Quoted
        } else {
            Strings::AsNeeded
        },
        indent,
        list_indent: list_indent.unwrap_or(indent),
        inline_keys: &[],
    }
}
