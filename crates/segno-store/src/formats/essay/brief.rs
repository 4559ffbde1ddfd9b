//! What a returning agent must read first, taken from the artifacts.

use std::fmt::Write as _;

use super::artifact::{Outline, Thesis};
use super::evidence::{self, Evidence};
use super::load::Session;
use super::names::{OUTLINE, THESIS};
use super::overview::overview;
use super::position::{anchor, next, position};
use super::schema::{Progress, RunStatus, Stage};
use super::state::State;
use super::validate::Subject;
use crate::error::Result;
use crate::formats::{Context, Place};
use crate::session::{Brief, BriefSection, Card, Kind, Problem, Status, Timestamp};

/// What a person calls it: the outline's title, else the thesis, else its id.
pub(super) fn title(cx: &Context<'_>, session: &Session) -> Result<String> {
    let state = &session.state;
    if let Some(raw) = state.outline.file.as_deref()
        && let Ok(path) = session.artifact(Some(raw), OUTLINE)
        && let Some((bytes, _)) = cx.files.read(&path)?
    {
        let title = Outline::read(&String::from_utf8_lossy(&bytes)).title;
        if !title.is_empty() {
            return Ok(title);
        }
    }
    if let Some(raw) = state.thesis.file.as_deref()
        && let Ok(path) = session.artifact(Some(raw), THESIS)
        && let Some((bytes, _)) = cx.files.read(&path)?
    {
        let statement = Thesis::read(&String::from_utf8_lossy(&bytes)).statement;
        if !statement.is_empty() {
            return Ok(statement);
        }
    }
    Ok(session.place.id.to_string())
}

/// The session in one row.
pub(super) fn card(cx: &Context<'_>, place: &Place) -> Result<Card> {
    let session = match Session::try_open(cx, place)? {
        Ok(session) => session,
        Err(problems) => return Ok(damaged_card(cx, place, problems)),
    };
    let subject = Subject {
        cx,
        dir: session.dir(),
        state: &session.state,
        files: &session.files,
    };
    let mut problems = session.problems.clone();
    problems.extend(subject.table());
    let state = &session.state;
    let time = |raw: &Option<String>| raw.as_deref().and_then(Timestamp::parse);
    let paragraphs = state
        .writing
        .sections
        .iter()
        .filter_map(|row| row.completed)
        .sum();
    Ok(Card {
        kind: Kind::Essay,
        id: place.id.clone(),
        title: title(cx, &session)?,
        status: status(state),
        raw_status: state
            .status
            .map(RunStatus::name)
            .unwrap_or_default()
            .to_owned(),
        position: position(state),
        summary: line(state),
        created: time(&state.started_at),
        last_active: time(&state.last_activity),
        path: place.path.clone(),
        counts: vec![
            ("sections", state.total_sections().unwrap_or(0)),
            ("paragraphs", paragraphs),
            ("open_claims", state.open_claims().count() as u64),
            ("revisions", state.revisions.len() as u64),
        ],
        problems,
    })
}

fn damaged_card(cx: &Context<'_>, place: &Place, problems: Vec<Problem>) -> Card {
    let problems = super::recover::unreadable(cx, place, problems.clone()).unwrap_or(problems);
    let named = super::names::time_of(place.id.as_str());
    Card {
        kind: Kind::Essay,
        id: place.id.clone(),
        title: place.id.to_string(),
        status: Status::Paused,
        raw_status: String::new(),
        position: String::new(),
        summary: String::new(),
        created: named.and_then(Timestamp::parse),
        last_active: None,
        path: place.path.clone(),
        counts: Vec::new(),
        problems,
    }
}

fn status(state: &State) -> Status {
    match state.status {
        Some(RunStatus::Paused) => Status::Paused,
        Some(RunStatus::Completed) => Status::Completed,
        Some(RunStatus::Abandoned) => Status::Abandoned,
        _ => Status::Active,
    }
}

/// What is done, in a line.
fn line(state: &State) -> String {
    let done = Stage::ALL
        .into_iter()
        .filter(|stage| state.stage(*stage) == Progress::Completed);
    let done: Vec<String> = done.map(|stage| stage.title().to_lowercase()).collect();
    if done.is_empty() {
        return "no stage is completed yet".to_owned();
    }
    format!("completed: {}", done.join(", "))
}

/// Where you left off, in a few sentences taken from the artifacts.
pub(super) fn summary(state: &State, evidence: &Evidence) -> String {
    let mut parts = Vec::new();
    if let Some(found) = &evidence.thesis
        && !found.read.statement.is_empty()
    {
        parts.push(format!("the thesis is \"{}\"", found.read.statement));
    }
    if let Some(found) = &evidence.outline {
        parts.push(format!(
            "the outline \"{}\" has {} sections",
            found.read.title,
            found.read.sections.len()
        ));
    }
    let total = state.total_sections().unwrap_or(0);
    if total > 0 {
        let rows = &state.arguments.sections;
        let done = rows
            .iter()
            .filter(|row| row.status == Some(Progress::Completed))
            .count();
        parts.push(format!("{done} of {total} argument maps are completed"));
    }
    if let Some(found) = &evidence.draft {
        let paragraphs: usize = found
            .read
            .sections
            .iter()
            .map(|section| section.paragraphs.len())
            .sum();
        parts.push(format!(
            "the draft has {paragraphs} paragraphs and {} words",
            found.read.words()
        ));
    }
    let open = state.open_claims().count();
    if open > 0 {
        let claims = if open == 1 {
            "claim waits"
        } else {
            "claims wait"
        };
        parts.push(format!("{open} {claims} for a verification"));
    }
    if parts.is_empty() {
        parts.push("nothing is written yet".to_owned());
    }
    format!("at {}; {}.", position(state), parts.join("; "))
}

