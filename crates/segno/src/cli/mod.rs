//! The command line: from arguments to an exit code.
//!
//! [`main`] is all that the binary calls. Every verb is one file below [`commands`].

mod app;
pub mod args;
mod bug;
mod catalogue;
pub mod commands;
pub mod commit;
mod error;
mod from_store;
mod handed;
mod line;
pub mod neutral;
pub mod opened;
mod pager;
mod prompt;
mod report;
pub mod sessions;

mod table;
mod ui;
mod usage;
mod workspaces;

use std::ffi::OsString;

use clap::Parser;

use crate::ambient::Ambient;

pub use app::App;
pub use error::{Code, CommandError};
pub use line::{Line, Role};
pub use segno_store::session::Since;
pub use table::Table;
pub use ui::Ui;

/// Runs the command of this process and returns its exit code.
pub fn main() -> u8 {
    let args: Vec<OsString> = std::env::args_os().collect();
    bug::guard(usage::wants_json(&args), || run(Ambient::system(), &args))
}

/// Runs one command line and returns its exit code.
pub fn run(ambient: Ambient, args: &[OsString]) -> u8 {
    let args = commands::search::with_exclusions(args);
    let cli = match args::Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return usage::answer(&ambient, &args, &error),
    };
    let app = App::new(ambient, &cli.globals);
    let done = app
        .ready()
        .and_then(|()| match cli.command {
            Some(command) => commands::run(&app, command),
            None => commands::dashboard::run(&app),
        })
        .and_then(|()| app.ui.flush());
    match done {
        Ok(()) => 0,
        Err(error) => {
            app.ui.error(&error);
            error.exit()
        }
    }
}
