//! Stage 4: paragraphs, one at a time, and the end of a section.

use segno_disk::{Access, Basis, Change, Stamp};

use super::argument::require_section;
use super::artifact::{Draft, LogEntry, Outline, one_paragraph};
use super::load::{Session, read_text, touch};
use super::names::{DRAFT, OUTLINE, PARAGRAPH_LOG};
use super::note::Note;
use super::position::Step;
use super::position::next_to_write;
use super::schema::{Progress, Stage};
use super::store_artifact::{log, missing};
use super::thesis::begin_stage;
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;

/// One approved paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParagraphInput {
    /// Which section, from 1.
    pub section: u64,
    /// The paragraph as it is to stand in the draft.
    pub text: String,
    /// What the user did: `Approved`, `Approved with edit`.
    pub action: Option<String>,
    /// What was presented before the user's edit.
    pub presented: Option<String>,
    /// What the edit changed.
    pub edit_summary: Option<String>,
    /// The points of the argument map that it covers.
    pub points: Option<String>,
    /// Its sources, parted by `;`.
    pub sources: Option<String>,
    /// What was said of its voice.
    pub voice_notes: Option<String>,
    /// How many paragraphs the section is to have.
    pub of: Option<u64>,
}

/// The draft as it stands, and the titles of the sections.
struct Desk {
    draft: Option<(Draft, Stamp, u64)>,
    outline: Outline,
    titles: Vec<(u64, String)>,
}

fn desk(cx: &Context<'_>, session: &Session) -> Result<Desk> {
    let path = session.artifact(session.state.outline.file.as_deref(), OUTLINE)?;
    let outline = read_text(cx.files, &path)?
        .map(|(text, _)| Outline::read(&text))
        .unwrap_or_default();
    let titles = outline
        .sections
        .iter()
        .map(|section| (section.index, section.title.clone()))
        .collect();
    let path = session.artifact(session.state.writing.draft.as_deref(), DRAFT)?;
    let draft = read_text(cx.files, &path)?.map(|(text, stamp)| {
        let len = text.len() as u64;
        (Draft::read(text), stamp, len)
    });
    Ok(Desk {
        draft,
        outline,
        titles,
    })
}

impl Desk {
    fn title(&self, section: u64) -> String {
        let title = self
            .outline
            .section_title(section)
            .filter(|title| !title.is_empty());
        title.map_or_else(|| format!("Section {section}"), str::to_owned)
    }

    /// The place of a section in the draft.
    fn place(&self, section: u64) -> Option<usize> {
        let (draft, ..) = self.draft.as_ref()?;
        draft.find(&self.title(section)).or_else(|| {
            draft
                .numbered(&self.titles)
                .iter()
                .position(|(number, _)| *number == section)
        })
    }
}

