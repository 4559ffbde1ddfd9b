//! A test that cannot run here says so and passes; where it must run, the same is a failure.

use std::io::Write as _;

/// Says on stderr that a test is skipped and why.
///
/// # Errors
/// When the environment variable `required` is set: there, a skipped test is a failed one.
pub fn skip(required: &str, why: &str) -> Result<(), String> {
    if std::env::var_os(required).is_some() {
        return Err(format!("{required} is set and yet: {why}"));
    }
    // Straight to the handle: what the print macros write is swallowed for a test that passes.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
    Ok(())
}

/// True where time is no object: in a soak run and in CI.
pub fn is_soak() -> bool {
    let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
    ci || std::env::var_os("SEGNO_SOAK").is_some()
}
