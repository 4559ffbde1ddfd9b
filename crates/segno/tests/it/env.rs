//! A hermetic place to run the real binary in: cleared environment, own home, own workspace, a clock that moves one
//! second per command, ids from a seed.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The place. Everything in it goes away with it.
pub struct Env {
    dir: TempDir,
    vars: Vec<(String, String)>,
    cwd: PathBuf,
}

/// What a command did.
#[derive(Debug)]
pub struct Done {
    /// Its exit code.
    pub code: i32,
    /// What it answered.
    pub stdout: String,
    /// What else it said.
    pub stderr: String,
}

impl Env {
    /// A home and an empty workspace, which is the current directory.
    #[expect(clippy::new_without_default, reason = "a place is made on purpose")]
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        // The real path: on some systems the temporary directory is a link.
        let base = dir.path().canonicalize().unwrap();
        for name in ["home", "desk/.segno", "tmp"] {
            std::fs::create_dir_all(base.join(name)).unwrap();
        }
        std::fs::write(base.join("clock"), "2026-11-18T09:30:00Z").unwrap();
        let text = |name: &str| base.join(name).to_str().unwrap().to_owned();
        let vars = [
            ("HOME", text("home")),
            ("TMPDIR", text("tmp")),
            ("TZ", "UTC".to_owned()),
            ("PATH", "/usr/bin:/bin".to_owned()),
            ("SEGNO_TEST_CLOCK", text("clock")),
            ("SEGNO_TEST_IDS", "1".to_owned()),
        ];
        Self {
            vars: vars.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            cwd: base.join("desk"),
            dir,
        }
    }

    /// Sets an environment variable for the commands to come.
    #[must_use]
    pub fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs the commands to come in a directory below the workspace's parent.
    #[must_use]
    pub fn cd(mut self, path: &str) -> Self {
        self.cwd = self.path(path);
        self
    }

    /// A path below the place: `desk/...`, `home/...`.
    pub fn path(&self, path: &str) -> PathBuf {
        self.base().join(path)
    }

    /// Writes a file below the place, its directories included.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// Runs `segno` and waits for it.
    pub fn run<Arg: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = Arg>) -> Done {
        let output = self
            .command(args)
            .stdin(Stdio::null())
            .output()
            .expect("the binary runs");
        Done {
            code: output.status.code().expect("no signal ended it"),
            stdout: self.readable(&output.stdout),
            stderr: self.readable(&output.stderr),
        }
    }

    /// Runs `segno` with a text on its standard input, and waits for it.
    pub fn feed(&self, args: &[&str], text: &str) -> Done {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        Done {
            code: output.status.code().expect("no signal ended it"),
            stdout: self.readable(&output.stdout),
            stderr: self.readable(&output.stderr),
        }
    }

    /// A line for the shell, ready to run.
    #[cfg(unix)]
    pub fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", line])
            .env_clear()
            .envs(self.vars.iter().cloned())
            .current_dir(&self.cwd);
        command
    }

    /// The command, ready to run.
    pub fn command<Arg: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = Arg>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_segno"));
        command
            .args(args)
            .env_clear()
            .envs(self.vars.iter().cloned())
            .current_dir(&self.cwd);
        command
    }

    /// The same place once more: home, workspace, clock and variables.
    #[must_use]
    pub fn copy(&self) -> Self {
        let other = Self::new();
        let (from, to) = (self.base(), other.base());
        let mut dirs = vec![from.clone()];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let target = to.join(path.strip_prefix(&from).unwrap());
                if path.is_dir() {
                    std::fs::create_dir_all(&target).unwrap();
                    dirs.push(path);
                } else {
                    std::fs::copy(&path, &target).unwrap();
                }
            }
        }
        other
    }

    fn base(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    /// What was written, the place's own path as `[ENV]`.
    pub fn readable(&self, bytes: &[u8]) -> String {
        let base = self.base();
        let text = String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
        text.replace(Path::to_str(&base).unwrap(), "[ENV]")
    }
}

impl Done {
    /// Checks all three at once.
    #[track_caller]
    pub fn check(&self, code: i32, stdout: &str, stderr: &str) {
        assert_eq!(
            (self.code, self.stdout.as_str(), self.stderr.as_str()),
            (code, stdout, stderr)
        );
    }

    /// The answer as JSON; there must be one object on one line and nothing else.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, 0, "{}", self.stderr);
        one_object(&self.stdout)
    }

    /// The error as JSON, with nothing on standard output.
    #[track_caller]
    pub fn json_error(&self) -> serde_json::Value {
        assert_eq!(self.stdout, "");
        one_object(&self.stderr)["error"].clone()
    }
}

#[track_caller]
fn one_object(text: &str) -> serde_json::Value {
    assert_eq!(text.lines().count(), 1, "{text}");
    let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    assert!(value.is_object(), "{text}");
    value
}
