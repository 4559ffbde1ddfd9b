//! `segno essay move`: out of the temporary directory, which a reboot empties.

use segno_store::formats::essay;
use segno_store::formats::{Place, Root};
use segno_store::session::Kind;

use super::stages::OneArgs;
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::card;

/// Copies the session into the workspace, then puts the original out of the way.
pub(super) fn run(app: &App, args: &OneArgs) -> Result<(), CommandError> {
    let opened = app.open("essay move")?;
    let workspace = opened.workspace();
    let mut place = opened.find_of(Kind::Essay, &args.session)?;
    if place.root == Root::Workspace {
        // A move that was interrupted behind its copy leaves both: the one outside is meant.
        let all = workspace.places(Some(Kind::Essay), &opened.now)?;
        let twin = |one: &Place| one.root == Root::Temporary && one.id == place.id;
        place = all.into_iter().find(twin).unwrap_or(place);
    }
    let mut moved = None;
    // Under the session's own lock throughout: nobody writes to the original between its copy and its setting aside.
    let aside = workspace.write(&place, &opened.now, &opened.writer, |from| {
        if moved.is_none() {
            let copied = workspace.write_locked(
                Root::Workspace,
                essay::NEW_LOCK,
                &opened.now,
                &opened.writer,
                |here| essay::copy_in(here, from, &place),
            )?;
            moved = Some(copied.outcome);
        }
        essay::set_aside(from, &place)
    })?;
    let moved = moved.expect("because what was set aside was copied before");
    if app.ui.is_json() {
        let more = serde_json::json!({ "original": aside.outcome.as_str() });
        return app.ui.json(&card::session(&opened.card(&moved), more));
    }
    app.ui.data(moved.path.as_str())?;
    app.ui.note(msg!("essay-moved", path = &aside.outcome));
    Ok(())
}
