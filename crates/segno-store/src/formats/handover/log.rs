//! The decisions log, read from its end: where it is valid, which number comes next, what was decided last.
//!
//! Logs up to [`WHOLE`] bytes (some 3,000 entries) are looked at whole. In larger ones only what was added since the
//! [`Mark`] is read, so that recording a decision costs the same whatever the history. Without a mark, or with one that no
//! longer fits (edited by hand, merged, cloned), all header lines are read once, and the next entry brings a new mark.

use std::ops::ControlFlow;

use segno_disk::{Change, ReadDisk, ReadFile, RelPath};

use super::decision::{Decision, header_of};
use super::mark::{Mark, STRIDE};
use super::problems::{NOT_UTF8, TORN_TAIL};
use super::scan::{Line, each_line};
use crate::error::Result;
use crate::session::Problem;
use crate::text::damage::{is_mark_or_middle, lines_of, marks, merge_on};

/// The largest log that is looked at whole for the next number, in bytes.
pub const WHOLE: u64 = 1024 * 1024;
/// How much of the end of a larger log is looked at in any case, in bytes.
pub const WINDOW: u64 = 64 * 1024;

/// The end of the log: where the next entry goes and which number it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The file's length.
    pub len: u64,
    /// The end of what is valid; what lies behind it is half an entry.
    pub valid: u64,
    /// True when the last line is whole but not ended.
    pub unfinished: bool,
    /// True when an empty line, or nothing at all, stands before the end.
    pub parted: bool,
    /// How lines end here.
    pub eol: &'static str,
    /// The number of the next entry; `None` when there is none left.
    pub next: Option<u64>,
    /// What was seen that is wrong.
    pub problems: Vec<Problem>,
    /// The problem that makes it wrong to add anything, such as another encoding.
    pub closed: Option<Problem>,
    /// What whoever adds an entry also writes, so that the next one need not read the whole log.
    pub(super) remember: Option<Change>,
}

impl End {
    const EMPTY: Self = Self {
        len: 0,
        valid: 0,
        unfinished: false,
        parted: true,
        eol: "\n",
        next: Some(1),
        problems: Vec::new(),
        closed: None,
        remember: None,
    };

    fn number_after(&mut self, highest: Option<u64>) {
        self.next = highest.unwrap_or(0).checked_add(1);
    }

    /// The number of the last entry by number; 0 when there is none.
    pub fn last(&self) -> u64 {
        self.next.map_or(u64::MAX, |next| next - 1)
    }
}

/// Finds the end of the log at a path.
pub fn end(files: &dyn ReadDisk, path: &RelPath) -> Result<End> {
    let file = match files.open(path) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(End::EMPTY),
        Err(error) => return Err(error.into()),
    };
    let len = file.stat()?.len;
    if len == 0 {
        return Ok(End::EMPTY);
    }
    if len <= WHOLE {
        let tail = Tail::read(file.as_ref(), 0, len)?;
        let mut end = tail.end(path);
        end.number_after(tail.highest(&end));
        return Ok(end);
    }
    let mark = Mark::find(files, path, file.as_ref(), len)?;
    let window = len - WINDOW;
    // One byte earlier: what stands before the first newline of the window is not looked at.
    let start = mark.map_or(window, |mark| mark.upto.saturating_sub(1).min(window));
    let tail = Tail::read(file.as_ref(), start, len)?;
    let mut end = tail.end(path);
    let highest = match mark {
        Some(mark) => tail.highest(&end).max(Some(mark.highest)),
        None => highest_of_all(file.as_ref(), end.valid)?,
    };
    end.number_after(highest);
    if let Some(highest) = highest
        && mark.is_none_or(|mark| end.valid > mark.upto + STRIDE)
    {
        let upto = end.valid;
        end.remember = Some(Mark { upto, highest }.keep(path, file.as_ref())?);
    }
    Ok(end)
}

/// The last part of a log, from the beginning of a line.
struct Tail {
    at: u64,
    len: u64,
    bytes: Vec<u8>,
}

