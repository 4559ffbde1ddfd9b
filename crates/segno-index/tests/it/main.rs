//! The index as a program uses it, over files that change.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]

mod answers;
mod desk;
mod index;
