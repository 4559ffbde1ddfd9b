//! Runs the present test binary a second time as a child process, so that a test can kill it, trace it or cut its power.
//!
//! The binary has a test named `child` that does nothing unless [`role`] tells it what to play.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const ROLE: &str = "SEGNO_TEST_ROLE";
const DIR: &str = "SEGNO_TEST_DIR";
/// What a line begins with that the child says on purpose, among those of the test harness.
const SAID: &str = "@ ";

/// What this process plays and where, when it is such a child.
pub fn role() -> Option<(String, PathBuf)> {
    let role = std::env::var(ROLE).ok()?;
    let dir = std::env::var_os(DIR)?;
    Some((role, dir.into()))
}

/// The command that plays a role in a directory.
pub fn command(role: &str, dir: &Path) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .env(DIR, dir);
    Ok(command)
}

/// Says one line to the parent, in one write.
///
/// # Errors
/// When the parent is gone.
pub fn say(line: &str) -> io::Result<()> {
    // The harness may have left its own line unfinished.
    let text = format!("\n{SAID}{line}\n");
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// A running child; killed when dropped.
pub struct Child {
    process: std::process::Child,
    lines: Receiver<String>,
}

impl Child {
    /// Starts a command whose lines are listened to.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (to, lines) = channel();
        if let Some(out) = process.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    if let Some(said) = line.strip_prefix(SAID)
                        && to.send(said.to_owned()).is_err()
                    {
                        return;
                    }
                }
            });
        }
        Ok(Self { process, lines })
    }

    /// Starts a child that plays a role in a directory.
    pub fn play(role: &str, dir: &Path) -> io::Result<Self> {
        Self::start(&mut command(role, dir)?)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The next line it says, or `None` when it says none in time or has ended.
    pub fn hear(&self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// Writes a line to its standard input.
    pub fn tell(&mut self, line: &str) -> io::Result<()> {
        match self.process.stdin.as_mut() {
            Some(pipe) => writeln!(pipe, "{line}"),
            None => Ok(()),
        }
    }

    /// Kills it with SIGKILL and returns what it had said up to then.
    pub fn kill(&mut self) -> Vec<String> {
        let _ = self.process.kill();
        self.rest()
    }

    /// Waits for its end and returns what it said up to then.
    pub fn rest(&mut self) -> Vec<String> {
        self.process.stdin = None;
        let _ = self.process.wait();
        // The other end of the pipe is closed: the reader comes to its end and lets go of the channel.
        self.lines.iter().collect()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
