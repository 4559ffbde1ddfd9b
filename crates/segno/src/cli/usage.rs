//! Help, and command lines that make no sense, in the form that all other errors have.

use std::ffi::{OsStr, OsString};

use clap::ValueEnum;
use clap::error::ErrorKind;

use super::args::ColorWhen;
use super::error::{Code, CommandError};
use super::ui::{Ui, UiOptions};
use crate::ambient::Ambient;
use crate::messages::Lang;
use crate::msg;

/// True when the command line asks for JSON, whether or not the rest of it makes sense.
pub(super) fn wants_json(args: &[OsString]) -> bool {
    options(args).any(|arg| arg == "--json")
}

/// Answers a command line that is not a command: help, the version, or an error.
pub(super) fn answer(ambient: &Ambient, args: &[OsString], error: &clap::Error) -> u8 {
    let ui = Ui::new(UiOptions {
        lang: value_of(args, "--lang")
            .and_then(|name| Lang::from_str(&name, false).ok())
            .unwrap_or_else(|| Lang::of_environment(&ambient.vars)),
        color: value_of(args, "--color")
            .and_then(|name| ColorWhen::named(&name))
            .or_else(|| ambient.vars.get("NO_COLOR").map(|_| ColorWhen::Never))
            .unwrap_or(ColorWhen::Auto),
        json: wants_json(args),
        quiet: false,
        terminals: ambient.terminals,
        columns: None,
    });
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = if ui.has_colour() {
                error.render().ansi().to_string()
            } else {
                error.render().to_string()
            };
            match ui.raw(text.as_bytes()).and_then(|()| ui.flush()) {
                Ok(()) => 0,
                Err(error) => {
                    ui.error(&error);
                    error.exit()
                }
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !ui.is_json() => {
            ui.note(error.render().to_string().trim_end());
            Code::Usage.exit()
        }
        kind => {
            let error = if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                CommandError::new(Code::Usage, msg!("errors-usage-no-command"))
                    .hint(msg!("errors-usage-help", command = "segno --help"))
            } else {
                translate(&error.render().to_string())
            };
            ui.error(&error);
            error.exit()
        }
    }
}

/// Takes clap's text apart: what is wrong, its tips, and how the command is used.
fn translate(text: &str) -> CommandError {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let mut message = Vec::new();
    let mut tips = Vec::new();
    let mut usage = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(tip) = line.strip_prefix("tip: ") {
            tips.push(tip);
        } else if line.starts_with("Usage: ") || !usage.is_empty() {
            usage.push(line);
        } else if !line.starts_with("For more information") {
            message.push(line);
        }
    }
    usage.retain(|line| !line.starts_with("For more information"));
    let command = usage
        .first()
        .and_then(|line| line.strip_prefix("Usage: "))
        .unwrap_or("segno")
        .split(' ')
        .take_while(|word| !word.starts_with(['[', '<', '-']))
        .collect::<Vec<_>>()
        .join(" ");
    let mut error = CommandError::new(Code::Usage, message.join(" "));
    for tip in tips {
        error = error.hint(tip);
    }
    for line in usage {
        error = error.hint(line.replacen("Usage: ", "usage: ", 1));
    }
    error.hint(msg!(
        "errors-usage-help",
        command = format!("{command} --help")
    ))
}

fn options(args: &[OsString]) -> impl Iterator<Item = &OsStr> {
    args.iter()
        .skip(1)
        .map(OsString::as_os_str)
        .take_while(|arg| *arg != "--")
}

fn value_of(args: &[OsString], name: &str) -> Option<String> {
    let mut rest = options(args);
    while let Some(arg) = rest.next() {
        let Some(arg) = arg.to_str() else { continue };
        if arg == name {
            return rest.next()?.to_str().map(str::to_owned);
        }
        if let Some(value) = arg
            .strip_prefix(name)
            .and_then(|tail| tail.strip_prefix('='))
        {
            return Some(value.to_owned());
        }
    }
    None
}
