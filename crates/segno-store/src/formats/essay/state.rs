//! The state of an essay, as `session-state.yaml` holds it.
//!
//! A field that is null, missing or of another shape is `None`; [`super::codec`] writes back only the fields whose value
//! has changed, so that what was not understood stays as it is.

use super::schema::{
    Audience, ClaimType, Impact, Progress, Pushback, RunStatus, Score, Stage, VoiceMode,
};

/// The whole state.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct State {
    /// `essay-{uuid}`.
    pub(super) pipeline_id: Option<String>,
    /// When it began.
    pub(super) started_at: Option<String>,
    /// When it was last worked on.
    pub(super) last_activity: Option<String>,
    /// Where it stands.
    pub(super) status: Option<RunStatus>,
    /// The author's style profile.
    pub(super) style_profile_path: Option<String>,
    /// The author's samples.
    pub(super) samples_dir_path: Option<String>,
    /// How hard the agent questions.
    pub(super) pushback_level: Option<Pushback>,
    /// Where the session lies, as it was written.
    pub(super) session_dir: Option<String>,
    /// The stage being worked on, 1 to 4.
    pub(super) current_stage: Option<u64>,
    /// Its name.
    pub(super) current_stage_name: Option<String>,
    /// Stage 1.
    pub(super) thesis: ThesisStage,
    /// Stage 2.
    pub(super) outline: OutlineStage,
    /// Stage 3.
    pub(super) arguments: ArgumentStage,
    /// Stage 4.
    pub(super) writing: WritingStage,
    /// The voice.
    pub(super) voice: Voice,
    /// Claims still to be verified, and those that were.
    pub(super) deferred: Vec<Deferred>,
    /// Claims that the author keeps against the fact checker.
    pub(super) overrides: Vec<Override>,
    /// What was revised.
    pub(super) revisions: Vec<Revision>,
    /// What came of it.
    pub(super) output: Output,
}

/// Stage 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ThesisStage {
    /// Where it stands.
    pub(super) status: Option<Progress>,
    /// Path of the thesis.
    pub(super) file: Option<String>,
    /// Path of the development log.
    pub(super) log: Option<String>,
    /// What the thesis claims.
    pub(super) claim_type: Option<ClaimType>,
    /// When it was done.
    pub(super) completed_at: Option<String>,
}

/// Stage 2.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct OutlineStage {
    /// Where it stands.
    pub(super) status: Option<Progress>,
    /// Path of the outline.
    pub(super) file: Option<String>,
    /// How many sections.
    pub(super) total_sections: Option<u64>,
    /// How many words.
    pub(super) target_word_count: Option<u64>,
    /// For whom.
    pub(super) audience: Option<Audience>,
    /// When it was done.
    pub(super) completed_at: Option<String>,
}

/// Stage 3.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ArgumentStage {
    /// Where it stands.
    pub(super) status: Option<Progress>,
    /// How many sections.
    pub(super) total_sections: Option<u64>,
    /// The section being worked on.
    pub(super) current_section: Option<u64>,
    /// The sections.
    pub(super) sections: Vec<ArgumentSection>,
    /// The whole was looked at and found good.
    pub(super) birds_eye_approved: Option<bool>,
    /// When it was done.
    pub(super) completed_at: Option<String>,
}

/// One section of stage 3.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ArgumentSection {
    /// Its place in the file's list; `None` for one that is new.
    pub(super) at: Option<usize>,
    /// Its number, from 1.
    pub(super) index: Option<u64>,
    /// Where it stands.
    pub(super) status: Option<Progress>,
    /// Path of its argument map.
    pub(super) file: Option<String>,
    /// Claims that are verified.
    pub(super) verified: Option<u64>,
    /// Claims that wait for a verification.
    pub(super) deferred: Option<u64>,
    /// When it was done.
    pub(super) completed_at: Option<String>,
}

/// Stage 4.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct WritingStage {
    /// Where it stands.
    pub(super) status: Option<Progress>,
    /// The section being written.
    pub(super) current_section: Option<u64>,
    /// The paragraph to be written next.
    pub(super) current_paragraph: Option<u64>,
    /// Path of the draft.
    pub(super) draft: Option<String>,
    /// Path of the paragraph log.
    pub(super) log: Option<String>,
    /// The sections.
    pub(super) sections: Vec<WritingSection>,
    /// When it was done.
    pub(super) completed_at: Option<String>,
}

/// One section of stage 4.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct WritingSection {
    /// Its place in the file's list; `None` for one that is new.
    pub(super) at: Option<usize>,
    /// Its number, from 1.
    pub(super) index: Option<u64>,
    /// How many paragraphs it is to have, where known.
    pub(super) total: Option<u64>,
    /// How many it has.
    pub(super) completed: Option<u64>,
    /// Where it stands.
    pub(super) status: Option<Progress>,
    /// How well it sounds like its author.
    pub(super) voice_score: Option<Score>,
}

/// The voice.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Voice {
    /// How accurate the author found the first assessment, 1 to 5.
    pub(super) rating: Option<u64>,
    /// What to correct in the assessments.
    pub(super) notes: Option<String>,
    /// What the voice is compared with.
    pub(super) mode: Option<VoiceMode>,
}

