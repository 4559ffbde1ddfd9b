//! The transcript, `messages.jsonl`: read as a stream, or from its tail in memory that does not depend on its length.

use std::ops::ControlFlow;

use segno_disk::{ReadFile, RelPath, log};

use super::super::{Context, Place};
use super::message::{Message, layout_of};
use super::transcript_path;
use crate::error::Result;
use crate::session::{Entry, EntryKind, LineMark, Timestamp, Turn};
use crate::text::json::Layout;
use crate::text::jsonl::{Fault, Lines, MAX_LINE, Tail};

/// How much is read at once when lines are only counted.
const BLOCK: usize = 256 * 1024;
/// How many lines are looked at from the end for one that says when.
const LOOK_BACK: usize = 64;

/// A transcript as it stands; one that does not exist is empty.
pub(super) struct Transcript {
    pub(super) path: RelPath,
    pub(super) tail: log::Tail,
    file: Option<Box<dyn ReadFile>>,
    /// The last line, where finding the tail has shown it.
    last_line: Option<Vec<u8>>,
}

/// What the end of a transcript says without the rest being read.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// When the last message was said.
    pub(super) at: Option<Timestamp>,
    /// How its line is spaced.
    pub(super) layout: Option<Layout>,
}

impl Last {
    /// Takes what a line says that no later one has said.
    fn learn(&mut self, line: &[u8]) {
        if let Ok(text) = std::str::from_utf8(line)
            && !text.trim().is_empty()
        {
            self.layout = self.layout.or_else(|| Some(layout_of(text)));
            self.at = Message::read(text).timestamp();
        }
    }
}

/// The newest messages that were asked for.
#[derive(Debug, Default)]
pub(super) struct Newest {
    /// Oldest first.
    pub(super) turns: Vec<Turn>,
    /// How many earlier lines there are.
    pub(super) left_out: u64,
    /// Lines among the newest that hold no message.
    pub(super) unreadable: u64,
}

/// How many of the newest messages are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted {
    /// All of them.
    All,
    /// As many as fit into this many tokens, each whole.
    Tokens(usize),
    /// This many.
    Turns(usize),
}

