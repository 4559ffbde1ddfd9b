//! Artifacts: `<id>_results.json` in both generations, the older one with its talk in a text file beside it.

use segno_disk::ReadDisk;

use super::{Converted, object, text};
use crate::error::Result;
use crate::formats::Place;
use crate::formats::discuss::NOT_A_SESSION;
use crate::formats::discuss::schema::EventKind;
use crate::session::Problem;
use crate::text::json::{Doc, Kind, Tree};

/// Other programs write results too.
pub(super) fn is_artifact(doc: &Doc) -> bool {
    doc.get("patch_operations").is_some() || doc.get("contract_type").is_some()
}

pub(super) fn convert(files: &dyn ReadDisk, place: &Place, out: &mut Converted) -> Result<()> {
    let Some(doc) = object(files, &place.path, &mut out.problems)? else {
        return Ok(());
    };
    let root = doc.root();
    if !is_artifact(&doc) {
        let problem = Problem::new(NOT_A_SESSION, place.path.clone())
            .found("a results file, but neither patch_operations nor contract_type is in it")
            .manual("it belongs to another program; nothing needs to be done");
        out.problems.push(problem);
        return Ok(());
    }
    let meta = &mut out.meta;
    let ts = text(root, "timestamp");
    meta.created_at.clone_from(&ts);
    meta.updated_at.clone_from(&ts);
    for (own, key) in [
        (&mut meta.engine, "engine"),
        (&mut meta.model, "model"),
        (&mut meta.contract_type, "contract_type"),
        (&mut meta.initial_prompt, "initial_prompt"),
    ] {
        let found = text(root, key);
        if !found.is_empty() {
            *own = found;
        }
    }
    let context = root.get("context");
    let kind = context
        .map(|context| text(context, "kind"))
        .unwrap_or_default();
    if kind.is_empty() {
        // The older generation knew no context: its contract says what it was about.
        meta.contract_type.clone_into(&mut meta.about.kind);
    } else if let Some(context) = context {
        meta.about.kind = kind;
        meta.about.reference = Some(text(context, "ref")).filter(|id| !id.is_empty());
        let reason = text(context, "router_reason");
        if !reason.is_empty() {
            meta.about.router_reason = reason;
        }
    }
    let status = text(root, "status");
    let closed = matches!(status.as_str(), "applied" | "cancelled" | "dry_run");
    if closed { "closed" } else { "open" }.clone_into(&mut meta.status);
    let prompt = meta.initial_prompt.clone();
    out.say(&place.path, 1, &ts, EventKind::UserMessage, &prompt);
    talk(files, place, &ts, out)?;
    // The newer generation repeats them inside its transcript.
    let inside = |key: &str| root.get("transcript").and_then(|talk| talk.get(key));
    let operations = root
        .get("patch_operations")
        .or_else(|| inside("patch_operations"))
        .or_else(|| inside("final_json")?.get("patch_operations"));
    let operations = operations.filter(|list| list.kind() != Kind::Array || list.item(0).is_some());
    if let Some(operations) = operations.filter(|list| !list.is_null()) {
        let payload = Tree::object([("patch_operations", Tree::respelt(operations))]);
        out.push(&place.path, 1, &ts, EventKind::FinalJson, payload);
        out.meta.final_json_present = true;
    }
    let applied_at = text(root, "applied_at");
    let at = if applied_at.is_empty() {
        &ts
    } else {
        &applied_at
    };
    let message = text(root, "error_message");
    if !message.is_empty() {
        let payload = Tree::object([("message", message)]);
        out.push(&place.path, 1, at, EventKind::Error, payload);
    }
    if status == "applied" {
        let applied = root
            .get("applied_operations")
            .map_or(0, |list| list.items().count());
        let payload = Tree::object([
            ("dry_run", Tree::from(false)),
            ("result", Tree::from("REPLAY_OK")),
            ("ops_count", Tree::from(applied)),
        ]);
        out.push(&place.path, 1, at, EventKind::ReplayRun, payload);
    }
    Ok(())
}

/// The talk of the older generation, as one text.
fn talk(files: &dyn ReadDisk, place: &Place, ts: &str, out: &mut Converted) -> Result<()> {
    let dir = place.path.parent().unwrap_or_default();
    let path = dir.join_name(&format!("{}_transcript.txt", place.id))?;
    if let Some((bytes, _)) = files.read(&path)? {
        let talk = String::from_utf8_lossy(&bytes);
        if !talk.trim().is_empty() {
            out.say(&path, 1, ts, EventKind::AssistantMessage, &talk);
        }
    }
    Ok(())
}
