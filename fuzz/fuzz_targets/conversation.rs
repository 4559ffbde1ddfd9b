//! Any bytes where a session of the kind keeps its truth.

#![no_main]

#[path = "../../crates/segno-store/tests/mutations/survive.rs"]
mod survive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    survive::survives(&survive::Files::from([("conversations/2026-11-18/001-plan-a/.session/messages.jsonl".to_owned(), bytes.to_vec())]));
});
