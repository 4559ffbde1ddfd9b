//! The workspace: finds sessions, opens them, and carries out what a format plans.
//!
//! This is the only way from a format to the disk. [`Workspace::write`] takes the lock, finishes what a crash
//! interrupted, lets the format compute its changes from what is there now, and commits them.

mod find;
mod write;

use segno_disk::lock::Holder;
use segno_disk::{Disk, Finished, RelPath, Volume};

use crate::error::Result;
use crate::formats::{Context, Root};
use crate::session::Now;
use crate::settings::Settings;

pub use find::card_in;
pub use write::{Writer, Written};

/// Our own directory in a workspace: locks, quarantine, journal, trash and the configuration.
pub const OWN_DIR: &str = ".segno";

/// Where sessions are looked for and written: the workspace's own files, and the system's temporary directory for the
/// formats that keep sessions there.
pub struct Workspace<'d> {
    here: Volume<'d>,
    temporary: Option<Volume<'d>>,
    settings: Settings,
}

impl<'d> Workspace<'d> {
    /// The workspace whose root is the disk's root.
    pub fn new(disk: &'d dyn Disk, settings: Settings) -> Self {
        Self {
            here: Volume::new(disk, own_dir()),
            temporary: None,
            settings,
        }
    }

    /// The same workspace, sessions in a temporary directory included.
    #[must_use]
    pub fn with_temporary(mut self, disk: &'d dyn Disk) -> Self {
        // The directory is everybody's: each user has an own one in it.
        let own = RelPath::new(&format!("{OWN_DIR}-{}", disk.user_id()))
            .expect("because the name is a plain one");
        self.temporary = Some(Volume::new(disk, own));
        self
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What a format reads with below a root.
    pub fn context<'a>(&'a self, root: Root, now: &'a Now) -> Context<'a> {
        Context {
            files: self.volume(root).disk(),
            root,
            now,
            settings: &self.settings,
        }
    }

    /// The roots that exist, the workspace first.
    pub fn roots(&self) -> Vec<Root> {
        let temporary = self.temporary.as_ref().map(|_| Root::Temporary);
        std::iter::once(Root::Workspace).chain(temporary).collect()
    }

    /// Finishes what a crash interrupted. Called once before anything is read; costs one look at a directory.
    pub fn settle(&self, writer: &Writer) -> Result<Vec<Finished>> {
        let holder = writer.holder();
        let mut finished = self.here.finish_units(&holder)?;
        if let Some(temporary) = &self.temporary {
            finished.extend(finish_ours(temporary, &holder));
        }
        Ok(finished)
    }

    pub(crate) fn volume(&self, root: Root) -> &Volume<'d> {
        match (root, &self.temporary) {
            (Root::Temporary, Some(temporary)) => temporary,
            _ => &self.here,
        }
    }
}

/// The temporary directory is everybody's: what is not ours to finish is not our error either.
fn finish_ours(temporary: &Volume<'_>, holder: &Holder) -> Vec<Finished> {
    temporary.finish_units(holder).unwrap_or_default()
}

fn own_dir() -> RelPath {
    RelPath::new(OWN_DIR).expect("because the name is a plain one")
}
