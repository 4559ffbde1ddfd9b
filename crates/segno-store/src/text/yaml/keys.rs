//! Keys that are in one mapping twice.

use std::collections::HashSet;

use super::doc::{Raw, Shape, Style, Tag, Text, position};
use super::error::{ErrorKind, YamlError};
use super::scalar::{Meaning, meaning};

/// Mappings up to this many keys are searched for duplicates without a hash table.
const FEW_KEYS: usize = 12;

/// Refuses a mapping that has a key twice.
pub(super) fn check(text: &str, nodes: &[Raw], map: u32) -> Result<(), YamlError> {
    let mut few: Vec<(u8, &str)> = Vec::new();
    let mut many: HashSet<(u8, &str)> = HashSet::new();
    let end = nodes.get(map as usize).map_or(0, |node| node.next);
    let mut at = map + 1;
    while at < end {
        let Some(key) = nodes.get(at as usize) else {
            break;
        };
        if let Some(name) = name(text, nodes, key) {
            let fresh = if many.is_empty() && few.len() < FEW_KEYS {
                let fresh = !few.contains(&name);
                few.push(name);
                fresh
            } else {
                many.extend(few.drain(..));
                many.insert(name)
            };
            if !fresh {
                let message = format!("the key `{}` is in this mapping twice", name.1);
                let at = position(text.as_bytes(), key.head as usize);
                return Err(YamlError::new(ErrorKind::DuplicateKey, at, message));
            }
        }
        let value = nodes.get(key.next as usize);
        at = value.map_or(end, |value| value.next);
    }
    Ok(())
}

/// What makes a key the same as another: what sort of scalar it is, and its text.
fn name<'k>(document: &'k str, nodes: &'k [Raw], key: &'k Raw) -> Option<(u8, &'k str)> {
    let key = match key.shape {
        Shape::Alias { target } => nodes.get(target as usize)?,
        _ => key,
    };
    let Shape::Scalar(style, text) = &key.shape else {
        return None;
    };
    let text = match text {
        Text::Piece(start, end) => document.get(*start as usize..*end as usize)?,
        Text::Own(text) => text,
    };
    if *style != Style::Plain || key.tag == Tag::Str {
        return Some((0, text));
    }
    Some(match meaning(text) {
        Meaning::Str => (0, text),
        Meaning::Null => (1, "null"),
        Meaning::Bool(truth) => (2, if truth { "true" } else { "false" }),
        Meaning::Int | Meaning::Float => (3, text),
    })
}
