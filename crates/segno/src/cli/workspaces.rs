//! The workspaces that were ever opened on this machine: a small file each, in the user's state directory.
//!
//! They are a convenience for `--all-workspaces`. That one cannot be noted keeps no command from its work.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use segno_index::workspace_key;

use super::app::App;
use super::opened::Opened;
use crate::msg;

impl App {
    /// Notes that a workspace was opened.
    pub(super) fn note_workspace(&self, root: &Path) {
        let Some(dir) = self.ambient.state_dir().map(|dir| dir.join("workspaces")) else {
            return;
        };
        let file = dir.join(workspace_key(root));
        if file.symlink_metadata().is_ok() {
            return;
        }
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
        let file = made.and_then(|()| {
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&file)
        });
        if let Ok(mut file) = file {
            let _ = file.write_all(root.as_os_str().as_bytes());
        }
    }

    /// Every workspace that was opened on this machine and still exists, this one first; the others by their paths. The
    /// user is told of those that have vanished.
    pub(super) fn all_workspaces(&self, here: Opened, verb: &str) -> Vec<Opened> {
        let dir = self.ambient.state_dir().map(|dir| dir.join("workspaces"));
        let names = dir
            .into_iter()
            .filter_map(|dir| std::fs::read_dir(dir).ok())
            .flatten()
            .flatten();
        let mut roots: Vec<PathBuf> = names
            .filter_map(|entry| std::fs::read(entry.path()).ok())
            .map(|bytes| PathBuf::from(std::ffi::OsString::from_vec(bytes)))
            .filter(|root| root.is_absolute() && root != here.root())
            .collect();
        roots.sort();
        roots.dedup();
        let mut all = vec![here];
        for root in roots {
            if !root.is_dir() {
                self.ui
                    .note(msg!("list-vanished", root = root.display().to_string()));
                continue;
            }
            match self.open_at(&root, verb) {
                Ok(opened) => all.push(opened),
                Err(error) => {
                    let why = self.ui.catalogue.text(&error.message);
                    self.ui.warn(msg!(
                        "list-unreadable",
                        root = root.display().to_string(),
                        why = why
                    ));
                }
            }
        }
        all
    }
}
