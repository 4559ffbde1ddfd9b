//! One call of git: what it is given, and how long it may take.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::GitError;

/// A call, ready to be made.
pub(super) struct Call {
    command: Command,
    name: &'static str,
    limit: Duration,
    program: PathBuf,
}

impl Call {
    pub(super) fn new(
        program: &Path,
        dir: &Path,
        name: &'static str,
        args: &[&str],
        paths: &[String],
        limit: Duration,
    ) -> Self {
        let mut command = Command::new(program);
        command
            .current_dir(dir)
            .arg("--literal-pathspecs")
            .args(args)
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if !paths.is_empty() {
            command.arg("--").args(paths);
        }
        Self {
            command,
            name,
            limit,
            program: program.to_path_buf(),
        }
    }

    /// Whether git may take locks for what it could also do without.
    pub(super) fn optional_locks(mut self, may: bool) -> Self {
        self.command
            .env("GIT_OPTIONAL_LOCKS", if may { "1" } else { "0" });
        self
    }
}

/// Makes a call and gives what git answered.
pub(super) fn run(mut call: Call) -> Result<String, GitError> {
    let failed = |said: String| GitError::Failed {
        command: call.name,
        said,
    };
    let mut child = call
        .command
        .spawn()
        .map_err(|error| failed(format!("{}: {error}", call.program.display())))?;
    // Both pipes are emptied while git runs: a full one would stop it.
    let out = child
        .stdout
        .take()
        .map(|pipe| std::thread::spawn(move || read(pipe)));
    let err = child
        .stderr
        .take()
        .map(|pipe| std::thread::spawn(move || read(pipe)));
    let Some(ok) = wait(&mut child, call.limit).map_err(|error| failed(error.to_string()))? else {
        return Err(GitError::TimedOut(call.name));
    };
    let text = |thread: Option<std::thread::JoinHandle<String>>| {
        thread
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default()
    };
    let (out, err) = (text(out), text(err));
    if ok {
        return Ok(out);
    }
    let said = if err.trim().is_empty() { out } else { err };
    Err(failed(said.trim().to_owned()))
}

fn read(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // What was read until the pipe broke is still what git said.
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for git; `None` when it did not come to an end and was ended.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<bool>> {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
