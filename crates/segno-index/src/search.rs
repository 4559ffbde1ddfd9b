//! Answers a question: the best entries, each with the line that holds the words and the place it stands at.
//!
//! The index holds no text. What was said is read from the session's files, and a hit that is not there any more is none.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::ops::{ControlFlow, Range};

use jiff::tz::TimeZone;
use rusqlite::{Connection, OptionalExtension};
use segno_disk::RelPath;
use segno_store::formats::{self, Context, Place};
use segno_store::session::{Card, Entry, EntryKind, Kind, LineMark, SessionId, Timestamp};

use crate::blocks::{Located, Locator, Owners};
use crate::bytes::Reader;
use crate::error::{IndexError, Result};
use crate::excerpt::{Excerpt, excerpt};
use crate::gather::{SAID, each_other};
use crate::index::{Source, root_of};
use crate::query::{Filters, Query};
use crate::row::{Spot, read_card};
use crate::{watch, watching};

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// How many entries answer the question in all.
    pub total: usize,
    /// Sessions whose files do not hold what the index says.
    pub(crate) doubtful: Vec<i64>,
}

/// One entry that answers the question.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The session.
    pub place: Place,
    /// The session in one row.
    pub card: Card,
    /// What was found.
    pub what: What,
    /// Who said it.
    pub role: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
    /// The file it stands in, relative to the session's root.
    pub file: RelPath,
    /// The line, from 1.
    pub line: u64,
    /// The line that holds the words, cut to what can be read at a glance.
    pub excerpt: Excerpt,
    /// How well it fits; the greater the better.
    pub score: f64,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A session's title.
    Title,
    /// A session's summary.
    Summary,
    /// An entry of a session.
    Entry(EntryKind),
}

impl What {
    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Summary => "summary",
            Self::Entry(kind) => kind.name(),
        }
    }
}

/// How many more than wanted are looked at, so that the newer of equals comes first.
const SPARE: usize = 64;
/// Entries with a smaller number are the title and the summary of their session, which also stand in one of its files.
const CARD: u64 = 2;

/// Answers a question.
pub(crate) fn search(
    db: &Connection,
    source: &Source<'_>,
    query: &Query,
    limit: usize,
) -> Result<Answer> {
    // Everything is read from one state of the index, and its lock is asked for once.
    let _reading = db.unchecked_transaction()?;
    let (sure, unsure) = query.to_fts();
    let mut ranking = Ranking::new(db, query, source.now.zone())?;
    let mut answer = Answer::default();
    let mut ranked = ranking.best(&sure, limit.saturating_add(SPARE), &mut answer.total)?;
    if let Some(unsure) = unsure {
        let mut suspected = 0;
        let suspects = ranking.best(&unsure, usize::MAX, &mut suspected)?;
        read(db, source, query, suspects, &mut answer)?;
        // What the index only suspected and the text denies was never an answer.
        answer.doubtful.clear();
        answer.total += answer.hits.len();
    }
    // What is the same line twice shows when both are read; one that drops out makes room for the next.
    let rest = ranked.split_off(limit.min(ranked.len()));
    let double = |one: &Ranked| one.entry.number < CARD;
    let doubles: HashSet<i64> = (ranked.iter().chain(&rest))
        .filter(|one| double(one))
        .map(|one| one.entry.session)
        .collect();
    let (also, rest): (Vec<_>, Vec<_>) =
        (rest.into_iter()).partition(|one| doubles.contains(&one.entry.session));
    ranked.extend(also);
    read(db, source, query, ranked, &mut answer)?;
    drop_doubles(&mut answer);
    let missing = limit.saturating_sub(answer.hits.len()).min(rest.len());
    if missing > 0 {
        let next = rest.into_iter().take(missing).collect();
        read(db, source, query, next, &mut answer)?;
        drop_doubles(&mut answer);
    }
    let when = |hit: &Hit| hit.at.as_ref().map(|at| at.instant(source.now.zone()));
    answer.hits.sort_by(|a, b| {
        (b.score.total_cmp(&a.score))
            .then_with(|| when(b).cmp(&when(a)))
            .then_with(|| a.file.cmp(&b.file))
            .then_with(|| a.line.cmp(&b.line))
    });
    answer.hits.truncate(limit);
    Ok(answer)
}

