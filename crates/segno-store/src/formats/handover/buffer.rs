//! `buffer.md`: knowledge that waits for the end of the wave, and what might become a skill.

use segno_disk::{Access, Basis, Change};

use super::decision::one_line;
use super::document::{self, edit_error};
use super::layout::Layout;
use super::role::Lead;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::text::markdown::{Checkbox, Doc, Edit, EditError, FieldStyle, Item, Place as At};

pub(super) const UPDATED: &[&str] = &["Updated", "更新日時"];
pub(super) const KNOWLEDGE: &[&str] = &["Knowledge Buffer", "ナレッジバッファ"];
pub(super) const SKILLS: &[&str] = &["Skill Candidates", "スキル候補"];

/// The sorts of things that knowledge is about; files in `knowledge/` are named by them.
pub const CATEGORIES: [&str; 6] = ["state", "api", "async", "data", "security", "integration"];

/// What a piece of knowledge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// A way that works.
    Pattern,
    /// Something that went wrong.
    Incident,
    /// Something worth looking up.
    Reference,
}

impl Tag {
    /// All tags.
    pub const ALL: [Self; 3] = [Self::Pattern, Self::Incident, Self::Reference];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Incident => "incident",
            Self::Reference => "reference",
        }
    }

    /// As it stands in brackets.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Pattern => "[PATTERN]",
            Self::Incident => "[INCIDENT]",
            Self::Reference => "[REFERENCE]",
        }
    }
}

impl std::str::FromStr for Tag {
    type Err = UnknownTag;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownTag> {
        let lower = text.to_lowercase();
        let found = Self::ALL.into_iter().find(|tag| tag.name() == lower);
        found.ok_or(UnknownTag)
    }
}

/// The text names no tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a tag: it is one of pattern, incident, reference")]
pub struct UnknownTag;

/// One piece of knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    /// What it is.
    pub tag: Tag,
    /// What it says.
    pub text: String,
    /// Where it came from: `{spec} {role}, task {N}`, or whatever a person wrote.
    pub source: String,
    /// What it is about, one of [`CATEGORIES`], where that was said.
    pub category: Option<String>,
}

impl Knowledge {
    /// Knowledge out of a spec.
    pub fn new(tag: Tag, text: &str, origin: &Origin) -> Self {
        let task = origin
            .task
            .as_deref()
            .map(|task| format!(", task {}", plain(task)));
        Self {
            tag,
            text: one_line(text),
            source: format!(
                "{} {}{}",
                plain(&origin.spec),
                plain(&origin.role),
                task.unwrap_or_default()
            ),
            category: origin.category.clone(),
        }
    }

    /// Reads an item of the list: `[PATTERN] text (source: ...)`.
    pub fn read(item: &str) -> Option<Self> {
        let (tag, rest) = tagged(item)?;
        let rest = rest.trim();
        let inner = rest
            .strip_suffix(')')
            .and_then(|rest| rest.rsplit_once("(source:"));
        let (text, source) = inner.unwrap_or((rest, ""));
        let (source, category) = match source.rsplit_once("; category:") {
            Some((source, category)) => (source, Some(category.trim().to_owned())),
            None => (source, None),
        };
        Some(Self {
            tag,
            text: text.trim().to_owned(),
            source: source.trim().to_owned(),
            category,
        })
    }

    fn item(&self) -> String {
        let category = self
            .category
            .as_deref()
            .map(|word| format!("; category: {word}"));
        let category = category.unwrap_or_default();
        format!(
            "{} {} (source: {}{category})",
            self.tag.mark(),
            self.text,
            self.source
        )
    }

    /// The spec it came from.
    pub(super) fn spec(&self) -> &str {
        self.source.split_whitespace().next().unwrap_or_default()
    }
}

fn plain(text: &str) -> String {
    one_line(text)
        .replace(['(', ')', ';'], " ")
        .trim()
        .to_owned()
}

/// A line that begins with a tag, whatever its case, and what stands behind it.
fn tagged(line: &str) -> Option<(Tag, &str)> {
    let bare = line.trim_start_matches(['-', '*', '+', ' ', '\t']);
    Tag::ALL.into_iter().find_map(|tag| {
        let (mark, rest) = bare.split_at_checked(tag.mark().len())?;
        mark.eq_ignore_ascii_case(tag.mark()).then_some((tag, rest))
    })
}

/// Where knowledge came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The spec.
    pub spec: String,
    /// Who reported it: Builder, Inspector.
    pub role: String,
    /// The task, as in `1.4`.
    pub task: Option<String>,
    /// What it is about, one of [`CATEGORIES`].
    pub category: Option<String>,
}

