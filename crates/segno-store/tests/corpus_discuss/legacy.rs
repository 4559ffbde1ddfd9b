//! The older sorts of session: read field by field, replayed, migrated, and never touched.

use std::collections::BTreeMap;

use segno_disk::{RelPath, SimDisk};
use segno_store::formats::discuss::Discuss;
use segno_store::formats::discuss::replay::{ReplayOptions, replay};
use segno_store::formats::{Format as _, Plan};
use serde_json::{Value, json};

use crate::{SESSIONS, apply, codes, corpus, effects, file, find, now, recover, workspace, writer};

#[test]
fn old_sessions_are_read_replayed_and_migrated_and_never_touched() {
    let disk = corpus("old");
    let workspace = workspace(&disk);
    let old: BTreeMap<String, Vec<u8>> = disk
        .files()
        .into_iter()
        .map(|(path, bytes)| (path.to_string(), bytes.clone()))
        .collect();
    let places = workspace.places(None, &now(0)).unwrap();
    let mut titles: Vec<String> = places
        .iter()
        .map(|place| workspace.card(place, &now(0)).title)
        .collect();
    titles.sort();
    assert_eq!(
        titles,
        [
            "Close the phase",
            "Is it finished?",
            "Look at the parser",
            "Plan a track",
            "Plan the engine",
            "second"
        ]
    );
    let migrate = || -> usize {
        let mut made = 0;
        for place in workspace.places(None, &now(0)).unwrap() {
            let written = workspace.write(&place, &now(0), &writer(), |cx| {
                Ok(match Discuss.migrate(cx, &place)? {
                    Some(plan) => Plan {
                        changes: plan.changes,
                        unit: plan.unit,
                        outcome: 1,
                    },
                    None => Plan::nothing(0),
                })
            });
            made += written.unwrap().outcome;
        }
        made
    };
    assert_eq!((migrate(), migrate()), (6, 0));
    // What a migration makes is sound, also of a session in which nothing was said.
    for place in workspace.places(None, &now(0)).unwrap() {
        let now = now(0);
        let cx = workspace.context(place.root, &now);
        let problems = Discuss.check(&cx, &place).unwrap();
        let expected = usize::from(place.id.as_str() == "other-tool");
        assert_eq!(problems.len(), expected, "{place:?}: {problems:?}");
    }
    for (path, bytes) in &old {
        assert_eq!(
            disk.files()
                .into_iter()
                .find(|(found, _)| found.to_string() == *path)
                .unwrap()
                .1
                .clone(),
            *bytes
        );
    }
    let text = file(
        &disk,
        &format!("{SESSIONS}/11aa22bb-0000-4000-8000-000000000001/transcript.jsonl"),
    );
    let expected = "{\"ts\": \"2025-12-20T10:05:00.000001\", \"type\": \"user_message\", \"payload\": {\"content\": \"Is it finished?\"}}\n\
        {\"ts\": \"2025-12-20T10:05:00.000001\", \"type\": \"assistant_message\", \"payload\": {\"content\": \"Nearly.\", \"model\": \"small\"}}\n";
    assert!(text.starts_with(expected), "{text}");
    let meta = file(
        &disk,
        &format!("{SESSIONS}/11aa22bb-0000-4000-8000-000000000001/meta.json"),
    );
    assert!(
        meta.contains(
            "(migrated from docs/sessions/11aa22bb-0000-4000-8000-000000000001/session.json)"
        ),
        "{meta}"
    );
    assert!(
        meta.contains("\"kind\": \"task\"") && meta.contains("\"status\": \"open\""),
        "{meta}"
    );
    assert_eq!(effects(&apply(&disk, "11aa")), ["changed"]);
    assert_eq!(effects(&apply(&disk, "discuss_track")), ["added"]);
    assert_eq!(effects(&apply(&disk, "first")), ["added"]);
    assert_eq!(effects(&apply(&disk, "second")), ["added"]);
    assert!(
        !disk
            .files()
            .into_iter()
            .any(|(path, _)| path.to_string().starts_with(".maestro")
                && !old.contains_key(&path.to_string()))
    );
}

