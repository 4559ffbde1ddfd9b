//! What a finish leaves behind for statistics: a line of history, running counts, a line of the index of briefs.
//!
//! The three files belong to others as much as to us: lines are appended, counts are edited in place, and what is in
//! them beyond what is known here stays.

use segno_disk::{Access, Basis, Change, RelPath, log};

use super::party;
use super::schema::{Mode, Session, Source};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place};
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::Problem;
use crate::text::json::{Doc, Style, Tree};
use crate::text::jsonl;

const HISTORY: &str = ".project-memory/logs/brainstorm-history.jsonl";
const STATISTICS: &str = ".project-memory/metrics/brainstorm-stats.json";
const INDEX: &str = ".project-memory/briefs-index.jsonl";

/// The only template there is.
const TEMPLATE: &str = "feature";

/// The largest file of counts that is read.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The number of the next brief.
pub(super) fn next_number(cx: &Context<'_>) -> Result<u64> {
    let path = RelPath::new(STATISTICS)?;
    let counted = match read(cx, &path)? {
        Some((doc, _)) => doc
            .get("total_sessions")
            .and_then(|total| total.u64())
            .unwrap_or(0),
        None => 0,
    };
    Ok(counted + 1)
}

/// The changes to the three files.
pub(super) fn changes(
    cx: &Context<'_>,
    place: &Place,
    session: &Session,
    brief: &RelPath,
    journal: &RelPath,
) -> Result<Vec<Change>> {
    let facts = Facts::of(session);
    let slug = session.slug.clone().unwrap_or_else(|| place.id.to_string());
    let now = cx.now.local_micros();
    let line = Tree::object([
        ("timestamp", Tree::from(now.clone())),
        ("event", "post-brainstorm".into()),
        ("feature_slug", slug.clone().into()),
        ("ems_score", session.ems().into()),
        ("template", TEMPLATE.into()),
        (
            "personas_used",
            Tree::array(session.persona.iter().cloned()),
        ),
        (
            "techniques_applied",
            Tree::array(session.techniques_used.iter().cloned()),
        ),
        ("iterations", session.iteration().into()),
        (
            "duration_minutes",
            session.duration_minutes.unwrap_or(0).into(),
        ),
        ("session_file", place.path.as_str().into()),
        ("brief_file", brief.as_str().into()),
        ("journal_file", journal.as_str().into()),
        (
            "technique_categories",
            Tree::object(facts.categories.iter().map(|(k, n)| (k.clone(), *n))),
        ),
        ("technique_source", facts.source.name().into()),
        ("session_mode", facts.mode.name().into()),
        ("party_rounds", (session.party.len() as u64).into()),
        (
            "party_personas_used",
            Tree::array(facts.personas.iter().cloned()),
        ),
        ("panel_rounds", (session.panel.len() as u64).into()),
        ("panel_phase", facts.panel_phase.clone().into()),
        (
            "panel_experts_used",
            Tree::array(facts.experts.iter().cloned()),
        ),
    ]);
    let entry = Tree::object([
        ("timestamp", Tree::from(now.clone())),
        ("slug", slug.into()),
        ("brief_file", brief.as_str().into()),
        ("ems_score", session.ems().into()),
        ("template", TEMPLATE.into()),
    ]);
    Ok(vec![
        append(cx, HISTORY, &line)?,
        append(cx, INDEX, &entry)?,
        counts(cx, session, &facts, &now)?,
    ])
}

/// What is counted of a session.
struct Facts {
    categories: Vec<(String, u64)>,
    source: Source,
    mode: Mode,
    personas: Vec<String>,
    experts: Vec<String>,
    panel_phase: String,
}

impl Facts {
    fn of(session: &Session) -> Self {
        let mut categories: Vec<(String, u64)> = Vec::new();
        for used in session.applied() {
            let name = used.category.as_deref().unwrap_or("unknown");
            match categories.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => categories.push((name.to_owned(), 1)),
            }
        }
        let mode = if !session.party.is_empty() {
            Mode::Party
        } else if !session.panel.is_empty() {
            Mode::Panel
        } else {
            Mode::Standard
        };
        let known = |name: &&String| party::PERSONAS.contains(&name.as_str());
        let last_phase = session.panel.iter().rev().find_map(|round| round.phase);
        Self {
            categories,
            source: session
                .applied()
                .last()
                .and_then(|used| used.source)
                .unwrap_or(Source::Manual),
            mode,
            personas: distinct(
                session
                    .party
                    .iter()
                    .flat_map(|round| &round.personas)
                    .filter(known),
            ),
            experts: distinct(session.panel.iter().flat_map(|round| &round.experts)),
            panel_phase: last_phase.map_or_else(String::new, |phase| phase.name().to_owned()),
        }
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(name) {
            seen.push(name.clone());
        }
    }
    seen
}

fn append(cx: &Context<'_>, path: &str, line: &Tree) -> Result<Change> {
    let path = RelPath::new(path)?;
    let tail = log::tail(cx.files, &path)?;
    let text = jsonl::to_line(line, Style::PYTHON_LINE);
    Ok(tail.append(path, text.as_bytes(), Access::Private))
}

