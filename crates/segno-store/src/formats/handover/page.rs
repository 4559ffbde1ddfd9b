//! Edits of `session.md`, one at a time: each splices into the text that is there and touches nothing else.

use super::document::{
    ACCOMPLISHED, BRANCH, CONTEXT, DECISIONS, DIRECTION, EXCEPTIONS, FILES, GENERATED, GOALS,
    INSTRUCTIONS, MODE, NEXT, Names, TONE, WARNINGS, edit_error, is_none, last_of,
};
use crate::error::Result;
use crate::text::markdown::{Checkbox, Doc, Edit, EditError, Field, FieldStyle, Place, Section};

/// A document that is being edited.
#[derive(Debug)]
pub(super) struct Page {
    doc: Doc,
}

impl Page {
    pub(super) fn new(doc: Doc) -> Self {
        Self { doc }
    }

    /// The document that a first session begins with.
    pub(super) fn blank(date: &str) -> Self {
        Self::new(Doc::parse(format!(
            "# Session Handover\n**Generated**: {date}\n\n\
             ## Direction\n### Immediate Next Action\n\n### Active Goals\nNone\n\n### Key Decisions\nNone\n\n### Warnings\nNone\n\n\
             ## Session Context\n### Tone and Nuance\nNone\n\n### Steering Exceptions\nNone\n\n\
             ## Accomplished\n\n### Modified Files\n\n\
             ## Resume Instructions\n1. Run `segno handover resume` and read the warnings\n2. Go on with the immediate next action\n"
        )))
    }

    pub(super) fn doc(&self) -> &Doc {
        &self.doc
    }

    pub(super) fn into_text(self) -> String {
        self.doc.text().to_owned()
    }

    fn edit(
        &mut self,
        change: impl for<'d> FnOnce(&'d Doc, &mut Edit<'d>) -> std::result::Result<(), EditError>,
    ) -> Result<()> {
        let mut edit = self.doc.edit();
        let text = change(&self.doc, &mut edit)
            .and_then(|()| edit.finish())
            .map_err(|error| edit_error(&error))?;
        self.doc = Doc::parse(text);
        Ok(())
    }

    /// Sets a header line; a new one goes where the format has it.
    pub(super) fn set_header(&mut self, names: Names, value: &str) -> Result<()> {
        self.edit(|doc, edit| {
            let header = doc.header();
            if doc.field(header.clone(), names).is_none() {
                let before: [Names; 2] = [BRANCH, GENERATED];
                let behind: Option<Field<'_>> = before
                    .iter()
                    .filter(|_| names != GENERATED)
                    .find_map(|names| doc.field(header.clone(), names));
                if let Some(behind) = behind {
                    edit.insert_field(&behind, FieldStyle::Bold, first(names), value)?;
                    return Ok(());
                }
            }
            edit.set_field(header, FieldStyle::Bold, names, value)?;
            Ok(())
        })
    }

