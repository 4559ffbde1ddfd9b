//! One entry of a session, for outsiders.

use segno_store::session::{Entry, EntryKind, Timestamp};
use serde::Serialize;

use super::one_line;

/// An entry as JSON.
#[derive(Debug, Serialize)]
pub struct EntryView<'a> {
    kind: &'static str,
    role: Option<&'a str>,
    text: &'a str,
    at: Option<String>,
    file: &'a str,
    line: u64,
}

impl<'a> From<&'a Entry> for EntryView<'a> {
    fn from(entry: &'a Entry) -> Self {
        Self {
            kind: entry.kind.name(),
            role: entry.role.as_deref(),
            text: &entry.text,
            at: entry.at.as_ref().map(Timestamp::iso),
            file: entry.file.as_str(),
            line: entry.line,
        }
    }
}

/// An entry as Markdown: who or what, when, and the text.
pub fn markdown(entry: &Entry) -> String {
    if let Some(part) = part_of_document(entry) {
        return part;
    }
    let kind = entry.kind.name();
    let who = match (&entry.role, entry.kind) {
        (Some(role), EntryKind::Message) => one_line(role),
        (Some(role), _) => format!("{kind}, {}", one_line(role)),
        (None, _) => kind.to_owned(),
    };
    let at = entry.at.as_ref().map(|at| format!(" ({})", at.iso()));
    format!(
        "\n### {who}{}\n\n{}\n",
        at.unwrap_or_default(),
        entry.text.trim_end()
    )
}

/// A part of a document begins with its own title: that is its heading.
fn part_of_document(entry: &Entry) -> Option<String> {
    const LONGEST: usize = 120;
    if entry.kind != EntryKind::Document {
        return None;
    }
    let (title, text) = entry.text.split_once('\n').unwrap_or((&entry.text, ""));
    let title = title.trim();
    if title.is_empty() || title.chars().count() > LONGEST {
        return None;
    }
    let text = text.trim();
    let gap = if text.is_empty() { "" } else { "\n\n" };
    Some(format!("\n### {title}{gap}{text}\n"))
}

#[cfg(test)]
mod tests {
    use segno_disk::RelPath;

    use super::*;

    fn entry(kind: EntryKind) -> Entry {
        let file = RelPath::new("a/messages.jsonl").unwrap();
        Entry::new(kind, "We chose\nthe log\n", file, 3)
    }

    #[test]
    fn a_message_is_headed_by_who_said_it_and_the_rest_by_what_it_is() {
        let at = Timestamp::parse("2026-11-18T09:30:00Z");
        let message = entry(EntryKind::Message).by("user").at(at);
        assert_eq!(
            markdown(&message),
            "\n### user (2026-11-18T09:30:00Z)\n\nWe chose\nthe log\n"
        );
        let check = |entry: &Entry, heading: &str| {
            assert!(
                markdown(entry).starts_with(&format!("\n### {heading}\n")),
                "{entry:?}"
            );
        };
        check(&entry(EntryKind::Document), "We chose");
        check(&entry(EntryKind::Decision), "decision");
        check(&entry(EntryKind::Idea).by("a\npersona"), "idea, a persona");
    }

    #[test]
    fn an_entry_has_exactly_the_keys_that_scripts_rely_on() {
        assert_eq!(
            serde_json::to_value(EntryView::from(&entry(EntryKind::Message))).unwrap(),
            serde_json::json!({
                "kind": "message", "role": null, "text": "We chose\nthe log\n", "at": null,
                "file": "a/messages.jsonl", "line": 3,
            })
        );
    }
}
