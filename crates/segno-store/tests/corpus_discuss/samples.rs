//! Sessions of the shapes that are met in the wild, replayed as they are: over a plan that lacks what they speak of, and over
//! one that has it.

use segno_disk::{RelPath, SimDisk};
use serde_json::{Value, json};

use crate::{SESSIONS, apply, corpus, effects, file, find, now, plan_files, workspace};

/// Which plan a session is replayed over.
#[derive(Clone, Copy)]
enum Over {
    /// One that lacks what it speaks of.
    Lacking,
    /// One that has it.
    Complete,
}

fn disk(over: Over) -> SimDisk {
    let disk = corpus("examples");
    if let Over::Complete = over {
        for (path, content) in [
            (
                "tasks/PRINT-7",
                json!({"task_id": "PRINT-7", "name": "Print", "status": "planned", "phase_id": "core", "completed": false}),
            ),
            (
                "tracks/TR-PRINTER",
                json!({"track_id": "TR-PRINTER", "name": "Printer", "status": "planned", "phases": []}),
            ),
            (
                "phases/paper-phase",
                json!({"phase_id": "paper-phase", "name": "Paper", "status": "planned", "track_id": "TR-PRINTER", "tasks": []}),
            ),
        ] {
            let path = RelPath::new(&format!("docs/maestro/{path}.json")).unwrap();
            disk.plant(&path, content.to_string().as_bytes());
        }
    }
    disk
}

/// The last lines of a session's transcript.
fn last(disk: &SimDisk, id: &str, count: usize) -> Vec<Value> {
    let text = file(disk, &format!("{SESSIONS}/{id}/transcript.jsonl"));
    let lines: Vec<&str> = text.lines().collect();
    let lines = &lines[lines.len() - count..];
    lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_sample_fails_over_a_plan_that_lacks_what_it_speaks_of_and_says_what() {
    for (id, why) in [
        ("ex-task-edited", "Task 'PRINT-7' not found"),
        ("ex-phase-added", "Track 'TR-PRINTER' not found"),
        ("ex-task-added", "Phase 'paper-phase' not found"),
        (
            "ex-unknown-operation",
            "Invalid patch operation format: operation 1: unknown operation `PAINT_IT`",
        ),
    ] {
        let disk = disk(Over::Lacking);
        let before = plan_files(&disk);
        let failure = apply(&disk, id).result.unwrap_err();
        assert!(
            failure.message.starts_with(why),
            "{id}: {}",
            failure.message
        );
        assert_eq!(plan_files(&disk), before, "{id}");
        let [error, run] = last(&disk, id, 2).try_into().unwrap();
        assert_eq!(error["type"], "error");
        assert_eq!(error["payload"]["message"], failure.message);
        assert_eq!(
            run["payload"],
            json!({"dry_run": false, "result": "REPLAY_FAIL", "ops_count": 0, "error": failure.message})
        );
        let workspace = workspace(&disk);
        let card = workspace.card(&find(&workspace, id), &now(0));
        assert_eq!(
            card.raw_status, "open",
            "{id}: it can be replayed once the plan is complete"
        );
    }
}

#[test]
fn the_valid_samples_replay_over_a_plan_that_has_what_they_speak_of() {
    for (id, effect, path, says) in [
        (
            "ex-task-edited",
            "changed",
            "tasks/PRINT-7",
            "\"status\":\"in_progress\"",
        ),
        (
            "ex-phase-added",
            "added",
            "phases/ph-paper",
            "\"name\": \"Phase 1: Paper\"",
        ),
        (
            "ex-task-added",
            "added",
            "tasks/paper-phase.1",
            "\"name\": \"Measure margins\"",
        ),
    ] {
        let disk = disk(Over::Complete);
        assert_eq!(effects(&apply(&disk, id)), [effect], "{id}");
        let text = file(&disk, &format!("docs/maestro/{path}.json"));
        assert!(text.contains(says), "{id}: {text}");
        let run = last(&disk, id, 1).remove(0);
        assert_eq!(run["payload"]["result"], "REPLAY_OK");
        assert_eq!(run["payload"]["ops_count"], 1);
        let meta = file(&disk, &format!("{SESSIONS}/{id}/meta.json"));
        assert!(meta.contains("\"status\": \"closed\""), "{meta}");
        assert_eq!(effects(&apply(&disk, id)), ["already_there"], "{id}");
    }
    let disk = disk(Over::Complete);
    let failure = apply(&disk, "ex-unknown-operation").result.unwrap_err();
    assert!(failure.message.contains("PAINT_IT"), "{}", failure.message);
}
