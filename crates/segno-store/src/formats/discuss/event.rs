//! One line of `transcript.jsonl`: read where it stands, written as the other tools write it.

use std::borrow::Cow;

use super::schema::EventKind;
use crate::session::Timestamp;
use crate::text::json::{Budget, Doc, JsonError, Kind, Style, Tree, Value};
use crate::text::jsonl::{self, MAX_LINE};

/// One event, its text kept.
#[derive(Debug, Clone)]
pub(super) struct Event {
    doc: Doc,
}

impl Event {
    /// Reads a line. `Err` says what is missing of an event.
    pub(super) fn parse(line: &str) -> Result<Self, &'static str> {
        let budget = Budget {
            bytes: MAX_LINE + 1,
            ..Budget::default()
        };
        let doc = Doc::parse_within(line, budget).map_err(|error: JsonError| error.message)?;
        let event = Self { doc };
        let root = event.doc.root();
        if root.kind() != Kind::Object {
            return Err("it is not an object");
        }
        if root
            .get("type")
            .is_none_or(|word| word.kind() != Kind::String)
        {
            return Err("it has no `type`");
        }
        if root
            .get("payload")
            .is_none_or(|payload| payload.kind() != Kind::Object)
        {
            return Err("it has no `payload` object");
        }
        Ok(event)
    }

    /// Makes an event that is to be written.
    pub(super) fn new(ts: &str, kind: EventKind, payload: Tree) -> Self {
        let line = to_line(ts, kind, payload);
        Self {
            doc: Doc::parse(line.trim_end()).expect("because a printed tree is JSON"),
        }
    }

    /// The same with one more member in its payload.
    pub(super) fn with(&self, key: &str, value: Tree) -> Self {
        let members = self.payload().entries();
        let mut members: Vec<(String, Tree)> = members
            .map(|entry| (entry.key().into_owned(), Tree::from(entry.value)))
            .collect();
        members.push((key.to_owned(), value));
        let event = Tree::object([
            ("ts", Tree::from(self.ts().as_ref())),
            ("type", Tree::from(self.type_name().as_ref())),
            ("payload", Tree::Object(members)),
        ]);
        Self {
            doc: Doc::parse(event.to_text(Style::PYTHON_LINE))
                .expect("because a printed tree is JSON"),
        }
    }

    /// The line, its newline included.
    pub(super) fn line(&self) -> String {
        format!("{}\n", self.doc.text())
    }

    /// When, as it was written.
    pub(super) fn ts(&self) -> Cow<'_, str> {
        let ts = self.doc.get("ts").and_then(|value| value.str());
        ts.unwrap_or_default()
    }

    /// When, understood.
    pub(super) fn at(&self) -> Option<Timestamp> {
        Timestamp::parse(&self.ts())
    }

    /// What type; `None` for one that is not known here.
    pub(super) fn kind(&self) -> Option<EventKind> {
        self.type_name().parse().ok()
    }

    /// The type as it was written.
    pub(super) fn type_name(&self) -> Cow<'_, str> {
        let word = self.doc.get("type").and_then(|value| value.str());
        word.unwrap_or_default()
    }

    /// What it holds.
    pub(super) fn payload(&self) -> Value<'_> {
        self.doc.get("payload").unwrap_or_else(|| self.doc.root())
    }

    /// A text of the payload.
    pub(super) fn text(&self, key: &str) -> Option<Cow<'_, str>> {
        self.payload().get(key).and_then(|value| value.str())
    }

    /// True for a replay that changed the plan.
    pub(super) fn is_applied_run(&self) -> bool {
        self.kind() == Some(EventKind::ReplayRun)
            && self.payload().get("dry_run").and_then(|dry| dry.bool()) == Some(false)
            && self.text("result").as_deref() == Some("REPLAY_OK")
    }

    /// What it says, in one text for people.
    pub(super) fn shown(&self) -> String {
        match self.kind() {
            Some(EventKind::UserMessage | EventKind::AssistantMessage) => {
                self.text("content").unwrap_or_default().into_owned()
            }
            Some(EventKind::Error) => {
                let message = self.text("message").unwrap_or_default();
                match self.text("details") {
                    Some(details) => format!("{message}: {details}"),
                    None => message.into_owned(),
                }
            }
            Some(EventKind::ReplayRun) => {
                let dry = self.payload().get("dry_run").and_then(|dry| dry.bool()) == Some(true);
                let result = self.text("result").unwrap_or_default();
                let how = if dry { " (dry-run)" } else { "" };
                match self.text("error") {
                    Some(error) => format!("{result}{how}: {error}"),
                    None => format!("{result}{how}"),
                }
            }
            _ => self.payload().raw().to_owned(),
        }
    }
}

/// An event as a line, its newline included: `{"ts": ..., "type": ..., "payload": {...}}`.
pub(super) fn to_line(ts: &str, kind: EventKind, payload: Tree) -> String {
    let event = Tree::object([
        ("ts", Tree::from(ts)),
        ("type", Tree::from(kind.name())),
        ("payload", payload),
    ]);
    jsonl::to_line(&event, Style::PYTHON_LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_written_as_the_format_writes_it() {
        let payload = Tree::object([("content", "caf\u{e9} \"quoted\"\nnext")]);
        let line = to_line("2026-11-18T09:30:00", EventKind::UserMessage, payload);
        assert_eq!(
            line,
            "{\"ts\": \"2026-11-18T09:30:00\", \"type\": \"user_message\", \"payload\": {\"content\": \
             \"caf\\u00e9 \\\"quoted\\\"\\nnext\"}}\n"
        );
        let event = Event::parse(line.trim_end()).unwrap();
        assert_eq!(event.shown(), "caf\u{e9} \"quoted\"\nnext");
        assert_eq!(event.kind(), Some(EventKind::UserMessage));
    }

    #[test]
    fn what_is_missing_of_an_event_is_named() {
        for (line, missing) in [
            ("[]", "not an object"),
            ("{\"payload\": {}}", "`type`"),
            ("{\"type\": 3, \"payload\": {}}", "`type`"),
            ("{\"type\": \"error\"}", "`payload`"),
            ("{\"type\": \"error\", \"payload\": []}", "`payload`"),
        ] {
            let why = Event::parse(line).unwrap_err();
            assert!(why.contains(missing), "{line}: {why}");
        }
    }
}
