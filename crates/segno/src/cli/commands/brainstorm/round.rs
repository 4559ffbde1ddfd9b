//! What the commands of a party and of a panel have in common.

use clap::Args;
use segno_store::formats::{Context, Place, Plan};
use serde::Deserialize;

use super::{change, stdin};
use crate::cli::{App, CommandError};
use crate::messages::Message;

/// Which session, and about what.
#[derive(Debug, Args)]
pub(super) struct StartArgs {
    /// The session
    session: String,
    #[command(flatten)]
    about: About,
    /// Read `{"topic"}` from standard input
    #[arg(long, conflicts_with = "About")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    /// What it is about: says whom to select
    #[arg(long, default_value = "")]
    #[serde(default)]
    topic: String,
}

/// Which session.
#[derive(Debug, Args)]
pub(super) struct ExitArgs {
    /// The session
    session: String,
}

/// Opens a party or a panel and says whom the topic calls for.
pub(super) fn start(
    app: &App,
    verb: &str,
    args: &StartArgs,
    open: fn(&Context<'_>, &Place) -> segno_store::Result<Plan<()>>,
    suggest: fn(&str) -> Vec<&'static str>,
    said: (&'static str, fn(String) -> Message),
) -> Result<(), CommandError> {
    let about = stdin::or(&args.about, args.stdin)?;
    let changed = change(app, verb, &args.session, open)?;
    let suggested = suggest(&about.topic);
    let (key, message) = said;
    if app.ui.is_json() {
        let mut more = serde_json::Map::new();
        more.insert(key.to_owned(), suggested.into());
        return changed.json(app, more);
    }
    app.ui.data(message(suggested.join(", ")))
}

/// Ends a party or a panel.
pub(super) fn exit(
    app: &App,
    verb: &str,
    args: &ExitArgs,
    close: fn(&Context<'_>, &Place) -> segno_store::Result<Plan<usize>>,
    message: fn(usize) -> Message,
) -> Result<(), CommandError> {
    let changed = change(app, verb, &args.session, close)?;
    if app.ui.is_json() {
        return changed.json(app, serde_json::json!({"rounds": changed.outcome}));
    }
    app.ui.data(message(changed.outcome))
}

/// Understands `NAME=TEXT`.
pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    let (name, rest) = text.split_once('=').ok_or("write it as NAME=TEXT")?;
    Ok((name.trim().to_owned(), rest.to_owned()))
}

/// The parts of a text between separators, without space around them.
pub(super) fn parts(text: &str, separator: char) -> Vec<String> {
    let parts = text
        .split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.map(ToOwned::to_owned).collect()
}

/// Whom somebody refers to.
pub(super) fn references_of(name: &str, references: &[(String, String)]) -> Vec<String> {
    let own = references.iter().filter(|(who, _)| who == name);
    own.flat_map(|(_, others)| parts(others, ',')).collect()
}