#[test]
fn an_older_session_replayed_before_it_is_migrated_gets_its_audit_in_a_canonical_one() {
    let disk = corpus("old");
    assert_eq!(effects(&apply(&disk, "first")), ["added"]);
    let text = file(&disk, &format!("{SESSIONS}/first/transcript.jsonl"));
    assert!(text.lines().last().unwrap().contains("REPLAY_OK"), "{text}");
    assert_eq!(effects(&apply(&disk, "first")), ["already_there"]);
    let failed = apply(&disk, "discuss_task_20251223").result.unwrap_err();
    assert!(
        failed.message.contains("No final_json event found"),
        "{}",
        failed.message
    );
}

fn plant(disk: &SimDisk, path: &str, content: &Value) {
    disk.plant(&RelPath::new(path).unwrap(), content.to_string().as_bytes());
}

/// What a migration makes of the session: its two files.
fn migrated(disk: &SimDisk, id: &str) -> (Value, Vec<Value>) {
    let workspace = workspace(disk);
    let place = find(&workspace, id);
    let written = workspace.write(&place, &now(0), &writer(), |cx| {
        let plan = Discuss.migrate(cx, &place)?;
        Ok(plan.expect("there is something to migrate"))
    });
    written.unwrap();
    let meta = file(disk, &format!("{SESSIONS}/{id}/meta.json"));
    let lines = file(disk, &format!("{SESSIONS}/{id}/transcript.jsonl"));
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    (serde_json::from_str(&meta).unwrap(), lines.collect())
}

#[test]
fn a_work_session_is_read_field_by_field() {
    // Status, the older fields that say what it is about, the later ones, and what follows.
    let table = [
        (
            "running",
            json!({"task_id": "k", "phase_id": "p", "track_id": "t"}),
            Value::Null,
            ("task", "k", "task", "open"),
        ),
        (
            "paused",
            json!({"phase_id": "p", "track_id": "t"}),
            Value::Null,
            ("phase", "p", "phase", "open"),
        ),
        (
            "completed",
            json!({"track_id": "t"}),
            Value::Null,
            ("track", "t", "track", "closed"),
        ),
        (
            "interrupted",
            json!({"issue_id": "i"}),
            Value::Null,
            ("global", "", "global", "closed"),
        ),
        (
            "failed",
            json!({}),
            Value::Null,
            ("global", "", "global", "closed"),
        ),
        (
            "running",
            json!({"task_id": "k"}),
            json!({"kind": "issues", "ref": "i"}),
            ("issues", "i", "global", "open"),
        ),
        (
            "running",
            json!({"task_id": "k"}),
            json!({"kind": "repo", "ref": null}),
            ("repo", "", "global", "open"),
        ),
    ];
    for (place, (status, related, context, expected)) in table.into_iter().enumerate() {
        let disk = SimDisk::new();
        let id = format!("ws-{place}");
        let mut session = json!({
            "session_id": id, "session_type": "discussion", "parent_session_id": null, "status": status,
            "created": "2025-12-20T10:00:00.5", "modified": "2025-12-20T11:00:00", "related_entity": related,
            "breadcrumbs_dir": "anywhere", "metadata": {"cookie": "c", "git_branch": "main"},
        });
        if !context.is_null() {
            session["context"] = context;
            session["purpose"] = json!("What for");
            session["state"] = json!("running");
            session["created_at"] = json!("2025-12-20T10:00:00.5");
            session["children_wsession_ids"] = json!([]);
        }
        plant(&disk, &format!("docs/sessions/{id}/session.json"), &session);
        let (meta, events) = migrated(&disk, &id);
        let found = (
            meta["context"]["kind"].as_str().unwrap(),
            meta["context"]["ref"].as_str().unwrap_or_default(),
            meta["contract_type"].as_str().unwrap(),
            meta["status"].as_str().unwrap(),
        );
        assert_eq!(found, expected, "{session}");
        assert_eq!(meta["session_id"], id);
        assert_eq!(meta["wsession_id"], id);
        assert_eq!(meta["created_at"], "2025-12-20T10:00:00.5");
        assert_eq!(meta["updated_at"], "2025-12-20T11:00:00");
        assert_eq!(meta["engine"], "unknown");
        let prompt = if session.get("purpose").is_some() {
            "What for"
        } else {
            ""
        };
        assert_eq!(meta["initial_prompt"], prompt);
        // Nothing was said in it: it begins with what it was for.
        let turns: Vec<&str> = events
            .iter()
            .map(|event| event["payload"]["content"].as_str().unwrap())
            .collect();
        let expected: &[&str] = if prompt.is_empty() { &[] } else { &[prompt] };
        assert_eq!(turns, expected);
    }
}

