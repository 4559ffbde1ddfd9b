//! Which session is meant: by its name, by words, or by choosing it from the list.

use segno_index::Matcher;
use segno_store::session::{Card, Kind};

use super::{ResumeKindArgs, nothing_here, pick};
use crate::cli::opened::Opened;
use crate::cli::sessions::{self, Found};
use crate::cli::{App, Code, CommandError};
use crate::msg;

/// How many sessions an error names.
const NAMED: usize = 8;

/// The session that is meant; `None` when none was named and nobody can be asked.
pub(super) fn one(
    app: &App,
    opened: &Opened,
    kind: Option<Kind>,
    args: &ResumeKindArgs,
) -> Result<Option<Found>, CommandError> {
    if args.words.is_empty() {
        let mut all = app.sessions(opened, kind)?;
        if !app.ui.can_ask() {
            return if all.is_empty() {
                Err(nothing_here(kind))
            } else {
                Ok(None)
            };
        }
        if !args.force {
            all.retain(|one| one.card.status.is_open());
        }
        if all.is_empty() {
            return Err(nothing_here(kind));
        }
        return choose(app, opened, all).map(Some);
    }
    let text = args.words.join(" ");
    let unnamed = match by_name(opened, kind, &text) {
        Ok(place) => return Ok(Some(app.found(opened, place))),
        Err(error) if is_path(&text) => return Err(error),
        Err(error) => error,
    };
    let all = app.sessions(opened, kind)?;
    if all.is_empty() {
        return Err(nothing_here(kind));
    }
    if let Some(one) = by_number(&text, &unnamed, &all) {
        return Ok(Some(one.clone()));
    }
    let cards: Vec<&Card> = all.iter().map(|one| &one.card).collect();
    let matches = if unnamed.code == Code::Ambiguous {
        by_beginning(&text, &cards)
    } else {
        by_words(&text, &cards)
    };
    let matches = open_ones(matches, &cards, args.force);
    let mut several: Vec<Found> = matches
        .iter()
        .filter_map(|place| all.get(*place).cloned())
        .collect();
    match several.len() {
        0 if args.words.len() == 1 && !text.contains(char::is_whitespace) => Err(unnamed),
        0 => Err(
            CommandError::new(Code::NotFound, msg!("resume-no-match", words = text))
                .hint(msg!("resume-list-hint")),
        ),
        1 => Ok(several.pop()),
        _ if app.ui.can_ask() => choose(app, opened, several).map(Some),
        _ => Err(ambiguous(app, opened, &text, &several, &all)),
    }
}

/// The sessions of `--list`, narrowed by words where there are any.
pub(super) fn listed(
    app: &App,
    opened: &Opened,
    kind: Option<Kind>,
    words: &[String],
) -> Result<Vec<Found>, CommandError> {
    let all = app.sessions(opened, kind)?;
    if all.is_empty() && !app.ui.is_json() {
        return Err(nothing_here(kind));
    }
    if words.is_empty() {
        return Ok(all);
    }
    let cards: Vec<&Card> = all.iter().map(|one| &one.card).collect();
    let mut fitting = by_words(&words.join(" "), &cards);
    fitting.sort_unstable();
    let chosen = fitting.iter().filter_map(|place| all.get(*place).cloned());
    Ok(chosen.collect())
}

fn by_name(
    opened: &Opened,
    kind: Option<Kind>,
    text: &str,
) -> Result<segno_store::formats::Place, CommandError> {
    match kind {
        Some(kind) => opened.find_of(kind, text),
        None => opened.find(text),
    }
}

/// The session with this number in the list, unless the number is the beginning of ids.
fn by_number<'a>(text: &str, unnamed: &CommandError, all: &'a [Found]) -> Option<&'a Found> {
    if unnamed.code == Code::Ambiguous {
        return None;
    }
    let number: usize = text.parse().ok()?;
    all.get(number.checked_sub(1)?)
}

fn is_path(text: &str) -> bool {
    text.starts_with(['/', '.'])
}

/// The sessions whose id begins so, as they stand in the list.
fn by_beginning(text: &str, cards: &[&Card]) -> Vec<usize> {
    let id = text.rsplit('/').next().unwrap_or(text);
    let begins = |card: &Card| card.id.as_str().starts_with(id);
    let exact = |card: &Card| card.id.as_str() == id;
    let any_exact = cards.iter().any(|card| exact(card));
    let places = cards.iter().enumerate();
    places
        .filter(|(_, card)| if any_exact { exact(card) } else { begins(card) })
        .map(|(place, _)| place)
        .collect()
}

