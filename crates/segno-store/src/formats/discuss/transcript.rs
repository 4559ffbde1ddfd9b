//! Reading `transcript.jsonl` from either end: every event with its line, and what is wrong with the rest.

use std::ops::ControlFlow;

use segno_disk::{Access, Change, ReadDisk, RelPath, log};

use super::event::Event;
use super::schema::EventKind;
use super::{BAD_EVENT, BAD_LINE, TORN_TAIL};
use crate::error::Result;
use crate::session::{LineMark, Problem};
use crate::text::jsonl::{Fault, Line, Lines, MAX_LINE, Tail};

/// Room for the longest line that is ever written, and the space around it.
pub(super) const LONGEST: usize = MAX_LINE;
/// How many lines are looked at from the end for the last turn.
const LOOK_BACK: usize = 64;

/// What a reader of a transcript is shown.
pub(super) enum Seen {
    /// An event and the line it stands on.
    Event(Event, u64),
    /// A line that is none.
    Problem(Problem),
}

/// Shows every line of a transcript, from the first.
pub(super) fn walk(
    files: &dyn ReadDisk,
    path: &RelPath,
    sink: &mut dyn FnMut(Seen) -> ControlFlow<()>,
) -> Result<()> {
    walk_from(files, path, LineMark::default(), &mut |seen, _| sink(seen))
}

/// The same behind a mark; the sink is told where each line begins.
pub(super) fn walk_from(
    files: &dyn ReadDisk,
    path: &RelPath,
    from: LineMark,
    sink: &mut dyn FnMut(Seen, u64) -> ControlFlow<()>,
) -> Result<()> {
    let file = match files.open(path) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let valid = log::tail_of(file.as_ref(), path)?.valid;
    let mut lines = Lines::from_offset(file.as_ref(), from.offset)
        .numbered_after(from.lines)
        .with_max_line(LONGEST);
    while let Some(line) = lines.next()? {
        let torn = line.range.start >= valid;
        if sink(judge(&line, path, torn), line.range.start).is_break() {
            break;
        }
        if torn {
            break;
        }
    }
    Ok(())
}

fn judge(line: &Line<'_>, path: &RelPath, torn: bool) -> Seen {
    let problem = |code| Problem::new(code, path.clone()).line(line.number);
    if torn {
        let problem = problem(TORN_TAIL)
            .found("the last line breaks off")
            .safe("set the broken end aside and go on behind the last whole line");
        return Seen::Problem(problem);
    }
    match &line.json {
        Ok(text) => match Event::parse(text) {
            Ok(event) => Seen::Event(event, line.number),
            Err(why) => Seen::Problem(
                problem(BAD_EVENT)
                    .found(format!("line {} is no event: {why}", line.number))
                    .lossy("set the line aside; the others stay as they are"),
            ),
        },
        Err(fault) => {
            let found = problem(BAD_LINE).found(format!("line {}: {fault}", line.number));
            Seen::Problem(match fault {
                Fault::Spliced { torn: false, .. } => {
                    found.safe("put each object on a line of its own")
                }
                _ => found.lossy("set the line aside; the others stay as they are"),
            })
        }
    }
}

/// The end of a transcript: where an append goes, and what was recorded last. Opened once; nothing but the end is read.
pub(super) struct End {
    path: RelPath,
    tail: log::Tail,
    /// The last event, where it is wanted.
    pub(super) last: Option<Event>,
    /// The last event that moves a discussion on: a turn or a `final_json`, whatever runs and errors came behind it.
    pub(super) last_step: Option<EventKind>,
}

impl End {
    /// The change that adds lines behind the valid prefix.
    pub(super) fn append(&self, lines: &str) -> Change {
        let path = self.path.clone();
        self.tail.append(path, lines.as_bytes(), Access::Private)
    }

    /// Takes the event before those that were taken. Returns true when that is all that is wanted.
    fn learn(&mut self, event: Event, wanted: Wanted) -> bool {
        let kind = event.kind();
        self.last.get_or_insert(event);
        let is_step = matches!(
            kind,
            Some(EventKind::UserMessage | EventKind::AssistantMessage | EventKind::FinalJson)
        );
        if is_step {
            self.last_step = kind;
        }
        is_step || wanted == Wanted::LastEvent
    }
}

