//! A handover in the words that all kinds share: its card, its brief, its searchable entries.

use std::ops::ControlFlow;

use segno_disk::RelPath;

use super::buffer;
use super::document::{self, Handed, Mode};
use super::layout::{Layout, is_current};
use super::log;
use super::render::pipeline_text;
use super::resume::State;
use super::verdicts;
use crate::error::Result;
use crate::formats::{Context, Place};
use crate::session::{Brief, BriefSection, Card, Entry, EntryKind, Problem, Status, Timestamp};
use crate::text::markdown::Doc;

/// The row of a handover: the document, and the end of the log.
pub(super) fn card(cx: &Context<'_>, place: &Place) -> Result<Card> {
    let mut problems = Vec::new();
    let loaded = document::read_handed(cx, &Layout::document(place)?, &mut problems)?;
    let handed = loaded.map(|loaded| Handed::read(&loaded.doc));
    if !is_current(place) {
        return Ok(archive_card(place, handed.as_ref(), problems));
    }
    let layout = Layout::of(place)?;
    let (last, end) = log::recent(cx.files, &layout.decisions, 1)?;
    problems.extend(end.problems.iter().cloned());
    let waiting = document::read(cx, &layout.buffer, &mut problems)?;
    let waiting = waiting.map_or(0, |loaded| buffer::pending(&loaded.doc).len());
    let tracked = verdicts::active(cx, &layout, &mut problems)?.len();
    let generated = handed.as_ref().and_then(generated);
    let logged = last.into_iter().find_map(|entry| entry.at);
    Ok(Card {
        counts: vec![
            ("decisions", end.last()),
            ("knowledge", waiting as u64),
            ("tracked_reviews", tracked as u64),
        ],
        last_active: latest(cx, logged, generated),
        ..base(place, handed.as_ref(), problems)
    })
}

fn latest(
    cx: &Context<'_>,
    logged: Option<Timestamp>,
    generated: Option<Timestamp>,
) -> Option<Timestamp> {
    match (logged, generated) {
        // A day alone says less than a moment on that day or after it.
        (Some(logged), Some(day)) => {
            let later = day.cmp_in(&logged, cx.now.zone()).is_gt();
            Some(if later { day } else { logged })
        }
        (one, other) => one.or(other),
    }
}

fn generated(handed: &Handed) -> Option<Timestamp> {
    Timestamp::parse(handed.generated.as_deref()?)
}

fn archive_card(place: &Place, handed: Option<&Handed>, problems: Vec<Problem>) -> Card {
    let day: String = place.id.as_str().chars().take(10).collect();
    let archived = Timestamp::parse(&day);
    Card {
        status: Status::Completed,
        created: handed.and_then(generated),
        last_active: archived.or_else(|| handed.and_then(generated)),
        ..base(place, handed, problems)
    }
}

fn base(place: &Place, handed: Option<&Handed>, problems: Vec<Problem>) -> Card {
    let first = |text: Option<&String>| text.map(|text| first_line(text)).unwrap_or_default();
    let goal = first(handed.and_then(|handed| handed.goal.as_ref()));
    let title = if goal.is_empty() {
        "Session handover".to_owned()
    } else {
        goal
    };
    Card {
        kind: place.kind,
        id: place.id.clone(),
        title,
        status: match handed.map(|handed| handed.mode) {
            Some(Mode::Polished) => Status::Paused,
            Some(Mode::AutoDraft) | None => Status::Active,
        },
        raw_status: handed.map_or("", |handed| handed.mode.name()).to_owned(),
        position: first(handed.and_then(|handed| handed.next.as_ref())),
        summary: first(handed.and_then(|handed| handed.accomplished.as_ref())),
        created: None,
        last_active: None,
        path: place.path.clone(),
        counts: Vec::new(),
        problems,
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty());
    plain(line.unwrap_or_default().trim())
}

/// A line without its bullet and without marks of bold type.
fn plain(line: &str) -> String {
    let bullet = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
    bullet.unwrap_or(line).replace("**", "").trim().to_owned()
}

