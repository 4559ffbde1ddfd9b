//! The repository's lock, `docs/maestro/locks/repo.lock`: taken while a replay changes the plan, so that other programs
//! which honour it wait, and honoured where they hold it.
//!
//! # Limitations
//! The file is a courtesy between programs: whoever does not look at it is not stopped. What a living process on another
//! host does cannot be known from here, so its lock is never taken away.

use segno_disk::lock::Holder;
use segno_disk::{Access, Basis, Change, RelPath};

use super::site::fixed;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Plan};
use crate::session::Timestamp;
use crate::text::json::{Doc, Style, Tree};

/// Where the lock lies.
pub const REPO_LOCK: &str = "docs/maestro/locks/repo.lock";

/// Clocks are read at different moments: a process that began this much later than a lock did not write it.
const SLACK_SECONDS: i64 = 2;

/// Who takes the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The session on whose behalf.
    pub session_id: String,
    /// The process.
    pub pid: u32,
    /// The host, where it has a name.
    pub host: Option<String>,
}

/// What is known of a process on this host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// There is none of this number.
    Gone,
    /// There is one; when it began, where that is known.
    Alive(Option<jiff::Timestamp>),
}

/// What taking the lock found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// It was free.
    Free,
    /// A dead process had left it; the text says which.
    Stale(String),
    /// Half a lock, as a crash of its writer leaves it.
    Unreadable,
}

/// Takes the lock. `process` says what is known of a process on this host.
pub fn take(
    cx: &Context<'_>,
    owner: &Owner,
    process: &dyn Fn(u32) -> Process,
) -> Result<Plan<Taken>> {
    let path = lock_path();
    let mut members = vec![
        ("session_id", Tree::from(owner.session_id.as_str())),
        ("pid", Tree::from(owner.pid)),
        ("timestamp", Tree::from(cx.now.local_micros())),
    ];
    if let Some(host) = &owner.host {
        members.push(("hostname", Tree::from(host.as_str())));
    }
    let text = Tree::object(members).to_text(Style::PYTHON_INDENTED);
    let write = |basis| {
        Change::replace(
            path.clone(),
            text.clone().into_bytes(),
            basis,
            Access::Shared,
        )
    };
    let Some((bytes, stamp)) = cx.files.read(&path)? else {
        return Ok(Plan::in_order(vec![write(Basis::Absent)], Taken::Free));
    };
    let taken = match Held::read(bytes) {
        Some(held) if held.is_in_force(cx, owner, process) => return Err(held.busy()),
        Some(held) => Taken::Stale(held.shown()),
        None => Taken::Unreadable,
    };
    Ok(Plan::in_order(vec![write(Basis::Version(stamp))], taken))
}

/// Lets the lock go, when it is still this owner's.
pub fn release(cx: &Context<'_>, owner: &Owner) -> Result<Plan<()>> {
    let path = lock_path();
    let Some((bytes, stamp)) = cx.files.read(&path)? else {
        return Ok(Plan::nothing(()));
    };
    let is_ours = Held::read(bytes).is_some_and(|held| held.is_of(owner));
    if !is_ours {
        return Ok(Plan::nothing(()));
    }
    let basis = Basis::Version(stamp);
    Ok(Plan::in_order(vec![Change::Remove { path, basis }], ()))
}

/// What a lock file says.
#[derive(Debug)]
struct Held {
    session_id: String,
    pid: u32,
    timestamp: String,
    host: Option<String>,
}

impl Held {
    fn read(bytes: Vec<u8>) -> Option<Self> {
        let doc = Doc::from_bytes(bytes).ok()?;
        let text = |key: &str| Some(doc.get(key)?.str()?.into_owned());
        Some(Self {
            session_id: text("session_id").unwrap_or_default(),
            pid: u32::try_from(doc.get("pid")?.u64()?).ok()?,
            timestamp: text("timestamp").unwrap_or_default(),
            host: text("hostname").filter(|host| !host.is_empty()),
        })
    }

    fn is_of(&self, owner: &Owner) -> bool {
        self.pid == owner.pid
            && self.session_id == owner.session_id
            && (self.host.is_none() || self.host == owner.host)
    }

    fn is_in_force(
        &self,
        cx: &Context<'_>,
        owner: &Owner,
        process: &dyn Fn(u32) -> Process,
    ) -> bool {
        let elsewhere = self.host.is_some() && owner.host.is_some() && self.host != owner.host;
        if elsewhere {
            return true;
        }
        if self.is_of(owner) {
            return false;
        }
        match process(self.pid) {
            Process::Gone => false,
            Process::Alive(None) => true,
            Process::Alive(Some(began)) => match Timestamp::parse(&self.timestamp) {
                // A process that began after the lock was written has only inherited the number.
                Some(written) => {
                    let written = written.instant(cx.now.zone());
                    began.duration_since(written).as_secs() <= SLACK_SECONDS
                }
                None => true,
            },
        }
    }

    fn shown(&self) -> String {
        let host = self.host.as_deref().map(|host| format!(" on {host}"));
        format!(
            "session {} (PID {}{}, started {})",
            self.session_id,
            self.pid,
            host.unwrap_or_default(),
            self.timestamp
        )
    }

    fn busy(self) -> StoreError {
        let host = self.host.as_deref().map(|host| format!(" on {host}"));
        StoreError::Busy {
            what: REPO_LOCK.to_owned(),
            holder: Holder {
                pid: self.pid,
                program: format!("session {}{}", self.session_id, host.unwrap_or_default()),
                since: self.timestamp,
            },
        }
    }
}

fn lock_path() -> RelPath {
    fixed(REPO_LOCK)
}
