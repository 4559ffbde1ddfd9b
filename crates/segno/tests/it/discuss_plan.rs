//! The plan of a workspace: what is wrong with its files is reported, once, with what to do about it.

use std::path::Path;

use serde_json::json;

use crate::Env;
use crate::discuss::{ops, plan, start, transcript};

const PHASE: &str = "desk/docs/maestro/phases/p.json";

#[test]
fn a_broken_file_of_the_plan_is_reported_once_however_many_discussions_there_are() {
    for discussions in 0..=2 {
        let env = Env::new();
        plan(&env);
        env.write("desk/docs/maestro/tasks/k.json", "{\n  \"task_id\": ");
        for _ in 0..discussions {
            start(&env, &["Why?"]);
        }
        let found = env.run(["check"]);
        assert_eq!(found.code, 3, "{}", found.stderr);
        assert_eq!(
            found.stdout,
            "-  plan_unreadable  docs/maestro/tasks/k.json:2  line 2, column 14: the text ends where a value should be  -> \
             mend the file by hand, or take the last good one from git\n"
        );
        let found = env.run(["check", "--fix", "--json"]);
        assert_eq!(found.code, 3);
        let found: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
        assert_eq!(found["checked"], discussions);
        let problems = found["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 1, "{found}");
        assert_eq!(problems[0]["code"], "plan_unreadable");
        assert_eq!(problems[0]["session"], serde_json::Value::Null);
        assert_eq!(problems[0]["file"], "docs/maestro/tasks/k.json");
        assert_eq!(problems[0]["repair"]["kind"], "manual");
        // A repair leaves it, and says so.
        let left = env.run(["recover"]);
        assert_eq!(left.code, 3);
        assert!(left.stdout.contains("  -> mend the file"));
        let left = env.run(["recover", "--json"]).stdout;
        let left: serde_json::Value = serde_json::from_str(&left).unwrap();
        assert_eq!(left["left"][0]["code"], "plan_unreadable");
    }
}

#[test]
fn a_discussion_that_is_named_is_checked_without_the_plan() {
    let env = Env::new();
    plan(&env);
    let id = start(&env, &["Why?"]);
    env.write(PHASE, "[]");
    assert_eq!(env.run(["check", &id]).code, 0);
}

#[test]
fn a_sound_plan_has_no_problems() {
    let env = Env::new();
    plan(&env);
    let found = env.run(["check"]);
    assert_eq!((found.code, found.stdout.as_str()), (0, ""));
}

#[test]
fn everything_that_is_wrong_with_the_plan_is_said_with_its_repair() {
    let wrong_type = "until then it is read as if it were not there";
    for (file, text, expected) in [
        (
            PHASE,
            "{\"name\": \"Phase\", \"track_id\": \"t\",\n\"tasks\": \"k\"}",
            format!(
                "-  plan_wrong_type  docs/maestro/phases/p.json:2  `tasks` is a text, not a list  -> make it a list; {wrong_type}\n"
            ),
        ),
        (
            PHASE,
            "{\"name\": \"Phase\", \"track_id\": \"t\", \"tasks\": [\"k\",\n7]}",
            format!(
                "-  plan_wrong_type  docs/maestro/phases/p.json:2  item 2 of `tasks` is a number, not an id  -> \
                 make it the id of a file, as a text; {wrong_type}\n"
            ),
        ),
        (
            "desk/docs/maestro/tracks/t.json",
            "{\"name\": \"Tracks\", \"phases\": {\"p\": 1}}",
            format!(
                "-  plan_wrong_type  docs/maestro/tracks/t.json:1  `phases` is an object, not a list  -> make it a list; {wrong_type}\n"
            ),
        ),
        (
            "desk/docs/maestro/index.json",
            "{\"tracks\": true}",
            format!(
                "-  plan_wrong_type  docs/maestro/index.json:1  `tracks` is true or false, not a list  -> make it a list; {wrong_type}\n"
            ),
        ),
        (
            "desk/docs/maestro/tasks/k.json",
            "{\"name\": 5, \"phase_id\": \"p\"}",
            format!(
                "-  plan_wrong_type  docs/maestro/tasks/k.json:1  `name` is a number, not a text  -> make it a text; {wrong_type}\n"
            ),
        ),
        (
            PHASE,
            "{\"name\": \"Phase\", \"track_id\": \"t\", \"tasks\": [\"k\", \"gone\"]}",
            "-  plan_missing_item  docs/maestro/phases/p.json  it lists the task 'gone', which has no file  -> \
             add the file, or take the id out of the list\n"
                .to_owned(),
        ),
        (
            "desk/docs/maestro/phases/a.json",
            "{\"name\": \"Another\", \"track_id\": \"t\", \"tasks\": [\"k\"]}",
            "-  plan_listed_twice  docs/maestro/phases/a.json  it lists the task 'k', which 'p' lists too  -> \
             take the id out of one of the two lists; until then the task is shown below 'p'\n"
                .to_owned(),
        ),
    ] {
        let env = Env::new();
        plan(&env);
        env.write(file, text);
        let found = env.run(["check"]);
        assert_eq!((found.code, found.stdout.as_str()), (3, expected.as_str()));
        let shown = env.run(["discuss", "plan"]);
        assert_eq!(shown.code, 0);
        assert!(shown.stderr.contains(&expected), "{}", shown.stderr);
    }
}

#[test]
fn a_file_of_the_plan_that_cannot_be_opened_hides_no_other() {
    let env = Env::new();
    plan(&env);
    std::fs::remove_file(env.path(PHASE)).unwrap();
    std::fs::create_dir(env.path(PHASE)).unwrap();
    let shown = env.run(["discuss", "plan"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("[ ] k  Task"), "{}", shown.stdout);
    let said = "-  plan_unreadable  docs/maestro/phases/p.json  it cannot be read: it is not a regular file";
    assert!(shown.stderr.contains(said), "{}", shown.stderr);
    // It is there: that it has no file is not said as well.
    assert!(!shown.stderr.contains("plan_missing_item"));
}

#[test]
fn a_replay_over_a_plan_that_cannot_be_read_is_recorded_and_says_where_to_look() {
    let breaks: [fn(&Path); 3] = [
        |file| std::fs::write(file, "{").unwrap(),
        |file| std::fs::write(file, "{\"tasks\": 3}").unwrap(),
        |file| {
            std::fs::remove_file(file).unwrap();
            std::fs::create_dir(file).unwrap();
        },
    ];
    for damage in breaks {
        let env = Env::new();
        plan(&env);
        let id = start(&env, &["--phase", "p", "Go on"]);
        let list = json!([{"op_type": "add_task", "data": {"task_name": "N", "phase_id": "p"}}]);
        env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&list));
        damage(&env.path(PHASE));
        let failed = env.run(["discuss", "replay", &id]);
        assert_eq!(failed.code, 3, "{}", failed.stderr);
        assert!(
            failed
                .stderr
                .contains("REPLAY_FAIL: docs/maestro/phases/p.json"),
            "{}",
            failed.stderr
        );
        assert!(
            failed.stderr.contains("`segno check` names what is wrong"),
            "{}",
            failed.stderr
        );
        assert_eq!(env.run(["check"]).code, 3, "and so it does");
        let last = transcript(&env, &id).pop().unwrap();
        assert_eq!(last["type"], "replay_run");
        assert_eq!(last["payload"]["result"], "REPLAY_FAIL");
    }
}

