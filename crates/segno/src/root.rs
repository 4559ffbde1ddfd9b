//! Which directory is the workspace.

use std::path::{Path, PathBuf};

use crate::ambient::Ambient;
use crate::cli::{Code, CommandError};
use crate::msg;

/// Names that mark the root of a workspace. `.git` may be a file: that is how a linked work tree has it.
const MARKS: [(&str, bool); 3] = [(".segno", false), (".workspace", false), (".git", true)];

/// Finds the workspace: the nearest ancestor of `from` (else of the current directory) that carries a mark, else that
/// directory itself.
pub fn find(ambient: &Ambient, from: Option<&Path>) -> Result<PathBuf, CommandError> {
    let start = start(ambient, from)?;
    let root = start.ancestors().find(|dir| is_marked(dir));
    Ok(root.unwrap_or(&start).to_path_buf())
}

fn start(ambient: &Ambient, from: Option<&Path>) -> Result<PathBuf, CommandError> {
    let cwd = || {
        ambient.cwd.clone().ok_or_else(|| {
            CommandError::new(Code::NotFound, msg!("errors-no-current-dir"))
                .hint(msg!("errors-no-current-dir-hint"))
        })
    };
    let Some(from) = from else {
        return cwd();
    };
    let dir = if from.is_absolute() {
        from.to_path_buf()
    } else {
        cwd()?.join(from)
    };
    let shown = from.display().to_string();
    match dir.metadata() {
        Ok(meta) if meta.is_dir() => {}
        Ok(_) => {
            return Err(CommandError::new(
                Code::Invalid,
                msg!("errors-workspace-not-dir", dir = shown),
            )
            .hint(msg!("errors-workspace-hint")));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(CommandError::new(
                Code::NotFound,
                msg!("errors-workspace-missing", dir = shown),
            )
            .hint(msg!("errors-workspace-hint")));
        }
        Err(error) => {
            return Err(CommandError::new(
                Code::Io,
                msg!("errors-workspace-unreadable", dir = shown),
            )
            .because(error.to_string()));
        }
    }
    // Ancestors are those of the real directory, not of the way there (`a/../b`, links).
    dir.canonicalize().map_err(|error| {
        CommandError::new(Code::Io, msg!("errors-workspace-unreadable", dir = shown))
            .because(error.to_string())
    })
}

fn is_marked(dir: &Path) -> bool {
    MARKS.iter().any(|(name, may_be_file)| {
        dir.join(name)
            .metadata()
            .is_ok_and(|meta| meta.is_dir() || *may_be_file)
    })
}
