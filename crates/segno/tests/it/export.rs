//! `segno export`: one file for others, without secrets.

use crate::Env;
use crate::sessions::{Told, tell};
use crate::workshop::{feed, workshop};

const FORMS: [&str; 4] = ["markdown", "html", "json", "conversation"];

/// A conversation in which a token was said twice and a password once. No scanner should take this file for a leak.
fn leaky() -> (Env, String) {
    let env = Env::new();
    tell(&env, &Told::default());
    let token = format!("ghp{}{}", "_", "a1B2c3D4e5F6".repeat(3));
    for text in [
        &format!("export TOKEN={token}"),
        &token,
        "psql postgres://app:hunter2@db/main",
    ] {
        feed(
            &env,
            &[
                "conversation",
                "say",
                "001",
                "--role",
                "tool",
                "--input",
                "-",
            ],
            text,
        );
    }
    (env, token)
}

#[test]
fn every_kind_goes_into_every_form_as_one_file() {
    let env = workshop();
    for kind in ["brainstorm", "conversation", "discuss", "essay", "handover"] {
        let list = env.run(["list", "--json", "--kind", kind]).json();
        let id = list["sessions"][0]["id"].as_str().unwrap().to_owned();
        let session = format!("{kind}/{id}");
        for form in FORMS {
            let done = env.run(["export", &session, "--to", form]);
            assert_eq!(
                (done.code, done.stderr.as_str()),
                (0, "no secrets were found\n"),
                "{session} {form}"
            );
            assert!(
                done.stdout.to_lowercase().contains("log"),
                "{session} {form}: {}",
                done.stdout
            );
            for line in done.stdout.lines().filter(|_| form == "conversation") {
                let message: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(message["content"].is_string(), "{line}");
            }
        }
        let whole: serde_json::Value =
            serde_json::from_str(&env.run(["export", &session, "--to", "json"]).stdout).unwrap();
        assert_eq!(whole["session"]["id"], id.as_str());
        let shown = env.run(["show", &session, "--entries"]).stdout;
        assert_eq!(
            whole["entries"].as_array().unwrap().len(),
            shown.lines().count(),
            "{session}"
        );
    }
}

#[test]
fn secrets_are_replaced_and_counted_unless_they_are_to_be_kept() {
    let (env, token) = leaky();
    for form in FORMS {
        let done = env.run(["export", "001", "--to", form]);
        assert_eq!(
            (done.code, done.stderr.as_str()),
            (0, "3 secrets were replaced\n"),
            "{form}"
        );
        assert!(
            !done.stdout.contains(&token) && !done.stdout.contains("hunter2"),
            "{form}: {}",
            done.stdout
        );
        assert_eq!(
            done.stdout.matches("[REDACTED github-token 1]").count(),
            2,
            "{form}: {}",
            done.stdout
        );
        let kept = env.run(["export", "001", "--to", form, "--keep-secrets"]);
        assert_eq!(kept.stdout.matches(&token).count(), 2, "{form}");
        assert!(
            kept.stderr.contains("keys and passwords"),
            "{}",
            kept.stderr
        );
    }
    let answer = env.run(["export", "001", "--json"]).json();
    assert_eq!(answer["redacted"], 3);
    assert!(!answer.to_string().contains(&token));
    let page = env.run(["export", "001"]).stdout;
    assert!(
        page.ends_with("\n---\n\n3 secrets were replaced\n"),
        "{page}"
    );
    let (_, original) = (page, env.run(["show", "001"]).stdout);
    assert!(
        original.contains(&token),
        "the session itself is not touched"
    );
}

#[test]
fn a_file_is_written_once_and_never_over_another() {
    let (env, token) = leaky();
    let args = ["export", "001", "--to", "html", "--output", "log.html"];
    env.run(args)
        .check(0, "written to log.html\n", "3 secrets were replaced\n");
    let page = std::fs::read_to_string(env.path("desk/log.html")).unwrap();
    assert!(
        page.starts_with("<!doctype html>") && page.ends_with("</html>\n"),
        "{page}"
    );
    assert!(page.contains("default-src 'none'") && !page.contains(&token));
    let again = env.run([&args[..], &["--json"]].concat());
    assert_eq!(
        (again.code, again.json_error()["code"].as_str()),
        (1, Some("exists"))
    );
    assert_eq!(
        std::fs::read_to_string(env.path("desk/log.html")).unwrap(),
        page
    );
    let nowhere = env.run(["export", "001", "--output", "no/such/dir.md", "--json"]);
    assert_eq!(nowhere.json_error()["code"], "io");
}

#[test]
fn a_session_of_any_kind_goes_on_as_a_conversation() {
    let env = workshop();
    let messages = env
        .run(["export", "brainstorm/log-store", "--to", "conversation"])
        .stdout;
    feed(
        &env,
        &[
            "conversation",
            "start",
            "explore",
            "The log store, continued",
        ],
        "",
    );
    feed(&env, &["conversation", "say", "002", "--batch"], &messages);
    let shown = env.run(["show", "002", "--entries"]).stdout;
    assert_eq!(shown.lines().count(), messages.lines().count());
    assert!(shown.contains("Who reads the log?"), "{shown}");
    let resumed = env.run(["resume", "002", "--print"]).stdout;
    assert!(
        resumed.contains("One line of the log per event"),
        "{resumed}"
    );
}

#[test]
fn a_secret_in_a_topic_is_not_left_in_the_names_that_were_made_from_it() {
    let env = Env::new();
    let (_, token) = leaky();
    let topic = format!("Rotate {token}");
    feed(&env, &["conversation", "start", "plan", &topic], "");
    feed(
        &env,
        &["conversation", "say", "001", "--role", "user", "It leaked."],
        "",
    );
    let secret = token["ghp_".len()..].to_lowercase();
    for form in FORMS {
        let done = env.run(["export", "001", "--to", form]);
        assert_eq!(done.code, 0, "{form}: {}", done.stderr);
        let text = done.stdout.to_lowercase();
        assert!(!text.contains(&secret[..20]), "{form}: {text}");
    }
}
