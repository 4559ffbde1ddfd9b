//! Writes what was read of sessions into the index.
//!
//! Reading and cutting into words takes as long as writing, so several threads read ahead while one writes; each session
//! is written in its turn, because FTS5 wants its rows in order.

use std::sync::mpsc::{Receiver, sync_channel};

use rusqlite::{Connection, Statement, params};
use segno_store::formats::{Place, Root};

use crate::error::{IndexError, Result};
use crate::gather::{Before, Depth, Grown, Piece, Read, SAID, Site, Words, gather};
use crate::index::root_number;
use crate::refresh::{Progress, kind_number};
use crate::row::{Spot, read_spots, write_spots};
use crate::watch::{Watched, Watchers};

/// A session to be read and written.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) place: Place,
    pub(crate) before: Before,
    pub(crate) is_new: bool,
}

/// How many entries share a row that says where they stand.
const BLOCK: usize = 512;
/// How many pieces a reading thread may be ahead.
const AHEAD: usize = 32;
/// Fewer sessions than this are read without threads.
const FEW: usize = 8;

/// The number of a session's first row of words. The entries count from there.
pub(crate) const fn first_row(session: i64) -> i64 {
    session << ROW_BITS
}

/// The bits of a row's number that count the entries of a session. The fewer, the smaller is the index: it keeps the
/// distance between rows, seven bits to a byte. With these a session has room for 133 million entries.
pub(crate) const ROW_BITS: u32 = 27;

/// Gets FTS5 ready for very many rows at once.
pub(crate) fn prepare_bulk(db: &Connection) -> Result<()> {
    db.execute_batch(
        "INSERT INTO words(words, rank) VALUES ('automerge', 0), ('hashsize', 50331648), ('crisismerge', 64);",
    )?;
    Ok(())
}

/// Puts the rows in order for reading, and goes back to few rows at once.
pub(crate) fn finish_bulk(db: &Connection) -> Result<()> {
    db.execute_batch(
        "INSERT INTO words(words) VALUES ('optimize');
         INSERT INTO words(words, rank) VALUES ('automerge', 4), ('hashsize', 1048576), ('crisismerge', 16);",
    )?;
    Ok(())
}

/// Takes sessions out of the index.
pub(crate) fn forget(db: &Connection, gone: &[(i64, Before)]) -> Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    let mut desk = Desk::new(db)?;
    for (id, before) in gone {
        desk.unsay(*id, 0, before.others)?;
        desk.unsay(*id, SAID, SAID + before.said)?;
        let (from, until) = (first_row(*id), first_row(*id + 1));
        db.execute(
            "DELETE FROM block WHERE id >= ?1 AND id < ?2",
            [from, until],
        )?;
        db.execute("DELETE FROM card WHERE id = ?1", [id])?;
        db.execute("DELETE FROM session WHERE id = ?1", [id])?;
        desk.watchers.forget(*id)?;
    }
    desk.watchers.flush()
}

/// Reads sessions and writes them, in the order of their numbers.
pub(crate) fn write<'s>(
    db: &Connection,
    site: &dyn Fn(Root) -> Result<Site<'s>>,
    jobs: &[Job],
    depth: Depth,
    progress: &mut dyn FnMut(Progress),
) -> Result<()> {
    let total = jobs.len();
    let mut desk = Desk::new(db)?;
    let sites: Vec<Site<'s>> = jobs
        .iter()
        .map(|job| site(job.place.root))
        .collect::<Result<_>>()?;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(4));
    if total < FEW {
        for (done, (job, site)) in jobs.iter().zip(&sites).enumerate() {
            // Written as it is read: one session alone can be larger than the memory.
            let mut taken = Ok(());
            gather(site, &job.place, &job.before, depth, &mut |piece| {
                if taken.is_ok() {
                    taken = desk.take(job, piece);
                }
            });
            taken?;
            progress(Progress {
                done: done + 1,
                total,
            });
        }
        return desk.watchers.flush();
    }
    std::thread::scope(|scope| {
        let mut lanes: Vec<Receiver<Piece>> = Vec::new();
        for lane in 0..threads {
            let (send, receive) = sync_channel(AHEAD);
            lanes.push(receive);
            let (jobs, sites) = (&jobs, &sites);
            scope.spawn(move || {
                for (job, site) in jobs.iter().zip(sites).skip(lane).step_by(threads) {
                    let mut is_wanted = true;
                    gather(site, &job.place, &job.before, depth, &mut |piece| {
                        is_wanted = is_wanted && send.send(piece).is_ok();
                    });
                    if !is_wanted {
                        return;
                    }
                }
            });
        }
        for (done, (job, lane)) in jobs.iter().zip((0..threads).cycle()).enumerate() {
            let lane = lanes.get(lane).ok_or(IndexError::Damaged("nobody reads"))?;
            loop {
                let piece = lane
                    .recv()
                    .map_err(|_| IndexError::Damaged("reading ended early"))?;
                let is_last = matches!(piece, Piece::End(_));
                desk.take(job, piece)?;
                if is_last {
                    break;
                }
            }
            progress(Progress {
                done: done + 1,
                total,
            });
        }
        desk.watchers.flush()
    })
}

/// The statements, ready.
struct Desk<'d> {
    add_words: Statement<'d>,
    drop_words: Statement<'d>,
    put_block: Statement<'d>,
    last_block: Statement<'d>,
    drop_blocks: Statement<'d>,
    put_session: Statement<'d>,
    put_card: Statement<'d>,
    read_card_only: Statement<'d>,
    watchers: Watchers<'d>,
    /// The spots that are not written yet, and the number of the first within its session.
    block: Vec<Spot>,
    block_first: u64,
    /// The number of the next entry of the transcript.
    next: u64,
}

