//! Where the tour takes place: a workspace of its own, and what changed in it after each step.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use super::script::{Act, Step};
use crate::cli::{App, Code, CommandError};
use crate::msg;

/// A workspace for the tour. A temporary one goes away with it.
pub(super) struct Stage {
    root: PathBuf,
    keep: bool,
    language: &'static str,
    program: PathBuf,
    files: BTreeMap<String, (u64, SystemTime)>,
    ids: BTreeMap<&'static str, String>,
}

/// What a step did.
pub(super) struct Done {
    /// The command as one would type it.
    pub(super) command: Option<String>,
    /// What it answered.
    pub(super) shown: String,
    /// The files that are new or changed.
    pub(super) wrote: Vec<String>,
    /// Its exit code.
    pub(super) exit: i32,
}

impl Stage {
    /// Makes the workspace.
    pub(super) fn open(app: &App, keep: Option<&Path>) -> Result<Self, CommandError> {
        let root = match keep {
            Some(dir) => app.ambient.cwd.clone().unwrap_or_default().join(dir),
            None => app
                .ambient
                .temp_dir()
                .join(format!("segno-tour-{}", app.ids()?.hex(8))),
        };
        std::fs::create_dir(&root)
            .and_then(|()| std::fs::create_dir(root.join(".segno")))
            .map_err(|error| {
                let path = root.display().to_string();
                CommandError::new(Code::Io, msg!("tour-no-place", path = path))
                    .because(error.to_string())
            })?;
        let program = std::env::current_exe().map_err(|error| {
            CommandError::new(Code::Io, msg!("tour-no-program")).because(error.to_string())
        })?;
        Ok(Self {
            root,
            keep: keep.is_some(),
            language: app.ui.catalogue.lang().name(),
            program,
            files: BTreeMap::new(),
            ids: BTreeMap::new(),
        })
    }

    /// Where it is.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Performs a step. A command that ends otherwise than the script expects ends the tour.
    pub(super) fn perform(&mut self, step: &Step) -> Result<Done, CommandError> {
        let mut done = match &step.act {
            Act::Run {
                args,
                input,
                expect,
                id,
            } => {
                let done = self.command(args, input)?;
                if done.exit != *expect {
                    let command = done.command.unwrap_or_default();
                    return Err(CommandError::new(
                        Code::Internal,
                        msg!("tour-failed", command = command),
                    )
                    .because(done.shown));
                }
                if let Some(name) = id {
                    self.remember(name, &done.shown);
                }
                done
            }
            Act::Tear { file } => {
                self.tear(file)?;
                Done {
                    command: None,
                    shown: String::new(),
                    wrote: Vec::new(),
                    exit: 0,
                }
            }
        };
        done.wrote = self.changed();
        Ok(done)
    }

    fn command(&self, args: &[&'static str], input: &str) -> Result<Done, CommandError> {
        let args: Vec<String> = args.iter().map(|arg| self.filled(arg)).collect();
        let failed = |error: std::io::Error| {
            CommandError::new(Code::Io, msg!("tour-failed", command = args.join(" ")))
                .because(error.to_string())
        };
        let mut child = Command::new(&self.program)
            .args(&args)
            .current_dir(&self.root)
            .args(["--lang", self.language])
            // The tour is the same for everybody: nobody's configuration, nobody's home.
            .env("HOME", &self.root)
            .env("TMPDIR", self.root.join(".segno"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("XDG_STATE_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that does not read its input is not at fault.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().map_err(failed)?;
        let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() || shown.is_empty() {
            shown.push_str(&String::from_utf8_lossy(&output.stderr));
        }
        let typed = args
            .iter()
            .map(|arg| quoted(arg))
            .collect::<Vec<_>>()
            .join(" ");
        Ok(Done {
            command: Some(format!("segno {typed}")),
            shown,
            wrote: Vec::new(),
            exit: output.status.code().unwrap_or(-1),
        })
    }

    fn filled(&self, arg: &str) -> String {
        let mut text = arg.to_owned();
        for (name, id) in &self.ids {
            text = text.replace(&format!("<{name}>"), id);
        }
        text
    }

    /// Keeps the id that a command with `--json` answered, for the steps to come.
    fn remember(&mut self, name: &'static str, answer: &str) {
        let value: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
        for key in ["id", "path"] {
            if let Some(text) = value
                .pointer(&format!("/session/{key}"))
                .and_then(|v| v.as_str())
            {
                let slot = if key == "id" { name } else { "path" };
                self.ids.insert(slot, text.to_owned());
            }
        }
    }

    /// Leaves a file as a power cut might: half a line at its end.
    fn tear(&self, file: &str) -> Result<(), CommandError> {
        let path = self.root.join(self.filled(file));
        let torn = b"{\"role\": \"assistant\", \"content\": \"and then the po";
        std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(torn))
            .map_err(|error| {
                let path = path.display().to_string();
                CommandError::new(Code::Io, msg!("tour-no-place", path = path))
                    .because(error.to_string())
            })
    }

    fn changed(&mut self) -> Vec<String> {
        let mut now = BTreeMap::new();
        walk(&self.root, &self.root, &mut now);
        let changed = now
            .iter()
            .filter(|(path, state)| self.files.get(*path) != Some(*state))
            .map(|(path, _)| path.clone())
            .collect();
        self.files = now;
        changed
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if !self.keep {
            // The system's temporary directory is cleaned by the system where we could not.
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}

/// What is ours and no session's: locks, journal, and what lies in a user's home (the index, the known workspaces).
const WORKINGS: [&str; 4] = [".segno/locks", ".segno/journal", ".local", ".cache"];

/// Every file but our own workings.
fn walk(root: &Path, dir: &Path, found: &mut BTreeMap<String, (u64, SystemTime)>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let below = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        let Ok(meta) = entry.metadata() else { continue };
        if meta.is_dir() {
            if !WORKINGS.contains(&below.as_str()) {
                walk(root, &path, found);
            }
        } else if below != ".segno/.gitignore" {
            let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            found.insert(below, (meta.len(), modified));
        }
    }
}

fn quoted(arg: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', "'\\''"))
    }
}
