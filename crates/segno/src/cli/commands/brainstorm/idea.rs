//! `segno brainstorm idea add|score|list`.

use clap::{Args, Subcommand};
use segno_store::formats::brainstorm::{self as bs, Idea};
use segno_store::session::Kind;
use serde::Deserialize;

use super::{change, look, stdin};
use crate::cli::{App, Code, CommandError, Table};
use crate::messages::Text;
use crate::msg;
use crate::view::card;

/// Add, score and list ideas
#[derive(Debug, Args)]
pub(super) struct IdeaArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Add an idea
    Add(AddArgs),
    /// Score an idea from 0 to 10
    Score(ScoreArgs),
    /// List the ideas, best first
    List(ListArgs),
}

#[derive(Debug, Args)]
struct AddArgs {
    /// The session
    session: String,
    /// The idea
    text: Option<String>,
    /// Its score, 0 to 10
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    score: Option<i64>,
    /// Read `{"content", "score"}` from standard input
    #[arg(long, conflicts_with_all = ["text", "score"])]
    stdin: bool,
}

#[derive(Debug, Args)]
struct ScoreArgs {
    /// The session
    session: String,
    #[command(flatten)]
    scored: Scored,
    /// Read `{"id", "score"}` from standard input
    #[arg(long, conflicts_with = "Scored")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scored {
    /// The number of the idea
    #[arg(required_unless_present = "stdin")]
    id: Option<i64>,
    /// The score, 0 to 10
    #[arg(required_unless_present = "stdin", allow_negative_numbers = true)]
    score: Option<i64>,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// The session
    session: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IdeaInput {
    content: String,
    score: Option<i64>,
}

/// Runs a verb of ideas.
pub(super) fn run(app: &App, args: &IdeaArgs) -> Result<(), CommandError> {
    match &args.verb {
        Verb::Add(args) => add(app, args),
        Verb::Score(args) => score(app, args),
        Verb::List(args) => list(app, args),
    }
}

fn add(app: &App, args: &AddArgs) -> Result<(), CommandError> {
    let input = match (&args.text, args.stdin) {
        (_, true) => stdin::read()?,
        (Some(text), _) => IdeaInput {
            content: text.clone(),
            score: args.score,
        },
        (None, _) => return Err(CommandError::new(Code::Usage, msg!("brainstorm-no-idea"))),
    };
    let changed = change(app, "idea add", &args.session, |cx, place| {
        bs::add_idea(cx, place, &input.content, input.score)
    })?;
    if app.ui.is_json() {
        return changed.json(app, serde_json::json!({"idea": changed.outcome}));
    }
    app.ui.data(msg!(
        "brainstorm-idea-added",
        id = changed.outcome.to_string()
    ))
}

fn score(app: &App, args: &ScoreArgs) -> Result<(), CommandError> {
    let scored = stdin::or(&args.scored, args.stdin)?;
    let id = stdin::needed(scored.id, "id")?;
    let score = stdin::needed(scored.score, "score")?;
    let changed = change(app, "idea score", &args.session, |cx, place| {
        bs::score_idea(cx, place, id, score)
    })?;
    if app.ui.is_json() {
        return changed.json(app, serde_json::json!({"idea": view(&changed.outcome)}));
    }
    let content = changed.outcome.content.clone().unwrap_or_default();
    app.ui.data(msg!(
        "brainstorm-idea-scored",
        id = id.to_string(),
        score = score.to_string(),
        content = content
    ))
}

fn list(app: &App, args: &ListArgs) -> Result<(), CommandError> {
    let opened = app.open("brainstorm idea list")?;
    let place = opened.find_of(Kind::Brainstorm, &args.session)?;
    let session = look(&opened, &place)?;
    let ideas = bs::ranked(&session);
    if app.ui.is_json() {
        let views: Vec<_> = ideas.into_iter().map(view).collect();
        return app.ui.json(&card::session(
            &opened.card(&place),
            serde_json::json!({"ideas": views}),
        ));
    }
    if ideas.is_empty() {
        app.ui.note(msg!("brainstorm-no-ideas"));
        return Ok(());
    }
    let mut table = Table::new([
        msg!("brainstorm-column-id"),
        msg!("brainstorm-column-score"),
        msg!("brainstorm-column-idea"),
    ]);
    for idea in ideas {
        let number =
            |n: Option<i64>| Text::from(n.map_or_else(|| "-".to_owned(), |n| n.to_string()));
        let content = idea.content.clone().unwrap_or_default();
        table.row([number(idea.id), number(idea.score), content.into()]);
    }
    app.ui.table(&table)
}

fn view(idea: &Idea) -> serde_json::Value {
    serde_json::json!({"id": idea.id, "content": idea.content, "score": idea.score})
}
