//! The codes of what can be wrong with an essay. Each is explained in `docs/problems.md`.

/// `session-state.yaml` is not there.
pub const MISSING_STATE: &str = "missing_state";
/// The state is YAML of another shape.
pub const NOT_ESSAY_STATE: &str = "not_essay_state";
/// One value of the state is not what its key takes.
pub const BAD_VALUE: &str = "bad_value";
/// A stage is completed, and its artifact is not there.
pub const STAGE_ARTIFACT_MISSING: &str = "stage_artifact_missing";
/// A section is completed, and its argument map is not there.
pub const ARGUMENT_MAP_MISSING: &str = "argument_map_missing";
/// `current_section` is not within 1 to `total_sections`.
pub const SECTION_OUT_OF_RANGE: &str = "section_out_of_range";
/// `current_paragraph` is not within a reasonable range.
pub const PARAGRAPH_OUT_OF_RANGE: &str = "paragraph_out_of_range";
/// A file that the state refers to is not there.
pub const FILE_MISSING: &str = "file_missing";
/// A stage is completed while one before it is not started.
pub const PREREQUISITE_NOT_STARTED: &str = "prerequisite_not_started";
/// A path in the state leads outside the session directory.
pub const PATH_OUTSIDE: &str = "path_outside";
/// An artifact is there, and the state does not know of it.
pub const UNRECORDED_ARTIFACT: &str = "unrecorded_artifact";
/// The draft and the state disagree about the paragraphs of a section.
pub const PARAGRAPHS_DIFFER: &str = "paragraphs_differ";
/// The draft and the paragraph log disagree about the paragraphs of a section.
pub const PARAGRAPH_LOG_DIFFERS: &str = "paragraph_log_differs";
/// Arguments exist for a section that the outline does not have.
pub const SECTION_NOT_IN_OUTLINE: &str = "section_not_in_outline";
/// The artifact of a completed stage lacks what the stage is about.
pub const ARTIFACT_INCOMPLETE: &str = "artifact_incomplete";
/// An artifact cannot be read as text.
pub const ARTIFACT_UNREADABLE: &str = "artifact_unreadable";
