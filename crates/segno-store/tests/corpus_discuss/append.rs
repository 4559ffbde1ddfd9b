//! What a turn costs, in what is asked of the disk.

use segno_disk::{RelPath, SimDisk};
use segno_store::formats::discuss::{self, Discuss, Role};
use segno_store::formats::{Context, Format, Root};
use segno_store::session::SessionId;
use segno_store::settings::Settings;
use segno_testkit::counting::{Asked, Counting};

use crate::now;

const META: &str = r#"{"session_id": "s", "context": {"kind": "global", "ref": null, "router_reason": "r"}, "contract_type": "global", "created_at": "2026-01-01T00:00:00", "updated_at": "2026-01-01T00:00:00", "status": "open", "final_json_present": false, "engine": "e", "model": "m", "initial_prompt": "p"}"#;
const TURN: &str = r#"{"ts": "2026-01-01T00:00:00", "type": "user_message", "payload": {"content": "a turn of ordinary length, as people type them"}}"#;
const RUN: &str = r#"{"ts": "2026-01-01T00:00:00", "type": "error", "payload": {"message": "the engine did not answer"}}"#;

fn transcript(turns: usize, errors: usize) -> String {
    let turns = std::iter::repeat_n(TURN, turns);
    let lines = turns.chain(std::iter::repeat_n(RUN, errors));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// What a turn, and the answer to it, ask of the disk.
fn asked(transcript: &str) -> Asked {
    let disk = SimDisk::new();
    let dir = "docs/maestro/sessions/discuss/s";
    let path = |name: &str| RelPath::new(&format!("{dir}/{name}")).unwrap();
    disk.plant(&path("meta.json"), META.as_bytes());
    disk.plant(&path("transcript.jsonl"), transcript.as_bytes());
    let counting = Counting::new(&disk);
    let (now, settings) = (now(0), Settings::default());
    let cx = Context {
        files: &counting,
        root: Root::Workspace,
        now: &now,
        settings: &settings,
    };
    let place = Discuss.find_exact(&cx, "s").unwrap().remove(0);
    assert_eq!(
        place,
        discuss::canonical(&SessionId::new("s").unwrap()).unwrap()
    );
    discuss::say(&cx, &place, Role::User, "more", None).unwrap();
    let said = counting.asked();
    assert_eq!((said.opened, said.listed), (2, 0), "{said:?}");
    discuss::error(&cx, &place, "no answer", None).unwrap();
    discuss::card_at_end(&cx, &place).unwrap();
    counting.asked()
}

#[test]
fn a_turn_reads_no_more_of_a_long_transcript_than_of_a_short_one() {
    // From where the last piece that is read at once is full, nothing more is read.
    let short = asked(&transcript(100, 0));
    assert_eq!(asked(&transcript(20_000, 0)), short);
    assert!(short.bytes < 16_000, "{short:?}");
    // Errors behind the last turn are looked past, up to a bound.
    let long = asked(&transcript(20_000, 3_000));
    assert_eq!(asked(&transcript(20_000, 20_000)), long);
    assert!(long.bytes < 300_000, "{long:?}");
}

#[test]
fn nothing_is_said_behind_a_final_json_whatever_was_recorded_since() {
    // As a crash leaves it: the final_json is there, and meta.json does not say so yet.
    let disk = SimDisk::new();
    let dir = "docs/maestro/sessions/discuss/s";
    let path = |name: &str| RelPath::new(&format!("{dir}/{name}")).unwrap();
    disk.plant(&path("meta.json"), META.as_bytes());
    let ended = format!(
        "{TURN}\n{{\"ts\": \"2026-01-01T00:00:00\", \"type\": \"final_json\", \"payload\": {{\"patch_operations\": []}}}}\n{RUN}\n{RUN}\n"
    );
    disk.plant(&path("transcript.jsonl"), ended.as_bytes());
    let (now, settings) = (now(0), Settings::default());
    let cx = Context {
        files: &disk,
        root: Root::Workspace,
        now: &now,
        settings: &settings,
    };
    let place = discuss::canonical(&SessionId::new("s").unwrap()).unwrap();
    let refused = discuss::say(&cx, &place, Role::User, "more", None).unwrap_err();
    assert!(refused.to_string().contains("has its final JSON"));
}
