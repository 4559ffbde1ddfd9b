//! Every file of every kind, damaged in every way: each command still answers, nothing is destroyed, and the other
//! sessions are as they were.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::Env;
use crate::workshop::{files, workshop};

/// What stands in a file that was damaged; it must still be somewhere after a repair.
const MARK: &[u8] = b"\xff\xfeM4RK\x00: [";

type Damage = fn(&Path);

/// The ways in which a file goes bad.
const WAYS: [(&str, Damage); 6] = [
    ("half of it is gone", |file| {
        let bytes = std::fs::read(file).unwrap();
        std::fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("it is empty", |file| std::fs::write(file, "").unwrap()),
    ("it is something else", |file| {
        std::fs::write(file, MARK).unwrap();
    }),
    ("something else follows", |file| {
        let mut bytes = std::fs::read(file).unwrap();
        bytes.extend_from_slice(MARK);
        std::fs::write(file, bytes).unwrap();
    }),
    ("it is gone", |file| std::fs::remove_file(file).unwrap()),
    ("it is a directory", |file| {
        std::fs::remove_file(file).unwrap();
        std::fs::create_dir(file).unwrap();
    }),
];

/// The files that hold a kind's sessions, below the workspace.
fn truth(env: &Env, kind: &str) -> Vec<PathBuf> {
    let dirs: &[&str] = match kind {
        "brainstorm" => &["desk/.project-memory"],
        "conversation" => &["desk/conversations"],
        "discuss" => &["desk/docs/maestro"],
        "essay" => &["desk/essays"],
        _ => &["desk/.claude"],
    };
    let base = env.path("desk");
    let below = |dir: &&str| files(&env.path(dir)).into_keys();
    let found = dirs.iter().flat_map(below);
    let found: Vec<PathBuf> = found
        .map(|file| file.strip_prefix(&base).unwrap().to_path_buf())
        .collect();
    assert!(!found.is_empty(), "{kind}");
    found
}

fn holds(dir: &Path, mark: &[u8]) -> bool {
    files(dir)
        .values()
        .any(|bytes| bytes.windows(mark.len()).any(|part| part == mark))
}

fn damage_all_of(kind: &str) {
    let whole = workshop();
    let others = |env: &Env| -> Vec<String> {
        let json = env.run(["list", "--json"]).json();
        let sessions = json["sessions"].as_array().unwrap().clone();
        let other = sessions.iter().filter(|card| card["kind"] != kind);
        let mut titles: Vec<String> = other.map(|card| card["title"].to_string()).collect();
        titles.sort();
        titles
    };
    let expected = others(&whole);
    assert_eq!(expected.len(), 4);
    for file in truth(&whole, kind) {
        for (way, damage) in WAYS {
            let case = format!("{} of {kind}: {way}", file.display());
            let env = whole.copy();
            let path = env.path("desk").join(&file);
            damage(&path);
            let marked = path.is_file() && holds(path.parent().unwrap(), MARK);
            let bare: [&str; 0] = [];
            assert_eq!(env.run(bare).code, 0, "{case}");
            assert_eq!(others(&env), expected, "{case}");
            // What can still be read is found: the other four all speak of the log.
            let found = env
                .run(["search", "log", "--json", "--limit", "100"])
                .json();
            let hits = found["hits"].as_array().unwrap().iter();
            let kinds: BTreeSet<&str> = hits.filter_map(|hit| hit["kind"].as_str()).collect();
            assert!(kinds.len() >= 4, "{case}: {kinds:?}");
            let found = env.run(["check"]);
            assert!([0, 3].contains(&found.code), "{case}: {found:?}");
            let fixed = env.run(["check", "--fix", "--json"]);
            assert!([0, 3].contains(&fixed.code), "{case}: {fixed:?}");
            let repaired = env.run(["recover"]);
            assert!([0, 1, 3].contains(&repaired.code), "{case}: {repaired:?}");
            if repaired.code == 0 {
                let again = env.run(["check"]);
                assert_eq!(again.code, 0, "{case}: repaired, and yet {again:?}");
            }
            assert!(
                !marked || holds(&env.path("desk"), MARK),
                "{case}: destroyed"
            );
            assert_eq!(others(&env), expected, "{case}, after the repair");
        }
    }
}

#[test]
fn a_brainstorm_may_break_in_any_way() {
    damage_all_of("brainstorm");
}

#[test]
fn a_conversation_may_break_in_any_way() {
    damage_all_of("conversation");
}

#[test]
fn a_discussion_may_break_in_any_way() {
    damage_all_of("discuss");
}

#[test]
fn an_essay_may_break_in_any_way() {
    damage_all_of("essay");
}

#[test]
fn a_handover_may_break_in_any_way() {
    damage_all_of("handover");
}

#[test]
fn fix_repairs_what_loses_nothing_and_leaves_the_rest_with_instructions() {
    let env = workshop();
    let messages = files(&env.path("desk/conversations"));
    let (messages, bytes) = messages
        .into_iter()
        .find(|(path, _)| path.ends_with("messages.jsonl"))
        .unwrap();
    let mut torn = bytes.clone();
    torn.extend_from_slice(b"{\"role\": \"us");
    std::fs::write(&messages, &torn).unwrap();
    env.write(
        "desk/.project-memory/brainstorm-sessions/log-store.yaml",
        MARK,
    );

    let found = env.run(["check"]);
    assert_eq!(found.code, 3, "{found:?}");
    assert!(
        found
            .stdout
            .contains("segno recover conversation/001-plan-where-to-keep-the-log"),
        "{}",
        found.stdout
    );

    let fixed = env.run(["check", "--fix"]);
    assert_eq!(fixed.code, 3, "{fixed:?}");
    assert_eq!(
        std::fs::read(&messages).unwrap(),
        bytes,
        "the torn line is set aside"
    );
    assert!(
        holds(&env.path("desk"), b"{\"role\": \"us"),
        "and not destroyed"
    );
    assert!(
        fixed.stdout.contains("log-store.yaml"),
        "what is left is said: {}",
        fixed.stdout
    );
    let kept = std::fs::read(env.path("desk/.project-memory/brainstorm-sessions/log-store.yaml"));
    assert_eq!(
        kept.unwrap(),
        MARK,
        "what cannot be repaired without a loss is left alone"
    );

    let json = env.run(["check", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let left = json["problems"].as_array().unwrap();
    assert!(
        !left.is_empty()
            && left
                .iter()
                .all(|problem| problem["session"] == "brainstorm/log-store"),
        "{json}"
    );
}

#[test]
fn a_history_that_is_gone_is_noticed() {
    let whole = workshop();
    for (kind, name, way) in [
        ("conversation", "messages.jsonl", 4),
        ("discuss", "transcript.jsonl", 1),
        ("discuss", "transcript.jsonl", 4),
        ("essay", "session-state.yaml", 1),
        ("essay", "session-state.yaml", 4),
    ] {
        let env = whole.copy();
        let file = truth(&env, kind)
            .into_iter()
            .find(|file| file.ends_with(name))
            .unwrap();
        let (how, damage) = WAYS[way];
        damage(&env.path("desk").join(&file));
        let found = env.run(["check"]);
        assert_eq!(found.code, 3, "{name}: {how}: {found:?}");
        assert!(found.stdout.contains(name), "{}", found.stdout);
    }
}

/// Half a line at the end of the discussion, which comes after the conversation in every list.
fn tear_the_discussion(env: &Env) -> PathBuf {
    let mut found = files(&env.path("desk/docs/maestro")).into_keys();
    let transcript = found.find(|path| path.ends_with("transcript.jsonl"));
    let transcript = transcript.unwrap();
    let mut bytes = std::fs::read(&transcript).unwrap();
    bytes.extend_from_slice(b"{\"half");
    std::fs::write(&transcript, bytes).unwrap();
    transcript
}

fn conversation_file(env: &Env, name: &str) -> PathBuf {
    let mut found = files(&env.path("desk/conversations")).into_keys();
    found.find(|path| path.ends_with(name)).unwrap()
}

fn is_torn(transcript: &Path) -> bool {
    std::fs::read(transcript).unwrap().ends_with(b"{\"half")
}

#[test]
fn one_session_that_cannot_be_repaired_keeps_no_other_from_it() {
    let whole = workshop();
    for args in [&["check", "--fix"][..], &["recover"]] {
        let env = whole.copy();
        let state = conversation_file(&env, "session.json");
        std::fs::remove_file(&state).unwrap();
        std::fs::create_dir(&state).unwrap();
        let transcript = tear_the_discussion(&env);
        let done = env.run(args);
        assert_eq!(done.code, 3, "{args:?}: {done:?}");
        assert!(!is_torn(&transcript), "{args:?}: {done:?}");
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(
            said.contains("conversation/001-plan-where-to-keep-the-log")
                && done.stdout.contains("unreadable"),
            "{args:?}: {done:?}"
        );
    }
}

#[test]
fn a_newer_version_is_no_repair_of_ours_and_keeps_no_other_from_it() {
    let whole = workshop();
    for args in [&["check", "--fix"][..], &["recover"]] {
        let env = whole.copy();
        let state = conversation_file(&env, "session.json");
        let text = std::fs::read_to_string(&state).unwrap();
        std::fs::write(&state, text.replace("\"1.0\"", "\"99.0\"")).unwrap();
        let messages = conversation_file(&env, "messages.jsonl");
        let mut bytes = std::fs::read(&messages).unwrap();
        bytes.extend_from_slice(b"{\"role");
        std::fs::write(&messages, &bytes).unwrap();
        let found = env.run(["check"]);
        assert_eq!(found.code, 3);
        assert!(
            found.stdout.contains("torn_tail") && !found.stdout.contains("segno recover"),
            "{}",
            found.stdout
        );
        let transcript = tear_the_discussion(&env);
        let done = env.run(args);
        assert_eq!(done.code, 3, "{args:?}: {done:?}");
        assert!(!is_torn(&transcript), "{args:?}: {done:?}");
        assert!(done.stdout.contains("too_new"), "{args:?}: {done:?}");
        assert_eq!(std::fs::read(&messages).unwrap(), bytes, "{args:?}");
    }
}

#[test]
fn a_session_that_is_being_written_is_left_and_the_others_are_repaired() {
    use segno_disk::lock::Holder;

    let whole = workshop();
    for args in [&["check", "--fix"][..], &["recover"]] {
        let env = whole.copy();
        let messages = conversation_file(&env, "messages.jsonl");
        let mut bytes = std::fs::read(&messages).unwrap();
        bytes.extend_from_slice(b"{\"role");
        std::fs::write(&messages, &bytes).unwrap();
        let transcript = tear_the_discussion(&env);
        env.write("desk/.segno/config.toml", "[lock]\ntimeout_ms = 0\n");
        let disk = segno_disk::RealDisk::open(&env.path("desk")).unwrap();
        let own = segno_disk::RelPath::new(".segno").unwrap();
        let volume = segno_disk::Volume::new(&disk, own);
        let holder = Holder {
            pid: std::process::id(),
            program: "a test".into(),
            since: "2026-11-18T09:30:00Z".into(),
        };
        let dir = messages.parent().unwrap().parent().unwrap();
        let dir = dir.strip_prefix(env.path("desk")).unwrap();
        let name = format!("conversation-{}", dir.to_str().unwrap().replace('/', "_"));
        let held = volume.lock(&name, &holder, std::time::Duration::ZERO);
        let held = held.unwrap();
        let done = env.run(args);
        assert_eq!(done.code, 4, "{args:?}: {done:?}");
        assert!(!is_torn(&transcript), "{args:?}: {done:?}");
        assert!(
            done.stderr.contains("conversation/001") && done.stderr.contains("a test"),
            "{args:?}: {done:?}"
        );
        drop(held);
        assert_eq!(env.run(args).code, 0);
    }
}

#[test]
fn a_repair_is_named_so_that_it_can_be_pasted_also_where_an_id_repeats() {
    let env = workshop();
    let dir = conversation_file(&env, "session.json");
    let dir = dir.parent().unwrap().parent().unwrap().to_path_buf();
    let other = env
        .path("desk/conversations/2026-11-17")
        .join(dir.file_name().unwrap());
    for (path, bytes) in files(&dir) {
        let target = other.join(path.strip_prefix(&dir).unwrap());
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::write(target, bytes).unwrap();
    }
    let messages = other.join(".session/messages.jsonl");
    let mut bytes = std::fs::read(&messages).unwrap();
    bytes.extend_from_slice(b"{\"role");
    std::fs::write(&messages, &bytes).unwrap();
    let found = env.run(["check", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let command = found["problems"][0]["command"].as_str().unwrap().to_owned();
    let args = command.split(' ').skip(1);
    let place = env.path("").to_str().unwrap().to_owned();
    let args = args.map(|arg| arg.replace("[ENV]/", &place));
    let done = env.run(args);
    assert_eq!(done.code, 0, "{command}: {done:?}");
    assert_eq!(env.run(["check"]).code, 0);
}

#[test]
fn a_problem_is_one_line_with_its_code_and_the_command_that_repairs_it() {
    let env = workshop();
    let transcript = tear_the_discussion(&env);
    let found = env.run(["check"]);
    let file = transcript.strip_prefix(env.path("desk")).unwrap();
    let id = file
        .parent()
        .unwrap()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap();
    let lines: Vec<&str> = found.stdout.lines().collect();
    assert_eq!(lines.len(), 1, "{}", found.stdout);
    let begin = format!("discuss/{id}  torn_tail  {}", file.display());
    assert!(lines[0].starts_with(&begin), "{}", lines[0]);
    let end = format!("  -> segno recover discuss/{id}");
    assert!(lines[0].ends_with(&end), "{}", lines[0]);
    let json = env.run(["check", "--json"]).stdout;
    assert!(
        json.contains(&format!("\"command\":\"segno recover discuss/{id}\"")),
        "{json}"
    );
}

const MERGE: &[u8] = b"<<<<<<< ours\n{}\n=======\n[\n>>>>>>> theirs\n";

#[test]
fn a_file_that_is_wrecked_as_a_whole_is_never_called_sound() {
    let whole = workshop();
    whole.write("desk/.claude/sdd/handover/buffer.md", "# Buffer\n");
    let cases: [(&str, &str, &[u8], &str); 14] = [
        ("essay", "stage-1-thesis.md", b"", "file_empty"),
        ("essay", "stage-1-thesis.md", b"\0\0\0\0", "file_nul"),
        ("essay", "stage-1-thesis.md", MERGE, "merge_conflict"),
        (
            "essay",
            "stage-1-thesis.md",
            b"# Approved",
            "artifact_incomplete",
        ),
        ("essay", "session-state.yaml", MERGE, "merge_conflict"),
        ("handover", "session.md", b"", "file_empty"),
        ("handover", "session.md", b"\0\0\0", "file_nul"),
        ("handover", "decisions.md", b"", "file_empty"),
        ("handover", "buffer.md", b"\0\0\0", "file_nul"),
        ("conversation", "messages.jsonl", MERGE, "merge_conflict"),
        ("conversation", "session.json", MERGE, "merge_conflict"),
        ("brainstorm", "log-store.yaml", MERGE, "merge_conflict"),
        ("discuss", "transcript.jsonl", MERGE, "merge_conflict"),
        ("discuss", "meta.json", MERGE, "merge_conflict"),
    ];
    for (kind, name, bytes, code) in cases {
        let env = whole.copy();
        let file = truth(&env, kind)
            .into_iter()
            .find(|file| file.ends_with(name))
            .unwrap_or_else(|| panic!("{kind}: {name}"));
        let file = env.path("desk").join(file);
        std::fs::write(&file, bytes).unwrap();
        let found = env.run(["check"]);
        assert_eq!(found.code, 3, "{name}: {code}: {found:?}");
        assert!(found.stdout.contains(code), "{name}: {found:?}");
        let fixed = env.run(["check", "--fix"]);
        assert_eq!(fixed.code, 3, "{name}: {code}: {fixed:?}");
        if code == "merge_conflict" {
            assert_eq!(env.run(["recover"]).code, 3, "{name}");
        }
        assert_eq!(std::fs::read(&file).unwrap(), bytes, "{name}: {code}");
    }
}

#[test]
fn one_byte_in_another_encoding_hides_no_handover_and_is_not_written_over() {
    let env = workshop();
    let file = truth(&env, "handover")
        .into_iter()
        .find(|file| file.ends_with("session.md"))
        .unwrap();
    let file = env.path("desk").join(file);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.extend_from_slice(b"\ncaf\xe9\n");
    std::fs::write(&file, &bytes).unwrap();
    for args in [
        &["show", "handover/current"][..],
        &["resume", "handover/current", "--print"],
        &["handover", "resume", "--full"],
        &["search", "kind:handover", "write the reader"],
    ] {
        let done = env.run(args);
        assert_eq!(done.code, 0, "{args:?}: {done:?}");
        assert!(
            done.stdout.contains("Write the reader"),
            "{args:?}: {done:?}"
        );
    }
    assert!(env.run(["check"]).stdout.contains("not_utf8"));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn what_cannot_be_read_is_shown_as_damaged_and_nobody_is_sent_there() {
    let env = Env::new();
    let dir = "desk/.project-memory/brainstorm-sessions";
    env.write(&format!("{dir}/b1.yaml"), "slug: [unclosed");
    let bare: [&str; 0] = [];
    let done = env.run(bare);
    assert!(
        !done.stdout.contains("segno resume") && done.stdout.contains("segno check brainstorm/b1"),
        "{}",
        done.stdout
    );
    let list = env.run(["list"]).stdout;
    assert!(list.contains("damaged") && !list.contains("EMS"), "{list}");
    let resumed = env.run(["resume", "b1", "--print"]);
    assert_eq!(resumed.code, 3);
    assert!(
        !resumed.stderr.contains("segno recover"),
        "{}",
        resumed.stderr
    );
}
