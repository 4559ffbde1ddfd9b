//! The index of one workspace: opened, brought up to date, asked.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use segno_store::formats::{Place, Root};
use segno_store::session::{Card, Now};
use segno_store::workspace::Workspace;

use crate::error::{IndexError, Result};
use crate::file::{self, Building, Old};
use crate::refresh::{self, Progress, Refreshed};
use crate::row::read_card;
use crate::search::{self, Answer};
use crate::stamp::Eye;
use crate::watch::{Watch, Watchers};
use crate::{Depth, Query};

/// What is indexed: a workspace, where its files are, and when it is looked at.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The sessions.
    pub workspace: &'a Workspace<'a>,
    /// Where the workspace is.
    pub root: &'a Path,
    /// Where the temporary directory is, when sessions are looked for in it.
    pub temporary: Option<&'a Path>,
    /// When.
    pub now: &'a Now,
}

impl Source<'_> {
    /// What the content of an index depends on beside the files. An index made under another key is built anew.
    fn key(&self) -> String {
        let zone = self.now.zone();
        let zone = match zone.iana_name() {
            Some(name) => name.to_owned(),
            None => format!("{}", zone.to_offset(self.now.instant())),
        };
        format!(
            "{} | {} | {} | {:?}",
            env!("CARGO_PKG_VERSION"),
            self.root.display(),
            zone,
            self.workspace.settings()
        )
    }

    pub(crate) fn eyes(&self) -> Result<Vec<(Root, Eye)>> {
        let open = |root: Root, path: &Path| match Eye::open(path) {
            Ok(eye) => Ok((root, eye)),
            Err(error) => Err(IndexError::io(path, error)),
        };
        let mut eyes = vec![open(Root::Workspace, self.root)?];
        if let Some(temporary) = self.temporary {
            eyes.push(open(Root::Temporary, temporary)?);
        }
        Ok(eyes)
    }
}

const NO_CACHE: &str = "there is no cache directory";
/// How often something is done about an error before it is given up.
const LAST_TURN: u32 = 3;

/// The index of one workspace.
pub struct Index {
    db: Connection,
    /// Where it is kept; `None` for one that lives as long as the command.
    home: Option<PathBuf>,
    /// The file, while it is being built.
    building: Option<Building>,
    key: String,
    trouble: Option<String>,
}

/// What an index holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// The file; `None` when there is none.
    pub file: Option<PathBuf>,
    /// Its length in bytes, what `SQLite` keeps beside it included.
    pub bytes: u64,
    /// When it was last written, in seconds since 1970.
    pub written: Option<i64>,
    /// How many sessions it knows.
    pub sessions: u64,
    /// How many files of theirs it watches.
    pub files: u64,
    /// How many entries can be found.
    pub entries: u64,
}

impl Index {
    /// Opens the index of a workspace below the cache directory, or begins one. When that cannot be done, or there is no
    /// such directory, the index lives as long as the command; [`Index::trouble`] then says why.
    pub fn open(cache: Option<&Path>, source: &Source<'_>) -> Result<Self> {
        let key = source.key();
        let home = cache.map(|cache| file::home(cache, source.root));
        let found = home.as_ref().map(|home| file::open(home, &key));
        match (home, found) {
            (Some(home), Some(Ok(Some(db)))) => Ok(Self {
                db,
                home: Some(home),
                building: None,
                key,
                trouble: None,
            }),
            // Of another version or damaged: a new one is as good.
            (Some(home), Some(Ok(None))) => Self::begin(home, key, Old::Useless),
            (Some(home), Some(Err(error))) if error.is_damage() => {
                Self::begin(home, key, Old::Useless)
            }
            (_, Some(Err(error))) => Self::passing(key, error.to_string()),
            _ => Self::passing(key, NO_CACHE.to_owned()),
        }
    }

    /// Begins an index of a workspace anew, whatever there is. The one that is there serves other processes until the new
    /// one is whole.
    pub fn anew(cache: Option<&Path>, source: &Source<'_>) -> Result<Self> {
        match cache {
            Some(cache) => Self::begin(file::home(cache, source.root), source.key(), Old::InUse),
            None => Self::passing(source.key(), NO_CACHE.to_owned()),
        }
    }

