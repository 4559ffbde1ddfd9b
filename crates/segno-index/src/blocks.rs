//! Which row of words belongs to which entry of which session, and where that entry stands.
//!
//! Rows are given out in blocks of neighbouring entries, and blocks one after the other, whatever session they are for:
//! rows then lie close together, which matters because FTS5 keeps the distance between them, seven bits to a byte. The
//! number of a row is that of its block and its place in it.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Statement, params};

use crate::error::{IndexError, Result};
use crate::gather::Words;
use crate::row::{Spot, read_spots, write_spots};

/// The bits of a row's number that count the entries of a block. The fewer, the closer the rows of short sessions lie and
/// the less is read to find one entry; the more, the fewer blocks there are.
const PLACE_BITS: u32 = 6;
/// How many entries share a block.
const BLOCK: usize = 1 << PLACE_BITS;
/// The bits themselves.
const PLACES: i64 = (1 << PLACE_BITS) - 1;

/// Neighbouring entries of one session.
#[derive(Debug)]
struct Block {
    id: i64,
    session: i64,
    /// The number of the first entry within its session.
    first: u64,
    spots: Vec<Spot>,
    /// Whether it stands in its table, as it was.
    is_written: bool,
}

impl Block {
    fn row(&self, place: usize) -> i64 {
        (self.id << PLACE_BITS) | i64::try_from(place).unwrap_or(0)
    }

    fn end(&self) -> u64 {
        self.first + self.spots.len() as u64
    }
}

/// Writes entries, and takes them out again.
pub(crate) struct Blocks<'d> {
    add_words: Statement<'d>,
    drop_words: Statement<'d>,
    put: Statement<'d>,
    drop: Statement<'d>,
    of_session: Statement<'d>,
    /// The number of the next block.
    next: i64,
    /// The block that is being filled; it is not written yet.
    open: Option<Block>,
}

impl<'d> Blocks<'d> {
    pub(crate) fn new(db: &'d Connection) -> Result<Self> {
        let newest = "SELECT coalesce(max(id), 0) + 1 FROM block";
        Ok(Self {
            add_words: db.prepare("INSERT INTO words(rowid, row, wholes) VALUES (?1, ?2, ?3)")?,
            drop_words: db.prepare("DELETE FROM words WHERE rowid = ?1")?,
            // A statement that may replace a row of a table with an index has a savepoint of its own, at which FTS5 writes
            // all that it has gathered.
            put: db.prepare("INSERT INTO block VALUES (?1, ?2, ?3, ?4)")?,
            drop: db.prepare("DELETE FROM block WHERE id = ?1")?,
            of_session: db.prepare(
                "SELECT id, first, spots FROM block WHERE session = ?1 AND first >= ?2 AND first < ?3 ORDER BY first",
            )?,
            next: db.query_row(newest, [], |row| row.get(0))?,
            open: None,
        })
    }