#[test]
fn a_breadcrumb_at_any_depth_is_a_turn_with_everything_it_says() {
    let disk = SimDisk::new();
    let dir = "docs/sessions/ws";
    plant(
        &disk,
        &format!("{dir}/session.json"),
        &json!({"session_id": "ws", "session_type": "work_task", "status": "running"}),
    );
    let full = json!({
        "timestamp": "20251220_100500_000007", "breadcrumb_id": "b", "prompt": "Do it", "response": "Done",
        "tools_called": [{"tool": "edit", "args": {"path": "a"}, "result": "ok", "error": null, "timestamp": "t"}],
        "files_modified": [{"path": "a", "operation": "modify", "diff": "+x", "timestamp": "t", "size": 3}],
        "parent_session_id": "ws", "depth_level": 1, "model_used": "m", "token_count": {"input": 5, "output": 4},
        "cost": 0.25, "error": null, "kind": "decision", "tags": ["x"], "payload": {"gate": true},
    });
    // Names that sort otherwise than the directories they lie in: the time decides.
    plant(
        &disk,
        &format!("{dir}/breadcrumbs/2/20251220_100500_000007.json"),
        &full,
    );
    plant(
        &disk,
        &format!("{dir}/breadcrumbs/1/20251220_100600_000000.json"),
        &json!({"timestamp": "20251220_100600_000000", "prompt": "Why?", "response": "", "error": "no answer", "tools_called": [], "kind": "note"}),
    );
    plant(
        &disk,
        &format!("{dir}/breadcrumbs/20251220_100400_000000.json"),
        &json!({"timestamp": "2025-12-20T10:04:00", "prompt": "Hello", "response": ""}),
    );
    plant(
        &disk,
        &format!("{dir}/breadcrumbs/1/a/b/20251220_100700_000000.json"),
        &json!({"timestamp": "20251220_100700_000000", "prompt": "", "response": "By myself"}),
    );
    disk.plant(
        &RelPath::new(&format!("{dir}/breadcrumbs/1/20251220_100800_000000.json")).unwrap(),
        b"{broken",
    );
    let workspace = workspace(&disk);
    let card = workspace.card(&find(&workspace, "ws"), &now(0));
    assert_eq!(card.problems.len(), 1, "the broken one is told");
    let path = RelPath::new(&format!("{dir}/breadcrumbs/1/20251220_100800_000000.json")).unwrap();
    assert_eq!(card.problems[0].file, path);
    plant(
        &disk,
        path.as_str(),
        &json!({"timestamp": "20251220_100800_000000", "prompt": "/done", "response": "{\"patch_operations\": []}"}),
    );
    let (meta, events) = migrated(&disk, "ws");
    assert_eq!(meta["model"], "m");
    assert_eq!(meta["initial_prompt"], "Hello");
    let seen: Vec<(&str, &str, &Value)> = events
        .iter()
        .map(|event| {
            let of = |key: &str| event[key].as_str().unwrap();
            (of("ts"), of("type"), &event["payload"])
        })
        .collect();
    let mut more = full.clone();
    for key in [
        "timestamp",
        "prompt",
        "response",
        "model_used",
        "error",
        "breadcrumb_id",
        "parent_session_id",
        "depth_level",
    ] {
        more.as_object_mut().unwrap().remove(key);
    }
    assert_eq!(
        seen[0],
        (
            "2025-12-20T10:04:00",
            "user_message",
            &json!({"content": "Hello"})
        )
    );
    assert_eq!(
        seen[1],
        (
            "2025-12-20T10:05:00.000007",
            "user_message",
            &json!({"content": "Do it"})
        )
    );
    assert_eq!(
        seen[2],
        (
            "2025-12-20T10:05:00.000007",
            "assistant_message",
            &json!({"content": "Done", "model": "m", "breadcrumb": more})
        )
    );
    assert_eq!(seen[3].1, "user_message");
    assert_eq!(
        seen[4],
        (
            "2025-12-20T10:06:00",
            "error",
            &json!({"message": "no answer"})
        )
    );
    assert_eq!(
        seen[5],
        (
            "2025-12-20T10:07:00",
            "assistant_message",
            &json!({"content": "By myself"})
        )
    );
    assert_eq!(seen[6].1, "final_json");
}

