//! `segno` alone.

use crate::Env;
use crate::sessions::{Told, tell};

#[test]
fn an_empty_workspace_says_how_to_begin() {
    let env = Env::new();
    let done = env.run::<&str>([]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(
        done.stdout
            .starts_with("Nothing is saved yet in [ENV]/desk\n"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("segno conversation start plan"),
        "{}",
        done.stdout
    );
    let json = env.run(["--json"]).json();
    assert_eq!(json["open"].as_array().unwrap().len(), 0);
    assert!(json["next"].is_null());
}

#[test]
fn what_is_open_what_needs_attention_and_the_command_to_go_on() {
    let env = Env::new();
    tell(&env, &Told::default());
    tell(
        &env,
        &Told {
            id: "002-plan-done",
            title: "Done",
            status: "completed",
            last_active: "2026-11-18T09:00:00Z",
            ..Told::default()
        },
    );
    tell(
        &env,
        &Told {
            id: "003-plan-broken",
            title: "Broken",
            last_active: "2026-11-16T09:00:00Z",
            summary: "",
            ..Told::default()
        },
    );
    let file = "desk/conversations/2026-11-17/003-plan-broken/.session/session.json";
    env.write(file, "{ not json");
    let done = env.run::<&str>([]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let expected = [
        "2 sessions are open here, 2 paused\n",
        "\n  The append-only log  conversation/001-plan-log\n    paused · 2 hours ago · message 2\n    We chose the log.\n",
        "\nNeeds attention\n  conversation/003-plan-broken: 1 problem  segno check conversation/003-plan-broken\n",
        "\nGo on with: segno resume conversation/001-plan-log\n",
    ];
    for part in expected {
        assert!(done.stdout.contains(part), "{part} in {}", done.stdout);
    }
    assert!(!done.stdout.contains("Done"), "{}", done.stdout);
    let json = env.run(["--json"]).json();
    assert_eq!(json["next"], "segno resume conversation/001-plan-log");
    assert_eq!(json["attention"][0]["why"], "problems");
    let french = env.run(["--lang", "fr"]);
    assert!(
        french.stdout.contains("Continuer avec : segno resume"),
        "{}",
        french.stdout
    );
    let japanese = env.run(["--lang", "ja"]);
    assert!(
        japanese.stdout.contains("続けるには: segno resume"),
        "{}",
        japanese.stdout
    );
}

#[test]
fn what_needs_attention_is_named_group_by_group_and_no_group_fills_the_screen() {
    let env = Env::new();
    for n in 1..=30 {
        let id = format!("{n:03}-plan-broken");
        tell(
            &env,
            &Told {
                id: &id,
                ..Told::default()
            },
        );
        if n <= 20 {
            let dir = format!("desk/conversations/2026-11-17/{id}/.session");
            env.write(&format!("{dir}/session.json"), "{ not json");
        }
    }
    let done = env.run::<&str>([]);
    let (_, attention) = done.stdout.split_once("Needs attention\n").unwrap();
    assert!(attention.lines().count() < 16, "{attention}");
    assert!(
        attention.contains("… and 15 more: segno check\n")
            && attention.contains("… and 5 more: segno list --status paused\n"),
        "{attention}"
    );
    assert!(
        attention.contains(": paused  segno resume conversation/0"),
        "{attention}"
    );
    let json = env.run(["--json"]).json();
    assert_eq!(json["attention"].as_array().unwrap().len(), 30);
}