/// The knowledge in a completion report: its tagged lines, and what blocked a builder as an incident.
pub fn from_report(report: &str, origin: &Origin) -> Vec<Knowledge> {
    let mut found = Vec::new();
    let blocked = report.lines().any(|line| {
        line.trim_start_matches(['#', '*', ' '])
            .starts_with("BUILDER_BLOCKED")
    });
    for line in report.lines() {
        if let Some((tag, text)) = tagged(line).filter(|(_, text)| !text.trim().is_empty()) {
            found.push(match Knowledge::read(line) {
                Some(whole) if !whole.source.is_empty() => whole,
                _ => Knowledge::new(tag, text, origin),
            });
            continue;
        }
        let field = line.trim_start_matches(['-', '*', ' ']).split_once(':');
        if let Some((key, text)) = field
            && blocked
            && key.trim_matches('*').eq_ignore_ascii_case("blocker")
        {
            found.push(Knowledge::new(
                Tag::Incident,
                text.trim_start_matches('*'),
                origin,
            ));
        }
    }
    found
}

/// The spec that a report names in its line `Feature: ...`.
pub fn feature_of(report: &str) -> Option<String> {
    report.lines().find_map(|line| {
        let (key, value) = line.trim_start_matches(['-', '*', ' ']).split_once(':')?;
        let named = key.trim_matches(['*', ' ']).eq_ignore_ascii_case("feature");
        let value = value.trim_matches(['*', '`', ' ']);
        (named && !value.is_empty()).then(|| value.to_owned())
    })
}

/// The pending knowledge of a buffer.
pub fn pending(doc: &Doc) -> Vec<Knowledge> {
    let Some(section) = doc.section(KNOWLEDGE) else {
        return Vec::new();
    };
    let items = doc.items(section.own_body());
    let outermost = items.iter().filter(|item| item.depth == 0);
    outermost
        .filter_map(|item| Knowledge::read(&whole(doc, item)))
        .collect()
}

/// What an item says on all its lines.
pub(super) fn whole(doc: &Doc, item: &Item<'_>) -> String {
    one_line(doc.slice(item.text_range.start..item.range.end))
}

/// The skill candidates of a buffer, as they are listed.
pub fn candidates(doc: &Doc) -> Vec<String> {
    let Some(section) = doc.section(SKILLS) else {
        return Vec::new();
    };
    let items = doc.items(section.own_body());
    items
        .iter()
        .filter(|item| item.depth == 0)
        .map(|item| whole(doc, item))
        .collect()
}

/// What learning wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learnt {
    /// How many pieces were added.
    pub added: usize,
    /// How many were there already.
    pub known: usize,
    /// The skill candidates that came of it, new or grown.
    pub candidates: Vec<String>,
    /// How many pieces wait now.
    pub pending: usize,
}

/// Adds knowledge to the buffer. A category with two patterns becomes a skill candidate.
pub fn learn(
    cx: &Context<'_>,
    place: &Place,
    _lead: Lead,
    pieces: &[Knowledge],
) -> Result<Plan<Learnt>> {
    for piece in pieces {
        check(piece)?;
    }
    let layout = Layout::of(place)?;
    let stamp = cx.now.utc_seconds();
    let loaded = document::load(cx, &layout.buffer)?;
    let basis = loaded
        .as_ref()
        .map_or(Basis::Absent, |loaded| Basis::Version(loaded.stamp));
    let mut doc = loaded.map_or_else(|| blank(&stamp), |loaded| loaded.doc);
    let mut all = pending(&doc);
    let before = all.len();
    for piece in pieces {
        if !all.contains(piece) {
            all.push(piece.clone());
        }
    }
    let new: Vec<String> = all.iter().skip(before).map(Knowledge::item).collect();
    let mut learnt = Learnt {
        added: new.len(),
        known: pieces.len() - new.len(),
        candidates: Vec::new(),
        pending: all.len(),
    };
    if new.is_empty() {
        return Ok(Plan::nothing(learnt));
    }
    doc = edited(&doc, |doc, edit| {
        edit.set_field(doc.header(), FieldStyle::Bold, UPDATED, &stamp)?;
        Ok(())
    })?;
    doc = add(&doc, KNOWLEDGE, &new)?;
    for (name, item) in emerging(&all, all.get(before..).unwrap_or_default()) {
        doc = put_candidate(&doc, &name, &item)?;
        learnt.candidates.push(item);
    }
    let bytes = doc.text().as_bytes().to_vec();
    let change = Change::replace(layout.buffer, bytes, basis, Access::Shared);
    Ok(Plan::in_order(vec![change], learnt))
}

fn check(piece: &Knowledge) -> Result<()> {
    let invalid = |what: String, hint: String| StoreError::Invalid {
        what,
        hints: vec![hint],
    };
    if piece.text.is_empty() {
        return Err(invalid(
            "there is nothing to learn in an empty text".to_owned(),
            "say what was learnt".to_owned(),
        ));
    }
    match &piece.category {
        Some(word) if !CATEGORIES.contains(&word.as_str()) => Err(invalid(
            format!("`{}` is no category of knowledge", one_line(word)),
            format!("it is one of {}", CATEGORIES.join(", ")),
        )),
        _ => Ok(()),
    }
}

