//! The index against a search that has none: every line is read and looked at, letter by letter.

#![expect(
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use jiff::tz::TimeZone;
use proptest::prelude::*;
use segno_disk::RealDisk;
use segno_index::{Depth, Index, Query, Source, fold};
use segno_store::formats;
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::Workspace;
use segno_testkit::corpus::Corpus;

/// A text of the workspace and where it stands.
struct Line {
    place: String,
    text: String,
}

/// One thing that is asked for.
#[derive(Debug, Clone)]
enum Ask {
    /// A word or the beginning of one.
    Word { text: String, is_beginning: bool },
    /// Some words in a row.
    Phrase(Vec<String>),
    /// A part of a Japanese text.
    Part(String),
}

impl Ask {
    fn typed(&self) -> String {
        match self {
            Self::Word {
                text,
                is_beginning: true,
            } => format!("{text}*"),
            Self::Word { text, .. } | Self::Part(text) => text.clone(),
            Self::Phrase(words) => format!("\"{}\"", words.join(" ")),
        }
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Word {
                text: word,
                is_beginning,
            } => {
                let word = fold(word);
                words(text).iter().any(|other| {
                    if *is_beginning {
                        other.starts_with(&word)
                    } else {
                        *other == word
                    }
                })
            }
            Self::Phrase(phrase) => {
                let phrase: Vec<String> = phrase.iter().map(|word| fold(word)).collect();
                words(text).windows(phrase.len()).any(|row| row == phrase)
            }
            Self::Part(part) => text.contains(part.as_str()),
        }
    }
}

/// The words of a text: runs of letters and digits, folded, cut where a capital letter follows a small one.
fn words(text: &str) -> Vec<String> {
    let mut cut = String::new();
    let mut before = ' ';
    for c in text.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            cut.push(' ');
        }
        cut.push(c);
        before = c;
    }
    let folded = fold(&cut);
    let words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn is_japanese(text: &str) -> bool {
    text.chars()
        .next()
        .is_some_and(|c| ('\u{3040}'..'\u{a000}').contains(&c))
}

/// A question about words that occur in the texts, picked by numbers.
fn ask(lines: &[Line], which: usize, at: usize, len: usize, sort: u8) -> Option<Ask> {
    let text = &lines[which % lines.len()].text;
    if is_japanese(text) {
        let chars: Vec<char> = text.chars().collect();
        let at = at % chars.len();
        let part: String = chars[at..]
            .iter()
            .take(1 + len % 4)
            .take_while(|c| **c != '。')
            .collect();
        return (!part.is_empty() && is_japanese(&part) && !part.contains(char::is_whitespace))
            .then_some(Ask::Part(part));
    }
    let words = words(text);
    let at = at % words.len().max(1);
    let word = words.get(at)?.clone();
    Some(match sort % 3 {
        0 => Ask::Word {
            text: word,
            is_beginning: false,
        },
        1 => {
            let end = word
                .char_indices()
                .nth(1 + len)
                .map_or(word.len(), |(end, _)| end);
            Ask::Word {
                text: word[..end].to_owned(),
                is_beginning: true,
            }
        }
        _ => Ask::Phrase(words[at..].iter().take(2 + len % 3).cloned().collect()),
    })
}

#[test]
fn random_questions_are_answered_as_by_reading_every_line() {
    let dir = tempfile::tempdir().unwrap();
    let (root, cache) = (dir.path().join("work"), dir.path().join("cache"));
    let corpus = Corpus {
        sessions: 20,
        messages: 300,
        seed: 11,
    };
    corpus.write(&root).unwrap();
    let disk = RealDisk::open(&root).unwrap();
    let workspace = Workspace::new(&disk, Settings::default());
    let now = Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC);
    let source = Source {
        workspace: &workspace,
        root: &root,
        temporary: None,
        now: &now,
    };
    let mut lines = Vec::new();
    for place in workspace.places(None, &now).unwrap() {
        let cx = workspace.context(place.root, &now);
        let format = formats::of(place.kind).unwrap();
        if format.transcript(&place).unwrap().is_none() {
            continue;
        }
        format
            .entries(&cx, &place, &mut |entry| {
                lines.push(Line {
                    place: entry.location(),
                    text: entry.text,
                });
                ControlFlow::Continue(())
            })
            .unwrap();
    }
    assert!(lines.len() >= 250, "{}", lines.len());
    let mut index = Index::open(Some(&cache), &source).unwrap();
    index.refresh(&source, Depth::Words, &mut |_| {}).unwrap();
    let index = std::cell::RefCell::new(index);
    let picks = proptest::collection::vec(
        (any::<usize>(), any::<usize>(), 0..6_usize, any::<u8>()),
        1..4,
    );
    let config = ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(picks in picks, not in any::<u8>())| {
        let asks: Vec<Ask> = picks.iter().filter_map(|(which, at, len, sort)| ask(&lines, *which, *at, *len, *sort)).collect();
        prop_assume!(!asks.is_empty());
        // The last one is unwanted once in a while.
        let wanted = if asks.len() > 1 && not % 3 == 0 { asks.len() - 1 } else { asks.len() };
        let mut typed: Vec<String> = asks[..wanted].iter().map(Ask::typed).collect();
        typed.extend(asks[wanted..].iter().map(|ask| format!("-{}", ask.typed())));
        let question = format!("{} path:jsonl", typed.join(" "));
        let query = Query::parse(&question, &now).unwrap();
        let answer = index.borrow_mut().search(&source, &query, 100_000).unwrap();
        let found: BTreeSet<String> = answer.hits.iter().map(|hit| format!("{}:{}", hit.file, hit.line)).collect();
        let expected: BTreeSet<String> = lines
            .iter()
            .filter(|line| asks[..wanted].iter().all(|ask| ask.is_in(&line.text)))
            .filter(|line| !asks[wanted..].iter().any(|ask| ask.is_in(&line.text)))
            .map(|line| line.place.clone())
            .collect();
        prop_assert_eq!(found, expected, "{}", question);
    });
}
