//! Reading back a small part instead of the whole: what was changed, and what stands around it.
//!
//! In a block list every item begins on a line of its own, and how it is read depends on the collections that are open
//! there and on nothing else: not on the items before it, as long as no alias refers to them. So the items of long lists
//! that no change comes near are left out of the text that is read back; their bytes are copied. The neighbours of a
//! change stay in, on both sides: whatever a change could swallow or push aside, it would be one of them first.
//!
//! An excerpt only ever says yes. Whenever it says anything else, the whole text is read, and that decides.

use super::doc::{Doc, Shape};
use super::edit::Edit;
use super::layout;
use super::splice;
use super::verify;

/// So many items stay in, before and behind a change and at both ends of a list.
const AROUND: usize = 2;

/// The changed text, when an excerpt of it shows that it says what was meant.
pub(super) fn verified(edit: &Edit<'_>) -> Option<String> {
    let doc = edit.doc;
    if !doc.aliases.is_empty() {
        return None;
    }
    let touched = edit.changes.touched();
    let left_out = LeftOut::find(edit, &touched);
    if left_out.items.is_empty() {
        return None;
    }
    let (text, excerpt) = splice::render_with_excerpt(edit, &left_out.spans).ok()?;
    let read = Doc::parse(excerpt, &doc.budget).ok()?;
    let fits = text.len() <= doc.budget.max_bytes
        && read.nodes.len() + left_out.nodes <= doc.budget.max_nodes;
    let same = verify::first_difference(edit, &read, &left_out.items).is_none();
    (fits && same).then_some(text)
}

/// What is not read back.
#[derive(Default)]
struct LeftOut {
    /// The items, in order.
    items: Vec<u32>,
    /// How many nodes they are.
    nodes: usize,
    /// Their whole lines, as pieces of the old text.
    spans: Vec<(usize, usize)>,
}

impl LeftOut {
    fn find(edit: &Edit<'_>, touched: &[u32]) -> Self {
        let mut found = Self::default();
        let (doc, changes) = (edit.doc, &edit.changes);
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if changes.replaced.contains_key(&node) {
                continue;
            }
            match doc.raw(node).shape {
                Shape::List { flow: false } => {
                    let changed = found.list(doc, node, touched).into_iter();
                    open.extend(changed.filter(|item| !changes.removed.contains_key(item)));
                }
                Shape::Map { flow: false } => {
                    let kept = doc
                        .pairs(node)
                        .filter(|(key, _)| !changes.removed.contains_key(key));
                    open.extend(kept.map(|(_, value)| value));
                }
                _ => {}
            }
        }
        found.items.sort_unstable();
        found
    }

    /// Leaves items of a list out; gives those that change, which are looked into.
    fn list(&mut self, doc: &Doc, list: u32, touched: &[u32]) -> Vec<u32> {
        let items: Vec<u32> = doc.children(list).collect();
        let is_touched = |item: u32| {
            let first = touched.partition_point(|n| *n < item);
            touched.get(first).is_some_and(|n| *n < doc.raw(item).next)
        };
        let mut changed = Vec::new();
        let mut from = AROUND;
        for (n, item) in items
            .iter()
            .enumerate()
            .filter(|(_, item)| is_touched(**item))
        {
            self.run(doc, &items, from, n.saturating_sub(AROUND));
            from = n + 1 + AROUND;
            changed.push(*item);
        }
        // The last items stay, as those before a change do.
        self.run(doc, &items, from, items.len().saturating_sub(AROUND));
        changed
    }

    /// Leaves the items of a range out, with all lines up to the item behind them.
    fn run(&mut self, doc: &Doc, items: &[u32], from: usize, to: usize) {
        let (Some(&first), Some(&behind)) = (items.get(from), items.get(to)) else {
            return;
        };
        let lead = |item: u32| doc.raw(item).lead as usize;
        let own_line = |item: u32| layout::is_first_on_line(&doc.text, lead(item));
        if from >= to || !own_line(first) || !own_line(behind) {
            return;
        }
        let start = layout::line_start(&doc.text, lead(first));
        let end = layout::line_start(&doc.text, lead(behind));
        self.items.extend(items.get(from..to).unwrap_or_default());
        self.nodes += (behind - first) as usize;
        self.spans.push((start, end));
    }
}
