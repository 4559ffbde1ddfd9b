//! `segno discuss chat`: an interactive discussion with an engine.
//!
//! A turn is durable before the next thing happens: what the user types before the engine is asked, what it answers before
//! the user is asked again. An interrupt at any moment leaves an open session; no signal needs to be caught for that.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use clap::Args;
use segno_store::StoreError;
use segno_store::formats::discuss::replay::{ReplayOptions, preview};
use segno_store::formats::discuss::{
    DoneOptions, Ended, Ready, Role as Speaker, close, done, error, meta, ready, say,
};
use segno_store::formats::{self, Place};
use segno_store::session::Kind;

use super::prompt::{agreed, prompt};
use super::start::{AboutArgs, EngineArgs, begin};
use super::{apply, replay, scope};
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError, Line, Role};
use crate::engines::{Engine, EngineError};
use crate::msg;

/// How much of the talk an engine is given, in tokens; the newest turns are kept whole.
const BUDGET: usize = 60_000;

/// True for one word behind a slash, as a command is typed: `/don`, and not `/etc/hosts is wrong`.
fn is_command(line: &str) -> bool {
    let word = line.strip_prefix('/').unwrap_or_default();
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// What an engine is told when the user is done.
const DONE: &str = "/done\n\nPlease respond with a JSON object that matches the required schema. Only return the JSON, nothing else.";

/// Discuss on a terminal with an engine
#[derive(Debug, Args)]
pub(super) struct ChatArgs {
    /// The discussion to go on with; a new one when none is given
    #[arg(value_name = "SESSION", conflicts_with = "subject")]
    session: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Also operations that the context does not allow
    #[arg(long)]
    allow_cross_context: bool,
}

/// Runs a discussion until `/done`, `/quit` or the end of input.
pub(super) fn run(app: &App, args: &ChatArgs) -> Result<(), CommandError> {
    if app.ui.is_json() {
        return Err(CommandError::new(Code::Usage, msg!("discuss-chat-no-json"))
            .hint(msg!("discuss-chat-no-json-hint")));
    }
    let opened = app.open("discuss chat")?;
    let known = match &args.session {
        Some(name) => Some(opened.find_of(Kind::Discuss, name)?),
        None => None,
    };
    let (mut engine, mut model) = (args.engine.engine(), args.engine.model());
    let mut waits_for_yes = None;
    if let Some(place) = &known {
        let workspace = opened.workspace();
        let cx = workspace.context(place.root, &opened.now);
        let meta = meta(&cx, place)?;
        // What can only be read is refused before anybody is asked anything.
        if ready(&cx, place)? == Ready::Apply {
            waits_for_yes = Some(place.clone());
        }
        engine = args.engine.engine.clone().unwrap_or(meta.engine);
        model = args.engine.model.clone().unwrap_or(meta.model);
    }
    let mut chat = Chat {
        app,
        engine: trusted(app, &engine, &model)?,
        model,
        place: known,
        opened,
        rejected: None,
        options: ReplayOptions {
            dry_run: false,
            allow_cross_context: args.allow_cross_context,
        },
    };
    // A discussion that was interrupted between its end and the answer of its user goes on with that question.
    if let Some(place) = waits_for_yes {
        return chat.offer(&place);
    }
    app.ui.note(msg!("discuss-chat-help"));
    // A discussion that was interrupted while the engine was thinking goes on with its answer.
    if chat.place.is_some() && chat.is_waiting()? {
        chat.answer()?;
    }
    loop {
        let Some(line) = prompt(app)? else {
            chat.leave();
            return Ok(());
        };
        if chat.turn(args, line.trim())?.is_break() {
            return Ok(());
        }
    }
}

struct Chat<'a> {
    app: &'a App,
    opened: Opened,
    engine: Engine,
    model: String,
    place: Option<Place>,
    /// Why the last final JSON was not accepted: the engine is told when it is asked again.
    rejected: Option<String>,
    /// How the end is checked and applied.
    options: ReplayOptions,
}

