//! The command as its users run it: one test binary over the real program.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "the whole crate is tests: what they rely on is said plainly"
)]

mod brainstorm;
#[cfg(unix)]
mod brainstorm_launch;
mod config;
mod conversation;
#[cfg(unix)]
mod conversation_git;
mod damaged;
mod dashboard;
mod discuss;
mod discuss_chat;
mod discuss_plan;
mod docs;
#[cfg(unix)]
mod docs_run;
mod env;
mod essay;
mod essay_upkeep;
mod export;
mod frame;
mod handover;
mod lang;
#[cfg(unix)]
mod launch;
mod picture;
#[cfg(unix)]
mod resume;
mod root;
mod search;
mod sessions;
mod show;
mod stop;
#[cfg(unix)]
mod terminal;
mod tidy;
mod workshop;

pub use env::Env;
