//! What is known of processes: whether one lives, when it began, and what this host is called.

use jiff::Timestamp;
use segno_store::formats::discuss::repo_lock::Process;

/// The name of this host; `None` when it has none.
pub fn host() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    Some(name).filter(|name| !name.is_empty())
}

/// What is known of a process on this host. Where nothing can be known, it counts as alive.
#[cfg(unix)]
pub fn process(pid: u32) -> Process {
    use rustix::process::{Pid, test_kill_process};
    let Some(id) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return Process::Gone;
    };
    match test_kill_process(id) {
        Err(rustix::io::Errno::SRCH) => Process::Gone,
        _ => Process::Alive(began(pid)),
    }
}

/// What is known of a process on this host. Where nothing can be known, it counts as alive.
#[cfg(not(unix))]
pub fn process(_pid: u32) -> Process {
    Process::Alive(None)
}

/// When a process began, by the books of Linux; `None` elsewhere.
#[cfg(unix)]
fn began(pid: u32) -> Option<Timestamp> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let boot = std::fs::read_to_string("/proc/stat").ok()?;
    let boot: i64 = boot
        .lines()
        .find_map(|line| line.strip_prefix("btime "))?
        .trim()
        .parse()
        .ok()?;
    Timestamp::from_second(boot + start_ticks(&line)? / TICKS).ok()
}

/// The kernel counts in hundredths of a second towards programs, whatever it does inside.
#[cfg(unix)]
const TICKS: i64 = 100;

/// The 22nd field; the second one is the program's name in parentheses and may hold anything.
#[cfg(unix)]
fn start_ticks(line: &str) -> Option<i64> {
    let (_, rest) = line.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_process_is_read_behind_any_name() {
        let fields = (4..=22)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(start_ticks(&format!("17 (a) b ) S {fields} 23")), Some(22));
    }

    #[test]
    fn this_process_lives_and_began_a_short_while_ago() {
        let Process::Alive(Some(began)) = process(std::process::id()) else {
            panic!()
        };
        let age = Timestamp::now().duration_since(began).as_secs();
        assert!((-2..3600).contains(&age), "{age}");
        assert!(host().is_some());
    }

    #[test]
    fn a_process_that_has_ended_is_gone() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        assert_eq!(process(pid), Process::Gone);
    }
}
