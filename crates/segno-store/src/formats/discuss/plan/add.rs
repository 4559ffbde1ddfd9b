//! Additions: a track, a phase or a task that is new, or the one that is meant and there already.

use super::super::failure::Failure;
use super::super::ops::Named;
use super::super::schema::{Item, OpType};
use super::apply::{Effect, OpReport, Run};
use super::{Stopped, list_key, parent_key};

/// An item that is to be added.
pub(super) struct Addition<'o> {
    pub(super) item: Item,
    pub(super) name: &'o str,
    pub(super) asked: Option<&'o str>,
    pub(super) parent: String,
}

impl Run<'_> {
    /// The phase that an addition names.
    pub(super) fn phase(&mut self, phase: &Named, track: Option<&Named>) -> Stopped<String> {
        let track = match (phase, track) {
            (Named::Name(_), Some(track)) => {
                Some(
                    self.names
                        .parent(&mut self.store, Item::Track, track, None)?,
                )
            }
            _ => None,
        };
        let within = track.as_deref();
        self.names
            .parent(&mut self.store, Item::Phase, phase, within)
    }

    /// Adds an item, unless it is there.
    pub(super) fn add(
        &mut self,
        op: OpType,
        wanted: &Addition<'_>,
        earlier: Option<&String>,
    ) -> Stopped<OpReport> {
        let (item, name) = (wanted.item, wanted.name);
        let found = self.existing(wanted, earlier)?;
        let (id, effect) = match found {
            Some((id, Rename::Yes)) => {
                let entity = self.store.get(item, &id)?;
                let old = entity.text("name");
                let renamed = entity.set("name", name);
                self.names.rename(item, &id, old.as_deref(), name);
                let listed = self.enlist(wanted, &id)?;
                let effect = if renamed || listed {
                    Effect::Changed
                } else {
                    Effect::AlreadyThere
                };
                (id, effect)
            }
            Some((id, Rename::No)) => (id, Effect::AlreadyThere),
            None => {
                let id = self.fresh_id(wanted)?;
                self.store.create(item, &id, name, &wanted.parent)?;
                self.names.rename(item, &id, None, name);
                self.enlist(wanted, &id)?;
                (id, Effect::Added)
            }
        };
        self.names.claim(item, &id);
        let mut notes = Vec::new();
        if let Some(asked) = wanted.asked.filter(|asked| *asked != id) {
            self.names.alias(item, asked, &id);
            notes.push(format!("asked for as '{asked}', its id is '{id}'"));
        }
        let text = match effect {
            Effect::Added => format!("add {item} '{id}' ({name})"),
            Effect::Changed => format!("rename {item} '{id}' to {name}"),
            Effect::AlreadyThere => format!("{item} '{id}' ({name}) is already there"),
        };
        Ok(OpReport {
            op,
            item,
            id,
            text,
            effect,
            notes,
        })
    }

    /// The item that an addition means and that exists already.
    fn existing(
        &mut self,
        wanted: &Addition<'_>,
        earlier: Option<&String>,
    ) -> Stopped<Option<(String, Rename)>> {
        let item = wanted.item;
        if let Some(id) = earlier
            && self.store.contains(item, id)?
        {
            return Ok(Some((id.clone(), Rename::No)));
        }
        let by_default = default_id(wanted.name);
        let known_as = match (wanted.asked, item) {
            (Some(asked), _) => Some(asked),
            (None, Item::Track) => Some(by_default.as_str()),
            (None, _) => None,
        };
        if let Some(id) = known_as
            && let Ok(id) = self.names.resolve(&mut self.store, item, id)
        {
            self.check_parent(wanted, &id)?;
            return Ok(Some((id, Rename::Yes)));
        }
        if !self.by_name {
            return Ok(None);
        }
        let (parent, name) = (&wanted.parent, wanted.name);
        let found = self.names.already(&mut self.store, item, parent, name)?;
        Ok(found.map(|id| (id, Rename::No)))
    }

    /// An item that exists below another parent is not what was asked for.
    fn check_parent(&mut self, wanted: &Addition<'_>, id: &str) -> Stopped<()> {
        let item = wanted.item;
        if item == Item::Track {
            return Ok(());
        }
        let key = parent_key(item);
        let parent = self.store.get(item, id)?.text(key).unwrap_or_default();
        if parent == wanted.parent {
            return Ok(());
        }
        let outer = if item == Item::Phase {
            Item::Track
        } else {
            Item::Phase
        };
        Err(Failure::refused(format!(
            "{item} '{id}' exists already, in {outer} '{parent}' and not in '{}'",
            wanted.parent
        ))
        .into())
    }

    /// Puts an id into its parent's list.
    fn enlist(&mut self, wanted: &Addition<'_>, id: &str) -> Stopped<bool> {
        let item = wanted.item;
        let list = match item {
            Item::Track => {
                let index = self.store.index()?;
                index.list(list_key(item)).ok_or_else(|| {
                    Failure::damaged_plan("docs/maestro/index.json: `tracks` is not a list")
                })?
            }
            Item::Phase => self.store.list_of(Item::Track, &wanted.parent, item)?,
            Item::Task => self.store.list_of(Item::Phase, &wanted.parent, item)?,
        };
        Ok(list.add(id))
    }

    fn fresh_id(&mut self, wanted: &Addition<'_>) -> Stopped<String> {
        let item = wanted.item;
        let (base, between, first) = if item == Item::Task {
            (wanted.parent.clone(), '.', 1)
        } else {
            let base = slug(wanted.asked.unwrap_or(&default_id(wanted.name)));
            if !self.store.contains(item, &base)? {
                return Ok(base);
            }
            (base, '-', 2)
        };
        let next = self.next.entry((item, base.clone())).or_insert(first);
        loop {
            let id = format!("{base}{between}{next}");
            *next += 1;
            if !self.store.contains(item, &id)? {
                return Ok(id);
            }
        }
    }
}

enum Rename {
    Yes,
    No,
}

/// The id that a name gets when none is asked for.
fn default_id(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// The form that new ids of tracks and phases have: lower-case ASCII letters and digits with single hyphens between.
fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(120);
    match slug.trim_end_matches('-') {
        "" => "item".to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_made_of_lower_case_letters_digits_and_hyphens() {
        for (text, id) in [
            ("PH-CORE", "ph-core"),
            ("Phase 1: Core", "phase-1-core"),
            ("  été  ", "t"),
            ("日本語", "item"),
            ("--a__b--", "a-b"),
        ] {
            assert_eq!(slug(text), id);
        }
    }
}
