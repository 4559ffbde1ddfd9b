//! A session of any kind as the messages of a conversation: what another tool can go on from.
//!
//! First a message of the system that says what the session is and where it stands, then every entry. Messages keep their
//! role; a question is asked by the assistant, an answer comes from the user, and whatever was not said by anybody is told
//! by the system with its name before it.

use segno_store::formats::conversation::Role;
use segno_store::session::{Brief, Entry, EntryKind, Timestamp};

use super::Writer;
use crate::messages::Catalogue;
use crate::view::brief;

pub(super) struct Conversation<'a> {
    catalogue: &'a Catalogue,
}

impl<'a> Conversation<'a> {
    pub(super) fn new(catalogue: &'a Catalogue) -> Self {
        Self { catalogue }
    }
}

impl Writer for Conversation<'_> {
    fn begin(&mut self, brief: &Brief) -> String {
        line(Role::System, &brief::markdown(brief, self.catalogue), None)
    }

    fn entry(&mut self, entry: &Entry) -> String {
        let named: Option<Role> = entry.role.as_deref().and_then(|role| role.parse().ok());
        let (role, speaker) = match (entry.kind, named, &entry.role) {
            (EntryKind::Message, Some(role), _) => (role, None),
            // A persona speaks for the assistant.
            (EntryKind::Message, None, Some(persona)) => (Role::Assistant, Some(persona.as_str())),
            (EntryKind::Question, ..) => (Role::Assistant, None),
            (EntryKind::Answer, ..) => (Role::User, None),
            (kind, ..) => (Role::System, Some(kind.name())),
        };
        let text = match speaker {
            Some(speaker) => format!("{speaker}: {}", entry.text),
            None => entry.text.clone(),
        };
        line(role, &text, entry.at.as_ref())
    }

    fn end(&mut self, _replaced: Option<u64>) -> String {
        String::new()
    }
}

fn line(role: Role, content: &str, at: Option<&Timestamp>) -> String {
    let mut message = serde_json::json!({"role": role.name(), "content": content});
    if let (Some(at), Some(keys)) = (at, message.as_object_mut()) {
        keys.insert("timestamp".to_owned(), at.iso().into());
    }
    format!("{message}\n")
}