#[test]
fn a_child_session_nested_in_its_parent_is_a_session_of_its_own() {
    let disk = corpus("old");
    let workspace = workspace(&disk);
    let child = find(&workspace, "22aa22bb");
    let card = workspace.card(&child, &now(0));
    assert_eq!(card.title, "Close the phase");
    assert_eq!(card.raw_status, "closed");
    let parent = workspace.card(&find(&workspace, "11aa22bb"), &now(0));
    assert_eq!(
        parent.counts,
        [("turns", 2), ("operations", 1), ("replays", 0)]
    );
}

#[test]
fn an_artifact_of_either_generation_is_read_field_by_field() {
    let operations = json!([{"op_type": "add_track", "data": {"track_name": "T"}}]);
    let base = json!({
        "session_id": "x", "timestamp": "2025-12-23T09:00:00", "engine": "gemini", "model": "fast",
        "contract_type": "track", "initial_prompt": "Plan", "patch_operations": operations, "status": "pending",
    });
    let check = |dir: &str, change: Value, status: &str, kind: &str, types: &[&str]| {
        let disk = SimDisk::new();
        let mut artifact = base.clone();
        for (key, value) in change.as_object().unwrap() {
            artifact[key] = value.clone();
        }
        artifact
            .as_object_mut()
            .unwrap()
            .retain(|_, value| !value.is_null());
        plant(
            &disk,
            &format!("{dir}/discuss_track_20251223_090000_results.json"),
            &artifact,
        );
        let (meta, events) = migrated(&disk, "discuss_track_20251223_090000");
        assert_eq!(meta["status"], status, "{artifact}");
        assert_eq!(meta["context"]["kind"], kind, "{artifact}");
        for (key, value) in [
            ("engine", "gemini"),
            ("model", "fast"),
            ("contract_type", "track"),
            ("initial_prompt", "Plan"),
            ("created_at", "2025-12-23T09:00:00"),
        ] {
            assert_eq!(meta[key], value, "{artifact}");
        }
        let found: Vec<&str> = events
            .iter()
            .map(|event| event["type"].as_str().unwrap())
            .collect();
        assert_eq!(found, types, "{artifact}");
        let has_final = types.contains(&"final_json");
        assert_eq!(meta["final_json_present"], has_final);
        if has_final {
            assert_eq!(
                events[1]["payload"]["patch_operations"], operations,
                "{artifact}"
            );
        }
        meta
    };
    let (first, second) = (".maestro/ai/artifacts", "docs/maestro/ai/artifacts");
    let plain = ["user_message", "final_json"];
    check(first, json!({}), "open", "track", &plain);
    check(
        first,
        json!({"status": "cancelled"}),
        "closed",
        "track",
        &plain,
    );
    check(
        first,
        json!({"status": "dry_run"}),
        "closed",
        "track",
        &plain,
    );
    check(
        first,
        json!({"status": "no_operations", "patch_operations": []}),
        "open",
        "track",
        &["user_message"],
    );
    check(
        second,
        json!({"status": "invalid_json", "error_message": "bad", "patch_operations": []}),
        "open",
        "track",
        &["user_message", "error"],
    );
    check(second, json!({"context": {}}), "open", "track", &plain);
    let applied = json!({"status": "applied", "applied_operations": operations, "applied_at": "2025-12-23T10:00:00", "transcript": {}});
    let meta = check(
        second,
        applied,
        "closed",
        "track",
        &["user_message", "final_json", "replay_run"],
    );
    assert_eq!(meta["updated_at"], "2025-12-23T10:00:00");
    let context = json!({"context": {"kind": "phase", "ref": "p", "router_reason": "because"}});
    let meta = check(second, context, "open", "phase", &plain);
    assert_eq!(meta["context"]["ref"], "p");
    assert_eq!(
        meta["context"]["router_reason"],
        "because (migrated from docs/maestro/ai/artifacts/discuss_track_20251223_090000_results.json)"
    );
    // The operations stand inside the transcript alone.
    let inside = json!({"patch_operations": null, "transcript": {"timestamp": "t", "patch_operations": operations}});
    check(second, inside, "open", "track", &plain);
    let inside = json!({"patch_operations": null, "transcript": {"final_json": {"patch_operations": operations}}});
    check(second, inside, "open", "track", &plain);
}

