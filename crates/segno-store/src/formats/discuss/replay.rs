//! Replay: what a discussion ended in is applied to the plan, without any engine, all of it or nothing.
//!
//! The bytes that come out depend on the transcript and the plan alone: what changes in the plan carries the time of the
//! `final_json`, not that of the replay. Every run leaves its `replay_run` in the transcript, and a failure an `error`.

use super::event::to_line;
use super::failure::{Failure, FailureKind};
use super::gate::{check_context, check_contract};
use super::load::{self, Loaded, Source};
use super::ops::{Operation, parse_all};
use super::plan::{self, Applied, Earlier, FileDiff, OpReport, Stop};
use super::schema::{About, EventKind, OpType};
use super::site;
use super::talk;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::text::json::Tree;

/// How a session is replayed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Say what would be done; touch nothing but the audit line.
    pub dry_run: bool,
    /// Also operations that the context does not allow.
    pub allow_cross_context: bool,
}

/// What came of a replay.
#[derive(Debug)]
pub struct Replayed {
    /// The session that holds the audit: for an older sort, the canonical one that was made of it.
    pub place: Place,
    /// What it is about.
    pub about: About,
    /// Its contract, as written.
    pub contract: String,
    /// Whether it was a dry run.
    pub dry_run: bool,
    /// What became of the operations, or why none of them was applied.
    pub result: std::result::Result<Outcome, Failure>,
}

/// What a successful replay did, or would do.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What became of each operation.
    pub operations: Vec<OpReport>,
    /// What changes in the plan.
    pub diff: Vec<FileDiff>,
}

impl Replayed {
    /// `REPLAY_OK` or `REPLAY_FAIL`.
    pub fn verdict(&self) -> &'static str {
        if self.result.is_ok() {
            "REPLAY_OK"
        } else {
            "REPLAY_FAIL"
        }
    }
}

/// Replays a session. The caller holds the repository's lock unless it is a dry run.
pub fn replay(cx: &Context<'_>, place: &Place, options: ReplayOptions) -> Result<Plan<Replayed>> {
    let loaded = whole(cx, place)?;
    let judged = match judge(cx, &loaded, options) {
        Ok(applied) => Ok(applied),
        Err(Stop::Failure(failure)) => Err(failure),
        Err(Stop::Disk(error)) => return Err(error),
    };
    finish(cx, &loaded, options, judged)
}

/// Looks at what a replay would do without leaving a trace: for a preview.
pub fn preview(cx: &Context<'_>, place: &Place, options: ReplayOptions) -> Result<Replayed> {
    Ok(replay(cx, place, options)?.outcome)
}

/// Records a run that did not get as far as the operations: somebody else holds the repository's lock.
pub fn record_failure(
    cx: &Context<'_>,
    place: &Place,
    options: ReplayOptions,
    failure: Failure,
) -> Result<Plan<Replayed>> {
    let loaded = whole(cx, place)?;
    finish(cx, &loaded, options, Err(failure))
}

/// Records a run that the disk did not let come to its end.
pub fn record_unfinished(
    cx: &Context<'_>,
    place: &Place,
    options: ReplayOptions,
    error: &StoreError,
) -> Result<Plan<()>> {
    let loaded = whole(cx, place)?;
    let now = cx.now.local_micros();
    // The unit that was on its way may have reached the disk after all: then this run has its line.
    if loaded.summary.runs.iter().any(|run| run.ts() == now) {
        return Ok(Plan::nothing(()));
    }
    let failure = Failure::new(FailureKind::Disk, error.to_string());
    let failure = match std::error::Error::source(error) {
        Some(why) => failure.with_details(why.to_string()),
        None => failure,
    };
    let plan = finish(cx, &loaded, options, Err(failure))?;
    Ok(Plan {
        changes: plan.changes,
        unit: plan.unit,
        outcome: (),
    })
}

/// The session that is replayed. An older one of which not everything can be read is refused: a canonical copy without
/// the rest would stand before it from then on.
fn whole(cx: &Context<'_>, place: &Place) -> Result<Loaded> {
    let loaded = load::load(cx, &load::home(cx, place)?)?;
    if matches!(loaded.source, Source::Older(_)) {
        load::refuse_in_part(&loaded.place, &loaded.problems)?;
    }
    Ok(loaded)
}

fn judge(
    cx: &Context<'_>,
    loaded: &Loaded,
    options: ReplayOptions,
) -> std::result::Result<Applied, Stop> {
    if let Some(problem) = loaded.summary.first_malformed() {
        let failure = Failure::damaged(format!("The transcript is malformed: {}", problem.found));
        return Err(failure.with_details(problem.location()).into());
    }
    if let Source::Canonical(file) = &loaded.source
        && file.found.is_none()
    {
        let why = file.problems.first().map(ToString::to_string);
        let failure = Failure::damaged("meta.json is missing or cannot be read");
        return Err(failure.with_details(why.unwrap_or_default()).into());
    }
    let Some(event) = &loaded.summary.last_final else {
        let advice = if loaded.meta.is_open() {
            "Go on with the discussion and complete it with /done (or `segno discuss done`) to generate the final JSON."
        } else {
            "The discussion was closed without operations: there is nothing to replay."
        };
        let message = format!("No final_json event found in transcript. {advice}");
        return Err(Failure::nothing_to_replay(message).into());
    };
    let Some(list) = event.payload().get("patch_operations") else {
        return Err(Failure::invalid(
            "Invalid patch operation format: final_json holds no `patch_operations`",
        )
        .into());
    };
    let operations = parse_all(list)?;
    if operations.is_empty() {
        let failure = Failure::nothing_to_replay(
            "The final_json event holds no operations: there is nothing to replay.",
        );
        return Err(failure.into());
    }
    let across = options.allow_cross_context;
    rehearse(cx, loaded, &operations, &event.ts(), across)
}

