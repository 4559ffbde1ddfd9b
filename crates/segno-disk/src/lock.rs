//! Locks between processes: one lock file per session, never deleted, let go by the death of its holder.
//!
//! # Limitations
//! A lock is a courtesy between programs that ask for it. Network file systems may not honour it; the formats carry the
//! safety ([`crate::Basis`] and the offset of an append), so that the worst case is a refused write, not a lost one.

use std::time::{Duration, Instant};

use crate::disk::{Disk, LockFile};
use crate::error::{DiskError, Reason, Result};
use crate::path::RelPath;

/// Who holds a lock, as written inside the lock file. For messages only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// The program and what it is doing, such as `segno conversation say`.
    pub program: String,
    /// Since when, as text.
    pub since: String,
}

impl Holder {
    pub(crate) fn to_text(&self) -> String {
        format!(
            "pid: {}\nprogram: {}\nsince: {}\n",
            self.pid, self.program, self.since
        )
    }

    /// Reads the text of a lock file; what is missing or unreadable stays empty.
    pub fn from_text(text: &str) -> Self {
        let mut holder = Self::default();
        for line in text.lines() {
            match line.split_once(": ") {
                Some(("pid", value)) => holder.pid = value.trim().parse().unwrap_or(0),
                Some(("program", value)) => value.trim().clone_into(&mut holder.program),
                Some(("since", value)) => value.trim().clone_into(&mut holder.since),
                _ => {}
            }
        }
        holder
    }
}

/// A held lock. Dropping it lets go.
#[must_use = "the lock is let go when this is dropped"]
pub struct Lock {
    _file: Box<dyn LockFile>,
}

/// Takes a lock, waiting up to `patience` for its holder to finish.
///
/// The text that a dead holder left inside is no obstacle: only a living process holds the lock itself.
pub fn lock(disk: &dyn Disk, path: &RelPath, holder: &Holder, patience: Duration) -> Result<Lock> {
    let deadline = Instant::now() + patience;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(mut file) = disk.try_lock(path)? {
            file.write_holder(&holder.to_text())?;
            return Ok(Lock { _file: file });
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let text = disk.read(path)?.map(|(bytes, _)| bytes).unwrap_or_default();
            let held_by = Holder::from_text(&String::from_utf8_lossy(&text));
            return Err(DiskError::because(
                "lock",
                path.to_path_buf(),
                Reason::Busy(Box::new(held_by)),
                "another process holds the lock",
            ));
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
