//! `segno search`, `segno index`, and lists over all workspaces, as their users run them.

use std::process::Stdio;

use serde_json::Value;

use crate::Env;
use crate::sessions::{Told, tell};
use crate::terminal::{end, on_terminal};

const LOG: &str = "conversations/2026-11-17/001-plan-log/.session/messages.jsonl";

fn env() -> Env {
    let env = Env::new();
    tell(&env, &Told::default());
    env
}

#[test]
fn a_hit_is_shown_with_its_place_its_session_and_its_line() {
    let env = env();
    env.run(["search", "grows"]).check(
        0,
        &format!("{LOG}:2  conversation/001-plan-log  assistant  23 hours ago\n    By a log that only grows.\n"),
        "",
    );
}

#[test]
fn the_words_are_marked_in_colour() {
    let env = env();
    let done = env.run(["--color", "always", "search", "grows"]);
    assert!(
        done.stdout
            .contains("only \u{1b}[1m\u{1b}[33mgrows\u{1b}[0m."),
        "{:?}",
        done.stdout
    );
}

#[test]
fn programs_get_one_object_with_stable_keys() {
    let env = env();
    let answer = env.run(["search", "grows", "--json"]).json();
    assert_eq!(answer["total"], 1);
    let hit = &answer["hits"][0];
    let expected = serde_json::json!({
        "session": "conversation/001-plan-log", "kind": "conversation", "id": "001-plan-log",
        "title": "The append-only log", "status": "paused", "what": "message", "role": "assistant",
        "at": "2026-11-17T10:00:00Z", "file": LOG, "line": 2, "text": "By a log that only grows.",
        "marks": [[19, 24]], "score": hit["score"],
    });
    assert_eq!(*hit, expected);
    assert!(hit["score"].as_f64().unwrap() > 0.0);
}

#[test]
fn fields_keep_the_answer_short() {
    let env = env();
    let answer = env
        .run(["search", "grows", "--json", "--fields", "id,file,line,text"])
        .json();
    assert_eq!(
        answer["hits"][0],
        serde_json::json!({"id": "001-plan-log", "file": LOG, "line": 2, "text": "By a log that only grows."})
    );
    let lines = env.run(["search", "grows", "--fields", "id,line,text"]);
    lines.check(0, "001-plan-log\t2\tBy a log that only grows.\n", "");
    assert_eq!(env.run(["search", "grows", "--fields", "colour"]).code, 2);
}

#[test]
fn nothing_found_is_an_empty_answer_as_in_a_list() {
    let env = env();
    env.run(["search", "hippopotamus"])
        .check(0, "", "nothing found\n");
    let answer = env.run(["search", "hippopotamus", "--json"]).json();
    assert_eq!(answer, serde_json::json!({"total": 0, "hits": []}));
    env.run(["--lang", "fr", "search", "hippopotamus"])
        .check(0, "", "rien trouvé\n");
}

