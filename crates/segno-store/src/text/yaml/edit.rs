//! A batch of changes to one document: collected against one parse, spliced once, read back once.

use super::changes::{Changes, Fresh, Side};
use super::doc::{Doc, Shape};
use super::error::{ErrorKind, YamlError};
use super::excerpt;
use super::find::Found;
use super::habits;
use super::path::{At, Step, describe};
use super::splice;
use super::value::{Map, Value};
use super::verify;
use super::write::{self, Strings, Style};

/// Changes to a document, collected until [`Edit::finish`]. Paths see the changes made before.
#[derive(Debug, Clone)]
pub struct Edit<'d> {
    pub(super) doc: &'d Doc,
    pub(super) style: Style,
    pub(super) changes: Changes,
    /// Whether new text may be a literal block where that looks safe.
    pub(super) literals: bool,
}

impl<'d> Edit<'d> {
    pub(super) fn new(doc: &'d Doc) -> Self {
        Self {
            doc,
            style: habits::detect_style(doc),
            changes: Changes::default(),
            literals: true,
        }
    }

    /// Chooses which new strings get quotes. Without it the document's own habit is followed.
    pub fn strings(&mut self, strings: Strings) -> &mut Self {
        self.style.strings = strings;
        self
    }

    /// Chooses the keys whose new lists of scalars stand on the key's line.
    pub fn inline_keys(&mut self, keys: &'static [&'static str]) -> &mut Self {
        self.style.inline_keys = keys;
        self
    }

    /// Sets the value at a path. A last key that is not there yet is inserted at the end of its mapping.
    pub fn set<'p, S>(
        &mut self,
        path: impl AsRef<[S]>,
        value: impl Into<Value>,
    ) -> Result<(), YamlError>
    where
        S: Into<Step<'p>> + Copy,
    {
        let path = steps(path.as_ref());
        let value = value.into();
        write::check(&value)?;
        match self.find(&path) {
            Ok(Found::Node { node, .. }) => {
                self.guard(node)?;
                self.changes.clear_below(self.doc, node);
                self.changes.replaced.insert(node, value);
                Ok(())
            }
            Ok(found) => {
                *self.fresh(found, &path)? = value;
                Ok(())
            }
            Err(error) if error.kind == ErrorKind::Missing => match path.split_last() {
                Some((Step::Key(key), parent)) => self
                    .insert_value(parent, key, value, At::End)
                    .map_err(|_| error),
                _ => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Inserts a key into the mapping at a path; a null there becomes a mapping.
    pub fn insert<'p, S>(
        &mut self,
        path: impl AsRef<[S]>,
        key: &str,
        value: impl Into<Value>,
        at: At<'_>,
    ) -> Result<(), YamlError>
    where
        S: Into<Step<'p>> + Copy,
    {
        let value = value.into();
        self.insert_value(&steps(path.as_ref()), key, value, at)
    }

    /// Appends to the list at a path; a null there becomes a list.
    pub fn push<'p, S>(
        &mut self,
        path: impl AsRef<[S]>,
        value: impl Into<Value>,
    ) -> Result<(), YamlError>
    where
        S: Into<Step<'p>> + Copy,
    {
        let path = steps(path.as_ref());
        let value = value.into();
        write::check(&value)?;
        let found = self.find(&path)?;
        let Found::Node { node, .. } = found else {
            let error = self.wrong_type(&path, "a list");
            return match self.fresh(found, &path)? {
                Value::List(items) => {
                    items.push(value);
                    Ok(())
                }
                nothing @ Value::Null => {
                    *nothing = Value::List(vec![value]);
                    Ok(())
                }
                _ => Err(error),
            };
        };
        self.guard(node)?;
        match self.doc.raw(node).shape {
            Shape::List { .. } => match self.doc.children(node).last() {
                Some(last) => {
                    let fresh = Fresh { key: None, value };
                    self.changes.after.entry(last).or_default().push(fresh);
                }
                None => {
                    self.changes.replaced.insert(node, Value::List(vec![value]));
                }
            },
            _ if self.is_null(node) => {
                self.changes.replaced.insert(node, Value::List(vec![value]));
            }
            _ => return Err(self.wrong_type(&path, "a list")),
        }
        Ok(())
    }

    /// Removes the entry or item at a path.
    pub fn remove<'p, S>(&mut self, path: impl AsRef<[S]>) -> Result<(), YamlError>
    where
        S: Into<Step<'p>> + Copy,
    {
        let path = steps(path.as_ref());
        let Some((last, parent)) = path.split_last() else {
            let message = "the whole document cannot be removed".to_owned();
            return Err(self.doc.error_at(0, ErrorKind::Refused, message));
        };
        match self.find(&path)? {
            Found::Node { node, named } => {
                self.guard(node)?;
                self.guard(named)?;
                self.changes.clear_below(self.doc, node);
                self.changes.replaced.remove(&node);
                self.changes
                    .removed
                    .insert(named, self.doc.raw(named).parent);
                Ok(())
            }
            Found::Replaced { node, steps } if steps == path.len() => {
                // The node itself was replaced before: it goes with its new value.
                let parent = self.doc.raw(node).parent;
                let is_map = matches!(self.doc.raw(parent).shape, Shape::Map { .. });
                let pair = self.doc.pairs(parent).find(|(_, value)| *value == node);
                let named = if is_map {
                    pair.map_or(node, |(key, _)| key)
                } else {
                    node
                };
                self.changes.replaced.remove(&node);
                self.changes.removed.insert(named, parent);
                Ok(())
            }
            Found::Fresh {
                side,
                child,
                nth,
                steps,
            } if steps == path.len() => {
                let group = self.changes.side(side).get_mut(&child);
                if let Some(group) = group.filter(|group| nth < group.len()) {
                    group.remove(nth);
                }
                Ok(())
            }
            _ => {
                let missing = self.missing(&path);
                let found = self.find(parent)?;
                remove_from(self.fresh(found, parent)?, *last).ok_or(missing)
            }
        }
    }

    /// Splices the changes into the text, reads the result back, and hands it out only if it says what was meant.
    ///
    /// # Errors
    /// Changes that overlap, and a result that reads back differently.
    pub fn finish(mut self) -> Result<String, YamlError> {
        self.changes.settle(self.doc);
        if let Some(text) = excerpt::verified(&self) {
            // Every test of a debug build is a test that the excerpt and the whole agree.
            debug_assert_eq!(self.attempt().map(Doc::into_text), Ok(text.clone()));
            return Ok(text);
        }
        match self.attempt() {
            // What one change removes may have kept another's literal block apart from a comment further down.
            Err(error) if error.kind == ErrorKind::Mismatch => {
                self.literals = false;
                self.attempt()
            }
            outcome => outcome,
        }
        .map(Doc::into_text)
    }

    fn attempt(&self) -> Result<Doc, YamlError> {
        let text = splice::render(self)?;
        let doc = Doc::parse(text, &self.doc.budget).map_err(|error| {
            let broken = error.kind == ErrorKind::Syntax || error.kind == ErrorKind::DuplicateKey;
            if broken {
                self.mismatch(&error.to_string())
            } else {
                error
            }
        })?;
        match verify::first_difference(self, &doc, &[]) {
            None => Ok(doc),
            Some(line) => Err(self.mismatch(&format!("line {line} of the new text differs"))),
        }
    }

    fn mismatch(&self, why: &str) -> YamlError {
        let message =
            format!("the change would not read back as intended, so nothing was changed ({why})");
        self.doc.error_at(0, ErrorKind::Mismatch, message)
    }

    fn insert_value(
        &mut self,
        path: &[Step<'_>],
        key: &str,
        value: Value,
        at: At<'_>,
    ) -> Result<(), YamlError> {
        let entry = write::single_entry(key.into(), value.clone());
        write::check(&entry)?;
        let mut full = path.to_vec();
        full.push(Step::Key(key));
        if self.find(&full).is_ok() {
            let message = format!("`{}` is there already", describe(&full));
            return Err(self.doc.error_at(0, ErrorKind::Exists, message));
        }
        let found = self.find(path)?;
        let wrong = self.wrong_type(path, "a mapping");
        let Found::Node { node, .. } = found else {
            let missing = self.missing(path);
            return match self.fresh(found, path)? {
                Value::Map(map) => insert_into(map, key, value, at).ok_or(missing),
                nothing @ Value::Null => {
                    *nothing = entry;
                    Ok(())
                }
                _ => Err(wrong),
            };
        };
        self.guard(node)?;
        if self.is_null(node) {
            self.changes.replaced.insert(node, entry);
            return Ok(());
        }
        if !matches!(self.doc.raw(node).shape, Shape::Map { .. }) {
            return Err(wrong);
        }
        if let Some((old, _)) = self.removed_entry(node, key) {
            // Removed in this same batch and wanted again: the old place serves, and so does its key.
            let value_node = self.doc.raw(old).next;
            if at == At::End {
                self.changes.removed.remove(&old);
                self.changes.replaced.insert(value_node, value);
                return Ok(());
            }
        }
        let fresh = Fresh {
            key: Some(key.into()),
            value,
        };
        self.place(node, fresh, at, entry)
    }

    /// Puts a new entry at its place among the entries of a mapping of the document.
    fn place(&mut self, map: u32, fresh: Fresh, at: At<'_>, alone: Value) -> Result<(), YamlError> {
        let (name, side) = match at {
            At::End => {
                match self.doc.pairs(map).last() {
                    Some((last, _)) => self.changes.after.entry(last).or_default().push(fresh),
                    None => drop(self.changes.replaced.insert(map, alone)),
                }
                return Ok(());
            }
            At::Before(name) => (name, Side::Before),
            At::After(name) => (name, Side::After),
        };
        let mut pairs = self.doc.pairs(map);
        let key = pairs.find(|(key, _)| self.doc.scalar_text(*key) == Some(name));
        if let Some((key, _)) = key.filter(|(key, _)| !self.changes.removed.contains_key(key)) {
            let group = self.changes.side(side).entry(key).or_default();
            let index = if side == Side::After { 0 } else { group.len() };
            group.insert(index, fresh);
            return Ok(());
        }
        for (key, _) in self.doc.pairs(map).collect::<Vec<_>>() {
            for which in [Side::Before, Side::After] {
                let Some(group) = self.changes.side(which).get_mut(&key) else {
                    continue;
                };
                let named = |f: &Fresh| f.key.as_ref().and_then(Value::as_str) == Some(name);
                if let Some(nth) = group.iter().position(named) {
                    group.insert(nth + usize::from(side == Side::After), fresh);
                    return Ok(());
                }
            }
        }
        let message = format!("there is no key `{name}` to insert beside");
        Err(self.doc.error_at(map, ErrorKind::Missing, message))
    }

    fn removed_entry(&self, map: u32, key: &str) -> Option<(u32, u32)> {
        let mut pairs = self.doc.pairs(map);
        let wanted =
            |k: u32| self.doc.scalar_text(k) == Some(key) && self.changes.removed.contains_key(&k);
        pairs.find(|(k, _)| wanted(*k))
    }
}

fn steps<'p, S: Into<Step<'p>> + Copy>(path: &[S]) -> Vec<Step<'p>> {
    path.iter().map(|step| (*step).into()).collect()
}

fn insert_into(map: &mut Map, key: &str, value: Value, at: At<'_>) -> Option<()> {
    let index = match at {
        At::End => map.len(),
        At::Before(name) => map.position(name)?,
        At::After(name) => map.position(name)? + 1,
    };
    map.insert_at(index, key.into(), value);
    Some(())
}

fn remove_from(value: &mut Value, step: Step<'_>) -> Option<()> {
    match (value, step) {
        (Value::Map(map), Step::Key(key)) => map.remove(key).map(|_| ()),
        (Value::List(items), Step::Index(index)) => {
            (index < items.len()).then(|| drop(items.remove(index)))
        }
        _ => None,
    }
}