impl Tail {
    fn read(file: &dyn ReadFile, start: u64, len: u64) -> Result<Self> {
        let mut bytes = vec![0; usize::try_from(len - start).unwrap_or(usize::MAX)];
        let n = file.read_full_at(start, &mut bytes)?;
        bytes.truncate(n);
        let mut at = start;
        if start > 0 {
            // The first line was cut by the window.
            let first = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |newline| newline + 1);
            bytes.drain(..first);
            at += first as u64;
        }
        Ok(Self { at, len, bytes })
    }

    fn end(&self, path: &RelPath) -> End {
        let mut end = End {
            len: self.len,
            valid: self.len,
            ..End::EMPTY
        };
        let bytes = self.bytes.as_slice();
        if memchr::memmem::find(bytes, b"\r\n").is_some() {
            end.eol = "\r\n";
        }
        let (good, cut_short) = self.good(&mut end, path);
        let ended = bytes.get(..good).unwrap_or_default().ends_with(b"\n");
        let torn = (cut_short || !ended)
            .then(|| half_entry(bytes.get(..good).unwrap_or_default(), cut_short))
            .flatten();
        let valid = torn.unwrap_or(good);
        end.valid = self.at + valid as u64;
        let kept = bytes.get(..valid).unwrap_or_default();
        end.unfinished = !kept.is_empty() && !kept.ends_with(b"\n");
        end.parted = end.valid == 0 || kept.ends_with(b"\n\n") || kept.ends_with(b"\n\r\n");
        if end.valid < self.len && end.closed.is_none() {
            let line = memchr::memchr_iter(b'\n', kept).count() as u64 + 1;
            let problem = Problem::new(TORN_TAIL, path.clone())
                .found("the log ends inside an entry")
                .safe("set the half entry aside; the next one takes its number");
            end.problems.push(if self.at == 0 {
                problem.line(line)
            } else {
                problem
            });
        }
        let marks = marks(lines_of(kept));
        if self.at == 0 {
            end.problems.extend(merge_on(&marks, path));
        } else if !marks.is_empty() {
            end.problems.push(
                Problem::new(super::problems::MERGE_CONFLICT, path.clone())
                    .found("marks of an unsettled merge near the end of the log")
                    .manual("keep what is right of both sides, and delete the marks"),
            );
        }
        end
    }

    /// How many bytes of the tail are text, and whether a crash cut them: NUL bytes, half a character.
    fn good(&self, end: &mut End, path: &RelPath) -> (usize, bool) {
        let bytes = self.bytes.as_slice();
        let utf16 =
            self.at == 0 && (bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]));
        if let Some(nul) = memchr::memchr(0, bytes).filter(|_| !utf16) {
            let after = bytes.get(nul..).unwrap_or_default();
            let later = after.split(|byte| *byte == b'\n').skip(1);
            if later.clone().all(|line| header(line).is_none()) {
                let before = bytes.get(..nul).unwrap_or_default();
                let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
                return (line_start, true);
            }
        }
        match std::str::from_utf8(bytes) {
            Ok(_) => (bytes.len(), false),
            Err(error) if error.error_len().is_none() => (error.valid_up_to(), true),
            Err(error) => {
                let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
                let offset = self.at + error.valid_up_to() as u64;
                let problem = Problem::new(NOT_UTF8, path.clone())
                    .found(format!("not UTF-8 from byte {offset} on"))
                    .manual("save the file as UTF-8, then try again");
                let problem = if self.at == 0 {
                    problem.line(line)
                } else {
                    problem
                };
                end.problems.push(problem.clone());
                end.closed = Some(problem);
                (bytes.len(), false)
            }
        }
    }

    /// The highest number of an entry in the valid part.
    fn highest(&self, end: &End) -> Option<u64> {
        let valid = usize::try_from(end.valid.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let kept = self.bytes.get(..valid).unwrap_or_default();
        lines_of(kept).filter_map(header).max()
    }
}

fn header(line: &[u8]) -> Option<u64> {
    // Field lines are the most common by far.
    let marks = line
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'-' | b'#' | b'*' | b'\t'))?;
    match line.get(marks..)? {
        [b'D', digit, ..] if digit.is_ascii_digit() => {}
        [b'[' | 0xef, ..] => {}
        _ => return None,
    }
    let text = String::from_utf8_lossy(line.get(..line.len().min(400))?);
    header_of(&text).map(|header| header.seq)
}