#[test]
fn words_phrases_beginnings_exclusions_and_filters_are_understood() {
    let env = env();
    let count = |args: &[&str]| {
        let all: Vec<&str> = [&["search", "--json"], args].concat();
        env.run(all).json()["total"].as_u64().unwrap()
    };
    for (args, expected) in [
        (&["log", "grows"][..], 1),
        (&["\"only grows\""], 1),
        (&["\"grows only\""], 0),
        (&["gro*"], 1),
        (&["log", "-grows"], 2),
        (&["log kind:conversation"], 3),
        (&["log", "--kind", "essay"], 0),
        (&["log", "status:completed"], 0),
        (&["log", "role:assistant"], 1),
        (&["log", "-role:assistant"], 2),
        (&["grows", "since:2026-11-17"], 1),
        (&["grows", "since:2h"], 0),
        (&["grows", "before:2026-11-17"], 0),
        (&["grows", "path:001-PLAN"], 1),
        (&["grows", "path:other"], 0),
    ] {
        assert_eq!(count(args), expected, "{args:?}");
    }
    assert_eq!(
        env.run(["search", "log", "--limit", "1", "--json"]).json()["hits"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let done = env.run(["search", "log", "--limit", "1"]);
    assert_eq!(done.stderr, "1 of 3 shown; `--limit` shows more\n");
}

#[test]
fn languages_are_found_as_their_readers_type_them() {
    let env = Env::new();
    tell(
        &env,
        &Told {
            title: "La décision du cœur",
            summary: "全文検索の設計とＡＰＩ、appendOnly と append_only v1.2",
            ..Told::default()
        },
    );
    for query in [
        "decision",
        "DÉCISION",
        "coeur",
        "cœur",
        "検索",
        "検",
        "全文検索",
        "索の設",
        "api",
        "API",
        "append",
        "only",
        "appendOnly",
        "append_only",
        "appendonly",
        "v1.2",
        "ｄｅｃｉｓｉｏｎ",
    ] {
        let total = env.run(["search", query, "--json"]).json()["total"]
            .as_u64()
            .unwrap();
        assert!(total >= 1, "{query}");
    }
    for query in ["索検", "cision", "onlyappend"] {
        assert_eq!(
            env.run(["search", query, "--json"]).json()["total"],
            0,
            "{query}"
        );
    }
}

#[test]
fn a_question_that_makes_no_sense_says_what_to_do() {
    let env = env();
    for (query, message, hint) in [
        (
            "\"the log",
            "the quotation mark before `the log` is never closed",
            "close it",
        ),
        (
            "log tag:x",
            "`tag:` is not a filter",
            "the filters are kind:, status:",
        ),
        (
            "log since:yesterday",
            "`since:` cannot be `yesterday`",
            "takes a date",
        ),
        (
            "-draft",
            "there is no word to look for",
            "at least one word",
        ),
        (
            "kind:essay",
            "there is no word to look for",
            "at least one word",
        ),
        ("++", "`++` has no letter or digit", "a word beside them"),
    ] {
        let done = env.run(["search", query]);
        assert_eq!(done.code, 1, "{query}");
        assert!(
            done.stderr.contains(message) && done.stderr.contains(hint),
            "{query}: {}",
            done.stderr
        );
        assert_eq!(
            env.run(["search", query, "--json"]).json_error()["code"],
            "invalid"
        );
    }
    assert_eq!(env.run(["search"]).code, 2);
}

#[test]
fn what_was_said_a_moment_ago_is_found() {
    let env = env();
    env.run(["search", "hippopotamus"])
        .check(0, "", "nothing found\n");
    let said = env.run([
        "conversation",
        "say",
        "001-plan-log",
        "--role",
        "user",
        "A hippopotamus, then.",
    ]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let done = env.run(["search", "hippopotamus", "--fields", "file,line,text"]);
    done.check(0, &format!("{LOG}\t3\tA hippopotamus, then.\n"), "");
}

#[test]
fn the_index_lies_in_the_cache_and_never_in_the_workspace() {
    let env = env();
    env.run(["search", "grows"]);
    assert!(env.path("home/.cache/segno/index").is_dir());
    let mut names: Vec<String> = std::fs::read_dir(env.path("desk"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, [".segno", "conversations"]);
    assert_eq!(
        std::fs::read_dir(env.path("desk/.segno")).unwrap().count(),
        0
    );
}

#[test]
fn without_a_home_the_search_still_answers_and_says_so() {
    let env = env();
    let expected = env.run(["search", "grows"]).stdout;
    std::fs::remove_dir_all(env.path("home")).unwrap();
    std::fs::write(env.path("home"), "a file").unwrap();
    let done = env.run(["search", "grows"]);
    assert_eq!((done.code, &done.stdout), (0, &expected));
    assert!(
        done.stderr
            .starts_with("done without an index that stays: "),
        "{}",
        done.stderr
    );
    let listed = env.run(["list", "--json"]).json();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn the_index_tells_what_it_holds_and_can_be_built_anew() {
    let env = env();
    let stats = env.run(["index", "--json"]).json();
    assert_eq!(
        (&stats["sessions"], &stats["entries"]),
        (&1.into(), &5.into())
    );
    let file = stats["file"].as_str().unwrap();
    assert!(file.starts_with("[ENV]/home/.cache/segno/index/"), "{file}");
    assert!(stats["bytes"].as_u64().unwrap() > 4096);
    let again = env.run(["index", "--rebuild", "--json"]).json();
    assert_eq!(
        (&again["sessions"], &again["entries"]),
        (&1.into(), &5.into())
    );
    let shown = env.run(["index", "--stats"]);
    assert_eq!(shown.code, 0);
    assert!(
        shown.stdout.contains("entries searchable"),
        "{}",
        shown.stdout
    );
}

#[test]
fn a_list_from_the_index_is_the_list_from_the_files() {
    let env = env();
    for id in ["002-plan-b", "003-debug-c"] {
        tell(
            &env,
            &Told {
                id,
                ..Told::default()
            },
        );
    }
    let fresh = env.run(["list"]).stdout;
    let indexed = env.run(["list"]).stdout;
    let direct = env.var("XDG_CACHE_HOME", "/proc/none").run(["list"]).stdout;
    assert_eq!(fresh, indexed);
    assert_eq!(direct, indexed);
}

#[test]
fn sessions_of_every_workspace_are_listed_and_searched() {
    let env = env();
    env.run(["list"]);
    let env = second_workspace(env).cd("other");
    assert_eq!(
        env.run(["list", "--json"]).json()["sessions"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let all = env.run(["list", "--all-workspaces", "--json"]).json();
    let mut roots: Vec<&str> = all["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["workspace"].as_str().unwrap())
        .collect();
    roots.sort_unstable();
    assert_eq!(roots, ["[ENV]/desk", "[ENV]/other"]);
    let hits = env
        .run(["search", "grows", "--all-workspaces", "--json"])
        .json();
    let mut files: Vec<&str> = hits["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["file"].as_str().unwrap())
        .collect();
    files.sort_unstable();
    assert_eq!(
        files,
        [format!("[ENV]/desk/{LOG}"), format!("[ENV]/other/{LOG}")]
    );
    let table = env.run(["list", "--all-workspaces"]);
    assert!(
        table.stdout.contains("WORKSPACE") && table.stdout.contains("[ENV]/desk"),
        "{}",
        table.stdout
    );
    std::fs::remove_dir_all(env.path("desk")).unwrap();
    let left = env.run(["list", "--all-workspaces"]);
    assert_eq!(
        left.stderr,
        "passed over, it is no longer there: [ENV]/desk\n"
    );
    assert_eq!(left.stdout.lines().count(), 2, "{}", left.stdout);
}

fn second_workspace(env: Env) -> Env {
    let from = env.path("desk/conversations/2026-11-17/001-plan-log");
    let to = env.path("other/conversations/2026-11-17/001-plan-log");
    for name in [
        "plan.md",
        ".session/session.json",
        ".session/messages.jsonl",
    ] {
        std::fs::create_dir_all(to.join(name).parent().unwrap()).unwrap();
        std::fs::copy(from.join(name), to.join(name)).unwrap();
    }
    env
}

#[test]
fn eight_searches_at_once_all_answer_while_somebody_writes() {
    let env = env();
    env.run(["search", "grows"]);
    for round in 0..3 {
        let mut searches: Vec<_> = (0..8)
            .map(|_| {
                env.command(["search", "grows", "--json"])
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let word = format!("round{round}");
        let said = env.run([
            "conversation",
            "say",
            "001-plan-log",
            "--role",
            "user",
            &word,
        ]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        for search in searches.drain(..) {
            let output = search.wait_with_output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            let answer: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(answer["total"], 1, "{text}");
        }
        assert_eq!(env.run(["search", &word, "--json"]).json()["total"], 1);
    }
}

#[test]
fn first_builds_rebuilds_and_searches_at_once_all_answer() {
    let env = env();
    let spawn = |args: &[&str]| {
        let mut command = env.command(args);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    for round in 0..8 {
        let is_first = round % 2 == 0;
        if is_first {
            let _ = std::fs::remove_dir_all(env.path("home/.cache"));
        }
        let search: &[&str] = &["search", "grows", "--json"];
        let rebuild: &[&str] = &["index", "--rebuild", "--json"];
        let all = [
            search,
            if is_first { search } else { rebuild },
            search,
            rebuild,
        ];
        let running: Vec<_> = all.iter().map(|args| (*args, spawn(args))).collect();
        for (args, process) in running {
            let output = process.wait_with_output().unwrap();
            let (out, err) = (output.stdout, String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "{args:?}: {err}");
            let answer: Value = serde_json::from_slice(&out).unwrap();
            if args.contains(&"search") {
                assert_eq!(answer["total"], 1, "{answer}");
            } else {
                assert_eq!(answer["sessions"], 1, "{answer}");
            }
        }
    }
}

#[test]
fn a_rule_of_time_applies_to_a_session_that_the_index_knows() {
    let env = Env::new();
    tell(
        &env,
        &Told {
            status: "active",
            last_active: "2026-11-18T09:29:00Z",
            ..Told::default()
        },
    );
    let status = |env: &Env| {
        let done = env.run(["list", "--json"]);
        let listed: Value = serde_json::from_str(&done.stdout).unwrap();
        listed["sessions"][0]["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status(&env), "active");
    assert_eq!(status(&env), "active");
    env.write("clock", "2026-11-18T10:00:00Z");
    assert_eq!(status(&env), "paused");
    assert_eq!(crate::sessions::status(&env, "001-plan-log"), "paused");
}

#[test]
fn without_a_refresh_the_index_answers_as_it_is() {
    let env = env();
    let total = |args: &[&str]| {
        let all: Vec<&str> = [&["search", "--json"], args].concat();
        env.run(all).json()["total"].as_u64().unwrap()
    };
    assert_eq!(
        total(&["grows", "--no-refresh"]),
        1,
        "what was never read is read"
    );
    env.run([
        "conversation",
        "say",
        "001-plan-log",
        "--role",
        "user",
        "hippopotamus",
    ]);
    assert_eq!(total(&["hippopotamus", "--no-refresh"]), 0);
    assert_eq!(total(&["hippopotamus"]), 1);
    assert_eq!(total(&["hippopotamus", "--no-refresh"]), 1);
}

#[test]
fn what_the_rules_of_time_did_to_many_sessions_is_one_line() {
    let env = Env::new();
    let idle = |count: usize| {
        for number in 1..=count {
            tell(
                &env,
                &Told {
                    id: &format!("{number:03}-plan-log"),
                    status: "active",
                    last_active: "2026-11-18T08:00:00Z",
                    ..Told::default()
                },
            );
        }
        env.run(["list"]).stderr
    };
    let few = idle(5);
    assert_eq!(few.lines().count(), 5, "{few}");
    assert!(
        few.contains("segno resume conversation/003-plan-log"),
        "{few}"
    );
    let many = idle(6);
    assert_eq!(many.lines().count(), 1, "{many}");
    assert!(many.starts_with("6 sessions were idle"), "{many}");
    assert_eq!(crate::sessions::status(&env, "006-plan-log"), "paused");
}

#[test]
fn a_person_is_shown_how_far_a_long_indexing_is_and_it_is_taken_away() {
    let build = ["index", "--rebuild"];
    let shown = |patience: &str, args: &[&str]| {
        let env = env().var("SEGNO_TEST_PATIENCE", patience);
        let (text, code) = end(&mut on_terminal(&env, args, 100, 30));
        assert_eq!(code, 0, "{text}");
        text
    };
    let long = shown("0", &build);
    let bar = format!(
        "\r\u{1b}[K[{}] indexing: 1 of 1 sessions\r\u{1b}[K",
        "#".repeat(30)
    );
    assert!(long.contains(&bar), "{long:?}");
    let short = shown("600000", &build);
    assert!(!short.contains("indexing"), "{short:?}");
    let quiet = shown("0", &[&build[..], &["--quiet"]].concat());
    assert!(!quiet.contains("indexing"), "{quiet:?}");
    let json = shown("0", &[&build[..], &["--json"]].concat());
    assert!(json.starts_with('{'), "{json:?}");
}
