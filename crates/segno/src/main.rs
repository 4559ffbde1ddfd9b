//! The `segno` command: all of it is in the library beside this file.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(segno::cli::main())
}
