//! Help, errors, exit codes, pipes, colour: what every command has from the frame.

use std::io::Read;
use std::process::Stdio;

use crate::Env;

#[test]
fn the_version_is_one_line() {
    let done = Env::new().run(["--version"]);
    done.check(0, concat!("segno ", env!("CARGO_PKG_VERSION"), "\n"), "");
}

#[test]
fn help_is_an_answer() {
    let env = Env::new();
    let help = env.run(["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    for part in [
        "Usage: segno",
        "completions",
        "--workspace <DIR>",
        "Exit codes: 0 done",
    ] {
        assert!(help.stdout.contains(part), "{part} in {}", help.stdout);
    }
}

#[test]
fn a_wrong_command_line_says_what_is_wrong_and_how_it_is_used() {
    let env = Env::new();
    env.run(["conifg"]).check(
        2,
        "",
        "error: unrecognized subcommand 'conifg'\n  \
         hint: a similar subcommand exists: 'config'\n  \
         hint: usage: segno [OPTIONS] [COMMAND]\n  \
         hint: for more information, try `segno --help`\n",
    );
    env.run(["completions"]).check(
        2,
        "",
        "error: the following required arguments were not provided: <SHELL>\n  \
         hint: usage: segno completions <SHELL>\n  \
         hint: for more information, try `segno completions --help`\n",
    );
}

#[test]
fn errors_are_one_json_object_with_json() {
    let env = Env::new();
    let usage = env.run(["conifg", "--json"]);
    assert_eq!(usage.code, 2);
    let error = usage.json_error();
    assert_eq!(error["code"], "usage");
    assert_eq!(error["message"], "unrecognized subcommand 'conifg'");
    assert_eq!(error["hints"].as_array().unwrap().len(), 3);

    let missing = env.run(["--json", "config", "get", "git.comit"]);
    assert_eq!(missing.code, 1);
    assert_eq!(
        missing.json_error(),
        serde_json::json!({
            "code": "not_found",
            "message": "there is no key `git.comit`",
            "hints": ["did you mean `git.commit`?", "`segno config list` shows every key"],
        })
    );
}

#[test]
fn json_behind_the_double_dash_is_an_argument_and_not_an_option() {
    let done = Env::new().run(["completions", "--", "--json"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.starts_with("error: "), "{}", done.stderr);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = Env::new();
    let mut child = env
        .command(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Closed before anything was read: every write of the command fails.
    drop(child.stdout.take());
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), stderr.as_str()),
        (Some(0), "")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = Env::new()
        .command(["config"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr.starts_with("error: cannot write to standard output\n  caused by: "),
        "{stderr}"
    );
}

#[test]
fn colour_follows_the_option_then_no_color_then_the_configuration() {
    let check = |env: Env, args: &[&str], coloured: bool| {
        let done = env.run(args);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert_eq!(done.stdout.contains('\u{1b}'), coloured, "{args:?}");
    };
    let always = || {
        let env = Env::new();
        env.write("desk/.segno/config.toml", "color = \"always\"");
        env
    };
    check(Env::new(), &["config"], false);
    check(Env::new(), &["config", "--color", "always"], true);
    check(always(), &["config"], true);
    check(always(), &["config", "--color", "never"], false);
    check(always().var("NO_COLOR", "1"), &["config"], false);
    check(
        always().var("NO_COLOR", "1"),
        &["config", "--color=always"],
        true,
    );
    check(Env::new(), &["--help", "--color", "always"], true);
}

#[test]
fn text_from_files_cannot_steer_the_terminal() {
    let env = Env::new();
    env.write(
        "desk/.segno/config.toml",
        "\"\\u001b[2Jkey\" = 1\n[tools]\nred = \"\\u001b[31m \\u202e run\"\n",
    );
    let done = env.run(["config", "list"]);
    assert_eq!(done.code, 0);
    assert!(
        !done.stdout.contains(['\u{1b}', '\u{202e}']),
        "{}",
        done.stdout
    );
    assert!(
        done.stderr.contains("there is no key `\\u{1b}[2Jkey`"),
        "{}",
        done.stderr
    );
    let get = env.run(["config", "get", "tools.red", "--quiet"]);
    assert_eq!(get.stdout, "\\u{1b}[31m \\u{202e} run\n");
    // To a program it says exactly what is in the file.
    let json = env.run(["config", "get", "tools.red", "--json"]);
    assert!(!json.stdout.contains('\u{202e}'));
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(value["value"], "\u{1b}[31m \u{202e} run");
}

#[test]
fn quiet_leaves_out_notes_and_keeps_warnings() {
    let env = Env::new();
    env.write("desk/.segno/config.toml", "unheard_of = 1");
    let loud = env.run(["config", "get", "lock.timeout_ms"]);
    assert_eq!(loud.stdout, "5000\n");
    assert!(
        loud.stderr.contains("Milliseconds to wait"),
        "{}",
        loud.stderr
    );
    env.run(["--quiet", "config", "get", "lock.timeout_ms"])
        .check(
            0,
            "5000\n",
            "warning: [ENV]/desk/.segno/config.toml:1: there is no key `unheard_of`\n",
        );
}

#[test]
fn every_shell_gets_its_completions() {
    let env = Env::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = env.run(["completions", shell]);
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{shell}");
        assert!(
            done.stdout.contains("segno") && done.stdout.contains("config"),
            "{shell}"
        );
    }
    let json = env.run(["completions", "bash", "--json"]).json();
    assert_eq!(json["shell"], "bash");
}

#[test]
fn the_manual_is_printed_or_written_one_page_per_command() {
    let env = Env::new();
    let page = env.run(["man"]);
    assert_eq!(page.code, 0);
    assert!(page.stdout.contains(".TH segno 1"), "{}", page.stdout);
    let done = env.run(["man", "--dir", "pages/man1"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for name in [
        "segno.1",
        "segno-config.1",
        "segno-config-get.1",
        "segno-man.1",
    ] {
        let text = std::fs::read_to_string(env.path("desk/pages/man1").join(name)).unwrap();
        assert!(text.contains(".SH NAME"), "{name}");
        assert!(done.stdout.contains(name), "{}", done.stdout);
    }
    env.write("desk/file", "");
    let refused = env.run(["man", "--dir", "file/below"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .starts_with("error: cannot write `file/below`\n  caused by: ")
    );
}
