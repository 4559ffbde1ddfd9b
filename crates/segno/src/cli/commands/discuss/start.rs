//! `segno discuss start`: a new discussion, about what the user says or the router finds.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use segno_store::formats::discuss::{
    Beginning, CachePolicy, LOCK, Route, Subject, Wish, route, start,
};
use segno_store::formats::{Place, Root};
use segno_store::session::SessionId;

use super::input::{TextInput, no_text};
use crate::cli::opened::Opened;
use crate::cli::{App, CommandError};
use crate::msg;

/// Begin a discussion
#[derive(Debug, Args)]
pub(super) struct StartArgs {
    #[command(flatten)]
    about: AboutArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    prompt: TextInput,
}

/// What a discussion is about
#[derive(Debug, Args)]
pub(super) struct AboutArgs {
    /// A kind of subject, and which one: task, phase, track, repo, issues, runbook, workflow, solutions, global
    #[arg(long, value_name = "KIND[:REF]", value_parser = subject, group = "subject")]
    context: Option<(Subject, Option<String>)>,
    /// A task
    #[arg(long, alias = "task-id", value_name = "ID", value_parser = NonEmptyStringValueParser::new(), group = "subject")]
    task: Option<String>,
    /// A phase
    #[arg(long, alias = "phase-id", value_name = "ID", value_parser = NonEmptyStringValueParser::new(), group = "subject")]
    phase: Option<String>,
    /// A track
    #[arg(long, alias = "track-id", value_name = "ID", value_parser = NonEmptyStringValueParser::new(), group = "subject")]
    track: Option<String>,
    /// What a work session is about
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new(), group = "subject")]
    wsession: Option<String>,
}

/// Who answers
#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    /// The engine: claude, codex, gemini, qwen, opencode, or one of `engines` in the configuration
    #[arg(long, value_name = "ENGINE")]
    pub(super) engine: Option<String>,
    /// Its model
    #[arg(long, value_name = "MODEL")]
    pub(super) model: Option<String>,
}

impl EngineArgs {
    pub(super) fn engine(&self) -> String {
        self.engine.clone().unwrap_or_else(|| "qwen".to_owned())
    }

    pub(super) fn model(&self) -> String {
        let default = crate::engines::DEFAULT_MODEL;
        self.model.clone().unwrap_or_else(|| default.to_owned())
    }
}

impl AboutArgs {
    pub(super) fn wish(&self) -> Wish {
        Wish {
            task: self.task.clone(),
            phase: self.phase.clone(),
            track: self.track.clone(),
            context: self.context.clone(),
            wsession: self.wsession.clone(),
        }
    }
}

fn subject(text: &str) -> Result<(Subject, Option<String>), String> {
    let (kind, reference) = match text.split_once(':') {
        Some((kind, reference)) => (kind, Some(reference.to_owned())),
        None => (text, None),
    };
    let reference = reference.filter(|reference| !reference.is_empty());
    let kind = kind.parse::<Subject>().map_err(|error| error.to_string())?;
    Ok((kind, reference))
}

/// Begins a discussion and answers with its id.
pub(super) fn run(app: &App, args: &StartArgs) -> Result<(), CommandError> {
    let opened = app.open("discuss start")?;
    // Nothing given means the default; an empty text that was given is a mistake.
    let prompt = args.prompt.optional(app)?;
    if prompt.as_ref().is_some_and(|text| text.trim().is_empty()) {
        return Err(no_text());
    }
    let (place, route) = begin(app, &opened, &args.about, &args.engine, prompt)?;
    app.ui.note(msg!(
        "discuss-started",
        about = route.about.shown(),
        contract = route.contract.name(),
        reason = &route.about.router_reason
    ));
    super::answer(app, &opened, &place, ())
}

/// Begins a discussion.
pub(super) fn begin(
    app: &App,
    opened: &Opened,
    about: &AboutArgs,
    engine: &EngineArgs,
    prompt: Option<String>,
) -> Result<(Place, Route), CommandError> {
    let workspace = opened.workspace();
    let route = route(
        &workspace.context(Root::Workspace, &opened.now),
        &about.wish(),
    )?;
    let id = SessionId::new(&app.ids()?.uuid().to_string())
        .map_err(|error| CommandError::from(segno_store::StoreError::from(error)))?;
    let beginning = Beginning {
        id,
        about: route.about.clone(),
        contract: route.contract,
        wsession_id: route.wsession_id.clone(),
        engine: engine.engine(),
        model: engine.model(),
        prompt: prompt.unwrap_or_else(|| route.default_prompt()),
        cache_policy: cache_policy(app),
    };
    let written =
        workspace.write_locked(Root::Workspace, LOCK, &opened.now, &opened.writer, |cx| {
            start(cx, &beginning)
        })?;
    Ok((written.outcome, route))
}

/// What the environment says about keeping answers, in the words of the tools that keep them; `None` when it says nothing.
fn cache_policy(app: &App) -> Option<CachePolicy> {
    let said = |name: &str| {
        let text = app.ambient.vars.text(name)?;
        Some(text).filter(|text| !text.trim().is_empty())
    };
    let enabled = said("MAESTRO_AI_CACHE")?;
    let watch = said("MAESTRO_AI_CACHE_WATCH").unwrap_or_default();
    Some(CachePolicy {
        enabled: !matches!(
            enabled.trim().to_lowercase().as_str(),
            "off" | "0" | "false" | "no"
        ),
        scope: said("MAESTRO_AI_CACHE_SCOPE").unwrap_or_else(|| "auto".to_owned()),
        watch: watch
            .split(';')
            .map(|pattern| pattern.trim().to_owned())
            .filter(|pattern| !pattern.is_empty())
            .collect(),
    })
}
