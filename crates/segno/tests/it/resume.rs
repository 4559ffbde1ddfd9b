//! `segno resume`: which session is meant, what it is given to, and what is printed.

use crate::Env;
use crate::sessions::{Told, started, status, tell, two, with_tools};

#[test]
fn without_a_terminal_the_list_is_numbered_and_most_recent_first() {
    let env = two();
    let expected = "#  ID                            TYPE   TITLE                STATUS  LAST ACTIVE  SUMMARY\n\
         1  conversation/002-debug-token  debug  Le jeton expiré      paused  1 hour ago   A race in the token refresh.\n\
         2  conversation/001-plan-log     plan   The append-only log  paused  2 hours ago  We chose the log.\n";
    let go_on = "go on with: segno resume conversation/002-debug-token\n";
    env.run(["resume"]).check(0, expected, go_on);
    env.run(["resume", "--list"]).check(0, expected, go_on);
    let json = env.run(["resume", "--list", "--json"]).json();
    assert_eq!(json["sessions"][0]["id"], "002-debug-token");
    let narrowed = env.run(["resume", "--list", "jeton"]);
    assert!(
        !narrowed.stdout.contains("append-only"),
        "{}",
        narrowed.stdout
    );
    assert_eq!(status(&env, "001-plan-log"), "paused");
}

#[test]
fn an_empty_workspace_says_so_and_how_to_start() {
    let env = Env::new();
    for args in [&["resume"][..], &["resume", "--list"], &["resume", "log"]] {
        let done = env.run(args);
        assert_eq!((done.code, done.stdout.as_str()), (1, ""), "{args:?}");
        assert!(
            done.stderr.starts_with("error: there is no session to resume here\n  hint: begin one: segno conversation start")
                || args == ["resume", "log"],
            "{}",
            done.stderr
        );
    }
    let json = env.run(["resume", "--list", "--json"]).json();
    assert_eq!(json["sessions"].as_array().unwrap().len(), 0);
}

#[test]
fn a_session_is_found_by_its_id_its_beginning_its_path_and_its_words() {
    for words in [
        &["conversation/001-plan-log"][..],
        &["001-plan-log"],
        &["001"],
        &["./conversations/2026-11-17/001-plan-log"],
        &["append log"],
        &["log", "APPEND"],
        &["we chose"],
        &["2"],
    ] {
        let env = two();
        let done = env.run([&["resume", "--print"], words].concat());
        assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
        assert!(
            done.stdout.contains("plan / The append-only log"),
            "{words:?}: {}",
            done.stdout
        );
        assert!(
            done.stdout.contains("By a log that only grows."),
            "{}",
            done.stdout
        );
        assert_eq!(status(&env, "001-plan-log"), "active");
        assert_eq!(status(&env, "002-debug-token"), "paused");
    }
    let env = two();
    let done = env.run(["resume", "--print", "expire"]);
    assert!(
        done.stdout.contains("debug / Le jeton expiré"),
        "{}",
        done.stdout
    );
}

#[test]
fn words_that_fit_several_are_ambiguous_without_a_terminal() {
    let env = two();
    env.run(["resume", "the", "--print"]).check(
        1,
        "",
        "error: `the` fits 2 sessions\n  \
         hint: `segno resume conversation/001-plan-log`: The append-only log (paused)\n  \
         hint: `segno resume conversation/002-debug-token`: Le jeton expiré (paused)\n",
    );
    let json = env.run(["resume", "00", "--json"]).json_error();
    assert_eq!(
        (&json["code"], json["hints"].as_array().unwrap().len()),
        (&"ambiguous".into(), 2)
    );
    let missing = env.run(["resume", "nothing", "like", "it"]);
    assert_eq!(missing.code, 1);
    assert!(
        missing
            .stderr
            .starts_with("error: no title or summary holds `nothing like it`\n"),
        "{}",
        missing.stderr
    );
    assert_eq!(env.run(["resume", "3", "--print"]).code, 1);
    assert_eq!(status(&env, "001-plan-log"), "paused");
}

