//! What the index keeps of a session: its card, and where each of its entries stands.

use std::sync::{Mutex, PoisonError};

use segno_disk::RelPath;
use segno_store::session::{Card, EntryKind, Kind, Problem, Repair, SessionId, Status, Timestamp};

use crate::bytes::{Reader, Writer};

/// Writes a card.
pub(crate) fn write_card(card: &Card) -> Vec<u8> {
    let mut out = Writer::default();
    out.byte(position(&Kind::ALL, card.kind));
    out.text(card.id.as_str());
    out.text(&card.title);
    out.byte(position(&Status::ALL, card.status));
    out.text(&card.raw_status);
    out.text(&card.position);
    out.text(&card.summary);
    out.maybe(card.created.as_ref().map(Timestamp::raw));
    out.maybe(card.last_active.as_ref().map(Timestamp::raw));
    out.text(card.path.as_str());
    out.number(card.counts.len() as u64);
    for (name, count) in &card.counts {
        out.text(name);
        out.number(*count);
    }
    out.number(card.problems.len() as u64);
    for problem in &card.problems {
        out.text(problem.code);
        out.text(problem.file.as_str());
        out.number(problem.line.map_or(0, |line| line + 1));
        out.text(&problem.found);
        out.text(problem.repair.name());
        out.text(problem.repair.text());
    }
    out.0
}

/// Reads a card; `None` when the bytes are none.
pub(crate) fn read_card(bytes: &[u8]) -> Option<Card> {
    let mut bytes = Reader(bytes);
    let kind = *Kind::ALL.get(usize::from(bytes.byte()?))?;
    let id = SessionId::new(bytes.text()?).ok()?;
    let title = bytes.text()?.to_owned();
    let status = *Status::ALL.get(usize::from(bytes.byte()?))?;
    let raw_status = bytes.text()?.to_owned();
    let position = bytes.text()?.to_owned();
    let summary = bytes.text()?.to_owned();
    let created = bytes.maybe()?.and_then(Timestamp::parse);
    let last_active = bytes.maybe()?.and_then(Timestamp::parse);
    let path = rel_path(bytes.text()?)?;
    let mut counts = Vec::new();
    for _ in 0..bytes.number()? {
        let name = lasting(bytes.text()?)?;
        counts.push((name, bytes.number()?));
    }
    let mut problems = Vec::new();
    for _ in 0..bytes.number()? {
        problems.push(read_problem(&mut bytes)?);
    }
    Some(Card {
        kind,
        id,
        title,
        status,
        raw_status,
        position,
        summary,
        created,
        last_active,
        path,
        counts,
        problems,
    })
}

fn read_problem(bytes: &mut Reader<'_>) -> Option<Problem> {
    let mut problem = Problem::new(lasting(bytes.text()?)?, rel_path(bytes.text()?)?);
    problem.line = bytes.number()?.checked_sub(1);
    bytes.text()?.clone_into(&mut problem.found);
    let (name, text) = (bytes.text()?, bytes.text()?.to_owned());
    problem.repair = match name {
        "safe" => Repair::Safe(text),
        "lossy" => Repair::Lossy(text),
        "manual" => Repair::Manual(text),
        "none" => Repair::None,
        _ => return None,
    };
    Some(problem)
}

fn rel_path(text: &str) -> Option<RelPath> {
    if text.is_empty() {
        Some(RelPath::root())
    } else {
        RelPath::new(text).ok()
    }
}

fn position<T: PartialEq + Copy>(all: &[T], one: T) -> u8 {
    let place = all.iter().position(|other| *other == one);
    place
        .and_then(|place| u8::try_from(place).ok())
        .unwrap_or(u8::MAX)
}

/// The names of counts and problems are part of the program, and so live as long as it does; those that the index holds
/// are made to. There are few of them: an index that holds more is not ours.
fn lasting(name: &str) -> Option<&'static str> {
    static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    const MOST: usize = 512;
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.iter().find(|known| **known == name) {
        return Some(known);
    }
    if names.len() == MOST || name.len() > 64 || !name.bytes().all(is_name) {
        return None;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.push(kept);
    Some(kept)
}

/// What an indexed entry is, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    /// What it is; `None` for the title and the summary of a session.
    pub(crate) kind: Option<EntryKind>,
    pub(crate) role: Option<String>,
    pub(crate) file: String,
    pub(crate) line: u64,
    pub(crate) offset: Option<u64>,
    /// Seconds since 1970.
    pub(crate) at: Option<i64>,
}