impl<'d> Desk<'d> {
    fn new(db: &'d Connection) -> Result<Self> {
        Ok(Self {
            add_words: db.prepare("INSERT INTO words(rowid, text) VALUES (?1, ?2)")?,
            drop_words: db.prepare("DELETE FROM words WHERE rowid = ?1")?,
            put_block: db.prepare("INSERT OR REPLACE INTO block VALUES (?1, ?2)")?,
            last_block: db.prepare(
                "SELECT id, spots FROM block WHERE id <= ?1 AND id >= ?2 ORDER BY id DESC LIMIT 1",
            )?,
            drop_blocks: db.prepare("DELETE FROM block WHERE id >= ?1 AND id < ?2")?,
            put_session: db.prepare(
                "INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?,
            put_card: db.prepare("INSERT OR REPLACE INTO card VALUES (?1, ?2)")?,
            read_card_only: db.prepare("UPDATE session SET is_read = 0 WHERE id = ?1")?,
            watchers: Watchers::new(db)?,
            block: Vec::new(),
            block_first: 0,
            next: 0,
        })
    }

    fn take(&mut self, job: &Job, piece: Piece) -> Result<()> {
        match piece {
            Piece::Begin { others, keep } => {
                if let Some(others) = others {
                    self.unsay(job.id, 0, job.before.others)?;
                    let first = first_row(job.id);
                    self.drop_blocks
                        .execute([first, first + SAID.cast_signed()])?;
                    for (number, words) in (0..).zip(&others) {
                        self.say(job.id, number, words)?;
                    }
                    let spots: Vec<Spot> = others.into_iter().map(|words| words.spot).collect();
                    self.put_spots(job.id, 0, &spots)?;
                }
                self.go_on(job, keep)
            }
            Piece::Said(said) => {
                for words in said {
                    self.say(job.id, SAID + self.next, &words)?;
                    self.next += 1;
                    self.block.push(words.spot);
                    if self.block.len() == BLOCK {
                        self.flush(job.id)?;
                    }
                }
                Ok(())
            }
            Piece::End(read) => self.end(job, *read),
        }
    }

    /// Keeps the first entries of a transcript and goes on behind them.
    fn go_on(&mut self, job: &Job, keep: u64) -> Result<()> {
        self.unsay(job.id, SAID + keep, SAID + job.before.said)?;
        let first = first_row(job.id) + SAID.cast_signed();
        self.block.clear();
        (self.block_first, self.next) = (keep, keep);
        if keep > 0 {
            let last = self
                .last_block
                .query_row([first + keep.cast_signed() - 1, first], |row| {
                    Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
                });
            let (id, spots) = last?;
            let begins = (id - first).cast_unsigned();
            let mut spots =
                read_spots(&spots).ok_or(IndexError::Damaged("places cannot be read"))?;
            spots.truncate(usize::try_from(keep - begins).unwrap_or(usize::MAX));
            if spots.len() < BLOCK {
                (self.block, self.block_first) = (spots, begins);
            }
        }
        let from = first + self.block_first.cast_signed();
        self.drop_blocks.execute([from, first_row(job.id + 1)])?;
        Ok(())
    }

    fn end(&mut self, job: &Job, read: Read) -> Result<()> {
        self.put_card.execute(params![job.id, read.card])?;
        // Only a session whose words have been counted has been read: one that gave its card alone has not.
        let is_read = read.words.as_ref().is_some_and(|after| after.others > 0);
        self.watchers.watch(&Watched {
            id: job.id,
            root: job.place.root,
            is_read,
            path: job.place.path.as_str(),
            looks: &read.looks,
        })?;
        let after = match read.words {
            Some(after) => {
                self.flush(job.id)?;
                after
            }
            None if !job.is_new => {
                self.read_card_only.execute([job.id])?;
                return Ok(());
            }
            None => Before::default(),
        };
        self.put_session.execute(params![
            job.id,
            kind_number(job.place.kind),
            root_number(job.place.root),
            job.place.id.as_str(),
            job.place.path.as_str(),
            is_read,
            after.others.cast_signed(),
            after.others_hash,
            after.said.cast_signed(),
            after.grown.map(Grown::write).unwrap_or_default(),
        ])?;
        Ok(())
    }

    fn say(&mut self, session: i64, number: u64, words: &Words) -> Result<()> {
        self.add_words.execute(params![
            first_row(session) + number.cast_signed(),
            words.tokens
        ])?;
        Ok(())
    }

    fn unsay(&mut self, session: i64, from: u64, until: u64) -> Result<()> {
        for number in from..until {
            self.drop_words
                .execute([first_row(session) + number.cast_signed()])?;
        }
        Ok(())
    }

    fn flush(&mut self, session: i64) -> Result<()> {
        let spots = std::mem::take(&mut self.block);
        self.put_spots(session, SAID + self.block_first, &spots)?;
        self.block_first = self.next;
        Ok(())
    }

    fn put_spots(&mut self, session: i64, first: u64, spots: &[Spot]) -> Result<()> {
        if !spots.is_empty() {
            let id = first_row(session) + first.cast_signed();
            self.put_block.execute(params![id, write_spots(spots)])?;
        }
        Ok(())
    }
}
