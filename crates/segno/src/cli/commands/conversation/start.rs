//! `segno conversation start`: a new conversation of a type about a topic.

use clap::Args;
use segno_store::formats::Root;
use segno_store::formats::conversation::{self, LOCK_NEW, Note, Start};

use crate::cli::commit::{self, Saved};
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::card;

/// Start a conversation
#[derive(Debug, Args)]
pub struct StartArgs {
    /// Its type: brainstorm, debug, plan, learn, meeting, review, projectmanage, or one of your own
    #[arg(value_name = "TYPE")]
    kind: String,
    /// What it is about
    #[arg(value_name = "TOPIC", required = true)]
    topic: Vec<String>,
    /// The agent's command; else that of the type, such as /workspace.plan
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// The model it is held with
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// A tool that the agent has; may be given several times
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// The program that the agent is, such as claude: `segno resume` starts it again
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Commit the session to git, as `git.commit = true` does
    #[arg(long)]
    commit: bool,
}

/// Starts a conversation and says where it is.
pub fn run(app: &App, args: StartArgs) -> Result<(), CommandError> {
    let opened = app.open("conversation start")?;
    let wanted = Start {
        kind: args.kind,
        topic: args.topic.join(" "),
        command: args.command,
        model: args.model,
        tools: args.tools,
        agent: args.agent,
    };
    let started = opened
        .workspace()
        .write_locked(
            Root::Workspace,
            LOCK_NEW,
            &opened.now,
            &opened.writer,
            |cx| conversation::start(cx, &wanted),
        )?
        .outcome;
    let subject = format!(
        "[conversation] Initialize {}: {}",
        wanted.kind, started.title
    );
    let saved = Saved::new(&started.place, subject);
    let commit = commit::session(app, &opened, &saved, args.commit)?;
    let card = opened.card(&started.place);
    if app.ui.is_json() {
        let more = serde_json::json!({
            "document": started.document.as_str(),
            "commit": commit,
        });
        app.ui.json(&card::session(&card, more))?;
    } else {
        app.ui.data(msg!(
            "conversation-started",
            title = &started.title,
            session = card.reference()
        ))?;
        app.ui.data(started.document.as_str())?;
    }
    for note in &started.notes {
        app.ui.note(match note {
            Note::NoCommandFile(command) => msg!("conversation-no-command", command = command),
            Note::NoTemplate(name) => msg!("conversation-no-template", name = name),
            Note::OwnType(kind) => msg!("conversation-own-type", kind = kind),
        });
    }
    Ok(())
}