/// The sessions whose title or summary holds all the words, best first.
fn by_words(words: &str, cards: &[&Card]) -> Vec<usize> {
    let matcher = Matcher::new(words);
    let mut scored: Vec<_> = cards
        .iter()
        .enumerate()
        .filter_map(|(place, card)| {
            let text = format!("{} {} {}", card.title, card.summary, card.id);
            // The title says what a session is; the summary mentions many things.
            let score = (matcher.score(&card.title), matcher.score(&text)?);
            Some((std::cmp::Reverse(score), place))
        })
        .collect();
    scored.sort();
    scored.into_iter().map(|(_, place)| place).collect()
}

/// What is finished steps back where something open fits as well.
fn open_ones(matches: Vec<usize>, cards: &[&Card], force: bool) -> Vec<usize> {
    let is_open = |place: &usize| cards.get(*place).is_some_and(|card| card.status.is_open());
    if force || !matches.iter().any(is_open) {
        return matches;
    }
    matches.into_iter().filter(is_open).collect()
}

/// Lets a person choose on the terminal.
fn choose(app: &App, opened: &Opened, mut all: Vec<Found>) -> Result<Found, CommandError> {
    let chosen = if pick::can_paint(app) {
        pick::pick(app, opened, &all)?
    } else {
        Some(pick::ask(app, &all)?)
    };
    let Some(place) = chosen.filter(|place| *place < all.len()) else {
        let error = CommandError::new(Code::Refused, msg!("picker-left"));
        return Err(error.hint(msg!("resume-list-hint")));
    };
    Ok(all.swap_remove(place))
}

fn ambiguous(
    app: &App,
    opened: &Opened,
    words: &str,
    several: &[Found],
    all: &[Found],
) -> CommandError {
    let count = several.len();
    let mut error = CommandError::new(
        Code::Ambiguous,
        msg!("resume-several", words = words, count = count),
    );
    for one in several.iter().take(NAMED) {
        let status = app.ui.say(&crate::view::card::status(one.card.status));
        error = error.hint(msg!(
            "resume-one-of-several",
            command = format!("segno resume {}", sessions::name(one, all, opened)),
            title = &one.card.title,
            status = status
        ));
    }
    if count > NAMED {
        error = error.hint(msg!("errors-ambiguous-more", count = count - NAMED));
    }
    error
}

#[cfg(test)]
mod tests {
    use segno_store::session::{SessionId, Status};

    use super::*;
    use crate::view::card::tests::card;

    fn cards() -> Vec<Card> {
        let one = |id: &str, title: &str, summary: &str, status: Status| Card {
            id: SessionId::new(id).unwrap(),
            title: title.to_owned(),
            summary: summary.to_owned(),
            status,
            ..card()
        };
        vec![
            one(
                "001-plan-api",
                "API design",
                "leaning toward REST",
                Status::Paused,
            ),
            one(
                "002-debug-token",
                "Token expiry",
                "a race in the API design",
                Status::Completed,
            ),
            one(
                "003-learn-koma",
                "コマの設計",
                "設計は済んだ",
                Status::Active,
            ),
            one("004-plan-cafe", "Le café", "décision prise", Status::Paused),
        ]
    }

    #[test]
    fn words_are_looked_for_in_titles_and_summaries_the_title_counting_more() {
        let cards = cards();
        let cards: Vec<&Card> = cards.iter().collect();
        let check = |words: &str, expected: &[usize]| {
            assert_eq!(by_words(words, &cards), expected, "{words}");
        };
        check("api design", &[0, 1]);
        check("race", &[1]);
        check("decision", &[3]);
        check("設計", &[2]);
        check("plan cafe", &[3]);
        check("graphql", &[]);
    }

    #[test]
    fn what_is_completed_steps_back_unless_it_is_forced_or_alone() {
        let cards = cards();
        let cards: Vec<&Card> = cards.iter().collect();
        assert_eq!(open_ones(vec![0, 1], &cards, false), [0]);
        assert_eq!(open_ones(vec![0, 1], &cards, true), [0, 1]);
        assert_eq!(open_ones(vec![1], &cards, false), [1]);
    }

    #[test]
    fn the_beginning_of_an_id_gives_those_that_begin_so() {
        let cards = cards();
        let cards: Vec<&Card> = cards.iter().collect();
        assert_eq!(by_beginning("00", &cards), [0, 1, 2, 3]);
        assert_eq!(by_beginning("conversation/003", &cards), [2]);
        assert_eq!(by_beginning("004-plan-cafe", &cards), [3]);
    }
}
