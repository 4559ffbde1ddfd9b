//! The disk of this machine, seen from one root that no path leaves.
//!
//! Every path is opened beneath the root's own handle with `openat2(RESOLVE_BENEATH)`, so that a symbolic link planted
//! between a check and an open cannot lead out. Where the kernel has no `openat2`, names are opened one by one and
//! symbolic links are refused altogether.
//!
//! # Limitations
//! A symbolic link with an absolute target counts as leading out, even when it points below the root. Directories are
//! synced with `fsync`, which network file systems may answer without doing anything.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use crate::disk::{
    Access, DirEntry, Disk, FileKind, LockFile, Look, ReadDisk, ReadFile, Stamp, Stat, WriteFile,
};
use crate::error::{DiskError, Reason, Result};
use crate::path::{RelPath, bad_name};

/// The files below one directory of this machine.
pub struct RealDisk {
    root: PathBuf,
    dir: OwnedFd,
}

impl RealDisk {
    /// Opens the directory that all paths will be below.
    pub fn open(root: &Path) -> Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let dir = retry_on_intr(|| fs::open(root, flags, Mode::empty()))
            .map_err(|e| DiskError::io("open", root, e.into()))?;
        Ok(Self {
            root: root.to_path_buf(),
            dir,
        })
    }

    /// Where the root is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn open_at(
        &self,
        op: &'static str,
        path: &RelPath,
        flags: OFlags,
        mode: Mode,
    ) -> Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        beneath(self.dir.as_fd(), path, flags, mode).map_err(|e| opened_badly(op, path, e))
    }

    /// A directory to be listed; `None` when there is none.
    fn open_dir(&self, dir: &RelPath) -> Result<Option<OwnedFd>> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY;
        match self.open_at("list", dir, flags, Mode::empty()) {
            Ok(fd) => Ok(Some(fd)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open_read(&self, path: &RelPath) -> Result<(RealRead, Stat)> {
        // NONBLOCK: a named pipe planted in the workspace must not hang the reader.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        let fd = self.open_at("open", path, flags, Mode::empty())?;
        let stat = stat_of("open", path, &fd)?;
        if stat.kind != FileKind::File {
            return Err(not_a_file("open", path));
        }
        let file = RealRead {
            file: File::from(fd),
            path: path.clone(),
            at_opening: Mutex::new(Some(stat)),
        };
        Ok((file, stat))
    }

    /// The open parent directory of a path, and the last name.
    fn parent<'a>(&self, op: &'static str, path: &'a RelPath) -> Result<(OwnedFd, &'a str)> {
        let dir = path.parent().unwrap_or_default();
        let flags = OFlags::DIRECTORY | OFlags::RDONLY;
        Ok((self.open_at(op, &dir, flags, Mode::empty())?, path.name()))
    }
}

/// Opens a path that may not leave the directory.
fn beneath(
    dir: std::os::fd::BorrowedFd<'_>,
    path: &RelPath,
    flags: OFlags,
    mode: Mode,
) -> rustix::io::Result<OwnedFd> {
    let text = if path.is_root() { "." } else { path.as_str() };
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let how = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        // EAGAIN: a rename elsewhere raced with the walk; the kernel asks to try again.
        for _ in 0..64 {
            match fs::openat2(dir, text, flags, mode, how) {
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(Errno::NOSYS) => return name_by_name(dir, path, flags, mode),
                done => return done,
            }
        }
        Err(Errno::AGAIN)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = text;
        name_by_name(dir, path, flags, mode)
    }
}

/// The slow way down: every name is opened without following links.
fn name_by_name(
    dir: std::os::fd::BorrowedFd<'_>,
    path: &RelPath,
    flags: OFlags,
    mode: Mode,
) -> rustix::io::Result<OwnedFd> {
    let walk = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Some(parent) = path.parent() else {
        return retry_on_intr(|| fs::openat(dir, ".", flags, mode));
    };
    let mut at = retry_on_intr(|| fs::openat(dir, ".", walk, Mode::empty()))?;
    for name in parent.names() {
        at = retry_on_intr(|| fs::openat(&at, name, walk, Mode::empty()))?;
    }
    retry_on_intr(|| fs::openat(&at, path.name(), flags | OFlags::NOFOLLOW, mode))
}

fn opened_badly(op: &'static str, path: &RelPath, errno: Errno) -> DiskError {
    match errno {
        Errno::XDEV | Errno::LOOP => DiskError::because(
            op,
            path.to_path_buf(),
            Reason::Escapes,
            "a symbolic link on the way leads out of the workspace",
        ),
        other => DiskError::io(op, path.to_path_buf(), other.into()),
    }
}

fn failed(op: &'static str, path: &RelPath) -> impl Fn(Errno) -> DiskError {
    let path = path.to_path_buf();
    move |errno| DiskError::io(op, path.clone(), errno.into())
}