/// Reads entries and adds those that are hits.
fn read(
    db: &Connection,
    source: &Source<'_>,
    query: &Query,
    ranked: Vec<Ranked>,
    answer: &mut Answer,
) -> Result<()> {
    let mut by_session: BTreeMap<i64, Vec<Ranked>> = BTreeMap::new();
    for one in ranked {
        by_session.entry(one.entry.session).or_default().push(one);
    }
    for (id, ranked) in by_session {
        let Some(session) = Session::load(db, id)? else {
            return Err(IndexError::Damaged("an entry belongs to no session"));
        };
        session.hits(source, query, ranked, answer)?;
    }
    Ok(())
}

/// A title is also a line of a document: the better of the two is enough.
fn drop_doubles(answer: &mut Answer) {
    answer.hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut seen = HashSet::new();
    let before = answer.hits.len();
    let is_new = |hit: &Hit| seen.insert((hit.place.root, hit.file.clone(), hit.line));
    answer.hits.retain(is_new);
    answer.total -= before - answer.hits.len();
}

/// An entry and how well it fits.
#[derive(Debug, Clone, PartialEq)]
struct Ranked {
    row: i64,
    score: f64,
    entry: Located,
}

/// In the heap: the score in a thousandth, the row.
type Weight = (i64, i64);

/// Puts rows in the order of how well they fit.
struct Ranking<'d> {
    db: &'d Connection,
    filters: &'d Filters,
    locator: Locator<'d>,
    allowed: Option<Allowed>,
}

impl<'d> Ranking<'d> {
    fn new(db: &'d Connection, query: &'d Query, zone: &TimeZone) -> Result<Self> {
        Ok(Self {
            db,
            filters: &query.filters,
            locator: Locator::new(db)?,
            allowed: Allowed::by(db, &query.filters, zone)?,
        })
    }

    /// The best rows; `total` counts all that answer.
    fn best(&mut self, asked: &str, most: usize, total: &mut usize) -> Result<Vec<Ranked>> {
        let mut rows = self
            .db
            .prepare("SELECT rowid, bm25(words) FROM words WHERE words MATCH ?1")?;
        let mut rows = rows.query([asked])?;
        let mut heap: BinaryHeap<Reverse<Weight>> = BinaryHeap::new();
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            if !self.takes(id)? {
                continue;
            }
            *total += 1;
            let score: f64 = row.get(1)?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a score is small, and cut on purpose"
            )]
            let score = (-score * 1000.0) as i64;
            let is_full = heap.len() == most;
            let least = heap.peek().map(|Reverse((least, _))| *least);
            if is_full && least.is_some_and(|least| least >= score) {
                continue;
            }
            heap.push(Reverse((score, id)));
            if heap.len() > most {
                heap.pop();
            }
        }
        let mut best = Vec::new();
        for Reverse((score, row)) in heap {
            let entry = self.locator.locate(row)?;
            #[expect(clippy::cast_precision_loss, reason = "a score is small")]
            let score = score as f64 / 1000.0;
            best.push(Ranked { row, score, entry });
        }
        best.sort_by(|a, b| {
            (b.score.total_cmp(&a.score))
                .then_with(|| b.entry.spot.at.cmp(&a.entry.spot.at))
                .then_with(|| a.row.cmp(&b.row))
        });
        Ok(best)
    }

    fn takes(&mut self, row: i64) -> Result<bool> {
        let Some(allowed) = &self.allowed else {
            return Ok(true);
        };
        let Some(last_active) = allowed.last_active(row) else {
            return Ok(false);
        };
        if !self.filters.look_at_entries() {
            return Ok(true);
        }
        let spot = self.locator.locate(row)?.spot;
        // What bears no time of its own is as old as the last work on its session.
        let at = spot.at.or(last_active);
        Ok(self
            .filters
            .takes_entry(spot.role.as_deref(), &spot.file, at))
    }
}

/// The sessions that may answer, and when each was last worked on, in seconds since 1970.
struct Allowed {
    sessions: HashMap<i64, Option<i64>>,
    owners: Owners,
}