    /// Adds an entry. Entries are added in the order of their numbers.
    pub(crate) fn add(&mut self, session: i64, number: u64, words: Words) -> Result<()> {
        let follows = |block: &Block| block.session == session && block.end() == number;
        if !self.open.as_ref().is_some_and(follows) {
            self.flush()?;
        }
        let block = self.open.get_or_insert_with(|| {
            let id = self.next;
            self.next += 1;
            let (first, spots) = (number, Vec::new());
            Block {
                id,
                session,
                first,
                spots,
                is_written: false,
            }
        });
        let row = block.row(block.spots.len());
        let tokens = &words.tokens;
        self.add_words
            .execute(params![row, tokens.row, tokens.wholes])?;
        block.spots.push(words.spot);
        if block.spots.len() == BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Takes the entries of a session out whose numbers are in a range. What is left of a block that the range begins in is
    /// filled up by what is added next.
    pub(crate) fn remove(&mut self, session: i64, from: u64, until: u64) -> Result<()> {
        self.flush()?;
        for block in self.find(session, from.saturating_sub(BLOCK as u64 - 1), until)? {
            let kept = usize::try_from(from.saturating_sub(block.first)).unwrap_or(usize::MAX);
            let ended = usize::try_from(until - block.first).unwrap_or(usize::MAX);
            for place in kept..block.spots.len().min(ended) {
                self.drop_words.execute([block.row(place)])?;
            }
            if kept == 0 {
                self.drop.execute([block.id])?;
            } else if kept < BLOCK && block.end() >= from {
                let mut block = block;
                block.spots.truncate(kept);
                self.open = Some(block);
            }
        }
        Ok(())
    }

    /// Writes what is at hand.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if let Some(block) = self.open.take() {
            if block.is_written {
                self.drop.execute([block.id])?;
            }
            let first = block.first.cast_signed();
            let spots = write_spots(&block.spots);
            self.put
                .execute(params![block.id, block.session, first, spots])?;
        }
        Ok(())
    }

    /// The blocks of a session that begin in a range of numbers.
    fn find(&mut self, session: i64, from: u64, until: u64) -> Result<Vec<Block>> {
        let until = i64::try_from(until).unwrap_or(i64::MAX);
        let mut rows = self
            .of_session
            .query(params![session, from.cast_signed(), until])?;
        let mut blocks = Vec::new();
        while let Some(row) = rows.next()? {
            blocks.push(Block {
                id: row.get(0)?,
                session,
                first: row.get::<_, i64>(1)?.cast_unsigned(),
                spots: spots_of(row.get_ref(2)?.as_blob().unwrap_or_default())?,
                is_written: true,
            });
        }
        Ok(blocks)
    }
}

/// An entry, found by its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) session: i64,
    /// Its number within the session.
    pub(crate) number: u64,
    pub(crate) spot: Spot,
}

/// Finds the entries of rows: neighbours are asked for one after the other.
pub(crate) struct Locator<'d> {
    get: Statement<'d>,
    near: Option<Block>,
}

impl<'d> Locator<'d> {
    pub(crate) fn new(db: &'d Connection) -> Result<Self> {
        Ok(Self {
            get: db.prepare("SELECT session, first, spots FROM block WHERE id = ?1")?,
            near: None,
        })
    }

    pub(crate) fn locate(&mut self, row: i64) -> Result<Located> {
        let nowhere = IndexError::Damaged("an entry stands nowhere");
        let id = row >> PLACE_BITS;
        if self.near.as_ref().is_none_or(|block| block.id != id) {
            let found = self.get.query_row([id], |found| {
                Ok((found.get(0)?, found.get(1)?, found.get::<_, Vec<u8>>(2)?))
            });
            let Some((session, first, spots)) = found.optional()? else {
                return Err(nowhere);
            };
            let first: i64 = first;
            self.near = Some(Block {
                id,
                session,
                first: first.cast_unsigned(),
                spots: spots_of(&spots)?,
                is_written: true,
            });
        }
        let block = self.near.as_ref();
        let place = usize::try_from(row & PLACES).unwrap_or(BLOCK);
        let spot = block.and_then(|block| Some((block, block.spots.get(place)?)));
        let (block, spot) = spot.ok_or(nowhere)?;
        Ok(Located {
            session: block.session,
            number: block.first + place as u64,
            spot: spot.clone(),
        })
    }
}

/// The session of every row, without where its entries stand.
pub(crate) struct Owners(HashMap<i64, i64>);

impl Owners {
    pub(crate) fn load(db: &Connection) -> Result<Self> {
        let mut query = db.prepare("SELECT id, session FROM block INDEXED BY block_of")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Self(rows.collect::<std::result::Result<_, _>>()?))
    }

    pub(crate) fn of(&self, row: i64) -> Option<i64> {
        self.0.get(&(row >> PLACE_BITS)).copied()
    }
}

fn spots_of(bytes: &[u8]) -> Result<Vec<Spot>> {
    read_spots(bytes).ok_or(IndexError::Damaged("places cannot be read"))
}