#[test]
fn an_answer_that_an_engine_once_gave_is_listed_by_its_topic_and_time() {
    let disk = SimDisk::new();
    let answer = "Here:\n```json\n{\"patch_operations\": [{\"op_type\": \"add_track\", \"data\": {\"track_name\": \"T\"}}]}\n```";
    let dir = "docs/maestro/ai/transcripts";
    plant(
        &disk,
        &format!("{dir}/parser/20251222_080000_transcript.json"),
        &json!({"timestamp": "20251222_080000", "content": answer}),
    );
    plant(
        &disk,
        &format!("{dir}/printer/20251222_080000_transcript.json"),
        &json!({"timestamp": "2025-12-22T08:00:00", "content": "Only words"}),
    );
    plant(&disk, &format!("{dir}/printer/notes.json"), &json!({}));
    let workspace = workspace(&disk);
    let places = workspace.places(None, &now(0)).unwrap();
    let ids: Vec<String> = places.iter().map(|place| place.id.to_string()).collect();
    assert_eq!(ids, ["parser-20251222_080000", "printer-20251222_080000"]);
    assert_eq!(effects(&apply(&disk, "parser-20251222_080000")), ["added"]);
    let (_, events) = migrated(&disk, "printer-20251222_080000");
    assert_eq!(events[0]["payload"]["content"], "Only words");
    assert_eq!(events[0]["ts"], "2025-12-22T08:00:00");
}

#[test]
fn an_older_file_that_cannot_be_read_whole_is_not_replayed_and_nothing_is_written() {
    let path = "docs/maestro/ai/artifacts/broken_results.json";
    let jsonl = "tests/fixtures/discuss_replay/torn.jsonl";
    let disk = SimDisk::new();
    disk.plant(&RelPath::new(path).unwrap(), b"{\"patch_operations\": [");
    disk.plant(
        &RelPath::new(jsonl).unwrap(),
        b"{\"event\": \"assistant\", \"content\": \"x\"}\nnot json\n",
    );
    for id in ["broken", "torn"] {
        for dry_run in [true, false] {
            let options = ReplayOptions {
                dry_run,
                ..ReplayOptions::default()
            };
            let workspace = workspace(&disk);
            let place = find(&workspace, id);
            let written =
                workspace.write(&place, &now(0), &writer(), |cx| replay(cx, &place, options));
            let error = written.unwrap_err().to_string();
            assert!(error.contains("cannot be read whole"), "{error}");
        }
    }
    let files = disk.files();
    assert!(
        files
            .iter()
            .all(|(path, _)| !path.as_str().starts_with(SESSIONS))
    );
}

