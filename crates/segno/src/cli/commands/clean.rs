//! `segno clean`: sessions past their retention go to the trash, and what was long in the trash goes away.

use clap::Args;
use segno_store::formats::{self, Format, Removal, Root};

use crate::cli::opened::Opened;
use crate::cli::{App, CommandError};
use crate::messages::Message;
use crate::msg;

/// Put sessions past their retention into the trash, and empty what was long in it
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
}

/// Cleans all kinds.
pub fn run(app: &App, args: &CleanArgs) -> Result<(), CommandError> {
    let opened = app.open("clean")?;
    let mut removals = Vec::new();
    for format in formats::all() {
        if args.dry_run {
            let workspace = opened.workspace();
            removals.extend(
                format
                    .clean(&workspace.context(Root::Workspace, &opened.now))?
                    .outcome,
            );
        } else {
            removals.extend(remove(&opened, *format)?);
        }
    }
    if app.ui.is_json() {
        let views: Vec<_> = removals.iter().map(view).collect();
        return app
            .ui
            .json(&serde_json::json!({"removed": views, "dry_run": args.dry_run}));
    }
    for removal in &removals {
        app.ui.data(said(removal))?;
    }
    if removals.is_empty() {
        app.ui.note(msg!("upkeep-nothing-to-clean"));
    } else if args.dry_run {
        app.ui.note(msg!("upkeep-dry-run"));
    }
    Ok(())
}

/// Cleans one kind on the way to something else, naming what went.
pub(super) fn apply(app: &App, opened: &Opened, format: &dyn Format) -> Result<(), CommandError> {
    for removal in remove(opened, format)? {
        app.ui.note(said(&removal));
    }
    Ok(())
}

fn remove(opened: &Opened, format: &dyn Format) -> Result<Vec<Removal>, CommandError> {
    let workspace = opened.workspace();
    // The look without the lock is the common case: nothing is due.
    if format
        .clean(&workspace.context(Root::Workspace, &opened.now))?
        .changes
        .is_empty()
    {
        return Ok(Vec::new());
    }
    let lock = format.clean_lock();
    let written =
        workspace.write_locked(Root::Workspace, &lock, &opened.now, &opened.writer, |cx| {
            format.clean(cx)
        })?;
    Ok(written.outcome)
}

fn said(removal: &Removal) -> Message {
    match &removal.to {
        Some(to) => msg!(
            "upkeep-trashed",
            session = &removal.session,
            path = to.as_str()
        ),
        None => msg!(
            "upkeep-trash-emptied",
            session = &removal.session,
            path = removal.from.as_str()
        ),
    }
}

fn view(removal: &Removal) -> serde_json::Value {
    serde_json::json!({
        "session": removal.session, "from": removal.from.as_str(),
        "to": removal.to.as_ref().map(segno_disk::RelPath::as_str),
    })
}
