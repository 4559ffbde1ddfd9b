//! The only place that writes: data to standard output, everything else to standard error.
//!
//! Whatever passes here as text is made harmless ([`super::neutral`]); only [`Ui::raw`] lets bytes through as they are.
//! Writing data can fail (a full disk, a reader that has gone) and says so; what goes to standard error is lost when
//! standard error is, since there is nobody left to tell.

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::args::ColorWhen;
use super::error::{Code, CommandError};
use super::line::{Line, Role};
use super::neutral;
use super::report::{self, ErrorView};
use super::table::Table;
use crate::ambient::Terminals;
use crate::messages::{Catalogue, Lang, Message, Text};
use crate::msg;

/// How to answer.
#[derive(Debug, Clone)]
pub struct UiOptions {
    /// In which language.
    pub lang: Lang,
    /// With colour?
    pub color: ColorWhen,
    /// As JSON?
    pub json: bool,
    /// Without notes?
    pub quiet: bool,
    /// Which streams are terminals.
    pub terminals: Terminals,
    /// The variable `COLUMNS`.
    pub columns: Option<String>,
}

/// The way to answer.
pub struct Ui {
    /// The words.
    pub catalogue: Catalogue,
    options: UiOptions,
    colour_out: bool,
    colour_err: bool,
    out: Mutex<BufWriter<Stdout>>,
}

impl Ui {
    /// Prepares to answer; writes nothing yet.
    pub fn new(options: UiOptions) -> Self {
        let colour = |detected: anstream::ColorChoice| match options.color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => detected != anstream::ColorChoice::Never,
        };
        Self {
            catalogue: Catalogue::new(options.lang),
            colour_out: colour(anstream::AutoStream::choice(&io::stdout())),
            colour_err: colour(anstream::AutoStream::choice(&io::stderr())),
            options,
            out: Mutex::new(BufWriter::new(io::stdout())),
        }
    }

    /// True when programs read the answer: it is one JSON object.
    pub fn is_json(&self) -> bool {
        self.options.json
    }

    /// True when a person can be asked something.
    pub fn can_ask(&self) -> bool {
        let terminals = self.options.terminals;
        terminals.stdin && terminals.stderr && !self.options.json
    }

    /// True when a person reads standard output.
    pub fn is_terminal(&self) -> bool {
        self.options.terminals.stdout
    }

    /// True when standard output takes colours.
    pub fn has_colour(&self) -> bool {
        self.colour_out
    }

    /// The width of the terminal in columns; `None` when the answer does not go to one.
    pub fn width(&self) -> Option<u16> {
        if !self.is_terminal() {
            return None;
        }
        let columns = self
            .options
            .columns
            .as_ref()
            .and_then(|text| text.parse().ok());
        let asked = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
        columns
            .or_else(asked)
            .filter(|width| *width > 0)
            .or(Some(80))
    }

    /// Words a message.
    pub fn say(&self, message: &Message) -> String {
        self.catalogue.say(message)
    }

    /// Writes a line of data.
    pub fn data(&self, line: impl Into<Line>) -> Result<(), CommandError> {
        let mut text = line.into().render(&self.catalogue, self.colour_out);
        text.push('\n');
        self.raw(text.as_bytes())
    }

    /// Writes a page with text in it that somebody else wrote, made harmless: what it is piped into may be a terminal's pager.
    pub fn document(&self, text: &str) -> Result<(), CommandError> {
        self.raw(neutral::block(text).as_bytes())
    }

    /// Writes a file's text or one for programs: exactly into a pipe or a file, made harmless on a terminal.
    pub fn verbatim(&self, text: &str) -> Result<(), CommandError> {
        if self.is_terminal() {
            self.raw(neutral::block(text).as_bytes())
        } else {
            self.raw(text.as_bytes())
        }
    }

    /// Writes one JSON object on one line.
    pub fn json(&self, value: &impl Serialize) -> Result<(), CommandError> {
        let text = serde_json::to_string(value)
            .map_err(|error| CommandError::new(Code::Internal, error.to_string()))?;
        let mut text = neutral::json(text);
        text.push('\n');
        self.raw(text.as_bytes())
    }

    /// Writes a table: one line per row, cut to the width of the terminal; whole into a pipe.
    pub fn table(&self, table: &Table) -> Result<(), CommandError> {
        for (place, line) in table
            .lines(&self.catalogue, self.width())
            .into_iter()
            .enumerate()
        {
            let role = if place == 0 {
                Role::Strong
            } else {
                Role::Plain
            };
            self.data(Line::new().add(role, line))?;
        }
        Ok(())
    }

    /// Writes bytes as they are.
    pub fn raw(&self, bytes: &[u8]) -> Result<(), CommandError> {
        self.lock_out()
            .write_all(bytes)
            .map_err(|error| out_error(&error))
    }

    /// Makes sure that all data has been handed over: an acknowledgement is one only when it arrived.
    pub fn flush(&self) -> Result<(), CommandError> {
        self.lock_out().flush().map_err(|error| out_error(&error))
    }

    /// Tells a person something that is not the answer. Not said with `--quiet`, and not to programs (`--json`).
    pub fn note(&self, line: impl Into<Line>) {
        if !self.options.quiet && !self.options.json {
            self.tell(&[line.into()]);
        }
    }

    /// Warns of something that the user can do something about. To programs: `{"warning":{"message"}}`.
    pub fn warn(&self, text: impl Into<Text>) {
        let text = text.into();
        if self.options.json {
            let message = self.catalogue.text(&text);
            self.tell_json(&serde_json::json!({"warning": {"message": message}}));
        } else {
            let label = Line::new().add(Role::Warn, msg!("frame-warning"));
            self.tell(&[label.plain(" ").plain(text)]);
        }
    }

    /// Says why the command ends without having done what was asked.
    pub fn error(&self, error: &CommandError) {
        if !error.is_said() {
            // What was answered so far still belongs to the reader, if there is one.
            let _ = self.flush();
        } else if self.options.json {
            self.tell_json(&ErrorView::new(error, &self.catalogue));
        } else {
            self.tell(&report::styled(error));
        }
    }

    /// Writes a question without a line end.
    pub(super) fn put_question(&self, line: &Line) {
        let _ = self.flush();
        let text = line.render(&self.catalogue, self.colour_err);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Shows a person how far something is, on a line that is written over and over; `None` takes it away.
    pub fn progress(&self, text: Option<&str>) {
        if self.options.terminals.stderr && !self.options.quiet && !self.options.json {
            let _ = self.flush();
            let text = format!("\r\u{1b}[K{}", text.unwrap_or_default());
            let _ = io::stderr().lock().write_all(text.as_bytes());
        }
    }

    /// Writes a mark that says: it is your turn.
    pub fn ask_mark(&self, mark: &'static str) {
        self.put_question(&Line::from(mark));
    }

    fn tell(&self, lines: &[Line]) {
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.render(&self.catalogue, self.colour_err));
            text.push('\n');
        }
        self.put_err(&text);
    }

    fn tell_json(&self, value: &impl Serialize) {
        let text = serde_json::to_string(value).unwrap_or_default();
        self.put_err(&format!("{}\n", neutral::json(text)));
    }

    fn put_err(&self, text: &str) {
        // On a terminal the two streams meet: what was answered before comes before.
        let _ = self.flush();
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    fn lock_out(&self) -> std::sync::MutexGuard<'_, BufWriter<Stdout>> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn out_error(error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::BrokenPipe {
        CommandError::broken_pipe()
    } else {
        CommandError::new(Code::Io, msg!("errors-stdout")).because(error.to_string())
    }
}
