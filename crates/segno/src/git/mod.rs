//! Git, by calling the user's own `git`: its hooks, signing, work trees and configuration stay as they are.
//!
//! Arguments are vectors, paths stand behind `--` and are literal, nothing is asked on the terminal, output is separated
//! by NUL bytes, and every call has an end.

mod process;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::ambient::Ambient;

/// How long git may take to answer a question.
const READ: Duration = Duration::from_secs(20);
/// How long a commit may take: the user's hooks run in it.
const COMMIT: Duration = Duration::from_mins(2);

/// What the files of a git directory say is going on.
const IN_PROGRESS: [(&str, &str); 5] = [
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
];

/// A work tree, and the program that knows about it.
#[derive(Debug)]
pub struct Git {
    program: PathBuf,
    /// The directory that was asked about.
    dir: PathBuf,
    top: PathBuf,
    own_dir: PathBuf,
}

/// Why git did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitError {
    /// There is no `git` on `PATH`.
    NoProgram,
    /// The directory is in no work tree.
    NoRepository,
    /// A merge or the like is going on: a commit now would end it.
    InProgress(&'static str),
    /// Another git is writing.
    Locked(PathBuf),
    /// The user has git ignore these files.
    Ignored,
    /// Git did not come to an end.
    TimedOut(&'static str),
    /// Git refused.
    Failed {
        /// Which of its commands.
        command: &'static str,
        /// What it said.
        said: String,
    },
}

/// What a commit says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMessage {
    /// Its first line.
    pub subject: String,
    /// The rest.
    pub body: String,
}

/// A commit that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its hash.
    pub hash: String,
    /// When, in ISO 8601.
    pub at: String,
    /// Its first line.
    pub subject: String,
}

/// A file that is not as the last commit has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// The two letters of `git status`: index and work tree; `??` for a file git does not know.
    pub state: String,
    /// Its path from the top of the work tree.
    pub path: String,
}

type Result<T> = std::result::Result<T, GitError>;

impl Git {
    /// The work tree that a directory is in.
    pub fn open(ambient: &Ambient, dir: &Path) -> Result<Self> {
        let program = ambient.find_program("git").ok_or(GitError::NoProgram)?;
        let mut git = Self {
            program,
            dir: dir.to_path_buf(),
            top: dir.to_path_buf(),
            own_dir: PathBuf::new(),
        };
        let args = ["rev-parse", "--show-toplevel", "--absolute-git-dir"];
        let said = git.read("rev-parse", &args).map_err(|error| match error {
            GitError::Failed { said, .. } if is_no_repository(&said) => GitError::NoRepository,
            other => other,
        })?;
        let mut lines = said.lines();
        git.top = lines.next().unwrap_or_default().into();
        git.own_dir = lines.next().unwrap_or_default().into();
        Ok(git)
    }

