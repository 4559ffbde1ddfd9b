//! The three older sorts of session, read into the shape of a canonical one. Nothing here is ever written back.

mod artifact;
mod breadcrumb;
mod transcript;
mod work_session;

use segno_disk::{FileKind, ReadDisk, RelPath};

use super::NOT_A_SESSION;
use super::event::{Event, to_line};
use super::meta::{self, Meta, ORIGIN};
use super::schema::EventKind;
use super::site::{Sort, TRANSCRIPTS, fixed};
use crate::error::Result;
use crate::formats::Place;
use crate::session::Problem;
use crate::text::json::{Doc, Tree, Value};

pub(super) use transcript::is_transcript;
pub(super) use work_session::{WorkSession, named, running};

/// Up to this size a file is read to tell whether it is a session at all.
const LOOKED_INTO: u64 = 1 << 20;

/// An older session in the shape of a canonical one.
#[derive(Debug)]
pub(super) struct Converted {
    pub(super) meta: Meta,
    pub(super) events: Vec<Located>,
    pub(super) problems: Vec<Problem>,
    /// What a work session says beyond what a discussion has a place for.
    pub(super) work_session: Option<Tree>,
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
            work_session: None,
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

    /// Keeps what a work session says of itself: with its first event, which is where a canonical session has it too.
    fn keep_of_work_session(&mut self, more: Option<Tree>) {
        let Some(more) = more else { return };
        if let Some(first) = self.events.first_mut() {
            first.event = first.event.with("work_session", more.clone());
        }
        self.work_session = Some(more);
    }

    /// The transcript that a canonical session has of it. A session in which nothing was said yet begins, like any
    /// other, with what it was for.
    pub(super) fn lines(&self) -> String {
        if self.events.is_empty() && !self.meta.initial_prompt.is_empty() {
            let mut payload = vec![("content", Tree::from(self.meta.initial_prompt.as_str()))];
            payload.extend(self.work_session.clone().map(|more| ("work_session", more)));
            let payload = Tree::object(payload);
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
        *reason = format!("{reason}{ORIGIN}{})", place.path);
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

/// True for a file that only has the name of an older session: another program wrote it. One that cannot be read, or is too
/// long to be looked into here, may be one.
pub(super) fn is_foreign(files: &dyn ReadDisk, place: &Place) -> Result<bool> {
    let is_ours: fn(&Doc) -> bool = match Sort::of(place) {
        Sort::WorkSession => work_session::is_work_session,
        Sort::Artifact => artifact::is_artifact,
        Sort::Transcript | Sort::Canonical => return Ok(false),
    };
    let stat = files.stat(&place.path)?;
    if stat.is_none_or(|stat| stat.kind != FileKind::File || stat.len > LOOKED_INTO) {
        return Ok(false);
    }
    let doc = object(files, &place.path, &mut Vec::new())?;
    Ok(doc.is_some_and(|doc| !is_ours(&doc)))
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
        Ok(found) => found.payload,
        Err(_) if value.kind() == Kind::Object => Tree::respelt(value),
        Err(_) => Tree::object([("patch_operations", Tree::respelt(value))]),
    }
}
