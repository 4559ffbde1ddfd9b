//! Whether a command that came with the workspace may be run.
//!
//! A workspace's `.segno/config.toml` travels in git: whoever clones a repository gets somebody else's commands with it.
//! Such a command runs only after its user agreed to exactly these words in exactly this workspace. What was agreed to is
//! kept in the user's own directory, never in the workspace.

use std::path::{Path, PathBuf};

use segno_disk::{Access, Basis, Change, ReadDisk, RealDisk, RelPath, Volume};

use crate::cli::CommandError;

const FILE: &str = "trusted-commands.jsonl";
/// The most that is read of the file.
const MAX_BYTES: usize = 1 << 20;

/// The commands that the user agreed to.
#[derive(Debug, Clone)]
pub struct Trust {
    dir: Option<PathBuf>,
}

impl Trust {
    /// What is kept in the user's own directory; nothing is trusted without one.
    pub fn new(dir: Option<PathBuf>) -> Self {
        Self { dir }
    }

    /// True when the user agreed to this command in this workspace.
    pub fn holds(&self, workspace: &Path, command: &str) -> bool {
        let wanted = line(workspace, command);
        self.text().lines().any(|known| known == wanted)
    }

    /// Keeps that the user agreed.
    pub fn add(&self, workspace: &Path, command: &str) -> Result<(), CommandError> {
        let Some(dir) = &self.dir else {
            return Ok(());
        };
        if self.holds(workspace, command) {
            return Ok(());
        }
        std::fs::create_dir_all(dir).map_err(|error| {
            segno_disk::DiskError::io("create", dir.display().to_string(), error)
        })?;
        let disk = RealDisk::open(dir)?;
        let text = format!("{}{}\n", self.text(), line(workspace, command));
        let file = RelPath::new(FILE)?;
        let change = Change::replace(file, text.into_bytes(), Basis::Any, Access::Private);
        Volume::new(&disk, RelPath::root()).commit(&[change])?;
        Ok(())
    }

    fn text(&self) -> String {
        let read = |dir: &PathBuf| {
            let disk = RealDisk::open(dir).ok()?;
            let (bytes, _) = disk.read(&RelPath::new(FILE).ok()?).ok()??;
            (bytes.len() <= MAX_BYTES).then(|| String::from_utf8(bytes).ok())?
        };
        self.dir.as_ref().and_then(read).unwrap_or_default()
    }
}

fn line(workspace: &Path, command: &str) -> String {
    let workspace = workspace.to_string_lossy();
    serde_json::json!({"workspace": workspace, "command": command}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_in_one_command_of_one_workspace_and_lasts() {
        let dir = tempfile::tempdir().unwrap();
        let trust = || Trust::new(Some(dir.path().join("config/segno")));
        let here = Path::new("/a/workspace");
        assert!(!trust().holds(here, "tool {text}"));
        trust().add(here, "tool {text}").unwrap();
        trust().add(here, "other {text}\n").unwrap();
        assert!(trust().holds(here, "tool {text}"));
        assert!(trust().holds(here, "other {text}\n"));
        assert!(!trust().holds(here, "tool  {text}"));
        assert!(!trust().holds(Path::new("/another"), "tool {text}"));
        Trust::new(None).add(here, "tool {text}").unwrap();
        assert!(!Trust::new(None).holds(here, "tool {text}"));
    }
}
