//! One JSON object on standard input instead of flags.

use std::io::Read as _;

use segno_store::formats::brainstorm::Phase;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize as _, Deserializer};

use crate::cli::{Code, CommandError};
use crate::msg;

/// The most that is read.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// What a verb was given: its flags, or with `--stdin` the same as one JSON object.
pub(super) fn or<T: Clone + DeserializeOwned>(
    flags: &T,
    is_stdin: bool,
) -> Result<T, CommandError> {
    if is_stdin { read() } else { Ok(flags.clone()) }
}

/// Reads one JSON object; keys that the command does not know are an error, so that a slip is not lost in silence.
pub(super) fn read<T: DeserializeOwned>() -> Result<T, CommandError> {
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(MAX_BYTES)
        .read_to_string(&mut text)
        .map_err(|error| {
            CommandError::new(Code::Io, msg!("errors-stdin")).because(error.to_string())
        })?;
    serde_json::from_str(&text).map_err(|error| {
        CommandError::new(Code::Invalid, msg!("brainstorm-stdin"))
            .because(error.to_string())
            .hint(msg!("brainstorm-stdin-hint"))
    })
}

/// A value that has to be given, by flag or in JSON.
pub(super) fn needed<T>(value: Option<T>, name: &str) -> Result<T, CommandError> {
    let missing = || {
        CommandError::new(Code::Invalid, msg!("brainstorm-missing", name = name))
            .hint(msg!("brainstorm-stdin-hint"))
    };
    value.ok_or_else(missing)
}

/// A phase in JSON.
pub(super) fn phase<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Phase>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    let named = text.map(|text| super::ask::phase(&text)).transpose();
    named.map_err(D::Error::custom)
}