impl Chat<'_> {
    fn turn(&mut self, args: &ChatArgs, line: &str) -> Result<ControlFlow<()>, CommandError> {
        match line.to_lowercase().as_str() {
            "" => {}
            "/quit" => {
                self.leave();
                return Ok(ControlFlow::Break(()));
            }
            "/help" => self.app.ui.note(msg!("discuss-chat-help")),
            "/history" => self.history()?,
            "/done" => return self.finish(),
            word if is_command(word) => {
                self.app
                    .ui
                    .warn(msg!("discuss-chat-no-command", word = line));
                self.app.ui.note(msg!("discuss-chat-help"));
            }
            _ => self.say(args, line)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn say(&mut self, args: &ChatArgs, line: &str) -> Result<(), CommandError> {
        self.opened.now = self.app.now()?;
        if let Some(place) = &self.place {
            self.write(place, |cx| say(cx, place, Speaker::User, line, None))?;
        } else {
            let prompt = Some(line.to_owned());
            let (place, _) = begin(self.app, &self.opened, &args.about, &args.engine, prompt)?;
            self.app.ui.note(msg!(
                "discuss-chat-began",
                id = &place.id,
                command = go_on(&place)
            ));
            self.place = Some(place);
        }
        self.answer()
    }

    /// Asks the engine and records what it answers, or why it did not.
    fn answer(&mut self) -> Result<(), CommandError> {
        let Some(place) = self.place.clone() else {
            return Ok(());
        };
        let question = self.question(&place, None)?;
        let answered = self.engine.ask(&question, &self.app.ambient);
        self.opened.now = self.app.now()?;
        match answered {
            Ok(answer) => {
                self.record(&place, &answer)?;
                self.app.ui.data(Line::from(answer))
            }
            Err(failed) => self.engine_failed(&place, &failed),
        }
    }

    /// Records what the engine answered. An answer that is too long to be kept is no reason to end the talk.
    fn record(&self, place: &Place, answer: &str) -> Result<(), CommandError> {
        let (workspace, model) = (self.opened.workspace(), Some(self.model.as_str()));
        let written = workspace.write(place, &self.opened.now, &self.opened.writer, |cx| {
            say(cx, place, Speaker::Assistant, answer, model)
        });
        match written {
            Ok(_) => Ok(()),
            Err(StoreError::Invalid { what, .. }) => {
                let name = &self.engine.name;
                let failed = EngineError {
                    message: format!("what the engine {name} answered cannot be kept"),
                    details: Some(what),
                };
                self.engine_failed(place, &failed)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn engine_failed(&self, place: &Place, failed: &EngineError) -> Result<(), CommandError> {
        self.write(place, |cx| {
            error(cx, place, &failed.message, failed.details.as_deref())
        })?;
        let details = failed.details.clone().unwrap_or_default();
        self.app.ui.warn(msg!(
            "discuss-engine-failed",
            message = &failed.message,
            details = details
        ));
        Ok(())
    }

    fn write<T>(
        &self,
        place: &Place,
        plan: impl FnMut(&formats::Context<'_>) -> segno_store::Result<formats::Plan<T>>,
    ) -> Result<T, CommandError> {
        let workspace = self.opened.workspace();
        let written = workspace.write(place, &self.opened.now, &self.opened.writer, plan)?;
        Ok(written.outcome)
    }

    /// The whole talk as a text for an engine that remembers nothing.
    fn question(&self, place: &Place, last: Option<&str>) -> Result<String, CommandError> {
        let workspace = self.opened.workspace();
        let cx = workspace.context(place.root, &self.opened.now);
        let Some(format) = formats::of(Kind::Discuss) else {
            return Ok(String::new());
        };
        let brief = format.brief(&cx, place, Some(BUDGET))?;
        let mut text = String::from(
            "You discuss a project's plan with its user. Answer the last message; be brief and concrete.\n",
        );
        for line in &brief.state {
            let _ = writeln!(text, "{line}");
        }
        for section in &brief.sections {
            let _ = write!(text, "\n{}\n{}\n", section.title, section.text);
        }
        text.push_str(&scope::of(&cx, &meta(&cx, place)?.about)?);
        for turn in brief.turns.iter().filter(|turn| turn.role != "error") {
            let _ = write!(text, "\n[{}]\n{}\n", turn.role, turn.text);
        }
        if let Some(last) = last {
            let _ = write!(text, "\n[user]\n{last}\n");
        }
        Ok(text)
    }

    /// True when the user spoke last.
    fn is_waiting(&self) -> Result<bool, CommandError> {
        let turns = self.turns()?;
        Ok(turns.last().is_some_and(|turn| turn.role == "user"))
    }

    fn turns(&self) -> Result<Vec<segno_store::session::Turn>, CommandError> {
        let (Some(place), Some(format)) = (&self.place, formats::of(Kind::Discuss)) else {
            return Ok(Vec::new());
        };
        let workspace = self.opened.workspace();
        let cx = workspace.context(place.root, &self.opened.now);
        Ok(format.brief(&cx, place, None)?.turns)
    }

    fn history(&self) -> Result<(), CommandError> {
        for turn in self.turns()? {
            let line = Line::new().add(Role::Strong, format!("[{}] ", turn.role));
            self.app.ui.data(line.plain(turn.text))?;
        }
        Ok(())
    }

    /// `/done`: the engine gives the final JSON, the user sees what it would change and says yes or no.
    fn finish(&mut self) -> Result<ControlFlow<()>, CommandError> {
        let Some(place) = self.place.clone() else {
            self.app.ui.warn(msg!("discuss-chat-nothing"));
            return Ok(ControlFlow::Continue(()));
        };
        let mut ask = DONE.to_owned();
        if let Some(why) = &self.rejected {
            let _ = write!(ask, "\n\nThe JSON before was not accepted: {why}");
        }
        let question = self.question(&place, Some(&ask))?;
        let answered = self.engine.ask(&question, &self.app.ambient);
        self.opened.now = self.app.now()?;
        let answer = match answered {
            Ok(answer) => answer,
            Err(failed) => {
                self.engine_failed(&place, &failed)?;
                return Ok(ControlFlow::Continue(()));
            }
        };
        let options = DoneOptions {
            as_is: false,
            allow_cross_context: self.options.allow_cross_context,
        };
        match self.write(&place, |cx| done(cx, &place, &answer, options))? {
            Ended::Rejected(failure) | Ended::NotApplicable(failure) => {
                let why = [Some(failure.message), failure.details]
                    .into_iter()
                    .flatten();
                let why = why.collect::<Vec<String>>().join(": ");
                // What was answered is a turn like any other, and perhaps nearly right.
                self.record(&place, &answer)?;
                self.app.ui.warn(msg!(
                    "discuss-chat-rejected",
                    why = why.trim_end_matches('.')
                ));
                self.rejected = Some(why);
                Ok(ControlFlow::Continue(()))
            }
            Ended::NoOperations => {
                self.app.ui.note(msg!("discuss-no-operations"));
                Ok(ControlFlow::Break(()))
            }
            Ended::Final { passed_over, .. } => {
                super::several(self.app, passed_over);
                self.offer(&place).map(ControlFlow::Break)
            }
        }
    }

    fn offer(&mut self, place: &Place) -> Result<(), CommandError> {
        let options = self.options;
        let workspace = self.opened.workspace();
        let look = preview(
            &workspace.context(place.root, &self.opened.now),
            place,
            options,
        )?;
        let outcome = match &look.result {
            Ok(outcome) => outcome,
            Err(failure) => {
                // It cannot be applied as it is; the run is recorded like any other.
                apply::run(self.app, &self.opened, place, options)?;
                return Err(replay::failed(failure, place.id.as_str()));
            }
        };
        replay::show_outcome(self.app, outcome)?;
        let is_agreed = agreed(self.app)?;
        // What happens now is of this moment, however long the user thought about it.
        self.opened.now = self.app.now()?;
        if !is_agreed {
            self.write(place, |cx| close(cx, place))?;
            let command = format!("segno discuss replay {}", place.id);
            self.app
                .ui
                .note(msg!("discuss-chat-cancelled", command = command));
            return Ok(());
        }
        let replayed = apply::run(self.app, &self.opened, place, options)?;
        match &replayed.result {
            Ok(_) => self
                .app
                .ui
                .data(Line::new().add(Role::Good, replayed.verdict())),
            Err(failure) => Err(replay::failed(failure, place.id.as_str())),
        }
    }

    fn leave(&self) {
        if let Some(place) = &self.place {
            self.app
                .ui
                .note(msg!("discuss-chat-left", command = go_on(place)));
        }
    }
}

fn go_on(place: &Place) -> String {
    format!("segno discuss chat {}", place.id)
}

/// The engine, once a person has agreed to a command that came with the workspace.
fn trusted(app: &App, name: &str, model: &str) -> Result<Engine, CommandError> {
    let engine = Engine::named(name, model, app.config()?)?;
    if engine.is_foreign() {
        let question = msg!("discuss-engine-foreign", command = engine.shown());
        if !app
            .ui
            .confirm(question, msg!("discuss-engine-foreign-hint"))?
        {
            return Err(CommandError::new(
                Code::Refused,
                msg!("discuss-engine-refused", name = name),
            ));
        }
    }
    Ok(engine)
}
