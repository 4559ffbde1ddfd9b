//! `segno show`: a session as a person wants to read it.

use std::ops::ControlFlow;

use clap::Args;
use segno_store::StoreError;
use segno_store::formats::{self, Format};
use segno_store::session::{Entry, EntryKind};

use crate::cli::opened::Opened;
use crate::cli::sessions::Found;
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::brief::{self, BriefView};
use crate::view::entry::{self, EntryView};

/// Show a session: what it is about, where it stands, and all that is in it
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Which one: `kind/id`, an id, the beginning of one, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Print what is in it as JSON Lines, one entry each
    #[arg(long)]
    entries: bool,
}

/// Shows a session; through a pager on a terminal.
pub fn run(app: &App, args: &ShowArgs) -> Result<(), CommandError> {
    let opened = app.open("show")?;
    let place = opened.find(&args.session)?;
    let one = app.found(&opened, place);
    let format = formats::of(one.place.kind).ok_or(StoreError::Unsupported {
        kind: one.place.kind,
        operation: "be opened by this version",
    })?;
    if args.entries {
        return each_entry(&opened, &one, format, &mut |entry| {
            app.ui.json(&EntryView::from(&entry))
        });
    }
    let workspace = opened.workspace();
    let cx = workspace.context(one.place.root, &opened.now);
    let mut brief = format.brief(&cx, &one.place, None)?;
    if app.ui.is_json() {
        return app.ui.json(&BriefView::from(&brief));
    }
    // All of them follow.
    brief.turns.clear();
    brief.turns_left_out = 0;
    app.page(|out| {
        out(&brief::markdown(&brief, &app.ui.catalogue))?;
        let mut before: Option<EntryKind> = None;
        each_entry(&opened, &one, format, &mut |entry| {
            if before.is_none() {
                out(&format!("\n## {}\n", app.ui.say(&msg!("show-entries"))))?;
            }
            before = Some(entry.kind);
            out(&entry::markdown(&entry))
        })
    })
}

fn each_entry(
    opened: &Opened,
    one: &Found,
    format: &dyn Format,
    give: &mut dyn FnMut(Entry) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let workspace = opened.workspace();
    let cx = workspace.context(one.place.root, &opened.now);
    let mut given = Ok(());
    format.entries(&cx, &one.place, &mut |entry| match give(entry) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            given = Err(error);
            ControlFlow::Break(())
        }
    })?;
    given
}
