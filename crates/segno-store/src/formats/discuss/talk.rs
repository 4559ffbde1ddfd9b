//! The discussion itself: it begins, somebody says something, something goes wrong, it is closed.

use segno_disk::{Access, Basis, Change, RelPath, log};

use super::event::to_line;
use super::load::{self, Source};
use super::meta::{CachePolicy, Meta, prompt_hash};
use super::schema::{About, EventKind, Role};
use super::site::{self, Sort};
use super::surroundings::{diff_anchor, workspace_fingerprint};
use super::transcript::{self, End, LONGEST, Wanted};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::session::SessionId;
use crate::text::json::{Doc, Tree};

/// What a new discussion begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beginning {
    /// Its id, drawn by the caller.
    pub id: SessionId,
    /// What it is about, as the router chose.
    pub about: About,
    /// Its contract's name.
    pub contract: super::Contract,
    /// The work session it belongs to.
    pub wsession_id: Option<String>,
    /// The engine.
    pub engine: String,
    /// Its model.
    pub model: String,
    /// What the user asks for.
    pub prompt: String,
    /// How answers are kept for reuse, where somebody has said so.
    pub cache_policy: Option<CachePolicy>,
}

/// Begins a discussion: `meta.json`, then the first `user_message`, which makes it true.
pub fn start(cx: &Context<'_>, beginning: &Beginning) -> Result<Plan<Place>> {
    let place = site::canonical(&beginning.id)?;
    let tail = log::tail(cx.files, &site::transcript_path(&place)?)?;
    if tail.valid > 0 {
        return Err(StoreError::Exists {
            what: format!("the discussion `{}`", place.id),
            hint: "go on with it: `segno discuss say`".to_owned(),
        });
    }
    let now = cx.now.local_micros();
    let meta = Meta {
        session_id: beginning.id.to_string(),
        about: beginning.about.clone(),
        contract_type: beginning.contract.name().to_owned(),
        created_at: now.clone(),
        updated_at: now.clone(),
        status: "open".to_owned(),
        final_json_present: false,
        engine: beginning.engine.clone(),
        model: beginning.model.clone(),
        initial_prompt: beginning.prompt.clone(),
        wsession_id: beginning.wsession_id.clone(),
        cache_policy: beginning.cache_policy.clone(),
        prompt_hash: Some(prompt_hash(&beginning.about, &beginning.prompt)),
        diff_anchor: diff_anchor(cx.files),
        workspace_fingerprint: workspace_fingerprint(cx.files)?,
    };
    let payload = Tree::object([("content", beginning.prompt.as_str())]);
    let line = checked_line(&now, EventKind::UserMessage, payload)?;
    // Crash: before the line there is a meta.json alone, which nobody was told of; it holds the prompt.
    let meta_path = site::meta_path(&place)?;
    let text = meta.to_text().into_bytes();
    let path = site::transcript_path(&place)?;
    let transcript = tail.append(path, line.as_bytes(), Access::Private);
    let changes = vec![
        Change::replace(meta_path, text, Basis::Any, Access::Private),
        transcript,
    ];
    Ok(Plan::in_order(changes, place))
}

/// The changes that write a session that is new.
pub(super) fn new_session(place: &Place, meta: &Meta, lines: String) -> Result<Vec<Change>> {
    let write = |path: RelPath, text: String| {
        Change::replace(path, text.into_bytes(), Basis::Absent, Access::Private)
    };
    Ok(vec![
        write(site::transcript_path(place)?, lines),
        write(site::meta_path(place)?, meta.to_text()),
    ])
}

/// What was said, and to which session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// When, as it was written.
    pub ts: String,
}

/// Adds a turn to an open discussion. `model` says which model the engine answered with.
pub fn say(
    cx: &Context<'_>,
    place: &Place,
    role: Role,
    text: &str,
    model: Option<&str>,
) -> Result<Plan<Said>> {
    not_empty(text)?;
    writable(place)?;
    let end = end_of(cx, place, Wanted::LastStep)?;
    still_talking(cx, place, &end)?;
    let mut payload = vec![("content", Tree::from(text))];
    if let Some(model) = model {
        payload.push(("model", Tree::from(model)));
    }
    let kind = match role {
        Role::User => EventKind::UserMessage,
        Role::Assistant => EventKind::AssistantMessage,
    };
    append(cx, &end, kind, Tree::object(payload))
}

/// Records that something went wrong. Also in a session that has ended: nothing that happened is lost.
pub fn error(
    cx: &Context<'_>,
    place: &Place,
    message: &str,
    details: Option<&str>,
) -> Result<Plan<Said>> {
    not_empty(message)?;
    writable(place)?;
    let mut payload = vec![("message", Tree::from(message))];
    if let Some(details) = details {
        payload.push(("details", Tree::from(details)));
    }
    append(
        cx,
        &end_of(cx, place, Wanted::Tail)?,
        EventKind::Error,
        Tree::object(payload),
    )
}

