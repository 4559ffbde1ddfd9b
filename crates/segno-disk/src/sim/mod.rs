//! A disk in memory that remembers every operation, so that every image a power cut may leave can be looked at.
//!
//! The live tree answers reads as a running system would, from its cache. The record of operations is what
//! [`images`](image::images) works on: it knows what was synced and what a power cut may therefore keep, tear or lose.

mod image;
mod tree;

use std::sync::{Arc, Mutex, MutexGuard};

pub use image::{Image, MOST, images, some_images};
pub use tree::Inode;
use tree::{Node, Tree};

use crate::disk::{
    Access, DirEntry, Disk, FileKind, LockFile, ReadDisk, ReadFile, Stat, WriteFile,
};
use crate::error::{DiskError, Result};
use crate::path::RelPath;

/// A disk in memory. Clones are handles to the same disk.
#[derive(Clone)]
pub struct SimDisk {
    state: Arc<Mutex<State>>,
}

struct State {
    tree: Tree,
    record: Vec<Op>,
    locked: Vec<RelPath>,
    start: Tree,
}

/// One recorded operation, at the level a file system works at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Bytes written at an offset of a file.
    Write {
        /// Which file.
        file: Inode,
        /// Where.
        at: u64,
        /// What.
        bytes: Vec<u8>,
    },
    /// A file cut to a length.
    Truncate {
        /// Which file.
        file: Inode,
        /// To which length.
        len: u64,
    },
    /// The content of a file made durable.
    SyncFile {
        /// Which file.
        file: Inode,
    },
    /// A name given to a file or directory in a directory.
    Link {
        /// The directory.
        dir: Inode,
        /// The name.
        name: String,
        /// What it names from now on.
        node: Inode,
        /// Whether that is a directory.
        is_dir: bool,
    },
    /// A name taken away.
    Unlink {
        /// The directory.
        dir: Inode,
        /// The name.
        name: String,
    },
    /// A name moved, over whatever stood there.
    Rename {
        /// From this directory.
        from: Inode,
        /// This name.
        old: String,
        /// To this directory.
        to: Inode,
        /// Under this name.
        new: String,
    },
    /// The names of a directory made durable.
    SyncDir {
        /// The directory.
        dir: Inode,
    },
    /// Everything made durable.
    SyncEverything,
}

impl SimDisk {
    /// An empty disk.
    pub fn new() -> Self {
        Self::from_tree(Tree::new())
    }

