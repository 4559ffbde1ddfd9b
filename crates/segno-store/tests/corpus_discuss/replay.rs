//! Replay: strict, all or none, deterministic, and the same when it is done twice.

use segno_disk::{RelPath, SimDisk};
use segno_store::formats::Format as _;
use segno_store::formats::Root;
use segno_store::formats::discuss::replay::ReplayOptions;
use segno_store::formats::discuss::{Discuss, plan};

use crate::{SESSIONS, apply, corpus, effects, ended, file, find, now, plan_files, run, workspace};

const MANY: &str = r#"[
    {"op_type": "add_track", "data": {"track_name": "Second Track"}},
    {"op_type": "add_phase", "data": {"track_name": "second track", "phase_name": "Phase: One", "phase_id": "PH-ONE"}},
    {"op_type": "add_task", "data": {"phase_id": "PH-ONE", "task_name": "Same", "task_id": "mine"}},
    {"op_type": "add_task", "data": {"phase_id": "PH-ONE", "task_name": "Same"}},
    {"op_type": "move_task", "data": {"task_id": "mine", "source_phase_id": "ph-one", "target_phase_id": "core"}},
    {"op_type": "edit_task_fields", "data": {"task_id": "mine", "fields": {"priority": "P1", "notes": ["n"], "description": "d"}}},
    {"op_type": "mark_done", "data": {"item_type": "phase", "item_id": "core"}},
    {"op_type": "mark_todo", "data": {"item_id": "write-parser"}}
]"#;

#[test]
fn a_malformed_line_fails_the_replay_with_an_audit_line_and_reading_shows_the_rest() {
    let disk = corpus("broken");
    let replayed = apply(&disk, "bad-line");
    assert!(replayed.result.unwrap_err().message.contains("line 2"));
    let text = file(&disk, &format!("{SESSIONS}/bad-line/transcript.jsonl"));
    assert!(
        text.lines()
            .last()
            .unwrap()
            .contains("\"result\": \"REPLAY_FAIL\"")
    );
    let workspace = workspace(&disk);
    let (place, moment) = (find(&workspace, "bad-line"), now(0));
    let brief = Discuss
        .brief(&workspace.context(Root::Workspace, &moment), &place, None)
        .unwrap();
    assert_eq!(
        brief
            .turns
            .iter()
            .filter(|turn| turn.role == "user")
            .count(),
        2
    );
}

#[test]
fn strict_validation_fails_before_anything_is_applied() {
    for (operations, why) in [
        (
            r#"[{"op_type": "INVALID_OP_TYPE", "data": {}}]"#,
            "unknown operation `INVALID_OP_TYPE`",
        ),
        (
            r#"[{"op_type": "mark_done", "data": {"item_id": 7}}]"#,
            "not a text",
        ),
        (r"{}", "not a list"),
        (r"[]", "no operations"),
    ] {
        let disk = corpus("examples");
        let id = "7d9f2a10-5c1b-4e0f-9a55-2f6f7a1c0b11";
        let path = format!("{SESSIONS}/{id}/transcript.jsonl");
        let line = format!(
            "{{\"ts\": \"\", \"type\": \"final_json\", \"payload\": {{\"patch_operations\": {operations}}}}}\n"
        );
        disk.plant(&RelPath::new(&path).unwrap(), line.as_bytes());
        let before = plan_files(&disk);
        let failure = apply(&disk, id).result.unwrap_err();
        assert!(failure.message.contains(why), "{}", failure.message);
        assert_eq!(plan_files(&disk), before);
        let text = file(&disk, &path);
        let types: Vec<bool> = text
            .lines()
            .skip(1)
            .map(|line| line.contains("REPLAY_FAIL"))
            .collect();
        assert_eq!(types, [false, true], "an error, then the run");
    }
}

#[test]
fn a_context_that_was_lost_is_gated_by_its_contract() {
    let disk = corpus("examples");
    let replayed = apply(&disk, "lost-context");
    assert_eq!(effects(&replayed), ["added"]);
    assert!(file(&disk, "docs/maestro/tasks/core.1.json").contains("Write the printer"));
    assert!(
        file(&disk, &format!("{SESSIONS}/lost-context/meta.json")).contains("\"colour\": \"kept\"")
    );
}

#[test]
fn a_replay_keeps_every_byte_it_does_not_change() {
    let disk = corpus("examples");
    let before = plan_files(&disk);
    apply(&disk, "7d9f");
    let after = plan_files(&disk);
    let changed: Vec<&String> = after
        .keys()
        .filter(|key| before.get(*key) != after.get(*key))
        .collect();
    assert_eq!(changed, ["docs/maestro/tasks/write-parser.json"]);
    let expected = before["docs/maestro/tasks/write-parser.json"]
        .replace("\"status\": \"planned\"", "\"status\": \"done\"")
        .replace("\"completed\": false", "\"completed\": true")
        .replace("2026-02-01T08:00:00", "2026-02-03T09:04:00");
    assert_eq!(after["docs/maestro/tasks/write-parser.json"], expected);
}

