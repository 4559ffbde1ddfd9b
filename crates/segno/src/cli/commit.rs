//! A saved session into git, where the user wants that. What git cannot do is a warning: the session is saved already.

use segno_store::formats::{Place, Root};

use super::app::App;
use super::error::CommandError;
use super::opened::Opened;
use crate::git::{CommitMessage, Git, GitError};
use crate::messages::Text;
use crate::msg;

/// The directory whose files are a session's own and not its document's.
const SESSION_DIR: &str = "/.session/";

/// A session that was saved, and what its commit is called.
pub struct Saved<'a> {
    place: &'a Place,
    subject: String,
}

impl<'a> Saved<'a> {
    /// A saved session and the first line of its commit.
    pub fn new(place: &'a Place, subject: String) -> Self {
        Self { place, subject }
    }
}

/// Commits a session's files where `wanted` or the configuration says so; gives the commit's hash. The user's index,
/// branch and hooks are respected.
pub fn session(
    app: &App,
    opened: &Opened,
    saved: &Saved<'_>,
    wanted: bool,
) -> Result<Option<String>, CommandError> {
    if !(wanted || app.config()?.own.git_commit) || saved.place.root != Root::Workspace {
        return Ok(None);
    }
    let git = Git::open(&app.ambient, opened.root());
    let done = git
        .and_then(|git| git.commit(&[saved.place.path.as_str()], &|files| message(saved, files)));
    match done {
        Ok(Some(hash)) => {
            let short: String = hash.chars().take(10).collect();
            app.ui.note(msg!("conversation-committed", hash = short));
            Ok(Some(hash))
        }
        Ok(None) => {
            app.ui.note(msg!("conversation-nothing-to-commit"));
            Ok(None)
        }
        Err(error) => {
            app.ui.warn(words(&error));
            Ok(None)
        }
    }
}

/// Says that session state was saved, and where nothing else changed, that it is a session update.
fn message(saved: &Saved<'_>, files: &[String]) -> CommitMessage {
    let session = format!("{}/{}", saved.place.kind, saved.place.id);
    let session_only = files.iter().all(|file| file.contains(SESSION_DIR));
    if session_only {
        CommitMessage {
            subject: format!("{} (session update)", saved.subject),
            body: format!("Session state was saved, nothing else changed: {session}"),
        }
    } else {
        CommitMessage {
            subject: saved.subject.clone(),
            body: format!("Session state was saved with the document: {session}"),
        }
    }
}

fn words(error: &GitError) -> Text {
    match error {
        GitError::NoProgram => msg!("conversation-git-missing"),
        GitError::NoRepository => msg!("conversation-git-no-repository"),
        GitError::InProgress(what) => msg!("conversation-git-in-progress", what = *what),
        GitError::Locked(path) => {
            msg!("conversation-git-locked", path = path.display().to_string())
        }
        GitError::Ignored => msg!("conversation-git-ignored"),
        GitError::TimedOut(command) => msg!("conversation-git-timeout", command = *command),
        GitError::Failed { command, said } => {
            msg!("conversation-git-failed", command = *command, said = said)
        }
    }
    .into()
}