    pub(crate) fn from_tree(tree: Tree) -> Self {
        let start = tree.clone();
        let state = State {
            tree,
            record: Vec::new(),
            locked: Vec::new(),
            start,
        };
        Self {
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// How many operations were recorded so far: a point in time for [`images`].
    pub fn position(&self) -> usize {
        self.lock_state().record.len()
    }

    /// The tree at the beginning and every operation since.
    pub(crate) fn history(&self) -> (Tree, Vec<Op>) {
        let state = self.lock_state();
        (state.start.clone(), state.record.clone())
    }

    /// Every file with its content, by path: for comparing two disks in a test.
    pub fn files(&self) -> Vec<(RelPath, Vec<u8>)> {
        self.lock_state().tree.files()
    }

    /// Puts a file there as if it had always been: durable, not recorded.
    pub fn plant(&self, path: &RelPath, bytes: &[u8]) {
        let mut state = self.lock_state();
        state.tree.plant(path, bytes);
        state.start.plant(path, bytes);
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Default for SimDisk {
    fn default() -> Self {
        Self::new()
    }
}

fn failed(op: &'static str, path: &RelPath, kind: std::io::ErrorKind) -> DiskError {
    DiskError::io(op, path.to_path_buf(), kind.into())
}

impl State {
    fn find(&self, op: &'static str, path: &RelPath) -> Result<Inode> {
        self.tree
            .find(path)
            .ok_or_else(|| failed(op, path, std::io::ErrorKind::NotFound))
    }

    fn parent(&self, op: &'static str, path: &RelPath) -> Result<Inode> {
        let parent = self.find(op, &path.parent().unwrap_or_default())?;
        if self.stat(parent).kind != FileKind::Dir {
            return Err(failed(op, path, std::io::ErrorKind::NotADirectory));
        }
        Ok(parent)
    }

    /// A file that must not be a directory, or the error that the system has for it.
    fn file(
        &self,
        op: &'static str,
        path: &RelPath,
        otherwise: std::io::ErrorKind,
    ) -> Result<Inode> {
        let inode = self.find(op, path)?;
        if self.stat(inode).kind == FileKind::Dir {
            return Err(failed(op, path, otherwise));
        }
        Ok(inode)
    }

    fn perform(&mut self, op: Op) {
        self.tree.apply(&op);
        self.record.push(op);
    }

    fn stat(&self, inode: Inode) -> Stat {
        self.tree.stat(inode)
    }
}

impl ReadDisk for SimDisk {
    fn stat(&self, path: &RelPath) -> Result<Option<Stat>> {
        let state = self.lock_state();
        Ok(state.tree.find(path).map(|inode| state.stat(inode)))
    }

    fn list(&self, dir: &RelPath) -> Result<Vec<DirEntry>> {
        Ok(self.lock_state().tree.list(dir))
    }

    fn open(&self, path: &RelPath) -> Result<Box<dyn ReadFile>> {
        let state = self.lock_state();
        let inode = state.find("open", path)?;
        if state.stat(inode).kind != FileKind::File {
            return Err(failed("open", path, std::io::ErrorKind::InvalidInput));
        }
        Ok(Box::new(SimFile {
            disk: self.clone(),
            inode,
            path: path.clone(),
            spent: false,
        }))
    }

    fn read_link(&self, _path: &RelPath) -> Result<Option<String>> {
        Ok(None)
    }
}

impl Disk for SimDisk {
    fn create_dir(&self, dir: &RelPath, access: Access) -> Result<bool> {
        let mut state = self.lock_state();
        if let Some(inode) = state.tree.find(dir) {
            return match state.stat(inode).kind {
                FileKind::Dir => Ok(false),
                _ => Err(failed(
                    "create directory",
                    dir,
                    std::io::ErrorKind::NotADirectory,
                )),
            };
        }
        let parent = state.parent("create directory", dir)?;
        let mode = if access == Access::Private {
            0o700
        } else {
            0o755
        };
        let node = state.tree.add(Node::Dir {
            names: std::collections::BTreeMap::new(),
            mode,
        });
        state.perform(Op::Link {
            dir: parent,
            name: dir.name().to_owned(),
            node,
            is_dir: true,
        });
        Ok(true)
    }

    fn create(&self, path: &RelPath, access: Access) -> Result<Box<dyn WriteFile>> {
        let mut state = self.lock_state();
        if state.tree.find(path).is_some() {
            return Err(failed("create", path, std::io::ErrorKind::AlreadyExists));
        }
        let dir = state.parent("create", path)?;
        let mode = if access == Access::Private {
            0o600
        } else {
            0o644
        };
        let node = state.tree.add(Node::File {
            bytes: Vec::new(),
            mode,
            version: 0,
        });
        state.perform(Op::Link {
            dir,
            name: path.name().to_owned(),
            node,
            is_dir: false,
        });
        Ok(Box::new(SimFile {
            disk: self.clone(),
            inode: node,
            path: path.clone(),
            spent: false,
        }))
    }

    fn open_append(&self, path: &RelPath) -> Result<Box<dyn WriteFile>> {
        let otherwise = std::io::ErrorKind::IsADirectory;
        let inode = self.lock_state().file("open", path, otherwise)?;
        Ok(Box::new(SimFile {
            disk: self.clone(),
            inode,
            path: path.clone(),
            spent: false,
        }))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        let mut state = self.lock_state();
        let moved = state.find("rename", from)?;
        if state.tree.find(to) == Some(moved) {
            // Two names of one file: the system leaves both, so that nobody relies on the old one being gone.
            return Ok(());
        }
        if let Some(there) = state.tree.find(to) {
            match (state.stat(moved).kind, state.stat(there).kind) {
                (FileKind::Dir, FileKind::Dir) if !state.tree.list(to).is_empty() => {
                    let kind = std::io::ErrorKind::DirectoryNotEmpty;
                    return Err(failed("rename to", to, kind));
                }
                (FileKind::File, FileKind::Dir) => {
                    return Err(failed("rename to", to, std::io::ErrorKind::IsADirectory));
                }
                (FileKind::Dir, FileKind::File) => {
                    return Err(failed("rename to", to, std::io::ErrorKind::NotADirectory));
                }
                _ => {}
            }
        }
        let op = Op::Rename {
            from: state.parent("rename", from)?,
            old: from.name().to_owned(),
            to: state.parent("rename to", to)?,
            new: to.name().to_owned(),
        };
        state.perform(op);
        Ok(())
    }

    fn rename_new(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        if self.lock_state().tree.find(to).is_some() {
            return Err(failed("rename to", to, std::io::ErrorKind::AlreadyExists));
        }
        self.rename(from, to)
    }

    fn link(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        let mut state = self.lock_state();
        if state.tree.find(to).is_some() {
            return Err(failed("link to", to, std::io::ErrorKind::AlreadyExists));
        }
        let node = state.file("link", from, std::io::ErrorKind::PermissionDenied)?;
        let dir = state.parent("link to", to)?;
        state.perform(Op::Link {
            dir,
            name: to.name().to_owned(),
            node,
            is_dir: false,
        });
        Ok(())
    }

    fn remove(&self, path: &RelPath) -> Result<()> {
        let mut state = self.lock_state();
        state.file("remove", path, std::io::ErrorKind::IsADirectory)?;
        let dir = state.parent("remove", path)?;
        state.perform(Op::Unlink {
            dir,
            name: path.name().to_owned(),
        });
        Ok(())
    }

    fn sync_dir(&self, dir: &RelPath) -> Result<()> {
        let mut state = self.lock_state();
        let dir = state.find("sync", dir)?;
        state.perform(Op::SyncDir { dir });
        Ok(())
    }

    fn sync_everything(&self, _touched: &[RelPath]) -> Result<()> {
        self.lock_state().perform(Op::SyncEverything);
        Ok(())
    }

    fn try_lock(&self, path: &RelPath) -> Result<Option<Box<dyn LockFile>>> {
        let mut state = self.lock_state();
        if state.locked.contains(path) {
            return Ok(None);
        }
        if state.tree.find(path).is_none() {
            let dir = state.parent("lock", path)?;
            let node = state.tree.add(Node::File {
                bytes: Vec::new(),
                mode: 0o600,
                version: 0,
            });
            state.perform(Op::Link {
                dir,
                name: path.name().to_owned(),
                node,
                is_dir: false,
            });
        }
        state.locked.push(path.clone());
        Ok(Some(Box::new(SimLock {
            disk: self.clone(),
            path: path.clone(),
        })))
    }

    fn process_id(&self) -> u32 {
        1
    }
}

struct SimFile {
    disk: SimDisk,
    inode: Inode,
    path: RelPath,
    spent: bool,
}

impl ReadFile for SimFile {
    fn stat(&self) -> Result<Stat> {
        Ok(self.disk.lock_state().stat(self.inode))
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        Ok(self.disk.lock_state().tree.read_at(self.inode, offset, buf))
    }
}

impl WriteFile for SimFile {
    fn stat(&self) -> Result<Stat> {
        Ok(self.disk.lock_state().stat(self.inode))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.spent {
            return Err(failed("write", &self.path, std::io::ErrorKind::Other));
        }
        let mut state = self.disk.lock_state();
        let at = state.stat(self.inode).len;
        state.perform(Op::Write {
            file: self.inode,
            at,
            bytes: bytes.to_vec(),
        });
        Ok(bytes.len())
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        self.disk.lock_state().perform(Op::Truncate {
            file: self.inode,
            len,
        });
        Ok(())
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.disk.lock_state().tree.set_mode(self.inode, mode);
        Ok(())
    }

    fn sync_data(&mut self) -> Result<()> {
        self.disk
            .lock_state()
            .perform(Op::SyncFile { file: self.inode });
        Ok(())
    }

    fn sync_all(&mut self) -> Result<()> {
        self.sync_data()
    }
}

struct SimLock {
    disk: SimDisk,
    path: RelPath,
}

impl LockFile for SimLock {
    fn write_holder(&mut self, _text: &str) -> Result<()> {
        // Advisory text that nothing depends on: it would only multiply the images.
        Ok(())
    }
}

impl Drop for SimLock {
    fn drop(&mut self) {
        self.disk
            .lock_state()
            .locked
            .retain(|path| *path != self.path);
    }
}
