//! Brings a state in line with the artifacts: what is there is recorded, what is gone is marked for review.

mod position;

use super::evidence::Evidence;
use super::schema::{Progress, RunStatus, Stage};
use super::state::{Deferred, State};
use crate::formats::Recovery;

/// How far the state may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only what loses nothing: record what is there.
    Record,
    /// Also forget what is gone.
    Settle,
    /// The state is new: everything that the artifacts say is taken from them.
    Rebuild,
}

/// Changes the state until it agrees with the artifacts, and says what was changed.
pub(super) fn reconcile(
    state: &mut State,
    evidence: &Evidence,
    reach: Reach,
    report: &mut Recovery,
) {
    let mut work = Work {
        state,
        evidence,
        reach,
        report,
    };
    work.thesis();
    work.outline();
    work.arguments();
    work.writing();
    work.output();
    work.order();
    work.position();
    if reach == Reach::Rebuild {
        work.logs();
    }
}

struct Work<'a> {
    state: &'a mut State,
    evidence: &'a Evidence,
    reach: Reach,
    report: &'a mut Recovery,
}

impl Work<'_> {
    fn say(&mut self, text: impl Into<String>) {
        if self.reach != Reach::Rebuild {
            self.report.done.push(text.into());
        }
    }

    fn may_forget(&self) -> bool {
        self.reach != Reach::Record
    }

    fn thesis(&mut self) {
        let Some(found) = &self.evidence.thesis else {
            if self.may_forget() {
                self.gone(Stage::Thesis, self.state.thesis.file.clone());
                self.state.thesis.file = None;
            }
            return self.development_log();
        };
        if self.state.thesis.file.as_deref() != Some(&found.path) {
            self.say(format!("recorded `{}`", found.path));
            let stage = &mut self.state.thesis;
            stage.file = Some(found.path.clone());
            stage.status = Some(Progress::Completed);
            stage.claim_type = stage.claim_type.or(found.read.claim_type);
            let at = stage.completed_at.take();
            stage.completed_at = at.or_else(|| found.read.approval.at.clone());
        }
        self.development_log();
    }

    fn development_log(&mut self) {
        let there = self.evidence.development_log.clone();
        if there.is_some() || self.may_forget() {
            self.state.thesis.log = there;
        }
    }

    fn outline(&mut self) {
        let Some(found) = &self.evidence.outline else {
            if self.may_forget() {
                self.gone(Stage::Outline, self.state.outline.file.clone());
                self.state.outline.file = None;
            }
            return;
        };
        if self.state.outline.file.as_deref() == Some(&found.path) {
            return;
        }
        self.say(format!("recorded `{}`", found.path));
        let read = &found.read;
        let stage = &mut self.state.outline;
        stage.file = Some(found.path.clone());
        stage.status = Some(Progress::Completed);
        let total = read.sections.len() as u64;
        stage.total_sections = Some(total)
            .filter(|total| *total > 0)
            .or(stage.total_sections);
        stage.target_word_count = stage.target_word_count.or(read.target_words);
        stage.audience = stage.audience.or(read.audience);
        let at = stage.completed_at.take();
        stage.completed_at = at.or_else(|| read.approval.at.clone());
        self.state.arguments.total_sections = self.state.outline.total_sections;
        for section in 1..=total {
            self.state.argument_mut(section);
        }
        if self.state.stage(Stage::Arguments) == Progress::NotStarted && total > 0 {
            self.state.set_stage(Stage::Arguments, Progress::InProgress);
            self.state.arguments.current_section = Some(1);
        }
    }

    fn arguments(&mut self) {
        let evidence = self.evidence;
        for (section, found) in &evidence.maps {
            let known = self
                .state
                .argument(*section)
                .and_then(|row| row.file.as_deref());
            if known == Some(&found.path) {
                continue;
            }
            self.say(format!("recorded `{}`", found.path));
            let approved = found.read.approval.yes;
            let row = self.state.argument_mut(*section);
            row.file = Some(found.path.clone());
            row.status = Some(if approved {
                Progress::Completed
            } else {
                Progress::InProgress
            });
            row.verified = Some(found.read.verified());
            row.deferred = Some(found.read.deferred());
            row.completed_at = found.read.approval.at.clone().filter(|_| approved);
            if self.state.stage(Stage::Arguments) == Progress::NotStarted {
                self.state.set_stage(Stage::Arguments, Progress::InProgress);
            }
        }
        if self.may_forget() {
            self.forget_maps();
        }
        self.birds_eye();
    }

    fn forget_maps(&mut self) {
        let mut lost = Vec::new();
        for row in &mut self.state.arguments.sections {
            let there = row
                .index
                .is_some_and(|index| self.evidence.maps.contains_key(&index));
            let claims = row.file.is_some() || row.status == Some(Progress::Completed);
            if there || !claims {
                continue;
            }
            row.file = None;
            row.status = Some(Progress::NeedsReview);
            lost.push(row.index.unwrap_or(0).to_string());
        }
        if !lost.is_empty() {
            let which = lost.join(", ");
            self.say(format!(
                "marked section {which} for review: the argument map is gone"
            ));
            if self.state.stage(Stage::Arguments) == Progress::Completed {
                self.state
                    .set_stage(Stage::Arguments, Progress::NeedsReview);
            }
        }
        let empty = self.state.arguments.sections.is_empty();
        if empty && self.state.stage(Stage::Arguments) == Progress::Completed {
            self.state
                .set_stage(Stage::Arguments, Progress::NeedsReview);
            self.say("marked stage 3 for review: it lists no sections");
        }
    }

    /// A draft after all maps were approved means that the whole was looked at: the best guess there is.
    fn birds_eye(&mut self) {
        let rows = &self.state.arguments.sections;
        let all = !rows.is_empty()
            && rows
                .iter()
                .all(|row| row.status == Some(Progress::Completed));
        if self.reach == Reach::Rebuild && all && self.evidence.draft.is_some() {
            self.state.arguments.birds_eye_approved = Some(true);
            self.state.set_stage(Stage::Arguments, Progress::Completed);
            self.report
                .unknown
                .push("birds_eye_approved (taken from the draft being there)".to_owned());
        }
    }

    fn writing(&mut self) {
        let log = self
            .evidence
            .paragraph_log
            .as_ref()
            .map(|found| found.path.clone());
        if log.is_some() || self.may_forget() {
            self.state.writing.log = log;
        }
        let evidence = self.evidence;
        let Some(found) = &evidence.draft else {
            if self.may_forget() && self.state.writing.draft.is_some() {
                self.gone(Stage::Writing, self.state.writing.draft.clone());
                self.state.writing.draft = None;
                self.state.set_stage(Stage::Writing, Progress::NeedsReview);
                for row in &mut self.state.writing.sections {
                    row.completed = Some(0);
                    row.status = Some(Progress::NeedsReview);
                }
            } else if self.may_forget() {
                self.gone(Stage::Writing, None);
            }
            return;
        };
        let recorded = self.state.writing.draft.as_deref() == Some(&found.path);
        if !recorded {
            self.say(format!("recorded `{}`", found.path));
            self.state.writing.draft = Some(found.path.clone());
        }
        let mut done = 0;
        for (section, written) in found.read.numbered(&evidence.titles()) {
            let count = written.paragraphs.len() as u64;
            let known = self
                .state
                .written(section)
                .and_then(|row| row.completed)
                .unwrap_or(0);
            done += u64::from(written.done);
            if recorded && known == count {
                continue;
            }
            if recorded {
                self.say(format!(
                    "section {section}: {count} paragraphs, as the draft has them"
                ));
            }
            if self.state.writing.current_section == Some(section) {
                self.state.writing.current_paragraph = Some(count + 1);
            }
            let row = self.state.written_mut(section);
            row.completed = Some(count);
            row.status = Some(if written.done {
                Progress::Completed
            } else {
                Progress::InProgress
            });
            row.total = if written.done {
                Some(count)
            } else {
                row.total.map(|total| total.max(count))
            };
        }
        if self.state.stage(Stage::Writing) == Progress::NotStarted {
            self.state.set_stage(Stage::Writing, Progress::InProgress);
        }
        let all = self
            .state
            .total_sections()
            .is_some_and(|total| total > 0 && done >= total);
        if !recorded && all {
            self.state.set_stage(Stage::Writing, Progress::Completed);
        }
    }

    fn output(&mut self) {
        let Some(found) = &self.evidence.final_essay else {
            if self.may_forget() && self.state.output.file.is_some() {
                self.state.output.file = None;
                self.state.output.completed_at = None;
                self.say(
                    "forgot the final essay: it is gone, and `segno essay finish` makes it again",
                );
                if self.state.status == Some(RunStatus::Completed) {
                    self.state.status = Some(RunStatus::InProgress);
                }
            }
            return;
        };
        if self.state.output.file.as_deref() == Some(&found.path) {
            return;
        }
        self.say(format!("recorded `{}`", found.path));
        let read = &found.read;
        let output = &mut self.state.output;
        output.file = Some(found.path.clone());
        output.sources_verified = read.verified;
        output.voice_score = read.voice_score;
        output.words = read.words;
        output.completed_at.clone_from(&read.completed_at);
        self.state.status = Some(RunStatus::Completed);
    }

    /// An artifact that the state speaks of is gone.
    fn gone(&mut self, stage: Stage, path: Option<String>) {
        let done = self.state.stage(stage) == Progress::Completed;
        if !done && path.is_none() {
            return;
        }
        let what = path.unwrap_or_else(|| "its artifact".to_owned());
        if done {
            self.state.set_stage(stage, Progress::NeedsReview);
        }
        self.say(format!(
            "marked stage {} for review: {what} is gone",
            stage.number()
        ));
    }

    fn logs(&mut self) {
        self.state.overrides.clone_from(&self.evidence.overrides);
        for (section, score) in &self.evidence.voice {
            if *section > 0 {
                self.state.written_mut(*section).voice_score = Some(*score);
            } else if self.evidence.final_essay.is_none() {
                self.state.output.voice_score = Some(*score);
            }
        }
        for (section, found) in &self.evidence.maps {
            for (claim, reason) in found.read.deferred_claims() {
                self.state.deferred.push(Deferred {
                    claim: Some(claim),
                    section: Some(*section),
                    reason: Some(reason.unwrap_or_else(|| "deferred".to_owned())),
                    resolved: Some(false),
                    ..Deferred::default()
                });
            }
        }
    }
}
