//! Brings an index up to date: every file that something was made from is looked at, and what changed is read anew.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Connection, Statement, params};
use segno_disk::RelPath;
use segno_store::formats::{self, Place, Root};
use segno_store::session::{Kind, SessionId};

use crate::bytes::{Reader, Writer};
use crate::error::{IndexError, Result};
use crate::gather::{Before, Depth, Grown, Site};
use crate::index::{Source, root_number, root_of};
use crate::stamp::{Eye, Gaze, Stamp, clock};
use crate::watch::{State, Stirred, Watch};
use crate::watching::{self, Look, Watching, dir_of, names_hash};
use crate::write::{self, Job};

/// How far a refresh is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// How many sessions have been read.
    pub done: usize,
    /// How many are to be read.
    pub total: usize,
}

/// What a refresh found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// How many sessions were read, because they are new or have changed.
    pub read: usize,
    /// How many are gone.
    pub gone: usize,
}

/// A session as the index knows it.
struct Known {
    id: i64,
    place: Place,
    is_read: bool,
    before: Before,
}

/// What is to be done.
#[derive(Default)]
struct Due {
    jobs: Vec<Job>,
    gone: Vec<i64>,
    finds: Vec<(Kind, Root, Vec<u8>)>,
}

impl Due {
    /// True when there is nothing worth a write. In the temporary directory names come and go all the time: that the
    /// sessions in it were looked for once more is not.
    fn is_empty(&self) -> bool {
        let is_passing = |(_, root, _): &(Kind, Root, Vec<u8>)| *root == Root::Temporary;
        self.jobs.is_empty() && self.gone.is_empty() && self.finds.iter().all(is_passing)
    }
}

/// Brings an index up to date. `is_own` when no other process can see it. `meanwhile` is done while other threads look at
/// the files.
pub(crate) fn refresh(
    db: &mut Connection,
    source: &Source<'_>,
    depth: Depth,
    is_own: bool,
    progress: &mut dyn FnMut(Progress),
    meanwhile: &mut dyn FnMut(&Connection),
) -> Result<Refreshed> {
    let eyes = source.eyes()?;
    let seen = data_version(db)?;
    let mut due = look(db, source, &eyes, depth, meanwhile)?;
    if due.is_empty() {
        return Ok(Refreshed::default());
    }
    // What another process wrote in between is looked at again, now that it can write no more.
    let txn = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if data_version(&txn)? != seen {
        due = look(&txn, source, &eyes, depth, &mut |_| {})?;
    }
    let done = Refreshed {
        read: due.jobs.len(),
        gone: due.gone.len(),
    };
    if is_own {
        write::prepare_bulk(&txn)?;
    }
    write::forget(&txn, &due.gone)?;
    for (kind, root, looks) in &due.finds {
        txn.execute(
            "INSERT OR REPLACE INTO find VALUES (?1, ?2, ?3)",
            params![kind_number(*kind), root_number(*root), looks],
        )?;
    }
    let sites = |root: Root| site(source, &eyes, root);
    write::write(&txn, &sites, &due.jobs, depth, progress)?;
    if is_own {
        write::finish_bulk(&txn)?;
    }
    txn.commit()?;
    Ok(done)
}

fn data_version(db: &Connection) -> Result<i64> {
    Ok(db.query_row("PRAGMA data_version", [], |row| row.get(0))?)
}

fn site<'a>(source: &'a Source<'_>, eyes: &'a [(Root, Eye)], root: Root) -> Result<Site<'a>> {
    let cx = source.workspace.context(root, source.now);
    let eye = eyes.iter().find(|(of, _)| *of == root);
    let (_, eye) = eye.ok_or(IndexError::Damaged("a session lies below no root"))?;
    Ok(Site {
        files: cx.files,
        eye,
        root,
        now: source.now,
        settings: source.workspace.settings(),
    })
}

