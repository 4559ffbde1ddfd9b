//! `segno man`: the manual pages, from the argument tree itself.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, ValueHint};
use clap_mangen::Man;

use crate::cli::args::Cli;
use crate::cli::{App, Code, CommandError};
use crate::msg;

/// Print the manual page, or write the pages of all commands to a directory
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  segno man | man -l -\n  segno man --dir ~/.local/share/man/man1"
)]
pub struct ManArgs {
    /// Write one page per command into DIR, which is made when it is missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

/// Prints or writes the pages.
pub fn run(app: &App, args: &ManArgs) -> Result<(), CommandError> {
    let mut tree = Cli::command().disable_help_subcommand(true);
    tree.build();
    let Some(dir) = &args.dir else {
        let page = render(&tree).map_err(|error| cannot_write(Path::new("-"), &error))?;
        if app.ui.is_json() {
            let text = String::from_utf8_lossy(&page);
            return app
                .ui
                .json(&serde_json::json!({"name": "segno.1", "text": text}));
        }
        return app.ui.raw(&page);
    };
    std::fs::create_dir_all(dir).map_err(|error| cannot_write(dir, &error))?;
    let mut written = Vec::new();
    write_tree(&tree, dir, &mut written)?;
    if app.ui.is_json() {
        let written: Vec<_> = written.iter().map(|path| path.to_string_lossy()).collect();
        return app.ui.json(&serde_json::json!({"written": written}));
    }
    for path in written {
        let path = path.display().to_string();
        app.ui.data(msg!("frame-page-written", path = path))?;
    }
    Ok(())
}

fn write_tree(
    command: &clap::Command,
    dir: &Path,
    written: &mut Vec<PathBuf>,
) -> Result<(), CommandError> {
    let page = Man::new(command.clone());
    let path = dir.join(page.get_filename());
    render(command)
        .and_then(|text| std::fs::write(&path, text))
        .map_err(|error| cannot_write(&path, &error))?;
    written.push(path);
    command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
        .try_for_each(|inner| write_tree(inner, dir, written))
}

fn render(command: &clap::Command) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    Ok(text)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CommandError {
    let path = path.display().to_string();
    CommandError::new(Code::Io, msg!("errors-disk", op = "write", path = path))
        .because(error.to_string())
}
