//! Breadcrumbs of work sessions: one file per turn, at any depth.

use segno_disk::{FileKind, ReadDisk, RelPath};

use super::{Converted, text};
use crate::error::Result;
use crate::formats::discuss::answer;
use crate::formats::discuss::schema::EventKind;
use crate::session::Timestamp;
use crate::text::json::{Doc, Entry, Kind, Tree, Value};

/// How deep breadcrumbs are looked for.
const DEPTH: usize = 8;

/// What of a breadcrumb has a place of its own in a turn.
const TURN: [&str; 8] = [
    "timestamp",
    "prompt",
    "response",
    "model_used",
    "error",
    "breadcrumb_id",
    "parent_session_id",
    "depth_level",
];

/// What a chat adds behind `/done` by itself.
const ASKED_FOR: &str = "Please respond with a JSON object";

/// The files of breadcrumbs below a directory.
pub(super) fn files(
    files: &dyn ReadDisk,
    dir: &RelPath,
    depth: usize,
    found: &mut Vec<RelPath>,
) -> Result<()> {
    for entry in files.list(dir)? {
        let Ok(path) = dir.join_name(&entry.name) else {
            continue;
        };
        match entry.kind {
            FileKind::Dir if depth < DEPTH => self::files(files, &path, depth + 1, found)?,
            FileKind::File
                if path
                    .name()
                    .rsplit_once('.')
                    .is_some_and(|(_, end)| end == "json") =>
            {
                found.push(path);
            }
            _ => {}
        }
    }
    Ok(())
}

/// One breadcrumb is a turn of the user and one of the engine; the answer to `/done` is what the discussion ended in, and
/// a turn as well where it says more than that.
pub(super) fn turn(crumb: &Doc, path: &RelPath, out: &mut Converted) {
    let root = crumb.root();
    let written = text(root, "timestamp");
    let ts = Timestamp::parse(&written).map_or(written, |at| at.iso());
    let (mut prompt, mut response) = (text(root, "prompt"), text(root, "response"));
    let mut more = more_of(root, &TURN);
    let model = text(root, "model_used");
    if !model.is_empty() && !response.is_empty() {
        out.meta.model.clone_from(&model);
    }
    let mut ended = None;
    if let Some(behind) = behind_done(&prompt)
        && let Ok(found) = answer::payload(&response)
    {
        if behind.is_empty() || behind.starts_with(ASKED_FOR) {
            prompt.clear();
        }
        let mut payload = found.payload;
        if answer::is_only_json(&response) {
            response.clear();
            if let (Tree::Object(members), Some(more)) = (&mut payload, more.take()) {
                members.push(("breadcrumb".to_owned(), more));
            }
        }
        ended = Some(payload);
    }
    if !prompt.is_empty() {
        let mut payload = vec![("content", Tree::from(prompt))];
        // What else is known of a turn stands with what the engine did, where it did something.
        if response.is_empty() {
            payload.extend(more.take().map(|more| ("breadcrumb", more)));
        }
        out.push(path, 1, &ts, EventKind::UserMessage, Tree::object(payload));
    }
    if !response.is_empty() || more.is_some() {
        let mut payload = vec![("content", Tree::from(response))];
        if !model.is_empty() {
            payload.push(("model", Tree::from(model)));
        }
        payload.extend(more.map(|more| ("breadcrumb", more)));
        let payload = Tree::object(payload);
        out.push(path, 1, &ts, EventKind::AssistantMessage, payload);
    }
    let error = text(root, "error");
    if !error.is_empty() {
        let payload = Tree::object([("message", error)]);
        out.push(path, 1, &ts, EventKind::Error, payload);
    }
    if let Some(payload) = ended {
        out.push(path, 1, &ts, EventKind::FinalJson, payload);
        out.meta.final_json_present = true;
    }
}

/// What stands behind `/done` in a prompt that begins with it.
fn behind_done(prompt: &str) -> Option<&str> {
    let (word, behind) = prompt.trim().split_at_checked("/done".len())?;
    word.eq_ignore_ascii_case("/done").then(|| behind.trim())
}

/// What an object says beyond what is known of it: of a breadcrumb tools, files, tokens, cost, kind, tags. `None` when
/// there is nothing.
pub(super) fn more_of(object: Value<'_>, known: &[&str]) -> Option<Tree> {
    let says = |entry: &Entry<'_>| {
        let key = entry.key();
        let value = entry.value;
        let is_plain = key == "kind" && value.str().as_deref() == Some("note");
        let is_empty = match value.kind() {
            Kind::Null => true,
            Kind::Array => value.items().next().is_none(),
            Kind::Object => value.entries().next().is_none(),
            _ => value.str().is_some_and(|text| text.is_empty()),
        };
        !known.contains(&key.as_ref()) && !is_plain && !is_empty
    };
    let members: Vec<(String, Tree)> = object
        .entries()
        .filter(says)
        .map(|entry| (entry.key().into_owned(), Tree::respelt(entry.value)))
        .collect();
    (!members.is_empty()).then_some(Tree::Object(members))
}
