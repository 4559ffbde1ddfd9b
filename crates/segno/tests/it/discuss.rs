//! `segno discuss` as its users run it.

use std::os::unix::ffi::OsStrExt as _;

use serde_json::{Value, json};

use crate::Env;

pub(crate) const SESSIONS: &str = "desk/docs/maestro/sessions/discuss";

pub(crate) fn start(env: &Env, args: &[&str]) -> String {
    let done = env.run([&["discuss", "start", "--json"], args].concat());
    done.json()["session"]["id"].as_str().unwrap().to_owned()
}

pub(crate) fn read(env: &Env, path: &str) -> String {
    std::fs::read_to_string(env.path(path)).unwrap()
}

pub(crate) fn transcript(env: &Env, id: &str) -> Vec<Value> {
    let text = read(env, &format!("{SESSIONS}/{id}/transcript.jsonl"));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn meta(env: &Env, id: &str) -> Value {
    serde_json::from_str(&read(env, &format!("{SESSIONS}/{id}/meta.json"))).unwrap()
}

pub(crate) fn ops(list: &Value) -> String {
    json!({"patch_operations": list}).to_string()
}

/// A track, a phase and a task to work on, in the layout of the format.
pub(crate) fn plan(env: &Env) {
    env.write(
        "desk/docs/maestro/index.json",
        "{\n  \"tracks\": [\n    \"t\"\n  ],\n  \"top_priority_track\": null,\n  \"mine\": 1.10\n}",
    )
    .write(
        "desk/docs/maestro/tracks/t.json",
        "{\"track_id\": \"t\", \"name\": \"Tracks\", \"status\": \"planned\", \"completion\": 0, \"phases\": [\"p\"]}",
    )
    .write(
        "desk/docs/maestro/phases/p.json",
        "{\"phase_id\": \"p\", \"name\": \"Phase\", \"status\": \"planned\", \"track_id\": \"t\", \"tasks\": [\"k\"]}",
    )
    .write(
        "desk/docs/maestro/tasks/k.json",
        "{\"task_id\": \"k\", \"name\": \"Task\", \"status\": \"planned\", \"phase_id\": \"p\", \"completed\": false}",
    );
}

#[test]
fn a_discussion_is_started_talked_through_ended_and_replayed() {
    let env = Env::new();
    plan(&env);
    let id = start(
        &env,
        &[
            "--task", "k", "--engine", "claude", "Finish", "--lang", "en",
        ],
    );
    let done = env.run([
        "discuss",
        "say",
        &id,
        "--role",
        "assistant",
        "--model",
        "m",
        "It is done.",
    ]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let list = json!([{"op_type": "mark_done", "data": {"item_id": "k"}}]);
    let done = env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let found = meta(&env, &id);
    assert_eq!(found["context"]["router_reason"], "Explicit --task flag: k");
    assert_eq!(
        (
            &found["contract_type"],
            &found["status"],
            &found["final_json_present"]
        ),
        (&json!("task"), &json!("open"), &json!(true))
    );
    let done = env.run(["discuss", "replay", &id[..8]]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains("+ status: \"done\""),
        "{}",
        done.stdout
    );
    assert!(done.stdout.ends_with("REPLAY_OK\n"), "{}", done.stdout);
    assert!(read(&env, "desk/docs/maestro/tasks/k.json").contains("\"status\": \"done\""));
    let types: Vec<Value> = transcript(&env, &id)
        .iter()
        .map(|event| event["type"].clone())
        .collect();
    assert_eq!(
        types,
        [
            "user_message",
            "assistant_message",
            "final_json",
            "replay_run"
        ]
    );
    assert_eq!(meta(&env, &id)["status"], "closed");
    assert!(!env.path("desk/docs/maestro/locks/repo.lock").exists());
    assert!(!env.path("desk/.maestro").exists());
    // What is applied is not to be applied.
    let again = env.feed(&["discuss", "done", &id, "--input", "-"], "[]");
    assert!(
        again.stderr.contains("it is applied") && !again.stderr.contains("apply it with"),
        "{}",
        again.stderr
    );
    // A second replay says what is already there.
    let again = env.run(["discuss", "replay", &id, "--json"]).json();
    assert_eq!(again["operations"][0]["effect"], "already_there");
    assert_eq!(again["diff"], json!([]));
}

#[test]
fn the_router_chooses_in_its_order_and_says_why() {
    let env = Env::new();
    let about = |args: &[&str]| {
        let id = start(&env, args);
        let found = meta(&env, &id);
        (
            found["context"]["kind"].as_str().unwrap().to_owned(),
            found["context"]["ref"].clone(),
            found["context"]["router_reason"]
                .as_str()
                .unwrap()
                .to_owned(),
            found["initial_prompt"].as_str().unwrap().to_owned(),
        )
    };
    let found = about(&[]);
    assert_eq!(found.0, "global");
    assert_eq!(
        found.2,
        "No explicit context or active work session; defaulting to global"
    );
    assert_eq!(found.3, "Start a discussion about global context.");
    let found = about(&["--context", "repo:main"]);
    assert_eq!((found.0.as_str(), &found.1), ("repo", &json!("main")));
    assert_eq!(found.2, "Explicit --context flag: repo");
    for (name, modified, status) in [
        ("w1", "2025-12-20T10:00:00", "running"),
        ("w2", "2025-12-21T10:00:00", "paused"),
        ("w3", "2025-12-22T10:00:00", "completed"),
    ] {
        let session = json!({"session_id": name, "session_type": "discussion", "status": status,
            "created": modified, "modified": modified, "related_entity": {"phase_id": format!("p-{name}")}});
        env.write(
            &format!("desk/docs/sessions/{name}/session.json"),
            session.to_string(),
        );
    }
    let found = about(&[]);
    assert_eq!((found.0.as_str(), &found.1), ("phase", &json!("p-w2")));
    assert_eq!(found.2, "Active work session w2");
    let found = about(&["--wsession", "w1"]);
    assert_eq!(
        (found.0.as_str(), found.2.as_str()),
        ("phase", "Explicit --wsession: w1")
    );
    let found = about(&["--track", "T"]);
    assert_eq!(found.3, "Start a discussion about track T.");
    let two = env.run(["discuss", "start", "--track", "T", "--task", "K", "x"]);
    assert_eq!(two.code, 2, "{}", two.stderr);
    let unknown = env.run(["discuss", "start", "--context", "galaxy", "x"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
}

#[test]
fn a_second_final_json_is_refused_and_names_the_first() {
    let env = Env::new();
    let id = start(&env, &["x"]);
    let list = ops(&json!([{"op_type": "add_track", "data": {"track_name": "T"}}]));
    assert_eq!(
        env.feed(&["discuss", "done", &id, "--input", "-"], &list)
            .code,
        0
    );
    let second = env.feed(&["discuss", "done", &id, "--input", "-"], &list);
    assert_eq!(second.code, 1);
    assert!(
        second
            .stderr
            .contains("has its final_json already, on line 2"),
        "{}",
        second.stderr
    );
    let say = env.run(["discuss", "say", &id, "--role", "user", "more"]);
    assert_eq!(say.code, 1);
    assert!(
        say.stderr.contains("the discussion is over"),
        "{}",
        say.stderr
    );
    assert_eq!(transcript(&env, &id).len(), 2);
}

#[test]
fn an_answer_that_is_not_accepted_is_recorded_and_the_discussion_goes_on() {
    let env = Env::new();
    let id = start(&env, &["--task", "k", "x"]);
    for (answer, why) in [
        ("no json", "No valid JSON found"),
        (
            "[{\"op_type\": \"add_track\", \"data\": {\"track_name\": \"T\"}}]",
            "task contract",
        ),
        (
            "[{\"op_type\": \"mark_done\", \"data\": {}}]",
            "`item_id` is missing",
        ),
    ] {
        let done = env.feed(&["discuss", "done", &id, "--input", "-"], answer);
        assert_eq!(done.code, 1, "{answer}");
        assert!(done.stderr.contains(why), "{}", done.stderr);
        let events = transcript(&env, &id);
        let last = events.last().unwrap();
        assert_eq!(last["type"], "error");
        assert!(last["payload"]["message"].as_str().unwrap().contains(why));
    }
    assert_eq!(meta(&env, &id)["status"], "open");
    assert_eq!(
        env.run(["discuss", "say", &id, "--role", "user", "again"])
            .code,
        0
    );
    let error = env.run([
        "discuss",
        "error",
        &id,
        "engine died",
        "--details",
        "exit 7",
    ]);
    assert_eq!(error.code, 0, "{}", error.stderr);
    let events = transcript(&env, &id);
    assert_eq!(
        events.last().unwrap()["payload"],
        json!({"message": "engine died", "details": "exit 7"})
    );
}

#[test]
fn a_dry_run_shows_the_diff_and_touches_nothing_but_the_audit_line() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["--phase", "p", "x"]);
    let list = json!([{"op_type": "add_task", "data": {"phase_id": "p", "task_name": "New"}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    let before = (
        read(&env, "desk/docs/maestro/phases/p.json"),
        meta(&env, &id),
    );
    let done = env.run(["discuss", "replay", &id, "--dry-run"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains("docs/maestro/tasks/p.1.json (new)"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("+ tasks[]: \"p.1\""),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.ends_with("REPLAY_OK (dry-run)\n"),
        "{}",
        done.stdout
    );
    assert_eq!(
        before,
        (
            read(&env, "desk/docs/maestro/phases/p.json"),
            meta(&env, &id)
        )
    );
    assert!(!env.path("desk/docs/maestro/tasks/p.1.json").exists());
    let last = transcript(&env, &id).pop().unwrap();
    assert_eq!(
        last["payload"],
        json!({"dry_run": true, "result": "REPLAY_OK", "ops_count": 1})
    );
}

#[test]
fn a_failed_replay_changes_nothing_and_leaves_an_error_and_a_run() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["x"]);
    let list = json!([
        {"op_type": "mark_done", "data": {"item_id": "k"}},
        {"op_type": "mark_done", "data": {"item_id": "nobody"}},
    ]);
    env.feed(
        &["discuss", "done", &id, "--as-is", "--input", "-"],
        &ops(&list),
    );
    let before = read(&env, "desk/docs/maestro/tasks/k.json");
    let done = env.run(["discuss", "replay", &id, "--json"]);
    assert_eq!(done.code, 1);
    let error = done.json_error();
    assert_eq!(error["code"], "not_found");
    assert_eq!(error["message"], "REPLAY_FAIL: Task 'nobody' not found");
    assert_eq!(error["causes"][0], "operation 2, mark_done");
    assert_eq!(read(&env, "desk/docs/maestro/tasks/k.json"), before);
    let events = transcript(&env, &id);
    let [.., error, run] = events.as_slice() else {
        panic!()
    };
    assert_eq!(error["payload"]["message"], "Task 'nobody' not found");
    assert_eq!(run["payload"]["result"], "REPLAY_FAIL");
    assert_eq!(run["payload"]["ops_count"], 0);
    assert_eq!(meta(&env, &id)["status"], "open");
}

#[test]
fn the_repository_lock_is_honoured_and_a_dead_holder_is_recognised() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["x"]);
    let list = json!([{"op_type": "mark_done", "data": {"item_id": "k"}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    let host = rustix::system::uname()
        .nodename()
        .to_str()
        .unwrap()
        .to_owned();
    let lock = |pid: u32, host: &str, at: &str| {
        json!({"session_id": "other", "pid": pid, "timestamp": at, "hostname": host}).to_string()
    };
    // This test is alive and began before the lock was written.
    let held = [
        lock(std::process::id(), &host, "2999-01-01T00:00:00"),
        lock(1, "another-host", "2025-01-01T00:00:00"),
    ];
    for text in held {
        env.write("desk/docs/maestro/locks/repo.lock", &text);
        let done = env.run(["discuss", "replay", &id, "--json"]);
        assert_eq!(done.code, 4, "{}", done.stderr);
        let error = done.json_error();
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("Repository is locked by session other")
        );
        assert_eq!(
            transcript(&env, &id).pop().unwrap()["payload"]["result"],
            "REPLAY_FAIL"
        );
        assert_eq!(read(&env, "desk/docs/maestro/locks/repo.lock"), text);
        // Looking is allowed.
        assert_eq!(env.run(["discuss", "replay", &id, "--dry-run"]).code, 0);
    }
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let dead = child.id();
    child.wait().unwrap();
    let stale = [
        (lock(dead, &host, "2025-01-01T00:00:00"), "which is gone"),
        // The number lives on in a process that began long after the lock was written.
        (
            lock(std::process::id(), &host, "2001-01-01T00:00:00"),
            "which is gone",
        ),
        ("{half a lo".to_owned(), "could not be read"),
    ];
    for (text, said) in stale {
        env.write("desk/docs/maestro/locks/repo.lock", &text);
        let done = env.run(["discuss", "replay", &id]);
        assert_eq!(done.code, 0, "{text}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{}", done.stderr);
        assert!(!env.path("desk/docs/maestro/locks/repo.lock").exists());
    }
}

#[test]
fn a_malformed_line_stops_a_replay_with_its_number_but_not_the_reading() {
    let env = Env::new();
    let id = start(&env, &["x"]);
    let path = format!("{SESSIONS}/{id}/transcript.jsonl");
    let text = read(&env, &path) + "{\"ts\": broken\n";
    env.write(&path, text);
    let list = json!([{"op_type": "add_track", "data": {"track_name": "T"}}]);
    assert_eq!(
        env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list))
            .code,
        0
    );
    let done = env.run(["discuss", "replay", &id]);
    assert_eq!(done.code, 3, "{}", done.stderr);
    assert!(
        done.stderr.contains("REPLAY_FAIL") && done.stderr.contains("line 2"),
        "{}",
        done.stderr
    );
    let text = read(&env, &path);
    assert!(
        text.lines().last().unwrap().contains("REPLAY_FAIL"),
        "{text}"
    );
    assert!(!env.path("desk/docs/maestro/tracks").exists());
    // Recover sets the line aside; then it replays.
    let done = env.run(["recover", &id]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let done = env.run(["discuss", "replay", &id]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn meta_json_that_is_missing_or_broken_is_written_anew_from_the_transcript() {
    for content in [None, Some("{\"session_id\": ")] {
        let env = Env::new();
        plan(&env);
        let id = start(&env, &["--task", "k", "The first prompt"]);
        let list = json!([{"op_type": "mark_done", "data": {"item_id": "k"}}]);
        env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
        let path = format!("{SESSIONS}/{id}/meta.json");
        std::fs::remove_file(env.path(&path)).unwrap();
        if let Some(content) = content {
            env.write(&path, content);
        }
        let done = env.run(["discuss", "replay", &id]);
        assert_eq!(done.code, 3, "{}", done.stderr);
        assert!(done.stderr.contains("segno recover"), "{}", done.stderr);
        assert_eq!(
            transcript(&env, &id).pop().unwrap()["payload"]["result"],
            "REPLAY_FAIL"
        );
        assert_eq!(env.run(["check", &id]).code, 3);
        let done = env.run(["recover", &id]);
        assert!(
            done.stdout.contains("could not be known again"),
            "{}",
            done.stdout
        );
        let found = meta(&env, &id);
        assert_eq!(found["initial_prompt"], "The first prompt");
        assert_eq!(found["final_json_present"], true);
        // A context that is not known gates everything.
        let done = env.run(["discuss", "replay", &id]);
        assert_eq!(done.code, 1, "{}", done.stderr);
        assert!(
            done.stderr.contains("--allow-cross-context"),
            "{}",
            done.stderr
        );
        assert_eq!(
            env.run(["discuss", "replay", &id, "--allow-cross-context"])
                .code,
            0
        );
    }
}

#[test]
fn a_path_serves_as_well_as_an_id() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["x"]);
    let list = json!([{"op_type": "mark_done", "data": {"item_id": "k"}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    for path in ["", "/meta.json", "/transcript.jsonl"] {
        let path = format!("./docs/maestro/sessions/discuss/{id}{path}");
        let done = env.run(["discuss", "replay", &path, "--dry-run"]);
        assert_eq!(done.code, 0, "{path}: {}", done.stderr);
    }
    let missing = env.run(["discuss", "replay", "no-such"]);
    assert_eq!(missing.code, 1);
    let outside = env.run(["discuss", "replay", "../elsewhere"]);
    assert_eq!(outside.code, 1, "{}", outside.stderr);
}

#[test]
fn the_plan_is_shown_as_a_tree_with_completion() {
    let env = Env::new();
    plan(&env);
    let done = env.run(["discuss", "plan"]);
    assert_eq!(
        done.stdout,
        "t  Tracks  (planned)  0% (0/1)\n\u{2514}\u{2500} p  Phase  (planned)  0% (0/1)\n   \u{2514}\u{2500} [ ] k  Task  (planned)\n"
    );
    let tree = env.run(["discuss", "plan", "--json"]).json();
    assert_eq!(tree["tracks"][0]["children"][0]["children"][0]["id"], "k");
    let empty = Env::new();
    assert!(empty.run(["discuss", "plan"]).stderr.contains("no plan"));
}

pub(crate) fn only_session(env: &Env) -> String {
    let entry = std::fs::read_dir(env.path(SESSIONS))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    entry.file_name().into_string().unwrap()
}

#[test]
fn older_sessions_are_listed_and_a_replay_makes_a_canonical_one_beside_them() {
    let env = Env::new();
    let artifact = json!({"session_id": "discuss_global_20251227_100000", "timestamp": "2025-12-27T10:00:00",
        "engine": "test", "model": "m", "contract_type": "global", "context": {}, "initial_prompt": "An artifact",
        "patch_operations": [{"op_type": "add_track", "data": {"track_name": "Old Track"}}], "status": "pending"});
    let path = "desk/docs/maestro/ai/artifacts/discuss_global_20251227_100000_results.json";
    env.write(path, artifact.to_string());
    let list = env.run(["list", "--json"]).json();
    assert_eq!(list["sessions"][0]["title"], "An artifact");
    let say = env.run(["discuss", "say", "discuss_global", "--role", "user", "x"]);
    assert_eq!(say.code, 1);
    assert!(say.stderr.contains("only read"), "{}", say.stderr);
    let done = env.run(["discuss", "replay", "discuss_global"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(read(&env, "desk/docs/maestro/tracks/old-track.json").contains("2025-12-27T10:00:00"));
    assert_eq!(read(&env, path), artifact.to_string());
    let id = only_session(&env);
    assert_eq!(id, "discuss_global_20251227_100000");
    let reason = meta(&env, &id)["context"]["router_reason"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        reason.contains("migrated from docs/maestro/ai/artifacts/"),
        "{reason}"
    );
    let list = env.run(["list", "--json"]).json();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_new_session_records_what_was_around_it() {
    let env = Env::new()
        .var("MAESTRO_AI_CACHE", "off")
        .var("MAESTRO_AI_CACHE_SCOPE", "repo")
        .var("MAESTRO_AI_CACHE_WATCH", "src/**; ;docs/*.md");
    plan(&env);
    let commit = "0123456789abcdef0123456789abcdef01234567";
    env.write("desk/.git/HEAD", "ref: refs/heads/main\n")
        .write("desk/.git/refs/heads/main", format!("{commit}\n"));
    let id = start(&env, &["x"]);
    let found = meta(&env, &id);
    assert_eq!(
        found["cache_policy"],
        json!({"enabled": false, "scope": "repo", "watch": ["src/**", "docs/*.md"]})
    );
    assert_eq!(found["diff_anchor"], commit);
    for key in ["prompt_hash", "workspace_fingerprint"] {
        assert_eq!(found[key].as_str().unwrap().len(), 64, "{key}");
    }
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 15, "{keys:?}");
    // The same plan has the same fingerprint, another one another.
    let same = meta(&env, &start(&env, &["y"]));
    assert_eq!(
        same["workspace_fingerprint"],
        found["workspace_fingerprint"]
    );
    env.write("desk/docs/maestro/tasks/k2.json", "{}");
    let other = meta(&env, &start(&env, &["z"]));
    assert_ne!(
        other["workspace_fingerprint"],
        found["workspace_fingerprint"]
    );
    // Where nothing is around, nothing is said.
    let bare = Env::new();
    let found = meta(&bare, &start(&bare, &["x"]));
    for key in ["cache_policy", "diff_anchor", "workspace_fingerprint"] {
        assert!(found.get(key).is_none(), "{key}");
    }
    assert_eq!(found["wsession_id"], Value::Null);
}

#[test]
fn a_session_is_two_files_of_json_under_docs_maestro_and_nothing_else_is_written() {
    let env = Env::new();
    plan(&env);
    let before = all_files(&env);
    let id = start(&env, &["--phase", "p", "x"]);
    let uuid: Vec<usize> = id.split('-').map(str::len).collect();
    assert_eq!(uuid, [8, 4, 4, 4, 12]);
    let list = json!([{"op_type": "add_task", "data": {"phase_id": "p", "task_name": "New"}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    assert_eq!(env.run(["discuss", "replay", &id]).code, 0);
    let mut made: Vec<String> = all_files(&env)
        .into_iter()
        .filter(|path| !before.contains(path) && !path.starts_with(".segno/"))
        .collect();
    made.sort();
    let dir = format!("docs/maestro/sessions/discuss/{id}");
    assert_eq!(
        made,
        [
            format!("{dir}/meta.json"),
            format!("{dir}/transcript.jsonl"),
            "docs/maestro/tasks/p.1.json".to_owned(),
        ]
    );
}

fn all_files(env: &Env) -> Vec<String> {
    let root = env.path("desk");
    let (mut found, mut waiting) = (Vec::new(), vec![root.clone()]);
    while let Some(dir) = waiting.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
                found.push(name.to_owned());
            }
        }
    }
    found
}

#[test]
fn a_replay_calls_no_engine_even_where_there_is_one() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = Env::new();
    for name in ["qwen", "claude", "codex", "gemini", "opencode"] {
        let path = format!("tools/{name}");
        let mark = env.path("called");
        env.write(&path, format!("#!/bin/sh\necho x > '{}'\n", mark.display()));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(env.path(&path), mode).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", env.path("tools").display());
    let env = env.var("PATH", &path);
    plan(&env);
    let id = start(&env, &["--engine", "claude", "--task", "k", "x"]);
    let list = json!([{"op_type": "mark_done", "data": {"item_id": "k"}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    for args in [&["--dry-run"][..], &[]] {
        let done = env.run([&["discuss", "replay", id.as_str()], args].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    assert!(!env.path("called").exists());
}

#[test]
fn a_card_counts_turns_operations_and_replays() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["--task", "k", "x"]);
    env.run(["discuss", "say", &id, "--role", "assistant", "y"]);
    let list = json!([{"op_type": "mark_done", "data": {"item_id": "k"}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    env.run(["discuss", "replay", &id, "--dry-run"]);
    env.run(["discuss", "replay", &id]);
    let card = env.run(["show", &id, "--json"]).json();
    assert_eq!(
        card["session"]["counts"],
        json!({"turns": 2, "operations": 1, "replays": 2}),
        "{card}"
    );
}

#[test]
fn operations_that_the_plan_does_not_take_are_not_recorded_unless_as_is() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["--task", "k", "x"]);
    let mark = |id: &str, item: &str| {
        ops(&json!([{"op_type": "mark_done", "data": {"item_type": item, "item_id": id}}]))
    };
    let done = |more: &[&str], list: &str| {
        env.feed(
            &[&["discuss", "done", &id, "--input", "-"], more].concat(),
            list,
        )
    };
    let refused = done(&[], &mark("nobody", "task"));
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("Task 'nobody' not found")
            && refused.stderr.contains("segno discuss plan")
            && refused.stderr.contains("--as-is"),
        "{}",
        refused.stderr
    );
    let refused = done(&[], &mark("p", "phase"));
    assert!(
        refused.stderr.contains("--allow-cross-context"),
        "{}",
        refused.stderr
    );
    env.write("desk/docs/maestro/tasks/broken.json", "{");
    let refused = done(&[], &mark("broken", "task"));
    assert!(
        refused.stderr.contains("`segno check`"),
        "{}",
        refused.stderr
    );
    let types = |id: &str| -> Vec<Value> {
        transcript(&env, id)
            .iter()
            .map(|event| event["type"].clone())
            .collect()
    };
    assert_eq!(types(&id), ["user_message", "error", "error", "error"]);
    assert_eq!(meta(&env, &id)["final_json_present"], false);
    // The discussion goes on, and a plan that is elsewhere is spoken of as it is.
    assert_eq!(done(&["--as-is"], &mark("nobody", "task")).code, 0);
    let other = start(&env, &["--task", "k", "x"]);
    let args = ["discuss", "done", &other, "--input", "-"];
    let crossed = env.feed(
        &[&args[..], &["--allow-cross-context"]].concat(),
        &mark("p", "phase"),
    );
    assert_eq!(crossed.code, 0, "{}", crossed.stderr);
}

#[test]
fn a_name_that_no_path_can_hold_is_passed_over_and_reported() {
    let env = Env::new();
    let id = start(&env, &["x"]);
    for dir in [
        "docs/maestro/sessions/discuss/bs\\x",
        "docs/sessions/bs\\x",
        "docs/sessions/tab\there",
        "docs/sessions/w/breadcrumbs/1\\2",
        "docs/maestro/ai/transcripts/bs\\x",
        "conversations/bs\\x",
    ] {
        std::fs::create_dir_all(env.path(&format!("desk/{dir}"))).unwrap();
    }
    let latin = std::ffi::OsStr::from_bytes(b"caf\xe9");
    std::fs::create_dir(env.path(SESSIONS).join(latin)).unwrap();
    std::fs::create_dir(env.path(SESSIONS).join("x".repeat(240))).unwrap();
    env.write("desk/docs/maestro/tasks/a\\b.json", "{}")
        .write("desk/docs/maestro/ai/artifacts/a\\b_results.json", "{}");
    let list = env.run(["list"]);
    assert_eq!(list.code, 0, "{}", list.stderr);
    assert!(list.stdout.contains(&id[..8]), "{}", list.stdout);
    let check = env.run(["check"]);
    assert_eq!(check.code, 3, "{}{}", check.stdout, check.stderr);
    assert!(
        check.stdout.contains("unusable_name") && check.stdout.contains("bs\\\\x"),
        "{}{}",
        check.stdout,
        check.stderr
    );
    for shown in ["tab\\there", "caf\u{fffd}", "it is too long"] {
        assert!(check.stdout.contains(shown), "{shown}: {}", check.stdout);
    }
    start(&env, &["another one"]);
}

#[test]
fn a_lock_that_cannot_be_taken_leaves_its_audit() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["x"]);
    let list = json!([{"op_type": "mark_done", "data": {"item_id": "k"}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    std::fs::create_dir_all(env.path("desk/docs/maestro/locks/repo.lock")).unwrap();
    let done = env.run(["discuss", "replay", &id]);
    assert_ne!(done.code, 0);
    assert!(done.stderr.contains("repo.lock"), "{}", done.stderr);
    let events = transcript(&env, &id);
    let [.., error, run] = events.as_slice() else {
        panic!()
    };
    assert_eq!(error["type"], "error");
    assert!(
        error["payload"].to_string().contains("repo.lock"),
        "{error}"
    );
    assert_eq!(run["payload"]["result"], "REPLAY_FAIL");
}

#[test]
fn a_budget_cuts_the_operations_and_keeps_the_users_last_turn() {
    let env = Env::new();
    let id = start(&env, &["What shall we build?"]);
    let say = ["discuss", "say", &id, "--role", "assistant", "--input", "-"];
    env.feed(&say, &"Much. ".repeat(3000));
    let list: Vec<Value> = (0..3000)
        .map(|n| json!({"op_type": "add_track", "data": {"track_name": format!("Track number {n}")}}))
        .collect();
    let done = env.feed(
        &["discuss", "done", &id, "--input", "-"],
        &ops(&Value::Array(list)),
    );
    assert_eq!(done.code, 0, "{}", done.stderr);
    let resumed = env.run(["resume", &id, "--print", "--budget", "2000"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(resumed.stdout.len() < 8_000, "{}", resumed.stdout.len());
    assert!(
        resumed.stdout.contains("Track number 0")
            && resumed.stdout.contains("… and 2988 more")
            && resumed.stdout.matches("What shall we build?").count() > 1,
        "{}",
        resumed.stdout
    );
}

#[test]
fn a_session_that_calls_itself_by_another_id_is_found_by_both_and_reported() {
    let env = Env::new();
    let id = start(&env, &["x"]);
    let dir = env.path(&format!("{SESSIONS}/{id}"));
    std::fs::rename(dir, env.path(&format!("{SESSIONS}/golden"))).unwrap();
    let found = env.run(["show", &format!("discuss/{id}"), "--json"]);
    assert_eq!(found.code, 0, "{}", found.stderr);
    assert_eq!(
        env.run(["discuss", "say", &id, "--role", "user", "y"]).code,
        0
    );
    assert_eq!(transcript(&env, "golden").len(), 2);
    let check = env.run(["check", "golden"]);
    assert!(check.stdout.contains("  id_mismatch  "), "{}", check.stdout);
    // What two sessions call themselves means neither.
    let text = read(&env, &format!("{SESSIONS}/golden/meta.json"));
    env.write(&format!("{SESSIONS}/other/meta.json"), text);
    assert_eq!(env.run(["show", &format!("discuss/{id}")]).code, 1);
}

#[test]
fn what_cannot_be_migrated_is_said_and_does_not_keep_the_others_from_it() {
    let env = Env::new();
    let artifact =
        json!({"contract_type": "global", "initial_prompt": "Old", "patch_operations": []});
    env.write(
        "desk/docs/maestro/ai/artifacts/fine_results.json",
        artifact.to_string(),
    )
    .write(
        "desk/docs/maestro/ai/artifacts/broken_results.json",
        "{\"a\": ",
    );
    let one = env.run(["migrate", "discuss/broken"]);
    assert_eq!(one.code, 1, "{}{}", one.stdout, one.stderr);
    assert!(
        one.stderr.contains("cannot be read whole"),
        "{}",
        one.stderr
    );
    let all = env.run(["migrate"]);
    assert_eq!(all.code, 0, "{}", all.stderr);
    assert!(
        all.stderr.contains("cannot be read whole"),
        "{}",
        all.stderr
    );
    assert!(env.path(&format!("{SESSIONS}/fine/meta.json")).exists());
}

#[test]
fn an_empty_text_or_subject_is_refused_and_a_dash_is_standard_input() {
    let env = Env::new();
    assert_eq!(env.run(["discuss", "start", "--task", "", "x"]).code, 2);
    let empty = env.feed(&["discuss", "start", "--input", "-"], " \n");
    assert_eq!(empty.code, 2, "{}", empty.stderr);
    let id = start(&env, &["x"]);
    assert_eq!(env.run(["discuss", "error", &id, ""]).code, 1);
    let said = env.feed(
        &["discuss", "say", &id, "--role", "user", "-"],
        "\u{feff}Behind a mark",
    );
    assert_eq!(said.code, 0, "{}", said.stderr);
    let events = transcript(&env, &id);
    assert_eq!(events.len(), 2);
    assert_eq!(events[1]["payload"]["content"], "Behind a mark");
}

#[test]
fn a_work_session_is_named_by_the_beginning_of_its_id() {
    let env = Env::new();
    for id in ["ab-1", "ab-2", "c-1"] {
        let session = json!({"session_id": id, "session_type": "discussion", "status": "completed",
            "related_entity": {"task_id": id}});
        env.write(
            &format!("desk/docs/sessions/{id}/session.json"),
            session.to_string(),
        );
    }
    let id = start(&env, &["--wsession", "c"]);
    assert_eq!(meta(&env, &id)["context"]["ref"], "c-1");
    let several = env.run(["discuss", "start", "--wsession", "ab"]);
    assert_eq!(several.code, 1, "{}", several.stderr);
    assert!(several.stderr.contains("ab-2"), "{}", several.stderr);
    let none = env.run(["discuss", "start", "--wsession", "nope"]);
    assert!(
        none.stderr.contains("there is no work session `nope`"),
        "{}",
        none.stderr
    );
}

#[test]
fn an_older_session_says_what_can_be_done_with_it() {
    let env = Env::new();
    let session = json!({"session_id": "w", "session_type": "discussion", "status": "running", "purpose": "Why"});
    env.write("desk/docs/sessions/w/session.json", session.to_string());
    let shown = env.run(["resume", "discuss/w", "--print"]);
    assert!(
        shown.stdout.contains("segno migrate discuss/w")
            && !shown.stdout.contains("migrated from")
            && !shown.stdout.contains("segno discuss say w"),
        "{}",
        shown.stdout
    );
}

#[test]
fn a_file_in_the_current_directory_is_replayed_by_its_name() {
    let env = Env::new();
    plan(&env);
    let line = json!({"event": "final_json", "final_json": {"patch_operations":
        [{"op_type": "mark_done", "data": {"item_id": "k"}}]}});
    env.write("desk/mine.jsonl", format!("{line}\n"));
    let done = env.run(["discuss", "replay", "mine.jsonl"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let none = env.run(["discuss", "replay", "other.jsonl"]);
    assert!(
        none.stderr.contains("`discuss/other.jsonl`"),
        "{}",
        none.stderr
    );
}

#[test]
fn a_preview_shows_text_as_text_the_time_and_the_beginning_of_what_is_long() {
    let env = Env::new();
    plan(&env);
    env.write(
        "desk/docs/maestro/tasks/k.json",
        "{\"task_id\": \"k\", \"name\": \"caf\\u00e9\", \"phase_id\": \"p\", \"updated_at\": \"2020-01-01T00:00:00\"}",
    );
    let id = start(&env, &["x"]);
    let list = json!([{"op_type": "edit_task_fields", "data": {"task_id": "k", "fields": {"name": "th\u{e9}", "notes": "long ".repeat(5000)}}}]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    let shown = env.run(["discuss", "replay", &id, "--dry-run"]);
    assert!(
        shown.stdout.contains("- name: \"caf\u{e9}\"")
            && shown
                .stdout
                .contains("- updated_at: \"2020-01-01T00:00:00\"")
            && shown.stdout.contains(" bytes)")
            && shown.stdout.len() < 6_000,
        "{}",
        shown.stdout
    );
}

#[test]
fn a_broken_task_of_the_same_phase_does_not_keep_another_from_being_added() {
    let env = Env::new();
    plan(&env);
    env.write("desk/docs/maestro/tasks/k.json", "{broken");
    let id = start(&env, &["--phase", "p", "x"]);
    let list = json!([{"op_type": "add_task", "data": {"phase_id": "p", "task_name": "New"}}]);
    let done = env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(env.run(["discuss", "replay", &id]).code, 0);
    assert_eq!(env.run(["discuss", "replay", &id]).code, 0);
}

#[test]
fn the_line_of_wrong_json_is_that_of_the_file() {
    let env = Env::new();
    let id = start(&env, &["x"]);
    let answer = "One\nTwo\n```json\n{\"patch_operations\": [\n  oops\n]}\n```\n";
    let done = env.feed(&["discuss", "done", &id, "--input", "-"], answer);
    assert!(done.stderr.contains("line 5"), "{}", done.stderr);
}
