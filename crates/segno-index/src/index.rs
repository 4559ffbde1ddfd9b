//! The index of one workspace: opened, brought up to date, asked.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use segno_store::formats::{Place, Root};
use segno_store::session::{Card, Now};
use segno_store::workspace::Workspace;

use crate::error::{IndexError, Result};
use crate::file;
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

/// The index of one workspace.
pub struct Index {
    db: Connection,
    /// Where it is kept; `None` for one that lives as long as the command.
    home: Option<PathBuf>,
    /// The file, while it is being built.
    building: Option<PathBuf>,
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
        let Some(cache) = cache else {
            return Self::passing(key, "there is no cache directory".to_owned());
        };
        let home = file::home(cache, source.root);
        let opened = match file::open(&home, &key) {
            Ok(Some((db, _))) => Ok((db, None)),
            // Of another version or damaged: a new one is as good.
            Ok(None) => file::begin(&home, &key).map(|(db, path)| (db, Some(path))),
            Err(error) if error.is_damage() => {
                file::begin(&home, &key).map(|(db, path)| (db, Some(path)))
            }
            Err(error) => Err(error),
        };
        match opened {
            Ok((db, building)) => Ok(Self {
                db,
                home: Some(home),
                building,
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
        let unread = "SELECT EXISTS (SELECT 1 FROM session WHERE NOT is_read)";
        let unread = self.db.query_row(unread, [], |row| row.get(0));
        self.building.is_none() && self.trouble.is_none() && unread == Ok(false)
    }

    /// Why there is no index that stays; `None` when there is one.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Forgets all that is known of a workspace.
    pub fn forget(cache: &Path, root: &Path) {
        file::forget(&file::home(cache, root));
    }

    /// Brings the index up to date with the files. A damaged index is built anew; one that another command keeps busy is
    /// done without.
    pub fn refresh(
        &mut self,
        source: &Source<'_>,
        depth: Depth,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed> {
        let done = refresh::refresh(
            &mut self.db,
            source,
            depth,
            self.building.is_some(),
            progress,
        );
        let done = match done {
            Err(error) if error.is_damage() && self.building.is_none() => {
                self.begin_anew(&error.to_string())?;
                let anew = self.building.is_some();
                refresh::refresh(&mut self.db, source, depth, anew, progress)
            }
            Err(error @ IndexError::Database(_)) => {
                self.do_without(&error.to_string())?;
                refresh::refresh(&mut self.db, source, depth, true, progress)
            }
            done => done,
        }?;
        if let Err(error) = self.publish() {
            self.do_without(&error.to_string())?;
            return refresh::refresh(&mut self.db, source, depth, true, progress);
        }
        Ok(done)
    }

    fn begin_anew(&mut self, why: &str) -> Result<()> {
        let Some(home) = &self.home else {
            return self.do_without(why);
        };
        match file::begin(home, &self.key) {
            Ok((db, path)) => {
                self.db = db;
                self.building = Some(path);
                Ok(())
            }
            Err(error) => self.do_without(&error.to_string()),
        }
    }

    fn do_without(&mut self, why: &str) -> Result<()> {
        self.db = file::passing(&self.key)?;
        if let Some(path) = self.building.take() {
            let _ = std::fs::remove_file(path);
        }
        self.home = None;
        self.trouble = Some(why.to_owned());
        Ok(())
    }

    fn publish(&mut self) -> Result<()> {
        let (Some(home), Some(path)) = (self.home.clone(), self.building.take()) else {
            return Ok(());
        };
        let db = std::mem::replace(&mut self.db, Connection::open_in_memory()?);
        let (db, _) = file::publish(&home, db, &path, &self.key)?;
        self.db = db;
        Ok(())
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

    /// Answers a question from what the last refresh found. Sessions whose files do not hold what the index says of them
    /// are read anew, and a damaged index is built anew, once.
    pub fn search(&mut self, source: &Source<'_>, query: &Query, limit: usize) -> Result<Answer> {
        match search::search(&self.db, source, query, limit) {
            Ok(answer) if answer.doubtful.is_empty() => return Ok(answer),
            Ok(answer) => {
                if self.doubt(&answer.doubtful).is_err() {
                    return Ok(answer);
                }
            }
            Err(error) if error.is_damage() => self.begin_anew(&error.to_string())?,
            Err(error) => return Err(error),
        }
        self.refresh(source, Depth::Words, &mut |_| {})?;
        search::search(&self.db, source, query, limit)
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
            .filter(|path| !path.is_empty())
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
    /// An index that was begun and not finished is of no use to anybody.
    fn drop(&mut self) {
        if let Some(path) = self.building.take() {
            let _ = std::fs::remove_file(path);
        }
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
