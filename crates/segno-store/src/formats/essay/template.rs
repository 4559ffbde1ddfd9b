//! The text of a new state: the document's key order, comments and layout.

use super::codec;
use super::schema::Pushback;
use super::state::State;
use crate::error::Result;
use crate::text::yaml::{Budget, Doc};

/// A state in which nothing has been done, with the document's comments.
const EMPTY: &str = r#"# Session Identity
pipeline_id: null
started_at: null
last_activity: null
status: "in_progress"  # in_progress | paused | completed | abandoned

# Configuration
style_profile_path: null
samples_dir_path: null
pushback_level: "full"  # full | light | minimal
session_dir: null

# Pipeline Progress
current_stage: 1  # 1-4
current_stage_name: "thesis_development"  # thesis_development | essay_structuring | argument_development | paragraph_writing

# Stage 1: Thesis Development
stages:
  stage_1:
    status: "not_started"  # not_started | in_progress | completed | needs_review
    thesis_file: null  # "{session_dir}/stage-1-thesis.md" when completed
    development_log: null  # "{session_dir}/stage-1-development-log.md"
    claim_type: null  # argument | explainer | prediction | hybrid
    completed_at: null  # "{ISO8601}"

  # Stage 2: Essay Structuring
  stage_2:
    status: "not_started"
    outline_file: null  # "{session_dir}/stage-2-outline.md"
    total_sections: null
    target_word_count: null
    audience: null  # general | semi-technical | expert
    completed_at: null

  # Stage 3: Argument Development (per-section)
  stage_3:
    status: "not_started"
    total_sections: null
    current_section: null
    sections:
      # Populated dynamically based on outline
      # - section_index: 1
      #   status: "not_started"
      #   argument_map_file: null
      #   verified_claims: 0
      #   deferred_claims: 0
      #   completed_at: null
    birds_eye_approved: false
    completed_at: null

  # Stage 4: Paragraph Writing (per-paragraph)
  stage_4:
    status: "not_started"
    current_section: null
    current_paragraph: null
    draft_file: null  # "{session_dir}/stage-4-draft.md"
    paragraph_log: null  # "{session_dir}/stage-4-paragraph-log.md"
    sections:
      # Populated dynamically
      # - section_index: 1
      #   total_paragraphs: null
      #   completed_paragraphs: 0
      #   status: "not_started"
      #   voice_check_score: null
    completed_at: null

# Cross-Cutting State
voice_calibration:
  first_assessment_user_rating: null  # 1-5
  calibration_notes: null
  voice_reference_mode: "profile"  # profile | sample | hybrid

deferred_verifications: []
  # - claim_text: "[text]"
  #   section: N
  #   paragraph: null
  #   reason: "[timeout | service_unavailable | no_results]"
  #   added_at: "{ISO8601}"
  #   resolved: false

user_overrides: []
  # - claim_text: "[text]"
  #   fact_checker_result: "[status]"
  #   user_action: "override"
  #   user_rationale: "[text]"
  #   logged_at: "{ISO8601}"

revision_history: []
  # - stage_revisited: 1
  #   impact: "major"  # minor | moderate | major
  #   reason: "[user request description]"
  #   downstream_archived: ["stage-2-outline.v1.md", "stage-3-section-1-arguments.v1.md"]
  #   timestamp: "{ISO8601}"

# Output
output:
  final_essay_file: null  # "{session_dir}/final-essay.md"
  sources_verified: null
  voice_consistency_score: null
  total_word_count: null
  completed_at: null
"#;

/// The tree of an empty state, and that state.
pub(super) fn empty() -> (Doc, State) {
    let doc = Doc::parse(EMPTY, &Budget::default())
        .expect("because the template is YAML, as every test of this format relies on");
    let file = segno_disk::RelPath::root();
    let state = codec::decode(&doc, &file, &mut Vec::new())
        .expect("because the template has the shape of a state");
    (doc, state)
}

/// The text of a file that holds a state, laid out as the document lays it out.
pub(super) fn print(state: &State) -> Result<String> {
    let (doc, empty) = empty();
    codec::encode(&doc, &empty, state)
}

/// The state of a new session.
pub(super) fn fresh(pipeline_id: String, session_dir: String, now: String) -> State {
    let (_, mut state) = empty();
    state.pipeline_id = Some(pipeline_id);
    state.started_at = Some(now.clone());
    state.last_activity = Some(now);
    state.session_dir = Some(session_dir);
    state.pushback_level = Some(Pushback::Full);
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_state_has_every_key_of_the_document_in_its_order() {
        let mut state = fresh(
            "essay-1".into(),
            "essays/x".into(),
            "2026-01-01T00:00:00Z".into(),
        );
        let text = print(&state).unwrap();
        let keys: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with([' ', '#']) && !line.is_empty())
            .filter_map(|line| line.split(':').next())
            .collect();
        assert_eq!(
            keys,
            [
                "pipeline_id",
                "started_at",
                "last_activity",
                "status",
                "style_profile_path",
                "samples_dir_path",
                "pushback_level",
                "session_dir",
                "current_stage",
                "current_stage_name",
                "stages",
                "voice_calibration",
                "deferred_verifications",
                "user_overrides",
                "revision_history",
                "output",
            ]
        );
        assert!(text.contains("pipeline_id: \"essay-1\"\n"), "{text}");
        assert!(
            text.contains("status: \"in_progress\"  # in_progress | paused"),
            "{text}"
        );
        state.argument_mut(1).verified = Some(2);
        let text = print(&state).unwrap();
        assert!(
            text.contains("      #   completed_at: null\n      - section_index: 1\n        status: \"not_started\"\n        argument_map_file: null\n        verified_claims: 2\n"),
            "{text}"
        );
    }
}
