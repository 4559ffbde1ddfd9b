//! What a revision does to the stages after the revised one: flagged, archived, or begun anew.

use std::collections::BTreeSet;

use segno_disk::{Access, Change, RelPath};

use super::artifact::Draft;
use super::evidence::is_file;
use super::load::{Session, read_text, write_artifact};
use super::names::DRAFT;
use super::paragraph_log;
use super::retake::outline_titles;
use super::schema::{Progress, Stage};
use super::state::{ArgumentStage, OutlineStage, Output, State, WritingSection, WritingStage};
use super::store_artifact::next_version;
use crate::error::Result;
use crate::formats::Context;

/// What becomes of something that comes after the revised stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// A stage is flagged for review.
    NeedsReview(Stage),
    /// A stage is begun anew.
    NotStarted(Stage),
    /// The final essay is to be finished again.
    FinishAgain,
}

impl Consequence {
    /// A stable word for it: the stage's new status, or what is to be done.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NeedsReview(_) => "needs_review",
            Self::NotStarted(_) => "not_started",
            Self::FinishAgain => "finish_again",
        }
    }

    /// The stage it is about.
    pub const fn stage(self) -> Option<Stage> {
        match self {
            Self::NeedsReview(stage) | Self::NotStarted(stage) => Some(stage),
            Self::FinishAgain => None,
        }
    }
}

/// The state and the files after a revision, as they take shape.
pub(super) struct Downstream<'a, 'c> {
    cx: &'a Context<'c>,
    session: &'a Session,
    /// The state afterwards.
    pub(super) after: State,
    /// What is written: the revised artifact first.
    pub(super) changes: Vec<Change>,
    /// What is archived of later stages: file and archived name.
    pub(super) archived: Vec<(String, String)>,
    /// What becomes of later stages.
    pub(super) consequences: Vec<Consequence>,
}

impl<'a, 'c> Downstream<'a, 'c> {
    /// Nothing has become of anything yet.
    pub(super) fn new(
        cx: &'a Context<'c>,
        session: &'a Session,
        after: State,
        own: Option<Change>,
    ) -> Self {
        Self {
            cx,
            session,
            after,
            changes: own.into_iter().collect(),
            archived: Vec::new(),
            consequences: Vec::new(),
        }
    }

    fn flag(&mut self, stage: Stage) {
        self.consequences.push(Consequence::NeedsReview(stage));
    }

    /// Downstream artifacts are flagged, nothing is archived.
    pub(super) fn minor(&mut self, stage: Stage, section: Option<u64>) {
        let review = Some(Progress::NeedsReview);
        if stage == Stage::Thesis && self.after.outline.file.is_some() {
            self.after.outline.status = review;
            self.flag(Stage::Outline);
        }
        if stage < Stage::Arguments {
            let rows = self
                .after
                .arguments
                .sections
                .iter_mut()
                .filter(|row| row.file.is_some());
            let mut any = false;
            for row in rows {
                row.status = review;
                any = true;
            }
            if any {
                self.after.arguments.status = review;
                self.flag(Stage::Arguments);
            }
        }
        if stage < Stage::Writing && self.after.writing.draft.is_some() {
            let mut any = false;
            for row in &mut self.after.writing.sections {
                let below = section.is_none() || row.index == section;
                if below && row.completed.unwrap_or(0) > 0 {
                    row.status = review;
                    any = true;
                }
            }
            if any {
                self.after.writing.status = review;
                self.flag(Stage::Writing);
            }
        }
        if self.after.output.file.is_some() {
            self.consequences.push(Consequence::FinishAgain);
        }
    }

    /// Affected artifacts are archived, their stages flagged.
    pub(super) fn moderate(&mut self, stage: Stage, sections: &BTreeSet<u64>) -> Result<()> {
        let review = Some(Progress::NeedsReview);
        if stage == Stage::Thesis && self.after.outline.file.is_some() {
            let raw = self.after.outline.file.take();
            self.archive(raw.as_deref())?;
            self.after.outline.status = review;
            self.flag(Stage::Outline);
        }
        if stage < Stage::Arguments {
            self.archive_maps(sections)?;
        }
        if stage < Stage::Writing {
            self.cut_draft(sections)?;
        }
        self.archive_output()
    }

