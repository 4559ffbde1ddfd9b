//! A disk that leaves out one kind of sync: what a test of durability must notice.

use segno_disk::{
    Access, DirEntry, Disk, LockFile, ReadDisk, ReadFile, RelPath, Result, Stat, WriteFile,
};

/// Which sync is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forget {
    /// `fdatasync` of a file.
    Data,
    /// `fsync` of a file.
    File,
    /// `fsync` of a directory.
    Dir,
    /// The sync of a whole file system.
    Everything,
}

/// A disk that leaves out one kind of sync.
pub struct ForgetfulDisk<D> {
    inner: D,
    forget: Forget,
}

impl<D: Disk> ForgetfulDisk<D> {
    /// The same disk, but for one kind of sync.
    pub fn new(inner: D, forget: Forget) -> Self {
        Self { inner, forget }
    }

    fn wrap(&self, inner: Box<dyn WriteFile>) -> Box<dyn WriteFile> {
        Box::new(ForgetfulFile {
            inner,
            forget: self.forget,
        })
    }
}

impl<D: Disk> ReadDisk for ForgetfulDisk<D> {
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

impl<D: Disk> Disk for ForgetfulDisk<D> {
    fn create_dir(&self, dir: &RelPath, access: Access) -> Result<bool> {
        self.inner.create_dir(dir, access)
    }

    fn create(&self, path: &RelPath, access: Access) -> Result<Box<dyn WriteFile>> {
        Ok(self.wrap(self.inner.create(path, access)?))
    }

    fn open_append(&self, path: &RelPath) -> Result<Box<dyn WriteFile>> {
        Ok(self.wrap(self.inner.open_append(path)?))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        self.inner.rename(from, to)
    }

    fn rename_new(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        self.inner.rename_new(from, to)
    }

    fn link(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        self.inner.link(from, to)
    }

    fn remove(&self, path: &RelPath) -> Result<()> {
        self.inner.remove(path)
    }

    fn sync_dir(&self, dir: &RelPath) -> Result<()> {
        if self.forget == Forget::Dir {
            Ok(())
        } else {
            self.inner.sync_dir(dir)
        }
    }

    fn sync_everything(&self, touched: &[RelPath]) -> Result<()> {
        if self.forget == Forget::Everything {
            Ok(())
        } else {
            self.inner.sync_everything(touched)
        }
    }

    fn try_lock(&self, path: &RelPath) -> Result<Option<Box<dyn LockFile>>> {
        self.inner.try_lock(path)
    }

    fn process_id(&self) -> u32 {
        self.inner.process_id()
    }
}

struct ForgetfulFile {
    inner: Box<dyn WriteFile>,
    forget: Forget,
}

impl WriteFile for ForgetfulFile {
    fn stat(&self) -> Result<Stat> {
        self.inner.stat()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.inner.write(bytes)
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        self.inner.truncate(len)
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.inner.set_mode(mode)
    }

    fn sync_data(&mut self) -> Result<()> {
        if self.forget == Forget::Data {
            Ok(())
        } else {
            self.inner.sync_data()
        }
    }

    fn sync_all(&mut self) -> Result<()> {
        if self.forget == Forget::File {
            Ok(())
        } else {
            self.inner.sync_all()
        }
    }
}
