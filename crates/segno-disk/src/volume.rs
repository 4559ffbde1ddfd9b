//! A disk together with the directory on it that is ours: locks, quarantine, journal and temporary names.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::change::{Basis, Change};
use crate::disk::{Access, Disk};
use crate::error::Result;
use crate::lock::{Holder, Lock, lock};
use crate::path::RelPath;

/// A disk and the directory on it that is ours. Everything that writes goes through one of these.
pub struct Volume<'d> {
    pub(crate) disk: &'d dyn Disk,
    own: RelPath,
    // Invariant: counts up only, so that no two temporary files of this process share a name.
    next_temp: AtomicU64,
}

/// What a commit did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The files that hold the changes now, durably.
    pub written: Vec<RelPath>,
    /// Where bytes were set aside before something was cut or overtaken.
    pub quarantined: Vec<RelPath>,
}

impl Receipt {
    /// Adds what another commit did.
    pub fn absorb(&mut self, other: Self) {
        self.written.extend(other.written);
        self.quarantined.extend(other.quarantined);
    }
}

impl<'d> Volume<'d> {
    /// A disk whose own directory (made when first needed) is `own`.
    pub fn new(disk: &'d dyn Disk, own: RelPath) -> Self {
        Self {
            disk,
            own,
            next_temp: AtomicU64::new(0),
        }
    }

    /// The disk.
    pub fn disk(&self) -> &'d dyn Disk {
        self.disk
    }

    /// Our own directory.
    pub fn own(&self) -> &RelPath {
        &self.own
    }

    /// Takes the lock of this name, waiting up to `patience`.
    pub fn lock(&self, name: &str, holder: &Holder, patience: Duration) -> Result<Lock> {
        let path = self.lock_path(name)?;
        match lock(self.disk, &path, holder, patience) {
            // The very first lock of a workspace. Not looked for beforehand: every write begins here.
            Err(error) if error.is_not_found() => {
                self.make_own(&path)?;
                lock(self.disk, &path, holder, patience)
            }
            taken => taken,
        }
    }

    /// Where the lock of this name lies.
    pub fn lock_path(&self, name: &str) -> Result<RelPath> {
        self.own
            .join("locks")?
            .join_name(&format!("{}.lock", file_name(name)))
    }

    pub(crate) fn journal_path(&self, name: &str) -> Result<RelPath> {
        self.own
            .join("journal")?
            .join_name(&format!("{}.unit", file_name(name)))
    }

    pub(crate) fn journal_dir(&self) -> Result<RelPath> {
        self.own.join("journal")
    }

    /// A name in quarantine that is free, telling where the bytes came from.
    pub(crate) fn quarantine_path(&self, of: &RelPath, tag: &str) -> Result<RelPath> {
        let dir = self.own.join("quarantine")?;
        let stem = file_name(of.as_str());
        let mut n = 0_u64;
        loop {
            let path = dir.join_name(&format!("{stem}.{tag}.{n}"))?;
            if self.disk.stat(&path)?.is_none() {
                self.make_own(&path)?;
                return Ok(path);
            }
            n += 1;
        }
    }

    /// Makes our own directory for a file in it, with the `.gitignore` that keeps it out of the user's commits.
    pub(crate) fn make_own(&self, file: &RelPath) -> Result<()> {
        let Some(dir) = file.parent() else {
            return Ok(());
        };
        if self.disk.stat(&dir)?.is_some() {
            return Ok(());
        }
        self.make_dirs(&dir, Access::Private)?;
        let ignore = self.own.join(".gitignore")?;
        if self.disk.stat(&ignore)?.is_none() {
            let text = b"# Segno's own working files; the configuration is yours to commit.\n*\n!config.toml\n!.gitignore\n";
            let change = Change::replace(ignore, text.to_vec(), Basis::Absent, Access::Shared);
            match self.commit(&[change]) {
                Err(error) if !error.is_conflict() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// A temporary name in a directory that nobody else uses.
    pub(crate) fn temp_in(&self, dir: &RelPath) -> Result<RelPath> {
        let n = self.next_temp.fetch_add(1, Ordering::Relaxed);
        dir.join_name(&format!(".segno-{}-{n}.tmp", self.disk.process_id()))
    }
}

/// True for the name of a temporary file of ours, as a crash may leave it behind.
pub fn is_temp_name(name: &str) -> bool {
    name.starts_with(".segno-")
        && std::path::Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "tmp")
}

/// A file name for any text: readable where it is short and plain, unique by a hash where it is not.
fn file_name(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| {
            if c == '/' || c == '\\' || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect();
    if plain == text && plain.len() <= 120 {
        return plain;
    }
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let mut start = plain.len().saturating_sub(100);
    while !plain.is_char_boundary(start) {
        start += 1;
    }
    format!("{}-{hash:016x}", plain.get(start..).unwrap_or_default())
}