    fn archive_maps(&mut self, sections: &BTreeSet<u64>) -> Result<()> {
        let mut any = false;
        for section in sections {
            let Some(at) = self
                .after
                .arguments
                .sections
                .iter()
                .position(|row| row.index == Some(*section))
            else {
                continue;
            };
            let Some(row) = self.after.arguments.sections.get_mut(at) else {
                continue;
            };
            let raw = row.file.take();
            row.verified = Some(0);
            row.deferred = Some(0);
            row.completed_at = None;
            if raw.is_some() || row.status == Some(Progress::Completed) {
                row.status = Some(Progress::NeedsReview);
                any = true;
            }
            self.archive(raw.as_deref())?;
        }
        if any {
            self.after.arguments.status = Some(Progress::NeedsReview);
            self.after.arguments.birds_eye_approved = Some(false);
            self.after.arguments.completed_at = None;
            self.flag(Stage::Arguments);
        }
        Ok(())
    }

    /// The draft as a whole is archived; the current one goes on without the affected sections.
    fn cut_draft(&mut self, sections: &BTreeSet<u64>) -> Result<()> {
        let has = |row: &WritingSection| row.index.is_some_and(|index| sections.contains(&index));
        let written = self
            .after
            .writing
            .sections
            .iter()
            .any(|row| has(row) && row.completed.unwrap_or(0) > 0);
        let Some(raw) = self.after.writing.draft.clone().filter(|_| written) else {
            return Ok(());
        };
        let path = self.session.artifact(Some(&raw), DRAFT)?;
        if let Some((text, stamp)) = read_text(self.cx.files, &path)? {
            let draft = Draft::read(&text);
            let titles = outline_titles(self.cx, self.session)?;
            let numbered = draft.numbered(&titles);
            let kept: Vec<_> = numbered
                .iter()
                .filter(|(number, _)| !sections.contains(number))
                .collect();
            if kept.is_empty() {
                self.archive(Some(&raw))?;
                self.after.writing.draft = None;
            } else {
                let head = numbered.first().map_or(0, |(_, first)| first.range.start);
                let mut rest = text.get(..head).unwrap_or_default().to_owned();
                for (_, section) in kept {
                    rest.push_str(text.get(section.range.clone()).unwrap_or_default());
                }
                let to = next_version(&self.session.files, &path)?;
                self.archived
                    .push((path.name().to_owned(), to.name().to_owned()));
                let change = write_artifact(path, &rest, Some(stamp));
                self.changes.push(change.with_backup(to));
            }
        }
        for row in self
            .after
            .writing
            .sections
            .iter_mut()
            .filter(|row| has(row))
        {
            row.completed = Some(0);
            row.total = None;
            row.voice_score = None;
            row.status = Some(Progress::NeedsReview);
        }
        self.after.writing.status = Some(Progress::NeedsReview);
        self.after.writing.completed_at = None;
        self.flag(Stage::Writing);
        let cut = sections.iter().map(|section| (*section, 0)).collect();
        let log = self.after.writing.log.as_deref();
        let noted = paragraph_log::correction(self.cx, self.session, log, &cut)?;
        self.changes.extend(noted);
        Ok(())
    }

    /// All downstream artifacts are archived; all later stages begin anew.
    pub(super) fn major(&mut self, stage: Stage) -> Result<()> {
        let before = self.session.state.clone();
        let mut paths: Vec<Option<String>> = Vec::new();
        if stage < Stage::Outline {
            paths.push(before.outline.file);
            self.after.outline = OutlineStage::default();
        }
        if stage < Stage::Arguments {
            paths.extend(before.arguments.sections.into_iter().map(|row| row.file));
            self.after.arguments = ArgumentStage {
                birds_eye_approved: Some(false),
                ..ArgumentStage::default()
            };
        }
        if stage < Stage::Writing {
            paths.push(before.writing.draft);
            paths.push(before.writing.log);
            self.after.writing = WritingStage::default();
        }
        for path in paths {
            self.archive(path.as_deref())?;
        }
        for later in stage.later() {
            self.after.set_stage(later, Progress::NotStarted);
            self.consequences.push(Consequence::NotStarted(later));
        }
        self.archive_output()
    }

    fn archive_output(&mut self) -> Result<()> {
        let raw = self.after.output.file.clone();
        if raw.is_some() {
            self.archive(raw.as_deref())?;
            self.after.output = Output::default();
        }
        Ok(())
    }

    /// Gives an artifact the name of its next version. One that is gone already leaves only its path behind.
    fn archive(&mut self, raw: Option<&str>) -> Result<()> {
        let Some(raw) = raw else {
            return Ok(());
        };
        let from: RelPath = self.session.artifact(Some(raw), "")?;
        if !is_file(self.cx, self.session.dir(), &self.session.files, &from) {
            return Ok(());
        }
        let to = next_version(&self.session.files, &from)?;
        self.archived
            .push((from.name().to_owned(), to.name().to_owned()));
        self.changes.push(Change::Move {
            from,
            to,
            access: Access::Shared,
        });
        Ok(())
    }
}