/// A claim whose verification was put off.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Deferred {
    /// Its place in the file's list; `None` for one that is new.
    pub(super) at: Option<usize>,
    /// The line it stands on.
    pub(super) line: u64,
    /// What it says.
    pub(super) claim: Option<String>,
    /// In which section.
    pub(super) section: Option<u64>,
    /// In which paragraph.
    pub(super) paragraph: Option<u64>,
    /// Why it was put off.
    pub(super) reason: Option<String>,
    /// When.
    pub(super) added_at: Option<String>,
    /// Whether it is settled.
    pub(super) resolved: Option<bool>,
}

/// A claim that the author keeps against the fact checker.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Override {
    /// Its place in the file's list; `None` for one that is new.
    pub(super) at: Option<usize>,
    /// The line it stands on.
    pub(super) line: u64,
    /// What it says.
    pub(super) claim: Option<String>,
    /// What the fact checker found.
    pub(super) result: Option<String>,
    /// What the author did: `override`.
    pub(super) action: Option<String>,
    /// Why.
    pub(super) rationale: Option<String>,
    /// When.
    pub(super) logged_at: Option<String>,
}

/// One revision of an earlier stage.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Revision {
    /// Its place in the file's list; `None` for one that is new.
    pub at: Option<usize>,
    /// Which stage.
    pub stage: Option<u64>,
    /// How much it touched.
    pub impact: Option<Impact>,
    /// Why.
    pub reason: Option<String>,
    /// The archived files of later stages.
    pub archived: Vec<String>,
    /// When.
    pub timestamp: Option<String>,
}

/// What came of the essay.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Output {
    /// Path of the essay.
    pub(super) file: Option<String>,
    /// Claims that are verified.
    pub(super) sources_verified: Option<u64>,
    /// How well it sounds like its author.
    pub(super) voice_score: Option<Score>,
    /// How many words.
    pub(super) words: Option<u64>,
    /// When it was done.
    pub(super) completed_at: Option<String>,
}

impl State {
    /// The status of a stage.
    pub(super) fn stage(&self, stage: Stage) -> Progress {
        let status = match stage {
            Stage::Thesis => self.thesis.status,
            Stage::Outline => self.outline.status,
            Stage::Arguments => self.arguments.status,
            Stage::Writing => self.writing.status,
        };
        status.unwrap_or(Progress::NotStarted)
    }

    /// Sets the status of a stage.
    pub(super) fn set_stage(&mut self, stage: Stage, status: Progress) {
        let slot = match stage {
            Stage::Thesis => &mut self.thesis.status,
            Stage::Outline => &mut self.outline.status,
            Stage::Arguments => &mut self.arguments.status,
            Stage::Writing => &mut self.writing.status,
        };
        *slot = Some(status);
    }

    /// The stage being worked on; the first where the file does not say.
    pub(super) fn current(&self) -> Stage {
        self.current_stage
            .and_then(Stage::of)
            .unwrap_or(Stage::Thesis)
    }

    /// Goes to a stage.
    pub(super) fn go_to(&mut self, stage: Stage) {
        self.current_stage = Some(stage.number());
        self.current_stage_name = Some(stage.name().to_owned());
    }

    /// How many sections the essay has, where an outline said so.
    pub(super) fn total_sections(&self) -> Option<u64> {
        self.outline
            .total_sections
            .or(self.arguments.total_sections)
    }

    /// The row of a section in stage 3.
    pub(super) fn argument(&self, index: u64) -> Option<&ArgumentSection> {
        let rows = &self.arguments.sections;
        rows.iter().find(|row| row.index == Some(index))
    }

    /// The row of a section in stage 3, made when it is missing.
    pub(super) fn argument_mut(&mut self, index: u64) -> &mut ArgumentSection {
        let rows = &mut self.arguments.sections;
        let at = rows.iter().position(|row| row.index == Some(index));
        let at = at.unwrap_or_else(|| {
            rows.push(ArgumentSection::fresh(index));
            rows.len() - 1
        });
        rows.get_mut(at)
            .expect("because the row was found or pushed")
    }

    /// The row of a section in stage 4.
    pub(super) fn written(&self, index: u64) -> Option<&WritingSection> {
        let rows = &self.writing.sections;
        rows.iter().find(|row| row.index == Some(index))
    }

    /// The row of a section in stage 4, made when it is missing.
    pub(super) fn written_mut(&mut self, index: u64) -> &mut WritingSection {
        let rows = &mut self.writing.sections;
        let at = rows.iter().position(|row| row.index == Some(index));
        let at = at.unwrap_or_else(|| {
            rows.push(WritingSection::fresh(index));
            rows.len() - 1
        });
        rows.get_mut(at)
            .expect("because the row was found or pushed")
    }

    /// Claims that are still to be verified.
    pub(super) fn open_claims(&self) -> impl Iterator<Item = &Deferred> {
        let claims = self.deferred.iter();
        claims.filter(|claim| claim.resolved != Some(true))
    }
}

impl ArgumentSection {
    /// A section that nothing has been done for.
    pub(super) fn fresh(index: u64) -> Self {
        Self {
            index: Some(index),
            status: Some(Progress::NotStarted),
            verified: Some(0),
            deferred: Some(0),
            ..Self::default()
        }
    }
}

impl WritingSection {
    /// A section of which nothing has been written.
    pub(super) fn fresh(index: u64) -> Self {
        Self {
            index: Some(index),
            completed: Some(0),
            status: Some(Progress::NotStarted),
            ..Self::default()
        }
    }
}
