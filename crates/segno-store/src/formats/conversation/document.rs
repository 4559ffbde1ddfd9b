//! The document beside the session: how a new one begins, and what its first heading says the session is called.

use segno_disk::{FileKind, RelPath};

use super::super::{Context, Place};
use super::types::{ConversationType, PROJECT, built_in, titled};
use crate::error::Result;
use crate::text::markdown;
use crate::text::slug::slug;

/// How much of a document is read for its first heading.
const HEAD: usize = 8 * 1024;

/// What a template's placeholders stand for.
pub(super) struct Placeholders<'a> {
    pub(super) topic: &'a str,
    pub(super) id: &'a str,
    pub(super) date: &'a str,
}

impl Placeholders<'_> {
    /// The template with its placeholders filled in.
    pub(super) fn fill(&self, template: &str) -> String {
        template
            .replace("[TOPIC]", self.topic)
            .replace("[TITLE]", self.topic)
            .replace("[ID]", self.id)
            .replace("[DATE]", self.date)
    }
}

/// The template of a type that comes with none.
pub(super) fn built_in_template(of: &ConversationType) -> String {
    let mut text = format!(
        "# {}: [TOPIC]\n\n**ID**: [ID]\n**Date**: [DATE]\n**Status**: In Progress\n",
        of.label
    );
    for section in &of.sections {
        text.push_str("\n## ");
        text.push_str(&titled(section));
        text.push('\n');
    }
    text
}

/// The index that a project keeps beside its document.
pub(super) fn project_index(document: &str) -> String {
    format!(
        "# Project Index: [TOPIC]\n\n**ID**: [ID]\n**Date**: [DATE]\n\n## Documents\n\n- [Project Management]({document})\n"
    )
}

/// What the session is called: the first heading of its document, or its id made readable.
pub(super) fn title(cx: &Context<'_>, place: &Place, kind: &str) -> Result<String> {
    for name in candidates(cx, place, kind)? {
        if let Some(heading) = first_heading(cx, &place.path.join_name(&name)?)?
            && let Some(title) = without_label(&heading, kind, &name)
        {
            return Ok(title);
        }
    }
    Ok(readable_id(place.id.as_str(), kind))
}

/// The document of the type, and failing that whatever Markdown lies there.
fn candidates(cx: &Context<'_>, place: &Place, kind: &str) -> Result<Vec<String>> {
    let own = built_in(kind).map_or_else(|| format!("{kind}.md"), |one| one.document.to_owned());
    if let Ok(path) = place.path.join_name(&own)
        && cx.files.stat(&path)?.is_some()
    {
        return Ok(vec![own]);
    }
    all_in(cx, place)
}

/// The names of all Markdown files beside the session.
pub(super) fn all_in(cx: &Context<'_>, place: &Place) -> Result<Vec<String>> {
    let is_markdown = |name: &str| {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
    };
    let entries = cx.files.list(&place.path)?.into_iter();
    Ok(entries
        .filter(|entry| entry.kind == FileKind::File && is_markdown(&entry.name))
        .map(|entry| entry.name)
        .collect())
}

fn first_heading(cx: &Context<'_>, path: &RelPath) -> Result<Option<String>> {
    let file = match cx.files.open(path) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut head = vec![0; HEAD];
    let read = file.read_full_at(0, &mut head)?;
    head.truncate(read);
    let doc = markdown::Doc::parse(String::from_utf8_lossy(&head));
    let first = doc.headings().iter().find(|heading| heading.level == 1);
    Ok(first.map(|heading| heading.title.clone()))
}

/// The heading without the `Type: ` that templates put before the topic; `None` when nothing is left to call it by.
fn without_label(heading: &str, kind: &str, document: &str) -> Option<String> {
    let stem = document.rsplit_once('.').map_or(document, |(stem, _)| stem);
    let label = built_in(kind).map_or("", |one| one.label);
    let is_label = |text: &str| {
        let text = slug(text, 60);
        [kind, stem, label]
            .iter()
            .any(|known| !known.is_empty() && text == slug(known, 60))
    };
    let title = match heading.split_once([':', '\u{ff1a}']) {
        Some((before, rest)) if is_label(before) => rest.trim(),
        _ => heading.trim(),
    };
    let placeholder = matches!(title, "[TOPIC]" | "[TITLE]");
    (!title.is_empty() && !placeholder && !is_label(title)).then(|| title.to_owned())
}

/// `001-plan-append-only-log` as a person would say it: `append only log`.
fn readable_id(id: &str, kind: &str) -> String {
    let (_, rest) = split_number(id);
    let topic = rest
        .strip_prefix(kind)
        .and_then(|rest| rest.strip_prefix('-'))
        .unwrap_or(rest);
    let words = topic.replace('-', " ").trim().to_owned();
    if words.is_empty() {
        id.to_owned()
    } else {
        words
    }
}

/// The type in a directory's name, as well as the name alone can tell.
pub(super) fn type_in_id(id: &str) -> String {
    let (number, rest) = split_number(id);
    let known = super::types::BUILT_IN
        .iter()
        .find(|one| rest == one.key || rest.starts_with(&format!("{}-", one.key)));
    match (known, number) {
        (Some(known), _) => known.key.to_owned(),
        (None, Some(_)) => rest.split('-').next().unwrap_or_default().to_owned(),
        (None, None) => String::new(),
    }
}

/// `NNN-rest` in its two parts. The number is decimal, whatever zeros it begins with.
pub(super) fn split_number(id: &str) -> (Option<u64>, &str) {
    let digits = id.bytes().take_while(u8::is_ascii_digit).count();
    let number = id.get(..digits).and_then(|text| text.parse().ok());
    match (
        number,
        id.get(digits..).and_then(|rest| rest.strip_prefix('-')),
    ) {
        (Some(number), Some(rest)) => (Some(number), rest),
        _ => (None, id),
    }
}

/// Whether a type keeps more than one document.
pub(super) fn is_project(kind: &str) -> bool {
    kind == PROJECT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_of_the_type_is_no_part_of_the_title() {
        for (heading, kind, document, expected) in [
            (
                "Brainstorm: API design",
                "brainstorm",
                "brainstorm.md",
                Some("API design"),
            ),
            (
                "Debug Session: token",
                "debug",
                "debug-session.md",
                Some("token"),
            ),
            (
                "Feature planning:  the log ",
                "plan",
                "feature-planning.md",
                Some("the log"),
            ),
            (
                "API: the next version",
                "plan",
                "feature-planning.md",
                Some("API: the next version"),
            ),
            ("Retro: spring", "retro", "retro.md", Some("spring")),
            ("Brainstorm: [TOPIC]", "brainstorm", "brainstorm.md", None),
            ("Review", "review", "review.md", None),
            ("", "review", "review.md", None),
        ] {
            let found = without_label(heading, kind, document);
            assert_eq!(found.as_deref(), expected, "{heading}");
        }
    }

    #[test]
    fn an_id_is_read_as_number_type_and_topic() {
        assert_eq!(split_number("008-plan-x"), (Some(8), "plan-x"));
        assert_eq!(split_number("plan-x"), (None, "plan-x"));
        assert_eq!(split_number("12plan"), (None, "12plan"));
        assert_eq!(type_in_id("010-projectmanage-site"), "projectmanage");
        assert_eq!(type_in_id("001-retro-spring"), "retro");
        assert_eq!(type_in_id("notes"), "");
        assert_eq!(
            readable_id("001-plan-append-only-log", "plan"),
            "append only log"
        );
        assert_eq!(readable_id("001-plan-", "plan"), "001-plan-");
        assert_eq!(readable_id("loose", ""), "loose");
    }
}