#[test]
fn replay_is_deterministic_whatever_the_clock() {
    let (first, second) = (ended(MANY), ended(MANY));
    run(&first, "s", ReplayOptions::default(), 10);
    run(&second, "s", ReplayOptions::default(), 99_999);
    assert_eq!(plan_files(&first), plan_files(&second));
    // The session differs in the recorded times alone.
    let (one, other) = (recorded(&first), recorded(&second));
    assert_eq!(one, other);
    assert!(one.contains("REPLAY_OK") && one.contains("\"status\": \"closed\""));
}

/// Both files of the session, without the times that a replay records.
fn recorded(disk: &SimDisk) -> String {
    let transcript = file(disk, &format!("{SESSIONS}/s/transcript.jsonl"));
    let lines = transcript.lines().map(|line| {
        let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
        if event["type"] == "replay_run" {
            event["ts"] = serde_json::Value::Null;
        }
        event.to_string() + "\n"
    });
    let lines: String = lines.collect();
    let meta = file(disk, &format!("{SESSIONS}/s/meta.json"));
    let meta = meta
        .lines()
        .flat_map(|line| line.split(", "))
        .filter(|member| !member.contains("\"updated_at\""));
    lines + &meta.collect::<String>()
}

#[test]
fn a_second_replay_says_what_is_already_there_and_changes_nothing() {
    let disk = ended(MANY);
    let first = apply(&disk, "s");
    assert_eq!(
        effects(&first),
        [
            "added", "added", "added", "added", "changed", "changed", "changed", "changed"
        ]
    );
    let plan = plan_files(&disk);
    assert!(plan["docs/maestro/phases/core.json"].contains("\"ph-one.1\""));
    assert!(!plan["docs/maestro/phases/ph-one.json"].contains("\"ph-one.1\""));
    assert!(plan["docs/maestro/tasks/ph-one.1.json"].contains("\"notes\": [\n      \"n\"\n    ]"));
    assert!(plan["docs/maestro/index.json"].contains("\"second-track\""));
    let second = apply(&disk, "s");
    assert_eq!(effects(&second), ["already_there"; 8]);
    assert_eq!(plan_files(&disk), plan);
    // Also when the audit of the first run was written by a program that records no ids.
    let disk = ended(
        r#"[{"op_type": "add_task", "data": {"phase_id": "core", "task_name": "A"}},
        {"op_type": "add_task", "data": {"phase_id": "core", "task_name": "A"}}]"#,
    );
    apply(&disk, "s");
    let path = format!("{SESSIONS}/s/transcript.jsonl");
    let text = file(&disk, &path).replace("\"items\"", "\"other\"");
    disk.plant(&RelPath::new(&path).unwrap(), text.as_bytes());
    let plan = plan_files(&disk);
    assert_eq!(effects(&apply(&disk, "s")), ["already_there"; 2]);
    assert_eq!(plan_files(&disk), plan);
}

#[test]
fn every_operation_that_cannot_be_carried_out_leaves_the_plan_as_it_was() {
    for (operation, why) in [
        (
            r#"{"op_type": "add_phase", "data": {"track_id": "x", "phase_name": "p"}}"#,
            "Track 'x' not found",
        ),
        (
            r#"{"op_type": "add_task", "data": {"phase_id": "x", "task_name": "p"}}"#,
            "Phase 'x' not found",
        ),
        (
            r#"{"op_type": "move_task", "data": {"task_id": "write-parser", "source_phase_id": "core", "target_phase_id": "x"}}"#,
            "Phase 'x' not found",
        ),
        (
            r#"{"op_type": "edit_task_fields", "data": {"task_id": "write-parser", "fields": {"completed": "yes"}}}"#,
            "takes true or false, not a text",
        ),
        (
            r#"{"op_type": "edit_task_fields", "data": {"task_id": "write-parser", "fields": {"phase_id": "x"}}}"#,
            "cannot be edited",
        ),
        (
            r#"{"op_type": "mark_done", "data": {"item_id": "../../escape"}}"#,
            "not found",
        ),
        (
            r#"{"op_type": "mark_done", "data": {"item_type": "track", "item_id": "x"}}"#,
            "Track 'x' not found",
        ),
    ] {
        let disk = ended(&format!(
            r#"[{{"op_type": "mark_done", "data": {{"item_id": "write-parser"}}}}, {operation}]"#
        ));
        let before = plan_files(&disk);
        let failure = apply(&disk, "s").result.unwrap_err();
        assert!(failure.message.contains(why), "{}", failure.message);
        assert_eq!(plan_files(&disk), before, "{why}");
    }
}

