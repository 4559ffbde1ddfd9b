//! The seam: the handful of verbs that everything above asks of a disk.
//!
//! [`ReadDisk`] is what a reader may do: no lock, no repair, no write. [`Disk`] adds the verbs that the commit path is
//! built from. Three disks speak them: [`crate::RealDisk`], [`crate::SimDisk`] and [`crate::CountdownDisk`].

use crate::error::Result;
use crate::path::RelPath;

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// Anything else: a symbolic link (when not followed), a socket, a device.
    Other,
}

/// What the disk knows of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub kind: FileKind,
    /// Its length in bytes.
    pub len: u64,
    /// When its content last changed, in nanoseconds since 1970 (a version counter on the simulated disk).
    pub modified_ns: i128,
    /// Which file it is, so that a file replaced by another of equal length is noticed.
    pub inode: u64,
    /// Its permission bits.
    pub mode: u32,
}

impl Stat {
    /// The stamp that tells this version of the file from any other.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            len: self.len,
            modified_ns: self.modified_ns,
            inode: self.inode,
        }
    }
}

/// One version of one file: a change computed from it is refused when the file has moved on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Length in bytes.
    pub len: u64,
    /// Modification time in nanoseconds.
    pub modified_ns: i128,
    /// The file's identity.
    pub inode: u64,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// The name alone. Names that are not UTF-8 or not usable are left out of listings.
    pub name: String,
    /// What stands there, symbolic links not followed.
    pub kind: FileKind,
}

/// What [`ReadDisk::look`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// Nothing is there.
    Nothing,
    /// A file, a directory or a device.
    Stands(Stat),
    /// A symbolic link, and what it says.
    Link(String),
}

/// Who may read what is created: the mode of new files and directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Transcripts, state, index: files 0600, directories 0700, whatever the umask.
    Private,
    /// Documents made for people: as the umask says.
    Shared,
}

/// Reading. A reader never locks and never repairs.
pub trait ReadDisk: Send + Sync {
    /// What stands at the path, links followed below the root; `None` when nothing does.
    fn stat(&self, path: &RelPath) -> Result<Option<Stat>>;
    /// The names in a directory, in byte order; empty when there is no such directory.
    fn list(&self, dir: &RelPath) -> Result<Vec<DirEntry>>;
    /// The names in a directory that no path can hold, fit to be shown; [`ReadDisk::list`] passes them over.
    fn unusable(&self, _dir: &RelPath) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
    /// Opens a file for reading at any offset.
    fn open(&self, path: &RelPath) -> Result<Box<dyn ReadFile>>;
    /// What a symbolic link at the path says, without following it; `None` when the path is no link.
    fn read_link(&self, path: &RelPath) -> Result<Option<String>>;

    /// What stands at the path itself: a link is told by what it says, everything else by its stat. One look instead of
    /// [`ReadDisk::read_link`] and [`ReadDisk::stat`] where the disk can.
    fn look(&self, path: &RelPath) -> Result<Look> {
        Ok(match self.read_link(path)? {
            Some(target) => Look::Link(target),
            None => self.stat(path)?.map_or(Look::Nothing, Look::Stands),
        })
    }

    /// Reads a whole file and the stamp of the version that was read; `None` when there is no such file.
    fn read(&self, path: &RelPath) -> Result<Option<(Vec<u8>, Stamp)>> {
        let file = match self.open(path) {
            Ok(file) => file,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(error),
        };
        let stamp = file.stat()?.stamp();
        let mut bytes = vec![0; usize::try_from(stamp.len).unwrap_or(usize::MAX)];
        let n = file.read_full_at(0, &mut bytes)?;
        bytes.truncate(n);
        Ok(Some((bytes, stamp)))
    }
}

/// An open file, for reading.
pub trait ReadFile: Send + Sync {
    /// What the disk knows of the open file: the first answer is of the moment it was opened or later, all others of now.
    fn stat(&self) -> Result<Stat>;
    /// Reads some bytes at an offset; 0 at the end.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize>;

    /// Reads until the buffer is full or the file ends.
    fn read_full_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while let Some(rest) = buf.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read_at(offset + filled as u64, rest)? {
                0 => break,
                n => filled += n,
            }
        }
        Ok(filled)
    }
}

/// Writing: the verbs of the commit path. Each is one system call or nearly so; durability is what the caller builds.
pub trait Disk: ReadDisk {
    /// Creates a directory whose parent exists. Returns false when it is there already.
    fn create_dir(&self, dir: &RelPath, access: Access) -> Result<bool>;
    /// Creates a file that must not exist yet, for writing.
    fn create(&self, path: &RelPath, access: Access) -> Result<Box<dyn WriteFile>>;
    /// Opens an existing file for writing at its end.
    fn open_append(&self, path: &RelPath) -> Result<Box<dyn WriteFile>>;
    /// Renames over whatever stands at `to`.
    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<()>;
    /// Renames only when nothing stands at `to`; fails with `AlreadyExists` otherwise.
    fn rename_new(&self, from: &RelPath, to: &RelPath) -> Result<()>;
    /// Gives the file at `from` a second name that must not exist yet.
    fn link(&self, from: &RelPath, to: &RelPath) -> Result<()>;
    /// Removes a file's name.
    fn remove(&self, path: &RelPath) -> Result<()>;
    /// Makes the directory's names durable.
    fn sync_dir(&self, dir: &RelPath) -> Result<()>;
    /// Makes everything written so far durable in one go; `touched` names it for disks that must go file by file.
    fn sync_everything(&self, touched: &[RelPath]) -> Result<()>;
    /// Takes the exclusive lock on a lock file (created when missing, never deleted), or `None` when another holds it.
    fn try_lock(&self, path: &RelPath) -> Result<Option<Box<dyn LockFile>>>;
    /// A number that no other living process on this disk has, for the names of temporary files.
    fn process_id(&self) -> u32;
    /// A number that tells this user from others, for names in a directory that all of them share.
    fn user_id(&self) -> u32 {
        0
    }
}

/// An open file, for writing at its end. After a failed sync it is spent: drop it, report, never retry.
pub trait WriteFile: Send {
    /// What the disk knows of the open file.
    fn stat(&self) -> Result<Stat>;
    /// Writes some bytes at the end of the file and says how many.
    fn write(&mut self, bytes: &[u8]) -> Result<usize>;
    /// Cuts the file.
    fn truncate(&mut self, len: u64) -> Result<()>;
    /// Sets the permission bits.
    fn set_mode(&mut self, mode: u32) -> Result<()>;
    /// Makes the content and the length durable.
    fn sync_data(&mut self) -> Result<()>;
    /// Makes the content and all metadata durable.
    fn sync_all(&mut self) -> Result<()>;

    /// Writes all the bytes, however many calls that takes.
    fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let n = self.write(rest)?;
            rest = rest.get(n..).unwrap_or_default();
        }
        Ok(())
    }
}

/// A held lock; dropping it lets go, and so does the death of the process.
pub trait LockFile: Send {
    /// Replaces the text inside the lock file: who holds it. Advisory, for messages only.
    fn write_holder(&mut self, text: &str) -> Result<()>;
}
