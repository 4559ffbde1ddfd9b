//! `segno completions`: the script for a shell, from the argument tree itself.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::args::Cli;
use crate::cli::{App, CommandError};

/// Print the script that completes segno's commands in a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    segno completions bash > ~/.local/share/bash-completion/completions/segno\n  \
    segno completions zsh > ~/.zfunc/_segno\n  \
    segno completions fish > ~/.config/fish/completions/segno.fish")]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub fn run(app: &App, args: &CompletionsArgs) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "segno", &mut script);
    if app.ui.is_json() {
        return app.ui.json(&serde_json::json!({
            "shell": args.shell.to_string(),
            "script": String::from_utf8_lossy(&script),
        }));
    }
    app.ui.raw(&script)
}
