//! Applying under the repository's lock: shared by `replay` and `chat`.

use segno_store::StoreError;
use segno_store::formats::discuss::replay::{
    ReplayOptions, Replayed, locked, record_failure, record_unfinished, replay,
};
use segno_store::formats::discuss::repo_lock::{Owner, REPO_LOCK, Taken, release, take};
use segno_store::formats::discuss::{FailureKind, LOCK};
use segno_store::formats::{Place, Root};

use crate::ambient::process;
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError};
use crate::msg;

/// Replays a session; unless it is a dry run, under the repository's lock. Every run that reaches the session leaves its
/// audit there.
pub(super) fn run(
    app: &App,
    opened: &Opened,
    place: &Place,
    options: ReplayOptions,
) -> Result<Replayed, CommandError> {
    let replayed = if options.dry_run {
        written(opened, place, options)
    } else {
        under_lock(app, opened, place, options)
    };
    let error = match replayed {
        Ok(replayed) => return Ok(replayed),
        Err(error) => error,
    };
    if matches!(error, StoreError::Disk(_)) {
        let recorded = opened
            .workspace()
            .write(place, &opened.now, &opened.writer, |cx| {
                record_unfinished(cx, place, options, &error)
            });
        // What failed first is what the user must know; that its audit failed too only follows from it.
        drop(recorded);
    }
    Err(error.into())
}

fn under_lock(
    app: &App,
    opened: &Opened,
    place: &Place,
    options: ReplayOptions,
) -> Result<Replayed, StoreError> {
    let owner = Owner {
        session_id: place.id.to_string(),
        pid: std::process::id(),
        host: process::host(),
    };
    let workspace = opened.workspace();
    let taken = workspace.write_locked(Root::Workspace, LOCK, &opened.now, &opened.writer, |cx| {
        take(cx, &owner, &process::process)
    });
    match taken {
        Ok(taken) => match taken.outcome {
            Taken::Free => {}
            Taken::Stale(holder) => app.ui.warn(msg!("discuss-lock-stale", holder = holder)),
            Taken::Unreadable => app.ui.warn(msg!("discuss-lock-unreadable")),
        },
        Err(StoreError::Busy { what, holder }) if what == REPO_LOCK => {
            let message = format!(
                "Repository is locked by {} (PID {}, started {}). Close that session before starting a new one.",
                holder.program, holder.pid, holder.since
            );
            let failure = locked(message);
            let recorded = workspace.write(place, &opened.now, &opened.writer, |cx| {
                record_failure(cx, place, options, failure.clone())
            })?;
            return Ok(recorded.outcome);
        }
        Err(error) => return Err(error),
    }
    let replayed = written(opened, place, options);
    // Let go whatever came of it. Should this fail, the next one finds a dead holder.
    let released =
        workspace.write_locked(Root::Workspace, LOCK, &opened.now, &opened.writer, |cx| {
            release(cx, &owner)
        });
    if let Err(error) = released {
        app.ui
            .warn(msg!("discuss-lock-kept", why = error.to_string()));
    }
    replayed
}

fn written(opened: &Opened, place: &Place, options: ReplayOptions) -> Result<Replayed, StoreError> {
    let workspace = opened.workspace();
    let written = workspace.write(place, &opened.now, &opened.writer, |cx| {
        replay(cx, place, options)
    })?;
    Ok(written.outcome)
}

/// The code that a failure ends a command with.
pub(super) const fn code(kind: FailureKind) -> Code {
    match kind {
        FailureKind::Invalid => Code::Invalid,
        FailureKind::Refused => Code::Refused,
        FailureKind::NotFound | FailureKind::NothingToReplay => Code::NotFound,
        FailureKind::Damaged | FailureKind::DamagedPlan => Code::Damaged,
        FailureKind::Busy => Code::Busy,
        FailureKind::Disk => Code::Io,
    }
}
