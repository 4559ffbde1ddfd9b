//! What is watched, in as few rows as possible: for every session what it was made from, many sessions to a row.
//!
//! A command that finds nothing changed reads these rows and nothing else of the sessions. It must not know what the
//! sessions say.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::{Connection, OptionalExtension, Statement, params};
use segno_store::formats::Root;

use crate::bytes::{Reader, Writer};
use crate::error::{IndexError, Result};
use crate::index::{root_number, root_of};
use crate::stamp::{Eye, Gaze, Stamp};
use crate::watching::{self, dir_of};

/// The bits of a session's number that tell the sessions of one row apart. The more, the faster is a look at all of them;
/// the fewer, the less is written when one changes.
const SHARED_BITS: u32 = 6;

/// A session, as far as it is watched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched<'b> {
    pub(crate) id: i64,
    pub(crate) root: Root,
    pub(crate) is_read: bool,
    pub(crate) path: &'b str,
    /// What [`watching::write`] wrote.
    pub(crate) looks: &'b [u8],
}

impl<'b> Watched<'b> {
    fn write(&self, out: &mut Writer) {
        out.number(self.id.cast_unsigned());
        out.number(root_number(self.root).cast_unsigned());
        out.byte(u8::from(self.is_read));
        out.text(self.path);
        out.bytes(self.looks);
    }

    fn read(bytes: &mut Reader<'b>) -> Option<Self> {
        Some(Self {
            id: bytes.number()?.cast_signed(),
            root: root_of(bytes.number()?.cast_signed()).ok()?,
            is_read: bytes.byte()? != 0,
            path: bytes.text()?,
            looks: bytes.bytes()?,
        })
    }

    fn state(&self, gazes: &mut [(Root, Gaze<'_>)], path: &mut String) -> State {
        let Some((_, gaze)) = gazes.iter_mut().find(|(root, _)| *root == self.root) else {
            return State::Lost;
        };
        // Sessions that stand beside each other come one after the other.
        gaze.turn(dir_of(self.path));
        let mut state = State::Same;
        let read = watching::read_each(&mut Reader(self.looks), self.path, path, |path, look| {
            if state == State::Lost {
                return;
            }
            let now = gaze.stamp(path);
            if now == Stamp::Absent && look.stamp != Stamp::Absent {
                state = State::Lost;
            } else if now != look.stamp || now == Stamp::Unsure {
                state = State::Changed;
            }
        });
        if read.is_none() { State::Lost } else { state }
    }
}

/// What became of the files of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Same,
    Changed,
    /// One of them is gone.
    Lost,
}

/// A session that cannot be taken as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stirred {
    pub(crate) id: i64,
    pub(crate) state: State,
}

/// Everything that is watched, to be looked at by several threads at once.
pub(crate) struct Watch {
    rows: Vec<Vec<u8>>,
    next: AtomicUsize,
}

impl Watch {
    pub(crate) fn load(db: &Connection) -> Result<Self> {
        let mut query = db.prepare("SELECT sessions FROM watch ORDER BY id")?;
        let rows = query.query_map([], |row| row.get(0))?;
        Ok(Self {
            rows: rows.collect::<std::result::Result<_, _>>()?,
            next: AtomicUsize::new(0),
        })
    }

    /// How many threads the looking is worth.
    pub(crate) fn threads(&self) -> usize {
        const FEW: usize = 8;
        if self.rows.len() < FEW {
            return 1;
        }
        std::thread::available_parallelism().map_or(1, |n| n.get().min(4))
    }

    /// Looks at every file of the sessions that no other thread has taken, and says which of them have changed; with
    /// `unread`, also those whose words have not been read.
    pub(crate) fn take(&self, eyes: &[(Root, Eye)], unread: bool) -> Result<Vec<Stirred>> {
        let mut stirred = Vec::new();
        let mut path = String::new();
        let gazes = eyes.iter().map(|(root, eye)| (*root, Gaze::new(eye)));
        let mut gazes: Vec<_> = gazes.collect();
        while let Some(row) = self.rows.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            each(row, |watched| {
                let state = watched.state(&mut gazes, &mut path);
                if state != State::Same || (unread && !watched.is_read) {
                    let id = watched.id;
                    stirred.push(Stirred { id, state });
                }
            })?;
        }
        Ok(stirred)
    }

    /// How many paths are watched.
    pub(crate) fn count(&self) -> Result<u64> {
        let mut count = 0;
        for row in &self.rows {
            each(row, |watched| {
                count += Reader(watched.looks).number().unwrap_or(0);
            })?;
        }
        Ok(count)
    }
}

