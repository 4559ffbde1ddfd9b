//! `segno migrate`: brings sessions of older formats to the current version, keeping the files as they were.

use clap::Args;
use segno_store::formats::{self, Format, Migration, Place, Plan};

use super::check::{Chosen, chosen};
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError, Line};
use crate::msg;

/// Bring sessions of older versions to the current one, keeping the old files
#[derive(Debug, Args)]
pub struct MigrateArgs {
    /// Sessions to migrate: `kind/id`, an id, the beginning of one, or a path; all when none is given
    #[arg(value_name = "SESSION")]
    sessions: Vec<String>,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
}

/// Migrates sessions.
pub fn run(app: &App, args: &MigrateArgs) -> Result<(), CommandError> {
    let opened = app.open("migrate")?;
    let (mut views, mut left_out) = (Vec::new(), false);
    for Chosen { place, name } in chosen(app, &opened, &args.sessions)? {
        let Some(format) = formats::of(place.kind) else {
            continue;
        };
        let migrated = match migrate(&opened, format, &place, args.dry_run) {
            // Among all of them, one that cannot be migrated does not keep the others from it.
            Err(error) if args.sessions.is_empty() && error.code == Code::Refused => {
                app.ui.warn(error.message);
                left_out = true;
                continue;
            }
            migrated => migrated?,
        };
        let Some((done, files)) = migrated else {
            continue;
        };
        if !app.ui.is_json() {
            app.ui.data(msg!(
                "upkeep-migrated",
                session = &name,
                from = &done.from,
                to = &done.to
            ))?;
            for step in &done.steps {
                app.ui.data(Line::new().plain("   ").plain(step.as_str()))?;
            }
        }
        views.push(serde_json::json!({
            "session": name, "from": done.from, "to": done.to, "steps": done.steps, "written": files,
        }));
    }
    if app.ui.is_json() {
        return app
            .ui
            .json(&serde_json::json!({"migrated": views, "dry_run": args.dry_run}));
    }
    if left_out && views.is_empty() {
        return Ok(());
    }
    if views.is_empty() {
        app.ui.note(msg!("upkeep-nothing-to-migrate"));
    } else if args.dry_run {
        app.ui.note(msg!("upkeep-dry-run"));
    }
    Ok(())
}

/// What was done to one session and which files hold it; `None` when it is current.
fn migrate(
    opened: &Opened,
    format: &dyn Format,
    place: &Place,
    dry_run: bool,
) -> Result<Option<(Migration, Vec<String>)>, CommandError> {
    let workspace = opened.workspace();
    let planned = format.migrate(&workspace.context(place.root, &opened.now), place)?;
    let Some(planned) = planned else {
        return Ok(None);
    };
    if dry_run {
        return Ok(Some((planned.outcome, Vec::new())));
    }
    let written = workspace.write(place, &opened.now, &opened.writer, |cx| {
        Ok(match format.migrate(cx, place)? {
            Some(plan) => Plan {
                changes: plan.changes,
                unit: plan.unit,
                outcome: Some(plan.outcome),
            },
            None => Plan::nothing(None),
        })
    })?;
    let files = written
        .receipt
        .written
        .iter()
        .map(ToString::to_string)
        .collect();
    Ok(written.outcome.map(|done| (done, files)))
}
