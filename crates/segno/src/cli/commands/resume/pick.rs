//! The picker over sessions: what each row says, and what is loaded for the preview.

use super::text;
use crate::cli::neutral;
use crate::cli::opened::Opened;
use crate::cli::sessions::Found;
use crate::cli::{App, Code, CommandError};
use crate::messages::{Catalogue, Text};
use crate::msg;
use crate::picker::{self, Haystack, Labels, Picker, Row};
use crate::view::{ago, brief, card};

/// What is loaded for a preview, in tokens: a screen or two.
const PREVIEW: usize = 1_200;

/// Lets a person choose one of the sessions; `None` when they leave.
pub(super) fn pick(
    app: &App,
    opened: &Opened,
    all: &[Found],
) -> Result<Option<usize>, CommandError> {
    let catalogue = &app.ui.catalogue;
    let rows = all.iter().map(|one| row(one, opened, catalogue)).collect();
    let labels = Labels {
        prompt: app.ui.say(&msg!("picker-prompt")),
        keys: app.ui.say(&msg!("picker-keys")),
        nothing: app.ui.say(&msg!("picker-nothing")),
    };
    app.ui.flush()?;
    let mut load = |place: usize| match all.get(place) {
        Some(one) => preview(one, opened, catalogue),
        None => Vec::new(),
    };
    picker::pick(&mut Picker::new(rows), &labels, &mut load).map_err(|error| {
        CommandError::new(Code::Io, msg!("picker-failed"))
            .because(error.to_string())
            .hint(msg!("resume-list-hint"))
    })
}

/// True when the terminal can show more than lines.
pub(super) fn can_paint(app: &App) -> bool {
    app.ambient
        .vars
        .text("TERM")
        .is_some_and(|name| name != "dumb")
}

/// Asks for a number, where the terminal shows lines and no more.
pub(super) fn ask(app: &App, all: &[Found]) -> Result<usize, CommandError> {
    let line = |one: &Found| {
        let status = app.ui.say(&card::status(one.card.status));
        let title = harmless(&one.card.title);
        Text::Plain(format!("{title}  {} ({status})", one.card.reference()))
    };
    let options: Vec<Text> = all.iter().map(line).collect();
    app.ui
        .choose(msg!("resume-which"), &options, msg!("resume-list-hint"))
}

fn row(one: &Found, opened: &Opened, catalogue: &Catalogue) -> Row {
    let card = &one.card;
    let when = card.last_active.as_ref();
    let mut about = vec![
        format!("# {}", harmless(&card.title)),
        harmless(&card.reference()),
    ];
    if !card.position.is_empty() {
        about.push(catalogue.say(&msg!("brief-position", position = &card.position)));
    }
    about.push(String::new());
    about.push(harmless(&card.summary));
    Row {
        kind: card.kind.name().to_owned(),
        title: harmless(&card.title),
        status: catalogue.say(&card::status(card.status)),
        when: when.map_or("-".to_owned(), |at| {
            catalogue.say(&ago::since(at, &opened.now))
        }),
        about,
        haystack: Haystack::new(
            &[&card.title, card.kind.name(), card.id.as_str()],
            &card.summary,
        ),
    }
}

fn preview(one: &Found, opened: &Opened, catalogue: &Catalogue) -> Vec<String> {
    let page = match text::brief_of(opened, one, Some(PREVIEW)) {
        Ok(brief) => brief::glance(&brief, catalogue),
        Err(error) => catalogue.text(&error.message),
    };
    // A tab is as wide as the terminal likes: the painter could not count on it.
    let page = neutral::block(&page).replace('\t', "    ");
    compact(&page)
}

/// A window is small: what stands below a heading stands right below it.
fn compact(page: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in page.lines() {
        let below_heading = lines.last().is_some_and(|before| before.starts_with('#'));
        if !(line.is_empty() && below_heading) {
            lines.push(line.to_owned());
        }
    }
    lines
}

fn harmless(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    neutral::line(&words.join(" ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_wastes_no_line_below_a_heading() {
        let page = "# Title\n\nSession\n\n## Next\n\n\ngo on\n";
        assert_eq!(
            compact(page),
            ["# Title", "Session", "", "## Next", "go on"]
        );
    }
}
