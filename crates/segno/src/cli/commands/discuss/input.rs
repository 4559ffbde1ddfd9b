//! A text from the command line, a file or standard input.

use std::io::Read as _;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::{App, Code, CommandError};
use crate::msg;

/// More than this is not kept in one line.
const MOST: u64 = 64 << 20;

/// Where a text comes from
#[derive(Debug, Args)]
pub(super) struct TextInput {
    /// The text; `--input` takes it from elsewhere
    #[arg(value_name = "TEXT", conflicts_with = "input")]
    pub(super) text: Option<String>,
    /// Read the text from FILE, or from standard input with `-`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) input: Option<PathBuf>,
}

impl TextInput {
    /// The text that was given; `None` when none was.
    pub(super) fn optional(&self, app: &App) -> Result<Option<String>, CommandError> {
        match (&self.text, &self.input) {
            // A lone `-` is standard input, here as behind `--input`.
            (Some(text), _) if text == "-" => read(app, &PathBuf::from("-")).map(Some),
            (Some(text), _) => Ok(Some(text.clone())),
            (None, Some(path)) => read(app, path).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The text that must be given.
    pub(super) fn required(&self, app: &App) -> Result<String, CommandError> {
        self.optional(app)?.ok_or_else(no_text)
    }
}

/// No text was given where one must be.
pub(super) fn no_text() -> CommandError {
    CommandError::new(Code::Usage, msg!("discuss-no-text")).hint(msg!("discuss-no-text-hint"))
}

/// Reads a file, or standard input for `-`. A relative path is one from the current directory.
pub(super) fn read(app: &App, path: &PathBuf) -> Result<String, CommandError> {
    let shown = path.display().to_string();
    let failed = |error: std::io::Error| {
        let code = if error.kind() == std::io::ErrorKind::NotFound {
            Code::NotFound
        } else {
            Code::Io
        };
        CommandError::new(code, msg!("discuss-input-unreadable", path = &shown))
            .because(error.to_string())
    };
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        let mut input = std::io::stdin().lock().take(MOST + 1);
        input.read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let full = app
            .ambient
            .cwd
            .as_ref()
            .map_or_else(|| path.clone(), |cwd| cwd.join(path));
        let file = std::fs::File::open(full).map_err(failed)?;
        file.take(MOST + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
    }
    if bytes.len() as u64 > MOST {
        let error = msg!("discuss-input-too-large", path = &shown, most = MOST >> 20);
        return Err(CommandError::new(Code::Invalid, error));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        CommandError::new(Code::Invalid, msg!("discuss-input-not-utf8", path = &shown))
            .because(error.utf8_error().to_string())
    })?;
    // The mark that some editors put first is of the file, not of what it says.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}
