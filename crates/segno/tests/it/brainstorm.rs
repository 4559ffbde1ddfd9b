//! `segno brainstorm`, `segno migrate` and `segno clean` as their users run them.

use crate::Env;
use crate::env::Done;

const STANDARD: &str = include_str!("../../../../formats/brainstorm/examples/standard.yaml");
const RANDOM: &str = include_str!("../../../../formats/brainstorm/old/random-1.0.yaml");
const OLD: &str = include_str!("../../../../formats/brainstorm/old/standard-1.0.yaml");
const DIR: &str = "desk/.project-memory/brainstorm-sessions";

fn env() -> Env {
    let env = Env::new();
    env.write(&format!("{DIR}/garden-sensors.yaml"), STANDARD);
    env.write("clock", "2026-03-02T13:00:00Z");
    env
}

fn brainstorm(env: &Env, args: &[&str]) -> Done {
    env.run(std::iter::once("brainstorm").chain(args.iter().copied()))
}

fn with_input(env: &Env, args: &[&str], input: &str) -> (i32, String, String) {
    let done = env.feed(args, input);
    (done.code, done.stdout, done.stderr)
}

#[test]
fn a_launch_without_a_terminal_says_that_a_session_exists_with_its_card() {
    let env = env();
    let french = brainstorm(&env, &["start", "garden-sensors", "--lang", "fr"]);
    french.check(
        1,
        "",
        "erreur : brainstorm/garden-sensors existe déjà\n  cause : Session existante detectee: \"garden-sensors\" (EMS: 52)\n  \
         cause :    Derniere activite: il y a 2 heures\n  cause :    Phase: Divergent | Iteration: 3\n  \
         conseil : choisissez avec --resume (la reprendre) ou --new (elle est archivee, jamais ecrasee)\n",
    );
    let error = brainstorm(&env, &["start", "garden-sensors", "--json"]).json_error();
    assert_eq!(error["code"], "exists");
    assert_eq!(error["session"]["id"], "garden-sensors");
    assert_eq!(
        error["session"]["position"],
        "iteration 3, EMS 52, divergent"
    );
}

#[test]
fn new_archives_and_resume_comes_back() {
    let env = env();
    let resumed = brainstorm(&env, &["start", "--resume", "--json"]).json();
    assert_eq!(resumed["session"]["id"], "garden-sensors");
    let begun = brainstorm(&env, &["start", "garden-sensors", "--new", "--json"]).json();
    let archive = ".project-memory/brainstorm-sessions/garden-sensors-2026-03-02.yaml";
    assert_eq!(begun["archived"], archive);
    let kept = std::fs::read_to_string(env.path(&format!("desk/{archive}"))).unwrap();
    assert_eq!(kept, STANDARD);
    brainstorm(&env, &["start", "another"]).check(
        0,
        "Session begun: .project-memory/brainstorm-sessions/another.yaml\n",
        "",
    );
    let error = brainstorm(&env, &["start", "../x", "--json"]).json_error();
    assert_eq!(error["code"], "invalid");
}

#[test]
fn back_shows_the_jump_summary_of_the_document() {
    let env = env();
    brainstorm(&env, &["back", "garden-sensors", "2", "--lang", "fr"]).check(
        0,
        "-------------------------------------------------------\n\
         Retour de 2 iterations\n   Iteration: 3 → 1\n   EMS: 52/100 → 25/100 (-27)\n   Phase: divergent\n\n   \
         Questions restaurees (iteration 1):\n   - What shall be measured?\n   - Who reads the values?\n\
         -------------------------------------------------------\n",
        "",
    );
    brainstorm(&env, &["continue", "garden-sensors", "--json"]).json();
    brainstorm(&env, &["back", "garden-sensors", "10", "--lang", "fr"]).check(
        1,
        "",
        "erreur : Impossible de revenir de 10 iterations\n  cause : Iteration actuelle: 2\n  \
         conseil : Maximum possible: back 1\n",
    );
    let asked = brainstorm(&env, &["back", "garden-sensors"]);
    assert!(
        asked.stdout.contains("Back by 1 iteration\n"),
        "{}",
        asked.stdout
    );
    let asked = brainstorm(
        &env,
        &[
            "ask",
            "garden-sensors",
            "--question",
            "Why?",
            "--ems",
            "40",
            "--json",
        ],
    )
    .json();
    assert_eq!(asked["branch"], 1);
    let branches = brainstorm(&env, &["history", "garden-sensors", "--branches"]);
    assert!(
        branches
            .stdout
            .starts_with("Branch 1, after iteration 1: 2 iterations\n"),
        "{}",
        branches.stdout
    );
    let returned = brainstorm(
        &env,
        &["continue", "garden-sensors", "--branch", "1", "--json"],
    )
    .json();
    assert_eq!(returned["to"]["iteration"], 3);
}

