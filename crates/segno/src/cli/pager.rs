//! Long answers on a terminal go through the user's pager.

use std::io::{ErrorKind, Write};
use std::process::{Child, Command, Stdio};

use super::app::App;
use super::error::{Code, CommandError};
use super::neutral;
use crate::msg;
use crate::tools;

/// Where a page is written to, piece by piece.
pub(super) type Out<'a> = &'a mut dyn FnMut(&str) -> Result<(), CommandError>;

impl App {
    /// Writes a page: through `$PAGER`, else `less`, on a terminal; straight to standard output otherwise.
    pub fn page(
        &self,
        write: impl FnOnce(Out<'_>) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let pager = if self.ui.is_terminal() {
            self.start_pager()
        } else {
            None
        };
        let Some(mut pager) = pager else {
            return write(&mut |text| self.ui.document(text));
        };
        let mut input = pager.stdin.take();
        let written = write(&mut |text| match &mut input {
            // Escapes of ours there are none; those of the text are made harmless as everywhere.
            Some(input) => input
                .write_all(neutral::block(text).as_bytes())
                .map_err(|error| failed(&error)),
            None => Ok(()),
        });
        drop(input);
        let ended = tools::while_child_runs(|| pager.wait());
        written?;
        ended.map(|_| ()).map_err(|error| failed(&error))
    }

    fn start_pager(&self) -> Option<Child> {
        let vars = &self.ambient.vars;
        let command = vars.text("PAGER").unwrap_or_else(|| "less -R".to_owned());
        let mut words = tools::split(&command).ok()?.into_iter();
        let program = self.ambient.find_program(&words.next()?)?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped());
        if vars.get("LESS").is_none() {
            // A page that fits the screen is printed and done with.
            command.env("LESS", "FRX");
        }
        command.spawn().ok()
    }
}

fn failed(error: &std::io::Error) -> CommandError {
    if error.kind() == ErrorKind::BrokenPipe {
        CommandError::broken_pipe()
    } else {
        CommandError::new(Code::Io, msg!("errors-stdout")).because(error.to_string())
    }
}
