//! The index against the files it was made from: whatever happens to them, an answer is what the files say.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use segno_index::{Depth, Index, Refreshed};
use segno_testkit::corpus::Corpus;

use crate::desk::{Desk, LOG, places, settle};

const SAID_1: &str = "conversations/2026-11-17/001-plan-log/.session/messages.jsonl:1";
const SAID_2: &str = "conversations/2026-11-17/001-plan-log/.session/messages.jsonl:2";
const SAID_3: &str = "conversations/2026-11-17/001-plan-log/.session/messages.jsonl:3";

#[test]
fn titles_summaries_messages_and_documents_are_found_at_their_line() {
    let desk = Desk::with_log();
    desk.check("grows", &[SAID_2]);
    desk.check(
        "append_only",
        &["conversations/2026-11-17/001-plan-log/plan.md:1"],
    );
    desk.check(
        "journal",
        &["conversations/2026-11-17/001-plan-log/.session/session.json:10"],
    );
    desk.check("lost", &["conversations/2026-11-17/001-plan-log/plan.md:5"]);
    desk.check("absent", &[]);
}

#[test]
fn a_message_appended_is_found_and_only_its_session_is_read() {
    let desk = Desk::with_log();
    desk.converse(
        "conversations/2026-11-17/002-plan-other",
        "Other",
        &["something else"],
    );
    desk.check("hippopotamus", &[]);
    settle();
    desk.check("hippopotamus", &[]);
    assert_eq!(
        desk.refresh(Depth::Words).read,
        0,
        "nothing changed, nothing is read"
    );
    desk.say(LOG, "A hippopotamus.");
    assert_eq!(desk.refresh(Depth::Words).read, 1);
    desk.check("hippopotamus", &[SAID_3]);
    desk.check("grows", &[SAID_2]);
}

#[test]
fn an_edit_by_hand_is_noticed_however_it_is_made() {
    let file = format!("{LOG}/.session/messages.jsonl");
    let desk = Desk::with_log();
    desk.check("grows", &[SAID_2]);
    settle();
    desk.check("grows", &[SAID_2]);
    // In place, of the same length, the time set back: only the change time tells.
    let path = desk.path(&file);
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let mut same = fs::OpenOptions::new().write(true).open(&path).unwrap();
    same.write_all(text.replace("grows", "glows").as_bytes())
        .unwrap();
    same.set_modified(before).unwrap();
    drop(same);
    desk.check("grows", &[]);
    desk.check("glows", &[SAID_2]);
    settle();
    // An earlier line changed to another of equal length, and a line added, between two looks.
    let text = fs::read_to_string(&path).unwrap();
    let mut same = fs::OpenOptions::new().write(true).open(&path).unwrap();
    same.write_all(text.replace("save", "keep").as_bytes())
        .unwrap();
    drop(same);
    desk.say(LOG, "A hippopotamus.");
    desk.check("save", &[]);
    desk.check("keep", &[SAID_1]);
    desk.check("hippopotamus", &[SAID_3]);
    // Replaced by another file.
    fs::write(
        desk.path("new"),
        "{\"role\": \"user\", \"content\": \"all anew\"}\n",
    )
    .unwrap();
    fs::rename(desk.path("new"), &path).unwrap();
    desk.check("glows", &[]);
    desk.check("anew", &[SAID_1]);
    // Cut.
    fs::write(&path, "").unwrap();
    desk.check("anew", &[]);
}

#[test]
fn a_file_that_was_looked_for_in_vain_is_noticed_when_it_appears() {
    let desk = Desk::with_log();
    fs::remove_file(desk.path(&format!("{LOG}/plan.md"))).unwrap();
    settle();
    assert_eq!(desk.search("walrus").total, 0);
    settle();
    assert_eq!(desk.refresh(Depth::Words), Refreshed::default());
    // The directory tells of it: the file itself is not looked at, as one more that is there would be.
    let watched = desk.watched();
    desk.put(&format!("{LOG}/.session/unheard-of"), "");
    desk.put(&format!("{LOG}/plan.md"), "# The walrus\n");
    assert!(desk.search("walrus").total > 0);
    assert_eq!(desk.watched(), watched + 1);
    settle();
    fs::remove_file(desk.path(&format!("{LOG}/plan.md"))).unwrap();
    assert_eq!(desk.search("walrus").total, 0);
}