fn blank(stamp: &str) -> Doc {
    Doc::parse(format!(
        "# Handover Buffer\n**Updated**: {stamp}\n\n## Knowledge Buffer\n\n## Skill Candidates\n"
    ))
}

pub(super) fn edited(
    doc: &Doc,
    change: impl for<'d> FnOnce(&'d Doc, &mut Edit<'d>) -> std::result::Result<(), EditError>,
) -> Result<Doc> {
    let mut edit = doc.edit();
    let text = change(doc, &mut edit).and_then(|()| edit.finish());
    text.map(Doc::parse).map_err(|error| edit_error(&error))
}

fn add(doc: &Doc, names: &'static [&'static str], items: &[String]) -> Result<Doc> {
    let doc = need(doc, names)?;
    edited(&doc, |doc, edit| {
        let Some(section) = doc.section(names) else {
            return Ok(());
        };
        if document::is_none(section.own_text()) {
            let list: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
            edit.replace_own_body(section, &list.join("\n"))?;
        } else {
            edit.append_items(
                section.own_body(),
                Checkbox::None,
                items.iter().map(String::as_str),
            )?;
        }
        Ok(())
    })
}

fn need(doc: &Doc, names: &'static [&'static str]) -> Result<Doc> {
    if doc.section(names).is_some() {
        return Ok(doc.clone());
    }
    let title = names.first().copied().unwrap_or_default();
    edited(doc, |_, edit| {
        edit.insert_section(At::End, 2, title, "")?;
        Ok(())
    })
}

/// The categories that have two patterns or more now and got one of these: name and list item of the candidate.
fn emerging(all: &[Knowledge], new: &[Knowledge]) -> Vec<(String, String)> {
    let pattern = |piece: &&Knowledge, category: &str| {
        piece.tag == Tag::Pattern && piece.category.as_deref() == Some(category)
    };
    let mut found = Vec::new();
    for category in CATEGORIES {
        let patterns: Vec<&Knowledge> = all
            .iter()
            .filter(|piece| pattern(piece, category))
            .collect();
        if patterns.len() < 2 || !new.iter().any(|piece| pattern(&piece, category)) {
            continue;
        }
        let mut specs: Vec<&str> = patterns.iter().map(|piece| piece.spec()).collect();
        specs.sort_unstable();
        specs.dedup();
        let name = format!("{category}-patterns");
        let item = format!(
            "**{name}**: Detected in {} ({} occurrences)",
            specs.join(", "),
            patterns.len()
        );
        found.push((name, item));
    }
    found
}

fn put_candidate(doc: &Doc, name: &str, item: &str) -> Result<Doc> {
    let doc = need(doc, SKILLS)?;
    let section = doc.section(SKILLS);
    let items = section
        .map(|section| doc.items(section.own_body()))
        .unwrap_or_default();
    let known = items
        .iter()
        .find(|known| known.text.starts_with(&format!("**{name}**")));
    let Some(known) = known else {
        return add(&doc, SKILLS, &[item.to_owned()]);
    };
    let range = known.text_range.clone();
    edited(&doc, |_, edit| {
        edit.replace(range, item);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_2_and_5_3_tagged_entries_with_their_source_are_read() {
        for (item, tag, text, source, category) in [
            (
                "[PATTERN] retry (twice) (source: log Builder, task 1.4)",
                Tag::Pattern,
                "retry (twice)",
                "log Builder, task 1.4",
                None,
            ),
            (
                "[INCIDENT] lost (source: retro Lead, session 2026-02-20)",
                Tag::Incident,
                "lost",
                "retro Lead, session 2026-02-20",
                None,
            ),
            (
                "[reference] RFC (source: a B; category: api)",
                Tag::Reference,
                "RFC",
                "a B",
                Some("api"),
            ),
            ("[PATTERN] no source", Tag::Pattern, "no source", "", None),
        ] {
            let found = Knowledge::read(item).unwrap();
            assert_eq!(
                (
                    found.tag,
                    found.text.as_str(),
                    found.source.as_str(),
                    found.category.as_deref()
                ),
                (tag, text, source, category)
            );
        }
        assert_eq!(Knowledge::read("[OTHER] x"), None);
    }

    #[test]
    fn a_report_gives_its_tagged_lines_and_what_blocked_the_builder() {
        let origin = Origin {
            spec: "log".into(),
            role: "Builder".into(),
            ..Origin::default()
        };
        let report = "BUILDER_BLOCKED\nFeature: log\n**Blocker**: the lock is held\n- [PATTERN] write, then rename\n  [Reference] the manual\n[PATTERN]\n";
        let found: Vec<(Tag, String)> = from_report(report, &origin)
            .into_iter()
            .map(|k| (k.tag, k.text))
            .collect();
        assert_eq!(
            found,
            [
                (Tag::Incident, "the lock is held".to_owned()),
                (Tag::Pattern, "write, then rename".to_owned()),
                (Tag::Reference, "the manual".to_owned()),
            ]
        );
        assert_eq!(feature_of(report).as_deref(), Some("log"));
    }
}
