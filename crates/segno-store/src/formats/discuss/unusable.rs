//! Names on the disk that no session can have: what lies below them is passed over, and a person is told.

use segno_disk::{FileKind, ReadDisk};

use super::UNUSABLE_NAME;
use super::site::{ANSWERS, ARTIFACTS, RESULTS, SESSIONS, WORK_SESSIONS, fixed};
use crate::error::Result;
use crate::session::{Problem, SessionId};

/// The names below the directories of sessions that cannot be an id.
pub(super) fn names(files: &dyn ReadDisk) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    let dirs = [SESSIONS, WORK_SESSIONS, ANSWERS].map(|dir| (dir, FileKind::Dir));
    let artifacts = ARTIFACTS.map(|dir| (dir, FileKind::File));
    for (dir, kind) in dirs.into_iter().chain(artifacts) {
        for name in files.unusable(&fixed(dir))? {
            let problem = Problem::new(UNUSABLE_NAME, fixed(dir))
                .found(format!(
                    "no path can hold the name `{name}`; it is passed over"
                ))
                .manual("give it another name");
            problems.push(problem);
        }
        for entry in files.list(&fixed(dir))? {
            let is_ours = match kind {
                FileKind::File => entry.name.ends_with(RESULTS),
                _ => !entry.name.starts_with('.'),
            };
            if entry.kind == kind
                && is_ours
                && let Err(bad) = SessionId::new(&entry.name)
            {
                let problem = Problem::new(UNUSABLE_NAME, fixed(dir))
                    .found(format!("{bad}; it is passed over"))
                    .manual("give it another name");
                problems.push(problem);
            }
        }
    }
    Ok(problems)
}
