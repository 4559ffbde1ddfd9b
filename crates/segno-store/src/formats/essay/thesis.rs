//! Stage 1: the thesis, and stage 2: the outline.

use super::artifact::{Outline, Thesis, with_approval};
use super::load::{Session, read_text, touch, write_artifact};
use super::names::{DEVELOPMENT_LOG, OUTLINE, THESIS};
use super::note::Note;
use super::position::Step;
use super::position::first_open;
use super::schema::{ClaimType, Progress, Stage};
use super::state::State;
use super::store_artifact::{Keep, missing, require_text, store};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::{Phrase, Refusal};

/// An approved thesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThesisInput {
    /// The artifact, or the bare thesis.
    pub text: String,
    /// What sort of claim it makes; read from the artifact when not given.
    pub claim_type: Option<ClaimType>,
    /// The development log.
    pub log: Option<String>,
}

/// Hands in the approved thesis.
pub fn thesis(cx: &Context<'_>, place: &Place, input: &ThesisInput) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    require_text(
        &input.text,
        phrase!("essay-empty-thesis", "the thesis is empty"),
    )?;
    let claim = claim_type(input)?;
    let text = Thesis::complete(&input.text, claim, &cx.now.utc_seconds())?;
    let raw = session.state.thesis.file.as_deref();
    if session.state.stage(Stage::Thesis) == Progress::Completed {
        let there = session.artifact(raw, THESIS)?;
        let same =
            read_text(cx.files, &there)?.is_some_and(|(old, _)| old == text || old == input.text);
        if same {
            return Ok(Plan::nothing(Step::of(&session.state, place, Vec::new())));
        }
        return Err(approved_already(
            place,
            phrase!("essay-thesis-approved", "the thesis is approved already"),
            1,
            "",
        ));
    }
    let stored = store(cx, &session, raw, THESIS, &text, Keep::Archive)?;
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    after.thesis.status = Some(Progress::Completed);
    after.thesis.file = Some(stored.path);
    after.thesis.claim_type = Some(claim);
    after.thesis.completed_at = Some(cx.now.utc_seconds());
    begin_stage(&mut after, Stage::Outline);
    let mut changes: Vec<_> = stored.change.into_iter().collect();
    if let Some(log) = &input.log {
        let path = session.artifact(session.state.thesis.log.as_deref(), DEVELOPMENT_LOG)?;
        let stamp = cx.files.stat(&path)?.map(|stat| stat.stamp());
        changes.push(write_artifact(path, log, stamp));
        after.thesis.log = Some(session.written_path(DEVELOPMENT_LOG));
    }
    let notes = stored.archived.map(|name| Note::VersionKept { name });
    let step = Step::of(&after, place, notes.into_iter().collect());
    session.save(&after, changes, step)
}

fn claim_type(input: &ThesisInput) -> Result<ClaimType> {
    let written = Thesis::read(&input.text).claim_type;
    match (input.claim_type, written) {
        (Some(given), Some(written)) if given != written => {
            let what = phrase!(
                "essay-two-claim-types",
                "the claim type is `{given}`, but the thesis says `{written}`",
                given = given,
                written = written
            );
            let hint = phrase!("essay-two-claim-types-hint", "correct one of the two");
            Err(Refusal::input(what).hint(hint).into())
        }
        (Some(claim), _) | (None, Some(claim)) => Ok(claim),
        (None, None) => {
            let what = phrase!(
                "essay-no-claim-type",
                "the thesis does not say what sort of claim it makes"
            );
            let hint = phrase!(
                "essay-give-claim-type",
                "give `--claim-type`: {choices}",
                choices = ClaimType::choices()
            );
            Err(Refusal::input(what).hint(hint).into())
        }
    }
}

/// Hands in the approved outline: sections, target words and audience are read from it.
pub fn outline(cx: &Context<'_>, place: &Place, text: &str) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    require_text(text, phrase!("essay-empty-outline", "the outline is empty"))?;
    require_stage(&session, Stage::Thesis)?;
    let text = with_approval(text, &cx.now.utc_seconds())?;
    let read = sections_of(&text)?;
    let raw = session.state.outline.file.as_deref();
    if session.state.stage(Stage::Outline) == Progress::Completed {
        let there = session.artifact(raw, OUTLINE)?;
        if read_text(cx.files, &there)?.is_some_and(|(old, _)| old == text) {
            return Ok(Plan::nothing(Step::of(&session.state, place, Vec::new())));
        }
        return Err(approved_already(
            place,
            phrase!("essay-outline-approved", "the outline is approved already"),
            2,
            "",
        ));
    }
    let stored = store(cx, &session, raw, OUTLINE, &text, Keep::Archive)?;
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    take_outline(&mut after, &read)?;
    after.outline.file = Some(stored.path);
    after.outline.completed_at = Some(cx.now.utc_seconds());
    begin_stage(&mut after, Stage::Arguments);
    let notes = stored.archived.map(|name| Note::VersionKept { name });
    let step = Step::of(&after, place, notes.into_iter().collect());
    session.save(&after, stored.change.into_iter().collect(), step)
}

