//! What happens on a terminal: a real pseudo-terminal with the real program in it.

use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::{Signal, WaitStatus};
use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Session};
use segno::picker::{self, Haystack, Labels, Picker, Row};

use crate::Env;
use crate::sessions::{Told, script, started, status, tell, with_tools};

fn two() -> Env {
    let env = Env::new().var("TERM", "xterm-256color");
    tell(&env, &Told::default());
    tell(
        &env,
        &Told {
            id: "002-debug-token",
            title: "Jeton-expiré 日本語の題名",
            summary: "A race in the token refresh.",
            last_active: "2026-11-18T08:30:00Z",
            ..Told::default()
        },
    );
    env
}

pub(crate) fn on_terminal(env: &Env, args: &[&str], width: u16, height: u16) -> OsSession {
    let mut session = Session::spawn(env.command(args)).unwrap();
    session.set_expect_timeout(Some(Duration::from_secs(20)));
    session
        .get_process_mut()
        .set_window_size(width, height)
        .unwrap();
    session
}

/// Everything up to the end, and the exit code.
pub(crate) fn end(session: &mut OsSession) -> (String, i32) {
    let rest = session.expect(Eof).unwrap();
    let text = String::from_utf8_lossy(rest.as_bytes()).into_owned();
    let status = session.get_process().wait().unwrap();
    let WaitStatus::Exited(_, code) = status else {
        unreachable!("it ended by itself, not by {status:?}: {text}");
    };
    (text, code)
}

/// Shows the picker on this process's own terminal and panics while it loads a preview. Run by the test below.
#[test]
#[ignore = "a terminal of its own is needed: the test of the restored terminal gives it one"]
fn a_picker_that_panics() {
    let row = Row {
        kind: "essay".into(),
        title: "A title".into(),
        status: "paused".into(),
        when: "today".into(),
        about: Vec::new(),
        haystack: Haystack::new(&["A title"], ""),
    };
    let labels = Labels {
        prompt: ">".into(),
        keys: String::new(),
        nothing: String::new(),
    };
    let mut load = |_| -> Vec<String> { unreachable!("on purpose, by a test") };
    let _ = picker::pick(&mut Picker::new(vec![row]), &labels, &mut load);
}

#[test]
fn the_terminal_is_given_back_before_a_panic_is_told() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "terminal::a_picker_that_panics",
            "--ignored",
            "--nocapture",
        ])
        .env("TERM", "xterm-256color");
    let mut session = Session::spawn(command).unwrap();
    session.set_expect_timeout(Some(Duration::from_secs(20)));
    session.get_process_mut().set_window_size(80, 24).unwrap();
    session.expect("title").unwrap();
    let (rest, code) = end(&mut session);
    assert_ne!(code, 0);
    let (before, after) = rest.split_once(RESTORED).unwrap();
    assert!(!before.contains("on purpose"), "{before}");
    assert!(after.contains("on purpose, by a test"), "{after}");
}

/// Leaves the picture, then shows the cursor again.
const RESTORED: &str = "\u{1b}[?1049l\u{1b}[?25h";

#[test]
fn the_picker_finds_by_typing_shows_where_it_stopped_and_resumes() {
    let env = two();
    let mut session = on_terminal(&env, &["resume", "--print"], 80, 24);
    session.expect("\u{1b}[?1049h").unwrap();
    // The preview comes from the transcript, of the most recent one first.
    session.expect("grows.").unwrap();
    session.send("apnd").unwrap();
    session.expect("plan").unwrap();
    session.send("\r").unwrap();
    let (rest, code) = end(&mut session);
    assert_eq!(code, 0, "{rest}");
    let (screen, text) = rest.split_once(RESTORED).unwrap();
    assert!(!screen.contains("[RESUMED CONVERSATION]"));
    assert!(text.contains("plan / The append-only log"), "{text}");
    assert_eq!(status(&env, "001-plan-log"), "active");
    assert_eq!(status(&env, "002-debug-token"), "paused");
}

#[test]
fn arrows_choose_on_a_narrow_terminal_that_changes_its_size() {
    let env = two();
    let mut session = on_terminal(&env, &["resume", "--print"], 24, 6);
    session.expect("append").unwrap();
    session.get_process_mut().set_window_size(120, 30).unwrap();
    session.expect("debug").unwrap();
    session.send("\u{1b}[B").unwrap();
    session.expect("How").unwrap();
    session.send("\r").unwrap();
    let (rest, code) = end(&mut session);
    assert_eq!(code, 0, "{rest}");
    assert!(rest.contains("plan / The append-only log"), "{rest}");
}

#[test]
fn escape_and_control_c_leave_everything_as_it_is() {
    for key in ["\u{1b}", "\u{3}"] {
        let env = two();
        let mut session = on_terminal(&env, &["resume"], 80, 24);
        session.expect("append-only").unwrap();
        session.send(key).unwrap();
        let (rest, code) = end(&mut session);
        assert_eq!(code, 1, "{rest}");
        let (_, said) = rest.split_once(RESTORED).unwrap();
        assert!(said.contains("nothing was chosen"), "{said}");
        assert_eq!(status(&env, "001-plan-log"), "paused");
    }
}

