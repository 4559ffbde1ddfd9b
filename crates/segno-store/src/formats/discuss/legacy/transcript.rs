//! The first replay transcripts: `{"event": ..., ...}` lines, one JSON document, or the raw answer of an engine.

use segno_disk::{ReadDisk, RelPath};

use super::{Converted, final_payload, is_in_fixtures, object, text};
use crate::error::Result;
use crate::formats::Place;
use crate::formats::discuss::schema::{Contract, EventKind};
use crate::formats::discuss::{BAD_LINE, answer};
use crate::session::{Problem, Timestamp};
use crate::text::json::{Doc, Kind, Value};
use crate::text::jsonl::Lines;

/// The keys that the operations may stand under; the last of them that a line has is taken.
const FINAL_KEYS: [&str; 4] = ["json", "payload", "final", "final_json"];

/// True for a file that is such a transcript. Only as much is read as it takes to tell.
pub(in super::super) fn is_transcript(files: &dyn ReadDisk, path: &RelPath) -> Result<bool> {
    let name = path.name();
    if ends_in(name, "jsonl") {
        let file = files.open(path)?;
        let mut lines = Lines::new(file.as_ref());
        let first = lines.next()?;
        return Ok(first.is_some_and(|line| {
            let doc = line.json.ok().and_then(|text| Doc::parse(text).ok());
            doc.is_some_and(|doc| doc.get("event").is_some())
        }));
    }
    if ends_in(name, "json") {
        let doc = object(files, path, &mut Vec::new())?;
        return Ok(doc.is_some_and(|doc| operations(&doc).is_some()));
    }
    Ok(is_in_fixtures(path))
}

/// The operations of a document, wherever it keeps them.
fn operations(doc: &Doc) -> Option<Value<'_>> {
    doc.get("final_json")
        .or_else(|| doc.get(["transcript", "final_json"]))
        .or_else(|| doc.get("patch_operations").map(|_| doc.root()))
}

pub(super) fn convert(files: &dyn ReadDisk, place: &Place, out: &mut Converted) -> Result<()> {
    let path = &place.path;
    let name = path.name();
    if ends_in(name, "jsonl") {
        lines(files, path, out)?;
    } else if ends_in(name, "json") {
        if let Some(doc) = object(files, path, &mut out.problems)? {
            hint(out, doc.root());
            let content = doc.get("content").and_then(|content| content.str());
            match (operations(&doc), content) {
                (None, Some(answer)) => raw(&answer, &text(doc.root(), "timestamp"), path, out),
                (found, _) => {
                    let payload = final_payload(found.unwrap_or_else(|| doc.root()));
                    out.push(path, 1, "", EventKind::FinalJson, payload);
                }
            }
        }
    } else if let Some((bytes, _)) = files.read(path)? {
        raw(&String::from_utf8_lossy(&bytes), "", path, out);
    }
    out.meta.final_json_present = out
        .events
        .iter()
        .any(|located| located.event.kind() == Some(EventKind::FinalJson));
    let said = out
        .events
        .iter()
        .find(|located| located.event.kind() == Some(EventKind::UserMessage));
    if let Some(said) = said {
        out.meta.initial_prompt = said.event.shown();
    }
    out.meta.contract_type.clone_into(&mut out.meta.about.kind);
    Ok(())
}

/// What an engine answered: the operations in it, or just what it said.
fn raw(answer: &str, written: &str, path: &RelPath, out: &mut Converted) {
    let ts = Timestamp::parse(written).map_or_else(|| written.to_owned(), |at| at.iso());
    out.meta.created_at.clone_from(&ts);
    if let Ok(found) = answer::payload(answer) {
        out.push(path, 1, &ts, EventKind::FinalJson, found.payload);
    } else {
        out.say(path, 1, &ts, EventKind::AssistantMessage, answer);
    }
}

fn hint(out: &mut Converted, value: Value<'_>) {
    let contract = text(value, "contract_type");
    if contract.parse::<Contract>().is_ok() {
        out.meta.contract_type = contract;
    }
}

fn lines(files: &dyn ReadDisk, path: &RelPath, out: &mut Converted) -> Result<()> {
    let file = files.open(path)?;
    let mut lines = Lines::new(file.as_ref());
    while let Some(line) = lines.next()? {
        let number = line.number;
        let read = match &line.json {
            Ok(text) => Doc::parse(*text).map_err(|error| error.to_string()),
            Err(fault) => Err(fault.to_string()),
        };
        match read {
            Ok(doc) => event(&doc, path, number, out),
            Err(why) => {
                let problem = Problem::new(BAD_LINE, path.clone())
                    .line(number)
                    .found(format!("line {number}: {why}"))
                    .manual("mend the line by hand; the file is only read here");
                out.problems.push(problem);
            }
        }
    }
    Ok(())
}

fn event(doc: &Doc, path: &RelPath, line: u64, out: &mut Converted) {
    let root = doc.root();
    if root.kind() != Kind::Object {
        return;
    }
    hint(out, root);
    let ts = [text(root, "ts"), text(root, "timestamp")].concat();
    let operations = FINAL_KEYS.iter().rev().find_map(|key| root.get(key));
    match (text(root, "event").as_str(), operations) {
        ("final_json" | "final" | "", Some(found)) => {
            let payload = final_payload(found);
            out.push(path, line, &ts, EventKind::FinalJson, payload);
        }
        (word, _) => {
            let kind = if word == "user" {
                EventKind::UserMessage
            } else {
                EventKind::AssistantMessage
            };
            out.say(path, line, &ts, kind, &text(root, "content"));
        }
    }
}

/// True when the name has this extension, in the lower case that these files are written with.
fn ends_in(name: &str, extension: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, end)| end == extension)
}
