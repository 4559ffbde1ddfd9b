//! Repairs: what can be known again is written anew, and what it replaces is kept beside it.

use std::ops::ControlFlow;

use segno_disk::{Access, Basis, Change, RelPath};

use super::super::{Context, Place, Plan, RecoverOptions, Recovery};
use super::document::type_in_id;
use super::find::is_date;
use super::lifecycle::summarise;
use super::state::{self, Fresh, State, StateFile, known_status};
use super::transcript::{Found, Transcript};
use super::types::default_command;
use super::{check, state_path};
use crate::error::Result;
use crate::session::{Problem, Repair, Status};
use crate::text::damage;
use crate::text::json::{Doc, Value, check_prefix};
use crate::text::jsonl::{Fault, Lines};

/// Repairs what [`check::check`] reports.
pub(super) fn recover(
    cx: &Context<'_>,
    place: &Place,
    options: &RecoverOptions,
) -> Result<Plan<Recovery>> {
    let state = state::read(cx, place)?;
    if let StateFile::Sound(state) = &state {
        state.refuse_newer(place)?;
    }
    let found = check::check(cx, place)?;
    if found
        .iter()
        .any(|problem| problem.code == damage::MERGE_CONFLICT)
    {
        // Which side of a merge is right is not for a program to say.
        return Ok(Plan::nothing(Recovery {
            left: found,
            ..Recovery::default()
        }));
    }
    let transcript = Transcript::open(cx, place)?;
    let mut recovery = Recovery::default();
    let mut changes = Vec::new();
    // Crash: the transcript is repaired first; a state that still lags behind it is found by the next check.
    let count = repair_transcript(cx, &transcript, options, &mut recovery, &mut changes)?;
    repair_state(
        cx,
        place,
        state,
        &transcript,
        count,
        options,
        &mut recovery,
        &mut changes,
    )?;
    recovery.left = left(found, options);
    Ok(Plan::in_order(changes, recovery))
}

/// What no repair was made for.
fn left(problems: Vec<Problem>, options: &RecoverOptions) -> Vec<Problem> {
    problems
        .into_iter()
        .filter(|problem| match &problem.repair {
            Repair::Manual(_) => true,
            Repair::Lossy(_) => options.safe_only,
            Repair::Safe(_) | Repair::None => false,
        })
        .collect()
}

/// Repairs the transcript and says how many messages it will have.
fn repair_transcript(
    cx: &Context<'_>,
    transcript: &Transcript,
    options: &RecoverOptions,
    recovery: &mut Recovery,
    changes: &mut Vec<Change>,
) -> Result<u64> {
    if !transcript.is_there() {
        if !options.safe_only {
            let path = transcript.path.clone();
            changes.push(Change::replace(
                path,
                Vec::new(),
                Basis::Absent,
                Access::Private,
            ));
            recovery.done.push("began an empty transcript".to_owned());
            recovery.unknown.push("what was said before".to_owned());
        }
        return Ok(0);
    }
    let repaired = rewritten(cx, transcript, options)?;
    if repaired.removed.is_empty() && repaired.parted.is_empty() {
        if transcript.tail.torn().is_some() {
            recovery
                .done
                .push("set aside a last line that broke off".to_owned());
            changes.push(
                transcript
                    .tail
                    .append(transcript.path.clone(), b"", Access::Private),
            );
        }
        return transcript.count();
    }
    let aside = free_name(cx, &transcript.path)?;
    recovery
        .done
        .push(format!("kept the transcript as it was in {aside}"));
    if !repaired.removed.is_empty() {
        let lines = numbers(&repaired.removed);
        recovery
            .done
            .push(format!("took out what could not be read: line {lines}"));
        recovery
            .unknown
            .push(format!("what line {lines} of the transcript said"));
    }
    if !repaired.parted.is_empty() {
        let lines = numbers(&repaired.parted);
        recovery.done.push(format!(
            "put each message of line {lines} on a line of its own"
        ));
    }
    let basis = match cx.files.stat(&transcript.path)? {
        Some(stat) => Basis::Version(stat.stamp()),
        None => Basis::Absent,
    };
    let change = Change::replace(
        transcript.path.clone(),
        repaired.bytes,
        basis,
        Access::Private,
    );
    changes.push(change.with_backup(aside));
    Ok(repaired.count)
}

/// A transcript without its damage.
#[derive(Default)]
struct Rewritten {
    bytes: Vec<u8>,
    count: u64,
    removed: Vec<u64>,
    parted: Vec<u64>,
}

