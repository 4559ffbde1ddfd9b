//! Flushing the buffer: knowledge goes into `knowledge/`, a file each, and only then the buffer is cleared.
//!
//! New files, the index and the cleared buffer are one unit: after a crash the knowledge is in the buffer or in its
//! files, never in neither and never in both.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use segno_disk::{Access, Basis, Change, RelPath};

use super::buffer::{KNOWLEDGE, Knowledge, SKILLS, Tag, UPDATED, candidates, edited, pending};
use super::document::{self, Loaded};
use super::layout::Layout;
use super::role::Lead;
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::text::markdown::{Checkbox, Doc, FieldStyle, Place as At};
use crate::text::slug::slug;

/// The category of knowledge for which nobody gave one.
const GENERAL: &str = "general";
const INDEX: &str = "index.md";
const MAX_NAME: usize = 60;

/// What a flush did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flushed {
    /// The files that were made.
    pub written: Vec<RelPath>,
    /// How many pieces said what a file said already.
    pub duplicates: usize,
    /// How many pieces left the buffer.
    pub cleared: usize,
}

/// Moves the pending knowledge into `knowledge/` and clears the buffer.
pub fn flush(
    cx: &Context<'_>,
    place: &Place,
    _lead: Lead,
    wave: Option<u64>,
) -> Result<Plan<Flushed>> {
    let layout = Layout::of(place)?;
    let Some(buffer) = document::load(cx, &layout.buffer)? else {
        return Ok(Plan::nothing(Flushed::default()));
    };
    let pieces = pending(&buffer.doc);
    if pieces.is_empty() && candidates(&buffer.doc).is_empty() {
        return Ok(Plan::nothing(Flushed::default()));
    }
    let mut flushed = Flushed {
        cleared: pieces.len(),
        ..Flushed::default()
    };
    let mut shelf = Shelf::open(cx, &layout)?;
    let mut seen: BTreeSet<(Tag, String)> = BTreeSet::new();
    for piece in &pieces {
        if !seen.insert((piece.tag, piece.text.to_lowercase())) {
            flushed.duplicates += 1;
            continue;
        }
        let others: Vec<&str> = pieces
            .iter()
            .filter(|other| other.tag == piece.tag && other.text.eq_ignore_ascii_case(&piece.text))
            .map(|other| other.source.as_str())
            .collect();
        match shelf.put(cx, piece, &others, wave)? {
            Some(path) => flushed.written.push(path),
            None => flushed.duplicates += 1,
        }
    }
    let mut changes = shelf.changes;
    changes.extend(index(cx, &layout, &shelf.lines, &candidates(&buffer.doc))?);
    changes.push(clear(cx, &layout, &buffer)?);
    Ok(Plan::all_or_none(changes, flushed))
}

/// The directory of knowledge with what is about to be put there.
struct Shelf {
    dir: RelPath,
    taken: BTreeSet<String>,
    changes: Vec<Change>,
    lines: Vec<String>,
}

impl Shelf {
    fn open(cx: &Context<'_>, layout: &Layout) -> Result<Self> {
        let names = cx.files.list(&layout.knowledge)?;
        Ok(Self {
            dir: layout.knowledge.clone(),
            taken: names.into_iter().map(|entry| entry.name).collect(),
            changes: Vec::new(),
            lines: Vec::new(),
        })
    }

    /// Makes the file of a piece; `None` when one says the same already.
    fn put(
        &mut self,
        cx: &Context<'_>,
        piece: &Knowledge,
        sources: &[&str],
        wave: Option<u64>,
    ) -> Result<Option<RelPath>> {
        let category = piece.category.as_deref().unwrap_or(GENERAL);
        let stem = format!(
            "{}-{category}-{}",
            piece.tag.name(),
            slug(&piece.text, MAX_NAME)
        );
        let mut name = format!("{stem}.md");
        let mut copy = 1;
        while self.taken.contains(&name) {
            let path = self.dir.join_name(&name)?;
            let there = cx
                .files
                .read(&path)?
                .map(|(bytes, _)| bytes)
                .unwrap_or_default();
            if memchr::memmem::find(&there, piece.text.as_bytes()).is_some() {
                return Ok(None);
            }
            copy += 1;
            name = format!("{stem}-{copy}.md");
        }
        let path = self.dir.join_name(&name)?;
        let text = page(piece, category, sources, wave, &cx.now.date());
        self.changes.push(Change::replace(
            path.clone(),
            text.into_bytes(),
            Basis::Absent,
            Access::Shared,
        ));
        let title = link_text(&piece.text);
        self.lines.push(format!(
            "[{title}]({name}): {}, {category}",
            piece.tag.name()
        ));
        self.taken.insert(name);
        Ok(Some(path))
    }
}

fn link_text(text: &str) -> String {
    let short: String = text.chars().take(80).collect();
    let dots = if short.len() < text.len() { "..." } else { "" };
    format!("{}{dots}", short.replace(['[', ']'], " ").trim())
}

