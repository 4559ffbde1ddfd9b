//! The end of a discussion: the one `final_json`, checked against the contract, the context and the plan before it is
//! recorded.

use super::answer::{self, Found};
use super::event::Event;
use super::failure::Failure;
use super::gate::check_contract;
use super::load::{self, Loaded};
use super::meta::Meta;
use super::ops::{Operation, parse_all};
use super::plan::Stop;
use super::replay::rehearse;
use super::schema::EventKind;
use super::talk::{
    append_lines, checked_line, end_of, error, meta_change, still_talking, writable,
};
use super::transcript::Wanted;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::text::json::Tree;

/// How the end of a discussion is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DoneOptions {
    /// Neither the context nor the plan is asked: the plan may be elsewhere.
    pub as_is: bool,
    /// Also operations that the context does not allow.
    pub allow_cross_context: bool,
}

/// How a discussion ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// It has its `final_json`.
    Final {
        /// How many operations are in it.
        count: usize,
        /// How many others stood before it in the answer.
        passed_over: usize,
    },
    /// The answer held an empty list: the discussion is closed.
    NoOperations,
    /// The answer is not what the contract takes: it is recorded as an error, and the discussion goes on.
    Rejected(Failure),
    /// The answer is what the contract takes, and the context or the plan does not take it. Recorded likewise.
    NotApplicable(Failure),
}

/// What an open discussion is ready for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// Somebody may say something.
    Talk,
    /// It has its `final_json`, which is to be applied or not.
    Apply,
}

/// What a discussion is ready for; one that can only be read is refused.
pub fn ready(cx: &Context<'_>, place: &Place) -> Result<Ready> {
    writable(place)?;
    let meta = load::load(cx, place)?.meta;
    if meta.is_open() && meta.final_json_present {
        return Ok(Ready::Apply);
    }
    still_talking(cx, place, &end_of(cx, place, Wanted::LastStep)?)?;
    Ok(Ready::Talk)
}

/// Ends a discussion with what the engine answered to `/done`. There is one `final_json` per session, and it is recorded
/// only when it could be applied now.
pub fn done(
    cx: &Context<'_>,
    place: &Place,
    answer: &str,
    options: DoneOptions,
) -> Result<Plan<Ended>> {
    writable(place)?;
    let loaded = load::load(cx, place)?;
    refuse_a_second(&loaded)?;
    if !loaded.meta.is_open() {
        still_talking(cx, place, &end_of(cx, place, Wanted::LastStep)?)?;
    }
    let ts = cx.now.local_micros();
    let (found, operations) = match read(answer, &ts, &loaded.meta) {
        Ok(read) => read,
        Err(failure) => return refused(cx, place, failure, Ended::Rejected),
    };
    if operations.is_empty() {
        let edits = [
            ("status", Tree::from("closed")),
            ("updated_at", Tree::from(ts)),
        ];
        let change = meta_change(&loaded, &edits)?;
        return Ok(Plan::in_order(
            change.into_iter().collect(),
            Ended::NoOperations,
        ));
    }
    if !options.as_is {
        match rehearse(cx, &loaded, &operations, &ts, options.allow_cross_context) {
            Ok(_) => {}
            Err(Stop::Failure(failure)) => {
                return refused(cx, place, failure, Ended::NotApplicable);
            }
            Err(Stop::Disk(error)) => return Err(error),
        }
    }
    let line = checked_line(&ts, EventKind::FinalJson, found.payload)?;
    let edits = [
        ("final_json_present", Tree::from(true)),
        ("updated_at", Tree::from(ts)),
    ];
    // Crash: after the line and before meta.json, the transcript says it; a reader goes by the transcript.
    let mut changes = vec![append_lines(cx, place, &line)?];
    changes.extend(meta_change(&loaded, &edits)?);
    let ended = Ended::Final {
        count: found.count,
        passed_over: found.passed_over,
    };
    Ok(Plan::in_order(changes, ended))
}

fn refuse_a_second(loaded: &Loaded) -> Result<()> {
    let Some((line, ts)) = &loaded.summary.first_final else {
        return Ok(());
    };
    let id = &loaded.place.id;
    let hint = if loaded.summary.applied {
        "it is applied; begin another one with `segno discuss start`".to_owned()
    } else {
        format!("apply it with `segno discuss replay {id}`")
    };
    Err(StoreError::Refused {
        rule: format!(
            "the discussion `{id}` has its final_json already, on line {line} of its transcript, of {ts}"
        ),
        hints: vec![hint],
    })
}

/// The `final_json` that an answer holds, and its operations, as the contract takes them.
fn read(
    answer: &str,
    ts: &str,
    meta: &Meta,
) -> std::result::Result<(Found, Vec<Operation>), Failure> {
    let found = answer::payload(answer)?;
    if found.count == 0 {
        return Ok((found, Vec::new()));
    }
    let event = Event::new(ts, EventKind::FinalJson, found.payload.clone());
    let list = event.payload().get("patch_operations");
    let operations = list.map_or(Ok(Vec::new()), parse_all)?;
    check_contract(&operations, meta)?;
    Ok((found, operations))
}

fn refused(
    cx: &Context<'_>,
    place: &Place,
    failure: Failure,
    how: fn(Failure) -> Ended,
) -> Result<Plan<Ended>> {
    let recorded = error(cx, place, &failure.message, failure.details.as_deref())?;
    Ok(Plan::in_order(recorded.changes, how(failure)))
}
