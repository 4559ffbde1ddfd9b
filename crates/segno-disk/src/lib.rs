//! Bytes that survive.
//!
//! Everything that Segno writes goes through a [`Volume`]: [`Volume::commit`] carries out [`Change`]s so that each is
//! durable before the next begins, [`Volume::commit_unit`] makes several of them one. What a power cut leaves is proved on
//! [`SimDisk`], what a failing device does on [`CountdownDisk`]. This crate knows nothing of sessions.

mod change;
mod commit;
mod countdown;
mod disk;
mod error;
pub mod lock;
pub mod log;
mod path;
mod real;
pub mod sim;
mod unit;
mod volume;

pub use change::{Basis, Change};
pub use countdown::{CountdownDisk, Fault};
pub use disk::{
    Access, DirEntry, Disk, FileKind, LockFile, Look, ReadDisk, ReadFile, Stamp, Stat, WriteFile,
};
pub use error::{DiskError, Reason, Result};
pub use path::{MAX_NAME, MAX_PATH, RelPath, bad_name};
pub use real::RealDisk;
pub use sim::SimDisk;
pub use unit::Finished;
pub use volume::{Receipt, Volume, is_temp_name};
