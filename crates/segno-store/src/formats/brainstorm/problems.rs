//! The codes of what can be wrong with a brainstorm. Each is explained in `docs/problems.md`.

/// A field that the format requires is missing.
pub const MISSING_FIELD: &str = "missing_field";
/// A value has the wrong type or is none of the words the format knows.
pub const BAD_VALUE: &str = "bad_value";
/// A score lies outside its range.
pub const OUT_OF_RANGE: &str = "out_of_range";
/// The entries of `history` are not in the order of their iterations, or one occurs twice.
pub const HISTORY_ORDER: &str = "history_order";
/// Iterations are missing from `history`.
pub const HISTORY_GAP: &str = "history_gap";
/// `iteration` has no entry in `history`.
pub const ITERATION_MISMATCH: &str = "iteration_mismatch";
/// `mode`, `party_active` and `panel_active` contradict each other.
pub const MODE_MISMATCH: &str = "mode_mismatch";
/// The file is named for another slug.
pub const SLUG_MISMATCH: &str = "slug_mismatch";
/// Two ideas have the same id.
pub const DUPLICATE_IDEA: &str = "duplicate_idea";
/// A round breaks a rule of its mode.
pub const ROUND_RULE: &str = "round_rule";
/// The file is YAML but holds no brainstorm.
pub const NOT_A_SESSION: &str = "not_a_session";
/// The file was written by a newer version.
pub const TOO_NEW: &str = "too_new";

/// So many problems of one sort are reported at a time: a file may be made of nothing else.
pub(super) const MANY: usize = 1000;