    fn begin(home: PathBuf, key: String, old: Old) -> Result<Self> {
        match file::begin(&home, &key, old) {
            Ok((db, building)) => Ok(Self {
                db,
                home: Some(home),
                building: Some(building),
                key,
                trouble: None,
            }),
            Err(error) => Self::passing(key, error.to_string()),
        }
    }

    fn passing(key: String, trouble: String) -> Result<Self> {
        Ok(Self {
            db: file::passing(&key)?,
            home: None,
            building: None,
            key,
            trouble: Some(trouble),
        })
    }

    /// True when every session that was ever found has been read, words and all: it can answer as it is.
    pub fn is_ready(&self) -> bool {
        let unread = "SELECT EXISTS (SELECT 1 FROM session WHERE is_read = 0)";
        let unread = self.db.query_row(unread, [], |row| row.get(0));
        self.building.is_none() && self.trouble.is_none() && unread == Ok(false)
    }

    /// Why there is no index that stays; `None` when there is one.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Brings the index up to date with the files. A damaged index is built anew; one that another command keeps busy is
    /// done without.
    pub fn refresh(
        &mut self,
        source: &Source<'_>,
        depth: Depth,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed> {
        self.refresh_while(source, depth, progress, &mut |_| {})
    }

    /// The same; something is asked of the index as it is while its files are looked at.
    fn refresh_while(
        &mut self,
        source: &Source<'_>,
        depth: Depth,
        progress: &mut dyn FnMut(Progress),
        meanwhile: &mut dyn FnMut(&Connection),
    ) -> Result<Refreshed> {
        for turn in 0.. {
            let is_own = self.building.is_some() || self.home.is_none();
            let done = refresh::refresh(&mut self.db, source, depth, is_own, progress, meanwhile);
            match done.and_then(|done| self.publish().map(|()| done)) {
                Ok(done) => {
                    // What cannot be trimmed now is trimmed by the next command.
                    let _ = file::trim(&self.db);
                    return Ok(done);
                }
                Err(error) => self.mend(error, turn)?,
            }
        }
        Err(IndexError::Damaged("it cannot be mended"))
    }

    /// Gets over an error of the database: first by what another process may have put in its place, then by a new index,
    /// and last by one that lives as long as the command.
    fn mend(&mut self, error: IndexError, turn: u32) -> Result<()> {
        if turn >= LAST_TURN || !(error.is_damage() || error.is_database()) {
            return Err(error);
        }
        let home = self.home.clone().filter(|_| self.building.is_none());
        if let Some(home) = &home
            && turn == 0
            && !error.is_busy()
            && let Ok(Some(db)) = file::open(home, &self.key)
        {
            self.db = db;
            return Ok(());
        }
        if let Some(home) = &home
            && error.is_damage()
            && let Ok((db, building)) = file::begin(home, &self.key, Old::Useless)
        {
            self.db = db;
            self.building = Some(building);
            return Ok(());
        }
        self.db = file::passing(&self.key)?;
        self.abandon();
        self.home = None;
        self.trouble = Some(error.to_string());
        Ok(())
    }

    fn publish(&mut self) -> Result<()> {
        let (Some(home), Some(building)) = (&self.home, &self.building) else {
            return Ok(());
        };
        let db = std::mem::replace(&mut self.db, Connection::open_in_memory()?);
        self.db = file::publish(home, db, building, &self.key)?;
        self.building = None;
        Ok(())
    }

    /// An index that was begun and not finished is of no use to anybody.
    fn abandon(&mut self) {
        if let Some(building) = self.building.take() {
            let _ = std::fs::remove_file(building.path);
        }
    }

    /// The sessions and their cards, as of the last refresh.
    pub fn cards(&self) -> Result<Vec<(Place, Card)>> {
        let mut query = self
            .db
            .prepare("SELECT root, card FROM session JOIN card USING (id)")?;
        let mut rows = query.query([])?;
        let mut cards = Vec::new();
        while let Some(row) = rows.next()? {
            let root = root_of(row.get(0)?)?;
            let bytes = row.get_ref(1)?.as_blob().unwrap_or_default();
            let card = read_card(bytes).ok_or(IndexError::Damaged("a card cannot be read"))?;
            let place = Place {
                kind: card.kind,
                root,
                id: card.id.clone(),
                path: card.path.clone(),
            };
            cards.push((place, card));
        }
        Ok(cards)
    }

    /// Answers a question from the files as they are now.
    pub fn answer(
        &mut self,
        source: &Source<'_>,
        query: &Query,
        limit: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Answer> {
        let mut early = None;
        let is_whole = self.building.is_none() && self.home.is_some();
        let done = self.refresh_while(source, Depth::Words, progress, &mut |db| {
            early = is_whole.then(|| search::search(db, source, query, limit));
        })?;
        match early {
            // Nothing has changed since the index was asked.
            Some(Ok(answer)) if done == Refreshed::default() && answer.doubtful.is_empty() => {
                Ok(answer)
            }
            _ => self.search(source, query, limit),
        }
    }

    /// Answers a question from what the last refresh found. Sessions whose files do not hold what the index says of them
    /// are read anew, and a damaged index is built anew.
    pub fn search(&mut self, source: &Source<'_>, query: &Query, limit: usize) -> Result<Answer> {
        for turn in 0.. {
            match search::search(&self.db, source, query, limit) {
                // What was read anew and is doubtful still is being written right now.
                Ok(answer) if answer.doubtful.is_empty() || turn > 0 => return Ok(answer),
                Ok(answer) => {
                    if self.doubt(&answer.doubtful).is_err() {
                        return Ok(answer);
                    }
                }
                Err(error) => self.mend(error, turn)?,
            }
            self.refresh(source, Depth::Words, &mut |_| {})?;
        }
        Err(IndexError::Damaged("it cannot be mended"))
    }

    /// Sees to it that sessions are read from the beginning the next time.
    fn doubt(&self, sessions: &[i64]) -> Result<()> {
        // Together or not at all: one without the other would be read as if nothing were in doubt.
        let txn = self.db.unchecked_transaction()?;
        let mut watchers = Watchers::new(&txn)?;
        for id in sessions {
            let doubt =
                "UPDATE session SET is_read = 0, others_hash = 0, grown = x'' WHERE id = ?1";
            txn.execute(doubt, [id])?;
            watchers.doubt(*id)?;
        }
        watchers.flush()?;
        drop(watchers);
        txn.commit()?;
        Ok(())
    }

    /// What the index holds.
    pub fn stats(&self) -> Result<Stats> {
        let number = |text: &str| -> Result<u64> {
            let number: i64 = self.db.query_row(text, [], |row| row.get(0))?;
            Ok(number.cast_unsigned())
        };
        let file = self
            .db
            .path()
            .filter(|path| !path.is_empty() && self.building.is_none())
            .map(PathBuf::from);
        let mut bytes = 0;
        let mut written = None;
        if let Some(file) = &file {
            for beside in ["", "-wal", "-shm"] {
                let mut name = file.as_os_str().to_owned();
                name.push(beside);
                let Ok(meta) = std::fs::metadata(name) else {
                    continue;
                };
                bytes += meta.len();
                let at = meta
                    .modified()
                    .ok()
                    .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
                written = written.max(at.and_then(|at| i64::try_from(at.as_secs()).ok()));
            }
        }
        Ok(Stats {
            file,
            bytes,
            written,
            sessions: number("SELECT count(*) FROM session")?,
            files: Watch::load(&self.db)?.count()?,
            entries: number("SELECT coalesce(sum(others + said), 0) FROM session WHERE is_read")?,
        })
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        self.abandon();
    }
}

pub(crate) const fn root_number(root: Root) -> i64 {
    match root {
        Root::Workspace => 0,
        Root::Temporary => 1,
    }
}

pub(crate) fn root_of(number: i64) -> Result<Root> {
    match number {
        0 => Ok(Root::Workspace),
        1 => Ok(Root::Temporary),
        _ => Err(IndexError::Damaged("a session is nowhere")),
    }
}
