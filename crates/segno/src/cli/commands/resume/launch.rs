//! Starts the tool that a session is resumed in.

use std::path::PathBuf;

use segno_disk::DiskError;

use crate::cli::handed::Private;
use crate::cli::opened::Opened;
use crate::cli::sessions::{self, Found};
use crate::cli::{App, Code, CommandError};
use crate::config::Source;
use crate::msg;
use crate::tools::{self, Choice, Started, Template, Tool, Trust, Wanted};

/// A tool that is installed and may be run.
pub(super) struct Ready {
    tool: Tool,
    template: Template,
    program: PathBuf,
}

/// Chooses the tool and asks its user where one has to be asked. Nothing has been changed by then: whoever declines
/// leaves the session as it was.
pub(super) fn ready(
    app: &App,
    named: Option<&str>,
    of_session: Option<&str>,
) -> Result<Ready, CommandError> {
    let (tool, instead_of) = chosen(app, named, of_session)?;
    if let Some(missing) = instead_of {
        app.ui
            .warn(msg!("tools-instead", missing = missing, tool = &tool.name));
    }
    let template = template(&tool)?;
    agree(app, &tool)?;
    let program = tool
        .program(&app.ambient, app.root())
        .ok_or_else(|| missing(std::slice::from_ref(&tool.name)))?;
    Ok(Ready {
        tool,
        template,
        program,
    })
}

/// Starts the tool with the text and waits for it.
pub(super) fn launch(
    app: &App,
    opened: &Opened,
    one: &Found,
    text: &str,
    ready: &Ready,
) -> Result<(), CommandError> {
    let Ready {
        tool,
        template,
        program,
    } = ready;
    let file = format!(
        "{}-{}-{}.md",
        one.place.kind,
        one.place.id,
        std::process::id()
    );
    let mut kept = None;
    let handed = tools::hand(
        template,
        text,
        &app.ui.say(&msg!("tools-lead")),
        |path| app.ui.say(&msg!("tools-read-file", path = path)),
        |text| {
            let private = Private::keep(opened, &file, text)?;
            let path = private.path();
            kept = Some(private);
            Ok(path)
        },
    )?;
    app.ui.note(msg!(
        "tools-starting",
        title = &one.card.title,
        tool = &tool.name
    ));
    app.ui.flush()?;
    let started = tools::run(program, &handed.args, app.root());
    if let Some(private) = kept {
        private.forget()?;
    }
    let session = sessions::word(&one.card.reference());
    match started {
        Ok(Started::Ended(0)) => {
            app.ui.note(msg!("tools-ended", session = session));
            Ok(())
        }
        Ok(Started::Ended(code)) => Err(CommandError::new(
            Code::Io,
            msg!("tools-failed", tool = &tool.name, code = code.to_string()),
        )
        .hint(msg!("tools-failed-hint", session = session))),
        Ok(Started::Killed) => Err(CommandError::new(
            Code::Io,
            msg!("tools-killed", tool = &tool.name),
        )
        .hint(msg!("tools-failed-hint", session = session))),
        Err(error) => Err(DiskError::io("start", program.display().to_string(), error).into()),
    }
}

fn chosen(
    app: &App,
    named: Option<&str>,
    of_session: Option<&str>,
) -> Result<(Tool, Option<String>), CommandError> {
    let own = &app.config()?.own;
    let wanted = Wanted {
        named,
        session: of_session,
        configured: own.resume_tool.as_deref(),
    };
    let choice = tools::choose(wanted, &own.tools, |tool| {
        // A command that makes no sense is there to be complained about, not to be passed over.
        Template::parse(&tool.command).is_err() || tool.program(&app.ambient, app.root()).is_some()
    });
    match choice {
        Choice::Tool { tool, instead_of } => Ok((tool, instead_of)),
        Choice::Missing { looked_for } => Err(missing(&looked_for)),
        Choice::Unknown { name, known } => Err(CommandError::new(
            Code::NoTool,
            msg!("tools-unknown", tool = name),
        )
        .hint(msg!("tools-known", tools = known.join(", ")))
        .hint(msg!("tools-configure"))),
    }
}

fn missing(looked_for: &[String]) -> CommandError {
    let tools = looked_for.join(", ");
    CommandError::new(Code::NoTool, msg!("tools-missing", tools = tools))
        .hint(msg!("tools-missing-hint"))
        .hint(msg!("tools-configure"))
}

fn template(tool: &Tool) -> Result<Template, CommandError> {
    Template::parse(&tool.command).map_err(|why| {
        CommandError::new(
            Code::Invalid,
            msg!(
                "tools-bad-command",
                tool = &tool.name,
                command = &tool.command
            ),
        )
        .because(why.to_string())
        .hint(msg!("tools-configure"))
    })
}

/// A command that came with the workspace is somebody else's: its user has to agree to it once.
fn agree(app: &App, tool: &Tool) -> Result<(), CommandError> {
    if tool.source != Source::Workspace {
        return Ok(());
    }
    let trust = Trust::new(app.ambient.config_dir());
    if trust.holds(app.root(), &tool.command) {
        return Ok(());
    }
    let question = msg!("tools-trust", tool = &tool.name, command = &tool.command);
    let user = app.config_paths().user;
    let file = user.map_or("config.toml".to_owned(), |path| path.display().to_string());
    let otherwise = msg!("tools-trust-hint", tool = &tool.name, file = file);
    if app.ui.confirm(question, otherwise.clone())? {
        return trust.add(app.root(), &tool.command);
    }
    Err(
        CommandError::new(Code::Refused, msg!("tools-not-trusted", tool = &tool.name))
            .hint(otherwise),
    )
}
