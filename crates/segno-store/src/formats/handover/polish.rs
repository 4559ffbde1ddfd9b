//! The manual polish: the session is handed over with the user's own words.
//!
//! Archive, document and log change as one: after a crash there is the old handover or the new one, with its
//! `SESSION_END` and its archive.

use segno_disk::{Access, Basis, Change, RelPath};

use super::decide::append;
use super::decision::{DecisionType, NewDecision, one_line};
use super::document::{
    ACCOMPLISHED, BRANCH, DECISIONS, EXCEPTIONS, FILES, GENERATED, GOAL, Loaded, NEXT, TONE,
    WARNINGS, is_none, load,
};
use super::draft::{given, quoted};
use super::layout::Layout;
use super::log;
use super::page::Page;
use super::regroup::regroup;
use super::role::Lead;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::session::Problem;

/// What the user said, and what was found out beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// What was accomplished, a line each; what the drafts recorded stays when empty.
    pub accomplished: Vec<String>,
    /// What should be done next.
    pub next: String,
    /// Decisions of this session.
    pub decisions: Vec<Note>,
    /// Caveats for the next Lead.
    pub warnings: Vec<String>,
    /// Tone and nuance; what was said before stays when not given.
    pub tone: Option<String>,
    /// Intentional deviations from the steering documents; what was said before stays when not given.
    pub exceptions: Option<Vec<Note>>,
    /// What the session was for.
    pub goal: Option<String>,
    /// The branch, where there is one.
    pub branch: Option<String>,
    /// The files that were changed, where git knows.
    pub files: Vec<String>,
    /// What the tests said, in a line, when they were run.
    pub tests: Option<String>,
}

/// A decision or a deviation as the user put it, with as many fields of the log as they gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What was decided.
    pub text: String,
    /// The entry for the log; made from the text when not given.
    pub entry: Option<NewDecision>,
}

impl From<&str> for Note {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            entry: None,
        }
    }
}

impl Note {
    /// True when the text names the entry of the log that it stands for.
    fn has_reference(&self) -> bool {
        self.text.split(|c: char| !c.is_alphanumeric()).any(|word| {
            word.strip_prefix('D')
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        })
    }

    /// The entry for the log. What the user did not say is said to be not given.
    fn entry(&self, kind: DecisionType) -> NewDecision {
        let mut entry = self
            .entry
            .clone()
            .unwrap_or_else(|| NewDecision::new(kind, self.text.as_str()));
        let or = |field: &mut Option<String>, text: &str| {
            if field.as_ref().is_none_or(|value| value.trim().is_empty()) {
                *field = Some(text.to_owned());
            }
        };
        or(&mut entry.context, "Handover");
        or(&mut entry.decision, &self.text);
        or(&mut entry.reason, "not given");
        or(&mut entry.impact, "not given");
        or(&mut entry.source, "User");
        if entry.kind == DecisionType::SteeringException {
            or(&mut entry.steering_ref, "not given");
        }
        entry
    }
}

/// What a polish wrote: the report of the hand-over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polished {
    /// Where the handover is.
    pub path: RelPath,
    /// Where the previous one is kept; `None` when there was none.
    pub archive: Option<RelPath>,
    /// The numbers of the entries that were added to the log, the last one that of `SESSION_END`.
    pub seqs: Vec<u64>,
    /// What was captured: name and how many.
    pub captured: Vec<(&'static str, usize)>,
    /// The next action.
    pub next: String,
    /// What is wrong with the log.
    pub problems: Vec<Problem>,
}

/// Archives the handover that is there and writes the polished one.
pub fn polish(
    cx: &Context<'_>,
    place: &Place,
    _lead: Lead,
    answers: &Answers,
) -> Result<Plan<Polished>> {
    if answers.next.trim().is_empty() {
        return Err(StoreError::Invalid {
            what: "a handover says what should be done next, and `next` is empty".to_owned(),
            hints: vec!["answer `next` with a specific command or step".to_owned()],
        });
    }
    let layout = Layout::of(place)?;
    let loaded = load(cx, &layout.session)?;
    let old = loaded.as_ref().map(|loaded| loaded.doc.text().to_owned());
    let basis = loaded
        .as_ref()
        .map_or(Basis::Absent, |loaded| Basis::Version(loaded.stamp));
    let end = log::end(cx.files, &layout.decisions)?;
    let (notes, exceptions) = Noted::number(answers, end.next.unwrap_or(u64::MAX));
    let mut entries: Vec<NewDecision> = notes.entries;
    entries.extend(exceptions.entries);
    for entry in &entries {
        entry.check()?;
    }
    entries.push(session_end(answers));
    let text = write(cx, loaded, answers, &notes.lines, &exceptions.lines)?;
    let mut changes = Vec::new();
    let archive = match old {
        Some(old) => {
            let path = free_name(cx, &layout)?;
            let copy = Change::replace(
                path.clone(),
                old.into_bytes(),
                Basis::Absent,
                Access::Shared,
            );
            changes.push(copy);
            Some(path)
        }
        None => None,
    };
    let session = layout.session.clone();
    changes.push(Change::replace(
        session.clone(),
        text.into_bytes(),
        basis,
        Access::Shared,
    ));
    let (added, recorded) = append(cx, &layout, end, &entries)?;
    changes.extend(added);
    let polished = Polished {
        path: session,
        archive,
        seqs: recorded.seqs,
        captured: captured(answers, &notes.lines, &exceptions.lines),
        next: answers.next.trim().to_owned(),
        problems: recorded.problems,
    };
    Ok(Plan::all_or_none(changes, polished))
}

