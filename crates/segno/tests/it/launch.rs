//! `segno resume` without `--print`: which tool is started, with what, and what is left when it ends.

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::Env;
use crate::sessions::{script, started, status, two, with_tools};

/// How each agent takes a first prompt and then stays for the conversation.
const AGENTS: [(&str, &[&str]); 5] = [
    ("claude", &[]),
    ("codex", &[]),
    ("gemini", &["-i"]),
    ("opencode", &["--prompt"]),
    ("qwen", &["-i"]),
];

fn all_agents(env: Env) -> Env {
    with_tools(env, &AGENTS.map(|(tool, _)| tool))
}

/// What `--print` says, which is what a tool has to be given. Asked for twice: the first time makes the session active.
fn printed(env: &Env) -> String {
    env.run(["resume", "001", "--print"]);
    let done = env.run(["resume", "001", "--print"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    done.stdout
}

/// Gives a session a history that is too long for an argument.
fn lengthen(env: &Env) -> String {
    let path = "desk/conversations/2026-11-17/001-plan-log/.session/messages.jsonl";
    let long = "a line of a long history. ".repeat(8_000);
    let line =
        serde_json::json!({"role": "user", "content": long, "timestamp": "2026-11-17T10:00:00Z"});
    env.write(path, format!("{line}\n"));
    long
}

/// Waits until something is so; a test that waits for ever says nothing.
fn wait_for(is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !is_so() {
        assert!(Instant::now() < deadline, "it did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn each_agent_is_started_the_way_it_takes_a_first_prompt() {
    for (tool, before) in AGENTS {
        let env = all_agents(two());
        let text = printed(&env);
        assert!(text.contains("By a log that only grows."), "{text}");
        let done = env.run(["resume", "001", "--tool", tool]);
        assert_eq!(
            (done.code, done.stdout.as_str()),
            (0, ""),
            "{}",
            done.stderr
        );
        let expected: Vec<&str> = before.iter().copied().chain([text.as_str()]).collect();
        assert_eq!(
            started(&env),
            (
                tool.to_owned(),
                expected.iter().map(ToString::to_string).collect()
            )
        );
        let dir = std::fs::read_to_string(env.path("notes/dir")).unwrap();
        assert_eq!(dir.trim(), env.path("desk").to_str().unwrap());
        assert_eq!(status(&env, "001-plan-log"), "active");
    }
}

#[test]
fn each_agent_is_told_to_read_a_file_where_the_text_is_too_long_for_an_argument() {
    for (tool, before) in AGENTS {
        let env = all_agents(two());
        lengthen(&env);
        let text = printed(&env);
        let done = env.run(["resume", "001", "--tool", tool]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let (name, args) = started(&env);
        assert_eq!(name, tool);
        let (prompt, options) = args.split_last().unwrap();
        assert_eq!(options, before);
        let file = env.path("desk/.segno/handed/conversation-001-plan-log-");
        assert!(
            prompt.len() < 1_000 && prompt.contains(file.to_str().unwrap()),
            "{prompt}"
        );
        let given = std::fs::read_to_string(env.path("notes/file")).unwrap();
        assert_eq!(given, text, "the file has all of it");
    }
}

#[test]
fn the_configured_tool_comes_before_the_first_on_the_path() {
    let env = with_tools(two(), &["claude", "qwen"]);
    env.run(["resume", "001"]);
    assert_eq!(started(&env).0, "claude");
    env.write("home/.config/segno/config.toml", "resume.tool = \"qwen\"");
    env.run(["resume", "002"]);
    assert_eq!(started(&env).0, "qwen");
    env.write("home/.config/segno/config.toml", "resume.tool = \"codex\"");
    let done = env.run(["resume", "002"]);
    assert_eq!(started(&env).0, "claude");
    assert!(
        done.stderr.contains("warning: codex is not installed here"),
        "{}",
        done.stderr
    );
}

#[test]
fn the_sessions_own_tool_comes_before_the_configured_one() {
    let env = with_tools(two(), &["claude", "qwen", "gemini"]);
    env.write("home/.config/segno/config.toml", "resume.tool = \"qwen\"");
    // The instructions of this command exist for one agent only: the conversation was held with that one.
    env.write("desk/.gemini/commands/plan.toml", "prompt = \"Plan it.\"\n");
    let done = env.run(["resume", "001"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(started(&env).0, "gemini");
}

#[test]
fn a_missing_tool_names_those_looked_for_and_changes_nothing() {
    let env = with_tools(two(), &[]);
    let done = env.run(["resume", "001"]);
    assert_eq!(done.code, 1);
    assert!(
        done.stderr.starts_with(
            "error: no tool to resume in: claude, codex, gemini, opencode, qwen cannot be found\n  hint: `--print` prints"
        ),
        "{}",
        done.stderr
    );
    let named = env.run(["resume", "001", "--tool", "codex", "--json"]);
    assert_eq!(named.code, 0, "JSON starts nothing: {}", named.stderr);
    let unknown = env.run(["resume", "002", "--tool", "cladue"]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.stderr.contains("known: claude, codex"),
        "{}",
        unknown.stderr
    );
    assert_eq!(status(&env, "002-debug-token"), "paused");
}

#[test]
fn the_exit_code_of_the_tool_is_reported() {
    let env = with_tools(two(), &["claude"]).var("TOOL_EXIT", "7");
    let done = env.run(["resume", "001"]);
    assert_eq!(done.code, 1);
    assert!(
        done.stderr
            .contains("error: claude ended with exit code 7\n"),
        "{}",
        done.stderr
    );
    assert!(
        done.stderr
            .contains("segno resume conversation/001-plan-log"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_long_text_goes_by_a_private_file_that_is_gone_afterwards() {
    let env = with_tools(two(), &["claude"]);
    let long = lengthen(&env);
    let done = env.run(["resume", "001"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let (_, args) = started(&env);
    assert_eq!(args.len(), 1);
    assert!(
        args[0].len() < 1_000 && args[0].contains("/.segno/handed/conversation-001-plan-log-"),
        "{}",
        args[0]
    );
    let kept = env.path("notes/file");
    assert!(std::fs::read_to_string(&kept).unwrap().contains(&long));
    assert_eq!(
        std::fs::metadata(&kept).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let left = std::fs::read_dir(env.path("desk/.segno/handed")).unwrap();
    assert_eq!(left.count(), 0);
    assert!(env.path("desk/.segno/.gitignore").exists());
}

#[test]
fn a_private_file_whose_command_was_killed_is_gone_after_the_next_command() {
    let env = with_tools(two(), &[]);
    lengthen(&env);
    script(
        &env,
        "claude",
        // It ends with the test, however that ends.
        "#!/bin/sh\n: > \"$NOTES/ready\"\nwhile [ -e \"$NOTES/ready\" ]; do /bin/sleep 0.05; done\n",
    );
    let left = || {
        std::fs::read_dir(env.path("desk/.segno/handed"))
            .unwrap()
            .count()
    };
    let mut command = env.command(["resume", "001"]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    wait_for(|| env.path("notes/ready").exists());
    assert_eq!(env.run(["list"]).code, 0);
    assert_eq!(left(), 1, "its command still runs");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(left(), 1, "nobody was left to remove it");
    assert_eq!(env.run(["list"]).code, 0);
    assert_eq!(left(), 0);
}

#[test]
fn a_command_of_the_users_own_is_split_but_never_given_to_a_shell() {
    let env = with_tools(two(), &["mine"]);
    env.write(
        "home/.config/segno/config.toml",
        "[tools]\nmine = \"mine --say '{text}' \\\"; touch pwned\\\" $(touch pwned) --file={file}\"\n",
    );
    let done = env.run(["resume", "001", "--tool", "mine"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let (_, args) = started(&env);
    assert_eq!(args.len(), 6, "{args:?}");
    assert!(args[1].contains("[RESUMED CONVERSATION]"));
    assert_eq!(args[2..5], ["; touch pwned", "$(touch", "pwned)"]);
    assert!(
        args[5].starts_with("--file=/") && args[5].contains("/handed/"),
        "{}",
        args[5]
    );
    assert!(!env.path("desk/pwned").exists());
    env.write(
        "home/.config/segno/config.toml",
        "[tools]\nmine = \"mine --say\"\n",
    );
    let bad = env.run(["resume", "002", "--tool", "mine"]);
    assert_eq!(bad.code, 1);
    assert!(
        bad.stderr
            .contains("caused by: neither {text} nor {file} is in it"),
        "{}",
        bad.stderr
    );
    assert_eq!(status(&env, "002-debug-token"), "paused");
}

#[test]
fn a_command_that_came_with_the_workspace_is_not_run_without_its_users_consent() {
    let env = with_tools(two(), &["claude", "theirs"]);
    let command = "[tools]\nclaude = \"theirs {text}\"\n";
    env.write("desk/.segno/config.toml", command);
    let refused = env.run(["resume", "001"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .contains("This workspace brings its own command for `claude`: theirs {text}"),
        "{}",
        refused.stderr
    );
    assert!(
        refused
            .stderr
            .contains("[ENV]/home/.config/segno/config.toml"),
        "{}",
        refused.stderr
    );
    assert!(!env.path("notes/name").exists());
    assert_eq!(status(&env, "001-plan-log"), "paused");
    // The same words in the user's own file are the user's.
    env.write("home/.config/segno/config.toml", command);
    assert_eq!(env.run(["resume", "001"]).code, 0);
    assert_eq!(started(&env).0, "theirs");
}
