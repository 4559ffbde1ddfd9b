//! A file tree in memory: numbered files and directories, as a file system keeps them.

use std::collections::BTreeMap;

use super::Op;
use crate::disk::{DirEntry, FileKind, Stat};
use crate::path::RelPath;

/// The number of a file or directory.
pub type Inode = u64;

/// The number of the root directory.
pub(super) const ROOT: Inode = 0;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    File {
        bytes: Vec<u8>,
        mode: u32,
        version: i128,
    },
    Dir {
        names: BTreeMap<String, Inode>,
        mode: u32,
    },
}

/// A file tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(super) nodes: BTreeMap<Inode, Node>,
    next: Inode,
    clock: i128,
}

impl Tree {
    pub(super) fn new() -> Self {
        let root = Node::Dir {
            names: BTreeMap::new(),
            mode: 0o755,
        };
        Self {
            nodes: BTreeMap::from([(ROOT, root)]),
            next: ROOT + 1,
            clock: 0,
        }
    }

    pub(super) fn add(&mut self, node: Node) -> Inode {
        let inode = self.next;
        self.next += 1;
        self.nodes.insert(inode, node);
        inode
    }

    /// Holds a node under the number it has elsewhere, unless that number is known.
    pub(super) fn hold(&mut self, inode: Inode, node: Node) {
        self.nodes.entry(inode).or_insert(node);
        self.next = self.next.max(inode + 1);
    }

    pub(super) fn find(&self, path: &RelPath) -> Option<Inode> {
        path.names()
            .try_fold(ROOT, |at, name| match self.nodes.get(&at)? {
                Node::Dir { names, .. } => names.get(name).copied(),
                Node::File { .. } => None,
            })
    }

    pub(super) fn list(&self, dir: &RelPath) -> Vec<DirEntry> {
        let Some(Node::Dir { names, .. }) = self.find(dir).and_then(|inode| self.nodes.get(&inode))
        else {
            return Vec::new();
        };
        names
            .iter()
            .map(|(name, inode)| DirEntry {
                name: name.clone(),
                kind: self.stat(*inode).kind,
            })
            .collect()
    }

    pub(super) fn stat(&self, inode: Inode) -> Stat {
        let (kind, len, modified_ns, mode) = match self.nodes.get(&inode) {
            Some(Node::File {
                bytes,
                mode,
                version,
            }) => (FileKind::File, bytes.len() as u64, *version, *mode),
            Some(Node::Dir { mode, .. }) => (FileKind::Dir, 0, 0, *mode),
            None => (FileKind::Other, 0, 0, 0),
        };
        Stat {
            kind,
            len,
            modified_ns,
            inode,
            mode,
        }
    }

    pub(super) fn read_at(&self, inode: Inode, offset: u64, buf: &mut [u8]) -> usize {
        let Some(Node::File { bytes, .. }) = self.nodes.get(&inode) else {
            return 0;
        };
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|at| bytes.get(at..))
            .unwrap_or_default();
        let n = rest.len().min(buf.len());
        if let (Some(to), Some(from)) = (buf.get_mut(..n), rest.get(..n)) {
            to.copy_from_slice(from);
        }
        n
    }

    pub(super) fn set_mode(&mut self, inode: Inode, new: u32) {
        match self.nodes.get_mut(&inode) {
            Some(Node::File { mode, .. } | Node::Dir { mode, .. }) => *mode = new,
            None => {}
        }
    }

    pub(super) fn file_mut(&mut self, inode: Inode) -> Option<&mut Vec<u8>> {
        self.clock += 1;
        let now = self.clock;
        match self.nodes.get_mut(&inode) {
            Some(Node::File { bytes, version, .. }) => {
                *version = now;
                Some(bytes)
            }
            _ => None,
        }
    }

    fn names_mut(&mut self, dir: Inode) -> Option<&mut BTreeMap<String, Inode>> {
        match self.nodes.get_mut(&dir) {
            Some(Node::Dir { names, .. }) => Some(names),
            _ => None,
        }
    }

    /// Carries an operation out. Directories that the image no longer has swallow theirs.
    pub(super) fn apply(&mut self, op: &Op) {
        match op {
            Op::Write { file, at, bytes } => {
                if let Some(content) = self.file_mut(*file) {
                    write_at(content, *at, bytes);
                }
            }
            Op::Truncate { file, len } => {
                if let Some(content) = self.file_mut(*file) {
                    content.resize(usize::try_from(*len).unwrap_or(usize::MAX), 0);
                }
            }
            Op::Link {
                dir, name, node, ..
            } => {
                if let Some(names) = self.names_mut(*dir) {
                    names.insert(name.clone(), *node);
                }
            }
            Op::Unlink { dir, name } => {
                if let Some(names) = self.names_mut(*dir) {
                    names.remove(name);
                }
            }
            Op::Rename { from, old, to, new } => {
                let moved = self.names_mut(*from).and_then(|names| names.remove(old));
                if let (Some(node), Some(names)) = (moved, self.names_mut(*to)) {
                    names.insert(new.clone(), node);
                }
            }
            Op::SyncFile { .. } | Op::SyncDir { .. } | Op::SyncEverything => {}
        }
    }

    /// Puts a file there, its directories made on the way.
    pub(super) fn plant(&mut self, path: &RelPath, bytes: &[u8]) {
        let mut at = ROOT;
        let parent = path.parent().unwrap_or_default();
        for name in parent.names() {
            let known = self
                .names_mut(at)
                .and_then(|names| names.get(name).copied());
            at = known.unwrap_or_else(|| {
                let made = self.add(Node::Dir {
                    names: BTreeMap::new(),
                    mode: 0o755,
                });
                if let Some(names) = self.names_mut(at) {
                    names.insert(name.to_owned(), made);
                }
                made
            });
        }
        let file = self.add(Node::File {
            bytes: bytes.to_vec(),
            mode: 0o644,
            version: 0,
        });
        if let Some(names) = self.names_mut(at) {
            names.insert(path.name().to_owned(), file);
        }
    }

    /// Every file that has a name, with its content.
    pub(super) fn files(&self) -> Vec<(RelPath, Vec<u8>)> {
        let mut found = Vec::new();
        let mut open = vec![(RelPath::root(), ROOT)];
        while let Some((path, inode)) = open.pop() {
            match self.nodes.get(&inode) {
                Some(Node::File { bytes, .. }) => found.push((path, bytes.clone())),
                Some(Node::Dir { names, .. }) => {
                    open.extend(
                        names
                            .iter()
                            .filter_map(|(name, child)| Some((path.join_name(name).ok()?, *child))),
                    );
                }
                None => {}
            }
        }
        found.sort();
        found
    }
}

/// Writes at an offset, zeros before it where the file was shorter.
pub(super) fn write_at(content: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    let end = at.saturating_add(bytes.len());
    if content.len() < end {
        content.resize(end, 0);
    }
    if let Some(place) = content.get_mut(at..end) {
        place.copy_from_slice(bytes);
    }
}