#[test]
fn a_signal_that_ends_the_picker_gives_the_terminal_back_first() {
    let env = two();
    let mut session = on_terminal(&env, &["resume"], 80, 24);
    session.expect("append-only").unwrap();
    session.get_process_mut().signal(Signal::SIGTERM).unwrap();
    let rest = session.expect(Eof).unwrap();
    let rest = String::from_utf8_lossy(rest.as_bytes());
    assert!(rest.ends_with(RESTORED), "{rest:?}");
    let status = session.get_process().wait().unwrap();
    assert!(
        matches!(status, WaitStatus::Signaled(_, Signal::SIGTERM, _)),
        "{status:?}"
    );
}

#[test]
fn a_terminal_that_only_shows_lines_is_asked_for_a_number() {
    let env = two().var("TERM", "dumb");
    let mut session = on_terminal(&env, &["resume", "--print"], 80, 24);
    session.expect("Which one").unwrap();
    session.expect(" 2  The append-only log").unwrap();
    session.send_line("2").unwrap();
    let (rest, code) = end(&mut session);
    assert_eq!(code, 0, "{rest}");
    assert!(
        rest.contains("plan / The append-only log") && !rest.contains('\u{1b}'),
        "{rest}"
    );
}

#[test]
fn words_that_fit_several_ask_which_one() {
    let env = two();
    let mut session = on_terminal(&env, &["resume", "00", "--print"], 80, 24);
    session.expect("2/2").unwrap();
    session.send("jeton\r").unwrap();
    let (rest, code) = end(&mut session);
    assert_eq!(code, 0, "{rest}");
    assert!(rest.contains("debug / Jeton-expiré"), "{rest}");
}

#[test]
fn a_command_of_the_workspace_is_asked_about_once() {
    let env = with_tools(two(), &["theirs"]);
    env.write(
        "desk/.segno/config.toml",
        "[tools]\ntheirs = \"theirs {text}\"\n",
    );
    let mut session = on_terminal(&env, &["resume", "001", "--tool", "theirs"], 80, 24);
    session.expect("run it?").unwrap();
    session.send_line("n").unwrap();
    let (rest, code) = end(&mut session);
    assert_eq!(code, 1, "{rest}");
    assert!(!env.path("notes/name").exists());
    // Asked before anything was changed.
    assert_eq!(status(&env, "001-plan-log"), "paused");
    let mut session = on_terminal(&env, &["resume", "001", "--tool", "theirs"], 80, 24);
    session.expect("run it?").unwrap();
    session.send_line("y").unwrap();
    assert_eq!(end(&mut session).1, 0);
    assert_eq!(started(&env).0, "theirs");
    // What was agreed to is kept where only its user can write, and holds without a terminal as well.
    assert_eq!(env.run(["resume", "001", "--tool", "theirs"]).code, 0);
    env.write(
        "desk/.segno/config.toml",
        "[tools]\ntheirs = \"theirs --other {text}\"\n",
    );
    assert_eq!(env.run(["resume", "001", "--tool", "theirs"]).code, 1);
}

#[test]
fn control_c_is_for_the_tool_and_its_end_is_reported() {
    let env = with_tools(two(), &[]);
    script(
        &env,
        "claude",
        "#!/bin/sh\ntrap 'exit 5' INT\nif [ -t 0 ]; then echo READY; fi\nwhile :; do /bin/sleep 0.1; done\n",
    );
    let mut session = on_terminal(&env, &["resume", "001"], 80, 24);
    session.expect("READY").unwrap();
    session.send("\u{3}").unwrap();
    let (rest, code) = end(&mut session);
    assert_eq!(code, 1, "{rest}");
    assert!(rest.contains("claude ended with exit code 5"), "{rest}");
}

#[test]
fn a_page_goes_through_the_pager_and_a_pager_that_quits_is_no_error() {
    let env = with_tools(two(), &[]);
    script(&env, "mypager", "#!/bin/sh\necho \"PAGED $1\"\n/bin/cat\n");
    script(&env, "quitter", "#!/bin/sh\nexit 0\n");
    let env = env.var("PAGER", "mypager '-x y'");
    let mut session = on_terminal(&env, &["show", "001"], 80, 24);
    let (page, code) = end(&mut session);
    assert_eq!(code, 0, "{page}");
    assert!(page.starts_with("PAGED -x y\r\n"), "{page}");
    assert!(page.contains("By a log that only grows."), "{page}");
    let env = env.var("PAGER", "quitter");
    let mut session = on_terminal(&env, &["show", "001"], 80, 24);
    assert_eq!(end(&mut session), (String::new(), 0));
}