#[test]
fn two_edits_within_one_tick_of_the_clock_are_both_noticed() {
    let desk = Desk::with_log();
    let path = desk.path(&format!("{LOG}/plan.md"));
    // As fast as can be: each edit is of the same length and may carry the time of the one before.
    for word in [
        "alpha", "bravo", "delta", "gamma", "sigma", "omega", "kappa", "theta",
    ] {
        let mut file = fs::OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(&path)
            .unwrap();
        write!(file, "# Plan\n\n{word}\n").unwrap();
        drop(file);
        desk.check(word, &["conversations/2026-11-17/001-plan-log/plan.md:3"]);
    }
    desk.check("alpha", &[]);
}

#[test]
fn sessions_that_are_moved_deleted_or_new_are_noticed() {
    let desk = Desk::with_log();
    desk.check("grows", &[SAID_2]);
    let moved = "elsewhere/deep/001-plan-log";
    fs::create_dir_all(desk.path("elsewhere/deep")).unwrap();
    fs::rename(desk.path(LOG), desk.path(moved)).unwrap();
    desk.check(
        "grows",
        &["elsewhere/deep/001-plan-log/.session/messages.jsonl:2"],
    );
    desk.converse(
        "conversations/2026-11-18/002-plan-new",
        "New",
        &["it grows too"],
    );
    desk.check(
        "grows",
        &[
            "elsewhere/deep/001-plan-log/.session/messages.jsonl:2",
            "conversations/2026-11-18/002-plan-new/.session/messages.jsonl:1",
        ],
    );
    fs::remove_dir_all(desk.path(moved)).unwrap();
    desk.check(
        "grows",
        &["conversations/2026-11-18/002-plan-new/.session/messages.jsonl:1"],
    );
    fs::remove_dir_all(desk.path("conversations")).unwrap();
    desk.check("grows", &[]);
}

#[test]
fn a_new_archive_beside_the_current_handover_is_noticed() {
    let desk = Desk::new();
    let dir = ".claude/sdd/handover";
    let page = |word: &str| {
        format!("# Session Handover\n**Generated**: 2026-11-16\n\n## Accomplished\n{word}\n")
    };
    desk.put(&format!("{dir}/session.md"), page("marmalade"));
    desk.put(&format!("{dir}/sessions/2026-11-10.md"), page("marmalade"));
    assert_eq!(desk.places("marmalade").len(), 2);
    settle();
    desk.refresh(Depth::Words);
    desk.put(&format!("{dir}/sessions/2026-11-12.md"), page("marmalade"));
    assert_eq!(desk.places("marmalade").len(), 3);
    fs::remove_file(desk.path(&format!("{dir}/session.md"))).unwrap();
    assert_eq!(desk.places("marmalade").len(), 2);
}

/// `SEGNO_SOAK=1` makes it longer than the rows of any earlier shape of the index had room for.
#[test]
fn the_last_word_of_a_very_long_transcript_is_found() {
    let count = if std::env::var_os("SEGNO_SOAK").is_some() {
        1_100_000
    } else {
        20_000
    };
    let desk = Desk::with_log();
    let mut lines = Vec::new();
    for number in 0..count {
        let line = format_args!("{{\"role\": \"user\", \"content\": \"m{number}\"}}");
        writeln!(lines, "{line}").unwrap();
    }
    let lines = String::from_utf8(lines).unwrap();
    desk.append(&format!("{LOG}/.session/messages.jsonl"), &lines);
    desk.say(LOG, "the lighthouse");
    let place = format!("{LOG}/.session/messages.jsonl:{}", count + 3);
    desk.check("lighthouse", &[&place]);
    let before = format!("{LOG}/.session/messages.jsonl:{}", count + 2);
    desk.check(&format!("m{}", count - 1), &[&before]);
}