fn stat_of(op: &'static str, path: &RelPath, fd: impl AsFd) -> Result<Stat> {
    let raw = retry_on_intr(|| fs::fstat(&fd)).map_err(failed(op, path))?;
    Ok(as_stat(&raw))
}

fn as_stat(raw: &fs::Stat) -> Stat {
    let kind = match fs::FileType::from_raw_mode(raw.st_mode) {
        fs::FileType::RegularFile => FileKind::File,
        fs::FileType::Directory => FileKind::Dir,
        _ => FileKind::Other,
    };
    Stat {
        kind,
        len: u64::try_from(raw.st_size).unwrap_or(0),
        modified_ns: i128::from(raw.st_mtime) * 1_000_000_000 + i128::from(raw.st_mtime_nsec),
        inode: raw.st_ino,
        mode: raw.st_mode & 0o7777,
    }
}

impl ReadDisk for RealDisk {
    fn stat(&self, path: &RelPath) -> Result<Option<Stat>> {
        match self.open_at("stat", path, OFlags::PATH, Mode::empty()) {
            Ok(fd) => stat_of("stat", path, fd).map(Some),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn list(&self, dir: &RelPath) -> Result<Vec<DirEntry>> {
        let Some(fd) = self.open_dir(dir)? else {
            return Ok(Vec::new());
        };
        let mut entries = Vec::new();
        let listing = fs::Dir::read_from(&fd).map_err(failed("list", dir))?;
        for entry in listing {
            let entry = entry.map_err(failed("list", dir))?;
            let Ok(name) = entry.file_name().to_str() else {
                continue;
            };
            if bad_name(name).is_some() {
                continue;
            }
            let kind = match entry.file_type() {
                fs::FileType::RegularFile => FileKind::File,
                fs::FileType::Directory => FileKind::Dir,
                fs::FileType::Unknown => match fs::statat(&fd, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(raw) => as_stat(&raw).kind,
                    Err(_) => continue,
                },
                _ => FileKind::Other,
            };
            entries.push(DirEntry {
                name: name.to_owned(),
                kind,
            });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn unusable(&self, dir: &RelPath) -> Result<Vec<String>> {
        let Some(fd) = self.open_dir(dir)? else {
            return Ok(Vec::new());
        };
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(&fd).map_err(failed("list", dir))? {
            let entry = entry.map_err(failed("list", dir))?;
            let name = entry.file_name().to_string_lossy();
            let is_usable = entry.file_name().to_str().is_ok() && bad_name(&name).is_none();
            if !is_usable && name != "." && name != ".." {
                names.push(name.chars().flat_map(char::escape_debug).collect());
            }
        }
        names.sort();
        Ok(names)
    }

    fn open(&self, path: &RelPath) -> Result<Box<dyn ReadFile>> {
        Ok(Box::new(self.open_read(path)?.0))
    }

    fn read(&self, path: &RelPath) -> Result<Option<(Vec<u8>, Stamp)>> {
        let (file, stat) = match self.open_read(path) {
            Ok(opened) => opened,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut bytes = vec![0; usize::try_from(stat.len).unwrap_or(usize::MAX)];
        let n = file.read_full_at(0, &mut bytes)?;
        bytes.truncate(n);
        Ok(Some((bytes, stat.stamp())))
    }

    fn look(&self, path: &RelPath) -> Result<Look> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW;
        let fd = match self.open_at("stat", path, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(error) if is_absent(&error) => return Ok(Look::Nothing),
            Err(error) => return Err(error),
        };
        let raw = retry_on_intr(|| fs::fstat(&fd)).map_err(failed("stat", path))?;
        if fs::FileType::from_raw_mode(raw.st_mode) != fs::FileType::Symlink {
            return Ok(Look::Stands(as_stat(&raw)));
        }
        let target = retry_on_intr(|| fs::readlinkat(&fd, "", Vec::new()));
        let target = target.map_err(failed("read link", path))?;
        Ok(Look::Link(target.to_string_lossy().into_owned()))
    }

    fn read_link(&self, path: &RelPath) -> Result<Option<String>> {
        let (dir, name) = match self.parent("read link", path) {
            Ok(parent) => parent,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        match retry_on_intr(|| fs::readlinkat(&dir, name, Vec::new())) {
            Ok(target) => Ok(Some(target.to_string_lossy().into_owned())),
            Err(Errno::INVAL | Errno::NOENT) => Ok(None),
            Err(errno) => Err(failed("read link", path)(errno)),
        }
    }
}

fn is_absent(error: &DiskError) -> bool {
    error.is_not_found()
        || (error.reason == Reason::Io && error.source.kind() == io::ErrorKind::NotADirectory)
}

fn not_a_file(op: &'static str, path: &RelPath) -> DiskError {
    let cause = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
    DiskError::io(op, path.to_path_buf(), cause)
}

struct RealRead {
    file: File,
    path: RelPath,
    // Nearly everybody asks right after opening, and is given what was seen then; whoever asks again is told anew.
    at_opening: Mutex<Option<Stat>>,
}

impl ReadFile for RealRead {
    fn stat(&self) -> Result<Stat> {
        let seen = self.at_opening.lock().ok().and_then(|mut seen| seen.take());
        match seen {
            Some(stat) => Ok(stat),
            None => stat_of("stat", &self.path, &self.file),
        }
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        loop {
            match self.file.read_at(buf, offset) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                done => return done.map_err(|e| DiskError::io("read", self.path.to_path_buf(), e)),
            }
        }
    }
}

impl Disk for RealDisk {
    fn create_dir(&self, dir: &RelPath, access: Access) -> Result<bool> {
        let (parent, name) = self.parent("create directory", dir)?;
        let mode = match access {
            Access::Private => Mode::from_raw_mode(0o700),
            Access::Shared => Mode::from_raw_mode(0o777),
        };
        match retry_on_intr(|| fs::mkdirat(&parent, name, mode)) {
            Ok(()) => {
                if access == Access::Private {
                    retry_on_intr(|| fs::chmodat(&parent, name, mode, AtFlags::empty()))
                        .map_err(failed("set the mode of", dir))?;
                }
                Ok(true)
            }
            Err(Errno::EXIST) => match self.stat(dir)? {
                Some(stat) if stat.kind == FileKind::Dir => Ok(false),
                _ => Err(failed("create directory", dir)(Errno::NOTDIR)),
            },
            Err(errno) => Err(failed("create directory", dir)(errno)),
        }
    }

    fn create(&self, path: &RelPath, access: Access) -> Result<Box<dyn WriteFile>> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::APPEND;
        let mode = match access {
            Access::Private => Mode::from_raw_mode(0o600),
            Access::Shared => Mode::from_raw_mode(0o666),
        };
        let fd = self.open_at("create", path, flags, mode)?;
        let mut file = RealWrite {
            file: File::from(fd),
            path: path.clone(),
            spent: false,
            at_opening: Cell::new(None),
        };
        if access == Access::Private {
            file.set_mode(0o600)?;
        }
        Ok(Box::new(file))
    }

    fn open_append(&self, path: &RelPath) -> Result<Box<dyn WriteFile>> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NONBLOCK;
        let fd = self.open_at("open", path, flags, Mode::empty())?;
        let stat = stat_of("open", path, &fd)?;
        if stat.kind != FileKind::File {
            return Err(not_a_file("open", path));
        }
        Ok(Box::new(RealWrite {
            file: File::from(fd),
            path: path.clone(),
            spent: false,
            at_opening: Cell::new(Some(stat)),
        }))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        let (old_dir, old) = self.parent("rename", from)?;
        if from.parent() == to.parent() {
            return retry_on_intr(|| fs::renameat(&old_dir, old, &old_dir, to.name()))
                .map_err(failed("rename to", to));
        }
        let (new_dir, new) = self.parent("rename to", to)?;
        retry_on_intr(|| fs::renameat(&old_dir, old, &new_dir, new))
            .map_err(failed("rename to", to))
    }

    fn rename_new(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        let (old_dir, old) = self.parent("rename", from)?;
        let (new_dir, new) = self.parent("rename to", to)?;
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        {
            let flags = fs::RenameFlags::NOREPLACE;
            match retry_on_intr(|| fs::renameat_with(&old_dir, old, &new_dir, new, flags)) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return done.map_err(failed("rename to", to)),
            }
        }
        // A file system without RENAME_NOREPLACE: a second name is exclusive as well, for files.
        retry_on_intr(|| fs::linkat(&old_dir, old, &new_dir, new, AtFlags::empty()))
            .map_err(failed("rename to", to))?;
        retry_on_intr(|| fs::unlinkat(&old_dir, old, AtFlags::empty()))
            .map_err(failed("rename", from))
    }

    fn link(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        let (old_dir, old) = self.parent("link", from)?;
        let (new_dir, new) = self.parent("link to", to)?;
        retry_on_intr(|| fs::linkat(&old_dir, old, &new_dir, new, AtFlags::empty()))
            .map_err(failed("link to", to))
    }

    fn remove(&self, path: &RelPath) -> Result<()> {
        let (dir, name) = self.parent("remove", path)?;
        retry_on_intr(|| fs::unlinkat(&dir, name, AtFlags::empty())).map_err(failed("remove", path))
    }

    fn sync_dir(&self, dir: &RelPath) -> Result<()> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY;
        let fd = self.open_at("sync", dir, flags, Mode::empty())?;
        retry_on_intr(|| fs::fsync(&fd)).map_err(failed("sync directory", dir))
    }