#[test]
fn watch_ends_in_order_when_it_is_interrupted() {
    let env = two();
    let mut session = on_terminal(&env, &["watch", "--interval", "3600"], 80, 24);
    session.expect("watching").unwrap();
    session.send("\u{3}").unwrap();
    let (rest, code) = end(&mut session);
    assert_eq!(code, 0, "{rest}");
}

const HANDOVER: &str = "desk/.claude/sdd/handover";

/// A handover, a repository and a pipeline: something to be shown beside every question.
fn handed_over() -> Env {
    let env = crate::conversation_git::repository().var("TERM", "xterm-256color");
    env.write(
        &format!("{HANDOVER}/session.md"),
        "# Session Handover\n**Session Goal**: the old goal\n**Mode**: auto-draft\n\n## Direction\n\
         ### Immediate Next Action\nthe old step\n\n## Session Context\n### Tone and Nuance\ncalm so far\n\n\
         ### Steering Exceptions\nno tests there\n\n## Accomplished\n- built the log\n",
    );
    env.write(
        &format!("{HANDOVER}/decisions.md"),
        "[2026-11-17T10:00:00Z] D1: SESSION_START | began\n- Context: c\n",
    );
    env.write("desk/.claude/sdd/project/steering/tech.md", "x");
    env.write("desk/.claude/sdd/project/specs/roadmap.md", "# Roadmap\n");
    env.write(
        "desk/.claude/sdd/project/specs/log/spec.yaml",
        "feature_name: \"log\"\nphase: design-generated\nroadmap:\n  wave: 1\n  dependencies: []\n",
    );
    env.write(
        "home/.config/segno/config.toml",
        "handover.test_command = \"true\"\n",
    );
    env
}

/// Each question of a polish: what was collected beside it, its words, an answer.
const QUESTIONS: [(&[&str], &str, &str); 6] = [
    (
        &["trunk", "the old goal"],
        "What was this session for?",
        "Keep it",
    ),
    (
        &["built the log", "first", "other.txt", "`true` passed"],
        "What was accomplished in this session?",
        "the codec; its tests",
    ),
    (
        &["the old step", "1: 0/1"],
        "What should be done next?",
        "segno index",
    ),
    (
        &["D1 SESSION_START: began"],
        "Any decisions or caveats to note?",
        "text is the truth; !slow disks",
    ),
    (
        &["calm so far"],
        "Any tone or nuance to convey?",
        "in a hurry",
    ),
    (
        &["no tests there", "steering/tech.md"],
        "Any intentional deviations from steering/best practices?",
        "-",
    ),
];

#[test]
fn a_polish_asks_its_questions_with_what_was_collected_beside_each() {
    let env = handed_over();
    let old = std::fs::read_to_string(env.path(&format!("{HANDOVER}/session.md"))).unwrap();
    let mut session = on_terminal(&env, &["handover", "polish"], 120, 40);
    for (beside, question, answer) in QUESTIONS {
        for text in beside {
            session.expect(*text).unwrap();
        }
        session.expect(question).unwrap();
        session.send_line(answer).unwrap();
    }
    let (rest, code) = end(&mut session);
    assert_eq!(code, 0, "{rest}");
    assert!(
        rest.contains("Archive: .claude/sdd/handover/sessions/2026-11-18.md"),
        "{rest}"
    );
    let read =
        |name: &str| std::fs::read_to_string(env.path(&format!("{HANDOVER}/{name}"))).unwrap();
    let polished = read("session.md");
    for text in [
        "**Session Goal**: Keep it\n",
        "### Immediate Next Action\nsegno index\n",
        "- the codec\n",
        "- its tests\n",
        "text is the truth (ref D2)",
        "slow disks",
        "in a hurry",
        // Nothing new was said of these: what was there stays.
        "no tests there",
    ] {
        assert!(polished.contains(text), "{text}: {polished}");
    }
    assert!(!polished.contains("**Mode**"), "{polished}");
    assert_eq!(read("sessions/2026-11-18.md"), old);
    assert!(
        read("decisions.md").contains("] D3: SESSION_END | "),
        "{}",
        read("decisions.md")
    );
}

#[test]
fn a_polish_that_is_broken_off_leaves_everything_as_it_was() {
    for (answered, (_, last, _)) in QUESTIONS.iter().enumerate() {
        let env = handed_over();
        let read = |name: &str| std::fs::read(env.path(&format!("{HANDOVER}/{name}"))).unwrap();
        let before = (read("session.md"), read("decisions.md"));
        let mut session = on_terminal(&env, &["handover", "polish"], 120, 40);
        for (_, question, answer) in QUESTIONS.iter().take(answered) {
            session.expect(*question).unwrap();
            session.send_line(answer).unwrap();
        }
        session.expect(*last).unwrap();
        session.send("\u{3}").unwrap();
        session.expect(Eof).unwrap();
        let status = session.get_process().wait().unwrap();
        assert!(!matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
        assert_eq!((read("session.md"), read("decisions.md")), before);
        let mut names: Vec<String> = std::fs::read_dir(env.path(HANDOVER))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["decisions.md", "session.md"]);
    }
}
