//! `segno list`: every session of the workspace in one list.

use std::cmp::Ordering;
use std::collections::HashSet;

use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use segno_store::formats::{Notice, Root};
use segno_store::session::{Card, Kind, Now, Status};

use crate::cli::opened::Opened;
use crate::cli::sessions::Found;
use crate::cli::{App, CommandError, Since};
use crate::msg;
use crate::view::card;

/// List the sessions of the workspace
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only sessions of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,
    /// Only sessions of this status: active, paused, completed, abandoned
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
    /// Only sessions worked on since a date (2026-11-18) or within a time (30m, 12h, 7d, 2w)
    #[arg(long, value_name = "WHEN")]
    since: Option<Since>,
    /// In which order
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Sort::Active)]
    sort: Sort,
    /// At most so many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Also the sessions of every other workspace that was opened on this machine
    #[arg(long)]
    all_workspaces: bool,
}

/// In which order sessions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Last worked on first
    Active,
    /// Begun last first
    Created,
    /// By title
    Title,
}

/// Lists the sessions.
pub fn run(app: &App, args: &ListArgs) -> Result<(), CommandError> {
    let opened = app.open("list")?;
    let now = opened.now.clone();
    if args.all_workspaces {
        return list_all(app, args, opened);
    }
    let (cards, is_empty) = cards(app, args, &opened)?;
    let cards = sorted(args, cards, &now, |card| card);
    if app.ui.is_json() {
        return app.ui.json(&card::sessions(&cards));
    }
    if cards.is_empty() {
        app.ui.note(if is_empty {
            msg!("common-no-sessions")
        } else {
            msg!("list-none-fits")
        });
        return Ok(());
    }
    app.ui.table(&card::table(&cards, &now))
}

/// A session of any workspace.
struct Anywhere {
    card: Card,
    workspace: String,
}

fn list_all(app: &App, args: &ListArgs, here: Opened) -> Result<(), CommandError> {
    let now = here.now.clone();
    let mut all = Vec::new();
    let mut none = true;
    for opened in app.all_workspaces(here, "list") {
        let workspace = opened.root().display().to_string();
        let (cards, is_empty) = cards(app, args, &opened)?;
        none &= is_empty;
        all.extend(cards.into_iter().map(|card| Anywhere {
            card,
            workspace: workspace.clone(),
        }));
    }
    let all = sorted(args, all, &now, |one| &one.card);
    let rows = all.iter().map(|one| (&one.card, one.workspace.as_str()));
    if app.ui.is_json() {
        return app.ui.json(&card::sessions_anywhere(rows));
    }
    if all.is_empty() {
        app.ui.note(if none {
            msg!("list-none-anywhere")
        } else {
            msg!("list-none-fits")
        });
        return Ok(());
    }
    app.ui.table(&card::table_anywhere(rows, &now))
}

/// The cards of a workspace that are asked for, and whether there are no sessions at all.
fn cards(app: &App, args: &ListArgs, opened: &Opened) -> Result<(Vec<Card>, bool), CommandError> {
    let zone = opened.now.zone();
    let since = args.since.as_ref().map(|since| since.instant(&opened.now));
    let (mut found, mut notices) = app.sessions_and_notices(opened, args.kind)?;
    found.retain(|one| {
        let card = &one.card;
        args.status.is_none_or(|status| status == card.status)
            && since.is_none_or(|since| is_since(card, since, zone))
    });
    // A reminder of a session that is not listed is noise; what was done to one is told in any case.
    if notices.iter().any(is_reminder) {
        let listed: HashSet<String> = found.iter().map(|one| one.card.reference()).collect();
        notices.retain(|notice| !is_reminder(notice) || listed.contains(&notice.session));
    }
    app.tell(&notices);
    if !app.ui.is_json() {
        let passing = found
            .iter()
            .filter(|one| is_passing(one))
            .map(|one| Notice {
                code: "essay_temporary",
                session: one.card.reference(),
                text: String::new(),
            });
        app.tell(&passing.collect::<Vec<_>>());
    }
    let is_empty = found.is_empty() && opened.workspace().places(None, &opened.now)?.is_empty();
    let cards = found.into_iter().map(|one| one.card).collect();
    Ok((cards, is_empty))
}

fn is_reminder(notice: &Notice) -> bool {
    notice.code == "essay_idle"
}

/// True for a session that the next reboot may take away.
fn is_passing(one: &Found) -> bool {
    one.place.root == Root::Temporary && one.card.status != Status::Completed
}

fn sorted<T>(args: &ListArgs, mut all: Vec<T>, now: &Now, card: impl Fn(&T) -> &Card) -> Vec<T> {
    all.sort_by(|a, b| order(args.sort, card(a), card(b), now.zone()));
    all.truncate(args.limit.unwrap_or(usize::MAX));
    all
}

/// A session that never says when is not known to be recent. A day that is all we know counts as a whole.
fn is_since(card: &Card, since: jiff::Timestamp, zone: &TimeZone) -> bool {
    let time = card.last_active.as_ref().or(card.created.as_ref());
    time.is_some_and(|time| {
        if time.is_date() {
            time.date_in(zone) >= since.to_zoned(zone.clone()).date()
        } else {
            time.instant(zone) >= since
        }
    })
}

fn order(sort: Sort, a: &Card, b: &Card, zone: &TimeZone) -> Ordering {
    let created = |card: &Card| card.created.as_ref().map(|time| time.instant(zone));
    let title = |card: &Card| segno_index::fold(&card.title);
    let first = match sort {
        Sort::Active => Ordering::Equal,
        Sort::Created => created(b).cmp(&created(a)),
        Sort::Title => title(a).cmp(&title(b)),
    };
    first.then_with(|| a.newest_first(b, zone))
}

#[cfg(test)]
mod tests {
    use segno_store::session::Timestamp;

    use super::*;
    use crate::view::card::tests::card;

    fn with(title: &str, created: &str, active: &str) -> Card {
        Card {
            title: title.to_owned(),
            created: Timestamp::parse(created),
            last_active: Timestamp::parse(active),
            ..card()
        }
    }

    #[test]
    fn each_order_is_the_one_it_says() {
        let cards = [
            with("beta", "2026-11-03", "2026-11-10T10:00:00Z"),
            with("Émile", "2026-11-01", "2026-11-12T10:00:00Z"),
            with("alpha", "2026-11-02", "2026-11-11T10:00:00Z"),
        ];
        let titles = |sort: Sort| {
            let mut cards: Vec<&Card> = cards.iter().collect();
            cards.sort_by(|a, b| order(sort, a, b, &TimeZone::UTC));
            cards
                .iter()
                .map(|card| card.title.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(titles(Sort::Active), ["Émile", "alpha", "beta"]);
        assert_eq!(titles(Sort::Created), ["beta", "alpha", "Émile"]);
        assert_eq!(titles(Sort::Title), ["alpha", "beta", "Émile"]);
    }

    #[test]
    fn since_looks_at_the_last_work_and_counts_days_as_a_whole() {
        let since: jiff::Timestamp = "2026-11-11T09:30:00Z".parse().unwrap();
        for (active, expected) in [
            ("2026-11-11T09:30:00Z", true),
            ("2026-11-11T09:29:59Z", false),
            ("2026-11-11", true),
            ("2026-11-10", false),
            ("never", false),
        ] {
            let card = with("t", "never", active);
            assert_eq!(is_since(&card, since, &TimeZone::UTC), expected, "{active}");
        }
    }
}
