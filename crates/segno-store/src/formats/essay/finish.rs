//! `finish`: the gates, the final essay, the `output` block.

use super::artifact::{Draft, FinalEssay, Source, count_words, unique};
use super::evidence::{self, Evidence};
use super::load::{Session, touch, write_artifact};
use super::names::FINAL;
use super::schema::{Progress, RunStatus, Score, Stage};
use super::state::State;
use super::store_artifact::next_version;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::{Phrase, Refusal};
use crate::session::Timestamp;

/// What the user says about the gates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FinishInput {
    /// The overrides were looked at again, and stand.
    pub overrides_confirmed: bool,
    /// There is no final voice check, and that is accepted.
    pub without_voice_check: bool,
}

/// The document's closing summary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Finished {
    /// The essay's file.
    pub file: String,
    /// Words of its body.
    pub words: u64,
    /// Sections.
    pub sections: u64,
    /// Claims that are verified.
    pub verified: u64,
    /// Sources, each once.
    pub sources: u64,
    /// How well it sounds like its author.
    pub voice_score: Option<Score>,
    /// Claims kept against the fact checker.
    pub overrides: u64,
    /// Claims that were put off and settled.
    pub resolved: u64,
    /// Minutes from the beginning to now.
    pub minutes: Option<u64>,
}

/// Checks the gates and assembles the essay.
pub fn finish(cx: &Context<'_>, place: &Place, input: FinishInput) -> Result<Plan<Finished>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    let evidence = evidence::gather(cx, session.dir(), &session.state, &session.files)?;
    let open = gates(&session.state, &evidence, input, place);
    let Some(draft) = evidence.draft.as_ref().filter(|_| open.is_empty()) else {
        return Err(refusal(open, place));
    };
    let body = body(&draft.read);
    let sources = sources(cx, &session, &evidence)?;
    let now = cx.now.utc_seconds();
    let voice_score = session
        .state
        .output
        .voice_score
        .or_else(|| mean_score(&session.state));
    let resolved = session
        .state
        .deferred
        .iter()
        .filter(|claim| claim.resolved == Some(true))
        .count() as u64;
    let maps: u64 = evidence.maps.values().map(|map| map.read.verified()).sum();
    let finished = Finished {
        file: session.written_path(FINAL),
        words: count_words(&without_headings(&body)),
        sections: session.state.total_sections().unwrap_or(0),
        verified: maps,
        sources: sources.len() as u64,
        voice_score,
        overrides: session.state.overrides.len() as u64,
        resolved,
        minutes: minutes(cx, &session.state),
    };
    let essay = FinalEssay {
        title: title(&draft.read, &evidence, place),
        pipeline: session
            .state
            .pipeline_id
            .clone()
            .unwrap_or_else(|| place.id.to_string()),
        thesis: evidence
            .thesis
            .as_ref()
            .map(|found| found.read.statement.clone())
            .unwrap_or_default(),
        words: Some(finished.words),
        voice_score,
        verified: Some(finished.verified),
        overrides: finished.overrides,
        completed_at: Some(now.clone()),
    };
    let text = essay.print(&body, &sources, &cx.now.date());
    let path = session.file(FINAL)?;
    let stamp = cx.files.stat(&path)?.map(|stat| stat.stamp());
    let mut change = write_artifact(path.clone(), &text, stamp);
    if stamp.is_some() {
        change = change.with_backup(next_version(&session.files, &path)?);
    }
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    after.status = Some(RunStatus::Completed);
    after.writing.status = Some(Progress::Completed);
    after.writing.completed_at = after.writing.completed_at.or_else(|| Some(now.clone()));
    after.output.file = Some(finished.file.clone());
    after.output.sources_verified = Some(finished.verified);
    after.output.voice_score = voice_score;
    after.output.words = Some(finished.words);
    after.output.completed_at = Some(now);
    session.save(&after, vec![change], finished)
}

fn refusal(open: Vec<Phrase>, place: &Place) -> StoreError {
    let what = phrase!(
        "essay-unfinished",
        "`{id}` cannot be finished yet",
        id = &place.id
    );
    open.into_iter()
        .fold(Refusal::rule(what), Refusal::hint)
        .into()
}

