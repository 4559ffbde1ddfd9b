//! Reads one session for the index: its card, and the words of all that is said in it.

use std::ops::ControlFlow;

use segno_disk::{ReadFile, RelPath};
use segno_store::formats::{self, Context, Format, Place, Root};
use segno_store::session::{Card, Entry, EntryKind, LineMark, Now};
use segno_store::settings::Settings;
use segno_store::workspace::card_in;

use crate::bytes::{Reader, Rolling, Writer};
use crate::error::Result;
use crate::row::{Spot, write_card, write_spots};
use crate::stamp::{Eye, Stamp, clock};
use crate::tokens::{self, Written};
use crate::watching::{self, Watching};

/// Where the entries of a transcript begin in the numbering of a session; before them is everything else. What is beyond
/// of that is not indexed.
pub(crate) const SAID: u64 = 1 << 20;
/// How many bytes of words are handed over at once.
const BATCH: usize = 256 * 1024;
/// How much of a transcript is read at once when only its lines are counted.
const PIECE: usize = 256 * 1024;
/// A document longer than this is indexed up to here.
const LONGEST_DOCUMENT: u64 = 16 * 1024 * 1024;

/// What sessions are read with.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) files: &'a dyn segno_disk::ReadDisk,
    pub(crate) eye: &'a Eye,
    pub(crate) root: Root,
    pub(crate) now: &'a Now,
    pub(crate) settings: &'a Settings,
}

impl<'a> Site<'a> {
    pub(crate) fn context<'b>(&'b self, files: &'b dyn segno_disk::ReadDisk) -> Context<'b>
    where
        'a: 'b,
    {
        Context {
            files,
            root: self.root,
            now: self.now,
            settings: self.settings,
        }
    }
}

/// What is known of a session from before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Before {
    pub(crate) others: u64,
    pub(crate) others_hash: i64,
    pub(crate) said: u64,
    pub(crate) grown: Option<Grown>,
}

/// How far a transcript has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grown {
    inode: u64,
    mark: LineMark,
    hash: Rolling,
    /// How many entries stand before the mark.
    solid: u64,
}

impl Grown {
    pub(crate) fn write(self) -> Vec<u8> {
        let mut out = Writer::default();
        out.number(self.inode);
        out.number(self.mark.offset);
        out.number(self.mark.lines);
        out.fixed(self.hash.hash);
        out.fixed(self.hash.pending);
        out.byte(self.hash.filled);
        out.number(self.solid);
        out.0
    }

    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Reader(bytes);
        Some(Self {
            inode: bytes.number()?,
            mark: LineMark {
                offset: bytes.number()?,
                lines: bytes.number()?,
            },
            hash: Rolling {
                hash: bytes.fixed()?,
                pending: bytes.fixed()?,
                filled: bytes.byte()?,
            },
            solid: bytes.number()?,
        })
    }
}

/// What is read of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Its card.
    Cards,
    /// Its card and its words.
    Words,
}

/// A piece of what was read, in this order: a beginning, any number of words, an end.
pub(crate) enum Piece {
    /// What of the old is kept.
    Begin {
        /// Everything but the transcript, when it is not what it was.
        others: Option<Vec<Words>>,
        /// How many entries of the transcript stay as they are.
        keep: u64,
    },
    /// Entries of the transcript, the next ones.
    Said(Vec<Words>),
    /// The session has been read.
    End(Box<Read>),
}

/// The words of one entry, and where it stands.
pub(crate) struct Words {
    pub(crate) spot: Spot,
    pub(crate) tokens: Written,
}

/// What there is to keep of a session beside its words.
pub(crate) struct Read {
    pub(crate) looks: Vec<u8>,
    pub(crate) card: Vec<u8>,
    /// What changed in the words; `None` when only the card was read.
    pub(crate) words: Option<Before>,
}

/// Reads a session and hands it over piece by piece.
pub(crate) fn gather(
    site: &Site<'_>,
    place: &Place,
    before: &Before,
    depth: Depth,
    hand: &mut dyn FnMut(Piece),
) {
    let read_at = clock();
    let watching = Watching::new(site.files, site.eye);
    let cx = site.context(&watching);
    let card = card_in(&cx, place);
    let words = (depth == Depth::Words).then(|| read_words(&cx, site, place, &card, before, hand));
    let mut looks = Writer::default();
    let looked = watching.into_needed_looks();
    watching::write(&looked, place.path.as_str(), read_at, &mut looks);
    hand(Piece::End(Box::new(Read {
        looks: looks.0,
        card: write_card(&card),
        words,
    })));
}

