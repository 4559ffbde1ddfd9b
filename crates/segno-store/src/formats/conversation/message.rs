//! One line of the transcript: a message, as it is read and as it is written.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::session::Timestamp;
use crate::text::json::{Doc, Kind, Layout, Style, Tree, Value};
use crate::text::jsonl;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// The agent.
    Assistant,
    /// The instructions.
    System,
    /// A tool's answer.
    Tool,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::User, Self::Assistant, Self::System, Self::Tool];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or(UnknownRole)
    }
}

/// The text names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a role: it is one of user, assistant, system, tool")]
pub struct UnknownRole;

/// A message as the transcript has it. Roles are read as they are: other programs have more of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message<'m> {
    /// Who; `None` when the line does not say.
    pub(super) role: Option<Cow<'m, str>>,
    /// What; `None` when the line does not say.
    pub(super) text: Option<Cow<'m, str>>,
    /// When, as written.
    pub(super) at: Option<Cow<'m, str>>,
}

/// The line that nearly all lines are: three texts, each once.
#[derive(Deserialize)]
struct Plain<'m> {
    #[serde(borrow)]
    role: Cow<'m, str>,
    #[serde(borrow)]
    content: Cow<'m, str>,
    #[serde(borrow)]
    timestamp: Cow<'m, str>,
}

impl<'m> Message<'m> {
    /// Reads a line that is sound JSON. What is not there or not text is `None`.
    pub(super) fn read(line: &'m str) -> Self {
        match serde_json::from_str::<Plain<'m>>(line) {
            Ok(plain) => Self {
                role: Some(plain.role),
                text: Some(shown(plain.content)),
                at: Some(plain.timestamp),
            },
            // A key is missing, twice there, or not text; half a surrogate pair: read with more patience.
            Err(_) => Self::read_slowly(line),
        }
    }

    fn read_slowly(line: &str) -> Self {
        let doc = Doc::parse(line).ok();
        let owned = |key: &str| {
            let text = doc.as_ref()?.get(key)?.str()?;
            Some(Cow::Owned(text.into_owned()))
        };
        let content = doc.as_ref().and_then(|doc| doc.get("content"));
        Self {
            role: owned("role"),
            text: content
                .and_then(content_text)
                .map(|text| shown(Cow::Owned(text))),
            at: owned("timestamp"),
        }
    }

    /// When, where it can be understood.
    pub(super) fn timestamp(&self) -> Option<Timestamp> {
        Timestamp::parse(self.at.as_deref()?)
    }

    /// True when the line says who and what.
    pub(super) fn is_complete(&self) -> bool {
        self.role.is_some() && self.text.is_some()
    }
}

/// Content without the one line end that writers of the format have put behind every message.
fn shown(content: Cow<'_, str>) -> Cow<'_, str> {
    match content {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_suffix('\n').unwrap_or(text)),
        Cow::Owned(mut text) => {
            if text.ends_with('\n') {
                text.pop();
            }
            Cow::Owned(text)
        }
    }
}

/// The text of content that is text, or a list of parts as agents' own interfaces have it; else its JSON.
fn content_text(content: Value<'_>) -> Option<String> {
    match content.kind() {
        Kind::Null => None,
        Kind::String => content.str().map(Cow::into_owned),
        Kind::Array => {
            let parts: Vec<String> = content
                .items()
                .map(|part| match part.get("text").and_then(|text| text.str()) {
                    Some(text) => text.into_owned(),
                    None => part
                        .str()
                        .map_or_else(|| part.raw().to_owned(), Cow::into_owned),
                })
                .collect();
            Some(parts.join("\n"))
        }
        _ => Some(content.raw().to_owned()),
    }
}

/// A message as one line, newline included, spaced like the line before it.
pub(super) fn to_line(
    role: Role,
    content: &str,
    at: &str,
    more: &[(String, Tree)],
    layout: Layout,
) -> String {
    let mut members = vec![
        ("role".to_owned(), Tree::from(role.name())),
        ("content".to_owned(), Tree::from(content)),
        ("timestamp".to_owned(), Tree::from(at)),
    ];
    members.extend(more.iter().cloned());
    let style = Style {
        layout,
        ..Style::COMPACT
    };
    jsonl::to_line(&Tree::Object(members), style)
}

/// The habit of spacing that a line shows.
pub(super) fn layout_of(line: &str) -> Layout {
    jsonl::style_of(line, Style::COMPACT).layout
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, role: Option<&str>, text: Option<&str>, at: Option<&str>) {
        let message = Message::read(line);
        assert_eq!(message.role.as_deref(), role, "{line}");
        assert_eq!(message.text.as_deref(), text, "{line}");
        assert_eq!(message.at.as_deref(), at, "{line}");
    }

    #[test]
    fn messages_are_read_however_they_were_written() {
        let z = Some("2026-11-18T09:30:00Z");
        check(
            r#"{"role":"user","content":"hi","timestamp":"2026-11-18T09:30:00Z"}"#,
            Some("user"),
            Some("hi"),
            z,
        );
        // The line end that a shell script put behind every message, and only that one.
        check(
            r#"{"timestamp": "2026-11-18T09:30:00Z", "role": "user", "content": "a\n\n"}"#,
            Some("user"),
            Some("a\n"),
            z,
        );
        check(
            r#"{"role":"user","content":"hi"}"#,
            Some("user"),
            Some("hi"),
            None,
        );
        check(r#"{"content":"x","role":7}"#, None, Some("x"), None);
        check(
            r#"{"role":"assistant","content":[{"type":"text","text":"one"},{"type":"image"}]}"#,
            Some("assistant"),
            Some("one\n{\"type\":\"image\"}"),
            None,
        );
        check(
            r#"{"role":"a","role":"b","content":"x"}"#,
            Some("b"),
            Some("x"),
            None,
        );
        check(
            r#"{"role":"user","content":"\ud800"}"#,
            Some("user"),
            Some("\u{fffd}"),
            None,
        );
        check("[]", None, None, None);
        check("17", None, None, None);
    }

    #[test]
    fn a_line_is_written_with_the_keys_in_order_and_the_spacing_of_the_file() {
        let line = to_line(
            Role::User,
            "d\u{e9}j\u{e0}\n\"vu\"",
            "T",
            &[],
            Layout::Compact,
        );
        assert_eq!(
            line,
            "{\"role\":\"user\",\"content\":\"d\u{e9}j\u{e0}\\n\\\"vu\\\"\",\"timestamp\":\"T\"}\n"
        );
        let more = [("tool_call_id".to_owned(), Tree::from("c1"))];
        let line = to_line(
            Role::Tool,
            "ok",
            "T",
            &more,
            layout_of("{\"role\": \"user\"}"),
        );
        assert_eq!(
            line,
            "{\"role\": \"tool\", \"content\": \"ok\", \"timestamp\": \"T\", \"tool_call_id\": \"c1\"}\n"
        );
    }
}
