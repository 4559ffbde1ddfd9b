//! A session as it lies on the disk: its state, the tree to edit it in, and the names of its files.

use std::collections::BTreeMap;

use segno_disk::{Access, Basis, Change, FileKind, ReadDisk, RelPath, Stamp};

use super::names::{self, BACKUP, STATE, TEMP};
use super::schema::RunStatus;
use super::state::State;
use super::{codec, problem};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::{Now, Problem};
use crate::text::damage;
use crate::text::yaml::{Budget, Doc};

/// A session whose state can be read.
pub(super) struct Session {
    /// Which session.
    pub(super) place: Place,
    /// The state.
    pub(super) state: State,
    /// What was wrong with single values.
    pub(super) problems: Vec<Problem>,
    /// The names in its directory.
    pub(super) files: BTreeMap<String, FileKind>,
    doc: Doc,
    stamp: Stamp,
}

/// What came of an attempt to read one state file.
pub(super) enum Read {
    /// It is a state.
    State(Box<Readable>),
    /// It is there and is none.
    Unreadable(Vec<Problem>, Stamp),
    /// It is not there.
    Missing,
}

/// A state file that could be read.
pub(super) struct Readable {
    pub(super) doc: Doc,
    pub(super) state: State,
    pub(super) problems: Vec<Problem>,
    pub(super) stamp: Stamp,
}

/// Reads a state file: the primary or the backup.
pub(super) fn read_state(disk: &dyn ReadDisk, dir: &RelPath, name: &str) -> Result<Read> {
    let file = names::file(dir, name)?;
    let Some((bytes, stamp)) = disk.read(&file)? else {
        return Ok(Read::Missing);
    };
    let doc = match Doc::from_bytes(&bytes, &Budget::default()) {
        Ok(doc) => doc,
        Err(error) => {
            let found = of_merge(&bytes, &file).unwrap_or_else(|| {
                let problem = error.problem(file);
                vec![problem.lossy("take the backup, or rebuild the state from the artifacts")]
            });
            return Ok(Read::Unreadable(found, stamp));
        }
    };
    let mut problems = Vec::new();
    Ok(match codec::decode(&doc, &file, &mut problems) {
        Some(state) => Read::State(Box::new(Readable {
            doc,
            state,
            problems,
            stamp,
        })),
        None => Read::Unreadable(of_merge(&bytes, &file).unwrap_or(problems), stamp),
    })
}

/// Two states in one file are no state: the marks of the merge are what is wrong with it.
fn of_merge(bytes: &[u8], file: &RelPath) -> Option<Vec<Problem>> {
    damage::merge(bytes, file).map(|merge| vec![merge])
}

/// The names in a session's directory.
pub(super) fn list(disk: &dyn ReadDisk, dir: &RelPath) -> Result<BTreeMap<String, FileKind>> {
    let entries = disk.list(dir)?;
    Ok(entries
        .into_iter()
        .map(|entry| (entry.name, entry.kind))
        .collect())
}

/// The problem of a session that has no state file.
pub(super) fn missing_state(dir: &RelPath) -> Problem {
    let file = names::file(dir, STATE).unwrap_or_else(|_| dir.clone());
    Problem::new(problem::MISSING_STATE, file)
        .found("the state file is not there")
        .lossy("take the backup, or rebuild the state from the artifacts")
}

impl Session {
    /// Opens a session for reading or for an operation on it.
    pub(super) fn open(cx: &Context<'_>, place: &Place) -> Result<Self> {
        match Self::try_open(cx, place)? {
            Ok(session) => Ok(session),
            Err(problems) => Err(StoreError::Damaged {
                session: format!("{}/{}", place.kind, place.id),
                problems,
            }),
        }
    }

    /// Opens a session; what is wrong with its state file when that cannot be read.
    pub(super) fn try_open(
        cx: &Context<'_>,
        place: &Place,
    ) -> Result<std::result::Result<Self, Vec<Problem>>> {
        let dir = &place.path;
        match read_state(cx.files, dir, STATE)? {
            Read::State(readable) => Ok(Ok(Self::of(*readable, place, list(cx.files, dir)?))),
            Read::Unreadable(problems, _) => Ok(Err(problems)),
            Read::Missing => Ok(Err(vec![missing_state(dir)])),
        }
    }

    /// The session that a readable state file makes.
    pub(super) fn of(readable: Readable, place: &Place, files: BTreeMap<String, FileKind>) -> Self {
        Self {
            place: place.clone(),
            state: readable.state,
            problems: readable.problems,
            files,
            doc: readable.doc,
            stamp: readable.stamp,
        }
    }

    /// The tree that its state was read from.
    pub(super) fn doc(&self) -> &Doc {
        &self.doc
    }

    /// Its directory.
    pub(super) fn dir(&self) -> &RelPath {
        &self.place.path
    }

    /// One of its files.
    pub(super) fn file(&self, name: &str) -> Result<RelPath> {
        names::file(self.dir(), name)
    }