/// Looks at every file that the index was made from, and says what is to be done.
fn look(
    db: &Connection,
    source: &Source<'_>,
    eyes: &[(Root, Eye)],
    depth: Depth,
    meanwhile: &mut dyn FnMut(&Connection),
) -> Result<Due> {
    let (stirred, mut still) = look_at_all(db, source, eyes, depth, meanwhile)?;
    let mut due = Due::default();
    let mut states = HashMap::new();
    let mut by_kind: BTreeMap<(Kind, Root), Vec<Known>> = BTreeMap::new();
    // A session that lost a file may be gone, or elsewhere.
    let mut lost = BTreeSet::new();
    let mut query = KnownQuery::new(db, "id = ?1")?;
    for Stirred { id, state } in stirred {
        for session in query.all([id])? {
            let key = (session.place.kind, session.place.root);
            if state == State::Lost {
                lost.insert(key);
            }
            by_kind.entry(key).or_default().push(session);
        }
        states.insert(id, state);
    }
    let state_of = |session: &Known| states.get(&session.id).copied().unwrap_or(State::Same);
    let mut next_id: i64 =
        db.query_row("SELECT coalesce(max(id), 0) + 1 FROM session", [], |row| {
            row.get(0)
        })?;
    let mut added = Vec::new();
    for format in formats::all() {
        for (root, _) in eyes {
            let site = site(source, eyes, *root)?;
            let key = (format.kind(), *root);
            let sessions = by_kind.remove(&key).unwrap_or_default();
            let found = match still.remove(&key) {
                Some(found) if !lost.contains(&key) => found,
                _ => Found::Anew,
            };
            match found {
                Found::Same => {}
                Found::Restamped(looks) => due.finds.push((key.0, *root, looks)),
                Found::Anew => {
                    let (places, looks) = match find(&site, *format) {
                        Ok(found) => found,
                        // The temporary directory is everybody's: what cannot be read there is not ours.
                        Err(_) if *root == Root::Temporary => (Vec::new(), Vec::new()),
                        Err(error) => return Err(error),
                    };
                    due.finds.push((key.0, *root, looks));
                    let name = |place: &Place| (place.path.clone(), place.id.clone());
                    let mut wanted: BTreeMap<(RelPath, SessionId), Place> = places
                        .into_iter()
                        .map(|place| (name(&place), place))
                        .collect();
                    let mut all = KnownQuery::new(db, "kind = ?1 AND root = ?2")?;
                    for session in all.all([kind_number(key.0), root_number(key.1)])? {
                        let state = state_of(&session);
                        match wanted.remove(&name(&session.place)) {
                            Some(_) => keep(session, state, depth, &mut due),
                            None => due.gone.push(session.id),
                        }
                    }
                    // In the order of their paths: those that stand beside each other are looked at one after the other.
                    added.extend(wanted.into_values());
                    continue;
                }
            }
            for session in sessions {
                let state = state_of(&session);
                keep(session, state, depth, &mut due);
            }
        }
    }
    // Of a root that is not looked at any more.
    for session in by_kind.into_values().flatten() {
        due.gone.push(session.id);
    }
    for place in added {
        due.jobs.push(Job {
            id: next_id,
            place,
            before: Before::default(),
            is_new: true,
        });
        next_id += 1;
    }
    // FTS5 writes to the disk whenever a row comes before the last one.
    due.jobs.sort_by_key(|job| job.id);
    Ok(due)
}

type StillFound = HashMap<(Kind, Root), Found>;

/// Looks at every file that anything was made from, on several threads: which sessions cannot be taken as they are, and
/// whether there are others.
fn look_at_all(
    db: &Connection,
    source: &Source<'_>,
    eyes: &[(Root, Eye)],
    depth: Depth,
    meanwhile: &mut dyn FnMut(&Connection),
) -> Result<(Vec<Stirred>, StillFound)> {
    let finds = finds(db)?;
    let watch = Watch::load(db)?;
    let unread = depth == Depth::Words;
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..watch.threads())
            .map(|_| scope.spawn(|| watch.take(eyes, unread)))
            .collect();
        meanwhile(db);
        let mut still = StillFound::new();
        for ((kind, root), looks) in finds {
            if let Ok(site) = site(source, eyes, root) {
                still.insert((kind, root), still_found(&site, &looks));
            }
        }
        let mut stirred = watch.take(eyes, unread)?;
        for helper in helpers {
            let more = helper
                .join()
                .map_err(|_| IndexError::Damaged("looking ended early"))?;
            stirred.extend(more?);
        }
        Ok((stirred, still))
    })
}

fn keep(session: Known, state: State, depth: Depth, due: &mut Due) {
    if state == State::Same && (session.is_read || depth == Depth::Cards) {
        return;
    }
    due.jobs.push(Job {
        id: session.id,
        place: session.place,
        before: session.before,
        is_new: false,
    });
}

/// Whether the sessions of a kind are still where they were found.
enum Found {
    Same,
    /// The same, but the stamps are new.
    Restamped(Vec<u8>),
    Anew,
}

fn still_found(site: &Site<'_>, looks: &[u8]) -> Found {
    let read_at = clock();
    let mut path = String::new();
    let mut gaze = Gaze::new(site.eye);
    let (mut is_same, mut is_stamped) = (true, true);
    let read = watching::read_each(&mut Reader(looks), "", &mut path, |path, look| {
        if !is_same {
            return;
        }
        gaze.turn(dir_of(path));
        let stamp = gaze.stamp(path);
        let is_trusted = stamp == look.stamp && stamp != Stamp::Unsure;
        if let Some(hash) = look.listed {
            if !is_trusted {
                is_stamped = false;
                is_same = list_hash(site, path) == Some(hash);
            }
        } else if look.opened {
            is_same = is_trusted;
        } else {
            // Only whether something stands there was of interest.
            is_same = match (stamp, look.stamp) {
                (Stamp::Absent, Stamp::Absent) | (Stamp::Present(_), Stamp::Unsure) => true,
                (Stamp::Present(a), Stamp::Present(b)) => a.is_dir == b.is_dir,
                _ => false,
            };
        }
    });
    if !is_same || read.is_none() {
        Found::Anew
    } else if is_stamped {
        Found::Same
    } else {
        Found::Restamped(restamped(site, looks, read_at))
    }
}