    /// The branch; `None` when none is checked out.
    pub fn branch(&self) -> Result<Option<String>> {
        match self.read(
            "symbolic-ref",
            &["symbolic-ref", "--quiet", "--short", "HEAD"],
        ) {
            Ok(said) => Ok(Some(said.trim_end().to_owned())),
            // Quiet, and without a word: a commit is checked out and no branch.
            Err(GitError::Failed { said, .. }) if said.is_empty() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Every file that is not as the last commit has it, those that git ignores left out.
    pub fn changed_files(&self) -> Result<Vec<ChangedFile>> {
        self.status(&[])
    }

    /// The last commits, the newest first; none before the first one.
    pub fn recent_commits(&self, n: usize) -> Result<Vec<Commit>> {
        let count = format!("--max-count={n}");
        let args = ["log", &count, "-z", "--format=%H%x09%cI%x09%s"];
        let said = match self.read("log", &args) {
            Ok(said) => said,
            Err(GitError::Failed { said, .. }) if said.contains("does not have any commits") => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let commit = |record: &str| {
            let mut parts = record.splitn(3, '\t');
            Some(Commit {
                hash: parts.next()?.to_owned(),
                at: parts.next()?.to_owned(),
                subject: parts.next()?.to_owned(),
            })
        };
        Ok(said.split('\0').filter_map(commit).collect())
    }

    /// Commits what has changed below paths of the directory, and nothing else; `None` when nothing has.
    ///
    /// What else is staged stays staged, and hooks run as for any commit. A refused commit leaves the index as it was.
    pub fn commit(
        &self,
        paths: &[&str],
        message: &dyn Fn(&[String]) -> CommitMessage,
    ) -> Result<Option<String>> {
        self.is_free()?;
        let paths = self.seen_from_top(paths);
        let changed = self.status(&paths)?;
        if changed.is_empty() {
            return self.none_changed(&paths);
        }
        let files: Vec<String> = changed.iter().map(|file| file.path.clone()).collect();
        let unknown = changed.iter().filter(|file| file.state == "??");
        let unknown: Vec<String> = unknown.map(|file| file.path.clone()).collect();
        if !unknown.is_empty() {
            // Only the names: a commit of certain files takes no files that git does not know.
            self.write("add", &["add", "--intent-to-add"], &unknown)?;
        }
        let CommitMessage { subject, body } = message(&files);
        let args = ["commit", "--quiet", "--only", "-m", &subject, "-m", &body];
        if let Err(error) = self.write("commit", &args, &files) {
            if !unknown.is_empty() {
                // The names go again. Should even that fail, the refusal of the commit is what the user must hear.
                let _ = self.write("reset", &["reset", "--quiet"], &unknown);
            }
            return Err(error);
        }
        let hash = self.read("rev-parse", &["rev-parse", "HEAD"])?;
        Ok(Some(hash.trim_end().to_owned()))
    }

    /// Fails when a commit now would get in the way of something.
    fn is_free(&self) -> Result<()> {
        for (name, what) in IN_PROGRESS {
            if self.own_dir.join(name).exists() {
                return Err(GitError::InProgress(what));
            }
        }
        let lock = self.own_dir.join("index.lock");
        if lock.exists() {
            return Err(GitError::Locked(lock));
        }
        Ok(())
    }

    fn none_changed(&self, paths: &[String]) -> Result<Option<String>> {
        let known = self.write("ls-files", &["ls-files", "-z"], paths)?;
        if known.is_empty() {
            return Err(GitError::Ignored);
        }
        Ok(None)
    }

    fn status(&self, paths: &[String]) -> Result<Vec<ChangedFile>> {
        let args = [
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--no-renames",
        ];
        let said = process::run(
            self.call("status", &args, paths, READ)
                .optional_locks(false),
        )?;
        let changed = |record: &str| {
            let (state, path) = record.split_at_checked(2)?;
            Some(ChangedFile {
                state: state.to_owned(),
                path: path.strip_prefix(' ')?.to_owned(),
            })
        };
        Ok(said.split('\0').filter_map(changed).collect())
    }

    /// Paths below the directory that was asked about as paths from the top of the work tree.
    fn seen_from_top(&self, paths: &[&str]) -> Vec<String> {
        let below = self.dir.strip_prefix(&self.top).ok().map(Path::to_path_buf);
        let real = || {
            let (dir, top) = (self.dir.canonicalize().ok()?, self.top.canonicalize().ok()?);
            Some(dir.strip_prefix(top).ok()?.to_path_buf())
        };
        let base = below.or_else(real).unwrap_or_default();
        let joined = paths.iter().map(|path| base.join(path));
        joined
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    }

    fn read(&self, name: &'static str, args: &[&str]) -> Result<String> {
        process::run(self.call(name, args, &[], READ).optional_locks(false))
    }

    fn write(&self, name: &'static str, args: &[&str], paths: &[String]) -> Result<String> {
        process::run(self.call(name, args, paths, COMMIT))
    }

    fn call(
        &self,
        name: &'static str,
        args: &[&str],
        paths: &[String],
        limit: Duration,
    ) -> process::Call {
        process::Call::new(&self.program, &self.top, name, args, paths, limit)
    }
}

fn is_no_repository(said: &str) -> bool {
    said.contains("not a git repository") || said.contains("must be run in a work tree")
}
