//! The state between its YAML tree and its values.

mod decode;
mod encode;

pub(super) use decode::decode;
pub(super) use encode::encode;
