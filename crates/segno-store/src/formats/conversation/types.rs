//! The types of conversation: seven that are built in, and those of the workspace's registry.

use segno_disk::RelPath;

use super::registry::Registered;
use crate::error::Result;

/// A type that every workspace has.
pub(super) struct BuiltIn {
    pub(super) key: &'static str,
    /// What the document's first heading calls it.
    pub(super) label: &'static str,
    pub(super) document: &'static str,
    pub(super) sections: &'static [&'static str],
}

/// The built-in types.
pub(super) const BUILT_IN: [BuiltIn; 7] = [
    BuiltIn {
        key: "brainstorm",
        label: "Brainstorm",
        document: "brainstorm.md",
        sections: &["goals", "ideas", "themes", "next-steps"],
    },
    BuiltIn {
        key: "debug",
        label: "Debug Session",
        document: "debug-session.md",
        sections: &["problem", "investigation", "solution", "learnings"],
    },
    BuiltIn {
        key: "plan",
        label: "Feature Planning",
        document: "feature-planning.md",
        sections: &["goals", "requirements", "approach", "tasks"],
    },
    BuiltIn {
        key: "learn",
        label: "Learning Notes",
        document: "learning-notes.md",
        sections: &["topic", "notes", "examples", "references"],
    },
    BuiltIn {
        key: "meeting",
        label: "Meeting Notes",
        document: "meeting-notes.md",
        sections: &["attendees", "agenda", "notes", "actions"],
    },
    BuiltIn {
        key: "review",
        label: "Review",
        document: "review.md",
        sections: &["overview", "feedback", "suggestions", "decision"],
    },
    BuiltIn {
        key: PROJECT,
        label: "Project Management",
        document: "project-management.md",
        sections: &["goals", "roadmap", "tasks", "status"],
    },
];

/// The type that keeps an index of its documents beside them.
pub(super) const PROJECT: &str = "projectmanage";

/// The built-in type of this key.
pub(super) fn built_in(key: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|one| one.key == key)
}

/// A type as a new conversation needs it, wherever it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConversationType {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) folder: RelPath,
    pub(super) document: String,
    pub(super) template: Option<String>,
    pub(super) command: String,
    pub(super) sections: Vec<String>,
}

impl ConversationType {
    /// A type that the registry does not have.
    pub(super) fn unregistered(key: &str, folder: &str) -> Result<Self> {
        let known = built_in(key);
        Ok(Self {
            key: key.to_owned(),
            label: known.map_or_else(|| titled(key), |one| one.label.to_owned()),
            folder: RelPath::new(folder)?,
            document: known.map_or_else(|| format!("{key}.md"), |one| one.document.to_owned()),
            template: None,
            command: default_command(key),
            sections: match known {
                Some(one) => one.sections.iter().map(ToString::to_string).collect(),
                None => vec!["notes".to_owned(), "next-steps".to_owned()],
            },
        })
    }

    /// A type of the registry; what it leaves out is that of the built-in type of the same key.
    pub(super) fn registered(entry: &Registered) -> Result<Self> {
        let folder = entry.folder.as_deref().unwrap_or(&entry.key);
        let mut own = Self::unregistered(&entry.key, folder)?;
        if built_in(&entry.key).is_none()
            && let Some(name) = &entry.name
        {
            own.label.clone_from(name);
        }
        own.template.clone_from(&entry.template);
        if let Some(command) = &entry.command {
            own.command.clone_from(command);
        }
        if !entry.sections.is_empty() {
            own.sections.clone_from(&entry.sections);
        }
        Ok(own)
    }
}

/// The command that holds a conversation of this type.
pub(super) fn default_command(key: &str) -> String {
    format!("/workspace.{key}")
}

/// `next-steps` as a heading: `Next steps`.
pub(super) fn titled(key: &str) -> String {
    let words = key.replace(['-', '_'], " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}
