//! What a session shows of itself: its card, its searchable entries, and what a returning agent reads first.

use std::fmt::Write as _;

use std::ops::ControlFlow;

use segno_disk::RelPath;

use super::META_LAGS;
use super::event::Event;
use super::load::{self, Loaded, Source};
use super::meta::{self, Meta, ORIGIN};
use super::ops::parse_all;
use super::schema::{EventKind, OpType};
use super::site::{self, Sort};
use super::transcript::{self, Seen, Wanted};
use crate::error::Result;
use crate::formats::{Context, Place};
use crate::session::{
    Brief, BriefSection, Card, Entry, EntryKind, Kind, LineMark, Problem, Status, Timestamp, Turn,
};
use crate::text::json::{Doc, Style, Value};

/// The longest title in a list, in characters.
const TITLE: usize = 80;

/// Up to this size a transcript is read whole for its card; of a longer one, only the last line.
const COUNTED: u64 = 1 << 20;

/// A session in one row. Its counts are left out where they would cost reading a long transcript.
pub(super) fn card(cx: &Context<'_>, place: &Place) -> Result<Card> {
    if Sort::of(place) == Sort::Canonical {
        let stat = cx.files.stat(&site::transcript_path(place)?)?;
        if stat.is_some_and(|stat| stat.len > COUNTED) {
            return card_by_last_line(cx, place);
        }
    }
    let loaded = load::load(cx, place)?;
    Ok(card_of_loaded(place, &loaded))
}

fn card_of_loaded(place: &Place, loaded: &Loaded) -> Card {
    let summary = &loaded.summary;
    let mut card = card_of(
        place,
        &loaded.meta,
        summary.last_ts.as_deref(),
        loaded.problems.clone(),
    );
    card.counts = vec![
        ("turns", summary.turns),
        ("operations", summary.operations()),
        ("replays", summary.replays),
    ];
    card
}

/// The same, from `meta.json` and the last line only: its cost does not grow with the transcript.
pub(super) fn card_by_last_line(cx: &Context<'_>, place: &Place) -> Result<Card> {
    let file = meta::read(cx.files, &site::meta_path(place)?, place.id.as_str())?;
    let path = site::transcript_path(place)?;
    let (mut meta, mut problems) = (file.meta, file.problems);
    let last = transcript::end(cx.files, &path, Wanted::LastEvent)?.last;
    let ts = last.as_ref().map(|event| event.ts().into_owned());
    if let Some(last) = &last {
        let ended = last.kind() == Some(EventKind::FinalJson) || last.is_applied_run();
        let lags = (ended && !meta.final_json_present) || (last.is_applied_run() && meta.is_open());
        if lags && file.found.is_some() {
            problems.push(
                Problem::new(META_LAGS, site::meta_path(place)?)
                    .found("it does not say yet what the transcript does")
                    .safe("bring it up to date from the transcript"),
            );
        }
        meta.final_json_present |= ended;
        if last.is_applied_run() {
            "closed".clone_into(&mut meta.status);
        }
    }
    Ok(card_of(place, &meta, ts.as_deref(), problems))
}

fn card_of(place: &Place, meta: &Meta, last: Option<&str>, problems: Vec<Problem>) -> Card {
    let sort = Sort::of(place);
    let created = Timestamp::parse(&meta.created_at);
    let last = last.and_then(Timestamp::parse);
    let last_active = last
        .or_else(|| Timestamp::parse(&meta.updated_at))
        .or_else(|| created.clone());
    let mut position = if !meta.is_open() {
        "closed".to_owned()
    } else if meta.final_json_present {
        "final JSON, to be replayed".to_owned()
    } else {
        "in discussion".to_owned()
    };
    if sort != Sort::Canonical {
        position = format!("{position} ({})", sort.name());
    }
    Card {
        kind: Kind::Discuss,
        id: place.id.clone(),
        title: title(meta, place),
        status: if meta.is_open() {
            Status::Active
        } else {
            Status::Completed
        },
        raw_status: meta.status.clone(),
        position,
        summary: format!("{}, {} contract", meta.about.shown(), meta.contract_type),
        created,
        last_active,
        path: place.path.clone(),
        counts: Vec::new(),
        problems,
    }
}

fn title(meta: &Meta, place: &Place) -> String {
    let line = meta
        .initial_prompt
        .lines()
        .find(|line| !line.trim().is_empty());
    match line.map(str::trim) {
        None => place.id.to_string(),
        Some(line) if line.chars().count() <= TITLE => line.to_owned(),
        Some(line) => {
            let cut: String = line.chars().take(TITLE - 1).collect();
            format!("{cut}\u{2026}")
        }
    }
}