/// Where the half entry at the end begins, when the last line, which is not ended, belongs to one.
///
/// A file without a last newline is no crash by itself: many editors leave it out. The entry counts as half when it
/// also lacks something that its type requires, or when its bytes say so (`cut_short`).
fn half_entry(bytes: &[u8], cut_short: bool) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let last_line = text.rfind('\n').map_or(0, |newline| newline + 1);
    let fragment = text.get(last_line..)?;
    let mut at = last_line;
    loop {
        let line = text.get(at..)?.lines().next().unwrap_or_default();
        if header_of(line).is_some() {
            break;
        }
        if at == 0 {
            // No header anywhere: the fragment is half of the first one, or somebody's own text.
            return fragment.starts_with('[').then_some(last_line);
        }
        at = text
            .get(..at - 1)?
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
    }
    if at != last_line && fragment.starts_with('[') {
        return Some(last_line);
    }
    let entry = Decision::read(text.get(at..)?, 0)?;
    let known = header_of(text.get(at..)?.lines().next()?)?
        .summary
        .is_some();
    if !known || !entry.missing().is_empty() {
        return Some(at);
    }
    (cut_short && !fragment.is_empty()).then_some(at)
}

fn highest_of_all(file: &dyn ReadFile, valid: u64) -> Result<Option<u64>> {
    let mut highest = None;
    each_line(file, 0, valid, &mut |line| {
        highest = highest.max(header(line.bytes));
        ControlFlow::Continue(())
    })?;
    Ok(highest)
}

/// The last entries by number, oldest first, and what was seen that is wrong.
pub fn recent(files: &dyn ReadDisk, path: &RelPath, count: usize) -> Result<(Vec<Decision>, End)> {
    let end = end(files, path)?;
    if end.len == 0 || count == 0 {
        return Ok((Vec::new(), end));
    }
    let file = files.open(path)?;
    let mut size = WINDOW;
    loop {
        let start = end.valid.saturating_sub(size);
        let tail = Tail::read(file.as_ref(), start, end.valid)?;
        let text = String::from_utf8_lossy(&tail.bytes);
        let entries = entries_of(&text);
        let rising = entries.is_sorted_by(|a, b| a.seq < b.seq);
        if !rising || (start > 0 && end.last() > entries.last().map_or(0, |entry| entry.seq)) {
            let all = highest_entries(file.as_ref(), end.valid, count)?;
            return Ok((all, end));
        }
        if entries.len() >= count || start == 0 {
            let skip = entries.len().saturating_sub(count);
            return Ok((entries.into_iter().skip(skip).collect(), end));
        }
        size *= 4;
    }
}

fn entries_of(text: &str) -> Vec<Decision> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if header_of(line.trim_end()).is_some() {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let pieces = starts.iter().zip(ends);
    pieces
        .filter_map(|(start, end)| Decision::read(&without_marks(text.get(*start..end)?), 0))
        .collect()
}

fn without_marks(text: &str) -> String {
    let kept = text
        .lines()
        .filter(|line| !is_mark_or_middle(line.as_bytes()));
    kept.collect::<Vec<_>>().join("\n")
}

fn highest_entries(file: &dyn ReadFile, valid: u64, count: usize) -> Result<Vec<Decision>> {
    let mut kept: Vec<Decision> = Vec::new();
    each_entry(file, valid, &mut |entry| {
        kept.push(entry);
        if kept.len() >= count.saturating_mul(4).max(64) {
            kept.sort_by_key(|entry| entry.seq);
            kept.drain(..kept.len().saturating_sub(count));
        }
        ControlFlow::Continue(())
    })?;
    kept.sort_by_key(|entry| entry.seq);
    kept.drain(..kept.len().saturating_sub(count));
    Ok(kept)
}

/// Every entry in the order of the file, read as a stream, until the sink breaks.
pub fn each_entry(
    file: &dyn ReadFile,
    valid: u64,
    sink: &mut dyn FnMut(Decision) -> ControlFlow<()>,
) -> Result<()> {
    let mut open = String::new();
    let mut began = 0;
    let mut broken = false;
    each_line(file, 0, valid, &mut |line: Line<'_>| {
        if is_mark_or_middle(line.bytes) {
            return ControlFlow::Continue(());
        }
        if header(line.bytes).is_some() {
            if let Some(entry) = Decision::read(&open, began)
                && sink(entry).is_break()
            {
                broken = true;
                return ControlFlow::Break(());
            }
            open.clear();
            began = line.number;
        } else if open.is_empty() {
            return ControlFlow::Continue(());
        }
        open.push_str(&String::from_utf8_lossy(line.bytes));
        open.push('\n');
        ControlFlow::Continue(())
    })?;
    if !broken && let Some(entry) = Decision::read(&open, began) {
        let _ = sink(entry);
    }
    Ok(())
}