    /// Takes the Mode line out: its absence is what marks a polished document.
    pub(super) fn remove_mode(&mut self) -> Result<()> {
        while self.doc.field(self.doc.header(), MODE).is_some() {
            self.edit(|doc, edit| {
                if let Some(field) = doc.field(doc.header(), MODE) {
                    edit.remove_field(&field);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Replaces what a section itself says; the sections inside it stay.
    pub(super) fn set_section(&mut self, names: Names, text: &str) -> Result<()> {
        self.need(names)?;
        self.edit(|doc, edit| {
            if let Some(section) = doc.section(names) {
                edit.replace_own_body(section, text)?;
            }
            Ok(())
        })
    }

    /// Adds items to the list of a section, those left out that it has already. Returns how many were added.
    pub(super) fn add_items(&mut self, names: Names, items: &[String]) -> Result<usize> {
        let section = self.doc.section(names);
        let present = section.map(|section| section.own_text().to_owned());
        let new: Vec<&str> = items
            .iter()
            .map(|item| item.trim())
            .filter(|item| !item.is_empty())
            .filter(|item| !present.as_deref().is_some_and(|text| mentions(text, item)))
            .collect();
        if new.is_empty() {
            return Ok(0);
        }
        if present.as_deref().is_none_or(is_none) {
            let list: Vec<String> = new.iter().map(|item| bullet(item)).collect();
            self.set_section(names, &list.join("\n"))?;
            return Ok(new.len());
        }
        let count = new.len();
        self.edit(|doc, edit| {
            if let Some(section) = doc.section(names) {
                edit.append_items(section.own_body(), Checkbox::None, new)?;
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// Makes a section that is not there, at its place in the format.
    fn need(&mut self, names: Names) -> Result<()> {
        if self.doc.section(names).is_some() {
            return Ok(());
        }
        let Some((parent, siblings)) = family(names) else {
            let before: &[Names] = match first(names) {
                "Direction" => &[],
                "Session Context" => &[DIRECTION],
                "Accomplished" => &[DIRECTION, CONTEXT],
                _ => &[DIRECTION, CONTEXT, ACCOMPLISHED],
            };
            return self.insert(names, 2, |doc| match last_of(doc, before) {
                Some(section) => Place::After(section),
                None => first_below_title(doc),
            });
        };
        self.need(parent)?;
        let earlier: Vec<Names> = siblings
            .iter()
            .copied()
            .take_while(|n| *n != names)
            .collect();
        let level = self
            .doc
            .section(parent)
            .map_or(3, |section| section.level() + 1);
        self.insert(names, level, |doc| {
            let inside = |section: &Section<'_>| {
                let parent = doc.section(parent);
                parent.is_some_and(|parent| parent.range().contains(&section.heading().range.start))
            };
            if let Some(sibling) = last_of(doc, &earlier).filter(inside) {
                return Place::After(sibling);
            }
            let parent = doc.section(parent);
            match parent.and_then(|section| section.children().into_iter().next()) {
                Some(child) if !earlier.is_empty() || names == NEXT => Place::Before(child),
                _ => parent.map_or(Place::End, Place::After),
            }
        })
    }

    fn insert(
        &mut self,
        names: Names,
        level: usize,
        place: impl for<'d> FnOnce(&'d Doc) -> Place<'d>,
    ) -> Result<()> {
        self.edit(|doc, edit| {
            edit.insert_section(place(doc), level, first(names), "")?;
            Ok(())
        })
    }
}

/// The section that a section stands in, and the sections there in their order.
fn family(names: Names) -> Option<(Names, &'static [Names])> {
    const IN_DIRECTION: &[Names] = &[NEXT, GOALS, DECISIONS, WARNINGS];
    const IN_CONTEXT: &[Names] = &[TONE, EXCEPTIONS];
    const IN_ACCOMPLISHED: &[Names] = &[FILES];
    if IN_DIRECTION.contains(&names) {
        Some((DIRECTION, IN_DIRECTION))
    } else if IN_CONTEXT.contains(&names) {
        Some((CONTEXT, IN_CONTEXT))
    } else if IN_ACCOMPLISHED.contains(&names) {
        Some((ACCOMPLISHED, IN_ACCOMPLISHED))
    } else {
        debug_assert!([DIRECTION, CONTEXT, ACCOMPLISHED, INSTRUCTIONS].contains(&names));
        None
    }
}

fn first_below_title(doc: &Doc) -> Place<'_> {
    let below = doc.sections().find(|section| section.level() > 1);
    below.map_or(Place::End, Place::Before)
}

fn first(names: Names) -> &'static str {
    names.first().copied().unwrap_or_default()
}

/// True when a list says this already: as an item of its own, or a path among others in one item.
fn mentions(text: &str, item: &str) -> bool {
    if item.starts_with('`') && item.ends_with('`') {
        return text.contains(item);
    }
    let doc = Doc::parse(text);
    let whole = |found: &str| found == item.lines().next().unwrap_or_default();
    doc.items(doc.whole()).iter().any(|found| whole(found.text))
}

fn bullet(item: &str) -> String {
    let mut out = String::new();
    for (index, line) in item.lines().enumerate() {
        out.push_str(match index {
            0 => "- ",
            _ if line.trim().is_empty() => "\n",
            _ => "\n  ",
        });
        out.push_str(line.trim_end());
    }
    out
}
