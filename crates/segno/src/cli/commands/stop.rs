//! `segno stop`: sets a session aside and says how to come back to it.
//!
//! `segno <kind> stop` is the same for one kind: its arguments are [`StopArgs`] as well, its work is [`run_of`].

use clap::Args;
use segno_store::StoreError;
use segno_store::formats::{self, Place, Stopped};
use segno_store::session::{Card, Kind, Status};

use crate::cli::commit::{self, Saved};
use crate::cli::opened::Opened;
use crate::cli::sessions::{self, Found};
use crate::cli::{App, Code, CommandError, Line, Role};
use crate::msg;
use crate::view::card;

/// How many sessions an error names.
const NAMED: usize = 8;

/// Set a session aside, to be resumed later
#[derive(Debug, Args)]
pub struct StopArgs {
    /// Which one: `kind/id`, an id, the beginning of one, or a path; without it, the one that is active
    #[arg(value_name = "SESSION")]
    session: Option<String>,
    /// Where it stopped, in a sentence or two; without it, it is made from what was said last
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// Commit the session to git, as `git.commit = true` does
    #[arg(long)]
    commit: bool,
}

/// Stops a session of any kind.
pub fn run(app: &App, args: &StopArgs) -> Result<(), CommandError> {
    stop(app, None, args)
}

/// Stops a session of one kind.
pub fn run_of(app: &App, kind: Kind, args: &StopArgs) -> Result<(), CommandError> {
    stop(app, Some(kind), args)
}

fn stop(app: &App, kind: Option<Kind>, args: &StopArgs) -> Result<(), CommandError> {
    let verb = kind.map_or("stop".to_owned(), |kind| format!("{kind} stop"));
    let opened = app.open(&verb)?;
    // The rules of time are not asked first: who stops a session is still there.
    let place = match (&args.session, kind) {
        (Some(text), Some(kind)) => opened.find_of(kind, text)?,
        (Some(text), None) => opened.find(text)?,
        (None, kind) => the_active_one(&opened, kind)?,
    };
    let summary = args.summary.as_deref().map(str::trim);
    if summary == Some("") {
        let error = CommandError::new(Code::Invalid, msg!("stop-empty-summary"));
        return Err(error.hint(msg!("stop-empty-summary-hint")));
    }
    let format = formats::of(place.kind).ok_or(StoreError::Unsupported {
        kind: place.kind,
        operation: "be stopped",
    })?;
    let stopped = opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| {
            format.stop(cx, &place, summary)
        })?
        .outcome;
    let saved = Saved::new(&place, format!("[session] Pause: {}", stopped.title));
    let commit = commit::session(app, &opened, &saved, args.commit)?;
    confirm(app, &opened, &place, &stopped, commit.as_deref())
}

/// Says that the session is saved, how to come back to it, and where it stopped.
pub fn confirm(
    app: &App,
    opened: &Opened,
    place: &Place,
    stopped: &Stopped,
    commit: Option<&str>,
) -> Result<(), CommandError> {
    let card = opened.card(place);
    let resume = resume_command(opened, place, &card)?;
    if app.ui.is_json() {
        let more =
            serde_json::json!({"resume": resume, "summary": stopped.summary, "commit": commit});
        return app.ui.json(&card::session(&card, more));
    }
    app.ui.data(msg!("stop-saved"))?;
    app.ui.data(msg!(
        "stop-paused",
        title = &stopped.title,
        kind = place.kind
    ))?;
    app.ui.data(if place.kind == Kind::Conversation {
        msg!("stop-continue-conversation", command = resume)
    } else {
        msg!("stop-continue", command = resume)
    })?;
    if !card.position.is_empty() {
        app.ui
            .data(msg!("brief-position", position = &card.position))?;
    }
    if !stopped.summary.trim().is_empty() {
        app.ui.data(
            Line::new()
                .add(Role::Strong, msg!("stop-summary"))
                .plain(" ")
                .plain(stopped.summary.trim()),
        )?;
    }
    Ok(())
}

fn resume_command(opened: &Opened, place: &Place, card: &Card) -> Result<String, CommandError> {
    let alike: Vec<Found> = opened
        .workspace()
        .places(Some(place.kind), &opened.now)?
        .into_iter()
        .filter(|other| other.id == place.id)
        .map(|place| Found {
            place,
            card: card.clone(),
        })
        .collect();
    let one = Found {
        place: place.clone(),
        card: card.clone(),
    };
    Ok(format!(
        "segno resume {}",
        sessions::name(&one, &alike, opened)
    ))
}

fn the_active_one(opened: &Opened, kind: Option<Kind>) -> Result<Place, CommandError> {
    let workspace = opened.workspace();
    let mut active: Vec<Found> = workspace
        .places(kind, &opened.now)?
        .into_iter()
        .map(|place| Found {
            card: workspace.card(&place, &opened.now),
            place,
        })
        .filter(|one| one.card.status == Status::Active)
        .collect();
    active.sort_by(|a, b| a.card.newest_first(&b.card, opened.now.zone()));
    if active.len() > 1 {
        let error = CommandError::new(Code::Ambiguous, msg!("stop-several", count = active.len()));
        let hints = active.iter().take(NAMED).map(|one| {
            msg!(
                "stop-one-of-several",
                command = format!("segno stop {}", sessions::name(one, &active, opened)),
                title = &one.card.title
            )
        });
        return Err(hints.fold(error, CommandError::hint));
    }
    active.pop().map(|one| one.place).ok_or_else(|| {
        CommandError::new(Code::NotFound, msg!("stop-none")).hint(msg!("errors-not-found-list"))
    })
}
