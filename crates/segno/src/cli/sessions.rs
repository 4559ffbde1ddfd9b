//! The sessions of a workspace as a command looks at them: each with its place and its card, the rules of time applied.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use segno_store::StoreError;
use segno_store::formats::{self, Notice, Place, Root};
use segno_store::session::{Card, Kind, SessionId, Status};
use segno_store::workspace::Writer;

use super::app::App;
use super::error::CommandError;
use super::opened::Opened;
use crate::messages::Text;
use crate::msg;

/// A session, found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Where it is.
    pub place: Place,
    /// What it says of itself in one row.
    pub card: Card,
}

impl App {
    /// Every session, of one kind or of all, last worked on first. What the rules of time demand by now has been done to
    /// those that are active, and the user was told.
    pub fn sessions(
        &self,
        opened: &Opened,
        kind: Option<Kind>,
    ) -> Result<Vec<Found>, CommandError> {
        let (found, notices) = self.sessions_and_notices(opened, kind)?;
        self.tell(&notices);
        Ok(found)
    }

    /// The same, with what is to be told of the rules of time.
    pub(super) fn sessions_and_notices(
        &self,
        opened: &Opened,
        kind: Option<Kind>,
    ) -> Result<(Vec<Found>, Vec<Notice>), CommandError> {
        let mut notices = Vec::new();
        let mut found: Vec<Found> = if let Some(cards) = self.indexed_cards(opened, kind) {
            cards
                .into_iter()
                .map(|(place, card)| self.in_time(opened, place, card, &mut notices))
                .collect()
        } else {
            let places = opened.workspace().places(kind, &opened.now)?.into_iter();
            places
                .map(|place| {
                    let card = opened.card(&place);
                    self.timely(opened, place, card, &mut notices)
                })
                .collect()
        };
        if !found.is_empty() {
            self.note_workspace(opened.root());
        }
        found.sort_by(|a, b| a.card.newest_first(&b.card, opened.now.zone()));
        Ok((found, notices))
    }

    /// The same of a session whose card is known: it is looked at only when a rule of time may have become due.
    fn in_time(
        &self,
        opened: &Opened,
        place: Place,
        card: Card,
        notices: &mut Vec<Notice>,
    ) -> Found {
        if !is_minded(&card) {
            return Found { place, card };
        }
        let workspace = opened.workspace();
        let cx = workspace.context(place.root, &opened.now);
        let due = formats::of(place.kind).and_then(|format| format.due(&cx, &card));
        if due.is_some_and(|due| due <= opened.now.instant()) {
            self.timely(opened, place, card, notices)
        } else {
            Found { place, card }
        }
    }

    /// One session, the rules of time applied.
    pub fn found(&self, opened: &Opened, place: Place) -> Found {
        let mut notices = Vec::new();
        let found = self.found_in_time(opened, place, &mut notices);
        self.tell(&notices);
        found
    }

    /// Applies the rules of time to sessions, and tells what that did.
    pub(super) fn keep_all_in_time(&self, opened: &Opened, places: &[Place]) {
        let mut notices = Vec::new();
        for place in places {
            self.found_in_time(opened, place.clone(), &mut notices);
        }
        self.tell(&notices);
    }

    fn found_in_time(&self, opened: &Opened, place: Place, notices: &mut Vec<Notice>) -> Found {
        let card = opened.card(&place);
        self.timely(opened, place, card, notices)
    }

    /// The rules of time applied to a session whose card is that of its files.
    fn timely(
        &self,
        opened: &Opened,
        place: Place,
        mut card: Card,
        notices: &mut Vec<Notice>,
    ) -> Found {
        if is_minded(&card)
            && let Some(notice) = self.keep_time(opened, &place)
        {
            notices.push(notice);
            // One that rests is only reminded of.
            if card.status != Status::Paused {
                card = opened.card(&place);
            }
        }
        Found { place, card }
    }

    /// Tells what the rules of time did; of very many that are alike, how many there are.
    pub(super) fn tell(&self, notices: &[Notice]) {
        let mut by_code: BTreeMap<&str, Vec<&Notice>> = BTreeMap::new();
        for notice in notices {
            by_code.entry(notice.code).or_default().push(notice);
        }
        for (code, alike) in by_code {
            if let Some(text) = words_of_many(code, alike.len()) {
                self.tell_one(code, text);
                continue;
            }
            for notice in alike {
                self.tell_one(code, words(notice));
            }
        }
    }

