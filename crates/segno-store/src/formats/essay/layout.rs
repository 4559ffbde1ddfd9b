//! The keys of the state in the document's order: one table per block, read and written by [`super::codec`].

use super::state::{
    ArgumentSection, ArgumentStage, Deferred, OutlineStage, Output, Override, Revision, State,
    ThesisStage, Voice, WritingSection, WritingStage,
};
use crate::text::yaml::{Map, Value};

/// The scalars of one block with their keys, in order.
pub(super) type Fields = Vec<(&'static str, Value)>;

/// One item of a list in the file.
pub(super) trait Row {
    /// Its place in the file's list.
    fn at(&self) -> Option<usize>;
    /// Its scalars.
    fn fields(&self) -> Fields;

    /// The whole item.
    fn to_value(&self) -> Value {
        let mut map = Map::new();
        for (key, value) in self.fields() {
            map.insert(key, value);
        }
        Value::Map(map)
    }
}

impl State {
    pub(super) fn top(&self) -> Fields {
        vec![
            ("pipeline_id", (&self.pipeline_id).into_value()),
            ("started_at", (&self.started_at).into_value()),
            ("last_activity", (&self.last_activity).into_value()),
            ("status", self.status.into()),
            (
                "style_profile_path",
                (&self.style_profile_path).into_value(),
            ),
            ("samples_dir_path", (&self.samples_dir_path).into_value()),
            ("pushback_level", self.pushback_level.into()),
            ("session_dir", (&self.session_dir).into_value()),
            ("current_stage", self.current_stage.into()),
            (
                "current_stage_name",
                (&self.current_stage_name).into_value(),
            ),
        ]
    }
}

impl ThesisStage {
    pub(super) fn fields(&self) -> Fields {
        vec![
            ("status", self.status.into()),
            ("thesis_file", (&self.file).into_value()),
            ("development_log", (&self.log).into_value()),
            ("claim_type", self.claim_type.into()),
            ("completed_at", (&self.completed_at).into_value()),
        ]
    }
}

impl OutlineStage {
    pub(super) fn fields(&self) -> Fields {
        vec![
            ("status", self.status.into()),
            ("outline_file", (&self.file).into_value()),
            ("total_sections", self.total_sections.into()),
            ("target_word_count", self.target_word_count.into()),
            ("audience", self.audience.into()),
            ("completed_at", (&self.completed_at).into_value()),
        ]
    }
}

impl ArgumentStage {
    pub(super) fn fields(&self) -> Fields {
        vec![
            ("status", self.status.into()),
            ("total_sections", self.total_sections.into()),
            ("current_section", self.current_section.into()),
            ("birds_eye_approved", self.birds_eye_approved.into()),
            ("completed_at", (&self.completed_at).into_value()),
        ]
    }
}

impl WritingStage {
    pub(super) fn fields(&self) -> Fields {
        vec![
            ("status", self.status.into()),
            ("current_section", self.current_section.into()),
            ("current_paragraph", self.current_paragraph.into()),
            ("draft_file", (&self.draft).into_value()),
            ("paragraph_log", (&self.log).into_value()),
            ("completed_at", (&self.completed_at).into_value()),
        ]
    }
}

impl Voice {
    pub(super) fn fields(&self) -> Fields {
        vec![
            ("first_assessment_user_rating", self.rating.into()),
            ("calibration_notes", (&self.notes).into_value()),
            ("voice_reference_mode", self.mode.into()),
        ]
    }
}

impl Output {
    pub(super) fn fields(&self) -> Fields {
        vec![
            ("final_essay_file", (&self.file).into_value()),
            ("sources_verified", self.sources_verified.into()),
            ("voice_consistency_score", self.voice_score.into()),
            ("total_word_count", self.words.into()),
            ("completed_at", (&self.completed_at).into_value()),
        ]
    }
}

impl Row for ArgumentSection {
    fn at(&self) -> Option<usize> {
        self.at
    }

    fn fields(&self) -> Fields {
        vec![
            ("section_index", self.index.into()),
            ("status", self.status.into()),
            ("argument_map_file", (&self.file).into_value()),
            ("verified_claims", self.verified.into()),
            ("deferred_claims", self.deferred.into()),
            ("completed_at", (&self.completed_at).into_value()),
        ]
    }
}

impl Row for WritingSection {
    fn at(&self) -> Option<usize> {
        self.at
    }

    fn fields(&self) -> Fields {
        vec![
            ("section_index", self.index.into()),
            ("total_paragraphs", self.total.into()),
            ("completed_paragraphs", self.completed.into()),
            ("status", self.status.into()),
            ("voice_check_score", self.voice_score.into()),
        ]
    }
}

impl Row for Deferred {
    fn at(&self) -> Option<usize> {
        self.at
    }

    fn fields(&self) -> Fields {
        vec![
            ("claim_text", (&self.claim).into_value()),
            ("section", self.section.into()),
            ("paragraph", self.paragraph.into()),
            ("reason", (&self.reason).into_value()),
            ("added_at", (&self.added_at).into_value()),
            ("resolved", self.resolved.into()),
        ]
    }
}

impl Row for Override {
    fn at(&self) -> Option<usize> {
        self.at
    }

    fn fields(&self) -> Fields {
        vec![
            ("claim_text", (&self.claim).into_value()),
            ("fact_checker_result", (&self.result).into_value()),
            ("user_action", (&self.action).into_value()),
            ("user_rationale", (&self.rationale).into_value()),
            ("logged_at", (&self.logged_at).into_value()),
        ]
    }
}

impl Row for Revision {
    fn at(&self) -> Option<usize> {
        self.at
    }

    fn fields(&self) -> Fields {
        vec![
            ("stage_revisited", self.stage.into()),
            ("impact", self.impact.into()),
            ("reason", (&self.reason).into_value()),
            (
                "downstream_archived",
                Value::List(self.archived.iter().map(Value::from).collect()),
            ),
            ("timestamp", (&self.timestamp).into_value()),
        ]
    }
}

trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for &Option<String> {
    fn into_value(self) -> Value {
        self.as_ref().map_or(Value::Null, Value::from)
    }
}
