//! Every conversation below `formats/conversation/`: what is read of it, and what is found wrong with it.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::fmt::Write as _;
use std::path::Path;

use jiff::tz::TimeZone;
use segno_disk::RealDisk;
use segno_store::formats::conversation::Conversation;
use segno_store::formats::{Format as _, Root};
use segno_store::session::{Kind, Now};
use segno_store::settings::Settings;
use segno_store::workspace::Workspace;

/// One line a session: path, status, title, messages; then its problems.
fn corpus(name: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../formats/conversation")
        .join(name);
    let disk = RealDisk::open(&dir).unwrap();
    let workspace = Workspace::new(&disk, Settings::default());
    let now = Now::new("2026-11-18T10:00:00Z".parse().unwrap(), TimeZone::UTC);
    let mut text = String::new();
    for place in workspace.places(Some(Kind::Conversation), &now).unwrap() {
        let card = workspace.card(&place, &now);
        let _ = writeln!(
            text,
            "{} | {} | {} | {}",
            place.path, card.raw_status, card.title, card.position
        );
        let context = workspace.context(Root::Workspace, &now);
        for problem in Conversation.check(&context, &place).unwrap() {
            let line = problem
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            let _ = writeln!(
                text,
                "    {}{line} [{}] {}",
                problem.file.name(),
                problem.code,
                problem.repair.name()
            );
        }
    }
    text
}

#[test]
fn examples_are_read_without_a_problem() {
    assert_eq!(
        corpus("examples"),
        "conversations/2026-11-18/001-plan-the-log | paused | The log | message 2\n"
    );
}

#[test]
fn old_layouts_are_read_without_a_problem() {
    assert_eq!(
        corpus("old"),
        "brainstorm/2025-11-22/001-brainstorm-names | active | Names for things | message 2\n\
         conversations/debug/2025-11-22/001-debug-token | active | token | message 2\n\
         conversations/2025-11-22/002-learn-tides | active | tides | message 2\n\
         conversations/2025-11/003-meeting-spring | active | spring | message 2\n"
    );
}

#[test]
fn broken_ones_are_read_and_their_problems_named() {
    let expected = "\
conversations/2026-11-18/001-plan-truncated-state |  | truncated state | message 1
    session.json:1 [state_invalid] lossy
conversations/2026-11-18/002-plan-empty-state |  | empty state | message 1
    session.json:1 [state_invalid] lossy
conversations/2026-11-18/003-plan-invalid-line | paused | invalid line | message 3
    messages.jsonl:2 [line_invalid] lossy
conversations/2026-11-18/004-plan-torn-tail | paused | torn tail | message 1
    messages.jsonl [torn_tail] safe
conversations/2026-11-18/005-plan-nul-tail | paused | nul tail | message 1
    messages.jsonl [torn_tail] safe
conversations/2026-11-18/006-plan-spliced | paused | spliced | message 1
    messages.jsonl:1 [line_spliced] safe
conversations/2026-11-18/007-plan-wrong-count | paused | wrong count | message 1
    session.json [count_off] lossy
conversations/2026-11-18/008-plan-newer | paused | newer | message 1
    session.json [too_new] manual
conversations/2026-11-18/009-plan-odd-fields | parked | odd fields | message 1
    session.json [status_unknown] lossy
    session.json [field_invalid] lossy
    session.json [field_invalid] lossy
conversations/2026-11-18/010-plan-no-state |  | no state | message 1
    session.json [state_missing] lossy
";
    assert_eq!(corpus("broken"), expected);
}