/// Notes with the references to their entries, and the entries that are to be made for them.
struct Noted {
    lines: Vec<String>,
    entries: Vec<NewDecision>,
}

impl Noted {
    fn number(answers: &Answers, next: u64) -> (Self, Self) {
        let mut next = next;
        let mut noted = |notes: &[Note], kind: DecisionType| {
            let mut lines = Vec::new();
            let mut entries = Vec::new();
            for note in notes.iter().filter(|note| !is_none(&note.text)) {
                let text = one_line(&note.text);
                if note.has_reference() && note.entry.is_none() {
                    lines.push(text);
                    continue;
                }
                lines.push(format!("{text} (ref D{next})"));
                entries.push(note.entry(kind));
                next = next.saturating_add(1);
            }
            Self { lines, entries }
        };
        let decisions = noted(&answers.decisions, DecisionType::UserDecision);
        let exceptions = answers.exceptions.as_deref().unwrap_or_default();
        let exceptions = noted(exceptions, DecisionType::SteeringException);
        (decisions, exceptions)
    }
}

fn session_end(answers: &Answers) -> NewDecision {
    let summary = answers
        .goal
        .as_ref()
        .filter(|goal| !is_none(goal))
        .or(answers.accomplished.first())
        .map_or_else(|| "Session handed over".to_owned(), |text| one_line(text));
    let mut entry = NewDecision::new(DecisionType::SessionEnd, summary);
    entry.context = Some("Handover polished with the user".to_owned());
    entry.decision = Some("Session ended, handover archived".to_owned());
    entry
}

fn write(
    cx: &Context<'_>,
    loaded: Option<Loaded>,
    answers: &Answers,
    decisions: &[String],
    exceptions: &[String],
) -> Result<String> {
    let date = cx.now.date();
    let mut page = loaded.map_or_else(|| Page::blank(&date), |loaded| Page::new(loaded.doc));
    page.set_header(GENERATED, &date)?;
    if let Some(branch) = given(answers.branch.as_ref()) {
        page.set_header(BRANCH, branch)?;
    }
    if let Some(goal) = given(answers.goal.as_ref()).filter(|goal| !is_none(goal)) {
        page.set_header(GOAL, &one_line(goal))?;
    }
    page.remove_mode()?;
    page.set_section(NEXT, answers.next.trim())?;
    let body = page
        .doc()
        .section(DECISIONS)
        .map(|section| section.own_text().to_owned());
    let grouped = regroup(body.as_deref().unwrap_or_default(), decisions);
    if Some(grouped.as_str()) != body.as_deref() && !(grouped.is_empty() && body.is_none()) {
        page.set_section(
            DECISIONS,
            if grouped.is_empty() { "None" } else { &grouped },
        )?;
    }
    let warnings: Vec<String> = answers
        .warnings
        .iter()
        .filter(|text| !is_none(text))
        .cloned()
        .collect();
    page.add_items(WARNINGS, &warnings)?;
    if let Some(tone) = given(answers.tone.as_ref()) {
        page.set_section(TONE, tone)?;
    }
    if answers.exceptions.is_some() {
        let list: Vec<String> = exceptions.iter().map(|line| format!("- {line}")).collect();
        let text = if list.is_empty() {
            "None".to_owned()
        } else {
            list.join("\n")
        };
        page.set_section(EXCEPTIONS, &text)?;
    }
    let mut done: Vec<String> = answers
        .accomplished
        .iter()
        .filter(|text| !is_none(text))
        .cloned()
        .collect();
    if !done.is_empty() {
        // The list restarts at a hand-over: the one before is in the archive.
        page.set_section(ACCOMPLISHED, "")?;
    }
    done.extend(
        answers
            .tests
            .iter()
            .map(|tests| format!("Tests: {}", one_line(tests))),
    );
    page.add_items(ACCOMPLISHED, &done)?;
    if !answers.files.is_empty() {
        page.set_section(FILES, "")?;
        let files: Vec<String> = answers.files.iter().map(|file| quoted(file)).collect();
        page.add_items(FILES, &files)?;
    }
    Ok(page.into_text())
}

/// The archive's name: the day of archiving, then `-2`, `-3` and so on behind the highest that day has.
fn free_name(cx: &Context<'_>, layout: &Layout) -> Result<RelPath> {
    let date = cx.now.date();
    let mut highest = 0_u64;
    for entry in cx.files.list(&layout.archive)? {
        let Some(rest) = entry
            .name
            .strip_suffix(".md")
            .and_then(|stem| stem.strip_prefix(date.as_str()))
        else {
            continue;
        };
        let number = match rest.strip_prefix('-') {
            None if rest.is_empty() => Some(1),
            Some(digits) => digits.parse().ok(),
            None => None,
        };
        highest = highest.max(number.unwrap_or(0));
    }
    let name = match highest {
        0 => format!("{date}.md"),
        taken => format!("{date}-{}.md", taken.saturating_add(1)),
    };
    Ok(layout.archive.join_name(&name)?)
}

fn captured(
    answers: &Answers,
    decisions: &[String],
    exceptions: &[String],
) -> Vec<(&'static str, usize)> {
    vec![
        ("accomplished", answers.accomplished.len()),
        ("decisions", decisions.len()),
        ("warnings", answers.warnings.len()),
        ("exceptions", exceptions.len()),
        ("files", answers.files.len()),
    ]
}
