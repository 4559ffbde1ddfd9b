//! What the verbs share: reading an artifact, finding the session, answering with a step.

use std::io::Read as _;
use std::path::PathBuf;

use clap::Args;
use segno_store::formats::essay::Step;
use segno_store::formats::{Context, Place, Plan, Root};
use segno_store::session::Kind;
use serde::Serialize;

use super::words::{self, Said};
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError, Line, Role, sessions};
use crate::msg;
use crate::view::card;

/// Where an artifact comes from.
#[derive(Debug, Args)]
pub(super) struct InputArgs {
    /// File to read it from; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(super) input: PathBuf,
}

impl InputArgs {
    /// The text of the artifact.
    pub(super) fn text(&self) -> Result<String, CommandError> {
        read(&self.input)
    }
}

/// The text of a file, or of standard input for `-`.
pub(super) fn read(path: &std::path::Path) -> Result<String, CommandError> {
    let mut bytes = Vec::new();
    let shown = path.display().to_string();
    let done = if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    if let Err(error) = done {
        let code = if error.kind() == std::io::ErrorKind::NotFound {
            Code::NotFound
        } else {
            Code::Io
        };
        return Err(
            CommandError::new(code, msg!("essay-input-unreadable", path = shown))
                .because(error.to_string()),
        );
    }
    String::from_utf8(bytes).map_err(|_| {
        CommandError::new(Code::Invalid, msg!("essay-input-not-text", path = shown))
            .hint(msg!("essay-input-not-text-hint"))
    })
}

/// The session that a verb is about, the rules of time applied.
pub(super) fn find(app: &App, opened: &Opened, text: &str) -> Result<Place, CommandError> {
    let place = opened.find_of(Kind::Essay, text)?;
    let notice = opened
        .workspace()
        .apply_time_rules(&place, &opened.now, &opened.writer)?;
    if let Some(notice) = notice {
        app.ui.warn(sessions::words(&notice));
    }
    if place.root == Root::Temporary {
        let session = format!("{}/{}", place.kind, place.id);
        app.ui
            .note(msg!("rules-essay-temporary", session = session));
    }
    Ok(place)
}

/// Carries out a verb that answers with a step.
pub(super) fn step(
    app: &App,
    verb: &str,
    session: &str,
    plan: impl Fn(&Context<'_>, &Place) -> segno_store::Result<Plan<Step>>,
) -> Result<(), CommandError> {
    let opened = app.open(verb)?;
    let place = find(app, &opened, session)?;
    let written = opened
        .workspace()
        .write(&place, &opened.now, &opened.writer, |cx| plan(cx, &place))?;
    answer(app, &opened, &place, &written.outcome)
}

#[derive(Serialize)]
struct StepView<'a> {
    anchor: &'a str,
    notes: Vec<Said>,
    next: &'a str,
}

/// Answers with where the session stands now.
pub(super) fn answer(
    app: &App,
    opened: &Opened,
    place: &Place,
    step: &Step,
) -> Result<(), CommandError> {
    if app.ui.is_json() {
        let view = StepView {
            anchor: &step.anchor,
            notes: step
                .notes
                .iter()
                .map(|note| Said::note(note, &app.ui.catalogue))
                .collect(),
            next: &step.next,
        };
        return app.ui.json(&card::session(&opened.card(place), view));
    }
    app.ui
        .data(Line::new().add(Role::Strong, step.anchor.as_str()))?;
    for note in &step.notes {
        app.ui.note(words::note(note));
    }
    app.ui.note(msg!("essay-next", command = &step.next));
    Ok(())
}