impl Allowed {
    /// `None` when no filter asks for anything.
    fn by(db: &Connection, filters: &Filters, zone: &TimeZone) -> Result<Option<Self>> {
        if !(filters.look_at_sessions() || filters.look_at_entries()) {
            return Ok(None);
        }
        let mut query = db.prepare("SELECT id, card FROM card")?;
        let mut rows = query.query([])?;
        let mut sessions = HashMap::new();
        while let Some(row) = rows.next()? {
            let card = read_card(row.get_ref(1)?.as_blob().unwrap_or_default());
            let card = card.ok_or(IndexError::Damaged("a card cannot be read"))?;
            if filters.takes_session(card.kind, card.status) {
                let at = card.last_active.as_ref().or(card.created.as_ref());
                sessions.insert(row.get(0)?, at.map(|at| at.instant(zone).as_second()));
            }
        }
        let owners = Owners::load(db)?;
        Ok(Some(Self { sessions, owners }))
    }

    /// When the session of a row was last worked on, where it may answer.
    #[expect(
        clippy::option_option,
        reason = "a session without a time may answer, too"
    )]
    fn last_active(&self, row: i64) -> Option<Option<i64>> {
        self.sessions.get(&self.owners.of(row)?).copied()
    }
}

/// A session that holds hits.
struct Session<'d> {
    db: &'d Connection,
    id: i64,
    place: Place,
    card: Card,
}