#[test]
fn a_broken_file_of_the_plan_is_named_and_never_written() {
    let disk = ended(MANY);
    disk.plant(
        &RelPath::new("docs/maestro/phases/core.json").unwrap(),
        b"{\"tasks\": ",
    );
    let before = plan_files(&disk);
    let failure = apply(&disk, "s").result.unwrap_err();
    assert!(
        failure
            .message
            .contains("docs/maestro/phases/core.json cannot be read"),
        "{}",
        failure.message
    );
    assert_eq!(plan_files(&disk), before);
    let tree = plan::tree(&disk).unwrap();
    assert_eq!(tree.problems[0].code, "plan_unreadable");
}

#[test]
fn a_parent_is_found_by_the_name_that_it_has_at_that_moment() {
    let list = r#"[
        {"op_type": "add_phase", "data": {"track_name": "ENGINE", "phase_name": "Speed"}},
        {"op_type": "add_task", "data": {"phase_name": "speed", "task_name": "Measure"}},
        {"op_type": "add_track", "data": {"track_id": "engine", "track_name": "Motor"}},
        {"op_type": "add_phase", "data": {"track_name": "motor", "phase_name": "Polish"}},
        {"op_type": "add_task", "data": {"phase_name": "Polish", "track_id": "engine", "task_name": "Sand"}}
    ]"#;
    let disk = ended(list);
    let replayed = apply(&disk, "s");
    assert_eq!(
        effects(&replayed),
        ["added", "added", "changed", "added", "added"]
    );
    let plan = plan_files(&disk);
    assert!(plan["docs/maestro/tasks/polish.1.json"].contains("\"phase_id\": \"polish\""));
    // The name that it had no longer means anything.
    let disk = ended(&list.replace("\"motor\"", "\"Engine\""));
    let failure = apply(&disk, "s").result.unwrap_err();
    assert_eq!(failure.message, "Track 'Engine' not found");
    // Two of one name are not chosen between.
    let disk = ended(
        r#"[{"op_type": "add_phase", "data": {"track_id": "engine", "phase_id": "core", "phase_name": "Core"}},
        {"op_type": "add_track", "data": {"track_name": "Other"}},
        {"op_type": "add_phase", "data": {"track_id": "other", "phase_name": "core"}},
        {"op_type": "add_task", "data": {"phase_name": "CORE", "task_name": "x"}}]"#,
    );
    let failure = apply(&disk, "s").result.unwrap_err();
    assert!(
        failure
            .message
            .starts_with("'CORE' names 2 phases: core, core-2"),
        "{}",
        failure.message
    );
}

#[test]
fn a_replay_without_a_final_json_fails_and_says_how_to_get_one() {
    let disk = ended(MANY);
    let path = format!("{SESSIONS}/s/transcript.jsonl");
    let first = file(&disk, &path).lines().next().unwrap().to_owned() + "\n";
    disk.plant(&RelPath::new(&path).unwrap(), first.as_bytes());
    for dry_run in [true, false] {
        let options = ReplayOptions {
            dry_run,
            ..ReplayOptions::default()
        };
        let failure = run(&disk, "s", options, 0).result.unwrap_err();
        assert!(
            failure.message.contains("No final_json event found")
                && failure.message.contains("/done"),
            "{}",
            failure.message
        );
    }
    let text = file(&disk, &path);
    let types: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].take())
        .collect();
    assert_eq!(
        types,
        ["user_message", "error", "replay_run", "error", "replay_run"]
    );
    assert!(
        text.contains("\"dry_run\": true"),
        "dry ones are recorded too"
    );
}

#[test]
fn an_operation_that_the_contract_forbids_fails_whatever_the_context_allows() {
    let disk = ended(r#"[{"op_type": "add_track", "data": {"track_name": "T"}}]"#);
    let path = RelPath::new(&format!("{SESSIONS}/s/meta.json")).unwrap();
    let meta = file(&disk, path.as_str()).replace(
        "\"contract_type\": \"global\"",
        "\"contract_type\": \"phase\"",
    );
    disk.plant(&path, meta.as_bytes());
    for allow_cross_context in [false, true] {
        let options = ReplayOptions {
            allow_cross_context,
            ..ReplayOptions::default()
        };
        let failure = run(&disk, "s", options, 0).result.unwrap_err();
        assert!(
            failure
                .message
                .contains("not allowed by the phase contract"),
            "{}",
            failure.message
        );
    }
}

#[test]
fn a_first_replay_adds_a_task_of_a_name_that_is_there_already() {
    let list = r#"[{"op_type": "add_task", "data": {"phase_id": "core", "task_name": "Write the parser"}}]"#;
    let disk = ended(list);
    let before = plan_files(&disk);
    let name = before["docs/maestro/tasks/write-parser.json"].clone();
    let named = name.lines().find(|line| line.contains("\"name\"")).unwrap();
    assert!(named.contains("Write the parser"), "{named}");
    assert_eq!(effects(&apply(&disk, "s")), ["added"]);
    assert!(plan_files(&disk).contains_key("docs/maestro/tasks/core.1.json"));
    assert_eq!(effects(&apply(&disk, "s")), ["already_there"]);
}
