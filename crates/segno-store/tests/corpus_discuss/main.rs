//! The corpus of discussions: what each example, broken and old session reads as, and what can be done with it.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "the corpus lies on the real disk"
)]

mod append;
mod legacy;
mod limits;
mod replay;
mod samples;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::{RelPath, SimDisk};
use segno_store::formats::discuss::replay::{ReplayOptions, Replayed, replay};
use segno_store::formats::discuss::{self, Discuss, DoneOptions, done};
use segno_store::formats::{Format, Place, RecoverOptions, Recovery, Root};
use segno_store::session::{Kind, Now, SessionRef};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

fn now(second: i64) -> Now {
    let instant = jiff::Timestamp::from_second(1_770_000_000 + second).unwrap();
    Now::new(instant, TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 7,
        program: "test".to_owned(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

/// One folder of the corpus on a simulated disk.
fn corpus(name: &str) -> SimDisk {
    let base = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../formats/discuss")
        .join(name);
    let disk = SimDisk::new();
    let mut waiting = vec![base.clone()];
    while let Some(dir) = waiting.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path
                    .strip_prefix(&base)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                disk.plant(
                    &RelPath::new(&name).unwrap(),
                    &std::fs::read(&path).unwrap(),
                );
            }
        }
    }
    disk
}

fn workspace(disk: &SimDisk) -> Workspace<'_> {
    Workspace::new(disk, Settings::default())
}

fn find(workspace: &Workspace<'_>, id: &str) -> Place {
    let wanted = SessionRef::parse_of(Kind::Discuss, id).unwrap();
    workspace.resolve(&wanted, &now(0)).unwrap()
}

fn run(disk: &SimDisk, id: &str, options: ReplayOptions, second: i64) -> Replayed {
    let workspace = workspace(disk);
    let place = find(&workspace, id);
    let written = workspace.write(&place, &now(second), &writer(), |cx| {
        replay(cx, &place, options)
    });
    written.unwrap().outcome
}

fn apply(disk: &SimDisk, id: &str) -> Replayed {
    run(disk, id, ReplayOptions::default(), 0)
}

fn effects(replayed: &Replayed) -> Vec<&'static str> {
    let outcome = replayed.result.as_ref().unwrap();
    outcome
        .operations
        .iter()
        .map(|report| report.effect.name())
        .collect()
}

/// The plan's files.
fn plan_files(disk: &SimDisk) -> BTreeMap<String, String> {
    let files = disk.files().into_iter();
    let files =
        files.map(|(path, bytes)| (path.to_string(), String::from_utf8(bytes.clone()).unwrap()));
    files
        .filter(|(path, _)| {
            path.starts_with("docs/maestro/")
                && !path.contains("/sessions/")
                && !path.contains("/ai/")
        })
        .collect()
}

fn file(disk: &SimDisk, path: &str) -> String {
    use segno_disk::ReadDisk as _;
    let found = disk.read(&RelPath::new(path).unwrap()).unwrap();
    String::from_utf8(found.unwrap().0).unwrap()
}

const SESSIONS: &str = "docs/maestro/sessions/discuss";

/// An open session about everything, ended in these operations, over the plan of the examples.
fn ended(operations: &str) -> SimDisk {
    let disk = corpus("examples");
    let meta = file(&corpus("broken"), &format!("{SESSIONS}/bad-line/meta.json"));
    let meta = meta.replace("\"bad-line\"", "\"s\"");
    let line = "{\"ts\": \"2026-02-05T09:00:00\", \"type\": \"user_message\", \"payload\": {\"content\": \"p\"}}\n";
    disk.plant(
        &RelPath::new(&format!("{SESSIONS}/s/meta.json")).unwrap(),
        meta.as_bytes(),
    );
    disk.plant(
        &RelPath::new(&format!("{SESSIONS}/s/transcript.jsonl")).unwrap(),
        line.as_bytes(),
    );
    let workspace = workspace(&disk);
    let place = find(&workspace, "s");
    // What a replay does with operations that cannot be applied is for it to say.
    let options = DoneOptions {
        as_is: true,
        ..DoneOptions::default()
    };
    let written = workspace.write(&place, &now(0), &writer(), |cx| {
        done(cx, &place, operations, options)
    });
    assert!(matches!(
        written.unwrap().outcome,
        discuss::Ended::Final { .. }
    ));
    disk
}

#[test]
fn every_example_reads_without_a_problem() {
    let disk = corpus("examples");
    let workspace = workspace(&disk);
    let places = workspace.places(None, &now(0)).unwrap();
    assert_eq!(places.len(), 6);
    for place in &places {
        let moment = now(0);
        let cx = workspace.context(Root::Workspace, &moment);
        assert_eq!(Discuss.check(&cx, place).unwrap(), [], "{}", place.id);
        assert_eq!(workspace.card(place, &moment).problems, []);
    }
    let card = workspace.card(&find(&workspace, "7d9f"), &now(0));
    assert_eq!(card.title, "Is the parser finished?");
    assert_eq!(card.summary, "task write-parser, task contract");
    assert_eq!(card.position, "final JSON, to be replayed");
    assert_eq!(card.last_active.unwrap().raw(), "2026-02-03T09:04:00");
    assert_eq!(
        card.counts,
        [("turns", 2), ("operations", 1), ("replays", 0)]
    );
}

