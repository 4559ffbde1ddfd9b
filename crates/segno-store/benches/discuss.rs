//! How fast a discussion is appended to and replayed, against the simplest program that does the same with the same files.
//!
//! `TMPDIR` says on which file system. On one that is mounted with `discard` and has no journal every replaced file waits
//! for the disk, which is then most of what is measured; the line that writes files beside and renames them shows it.

#![expect(
    clippy::indexing_slicing,
    reason = "a benchmark says plainly what it does"
)]
#![expect(clippy::print_stdout, reason = "a benchmark speaks on stdout")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    reason = "a benchmark reads the clock and the real disk"
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use segno_disk::RealDisk;
use segno_store::formats::discuss::replay::{ReplayOptions, replay};
use segno_store::formats::discuss::{Role, canonical, say};
use segno_store::session::{Now, SessionId};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

const TASKS: usize = 10_000;
/// An odd number: the median is then one of them.
const ROUNDS: usize = 5;
const META: &str = r#"{"session_id": "s", "context": {"kind": "global", "ref": null, "router_reason": "r"}, "contract_type": "global", "created_at": "2026-01-01T00:00:00", "updated_at": "2026-01-01T00:00:00", "status": "open", "final_json_present": true, "engine": "e", "model": "m", "initial_prompt": "p"}"#;

