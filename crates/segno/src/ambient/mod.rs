//! What surrounds a command: clock, ids, environment, directories, terminals. Tests replace all of it.
//!
//! No other file of this crate asks the system for any of these.
//!
//! # For tests
//! The tests run the real binary, so three environment variables work in every build. They are for tests only:
//! - `SEGNO_TEST_CLOCK`: an ISO time at which the clock stands still, or the path of a file that holds one; each run of
//!   the command takes the time from the file and moves it on by a second.
//! - `SEGNO_TEST_IDS`: a seed, any text; ids then depend on the seed and the clock alone.
//! - `SEGNO_TEST_PATIENCE`: after how many milliseconds a person is shown how far something is.

mod clock;
mod ids;
pub mod process;
mod zone;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_store::session::Now;

pub use clock::{Clock, ClockError};
pub use ids::Ids;

/// What surrounds a command.
#[derive(Debug)]
pub struct Ambient {
    /// Where the time comes from.
    pub clock: Clock,
    /// The seed of the ids; `None` draws them from the system.
    pub seed: Option<u64>,
    /// The environment variables.
    pub vars: Vars,
    /// The current directory; `None` when it has been deleted.
    pub cwd: Option<PathBuf>,
    /// Which of the standard streams are terminals.
    pub terminals: Terminals,
}

/// Environment variables: the process's own, or a fixed set.
#[derive(Debug, Clone)]
pub enum Vars {
    /// Those of the process.
    System,
    /// These and no others.
    Fixed(BTreeMap<String, String>),
}

/// Which of the standard streams are terminals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Terminals {
    /// Standard input.
    pub stdin: bool,
    /// Standard output.
    pub stdout: bool,
    /// Standard error.
    pub stderr: bool,
}

impl Ambient {
    /// What the system says, the variables for tests included.
    pub fn system() -> Self {
        let vars = Vars::System;
        Self {
            clock: vars
                .text("SEGNO_TEST_CLOCK")
                .map_or(Clock::system(), |value| Clock::for_tests(&value)),
            seed: vars.text("SEGNO_TEST_IDS").map(|text| ids::seed(&text)),
            vars,
            cwd: std::env::current_dir().ok(),
            terminals: Terminals {
                stdin: io::stdin().is_terminal(),
                stdout: io::stdout().is_terminal(),
                stderr: io::stderr().is_terminal(),
            },
        }
    }

    /// The moment this command runs at, in the user's time zone (`TZ`, else the system's).
    pub fn now(&self) -> Result<Now, ClockError> {
        Ok(Now::new(self.clock.now()?, self.zone()))
    }

    /// A source of fresh ids.
    pub fn ids(&self) -> Result<Ids, ClockError> {
        Ok(match self.seed {
            None => Ids::system(),
            Some(seed) => Ids::seeded(seed, self.clock.now()?),
        })
    }

    /// How long something may take before a person is shown how far it is.
    pub fn patience(&self) -> Duration {
        let set = self.vars.text("SEGNO_TEST_PATIENCE");
        set.and_then(|text| text.parse().ok())
            .map_or(Duration::from_secs(1), Duration::from_millis)
    }

    fn zone(&self) -> TimeZone {
        match &self.vars {
            Vars::System => zone::of_system(),
            Vars::Fixed(_) => self
                .vars
                .text("TZ")
                .and_then(|name| TimeZone::get(&name).ok())
                .unwrap_or(TimeZone::UTC),
        }
    }

    /// The user's home directory.
    pub fn home_dir(&self) -> Option<PathBuf> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.vars.dir(name)
    }

    /// Where this user's configuration of this program lies: `$XDG_CONFIG_HOME/segno`, else `~/.config/segno`.
    pub fn config_dir(&self) -> Option<PathBuf> {
        self.own_dir("XDG_CONFIG_HOME", ".config")
    }

    /// Where derived files of this program lie: `$XDG_CACHE_HOME/segno`, else `~/.cache/segno`.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        self.own_dir("XDG_CACHE_HOME", ".cache")
    }

    /// Where this program remembers things about this user: `$XDG_STATE_HOME/segno`, else `~/.local/state/segno`.
    pub fn state_dir(&self) -> Option<PathBuf> {
        self.own_dir("XDG_STATE_HOME", ".local/state")
    }

    fn own_dir(&self, var: &str, below_home: &str) -> Option<PathBuf> {
        let base = self
            .vars
            .dir(var)
            .or_else(|| Some(self.home_dir()?.join(below_home)))?;
        Some(base.join("segno"))
    }

    /// The system's temporary directory.
    pub fn temp_dir(&self) -> PathBuf {
        match &self.vars {
            Vars::System => std::env::temp_dir(),
            Vars::Fixed(_) => self.vars.dir("TMPDIR").unwrap_or_else(|| "/tmp".into()),
        }
    }

    /// The first program of this name on `PATH`.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let path = self.vars.get("PATH")?;
        std::env::split_paths(&path)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(name))
            .find(|file| is_program(file))
    }
}

impl Vars {
    /// A variable; `None` when it is unset or empty.
    pub fn get(&self, name: &str) -> Option<OsString> {
        match self {
            Self::System => std::env::var_os(name),
            Self::Fixed(vars) => vars.get(name).map(OsString::from),
        }
        .filter(|value| !value.is_empty())
    }

    /// A variable as text; `None` when it is unset, empty or not UTF-8.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.into_string().ok()
    }

    /// A variable that names a directory; a relative one is ignored, as the XDG rules ask.
    fn dir(&self, name: &str) -> Option<PathBuf> {
        let value = self.get(name)?;
        let path = Path::new(OsStr::new(&value));
        path.is_absolute().then(|| path.to_path_buf())
    }
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ambient(vars: &[(&str, &str)]) -> Ambient {
        Ambient {
            clock: Clock::for_tests("2026-11-18T09:30:00Z"),
            seed: Some(1),
            vars: Vars::Fixed(
                vars.iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
            ),
            cwd: None,
            terminals: Terminals::default(),
        }
    }

    #[test]
    fn xdg_directories_win_over_home_unless_they_are_relative() {
        let check = |vars: &[(&str, &str)], expected: Option<&str>| {
            assert_eq!(
                ambient(vars).config_dir(),
                expected.map(PathBuf::from),
                "{vars:?}"
            );
        };
        check(&[("HOME", "/h")], Some("/h/.config/segno"));
        check(
            &[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")],
            Some("/x/segno"),
        );
        check(
            &[("HOME", "/h"), ("XDG_CONFIG_HOME", "x")],
            Some("/h/.config/segno"),
        );
        check(
            &[("HOME", "/h"), ("XDG_CONFIG_HOME", "")],
            Some("/h/.config/segno"),
        );
        check(&[], None);
    }

    #[test]
    fn the_local_time_follows_tz() {
        let local = |tz: &str| ambient(&[("TZ", tz)]).now().unwrap().local_micros();
        assert_eq!(local("Asia/Tokyo"), "2026-11-18T18:30:00");
        assert_eq!(local("UTC"), "2026-11-18T09:30:00");
    }
}
