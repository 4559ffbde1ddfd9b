//! The corpus of every format, damaged by chance: many files that nobody would think of.
//!
//! A seed makes a run repeatable; `SEGNO_SOAK=1` takes thirty times as many.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test reads its fixtures and says plainly what it expects"
)]

mod survive;

use std::path::Path;

use segno_testkit::dice::Dice;

use survive::{Files, survives};

/// What formats look at.
const WORDS: [&str; 24] = [
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{feff}",
    "\u{fffd}",
    ": ",
    "- ",
    "[",
    "{",
    "}",
    "\"",
    "'",
    "|",
    ">",
    "#",
    "&a",
    "*a",
    "---\n",
    "null",
    "-1",
    "99999999999999999999",
    "<<<<<<< HEAD\n",
    "日本語",
];

fn corpus(kind: &str) -> Vec<Files> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../formats")
        .join(kind);
    let mut all = Vec::new();
    for folder in ["examples", "broken", "old"] {
        let mut files = Files::new();
        let mut dirs = vec![base.join(folder)];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    dirs.push(path);
                    continue;
                }
                let bytes = std::fs::read(&path).unwrap();
                let below = path.strip_prefix(base.join(folder)).unwrap();
                files.insert(at_home(kind, below.to_str().unwrap()), bytes);
            }
        }
        all.push(files);
    }
    assert!(all.iter().map(Files::len).sum::<usize>() > 3, "{kind}");
    all
}

/// Where a file of the corpus stands in a workspace.
fn at_home(kind: &str, path: &str) -> String {
    match kind {
        "brainstorm" => format!(".project-memory/brainstorm-sessions/{path}"),
        "essay" => format!("essays/{path}"),
        // Each folder of the corpus is a workspace; one is as good as another.
        "handover" => path
            .split_once('/')
            .map_or(path, |(_, rest)| rest)
            .to_owned(),
        _ => path.to_owned(),
    }
}

/// Damages one file, once or a few times.
fn mutate(files: &mut Files, dice: &mut Dice) -> String {
    let names: Vec<String> = files.keys().cloned().collect();
    let name = names[dice.index(names.len())].clone();
    let other = files[&names[dice.index(names.len())]].clone();
    let bytes = files.get_mut(&name).unwrap();
    for _ in 0..=dice.below(3) {
        let at = dice.index(bytes.len() + 1);
        let end = (at + dice.index(40)).min(bytes.len());
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            4 => bytes.clone_from(&other),
            5 => {
                let from = dice.index(other.len() + 1);
                bytes.splice(at..end, other[from..].iter().copied());
            }
            6 => {
                let word = WORDS[dice.index(WORDS.len())].repeat(1 + dice.index(3));
                bytes.splice(at..at, word.bytes());
            }
            _ => {
                let word = WORDS[dice.index(WORDS.len())];
                bytes.splice(at..end, word.bytes());
            }
        }
    }
    name
}

fn damage(kind: &str) {
    let corpus = corpus(kind);
    let rounds = if std::env::var_os("SEGNO_SOAK").is_some() {
        6_000
    } else {
        200
    };
    for seed in 0..rounds {
        let mut dice = Dice::new(seed + 1);
        let mut files = corpus[dice.index(corpus.len())].clone();
        if files.is_empty() {
            continue;
        }
        let name = mutate(&mut files, &mut dice);
        let tried = std::panic::catch_unwind(|| survives(&files));
        if let Err(cause) = tried {
            let bytes = String::from_utf8_lossy(&files[&name]).into_owned();
            eprintln!("{kind}, seed {seed}, {name}:\n{bytes}");
            std::panic::resume_unwind(cause);
        }
    }
}

#[test]
fn brainstorms_survive_any_damage() {
    damage("brainstorm");
}

#[test]
fn conversations_survive_any_damage() {
    damage("conversation");
}

#[test]
fn discussions_survive_any_damage() {
    damage("discuss");
}

#[test]
fn essays_survive_any_damage() {
    damage("essay");
}

#[test]
fn handovers_survive_any_damage() {
    damage("handover");
}
