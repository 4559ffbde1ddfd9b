//! `segno watch`: applies the rules of time while it runs, for those who want them applied on the minute.
//!
//! Nothing depends on it: every command applies the same rules to what it looks at.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use clap::Args;
use segno_store::formats::Notice;
use segno_store::session::Status;

use crate::cli::opened::Opened;
use crate::cli::{App, CommandError, sessions};
use crate::msg;

/// Pause sessions that nobody works on any more, as soon as they are due
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Seconds between two looks
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    interval: u64,
    /// Look once and end
    #[arg(long)]
    once: bool,
}

/// Watches until it is interrupted.
pub fn run(app: &App, args: &WatchArgs) -> Result<(), CommandError> {
    let mut opened = app.open("watch")?;
    let interrupted = on_interrupt();
    if !args.once {
        let root = app.root().display().to_string();
        app.ui.note(msg!("rules-watching", root = root));
    }
    loop {
        for notice in look(app, &opened)? {
            say(app, &notice)?;
        }
        app.ui.flush()?;
        if args.once {
            return Ok(());
        }
        match interrupted.recv_timeout(Duration::from_secs(args.interval)) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) => return Ok(()),
            // There is no way to hear of an interruption: the signal itself ends us.
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(Duration::from_secs(args.interval));
            }
        }
        opened.now = app.now()?;
    }
}

fn look(app: &App, opened: &Opened) -> Result<Vec<Notice>, CommandError> {
    let workspace = opened.workspace();
    let places = workspace.places(None, &opened.now)?;
    let active = places
        .iter()
        .filter(|place| workspace.card(place, &opened.now).status == Status::Active);
    Ok(active
        .filter_map(|place| app.keep_time(opened, place))
        .collect())
}

fn say(app: &App, notice: &Notice) -> Result<(), CommandError> {
    if app.ui.is_json() {
        return app.ui.json(&serde_json::json!({
            "code": notice.code,
            "session": notice.session,
            "message": app.ui.catalogue.text(&sessions::words(notice)),
        }));
    }
    app.ui.data(sessions::words(notice))
}

/// Hears of Ctrl-C and of a polite request to end.
#[cfg(unix)]
fn on_interrupt() -> Receiver<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let (heard, interrupted) = mpsc::channel();
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
        std::thread::spawn(move || {
            // A second one arrives when nobody listens any more, which is as well.
            for _ in signals.forever() {
                let _ = heard.send(());
            }
        });
    }
    interrupted
}

#[cfg(not(unix))]
fn on_interrupt() -> Receiver<()> {
    mpsc::channel().1
}