    fn sync_everything(&self, touched: &[RelPath]) -> Result<()> {
        #[cfg(target_os = "linux")]
        {
            let _ = touched;
            retry_on_intr(|| fs::syncfs(&self.dir)).map_err(failed("sync", &RelPath::root()))
        }
        #[cfg(not(target_os = "linux"))]
        {
            for path in touched {
                match self.open_append(path) {
                    Ok(mut file) => file.sync_all()?,
                    Err(error) if error.is_not_found() => {}
                    Err(error) => return Err(error),
                }
                self.sync_dir(&path.parent().unwrap_or_default())?;
            }
            Ok(())
        }
    }

    fn try_lock(&self, path: &RelPath) -> Result<Option<Box<dyn LockFile>>> {
        let flags = OFlags::CREATE | OFlags::RDWR;
        let fd = self.open_at("lock", path, flags, Mode::from_raw_mode(0o600))?;
        let file = File::from(fd);
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(RealLock {
                file,
                path: path.clone(),
            }))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(DiskError::io("lock", path.to_path_buf(), e)),
        }
    }

    fn process_id(&self) -> u32 {
        std::process::id()
    }

    fn user_id(&self) -> u32 {
        rustix::process::getuid().as_raw()
    }
}

struct RealWrite {
    file: File,
    path: RelPath,
    // Invariant: set by a failed sync and never cleared. The kernel may have dropped the pages and would call a second
    // sync successful.
    spent: bool,
    // As with a file that is read: the first answer is what was seen at opening.
    at_opening: Cell<Option<Stat>>,
}

