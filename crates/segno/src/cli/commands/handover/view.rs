//! Handovers, for programs.

use std::collections::BTreeMap;

use segno_store::formats::handover::decision::Decision;
use segno_store::formats::handover::document::Handed;
use segno_store::formats::handover::pipeline::Pipeline;
use segno_store::formats::handover::resume::Back;
use serde::Serialize;
use serde_json::{Value, json};

use crate::view::problem::ProblemView;

/// An entry of the log.
#[derive(Debug, Serialize)]
pub(super) struct DecisionView<'a> {
    id: String,
    seq: u64,
    at: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    summary: &'a str,
    fields: BTreeMap<String, &'a str>,
}

impl<'a> From<&'a Decision> for DecisionView<'a> {
    fn from(entry: &'a Decision) -> Self {
        let name = |key: &str| key.to_lowercase().replace(['-', ' '], "_");
        Self {
            id: format!("D{}", entry.seq),
            seq: entry.seq,
            at: entry.at.as_ref().map(segno_store::session::Timestamp::raw),
            kind: &entry.kind,
            summary: &entry.summary,
            fields: entry
                .fields
                .iter()
                .map(|(key, value)| (name(key), value.as_str()))
                .collect(),
        }
    }
}

/// A session that has been come back to.
#[derive(Debug, Serialize)]
pub(super) struct BackView<'a> {
    first_session: bool,
    trigger: &'static str,
    started: Option<String>,
    wait: bool,
    next: Option<&'a str>,
    handed: Value,
    reviews: Vec<Value>,
    decisions: Vec<DecisionView<'a>>,
    knowledge: Vec<Value>,
    skill_candidates: &'a [String],
    pipeline: Value,
    problems: Vec<ProblemView<'a>>,
}

impl<'a> From<&'a Back> for BackView<'a> {
    fn from(back: &'a Back) -> Self {
        let state = &back.state;
        let reviews = state.reviews.iter().map(|review| {
            let tracked = review.tracked.iter().map(|one| {
                json!({
                    "severity": one.severity, "category": one.category,
                    "location": one.location, "description": one.description,
                })
            });
            json!({
                "subject": review.subject, "batch": review.batch, "heading": review.heading,
                "disposition": review.disposition, "tracked": tracked.collect::<Vec<_>>(),
                "file": review.file.as_str(), "line": review.line,
            })
        });
        let knowledge = state.knowledge.iter().map(|piece| {
            json!({
                "tag": piece.tag.name(), "text": piece.text,
                "source": piece.source, "category": piece.category,
            })
        });
        Self {
            first_session: state.first,
            trigger: back.trigger.name(),
            started: back.started.map(|seq| format!("D{seq}")),
            wait: back.wait,
            next: state.next(),
            handed: state.handed.as_ref().map_or(Value::Null, handed),
            reviews: reviews.collect(),
            decisions: state.decisions.iter().map(Into::into).collect(),
            knowledge: knowledge.collect(),
            skill_candidates: &state.skills,
            pipeline: state.pipeline.as_ref().map_or(Value::Null, pipeline),
            problems: state.problems.iter().map(Into::into).collect(),
        }
    }
}

fn handed(handed: &Handed) -> Value {
    json!({
        "mode": handed.mode.name(),
        "generated": handed.generated,
        "branch": handed.branch,
        "goal": handed.goal,
        "next": handed.next,
        "active_goals": handed.goals,
        "key_decisions": handed.decision_items(),
        "warnings": handed.warnings,
        "tone": handed.tone,
        "steering_exceptions": handed.exceptions,
        "accomplished": handed.accomplished,
        "modified_files": handed.files,
        "resume_instructions": handed.instructions,
        "other_sections": handed.others.iter().map(|(title, text)| json!({"title": title, "text": text})).collect::<Vec<_>>(),
    })
}

fn pipeline(pipeline: &Pipeline) -> Value {
    let waves = pipeline.waves.iter().map(|wave| {
        let specs = wave.specs.iter().map(|spec| {
            json!({
                "name": spec.name, "phase": spec.phase.name(), "dependencies": spec.dependencies,
                "waits_for": pipeline.waiting_for(spec), "blocked_by": spec.blocked_by,
                "blocked_reason": spec.blocked_reason, "blocked_at": spec.blocked_at,
                "last_action": spec.last_action,
            })
        });
        json!({
            "wave": wave.number, "done": wave.done(), "percent": wave.percent(),
            "complete": wave.is_complete(), "specs": specs.collect::<Vec<_>>(),
        })
    });
    json!({ "waves": waves.collect::<Vec<_>>(), "cycles": pipeline.cycles })
}
