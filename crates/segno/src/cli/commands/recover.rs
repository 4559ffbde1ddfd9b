//! `segno recover`: repairs what `segno check` finds, and says exactly what it did and what it could not know.

use clap::Args;
use segno_store::formats::{Place, RecoverOptions, Recovery};
use segno_store::session::{Card, Problem};
use serde::Serialize;

use super::check::{check, chosen, name, shared};
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError, Line, Role};
use crate::msg;
use crate::view::card::CardView;
use crate::view::problem::{self, ProblemView};

/// Repair sessions, saying what was done and what could not be known
#[derive(Debug, Args)]
pub struct RecoverArgs {
    /// Sessions to repair: `kind/id`, an id, the beginning of one, or a path; all that need it when none is given
    #[arg(value_name = "SESSION")]
    sessions: Vec<String>,
    /// Repair only what loses nothing
    #[arg(long)]
    safe: bool,
    /// For an essay that cannot be recovered by itself: the stage to resume at
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    stage: Option<u32>,
    /// For an essay that cannot be recovered by itself: the section to resume at
    #[arg(long, value_name = "N", requires = "stage")]
    section: Option<u32>,
}

/// Repairs sessions; ends with exit code 3 when something is left for a person to do.
pub fn run(app: &App, args: &RecoverArgs) -> Result<(), CommandError> {
    let opened = app.open("recover")?;
    let options = RecoverOptions {
        safe_only: args.safe,
        stage: args.stage,
        section: args.section,
    };
    let mut left = 0;
    let mut repaired = 0;
    let mut views = Vec::new();
    for place in chosen(app, &opened, &args.sessions)? {
        let asked_for = !args.sessions.is_empty() && args.stage.is_some();
        if !asked_for && check(&opened, place.clone()).problems.is_empty() {
            continue;
        }
        let done = repair(&opened, &place, &options)?;
        left += done.recovery.left.len();
        repaired += 1;
        if app.ui.is_json() {
            views.push(done.view(&opened.card(&place))?);
        } else {
            done.show(app, &name(&place))?;
        }
    }
    // What belongs to no session is for a person to mend.
    let shared = if args.sessions.is_empty() {
        shared(&opened)
    } else {
        Vec::new()
    };
    left += shared.len();
    if app.ui.is_json() {
        app.ui.json(&RecoveredView {
            recovered: views,
            left: shared.iter().map(Into::into).collect(),
        })?;
    } else if !shared.is_empty() {
        show_left(app, &shared)?;
    } else if repaired == 0 {
        app.ui.note(msg!("common-recovered"));
    }
    if left == 0 {
        return Ok(());
    }
    app.ui.flush()?;
    Err(CommandError::silent(Code::Damaged))
}

/// What is left for a person to do: a line for every problem, and below it how.
pub(super) fn show_left(app: &App, left: &[Problem]) -> Result<(), CommandError> {
    for found in left {
        app.ui.data(problem::line(found))?;
        if let Some(repair) = problem::repair(found) {
            app.ui.data(repair)?;
        }
    }
    Ok(())
}

/// What was done for one session.
pub(super) struct Repaired {
    pub(super) recovery: Recovery,
    set_aside: Vec<String>,
}

/// Repairs one session.
pub(super) fn repair(
    opened: &Opened,
    place: &Place,
    options: &RecoverOptions,
) -> Result<Repaired, CommandError> {
    let written = opened
        .workspace()
        .recover(place, options, &opened.now, &opened.writer)?;
    let set_aside = written.receipt.quarantined.iter();
    Ok(Repaired {
        recovery: written.outcome,
        set_aside: set_aside.map(ToString::to_string).collect(),
    })
}

impl Repaired {
    /// Says all of it.
    fn show(&self, app: &App, session: &str) -> Result<(), CommandError> {
        self.show_done(app, session)?;
        show_left(app, &self.recovery.left)
    }

    /// Says what was done, without what is left.
    pub(super) fn show_done(&self, app: &App, session: &str) -> Result<(), CommandError> {
        app.ui.data(Line::new().add(Role::Strong, session))?;
        for text in &self.recovery.done {
            app.ui.data(Line::new().plain("  ").plain(text.as_str()))?;
        }
        let unknown = self.recovery.unknown.iter();
        let unknown = unknown.map(|text| msg!("common-not-known", what = text));
        let kept = self.set_aside.iter();
        let kept = kept.map(|path| msg!("common-set-aside", path = path));
        for said in unknown.chain(kept) {
            app.ui.data(Line::new().plain("  ").plain(said))?;
        }
        Ok(())
    }

    /// All of it, for programs.
    pub(super) fn view(&self, card: &Card) -> Result<serde_json::Value, CommandError> {
        let view = RecoveryView {
            session: card.into(),
            done: &self.recovery.done,
            unknown: &self.recovery.unknown,
            set_aside: &self.set_aside,
            left: self.recovery.left.iter().map(Into::into).collect(),
        };
        serde_json::to_value(view)
            .map_err(|error| CommandError::new(Code::Internal, error.to_string()))
    }
}

#[derive(Serialize)]
struct RecoveredView<'a> {
    recovered: Vec<serde_json::Value>,
    /// What belongs to no session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<ProblemView<'a>>,
}

#[derive(Serialize)]
struct RecoveryView<'a> {
    session: CardView<'a>,
    done: &'a [String],
    unknown: &'a [String],
    set_aside: &'a [String],
    left: Vec<ProblemView<'a>>,
}
