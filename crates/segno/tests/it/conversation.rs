//! `segno conversation`: started, talked in, stopped, completed and committed, as its users do it.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::Env;
use crate::sessions::{started, with_tools};

/// Starts a conversation and gives its directory.
pub(crate) fn start(env: &Env, args: &[&str]) -> String {
    let json = env
        .run([&["conversation", "start", "--json"], args].concat())
        .json();
    json["session"]["path"].as_str().unwrap().to_owned()
}

fn read(env: &Env, path: &str) -> String {
    std::fs::read_to_string(env.path(&format!("desk/{path}"))).unwrap()
}

pub(crate) fn state(env: &Env, dir: &str) -> Value {
    serde_json::from_str(&read(env, &format!("{dir}/.session/session.json"))).unwrap()
}

/// Runs with something on standard input.
fn piped(env: &Env, args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = env
        .command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let done = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        done.status.code().unwrap(),
        text(&done.stdout),
        text(&done.stderr),
    )
}

#[test]
fn a_conversation_from_its_start_to_its_end() {
    let env = Env::new();
    env.write(
        "desk/.claude/commands/workspace_plan.md",
        "Ask before you act.\n",
    );
    env.run(["conversation", "start", "plan", "The", "log"])
        .check(
            0,
            "Started \"The log\": conversation/001-plan-the-log\n\
             conversations/2026-11-18/001-plan-the-log/feature-planning.md\n",
            "",
        );
    let say = |role: &str, text: &str| {
        let args = ["conversation", "say", "001", "--role", role, text];
        env.run(args)
            .check(0, "Saved 1 message in conversation/001-plan-the-log\n", "");
    };
    say("user", "How do we save it?");
    say("assistant", "- by a log\n- that only grows");
    env.run(["stop", "001", "--summary", "The codec comes next."])
        .check(
            0,
            "Session saved.\n\
             conversation \"The log\" has been paused.\n\
             You can continue later with /workspace.resume or `segno resume conversation/001-plan-the-log`\n\
             Stopped at: message 2\n\
             Summary: The codec comes next.\n",
            "",
        );
    let resumed = env.run(["conversation", "resume", "001", "--print"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(
        resumed
            .stdout
            .starts_with("Ask before you act.\n\n[RESUMED CONVERSATION]\n"),
        "{}",
        resumed.stdout
    );
    env.run(["conversation", "complete", "001", "--summary", "Done."])
        .check(
            0,
            "Session saved.\nConversation \"The log\" has been completed.\nSummary: Done.\n",
            "",
        );
    let late = env.run([
        "conversation",
        "say",
        "001",
        "--role",
        "user",
        "more",
        "--json",
    ]);
    assert_eq!(late.code, 1);
    assert_eq!(late.json_error()["code"], "refused");
}

#[test]
fn sess_002_explicit_stop_command() {
    let env = Env::new();
    let dir = start(&env, &["plan", "x"]);
    let done = env.run(["conversation", "stop", "001"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.starts_with("Session saved.\n"));
    assert!(done.stdout.contains("/workspace.resume"));
    assert!(done.stdout.contains("\"x\""));
    assert_eq!(state(&env, &dir)["status"], "paused");
    assert_eq!(env.run(["conversation", "stop", "001"]).code, 1);
}

/// Two conversations, the first one worked on last; the agent's instructions are there.
fn two_talks() -> Env {
    let env = with_tools(Env::new(), &["claude"]);
    env.write(
        "desk/.claude/commands/workspace_brainstorm.md",
        "Diverge first.\n",
    );
    start(&env, &["brainstorm", "API Design Discussion"]);
    start(&env, &["debug", "Auth Token Expiry"]);
    env.run([
        "conversation",
        "say",
        "001",
        "--role",
        "user",
        "REST or GraphQL?",
    ]);
    env.run(["stop", "001", "--summary", "Leaning toward REST"]);
    env
}

#[test]
fn sess_003_list_resumable_conversations() {
    let env = two_talks();
    let list = env.run(["resume"]);
    assert_eq!(list.code, 0, "{}", list.stderr);
    let lines: Vec<&str> = list.stdout.lines().collect();
    // Type, title, last active time, status and summary of each; the most recent first.
    let rows = [
        [
            "1",
            "brainstorm",
            "API Design Discussion",
            "just now",
            "paused",
            "Leaning toward REST",
        ],
        ["2", "debug", "Auth Token Expiry", "just now", "active", ""],
    ];
    for (row, words) in rows.iter().enumerate() {
        for word in words {
            assert!(lines[row + 1].contains(word), "{word}: {}", list.stdout);
        }
    }
}

#[test]
fn sess_003_resume_by_selection() {
    // By number in the list, and by what it is about; the terminal's own way is in `terminal.rs`.
    for selection in [&["1"][..], &["api", "design"], &["leaning toward rest"]] {
        let env = two_talks();
        let resumed = env.run([&["resume"], selection].concat());
        assert_eq!(resumed.code, 0, "{selection:?}: {}", resumed.stderr);
        let (tool, args) = started(&env);
        assert_eq!((tool.as_str(), args.len()), ("claude", 1));
        for text in [
            "Diverge first.",
            "Conversation: brainstorm / API Design Discussion",
            "Summary: Leaning toward REST",
            "REST or GraphQL?",
            "pick up naturally",
        ] {
            assert!(args[0].contains(text), "{selection:?}: {}", args[0]);
        }
        let dir = "conversations/2026-11-18/001-brainstorm-api-design-discussion";
        assert_eq!(state(&env, dir)["status"], "active");
    }
}

#[test]
fn sess_003_no_resumable_conversations() {
    for args in [&["resume"][..], &["resume", "--list"], &["resume", "words"]] {
        let done = Env::new().run(args);
        assert_eq!((done.code, done.stdout.as_str()), (1, ""), "{args:?}");
        assert!(
            done.stderr
                .starts_with("error: there is no session to resume here\n"),
            "{}",
            done.stderr
        );
        assert!(
            done.stderr.contains("segno conversation start"),
            "{}",
            done.stderr
        );
    }
}

#[test]
fn sess_004_resume_by_conversation_id() {
    let env = with_tools(Env::new(), &["codex"]);
    let dir = start(&env, &["brainstorm", "topic"]);
    env.run([
        "conversation",
        "say",
        "001",
        "--role",
        "user",
        "Where were we?",
    ]);
    let resumed = env.run(["resume", "001-brainstorm-topic"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let (tool, args) = started(&env);
    assert_eq!(tool, "codex", "the only tool there is");
    assert!(args[0].contains("Conversation: brainstorm / topic"));
    assert!(args[0].contains("Where were we?"));
    assert_eq!(state(&env, &dir)["status"], "active");
}

#[test]
fn sess_004_resume_by_search() {
    let env = two_talks();
    // One match, in a title or in a summary: resumed.
    for words in ["token expiry", "toward rest"] {
        let resumed = env.run(["resume", words]);
        assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    }
    // Several: which one is asked for; without a terminal they are named. `terminal.rs` answers the question.
    start(&env, &["brainstorm", "API naming"]);
    let several = env.run(["resume", "api", "--json"]);
    assert_eq!(several.code, 1);
    let error = several.json_error();
    assert_eq!(error["code"], "ambiguous");
    for id in [
        "001-brainstorm-api-design-discussion",
        "003-brainstorm-api-naming",
    ] {
        assert!(error["hints"].to_string().contains(id), "{error}");
    }
}

#[test]
fn sess_004_list_resumable_conversations() {
    let env = two_talks();
    let list = env.run(["resume", "--list"]);
    let lines: Vec<&str> = list.stdout.lines().collect();
    let rows = [
        [
            "001-brainstorm-api-design-discussion",
            "brainstorm",
            "API Design Discussion",
            "paused",
            "just now",
        ],
        [
            "002-debug-auth-token-expiry",
            "debug",
            "Auth Token Expiry",
            "active",
            "just now",
        ],
    ];
    for (row, words) in rows.iter().enumerate() {
        for word in words {
            assert!(lines[row + 1].contains(word), "{word}: {}", list.stdout);
        }
    }
}

#[test]
fn messages_come_from_arguments_files_and_standard_input() {
    let env = Env::new();
    let dir = start(&env, &["plan", "x"]);
    env.write("desk/said.txt", "from a file\n\n");
    let base = ["conversation", "say", "001", "--role", "tool"];
    assert_eq!(
        env.run([&base[..], &["--input", "said.txt"]].concat()).code,
        0
    );
    assert_eq!(
        piped(&env, &[&base[..], &["--input", "-"]].concat(), "piped\r\n").0,
        0
    );
    assert_eq!(piped(&env, &base, "unasked").0, 0);
    let texts: Vec<String> = read(&env, &format!("{dir}/.session/messages.jsonl"))
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["content"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(texts, ["from a file\n", "piped", "unasked"]);
    for (args, code) in [
        (&["--role", "nobody", "x"][..], 2),
        (&["x"], 2),
        (&["--role", "user", "x", "--input", "y"], 2),
        (&["--role", "user", "--input", "missing"], 1),
    ] {
        let done = env.run([&["conversation", "say", "001"], args].concat());
        assert_eq!(done.code, code, "{args:?}: {}", done.stderr);
    }
}

#[test]
fn a_batch_is_acknowledged_line_by_line_or_as_a_whole() {
    let env = Env::new();
    let dir = start(&env, &["plan", "x"]);
    let lines = "{\"role\":\"user\",\"content\":\"a\"}\n\n{\"role\":\"assistant\",\"content\":\"b\",\"id\":1}\n";
    let whole = ["conversation", "say", "001", "--batch"];
    let (code, out, _) = piped(&env, &[&whole[..], &["--json"]].concat(), lines);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["saved"]), (0, &Value::from(2)));
    assert_eq!(answer["session"]["id"], "001-plan-x");
    let each = ["conversation", "say", "001", "--batch", "--ack", "each"];
    let (code, out, _) = piped(&env, &each, lines);
    assert_eq!(
        (code, out.as_str()),
        (
            0,
            "saved line 1 2026-11-18T09:30:03Z\nsaved line 3 2026-11-18T09:30:03Z\n"
        )
    );
    let path = format!("{dir}/.session/messages.jsonl");
    assert_eq!(read(&env, &path).lines().count(), 4);
    assert!(read(&env, &path).contains("\"id\":1}\n"));

    // A line that makes no sense: named; as a whole nothing is said, line by line what came before is.
    for bad in [
        "nonsense",
        "[]",
        "{\"role\":\"user\"}",
        "{\"role\":\"x\",\"content\":\"y\"}",
        "{\"role\":\"user\",\"content\":\"y\",\"timestamp\":\"soon\"}",
    ] {
        let input = format!("{{\"role\":\"user\",\"content\":\"c\"}}\n{bad}\n");
        let (code, out, err) = piped(&env, &whole, &input);
        assert_eq!((code, out.as_str()), (1, ""), "{bad}");
        assert!(err.contains("line 2 of the batch"), "{err}");
    }
    assert_eq!(read(&env, &path).lines().count(), 4);
    let (code, out, _) = piped(
        &env,
        &each,
        "{\"role\":\"user\",\"content\":\"c\"}\nnonsense\n",
    );
    assert_eq!((code, out.lines().count()), (1, 1));
    assert_eq!(read(&env, &path).lines().count(), 5);
}

#[test]
fn eight_processes_that_start_at_once_get_eight_numbers() {
    eight_at_once(["same"; 8]);
}

#[test]
fn eight_topics_in_eight_scripts_started_at_once_get_usable_distinct_names() {
    let names = eight_at_once([
        "\u{62e}\u{637}\u{629} \u{627}\u{644}\u{62d}\u{641}\u{638}",
        "\u{4f1a}\u{8bae}\u{8bb0}\u{5f55}",
        "\u{1f680}\u{1f389}",
        "\u{65e5}\u{8a18}\u{306e}\u{66f8}\u{304d}\u{65b9}",
        "\u{41f}\u{43b}\u{430}\u{43d}",
        "\u{ac00}\u{b098}",
        "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}",
        "..//\u{202e}?*",
    ]);
    for name in &names {
        let slug = name.splitn(3, '-').nth(2).unwrap();
        assert!(!slug.trim_matches('-').is_empty(), "{name}");
        assert!(
            !name
                .chars()
                .any(|c| c.is_control() || "/\\?*:\u{202e}".contains(c)),
            "{name}"
        );
    }
}

/// Starts a conversation about each topic, all at once; gives the names of their directories.
fn eight_at_once(topics: [&str; 8]) -> Vec<String> {
    let env = Env::new();
    let children: Vec<_> = topics
        .iter()
        .map(|topic| {
            let mut command = env.command(["conversation", "start", "plan", topic]);
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for child in children {
        let done = child.wait_with_output().unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
    let dir = env.path("desk/conversations/2026-11-18");
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 8);
    for (name, number) in names.iter().zip(1..) {
        assert!(name.starts_with(&format!("{number:03}-plan-")), "{names:?}");
        let resumed = env.run(["resume", name, "--print"]);
        assert_eq!(resumed.code, 0, "{name}: {}", resumed.stderr);
    }
    names
}

#[test]
fn eight_processes_that_speak_at_once_lose_nothing() {
    let env = Env::new();
    let dir = start(&env, &["plan", "x"]);
    let children: Vec<_> = (0..8)
        .map(|n| {
            let text = format!("message {n}");
            let mut command =
                env.command(["conversation", "say", "001-plan-x", "--role", "user", &text]);
            command.stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let text = read(&env, &format!("{dir}/.session/messages.jsonl"));
    let times: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["timestamp"].clone())
        .collect();
    assert_eq!(times.len(), 8);
    assert!(times.is_sorted_by_key(|time| time.as_str().unwrap().to_owned()));
}

#[test]
fn damage_is_found_by_check_and_repaired_by_recover() {
    let env = Env::new();
    let dir = start(&env, &["plan", "x"]);
    env.write(&format!("desk/{dir}/.session/session.json"), "{\"version\"");
    env.write(
        &format!("desk/{dir}/.session/messages.jsonl"),
        "{\"role\":\"user\",\"content\":\"a\"}\nnot json\n{\"role\":\"user\",\"content\":\"b\"}\n",
    );
    let found = env.run(["check"]);
    assert_eq!(found.code, 3);
    assert!(
        found.stdout.contains("messages.jsonl:2  "),
        "{}",
        found.stdout
    );
    let done = env.run(["recover"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stdout.contains("session.json.broken-1"),
        "{}",
        done.stdout
    );
    assert_eq!(env.run(["check"]).code, 0);
    assert_eq!(state(&env, &dir)["message_count"], 2);
}

#[test]
fn sess_005_auto_pause_is_told_to_the_user_by_any_command_that_looks() {
    for args in [
        &["resume", "--list"][..],
        &["list"],
        &["show", "001"],
        &["check"],
        &["check", "001"],
        &["recover"],
        &["migrate"],
        &["watch", "--once"],
        // The dashboard.
        &[],
    ] {
        let env = Env::new();
        let dir = start(&env, &["plan", "x"]);
        std::fs::write(env.path("clock"), "2026-11-18T09:40:00Z").unwrap();
        let done = env.run(args);
        assert_eq!(done.code, 0, "{args:?}: {}", done.stderr);
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(
            said.contains("conversation/001-plan-x was idle: it has been saved and paused"),
            "{args:?}: {said}"
        );
        assert_eq!(state(&env, &dir)["status"], "paused", "{args:?}");
        assert_eq!(state(&env, &dir)["last_active"], "2026-11-18T09:30:00Z");
    }
}

#[test]
fn sess_005_the_period_of_auto_pause_can_be_configured() {
    let env = Env::new();
    let dir = start(&env, &["plan", "x"]);
    env.write(
        "desk/.segno/config.toml",
        "conversation.auto_pause_minutes = 60\n",
    );
    std::fs::write(env.path("clock"), "2026-11-18T10:29:00Z").unwrap();
    env.run(["list"]);
    assert_eq!(state(&env, &dir)["status"], "active");
    std::fs::write(env.path("clock"), "2026-11-18T10:31:00Z").unwrap();
    env.run(["list"]);
    assert_eq!(state(&env, &dir)["status"], "paused");
}

#[test]
fn whoever_speaks_or_stops_after_a_while_is_not_paused_in_between() {
    let env = Env::new();
    let dir = start(&env, &["plan", "x"]);
    std::fs::write(env.path("clock"), "2026-11-18T09:40:00Z").unwrap();
    let say = ["conversation", "say", "001", "--role", "user", "still here"];
    env.run(say)
        .check(0, "Saved 1 message in conversation/001-plan-x\n", "");
    assert_eq!(state(&env, &dir)["status"], "active");
    std::fs::write(env.path("clock"), "2026-11-18T09:50:00Z").unwrap();
    let stopped = env.run(["stop", "001", "--summary", "Mine."]);
    assert_eq!((stopped.code, stopped.stderr.as_str()), (0, ""));
    assert_eq!(state(&env, &dir)["context_summary"], "Mine.");
}

#[test]
fn the_answer_to_a_message_says_how_many_there_are() {
    let env = Env::new();
    start(&env, &["plan", "x"]);
    for count in 1..=3 {
        let say = [
            "conversation",
            "say",
            "001",
            "--role",
            "user",
            "x",
            "--json",
        ];
        let json = env.run(say).json();
        assert_eq!(json["session"]["counts"]["messages"], count);
        assert_eq!(
            json["session"]["position"],
            format!("message {count}").as_str()
        );
        assert_eq!(json["saved"], 1);
    }
}

/// The system calls of a command that write or sync, from `strace`; `None` where that cannot be had.
fn traced(env: &Env, args: &[&str]) -> Option<Vec<String>> {
    let command = env.command(args);
    let trace = env.path("trace");
    let mut tracer = std::process::Command::new("strace");
    tracer
        .args(["-f", "-s", "0", "-e"])
        .arg("trace=write,pwrite64,writev,fsync,fdatasync,syncfs,sync,sync_file_range,msync")
        .args(["-y", "-o"])
        .arg(&trace)
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(env.path("desk"));
    let done = tracer.output().ok()?;
    let text = std::fs::read_to_string(&trace).ok()?;
    done.status
        .success()
        .then(|| text.lines().map(str::to_owned).collect())
}

#[test]
fn a_message_costs_one_sync_and_hardly_more_bytes_than_it_has() {
    let env = Env::new();
    start(&env, &["plan", "x"]);
    let message = "a message of some length. ".repeat(80);
    let say = ["conversation", "say", "001", "--role", "user", &message];
    assert_eq!(env.run(say).code, 0);
    let Some(calls) = traced(&env, &say) else {
        return;
    };
    let syncs = |calls: &[String]| calls.iter().filter(|call| call.contains("sync(")).count();
    assert_eq!(syncs(&calls), 1, "{calls:#?}");
    let written: usize = calls
        .iter()
        .filter(|call| call.contains("write") && call.contains("/desk/"))
        .filter_map(|call| call.rsplit_once("= ")?.1.trim().parse::<usize>().ok())
        .sum();
    assert!(
        written >= message.len() && written * 10 <= message.len() * 13,
        "{written} bytes for {}: {calls:#?}",
        message.len()
    );
    // The first one after a pause also makes the conversation active: a new state file, its content and its name synced.
    assert_eq!(env.run(["stop", "001"]).code, 0);
    let first = traced(&env, &say).unwrap();
    assert_eq!(syncs(&first), 3, "{first:#?}");
    assert_eq!(syncs(&traced(&env, &say).unwrap()), 1);
}