/// Adds a paragraph to the draft and to the paragraph log.
pub fn paragraph(cx: &Context<'_>, place: &Place, input: &ParagraphInput) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    let text = one_paragraph(&input.text)?;
    let section = input.section;
    require_section(&session, section)?;
    require_arguments(&session, section)?;
    let desk = desk(cx, &session)?;
    let (written, last) = match (&desk.draft, desk.place(section)) {
        (Some((draft, ..)), Some(at)) => {
            let found = draft.sections.get(at);
            if found.is_some_and(|found| found.done) {
                return Err(missing(
                    phrase!(
                        "essay-section-finished",
                        "section {section} is finished",
                        section = section
                    ),
                    phrase!(
                        "essay-revise-changes",
                        "`segno essay revise {id} --stage {stage}{more} --input FILE --reason R` changes it",
                        id = &place.id,
                        stage = 4,
                        more = ""
                    ),
                ));
            }
            let last = found
                .and_then(|found| found.paragraphs.last())
                .map(|range| draft.paragraph(range));
            (found.map_or(0, |found| found.paragraphs.len() as u64), last)
        }
        _ => (0, None),
    };
    if last.is_some_and(|last| last.replace("\r\n", "\n") == text) {
        // An agent that did not hear the acknowledgement says the same again.
        let notes = vec![Note::ParagraphThere];
        return Ok(Plan::nothing(Step::of(&session.state, place, notes)));
    }
    let number = written + 1;
    let mut changes = vec![add_paragraph(&session, &desk, section, &text)?];
    let log_path = session.artifact(session.state.writing.log.as_deref(), PARAGRAPH_LOG)?;
    let entry = entry(input, section, number);
    changes.push(log(cx, &log_path, "Paragraph Writing Log", &entry)?);

    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    begin_stage(&mut after, Stage::Writing);
    if after.stage(Stage::Writing) == Progress::Completed {
        after.set_stage(Stage::Writing, Progress::InProgress);
    }
    let written_path =
        |raw: Option<String>, name: &str| raw.or_else(|| Some(session.written_path(name)));
    after.writing.draft = written_path(after.writing.draft.take(), DRAFT);
    after.writing.log = written_path(after.writing.log.take(), PARAGRAPH_LOG);
    after.writing.current_section = Some(section);
    after.writing.current_paragraph = Some(number + 1);
    let row = after.written_mut(section);
    row.completed = Some(number);
    row.status = Some(Progress::InProgress);
    row.total = input.of.or(row.total).map(|total| total.max(number));
    let step = Step::of(&after, place, Vec::new());
    session.save(&after, changes, step)
}

fn entry(input: &ParagraphInput, section: u64, number: u64) -> LogEntry {
    LogEntry::new(format!("Section {section}, Paragraph {number}"))
        .with(
            "Draft presented",
            Some(input.presented.as_deref().unwrap_or("as approved")),
        )
        .with(
            "User action",
            Some(input.action.as_deref().unwrap_or("Approved")),
        )
        .with("Edit summary", input.edit_summary.as_deref())
        .with("Argument map points covered", input.points.as_deref())
        .with("Sources", input.sources.as_deref())
        .with("Voice notes", input.voice_notes.as_deref())
}

/// A section is written only when its arguments stand; the others may still be open.
fn require_arguments(session: &Session, section: u64) -> Result<()> {
    let row = session.state.argument(section);
    let status = row
        .and_then(|row| row.status)
        .unwrap_or(Progress::NotStarted);
    let has_map = row.is_some_and(|row| row.file.is_some());
    if has_map && matches!(status, Progress::Completed | Progress::NeedsReview) {
        return Ok(());
    }
    Err(missing(
        phrase!(
            "essay-arguments-open",
            "the arguments of section {sections} are not completed",
            sections = section
        ),
        phrase!(
            "essay-hand-in-map",
            "first `segno essay argument {id} {section} --input FILE`, approved",
            id = &session.place.id,
            section = section
        ),
    ))
}

/// The change that adds a paragraph: an append where the section is the last of the draft.
fn add_paragraph(session: &Session, desk: &Desk, section: u64, text: &str) -> Result<Change> {
    let path = session.artifact(session.state.writing.draft.as_deref(), DRAFT)?;
    let heading = desk.title(section);
    let Some((draft, stamp, len)) = &desk.draft else {
        let title = if desk.outline.title.is_empty() {
            "Untitled"
        } else {
            &desk.outline.title
        };
        let whole = format!("# {title}\n\n## {heading}\n\n{text}\n");
        return Ok(Change::replace(
            path,
            whole.into_bytes(),
            Basis::Absent,
            Access::Shared,
        ));
    };
    let eol = draft.eol();
    let text = text.replace('\n', eol);
    let fresh = |text: &str| format!("## {heading}{eol}{eol}{text}{eol}");
    let last = draft.sections.len().checked_sub(1);
    let place = desk.place(section);
    let numbered = draft.numbered(&desk.titles);
    let before = numbered.iter().find(|(number, _)| *number > section);
    let (at, addition) = match (place, before) {
        (Some(place), _) if Some(place) == last => (*len, format!("{eol}{text}{eol}")),
        (Some(place), _) => {
            let found = draft.sections.get(place);
            let end = found.map_or(0, |found| {
                found
                    .paragraphs
                    .last()
                    .map_or(found.range.end, |range| range.end)
            });
            (end as u64, format!("{eol}{eol}{text}"))
        }
        (None, Some((_, next))) => (next.range.start as u64, format!("{}{eol}", fresh(&text))),
        (None, None) => (*len, format!("{eol}{}", fresh(&text))),
    };
    Ok(put(path, draft, *stamp, *len, at, &addition))
}