fn read(cx: &Context<'_>, path: &RelPath) -> Result<Option<(Doc, Basis)>> {
    let damaged = |found: String| StoreError::Damaged {
        session: path.to_string(),
        problems: vec![
            Problem::new("statistics", path.clone())
                .found(found)
                .manual("correct the file, or move it away: it is counted anew"),
        ],
    };
    let Some(stat) = cx.files.stat(path)? else {
        return Ok(None);
    };
    if stat.len > MAX_BYTES {
        return Err(damaged(format!("{} bytes are no statistics", stat.len)));
    }
    let Some((bytes, stamp)) = cx.files.read(path)? else {
        return Ok(None);
    };
    let doc = Doc::from_bytes(bytes).map_err(|error| damaged(error.to_string()))?;
    if doc.root().kind() != crate::text::json::Kind::Object {
        return Err(damaged("there is no JSON object in it".to_owned()));
    }
    Ok(Some((doc, Basis::Version(stamp))))
}

/// The empty file of counts, in the order that other tools write it.
const EMPTY: &str = r#"{
  "total_sessions": 0,
  "by_template": {},
  "by_ems_bucket": {
    "low": 0,
    "medium": 0,
    "high": 0
  },
  "avg_iterations": 0,
  "avg_duration_minutes": 0,
  "personas_usage": {},
  "techniques_usage": {},
  "technique_categories_usage": {},
  "technique_sources": {
    "auto": 0,
    "manual": 0,
    "random": 0,
    "progressive": 0
  },
  "by_mode": {
    "standard": 0,
    "party": 0,
    "panel": 0
  },
  "party_sessions": 0,
  "party_personas_usage": {},
  "panel_sessions": 0,
  "panel_experts_usage": {},
  "panel_phases_usage": {},
  "last_session": ""
}
"#;

fn counts(cx: &Context<'_>, session: &Session, facts: &Facts, now: &str) -> Result<Change> {
    let path = RelPath::new(STATISTICS)?;
    let (doc, basis) = read(cx, &path)?.unwrap_or_else(|| {
        let empty = Doc::parse(EMPTY).expect("because the text above is JSON");
        (empty, Basis::Absent)
    });
    let mut tally = Tally { doc };
    let before = tally.number("total_sessions");
    tally.add(&["total_sessions"])?;
    tally.add(&["by_template", TEMPLATE])?;
    let bucket = match session.ems() {
        ..=49 => "low",
        50..=74 => "medium",
        _ => "high",
    };
    tally.add(&["by_ems_bucket", bucket])?;
    tally.average("avg_iterations", before, session.iteration())?;
    tally.average(
        "avg_duration_minutes",
        before,
        session.duration_minutes.unwrap_or(0),
    )?;
    if let Some(persona) = &session.persona {
        tally.add(&["personas_usage", persona])?;
    }
    for slug in &session.techniques_used {
        tally.add(&["techniques_usage", slug])?;
    }
    for (category, count) in &facts.categories {
        for _ in 0..*count {
            tally.add(&["technique_categories_usage", category])?;
        }
    }
    tally.add(&["technique_sources", facts.source.name()])?;
    tally.add(&["by_mode", facts.mode.name()])?;
    if !session.party.is_empty() {
        tally.add(&["party_sessions"])?;
    }
    for persona in &facts.personas {
        tally.add(&["party_personas_usage", persona])?;
    }
    if !session.panel.is_empty() {
        tally.add(&["panel_sessions"])?;
    }
    for expert in &facts.experts {
        tally.add(&["panel_experts_usage", expert])?;
    }
    if !facts.panel_phase.is_empty() {
        tally.add(&["panel_phases_usage", &facts.panel_phase])?;
    }
    tally.set(&["last_session"], now.into())?;
    let bytes = tally.doc.into_text().into_bytes();
    Ok(Change::replace(path, bytes, basis, Access::Private))
}

struct Tally {
    doc: Doc,
}

impl Tally {
    fn number(&self, key: &str) -> i64 {
        self.doc.get(key).and_then(|value| value.i64()).unwrap_or(0)
    }

    fn add(&mut self, path: &[&str]) -> Result<()> {
        if let [section, _] = path
            && self.doc.get(*section).is_none()
        {
            self.set(&[section], Tree::Object(Vec::new()))?;
        }
        let count = self
            .doc
            .get(path)
            .and_then(|value| value.i64())
            .unwrap_or(0);
        self.set(path, (count + 1).into())
    }

    /// The running average, to one decimal.
    fn average(&mut self, key: &str, before: i64, value: i64) -> Result<()> {
        let old = self
            .doc
            .get(key)
            .and_then(|value| value.f64())
            .unwrap_or(0.0);
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of sessions and minutes are small"
        )]
        let mean = (old * before as f64 + value as f64) / (before + 1) as f64;
        let rounded = (mean * 10.0).round() / 10.0;
        match Tree::float(rounded) {
            Some(number) => self.set(&[key], number),
            None => Ok(()),
        }
    }

    fn set(&mut self, path: &[&str], value: Tree) -> Result<()> {
        self.doc.set(path, value).map_err(|error| {
            let what = phrase!(
                "brainstorm-rule-statistics",
                "the statistics cannot be updated: {error}",
                error = error
            );
            let hint = phrase!(
                "brainstorm-rule-statistics-hint",
                "correct `{path}`, or move it away",
                path = STATISTICS
            );
            Refusal::rule(what).hint(hint).into()
        })
    }
}
