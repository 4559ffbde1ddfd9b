//! Sessions: the vocabulary they share, the five formats, and the workspace that holds them.
//!
//! This crate knows nothing of terminals, networks, clocks, the environment or `std::fs`. Files are read through
//! [`segno_disk::ReadDisk`], the time comes in as a [`session::Now`], and what is to be written goes out as a list of
//! [`segno_disk::Change`]s.

pub mod error;
pub mod formats;
pub mod phrase;
pub mod session;
pub mod settings;
pub mod text;
pub mod workspace;

pub use error::{Result, StoreError};
