//! A panic is a bug of ours: it is said with what to do about it, and the process ends with 70.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use super::args::ColorWhen;
use super::error::{Code, CommandError};
use super::ui::{Ui, UiOptions};
use crate::ambient::{Terminals, Vars};
use crate::messages::Lang;
use crate::msg;

/// Runs a command; a panic in it is reported and becomes its exit code.
pub(super) fn guard(json: bool, command: impl FnOnce() -> u8) -> u8 {
    panic::set_hook(Box::new(move |panic| {
        let ui = Ui::new(UiOptions {
            lang: Lang::of_environment(&Vars::System),
            color: ColorWhen::Auto,
            json,
            quiet: false,
            terminals: Terminals::default(),
            columns: None,
        });
        ui.error(&describe(panic));
    }));
    // Nothing of the command is used after it panicked.
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(Code::Internal.exit())
}

fn describe(panic: &PanicHookInfo<'_>) -> CommandError {
    let what = panic.payload_as_str().unwrap_or("a panic without words");
    let version = env!("CARGO_PKG_VERSION");
    let error = CommandError::new(
        Code::Internal,
        msg!("errors-internal", version = version, what = what),
    );
    let error = match panic.location() {
        Some(place) => error.because(place.to_string()),
        None => error,
    };
    error
        .hint(msg!("errors-internal-safe"))
        .hint(msg!("errors-internal-report"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_exit_code_70_and_anything_else_stays() {
        let usual = panic::take_hook();
        let fine = guard(false, || 3);
        let panicked = guard(false, || panic!("on purpose, by a test"));
        panic::set_hook(usual);
        assert_eq!((fine, panicked), (3, 70));
    }
}