impl<'d> Session<'d> {
    fn load(db: &'d Connection, id: i64) -> Result<Option<Self>> {
        let row = db.query_row(
            "SELECT kind, root, name, path, card FROM session JOIN card USING (id) WHERE id = ?1",
            [id],
            |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, i64>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, String>(3)?,
                    row.get::<_, Vec<u8>>(4)?,
                ))
            },
        );
        let Some((kind, root, name, path, card)) = row.optional()? else {
            return Ok(None);
        };
        let bad = || IndexError::Damaged("a session cannot be read");
        let kind = usize::try_from(kind)
            .ok()
            .and_then(|kind| Kind::ALL.get(kind));
        let place = Place {
            kind: *kind.ok_or_else(bad)?,
            root: root_of(root)?,
            id: SessionId::new(&name).map_err(|_| bad())?,
            path: if path.is_empty() {
                RelPath::root()
            } else {
                RelPath::new(&path).map_err(|_| bad())?
            },
        };
        let card = read_card(&card).ok_or_else(bad)?;
        Ok(Some(Self {
            db,
            id,
            place,
            card,
        }))
    }

    /// Reads the entries of the hits and adds those that are still there.
    fn hits(
        &self,
        source: &Source<'_>,
        query: &Query,
        ranked: Vec<Ranked>,
        answer: &mut Answer,
    ) -> Result<()> {
        let cx = source.workspace.context(self.place.root, source.now);
        let mut others = BTreeMap::new();
        let mut is_doubtful = false;
        for hit in ranked {
            if hit.entry.number < SAID {
                others.insert(hit.entry.number, hit);
                continue;
            }
            match self.said(&cx, &hit.entry.spot, query) {
                Some((entry, marks)) => {
                    let line = entry.line;
                    answer
                        .hits
                        .push(self.hit(&hit, Some(entry.kind), entry, &marks, line));
                }
                None => is_doubtful = true,
            }
        }
        let wanted = others.len();
        let files = if others.keys().any(|number| *number < CARD) {
            self.read_files()?
        } else {
            Vec::new()
        };
        let mut found = 0;
        let mut number = 0;
        each_other(&cx, &self.place, &self.card, &mut |kind, entry| {
            if let Some(hit) = others.get(&number)
                && let Some(marks) = query.marks(&entry.text)
            {
                found += 1;
                let (file, line) = locate(&cx, kind.is_none().then_some(&files), &entry, &marks);
                let entry = Entry { file, ..entry };
                let mut hit = self.hit(hit, kind, entry, &marks, line);
                if kind.is_none() {
                    hit.what = if number == 0 {
                        What::Title
                    } else {
                        What::Summary
                    };
                }
                answer.hits.push(hit);
            }
            number += 1;
            if found == wanted {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if is_doubtful || found < wanted {
            answer.doubtful.push(self.id);
        }
        Ok(())
    }

    fn hit(
        &self,
        ranked: &Ranked,
        kind: Option<EntryKind>,
        entry: Entry,
        marks: &[Range<usize>],
        line: u64,
    ) -> Hit {
        Hit {
            place: self.place.clone(),
            card: self.card.clone(),
            what: kind.map_or(What::Title, What::Entry),
            role: entry.role,
            at: entry.at,
            file: entry.file,
            line,
            excerpt: excerpt(&entry.text, marks),
            score: ranked.score,
        }
    }

    /// The entry of a transcript at a spot, when it still answers the question.
    fn said(
        &self,
        cx: &Context<'_>,
        spot: &Spot,
        query: &Query,
    ) -> Option<(Entry, Vec<Range<usize>>)> {
        let format = formats::of(self.place.kind)?;
        let from = LineMark {
            offset: spot.offset?,
            lines: spot.line.checked_sub(1)?,
        };
        let mut found = None;
        let _ = format.entries_from(cx, &self.place, from, &mut |entry| {
            if entry.line != spot.line {
                return ControlFlow::Break(());
            }
            // Several may stand on one line after a crash.
            match query.marks(&entry.text) {
                Some(marks) => {
                    found = Some((entry, marks));
                    ControlFlow::Break(())
                }
                None => ControlFlow::Continue(()),
            }
        });
        found
    }

    /// The files that the card was made from, the transcript last.
    fn read_files(&self) -> Result<Vec<RelPath>> {
        let transcript =
            formats::of(self.place.kind).and_then(|format| format.transcript(&self.place).ok()?);
        let mut files = Vec::new();
        let mut path = String::new();
        let base = self.place.path.as_str();
        let looks = watch::looks_of(self.db, self.id)?;
        let _ = watching::read_each(&mut Reader(&looks), base, &mut path, |path, look| {
            if look.opened
                && let Ok(path) = RelPath::new(path)
            {
                files.push(path);
            }
        });
        files.sort_by_key(|file| Some(file) == transcript.as_ref());
        Ok(files)
    }
}

/// The file and line that hold the first match of an entry, as near as can be told. What stands in no place of its own, as
/// a title, is looked for in files.
fn locate(
    cx: &Context<'_>,
    files: Option<&Vec<RelPath>>,
    entry: &Entry,
    marks: &[Range<usize>],
) -> (RelPath, u64) {
    let line = line_of(&entry.text, marks);
    let Some(files) = files else {
        let number = find_line(cx, &entry.file, entry.line, line);
        return (entry.file.clone(), number.unwrap_or(entry.line));
    };
    for file in files {
        if let Some(number) = find_line(cx, file, 1, line) {
            return (file.clone(), number);
        }
    }
    let first = files.first().unwrap_or(&entry.file);
    (first.clone(), 1)
}

/// The line of a text that holds the first mark.
fn line_of<'t>(text: &'t str, marks: &[Range<usize>]) -> &'t str {
    let at = marks.first().map_or(0, |mark| mark.start);
    let from = text
        .get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |newline| newline + 1);
    let rest = text.get(from..).unwrap_or_default();
    rest.lines().next().unwrap_or_default().trim()
}

/// The longest file in which a line is looked for.
const LONGEST_FILE: u64 = 8 * 1024 * 1024;

/// The first line of a file, from a number on, that holds a text.
fn find_line(cx: &Context<'_>, file: &RelPath, from: u64, wanted: &str) -> Option<u64> {
    let is_short = cx.files.stat(file).ok()??.len <= LONGEST_FILE;
    if wanted.is_empty() || !is_short {
        return None;
    }
    let (bytes, _) = cx.files.read(file).ok()??;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = (1..)
        .zip(text.lines())
        .skip_while(|(number, _)| *number < from);
    lines
        .find(|(_, line)| line.contains(wanted))
        .map(|(number, _)| number)
}

impl Filters {
    fn look_at_sessions(&self) -> bool {
        !(self.kinds.is_empty()
            && self.not_kinds.is_empty()
            && self.statuses.is_empty()
            && self.not_statuses.is_empty())
    }

    fn look_at_entries(&self) -> bool {
        !(self.roles.is_empty()
            && self.not_roles.is_empty()
            && self.paths.is_empty()
            && self.not_paths.is_empty())
            || self.since.is_some()
            || self.before.is_some()
    }
}