#[test]
fn a_line_that_was_torn_is_found_once_when_it_is_whole() {
    let desk = Desk::with_log();
    let file = format!("{LOG}/.session/messages.jsonl");
    desk.append(&file, "{\"role\": \"user\", \"content\": \"a hippo");
    desk.check("hippo*", &[]);
    desk.append(&file, "potamus\"}");
    desk.check("hippo*", &[SAID_3]);
    desk.append(&file, "\n");
    desk.check("hippo*", &[SAID_3]);
    desk.say(LOG, "hippodrome");
    assert_eq!(desk.places("hippo*").len(), 2);
    assert_eq!(desk.places("grows").len(), 1);
}

#[test]
fn cards_alone_are_enough_for_a_list_and_words_come_later() {
    let desk = Desk::with_log();
    assert_eq!(desk.refresh(Depth::Cards).read, 1);
    settle();
    desk.refresh(Depth::Cards);
    assert_eq!(desk.refresh(Depth::Cards).read, 0);
    desk.check("grows", &[SAID_2]);
    desk.say(LOG, "hippopotamus");
    assert_eq!(desk.refresh(Depth::Cards).read, 1);
    desk.check("hippopotamus", &[SAID_3]);
    desk.check("grows", &[SAID_2]);
    let cards = desk.with(|source| {
        let mut index = Index::open(Some(&desk.cache()), source).unwrap();
        index.refresh(source, Depth::Cards, &mut |_| {}).unwrap();
        let cards = index.cards().unwrap();
        let direct = source.workspace.places(None, source.now).unwrap();
        let direct = source.workspace.cards(&direct, source.now);
        assert_eq!(
            cards
                .iter()
                .map(|(_, card)| card.clone())
                .collect::<Vec<_>>(),
            direct
        );
        cards
    });
    assert_eq!(cards[0].1.counts, [("messages", 3)]);
}

#[test]
fn a_broken_file_of_the_index_is_replaced_and_the_answer_is_the_same() {
    let desk = Desk::with_log();
    desk.check("grows", &[SAID_2]);
    let whole = fs::read(desk.file()).unwrap();
    let garbage = |from: usize, to: usize| {
        let mut bytes = whole.clone();
        for (place, byte) in bytes[from..to].iter_mut().enumerate() {
            *byte = u8::try_from(place * 7 % 251).unwrap();
        }
        bytes
    };
    let half = whole.len() / 2;
    for (name, bytes) in [
        ("empty", Vec::new()),
        ("no database", b"hello".repeat(1000)),
        ("cut", whole[..half].to_vec()),
        ("header", garbage(0, 100)),
        ("schema", garbage(100, 4096)),
        ("middle", garbage(half, half + 8192)),
        ("all but the first page", garbage(4096, whole.len())),
    ] {
        let file = desk.file();
        for beside in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{beside}", file.display()));
        }
        fs::write(&file, &bytes).unwrap();
        let found = desk.places("grows");
        assert_eq!(found, BTreeSet::from([SAID_2.to_owned()]), "{name}");
        desk.say(LOG, &format!("after {name}"));
        assert!(
            !desk.places(&format!("\"after {name}\"")).is_empty(),
            "{name}"
        );
    }
}

#[test]
fn an_index_of_another_version_is_built_anew() {
    let desk = Desk::with_log();
    desk.check("grows", &[SAID_2]);
    for change in [
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 99",
        "UPDATE meta SET value = 'other'",
        "DROP TABLE card",
    ] {
        let db = rusqlite::Connection::open(desk.file()).unwrap();
        db.execute_batch(change).unwrap();
        drop(db);
        desk.check("grows", &[SAID_2]);
    }
}

