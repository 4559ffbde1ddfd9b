//! Every image that a power cut may leave.
//!
//! The rules, as pessimistic as the journaling file systems allow:
//! - synced content and synced names are there;
//! - of the writes to a file since its last sync, any prefix is there, the last one torn at any byte, or there in length
//!   but as NUL bytes, or any one of them missing under the later ones;
//! - of the changes to a directory since its last sync, any ordered prefix is there, each directory for itself; a rename
//!   between two directories is one change, durable with either;
//! - where many files are at risk at once, so that the combinations pass [`MOST`], each file is seen in every state
//!   against all the others lost and all the others kept;
//! - syncing a file says nothing about its name, syncing a directory nothing about the content of its files.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Inode, Node, Tree, write_at};
use super::{Op, SimDisk};

/// The most combinations of torn files that are looked at for one state of the directories.
pub const MOST: usize = 400;

/// What a disk may look like after a power cut.
pub struct Image {
    tree: Tree,
}

impl Image {
    /// The disk that a restarted system finds.
    pub fn into_disk(self) -> SimDisk {
        SimDisk::from_tree(self.tree)
    }
}

/// Calls `look` with every distinct image that a power cut right after the first `position` operations may leave.
/// Returns how many were enumerated, duplicates included.
pub fn images(disk: &SimDisk, position: usize, look: &mut dyn FnMut(Image)) -> u64 {
    let at_risk = AtRisk::after(disk, position);
    let mut seen = BTreeSet::new();
    let mut count = 0;
    at_risk.each(&mut |tree| {
        count += 1;
        let files = tree.files();
        if seen.insert(files) {
            look(Image { tree });
        }
    });
    count
}

/// Calls `look` with at most `most` images of those that a power cut right after the first `position` operations may
/// leave, spread over all of them, the first and the last among them; a long write is torn at some of its bytes. Returns
/// how many images there are.
pub fn some_images(disk: &SimDisk, position: usize, most: u64, look: &mut dyn FnMut(Image)) -> u64 {
    let at_risk = AtRisk::after(disk, position);
    let choices = at_risk.choices();
    // Ten files at risk at once have more combinations than anybody counts.
    let counts = choices.iter().map(|choice| u128::from(choice.count()));
    let total = counts.fold(1_u128, u128::saturating_mul);
    let mut seen = BTreeSet::new();
    let take = total.min(u128::from(most.max(2)));
    for nth in 0..take {
        // Evenly spread, from the first to the last.
        let (steps, last) = (take.saturating_sub(1).max(1), total - 1);
        let index = last / steps * nth + last % steps * nth / steps;
        let tree = at_risk.chosen(&choices, index);
        if seen.insert(tree.files()) {
            look(Image { tree });
        }
    }
    u64::try_from(total).unwrap_or(u64::MAX)
}

/// One thing that a power cut decides: how much of a directory's changes, or which version of a file.
enum Choice<'a> {
    Names(&'a [Op]),
    Content(Inode, Vec<Vec<u8>>),
}

impl Choice<'_> {
    fn count(&self) -> u64 {
        match self {
            Self::Names(ops) => ops.len() as u64 + 1,
            Self::Content(_, versions) => versions.len() as u64,
        }
    }
}

/// What is durable, and what is not yet.
struct AtRisk {
    durable: Tree,
    data: BTreeMap<Inode, Vec<Op>>,
    names: BTreeMap<Inode, Vec<Op>>,
}

impl AtRisk {
    fn after(disk: &SimDisk, position: usize) -> Self {
        let (start, record) = disk.history();
        let mut state = Self {
            durable: start,
            data: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        for op in record.into_iter().take(position) {
            state.take(op);
        }
        state
    }

    fn take(&mut self, op: Op) {
        match op {
            Op::Write { file, .. } | Op::Truncate { file, .. } => {
                self.data.entry(file).or_default().push(op);
            }
            Op::Link {
                dir, node, is_dir, ..
            } => {
                // The thing itself exists from now on; whether anything names it is the directory's business.
                let empty = if is_dir {
                    Node::Dir {
                        names: BTreeMap::new(),
                        mode: 0o755,
                    }
                } else {
                    Node::File {
                        bytes: Vec::new(),
                        mode: 0o600,
                        version: 0,
                    }
                };
                self.durable.hold(node, empty);
                self.names.entry(dir).or_default().push(op);
            }
            Op::Unlink { dir, .. } => self.names.entry(dir).or_default().push(op),
            Op::Rename { to, .. } => self.names.entry(to).or_default().push(op),
            Op::SyncFile { file } => {
                for op in self.data.remove(&file).unwrap_or_default() {
                    self.durable.apply(&op);
                }
            }
            Op::SyncDir { dir } => self.sync_dir(dir),
            Op::SyncEverything => {
                for op in std::mem::take(&mut self.data).into_values().flatten() {
                    self.durable.apply(&op);
                }
                for op in std::mem::take(&mut self.names).into_values().flatten() {
                    self.durable.apply(&op);
                }
            }
        }
    }

    fn sync_dir(&mut self, dir: Inode) {
        for op in self.names.remove(&dir).unwrap_or_default() {
            self.durable.apply(&op);
        }
        // A rename out of this directory is one change with its arrival elsewhere, and so is what came before it there.
        for ops in self.names.values_mut() {
            let leaves = |op: &Op| matches!(op, Op::Rename { from, .. } if *from == dir);
            if let Some(last) = ops.iter().rposition(leaves) {
                for op in ops.drain(..=last) {
                    self.durable.apply(&op);
                }
            }
        }
    }

    fn each(&self, look: &mut dyn FnMut(Tree)) {
        let data: Vec<(Inode, Vec<Vec<u8>>)> = self
            .data
            .iter()
            .map(|(file, writes)| (*file, versions(self.content(*file), writes, Tears::All)))
            .collect();
        let names: Vec<&[Op]> = self.names.values().map(Vec::as_slice).collect();
        let mut trees = vec![self.durable.clone()];
        for ops in names {
            let mut grown = Vec::with_capacity(trees.len() * (ops.len() + 1));
            for tree in trees {
                let mut at = tree.clone();
                grown.push(tree);
                for op in ops {
                    at.apply(op);
                    grown.push(at.clone());
                }
            }
            trees = grown;
        }
        let combinations = data
            .iter()
            .try_fold(1_usize, |n, (_, all)| n.checked_mul(all.len()));
        for tree in trees {
            if combinations.is_some_and(|n| n <= MOST) {
                fill(&tree, &data, look);
            } else {
                one_by_one(&tree, &data, look);
            }
        }
    }

    fn choices(&self) -> Vec<Choice<'_>> {
        let names = self.names.values().map(|ops| Choice::Names(ops));
        let contents = self.data.iter().map(|(file, writes)| {
            Choice::Content(*file, versions(self.content(*file), writes, Tears::Some))
        });
        names.chain(contents).collect()
    }

