//! Claims: put off, settled, or kept against the fact checker; each with an entry in the fact-check log.

use super::artifact::{LogEntry, one_line, same_title};
use super::load::{Session, touch};
use super::names::FACT_LOG;
use super::note::Note;
use super::position::Step;
use super::state::{Deferred, Override, State};
use super::store_artifact::log;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::{Phrase, Refusal};

/// A claim whose verification is put off.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeferInput {
    /// What it says.
    pub claim: String,
    /// In which section.
    pub section: Option<u64>,
    /// In which paragraph.
    pub paragraph: Option<u64>,
    /// Why: `timeout`, `service_unavailable`, `no_results`, or the user's words.
    pub reason: String,
}

/// How a claim was settled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResolveInput {
    /// Its text, the beginning of it, or its number in the list.
    pub claim: String,
    /// What the fact checker found: `verified`, `partial`, `dropped` ...
    pub result: String,
    /// Where: title and address.
    pub source: Option<String>,
}

/// A claim that the author keeps against the fact checker.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OverrideInput {
    /// What it says.
    pub claim: String,
    /// What the fact checker found.
    pub result: String,
    /// What that rests on.
    pub source: Option<String>,
    /// Why the author keeps it.
    pub rationale: String,
}

const LOG_TITLE: &str = "Fact Check Log";

/// Puts a verification off.
pub fn defer(cx: &Context<'_>, place: &Place, input: &DeferInput) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    require_words(
        &input.claim,
        phrase!("essay-empty-claim", "the claim is empty"),
    )?;
    let claim = one_line(&input.claim);
    let known = session.state.open_claims().any(|known| says(known, &claim));
    if known {
        let notes = vec![Note::ClaimWaits];
        return Ok(Plan::nothing(Step::of(&session.state, place, notes)));
    }
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    after.deferred.push(Deferred {
        claim: Some(claim.clone()),
        section: input.section,
        paragraph: input.paragraph,
        reason: Some(one_line(&input.reason)),
        added_at: Some(cx.now.utc_seconds()),
        resolved: Some(false),
        ..Deferred::default()
    });
    let entry = LogEntry::new(format!("Deferred: {claim}"))
        .with(
            "Section",
            input.section.map(|section| section.to_string()).as_deref(),
        )
        .with("Reason", Some(&input.reason))
        .with("Logged at", Some(&cx.now.utc_seconds()));
    finish(cx, &session, &after, &entry, place)
}

/// Settles a claim that was put off.
pub fn resolve(cx: &Context<'_>, place: &Place, input: &ResolveInput) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    let at = find_claim(&session.state, &input.claim, place)?;
    let Some(found) = after.deferred.get_mut(at) else {
        return Ok(Plan::nothing(Step::of(&session.state, place, Vec::new())));
    };
    if found.resolved == Some(true) {
        let notes = vec![Note::ClaimSettled];
        return Ok(Plan::nothing(Step::of(&session.state, place, notes)));
    }
    found.resolved = Some(true);
    let claim = found.claim.clone().unwrap_or_default();
    let head = if input.result.eq_ignore_ascii_case("verified") {
        "Verified"
    } else {
        "Resolved"
    };
    let entry = LogEntry::new(format!("{head}: {claim}"))
        .with("Fact-checker result", Some(&input.result))
        .with("Source", input.source.as_deref())
        .with("Logged at", Some(&cx.now.utc_seconds()));
    finish(cx, &session, &after, &entry, place)
}

/// Keeps a claim against the fact checker. One that was put off is settled by that.
pub fn override_claim(
    cx: &Context<'_>,
    place: &Place,
    input: &OverrideInput,
) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    require_words(
        &input.claim,
        phrase!("essay-empty-claim", "the claim is empty"),
    )?;
    require_words(
        &input.rationale,
        phrase!(
            "essay-empty-rationale",
            "the rationale of the override is empty"
        ),
    )?;
    let claim = one_line(&input.claim);
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    for waiting in after
        .deferred
        .iter_mut()
        .filter(|waiting| says(waiting, &claim))
    {
        waiting.resolved = Some(true);
    }
    after.overrides.push(Override {
        claim: Some(claim.clone()),
        result: Some(one_line(&input.result)),
        action: Some("override".to_owned()),
        rationale: Some(input.rationale.trim().to_owned()),
        logged_at: Some(cx.now.utc_seconds()),
        ..Override::default()
    });
    let entry = LogEntry::new(format!("Override: {claim}"))
        .with("Fact-checker result", Some(&input.result))
        .with("Fact-checker source", input.source.as_deref())
        .with("User action", Some("override"))
        .with("User rationale", Some(&input.rationale))
        .with("Logged at", Some(&cx.now.utc_seconds()));
    finish(cx, &session, &after, &entry, place)
}

fn finish(
    cx: &Context<'_>,
    session: &Session,
    after: &State,
    entry: &LogEntry,
    place: &Place,
) -> Result<Plan<Step>> {
    let path = session.file(FACT_LOG)?;
    let change = log(cx, &path, LOG_TITLE, entry)?;
    let count = after.open_claims().count() as u64;
    let notes = vec![Note::ClaimsOpen { count }];
    let step = Step::of(after, place, notes);
    session.save(after, vec![change], step)
}

fn require_words(text: &str, what: Phrase) -> Result<()> {
    if text.trim().is_empty() {
        let hint = phrase!("essay-give-words", "write it as an argument of the command");
        return Err(Refusal::input(what).hint(hint).into());
    }
    Ok(())
}

fn says(claim: &Deferred, text: &str) -> bool {
    claim
        .claim
        .as_deref()
        .is_some_and(|known| same_title(known, text))
}

/// The claim that a person named: by its number in the list, its text, or the beginning of it.
fn find_claim(state: &State, wanted: &str, place: &Place) -> Result<usize> {
    let all = &state.deferred;
    if let Ok(number) = wanted.trim().parse::<usize>()
        && (1..=all.len()).contains(&number)
    {
        return Ok(number - 1);
    }
    if let Some(at) = all.iter().position(|claim| says(claim, wanted)) {
        return Ok(at);
    }
    let wanted_low = one_line(wanted).to_lowercase();
    let begins = |claim: &Deferred| {
        let text = claim.claim.as_deref().unwrap_or_default().to_lowercase();
        !wanted_low.is_empty() && text.starts_with(&wanted_low)
    };
    let matches: Vec<usize> = (0..all.len())
        .filter(|at| all.get(*at).is_some_and(begins))
        .collect();
    match matches.as_slice() {
        [one] => Ok(*one),
        [] => {
            let what = phrase!(
                "essay-no-claim",
                "no claim `{claim}` waits for a verification",
                claim = wanted
            );
            let hint = phrase!(
                "essay-status-claims",
                "`segno essay status {id}` lists them with their numbers",
                id = &place.id
            );
            Err(Refusal::input(what).hint(hint).into())
        }
        several => Err(StoreError::Ambiguous {
            wanted: wanted.to_owned(),
            candidates: several
                .iter()
                .filter_map(|at| all.get(*at).and_then(|claim| claim.claim.clone()))
                .collect(),
        }),
    }
}