/// Every event as a searchable unit.
pub(super) fn entries(
    cx: &Context<'_>,
    place: &Place,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<()> {
    if Sort::of(place) == Sort::Canonical {
        return entries_from(cx, place, LineMark::default(), sink);
    }
    load::events(cx, place, &mut |event, file, line| {
        sink(entry(&event, file, line))
    })
}

/// The searchable units of a canonical session behind a mark.
pub(super) fn entries_from(
    cx: &Context<'_>,
    place: &Place,
    from: LineMark,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<()> {
    let path = site::transcript_path(place)?;
    transcript::walk_from(cx.files, &path, from, &mut |seen, offset| match seen {
        Seen::Event(event, line) => sink(entry(&event, path.clone(), line).at_byte(offset)),
        Seen::Problem(_) => ControlFlow::Continue(()),
    })
}

fn entry(event: &Event, file: RelPath, line: u64) -> Entry {
    let (kind, role) = match event.kind() {
        Some(EventKind::UserMessage) => (EntryKind::Message, Some("user")),
        Some(EventKind::AssistantMessage) => (EntryKind::Message, Some("assistant")),
        Some(EventKind::FinalJson) => (EntryKind::Decision, None),
        _ => (EntryKind::Event, None),
    };
    let mut entry = Entry::new(kind, event.shown(), file, line).at(event.at());
    entry.role = role.map(str::to_owned);
    entry
}

/// What a returning agent reads first: context, contract, what is decided, the last turns.
pub(super) fn brief(cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
    let loaded = load::load(cx, place)?;
    let mut brief = Brief::new(card_of_loaded(place, &loaded));
    brief.goal.clone_from(&loaded.meta.initial_prompt);
    brief.state = state(&loaded);
    brief.decisions = decisions(&loaded);
    brief.next = Some(next(&loaded, place));
    brief.sections = vec![contract_section(&loaded.meta)];
    brief.problems.clone_from(&loaded.problems);
    if let Source::Older(converted) = &loaded.source
        && converted.events.is_empty()
        && let Some(more) = &converted.work_session
        && let Ok(doc) = Doc::parse(more.to_text(Style::SPACED))
    {
        of_work_session(doc.root(), &mut brief.state);
    }
    load::events(cx, place, &mut |event, _, _| {
        if let Some(more) = event.payload().get("work_session") {
            of_work_session(more, &mut brief.state);
        }
        let role = match event.kind() {
            Some(EventKind::UserMessage) => "user",
            Some(EventKind::AssistantMessage) => "assistant",
            Some(EventKind::Error) => "error",
            _ => return ControlFlow::Continue(()),
        };
        brief.turns.push(Turn {
            role: role.to_owned(),
            text: event.shown(),
            at: event.at(),
        });
        ControlFlow::Continue(())
    })?;
    if let Some(budget) = budget {
        brief.fit(budget);
    }
    Ok(brief)
}

fn state(loaded: &Loaded) -> Vec<String> {
    let meta = &loaded.meta;
    let mut reason = meta.about.router_reason.as_str();
    if matches!(loaded.source, Source::Older(_)) {
        // What a migration would write of it is not true yet.
        reason = reason.rsplit_once(ORIGIN).map_or(reason, |(said, _)| said);
    }
    let mut state = vec![
        format!("context: {}", meta.about.shown()),
        format!("chosen because: {reason}"),
        format!("status: {}", meta.status),
        format!("engine: {}, model: {}", meta.engine, meta.model),
        format!("turns: {}", loaded.summary.turns),
    ];
    if let Some(run) = loaded.summary.runs.last() {
        state.push(format!("replayed: {} at {}", run.shown(), run.ts()));
    }
    state
}

/// What a work session said of itself, a line each.
fn of_work_session(more: Value<'_>, state: &mut Vec<String>) {
    for entry in more.entries() {
        let said = entry.value.str();
        let said = said.as_deref().unwrap_or_else(|| entry.value.raw());
        let key = entry.key().replace('_', " ");
        state.push(format!("work session, {key}: {said}"));
    }
}

fn decisions(loaded: &Loaded) -> Vec<String> {
    let Some(event) = &loaded.summary.last_final else {
        return Vec::new();
    };
    let Some(list) = event.payload().get("patch_operations") else {
        return Vec::new();
    };
    match parse_all(list) {
        Err(failure) => vec![failure.message],
        Ok(_) => list
            .items()
            .map(|operation| {
                let word = operation.get("op_type").and_then(|word| word.str());
                let data = operation
                    .get("data")
                    .map(|data| data.raw())
                    .unwrap_or_default();
                format!("{} {data}", word.unwrap_or_default())
            })
            .collect(),
    }
}

fn next(loaded: &Loaded, place: &Place) -> String {
    let id = &place.id;
    if loaded.summary.applied {
        "nothing: the operations are applied".to_owned()
    } else if loaded.meta.final_json_present {
        format!(
            "look at the changes with `segno discuss replay {id} --dry-run`, apply them without it"
        )
    } else if matches!(loaded.source, Source::Older(_)) && loaded.meta.is_open() {
        format!(
            "it is only read: `segno migrate discuss/{id}` makes a session of it that can go on"
        )
    } else if loaded.meta.is_open() {
        format!(
            "go on with `segno discuss say {id}` or `segno discuss chat {id}`; end with `segno discuss done {id}`"
        )
    } else {
        "nothing: the discussion is closed".to_owned()
    }
}

fn contract_section(meta: &Meta) -> BriefSection {
    let allowed = meta
        .contract()
        .map(super::Contract::allowed)
        .unwrap_or_default();
    let mut text = format!(
        "The discussion ends in JSON: {FINAL_SHAPE}\nOperations of the {} contract:",
        meta.contract_type
    );
    for op in allowed {
        let _ = write!(text, "\n- {op}: {}", data_of(op));
    }
    if let Some(prefixes) = meta.subject().and_then(super::Subject::prefixes) {
        let _ = write!(text, "\nIn this context only: {}.", prefixes.join(", "));
    }
    BriefSection {
        title: "Contract".to_owned(),
        text,
    }
}

/// What the end of a discussion looks like.
pub const FINAL_SHAPE: &str = r#"{"patch_operations": [{"op_type": "...", "data": {...}}]}"#;

/// What the data of an operation holds, for those who write one.
pub const fn data_of(op: OpType) -> &'static str {
    match op {
        OpType::AddTrack => "track_name, optional track_id",
        OpType::AddPhase => "phase_name, track_id (or track_name), optional phase_id",
        OpType::AddTask => "task_name, phase_id (or phase_name and track_id), optional task_id",
        OpType::MoveTask => "task_id, source_phase_id, target_phase_id",
        OpType::EditTaskFields => "task_id, fields {name: value}",
        OpType::MarkDone | OpType::MarkTodo => "item_id, optional item_type task, phase or track",
    }
}
