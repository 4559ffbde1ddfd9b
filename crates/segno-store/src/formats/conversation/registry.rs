//! The workspace's registry, `.workspace/registry.json`: which types of conversation there are and where they lie.
//!
//! Only read, never written: it belongs to the tool that made the workspace.

use segno_disk::RelPath;

use super::super::Context;
use crate::error::{Result, StoreError};
use crate::text::json::{Doc, Value};

const REGISTRY: &str = ".workspace/registry.json";

/// Where templates are looked for, in this order.
const TEMPLATE_DIRS: [&str; 3] = [".workspace/templates", "templates", ""];

/// The registry of a workspace.
#[derive(Debug, Default)]
pub(super) struct Registry {
    pub(super) types: Vec<Registered>,
}

/// A type as the registry has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Registered {
    pub(super) key: String,
    pub(super) name: Option<String>,
    pub(super) folder: Option<String>,
    pub(super) template: Option<String>,
    pub(super) command: Option<String>,
    pub(super) sections: Vec<String>,
}

impl Registry {
    /// Reads the registry; `None` when there is none. One that cannot be read is an error: a new session must not be put
    /// in a place that the workspace does not know.
    pub(super) fn read(cx: &Context<'_>) -> Result<Option<Self>> {
        let Some((bytes, _)) = cx.files.read(&RelPath::new(REGISTRY)?)? else {
            return Ok(None);
        };
        let doc = Doc::from_bytes(bytes).map_err(|error| StoreError::Invalid {
            what: format!("`{REGISTRY}` cannot be read: {error}"),
            hints: vec!["correct that line, or move the file away".to_owned()],
        })?;
        let types = doc.get("conversation_types");
        let types = types.iter().flat_map(Value::entries);
        Ok(Some(Self {
            types: types
                .map(|entry| registered(&entry.key(), entry.value))
                .collect(),
        }))
    }

    /// The folders of all types; none when there is no registry or it cannot be read: looking for sessions goes on.
    pub(super) fn folders(cx: &Context<'_>) -> Result<Vec<RelPath>> {
        let registry = match Self::read(cx) {
            Ok(registry) => registry.unwrap_or_default(),
            Err(StoreError::Invalid { .. }) => Self::default(),
            Err(error) => return Err(error),
        };
        let named = registry.types.iter();
        Ok(named
            .filter_map(|one| RelPath::new(one.folder.as_deref().unwrap_or(&one.key)).ok())
            .collect())
    }

    /// The type of this key.
    pub(super) fn get(&self, key: &str) -> Option<&Registered> {
        self.types.iter().find(|one| one.key == key)
    }
}

fn registered(key: &str, value: Value<'_>) -> Registered {
    let text = |name: &str| {
        let text = value.get(name)?.str()?;
        (!text.trim().is_empty()).then(|| text.into_owned())
    };
    let sections = value.get("sections");
    Registered {
        key: key.to_owned(),
        name: text("name"),
        folder: text("folder").map(|folder| folder.trim_matches('/').to_owned()),
        template: text("template"),
        command: text("command"),
        sections: sections
            .iter()
            .flat_map(Value::items)
            .filter_map(|item| Some(item.str()?.into_owned()))
            .collect(),
    }
}

/// The text of a template; `None` when no directory has it.
pub(super) fn template(cx: &Context<'_>, name: &str) -> Result<Option<String>> {
    for dir in TEMPLATE_DIRS {
        let path = if dir.is_empty() {
            RelPath::new(name)
        } else {
            RelPath::new(&format!("{dir}/{name}"))
        };
        // A name that no path can have is a template that does not exist.
        let Ok(path) = path else { continue };
        if let Some((bytes, _)) = cx.files.read(&path)? {
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok(None)
}