#[test]
fn without_a_place_for_the_index_the_answer_is_the_same() {
    let desk = Desk::with_log();
    let expected = desk.places("log OR grows -nothing").len();
    let check = |cache: Option<&Path>, name: &str| {
        let (answer, trouble) = desk.search_in(cache, "log OR grows -nothing");
        assert_eq!(answer.hits.len(), expected, "{name}");
        let (answer, _) = desk.search_in(cache, "grows");
        assert_eq!(
            places(&answer),
            BTreeSet::from([SAID_2.to_owned()]),
            "{name}"
        );
        assert!(trouble.is_some(), "{name}: it is said");
    };
    check(None, "no cache directory");
    desk.put("file", "");
    check(
        Some(&desk.path("file")),
        "a file where the directory should be",
    );
    let shut = desk.dir.path().join("shut");
    fs::create_dir(&shut).unwrap();
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o500)).unwrap();
    // Whoever may do everything is not kept out by permissions.
    if fs::write(shut.join("probe"), "").is_err() {
        check(Some(&shut), "a directory that cannot be written");
    }
    check(
        Some(Path::new("/proc/self/segno")),
        "a file system that cannot be written",
    );
}

#[test]
fn a_great_change_leaves_no_long_log_beside_the_index() {
    let desk = Desk::with_log();
    desk.check("grows", &[SAID_2]);
    let words: Vec<String> = (0..40_000).map(|n| format!("w{}", n * 7919)).collect();
    for n in 2..8 {
        let dir = format!("conversations/2026-11-17/00{n}-plan-log");
        desk.converse(&dir, "Many words", &[&words.join(" ")]);
    }
    desk.check("grows", &[SAID_2]);
    let log = format!("{}-wal", desk.file().display());
    let len = fs::metadata(log).map_or(0, |meta| meta.len());
    assert!(len <= 512 * 1024, "{len}");
}

#[test]
fn an_index_that_another_process_keeps_locked_is_done_without() {
    let desk = Desk::with_log();
    desk.check("grows", &[SAID_2]);
    desk.say(LOG, "hippopotamus");
    let db = rusqlite::Connection::open(desk.file()).unwrap();
    db.execute_batch("BEGIN IMMEDIATE; INSERT INTO meta VALUES ('x', 1)")
        .unwrap();
    let (answer, trouble) = desk.search_in(Some(&desk.cache()), "hippopotamus");
    assert_eq!(places(&answer), BTreeSet::from([SAID_3.to_owned()]));
    assert!(trouble.unwrap().contains("locked"));
    drop(db);
    desk.check("hippopotamus", &[SAID_3]);
}

#[test]
fn only_the_user_can_read_the_index_and_no_text_stands_in_it() {
    let desk = Desk::with_log();
    desk.say(LOG, "the password is Tr0ub4dor tangerine");
    desk.check("tangerine", &[SAID_3]);
    let file = desk.file();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(file.parent().unwrap()), 0o700);
    for name in fs::read_dir(file.parent().unwrap()).unwrap() {
        let bytes = fs::read(name.unwrap().path()).unwrap();
        for text in ["password is", "Tr0ub4dor", "is Tr0ub4dor tangerine"] {
            assert!(
                !bytes
                    .windows(text.len())
                    .any(|window| window == text.as_bytes()),
                "{text}"
            );
        }
    }
}

#[test]
fn every_planted_text_is_found_where_it_stands_and_nowhere_else() {
    let desk = Desk::new();
    let corpus = Corpus {
        sessions: 120,
        messages: 3000,
        seed: 7,
    };
    let written = corpus.write(&desk.path("")).unwrap();
    let mut found = 0;
    for plant in &written.planted {
        let expected: BTreeSet<String> = plant
            .places
            .iter()
            .map(|(file, line)| format!("{file}:{line}"))
            .collect();
        assert_eq!(desk.places(plant.query), expected, "{}", plant.query);
        found += expected.len();
    }
    assert!(found > 5, "there is something to find: {found}");
}

