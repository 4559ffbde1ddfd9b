//! What a question finds: words as they are written, as they are meant, and no more than was asked for.

use segno_index::{Depth, Index, Query};

use crate::desk::{Desk, LOG};

const NAMES: &str = "conversations/2026-11-17/002-plan-names";
const SAID: &str = "conversations/2026-11-17/002-plan-names/.session/messages.jsonl";

/// A conversation in which each text is said on its own line.
fn said(texts: &[&str]) -> Desk {
    let desk = Desk::with_log();
    desk.converse(NAMES, "Names", texts);
    desk
}

#[track_caller]
fn check(desk: &Desk, query: &str, lines: &[u64]) {
    let expected: Vec<String> = lines.iter().map(|line| format!("{SAID}:{line}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    desk.check(query, &expected);
}

#[test]
fn a_compound_word_is_found_by_either_reading_of_it() {
    let desk = said(&[
        "push to github now",
        "the GitHub token expired",
        "GITHUB-Actions and github actions",
        "learn javascript and PostgreSQL",
        "appendOnly, append_only, append only",
    ]);
    for query in ["github", "GitHub", "GITHUB", "git_hub github", "github*"] {
        let lines: &[u64] = if query.starts_with("git_") {
            &[2]
        } else {
            &[1, 2, 3]
        };
        check(&desk, query, lines);
    }
    check(&desk, "JavaScript", &[4]);
    check(&desk, "postgresql", &[4]);
    check(&desk, "appendonly", &[5]);
    check(&desk, "hub", &[2]);
}

#[test]
fn a_phrase_runs_across_a_compound_word_in_either_reading() {
    let desk = said(&[
        "the GitHub token expired",
        "the github token expired",
        "appendOnly and fooBar",
        "token of GitHub",
    ]);
    for phrase in [
        "\"github token\"",
        "\"GitHub token\"",
        "github-token",
        "\"the github token expired\"",
    ] {
        check(&desk, phrase, &[1, 2]);
    }
    check(&desk, "\"hub token\"", &[1]);
    check(&desk, "\"of github\"", &[4]);
    // The compound words of a text do not follow each other.
    check(&desk, "\"appendonly foobar\"", &[]);
    check(&desk, "appendonly -\"appendonly foobar\"", &[3]);
    check(&desk, "github -\"github token\"", &[4]);
    check(&desk, "github -\"of github\"", &[1, 2]);
}

#[test]
fn what_is_found_does_not_depend_on_how_much_is_shown() {
    let desk = Desk::new();
    for n in 0..4 {
        desk.converse(
            &format!("conversations/2026-11-17/00{n}-plan-log"),
            &format!("The walrus {n}"),
            &["a walrus", "no other"],
        );
    }
    desk.refresh(Depth::Words);
    let ask = |limit| {
        desk.with(|source| {
            let mut index = Index::open(Some(&desk.cache()), source).unwrap();
            let query = Query::parse("walrus", source.now).unwrap();
            let answer = index.search(source, &query, limit).unwrap();
            (answer.hits.len(), answer.total)
        })
    };
    // A title is a line of its document as well; the two are one hit.
    for limit in 0..12 {
        assert_eq!(ask(limit), (limit.min(8), 8), "at most {limit}");
    }
}

#[test]
fn what_bears_no_time_is_as_old_as_the_last_work_on_its_session() {
    let desk = Desk::with_log();
    let document = format!("{LOG}/plan.md:5");
    desk.check("lost since:2026-11-17", &[&document]);
    desk.check("lost since:2026-11-18", &[]);
    desk.check("lost before:2026-11-18", &[&document]);
    desk.check("lost before:2026-11-17", &[]);
}

#[test]
fn an_answer_is_that_of_the_files_as_they_are() {
    let desk = Desk::with_log();
    let ask = |text: &str| {
        desk.with(|source| {
            let mut index = Index::open(Some(&desk.cache()), source).unwrap();
            let query = Query::parse(text, source.now).unwrap();
            index.answer(source, &query, 10, &mut |_| {}).unwrap().total
        })
    };
    assert_eq!(ask("hippopotamus"), 0);
    desk.say(LOG, "a hippopotamus");
    assert_eq!(ask("hippopotamus"), 1);
    assert_eq!(ask("hippopotamus"), 1);
    desk.put(&format!("{LOG}/.session/messages.jsonl"), "");
    assert_eq!(ask("hippopotamus"), 0);
}
