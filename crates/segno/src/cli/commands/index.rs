//! `segno index`: what the search index holds, and a new one in its place.

use clap::Args;
use segno_index::{Index, Stats};
use segno_store::session::Timestamp;
use serde_json::json;

use crate::cli::{App, CommandError, Table, catalogue};
use crate::messages::Text;
use crate::msg;
use crate::view::ago;

/// Show what the search index holds, or build it anew
///
/// The index is made from the files of the sessions, is brought up to date by every search, and may be deleted at any
/// time. It lies in the user's cache directory and holds words, titles and summaries, but no running text.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// Forget the index and build it anew
    #[arg(long)]
    rebuild: bool,
    /// Show what it holds as it is, without bringing it up to date
    #[arg(long, conflicts_with = "rebuild")]
    stats: bool,
}

/// Brings the index up to date and shows what it holds.
pub fn run(app: &App, args: &IndexArgs) -> Result<(), CommandError> {
    let opened = app.open("index")?;
    let workspace = opened.workspace();
    let source = catalogue::source(&opened, &workspace);
    let index = if args.stats {
        Index::open(app.ambient.cache_dir().as_deref(), &source)?
    } else if args.rebuild {
        app.index_of(&source, Index::anew)?
    } else {
        app.index_of(&source, Index::open)?
    };
    let stats = index.stats()?;
    let written = stats.written.and_then(|second| {
        Timestamp::parse(&jiff::Timestamp::from_second(second).ok()?.to_string())
    });
    if app.ui.is_json() {
        return app.ui.json(&json!({
            "file": stats.file.as_ref().map(|file| file.display().to_string()),
            "bytes": stats.bytes,
            "written_at": written.as_ref().map(Timestamp::iso),
            "sessions": stats.sessions,
            "files": stats.files,
            "entries": stats.entries,
        }));
    }
    show(
        app,
        &stats,
        written
            .as_ref()
            .map(|at| ago::since(at, &opened.now).into()),
    )
}

fn show(app: &App, stats: &Stats, age: Option<Text>) -> Result<(), CommandError> {
    let dash = || Text::from("-");
    let file = stats
        .file
        .as_ref()
        .map(|file| Text::from(file.display().to_string()));
    let mut table = Table::new([msg!("index-what"), msg!("index-value")]);
    for (what, value) in [
        (msg!("index-file"), file.unwrap_or_else(dash)),
        (msg!("index-bytes"), Text::from(stats.bytes.to_string())),
        (msg!("index-written"), age.unwrap_or_else(dash)),
        (
            msg!("index-sessions"),
            Text::from(stats.sessions.to_string()),
        ),
        (msg!("index-files"), Text::from(stats.files.to_string())),
        (msg!("index-entries"), Text::from(stats.entries.to_string())),
    ] {
        table.row([what.into(), value]);
    }
    app.ui.table(&table)
}
