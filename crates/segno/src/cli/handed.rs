//! Texts that were too long for an argument, each in a private file that a tool reads it from.
//!
//! Such a file lives as long as the command that wrote it, which holds the file's own lock. A lock dies with its holder,
//! however that died: the next command finds the file without one, and removes it.

use std::path::PathBuf;
use std::time::Duration;

use segno_disk::lock::Holder;
use segno_disk::{Access, Basis, Change, Disk, DiskError, LockFile, RelPath, is_temp_name};
use segno_store::workspace::OWN_DIR;

use super::error::CommandError;
use super::opened::Opened;

/// The directory below our own.
const DIR: &str = "handed";

/// A text in a private file. It is gone with [`Private::forget`], or at the next command.
pub(in crate::cli) struct Private<'o> {
    opened: &'o Opened,
    path: RelPath,
    _held: Option<Box<dyn LockFile>>,
}

impl<'o> Private<'o> {
    /// Writes a text that nobody else may read to a file of ours.
    pub(in crate::cli) fn keep(
        opened: &'o Opened,
        name: &str,
        text: &str,
    ) -> Result<Self, CommandError> {
        let path = dir()?.join_name(name)?;
        let volume = opened.own_volume()?;
        // Who cleans up takes this lock as well, and so never sees the file between its creation and its own lock.
        let _door = volume.lock(DIR, &holder(opened), opened.writer.patience)?;
        // Absent: a file that came with the workspace would keep its own mode, and could be anybody's.
        let change = Change::replace(
            path.clone(),
            text.as_bytes().to_vec(),
            Basis::Absent,
            Access::Private,
        );
        volume.commit(&[change])?;
        Ok(Self {
            _held: volume.disk().try_lock(&path)?,
            opened,
            path,
        })
    }

    /// Where it is, for the tool.
    pub(in crate::cli) fn path(&self) -> PathBuf {
        self.opened.root().join(self.path.as_str())
    }

    /// Removes it.
    pub(in crate::cli) fn forget(self) -> Result<(), CommandError> {
        let change = Change::Remove {
            path: self.path,
            basis: Basis::Any,
        };
        self.opened.own_volume()?.commit(&[change])?;
        Ok(())
    }
}

/// Removes what commands left behind that came to no end. What cannot be removed now is left to the next command: it is
/// in nobody's way.
pub(super) fn clean(opened: &Opened) {
    // Nearly always there is nothing, and that is one look at a directory.
    let _ = remove_dead(opened);
}

fn remove_dead(opened: &Opened) -> Result<(), CommandError> {
    let volume = opened.own_volume()?;
    let left = volume.disk().list(&dir()?)?;
    if left.is_empty() {
        return Ok(());
    }
    let _door = volume.lock(DIR, &holder(opened), Duration::ZERO)?;
    for entry in left {
        let path = dir()?.join_name(&entry.name)?;
        // A temporary file is one whose writer died behind the door that is ours now.
        if is_temp_name(&entry.name) || is_dead(volume.disk(), &path)? {
            let basis = Basis::Any;
            volume.commit(&[Change::Remove { path, basis }])?;
        }
    }
    Ok(())
}

/// True when the file is there and nobody holds it.
fn is_dead(disk: &dyn Disk, path: &RelPath) -> Result<bool, DiskError> {
    // Looked at first: taking a lock makes the file where there is none.
    Ok(disk.stat(path)?.is_some() && disk.try_lock(path)?.is_some())
}

fn holder(opened: &Opened) -> Holder {
    Holder {
        pid: opened.writer.pid,
        program: opened.writer.program.clone(),
        since: opened.writer.since.clone(),
    }
}

fn dir() -> Result<RelPath, CommandError> {
    Ok(RelPath::new(OWN_DIR)?.join(DIR)?)
}
