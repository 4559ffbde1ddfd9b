//! Essays over time: silence, the temporary directory, revisions that are asked about, and the user's language.

use std::path::Path;

use super::Env;

const ID: &str = "essay-pipeline-20261118-093000";
const OLD: &str = "essay-pipeline-20260214-143022";

/// A session that stands in stage 4, with one paragraph.
fn written(env: &Env) {
    env.write("desk/thesis.md", "Tides can feed the towns of the coast.\n")
        .write("desk/reworded.md", "Tides can surely feed the towns of the coast.\n")
        .write("desk/outline.md", "# Essay Outline: Tides\n\n- **Target length**: 100 words\n- **Audience**: general\n\n## Section 1: Sea (~100 words)\n\nThe sea.\n")
        .write("desk/map.md", "### Point 1: It moves\n\n**Source**: Almanac. https://sea.example\n**Verified**: YES\n")
        .write("desk/one.md", "The sea moves twice a day.\n");
    let steps: [&[&str]; 6] = [
        &["new"],
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
    ];
    for step in steps {
        let done = env.run(["essay"].iter().chain(step));
        assert_eq!(done.code, 0, "{step:?}: {}", done.stderr);
    }
}

fn at(env: &Env, moment: &str) {
    env.write("clock", moment);
}

fn state(env: &Env) -> String {
    std::fs::read_to_string(env.path(&format!("desk/essays/{ID}/session-state.yaml"))).unwrap()
}

#[test]
fn a_day_of_silence_pauses_and_a_week_is_warned_of_with_clean_up_and_resume_offered() {
    let env = Env::new();
    written(&env);
    at(&env, "2026-11-19T12:00:00Z");
    let listed = env.run(["list"]);
    for shown in [
        "paused",
        "LAST ACTIVE",
        "yesterday",
        "Stage 4, Section 1, Paragraph 2",
    ] {
        assert!(listed.stdout.contains(shown), "{shown}: {}", listed.stdout);
    }
    assert!(!listed.stderr.contains("segno clean"), "{}", listed.stderr);
    // Paused already: the warning comes all the same, at every look.
    for _ in 0..2 {
        at(&env, "2026-11-26T12:00:00Z");
        let other = env.run(["list", "--kind", "conversation"]);
        assert_eq!(other.stderr.matches("segno clean").count(), 0);
        let other = env.run(["list", "--status", "completed"]);
        assert!(!other.stderr.contains("segno clean"), "{}", other.stderr);
        let listed = env.run(["list"]);
        for offer in [
            format!("segno resume essay/{ID}"),
            format!("segno essay abandon essay/{ID}"),
            "segno clean".to_owned(),
        ] {
            assert!(listed.stderr.contains(&offer), "{}", listed.stderr);
        }
        assert_eq!(env.run(["clean"]).stdout, "", "nothing goes unasked");
        assert!(state(&env).contains("status: \"paused\""));
    }
    let resumed = env.run(["resume", &format!("essay/{ID}"), "--print"]);
    assert!(
        resumed.stderr.contains("segno essay abandon") && resumed.stdout.contains("Resuming at"),
        "{}{}",
        resumed.stdout,
        resumed.stderr
    );
    assert!(
        !resumed.stdout.contains("] paused"),
        "the text says where it stands now: {}",
        resumed.stdout
    );
    assert!(
        !env.run(["list"]).stderr.contains("segno clean"),
        "it is being worked on again"
    );
    at(&env, "2026-12-10T12:00:00Z");
    assert_eq!(
        env.run(["essay", "abandon", &format!("essay/{ID}")]).code,
        0
    );
    let cleaned = env.run(["clean"]);
    assert!(cleaned.stdout.contains(ID), "{}", cleaned.stdout);
    let kept = format!("desk/.segno/trash/essay/{ID}/stage-4-draft.md");
    assert!(env.path(&kept).is_file(), "the trash keeps it");
}

