//! The documents that are made from the program, and those that have to agree with it.
//!
//! `SEGNO_UPDATE=1 cargo test -p segno --test it docs` writes the generated ones anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use segno::cli::Code;
use segno::cli::args::Cli;
use segno::config::KEYS;
use segno::secrets::RULES;

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name)
}

#[track_caller]
fn check(name: &str, expected: &str) {
    let path = document(name);
    if std::env::var_os("SEGNO_UPDATE").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/{name} is not what the program says: SEGNO_UPDATE=1 cargo test -p segno --test it docs"
    );
}

#[test]
fn the_command_reference_is_what_the_arguments_say() {
    let mut tree = Cli::command().disable_help_subcommand(true).term_width(100);
    tree.build();
    let mut text = String::from(
        "# Command reference\n\nMade from the program itself; `segno help COMMAND` says the same.\n",
    );
    describe(&mut tree, "segno", &mut text);
    check("cli.md", &text);
}

fn describe(command: &mut clap::Command, name: &str, text: &mut String) {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(
        text,
        "\n## `{name}`\n\n```text\n{}\n```\n",
        lines.join("\n").trim_end()
    );
    for inner in command
        .get_subcommands_mut()
        .filter(|inner| !inner.is_hide_set())
    {
        let name = format!("{name} {}", inner.get_name());
        describe(inner, &name, text);
    }
}

#[test]
fn the_configuration_reference_is_what_the_table_of_keys_says() {
    let mut text = String::from(
        "# Configuration\n\n\
         Settings are read from `.segno/config.toml` in the workspace, over `$XDG_CONFIG_HOME/segno/config.toml`\n\
         (`~/.config/segno/config.toml` when the variable is unset). Both are TOML, and both may be missing.\n\n\
         `segno config` shows every key with its value and where that comes from, `segno config get KEY` one value,\n\
         `segno config path` the files. A key that does not exist is a warning; a value of the wrong type is an error that\n\
         names the file and the line.\n\n\
         A dot separates a section from a key: `git.commit = true` is the same as `commit = true` below `[git]`.\n",
    );
    for key in KEYS {
        let default = match key.default.value().to_toml() {
            Some(value) => format!("`{value}`"),
            None => "not set".to_owned(),
        };
        let _ = write!(
            text,
            "\n## `{}`\n\n{}\n\n- Takes: {}\n- Default: {default}\n",
            key.name, key.doc, key.shape
        );
    }
    check("configuration.md", &text);
}

#[test]
fn the_rules_for_secrets_are_those_of_the_program() {
    let mut text = String::from(
        "# Secrets in what is given away\n\n\
         `segno export` puts `[REDACTED rule n]` in the place of every secret it finds and says how many there were. Equal\n\
         secrets have equal numbers within one export; no part of them and no hash is left. `--keep-secrets` leaves them in. The\n\
         session itself is not changed, and neither is what `show`, `search` and `resume` read: those are for you.\n\n\
         These are the rules. What they miss they miss: read what you give away. A value that is plainly none is left alone: one that\n\
         as a whole is a place for one (`${TOKEN}`, `$TOKEN`, `%TOKEN%`, `<your key>`, `{{ token }}`, `YOUR_TOKEN`, `xxxx`, `****`,\n\
         `password`, `example`, `changeme`), or a word of a sentence. An id or a path that was made from a title with a secret in it\n\
         loses that part. Of a private key whose end is missing, the lines that look like one are replaced.\n\n\
         | rule | finds |\n|---|---|\n",
    );
    for rule in RULES {
        let _ = writeln!(text, "| `{}` | {} |", rule.name, rule.finds);
    }
    check("secrets.md", &text);
}

#[test]
fn every_error_code_is_explained_with_its_exit_code() {
    let text = std::fs::read_to_string(document("errors.md")).unwrap();
    let codes = text
        .split("\n# ")
        .find(|part| part.starts_with("Codes\n"))
        .unwrap();
    let explained: Vec<(&str, &str)> = codes
        .split("\n## ")
        .skip(1)
        .map(|part| part.split_once('\n').unwrap())
        .collect();
    let names: Vec<String> = Code::ALL
        .iter()
        .map(|code| format!("`{}`", code.name()))
        .collect();
    let headings: Vec<&str> = explained.iter().map(|(heading, _)| *heading).collect();
    assert_eq!(headings, names);
    for (code, (heading, body)) in Code::ALL.iter().zip(explained) {
        assert!(
            body.contains(&format!("Exit code {}.", code.exit())),
            "{heading}"
        );
        assert!(body.contains("**What to do.**"), "{heading}");
    }
}

#[test]
fn the_variables_for_tests_are_not_in_the_documents_for_users() {
    for name in ["cli.md", "configuration.md", "errors.md", "glossary.md"] {
        let text = std::fs::read_to_string(document(name)).unwrap();
        assert!(!text.contains("SEGNO_TEST_"), "{name}");
    }
}
