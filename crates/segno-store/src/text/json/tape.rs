//! The spans of a document's values, in the order of the text.

use super::scan::{self, Sink, Stop};
use super::value::Kind;

/// The span of one value or key.
///
/// A member of an object is two nodes: its key (a string) and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The first node that is not inside this one.
    pub(super) next: u32,
}

/// Scans a text into nodes; the first is the root.
pub(super) fn build(text: &str, start: usize, most: usize) -> Result<Vec<Node>, Stop> {
    let mut tape = Tape {
        nodes: Vec::new(),
        open: Vec::new(),
        most,
    };
    scan::whole(text.as_bytes(), start, &mut tape)?;
    Ok(tape.nodes)
}

struct Tape {
    nodes: Vec<Node>,
    open: Vec<usize>,
    most: usize,
}

impl Tape {
    fn add(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), &'static str> {
        if self.nodes.len() >= self.most {
            return Err("the document holds more values than are read at once");
        }
        let next = narrow(self.nodes.len() + 1);
        self.nodes.push(Node {
            kind,
            start: narrow(start),
            end: narrow(end),
            next,
        });
        Ok(())
    }
}

impl Sink for Tape {
    fn open(&mut self, kind: Kind, at: usize) -> Result<(), &'static str> {
        self.open.push(self.nodes.len());
        self.add(kind, at, at)
    }

    fn scalar(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), &'static str> {
        self.add(kind, start, end)
    }

    fn close(&mut self, end: usize) {
        let next = narrow(self.nodes.len());
        let node = self.open.pop().and_then(|at| self.nodes.get_mut(at));
        if let Some(node) = node {
            node.end = narrow(end);
            node.next = next;
        }
    }
}

fn narrow(at: usize) -> u32 {
    u32::try_from(at).expect("because the budget keeps a document below 4 GiB")
}