#[test]
fn a_session_resumes_with_its_context_contract_and_turns() {
    let disk = corpus("examples");
    let workspace = workspace(&disk);
    let (place, moment) = (find(&workspace, "7d9f"), now(0));
    let brief = Discuss
        .brief(&workspace.context(Root::Workspace, &moment), &place, None)
        .unwrap();
    assert_eq!(brief.goal, "Is the parser finished?");
    assert_eq!(brief.state[0], "context: task write-parser");
    assert!(
        brief.sections[0].text.contains("edit_task_fields")
            && !brief.sections[0].text.contains("add_track")
    );
    let turns: Vec<&str> = brief.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(
        turns,
        [
            "Is the parser finished?",
            "All its tests pass: caf\u{e9} included."
        ]
    );
    assert_eq!(brief.decisions.len(), 1);
}

#[test]
fn every_broken_session_says_what_is_wrong_and_recover_repairs_what_can_be() {
    let table: [(&str, &[&str], &[&str]); 10] = [
        ("bad-event", &["bad_event"], &[]),
        ("bad-line", &["bad_line"], &[]),
        ("bad-meta", &["meta_unreadable"], &[]),
        ("lags", &["meta_lags"], &[]),
        ("no-meta", &["meta_missing"], &[]),
        ("no-transcript", &["transcript_missing"], &[]),
        ("poor-meta", &["meta_incomplete"], &["meta_incomplete"]),
        ("spliced", &["bad_line"], &[]),
        ("torn", &["torn_tail"], &[]),
        ("two-finals", &["second_final_json"], &["second_final_json"]),
    ];
    for (id, found, left) in table {
        let disk = corpus("broken");
        assert_eq!(codes(&disk, id), found, "{id}");
        let before: usize = disk.files().len();
        recover(&disk, id);
        assert_eq!(codes(&disk, id), left, "{id} after recover");
        assert!(disk.files().len() >= before, "{id}: something is gone");
    }
}

/// The codes of what is wrong with a session.
fn codes(disk: &SimDisk, id: &str) -> Vec<&'static str> {
    let workspace = workspace(disk);
    let (place, moment) = (find(&workspace, id), now(0));
    let problems = Discuss.check(&workspace.context(Root::Workspace, &moment), &place);
    problems.unwrap().iter().map(|found| found.code).collect()
}

fn recover(disk: &SimDisk, id: &str) -> Recovery {
    let workspace = workspace(disk);
    let place = find(&workspace, id);
    let recovered = workspace.recover(&place, &RecoverOptions::default(), &now(0), &writer());
    recovered.unwrap().outcome
}

#[test]
fn the_transcript_is_the_truth_about_the_final_json() {
    let disk = ended(r#"[{"op_type": "add_track", "data": {"track_name": "T"}}]"#);
    let path = format!("{SESSIONS}/s/transcript.jsonl");
    let first = file(&disk, &path).lines().next().unwrap().to_owned() + "\n";
    disk.plant(&RelPath::new(&path).unwrap(), first.as_bytes());
    assert_eq!(codes(&disk, "s"), ["meta_lags"]);
    let workspace = workspace(&disk);
    let place = find(&workspace, "s");
    let said = workspace.write(&place, &now(1), &writer(), |cx| {
        discuss::say(cx, &place, discuss::Role::User, "go on", None)
    });
    said.unwrap();
    recover(&disk, "s");
    assert_eq!(codes(&disk, "s"), [] as [&str; 0]);
    let meta = file(&disk, &format!("{SESSIONS}/s/meta.json"));
    assert!(meta.contains("\"final_json_present\": false"), "{meta}");
}

#[test]
fn a_transcript_without_its_first_turn_is_noticed_whatever_a_replay_left_in_it() {
    let disk = corpus("broken");
    let path = format!("{SESSIONS}/no-transcript/transcript.jsonl");
    disk.plant(&RelPath::new(&path).unwrap(), b"");
    assert!(apply(&disk, "no-transcript").result.is_err());
    assert_eq!(codes(&disk, "no-transcript"), ["transcript_missing"]);
    let audit = file(&disk, &path);
    recover(&disk, "no-transcript");
    assert_eq!(codes(&disk, "no-transcript"), [] as [&str; 0]);
    let text = file(&disk, &path);
    assert!(
        text.contains("user_message") && text.ends_with(&audit),
        "{text}"
    );
}

#[test]
fn recover_says_that_the_status_of_a_lost_meta_json_could_not_be_known() {
    let disk = corpus("broken");
    let unknown = recover(&disk, "no-meta").unknown;
    assert!(
        unknown
            .iter()
            .any(|what| what.contains("its status is open now")),
        "{unknown:?}"
    );
}