#[test]
fn what_is_not_in_the_plan_is_said_with_where_to_look() {
    let env = Env::new();
    let none = env.run(["discuss", "plan", "--track", "x"]);
    assert_eq!(none.code, 1);
    assert_eq!(
        none.stderr,
        "error: there is no track `x`\n  hint: there is no plan in docs/maestro yet\n"
    );
    plan(&env);
    let none = env.run(["discuss", "plan", "--track", "x"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, ""));
    assert_eq!(
        none.stderr,
        "error: there is no track `x`\n  hint: the tracks are: t\n"
    );
    assert_eq!(env.run(["discuss", "plan", "--track", "t"]).code, 0);

    let id = start(&env, &["Go on"]);
    let list = json!([{"op_type": "mark_done", "data": {"item_id": "missing"}}]);
    env.feed(
        &["discuss", "done", &id, "--as-is", "--input", "-"],
        &ops(&list),
    );
    let failed = env.run(["discuss", "replay", &id]);
    assert_eq!(failed.code, 1);
    assert!(
        failed
            .stderr
            .contains("hint: `segno discuss plan` shows what is in the plan")
    );
}

#[test]
fn a_discussion_that_ended_without_operations_is_not_said_to_be_replayed() {
    let env = Env::new();
    let id = start(&env, &["Go on"]);
    env.feed(&["discuss", "done", &id, "--input", "-"], &ops(&json!([])));
    let refused = env.run(["discuss", "say", &id, "--role", "user", "more"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("is closed"), "{}", refused.stderr);
    assert!(
        !refused.stderr.contains("discuss replay"),
        "{}",
        refused.stderr
    );
    let failed = env.run(["discuss", "replay", &id]);
    assert_eq!(failed.code, 1);
    assert!(
        failed
            .stderr
            .contains("closed without operations: there is nothing to replay"),
        "{}",
        failed.stderr
    );
    assert!(!failed.stderr.contains("Go on"), "{}", failed.stderr);
}

#[test]
fn what_is_marked_as_done_is_done_whatever_its_tasks_say() {
    let env = Env::new();
    plan(&env);
    let track = "desk/docs/maestro/tracks/t.json";
    let text = std::fs::read_to_string(env.path(track)).unwrap();
    env.write(track, text.replace("planned", "done"));
    let shown = env.run(["discuss", "plan"]);
    assert!(
        shown.stdout.contains("(done)  100% (0/1)"),
        "{}",
        shown.stdout
    );
}
