//! What the tests share: the crash harness, disks that forget, and a hermetic environment. Never published.

pub mod corpus;
pub mod counting;
pub mod crash;
pub mod dice;
pub mod forgetful;
pub mod mount;
pub mod numbered;
pub mod rerun;
pub mod skip;