fn task(n: usize) -> String {
    format!(
        "{{\n  \"task_id\": \"k{n}\",\n  \"name\": \"Task {n}\",\n  \"status\": \"planned\",\n  \"priority\": \"P2\",\n  \
         \"estimated_hours\": null,\n  \"description\": [],\n  \"phase_id\": \"p\",\n  \"completed\": false,\n  \
         \"created_at\": null,\n  \"updated_at\": \"2026-01-12T13:05:57.039925\",\n  \"tags\": [],\n  \"owner\": null,\n  \
         \"dependencies\": [],\n  \"subtasks\": [],\n  \"details\": {{}}\n}}"
    )
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A plan of 10,000 tasks.
fn plan(root: &Path) {
    for n in 0..TASKS {
        write(root, &format!("docs/maestro/tasks/k{n}.json"), &task(n));
    }
}

/// A discussion that marks so many tasks as done, or as to do again in every other round.
fn discussion(root: &Path, id: &str, operations: usize, round: usize) {
    let op = if round.is_multiple_of(2) {
        "mark_done"
    } else {
        "mark_todo"
    };
    let list: Vec<String> = (0..operations)
        .map(|n| format!(r#"{{"op_type": "{op}", "data": {{"item_id": "k{n}"}}}}"#))
        .collect();
    let line = format!(
        "{{\"ts\": \"2026-02-01T00:{round:02}:00\", \"type\": \"final_json\", \"payload\": {{\"patch_operations\": [{}]}}}}\n",
        list.join(", ")
    );
    let dir = format!("docs/maestro/sessions/discuss/{id}");
    write(root, &format!("{dir}/meta.json"), META);
    write(root, &format!("{dir}/transcript.jsonl"), &line);
}

/// What is to be written later anyway is on the disk before a measurement begins.
fn settle(root: &Path) {
    let mut sync = std::process::Command::new("sync");
    assert!(sync.arg("-f").arg(root).status().unwrap().success());
}

fn now() -> Now {
    Now::new(jiff::Timestamp::UNIX_EPOCH, TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "bench".to_owned(),
        since: String::new(),
        patience: Duration::from_secs(1),
    }
}

/// A replay of so many operations, through the whole path: lock, read, judge, journal, rename, sync.
fn ours(root: &Path, operations: usize, round: usize) -> f64 {
    let id = format!("s{operations}-{round}");
    discussion(root, &id, operations, round);
    settle(root);
    let disk = RealDisk::open(root).unwrap();
    let workspace = Workspace::new(&disk, Settings::default());
    let place = canonical(&SessionId::new(&id).unwrap()).unwrap();
    let options = ReplayOptions::default();
    let start = Instant::now();
    let written = workspace.write(&place, &now(), &writer(), |cx| replay(cx, &place, options));
    let took = start.elapsed();
    let replayed = written.unwrap().outcome.result.unwrap();
    assert_eq!(replayed.operations.len(), operations);
    assert_eq!(replayed.diff.len(), operations);
    took.as_secs_f64()
}

/// The simplest possible program: it reads and writes the same files with `serde_json`. The second figure is the time with
/// one sync at the end, which makes them as durable as ours (though not all or none).
fn floor(root: &Path, operations: usize, round: usize) -> (f64, f64) {
    let done = round.is_multiple_of(2);
    settle(root);
    let start = Instant::now();
    for n in 0..operations {
        let path = root.join(format!("docs/maestro/tasks/k{n}.json"));
        let mut value: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        value["status"] = if done { "done" } else { "todo" }.into();
        value["completed"] = done.into();
        std::fs::write(&path, serde_json::to_string_pretty(&value).unwrap()).unwrap();
    }
    let plain = start.elapsed();
    settle(root);
    (plain.as_secs_f64(), start.elapsed().as_secs_f64())
}

/// How many turns a growing discussion is measured with.
const TURNS: usize = 301;
const LINE: &str = "{\"ts\": \"2026-02-01T00:00:00\", \"type\": \"user_message\", \"payload\": {\"content\": \"a turn of ordinary length, as people type them\"}}\n";

/// A discussion of so many turns, and how long the next ones take.
struct Talk {
    root: PathBuf,
    id: String,
    took: Vec<f64>,
}

impl Talk {
    fn of(root: &Path, turns: usize) -> Self {
        let id = format!("talk{turns}");
        discussion(root, &id, 1, 0);
        let dir = root.join(format!("docs/maestro/sessions/discuss/{id}"));
        let meta = META.replace(
            "\"final_json_present\": true",
            "\"final_json_present\": false",
        );
        std::fs::write(dir.join("meta.json"), meta).unwrap();
        std::fs::write(dir.join("transcript.jsonl"), LINE.repeat(turns)).unwrap();
        Self {
            root: root.to_path_buf(),
            id,
            took: Vec::new(),
        }
    }

    fn say(&mut self) {
        let disk = RealDisk::open(&self.root).unwrap();
        let workspace = Workspace::new(&disk, Settings::default());
        let place = canonical(&SessionId::new(&self.id).unwrap()).unwrap();
        let start = Instant::now();
        let said = workspace.write(&place, &now(), &writer(), |cx| {
            let text = "a turn of ordinary length, as people type them";
            say(cx, &place, Role::User, text, None)
        });
        said.unwrap();
        self.took.push(start.elapsed().as_secs_f64() * 1000.0);
    }
}

/// A short talk, a long one and the bare append take turns.
fn append(root: &Path) {
    let (mut short, mut long) = (Talk::of(root, 10), Talk::of(root, 100_000));
    let mut file = std::fs::File::create(root.join("floor.jsonl")).unwrap();
    let mut floor = vec![];
    settle(root);
    for _ in 0..TURNS {
        short.say();
        let start = Instant::now();
        file.write_all(&[b'x'; 120]).unwrap();
        file.sync_data().unwrap();
        floor.push(start.elapsed().as_secs_f64() * 1000.0);
        long.say();
    }
    let (short, long, floor) = (median(short.took), median(long.took), median(floor));
    println!(
        "append of a turn to 10: {short:.3} ms, write and fdatasync alone {floor:.3} ms, ratio {:.2}",
        short / floor
    );
    println!(
        "append of a turn to 100000: {long:.3} ms, {:.2} times as long as to 10",
        long / short
    );
}

/// The least that all or none can cost: so many files are written beside the old ones, synced, renamed, synced.
fn beside(root: &Path, files: usize) -> f64 {
    let tasks = root.join("docs/maestro/tasks");
    let old = |n| tasks.join(format!("k{n}.json"));
    let new = |n| tasks.join(format!(".k{n}.new"));
    settle(root);
    let start = Instant::now();
    for n in 0..files {
        std::fs::write(new(n), task(n)).unwrap();
    }
    settle(root);
    for n in 0..files {
        std::fs::rename(new(n), old(n)).unwrap();
    }
    settle(root);
    start.elapsed().as_secs_f64()
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Ours and the floor take turns, so that whatever else the machine does hits both alike.
fn replays(root: &Path) {
    let names = ["whole", "tenth", "floor", "renamed", "renamed-tenth"];
    let [whole, tenth, other, renamed, renamed_tenth] = names.map(|name| root.join(name));
    for root in [&whole, &tenth, &other, &renamed, &renamed_tenth] {
        plan(root);
    }
    let (mut few, mut many, mut plain, mut durable) = (vec![], vec![], vec![], vec![]);
    let (mut few_renamed, mut many_renamed) = (vec![], vec![]);
    for round in 0..ROUNDS {
        many.push(ours(&whole, TASKS, round));
        let (alone, synced) = floor(&other, TASKS, round);
        plain.push(alone);
        durable.push(synced);
        few.push(ours(&tenth, TASKS / 10, round));
        many_renamed.push(beside(&renamed, TASKS));
        few_renamed.push(beside(&renamed_tenth, TASKS / 10));
    }
    let (few_renamed, many_renamed) = (median(few_renamed), median(many_renamed));
    let (few, many) = (median(few), median(many));
    let (plain, durable) = (median(plain), median(durable));
    println!("replay of {TASKS} operations on {TASKS} tasks: {many:.3} s");
    println!(
        "  reading and writing the files with serde_json: {plain:.3} s, ratio {:.2}",
        many / plain
    );
    println!(
        "  the same, synced once: {durable:.3} s, ratio {:.2}",
        many / durable
    );
    println!(
        "replay of a tenth of the operations: {few:.3} s; ten times as many take {:.1} times as long",
        many / few
    );
    println!(
        "  writing {TASKS} files beside, syncing, renaming and syncing alone: {many_renamed:.3} s (ratio {:.2}), a tenth of them \
         {few_renamed:.3} s; ten times as many take {:.1} times as long",
        many / many_renamed,
        many_renamed / few_renamed
    );
}

fn main() {
    let root: PathBuf =
        std::env::temp_dir().join(format!("segno-bench-discuss-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&root);
    append(&root);
    replays(&root);
    let _ = std::fs::remove_dir_all(&root);
}
