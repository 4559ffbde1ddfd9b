//! The commit path: carries out changes so that each is durable before the next begins.
//!
//! # Limitations
//! A file that another program created and did not sync may lose its name in a power cut even though our append to it
//! was synced, on a file system that does not log the name with the file. ext4, XFS and Btrfs do.
//!
//! A crash between the backup and the new version leaves one file under both names, until the next replacement: whoever
//! then writes into that file in place writes into its backup too. Replace a file that has a backup, do not append to it.

use std::collections::HashSet;
use std::io;

use crate::change::{Basis, Change};
use crate::disk::{Access, FileKind, Look, Stat, WriteFile};
use crate::error::{DiskError, Reason, Result};
use crate::path::RelPath;
use crate::volume::{Receipt, Volume};

const PIECE: usize = 256 * 1024;

/// When what was written must be durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sync {
    /// Before the call returns.
    Now,
    /// Later, by [`crate::Disk::sync_everything`].
    Later,
}

impl Volume<'_> {
    /// Carries out the changes in order. When this returns `Ok`, all of them survive a power cut; when it fails, the
    /// changes before the failing one are durable and the failing one left its file old or new.
    pub fn commit(&self, changes: &[Change]) -> Result<Receipt> {
        let mut receipt = Receipt::default();
        for change in changes {
            self.apply(change, &mut receipt)?;
        }
        Ok(receipt)
    }

    /// Looks whether the changes still fit what is there, and changes nothing. What an earlier change of the set touches
    /// is left to the commit itself.
    pub fn check(&self, changes: &[Change]) -> Result<()> {
        let mut touched: HashSet<&str> = HashSet::new();
        for change in changes {
            let path = change.path();
            if !path.self_and_above().any(|above| touched.contains(above)) {
                self.check_one(change)?;
            }
            touched.insert(path.as_str());
            if let Change::Move { from, .. } = change {
                touched.insert(from.as_str());
            }
        }
        Ok(())
    }

    fn check_one(&self, change: &Change) -> Result<()> {
        match change {
            Change::Replace { path, basis, .. } => {
                let (target, stat) = self.real_path(path)?;
                fits(&target, *basis, stat)?;
            }
            Change::Remove { path, basis } => {
                self.check_basis(path, *basis)?;
            }
            Change::Append { path, seen, .. } => {
                let len = self.disk.stat(path)?.map_or(0, |stat| stat.len);
                if len != *seen {
                    let why = "it has been written to since it was read";
                    return Err(conflict("append to", path, why));
                }
            }
            Change::Move { .. } | Change::CreateDir { .. } => {}
        }
        Ok(())
    }

    fn apply(&self, change: &Change, receipt: &mut Receipt) -> Result<()> {
        match change {
            Change::Replace {
                path,
                bytes,
                basis,
                backup,
                temp,
                access,
            } => {
                let (target, stat) = self.real_path(path)?;
                let old = fits(&target, *basis, stat)?;
                let mut staged =
                    self.stage(&target, bytes, old, temp.as_ref(), *access, receipt)?;
                staged
                    .sync()
                    .and_then(|()| {
                        self.publish(&staged, &target, *basis, backup.as_ref(), Sync::Now)
                    })
                    .inspect_err(|_| self.discard(&staged.temp))?;
                receipt.written.push(path.clone());
            }
            Change::Append {
                path,
                at,
                seen,
                bytes,
                access,
            } => {
                self.append(path, *at, *seen, bytes, *access, receipt)?;
                receipt.written.push(path.clone());
            }
            Change::Move { from, to, access } => {
                self.make_dirs(&to.parent().unwrap_or_default(), *access)?;
                self.move_new(from, to, Sync::Now)?;
                receipt.written.push(to.clone());
            }
            Change::Remove { path, basis } => {
                self.check_basis(path, *basis)?;
                self.disk.remove(path)?;
                // Crash: before this sync the file may be back; whoever asked for the removal asks again.
                self.disk.sync_dir(&path.parent().unwrap_or_default())?;
            }
            Change::CreateDir { path, access } => {
                self.make_dirs(&path.parent().unwrap_or_default(), Access::Shared)?;
                if !self.disk.create_dir(path, *access)? {
                    return Err(conflict("create directory", path, "it exists already"));
                }
                self.sync_up(path)?;
            }
        }
        Ok(())
    }

    /// Writes the new content beside its target, of which `old` is the present version; durable only as far as [`Volume::publish`] is told.
    pub(crate) fn stage(
        &self,
        target: &RelPath,
        bytes: &[u8],
        old: Option<Stat>,
        temp: Option<&RelPath>,
        access: Access,
        receipt: &mut Receipt,
    ) -> Result<Staged> {
        let dir = target.parent().unwrap_or_default();
        // Where the target stands, its directory does.
        if old.is_none() {
            self.make_dirs(&dir, access)?;
        }
        let (temp, file) = match temp {
            Some(named) => (named.clone(), self.create_named(named, access, receipt)?),
            None => self.create_temp(&dir, access)?,
        };
        let mut staged = Staged {
            temp,
            old,
            file: Some(file),
        };
        staged
            .fill(bytes)
            .inspect_err(|_| self.discard(&staged.temp))?;
        Ok(staged)
    }

    /// Puts a staged file in place of its target.
    pub(crate) fn publish(
        &self,
        staged: &Staged,
        target: &RelPath,
        basis: Basis,
        backup: Option<&RelPath>,
        sync: Sync,
    ) -> Result<()> {
        let dir = target.parent().unwrap_or_default();
        if let (Some(backup), Some(old)) = (backup, &staged.old) {
            self.keep_backup(target, old, backup, sync)?;
        }
        if basis != Basis::Any {
            self.check_basis(target, basis)?;
        }
        // Crash: up to here the target is untouched. The rename is atomic, so that afterwards it is old or new; the
        // content was synced before, so that new means whole.
        if basis == Basis::Absent {
            self.disk
                .rename_new(&staged.temp, target)
                .map_err(|e| taken(target, e))?;
        } else {
            self.disk.rename(&staged.temp, target)?;
        }
        match sync {
            // Crash: before this sync the old version may be back. It was not acknowledged.
            Sync::Now if staged.old.is_none() => self.sync_up(target),
            Sync::Now => self.disk.sync_dir(&dir),
            Sync::Later => Ok(()),
        }
    }

    /// Gives the present version a second name, in place of the backup before it.
    fn keep_backup(
        &self,
        target: &RelPath,
        old: &Stat,
        backup: &RelPath,
        sync: Sync,
    ) -> Result<()> {
        let dir = backup.parent().unwrap_or_default();
        let kept = self.disk.stat(backup)?;
        // Crash: where an earlier attempt got this far, the backup is this very file already.
        if kept.is_none_or(|kept| kept.inode != old.inode) {
            if sync == Sync::Now {
                // Another program may have written the present version without a sync.
                self.disk.open_append(target)?.sync_all()?;
            }
            self.make_dirs(&dir, Access::Private)?;
            let temp = self.second_name(target, old, &dir)?;
            // Crash: the backup is the one before or this one, whole either way: both were synced.
            self.disk
                .rename(&temp, backup)
                .inspect_err(|_| self.discard(&temp))?;
        }
        match sync {
            // Crash: in one directory names become durable in order, and the target's rename syncs it: the new version
            // is never there without its backup.
            Sync::Now if Some(&dir) == target.parent().as_ref() => Ok(()),
            Sync::Now if kept.is_none() => self.sync_up(backup),
            Sync::Now => self.disk.sync_dir(&dir),
            Sync::Later => Ok(()),
        }
    }

    /// Gives a file a temporary second name in a directory; a copy where the file system has no second names.
    fn second_name(&self, of: &RelPath, stat: &Stat, dir: &RelPath) -> Result<RelPath> {
        loop {
            let temp = self.temp_in(dir)?;
            match self.disk.link(of, &temp) {
                Ok(()) => return Ok(temp),
                Err(error) if error.source.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) if cannot_link(&error) => {
                    self.copy(of, &temp, stat.mode)
                        .inspect_err(|_| self.discard(&temp))?;
                    return Ok(temp);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn copy(&self, from: &RelPath, to: &RelPath, mode: u32) -> Result<()> {
        let len = self.disk.stat(from)?.map_or(0, |stat| stat.len);
        let mut file = self.disk.create(to, Access::Private)?;
        file.set_mode(mode)?;
        self.copy_range(from, 0, len, file.as_mut())?;
        file.sync_all()
    }

    fn copy_range(
        &self,
        from: &RelPath,
        start: u64,
        end: u64,
        to: &mut dyn WriteFile,
    ) -> Result<()> {
        let source = self.disk.open(from)?;
        let mut piece = vec![0; PIECE];
        let mut at = start;
        while at < end {
            let want = usize::try_from(end - at).unwrap_or(PIECE).min(PIECE);
            let Some(window) = piece.get_mut(..want) else {
                break;
            };
            let n = source.read_full_at(at, window)?;
            if n == 0 {
                break;
            }
            to.write_all(window.get(..n).unwrap_or_default())?;
            at += n as u64;
        }
        Ok(())
    }

    pub(crate) fn append(
        &self,
        path: &RelPath,
        at: u64,
        seen: u64,
        bytes: &[u8],
        access: Access,
        receipt: &mut Receipt,
    ) -> Result<()> {
        let mut file = match self.disk.open_append(path) {
            Ok(file) => file,
            Err(error) if error.is_not_found() && seen == 0 => {
                return self.create_log(path, bytes, access);
            }
            Err(error) if error.is_not_found() => {
                return Err(conflict("append to", path, "it has been removed"));
            }
            Err(error) => return Err(error),
        };
        let len = file.stat()?.len;
        if len != seen || at > len {
            return Err(conflict(
                "append to",
                path,
                "it has been written to since it was read",
            ));
        }
        if at < len {
            receipt
                .quarantined
                .push(self.quarantine_range(path, at, len)?);
            // Crash: the torn tail is still there or gone; a copy is in quarantine either way.
            file.truncate(at)?;
            file.sync_data()?;
        }
        if let Err(error) = file.write_all(bytes) {
            // Half a line is not left behind: a full disk takes no more, but gives back.
            let _ = file.truncate(at);
            return Err(error);
        }
        // Crash: the line is there whole, torn or not at all. It was not acknowledged, and the next open finds the
        // valid prefix.
        file.sync_data().inspect_err(|_| self.take_back(path, at))?;
        if at == 0 {
            // Whoever made this file may have died before its name was durable.
            self.sync_up(path)?;
        }
        Ok(())
    }

    /// After a failed sync the kernel may call the lost bytes clean: they are taken back through a handle of its own, so
    /// that nothing is built on them.
    fn take_back(&self, path: &RelPath, at: u64) {
        if let Ok(mut file) = self.disk.open_append(path) {
            let _ = file.truncate(at);
        }
    }

    fn create_log(&self, path: &RelPath, bytes: &[u8], access: Access) -> Result<()> {
        self.make_dirs(&path.parent().unwrap_or_default(), access)?;
        let mut file = self.disk.create(path, access).map_err(|e| taken(path, e))?;
        // Crash: an empty or torn file; its valid prefix is empty.
        file.write_all(bytes)
            .and_then(|()| file.sync_all())
            .inspect_err(|_| self.discard(path))?;
        // Crash: before this the name may be gone, and the line with it. It was not acknowledged.
        self.sync_up(path)
    }

    /// Copies a torn tail to quarantine, durably.
    pub(crate) fn quarantine_range(&self, path: &RelPath, at: u64, end: u64) -> Result<RelPath> {
        let kept = self.quarantine_path(path, &format!("torn-{at}"))?;
        let dir = kept.parent().unwrap_or_default();
        let (temp, mut file) = self.create_temp(&dir, Access::Private)?;
        self.copy_range(path, at, end, file.as_mut())
            .and_then(|()| file.sync_all())
            .and_then(|()| self.disk.rename_new(&temp, &kept))
            .inspect_err(|_| self.discard(&temp))?;
        self.sync_up(&kept)?;
        Ok(kept)
    }

    pub(crate) fn move_new(&self, from: &RelPath, to: &RelPath, sync: Sync) -> Result<()> {
        self.disk.rename_new(from, to).map_err(|e| taken(to, e))?;
        if sync == Sync::Later {
            return Ok(());
        }
        // Crash: the rename is atomic: the file is at one of the two places.
        self.sync_up(to)?;
        self.disk.sync_dir(&from.parent().unwrap_or_default())
    }

    pub(crate) fn check_basis(&self, path: &RelPath, basis: Basis) -> Result<Option<Stat>> {
        fits(path, basis, self.disk.stat(path)?)
    }

    /// Makes a directory and what is missing above it, each durable. `access` is the innermost one's.
    pub(crate) fn make_dirs(&self, dir: &RelPath, access: Access) -> Result<()> {
        if dir.is_root()
            || self
                .disk
                .stat(dir)?
                .is_some_and(|stat| stat.kind == FileKind::Dir)
        {
            return Ok(());
        }
        let parent = dir.parent().unwrap_or_default();
        self.make_dirs(&parent, Access::Shared)?;
        self.disk.create_dir(dir, access)?;
        // Crash: before this sync the directory may be gone, and nothing in it was acknowledged.
        self.disk.sync_dir(&parent)
    }

    /// Syncs every directory above a path: an earlier process may have died between making one and syncing it.
    pub(crate) fn sync_up(&self, path: &RelPath) -> Result<()> {
        let mut at = path.parent();
        while let Some(dir) = at {
            self.disk.sync_dir(&dir)?;
            at = dir.parent();
        }
        Ok(())
    }

    fn create_temp(&self, dir: &RelPath, access: Access) -> Result<(RelPath, Box<dyn WriteFile>)> {
        loop {
            let temp = self.temp_in(dir)?;
            match self.disk.create(&temp, access) {
                Ok(file) => return Ok((temp, file)),
                // Left by a dead process that had our number.
                Err(error) if error.source.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn create_named(
        &self,
        temp: &RelPath,
        access: Access,
        receipt: &mut Receipt,
    ) -> Result<Box<dyn WriteFile>> {
        if self.disk.stat(temp)?.is_some() {
            // Crash: an earlier writer, perhaps not this program, died with its work in it: set aside, not overwritten.
            let kept = self.quarantine_path(temp, "left")?;
            self.move_new(temp, &kept, Sync::Now)?;
            receipt.quarantined.push(kept);
        }
        self.disk.create(temp, access)
    }

    pub(crate) fn discard(&self, temp: &RelPath) {
        // The failure that led here is the one to report.
        let _ = self.disk.remove(temp);
    }

    /// Removes the temporary files that a crash left in a directory. Only under the lock that guards it.
    pub fn sweep(&self, dir: &RelPath) -> Result<Vec<RelPath>> {
        let mut swept = Vec::new();
        for entry in self.disk.list(dir)? {
            if entry.kind == FileKind::File && crate::volume::is_temp_name(&entry.name) {
                let path = dir.join_name(&entry.name)?;
                self.disk.remove(&path)?;
                swept.push(path);
            }
        }
        Ok(swept)
    }

    /// Follows a symbolic link at the path itself, so that the file it points to is replaced and not the link: that file's
    /// path and what stands there.
    pub(crate) fn real_path(&self, path: &RelPath) -> Result<(RelPath, Option<Stat>)> {
        let mut at = path.clone();
        for _ in 0..16 {
            match self.disk.look(&at)? {
                Look::Nothing => return Ok((at, None)),
                Look::Stands(stat) => return Ok((at, Some(stat))),
                Look::Link(target) => at = follow(&at, &target)?,
            }
        }
        Err(escapes(path))
    }
}

/// New content beside its target.
pub(crate) struct Staged {
    pub(crate) temp: RelPath,
    pub(crate) old: Option<Stat>,
    file: Option<Box<dyn WriteFile>>,
}

impl Staged {
    fn fill(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(file) = self.file.as_mut() else {
            return Ok(());
        };
        if let Some(old) = &self.old
            && file.stat()?.mode != old.mode
        {
            file.set_mode(old.mode)?;
        }
        // Crash: a temporary file is left that nothing refers to; `sweep` removes it.
        file.write_all(bytes)
    }

    /// Makes the staged content durable and closes it.
    pub(crate) fn sync(&mut self) -> Result<()> {
        match self.file.take() {
            Some(mut file) => file.sync_all(),
            None => Ok(()),
        }
    }

    /// What another process staged before it died.
    pub(crate) fn closed(temp: RelPath, old: Option<Stat>) -> Self {
        Self {
            temp,
            old,
            file: None,
        }
    }

    /// Closes the staged content without a sync.
    pub(crate) fn close(&mut self) {
        self.file = None;
    }
}

/// The present version of a file, when it is the one that a change was made for.
pub(crate) fn fits(path: &RelPath, basis: Basis, stat: Option<Stat>) -> Result<Option<Stat>> {
    let holds = match (basis, &stat) {
        (Basis::Any, _) | (Basis::Absent, None) => true,
        (Basis::Version(stamp), Some(stat)) => stat.stamp() == stamp,
        (Basis::Absent, Some(_)) | (Basis::Version(_), None) => false,
    };
    if !holds {
        return Err(conflict(
            "write",
            path,
            "it has been changed since it was read",
        ));
    }
    if stat
        .as_ref()
        .is_some_and(|stat| stat.kind != FileKind::File)
    {
        let cause = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
        return Err(DiskError::io("write", path.to_path_buf(), cause));
    }
    Ok(stat)
}

fn follow(link: &RelPath, target: &str) -> Result<RelPath> {
    if target.starts_with('/') {
        return Err(escapes(link));
    }
    let mut at = link.parent().unwrap_or_default();
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => at = at.parent().ok_or_else(|| escapes(link))?,
            name => at = at.join_name(name)?,
        }
    }
    Ok(at)
}

fn escapes(path: &RelPath) -> DiskError {
    DiskError::because(
        "write",
        path.to_path_buf(),
        Reason::Escapes,
        "a symbolic link on the way leads out of the workspace",
    )
}

fn conflict(op: &'static str, path: &RelPath, why: &str) -> DiskError {
    DiskError::because(op, path.to_path_buf(), Reason::Conflict, why)
}

/// A name that was free a moment ago and is taken now: somebody else was faster.
fn taken(path: &RelPath, error: DiskError) -> DiskError {
    if error.source.kind() == io::ErrorKind::AlreadyExists {
        conflict("create", path, "it exists already")
    } else {
        error
    }
}

fn cannot_link(error: &DiskError) -> bool {
    use rustix::io::Errno;
    [Errno::PERM, Errno::NOTSUP, Errno::MLINK, Errno::NOSYS]
        .iter()
        .any(|errno| error.source.raw_os_error() == Some(errno.raw_os_error()))
}