fn read_words(
    cx: &Context<'_>,
    site: &Site<'_>,
    place: &Place,
    card: &Card,
    before: &Before,
    hand: &mut dyn FnMut(Piece),
) -> Before {
    let mut others = Vec::new();
    each_other(cx, place, card, &mut |kind, mut entry| {
        if kind.is_none() {
            // The time of these is the session's, which is asked for where it matters: else they would be written anew
            // with every message.
            entry.at = None;
        }
        others.push(words_of(kind, &entry, cx.now));
        if others.len() as u64 == SAID {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let hash = hash_of(&others);
    let mut after = Before {
        others: others.len() as u64,
        others_hash: hash,
        ..Before::default()
    };
    let is_same = before.others == after.others && before.others_hash == hash && hash != 0;
    let others = (!is_same).then_some(others);
    let transcript =
        formats::of(place.kind).and_then(|format| Some((format, format.transcript(place).ok()??)));
    let Some((format, path)) = transcript else {
        hand(Piece::Begin { others, keep: 0 });
        return after;
    };
    let grown = grow(cx, site, &path, before.grown).ok().flatten();
    let keep = match (&grown, &before.grown) {
        (Some(grown), Some(old)) if grown.is_same => old.solid,
        _ => 0,
    };
    hand(Piece::Begin { others, keep });
    if let Some(Growth { mut now, from, .. }) = grown {
        (after.said, now.solid) = say(cx, format, place, from, keep, now.mark, hand);
        after.grown = Some(now);
    }
    after
}

/// Hands over the entries behind a mark. How many there are then in all, and how many of them before `end`.
fn say(
    cx: &Context<'_>,
    format: &dyn Format,
    place: &Place,
    from: LineMark,
    keep: u64,
    end: LineMark,
    hand: &mut dyn FnMut(Piece),
) -> (u64, u64) {
    let (mut said, mut solid) = (keep, keep);
    let mut batch = Vec::new();
    let mut size = 0;
    // What cannot be read ends the reading; what was read stays.
    let _ = format.entries_from(cx, place, from, &mut |entry| {
        let is_solid = entry.offset.is_some_and(|offset| offset < end.offset);
        said += 1;
        solid += u64::from(is_solid);
        let words = words_of(Some(entry.kind), &entry, cx.now);
        size += words.tokens.row.len() + words.tokens.wholes.len();
        batch.push(words);
        if size > BATCH {
            hand(Piece::Said(std::mem::take(&mut batch)));
            size = 0;
        }
        ControlFlow::Continue(())
    });
    if !batch.is_empty() {
        hand(Piece::Said(batch));
    }
    (said, solid)
}

/// What became of a transcript.
struct Growth {
    /// How far it goes now; the entries are still to be counted.
    now: Grown,
    /// From where on its entries are to be read.
    from: LineMark,
    /// Whether it is the old one, grown or not: all that was read before still stands in it, byte for byte.
    is_same: bool,
}

/// Looks how a transcript has grown; `None` when there is none.
fn grow(
    cx: &Context<'_>,
    site: &Site<'_>,
    path: &RelPath,
    before: Option<Grown>,
) -> Result<Option<Growth>> {
    let file = match cx.files.open(path) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(error) => return Err(segno_store::StoreError::from(error).into()),
    };
    let Stamp::Present(version) = site.eye.stamp(path.as_str()) else {
        return Ok(None);
    };
    let fresh = Grown {
        inode: version.inode,
        mark: LineMark::default(),
        hash: Rolling::default(),
        solid: 0,
    };
    let old = before.filter(|old| old.inode == version.inode && old.mark.offset <= version.len);
    let mut whole = Rolling::default();
    let same = match old {
        Some(old) => {
            each_piece(file.as_ref(), 0, old.mark.offset, &mut |piece| {
                whole.add(piece);
            })?;
            whole == old.hash
        }
        None => false,
    };
    let mut grown = old.filter(|_| same).unwrap_or(fresh);
    let from = grown.mark;
    let mut hash = grown.hash;
    let mut at = from.offset;
    each_piece(file.as_ref(), from.offset, version.len, &mut |piece| {
        let newline = piece.iter().rposition(|byte| *byte == b'\n');
        let (lines, rest) = piece.split_at(newline.map_or(0, |last| last + 1));
        if !lines.is_empty() {
            hash.add(lines);
            grown.hash = hash;
            grown.mark.offset = at + lines.len() as u64;
            grown.mark.lines += memchr::memchr_iter(b'\n', lines).count() as u64;
        }
        hash.add(rest);
        at += piece.len() as u64;
    })?;
    Ok(Some(Growth {
        now: grown,
        from,
        is_same: same,
    }))
}

fn each_piece(
    file: &dyn ReadFile,
    from: u64,
    until: u64,
    sink: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    let mut at = from;
    let mut piece = vec![
        0;
        usize::try_from(until.saturating_sub(from))
            .unwrap_or(PIECE)
            .min(PIECE)
    ];
    while at < until {
        let want = usize::try_from(until - at)
            .unwrap_or(PIECE)
            .min(piece.len());
        let room = piece.get_mut(..want).unwrap_or_default();
        let read = file
            .read_full_at(at, room)
            .map_err(segno_store::StoreError::from)?;
        if read == 0 {
            break;
        }
        sink(piece.get(..read).unwrap_or_default());
        at += read as u64;
    }
    Ok(())
}

/// Everything searchable of a session but its transcript, always in the same order: title, summary, entries that stand
/// elsewhere, documents. The first two are no entries; the place of theirs is the session's.
pub(crate) fn each_other(
    cx: &Context<'_>,
    place: &Place,
    card: &Card,
    sink: &mut dyn FnMut(Option<EntryKind>, Entry) -> ControlFlow<()>,
) {
    let of_card = |text: &str| {
        let when = card.last_active.clone().or_else(|| card.created.clone());
        Entry::new(EntryKind::Document, text, card.path.clone(), 1).at(when)
    };
    for text in [&card.title, &card.summary] {
        if sink(None, of_card(text)).is_break() {
            return;
        }
    }
    let Some(format) = formats::of(place.kind) else {
        return;
    };
    let mut flow = ControlFlow::Continue(());
    if !matches!(format.transcript(place), Ok(Some(_))) {
        let _ = format.entries(cx, place, &mut |entry| {
            flow = sink(Some(entry.kind), entry);
            flow
        });
    }
    for (kind, path) in format.documents(cx, place).unwrap_or_default() {
        if flow.is_break() {
            return;
        }
        flow = each_section(cx, kind, &path, sink);
    }
}

/// A document is searched section by section.
fn each_section(
    cx: &Context<'_>,
    kind: EntryKind,
    path: &RelPath,
    sink: &mut dyn FnMut(Option<EntryKind>, Entry) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Ok(file) = cx.files.open(path) else {
        return ControlFlow::Continue(());
    };
    let len = file.stat().map_or(0, |stat| stat.len.min(LONGEST_DOCUMENT));
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    let read = file.read_full_at(0, &mut bytes).unwrap_or(0);
    bytes.truncate(read);
    let text = String::from_utf8_lossy(&bytes);
    let mut section = String::new();
    let mut first = 1;
    let mut is_code = false;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        is_code ^= line.trim_start().starts_with("```");
        if line.starts_with('#') && !is_code && !section.trim().is_empty() {
            let entry = Entry::new(kind, std::mem::take(&mut section), path.clone(), first);
            sink(Some(kind), entry)?;
        }
        if section.is_empty() {
            first = number;
        }
        section.push_str(line);
    }
    if section.trim().is_empty() {
        return ControlFlow::Continue(());
    }
    sink(Some(kind), Entry::new(kind, section, path.clone(), first))
}

fn words_of(kind: Option<EntryKind>, entry: &Entry, now: &Now) -> Words {
    Words {
        spot: Spot {
            kind,
            role: entry.role.clone(),
            file: entry.file.as_str().to_owned(),
            line: entry.line,
            offset: entry.offset,
            at: entry
                .at
                .as_ref()
                .map(|at| at.instant(now.zone()).as_second()),
        },
        tokens: tokens::write(&entry.text),
    }
}

fn hash_of(all: &[Words]) -> i64 {
    let mut hash = Rolling::default();
    for words in all {
        for tokens in [&words.tokens.row, &words.tokens.wholes] {
            hash.add(tokens.as_bytes());
            hash.add(&[0]);
        }
        hash.add(&write_spots(std::slice::from_ref(&words.spot)));
    }
    hash.value().cast_signed()
}
