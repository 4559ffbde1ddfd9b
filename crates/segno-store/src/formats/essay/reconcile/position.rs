//! Where the work goes on: stages in order, sections and paragraphs within their range.

use super::super::position::{first_open, next_to_write};
use super::super::schema::{Progress, Stage};
use super::{Reach, Work};

impl Work<'_> {
    /// No stage is completed while one before it is not started.
    pub(super) fn order(&mut self) {
        if !self.may_forget() {
            return;
        }
        for stage in Stage::ALL {
            let earlier = Stage::ALL
                .into_iter()
                .take_while(|earlier| *earlier < stage);
            let blocked = earlier
                .clone()
                .any(|earlier| self.state.stage(earlier) == Progress::NotStarted);
            if self.state.stage(stage) == Progress::Completed && blocked {
                self.state.set_stage(stage, Progress::NeedsReview);
                self.say(format!(
                    "marked stage {} for review: a stage before it is not started",
                    stage.number()
                ));
            }
        }
    }

    pub(super) fn position(&mut self) {
        if !self.may_forget() {
            return;
        }
        let total = self.state.total_sections();
        let rebuild = self.reach == Reach::Rebuild;
        let outside = |current: Option<u64>| {
            current
                .is_some_and(|current| current == 0 || total.is_some_and(|total| current > total))
        };
        if rebuild || outside(self.state.arguments.current_section) {
            let next = first_open(self.state);
            self.state.arguments.current_section = next;
            if let (false, Some(next)) = (rebuild, next) {
                self.say(format!("stage 3 goes on at section {next}"));
            }
        }
        let writing = self.state.stage(Stage::Writing) != Progress::NotStarted;
        if writing && (rebuild || outside(self.state.writing.current_section)) {
            let next = next_to_write(self.state);
            self.state.writing.current_section = next;
            if let (false, Some(next)) = (rebuild, next) {
                self.say(format!("stage 4 goes on at section {next}"));
            }
        }
        self.paragraph(writing);
        if rebuild {
            let open = |stage: &Stage| self.state.stage(*stage) != Progress::Completed;
            let stage = Stage::ALL.into_iter().find(open).unwrap_or(Stage::Writing);
            self.state.go_to(stage);
        }
    }

    fn paragraph(&mut self, writing: bool) {
        if !writing {
            return;
        }
        let section = self.state.writing.current_section;
        let row = section.and_then(|section| self.state.written(section));
        let written = row.and_then(|row| row.completed).unwrap_or(0);
        let most = row.and_then(|row| row.total).unwrap_or(0).max(written) + 1;
        let current = self.state.writing.current_paragraph;
        let outside = current.is_some_and(|current| current == 0 || current > most);
        if self.reach == Reach::Rebuild || outside {
            self.state.writing.current_paragraph = Some(written + 1);
            self.say(format!("stage 4 goes on at paragraph {}", written + 1));
        }
    }
}
