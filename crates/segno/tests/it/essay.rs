//! `segno essay` as its users type it.

use super::Env;

const ID: &str = "essay-pipeline-20261118-093000";

fn inputs(env: &Env) {
    env.write("desk/thesis.md", "Tides can feed the towns of the coast.\n")
        .write("desk/outline.md", "# Essay Outline: Tides\n\n- **Target length**: 100 words\n- **Audience**: general\n\n## Section 1: Sea (~100 words)\n\nThe sea.\n")
        .write("desk/map.md", "### Point 1: It moves\n\n**Source**: Almanac. https://sea.example\n**Verified**: YES\n")
        .write("desk/one.md", "The sea moves twice a day.\n")
        .write("desk/explainer.md", "# T\n\n## Thesis Statement\n\nTides can feed the towns of the coast.\n\n## Claim Type\n\nexplainer\n");
}

#[test]
fn the_whole_pipeline_can_be_driven_from_the_command_line() {
    let env = Env::new();
    inputs(&env);
    let begun = env
        .run(["--json", "essay", "new", "--pushback", "light"])
        .json();
    assert_eq!(begun["session"]["id"], ID);
    let steps: [&[&str]; 8] = [
        &[
            "thesis",
            ID,
            "--claim-type",
            "argument",
            "--input",
            "thesis.md",
        ],
        &["outline", ID, "--input", "outline.md"],
        &["argument", ID, "1", "--input", "map.md", "--approved"],
        &["approve", ID],
        &["paragraph", ID, "1", "--input", "one.md"],
        &["section", "done", ID, "1"],
        &["voice", ID, "--section", "1", "--score", "4"],
        &["finish", ID],
    ];
    for step in steps {
        let done = env.run(["essay"].iter().chain(step));
        assert_eq!(done.code, 0, "{step:?}: {}", done.stderr);
    }
    let status = env.run(["essay", "status", ID]);
    assert!(
        status.stdout.starts_with("[Stage 4/4 - Paragraph Writing"),
        "{}",
        status.stdout
    );
    let essay = env.run(["essay", "draft", ID]).stdout;
    assert!(
        essay.contains("The sea moves twice a day.") && essay.contains("## Metadata"),
        "{essay}"
    );

    let shown = env.run([
        "essay",
        "revise",
        ID,
        "--stage",
        "1",
        "--input",
        "explainer.md",
        "--reason",
        "r",
        "--dry-run",
    ]);
    assert!(
        shown
            .stdout
            .contains("proposed impact: major (the claim type changes from argument to explainer)"),
        "{}",
        shown.stdout
    );
    let unasked = env.run([
        "essay",
        "revise",
        ID,
        "--stage",
        "1",
        "--input",
        "explainer.md",
        "--reason",
        "r",
    ]);
    assert_eq!(
        unasked.code, 1,
        "without a terminal it needs --yes: {}",
        unasked.stderr
    );
    let done = env
        .run([
            "--json",
            "essay",
            "revise",
            ID,
            "--stage",
            "1",
            "--input",
            "explainer.md",
            "--reason",
            "r",
            "--yes",
        ])
        .json();
    assert_eq!(done["impact"], "major");
    let history = env.run(["essay", "history", ID]);
    assert!(
        history.stdout.contains("stage-4-draft.md  v1"),
        "{}",
        history.stdout
    );
    assert_eq!(env.run(["check"]).code, 0);
}

#[test]
fn a_refusal_says_what_is_missing() {
    let env = Env::new();
    inputs(&env);
    env.run(["essay", "new"]);
    let refused = env.run(["essay", "outline", ID, "--input", "outline.md"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("stage 1 is not completed")
            && refused.stderr.contains("segno essay thesis"),
        "{}",
        refused.stderr
    );
    let missing = env.run(["essay", "thesis", ID, "--input", "nowhere.md"]);
    assert!(
        missing.stderr.contains("cannot read `nowhere.md`"),
        "{}",
        missing.stderr
    );
    let paused = env.run(["essay", "pause", ID]);
    assert_eq!(
        paused.stdout,
        "Session paused at [Stage 1]. To resume, invoke essay-pipeline and select this session.\n"
    );
}

#[test]
fn a_session_in_the_temporary_directory_is_listed_and_can_be_moved_into_the_workspace() {
    let env = Env::new();
    let id = "essay-pipeline-20260214-143022";
    let state = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../formats/essay/examples/essay-pipeline-20260214-143022/session-state.yaml"
    ))
    .unwrap();
    let thesis = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../formats/essay/examples/essay-pipeline-20260214-143022/stage-1-thesis.md"
    ))
    .unwrap();
    let outline = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../formats/essay/examples/essay-pipeline-20260214-143022/stage-2-outline.md"
    ))
    .unwrap();
    env.write(&format!("tmp/{id}/session-state.yaml"), &state)
        .write(&format!("tmp/{id}/stage-1-thesis.md"), &thesis)
        .write(&format!("tmp/{id}/stage-2-outline.md"), &outline);
    assert!(env.run(["list"]).stdout.contains(id));
    let moved = env.run(["--json", "essay", "move", id]).json();
    assert_eq!(moved["session"]["path"], format!("essays/{id}"));
    assert_eq!(moved["original"], format!("moved-{id}"));
    let state =
        std::fs::read_to_string(env.path(&format!("desk/essays/{id}/session-state.yaml"))).unwrap();
    assert!(
        state.contains(&format!("thesis_file: \"essays/{id}/stage-1-thesis.md\"")),
        "{state}"
    );
    assert_eq!(env.run(["check"]).code, 0);
    assert!(
        env.path(&format!("tmp/moved-{id}/session-state.yaml"))
            .is_file(),
        "the original is not removed"
    );
}

#[test]
fn recover_goes_through_the_levels() {
    let env = Env::new();
    inputs(&env);
    env.run(["essay", "new"]);
    env.run([
        "essay",
        "thesis",
        ID,
        "--claim-type",
        "argument",
        "--input",
        "thesis.md",
    ]);
    env.write(&format!("desk/essays/{ID}/session-state.yaml"), "broken: [");
    assert_eq!(env.run(["check"]).code, 3);
    let done = env.run(["recover", ID]);
    assert!(
        done.stdout
            .contains("Session state recovered from backup. Last state update may be lost."),
        "{}",
        done.stdout
    );
    env.write(&format!("desk/essays/{ID}/session-state.yaml"), "broken: [")
        .write(
            &format!("desk/essays/{ID}/session-state.yaml.bak"),
            "broken: [",
        );
    let done = env.run(["recover", ID]);
    assert!(
        done.stdout.contains("reconstructed from artifact files"),
        "{}",
        done.stdout
    );
    assert_eq!(env.run(["check"]).code, 0);
}
