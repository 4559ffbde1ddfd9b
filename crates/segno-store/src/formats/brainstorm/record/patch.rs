//! Differences on their way into the text of a file.

use super::Field;
use crate::text::yaml::{At, Doc, Edit, Node, Step, Value, YamlError};

/// The path of a change, from the top of the file.
pub(in super::super) type Path = Vec<Step<'static>>;

/// Differences on their way into the text.
pub(in super::super) struct Patch<'d> {
    edit: Edit<'d>,
    /// Fields that are written where they are missing, even when their value is the default.
    fill: Vec<Path>,
    changed: bool,
}

impl<'d> Patch<'d> {
    pub(in super::super) fn new(doc: &'d Doc, fill: Vec<Path>) -> Self {
        let mut edit = doc.edit();
        edit.inline_keys(super::super::schema::INLINE_KEYS);
        Self {
            edit,
            fill,
            changed: false,
        }
    }

    /// The new text; `None` when nothing differs.
    pub(in super::super) fn finish(self) -> Result<Option<String>, YamlError> {
        if self.changed {
            self.edit.finish().map(Some)
        } else {
            Ok(None)
        }
    }

    pub(super) fn set(&mut self, path: &Path, value: Value) -> Result<(), YamlError> {
        self.changed = true;
        self.edit.set(path, value)
    }

    pub(super) fn push(&mut self, path: &Path, value: Value) -> Result<(), YamlError> {
        self.changed = true;
        self.edit.push(path, value)
    }

    pub(super) fn remove(&mut self, path: &Path) -> Result<(), YamlError> {
        self.changed = true;
        self.edit.remove(path)
    }

    /// Writes one field of a mapping if it differs; a new key goes behind the nearest key that precedes it.
    pub(in super::super) fn field<F: Field>(
        &mut self,
        map: Node<'d>,
        path: &mut Path,
        key: &'static str,
        before: &mut Option<&'static str>,
        fields: (&F, &F),
    ) -> Result<(), YamlError> {
        let here = map.get(key);
        let (old, new) = fields;
        let mut is_there = here.is_some();
        path.push(key.into());
        let is_filled = here.is_none() && self.fill.contains(path);
        if old != new || is_filled || self.fills_below(path) {
            match here {
                Some(node) => F::diff(old, new, self, node, path)?,
                None => {
                    if let Some(value) = new.value() {
                        path.pop();
                        self.insert(map, path, key, value, *before)?;
                        path.push(key.into());
                        is_there = true;
                    }
                }
            }
        }
        path.pop();
        if is_there {
            *before = Some(key);
        }
        Ok(())
    }

    /// True when a field below a path is to be written though it does not differ.
    pub(super) fn fills_below(&self, path: &Path) -> bool {
        let below = |wanted: &Path| wanted.len() > path.len() && wanted.starts_with(path);
        self.fill.iter().any(below)
    }

    fn insert(
        &mut self,
        map: Node<'d>,
        path: &Path,
        key: &'static str,
        value: Value,
        before: Option<&str>,
    ) -> Result<(), YamlError> {
        self.changed = true;
        let first = map.entries().next().and_then(|(key, _)| key.as_str());
        let at = match (before, first) {
            (Some(name), _) => At::After(name),
            (None, Some(name)) => At::Before(name),
            (None, None) => At::End,
        };
        self.edit.insert(path, key, value, at)
    }
}
