//! A workspace with one session of every kind in it, made with the program itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Env;

const THESIS: &str = "# Approved Thesis\n\n## Thesis Statement\nAn append-only log is the simplest thing to trust.\n\n\
    ## Claim Type\nargument\n\n## Approved By User\nYes -- 2026-11-18\n";
const FINAL: &str =
    r#"{"patch_operations": [{"op_type": "add_track", "data": {"track_name": "The log"}}]}"#;

/// Runs a command that must succeed, with a text on standard input.
#[track_caller]
pub(crate) fn feed(env: &Env, args: &[&str], text: &str) -> String {
    let done = env.feed(args, text);
    assert_eq!(done.code, 0, "{args:?}: {}", done.stderr);
    done.stdout
}

/// A brainstorm, a conversation, a discussion with its plan, an essay and a handover; each mentions the log.
pub(crate) fn workshop() -> Env {
    let env = Env::new();
    let run = |args: &[&str]| feed(&env, args, "");
    run(&["brainstorm", "start", "log-store", "--new"]);
    run(&[
        "brainstorm",
        "ask",
        "log-store",
        "--question",
        "Who reads the log?",
        "--ems",
        "34",
    ]);
    run(&[
        "brainstorm",
        "idea",
        "add",
        "log-store",
        "One line of the log per event",
    ]);
    run(&["conversation", "start", "plan", "Where to keep the log"]);
    run(&[
        "conversation",
        "say",
        "001",
        "--role",
        "user",
        "Append-only, or a table?",
    ]);
    run(&[
        "conversation",
        "say",
        "001",
        "--role",
        "assistant",
        "We chose the append-only log",
    ]);
    let id = id_of(&run(&[
        "discuss",
        "start",
        "--context",
        "global",
        "Plan the log",
        "--json",
    ]));
    feed(&env, &["discuss", "done", &id, "--input", "-"], FINAL);
    run(&["discuss", "replay", &id]);
    let id = id_of(&run(&["essay", "new", "--json"]));
    feed(
        &env,
        &[
            "essay",
            "thesis",
            &id,
            "--claim-type",
            "argument",
            "--input",
            "-",
        ],
        THESIS,
    );
    run(&[
        "handover",
        "decide",
        "USER_DECISION",
        "Keep the log append-only",
        "--context",
        "two designs",
        "--decision",
        "append-only",
        "--reason",
        "a crash costs a line at most",
        "--impact",
        "readers take the tail",
        "--source",
        "user",
    ]);
    run(&[
        "handover",
        "draft",
        "--after",
        "design",
        "--next",
        "Write the reader",
        "--done",
        "Chose the log",
    ]);
    env
}

fn id_of(json: &str) -> String {
    let answer: serde_json::Value = serde_json::from_str(json).unwrap();
    answer["session"]["id"].as_str().unwrap().to_owned()
}

/// Every file below a directory, with what is in it.
pub(crate) fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![dir.to_path_buf()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                found.insert(path, bytes);
            }
        }
    }
    found
}