#[test]
fn a_breadcrumb_that_ended_a_discussion_keeps_what_else_it_says() {
    let disk = SimDisk::new();
    let dir = "docs/sessions/ws";
    plant(
        &disk,
        &format!("{dir}/session.json"),
        &json!({"session_id": "ws", "session_type": "discussion", "status": "running", "purpose": "Why we met",
            "parent_session_id": "above", "metadata": {"git_branch": "main"}, "mine": 1.10}),
    );
    let list = r#"{"patch_operations": [{"op_type": "mark_done", "data": {"item_id": "k"}}]}"#;
    plant(
        &disk,
        &format!("{dir}/breadcrumbs/1/20251220_100000_000000.json"),
        &json!({"timestamp": "20251220_100000_000000", "prompt": "/done", "response": list, "tags": ["bare"]}),
    );
    plant(
        &disk,
        &format!("{dir}/breadcrumbs/1/20251220_100100_000000.json"),
        &json!({"timestamp": "20251220_100100_000000", "prompt": "/done but only the first",
            "response": format!("Gladly:\n```json\n{list}\n```\nThat is all."), "error": "late", "model_used": "m",
            "token_count": {"input": 5, "output": 4}}),
    );
    let moment = now(0);
    let workspace = workspace(&disk);
    let cx = workspace.context(segno_store::formats::Root::Workspace, &moment);
    let brief = Discuss.brief(&cx, &find(&workspace, "ws"), None).unwrap();
    let state = brief.state.join("\n");
    for said in [
        "purpose: Why we met",
        "parent session id: above",
        "git_branch",
    ] {
        assert!(state.contains(said), "{state}");
    }
    let (_, events) = migrated(&disk, "ws");
    let operations = serde_json::from_str::<Value>(list).unwrap()["patch_operations"].take();
    let about = json!({"parent_session_id": "above", "metadata": {"git_branch": "main"}, "purpose": "Why we met", "mine": 1.1});
    let more = json!({"token_count": {"input": 5, "output": 4}});
    let said: Vec<(&str, &Value)> = events
        .iter()
        .map(|event| (event["type"].as_str().unwrap(), &event["payload"]))
        .collect();
    assert_eq!(
        said,
        [
            (
                "final_json",
                &json!({"patch_operations": operations, "breadcrumb": {"tags": ["bare"]}, "work_session": about})
            ),
            (
                "user_message",
                &json!({"content": "/done but only the first"})
            ),
            (
                "assistant_message",
                &json!({"content": format!("Gladly:\n```json\n{list}\n```\nThat is all."), "model": "m", "breadcrumb": more})
            ),
            ("error", &json!({"message": "late"})),
            ("final_json", &json!({"patch_operations": operations})),
        ]
    );
}

#[test]
fn a_work_session_that_goes_on_after_its_migration_is_noticed_and_followed() {
    let disk = SimDisk::new();
    let dir = "docs/sessions/ws";
    let crumb = |minute: u32, prompt: &str, response: &str| {
        plant(
            &disk,
            &format!("{dir}/breadcrumbs/1/20251220_10{minute:02}00_000000.json"),
            &json!({"timestamp": format!("20251220_10{minute:02}00_000000"), "prompt": prompt, "response": response}),
        );
    };
    plant(
        &disk,
        &format!("{dir}/session.json"),
        &json!({"session_id": "ws", "session_type": "discussion", "status": "running"}),
    );
    crumb(0, "First", "Yes");
    migrated(&disk, "ws");
    assert_eq!(codes(&disk, "ws"), [] as [&str; 0]);
    crumb(1, "Second", "No");
    assert_eq!(codes(&disk, "ws"), ["origin_grew"]);
    recover(&disk, "ws");
    assert_eq!(codes(&disk, "ws"), [] as [&str; 0]);
    crumb(2, "Third", "Perhaps");
    let (_, events) = migrated(&disk, "ws");
    let said: Vec<&str> = events
        .iter()
        .map(|event| event["payload"]["content"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["First", "Yes", "Second", "No", "Third", "Perhaps"]);
    // Once the discussion is over, what comes later is only said to be there.
    let list = r#"[{"op_type": "add_track", "data": {"track_name": "T"}}]"#;
    crumb(3, "/done", list);
    recover(&disk, "ws");
    crumb(4, "Late", "Very");
    assert_eq!(codes(&disk, "ws"), ["origin_grew"]);
    assert_eq!(recover(&disk, "ws").left.len(), 1);
}

#[test]
fn a_file_of_another_program_is_not_listed_and_its_path_says_what_it_is_not() {
    let disk = corpus("old");
    plant(
        &disk,
        "docs/maestro/ai/artifacts/speed_results.json",
        &json!({"speed": 3}),
    );
    let workspace = workspace(&disk);
    let places = workspace.places(None, &now(0)).unwrap();
    assert!(
        places
            .iter()
            .all(|place| !matches!(place.id.as_str(), "other-tool" | "speed")),
        "{places:?}"
    );
    for path in [
        "docs/sessions/other-tool/session.json",
        "docs/maestro/ai/artifacts/speed_results.json",
    ] {
        let wanted = segno_store::session::SessionRef::parse(path).unwrap();
        let error = workspace.resolve(&wanted, &now(0)).unwrap_err().to_string();
        assert!(error.contains("another program wrote it"), "{error}");
    }
}