/// Carries operations out on the plan in memory, once contract and context have let them through.
pub(super) fn rehearse(
    cx: &Context<'_>,
    loaded: &Loaded,
    operations: &[Operation],
    ts: &str,
    allow_cross_context: bool,
) -> std::result::Result<Applied, Stop> {
    check_contract(operations, &loaded.meta)?;
    if !allow_cross_context {
        check_context(operations, &loaded.meta)?;
    }
    plan::apply(cx.files, operations, ts, &earlier(loaded, operations))
}

/// What the runs before say of the items that the additions led to.
fn earlier(loaded: &Loaded, operations: &[Operation]) -> Earlier {
    let mut earlier = Earlier::default();
    for run in &loaded.summary.runs {
        let Some(items) = run.payload().get("items") else {
            earlier.by_name = true;
            continue;
        };
        for entry in items.entries() {
            let place = entry.key().parse::<usize>().ok();
            let place = place.and_then(|number| number.checked_sub(1));
            if let (Some(place), Some(id)) = (place, entry.value.str())
                && operations
                    .get(place)
                    .is_some_and(|operation| is_addition(operation.op))
            {
                earlier.items.insert(place, id.into_owned());
            }
        }
    }
    earlier
}

const fn is_addition(op: OpType) -> bool {
    matches!(op, OpType::AddTrack | OpType::AddPhase | OpType::AddTask)
}

fn finish(
    cx: &Context<'_>,
    loaded: &Loaded,
    options: ReplayOptions,
    judged: std::result::Result<Applied, Failure>,
) -> Result<Plan<Replayed>> {
    let now = cx.now.local_micros();
    let lines = audit(&now, options, judged.as_ref());
    let applies = judged.is_ok() && !options.dry_run;
    let (mut changes, result) = match judged {
        Ok(applied) => {
            let changes = if applies { applied.changes } else { Vec::new() };
            let outcome = Outcome {
                operations: applied.reports,
                diff: applied.diff,
            };
            (changes, Ok(outcome))
        }
        Err(failure) => (Vec::new(), Err(failure)),
    };
    let mut place = loaded.place.clone();
    match &loaded.source {
        Source::Canonical(_) => {
            // Crash: for an applied run the audit line, meta.json and the plan are one unit, all there or none.
            changes.push(talk::append_lines(cx, &place, &lines)?);
            if applies {
                let edits = [
                    ("updated_at", Tree::from(now.as_str())),
                    ("status", Tree::from("closed")),
                    ("final_json_present", Tree::from(true)),
                ];
                changes.extend(talk::meta_change(loaded, &edits)?);
            }
        }
        Source::Older(converted) => {
            place = site::canonical(&place.id)?;
            let mut meta = converted.meta.clone();
            meta.session_id = place.id.to_string();
            meta.updated_at = now;
            if applies {
                "closed".clone_into(&mut meta.status);
            }
            let lines = converted.lines() + &lines;
            changes.extend(talk::new_session(&place, &meta, lines)?);
        }
    }
    let replayed = Replayed {
        place,
        about: loaded.meta.about.clone(),
        contract: loaded.meta.contract_type.clone(),
        dry_run: options.dry_run,
        result,
    };
    Ok(if changes.len() == 1 {
        Plan::in_order(changes, replayed)
    } else {
        Plan::all_or_none(changes, replayed)
    })
}

/// The lines that record a run.
fn audit(
    now: &str,
    options: ReplayOptions,
    judged: std::result::Result<&Applied, &Failure>,
) -> String {
    let mut run = vec![("dry_run", Tree::from(options.dry_run))];
    let mut lines = String::new();
    match judged {
        Ok(applied) => {
            run.push(("result", Tree::from("REPLAY_OK")));
            run.push(("ops_count", Tree::from(applied.reports.len())));
            let there = |report: &&OpReport| report.effect == plan::Effect::AlreadyThere;
            let already = applied.reports.iter().filter(there).count();
            if already > 0 {
                run.push(("already_there", Tree::from(already)));
            }
            let additions = applied.reports.iter().enumerate();
            let items: Vec<(String, Tree)> = additions
                .filter(|(_, report)| !options.dry_run && is_addition(report.op))
                .map(|(place, report)| ((place + 1).to_string(), Tree::from(report.id.as_str())))
                .collect();
            if !items.is_empty() {
                run.push(("items", Tree::Object(items)));
            }
        }
        Err(failure) => {
            let mut payload = vec![("message", Tree::from(failure.message.as_str()))];
            if let Some(details) = &failure.details {
                payload.push(("details", Tree::from(details.as_str())));
            }
            lines = to_line(now, EventKind::Error, Tree::object(payload));
            run.push(("result", Tree::from("REPLAY_FAIL")));
            run.push(("ops_count", Tree::from(0)));
            run.push(("error", Tree::from(failure.message.as_str())));
        }
    }
    lines.push_str(&to_line(now, EventKind::ReplayRun, Tree::object(run)));
    lines
}

/// The failure that somebody else's lock is.
pub fn locked(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Busy, message)
}
