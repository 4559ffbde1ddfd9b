//! `segno` alone: what is open here, what needs attention, and the one command to go on.

use segno_store::session::{Card, Status};
use serde::Serialize;

use crate::cli::opened::Opened;
use crate::cli::sessions::{self, Found};
use crate::cli::{App, CommandError, Line, Role};
use crate::messages::{Message, Text};
use crate::msg;
use crate::view::ago;
use crate::view::card::{self, CardView};
use crate::view::one_line;

/// How many open sessions are shown.
const SHOWN: usize = 7;
/// How many sessions that need attention for one reason are named.
const NAMED: usize = 5;

/// Why a session needs a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// Something is wrong with its files.
    Problems(usize),
    /// It was kept too long without being worked on.
    Expired,
    /// Something in it waits for an answer: how many, and what the format calls it.
    Waiting(&'static str, u64),
    /// It rests and waits to be gone on with.
    Paused,
}

impl Why {
    /// Which are shown together, the most urgent first.
    fn group(self) -> u8 {
        match self {
            Self::Problems(_) => 0,
            Self::Expired => 1,
            Self::Waiting("open_claims", _) => 2,
            Self::Waiting(..) => 3,
            Self::Paused => 4,
        }
    }

    /// What shows all of a group.
    fn command_for_all(self) -> &'static str {
        match self {
            Self::Problems(_) => "segno check",
            Self::Expired => "segno list --status abandoned",
            Self::Waiting("open_claims", _) => "segno list --kind essay",
            Self::Waiting(..) => "segno list --kind handover",
            Self::Paused => "segno list --status paused",
        }
    }
}

/// Shows the dashboard.
pub fn run(app: &App) -> Result<(), CommandError> {
    let opened = app.open("dashboard")?;
    let all = app.sessions(&opened, None)?;
    let open: Vec<&Found> = all
        .iter()
        .filter(|one| one.card.status.is_open() && !one.card.is_unreadable())
        .collect();
    let next = open
        .first()
        .map(|one| format!("segno resume {}", sessions::name(one, &all, &opened)));
    if app.ui.is_json() {
        return app
            .ui
            .json(&view(app, &opened, &all, &open, next.as_deref()));
    }
    if all.is_empty() {
        return begin(app);
    }
    show_open(app, &opened, &all, &open)?;
    show_attention(app, &opened, &all)?;
    match next {
        Some(command) => app.ui.data(
            Line::new()
                .plain("\n")
                .plain(msg!("dashboard-go-on"))
                .plain(" ")
                .add(Role::Accent, command),
        ),
        None => app.ui.data(Line::new().plain(msg!("dashboard-all-closed"))),
    }
}

fn begin(app: &App) -> Result<(), CommandError> {
    let root = app.root().display().to_string();
    app.ui.data(msg!("dashboard-empty", root = root))?;
    for (command, what) in [
        (
            "segno conversation start plan \"TOPIC\"",
            msg!("dashboard-begin"),
        ),
        ("segno -C DIR", msg!("dashboard-elsewhere")),
        ("segno --help", msg!("dashboard-help")),
    ] {
        app.ui.data(
            Line::new()
                .plain("  ")
                .add(Role::Accent, format!("{command:<40}"))
                .plain(what),
        )?;
    }
    Ok(())
}

fn show_open(
    app: &App,
    opened: &Opened,
    all: &[Found],
    open: &[&Found],
) -> Result<(), CommandError> {
    let paused = open
        .iter()
        .filter(|one| one.card.status == Status::Paused)
        .count();
    let count = msg!("dashboard-open", count = open.len(), paused = paused);
    app.ui.data(Line::new().add(Role::Strong, count))?;
    for one in open.iter().take(SHOWN) {
        app.ui.data(
            Line::new()
                .plain("\n  ")
                .add(Role::Strong, one_line(&one.card.title))
                .plain("  ")
                .add(Role::Accent, sessions::name(one, all, opened)),
        )?;
        app.ui.data(
            Line::new()
                .plain("    ")
                .plain(standing(app, opened, &one.card)),
        )?;
        let summary = one_line(&one.card.summary);
        if !summary.is_empty() {
            app.ui
                .data(Line::new().plain("    ").add(Role::Dim, cut(&summary)))?;
        }
    }
    if open.len() > SHOWN {
        let more = msg!("dashboard-more", count = open.len() - SHOWN);
        app.ui.data(Line::new().plain("\n  ").plain(more))?;
    }
    Ok(())
}

/// Status, age and place in one line.
fn standing(app: &App, opened: &Opened, card: &Card) -> String {
    let mut parts = vec![app.ui.say(&card::status(card.status))];
    if let Some(at) = &card.last_active {
        parts.push(app.ui.say(&ago::since(at, &opened.now)));
    }
    if !card.position.is_empty() {
        parts.push(one_line(&card.position));
    }
    parts.join(" · ")
}