fn rewritten(
    cx: &Context<'_>,
    transcript: &Transcript,
    options: &RecoverOptions,
) -> Result<Rewritten> {
    let mut new = Rewritten::default();
    if !is_damaged(transcript)? {
        return Ok(new);
    }
    let file = cx.files.open(&transcript.path)?;
    let mut lines = Lines::new(file.as_ref());
    while let Some(line) = lines.next()? {
        let torn = line.range.start >= transcript.tail.valid;
        let objects = line.objects();
        let keep = match &line.json {
            Ok(_) => true,
            Err(Fault::Spliced { torn: false, .. }) => false,
            Err(_) => options.safe_only && !torn,
        };
        if keep && line.bytes.is_empty() {
            // Too long to be read at once: copied as it is.
            let len = usize::try_from(line.range.end - line.range.start).unwrap_or(usize::MAX);
            let mut long = vec![0; len];
            file.read_full_at(line.range.start, &mut long)?;
            new.bytes.extend_from_slice(&long);
            new.bytes.push(b'\n');
            new.count += 1;
            continue;
        }
        if keep {
            new.bytes.extend_from_slice(line.bytes);
            new.bytes.push(b'\n');
            new.count += 1;
            continue;
        }
        for object in &objects {
            new.bytes.extend_from_slice(object.trim().as_bytes());
            new.bytes.push(b'\n');
            new.count += 1;
        }
        if matches!(&line.json, Err(Fault::Spliced { torn: false, .. })) {
            new.parted.push(line.number);
        } else {
            new.removed.push(line.number);
        }
    }
    Ok(new)
}

