//! The three older sorts of session, read into the shape of a canonical one. Nothing here is ever written back.

mod artifact;
mod transcript;
mod work_session;

use segno_disk::{ReadDisk, RelPath};

use super::NOT_A_SESSION;
use super::event::{Event, to_line};
use super::meta::{self, Meta};
use super::schema::EventKind;
use super::site::{Sort, TRANSCRIPTS, fixed};
use crate::error::Result;
use crate::formats::Place;
use crate::session::Problem;
use crate::text::json::{Doc, Tree, Value};

pub(super) use transcript::is_transcript;
pub(super) use work_session::{WorkSession, running};

/// An older session in the shape of a canonical one.
#[derive(Debug)]
pub(super) struct Converted {
    pub(super) meta: Meta,
    pub(super) events: Vec<Located>,
    pub(super) problems: Vec<Problem>,
}

/// An event and where it comes from.
#[derive(Debug)]
pub(super) struct Located {
    pub(super) event: Event,
    pub(super) file: RelPath,
    pub(super) line: u64,
}

impl Converted {
    fn new(place: &Place) -> Self {
        let mut meta = meta::unknown(place.id.as_str());
        meta.about.router_reason = format!("Loaded from legacy {}", Sort::of(place).name());
        Self {
            meta,
            events: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn push(&mut self, file: &RelPath, line: u64, ts: &str, kind: EventKind, payload: Tree) {
        self.events.push(Located {
            event: Event::new(ts, kind, payload),
            file: file.clone(),
            line,
        });
    }

    fn say(&mut self, file: &RelPath, line: u64, ts: &str, kind: EventKind, content: &str) {
        let payload = Tree::object([("content", content)]);
        self.push(file, line, ts, kind, payload);
    }

    /// The transcript that a canonical session has of it. A session in which nothing was said yet begins, like any
    /// other, with what it was for.
    pub(super) fn lines(&self) -> String {
        if self.events.is_empty() && !self.meta.initial_prompt.is_empty() {
            let payload = Tree::object([("content", self.meta.initial_prompt.as_str())]);
            // Of the time it was last worked on: that is what lists go by.
            return to_line(&self.meta.updated_at, EventKind::UserMessage, payload);
        }
        self.events
            .iter()
            .map(|located| located.event.line())
            .collect()
    }

    /// The origin is kept where the format has room for words.
    fn record_origin(&mut self, place: &Place) {
        let reason = &mut self.meta.about.router_reason;
        *reason = format!("{reason} (migrated from {})", place.path);
        let last = self
            .events
            .last()
            .map(|located| located.event.ts().into_owned());
        if let Some(last) = last.filter(|ts| !ts.is_empty()) {
            self.meta.updated_at = last;
        }
    }
}

/// Reads an older session.
pub(super) fn load(files: &dyn ReadDisk, place: &Place) -> Result<Converted> {
    let mut converted = Converted::new(place);
    match Sort::of(place) {
        Sort::WorkSession => work_session::convert(files, place, &mut converted)?,
        Sort::Artifact => artifact::convert(files, place, &mut converted)?,
        Sort::Transcript => transcript::convert(files, place, &mut converted)?,
        Sort::Canonical => {}
    }
    converted.record_origin(place);
    Ok(converted)
}

/// Reads a file that must be one JSON object; what is wrong with it is a problem.
fn object(
    files: &dyn ReadDisk,
    path: &RelPath,
    problems: &mut Vec<Problem>,
) -> Result<Option<Doc>> {
    let Some((bytes, _)) = files.read(path)? else {
        return Ok(None);
    };
    match Doc::from_bytes(bytes).and_then(|doc| Doc::parse_object(doc.into_text())) {
        Ok(doc) => Ok(Some(doc)),
        Err(error) => {
            let problem = Problem::new(NOT_A_SESSION, path.clone())
                .line(error.line as u64)
                .found(format!("column {}: {}", error.column, error.message))
                .manual("mend the file by hand; it is only read here");
            problems.push(problem);
            Ok(None)
        }
    }
}

/// The text of a member; empty when there is none.
fn text(value: Value<'_>, key: &str) -> String {
    let found = value.get(key).and_then(|value| value.str());
    found.map(std::borrow::Cow::into_owned).unwrap_or_default()
}

/// True for a file that lies where the earlier replay transcripts do.
fn is_in_fixtures(path: &RelPath) -> bool {
    path.is_within(&fixed(TRANSCRIPTS))
}

/// The payload of a `final_json` out of whatever stood in its place: brought into form where that is possible, else kept,
/// so that a replay can say what is wrong with it.
fn final_payload(value: Value<'_>) -> Tree {
    use crate::text::json::Kind;
    let text = value.str();
    let found = super::answer::payload(text.as_deref().unwrap_or_else(|| value.raw()));
    match found {
        Ok((payload, _)) => payload,
        Err(_) if value.kind() == Kind::Object => Tree::from(value),
        Err(_) => Tree::object([("patch_operations", Tree::from(value))]),
    }
}