/// What is wanted of the end of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Where an append goes.
    Tail,
    /// The last event too.
    LastEvent,
    /// The last step too; a bounded number of lines is looked at.
    LastStep,
}

/// Reads the end of a transcript; lines that are no events are passed over.
pub(super) fn end(files: &dyn ReadDisk, path: &RelPath, wanted: Wanted) -> Result<End> {
    let mut end = End {
        path: path.clone(),
        tail: log::Tail::EMPTY,
        last: None,
        last_step: None,
    };
    let file = match files.open(path) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(end),
        Err(error) => return Err(error.into()),
    };
    let (tail, last_line) = log::end_of(file.as_ref(), path)?;
    end.tail = tail;
    if wanted == Wanted::Tail {
        return Ok(end);
    }
    let last_line = last_line.and_then(|line| String::from_utf8(line).ok());
    if let Some(event) = last_line.and_then(|line| Event::parse(&line).ok())
        && end.learn(event, wanted)
    {
        return Ok(end);
    }
    let mut lines = Tail::before(file.as_ref(), tail.valid).with_max_line(LONGEST);
    for _ in 0..LOOK_BACK {
        let Some(line) = lines.next()? else { break };
        if let Some(event) = line.json.ok().and_then(|text| Event::parse(text).ok())
            && end.learn(event, wanted)
        {
            break;
        }
    }
    Ok(end)
}

/// What a whole transcript adds up to.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// How many events there are.
    pub(super) events: u64,
    /// How many of them are turns of the user or the engine.
    pub(super) turns: u64,
    /// The time of the first and of the last one, as written.
    pub(super) first_ts: Option<String>,
    pub(super) last_ts: Option<String>,
    /// What the user said first.
    pub(super) first_prompt: Option<String>,
    /// Where the first `final_json` stands, and the time it says.
    pub(super) first_final: Option<(u64, String)>,
    /// The last `final_json`: that is what counts.
    pub(super) last_final: Option<Event>,
    /// How many there are.
    pub(super) finals: u64,
    /// How many replays there were, whatever came of them.
    pub(super) replays: u64,
    /// True when the operations have been applied since.
    pub(super) applied: bool,
    /// The payloads of the runs that were applied since, oldest first.
    pub(super) runs: Vec<Event>,
    /// What is wrong with its lines.
    pub(super) problems: Vec<Problem>,
}

impl Summary {
    /// Takes one more line into account.
    pub(super) fn add(&mut self, seen: Seen) {
        let (event, line) = match seen {
            Seen::Event(event, line) => (event, line),
            Seen::Problem(problem) => {
                self.problems.push(problem);
                return;
            }
        };
        self.events += 1;
        let ts = event.ts().into_owned();
        self.first_ts.get_or_insert_with(|| ts.clone());
        self.last_ts = Some(ts.clone());
        match event.kind() {
            Some(EventKind::UserMessage) => {
                self.turns += 1;
                if self.first_prompt.is_none() {
                    self.first_prompt = event.text("content").map(std::borrow::Cow::into_owned);
                }
            }
            Some(EventKind::AssistantMessage) => self.turns += 1,
            Some(EventKind::FinalJson) => {
                self.finals += 1;
                self.first_final.get_or_insert((line, ts));
                self.last_final = Some(event);
                self.applied = false;
                self.runs.clear();
            }
            Some(EventKind::ReplayRun) => {
                self.replays += 1;
                if event.is_applied_run() {
                    self.applied = true;
                    self.runs.push(event);
                }
            }
            _ => {}
        }
    }

    /// How many operations the discussion ended in.
    pub(super) fn operations(&self) -> u64 {
        let list = self.last_final.as_ref();
        let list = list.and_then(|event| event.payload().get("patch_operations"));
        list.map_or(0, |list| list.items().count() as u64)
    }

    /// Problems that are not just a torn end: a replay does not build on such a transcript.
    pub(super) fn first_malformed(&self) -> Option<&Problem> {
        self.problems
            .iter()
            .find(|problem| problem.code != TORN_TAIL)
    }
}

/// Reads a whole transcript.
pub(super) fn summary(files: &dyn ReadDisk, path: &RelPath) -> Result<Summary> {
    let mut summary = Summary::default();
    walk(files, path, &mut |seen| {
        summary.add(seen);
        ControlFlow::Continue(())
    })?;
    Ok(summary)
}
