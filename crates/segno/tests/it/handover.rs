//! Handovers through the real program.

use std::io::Write as _;
use std::process::Stdio;

use super::Env;
use super::env::Done;

const SESSION: &str = "desk/.claude/sdd/handover/session.md";
const DECISIONS: &str = "desk/.claude/sdd/handover/decisions.md";

fn handover(env: &Env, args: &[&str]) -> Done {
    env.run(["handover"].iter().chain(args))
}

/// Runs with something on standard input.
fn told(env: &Env, args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = env
        .command(["handover"].iter().chain(args))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn text(env: &Env, path: &str) -> String {
    std::fs::read_to_string(env.path(path)).unwrap()
}

fn git(env: &Env, args: &[&str]) {
    let done = std::process::Command::new("git")
        .current_dir(env.path("desk"))
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(args)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

const DECIDE: [&str; 13] = [
    "decide",
    "USER_DECISION",
    "keep the log",
    "--context",
    "c",
    "--decision",
    "d",
    "--reason",
    "r",
    "--impact",
    "i",
    "--source",
    "user",
];

#[test]
fn a_decision_is_recorded_under_the_next_number() {
    let env = Env::new();
    handover(&env, &DECIDE).check(0, "D1\n", "Recorded in the log.\n");
    let json = handover(&env, &[&DECIDE[..], &["--json"]].concat()).json();
    assert_eq!(json["decision"], "D2");
    assert_eq!(json["session"]["counts"]["decisions"], 2);
    assert_eq!(
        text(&env, DECISIONS),
        "[2026-11-18T09:30:00Z] D1: USER_DECISION | keep the log\n- Context: c\n- Decision: d\n- Reason: r\n- Impact: i\n- Source: user\n\n\
         [2026-11-18T09:30:01Z] D2: USER_DECISION | keep the log\n- Context: c\n- Decision: d\n- Reason: r\n- Impact: i\n- Source: user\n"
    );
    let missing = handover(&env, &["decide", "user-decision", "x", "--context", "c"]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("--reason"), "{}", missing.stderr);
    assert_eq!(handover(&env, &["decide", "NOPE", "x"]).code, 2);
}

#[test]
fn spec_5_7_only_the_lead_writes_and_the_configuration_says_who_one_is() {
    let env = Env::new();
    let refused = handover(
        &env,
        &[&DECIDE[..], &["--as", "builder", "--json"]].concat(),
    );
    assert_eq!(
        (refused.code, refused.json_error()["code"].as_str()),
        (1, Some("refused"))
    );
    env.write(
        "desk/.segno/config.toml",
        "[handover]\nrole = \"inspector\"\n",
    );
    for verb in [
        &["draft", "--after", "impl"][..],
        &["flush"],
        &["resume"],
        &["polish", "--input", "-"],
    ] {
        assert_eq!(handover(&env, verb).code, 1, "{verb:?}");
    }
    assert!(!env.path(DECISIONS).exists());
    handover(&env, &[&DECIDE[..], &["--as", "Lead"]].concat()).check(
        0,
        "D1\n",
        "Recorded in the log.\n",
    );
}

#[test]
fn the_log_is_shown_by_type_number_and_word() {
    let env = Env::new();
    handover(&env, &DECIDE);
    handover(&env, &["resume"]);
    handover(
        &env,
        &["decide", "SESSION_END", "over", "--context", "tired"],
    );
    let ids = |args: &[&str]| -> Vec<String> {
        let json = handover(&env, &[&["log", "--json"], args].concat()).json();
        let all = json["decisions"].as_array().unwrap().clone();
        all.iter()
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&[]), ["D1", "D2", "D3"]);
    assert_eq!(ids(&["--last", "2"]), ["D2", "D3"]);
    assert_eq!(ids(&["--type", "session-start"]), ["D2"]);
    assert_eq!(ids(&["--grep", "TIRED"]), ["D3"]);
    assert_eq!(ids(&["--grep", "nowhere"]), Vec::<String>::new());
    let shown = handover(&env, &["log", "--last", "1"]);
    assert_eq!(
        shown.stdout,
        "D3 2026-11-18T09:30:02Z SESSION_END | over\n  Context: tired\n"
    );
    assert_eq!(ids(&["--last", "0"]), Vec::<String>::new());
}

#[test]
fn a_draft_takes_branch_and_files_from_git() {
    let env = Env::new();
    git(&env, &["init", "-q", "-b", "feature/log"]);
    env.write("desk/src/log.rs", "x");
    let json = handover(
        &env,
        &["draft", "--after", "impl", "--done", "built it", "--json"],
    )
    .json();
    assert_eq!(
        (json["created"].as_bool(), json["files_added"].as_u64()),
        (Some(true), Some(1))
    );
    let draft = text(&env, SESSION);
    assert!(draft.contains("**Branch**: feature/log\n"), "{draft}");
    assert!(
        draft.contains("- `src/log.rs`\n") && !draft.contains("session.md"),
        "{draft}"
    );
    handover(
        &env,
        &[
            "draft", "--after", "review", "--next", "go", "--file", "other.rs",
        ],
    )
    .check(0, ".claude/sdd/handover/session.md\n", "Next: go\n");
    assert!(text(&env, SESSION).contains("- `other.rs`\n"));
    assert_eq!(handover(&env, &["draft", "--after", "status"]).code, 2);
}

#[test]
fn spec_2_4_and_2_7_a_polish_collects_and_reports() {
    let env = Env::new();
    git(&env, &["init", "-q", "-b", "main"]);
    env.write(
        "home/.config/segno/config.toml",
        "[handover]\ntest_command = \"exit 3\"\n",
    )
    .write("desk/.claude/sdd/project/steering/tech.md", "x")
    .write(SESSION, "# Session Handover\n**Mode**: auto-draft\n");
    let answers = r#"{"accomplished": ["the log"], "next": "the index", "decisions": "keep text", "tone": "calm", "exceptions": [], "goal": "Log"}"#;
    let (code, stdout, stderr) = told(&env, &["polish", "--input", "-"], answers);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(
        stdout,
        "Handover: .claude/sdd/handover/session.md\n\
         Archive: .claude/sdd/handover/sessions/2026-11-18.md\n\
         Captured: accomplished 1, decisions 1, files 1 (SESSION_END is D2)\n\
         Next: the index\n"
    );
    assert_eq!(
        stderr,
        "The next session loads it by itself with `segno handover resume`.\n"
    );
    let polished = text(&env, SESSION);
    assert!(
        polished.contains("- Tests: `exit 3` failed (exit code 3)\n"),
        "{polished}"
    );
    assert!(
        polished.contains("- `.claude/sdd/project/steering/tech.md`\n"),
        "{polished}"
    );
    assert!(
        polished.contains("1. keep text (ref D1)\n") && !polished.contains("**Mode**"),
        "{polished}"
    );
    let (code, stdout, _) = told(&env, &["polish", "--input", "-", "--json"], answers);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (code, json["archive"].as_str()),
        (0, Some(".claude/sdd/handover/sessions/2026-11-18-2.md"))
    );
}

