//! `segno recover`: repairs what `segno check` finds, and says exactly what it did and what it could not know.

use clap::Args;
use segno_store::formats::{Place, RecoverOptions, Recovery};
use segno_store::session::{Card, Problem};
use serde::Serialize;

use super::check::{Checked, check, chosen, shared};
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
    let asked_for = !args.sessions.is_empty() && args.stage.is_some();
    let mut left = 0;
    let mut views = Vec::new();
    let mut failures: Vec<Failure> = Vec::new();
    let mut tried = 0;
    for session in chosen(app, &opened, &args.sessions)? {
        let problems = check(&opened, &session.place);
        if !asked_for && problems.is_empty() {
            continue;
        }
        tried += 1;
        let one = Checked { session, problems };
        match repair(&opened, &one.session.place, &options) {
            Ok(done) if app.ui.is_json() => {
                left += done.recovery.left.len();
                views.push(done.view(&opened.card(&one.session.place))?);
            }
            Ok(done) => {
                left += done.recovery.left.len();
                done.show(app, &one.session.name)?;
            }
            // Who named one session has their answer.
            Err(error) if args.sessions.len() == 1 => return Err(error),
            Err(error) => {
                left += one.problems.len();
                if !app.ui.is_json() {
                    show_left(app, Some(&one.session.name), &one.problems)?;
                }
                failures.push(Failure::of(&one, error));
            }
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
            failed: failures.iter().map(Failure::view).collect(),
            left: shared.iter().map(Into::into).collect(),
        })?;
    } else {
        show_left(app, None, &shared)?;
        for failure in &failures {
            failure.tell(app);
        }
        if tried == 0 && shared.is_empty() {
            app.ui.note(msg!("common-recovered"));
        }
    }
    end(app, left, &failures)
}

/// What is left: a line for every problem. `session` is missing for files that belong to none.
pub(super) fn show_left(
    app: &App,
    session: Option<&str>,
    left: &[Problem],
) -> Result<(), CommandError> {
    left.iter()
        .try_for_each(|found| app.ui.data(problem::row(found, session)))
}

/// Ends a command that repairs: nothing is left, or only what others are writing now, or something is.
///
/// `left` counts all problems that are left, those of sessions that could not be repaired among them.
pub(super) fn end(app: &App, left: usize, failures: &[Failure]) -> Result<(), CommandError> {
    if left == 0 && failures.is_empty() {
        return Ok(());
    }
    let is_busy = |failure: &Failure| failure.error.code == Code::Busy;
    let of_failures: usize = failures.iter().map(|failure| failure.problems).sum();
    let only_busy = left <= of_failures && failures.iter().all(is_busy);
    app.ui.flush()?;
    let code = if only_busy { Code::Busy } else { Code::Damaged };
    Err(CommandError::silent(code))
}

/// A session that could not be repaired, and why.
pub(super) struct Failure {
    session: String,
    problems: usize,
    error: CommandError,
}

impl Failure {
    pub(super) fn of(one: &Checked, error: CommandError) -> Self {
        Self {
            session: one.session.name.clone(),
            problems: one.problems.len(),
            error,
        }
    }

    /// Says it to a person.
    pub(super) fn tell(&self, app: &App) {
        let mut error = self.error.clone();
        let session = &self.session;
        let cause = std::mem::replace(
            &mut error.message,
            msg!("upkeep-not-repaired", session = session).into(),
        );
        error.causes.insert(0, cause);
        app.ui.error(&error);
    }

    /// The same for programs.
    pub(super) fn view(&self) -> serde_json::Value {
        serde_json::json!({"session": self.session, "code": self.error.code.name()})
    }
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
        show_left(app, Some(session), &self.recovery.left)
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
    /// What could not be repaired now, a session each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<serde_json::Value>,
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
