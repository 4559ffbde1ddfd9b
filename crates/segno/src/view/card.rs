//! A session in one row, for outsiders.

use std::collections::BTreeMap;

use segno_store::session::{Card, Now, Status, Timestamp};
use serde::Serialize;

use super::ago;
use super::problem::ProblemView;
use crate::cli::Table;
use crate::messages::{Message, Text};
use crate::msg;

/// A card as JSON.
#[derive(Debug, Serialize)]
pub struct CardView<'a> {
    kind: &'static str,
    id: &'a str,
    title: &'a str,
    status: &'static str,
    raw_status: &'a str,
    position: &'a str,
    summary: &'a str,
    created_at: Option<String>,
    last_active: Option<String>,
    path: &'a str,
    problems: Vec<ProblemView<'a>>,
    counts: BTreeMap<&'static str, u64>,
}

impl<'a> From<&'a Card> for CardView<'a> {
    fn from(card: &'a Card) -> Self {
        Self {
            kind: card.kind.name(),
            id: card.id.as_str(),
            title: &card.title,
            status: card.status.name(),
            raw_status: &card.raw_status,
            position: &card.position,
            summary: &card.summary,
            created_at: card.created.as_ref().map(Timestamp::iso),
            last_active: card.last_active.as_ref().map(Timestamp::iso),
            path: card.path.as_str(),
            problems: card.problems.iter().map(Into::into).collect(),
            counts: card.counts.iter().copied().collect(),
        }
    }
}

/// What a verb that creates or changes a session answers: `{"session": card, ...}`.
#[derive(Debug, Serialize)]
pub struct SessionView<'a, More: Serialize> {
    session: CardView<'a>,
    #[serde(flatten)]
    more: More,
}

/// The session's card under `session`, and beside it the keys of `more` (`()` for none).
pub fn session<More: Serialize>(card: &Card, more: More) -> SessionView<'_, More> {
    SessionView {
        session: card.into(),
        more,
    }
}

/// What `list` answers: `{"sessions": [card...]}`.
#[derive(Debug, Serialize)]
pub struct SessionsView<'a> {
    sessions: Vec<CardView<'a>>,
}

/// The cards under `sessions`, in the order given.
pub fn sessions<'a>(cards: impl IntoIterator<Item = &'a Card>) -> SessionsView<'a> {
    SessionsView {
        sessions: cards.into_iter().map(Into::into).collect(),
    }
}

/// A card, and the workspace it is of.
#[derive(Debug, Serialize)]
struct AnywhereView<'a> {
    #[serde(flatten)]
    card: CardView<'a>,
    workspace: &'a str,
}

/// What `list --all-workspaces` answers: `{"sessions": [card with its workspace...]}`.
#[derive(Debug, Serialize)]
pub struct SessionsAnywhereView<'a> {
    sessions: Vec<AnywhereView<'a>>,
}

/// The cards of several workspaces under `sessions`, in the order given.
pub fn sessions_anywhere<'a>(
    cards: impl IntoIterator<Item = (&'a Card, &'a str)>,
) -> SessionsAnywhereView<'a> {
    let cards = cards.into_iter();
    SessionsAnywhereView {
        sessions: cards
            .map(|(card, workspace)| AnywhereView {
                card: card.into(),
                workspace,
            })
            .collect(),
    }
}

/// The cards of several workspaces as a table, in the order given.
pub fn table_anywhere<'a>(
    cards: impl IntoIterator<Item = (&'a Card, &'a str)>,
    now: &Now,
) -> Table {
    let mut heading: Vec<Text> = heading().map(Text::from).to_vec();
    heading.push(msg!("card-workspace").into());
    let mut table = Table::new(heading).with_whole(ID);
    for (card, workspace) in cards {
        let mut cells = row(card, now).to_vec();
        cells.push(workspace.into());
        table.row(cells);
    }
    table
}

/// The cards as a table, in the order given.
pub fn table<'a>(cards: impl IntoIterator<Item = &'a Card>, now: &Now) -> Table {
    let mut table = Table::new(heading()).with_whole(ID);
    for card in cards {
        table.row(row(card, now));
    }
    table
}

/// Which column is the id.
const ID: usize = 1;