    /// A program cannot ask what happened; a person is not warned of what is in order.
    fn tell_one(&self, code: &str, text: Text) {
        if self.ui.is_json() || code == "essay_idle" {
            self.ui.warn(text);
        } else {
            self.ui.note(text);
        }
    }

    /// Applies the rules of time to one session. A rule that cannot be applied now applies at the next access: somebody
    /// who is writing, a read-only disk or a damaged file must not keep anybody from reading.
    pub(super) fn keep_time(&self, opened: &Opened, place: &Place) -> Option<Notice> {
        let writer = Writer {
            patience: Duration::ZERO,
            ..opened.writer.clone()
        };
        match opened
            .workspace()
            .apply_time_rules(place, &opened.now, &writer)
        {
            Ok(notice) => notice,
            Err(StoreError::Disk(error)) => {
                let session = format!("{}/{}", place.kind, place.id);
                self.ui.warn(msg!(
                    "rules-not-applied",
                    session = session,
                    why = error.to_string()
                ));
                None
            }
            Err(_) => None,
        }
    }
}

/// True for a session that a rule of time may be about.
fn is_minded(card: &Card) -> bool {
    match card.status {
        Status::Active => true,
        Status::Paused => formats::of(card.kind).is_some_and(formats::Format::reminds_of_paused),
        _ => false,
    }
}

/// What a rule of time did, in the user's language where we know it.
pub(crate) fn words(notice: &Notice) -> Text {
    match notice.code {
        "auto_paused" => msg!("rules-auto-paused", session = &notice.session).into(),
        "expired" => msg!("rules-expired", session = &notice.session).into(),
        "essay_idle" => msg!("rules-essay-idle", session = &notice.session).into(),
        "essay_temporary" => msg!("rules-essay-temporary", session = &notice.session).into(),
        _ => Text::Plain(format!("{}: {}", notice.session, notice.text)),
    }
}

/// More of one sort than this are told in one line.
const MANY: usize = 5;

/// What a rule of time did to many sessions; `None` when there are few, or no words for them.
fn words_of_many(code: &str, count: usize) -> Option<Text> {
    if count <= MANY {
        return None;
    }
    let text = match code {
        "auto_paused" => msg!("rules-many-auto-paused", count = count),
        "expired" => msg!("rules-many-expired", count = count),
        "essay_idle" => msg!("rules-many-essay-idle", count = count),
        "essay_temporary" => msg!("rules-many-essay-temporary", count = count),
        _ => return None,
    };
    Some(text.into())
}

/// How a session is named in a command to type: `kind/id`, or its path where others have the same.
pub fn name(one: &Found, all: &[Found], opened: &Opened) -> String {
    Names::among(all.iter().map(|other| &other.place)).name(&one.place, opened)
}

/// How sessions are named in commands to type, for very many of them.
pub struct Names<'a> {
    counts: HashMap<(Kind, &'a SessionId), usize>,
}

impl<'a> Names<'a> {
    /// Among all of these.
    pub fn among(all: impl Iterator<Item = &'a Place>) -> Self {
        let mut counts = HashMap::new();
        for place in all {
            *counts.entry((place.kind, &place.id)).or_default() += 1;
        }
        Self { counts }
    }

    /// What [`name`] says.
    pub fn name(&self, place: &Place, opened: &Opened) -> String {
        let count = self.counts.get(&(place.kind, &place.id));
        if place.root == Root::Workspace && count.is_some_and(|count| *count > 1) {
            let path = opened.root().join(place.path.as_str());
            return word(&path.display().to_string());
        }
        word(&format!("{}/{}", place.kind, place.id))
    }
}

/// A text as one word of a command line.
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:@%+,=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_to_many_sessions_is_one_line() {
        for code in ["auto_paused", "expired", "essay_idle", "essay_temporary"] {
            assert_eq!(words_of_many(code, MANY), None, "{code}");
            assert!(words_of_many(code, MANY + 1).is_some(), "{code}");
        }
        assert_eq!(words_of_many("unheard_of", 1000), None);
    }

    #[test]
    fn a_name_can_be_pasted_into_a_shell() {
        for (text, expected) in [
            ("conversation/001-plan-log", "conversation/001-plan-log"),
            ("essay/日本語", "essay/日本語"),
            ("essay/two words", "'essay/two words'"),
            ("x/$(rm)'s", r"'x/$(rm)'\''s'"),
        ] {
            assert_eq!(word(text), expected);
        }
    }
}
