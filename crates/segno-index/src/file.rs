//! The file of an index: where it is, how a new one is made beside it, and how it takes the old one's place.
//!
//! A workspace has a directory of its own, and the index in it is a file with a number: `index-7.db`. A new index is
//! built under another name and takes the next number when it is whole, so nobody ever opens half of one, and a process
//! that still reads the old one is not disturbed. The files that `SQLite` keeps beside a database bear its name; that they
//! never stand beside another database is why the name is not used twice.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::bytes::Rolling;
use crate::error::{IndexError, Result};

/// Marks a database as ours ("sgno").
const APPLICATION: i32 = 0x7367_6e6f;
/// The shape of the tables; an index of another shape is built anew.
const SHAPE: i32 = 6;
/// How long a command waits for another one that is writing.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an index that another one has replaced stays: whoever opened it may still be reading.
const LINGERING: u64 = 60;
/// The longest log that a command leaves beside an index, in bytes.
const LONGEST_LOG: u64 = 512 * 1024;
/// How often a newest index that goes away while it is opened is looked for again.
const TRIES: usize = 5;
/// A file that was being built this long ago will not be finished any more.
const FORSAKEN: Duration = Duration::from_hours(24);

const TABLES: &str = "
    CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE find (kind INTEGER, root INTEGER, looks BLOB NOT NULL, PRIMARY KEY (kind, root)) WITHOUT ROWID;
    CREATE TABLE session (
        id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, root INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL,
        is_read INTEGER NOT NULL, others INTEGER NOT NULL, others_hash INTEGER NOT NULL,
        said INTEGER NOT NULL, grown BLOB NOT NULL
    );
    CREATE INDEX unread ON session (id) WHERE is_read = 0;
    CREATE TABLE watch (id INTEGER PRIMARY KEY, sessions BLOB NOT NULL);
    CREATE TABLE card (id INTEGER PRIMARY KEY, card BLOB NOT NULL);
    CREATE TABLE block (
        id INTEGER PRIMARY KEY, session INTEGER NOT NULL, first INTEGER NOT NULL, spots BLOB NOT NULL
    );
    CREATE INDEX block_of ON block (session, first);
    CREATE VIRTUAL TABLE words USING fts5(row, wholes, content='', contentless_delete=1, tokenize='ascii');
";

/// The directory of a workspace's index below the cache directory.
pub(crate) fn home(cache: &Path, root: &Path) -> PathBuf {
    cache.join("index").join(workspace_key(root))
}

/// A name that a workspace has wherever something is kept about it.
pub fn workspace_key(root: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    format!("{:016x}", Rolling::of(root.as_os_str().as_bytes()))
}

/// Opens the newest index of a directory; `None` when there is none that fits.
pub(crate) fn open(dir: &Path, key: &str) -> Result<Option<Connection>> {
    for turn in 1.. {
        let numbers = numbers(dir);
        let Some(newest) = numbers.iter().max() else {
            return Ok(None);
        };
        let path = numbered(dir, *newest);
        match open_one(&path, dir, key) {
            // Another process has put a newer one in its place.
            Err(_) if turn < TRIES && !path.exists() => {}
            Ok(Some(db)) => {
                if numbers.len() > 1 && has_settled(&db)? {
                    numbers
                        .iter()
                        .filter(|old| *old < newest)
                        .for_each(|old| remove(&numbered(dir, *old)));
                }
                return Ok(Some(db));
            }
            opened => return opened,
        }
    }
    Ok(None)
}

fn open_one(path: &Path, dir: &Path, key: &str) -> Result<Option<Connection>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    let shape: i32 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let ours: i32 = db.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if shape != SHAPE || ours != APPLICATION {
        return Ok(None);
    }
    let known: String = db.query_row("SELECT value FROM meta WHERE name = 'key'", [], |row| {
        row.get(0)
    })?;
    if known != key {
        return Ok(None);
    }
    // Two processes on one machine share memory with WAL; over a network they cannot.
    let mode = if is_remote(dir) { "TRUNCATE" } else { "WAL" };
    db.query_row(&format!("PRAGMA journal_mode = {mode}"), [], |_| Ok(()))?;
    // What was written is synced by the command that makes the log too long ([`trim`]), not by each: a power cut may take
    // the last changes of the index, and then their files do not bear the times that it knows.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    db.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 0;",
    )?;
    Ok(Some(db))
}

/// Empties the log beside an index when it has become long: whoever opens the index reads all of it. While others are
/// reading, it is left to the next command.
pub(crate) fn trim(db: &Connection) -> Result<()> {
    let log = db.path().map(|path| format!("{path}-wal"));
    let len = log
        .and_then(|log| std::fs::metadata(log).ok())
        .map_or(0, |meta| meta.len());
    if len > LONGEST_LOG {
        db.busy_timeout(Duration::ZERO)?;
        let done = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        db.busy_timeout(PATIENCE)?;
        done?;
    }
    Ok(())
}

