//! `segno brainstorm start` on a terminal: the box of the format's document and its choice.

use expectrl::Expect;
use expectrl::process::unix::WaitStatus;

use crate::Env;
use crate::terminal::{end, on_terminal};

const STANDARD: &str = include_str!("../../../../formats/brainstorm/examples/standard.yaml");
const DIR: &str = "desk/.project-memory/brainstorm-sessions";
const ARCHIVE: &str = "garden-sensors-2026-03-02.yaml";

fn env() -> Env {
    let env = Env::new().var("TERM", "xterm-256color");
    env.write(&format!("{DIR}/garden-sensors.yaml"), STANDARD);
    env.write("clock", "2026-03-02T13:00:00Z");
    env
}

fn file(env: &Env, name: &str) -> Option<String> {
    std::fs::read_to_string(env.path(&format!("{DIR}/{name}"))).ok()
}

/// Launches, reads the box, answers.
fn answered(env: &Env, answer: &str) -> (String, i32) {
    let args = ["brainstorm", "start", "garden-sensors", "--lang", "fr"];
    let mut session = on_terminal(env, &args, 80, 24);
    for line in [
        "-------------------------------------------------------",
        "Session existante detectee: \"garden-sensors\" (EMS: 52)",
        "   Derniere activite: il y a 2 heures",
        "   Phase: Divergent | Iteration: 3",
        "[1] Reprendre cette session",
        "[2] Nouvelle session",
        "-------------------------------------------------------",
        "Votre choix ? [1]",
    ] {
        session.expect(line).unwrap();
    }
    session.send(answer).unwrap();
    end(&mut session)
}

#[test]
fn the_first_choice_and_the_empty_answer_come_back_to_the_session() {
    for answer in ["1\r", "\r", "x\r1\r"] {
        let env = env();
        let (said, code) = answered(&env, answer);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("EMS: 52/100"), "{said}");
        assert_eq!(file(&env, "garden-sensors.yaml").as_deref(), Some(STANDARD));
        assert_eq!(file(&env, ARCHIVE), None);
    }
}

#[test]
fn the_second_choice_archives_the_session_and_begins_anew() {
    let env = env();
    let (said, code) = answered(&env, "2\r");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Session commencee"), "{said}");
    assert_eq!(file(&env, ARCHIVE).as_deref(), Some(STANDARD));
    assert!(
        file(&env, "garden-sensors.yaml")
            .unwrap()
            .contains("iteration: 0")
    );
}

#[test]
fn control_c_and_the_end_of_input_leave_everything_as_it_is() {
    let env = env();
    let args = ["brainstorm", "start", "garden-sensors"];
    let mut session = on_terminal(&env, &args, 80, 24);
    session.expect("Which one? [1]").unwrap();
    session.send("\u{3}").unwrap();
    session.expect(expectrl::Eof).unwrap();
    let status = session.get_process().wait().unwrap();
    assert!(!matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");

    let mut session = on_terminal(&env, &args, 80, 24);
    session.expect("Which one? [1]").unwrap();
    session.send("\u{4}").unwrap();
    let (said, code) = end(&mut session);
    assert_eq!(code, 1, "{said}");
    assert_eq!(file(&env, "garden-sensors.yaml").as_deref(), Some(STANDARD));
    assert_eq!(file(&env, ARCHIVE), None);
}