/// What still stands between the draft and the essay.
fn gates(state: &State, evidence: &Evidence, input: FinishInput, place: &Place) -> Vec<Phrase> {
    let id = &place.id;
    let mut open = Vec::new();
    for stage in Stage::ALL {
        if stage != Stage::Writing && state.stage(stage) != Progress::Completed {
            let word = state.stage(stage).name();
            open.push(phrase!(
                "essay-gate-stage",
                "stage {stage} is {status}, not completed",
                stage = stage.number(),
                status = word
            ));
        }
    }
    let total = state.total_sections().unwrap_or(0);
    let unwritten: Vec<String> = (1..=total)
        .filter(|section| {
            state.written(*section).and_then(|row| row.status) != Some(Progress::Completed)
        })
        .map(|section| section.to_string())
        .collect();
    if !unwritten.is_empty() {
        let shown: Vec<String> = unwritten.iter().take(20).cloned().collect();
        open.push(phrase!(
            "essay-gate-sections",
            "section {sections} is not done: `segno essay section done {id} N`",
            sections = shown.join(", "),
            id = id
        ));
    }
    if evidence.draft.is_none() {
        open.push(phrase!("essay-gate-draft", "there is no draft"));
    }
    for (claim, number) in state.deferred.iter().zip(1_u64..) {
        if claim.resolved != Some(true) {
            open.push(phrase!(
                "essay-gate-claim",
                "claim {number} is not verified (`{claim}`): `segno essay claim resolve {id} {number} --result R`",
                number = number,
                claim = claim.claim.as_deref().unwrap_or_default(),
                id = id
            ));
        }
    }
    if !state.overrides.is_empty() && !input.overrides_confirmed {
        for known in &state.overrides {
            open.push(phrase!(
                "essay-gate-override",
                "override to be confirmed again: `{claim}` ({result})",
                claim = known.claim.as_deref().unwrap_or_default(),
                result = known.result.as_deref().unwrap_or("-")
            ));
        }
        open.push(phrase!(
            "essay-gate-overrides",
            "give `--confirm-overrides` when they stand"
        ));
    }
    let scored = state.output.voice_score.is_some() || mean_score(state).is_some();
    if !scored && !input.without_voice_check {
        open.push(phrase!(
            "essay-gate-voice",
            "the voice was not checked: `segno essay voice {id} --score N`, or `--without-voice-check`",
            id = id
        ));
    }
    open
}

/// The mean of the sections' scores.
fn mean_score(state: &State) -> Option<Score> {
    let scores: Vec<f64> = state
        .writing
        .sections
        .iter()
        .filter_map(|row| row.voice_score)
        .map(|score| score.0)
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "an essay has few sections")]
    let count = scores.len() as f64;
    Score::new(scores.iter().sum::<f64>() / count)
}

/// The draft's sections without its title and without the rules between them.
fn body(draft: &Draft) -> String {
    let eol = "\n";
    let mut text = String::new();
    for section in &draft.sections {
        text.push_str("## ");
        text.push_str(&section.title);
        text.push_str("\n\n");
        for range in &section.paragraphs {
            text.push_str(&draft.paragraph(range).replace("\r\n", eol));
            text.push_str("\n\n");
        }
    }
    text
}

fn without_headings(body: &str) -> String {
    let lines = body.lines().filter(|line| !line.starts_with("## "));
    lines.collect::<Vec<_>>().join("\n")
}

fn title(draft: &Draft, evidence: &Evidence, place: &Place) -> String {
    let outline = evidence
        .outline
        .as_ref()
        .map(|found| found.read.title.clone())
        .unwrap_or_default();
    [draft.title.clone(), outline, place.id.to_string()]
        .into_iter()
        .find(|title| !title.trim().is_empty())
        .unwrap_or_default()
}

fn sources(cx: &Context<'_>, session: &Session, evidence: &Evidence) -> Result<Vec<Source>> {
    let points = evidence.maps.values().flat_map(|map| &map.read.points);
    let argued: Vec<Source> = points.filter_map(|point| point.source.clone()).collect();
    let logged = evidence::logged_sources(cx, session.dir(), &session.state)?;
    Ok(unique(argued.into_iter().chain(
        logged.iter().filter_map(|text| Source::read(text)),
    )))
}

fn minutes(cx: &Context<'_>, state: &State) -> Option<u64> {
    let started = Timestamp::parse(state.started_at.as_deref()?)?;
    Some(cx.now.minutes_since(&started))
}
