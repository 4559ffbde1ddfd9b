//! The searchable parts of a session, each at its line.

use std::ops::ControlFlow;

use super::codec::{Read, Reading, read};
use crate::error::Result;
use crate::formats::{Context, Place};
use crate::session::{Entry, EntryKind, Timestamp};
use crate::text::yaml::Node;

/// Every searchable part, at its line.
pub(super) fn entries(
    cx: &Context<'_>,
    place: &Place,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<()> {
    let Read::Session(reading) = read(cx, place)? else {
        return Ok(());
    };
    let _ = Walk {
        place,
        reading: &reading,
        sink,
    }
    .all();
    Ok(())
}

struct Walk<'a> {
    place: &'a Place,
    reading: &'a Reading,
    sink: &'a mut dyn FnMut(Entry) -> ControlFlow<()>,
}

impl Walk<'_> {
    fn all(&mut self) -> ControlFlow<()> {
        let session = self.reading.node();
        for list in ["history", "history_branches"] {
            for item in items(Some(session), list) {
                if list == "history" {
                    self.iteration(item)?;
                } else {
                    for inner in items(Some(item), "history") {
                        self.iteration(inner)?;
                    }
                }
            }
        }
        for idea in items(Some(session), "ideas") {
            self.text(idea.get("content"), EntryKind::Idea, None, None)?;
        }
        for used in items(Some(session), "techniques_history") {
            self.text(used.get("technique_slug"), EntryKind::Event, None, None)?;
        }
        for round in items(Some(session), "party_history") {
            self.party(round)?;
        }
        for round in items(Some(session), "panel_history") {
            self.panel(round)?;
        }
        ControlFlow::Continue(())
    }

    fn iteration(&mut self, node: Node<'_>) -> ControlFlow<()> {
        let at = node
            .get("timestamp")
            .and_then(Node::as_str)
            .and_then(Timestamp::parse);
        for question in items(Some(node), "questions") {
            self.text(
                Some(question),
                EntryKind::Question,
                Some("assistant"),
                at.as_ref(),
            )?;
        }
        for answer in items(Some(node), "responses") {
            self.text(Some(answer), EntryKind::Answer, Some("user"), at.as_ref())?;
        }
        ControlFlow::Continue(())
    }

    fn party(&mut self, round: Node<'_>) -> ControlFlow<()> {
        for one in items(Some(round), "contributions") {
            let who = one.get("persona").and_then(Node::as_str);
            for point in items(Some(one), "key_points") {
                self.text(Some(point), EntryKind::Message, who, None)?;
            }
        }
        self.text(round.get("synthesis"), EntryKind::Decision, None, None)?;
        self.text(round.get("user_question"), EntryKind::Question, None, None)
    }

    fn panel(&mut self, round: Node<'_>) -> ControlFlow<()> {
        for one in items(Some(round), "contributions") {
            let who = one.get("expert").and_then(Node::as_str);
            self.text(one.get("position"), EntryKind::Message, who, None)?;
        }
        for point in items(round.get("synthesis"), "convergent") {
            self.text(Some(point), EntryKind::Decision, None, None)?;
        }
        for point in items(round.get("synthesis"), "tensions") {
            self.text(Some(point), EntryKind::Event, None, None)?;
        }
        self.text(round.get("user_question"), EntryKind::Question, None, None)
    }

    fn text(
        &mut self,
        node: Option<Node<'_>>,
        kind: EntryKind,
        role: Option<&str>,
        at: Option<&Timestamp>,
    ) -> ControlFlow<()> {
        let Some((node, text)) = node.and_then(|node| Some((node, node.as_str()?))) else {
            return ControlFlow::Continue(());
        };
        let mut entry =
            Entry::new(kind, text, self.place.path.clone(), node.line()).at(at.cloned());
        entry.role = role.map(ToOwned::to_owned);
        (self.sink)(entry)
    }
}

fn items<'d>(node: Option<Node<'d>>, key: &str) -> impl Iterator<Item = Node<'d>> {
    node.and_then(|node| node.get(key))
        .into_iter()
        .flat_map(Node::items)
}