fn heading() -> [Message; 6] {
    [
        msg!("card-kind"),
        msg!("card-id"),
        msg!("card-status"),
        msg!("card-last-active"),
        msg!("card-title"),
        msg!("card-position"),
    ]
}

fn row(card: &Card, now: &Now) -> [Text; 6] {
    let active = match &card.last_active {
        Some(at) => ago::since(at, now).into(),
        None => Text::from("-"),
    };
    let position = if card.problems.is_empty() {
        card.position.as_str().into()
    } else {
        msg!("card-problems", count = card.problems.len()).into()
    };
    [
        card.kind.name().into(),
        card.id.as_str().into(),
        standing(card).into(),
        active,
        card.title.as_str().into(),
        position,
    ]
}

/// Where a session stands, in a word.
pub fn standing(card: &Card) -> Message {
    if card.is_unreadable() {
        msg!("card-damaged")
    } else {
        status(card.status)
    }
}

/// A status in words.
pub fn status(status: Status) -> Message {
    match status {
        Status::Active => msg!("card-active"),
        Status::Paused => msg!("card-paused"),
        Status::Completed => msg!("card-completed"),
        Status::Abandoned => msg!("card-abandoned"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use jiff::tz::TimeZone;
    use segno_disk::RelPath;
    use segno_store::session::{Kind, Problem, SessionId};

    use super::*;
    use crate::messages::{Catalogue, Lang};

    pub(crate) fn card() -> Card {
        let path = RelPath::new("conversations/2026-11-18/001-plan-log").unwrap();
        Card {
            kind: Kind::Conversation,
            id: SessionId::new("001-plan-log").unwrap(),
            title: "The append-only log".into(),
            status: Status::Paused,
            raw_status: "paused".into(),
            position: "message 12".into(),
            summary: "We chose the log".into(),
            created: Timestamp::parse("2026-11-18T09:00:00+09:00"),
            last_active: Timestamp::parse("2026-11-18T07:30:00Z"),
            path,
            counts: vec![("messages", 12)],
            problems: Vec::new(),
        }
    }

    fn now() -> Now {
        Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC)
    }

    #[test]
    fn a_card_has_exactly_the_keys_that_scripts_rely_on() {
        let value = serde_json::to_value(CardView::from(&card())).unwrap();
        assert_eq!(
            value,
            serde_json::json!({
                "kind": "conversation", "id": "001-plan-log", "title": "The append-only log", "status": "paused",
                "raw_status": "paused", "position": "message 12", "summary": "We chose the log",
                "created_at": "2026-11-18T00:00:00Z", "last_active": "2026-11-18T07:30:00Z",
                "path": "conversations/2026-11-18/001-plan-log", "problems": [], "counts": {"messages": 12},
            })
        );
    }

    #[test]
    fn answers_hold_the_cards_under_session_and_sessions() {
        let card = card();
        let one =
            serde_json::to_value(session(&card, serde_json::json!({"created": true}))).unwrap();
        assert_eq!(one["session"]["id"], "001-plan-log");
        assert_eq!(one["created"], true);
        let bare = serde_json::to_value(session(&card, ())).unwrap();
        assert_eq!(bare.as_object().unwrap().len(), 1);
        let many = serde_json::to_value(sessions([&card, &card])).unwrap();
        assert_eq!(many["sessions"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_list_is_one_line_per_session_in_the_users_language() {
        let mut broken = card();
        broken.problems = vec![Problem::new("torn_tail", broken.path.clone())];
        broken.last_active = None;
        let cards = [card(), broken];
        let lines = table(&cards, &now()).lines(&Catalogue::new(Lang::En), None);
        assert_eq!(
            lines,
            [
                "KIND          ID            STATUS  LAST ACTIVE  TITLE                STOPPED AT",
                "conversation  001-plan-log  paused  2 hours ago  The append-only log  message 12",
                "conversation  001-plan-log  paused  -            The append-only log  1 problem",
            ]
        );
        let french = table(&cards, &now()).lines(&Catalogue::new(Lang::Fr), None);
        assert!(
            french[1].contains("en pause  il y a 2 heures"),
            "{french:?}"
        );
    }
}
