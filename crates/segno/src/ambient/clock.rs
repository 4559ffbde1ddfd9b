//! The one clock of the program.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jiff::{SignedDuration, Timestamp};

/// Where the time comes from.
#[derive(Debug)]
pub struct Clock(Source);

#[derive(Debug)]
enum Source {
    System,
    Still(Timestamp),
    /// A file that holds the time. The first look of a process moves it on by a second; later looks only read, so that
    /// a test can move the time under a long-running command.
    File {
        path: PathBuf,
        taken: OnceLock<()>,
    },
}

/// The clock for tests could not be read.
#[derive(Debug)]
pub struct ClockError {
    path: PathBuf,
    source: io::Error,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock for tests: an ISO time, or the path of a file that holds one.
    pub fn for_tests(value: &str) -> Self {
        Self(match value.parse() {
            Ok(instant) => Source::Still(instant),
            Err(_) => Source::File {
                path: value.into(),
                taken: OnceLock::new(),
            },
        })
    }

    /// The time.
    pub fn now(&self) -> Result<Timestamp, ClockError> {
        match &self.0 {
            Source::System => Ok(Timestamp::now()),
            Source::Still(instant) => Ok(*instant),
            Source::File { path, taken } => {
                let first = taken.set(()).is_ok();
                read(path, first).map_err(|source| ClockError {
                    path: path.clone(),
                    source,
                })
            }
        }
    }
}

fn read(path: &Path, advance: bool) -> io::Result<Timestamp> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    // Several commands of one test may run at once: each gets its own second.
    file.lock()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let instant: Timestamp = text.trim().parse().map_err(io::Error::other)?;
    if advance {
        let next = instant
            .checked_add(SignedDuration::from_secs(1))
            .map_err(io::Error::other)?;
        rewrite(&mut file, &next.to_string())?;
    }
    Ok(instant)
}

fn rewrite(file: &mut File, text: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(text.as_bytes())
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "SEGNO_TEST_CLOCK is neither an ISO time nor a file that holds one: {}",
            self.path.display()
        )
    }
}

impl std::error::Error for ClockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_takes_one_second_from_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("clock");
        std::fs::write(&file, "2026-11-18T09:30:00Z\n").unwrap();
        let first = Clock::for_tests(file.to_str().unwrap());
        assert_eq!(first.now().unwrap().to_string(), "2026-11-18T09:30:00Z");
        let second = Clock::for_tests(file.to_str().unwrap());
        assert_eq!(second.now().unwrap().to_string(), "2026-11-18T09:30:01Z");
        assert_eq!(second.now().unwrap().to_string(), "2026-11-18T09:30:02Z");
        assert_eq!(second.now().unwrap().to_string(), "2026-11-18T09:30:02Z");
    }

    #[test]
    fn an_unreadable_clock_is_an_error_and_not_the_system_time() {
        let error = Clock::for_tests("no/such/file").now().unwrap_err();
        assert!(error.to_string().contains("no/such/file"));
    }
}