#[test]
fn a_test_command_that_came_with_the_workspace_is_not_run_without_its_users_consent() {
    let env = Env::new();
    let command = "[handover]\ntest_command = \"touch pwned\"\n";
    env.write("desk/.segno/config.toml", command);
    let answers = r#"{"next": "the index"}"#;
    let (code, _, stderr) = told(&env, &["polish", "--input", "-"], answers);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("the tests were not run: `touch pwned` came with the workspace"),
        "{stderr}"
    );
    assert!(!env.path("desk/pwned").exists());
    // The same words in the user's own file are the user's.
    env.write("home/.config/segno/config.toml", command);
    assert_eq!(told(&env, &["polish", "--input", "-"], answers).0, 0);
    assert!(env.path("desk/pwned").exists());
}

#[test]
fn the_card_counts_what_reviews_track_and_the_dashboard_says_so() {
    let env = Env::new();
    env.write(SESSION, "# Session Handover\n");
    let verdicts = "# Verdicts: log\n\n## [B1] design | 2026-11-18T09:00:00Z | v1.0.0 | runs:1 | threshold:1/1\n### Raw\nM|a|b|c\n### Disposition\nCONDITIONAL\n### Tracked\nM|a|b|c\n";
    env.write("desk/.claude/sdd/project/specs/log/verdicts.md", verdicts);
    let json = env.run(["list", "--json"]).json();
    assert_eq!(json["sessions"][0]["counts"]["tracked_reviews"], 1);
    let page = env.run::<&str>([]);
    assert!(
        page.stdout.to_lowercase().contains("review"),
        "{}",
        page.stdout
    );
    env.write(
        "desk/.claude/sdd/project/specs/log/verdicts.md",
        verdicts.replace("### Tracked\nM|a|b|c\n", ""),
    );
    let json = env.run(["list", "--json"]).json();
    assert_eq!(json["sessions"][0]["counts"]["tracked_reviews"], 0);
}

#[test]
fn a_polish_without_a_terminal_or_with_wrong_answers_says_how_to_answer() {
    let env = Env::new();
    let done = handover(&env, &["polish"]);
    assert_eq!((done.code, done.stdout.as_str()), (1, ""));
    assert!(
        done.stderr.contains("segno handover polish --input -"),
        "{}",
        done.stderr
    );
    for wrong in [
        "",
        "[]",
        r#"{"nxt": "x"}"#,
        r#"{"next": 1}"#,
        r#"{"tone": "calm"}"#,
    ] {
        let (code, stdout, stderr) = told(&env, &["polish", "--input", "-"], wrong);
        assert_eq!((code, stdout.as_str()), (1, ""), "{wrong}: {stderr}");
        assert!(stderr.contains("hint:"), "{stderr}");
    }
    assert!(!env.path(SESSION).exists());
}

