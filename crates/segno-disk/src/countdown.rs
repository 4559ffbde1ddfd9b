//! A disk that fails at the n-th operation, over any other disk.
//!
//! Only operations that change something count. What fails, fails the way the system does: an error number from the
//! kernel's list, or a write that takes fewer bytes than it was given.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::disk::{Access, DirEntry, Disk, LockFile, ReadDisk, ReadFile, Stat, WriteFile};
use crate::error::{DiskError, Result};
use crate::path::RelPath;

/// How an operation fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The device is full (ENOSPC), from this operation on.
    Full,
    /// The device fails (EIO), this once.
    Io,
    /// A write takes half of what it was given and the next finds the device full. Other operations succeed.
    Short,
    /// Permission is refused (EACCES), this once.
    Refused,
}

/// A disk that fails at the n-th operation.
pub struct CountdownDisk<D> {
    inner: D,
    counter: Arc<Counter>,
}

struct Counter {
    left: AtomicU64,
    fault: Fault,
}

/// What a counted operation shall do.
#[derive(PartialEq, Eq)]
enum Verdict {
    Succeed,
    Fail,
    Halve,
}

impl<D: Disk> CountdownDisk<D> {
    /// Lets `n` operations succeed and fails the next.
    pub fn new(inner: D, n: u64, fault: Fault) -> Self {
        Self {
            inner,
            counter: Arc::new(Counter {
                left: AtomicU64::new(n + 1),
                fault,
            }),
        }
    }

    /// True when the failing operation has been reached.
    pub fn has_failed(&self) -> bool {
        self.counter.left.load(Ordering::SeqCst) == 0
    }

    fn count(&self, op: &'static str, path: &RelPath) -> Result<()> {
        self.counter.check(op, path)
    }
}

impl Counter {
    fn verdict(&self, is_write: bool) -> Verdict {
        let before = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                Some(left.saturating_sub(1))
            })
            .unwrap_or(0);
        match (before, self.fault) {
            (1, Fault::Short) if is_write => Verdict::Halve,
            (0, Fault::Short) if is_write => Verdict::Fail,
            (_, Fault::Short) => Verdict::Succeed,
            (0, Fault::Full) | (1, _) => Verdict::Fail,
            _ => Verdict::Succeed,
        }
    }

    fn check(&self, op: &'static str, path: &RelPath) -> Result<()> {
        if self.verdict(false) == Verdict::Fail {
            Err(self.error(op, path))
        } else {
            Ok(())
        }
    }

    fn error(&self, op: &'static str, path: &RelPath) -> DiskError {
        let errno = match self.fault {
            Fault::Full | Fault::Short => rustix::io::Errno::NOSPC,
            Fault::Io => rustix::io::Errno::IO,
            Fault::Refused => rustix::io::Errno::ACCESS,
        };
        DiskError::io(op, path.to_path_buf(), io::Error::from(errno))
    }
}

impl<D: Disk> ReadDisk for CountdownDisk<D> {
    fn stat(&self, path: &RelPath) -> Result<Option<Stat>> {
        self.inner.stat(path)
    }

    fn list(&self, dir: &RelPath) -> Result<Vec<DirEntry>> {
        self.inner.list(dir)
    }

    fn open(&self, path: &RelPath) -> Result<Box<dyn ReadFile>> {
        self.inner.open(path)
    }

    fn read_link(&self, path: &RelPath) -> Result<Option<String>> {
        self.inner.read_link(path)
    }
}

impl<D: Disk> Disk for CountdownDisk<D> {
    fn create_dir(&self, dir: &RelPath, access: Access) -> Result<bool> {
        self.count("create directory", dir)?;
        self.inner.create_dir(dir, access)
    }

    fn create(&self, path: &RelPath, access: Access) -> Result<Box<dyn WriteFile>> {
        self.count("create", path)?;
        Ok(self.counted(self.inner.create(path, access)?, path))
    }

    fn open_append(&self, path: &RelPath) -> Result<Box<dyn WriteFile>> {
        self.count("open", path)?;
        Ok(self.counted(self.inner.open_append(path)?, path))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        self.count("rename to", to)?;
        self.inner.rename(from, to)
    }

    fn rename_new(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        self.count("rename to", to)?;
        self.inner.rename_new(from, to)
    }

    fn link(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        self.count("link to", to)?;
        self.inner.link(from, to)
    }

    fn remove(&self, path: &RelPath) -> Result<()> {
        self.count("remove", path)?;
        self.inner.remove(path)
    }

    fn sync_dir(&self, dir: &RelPath) -> Result<()> {
        self.count("sync directory", dir)?;
        self.inner.sync_dir(dir)
    }

    fn sync_everything(&self, touched: &[RelPath]) -> Result<()> {
        self.count("sync", &RelPath::root())?;
        self.inner.sync_everything(touched)
    }

    fn try_lock(&self, path: &RelPath) -> Result<Option<Box<dyn LockFile>>> {
        self.count("lock", path)?;
        self.inner.try_lock(path)
    }

    fn process_id(&self) -> u32 {
        self.inner.process_id()
    }
}

impl<D: Disk> CountdownDisk<D> {
    fn counted(&self, inner: Box<dyn WriteFile>, path: &RelPath) -> Box<dyn WriteFile> {
        Box::new(CountedFile {
            inner,
            counter: Arc::clone(&self.counter),
            path: path.clone(),
            spent: false,
        })
    }
}

struct CountedFile {
    inner: Box<dyn WriteFile>,
    counter: Arc<Counter>,
    path: RelPath,
    spent: bool,
}

impl CountedFile {
    fn may_sync(&mut self) -> Result<()> {
        if self.spent {
            let cause = io::Error::other("an earlier sync of this file failed");
            return Err(DiskError::io("sync", self.path.to_path_buf(), cause));
        }
        let checked = self.counter.check("sync", &self.path);
        self.spent = checked.is_err();
        checked
    }
}

impl WriteFile for CountedFile {
    fn stat(&self) -> Result<Stat> {
        self.inner.stat()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match self.counter.verdict(true) {
            Verdict::Succeed => self.inner.write(bytes),
            Verdict::Fail => Err(self.counter.error("write", &self.path)),
            Verdict::Halve => self
                .inner
                .write(bytes.get(..bytes.len().div_ceil(2)).unwrap_or(bytes)),
        }
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        self.counter.check("cut", &self.path)?;
        self.inner.truncate(len)
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.counter.check("set the mode of", &self.path)?;
        self.inner.set_mode(mode)
    }

    fn sync_data(&mut self) -> Result<()> {
        self.may_sync()?;
        self.inner.sync_data()
    }

    fn sync_all(&mut self) -> Result<()> {
        self.may_sync()?;
        self.inner.sync_all()
    }
}