/// A page of knowledge: its table and the headings of its kind, the text under the first; the rest is for people to fill.
fn page(
    piece: &Knowledge,
    category: &str,
    sources: &[&str],
    wave: Option<u64>,
    date: &str,
) -> String {
    let keywords: Vec<&str> = piece
        .text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3)
        .take(5)
        .collect();
    let keywords = keywords.join(", ");
    let (rows, headings): (Vec<(&str, String)>, &[&str]) = match piece.tag {
        Tag::Pattern => (
            vec![
                ("Category", category.into()),
                ("Keywords", keywords),
                ("Applicable Phases", "design, impl".into()),
            ],
            &[
                "Pattern Summary",
                "Problem Context",
                "Solution",
                "Examples",
                "Application Checklist",
                "Related Patterns",
                "References",
            ],
        ),
        Tag::Incident => (
            vec![
                ("Discovered Phase", "impl".into()),
                ("Should Detect At", "not given".into()),
                ("Category", category.into()),
                ("Keywords", keywords),
                ("Severity", "not given".into()),
            ],
            &[
                "Problem Summary",
                "Concrete Example",
                "Detection Points by Phase",
                "General Checklist",
                "Related Patterns",
                "Lessons Learned",
            ],
        ),
        Tag::Reference => (
            vec![
                ("Category", category.into()),
                ("Keywords", keywords),
                ("Last Verified", date.into()),
                ("Source", sources.join("; ")),
            ],
            &[
                "Overview",
                "Quick Reference",
                "Key Points",
                "Common Gotchas",
                "Code Snippets",
                "Related References",
                "Sources",
            ],
        ),
    };
    let mut text = format!(
        "# {}\n\n| Field | Value |\n|---|---|\n",
        link_text(&piece.text)
    );
    for (name, value) in rows {
        let _ = writeln!(text, "| {name} | {} |", value.replace('|', "\\|"));
    }
    let wave = wave
        .map(|wave| format!(" (wave {wave})"))
        .unwrap_or_default();
    for (index, heading) in headings.iter().enumerate() {
        let _ = writeln!(text, "\n## {heading}");
        if index == 0 {
            let _ = writeln!(text, "{}", piece.text);
        } else if index + 1 == headings.len() {
            for source in sources {
                let _ = writeln!(text, "- {source}{wave}, {date}");
            }
        }
    }
    text
}

/// The index with the new files and the skill candidates listed.
fn index(
    cx: &Context<'_>,
    layout: &Layout,
    lines: &[String],
    skills: &[String],
) -> Result<Option<Change>> {
    if lines.is_empty() && skills.is_empty() {
        return Ok(None);
    }
    let path = layout.knowledge.join_name(INDEX)?;
    let loaded = document::load(cx, &path)?;
    let basis = loaded
        .as_ref()
        .map_or(Basis::Absent, |loaded| Basis::Version(loaded.stamp));
    let mut doc = loaded.map_or_else(|| Doc::parse("# Knowledge Index\n"), |loaded| loaded.doc);
    for (title, lines) in [("Entries", lines), ("Skill Candidates", skills)] {
        let new: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .filter(|line| !doc.text().contains(line))
            .collect();
        if new.is_empty() {
            continue;
        }
        if doc.section(&[title]).is_none() {
            doc = edited(&doc, |_, edit| {
                edit.insert_section(At::End, 2, title, "")?;
                Ok(())
            })?;
        }
        doc = edited(&doc, |doc, edit| {
            if let Some(section) = doc.section(&[title]) {
                edit.append_items(section.own_body(), Checkbox::None, new)?;
            }
            Ok(())
        })?;
    }
    let bytes = doc.text().as_bytes().to_vec();
    Ok(Some(Change::replace(path, bytes, basis, Access::Shared)))
}

/// The buffer without what was flushed: headings and a person's own lines stay.
fn clear(cx: &Context<'_>, layout: &Layout, buffer: &Loaded) -> Result<Change> {
    let mut doc = buffer.doc.clone();
    let stamp = cx.now.utc_seconds();
    doc = edited(&doc, |doc, edit| {
        edit.set_field(doc.header(), FieldStyle::Bold, UPDATED, &stamp)?;
        for (names, knowledge) in [(KNOWLEDGE, true), (SKILLS, false)] {
            let Some(section) = doc.section(names) else {
                continue;
            };
            for item in doc
                .items(section.own_body())
                .iter()
                .filter(|item| item.depth == 0)
            {
                if !knowledge || Knowledge::read(item.text).is_some() {
                    edit.replace(item.range.clone(), "");
                }
            }
        }
        Ok(())
    })?;
    let bytes = doc.text().as_bytes().to_vec();
    let basis = Basis::Version(buffer.stamp);
    Ok(Change::replace(
        layout.buffer.clone(),
        bytes,
        basis,
        Access::Shared,
    ))
}