#[test]
fn a_completed_session_is_refused_unless_it_is_forced() {
    let env = Env::new();
    tell(
        &env,
        &Told {
            status: "completed",
            ..Told::default()
        },
    );
    let refused = env.run(["resume", "001", "--print"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    let forced = env.run(["resume", "001", "--print", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    assert!(forced.stderr.contains("completed"), "{}", forced.stderr);
    assert_eq!(status(&env, "001-plan-log"), "active");
}

#[test]
fn json_gives_the_brief_and_the_text_and_starts_nothing() {
    let env = with_tools(two(), &["claude"]);
    let json = env.run(["resume", "001", "--json"]).json();
    assert_eq!(json["session"]["status"], "active");
    assert_eq!(json["turns"][1]["text"], "By a log that only grows.");
    assert!(
        json["text"]
            .as_str()
            .unwrap()
            .contains("[RESUMED CONVERSATION]")
    );
    assert!(!env.path("notes/name").exists());
}

#[test]
fn a_budget_leaves_out_the_oldest_turns_and_says_so() {
    let env = two();
    let done = env.run(["resume", "001", "--print", "--budget", "1"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(!done.stdout.contains("only grows"), "{}", done.stdout);
    assert!(
        done.stderr.contains("2 earlier turns are left out"),
        "{}",
        done.stderr
    );
    assert_eq!(env.run(["resume", "001", "--budget", "0"]).code, 2);
}

#[test]
fn an_idle_session_is_paused_on_access_and_the_user_is_told() {
    let env = two();
    tell(
        &env,
        &Told {
            id: "003-plan-idle",
            title: "Idle",
            status: "active",
            ..Told::default()
        },
    );
    let done = env.run(["resume", "--list"]);
    assert!(
        done.stderr
            .contains("conversation/003-plan-idle was idle: it has been saved and paused"),
        "{}",
        done.stderr
    );
    assert_eq!(status(&env, "003-plan-idle"), "paused");
    let again = env.run(["resume", "--list"]);
    assert!(!again.stderr.contains("was idle"), "{}", again.stderr);
    tell(
        &env,
        &Told {
            status: "active",
            ..Told::default()
        },
    );
    let json = env.run(["list", "--json"]);
    assert!(
        json.stderr
            .starts_with("{\"warning\":{\"message\":\"conversation/001-plan-log was idle"),
        "{}",
        json.stderr
    );
}

#[test]
fn watch_once_pauses_what_is_due_and_says_so() {
    let env = two();
    let idle = Told {
        id: "003-plan-idle",
        status: "active",
        ..Told::default()
    };
    tell(&env, &idle);
    let done = env.run(["watch", "--once"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(
        done.stdout
            .starts_with("conversation/003-plan-idle was idle"),
        "{}",
        done.stdout
    );
    assert_eq!(status(&env, "003-plan-idle"), "paused");
    env.run(["watch", "--once"]).check(0, "", "");
    tell(&env, &idle);
    let json = env.run(["watch", "--once", "--json"]).json();
    assert_eq!(json["code"], "auto_paused");
}

#[test]
fn ids_that_repeat_are_told_apart_by_their_paths() {
    let env = two();
    let from = env.path("desk/conversations/2026-11-17/001-plan-log");
    let to = env.path("desk/conversations/2026-11-18/001-plan-log");
    for name in [
        "plan.md",
        ".session/session.json",
        ".session/messages.jsonl",
    ] {
        std::fs::create_dir_all(to.join(name).parent().unwrap()).unwrap();
        std::fs::copy(from.join(name), to.join(name)).unwrap();
    }
    let done = env.run(["resume", "001-plan-log", "--print"]);
    assert_eq!(done.code, 1);
    assert!(
        done.stderr
            .contains("`segno resume [ENV]/desk/conversations/2026-11-18/001-plan-log`"),
        "{}",
        done.stderr
    );
    let path = to.to_str().unwrap();
    assert_eq!(env.run(["resume", path, "--print"]).code, 0);
}

#[test]
fn a_conversation_is_started_stopped_and_resumed_by_its_own_verbs() {
    let env = with_tools(Env::new(), &["codex"]);
    let start = ["conversation", "start", "plan", "The index", "--json"];
    let id = env.run(start).json()["session"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let say = [
        "conversation",
        "say",
        &id,
        "--role",
        "user",
        "Is it derived?",
    ];
    assert_eq!(env.run(say).code, 0);
    let stop = env.run(["conversation", "stop", "--summary", "It may be deleted."]);
    assert_eq!(stop.code, 0, "{}", stop.stderr);
    assert!(stop.stdout.contains("/workspace.resume"), "{}", stop.stdout);
    let listed = env.run(["conversation", "resume", "--list"]);
    assert!(
        listed.stdout.contains("It may be deleted."),
        "{}",
        listed.stdout
    );
    let done = env.run(["conversation", "resume", "deleted"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let (tool, args) = started(&env);
    assert_eq!((tool.as_str(), args.len()), ("codex", 1));
    assert!(
        args[0].contains("Is it derived?") && args[0].contains("Summary: It may be deleted."),
        "{}",
        args[0]
    );
    let other = env.run(["resume", "--kind", "essay", "deleted", "--print"]);
    assert_eq!((other.code, other.stdout.as_str()), (1, ""));
}

#[test]
fn a_budget_is_kept_by_every_kind_or_its_user_is_told() {
    let env = crate::workshop::workshop();
    for n in 0..60 {
        let idea = format!("Idea {n}: a log of its own for each of the writers");
        let done = env.run(["brainstorm", "idea", "add", "log-store", &idea]);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    let list = env.run(["list", "--json"]).json();
    for card in list["sessions"].as_array().unwrap() {
        let session = format!(
            "{}/{}",
            card["kind"].as_str().unwrap(),
            card["id"].as_str().unwrap()
        );
        for budget in [4000, 500, 250, 1] {
            let wanted = budget.to_string();
            let done = env.run(["resume", &session, "--print", "--budget", &wanted]);
            assert_eq!(done.code, 0, "{}", done.stderr);
            let tokens = segno_store::session::estimate_tokens(&done.stdout);
            assert!(
                tokens <= budget || done.stderr.contains("more than the"),
                "{session}: {tokens} for {budget}: {}\n{}",
                done.stderr,
                done.stdout
            );
            // The plan of a discussion is its own to cut.
            assert!(
                budget > 500 || budget == 1 || tokens <= budget || session.starts_with("discuss"),
                "{session}: {tokens} for {budget}\n{}",
                done.stdout
            );
        }
    }
    let short = env.run(["resume", "log-store", "--print", "--budget", "250"]);
    assert!(short.stdout.contains(" more\n"), "{}", short.stdout);
}

#[test]
fn what_was_found_wrong_is_in_the_text_that_is_handed_over() {
    let env = crate::workshop::workshop();
    for (dir, name, half) in [
        ("desk/conversations", "messages.jsonl", &b"{\"role"[..]),
        (
            "desk/.claude",
            "session.md",
            b"<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
        ),
    ] {
        let mut found = crate::workshop::files(&env.path(dir)).into_iter();
        let found = found.find(|(path, _)| path.ends_with(name));
        let (path, mut bytes) = found.unwrap();
        bytes.extend_from_slice(half);
        std::fs::write(path, bytes).unwrap();
    }
    let essays = crate::workshop::files(&env.path("desk/essays")).into_keys();
    for thesis in essays.filter(|path| path.to_str().unwrap().contains("stage-1")) {
        std::fs::remove_file(thesis).unwrap();
    }
    for kind in ["conversation", "handover", "essay"] {
        let list = env.run(["list", "--json", "--kind", kind]).json();
        let session = format!("{kind}/{}", list["sessions"][0]["id"].as_str().unwrap());
        let done = env.run(["resume", &session, "--print"]);
        assert_eq!(done.code, 0, "{session}: {}", done.stderr);
        let text = done.stdout.to_lowercase();
        let at = text
            .rfind("problems found")
            .unwrap_or_else(|| panic!("{session}: {text}"));
        assert!(
            text[at..].lines().count() < 8,
            "{session}: at the end: {text}"
        );
        let json = env.run(["resume", &session, "--json"]).json();
        assert!(
            !json["problems"].as_array().unwrap().is_empty(),
            "{session}"
        );
    }
}
