//! Holds the languages to each other and the code to the messages. Files are found, not listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fluent_bundle::FluentResource;

use super::*;
use crate::msg;

fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files_below(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|name| name == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The messages of one file: key and the variables it uses.
fn messages(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut messages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut key = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name = line.split_once('=').unwrap().0.trim().to_owned();
            assert!(
                messages.insert(name.clone(), BTreeSet::new()).is_none(),
                "{name} twice"
            );
            key = Some(name);
        }
        let Some(key) = &key else { continue };
        for part in line.split('$').skip(1) {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = part[..end.unwrap_or(part.len())].to_owned();
            messages.get_mut(key).unwrap().insert(name);
        }
    }
    messages
}

fn topics_of(lang: Lang) -> BTreeMap<String, String> {
    files_below(&source_dir().join("messages").join(lang.name()), "ftl")
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn every_language_has_the_same_messages_with_the_same_variables() {
    let english = topics_of(Lang::En);
    let names: Vec<&str> = english.keys().map(String::as_str).collect();
    let embedded: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    assert_eq!(names, embedded, "files of messages/en and the list TOPICS");
    for lang in [Lang::Fr, Lang::Ja] {
        let other = topics_of(lang);
        assert_eq!(
            english.keys().collect::<Vec<_>>(),
            other.keys().collect::<Vec<_>>(),
            "files of messages/{}",
            lang.name()
        );
        for (topic, text) in &english {
            let (ours, theirs) = (messages(text), messages(&other[topic]));
            for (key, variables) in &ours {
                let place = format!("{}/{topic}.ftl: {key}", lang.name());
                assert_eq!(Some(variables), theirs.get(key), "{place}");
            }
            for key in theirs.keys() {
                assert!(ours.contains_key(key), "{key} is in {} only", lang.name());
            }
        }
    }
}

#[test]
fn every_file_parses_and_its_keys_begin_with_its_name() {
    for lang in Lang::ALL {
        for (topic, text) in topics_of(lang) {
            let parsed = FluentResource::try_new(text.clone());
            assert!(
                parsed.is_ok(),
                "{}/{topic}.ftl: {:?}",
                lang.name(),
                parsed.err()
            );
            for key in messages(&text).keys() {
                assert!(
                    key.starts_with(&format!("{topic}-")),
                    "{key} in {topic}.ftl"
                );
            }
        }
    }
}

/// The uses of `msg!` in the code: key and the arguments given.
fn uses() -> Vec<(PathBuf, String, BTreeSet<String>)> {
    let mut uses = Vec::new();
    for path in files_below(&source_dir(), "rs") {
        let code = std::fs::read_to_string(&path).unwrap();
        for call in code.split("msg!(").skip(1) {
            let Some(quoted) = call.trim_start().strip_prefix('"') else {
                continue;
            };
            let (key, rest) = quoted.split_once('"').unwrap();
            if key.contains('-') {
                uses.push((path.clone(), key.to_owned(), arguments(rest)));
            }
        }
    }
    assert!(uses.len() > 50, "the search finds the uses");
    for (path, key, _, rest) in phrases() {
        uses.push((path, key, arguments(&rest)));
    }
    uses
}

/// The uses of `phrase!` in the store: key, English, and what follows.
fn phrases() -> Vec<(PathBuf, String, String, String)> {
    let mut found = Vec::new();
    for path in files_below(&source_dir().join("../../segno-store/src"), "rs") {
        let code = std::fs::read_to_string(&path).unwrap();
        for call in code.split("phrase!(").skip(1) {
            // The macro's own file names a key only to show one.
            let named = literal(call).filter(|_| !path.ends_with("phrase.rs"));
            let Some((key, rest)) = named else {
                continue;
            };
            let rest = rest.trim_start().trim_start_matches(',');
            let (english, rest) = literal(rest).unwrap();
            found.push((path.clone(), key, english, rest.to_owned()));
        }
    }
    assert!(found.len() > 30, "the search finds the phrases");
    found
}

/// A string literal and what follows it.
fn literal(code: &str) -> Option<(String, &str)> {
    let quoted = code.trim_start().strip_prefix('"')?;
    let (text, rest) = quoted.split_once('"')?;
    let joined = text.split("\\\n").map(str::trim_start);
    Some((joined.collect(), rest))
}

#[test]
fn the_english_of_the_store_is_the_english_of_the_catalogue() {
    let english = topics_of(Lang::En);
    for (path, key, said, _) in phrases() {
        let topic = &english[key.split_once('-').unwrap().0];
        let line = topic
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{key} = ")));
        let worded = line.map(|line| line.replace("{ $", "{").replace(" }", "}"));
        assert_eq!(worded, Some(said), "{key} in {}", path.display());
    }
}

/// The names before `=` up to the bracket that ends the call.
fn arguments(rest: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let (mut depth, mut start, mut at_name) = (0, 0, false);
    for (place, c) in rest.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => (start, at_name) = (place + 1, true),
            '=' if depth == 0 && at_name => {
                names.insert(rest[start..place].trim().to_owned());
                at_name = false;
            }
            _ => {}
        }
    }
    names
}

#[test]
fn every_message_used_in_the_code_exists_and_gets_its_variables() {
    let known: BTreeMap<_, _> = topics_of(Lang::En)
        .values()
        .flat_map(|text| messages(text))
        .collect();
    for (path, key, given) in uses() {
        let wanted = known.get(&key);
        assert_eq!(wanted, Some(&given), "{key} in {}", path.display());
    }
}

#[test]
fn every_message_is_used() {
    let used: BTreeSet<String> = uses().into_iter().map(|(_, key, _)| key).collect();
    for text in topics_of(Lang::En).values() {
        for key in messages(text).keys() {
            assert!(used.contains(key), "{key} is used nowhere");
        }
    }
}

#[test]
fn an_argument_cannot_leave_its_line_or_steer_the_terminal() {
    let said = Catalogue::new(Lang::En).say(&msg!(
        "errors-not-found",
        wanted = "x\n  hint: \u{1b}[2J\u{202e}"
    ));
    assert_eq!(said, "no session `x\\n  hint: \\u{1b}[2J\\u{202e}`");
}

#[test]
fn a_message_that_no_language_has_comes_back_as_its_key() {
    let message = Message::new("nowhere-at-all");
    assert_eq!(Catalogue::new(Lang::Ja).say(&message), "nowhere-at-all");
}
