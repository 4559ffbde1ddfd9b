//! Any bytes where a session of the kind keeps its truth.

#![no_main]

#[path = "../../crates/segno-store/tests/mutations/survive.rs"]
mod survive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    survive::survives(&survive::Files::from([("essays/essay-pipeline-20260101-000000/session-state.yaml".to_owned(), bytes.to_vec())]));
});
