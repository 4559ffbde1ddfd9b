//! The `segno` command: the only crate that knows clap, the home directory, colour and languages.
//!
//! It is a library for the sake of its own tests; nothing else depends on it. A command line becomes an
//! [`cli::App`] and the arguments of one verb ([`cli::commands`]); the verb calls `segno-store` and answers through
//! [`cli::Ui`]. What outsiders read as JSON is shaped in [`view`], what people read is worded in [`messages`].

pub mod ambient;
pub mod cli;
pub mod config;
pub mod engines;
pub mod git;
pub mod messages;
pub mod picker;
pub mod root;
pub mod secrets;
pub mod tools;
pub mod view;