/// True when a line of the valid prefix cannot be read as it stands.
fn is_damaged(transcript: &Transcript) -> Result<bool> {
    let mut damaged = false;
    transcript.each(&mut |_, found| {
        damaged = matches!(found, Found::Fault(_));
        if damaged {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    Ok(damaged)
}

fn numbers(lines: &[u64]) -> String {
    let texts: Vec<String> = lines.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

#[expect(
    clippy::too_many_arguments,
    reason = "what was read, what is asked, and where it goes"
)]
fn repair_state(
    cx: &Context<'_>,
    place: &Place,
    state: StateFile,
    transcript: &Transcript,
    count: u64,
    options: &RecoverOptions,
    recovery: &mut Recovery,
    changes: &mut Vec<Change>,
) -> Result<()> {
    let path = state_path(place)?;
    match state {
        StateFile::Sound(state) => {
            changes.extend(repair_fields(
                cx, place, state, transcript, count, options, recovery,
            )?);
        }
        _ if options.safe_only => {}
        StateFile::Missing => {
            recovery
                .done
                .push("made the state anew from the directory and the messages".to_owned());
            let bytes = rebuilt(cx, place, b"", transcript, count, recovery)?;
            changes.push(Change::replace(path, bytes, Basis::Absent, Access::Private));
        }
        StateFile::Broken(broken) => {
            let aside = free_name(cx, &path)?;
            recovery
                .done
                .push(format!("kept the broken state in {aside}"));
            recovery.done.push(
                "made the state anew from what could be read of it, the directory and the messages"
                    .to_owned(),
            );
            let bytes = rebuilt(cx, place, &broken.bytes, transcript, count, recovery)?;
            let basis = Basis::Version(broken.stamp);
            changes.push(Change::replace(path, bytes, basis, Access::Private).with_backup(aside));
        }
    }
    Ok(())
}

/// Sets the fields right that can be known.
fn repair_fields(
    cx: &Context<'_>,
    place: &Place,
    mut state: State,
    transcript: &Transcript,
    count: u64,
    options: &RecoverOptions,
    recovery: &mut Recovery,
) -> Result<Option<Change>> {
    let mut changed = false;
    let raw = state.raw_status();
    let resting = state.status() != Status::Active;
    if known_status(&raw).is_none() && !options.safe_only {
        state.set("status", Status::Paused.name())?;
        recovery
            .done
            .push(format!("made the status `{raw}` paused"));
        recovery.unknown.push("which status it had".to_owned());
        changed = true;
    }
    let is_off = |said: u64| said < count || said > count && !options.safe_only;
    if resting && state.count().is_some_and(is_off) {
        state.set("message_count", count)?;
        recovery
            .done
            .push(format!("set `message_count` to {count}"));
        changed = true;
    }
    if !options.safe_only {
        let (first, last) = span(cx, place, transcript)?;
        for (key, is_right) in state.shapes() {
            if is_right {
                continue;
            }
            match key {
                "created_at" => state.set(key, first.as_str())?,
                "last_active" => state.set(key, last.as_str())?,
                _ => state.set(key, count)?,
            }
            recovery
                .done
                .push(format!("set `{key}` from the directory and the messages"));
            changed = true;
        }
    }
    if !changed {
        return Ok(None);
    }
    state.into_change(place).map(Some)
}

/// A state from what is left of the old one, the directory and the messages.
fn rebuilt(
    cx: &Context<'_>,
    place: &Place,
    old: &[u8],
    transcript: &Transcript,
    count: u64,
    recovery: &mut Recovery,
) -> Result<Vec<u8>> {
    let old = String::from_utf8_lossy(old);
    let (first, last) = span(cx, place, transcript)?;
    let kind = salvaged(&old, "conversation_type").unwrap_or_else(|| type_in_id(place.id.as_str()));
    let mut kept = |key: &str, what: &str| {
        let found = salvaged(&old, key);
        if found.is_none() {
            recovery.unknown.push(what.to_owned());
        }
        found.unwrap_or_default()
    };
    let status = kept("status", "whether it was active or completed: it is paused");
    let hash = kept("system_prompt_hash", "which instructions the agent had");
    let model = kept("model", "which model it was held with");
    let tools = salvaged_value(&old, "tools", |value| {
        let items = value
            .items()
            .filter_map(|item| Some(item.str()?.into_owned()));
        items.collect::<Vec<String>>()
    });
    if tools.is_none() {
        recovery
            .unknown
            .push("which tools the agent had".to_owned());
    }
    let summary = match salvaged(&old, "context_summary").filter(|text| !text.trim().is_empty()) {
        Some(summary) => summary,
        None => summarise(transcript)?,
    };
    let agent = salvaged(&old, "agent");
    let state = Fresh {
        id: place.path.name(),
        kind: &kind,
        status: known_status(&status).unwrap_or(Status::Paused),
        created: &salvaged(&old, "created_at").unwrap_or(first),
        last_active: &last,
        count,
        command: &salvaged(&old, "command").unwrap_or_else(|| default_command(&kind)),
        prompt_hash: &hash,
        model: &model,
        tools: &tools.unwrap_or_default(),
        agent: agent.as_deref(),
        summary: &summary,
    };
    Ok(state.to_bytes())
}

/// The text behind a key in what may be half a JSON file.
fn salvaged(text: &str, key: &str) -> Option<String> {
    salvaged_value(text, key, |value| {
        value.str().map(std::borrow::Cow::into_owned)
    })
    .flatten()
}

/// The first whole value behind a key in what may be half a JSON file.
fn salvaged_value<T>(text: &str, key: &str, read: impl FnOnce(Value<'_>) -> T) -> Option<T> {
    let (_, behind) = text.split_once(&format!("\"{key}\""))?;
    let value = behind.trim_start().strip_prefix(':')?.trim_start();
    let end = check_prefix(value.as_bytes()).ok()?;
    let doc = Doc::parse(value.get(..end)?).ok()?;
    Some(read(doc.root()))
}

/// When the conversation began and was last active: from its messages, else from its dated folder, else now.
fn span(cx: &Context<'_>, place: &Place, transcript: &Transcript) -> Result<(String, String)> {
    let mut first = None;
    transcript.each(&mut |_, found| {
        if let Found::Message(message) = found {
            first = message.timestamp();
        }
        if first.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    let dated = place.path.parent().unwrap_or_default();
    let day = (is_date(dated.name()) && dated.name().len() == 10)
        .then(|| format!("{}T00:00:00Z", dated.name()));
    let first = first.map(|at| at.raw().to_owned());
    let first = first.or(day).unwrap_or_else(|| cx.now.utc_seconds());
    let last = transcript.last()?.at.map(|at| at.raw().to_owned());
    let last = last.unwrap_or_else(|| first.clone());
    Ok((first, last))
}

/// A name beside the file under which what it was is kept.
fn free_name(cx: &Context<'_>, path: &RelPath) -> Result<RelPath> {
    let mut n = 1_u64;
    loop {
        let aside = path.with_suffix(&format!(".broken-{n}"))?;
        if cx.files.stat(&aside)?.is_none() {
            return Ok(aside);
        }
        n += 1;
    }
}
