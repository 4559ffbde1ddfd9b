//! The top of the argument tree: what every command takes.

use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum, ValueHint};

use super::commands::Command;
use crate::messages::Lang;

/// Save AI work sessions, survive any crash, and come back to where they stopped
#[derive(Debug, Parser)]
#[command(
    name = "segno",
    version,
    propagate_version = false,
    max_term_width = 100
)]
#[command(
    after_help = "Without a command: what is open here, and how to go on.\n\
    Standard output is the answer; everything else is on standard error.\n\
    Exit codes: 0 done, 1 refused or not found, 2 usage, 3 damaged data found, 4 busy, 70 a bug in segno."
)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub globals: Globals,
    /// The command; without one, what is open here and how to go on.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What every command takes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Look for the workspace from DIR upwards instead of from the current directory
    ///
    /// The workspace is the nearest directory that holds `.segno/`, `.workspace/` or `.git`, else DIR itself.
    #[arg(short = 'C', long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub workspace: Option<PathBuf>,

    /// Answer with one JSON object on standard output; errors are one on standard error
    #[arg(long, global = true)]
    pub json: bool,

    /// Language of messages; else the configuration, `LC_ALL`, `LC_MESSAGES` and `LANG` decide
    #[arg(long, global = true, value_enum, value_name = "LANG")]
    pub lang: Option<Lang>,

    /// When to use colour
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    pub color: Option<ColorWhen>,

    /// Say nothing but the answer, warnings and errors
    #[arg(long, global = true)]
    pub quiet: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always, also into a pipe
    Always,
    /// Never
    Never,
}

impl ColorWhen {
    /// The choice of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            _ => None,
        }
    }
}