    /// The image of this number: the choices are the digits of it.
    fn chosen(&self, choices: &[Choice<'_>], index: u128) -> Tree {
        let mut tree = self.durable.clone();
        let mut rest = index;
        for choice in choices {
            let digit = usize::try_from(rest % u128::from(choice.count())).unwrap_or(0);
            rest /= u128::from(choice.count());
            match choice {
                Choice::Names(ops) => ops.iter().take(digit).for_each(|op| tree.apply(op)),
                Choice::Content(file, versions) => {
                    if let (Some(bytes), Some(content)) =
                        (tree.file_mut(*file), versions.get(digit))
                    {
                        bytes.clone_from(content);
                    }
                }
            }
        }
        tree
    }

    fn content(&self, file: Inode) -> &[u8] {
        match self.durable.nodes.get(&file) {
            Some(Node::File { bytes, .. }) => bytes,
            _ => &[],
        }
    }
}

/// All combinations of the versions of the files that are at risk.
fn fill(tree: &Tree, data: &[(Inode, Vec<Vec<u8>>)], look: &mut dyn FnMut(Tree)) {
    let Some(((file, contents), rest)) = data.split_first() else {
        look(tree.clone());
        return;
    };
    for content in contents {
        let mut with = tree.clone();
        if let Some(bytes) = with.file_mut(*file) {
            bytes.clone_from(content);
        }
        fill(&with, rest, look);
    }
}

/// Each file in every version, the others all lost and all kept.
fn one_by_one(tree: &Tree, data: &[(Inode, Vec<Vec<u8>>)], look: &mut dyn FnMut(Tree)) {
    for (i, (_, contents)) in data.iter().enumerate() {
        for content in contents {
            for others in [<[Vec<u8>]>::first, <[Vec<u8>]>::last] {
                let mut with = tree.clone();
                for (j, (file, versions)) in data.iter().enumerate() {
                    let chosen = if i == j {
                        Some(content)
                    } else {
                        others(versions)
                    };
                    if let (Some(bytes), Some(chosen)) = (with.file_mut(*file), chosen) {
                        bytes.clone_from(chosen);
                    }
                }
                look(with);
            }
        }
    }
}

/// Every content that a file may have after a power cut, given its durable content and the writes since: the durable one
/// first, the latest last.
fn versions(durable: &[u8], writes: &[Op], tears: Tears) -> Vec<Vec<u8>> {
    let mut found = BTreeSet::new();
    let mut at = durable.to_vec();
    for op in writes {
        if let Op::Write {
            at: offset, bytes, ..
        } = op
        {
            for n in tears.of(bytes.len()) {
                let mut torn = at.clone();
                write_at(&mut torn, *offset, bytes.get(..n).unwrap_or_default());
                found.insert(torn);
            }
            let mut zeros = at.clone();
            write_at(&mut zeros, *offset, &vec![0; bytes.len()]);
            found.insert(zeros);
        }
        perform(&mut at, op);
        found.insert(at.clone());
    }
    let latest = at;
    for missing in 0..writes.len().saturating_sub(1) {
        let mut without = durable.to_vec();
        for (i, op) in writes.iter().enumerate() {
            if i != missing {
                perform(&mut without, op);
            }
        }
        found.insert(without);
    }
    found.remove(durable);
    found.remove(&latest);
    let between = found.into_iter();
    std::iter::once(durable.to_vec())
        .chain(between)
        .chain(std::iter::once(latest))
        .collect()
}

/// Where a write may be torn.
#[derive(Clone, Copy)]
enum Tears {
    /// At every byte.
    All,
    /// At every byte of a short write; near both ends and at some places between for a long one.
    Some,
}

impl Tears {
    fn of(self, len: usize) -> Vec<usize> {
        match self {
            Self::Some if len > 48 => {
                let between = (1..8).map(|part| len * part / 8);
                let mut places: Vec<usize> = (1..9)
                    .chain(between)
                    .chain(len.saturating_sub(8)..len)
                    .collect();
                places.dedup();
                places
            }
            _ => (1..len).collect(),
        }
    }
}

fn perform(content: &mut Vec<u8>, op: &Op) {
    match op {
        Op::Write { at, bytes, .. } => write_at(content, *at, bytes),
        Op::Truncate { len, .. } => content.resize(usize::try_from(*len).unwrap_or(usize::MAX), 0),
        _ => {}
    }
}