fn each(row: &[u8], mut sink: impl FnMut(Watched<'_>)) -> Result<()> {
    let mut bytes = Reader(row);
    while !bytes.is_empty() {
        let watched = Watched::read(&mut bytes);
        sink(watched.ok_or(IndexError::Damaged("what is watched cannot be read"))?);
    }
    Ok(())
}

/// What one session was made from.
pub(crate) fn looks_of(db: &Connection, id: i64) -> Result<Vec<u8>> {
    let mut query = db.prepare("SELECT sessions FROM watch WHERE id = ?1")?;
    let row: Option<Vec<u8>> = query
        .query_row([id >> SHARED_BITS], |row| row.get(0))
        .optional()?;
    let mut looks = Vec::new();
    each(&row.unwrap_or_default(), |watched| {
        if watched.id == id {
            watched.looks.clone_into(&mut looks);
        }
    })?;
    Ok(looks)
}

/// Writes what is watched. Neighbours are written together, so they had better come one after the other.
pub(crate) struct Watchers<'d> {
    get: Statement<'d>,
    put: Statement<'d>,
    drop: Statement<'d>,
    /// The row at hand, and its sessions as they are written.
    at: Option<i64>,
    sessions: BTreeMap<i64, Vec<u8>>,
}

impl<'d> Watchers<'d> {
    pub(crate) fn new(db: &'d Connection) -> Result<Self> {
        Ok(Self {
            get: db.prepare("SELECT sessions FROM watch WHERE id = ?1")?,
            put: db.prepare("INSERT OR REPLACE INTO watch VALUES (?1, ?2)")?,
            drop: db.prepare("DELETE FROM watch WHERE id = ?1")?,
            at: None,
            sessions: BTreeMap::new(),
        })
    }

    /// Watches a session from now on.
    pub(crate) fn watch(&mut self, watched: &Watched<'_>) -> Result<()> {
        self.turn_to(watched.id)?;
        let mut out = Writer::default();
        watched.write(&mut out);
        self.sessions.insert(watched.id, out.0);
        Ok(())
    }

    /// Watches a session no longer.
    pub(crate) fn forget(&mut self, id: i64) -> Result<()> {
        self.turn_to(id)?;
        self.sessions.remove(&id);
        Ok(())
    }

    /// Sees to it that a session is read the next time, words and all.
    pub(crate) fn doubt(&mut self, id: i64) -> Result<()> {
        self.turn_to(id)?;
        let Some(bytes) = self.sessions.get_mut(&id) else {
            return Ok(());
        };
        let mut out = Writer::default();
        each(bytes, |watched| {
            let is_read = false;
            Watched { is_read, ..watched }.write(&mut out);
        })?;
        *bytes = out.0;
        Ok(())
    }

    /// Writes what is at hand.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let Some(at) = self.at.take() else {
            return Ok(());
        };
        let sessions = std::mem::take(&mut self.sessions);
        if sessions.is_empty() {
            self.drop.execute([at])?;
        } else {
            let sessions: Vec<u8> = sessions.into_values().flatten().collect();
            self.put.execute(params![at, sessions])?;
        }
        Ok(())
    }

    fn turn_to(&mut self, id: i64) -> Result<()> {
        let wanted = id >> SHARED_BITS;
        if self.at == Some(wanted) {
            return Ok(());
        }
        self.flush()?;
        let row: Option<Vec<u8>> = self.get.query_row([wanted], |row| row.get(0)).optional()?;
        let sessions = &mut self.sessions;
        each(&row.unwrap_or_default(), |watched| {
            let mut out = Writer::default();
            watched.write(&mut out);
            sessions.insert(watched.id, out.0);
        })?;
        self.at = Some(wanted);
        Ok(())
    }
}