/// Writes the spots of neighbouring entries: names once, places as the distance from the one before.
pub(crate) fn write_spots(spots: &[Spot]) -> Vec<u8> {
    let mut names: Vec<&str> = Vec::new();
    for spot in spots {
        for name in [Some(spot.file.as_str()), spot.role.as_deref()]
            .into_iter()
            .flatten()
        {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let mut out = Writer::default();
    out.number(names.len() as u64);
    for name in &names {
        out.text(name);
    }
    let number = |name: &str| names.iter().position(|known| *known == name).unwrap_or(0) as u64;
    let (mut line, mut offset, mut at) = (0, 0, 0);
    for spot in spots {
        let kind = spot
            .kind
            .map_or(0, |kind| position(&EntryKind::ALL, kind) + 1);
        out.byte(
            kind | u8::from(spot.offset.is_some()) << 4
                | u8::from(spot.at.is_some()) << 5
                | u8::from(spot.role.is_some()) << 6,
        );
        out.number(number(&spot.file));
        if let Some(role) = &spot.role {
            out.number(number(role));
        }
        out.signed(spot.line.cast_signed().wrapping_sub(line));
        line = spot.line.cast_signed();
        if let Some(here) = spot.offset {
            out.signed(here.cast_signed().wrapping_sub(offset));
            offset = here.cast_signed();
        }
        if let Some(here) = spot.at {
            out.signed(here.wrapping_sub(at));
            at = here;
        }
    }
    out.0
}

/// Reads the spots of a block; `None` when the bytes are none.
pub(crate) fn read_spots(bytes: &[u8]) -> Option<Vec<Spot>> {
    let mut bytes = Reader(bytes);
    let mut names = Vec::new();
    for _ in 0..bytes.number()? {
        names.push(bytes.text()?);
    }
    let name = |number: u64| {
        names
            .get(usize::try_from(number).ok()?)
            .map(|name| (*name).to_owned())
    };
    let (mut line, mut offset, mut at) = (0_i64, 0_i64, 0_i64);
    let mut spots = Vec::new();
    while !bytes.is_empty() {
        let flags = bytes.byte()?;
        let kind = match flags & 0x0f {
            0 => None,
            place => Some(*EntryKind::ALL.get(usize::from(place) - 1)?),
        };
        let file = name(bytes.number()?)?;
        let role = if flags & 0x40 != 0 {
            Some(name(bytes.number()?)?)
        } else {
            None
        };
        line = line.wrapping_add(bytes.signed()?);
        let mut spot = Spot {
            kind,
            role,
            file,
            line: line.cast_unsigned(),
            offset: None,
            at: None,
        };
        if flags & 0x10 != 0 {
            offset = offset.wrapping_add(bytes.signed()?);
            spot.offset = Some(offset.cast_unsigned());
        }
        if flags & 0x20 != 0 {
            at = at.wrapping_add(bytes.signed()?);
            spot.at = Some(at);
        }
        spots.push(spot);
    }
    Some(spots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_read_back_as_it_was() {
        let path = RelPath::new("a/b").unwrap();
        let mut card = Card {
            kind: Kind::Essay,
            id: SessionId::new("x-1").unwrap(),
            title: "Été".into(),
            status: Status::Completed,
            raw_status: "done".into(),
            position: "Stage 3".into(),
            summary: "s".into(),
            created: Timestamp::parse("2026-11-18T10:00:00+09:00"),
            last_active: None,
            path: path.clone(),
            counts: vec![("sections", 3), ("open_claims", 0)],
            problems: Vec::new(),
        };
        assert_eq!(read_card(&write_card(&card)), Some(card.clone()));
        card.problems = vec![
            Problem::new("torn_tail", path.clone())
                .line(3)
                .found("f")
                .safe("r"),
            Problem::new("x", path),
        ];
        let bytes = write_card(&card);
        assert_eq!(read_card(&bytes), Some(card));
        for cut in 0..bytes.len() {
            assert_eq!(read_card(&bytes[..cut]), None, "{cut}");
        }
    }

    #[test]
    fn spots_are_read_back_as_they_were() {
        let spot = |line, offset, at: Option<i64>, role: Option<&str>| Spot {
            kind: Some(EntryKind::Message),
            role: role.map(str::to_owned),
            file: "a/messages.jsonl".into(),
            line,
            offset,
            at,
        };
        let mut spots = vec![
            spot(1, Some(0), Some(1_700_000_000), Some("user")),
            spot(2, Some(300), None, None),
            spot(9, None, Some(-5), Some("assistant")),
        ];
        spots.push(Spot {
            kind: None,
            file: "b".into(),
            ..spot(1, None, None, None)
        });
        assert_eq!(read_spots(&write_spots(&spots)), Some(spots));
        assert_eq!(read_spots(&[9]), None);
    }
}
