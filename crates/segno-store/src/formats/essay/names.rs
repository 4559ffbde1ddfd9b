//! The names of a session's files, and what the paths in the state mean.
//!
//! The state may hold paths as `/tmp/essay-pipeline-.../stage-1-thesis.md`, as `{session_dir}/stage-1-thesis.md`,
//! relative to the workspace, or as bare names: sessions are moved and copied. A path is resolved inside the session's own
//! directory, and one that leads anywhere else is never opened.

use segno_disk::RelPath;

use crate::error::Result;
use crate::session::Now;

/// The state.
pub(super) const STATE: &str = "session-state.yaml";
/// The previous state.
pub(super) const BACKUP: &str = "session-state.yaml.bak";
/// The state about to be.
pub(super) const TEMP: &str = "session-state.yaml.tmp";
/// Stage 1.
pub(super) const THESIS: &str = "stage-1-thesis.md";
/// Stage 1: how the thesis came to be.
pub(super) const DEVELOPMENT_LOG: &str = "stage-1-development-log.md";
/// Stage 2.
pub(super) const OUTLINE: &str = "stage-2-outline.md";
/// Stage 4.
pub(super) const DRAFT: &str = "stage-4-draft.md";
/// Stage 4: how the paragraphs came to be.
pub(super) const PARAGRAPH_LOG: &str = "stage-4-paragraph-log.md";
/// The field of the paragraph log that says how many paragraphs a section has from then on.
pub(super) const PARAGRAPHS_NOW: &str = "Paragraphs in the draft";
/// The essay.
pub(super) const FINAL: &str = "final-essay.md";
/// Verifications and overrides.
pub(super) const FACT_LOG: &str = "fact-check-log.md";
/// Voice assessments.
pub(super) const VOICE_LOG: &str = "voice-check-log.md";

const DIR_PREFIX: &str = "essay-pipeline-";

/// The argument map of a section.
pub(super) fn argument_map(section: u64) -> String {
    format!("stage-3-section-{section}-arguments.md")
}

/// The section whose argument map this is.
pub(super) fn section_of(name: &str) -> Option<u64> {
    let number = name
        .strip_prefix("stage-3-section-")?
        .strip_suffix("-arguments.md")?;
    let section = number.parse().ok()?;
    (argument_map(section) == name).then_some(section)
}

/// True for the name of a session's directory.
pub(super) fn is_session_dir(name: &str) -> bool {
    name.strip_prefix(DIR_PREFIX)
        .is_some_and(|rest| !rest.is_empty())
}

/// The name of the directory of a session that begins now, or some seconds later.
pub(super) fn session_dir(now: &Now, later: i64) -> String {
    let local = now
        .local()
        .saturating_add(jiff::SignedDuration::from_secs(later));
    format!("{DIR_PREFIX}{}", local.strftime("%Y%m%d-%H%M%S"))
}

/// The time in the name of a session's directory, as it stands there.
pub(super) fn time_of(name: &str) -> Option<&str> {
    name.strip_prefix(DIR_PREFIX)
}

/// `stage-1-thesis.v2.md`: an earlier version of an artifact.
pub(super) fn version_name(name: &str, version: u64) -> String {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    format!("{stem}.v{version}.md")
}

/// The artifact and the number of an earlier version.
pub(super) fn version_of(name: &str) -> Option<(String, u64)> {
    let (stem, number) = name.strip_suffix(".md")?.rsplit_once(".v")?;
    let version = number.parse().ok()?;
    (number.bytes().all(|byte| byte.is_ascii_digit())).then(|| (format!("{stem}.md"), version))
}

/// True for an artifact or one of its versions.
pub(super) fn is_markdown(name: &str) -> bool {
    let path = std::path::Path::new(name);
    path.extension().is_some_and(|extension| extension == "md")
}

/// A path in the state leads outside the session directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outside;

/// The file that a path in the state means, below the session's directory.
pub(super) fn resolve(
    dir: &RelPath,
    session_dir: Option<&str>,
    raw: &str,
) -> std::result::Result<RelPath, Outside> {
    let text = raw.trim().replace('\\', "/");
    let own = dir.name();
    // The directory may have been renamed since: the name that the state gives it counts too.
    let known = session_dir
        .map(|path| path.trim_end_matches(['/', '\\']))
        .and_then(|path| path.rsplit(['/', '\\']).next())
        .filter(|name| is_session_dir(name));
    let parts: Vec<&str> = text
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if parts.is_empty() || parts.contains(&"..") {
        return Err(Outside);
    }
    let inside = parts
        .iter()
        .rposition(|part| *part == own || Some(*part) == known || *part == "{session_dir}");
    let rest = match inside {
        Some(at) => parts.get(at + 1..).unwrap_or_default(),
        None if text.starts_with('/') || text.contains(':') || text.starts_with('~') => {
            return Err(Outside);
        }
        None => &parts,
    };
    if rest.iter().any(|part| is_session_dir(part)) {
        return Err(Outside);
    }
    dir.join(&rest.join("/")).map_err(|_| Outside)
}

/// A file of the session.
pub(super) fn file(dir: &RelPath, name: &str) -> Result<RelPath> {
    Ok(dir.join_name(name)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_inside_the_session_and_refused_outside_of_it() {
        let dir = RelPath::new("essays/essay-pipeline-20260214-143022").unwrap();
        let check = |session_dir: Option<&str>, raw: &str, expected: Option<&str>| {
            let found = resolve(&dir, session_dir, raw).ok();
            let found = found.as_ref().and_then(|path| path.below(&dir));
            assert_eq!(found, expected, "{raw}");
        };
        let name = Some("stage-1-thesis.md");
        check(
            None,
            "/tmp/essay-pipeline-20260214-143022/stage-1-thesis.md",
            name,
        );
        check(None, "{session_dir}/stage-1-thesis.md", name);
        check(
            None,
            "essays/essay-pipeline-20260214-143022/stage-1-thesis.md",
            name,
        );
        check(None, "stage-1-thesis.md", name);
        check(None, "./stage-1-thesis.md", name);
        check(
            None,
            "C:\\t\\essay-pipeline-20260214-143022\\stage-1-thesis.md",
            name,
        );
        check(
            Some("/tmp/essay-pipeline-old"),
            "/tmp/essay-pipeline-old/stage-1-thesis.md",
            name,
        );
        check(Some("/etc"), "/etc/passwd", None);
        check(None, "/etc/passwd", None);
        check(
            None,
            "../essay-pipeline-20260214-143022/stage-1-thesis.md",
            None,
        );
        check(
            None,
            "/tmp/essay-pipeline-20260214-143022/../../etc/passwd",
            None,
        );
        check(None, "/tmp/essay-pipeline-other/stage-1-thesis.md", None);
        check(None, "essay-pipeline-other/stage-1-thesis.md", None);
        check(None, "~/.ssh/id", None);
        check(None, "", None);
        check(None, "/tmp/essay-pipeline-20260214-143022", None);
    }

    #[test]
    fn archived_versions_are_named_stem_vn_md() {
        assert_eq!(version_name(THESIS, 1), "stage-1-thesis.v1.md");
        assert_eq!(
            version_of("stage-1-thesis.v12.md"),
            Some((THESIS.to_owned(), 12))
        );
        assert_eq!(version_of("stage-1-thesis.md"), None);
        assert_eq!(version_of("stage-1-thesis.v.md"), None);
        assert_eq!(section_of("stage-3-section-12-arguments.md"), Some(12));
        assert_eq!(section_of("stage-3-section-012-arguments.md"), None);
        assert_eq!(section_of("stage-3-section-1-arguments.v1.md"), None);
    }
}
