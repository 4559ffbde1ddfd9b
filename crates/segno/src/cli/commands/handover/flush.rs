//! `segno handover flush`: knowledge for good.

use clap::Args;
use segno_store::formats::handover::flush::flush;
use serde_json::json;

use super::{Desk, RoleArgs};
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::card;

/// Move the knowledge of the buffer into knowledge/, then clear the buffer
#[derive(Debug, Args)]
pub(super) struct FlushArgs {
    /// The wave that is complete
    #[arg(long, value_name = "N")]
    wave: Option<u64>,
    #[command(flatten)]
    role: RoleArgs,
}

pub(super) fn run(app: &App, args: &FlushArgs) -> Result<(), CommandError> {
    let desk = Desk::open(app, "handover flush", &args.role)?;
    let flushed = desk
        .write(app, |cx| flush(cx, &desk.place, desk.lead, args.wave))?
        .outcome;
    let written: Vec<&str> = flushed
        .written
        .iter()
        .map(segno_disk::RelPath::as_str)
        .collect();
    if app.ui.is_json() {
        let more = json!({
            "written": written,
            "duplicates": flushed.duplicates,
            "cleared": flushed.cleared,
        });
        return app
            .ui
            .json(&card::session(&desk.opened.card(&desk.place), more));
    }
    for path in &written {
        app.ui.data(*path)?;
    }
    app.ui.note(msg!(
        "handover-flushed",
        cleared = flushed.cleared,
        written = written.len()
    ));
    Ok(())
}
