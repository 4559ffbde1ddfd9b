//! The numbered list of what can be resumed.

use segno_store::formats;

use crate::cli::opened::Opened;
use crate::cli::sessions::{self, Found};
use crate::cli::{App, CommandError, Table};
use crate::messages::Text;
use crate::msg;
use crate::view::{ago, card};

/// Shows the sessions, numbered, and how to go on.
pub(super) fn show(app: &App, opened: &Opened, all: &[Found]) -> Result<(), CommandError> {
    if app.ui.is_json() {
        return app
            .ui
            .json(&card::sessions(all.iter().map(|one| &one.card)));
    }
    let mut table = Table::new([
        Text::from("#"),
        msg!("card-id").into(),
        msg!("card-sort").into(),
        msg!("card-title").into(),
        msg!("card-status").into(),
        msg!("card-last-active").into(),
        msg!("card-summary").into(),
    ])
    .with_whole(1);
    for (place, one) in all.iter().enumerate() {
        let card = &one.card;
        let active = match &card.last_active {
            Some(at) => ago::since(at, &opened.now).into(),
            None => Text::from("-"),
        };
        let summary = if card.summary.trim().is_empty() {
            &card.position
        } else {
            &card.summary
        };
        table.row([
            (place + 1).to_string().into(),
            sessions::name(one, all, opened).into(),
            sort_of(opened, one).into(),
            card.title.as_str().into(),
            card::standing(card).into(),
            active,
            summary.as_str().into(),
        ]);
    }
    app.ui.table(&table)?;
    let Some(first) = all
        .iter()
        .find(|one| one.card.status.is_open())
        .or(all.first())
    else {
        return Ok(());
    };
    let command = format!("segno resume {}", sessions::name(first, all, opened));
    app.ui.note(msg!("resume-go-on", command = command));
    Ok(())
}

/// The sort of session, where its kind has sorts; else the kind.
fn sort_of(opened: &Opened, one: &Found) -> String {
    let place = &one.place;
    let workspace = opened.workspace();
    let cx = workspace.context(place.root, &opened.now);
    let sort = formats::of(place.kind).and_then(|format| format.sort_of(&cx, place).ok()?);
    sort.unwrap_or_else(|| place.kind.name().to_owned())
}