/// Reads an outline that is handed in; one whose sections cannot be counted is refused.
pub(super) fn sections_of(text: &str) -> Result<Outline> {
    let read = Outline::read(text);
    let refuse = |what: Phrase| {
        let hint = phrase!(
            "essay-section-headings",
            "give each section a heading `### Section N: Title (~N words)`, N from 1 on"
        );
        Err(Refusal::input(what).hint(hint).into())
    };
    if read.sections.is_empty() {
        return refuse(phrase!("essay-outline-bare", "the outline has no sections"));
    }
    if let Some(numbers) = read.misnumbered() {
        let shown: String = numbers.chars().take(80).collect();
        return refuse(phrase!(
            "essay-misnumbered",
            "the sections of the outline are numbered {numbers}",
            numbers = shown
        ));
    }
    Ok(read)
}

/// Takes over what an outline says. Rows of sections that it no longer has must be without arguments.
pub(super) fn take_outline(state: &mut State, read: &Outline) -> Result<()> {
    let total = read.sections.len() as u64;
    let beyond = |index: Option<u64>| index.is_some_and(|index| index > total);
    let kept = state
        .arguments
        .sections
        .iter()
        .find(|row| beyond(row.index) && row.file.is_some());
    if let Some(row) = kept {
        let section = row.index.unwrap_or(0);
        return Err(missing(
            phrase!(
                "essay-section-argued",
                "section {section} has arguments, but the outline has {total} sections",
                section = section,
                total = total
            ),
            phrase!(
                "essay-section-argued-hint",
                "keep the section in the outline, or archive its arguments with `segno essay revise --stage 2 --impact moderate`"
            ),
        ));
    }
    state.arguments.sections.retain(|row| !beyond(row.index));
    state.writing.sections.retain(|row| !beyond(row.index));
    state.outline.status = Some(Progress::Completed);
    state.outline.total_sections = Some(total);
    state.outline.target_word_count = read.target_words.or(state.outline.target_word_count);
    state.outline.audience = read.audience.or(state.outline.audience);
    state.arguments.total_sections = Some(total);
    for section in 1..=total {
        state.argument_mut(section);
    }
    state.arguments.current_section = first_open(state);
    Ok(())
}

/// Goes to a stage, which is in progress from now on unless it was before.
pub(super) fn begin_stage(state: &mut State, stage: Stage) {
    if state.stage(stage) == Progress::NotStarted {
        state.set_stage(stage, Progress::InProgress);
    }
    state.go_to(stage);
}

/// Refuses when a stage before is not there to rest on.
pub(super) fn require_stage(session: &Session, stage: Stage) -> Result<()> {
    let file = match stage {
        Stage::Thesis => session.state.thesis.file.is_some(),
        Stage::Outline => session.state.outline.file.is_some(),
        Stage::Arguments | Stage::Writing => true,
    };
    let stands = matches!(
        session.state.stage(stage),
        Progress::Completed | Progress::NeedsReview
    );
    if stands && file {
        return Ok(());
    }
    let verb = if stage == Stage::Thesis {
        "thesis"
    } else {
        "outline"
    };
    Err(missing(
        phrase!(
            "essay-stage-open",
            "this rests on stage {stage}, and stage {stage} is not completed",
            stage = stage.number()
        ),
        phrase!(
            "essay-first-verb",
            "first `segno essay {verb} {id} --input FILE`",
            verb = verb,
            id = &session.place.id
        ),
    ))
}

/// What stands is changed by a revision, which says what else it touches.
pub(super) fn approved_already(place: &Place, what: Phrase, stage: u64, more: &str) -> StoreError {
    missing(
        what,
        phrase!(
            "essay-revise-changes",
            "`segno essay revise {id} --stage {stage}{more} --input FILE --reason R` changes it",
            id = &place.id,
            stage = stage,
            more = more
        ),
    )
}