#[test]
fn an_agent_drives_a_session_with_json_on_standard_input() {
    let env = env();
    let ask = r#"{"questions": ["Who pays?"], "axes": {"Clarté": 42, "profondeur": 60, "couverture": 60, "decisions": 60, "actionnabilite": 60}, "phase": "transition"}"#;
    let (code, out, err) = with_input(
        &env,
        &["brainstorm", "ask", "garden-sensors", "--stdin", "--json"],
        ask,
    );
    assert_eq!(code, 0, "{err}");
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (answer["ems"].as_i64(), answer["delta"].as_i64()),
        (Some(55), Some(3))
    );
    let (code, ..) = with_input(
        &env,
        &["brainstorm", "answer", "garden-sensors", "--stdin"],
        r#"{"responses": ["The owner"]}"#,
    );
    assert_eq!(code, 0);
    let suggested = brainstorm(&env, &["technique", "suggest", "garden-sensors", "--json"]).json();
    assert_eq!(suggested["suggestions"][0]["reason"], "Clarte 42%");
    brainstorm(&env, &["panel", "start", "garden-sensors", "--json"]).json();
    let round = r#"{"topic": "t", "contributions": [{"expert": "Martin", "position": "a"}, {"expert": "Beck", "position": "b"}], "synthesis": {"convergent": ["x"], "tensions": ["y"]}}"#;
    let (code, _, err) = with_input(
        &env,
        &["brainstorm", "panel", "round", "garden-sensors", "--stdin"],
        round,
    );
    assert_eq!(code, 1);
    assert!(
        err.contains("a round has exactly 3 experts, not 2"),
        "{err}"
    );
    let (code, _, err) = with_input(
        &env,
        &["brainstorm", "idea", "add", "garden-sensors", "--stdin"],
        r#"{"contents": "x"}"#,
    );
    assert_eq!(code, 1);
    assert!(err.contains("unknown field `contents`"), "{err}");
    let (code, ..) = with_input(
        &env,
        &["brainstorm", "idea", "add", "garden-sensors", "--stdin"],
        r#"{"content": "x", "score": 3}"#,
    );
    assert_eq!(code, 0);
}