/// What a line of the transcript holds.
pub(super) enum Found<'l> {
    Message(Message<'l>),
    Fault(&'l Fault),
}

impl Transcript {
    /// Opens the transcript of a session and finds its valid prefix.
    pub(super) fn open(cx: &Context<'_>, place: &Place) -> Result<Self> {
        let path = transcript_path(place)?;
        let file = match cx.files.open(&path) {
            Ok(file) => Some(file),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(error.into()),
        };
        let (tail, last_line) = match &file {
            Some(file) => log::end_of(file.as_ref(), &path)?,
            None => (log::Tail::EMPTY, None),
        };
        Ok(Self {
            path,
            tail,
            file,
            last_line,
        })
    }

    /// True when there is a file, were it empty.
    pub(super) fn is_there(&self) -> bool {
        self.file.is_some()
    }

    /// How many messages there are: the lines of the valid prefix that are not blank.
    pub(super) fn count(&self) -> Result<u64> {
        let Some(file) = &self.file else { return Ok(0) };
        let mut block = vec![0; narrow(self.tail.valid)];
        let mut count = 0;
        let mut in_line = false;
        let mut at = 0;
        while at < self.tail.valid {
            let want = narrow(self.tail.valid - at);
            let Some(window) = block.get_mut(..want) else {
                break;
            };
            let read = file.read_full_at(at, window)?;
            if read == 0 {
                break;
            }
            let mut rest = window.get(..read).unwrap_or_default();
            while let Some(newline) = memchr::memchr(b'\n', rest) {
                let (line, behind) = rest.split_at(newline);
                count += u64::from(in_line || has_content(line));
                in_line = false;
                rest = behind.get(1..).unwrap_or_default();
            }
            in_line = in_line || has_content(rest);
            at += read as u64;
        }
        Ok(count + u64::from(in_line))
    }

    /// What the last lines say: only they are read.
    pub(super) fn last(&self) -> Result<Last> {
        let mut last = Last::default();
        let Some(file) = &self.file else {
            return Ok(last);
        };
        if let Some(line) = &self.last_line {
            last.learn(line);
        }
        let mut end = self.tail.valid;
        let mut open_end = self.tail.unfinished;
        for _ in 0..LOOK_BACK {
            if end == 0 || last.at.is_some() {
                break;
            }
            let content_end = if open_end { end } else { end.saturating_sub(1) };
            let start = log::line_start(file.as_ref(), content_end)?;
            let len = usize::try_from(content_end - start).unwrap_or(usize::MAX);
            if len <= MAX_LINE {
                let mut line = vec![0; len];
                let read = file.read_full_at(start, &mut line)?;
                line.truncate(read);
                last.learn(&line);
            }
            end = start;
            open_end = false;
        }
        Ok(last)
    }

    /// Goes through the valid prefix in order, line by line, until the sink breaks.
    pub(super) fn each(
        &self,
        sink: &mut dyn FnMut(u64, Found<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        self.each_from(LineMark::default(), &mut |at, found| sink(at.lines, found))
    }

    /// The same behind a mark; the sink is told the number of the line and where it begins.
    fn each_from(
        &self,
        from: LineMark,
        sink: &mut dyn FnMut(LineMark, Found<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut lines = Lines::from_offset(file.as_ref(), from.offset).numbered_after(from.lines);
        while let Some(line) = lines.next()? {
            if line.range.start >= self.tail.valid {
                break;
            }
            let at = LineMark {
                offset: line.range.start,
                lines: line.number,
            };
            let flow = match &line.json {
                Ok(text) => sink(at, Found::Message(Message::read(text))),
                Err(fault) => {
                    let mut flow = sink(at, Found::Fault(fault));
                    for object in line.objects() {
                        if flow.is_continue() {
                            flow = sink(at, Found::Message(Message::read(object)));
                        }
                    }
                    flow
                }
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The newest messages, read from the end: memory is in proportion to what is wanted.
    pub(super) fn newest(&self, wanted: Wanted) -> Result<Newest> {
        let mut newest = Newest::default();
        let Some(file) = &self.file else {
            return Ok(newest);
        };
        let mut room = Room::new(wanted);
        let mut lines =
            Tail::before(file.as_ref(), self.tail.valid).with_max_line(room.longest_line());
        let mut kept = 0;
        'lines: while let Some(line) = lines.next()? {
            if let Err(Fault::TooLong { .. }) = line.json
                && room.is_bounded()
            {
                // Longer than all that may be kept: it does not fit, and nothing older is pulled past it.
                break;
            }
            let objects = line.objects();
            let mut turns = Vec::new();
            for object in objects.iter().rev() {
                let message = Message::read(object);
                if !message.is_complete() {
                    continue;
                }
                let turn = turn(&message);
                if !room.take(&turn) {
                    break 'lines;
                }
                turns.push(turn);
            }
            kept += 1;
            newest.unreadable += u64::from(turns.is_empty());
            newest.turns.append(&mut turns);
        }
        newest.turns.reverse();
        newest.left_out = self.count()?.saturating_sub(kept);
        Ok(newest)
    }
}

/// As many bytes as there are, but no more than are read at once.
fn narrow(len: u64) -> usize {
    usize::try_from(len).map_or(BLOCK, |len| len.min(BLOCK))
}

fn has_content(line: &[u8]) -> bool {
    line.iter().any(|byte| !byte.is_ascii_whitespace())
}

fn turn(message: &Message<'_>) -> Turn {
    Turn {
        role: message.role.clone().unwrap_or_default().into_owned(),
        text: message.text.clone().unwrap_or_default().into_owned(),
        at: message.timestamp(),
    }
}

/// What is left of what was asked for.
struct Room(Wanted);

impl Room {
    /// No character takes more bytes in JSON than `\u0000`, and no token is shorter than a quarter of one.
    const BYTES_PER_TOKEN: usize = 24;
    /// Keys, role and time of a line.
    const AROUND: usize = 4096;

    fn new(wanted: Wanted) -> Self {
        Self(wanted)
    }

    fn is_bounded(&self) -> bool {
        matches!(self.0, Wanted::Tokens(_))
    }

    /// A line longer than this cannot fit.
    fn longest_line(&self) -> usize {
        match self.0 {
            Wanted::Tokens(tokens) => tokens
                .saturating_mul(Self::BYTES_PER_TOKEN)
                .saturating_add(Self::AROUND)
                .min(MAX_LINE),
            Wanted::All | Wanted::Turns(_) => MAX_LINE,
        }
    }

    /// Makes room for a turn; false when there is none left.
    fn take(&mut self, turn: &Turn) -> bool {
        let (left, cost) = match &mut self.0 {
            Wanted::All => return true,
            Wanted::Tokens(left) => (left, turn.tokens()),
            Wanted::Turns(left) => (left, 1),
        };
        let fits = cost <= *left;
        *left = left.saturating_sub(cost);
        fits
    }
}

/// Every message as a searchable unit.
pub(super) fn entries(
    cx: &Context<'_>,
    place: &Place,
    from: LineMark,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<()> {
    let transcript = Transcript::open(cx, place)?;
    transcript.each_from(from, &mut |at_line, found| {
        let Found::Message(message) = found else {
            return ControlFlow::Continue(());
        };
        let at = message.timestamp();
        let Some(text) = message.text else {
            return ControlFlow::Continue(());
        };
        sink(Entry {
            kind: EntryKind::Message,
            role: message.role.map(std::borrow::Cow::into_owned),
            text: text.into_owned(),
            at,
            file: transcript.path.clone(),
            line: at_line.lines,
            offset: Some(at_line.offset),
        })
    })
}
