//! A disk that is read through and counts: how often files were opened, directories listed, and bytes read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use segno_disk::{DirEntry, Look, ReadDisk, ReadFile, RelPath, Result, Stat};

/// A disk that counts what is asked of it.
pub struct Counting<'d> {
    disk: &'d dyn ReadDisk,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    opened: AtomicU64,
    listed: AtomicU64,
    bytes: AtomicU64,
}

/// What was asked of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// How many files were opened.
    pub opened: u64,
    /// How many directories were listed.
    pub listed: u64,
    /// How many bytes were read.
    pub bytes: u64,
}

impl<'d> Counting<'d> {
    /// Counts what is asked of this disk.
    pub fn new(disk: &'d dyn ReadDisk) -> Self {
        Self {
            disk,
            counts: Arc::default(),
        }
    }

    /// What was asked so far.
    pub fn asked(&self) -> Asked {
        let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Asked {
            opened: count(&self.counts.opened),
            listed: count(&self.counts.listed),
            bytes: count(&self.counts.bytes),
        }
    }
}

impl ReadDisk for Counting<'_> {
    fn stat(&self, path: &RelPath) -> Result<Option<Stat>> {
        self.disk.stat(path)
    }

    fn list(&self, dir: &RelPath) -> Result<Vec<DirEntry>> {
        self.counts.listed.fetch_add(1, Ordering::Relaxed);
        self.disk.list(dir)
    }

    fn open(&self, path: &RelPath) -> Result<Box<dyn ReadFile>> {
        let file = self.disk.open(path)?;
        self.counts.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(CountedFile {
            file,
            counts: Arc::clone(&self.counts),
        }))
    }

    fn read_link(&self, path: &RelPath) -> Result<Option<String>> {
        self.disk.read_link(path)
    }

    fn look(&self, path: &RelPath) -> Result<Look> {
        self.disk.look(path)
    }
}

struct CountedFile {
    file: Box<dyn ReadFile>,
    counts: Arc<Counts>,
}

impl ReadFile for CountedFile {
    fn stat(&self) -> Result<Stat> {
        self.file.stat()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        let read = self.file.read_at(offset, buf)?;
        self.counts.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