fn not_empty(text: &str) -> Result<()> {
    if text.trim().is_empty() {
        return Err(StoreError::Invalid {
            what: "there is nothing to say: the text is empty".to_owned(),
            hints: vec!["give a text, or `--input FILE`".to_owned()],
        });
    }
    Ok(())
}

fn append(cx: &Context<'_>, end: &End, kind: EventKind, payload: Tree) -> Result<Plan<Said>> {
    let ts = cx.now.local_micros();
    let line = checked_line(&ts, kind, payload)?;
    // Crash: the line is the commit point. meta.json is not written: it follows when the discussion ends.
    Ok(Plan::in_order(vec![end.append(&line)], Said { ts }))
}

pub(super) fn end_of(cx: &Context<'_>, place: &Place, wanted: Wanted) -> Result<End> {
    transcript::end(cx.files, &site::transcript_path(place)?, wanted)
}

/// The change that adds lines behind the valid prefix of a transcript.
pub(super) fn append_lines(cx: &Context<'_>, place: &Place, lines: &str) -> Result<Change> {
    Ok(end_of(cx, place, Wanted::Tail)?.append(lines))
}

/// A line that can be read back.
pub(super) fn checked_line(ts: &str, kind: EventKind, payload: Tree) -> Result<String> {
    let line = to_line(ts, kind, payload);
    if line.len() > LONGEST {
        return Err(StoreError::Invalid {
            what: format!(
                "the {kind} takes {} MB as a line; at most {} MB can be kept",
                line.len() >> 20,
                LONGEST >> 20
            ),
            hints: vec!["say it in several parts".to_owned()],
        });
    }
    Ok(line)
}

/// Refuses to write to the older sorts.
pub(super) fn writable(place: &Place) -> Result<()> {
    let sort = Sort::of(place);
    if sort == Sort::Canonical {
        return Ok(());
    }
    Err(StoreError::Refused {
        rule: format!(
            "`{}` is an older {}: it is only read",
            place.id,
            sort.name()
        ),
        hints: vec![format!(
            "`segno migrate discuss/{}` makes a session of it that can go on",
            place.id
        )],
    })
}

/// Refuses a discussion that has ended. Reads nothing but `meta.json`, unless that contradicts the transcript.
pub(super) fn still_talking(cx: &Context<'_>, place: &Place, end: &End) -> Result<()> {
    let file = super::meta::read(cx.files, &site::meta_path(place)?, place.id.as_str())?;
    let final_json = match end.last_step {
        Some(EventKind::FinalJson) => true,
        // The transcript is the truth. All of it is asked only where meta.json contradicts its end.
        _ if file.meta.final_json_present => {
            transcript::summary(cx.files, &site::transcript_path(place)?)?.finals > 0
        }
        _ => false,
    };
    let why = if final_json {
        "has its final JSON: the discussion is over"
    } else if file.found.is_some() && !file.meta.is_open() {
        "is closed"
    } else {
        return Ok(());
    };
    let mut hints = vec!["begin another one with `segno discuss start`".to_owned()];
    if final_json && file.meta.is_open() {
        hints.insert(
            0,
            format!("apply it with `segno discuss replay {}`", place.id),
        );
    }
    Err(StoreError::Refused {
        rule: format!("the discussion `{}` {why}", place.id),
        hints,
    })
}

/// Closes a discussion without applying anything: the user said no.
pub fn close(cx: &Context<'_>, place: &Place) -> Result<Plan<()>> {
    writable(place)?;
    let loaded = load::load(cx, place)?;
    let edits = [
        ("status", Tree::from("closed")),
        ("updated_at", Tree::from(cx.now.local_micros())),
    ];
    let change = meta_change(&loaded, &edits)?;
    Ok(Plan::in_order(change.into_iter().collect(), ()))
}

/// The change that brings `meta.json` up to date; `None` when there is none to edit (recover writes it anew).
pub(super) fn meta_change(
    loaded: &load::Loaded,
    edits: &[(&'static str, Tree)],
) -> Result<Option<Change>> {
    let Source::Canonical(file) = &loaded.source else {
        return Ok(None);
    };
    let Some((doc, stamp)) = &file.found else {
        return Ok(None);
    };
    let mut doc: Doc = doc.clone();
    for (key, value) in edits {
        doc.set(*key, value.clone())
            .map_err(|error| StoreError::Refused {
                rule: format!("meta.json cannot be changed: {error}"),
                hints: Vec::new(),
            })?;
    }
    let path = site::meta_path(&loaded.place)?;
    let bytes = doc.into_text().into_bytes();
    let change = Change::replace(path, bytes, Basis::Version(*stamp), Access::Private);
    Ok(Some(change))
}