fn show_attention(app: &App, opened: &Opened, all: &[Found]) -> Result<(), CommandError> {
    let found = attention(all);
    if found.is_empty() {
        return Ok(());
    }
    let heading = msg!("dashboard-attention");
    app.ui
        .data(Line::new().plain("\n").add(Role::Warn, heading))?;
    for group in found.chunk_by(|(_, a), (_, b)| a.group() == b.group()) {
        show_group(app, opened, all, group)?;
    }
    Ok(())
}

/// The first few of a group, and how to see the others.
fn show_group(
    app: &App,
    opened: &Opened,
    all: &[Found],
    group: &[(&Found, Why)],
) -> Result<(), CommandError> {
    for (one, why) in group.iter().take(NAMED) {
        let why = *why;
        let name = sessions::name(one, all, opened);
        app.ui.data(
            Line::new()
                .plain("  ")
                .plain(one.card.reference())
                .plain(": ")
                .plain(words(why))
                .plain("  ")
                .add(Role::Accent, command(why, &name)),
        )?;
    }
    if let (Some((_, why)), true) = (group.first(), group.len() > NAMED) {
        let more = msg!("dashboard-attention-more", count = group.len() - NAMED);
        app.ui.data(
            Line::new()
                .plain("  ")
                .plain(more)
                .plain(" ")
                .add(Role::Accent, why.command_for_all()),
        )?;
    }
    Ok(())
}

/// The sessions that need a person, each with every reason: those of a group together, most recent first in each.
fn attention(all: &[Found]) -> Vec<(&Found, Why)> {
    let mut found: Vec<(&Found, Why)> = all
        .iter()
        .flat_map(|one| reasons(&one.card).into_iter().map(move |why| (one, why)))
        .collect();
    found.sort_by_key(|(_, why)| why.group());
    found
}

fn reasons(card: &Card) -> Vec<Why> {
    let mut reasons = Vec::new();
    if !card.problems.is_empty() {
        reasons.push(Why::Problems(card.problems.len()));
    }
    if card.raw_status == "expired" {
        reasons.push(Why::Expired);
    }
    for (name, count) in &card.counts {
        if *count > 0 && matches!(*name, "open_claims" | "tracked_reviews") {
            reasons.push(Why::Waiting(name, *count));
        }
    }
    if reasons.is_empty() && card.status == Status::Paused {
        reasons.push(Why::Paused);
    }
    reasons
}

fn words(why: Why) -> Text {
    let message: Message = match why {
        Why::Problems(count) => msg!("card-problems", count = count),
        Why::Expired => msg!("dashboard-expired"),
        Why::Waiting("open_claims", count) => msg!("dashboard-claims", count = count),
        Why::Waiting(_, count) => msg!("dashboard-reviews", count = count),
        Why::Paused => card::status(Status::Paused),
    };
    message.into()
}

fn command(why: Why, name: &str) -> String {
    match why {
        Why::Problems(_) => format!("segno check {name}"),
        Why::Expired | Why::Waiting(..) => format!("segno show {name}"),
        Why::Paused => format!("segno resume {name}"),
    }
}

fn cut(text: &str) -> String {
    const MAX: usize = 100;
    if text.chars().count() <= MAX {
        text.to_owned()
    } else {
        text.chars().take(MAX).chain(['…']).collect()
    }
}

#[derive(Serialize)]
struct DashboardView<'a> {
    workspace: String,
    open: Vec<CardView<'a>>,
    attention: Vec<AttentionView>,
    next: Option<&'a str>,
}

#[derive(Serialize)]
struct AttentionView {
    session: String,
    why: &'static str,
    message: String,
    command: String,
}

fn view<'a>(
    app: &App,
    opened: &Opened,
    all: &'a [Found],
    open: &[&'a Found],
    next: Option<&'a str>,
) -> DashboardView<'a> {
    let attention = attention(all).into_iter().map(|(one, why)| AttentionView {
        session: one.card.reference(),
        why: match why {
            Why::Problems(_) => "problems",
            Why::Expired => "expired",
            Why::Waiting(name, _) => name,
            Why::Paused => "paused",
        },
        message: app.ui.catalogue.text(&words(why)),
        command: command(why, &sessions::name(one, all, opened)),
    });
    DashboardView {
        workspace: app.root().to_string_lossy().into_owned(),
        open: open.iter().map(|one| (&one.card).into()).collect(),
        attention: attention.collect(),
        next,
    }
}

#[cfg(test)]
mod tests {
    use segno_store::session::Problem;

    use super::*;
    use crate::view::card::tests::card;

    #[test]
    fn every_reason_for_attention_is_found() {
        assert_eq!(reasons(&card()), [Why::Paused]);
        let mut bad = card();
        bad.problems = vec![Problem::new("torn_tail", bad.path.clone())];
        bad.raw_status = "expired".into();
        bad.counts = vec![("messages", 3), ("open_claims", 2), ("tracked_reviews", 0)];
        assert_eq!(
            reasons(&bad),
            [
                Why::Problems(1),
                Why::Expired,
                Why::Waiting("open_claims", 2)
            ]
        );
    }
}