/// What a returning agent must read first. Nothing is written.
pub(super) fn brief(cx: &Context<'_>, place: &Place) -> Result<Brief> {
    let mut brief = Brief::new(card(cx, place)?);
    let state = if is_current(place) {
        State::read(cx, &Layout::of(place)?)?
    } else {
        archived(cx, place)?
    };
    if let Some(pipeline) = &state.pipeline {
        let lines = pipeline_text(pipeline);
        brief.state = lines
            .lines()
            .filter_map(|line| line.strip_prefix("- "))
            .map(ToOwned::to_owned)
            .collect();
        brief.sections.push(section("Pipeline", &lines));
    }
    for review in &state.reviews {
        let tracked = review.tracked.iter();
        let open =
            tracked.map(|tracked| format!("{} [{}] {tracked}", review.subject, review.batch));
        brief.open_questions.extend(open);
    }
    brief.decisions = state
        .decisions
        .iter()
        .map(super::decision::Decision::title)
        .collect();
    if let Some(handed) = &state.handed {
        brief.goal = handed.goal.clone().unwrap_or_default();
        brief.next.clone_from(&handed.next);
        for (title, text) in [
            ("Active Goals", &handed.goals),
            ("Key Decisions", &handed.decisions),
            ("Warnings", &handed.warnings),
            ("Tone and Nuance", &handed.tone),
            ("Steering Exceptions", &handed.exceptions),
            ("Accomplished", &handed.accomplished),
            ("Resume Instructions", &handed.instructions),
        ] {
            brief
                .sections
                .extend(text.as_ref().map(|text| section(title, text)));
        }
        let own = handed
            .others
            .iter()
            .map(|(title, text)| section(title, text));
        brief.sections.extend(own);
    }
    let knowledge: Vec<String> = state
        .knowledge
        .iter()
        .map(|piece| format!("- {} {}", piece.tag.mark(), piece.text))
        .chain(state.skills.iter().map(|skill| format!("- {skill}")))
        .collect();
    if !knowledge.is_empty() {
        brief
            .sections
            .push(section("Knowledge buffer", &knowledge.join("\n")));
    }
    brief.problems = state.problems;
    Ok(brief)
}

fn section(title: &str, text: &str) -> BriefSection {
    BriefSection {
        title: title.to_owned(),
        text: text.trim_end().to_owned(),
    }
}

fn archived(cx: &Context<'_>, place: &Place) -> Result<State> {
    let mut problems = Vec::new();
    let loaded = document::read_handed(cx, &place.path, &mut problems)?;
    Ok(State {
        first: false,
        handed: loaded.map(|loaded| Handed::read(&loaded.doc)),
        reviews: Vec::new(),
        decisions: Vec::new(),
        knowledge: Vec::new(),
        skills: Vec::new(),
        pipeline: None,
        problems,
    })
}

/// Every searchable unit: the sections of the document, and for the current handover the log and the buffer.
pub(super) fn entries(
    cx: &Context<'_>,
    place: &Place,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<()> {
    let mut problems = Vec::new();
    let path = Layout::document(place)?;
    if let Some(loaded) = document::read(cx, &path, &mut problems)?
        && sections(&loaded.doc, &path, sink).is_break()
    {
        return Ok(());
    }
    if !is_current(place) {
        return Ok(());
    }
    let layout = Layout::of(place)?;
    let mut flow = ControlFlow::Continue(());
    let end = log::end(cx.files, &layout.decisions)?;
    if end.valid > 0 {
        let file = cx.files.open(&layout.decisions)?;
        log::each_entry(file.as_ref(), end.valid, &mut |decision| {
            let mut text = decision.title();
            for (_, value) in &decision.fields {
                text.push('\n');
                text.push_str(value);
            }
            let mut entry = Entry::new(
                EntryKind::Decision,
                text,
                layout.decisions.clone(),
                decision.line,
            );
            entry.role = decision.field("Source").map(ToOwned::to_owned);
            flow = sink(entry.at(decision.at));
            flow
        })?;
    }
    if flow.is_break() {
        return Ok(());
    }
    if let Some(loaded) = document::read(cx, &layout.buffer, &mut problems)?
        && let Some(section) = loaded.doc.section(buffer::KNOWLEDGE)
    {
        for item in loaded.doc.items(section.own_body()) {
            let line = item.line as u64 + 1;
            let entry = Entry::new(EntryKind::Knowledge, item.text, layout.buffer.clone(), line);
            if sink(entry).is_break() {
                break;
            }
        }
    }
    Ok(())
}

fn sections(
    doc: &Doc,
    path: &RelPath,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for section in doc.sections() {
        let own = section.own_text();
        if own.is_empty() {
            continue;
        }
        let text = format!("{}\n{own}", section.title());
        let line = section.heading().line as u64 + 1;
        sink(Entry::new(EntryKind::Document, text, path.clone(), line))?;
    }
    ControlFlow::Continue(())
}
