//! The revised stage itself: what its new artifact says is taken into the state, and the work goes on from there.

use std::collections::BTreeMap;

use segno_disk::Change;

use super::argument::take_map;
use super::artifact::{ArgumentMap, Draft, Outline, Thesis};
use super::load::{Session, read_text};
use super::names::OUTLINE;
use super::paragraph_log;
use super::position::{first_open, next_to_write};
use super::schema::{Impact, Progress, Stage};
use super::state::State;
use super::thesis::{sections_of, take_outline};
use crate::error::Result;
use crate::formats::Context;

/// Takes a new artifact over.
pub(super) struct Retake<'a, 'c> {
    pub(super) cx: &'a Context<'c>,
    pub(super) session: &'a Session,
    /// The state afterwards.
    pub(super) state: &'a mut State,
    /// What is written with it.
    pub(super) changes: &'a mut Vec<Change>,
}

impl Retake<'_, '_> {
    /// What the new artifact says of its own stage.
    pub(super) fn stage(
        &mut self,
        stage: Stage,
        section: Option<u64>,
        new: &str,
        path: String,
        impact: Impact,
    ) -> Result<()> {
        let now = self.cx.now.utc_seconds();
        match stage {
            Stage::Thesis => {
                let claim = Thesis::read(new).claim_type;
                self.state.thesis.file = Some(path);
                self.state.thesis.status = Some(Progress::Completed);
                self.state.thesis.claim_type = claim.or(self.state.thesis.claim_type);
                self.state.thesis.completed_at = Some(now);
            }
            Stage::Outline => {
                take_outline(self.state, &sections_of(new)?)?;
                self.state.outline.file = Some(path);
                self.state.outline.completed_at = Some(now);
                if impact == Impact::Major {
                    self.state.arguments.current_section = None;
                }
            }
            Stage::Arguments => {
                let section = section.unwrap_or(1);
                take_map(self.state, section, &ArgumentMap::read(new), self.cx.now);
                self.state.argument_mut(section).file = Some(path);
            }
            Stage::Writing => self.take_draft(new, path)?,
        }
        Ok(())
    }

    fn take_draft(&mut self, new: &str, path: String) -> Result<()> {
        let draft = Draft::read(new);
        let titles = outline_titles(self.cx, self.session)?;
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for row in &mut self.state.writing.sections {
            row.completed = Some(0);
            row.status = Some(Progress::NotStarted);
            counts.extend(row.index.map(|index| (index, 0)));
        }
        for (number, section) in draft.numbered(&titles) {
            let count = section.paragraphs.len() as u64;
            let row = self.state.written_mut(number);
            row.completed = Some(count);
            counts.insert(number, count);
            row.total = section
                .done
                .then_some(count)
                .or(row.total.filter(|total| *total >= count));
            row.status = Some(if section.done {
                Progress::Completed
            } else {
                Progress::InProgress
            });
        }
        self.state.writing.draft = Some(path);
        let total = self.state.total_sections().unwrap_or(0);
        let all = (1..=total).all(|section| {
            self.state.written(section).and_then(|row| row.status) == Some(Progress::Completed)
        });
        self.state.writing.status = Some(if all {
            Progress::Completed
        } else {
            Progress::InProgress
        });
        let log = self.state.writing.log.as_deref();
        let noted = paragraph_log::correction(self.cx, self.session, log, &counts)?;
        self.changes.extend(noted);
        Ok(())
    }

    /// Goes to where the work goes on.
    pub(super) fn position(&mut self, stage: Stage, impact: Impact) {
        if impact == Impact::Major {
            self.state.go_to(stage);
            return;
        }
        let state = &mut *self.state;
        if state.arguments.current_section.is_some() {
            state.arguments.current_section = first_open(state);
        }
        if state.writing.current_section.is_some() {
            state.writing.current_section = next_to_write(state);
            let row = state
                .writing
                .current_section
                .and_then(|section| state.written(section));
            let written = row.and_then(|row| row.completed).unwrap_or(0);
            state.writing.current_paragraph = Some(written + 1);
        }
    }
}

/// The sections of the outline as it was before the revision: number and title.
pub(super) fn outline_titles(cx: &Context<'_>, session: &Session) -> Result<Vec<(u64, String)>> {
    let raw = session.state.outline.file.as_deref();
    let path = session.artifact(raw, OUTLINE)?;
    let text = read_text(cx.files, &path)?
        .map(|(text, _)| text)
        .unwrap_or_default();
    let sections = Outline::read(&text).sections;
    Ok(sections
        .into_iter()
        .map(|section| (section.index, section.title))
        .collect())
}
