//! `segno discuss chat` with an engine that answers from a script: through pipes, and on a terminal.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use expectrl::process::unix::{Signal, WaitStatus};
use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Session};
use serde_json::Value;

use crate::Env;
use crate::discuss::{meta, only_session, plan, read, transcript};

/// An engine that answers from a script: what it is asked goes to a file, and `/done` gets the final JSON.
fn scripted(env: &Env, final_json: &str) {
    let script = format!(
        "#!/bin/sh\ninput=$(cat)\nprintf '%s' \"$input\" > '{0}'\ncase \"$input\" in\n*'fail now') echo 'no answer today' >&2; exit 7;;\nesac\ncase \"$input\" in\n*/done*) cat '{1}';;\n*) echo 'I would mark it as done.';;\nesac\n",
        env.path("asked").display(),
        env.path("final").display(),
    );
    env.write("engine.sh", script).write("final", final_json);
    let path = env.path("engine.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("[engines]\nscripted = \"{}\"\n", path.display());
    env.write("home/.config/segno/config.toml", config);
}

const CHAT: &[&str] = &["discuss", "chat", "--engine", "scripted", "--task", "k"];

#[test]
fn a_chat_records_every_turn_and_applies_after_yes() {
    let env = Env::new();
    plan(&env);
    scripted(
        &env,
        "Here:\n```json\n[{\"op_type\": \"mark_done\", \"data\": {\"item_id\": \"k\"}}]\n```\n",
    );
    let done = env.feed(
        CHAT,
        "Is it finished?\n/help\n/history\nThen end it\n/done\ny\n",
    );
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains("+ status: \"done\""),
        "{}",
        done.stdout
    );
    assert!(done.stdout.ends_with("REPLAY_OK\n"), "{}", done.stdout);
    let id = only_session(&env);
    let types: Vec<Value> = transcript(&env, &id)
        .iter()
        .map(|event| event["type"].clone())
        .collect();
    assert_eq!(
        types,
        [
            "user_message",
            "assistant_message",
            "user_message",
            "assistant_message",
            "final_json",
            "replay_run"
        ]
    );
    assert_eq!(meta(&env, &id)["status"], "closed");
    // The engine, which remembers nothing, was told the contract and the whole talk.
    let asked = read(&env, "asked");
    assert!(
        asked.contains("edit_task_fields")
            && asked.contains("Is it finished?")
            && asked.contains("Then end it")
    );
}

#[test]
fn a_chat_that_is_answered_with_no_applies_nothing_and_can_be_replayed_later() {
    let env = Env::new();
    plan(&env);
    scripted(
        &env,
        "[{\"op_type\": \"mark_done\", \"data\": {\"item_id\": \"k\"}}]",
    );
    let done = env.feed(CHAT, "End it\n/DONE\nn\n");
    assert_eq!(done.code, 0, "{}", done.stderr);
    let id = only_session(&env);
    assert_eq!(meta(&env, &id)["status"], "closed");
    assert!(read(&env, "desk/docs/maestro/tasks/k.json").contains("planned"));
    assert_eq!(env.run(["discuss", "replay", &id]).code, 0);
}

#[test]
fn a_chat_that_ends_early_is_an_open_session_that_goes_on() {
    let env = Env::new();
    plan(&env);
    scripted(&env, "this is no JSON");
    let done = env.feed(CHAT, "First\nfail now\n/done\n/quit\nnever read\n");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("no answer today"), "{}", done.stderr);
    let id = only_session(&env);
    let types: Vec<Value> = transcript(&env, &id)
        .iter()
        .map(|event| event["type"].clone())
        .collect();
    assert_eq!(
        types,
        [
            "user_message",
            "assistant_message",
            "user_message",
            "error",
            "error",
            "assistant_message"
        ]
    );
    assert_eq!(meta(&env, &id)["status"], "open");
    scripted(&env, "[]");
    let done = env.feed(&["discuss", "chat", &id], "And now\n/done\n");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(meta(&env, &id)["status"], "closed");
}

#[test]
fn an_interrupt_while_the_engine_thinks_leaves_an_open_session_with_the_users_turn() {
    let env = Env::new();
    plan(&env);
    scripted(&env, "[]");
    env.write(
        "engine.sh",
        format!(
            "#!/bin/sh\ntouch '{}'\nexec sleep 600\n",
            env.path("thinking").display()
        ),
    );
    let mut child = env
        .command(CHAT)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(b"Think about it\n")
        .unwrap();
    wait_for(&env, "thinking");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert!(!child.wait().unwrap().success());
    let id = only_session(&env);
    let events = transcript(&env, &id);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["payload"]["content"], "Think about it");
    assert_eq!(meta(&env, &id)["status"], "open");
    // Going on, the engine is asked what it was asked.
    scripted(&env, "[]");
    let done = env.feed(&["discuss", "chat", &id], "");
    assert!(
        done.stdout.contains("I would mark it as done."),
        "{}{}",
        done.stdout,
        done.stderr
    );
}