#[test]
fn what_is_readable_is_found_though_every_kind_is_damaged_in_turn() {
    let desk = Desk::new();
    let corpus = Corpus {
        sessions: 20,
        messages: 150,
        seed: 3,
    };
    corpus.write(&desk.path("")).unwrap();
    desk.say(&conversation(&desk), "hippopotamus");
    assert_eq!(desk.places("hippopotamus").len(), 1);
    let mut files = Vec::new();
    walk(&desk.path(""), &mut files);
    for file in files {
        let whole = fs::read(&file).unwrap();
        for broken in [
            whole[..whole.len() / 2].to_vec(),
            [whole.as_slice(), b"\n{\"role\": \"us"].concat(),
            [b"\xff\xfe\x00", whole.as_slice()].concat(),
            b"%YAML: [unclosed\n\t- {".to_vec(),
            Vec::new(),
        ] {
            fs::write(&file, &broken).unwrap();
            let answer = desk.search("hippopotamus");
            let is_own = file.ends_with("messages.jsonl")
                && file.starts_with(desk.path(&conversation(&desk)));
            assert!(answer.hits.len() == 1 || is_own, "{}", file.display());
        }
        fs::remove_file(&file).unwrap();
        desk.search("hippopotamus");
        fs::write(&file, &whole).unwrap();
        assert_eq!(desk.places("hippopotamus").len(), 1, "{}", file.display());
    }
}

#[test]
fn every_sort_of_entry_of_every_kind_is_found() {
    let desk = Desk::with_log();
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats");
    let copy = |from: &str, to: &str| {
        let from = formats.join(from);
        let mut files = Vec::new();
        walk(&from, &mut files);
        for file in files {
            let name = file.strip_prefix(&from).unwrap().to_str().unwrap();
            desk.put(&format!("{to}{name}"), fs::read(&file).unwrap());
        }
    };
    copy(
        "brainstorm/examples",
        ".project-memory/brainstorm-sessions/",
    );
    copy("discuss/examples", "");
    copy("essay/examples", "essays/");
    copy("handover/examples/full", "");
    desk.put(
        ".claude/sdd/project/knowledge/pattern-swap.md",
        "# Swap\n\n## Solution\n\nRename the marmalade jar last.\n",
    );
    for (query, what, place) in [
        (
            "sleep readings",
            "idea",
            ".project-memory/brainstorm-sessions/standard.yaml:44",
        ),
        (
            "\"shall be measured\"",
            "question",
            ".project-memory/brainstorm-sessions/standard.yaml:60",
        ),
        (
            "moisture",
            "answer",
            ".project-memory/brainstorm-sessions/standard.yaml:63",
        ),
        (
            "cafe included",
            "message",
            "docs/maestro/sessions/discuss/7d9f2a10-5c1b-4e0f-9a55-2f6f7a1c0b11/transcript.jsonl:2",
        ),
        (
            "waterfront",
            "document",
            "essays/essay-pipeline-20260214-143022/stage-2-outline.md:19",
        ),
        (
            "人が読める SQLite",
            "decision",
            ".claude/sdd/handover/decisions.md:5",
        ),
        (
            "\"beside its target\"",
            "knowledge",
            ".claude/sdd/handover/buffer.md:5",
        ),
        (
            "marmalade",
            "knowledge",
            ".claude/sdd/project/knowledge/pattern-swap.md:5",
        ),
        ("追加 OR 簡潔な報告", "", ""),
        (
            "簡潔な報告",
            "document",
            ".claude/sdd/handover/session.md:31",
        ),
    ] {
        let answer = desk.search(query);
        if what.is_empty() {
            assert!(answer.hits.is_empty(), "{query}: a word that is not there");
            continue;
        }
        let found: Vec<String> = answer
            .hits
            .iter()
            .map(|hit| format!("{} {}:{}", hit.what.name(), hit.file, hit.line))
            .collect();
        assert!(
            found.contains(&format!("{what} {place}")),
            "{query}: {found:?}"
        );
    }
}

fn conversation(desk: &Desk) -> String {
    let mut files = Vec::new();
    walk(&desk.path("conversations"), &mut files);
    files.retain(|file| file.ends_with("messages.jsonl"));
    files.sort();
    let dir = files[0].parent().unwrap().parent().unwrap();
    dir.strip_prefix(desk.path(""))
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned()
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}