/// The same looks with the stamps of now. What has changed since `read_at` is not trusted and looked at again the next time.
fn restamped(site: &Site<'_>, looks: &[u8], read_at: i64) -> Vec<u8> {
    let mut now = watching::Looks::new();
    let _ = watching::read_each(&mut Reader(looks), "", &mut String::new(), |path, look| {
        let stamp = site.eye.stamp(path);
        now.insert(path.to_owned(), Look { stamp, ..look });
    });
    let mut out = Writer::default();
    watching::write(&now, "", read_at, &mut out);
    out.0
}

fn list_hash(site: &Site<'_>, path: &str) -> Option<u64> {
    let dir = if path.is_empty() {
        RelPath::root()
    } else {
        RelPath::new(path).ok()?
    };
    site.files
        .list(&dir)
        .ok()
        .map(|entries| names_hash(&entries))
}

/// Finds the sessions of a kind, and what was looked at for that. What lies in a session is watched with the session.
fn find(site: &Site<'_>, format: &dyn formats::Format) -> Result<(Vec<Place>, Vec<u8>)> {
    let read_at = clock();
    let watching = Watching::new(site.files, site.eye);
    let places = format.find(&site.context(&watching))?;
    let mut looks = watching.into_looks();
    let homes: BTreeSet<&str> = places.iter().map(|place| place.path.as_str()).collect();
    // Whether a session is there is seen by its own files. What was listed below one may hold others.
    looks.retain(|path, look| {
        let is_home = homes.contains(path.as_str());
        let is_inside = || {
            let mut at = path.rsplit_once('/');
            while let Some((dir, _)) = at {
                if homes.contains(dir) {
                    return true;
                }
                at = dir.rsplit_once('/');
            }
            false
        };
        let is_glance = look.listed.is_none() && !look.opened;
        !(is_home || (is_glance && is_inside()))
    });
    let mut out = Writer::default();
    watching::write(&looks, "", read_at, &mut out);
    Ok((places, out.0))
}

/// Asks for sessions as the index knows them.
struct KnownQuery<'d>(Statement<'d>);

impl<'d> KnownQuery<'d> {
    fn new(db: &'d Connection, which: &str) -> Result<Self> {
        Ok(Self(db.prepare(&format!(
            "SELECT id, kind, root, name, path, is_read, others, others_hash, said, grown FROM session WHERE {which} ORDER BY id"
        ))?))
    }

    fn all(&mut self, params: impl rusqlite::Params) -> Result<Vec<Known>> {
        let mut rows = self.0.query(params)?;
        let mut known = Vec::new();
        while let Some(row) = rows.next()? {
            let bad = || IndexError::Damaged("a session cannot be read");
            let kind: i64 = row.get(1)?;
            let kind = usize::try_from(kind)
                .ok()
                .and_then(|kind| Kind::ALL.get(kind));
            let text = |column| {
                row.get_ref(column)
                    .ok()
                    .and_then(|value| value.as_str().ok())
            };
            let path = match text(4).ok_or_else(bad)? {
                "" => RelPath::root(),
                path => RelPath::new(path).map_err(|_| bad())?,
            };
            let grown = row.get_ref(9)?.as_blob().unwrap_or_default();
            known.push(Known {
                id: row.get(0)?,
                place: Place {
                    kind: *kind.ok_or_else(bad)?,
                    root: root_of(row.get(2)?)?,
                    id: SessionId::new(text(3).ok_or_else(bad)?).map_err(|_| bad())?,
                    path,
                },
                is_read: row.get(5)?,
                before: Before {
                    others: row.get::<_, i64>(6)?.cast_unsigned(),
                    others_hash: row.get(7)?,
                    said: row.get::<_, i64>(8)?.cast_unsigned(),
                    grown: Grown::read(grown),
                },
            });
        }
        Ok(known)
    }
}

fn finds(db: &Connection) -> Result<HashMap<(Kind, Root), Vec<u8>>> {
    let mut query = db.prepare("SELECT kind, root, looks FROM find")?;
    let mut rows = query.query([])?;
    let mut finds = HashMap::new();
    while let Some(row) = rows.next()? {
        let kind = usize::try_from(row.get::<_, i64>(0)?).ok();
        let Some(kind) = kind.and_then(|kind| Kind::ALL.get(kind)) else {
            continue;
        };
        finds.insert((*kind, root_of(row.get(1)?)?), row.get(2)?);
    }
    Ok(finds)
}

pub(crate) fn kind_number(kind: Kind) -> i64 {
    let place = Kind::ALL.iter().position(|other| *other == kind);
    place
        .and_then(|place| i64::try_from(place).ok())
        .unwrap_or(-1)
}