/// True when an index has been there so long that nobody reads the one before it any more.
fn has_settled(db: &Connection) -> Result<bool> {
    let since = "SELECT value FROM meta WHERE name = 'published'";
    let since: Option<i64> = db.query_row(since, [], |row| row.get(0)).optional()?;
    let since = since.map_or(0, i64::cast_unsigned);
    Ok(now() >= since.saturating_add(LINGERING))
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// A new index, not yet whole.
pub(crate) struct Building {
    pub(crate) path: PathBuf,
    /// The indexes that are of no use to anybody.
    useless: Vec<u64>,
}

/// What becomes of the indexes that are there when a new one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Old {
    /// They are broken, or of another version.
    Useless,
    /// Other processes may be reading them.
    InUse,
}

/// Begins a new index under a name that nobody opens.
pub(crate) fn begin(dir: &Path, key: &str, old: Old) -> Result<(Connection, Building)> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|error| IndexError::io(dir, error))?;
    sweep(dir);
    let (file, path) = fresh(dir)?;
    drop(file);
    let db = Connection::open(&path)?;
    prepare(&db, key)?;
    let useless = match old {
        Old::Useless => numbers(dir),
        Old::InUse => Vec::new(),
    };
    Ok((db, Building { path, useless }))
}

/// An index for this one command, which nobody else sees: `SQLite` keeps it in memory and, when it grows, in a temporary
/// file without a name.
pub(crate) fn passing(key: &str) -> Result<Connection> {
    let db = Connection::open("")?;
    prepare(&db, key)?;
    Ok(db)
}

fn prepare(db: &Connection, key: &str) -> Result<()> {
    db.query_row("PRAGMA journal_mode = OFF", [], |_| Ok(()))?;
    db.execute_batch(&format!(
        "PRAGMA synchronous = OFF; PRAGMA cache_size = -32000; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SHAPE}; {TABLES}"
    ))?;
    db.execute("INSERT INTO meta VALUES ('key', ?1)", [key])?;
    Ok(())
}

/// Puts a finished index in place of the one before, and opens it there.
pub(crate) fn publish(
    dir: &Path,
    db: Connection,
    building: &Building,
    key: &str,
) -> Result<Connection> {
    let at = now().cast_signed();
    db.execute("INSERT INTO meta VALUES ('published', ?1)", [at])?;
    db.close().map_err(|(_, error)| error)?;
    let path = &building.path;
    let failed = |error| IndexError::io(path, error);
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(failed)?;
    let mut number = numbers(dir).iter().max().map_or(1, |newest| newest + 1);
    // A link does not replace: who comes second takes the next number.
    while let Err(error) = std::fs::hard_link(path, numbered(dir, number)) {
        if error.kind() != std::io::ErrorKind::AlreadyExists {
            std::fs::rename(path, numbered(dir, number)).map_err(failed)?;
            break;
        }
        number += 1;
    }
    let _ = std::fs::remove_file(path);
    for old in &building.useless {
        remove(&numbered(dir, *old));
    }
    open(dir, key)?.ok_or(IndexError::Damaged("a finished index is not there"))
}

fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
    for beside in ["-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(beside);
        let _ = std::fs::remove_file(name);
    }
}

fn numbered(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("index-{number}.db"))
}

fn numbers(dir: &Path) -> Vec<u64> {
    let names = std::fs::read_dir(dir).into_iter().flatten().flatten();
    names
        .filter_map(|entry| {
            let name = entry.file_name();
            let number = name.to_str()?.strip_prefix("index-")?.strip_suffix(".db")?;
            number.parse().ok()
        })
        .collect()
}

fn fresh(dir: &Path) -> Result<(File, PathBuf)> {
    for turn in 0..64 {
        let path = dir.join(format!("building-{}-{turn}.db", std::process::id()));
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        match made {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(IndexError::io(&path, error)),
        }
    }
    Err(IndexError::Damaged("there is no name left for a new index"))
}

/// Removes what a crash left half built.
fn sweep(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let is_old = entry
            .metadata()
            .and_then(|meta| meta.modified())
            .is_ok_and(|at| {
                SystemTime::now()
                    .duration_since(at)
                    .is_ok_and(|age| age > FORSAKEN)
            });
        let name = entry.file_name();
        if is_old
            && name
                .to_str()
                .is_some_and(|name| name.starts_with("building-"))
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// True for directories that other machines write to as well.
#[cfg(target_os = "linux")]
fn is_remote(dir: &Path) -> bool {
    // NFS, SMB, CIFS, SMB2, 9P, FUSE (sshfs, virtiofs), Ceph, AFS, Coda.
    const REMOTE: [u64; 9] = [
        0x6969,
        0x517b,
        0xff53_4d42,
        0xfe53_4d42,
        0x0102_1997,
        0x6573_5546,
        0x00c3_6400,
        0x5346_414f,
        0x7375_7245,
    ];
    rustix::fs::statfs(dir).is_ok_and(|stat| {
        let kind = u64::try_from(stat.f_type).unwrap_or(0) & 0xffff_ffff;
        REMOTE.contains(&kind)
    })
}

#[cfg(not(target_os = "linux"))]
fn is_remote(_dir: &Path) -> bool {
    false
}
