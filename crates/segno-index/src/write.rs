//! Writes what was read of sessions into the index.
//!
//! Reading and cutting into words takes as long as writing, so several threads read ahead while one writes; each session
//! is written in its turn, because FTS5 wants its rows in order.

use std::sync::mpsc::{Receiver, sync_channel};

use rusqlite::{Connection, Statement, params};
use segno_store::formats::{Place, Root};

use crate::blocks::Blocks;
use crate::error::{IndexError, Result};
use crate::gather::{Before, Depth, Grown, Piece, Read, SAID, Site, gather};
use crate::index::root_number;
use crate::refresh::{Progress, kind_number};
use crate::watch::{Watched, Watchers};

/// A session to be read and written.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) place: Place,
    pub(crate) before: Before,
    pub(crate) is_new: bool,
}

/// How many pieces a reading thread may be ahead.
const AHEAD: usize = 32;
/// Fewer sessions than this are read without threads.
const FEW: usize = 8;

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
pub(crate) fn forget(db: &Connection, gone: &[i64]) -> Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    let mut desk = Desk::new(db)?;
    for id in gone {
        desk.blocks.remove(*id, 0, u64::MAX)?;
        db.execute("DELETE FROM card WHERE id = ?1", [id])?;
        desk.drop_session.execute([id])?;
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
    blocks: Blocks<'d>,
    drop_session: Statement<'d>,
    put_session: Statement<'d>,
    put_card: Statement<'d>,
    read_card_only: Statement<'d>,
    watchers: Watchers<'d>,
    /// The number of the next entry of the transcript.
    next: u64,
}

impl<'d> Desk<'d> {
    fn new(db: &'d Connection) -> Result<Self> {
        Ok(Self {
            blocks: Blocks::new(db)?,
            drop_session: db.prepare("DELETE FROM session WHERE id = ?1")?,
            put_session: db
                .prepare("INSERT INTO session VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?,
            put_card: db.prepare("INSERT OR REPLACE INTO card VALUES (?1, ?2)")?,
            read_card_only: db.prepare("UPDATE session SET is_read = 0 WHERE id = ?1")?,
            watchers: Watchers::new(db)?,
            next: 0,
        })
    }

    fn take(&mut self, job: &Job, piece: Piece) -> Result<()> {
        match piece {
            Piece::Begin { others, keep } => {
                if let Some(others) = others {
                    self.blocks.remove(job.id, 0, SAID)?;
                    for (number, words) in (0..).zip(others) {
                        self.blocks.add(job.id, number, words)?;
                    }
                }
                // Keeps the first entries of the transcript and goes on behind them.
                self.blocks.remove(job.id, SAID + keep, u64::MAX)?;
                self.next = SAID + keep;
                Ok(())
            }
            Piece::Said(said) => {
                for words in said {
                    self.blocks.add(job.id, self.next, words)?;
                    self.next += 1;
                }
                Ok(())
            }
            Piece::End(read) => self.end(job, *read),
        }
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
                self.blocks.flush()?;
                after
            }
            None if !job.is_new => {
                self.read_card_only.execute([job.id])?;
                return Ok(());
            }
            None => Before::default(),
        };
        if !job.is_new {
            self.drop_session.execute([job.id])?;
        }
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
}
