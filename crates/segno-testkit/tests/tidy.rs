//! The rules of the house that a program can check.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const KINDS: [&str; 5] = ["brainstorm", "conversation", "discuss", "essay", "handover"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Every Rust file below a directory of the repository, with its text.
fn sources(dir: &str) -> Vec<(String, String)> {
    let root = root();
    let mut found = Vec::new();
    let mut open = vec![root.join(dir)];
    while let Some(dir) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path
                    .strip_prefix(&root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {dir}");
    found
}

#[test]
fn every_file_says_first_what_it_is() {
    for (name, text) in sources("crates") {
        assert!(
            text.starts_with("//!") || text.starts_with("/*!"),
            "{name} has no //! header"
        );
    }
}

#[test]
fn no_file_has_grown_past_what_one_thing_needs() {
    for (name, text) in sources("crates")
        .into_iter()
        .filter(|(name, _)| name.contains("/src/"))
    {
        let code = text
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        let lines = code.lines().count();
        assert!(
            lines <= 800,
            "{name} has {lines} lines: does it do one thing?"
        );
    }
}

#[test]
fn no_file_is_named_for_nothing() {
    let banned = [
        "manager",
        "helper",
        "helpers",
        "util",
        "utils",
        "common",
        "misc",
        "handler",
        "processor",
        "data",
        "info",
    ];
    for (name, _) in sources("crates") {
        let stem = Path::new(&name).file_stem().unwrap().to_str().unwrap();
        let words: Vec<&str> = stem.split('_').collect();
        assert!(!words.iter().any(|word| banned.contains(word)), "{name}");
        assert!(
            !stem.starts_with("new_") && !stem.starts_with("v2_"),
            "{name}"
        );
    }
}

#[test]
fn a_format_never_imports_another() {
    for kind in KINDS {
        let dir = format!("crates/segno-store/src/formats/{kind}");
        if !root().join(&dir).is_dir() {
            continue;
        }
        for (name, text) in sources(&dir) {
            for other in KINDS.into_iter().filter(|other| *other != kind) {
                for path in [
                    format!("formats::{other}"),
                    format!("super::super::{other}"),
                ] {
                    assert!(!text.contains(&path), "{name} imports {other}");
                }
            }
        }
    }
}

#[test]
fn the_vocabulary_imports_nothing_of_ours_but_paths() {
    for (name, text) in sources("crates/segno-store/src/session") {
        for line in text
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("use "))
        {
            let ours = line.starts_with("use crate::") && !line.starts_with("use crate::session");
            assert!(!ours, "{name}: {line}");
        }
    }
}

#[test]
fn every_format_has_its_data_and_every_data_its_code() {
    for kind in KINDS {
        let code = root()
            .join("crates/segno-store/src/formats")
            .join(kind)
            .is_dir();
        let described = root()
            .join("formats")
            .join(kind)
            .join("FORMAT.md")
            .is_file();
        assert_eq!(
            code, described,
            "{kind}: code {code}, FORMAT.md {described}"
        );
    }
}

#[test]
fn every_problem_that_can_be_reported_is_explained() {
    let pages = ["docs/errors.md", "docs/problems.md"];
    let explained: String = pages
        .iter()
        .filter_map(|page| std::fs::read_to_string(root().join(page)).ok())
        .collect();
    let reporting = [
        "crates/segno-store/src/formats",
        "crates/segno-store/src/workspace",
    ];
    for (name, text) in reporting.iter().flat_map(|dir| sources(dir)) {
        for found in text.split("Problem::new(\"").skip(1) {
            let code = found.split('"').next().unwrap_or_default();
            assert!(
                explained.contains(&format!("`{code}`")),
                "{name}: {code} is in no page of docs"
            );
        }
    }
}

/// The direct dependencies of a crate, those for tests left out.
fn dependencies(of: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let list = |value: &serde_json::Value, key: &str| -> Vec<serde_json::Value> {
        value
            .get(key)
            .and_then(|list| list.as_array())
            .cloned()
            .unwrap_or_default()
    };
    let named = |value: &serde_json::Value| -> String {
        value
            .get("name")
            .and_then(|name| name.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let package = list(&value, "packages")
        .into_iter()
        .find(|package| named(package) == of);
    let package = package.expect("because every crate asked for is in the workspace");
    list(&package, "dependencies")
        .iter()
        .filter(|dependency| {
            dependency
                .get("kind")
                .is_some_and(serde_json::Value::is_null)
        })
        .map(named)
        .collect()
}

#[test]
fn arrows_point_down_only() {
    let disk = dependencies("segno-disk");
    assert!(
        disk.iter().all(|name| !name.starts_with("segno")),
        "{disk:?}"
    );
    let store = dependencies("segno-store");
    for outside in [
        "clap",
        "fluent-bundle",
        "rustix",
        "uuid",
        "segno-index",
        "segno",
        "ratatui",
    ] {
        assert!(!store.contains(outside), "segno-store knows {outside}");
    }
    let index = dependencies("segno-index");
    assert!(!index.contains("segno"), "{index:?}");
}