/// A session as the document's own program leaves it in the temporary directory.
fn in_temporary(dir: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../formats/essay/examples")
        .join(OLD);
    let to = dir.join(OLD);
    std::fs::create_dir_all(&to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn moving_out_of_the_temporary_directory_is_offered_wherever_the_session_is_met() {
    let env = Env::new();
    in_temporary(&env.path("tmp"));
    let offer = format!("segno essay move essay/{OLD}");
    for args in [
        &["list"][..],
        &["essay", "status", OLD],
        &["resume", OLD, "--print"],
    ] {
        let done = env.run(args);
        assert!(done.stderr.contains(&offer), "{args:?}: {}", done.stderr);
    }
    // As it is offered, so it can be typed.
    let moved = env.run(["essay", "move", &format!("essay/{OLD}")]);
    assert_eq!(moved.stdout, format!("essays/{OLD}\n"), "{}", moved.stderr);
    assert!(!env.run(["list"]).stderr.contains("segno essay move"));
    assert_eq!(env.run(["check"]).code, 0);
}

#[test]
fn a_move_that_was_interrupted_behind_its_copy_goes_on() {
    let env = Env::new();
    in_temporary(&env.path("tmp"));
    assert_eq!(env.run(["essay", "move", OLD]).code, 0);
    let (aside, original) = (
        env.path(&format!("tmp/moved-{OLD}")),
        env.path(&format!("tmp/{OLD}")),
    );
    std::fs::rename(&aside, &original).unwrap();
    let again = env.run(["essay", "move", OLD]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(aside.is_dir() && !original.exists());
    // A copy that has been worked on since is not taken for one.
    std::fs::rename(&aside, &original).unwrap();
    env.write(
        &format!("desk/essays/{OLD}/stage-1-thesis.md"),
        "Another.\n",
    );
    let refused = env.run(["essay", "move", OLD]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(original.is_dir(), "the original stays where it is");
}

#[cfg(unix)]
#[test]
fn a_session_is_moved_from_another_file_system() {
    use std::os::unix::fs::MetadataExt as _;
    let device = |path: &Path| std::fs::metadata(path).map(|found| found.dev()).ok();
    let env = Env::new();
    let memory = Path::new("/dev/shm");
    if device(memory).is_none() || device(memory) == device(&env.path("desk")) {
        let skipped = segno_testkit::skip::skip("SEGNO_NO_SKIP", "there is no second file system");
        return skipped.unwrap();
    }
    let other = tempfile::tempdir_in(memory).unwrap();
    let env = env.var("TMPDIR", other.path().to_str().unwrap());
    in_temporary(other.path());
    let moved = env.run(["--json", "essay", "move", OLD]).json();
    assert_eq!(moved["session"]["path"], format!("essays/{OLD}"));
    for name in ["stage-1-thesis.md", "stage-2-outline.md"] {
        let read = |path: &Path| std::fs::read(path.join(name)).unwrap();
        assert_eq!(
            read(&env.path(&format!("desk/essays/{OLD}"))),
            read(&other.path().join(format!("moved-{OLD}"))),
            "{name}"
        );
    }
    assert_eq!(env.run(["check"]).code, 0);
}

#[test]
fn two_versions_are_listed_and_compared() {
    let env = Env::new();
    written(&env);
    let revise = [
        "essay",
        "revise",
        ID,
        "--stage",
        "1",
        "--input",
        "reworded.md",
    ];
    let done = env.run(revise.iter().chain(&["--reason", "r", "--yes"]));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let listed = env.run(["essay", "history", ID]).stdout;
    assert!(
        listed.contains("stage-1-thesis.md  v1 current") && listed.contains("stage 1, minor: r"),
        "{listed}"
    );
    let compared = env
        .run(["essay", "history", ID, "thesis", "v1", "current"])
        .stdout;
    assert!(
        compared.contains("-Tides can feed") && compared.contains("+Tides can surely feed"),
        "{compared}"
    );
    let missing = env.run(["essay", "history", ID, "thesis", "v7"]);
    assert!(
        missing.code == 1 && missing.stderr.contains("stage-1-thesis.v7.md"),
        "{}",
        missing.stderr
    );
}

#[test]
fn a_dry_run_shows_the_difference_and_what_would_be_archived_and_changes_nothing() {
    let env = Env::new();
    written(&env);
    let before = state(&env);
    let revise = [
        "essay",
        "revise",
        ID,
        "--stage",
        "1",
        "--input",
        "reworded.md",
    ];
    let more = ["--reason", "r", "--impact", "major", "--dry-run"];
    let shown = env.run(revise.iter().chain(&more));
    for expected in [
        "+Tides can surely feed",
        "proposed impact: minor (wording only)",
        "chosen impact: major",
        "archives stage-4-draft.md as stage-4-draft.v1.md",
        "stage 4: not started",
    ] {
        assert!(
            shown.stdout.contains(expected),
            "{expected}\n{}",
            shown.stdout
        );
    }
    assert_eq!(state(&env), before);
    assert!(
        !env.path(&format!("desk/essays/{ID}/stage-1-thesis.v1.md"))
            .exists()
    );
    let json = env
        .run(["--json"].iter().chain(&revise).chain(&more))
        .json();
    assert_eq!(json["done"], false);
    assert_eq!(json["why"]["code"], "wording");
    assert_eq!(json["consequences"][0]["code"], "not_started");
}

#[cfg(unix)]
#[test]
fn a_revision_is_confirmed_on_a_terminal() {
    use std::time::Duration;

    use expectrl::{Eof, Expect, Session};

    for (answer, status) in [("n\r", "completed"), ("y\r", "needs_review")] {
        let env = Env::new().var("TERM", "xterm-256color");
        written(&env);
        let revise = [
            "essay",
            "revise",
            ID,
            "--stage",
            "1",
            "--input",
            "reworded.md",
        ];
        let command = env.command(revise.iter().chain(&["--reason", "r"]));
        let mut session = Session::spawn(command).unwrap();
        session.set_expect_timeout(Some(Duration::from_secs(30)));
        session.expect("minor impact?").unwrap();
        session.send(answer).unwrap();
        session.expect(Eof).unwrap();
        let line = format!("  stage_2:\n    status: \"{status}\"");
        assert!(state(&env).contains(&line), "{answer:?}: {}", state(&env));
    }
}

#[test]
fn what_the_pipeline_says_is_said_in_the_users_language() {
    let env = Env::new();
    written(&env);
    let say = |lang: &str, args: &[&str]| {
        let done = env.run(["--lang", lang, "essay"].iter().chain(args));
        format!("{}{}", done.stdout, done.stderr)
    };
    let again: &[&str] = &["paragraph", ID, "1", "--input", "one.md"];
    let revise = ["revise", ID, "--stage", "1", "--input", "reworded.md"];
    let revise: Vec<&str> = [&revise[..], &["--reason", "r", "--dry-run"]].concat();
    for (lang, args, expected) in [
        (
            "fr",
            again,
            "le brouillon se termine déjà par ce paragraphe",
        ),
        ("ja", again, "下書きはすでにこの段落で終わっています"),
        (
            "fr",
            &["status", ID],
            "Étape 3 - Développement des arguments : TERMINÉ",
        ),
        ("fr", &["status", ID], "<-- VOUS ÊTES ICI"),
        (
            "ja",
            &["status", ID],
            "第 1 節 (Sea): 段落 1/? 承認済み  <-- 現在地",
        ),
        (
            "fr",
            &revise,
            "impact proposé : mineur (formulation seulement)",
        ),
        ("ja", &revise, "段階 2: 要確認"),
        ("fr", &["voice", ID, "--score", "2"], "la voix s’écarte"),
    ] {
        let said = say(lang, args);
        assert!(said.contains(expected), "{lang} {args:?}: {said}");
    }
}

#[test]
fn the_full_state_reads_the_same_for_a_person_and_for_an_agent() {
    let env = Env::new();
    written(&env);
    let shown = env.run(["essay", "status", ID]).stdout;
    let brief = env.run(["--json", "show", &format!("essay/{ID}")]).json();
    let brief = brief.to_string();
    for line in shown
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("Next: "))
    {
        let quoted = serde_json::to_string(line).unwrap();
        assert!(brief.contains(&quoted), "{quoted} is not in {brief}");
    }
    assert!(shown.contains("<-- YOU ARE HERE"), "{shown}");
}