impl RealWrite {
    fn usable(&self, op: &'static str) -> Result<()> {
        if self.spent {
            let cause = io::Error::other("an earlier sync of this file failed");
            return Err(DiskError::io(op, self.path.to_path_buf(), cause));
        }
        Ok(())
    }

    fn synced(&mut self, done: rustix::io::Result<()>) -> Result<()> {
        if done.is_err() {
            self.spent = true;
        }
        done.map_err(failed("sync", &self.path))
    }
}

impl WriteFile for RealWrite {
    fn stat(&self) -> Result<Stat> {
        match self.at_opening.take() {
            Some(stat) => Ok(stat),
            None => stat_of("stat", &self.path, &self.file),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.usable("write")?;
        self.at_opening.set(None);
        let n = retry_on_intr(|| rustix::io::write(&self.file, bytes))
            .map_err(failed("write", &self.path))?;
        if n == 0 && !bytes.is_empty() {
            let cause = io::Error::new(io::ErrorKind::WriteZero, "the disk took no bytes");
            return Err(DiskError::io("write", self.path.to_path_buf(), cause));
        }
        Ok(n)
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        self.usable("cut")?;
        self.at_opening.set(None);
        retry_on_intr(|| fs::ftruncate(&self.file, len)).map_err(failed("cut", &self.path))
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.at_opening.set(None);
        let mode = Mode::from_raw_mode(mode);
        retry_on_intr(|| fs::fchmod(&self.file, mode))
            .map_err(failed("set the mode of", &self.path))
    }

    fn sync_data(&mut self) -> Result<()> {
        self.usable("sync")?;
        let done = retry_on_intr(|| fs::fdatasync(&self.file));
        self.synced(done)
    }

    fn sync_all(&mut self) -> Result<()> {
        self.usable("sync")?;
        let done = retry_on_intr(|| fs::fsync(&self.file));
        self.synced(done)
    }
}

/// No holder's own text is longer; what is, somebody else wrote.
const MAX_HOLDER: usize = 4096;

struct RealLock {
    file: File,
    path: RelPath,
}

impl LockFile for RealLock {
    fn write_holder(&mut self, text: &str) -> Result<()> {
        let failed = |e| DiskError::io("write the holder into", self.path.to_path_buf(), e);
        let mut before = [0; MAX_HOLDER + 1];
        let len = self.file.read_at(&mut before, 0).map_err(failed)?;
        let before = before.get(..len).unwrap_or_default();
        // In place and never shorter: a file that is cut and grown again gets a new block, which the file system's journal
        // would have to write out together with the session's own sync. Blank lines at the end say nothing.
        let mut bytes = text.as_bytes().to_vec();
        if before.len() > MAX_HOLDER {
            self.file.set_len(0).map_err(failed)?;
        } else if bytes.len() < before.len() {
            bytes.resize(before.len(), b'\n');
        }
        // Nor at all where it says so already, as for one who writes again and again: even a new time of modification goes
        // through that journal, with the very sync that the writer waits for.
        if bytes == before {
            return Ok(());
        }
        self.file.write_all_at(&bytes, 0).map_err(failed)
    }
}
