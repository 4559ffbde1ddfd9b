//! `segno stop`: saved, confirmed, and how to come back.

use crate::Env;
use crate::sessions::{Told, status, tell};

fn active(env: &Env, id: &str) {
    tell(
        env,
        &Told {
            id,
            status: "active",
            last_active: "2026-11-18T09:29:00Z",
            ..Told::default()
        },
    );
}

#[test]
fn the_confirmation_has_the_title_the_way_back_and_where_it_stopped() {
    let env = Env::new();
    active(&env, "001-plan-log");
    env.run(["stop", "--summary", "The codec comes next."]).check(
        0,
        "Session saved.\n\
         conversation \"The append-only log\" has been paused.\n\
         You can continue later with /workspace.resume or `segno resume conversation/001-plan-log`\n\
         Stopped at: message 2\n\
         Summary: The codec comes next.\n",
        "",
    );
    assert_eq!(status(&env, "001-plan-log"), "paused");
}

#[test]
fn without_words_of_its_own_the_summary_is_made_from_what_is_there() {
    let env = Env::new();
    active(&env, "001-plan-log");
    let json = env.run(["stop", "001", "--json"]).json();
    assert_eq!(json["session"]["status"], "paused");
    assert_eq!(json["resume"], "segno resume conversation/001-plan-log");
    assert!(!json["summary"].as_str().unwrap().is_empty());
}

#[test]
fn several_active_sessions_are_named_and_none_is_said() {
    let env = Env::new();
    env.run(["stop"]).check(
        1,
        "",
        "error: no session is active\n  hint: `segno list` shows what is there\n",
    );
    active(&env, "001-plan-log");
    active(&env, "002-plan-log");
    env.run(["stop"]).check(
        1,
        "",
        "error: 2 sessions are active: say which one\n  \
         hint: `segno stop conversation/001-plan-log`: The append-only log\n  \
         hint: `segno stop conversation/002-plan-log`: The append-only log\n",
    );
    assert_eq!(env.run(["stop", "002"]).code, 0);
    assert_eq!(status(&env, "001-plan-log"), "active");
    assert_eq!(env.run(["stop", "001", "--summary", " "]).code, 1);
    assert_eq!(status(&env, "001-plan-log"), "active");
}