    /// The file that a path in the state means.
    pub(super) fn resolve(&self, raw: &str) -> std::result::Result<RelPath, names::Outside> {
        names::resolve(self.dir(), self.state.session_dir.as_deref(), raw)
    }

    /// The file of an artifact: where the state says it is, else under its own name.
    pub(super) fn artifact(&self, raw: Option<&str>, name: &str) -> Result<RelPath> {
        match raw.map(|raw| self.resolve(raw)) {
            Some(Ok(path)) => Ok(path),
            Some(Err(names::Outside)) => Err(self.outside(raw.unwrap_or_default())),
            None => self.file(name),
        }
    }

    fn outside(&self, raw: &str) -> StoreError {
        let file = names::file(self.dir(), STATE).unwrap_or_else(|_| self.dir().clone());
        StoreError::Damaged {
            session: format!("{}/{}", self.place.kind, self.place.id),
            problems: vec![
                Problem::new(problem::PATH_OUTSIDE, file)
                    .found(format!("`{raw}` leads outside the session directory"))
                    .lossy("forget the path, and mark what it stood for as in need of review"),
            ],
        }
    }

    /// How the state writes the path of one of its files.
    pub(super) fn written_path(&self, name: &str) -> String {
        written_path(&self.state, name)
    }

    /// Refuses what only an open session takes.
    pub(super) fn require_open(&self) -> Result<()> {
        let id = &self.place.id;
        let what = match self.state.status {
            Some(RunStatus::Completed) => {
                phrase!("essay-is-completed", "`{id}` is completed", id = id)
            }
            Some(RunStatus::Abandoned) => {
                phrase!("essay-is-abandoned", "`{id}` is abandoned", id = id)
            }
            _ => return Ok(()),
        };
        let revise = phrase!(
            "essay-revise-opens",
            "`segno essay revise {id} --stage N` opens a finished essay again",
            id = id
        );
        let force = phrase!(
            "essay-force-opens",
            "`segno resume {id} --force` opens any",
            id = id
        );
        Err(Refusal::rule(what).hint(revise).hint(force).into())
    }

    /// The plan that writes artifacts and the new state: all or none, so that they never disagree.
    pub(super) fn save<T>(
        &self,
        after: &State,
        mut artifacts: Vec<Change>,
        outcome: T,
    ) -> Result<Plan<T>> {
        let state = self.save_state(after)?;
        if artifacts.is_empty() {
            // Crash: one atomic replacement, so that the state is the old one or the new one.
            return Ok(Plan::in_order(vec![state], outcome));
        }
        // Crash: the journal's rename commits artifacts and state together; before it nothing has changed.
        artifacts.push(state);
        Ok(Plan::all_or_none(artifacts, outcome))
    }

    fn save_state(&self, after: &State) -> Result<Change> {
        let text = codec::encode(&self.doc, &self.state, after)?;
        state_change(self.dir(), text.into_bytes(), Basis::Version(self.stamp))
    }
}

/// The document's write protocol as a value: `.tmp`, `.bak`, rename.
pub(super) fn state_change(dir: &RelPath, bytes: Vec<u8>, basis: Basis) -> Result<Change> {
    let change = Change::replace(names::file(dir, STATE)?, bytes, basis, Access::Private);
    Ok(change
        .with_backup(names::file(dir, BACKUP)?)
        .with_temp(names::file(dir, TEMP)?))
}

/// How a state writes the path of one of its files.
pub(super) fn written_path(state: &State, name: &str) -> String {
    match state.session_dir.as_deref() {
        Some(dir) if !dir.is_empty() => format!("{}/{name}", dir.trim_end_matches('/')),
        _ => name.to_owned(),
    }
}

/// The text of a file and the version it was read from; bytes that are not UTF-8 are an error.
pub(super) fn read_text(disk: &dyn ReadDisk, path: &RelPath) -> Result<Option<(String, Stamp)>> {
    let Some((bytes, stamp)) = disk.read(path)? else {
        return Ok(None);
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some((text, stamp))),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            let what = phrase!(
                "essay-file-not-text",
                "`{path}` is not UTF-8 text from byte {offset} on",
                path = path,
                offset = offset
            );
            let hint = phrase!(
                "essay-file-not-text-hint",
                "save it as UTF-8, or move it away"
            );
            Err(Refusal::input(what).hint(hint).into())
        }
    }
}

/// Marks a state as worked on now.
pub(super) fn touch(state: &mut State, now: &Now) {
    state.last_activity = Some(now.utc_seconds());
    state.status = Some(RunStatus::InProgress);
}

/// A change that writes an artifact: new, or in place of the version that was read.
pub(super) fn write_artifact(path: RelPath, text: &str, old: Option<Stamp>) -> Change {
    let basis = old.map_or(Basis::Absent, Basis::Version);
    Change::replace(path, text.as_bytes().to_vec(), basis, Access::Shared)
}
