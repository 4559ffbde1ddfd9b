//! The documents' commands, run as a reader would type them.
//!
//! Every ```` ```console ```` block of a document runs in one workspace, in order. A line that begins with `$ ` is a command;
//! what follows is what it says, standard output before standard error. `[..]` stands for any part of a line, `...` for any
//! lines, and `? 3` for the exit code where it is not 0. A command followed by nothing only has to succeed.

use std::path::Path;
use std::process::Stdio;

use crate::Env;
use crate::sessions::with_tools;

struct Step {
    line: usize,
    command: String,
    said: Vec<String>,
    code: i32,
}

fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut within = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            within = line == "```console";
        } else if !within {
        } else if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                line: at + 1,
                command: command.to_owned(),
                said: Vec::new(),
                code: 0,
            });
        } else if let Some(step) = steps.last_mut() {
            match line.strip_prefix("? ").and_then(|code| code.parse().ok()) {
                Some(code) => step.code = code,
                None => step.said.push(line.to_owned()),
            }
        }
    }
    steps
}

/// Whether a line fits what the document says of it.
fn line_fits(line: &str, said: &str) -> bool {
    let mut parts = said.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (place, part) in parts.iter().enumerate() {
        if place + 1 == parts.len() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

fn fits(lines: &[&str], said: &[String]) -> bool {
    match (said.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((dots, more)), _) if dots == "..." => {
            (0..=lines.len()).any(|from| fits(&lines[from..], more))
        }
        (Some((said, more)), Some((line, lines))) => line_fits(line, said) && fits(lines, more),
        _ => false,
    }
}

fn run(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_segno")).parent().unwrap();
    // A reader has an agent's tool installed.
    let env = with_tools(Env::new(), &["claude"]);
    let tools = env.path("tools");
    let search = format!("{}:{}:/usr/bin:/bin", binary.display(), tools.display());
    let env = env.var("PATH", &search);
    let steps = steps(&text);
    let ours = steps.iter().filter(|step| step.command.contains("segno"));
    assert!(ours.count() > 0, "{name} has no command of ours");
    for step in &steps {
        // Building the program is what made this test.
        if step.command.starts_with("cargo ") {
            continue;
        }
        let output = env
            .shell(&step.command)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let all = [env.readable(&output.stdout), env.readable(&output.stderr)].concat();
        let lines: Vec<&str> = all.lines().collect();
        let at = format!("{name}:{}: {}", step.line, step.command);
        assert_eq!(output.status.code(), Some(step.code), "{at}\n{all}");
        assert!(
            step.said.is_empty() || fits(&lines, &step.said),
            "{at}\nthe document says:\n{}\nthe program says:\n{all}",
            step.said.join("\n")
        );
    }
}

#[test]
fn the_readme_can_be_typed() {
    run("README.md");
}

#[test]
fn the_tutorial_can_be_typed() {
    run("docs/tutorial.md");
}

#[test]
fn the_recovery_page_can_be_typed() {
    run("docs/recovery.md");
}

#[test]
fn every_other_page_with_commands_can_be_typed() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for entry in std::fs::read_dir(docs).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let is_page = path.extension().is_some_and(|end| end == "md");
        if !is_page || ["tutorial.md", "recovery.md"].contains(&name.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if steps(&text)
            .iter()
            .any(|step| step.command.contains("segno"))
        {
            run(&format!("docs/{name}"));
        }
    }
}

#[test]
fn a_document_that_says_something_else_is_found_out() {
    for (line, said, expected) in [
        ("saved 1 message", "saved 1 message", true),
        ("saved 1 message", "saved [..] message", true),
        ("saved 1 message", "[..]", true),
        ("saved 1 message", "saved [..] messages", false),
        ("saved 1 message", "saved", false),
        ("saved 1 message", "[..]1", false),
    ] {
        assert_eq!(line_fits(line, said), expected, "{said}");
    }
    let said = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&["a", "b", "c"], &said("...\nc")));
    assert!(fits(&["a", "b", "c"], &said("a\n...")));
    assert!(!fits(&["a", "b", "c"], &said("a\nb")));
    assert!(!fits(&["a"], &said("a\nb")));
}
