//! `segno resume`: the way back into a session, in the tool that its user has today.
//!
//! `segno <kind> resume` is the same for one kind: its arguments are [`ResumeKindArgs`], its work is [`run_of`].

mod find;
mod launch;
mod list;
mod pick;
mod text;

use clap::Args;
use segno_store::StoreError;
use segno_store::formats::{self, Format, Notice, ResumeOptions, Resumed};
use segno_store::session::Kind;

use crate::cli::opened::Opened;
use crate::cli::sessions::{self, Found};
use crate::cli::{App, Code, CommandError};
use crate::messages::{Lang, Text};
use crate::msg;

/// Come back to a session: its text is loaded into an agent's tool, or printed
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    segno resume                      choose from a list\n  \
    segno resume append log           the session whose title or summary holds these words\n  \
    segno resume 001-plan --print     print what an agent needs to go on\n  \
    segno resume essay/draft --tool codex")]
pub struct ResumeArgs {
    #[command(flatten)]
    how: ResumeKindArgs,
    /// Only sessions of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,
}

/// Come back to a session of this kind
#[derive(Debug, Args)]
pub struct ResumeKindArgs {
    /// Which one: `kind/id`, an id, the beginning of one, a path, its number in the list, or words of its title or summary
    #[arg(value_name = "SESSION|WORDS")]
    words: Vec<String>,
    /// Only list what can be resumed, most recent first
    #[arg(long, conflicts_with_all = ["print", "tool", "budget"])]
    list: bool,
    /// Print the text instead of starting a tool
    #[arg(long)]
    print: bool,
    /// Start this tool: claude, codex, gemini, opencode, qwen, or one of `tools` in the configuration
    #[arg(long, value_name = "NAME", conflicts_with = "print")]
    tool: Option<String>,
    /// Also resume what is completed
    #[arg(long)]
    force: bool,
    /// Keep the text within so many tokens: older turns, quotations and long lists give way
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    budget: Option<u32>,
}

/// Comes back to a session of any kind.
pub fn run(app: &App, args: &ResumeArgs) -> Result<(), CommandError> {
    resume(app, args.kind, &args.how)
}

/// Comes back to a session of one kind.
pub fn run_of(app: &App, kind: Kind, args: &ResumeKindArgs) -> Result<(), CommandError> {
    resume(app, Some(kind), args)
}

fn resume(app: &App, kind: Option<Kind>, args: &ResumeKindArgs) -> Result<(), CommandError> {
    let verb = kind.map_or("resume".to_owned(), |kind| format!("{kind} resume"));
    let opened = app.open(&verb)?;
    if args.list {
        return list::show(
            app,
            &opened,
            &find::listed(app, &opened, kind, &args.words)?,
        );
    }
    let Some(one) = find::one(app, &opened, kind, args)? else {
        // Nobody can be asked: the list is the answer.
        return list::show(app, &opened, &app.sessions(&opened, kind)?);
    };
    come_back(app, &opened, &one, args)
}

fn come_back(
    app: &App,
    opened: &Opened,
    one: &Found,
    args: &ResumeKindArgs,
) -> Result<(), CommandError> {
    let prints = args.print || app.ui.is_json();
    // Before anything is changed: is there a tool, and may it be run?
    let ready = if prints {
        None
    } else {
        let own = own_tool(opened, one, args)?;
        let ready = launch::ready(app, args.tool.as_deref(), own.as_deref());
        Some(ready.map_err(|error| or_chat(error, one))?)
    };
    let mut resumed = make_active(opened, one, args)?;
    for warning in &resumed.warnings {
        app.ui.warn(words(app, warning));
    }
    if app.ui.is_json() {
        return text::answer(app, opened, one, args.budget(), &resumed);
    }
    let text = text::of(app, opened, one, args.budget(), &mut resumed)?;
    if resumed.left_out > 0 {
        app.ui
            .note(msg!("brief-turns-left-out", count = resumed.left_out));
    }
    text::measure(app, &text, args.budget());
    match ready {
        Some(ready) => launch::launch(app, opened, one, &text, &ready),
        None => app.ui.document(&text),
    }
}

/// A discussion also goes on with its own engine, which need not be a tool.
fn or_chat(error: CommandError, one: &Found) -> CommandError {
    if one.place.kind != Kind::Discuss || error.code != Code::NoTool {
        return error;
    }
    let command = format!("segno discuss chat {}", one.place.id);
    error.hint(msg!("discuss-resume-chat", command = command))
}

/// The tool that the session was held with: a look at what coming back would give, with nothing written.
fn own_tool(
    opened: &Opened,
    one: &Found,
    args: &ResumeKindArgs,
) -> Result<Option<String>, CommandError> {
    let options = ResumeOptions {
        // The text is not wanted yet.
        budget: Some(1),
        force: args.force,
    };
    let workspace = opened.workspace();
    let context = workspace.context(one.place.root, &opened.now);
    let plan = format_of(one)?.resume(&context, &one.place, &options)?;
    Ok(plan.outcome.tool)
}

fn make_active(
    opened: &Opened,
    one: &Found,
    args: &ResumeKindArgs,
) -> Result<Resumed, CommandError> {
    let options = ResumeOptions {
        budget: args.budget(),
        force: args.force,
    };
    let format = format_of(one)?;
    let written = opened
        .workspace()
        .write(&one.place, &opened.now, &opened.writer, |cx| {
            format.resume(cx, &one.place, &options)
        })?;
    Ok(written.outcome)
}

fn format_of(one: &Found) -> Result<&'static dyn Format, CommandError> {
    let format = formats::of(one.place.kind).ok_or(StoreError::Unsupported {
        kind: one.place.kind,
        operation: "be opened by this version",
    })?;
    Ok(format)
}

/// A warning of the format in the user's language. The format's own words are English and say more.
fn words(app: &App, notice: &Notice) -> Text {
    let known = match notice.code {
        "essay_idle" | "essay_temporary" => return sessions::words(notice),
        _ if app.ui.catalogue.lang() == Lang::En => None,
        "was_completed" => Some(msg!("resume-was-completed")),
        "prompt_changed" => Some(msg!("resume-prompt-changed")),
        "prompt_missing" => Some(msg!("resume-prompt-missing")),
        "lines_unreadable" => Some(msg!("resume-lines-unreadable", session = &notice.session)),
        _ => None,
    };
    known.map_or_else(|| Text::Plain(notice.text.clone()), Text::from)
}

impl ResumeKindArgs {
    fn budget(&self) -> Option<usize> {
        self.budget.map(|tokens| tokens as usize)
    }
}

/// Nothing to come back to: how to begin.
fn nothing_here(kind: Option<Kind>) -> CommandError {
    let error = CommandError::new(Code::NotFound, msg!("resume-none"));
    let begin = match kind {
        Some(kind) => format!("segno {kind} --help"),
        None => "segno conversation start plan \"TOPIC\"".to_owned(),
    };
    error.hint(msg!("resume-none-hint", command = begin))
}
