//! Lossless editors: each changes the bytes it was asked to change and no other.

pub mod damage;
pub mod json;
pub mod jsonl;
pub mod markdown;
pub mod slug;
pub mod splice;
pub mod yaml;
