//! What is remembered of a long log: how far it was read, and the highest number up to there.
//!
//! The mark lies among our own files and is derived: it may be deleted at any time, and one that does not fit the log is
//! not believed. It fits when samples of the log, spread over all of it, read as they did: whatever was put in or taken
//! out in front of the mark moves everything behind it, and so the samples.
//!
//! # Limitations
//! Bytes overwritten in place by just as many, between two samples, are not noticed until the next mark is made.

use std::fmt::Write as _;

use segno_disk::{Access, Basis, Change, ReadDisk, ReadFile, RelPath};

use crate::error::Result;

/// How far a log may grow before what was added is looked at once more and remembered, in bytes.
pub(super) const STRIDE: u64 = 128 * 1024;
/// How many places of the log are looked at.
const SAMPLES: u64 = 16;
/// How much at each of them, in bytes; the last sample ends at the mark.
const SAMPLE: u64 = 512;

/// The highest number up to a place in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// Where: everything before it was read.
    pub(super) upto: u64,
    /// The highest number before it.
    pub(super) highest: u64,
}

impl Mark {
    /// The mark of a log, if there is one and the log is still as it was.
    pub(super) fn find(
        files: &dyn ReadDisk,
        log: &RelPath,
        file: &dyn ReadFile,
        len: u64,
    ) -> Result<Option<Self>> {
        let Some((bytes, _)) = files.read(&path(log)?)? else {
            return Ok(None);
        };
        let Some((mark, look)) = read(&bytes) else {
            return Ok(None);
        };
        let fits = mark.upto <= len && look_of(file, mark.upto)? == look;
        Ok(fits.then_some(mark))
    }

    /// The change that remembers this mark of a log.
    pub(super) fn keep(self, log: &RelPath, file: &dyn ReadFile) -> Result<Change> {
        let mut text = String::new();
        let look = look_of(file, self.upto)?;
        let _ = write!(
            text,
            "upto: {}\nhighest: {}\nlook: {look:016x}\n",
            self.upto, self.highest
        );
        // Any: whatever stands there is a mark that was not believed.
        Ok(Change::replace(
            path(log)?,
            text.into_bytes(),
            Basis::Any,
            Access::Private,
        ))
    }
}

/// Where the mark of a log lies.
fn path(log: &RelPath) -> Result<RelPath> {
    let name = format!("{}.mark", log.as_str().replace('/', "_"));
    Ok(RelPath::new(".segno/handover")?.join_name(&name)?)
}

fn read(bytes: &[u8]) -> Option<(Mark, u64)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.strip_prefix(": ")
    };
    let mark = Mark {
        upto: value("upto")?.parse().ok()?,
        highest: value("highest")?.parse().ok()?,
    };
    Some((mark, u64::from_str_radix(value("look")?, 16).ok()?))
}

/// What the samples of the first `upto` bytes look like, as one number.
fn look_of(file: &dyn ReadFile, upto: u64) -> Result<u64> {
    let mut look = 0xcbf2_9ce4_8422_2325_u64;
    let mut sample = [0; 512];
    let room = upto.saturating_sub(SAMPLE);
    for n in 0..SAMPLES {
        let n = file.read_full_at(room / (SAMPLES - 1) * n, &mut sample)?;
        for byte in sample.get(..n).unwrap_or_default() {
            look = (look ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(look)
}

#[cfg(test)]
mod tests {
    use segno_disk::SimDisk;

    use super::*;

    fn log() -> RelPath {
        RelPath::new("h/decisions.md").unwrap()
    }

    fn marked(text: &[u8], upto: u64) -> SimDisk {
        let disk = SimDisk::new();
        disk.plant(&log(), text);
        let file = disk.open(&log()).unwrap();
        let mark = Mark { upto, highest: 7 };
        let Change::Replace { path, bytes, .. } = mark.keep(&log(), file.as_ref()).unwrap() else {
            unreachable!("a mark is a file");
        };
        disk.plant(&path, &bytes);
        disk
    }

    fn found(disk: &SimDisk) -> Option<u64> {
        let file = disk.open(&log()).unwrap();
        let len = file.stat().unwrap().len;
        let mark = Mark::find(disk, &log(), file.as_ref(), len).unwrap();
        mark.map(|mark| mark.highest)
    }

    #[test]
    fn a_mark_holds_while_the_log_only_grows_and_is_not_believed_when_it_was_edited() {
        let text: Vec<u8> = (0..40_000_u32).flat_map(u32::to_be_bytes).collect();
        let upto = text.len() as u64 - 100;
        let disk = marked(&text, upto);
        assert_eq!(found(&disk), Some(7));
        disk.plant(&log(), &[text.as_slice(), b"more"].concat());
        assert_eq!(found(&disk), Some(7), "added to");
        let at = text.len() / 3;
        let edits: [(&str, Vec<u8>); 5] = [
            ("put in", [&text[..at], b"x", &text[at..]].concat()),
            ("taken out", [&text[..at], &text[at + 1..]].concat()),
            ("put in at the beginning", [b"x", text.as_slice()].concat()),
            ("cut", text[..text.len() - 200].to_vec()),
            ("emptied", Vec::new()),
        ];
        for (what, edited) in edits {
            disk.plant(&log(), &edited);
            assert_eq!(found(&disk), None, "{what}");
        }
        disk.plant(&log(), &text);
        assert_eq!(found(&disk), Some(7));
        for broken in [
            "",
            "upto: x\nhighest: 7\nlook: 0\n",
            "\u{0}",
            "highest: 7\n",
        ] {
            disk.plant(&path(&log()).unwrap(), broken.as_bytes());
            assert_eq!(found(&disk), None, "{broken:?}");
        }
    }
}