#[test]
fn an_engine_that_came_with_the_workspace_is_not_run_without_a_person_agreeing() {
    let env = Env::new();
    scripted(&env, "[]");
    let config = read(&env, "home/.config/segno/config.toml");
    env.write("desk/.segno/config.toml", config);
    std::fs::remove_file(env.path("home/.config/segno/config.toml")).unwrap();
    let done = env.feed(&["discuss", "chat", "--engine", "scripted"], "hello\n");
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(done.stderr.contains("engine.sh"), "{}", done.stderr);
    assert!(!env.path("asked").exists());
    let unknown = env.feed(&["discuss", "chat", "--engine", "nobody"], "hello\n");
    assert!(
        unknown
            .stderr
            .contains("known engines: claude, codex, gemini, qwen, opencode"),
        "{}",
        unknown.stderr
    );
}

/// Waits until a file is there: the engine has come so far.
fn wait_for(env: &Env, name: &str) {
    let began = Instant::now();
    while !env.path(name).exists() {
        assert!(
            began.elapsed() < Duration::from_mins(1),
            "{name} never came"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn types(env: &Env, id: &str) -> Vec<String> {
    let events = transcript(env, id);
    let types = events
        .iter()
        .map(|event| event["type"].as_str().unwrap().to_owned());
    types.collect()
}

fn on_terminal(env: &Env, args: &[&str]) -> OsSession {
    let mut session = Session::spawn(env.command(args)).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    session.get_process_mut().set_window_size(100, 30).unwrap();
    session
}

fn end(session: &mut OsSession) -> (String, WaitStatus) {
    let rest = session.expect(Eof).unwrap();
    let text = String::from_utf8_lossy(rest.as_bytes()).into_owned();
    (text, session.get_process().wait().unwrap())
}

const MARK: &str = r#"{"patch_operations": [{"op_type": "edit_task_fields", "data": {"task_id": "k", "fields": {"owner": "a } b { \" ] c"}}}]}"#;

#[test]
fn a_chat_on_a_terminal_talks_helps_ends_shows_the_changes_and_applies_after_yes() {
    let env = Env::new().var("TERM", "xterm");
    plan(&env);
    scripted(
        &env,
        &format!("Of course {{ this is prose }}:\n{MARK}\nThat is all."),
    );
    let mut session = on_terminal(&env, CHAT);
    session.expect("/help says this").unwrap();
    session.send_line("Who owns it?").unwrap();
    session.expect("I would mark it as done.").unwrap();
    // Every turn is durable as it happens.
    let id = only_session(&env);
    assert_eq!(types(&env, &id), ["user_message", "assistant_message"]);
    session.send_line("/help").unwrap();
    session.expect("/help says this").unwrap();
    session.send_line("/history").unwrap();
    session.expect("[user]").unwrap();
    session.expect("[assistant]").unwrap();
    session.send_line("/Done").unwrap();
    // Braces inside of strings are text, and the prose around the JSON is not in the way.
    session.expect("docs/maestro/tasks/k.json").unwrap();
    session.expect("+ owner: \"a } b {").unwrap();
    session.expect("[y]es/[n]o").unwrap();
    assert!(!read(&env, "desk/docs/maestro/tasks/k.json").contains("owner"));
    session.send_line("perhaps").unwrap();
    session.send_line("yes").unwrap();
    let (rest, status) = end(&mut session);
    assert!(
        matches!(status, WaitStatus::Exited(_, 0)),
        "{status:?}: {rest}"
    );
    assert!(rest.contains("REPLAY_OK"), "{rest}");
    let task: Value = serde_json::from_str(&read(&env, "desk/docs/maestro/tasks/k.json")).unwrap();
    assert_eq!(task["owner"], "a } b { \" ] c");
    assert_eq!(
        types(&env, &id),
        [
            "user_message",
            "assistant_message",
            "final_json",
            "replay_run"
        ]
    );
}

#[test]
fn json_that_is_not_accepted_is_asked_for_again_and_the_engine_is_told_why() {
    let env = Env::new().var("TERM", "xterm");
    plan(&env);
    scripted(
        &env,
        "```json\n{\"patch_operations\": [{\"op_type\": \"mark_done\", \"data\": {}}\n```",
    );
    let mut session = on_terminal(&env, CHAT);
    session.expect("/help says this").unwrap();
    session.send_line("End it").unwrap();
    session.expect("I would mark it as done.").unwrap();
    session.send_line("/done").unwrap();
    session.expect("No valid JSON found").unwrap();
    session.expect("try /done again").unwrap();
    env.write("final", "[{\"op_type\": \"mark_done\", \"data\": {}}]");
    session.send_line("/done").unwrap();
    session.expect("`item_id` is missing").unwrap();
    session.expect("try /done again").unwrap();
    env.write(
        "final",
        "```json\n[{\"op_type\": \"mark_done\", \"data\": {\"item_id\": \"k\"}}]\n```",
    );
    session.send_line("/done").unwrap();
    session.expect("[y]es/[n]o").unwrap();
    let asked = read(&env, "asked");
    assert!(asked.contains("`item_id` is missing"), "{asked}");
    session.send_line("n").unwrap();
    let (rest, status) = end(&mut session);
    assert!(
        matches!(status, WaitStatus::Exited(_, 0)),
        "{status:?}: {rest}"
    );
    let id = only_session(&env);
    assert_eq!(
        types(&env, &id),
        [
            "user_message",
            "assistant_message",
            "error",
            "assistant_message",
            "error",
            "assistant_message",
            "final_json"
        ]
    );
    assert!(read(&env, "desk/docs/maestro/tasks/k.json").contains("planned"));
    assert_eq!(meta(&env, &id)["status"], "closed");
}

#[test]
fn control_c_at_the_prompt_leaves_an_open_session_that_resume_and_chat_go_on_with() {
    let env = Env::new().var("TERM", "xterm");
    plan(&env);
    scripted(
        &env,
        "[{\"op_type\": \"mark_done\", \"data\": {\"item_id\": \"k\"}}]",
    );
    let mut session = on_terminal(&env, CHAT);
    session.expect("/help says this").unwrap();
    session.send_line("A thought to keep").unwrap();
    session.expect("I would mark it as done.").unwrap();
    session.expect("> ").unwrap();
    session.send("\u{3}").unwrap();
    let (_, status) = end(&mut session);
    assert!(
        matches!(status, WaitStatus::Signaled(_, Signal::SIGINT, _)),
        "{status:?}"
    );
    let id = only_session(&env);
    assert_eq!(meta(&env, &id)["status"], "open");
    let resumed = env.run(["resume", &id, "--print"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(
        resumed.stdout.contains("A thought to keep")
            && resumed.stdout.contains("I would mark it as done."),
        "{}",
        resumed.stdout
    );
    // Going on, and interrupted again at the question whether to apply.
    let mut session = on_terminal(&env, &["discuss", "chat", &id]);
    session.expect("/help says this").unwrap();
    session.send_line("/done").unwrap();
    session.expect("[y]es/[n]o").unwrap();
    session.expect("> ").unwrap();
    session.send("\u{3}").unwrap();
    let (_, status) = end(&mut session);
    assert!(
        matches!(status, WaitStatus::Signaled(_, Signal::SIGINT, _)),
        "{status:?}"
    );
    assert_eq!(meta(&env, &id)["status"], "open");
    assert_eq!(
        types(&env, &id),
        ["user_message", "assistant_message", "final_json"]
    );
    // The same question is asked again, and the engine is not.
    std::fs::remove_file(env.path("asked")).unwrap();
    let done = env.feed(&["discuss", "chat", &id], "y\n");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(!env.path("asked").exists());
    assert!(read(&env, "desk/docs/maestro/tasks/k.json").contains("\"done\""));
}

#[test]
fn control_c_while_an_engine_runs_that_never_ends_leaves_an_open_session() {
    let env = Env::new().var("TERM", "xterm");
    plan(&env);
    scripted(&env, "[]");
    let mark = env.path("thinking");
    env.write(
        "engine.sh",
        format!("#!/bin/sh\ntouch '{}'\nexec sleep 600\n", mark.display()),
    );
    let mut session = on_terminal(&env, CHAT);
    session.expect("/help says this").unwrap();
    session.send_line("Think about it").unwrap();
    wait_for(&env, "thinking");
    session.send("\u{3}").unwrap();
    let (_, status) = end(&mut session);
    assert!(
        matches!(status, WaitStatus::Signaled(_, Signal::SIGINT, _)),
        "{status:?}"
    );
    let id = only_session(&env);
    assert_eq!(types(&env, &id), ["user_message"]);
    assert_eq!(meta(&env, &id)["status"], "open");
    let resumed = env.run(["resume", &id, "--print"]);
    assert!(
        resumed.stdout.contains("Think about it"),
        "{}",
        resumed.stdout
    );
}

#[test]
fn an_engine_that_is_absent_fails_or_says_too_much_is_recorded_and_the_talk_goes_on() {
    let check = |script: Option<&str>, message: &str, details: &str| {
        let env = Env::new();
        plan(&env);
        scripted(&env, "[]");
        match script {
            Some(script) => {
                env.write("engine.sh", format!("#!/bin/sh\n{script}\n"));
            }
            None => std::fs::remove_file(env.path("engine.sh")).unwrap(),
        }
        let done = env.feed(CHAT, "Hello\n/quit\n");
        assert_eq!(done.code, 0, "{}", done.stderr);
        let id = only_session(&env);
        assert_eq!(types(&env, &id), ["user_message", "error"], "{message}");
        let payload = &transcript(&env, &id)[1]["payload"];
        assert!(
            payload["message"].as_str().unwrap().contains(message),
            "{payload}"
        );
        let found = payload["details"].as_str().unwrap_or_default();
        assert!(found.contains(details), "{payload}");
        assert_eq!(meta(&env, &id)["status"], "open");
    };
    check(None, "the engine scripted failed", "");
    check(Some("exit 7"), "exit status: 7", "");
    check(
        Some("i=0; while [ $i -lt 3000 ]; do echo complaint $i >&2; i=$((i+1)); done; exit 3"),
        "exit status: 3",
        "complaint 2999",
    );
    check(Some("true"), "it answered nothing", "");
    check(Some("kill -9 $$"), "signal: 9", "");
    // More than is ever taken, and it would go on for ever.
    check(
        Some("exec cat /dev/zero"),
        "its answer is longer than 64 MB",
        "",
    );
}

#[test]
fn an_engine_that_is_not_installed_is_named_and_the_user_s_turn_is_kept() {
    let env = Env::new();
    let done = env.feed(&["discuss", "chat", "--engine", "qwen"], "Hello\n");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stderr.contains("no `qwen` on the PATH"),
        "{}",
        done.stderr
    );
    let id = only_session(&env);
    assert_eq!(types(&env, &id), ["user_message", "error"]);
}

#[test]
fn a_mistyped_command_is_not_sent_to_the_engine_and_a_path_is_a_message() {
    let env = Env::new();
    plan(&env);
    scripted(&env, "no JSON here");
    let done = env.feed(CHAT, "/don\n/etc/hosts is wrong\n/done\n/quit\n");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stderr
            .contains("there is no command /don: it was not sent"),
        "{}",
        done.stderr
    );
    let events = transcript(&env, &only_session(&env));
    assert_eq!(events[0]["payload"]["content"], "/etc/hosts is wrong");
    assert!(
        done.stderr
            .contains("No valid JSON found in response. Go on"),
        "{}",
        done.stderr
    );
}

/// Answers `/done` with something else once it has been told why the first answer was not accepted.
fn second_thoughts(env: &Env, first: &str, why: &str, second: &str) {
    scripted(env, first);
    let script = format!(
        "#!/bin/sh\ninput=$(cat)\nprintf '%s' \"$input\" > '{0}'\ncase \"$input\" in\n*\"not accepted: \"*'{why}'*) cat '{2}';;\n*/done*) cat '{1}';;\n*) echo 'I would mark it as done.';;\nesac\n",
        env.path("asked").display(),
        env.path("final").display(),
        env.path("second").display(),
    );
    env.write("engine.sh", script).write("second", second);
}

#[test]
fn operations_that_the_plan_does_not_take_go_back_to_the_engine_and_the_chat_goes_on() {
    let mark = |id: &str, item: &str| {
        format!(
            "[{{\"op_type\": \"mark_done\", \"data\": {{\"item_type\": \"{item}\", \"item_id\": \"{id}\"}}}}]"
        )
    };
    for (first, why) in [
        (mark("typo-id", "task"), "Task 'typo-id' not found"),
        (mark("p", "phase"), "not allowed in task context"),
    ] {
        let env = Env::new();
        plan(&env);
        let told = why.trim_matches('\'').replace('\'', "'\"'\"'");
        second_thoughts(&env, &first, &told, &mark("k", "task"));
        let done = env.feed(CHAT, "End it\n/done\n/done\ny\n");
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stderr.contains(why), "{}", done.stderr);
        assert!(done.stdout.ends_with("REPLAY_OK\n"), "{}", done.stdout);
        let id = only_session(&env);
        assert_eq!(
            types(&env, &id),
            [
                "user_message",
                "assistant_message",
                "error",
                "assistant_message",
                "final_json",
                "replay_run"
            ]
        );
        assert!(read(&env, "desk/docs/maestro/tasks/k.json").contains("\"done\""));
    }
}

#[test]
fn a_chat_may_be_allowed_what_its_context_does_not() {
    let env = Env::new();
    plan(&env);
    scripted(
        &env,
        "[{\"op_type\": \"mark_done\", \"data\": {\"item_type\": \"phase\", \"item_id\": \"p\"}}]",
    );
    let args = [CHAT, &["--allow-cross-context"]].concat();
    let done = env.feed(&args, "End it\n/done\ny\n");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(read(&env, "desk/docs/maestro/phases/p.json").contains("\"done\""));
}

#[test]
fn a_session_that_cannot_be_written_is_refused_before_the_engine_is_asked() {
    let env = Env::new();
    plan(&env);
    scripted(&env, "[]");
    let id = crate::discuss::start(&env, &["--engine", "scripted", "Anything?"]);
    let none = env.feed(&["discuss", "done", &id, "--input", "-"], "[]");
    assert_eq!(none.code, 0, "{}", none.stderr);
    let done = env.feed(&["discuss", "chat", &id], "And now?\n");
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(done.stderr.contains("is closed"), "{}", done.stderr);
    let artifact = serde_json::json!({"session_id": "discuss_task_1", "timestamp": "2025-12-27T10:00:00", "engine": "scripted",
        "model": "m", "contract_type": "task", "initial_prompt": "Old", "status": "pending",
        "patch_operations": [{"op_type": "mark_done", "data": {"item_id": "k"}}]});
    env.write(
        "desk/docs/maestro/ai/artifacts/discuss_task_1_results.json",
        artifact.to_string(),
    );
    let done = env.feed(&["discuss", "chat", "discuss_task_1"], "n\n");
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(
        done.stderr.contains("segno migrate discuss/discuss_task_1"),
        "{}",
        done.stderr
    );
    assert!(!env.path("asked").exists());
}

#[test]
fn the_run_of_a_chat_is_of_the_moment_that_its_user_agreed_at() {
    let env = Env::new().var("TERM", "xterm");
    plan(&env);
    scripted(&env, MARK);
    let mut session = on_terminal(&env, CHAT);
    session.expect("/help says this").unwrap();
    session.send_line("End it").unwrap();
    session.expect("I would mark it as done.").unwrap();
    session.send_line("/done").unwrap();
    session.expect("[y]es/[n]o").unwrap();
    env.write("clock", "2026-11-18T18:00:00Z");
    session.send_line("y").unwrap();
    let (rest, _) = end(&mut session);
    assert!(rest.contains("REPLAY_OK"), "{rest}");
    let events = transcript(&env, &only_session(&env));
    let [.., ended, run] = events.as_slice() else {
        panic!()
    };
    assert!(ended["ts"].as_str().unwrap() < run["ts"].as_str().unwrap());
    assert!(run["ts"].as_str().unwrap().contains("T18:00:00"), "{run}");
}

#[test]
fn a_chat_refuses_json_and_another_subject_and_passes_over_what_is_no_text() {
    let env = Env::new();
    plan(&env);
    scripted(&env, "[]");
    let json = env.feed(&["discuss", "chat", "--json"], "x\n");
    assert_eq!(json.code, 2, "{}", json.stderr);
    assert!(
        json.stderr.contains("segno discuss start"),
        "{}",
        json.stderr
    );
    let id = crate::discuss::start(&env, &["--engine", "scripted", "x"]);
    let other = env.feed(&["discuss", "chat", &id, "--task", "k"], "");
    assert_eq!(other.code, 2, "{}", other.stderr);
    let mut child = env
        .command(CHAT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = b"caf\xe9\nHello\n/quit\n";
    child.stdin.take().unwrap().write_all(input).unwrap();
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("not UTF-8"), "{said}");
    assert!(said.contains("go on with: segno discuss chat"), "{said}");
    // The engine, which cannot look, is told what there is.
    let asked = read(&env, "asked");
    assert!(asked.contains("task k: Task"), "{asked}");
    let resumed = env.run(["resume", &format!("discuss/{id}")]);
    assert!(
        resumed.stderr.contains(&format!("segno discuss chat {id}")),
        "{}",
        resumed.stderr
    );
}