#[test]
fn every_verb_that_takes_something_takes_it_as_json_too() {
    let env = env();
    let send = |verb: &str, input: &str| -> serde_json::Value {
        let mut args = vec!["brainstorm"];
        args.extend(verb.split(' '));
        if !verb.starts_with("start") {
            args.push("garden-sensors");
        }
        args.extend(["--stdin", "--json"]);
        let (code, out, err) = with_input(&env, &args, input);
        assert_eq!(code, 0, "{verb}: {err}");
        serde_json::from_str(&out).unwrap()
    };
    let weak = r#"{"questions": ["Why?"], "axes": {"clarte": 42, "profondeur": 60, "couverture": 60, "decisions": 60, "actionnabilite": 60}}"#;
    assert_eq!(
        send("start", r#"{"slug": "garden-sensors", "resume": true}"#)["created"],
        false
    );
    assert_eq!(send("ask", weak)["iteration"], 4);
    assert_eq!(
        send("answer", r#"{"responses": ["Because"]}"#)["open"],
        serde_json::json!([])
    );
    assert_eq!(send("idea add", r#"{"content": "x"}"#)["idea"], 4);
    assert_eq!(
        send("idea score", r#"{"id": 4, "score": 9}"#)["idea"]["score"],
        9
    );
    assert_eq!(
        send("phase", r#"{"phase": "convergent"}"#)["to"],
        "convergent"
    );
    assert_eq!(
        send("persona", r#"{"persona": "sparring"}"#)["to"],
        "sparring"
    );
    assert_eq!(send("energy", r#"{"choice": "pause"}"#)["choice"], 2);
    let drawn = send("technique suggest", r#"{"random": true, "seed": 7}"#);
    assert_eq!(drawn["source"], "random");
    let slug = drawn["suggestions"][0]["technique"]["slug"]
        .as_str()
        .unwrap();
    send("technique skip", &format!(r#"{{"technique": "{slug}"}}"#));
    send("technique apply", r#"{"technique": "moscow"}"#);
    assert_eq!(
        send("party start", r#"{"topic": "performance"}"#)["personas_suggested"][1],
        "Frontend"
    );
    let round = r#"{"topic": "t", "contributions": [{"persona": "Architect", "key_points": ["a", "b"]}, {"persona": "QA", "key_points": ["a", "b"], "references": ["Architect"]}, {"persona": "Backend", "key_points": ["a", "b"]}], "synthesis": "s", "user_question": "q"}"#;
    assert_eq!(send("party round", round)["round"], 1);
    brainstorm(&env, &["party", "exit", "garden-sensors", "--json"]).json();
    assert_eq!(
        send("panel start", r#"{"topic": "testing"}"#)["experts_suggested"][0],
        "Beck"
    );
    let round = r#"{"topic": "t", "phase": "socratic", "contributions": [{"expert": "Martin", "position": "a"}, {"expert": "Beck", "position": "b"}, {"expert": "Gamma", "position": "c"}], "synthesis": {"convergent": ["x"], "tensions": ["y"]}}"#;
    assert_eq!(send("panel round", round)["phase"], "socratic");
    brainstorm(&env, &["panel", "exit", "garden-sensors", "--json"]).json();
    assert_eq!(send("back", r#"{"n": 2}"#)["to"]["iteration"], 2);
    assert_eq!(send("continue", "{}")["to"]["iteration"], 3);
    assert_eq!(send("finish", r#"{"force": true}"#)["ems"], 52);
    let wrong = [
        (
            "phase",
            r#"{"phase": "sideways"}"#,
            "it is one of divergent",
        ),
        ("idea score", r#"{"id": 4}"#, "`score` is missing"),
        (
            "technique suggest",
            r#"{"random": true, "auto": true}"#,
            "exclude each other",
        ),
        (
            "ask",
            r#"{"questions": ["?"], "axes": {"Risques": 1}}"#,
            "there is no axis `Risques`",
        ),
        ("back", r#"{"steps": 1}"#, "unknown field `steps`"),
    ];
    for (verb, input, expected) in wrong {
        let mut args = vec!["brainstorm"];
        args.extend(verb.split(' '));
        args.extend(["garden-sensors", "--stdin"]);
        let (code, _, err) = with_input(&env, &args, input);
        assert_eq!(code, 1, "{verb}: {err}");
        assert!(err.contains(expected), "{verb}: {err}");
    }
}

#[test]
fn refusals_and_their_advice_are_said_in_the_language_of_the_user() {
    let env = env();
    let check = |args: &[&str], lang: &str, expected: &str| {
        let mut all = args.to_vec();
        all.extend(["--lang", lang]);
        brainstorm(&env, &all).check(1, "", expected);
    };
    let many = [
        "answer",
        "garden-sensors",
        "--response",
        "a",
        "--response",
        "b",
        "--response",
        "c",
        "--response",
        "d",
    ];
    check(
        &many,
        "en",
        "error: answers given: 4, questions open: 3\n  hint: one `--response` for each open question, in their order\n",
    );
    check(
        &many,
        "fr",
        "erreur : reponses donnees : 4, questions ouvertes : 3\n  conseil : un `--response` par question ouverte, dans leur ordre\n",
    );
    check(
        &many,
        "ja",
        "エラー: 回答 4 件に対し、未回答の質問は 3 件です\n  ヒント: 未回答の質問ごとに `--response` を一つ、その順に\n",
    );
    check(
        &["party", "exit", "garden-sensors"],
        "fr",
        "erreur : aucun party n'est actif\n  conseil : `segno brainstorm party start` en ouvre un\n",
    );
    let error = brainstorm(
        &env,
        &[
            "technique",
            "apply",
            "garden-sensors",
            "six",
            "--json",
            "--lang",
            "fr",
        ],
    )
    .json_error();
    assert_eq!(error["code"], "invalid");
    assert_eq!(error["message"], "il n'y a pas de technique `six`");
}

#[test]
fn resume_of_a_name_that_is_not_there_begins_nothing() {
    let env = env();
    let error = brainstorm(&env, &["start", "gardens", "--resume", "--json"]).json_error();
    assert_eq!(error["code"], "not_found");
    let hints = error["hints"].to_string();
    assert!(hints.contains("without `--resume`"), "{hints}");
    assert!(!env.path(&format!("{DIR}/gardens.yaml")).exists());
    // The beginning of a name will do, as for every verb.
    let resumed = brainstorm(&env, &["start", "garden-s", "--resume", "--json"]).json();
    assert_eq!(resumed["session"]["id"], "garden-sensors");
    let empty = Env::new();
    let error = brainstorm(&empty, &["start", "--resume", "--json"]).json_error();
    assert_eq!(error["code"], "not_found");
}

#[test]
fn a_file_of_100_megabytes_is_refused_by_its_size_and_left_as_it_is() {
    let env = env();
    let path = env.path(&format!("{DIR}/huge.yaml"));
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(100 << 20).unwrap();
    let checked = env.run(["check", "brainstorm/huge", "--json"]);
    assert_eq!(checked.code, 3, "{}", checked.stdout);
    assert!(
        checked.stdout.contains("yaml_too_large"),
        "{}",
        checked.stdout
    );
    for args in [
        &["idea", "add", "huge", "x", "--json"][..],
        &["status", "huge", "--json"],
        &["finish", "huge", "--force", "--json"],
    ] {
        assert_eq!(
            brainstorm(&env, args).json_error()["code"],
            "damaged",
            "{args:?}"
        );
    }
    let recovered = env.run(["recover", "brainstorm/huge"]);
    assert_ne!(recovered.code, 70, "{}", recovered.stderr);
    assert_eq!(env.run(["list"]).code, 0);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 100 << 20);
    let begun = brainstorm(&env, &["start", "huge", "--new", "--json"]).json();
    let archive = env.path("desk").join(begun["archived"].as_str().unwrap());
    assert_eq!(std::fs::metadata(archive).unwrap().len(), 100 << 20);
}

#[test]
fn a_party_is_driven_by_flags() {
    let env = env();
    let started = brainstorm(
        &env,
        &["party", "start", "garden-sensors", "--topic", "the API"],
    );
    assert!(
        started.stdout.contains("Backend, Security, QA, Architect"),
        "{}",
        started.stdout
    );
    let mut round = vec!["party", "round", "garden-sensors", "--topic", "Power"];
    for contribution in [
        "Architect=sun;wind",
        "QA=test it;twice",
        "Backend=queue;sleep",
    ] {
        round.extend(["--contribution", contribution]);
    }
    round.extend([
        "--reference",
        "QA=Architect,Backend",
        "--synthesis",
        "sun",
        "--user-question",
        "How long?",
    ]);
    brainstorm(&env, &round).check(0, "Round 1 recorded\n", "");
    let refused = brainstorm(&env, &["finish", "garden-sensors"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("party exit"), "{}", refused.stderr);
    brainstorm(&env, &["party", "exit", "garden-sensors"]).check(
        0,
        "Party ended after 1 round\n",
        "",
    );
}

#[test]
fn status_shows_the_bar_the_level_and_what_is_next() {
    let env = env();
    brainstorm(&env, &["status", "garden-sensors", "--lang", "fr"]).check(
        0,
        "garden-sensors | Iteration 3 | Phase: Divergent\n   EMS: 52/100 █████░░░░░ Mature\n   Questions ouvertes :\n   \
         - How are lost sensors noticed?\n   - Who replaces them?\n   - What may one cost?\n   \
         Suite : répondre aux questions ouvertes (segno brainstorm answer garden-sensors)\n",
        "",
    );
    let view = brainstorm(&env, &["status", "garden-sensors", "--json"]).json();
    assert_eq!(
        (&view["level"], &view["next"]),
        (&"mature".into(), &"answer".into())
    );
}

#[test]
fn save_confirms_where_and_how_to_come_back() {
    let env = env();
    brainstorm(&env, &["save", "garden-sensors", "--lang", "fr"]).check(
        0,
        "Session saved: .project-memory/brainstorm-sessions/garden-sensors.yaml\n\
         EMS: 52/100 | Phase: Divergent | Iteration: 3\n\
         Pour reprendre: segno brainstorm start garden-sensors --resume\n",
        "",
    );
    let phase = brainstorm(&env, &["phase", "garden-sensors", "convergent"]);
    assert!(phase.stderr.contains("Session saved:"), "{}", phase.stderr);
    let energy = brainstorm(&env, &["energy", "garden-sensors", "pause"]);
    assert!(
        energy.stdout.starts_with("ENERGY CHECK | EMS: 52/100"),
        "{}",
        energy.stdout
    );
}

#[test]
fn finish_warns_below_60_and_names_its_documents() {
    let env = env();
    let done = brainstorm(&env, &["finish", "garden-sensors"]);
    assert_eq!(done.code, 0);
    assert_eq!(
        done.stdout,
        "Brief: docs/briefs/garden-sensors/brief-garden-sensors-2026-03-02.md\n\
         Journal: docs/briefs/garden-sensors/journal-garden-sensors-2026-03-02.md\n"
    );
    assert!(
        done.stderr.contains("the EMS is 52: below 60"),
        "{}",
        done.stderr
    );
    brainstorm(&env, &["start", "low", "--json"]).json();
    let refused = brainstorm(&env, &["finish", "low", "--json"]).json_error();
    assert_eq!(refused["code"], "refused");
    brainstorm(&env, &["finish", "low", "--force", "--json"]);
    brainstorm(&env, &["start", "other", "--json"]).json();
    assert_eq!(
        brainstorm(&env, &["abandon", "other", "--json"]).json()["session"]["status"],
        "abandoned"
    );
}

#[test]
fn migrate_does_the_whole_workspace_and_says_what() {
    let env = env();
    env.write(&format!("{DIR}/quiet-office.yaml"), RANDOM);
    let dry = env.run(["migrate", "--dry-run"]);
    assert_eq!(dry.code, 0);
    assert!(
        dry.stdout
            .starts_with("brainstorm/quiet-office: 1.0 → 1.2\n"),
        "{}",
        dry.stdout
    );
    assert!(dry.stderr.contains("--dry-run"), "{}", dry.stderr);
    let path = env.path(&format!("{DIR}/quiet-office.yaml"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), RANDOM);
    let done = env.run(["migrate", "--json"]).json();
    assert_eq!(done["migrated"].as_array().unwrap().len(), 1);
    let backup =
        std::fs::read_to_string(env.path(&format!("{DIR}/quiet-office.yaml.v1.0.bak"))).unwrap();
    assert_eq!(backup, RANDOM);
    env.run(["migrate"])
        .check(0, "", "every session is of the current version\n");
}

#[test]
fn clean_names_what_it_removes_and_a_launch_does_it_too() {
    let env = env();
    env.write(&format!("{DIR}/bike-rental.yaml"), OLD);
    let dry = env.run(["clean", "--dry-run", "--json"]).json();
    assert_eq!(dry["removed"][0]["session"], "brainstorm/bike-rental");
    assert!(env.path(&format!("{DIR}/bike-rental.yaml")).exists());
    let launched = brainstorm(&env, &["start", "fresh"]);
    assert_eq!(
        launched.stderr,
        "brainstorm/bike-rental → trash, kept for 30 days: .segno/trash/brainstorm/2026-03-02_bike-rental.yaml\n"
    );
    assert!(
        env.path("desk/.segno/trash/brainstorm/2026-03-02_bike-rental.yaml")
            .exists()
    );
    env.run(["clean"]).check(0, "", "nothing to clean\n");
}

#[test]
fn a_damaged_file_is_refused_and_left_as_it_is() {
    let env = env();
    let text = "session:\n\tslug: tabs\n";
    env.write(&format!("{DIR}/tabs.yaml"), text);
    let error = brainstorm(&env, &["idea", "add", "tabs", "x", "--json"]);
    assert_eq!(
        (
            error.code,
            error.json_error()["code"].as_str().unwrap().to_owned()
        ),
        (3, "damaged".to_owned())
    );
    assert_eq!(env.run(["check", "brainstorm/tabs"]).code, 3);
    assert_eq!(
        std::fs::read_to_string(env.path(&format!("{DIR}/tabs.yaml"))).unwrap(),
        text
    );
}