#[test]
fn knowledge_is_learnt_from_arguments_and_reports_and_flushed() {
    let env = Env::new();
    let two = [
        "learn",
        "pattern",
        "write then rename",
        "sync the directory",
        "--spec",
        "disk",
        "--role",
        "Builder",
        "--task",
        "1.4",
        "--category",
        "data",
        "--json",
    ];
    let json = handover(&env, &two).json();
    assert_eq!(json["added"], 2);
    assert_eq!(
        json["skill_candidates"][0],
        "**data-patterns**: Detected in disk (2 occurrences)"
    );
    let (code, _, stderr) = told(
        &env,
        &["learn", "--role", "Builder"],
        "BUILDER_COMPLETE\nFeature: log\n[INCIDENT] a torn line\nFiles: x\n- [REFERENCE] the manual\n",
    );
    assert_eq!(
        (code, stderr.as_str()),
        (
            0,
            "Added 2, known already 0, waiting for the end of the wave 4.\n"
        )
    );
    let buffer = text(&env, "desk/.claude/sdd/handover/buffer.md");
    assert!(
        buffer.contains("- [INCIDENT] a torn line (source: log Builder)\n"),
        "{buffer}"
    );
    assert_eq!(
        handover(&env, &["learn", "pattern", "x", "--role", "B"]).code,
        1
    );
    assert_eq!(
        handover(
            &env,
            &[
                "learn",
                "pattern",
                "x",
                "--spec",
                "s",
                "--role",
                "B",
                "--category",
                "odd"
            ]
        )
        .code,
        1
    );
    let json = handover(&env, &["flush", "--wave", "2", "--json"]).json();
    assert_eq!(
        (
            json["written"].as_array().unwrap().len(),
            json["cleared"].as_u64()
        ),
        (4, Some(4))
    );
    assert!(
        env.path("desk/.claude/sdd/project/knowledge/pattern-data-write-then-rename.md")
            .exists()
    );
    handover(&env, &["flush"]).check(0, "", "0 left the buffer, 0 new files.\n");
}

#[test]
fn a_resume_is_a_text_for_agents_json_for_programs_and_short_for_people() {
    let env = Env::new();
    let first = handover(&env, &["resume"]);
    assert!(
        first.stdout.contains("This is the first session"),
        "{}",
        first.stdout
    );
    handover(
        &env,
        &[
            "draft",
            "--after",
            "impl",
            "--next",
            "the index",
            "--goal",
            "Log",
        ],
    );
    let text = handover(&env, &["resume", "--trigger", "handover"]).stdout;
    assert!(
        text.contains("Goal: Log\n") && text.ends_with("the index\n"),
        "{text}"
    );
    let json = handover(&env, &["resume", "--trigger", "compact", "--json"]).json();
    assert_eq!(
        (
            json["started"].as_str(),
            json["wait"].as_bool(),
            json["next"].as_str()
        ),
        (Some("D3"), Some(true), Some("the index"))
    );
    assert_eq!(json["handed"]["mode"], "auto-draft");
    handover(&env, &["resume", "--short"]).check(
        0,
        "Log\nTracked by reviews: 0; recent decisions: 3; knowledge waiting: 0\nNext: the index\n",
        "",
    );
    let ja = env.run(["handover", "resume", "--short", "--lang", "ja"]);
    assert!(ja.stdout.ends_with("次: the index\n"), "{}", ja.stdout);
    assert_eq!(handover(&env, &["resume", "--trigger", "boredom"]).code, 2);
}

#[test]
fn the_current_handover_and_archives_are_listed_and_checked() {
    let env = Env::new();
    env.write(
        SESSION,
        "# Session Handover\n**Session Goal**: Log\n\n<<<<<<< ours\n=======\n>>>>>>> theirs\n",
    )
    .write(
        "desk/.claude/sdd/handover/sessions/2026-11-02.md",
        "# Session Handover\n",
    );
    let json = env.run(["list", "--kind", "handover", "--json"]).json();
    let ids: Vec<&str> = json["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 2, "{json}");
    let checked = env.run(["check"]);
    assert_eq!(checked.code, 3);
    assert!(
        checked
            .stdout
            .contains("session.md:4  marks of an unsettled merge on lines 4, 5, 6  ->"),
        "{}",
        checked.stdout
    );
    let draft = handover(&env, &["draft", "--after", "impl"]);
    assert_eq!(draft.code, 3, "{}", draft.stderr);
}

#[test]
fn two_leads_at_once_wait_for_the_lock_and_no_number_is_used_twice() {
    let env = Env::new();
    let mut children: Vec<_> = (0..6)
        .map(|_| {
            env.command(["handover"].iter().chain(&DECIDE))
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut ids: Vec<String> = Vec::new();
    for child in children.drain(..) {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        ids.push(String::from_utf8(output.stdout).unwrap());
    }
    ids.sort();
    assert_eq!(ids, ["D1\n", "D2\n", "D3\n", "D4\n", "D5\n", "D6\n"]);
}

#[test]
fn a_summary_has_neither_bullet_nor_marks_of_bold_type() {
    let env = Env::new();
    env.write(
        "desk/.claude/sdd/handover/session.md",
        "# Handover\n\n## Accomplished\n\n- **This session:** the reader *and* its tests\n",
    );
    let list = env.run(["list", "--json"]).json();
    let summary = &list["sessions"][0]["summary"];
    assert_eq!(summary, "This session: the reader *and* its tests");
}
