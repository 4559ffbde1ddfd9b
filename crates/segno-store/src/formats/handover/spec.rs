//! One `spec.yaml`: only read here, whatever else stands in it.

use segno_disk::RelPath;

use crate::session::Problem;
use crate::text::damage::marks;
use crate::text::yaml::{Budget, Doc, Node};

use crate::text::damage::merge_on;

/// How far a spec is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Begun.
    Initialized,
    /// Designed.
    DesignGenerated,
    /// Implemented.
    ImplementationComplete,
    /// Waiting for another spec that failed.
    Blocked,
    /// A word that nobody knows, or none at all.
    Unknown(String),
}

impl Phase {
    fn read(word: &str) -> Self {
        match word.trim() {
            "initialized" => Self::Initialized,
            "design-generated" => Self::DesignGenerated,
            "implementation-complete" => Self::ImplementationComplete,
            "blocked" => Self::Blocked,
            other => Self::Unknown(other.to_owned()),
        }
    }

    /// The word in the file.
    pub fn name(&self) -> &str {
        match self {
            Self::Initialized => "initialized",
            Self::DesignGenerated => "design-generated",
            Self::ImplementationComplete => "implementation-complete",
            Self::Blocked => "blocked",
            Self::Unknown(word) => word,
        }
    }
}

/// What a `spec.yaml` says of its place in the pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Its name.
    pub name: String,
    /// The file.
    pub path: RelPath,
    /// How far it is.
    pub phase: Phase,
    /// Its wave of the roadmap.
    pub wave: Option<u64>,
    /// The specs it needs.
    pub dependencies: Vec<String>,
    /// The spec that blocks it.
    pub blocked_by: Option<String>,
    /// Why it is blocked.
    pub blocked_reason: Option<String>,
    /// The phase it returns to.
    pub blocked_at: Option<String>,
    /// The last thing that was done with it.
    pub last_action: Option<String>,
    /// The version of its design and of its implementation, when they differ.
    pub lagging: Option<(String, String)>,
}

impl Spec {
    pub(super) fn named(name: &str, path: RelPath) -> Self {
        Self {
            name: name.to_owned(),
            path,
            phase: Phase::Initialized,
            wave: None,
            dependencies: Vec::new(),
            blocked_by: None,
            blocked_reason: None,
            blocked_at: None,
            last_action: None,
            lagging: None,
        }
    }

    /// Reads a spec from a directory of this name. One that cannot be read is a problem; the others are shown.
    pub(super) fn read(bytes: &[u8], dir: &str, path: &RelPath) -> Result<Self, Problem> {
        if let Some(problem) = merge_on(&marks(bytes.split(|byte| *byte == b'\n')), path) {
            return Err(problem);
        }
        let doc = Doc::from_bytes(bytes, &Budget::default())
            .map_err(|error| error.problem(path.clone()))?;
        let root = doc.root();
        let mut spec = Self::named(
            &text(root, "feature_name").unwrap_or_else(|| dir.to_owned()),
            path.clone(),
        );
        spec.phase = Phase::read(&text(root, "phase").unwrap_or_default());
        if let Some(roadmap) = root.get("roadmap") {
            spec.wave = roadmap.get("wave").and_then(Node::as_u64);
            let dependencies = roadmap.get("dependencies");
            spec.dependencies = dependencies
                .into_iter()
                .flat_map(Node::items)
                .filter_map(|item| item.as_str().map(ToOwned::to_owned))
                .collect();
        }
        if let Some(blocked) = root.get("blocked_info") {
            spec.blocked_by = text(blocked, "blocked_by");
            spec.blocked_reason = text(blocked, "reason");
            spec.blocked_at = text(blocked, "blocked_at_phase");
        }
        if let Some(orchestration) = root.get("orchestration") {
            spec.last_action = text(orchestration, "last_phase_action");
        }
        if let Some(versions) = root.get("version_refs") {
            let pair = text(versions, "design").zip(text(versions, "implementation"));
            spec.lagging = pair.filter(|(design, implementation)| design != implementation);
        }
        Ok(spec)
    }

    /// Why it cannot go on, in words.
    pub fn obstacle(&self) -> String {
        if let Phase::Unknown(phase) = &self.phase {
            return format!("Unknown phase '{phase}'");
        }
        let by = self.blocked_by.as_deref().unwrap_or("an unnamed spec");
        match &self.blocked_reason {
            Some(reason) => format!("blocked by {by} ({reason})"),
            None => format!("blocked by {by}"),
        }
    }
}

fn text(node: Node<'_>, key: &str) -> Option<String> {
    let value = node.get(key)?;
    if value.is_null() {
        return None;
    }
    let text = value.as_str().unwrap_or_else(|| value.raw()).trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_says_its_phase_wave_and_what_blocks_it() {
        let yaml = "feature_name: \"index\"\nphase: blocked\nversion_refs:\n  design: \"1.4.0\"\n  implementation: \"1.1.0\"\n\
                    orchestration:\n  last_phase_action: null\nblocked_info:\n  blocked_by: log\n  reason: upstream_failure\n\
                    \x20 blocked_at_phase: design-generated\nroadmap:\n  wave: 2\n  dependencies: [log, \"disk\"]\nown: {x: 1}\n";
        let spec = Spec::read(yaml.as_bytes(), "dir", &RelPath::root()).unwrap();
        assert_eq!((spec.name.as_str(), spec.wave), ("index", Some(2)));
        assert_eq!(spec.dependencies, ["log", "disk"]);
        assert_eq!(spec.obstacle(), "blocked by log (upstream_failure)");
        assert_eq!(spec.blocked_at.as_deref(), Some("design-generated"));
        assert_eq!(spec.lagging, Some(("1.4.0".into(), "1.1.0".into())));
        assert_eq!(spec.last_action, None);
    }

    #[test]
    fn a_broken_spec_is_a_problem_that_names_the_line() {
        let broken = |yaml: &[u8]| Spec::read(yaml, "dir", &RelPath::root()).unwrap_err();
        assert_eq!(broken(b"phase: [\n  open").code, "yaml_syntax");
        assert_eq!(broken(b"phase: \xff\n").code, "yaml_not_utf8");
        let conflict = broken(b"a: 1\n<<<<<<< ours\nphase: x\n=======\nphase: y\n>>>>>>> theirs\n");
        assert_eq!((conflict.code, conflict.line), ("merge_conflict", Some(2)));
        assert!(conflict.found.contains("2, 4, 6"), "{}", conflict.found);
    }

    #[test]
    fn an_unknown_or_missing_phase_is_kept_as_written() {
        let spec = Spec::read(b"phase: dreaming\n", "dir", &RelPath::root()).unwrap();
        assert_eq!(spec.obstacle(), "Unknown phase 'dreaming'");
        assert_eq!(spec.name, "dir");
        let empty = Spec::read(b"", "dir", &RelPath::root()).unwrap();
        assert_eq!(empty.phase, Phase::Unknown(String::new()));
    }
}
