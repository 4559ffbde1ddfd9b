//! `segno show` and the options of `segno list`.

use crate::Env;
use crate::sessions::{Told, tell};

fn env() -> Env {
    let env = Env::new();
    tell(&env, &Told::default());
    env
}

#[test]
fn a_session_is_shown_whole() {
    let done = env().run(["show", "001"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    for part in [
        "# The append-only log\n",
        "Session: conversation/001-plan-log (paused)\n",
        "## All of it\n\n### user (2026-11-17T10:00:00Z)\n\nHow do we save it?\n",
        "### assistant (2026-11-17T10:00:00Z)\n\nBy a log that only grows.\n",
    ] {
        assert!(done.stdout.contains(part), "{part} in {}", done.stdout);
    }
    assert_eq!(
        done.stdout.matches("only grows").count(),
        1,
        "{}",
        done.stdout
    );
}

#[test]
fn entries_are_json_lines_with_their_exact_place() {
    let done = env().run(["show", "001", "--entries"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let lines: Vec<serde_json::Value> = done
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        lines[1],
        serde_json::json!({
            "kind": "message", "role": "assistant", "text": "By a log that only grows.", "at": "2026-11-17T10:00:00Z",
            "file": "conversations/2026-11-17/001-plan-log/.session/messages.jsonl", "line": 2,
        })
    );
    let json = env().run(["show", "001", "--json"]).json();
    assert_eq!(json["session"]["id"], "001-plan-log");
}

#[test]
fn a_session_that_is_not_there_is_an_error() {
    let done = env().run(["show", "k7f"]);
    assert_eq!((done.code, done.stdout.as_str()), (1, ""));
}

#[test]
fn the_list_is_narrowed_by_time_and_put_in_order() {
    let env = env();
    tell(
        &env,
        &Told {
            id: "002-plan-old",
            title: "An old one",
            last_active: "2026-11-02T10:00:00Z",
            ..Told::default()
        },
    );
    let ids = |args: &[&str]| {
        let json = env.run([&["list", "--json"], args].concat()).json();
        let sessions = json["sessions"].as_array().unwrap().clone();
        let id = |card: serde_json::Value| card["id"].as_str().unwrap().to_owned();
        sessions.into_iter().map(id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&[]), ["001-plan-log", "002-plan-old"]);
    assert_eq!(ids(&["--sort", "title"]), ["002-plan-old", "001-plan-log"]);
    assert_eq!(ids(&["--since", "20h"]), ["001-plan-log"]);
    assert_eq!(ids(&["--since", "2026-11-01"]).len(), 2);
    assert_eq!(ids(&["--since", "3w", "--limit", "1"]), ["001-plan-log"]);
    let bad = env.run(["list", "--since", "yesterday"]);
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("30m, 12h, 7d, 2w"), "{}", bad.stderr);
}

#[test]
fn what_a_terminal_would_act_on_is_shown_instead_also_in_a_pipe() {
    let env = Env::new();
    tell(&env, &Told::default());
    crate::workshop::feed(
        &env,
        &[
            "conversation",
            "say",
            "001",
            "--role",
            "user",
            "--input",
            "-",
        ],
        "red \u{1b}[31malert\u{1b}[0m",
    );
    for args in [
        &["show", "001"][..],
        &["resume", "001", "--print"],
        &["export", "001"],
        &["export", "001", "--to", "html"],
    ] {
        let done = env.run(args);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(
            !done.stdout.contains('\u{1b}') && done.stdout.contains("alert"),
            "{args:?}: {}",
            done.stdout
        );
    }
    let json = env.run(["export", "001", "--to", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let entries = json["entries"].as_array().unwrap();
    let last = entries.last().unwrap()["text"].as_str().unwrap();
    assert!(last.contains('\u{1b}'), "{last}");
}

#[test]
fn a_part_of_a_document_is_headed_by_its_own_title() {
    let env = crate::workshop::workshop();
    let list = env.run(["list", "--json", "--kind", "essay"]).json();
    let id = list["sessions"][0]["id"].as_str().unwrap().to_owned();
    let shown = env.run(["show", &id]).stdout;
    assert!(
        shown.contains("\n### Thesis Statement\n") && !shown.contains("### document"),
        "{shown}"
    );
}

#[test]
fn filters_that_fit_nothing_are_not_an_empty_workspace() {
    let env = Env::new();
    let none = env.run(["list", "--kind", "essay"]);
    assert!(none.stderr.contains("no sessions here yet"), "{none:?}");
    tell(&env, &Told::default());
    let none = env.run(["list", "--kind", "essay"]);
    assert!(
        none.stderr.contains("no session fits these filters"),
        "{none:?}"
    );
}