/// Adds text to the draft: behind its end by an append, elsewhere by a replacement.
fn put(
    path: segno_disk::RelPath,
    draft: &Draft,
    stamp: Stamp,
    len: u64,
    at: u64,
    addition: &str,
) -> Change {
    if at == len {
        let unfinished = !draft.text().is_empty() && !draft.text().ends_with('\n');
        let parting = if unfinished { draft.eol() } else { "" };
        return Change::Append {
            path,
            at: len,
            seen: len,
            bytes: format!("{parting}{addition}").into_bytes(),
            access: Access::Shared,
        };
    }
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    let (head, tail) = draft
        .text()
        .split_at_checked(at)
        .unwrap_or((draft.text(), ""));
    let whole = format!("{head}{addition}{tail}");
    Change::replace(
        path,
        whole.into_bytes(),
        Basis::Version(stamp),
        Access::Shared,
    )
}

/// Says that a section is written to its end.
pub fn section_done(cx: &Context<'_>, place: &Place, section: u64) -> Result<Plan<Step>> {
    let session = Session::open(cx, place)?;
    session.require_open()?;
    require_section(&session, section)?;
    let desk = desk(cx, &session)?;
    let at = desk.place(section);
    let found = desk.draft.as_ref().and_then(|(draft, stamp, len)| {
        let found = draft.sections.get(at?)?;
        Some((draft, *stamp, *len, found))
    });
    let Some((draft, stamp, len, found)) = found.filter(|(.., found)| !found.paragraphs.is_empty())
    else {
        return Err(missing(
            phrase!(
                "essay-no-paragraphs",
                "section {section} has no paragraphs yet",
                section = section
            ),
            phrase!(
                "essay-first-paragraph",
                "first `segno essay paragraph {id} {section} --input FILE`",
                id = &place.id,
                section = section
            ),
        ));
    };
    let count = found.paragraphs.len() as u64;
    let mut changes = Vec::new();
    if !found.done {
        let path = session.artifact(session.state.writing.draft.as_deref(), DRAFT)?;
        let eol = draft.eol();
        let is_last = at == draft.sections.len().checked_sub(1);
        let end = found
            .paragraphs
            .last()
            .map_or(found.range.end, |range| range.end) as u64;
        changes.push(if is_last {
            put(path, draft, stamp, len, len, &format!("{eol}---{eol}"))
        } else {
            put(path, draft, stamp, len, end, &format!("{eol}{eol}---"))
        });
    }
    let mut after = session.state.clone();
    touch(&mut after, cx.now);
    after.go_to(Stage::Writing);
    let row = after.written_mut(section);
    row.completed = Some(count);
    row.total = Some(count);
    row.status = Some(Progress::Completed);
    let total = after.total_sections().unwrap_or(0);
    let all = (1..=total).all(|section| {
        after.written(section).and_then(|row| row.status) == Some(Progress::Completed)
    });
    let next = next_to_write(&after);
    after.writing.current_section = next;
    let written = next
        .and_then(|next| after.written(next))
        .and_then(|row| row.completed);
    after.writing.current_paragraph = Some(written.unwrap_or(0) + 1);
    if all && after.stage(Stage::Arguments) == Progress::Completed {
        after.writing.status = Some(Progress::Completed);
        after.writing.completed_at = Some(cx.now.utc_seconds());
    }
    let step = Step::of(&after, place, Vec::new());
    session.save(&after, changes, step)
}