/// What a returning agent must read first.
pub(super) fn brief(cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
    let card = card(cx, place)?;
    let mut brief = Brief::new(card);
    brief.problems.clone_from(&brief.card.problems);
    let Ok(session) = Session::try_open(cx, place)? else {
        return Ok(brief);
    };
    let evidence = evidence::gather(cx, session.dir(), &session.state, &session.files)?;
    let subject = Subject {
        cx,
        dir: session.dir(),
        state: &session.state,
        files: &session.files,
    };
    brief.problems.extend(subject.against(&evidence));
    fill(&mut brief, cx, place, &session.state, &evidence)?;
    if let Some(budget) = budget {
        brief.fit(budget);
    }
    Ok(brief)
}

fn fill(
    brief: &mut Brief,
    cx: &Context<'_>,
    place: &Place,
    state: &State,
    evidence: &Evidence,
) -> Result<()> {
    brief.goal = evidence
        .thesis
        .as_ref()
        .map(|found| found.read.statement.clone())
        .unwrap_or_default();
    let overview = overview(cx, place)?;
    brief.state = overview
        .lines()
        .into_iter()
        .filter(|line| !line.is_empty() && !line.starts_with("Next: "))
        .collect();
    for known in &state.overrides {
        let claim = known.claim.as_deref().unwrap_or_default();
        let why = known.rationale.as_deref().unwrap_or_default();
        brief
            .decisions
            .push(format!("kept against the fact checker: {claim} ({why})"));
    }
    for revision in &state.revisions {
        let stage = revision.stage.unwrap_or(0);
        let impact = revision
            .impact
            .map_or("unknown", super::schema::Impact::name);
        let reason = revision.reason.as_deref().unwrap_or_default();
        brief
            .decisions
            .push(format!("stage {stage} revised ({impact}): {reason}"));
    }
    for claim in state.open_claims() {
        brief.open_questions.push(format!(
            "verify: {}",
            claim.claim.as_deref().unwrap_or_default()
        ));
    }
    let current = state.arguments.current_section;
    if let Some(map) = current.and_then(|section| evidence.maps.get(&section)) {
        brief
            .open_questions
            .extend(map.read.questions.iter().cloned());
    }
    brief.next = Some(next(state, place.id.as_str()));
    if let Some(section) = current_plan(state, evidence) {
        brief.sections.push(section);
    }
    if let Some(found) = &evidence.draft {
        let last = found
            .read
            .sections
            .iter()
            .rev()
            .find_map(|section| Some((section, section.paragraphs.last()?)));
        if let Some((section, range)) = last {
            brief.sections.push(BriefSection {
                title: format!("Last paragraph (section \"{}\")", section.title),
                text: found.read.paragraph(range).to_owned(),
            });
        }
    }
    Ok(())
}

/// What the outline says of the section being worked on.
fn current_plan(state: &State, evidence: &Evidence) -> Option<BriefSection> {
    let current = match state.current() {
        Stage::Writing => state.writing.current_section,
        _ => state.arguments.current_section,
    }?;
    let outline = &evidence.outline.as_ref()?.read;
    let section = outline
        .sections
        .iter()
        .find(|section| section.index == current)?;
    Some(BriefSection {
        title: format!("Section {current}: {}", section.title),
        text: section.content.clone(),
    })
}

/// The text of a resume: the document's sentence, then the brief's parts, and what was found wrong at the end. The line that
/// says where the session stands is that of `after`: it is active again.
pub(super) fn resume_text(
    sentence: &str,
    after: &State,
    cx: &Context<'_>,
    place: &Place,
    budget: Option<usize>,
) -> Result<String> {
    let mut whole = brief(cx, place, None)?;
    if let Some(line) = whole.state.first_mut() {
        *line = anchor(after);
    }
    let (text, _) = whole.text_within(budget, |brief| {
        let mut text = format!("{sentence}\n");
        let mut part = |title: &str, lines: &[String]| {
            if lines.is_empty() {
                return;
            }
            let _ = write!(text, "\n## {title}\n\n");
            for line in lines {
                text.push_str(line);
                text.push('\n');
            }
        };
        part("State", &brief.state);
        part("Decisions", &brief.decisions);
        part("Open questions", &brief.open_questions);
        for section in &brief.sections {
            part(&section.title, std::slice::from_ref(&section.text));
        }
        part("Next", brief.next.as_slice());
        let problems = brief.problems.iter().map(|problem| format!("- {problem}"));
        part("Problems found", &problems.collect::<Vec<_>>());
        text
    });
    Ok(text)
}
