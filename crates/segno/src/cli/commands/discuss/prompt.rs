//! What a person answers in a chat: the next line, or yes and no.

use std::io::BufRead as _;

use crate::cli::{App, Code, CommandError};
use crate::msg;

/// The next line of the user; `None` at the end of input.
pub(super) fn prompt(app: &App) -> Result<Option<String>, CommandError> {
    app.ui.flush()?;
    if app.ui.can_ask() {
        app.ui.ask_mark("> ");
    }
    let mut line = Vec::new();
    let read = std::io::stdin().lock().read_until(b'\n', &mut line);
    let count = read.map_err(|error| {
        CommandError::new(Code::Io, msg!("errors-stdin")).because(error.to_string())
    })?;
    if count == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8(line).unwrap_or_else(|_| {
        app.ui.warn(msg!("discuss-chat-not-utf8"));
        String::new()
    })))
}

/// Yes or no, from the same input that the discussion comes from; the end of input is a no.
pub(super) fn agreed(app: &App) -> Result<bool, CommandError> {
    app.ui.note(msg!("discuss-chat-apply"));
    for _ in 0..3 {
        let Some(line) = prompt(app)? else {
            return Ok(false);
        };
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" | "o" | "oui" | "\u{306f}\u{3044}" => return Ok(true),
            "n" | "no" | "non" | "\u{3044}\u{3044}\u{3048}" => return Ok(false),
            _ => app.ui.warn(msg!("frame-answer-yes-no")),
        }
    }
    Ok(false)
}
