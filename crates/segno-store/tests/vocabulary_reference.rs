//! How a person names a session, and which one is meant.
#![expect(clippy::unwrap_used, reason = "tests say plainly what they expect")]

use segno_store::StoreError;
use segno_store::session::{Candidate, Kind, MAX_ID, SessionId, SessionRef, Unresolved, resolve};

#[test]
fn references_are_told_apart_by_their_shape() {
    let qualified = |kind, id: &str| SessionRef::Qualified(kind, id.to_owned());
    let id = |id: &str| SessionRef::Id(id.to_owned());
    let path = |path: &str| SessionRef::Path(path.to_owned());
    for (text, expected) in [
        ("discuss/k7f", qualified(Kind::Discuss, "k7f")),
        (
            "essay/20260214-143022",
            qualified(Kind::Essay, "20260214-143022"),
        ),
        (
            "brainstorm/été-日本",
            qualified(Kind::Brainstorm, "été-日本"),
        ),
        ("k7f", id("k7f")),
        ("001-brainstorm-log", id("001-brainstorm-log")),
        ("a..b", id("a..b")),
        ("handover", id("handover")),
        ("Discuss/k7f", path("Discuss/k7f")),
        (
            "essays/essay-pipeline-20260214-143022",
            path("essays/essay-pipeline-20260214-143022"),
        ),
        ("/srv/project/essays/x", path("/srv/project/essays/x")),
        ("./discuss/k7f", path("./discuss/k7f")),
        (
            ".claude/sdd/handover/session.md",
            path(".claude/sdd/handover/session.md"),
        ),
        (".", path(".")),
        // Below which root a path may lie is for the workspace to say; it is never an id.
        ("../x", path("../x")),
    ] {
        let reference = SessionRef::parse(text).unwrap();
        assert_eq!(reference, expected, "{text}");
        assert_eq!(reference.to_string(), text);
    }
}

#[test]
fn hostile_references_are_refused_with_the_reason() {
    let long = "x".repeat(MAX_ID + 1);
    let long_below = format!("essay/{long}");
    let long_path = format!("/{}", "d/".repeat(4000));
    for (text, why) in [
        ("", "empty"),
        ("  ", "empty"),
        ("discuss/", "empty"),
        ("discuss/ ", "empty"),
        ("discuss/../x", "separator"),
        ("discuss//etc/x", "separator"),
        ("discuss/a/b", "separator"),
        ("discuss/a\\b", "separator"),
        ("a\\b", "separator"),
        ("discuss/.", "`.` or `..`"),
        ("discuss/..", "`.` or `..`"),
        ("nul\0", "control"),
        ("discuss/a\nb", "control"),
        ("/tmp/\u{1b}[31m", "control"),
        ("a/b\r", "control"),
        (&long, "too long"),
        (&long_below, "too long"),
        (&long_path, "too long"),
    ] {
        let bad = SessionRef::parse(text).unwrap_err();
        let message = bad.to_string();
        assert!(message.contains(why), "{text:?}: {message}");
        assert!(
            message.len() < 600 && !message.contains(char::is_control),
            "{message}"
        );
        let StoreError::Invalid { what, hints } = StoreError::from(bad) else {
            panic!("a bad reference is bad input");
        };
        assert_eq!(what, message);
        assert!(!hints[0].is_empty());
    }
}

#[test]
fn hostile_ids_are_refused() {
    let long = "é".repeat(MAX_ID / 2 + 1);
    for text in [
        "", " ", ".", "..", "../x", "/etc/x", "a/b", "a\\b", "x\0", "x\u{7}", &long,
    ] {
        assert!(SessionId::new(text).is_err(), "{text:?}");
    }
    assert!(SessionId::new(&"x".repeat(MAX_ID)).is_ok());
}

#[test]
fn a_command_of_one_kind_takes_bare_ids_and_refuses_other_kinds() {
    let parse = |text| SessionRef::parse_of(Kind::Discuss, text);
    let expected = SessionRef::Qualified(Kind::Discuss, "k7f".to_owned());
    assert_eq!(parse("k7f"), Ok(expected.clone()));
    assert_eq!(parse("discuss/k7f"), Ok(expected));
    assert!(
        parse("essay/k7f")
            .unwrap_err()
            .to_string()
            .contains("another kind")
    );
    assert_eq!(parse("./k7f"), Ok(SessionRef::Path("./k7f".to_owned())));
}

const SESSIONS: [Candidate<'static>; 8] = [
    one(Kind::Brainstorm, "feature-auth", "memory/feature-auth.yaml"),
    one(
        Kind::Brainstorm,
        "feature-auth-tokens",
        "memory/feature-auth-tokens.yaml",
    ),
    one(
        Kind::Conversation,
        "001-plan-log",
        "talk/2026-11-17/001-plan-log",
    ),
    one(
        Kind::Conversation,
        "001-plan-log",
        "talk/2026-11-18/001-plan-log",
    ),
    one(
        Kind::Conversation,
        "002-plan-index",
        "talk/2026-11-18/002-plan-index",
    ),
    one(Kind::Discuss, "k7f2a9", "discuss/k7f2a9"),
    one(Kind::Essay, "k7f2a9", "essays/k7f2a9"),
    one(Kind::Handover, "current", ".claude/sdd/handover"),
];

const fn one(kind: Kind, id: &'static str, path: &'static str) -> Candidate<'static> {
    Candidate { kind, id, path }
}

fn find(text: &str) -> Result<usize, Unresolved> {
    resolve(&SessionRef::parse(text).unwrap(), &SESSIONS)
}

#[test]
fn one_session_is_found_by_id_prefix_or_path() {
    for (text, position) in [
        // An exact id wins over the longer one it begins.
        ("feature-auth", 0),
        ("brainstorm/feature-auth", 0),
        ("feature-auth-", 1),
        ("002", 4),
        ("discuss/k7f", 5),
        ("essay/k7f2a9", 6),
        ("cur", 7),
        ("talk/2026-11-18/001-plan-log", 3),
        ("./talk/2026-11-18/001-plan-log/", 3),
        ("talk/2026-11-17/001-plan-log/.session/messages.jsonl", 2),
        (".claude/sdd/handover/decisions.md", 7),
        ("./discuss/k7f2a9", 5),
    ] {
        assert_eq!(find(text), Ok(position), "{text}");
    }
}

#[test]
fn a_number_means_the_conversation_of_that_number_and_not_longer_ids_that_begin_so() {
    let sessions = [
        one(
            Kind::Discuss,
            "0024c8d1-5c1b-4e0f",
            "discuss/0024c8d1-5c1b-4e0f",
        ),
        one(Kind::Conversation, "002-plan-index", "talk/002-plan-index"),
        one(
            Kind::Conversation,
            "0021-plan-words",
            "talk/0021-plan-words",
        ),
    ];
    let find = |text: &str| resolve(&SessionRef::parse(text).unwrap(), &sessions);
    assert_eq!(find("002"), Ok(1));
    assert_eq!(find("0021"), Ok(2));
    assert_eq!(find("0024"), Ok(0));
    assert!(matches!(find("00"), Err(Unresolved::Ambiguous { .. })));
}

#[test]
fn the_innermost_session_around_a_path_is_meant() {
    let nested = [
        one(Kind::Essay, "a", "work"),
        one(Kind::Discuss, "b", "work/inner"),
    ];
    let at = |path: &str| resolve(&SessionRef::Path(path.to_owned()), &nested);
    assert_eq!(at("work/inner/meta.json"), Ok(1));
    assert_eq!(at("work/innermost/meta.json"), Ok(0));
    assert!(at("workshop").is_err());
}

#[test]
fn several_answers_are_all_listed() {
    for (text, expected) in [
        ("k7f", &["discuss/k7f2a9", "essay/k7f2a9"][..]),
        (
            "feature",
            &["brainstorm/feature-auth", "brainstorm/feature-auth-tokens"],
        ),
        // Ids that repeat are told apart by their paths.
        (
            "001-plan-log",
            &[
                "talk/2026-11-17/001-plan-log",
                "talk/2026-11-18/001-plan-log",
            ],
        ),
        (
            "conversation/00",
            &[
                "talk/2026-11-17/001-plan-log",
                "talk/2026-11-18/001-plan-log",
                "conversation/002-plan-index",
            ],
        ),
    ] {
        let Err(StoreError::Ambiguous { wanted, candidates }) = find(text).map_err(Into::into)
        else {
            panic!("{text} is ambiguous");
        };
        assert_eq!(wanted, text);
        assert_eq!(candidates, expected, "{text}");
    }
}

#[test]
fn a_miss_names_the_nearest() {
    for (text, expected) in [
        (
            "auth",
            &["brainstorm/feature-auth", "brainstorm/feature-auth-tokens"][..],
        ),
        (
            "feature-auht",
            &["brainstorm/feature-auth", "brainstorm/feature-auth-tokens"],
        ),
        (
            "faeture",
            &["brainstorm/feature-auth", "brainstorm/feature-auth-tokens"],
        ),
        (
            "FEATURE-AUTH-T",
            &["brainstorm/feature-auth-tokens", "brainstorm/feature-auth"],
        ),
        // The right id under the wrong kind.
        ("handover/k7f2a9", &["discuss/k7f2a9", "essay/k7f2a9"]),
        ("essay/plan-log", &["conversation/001-plan-log"]),
        ("handover", &["handover/current"]),
        (
            "talk/2026-11-19/001-plan-lag",
            &["conversation/001-plan-log"],
        ),
        ("zzzzzz", &[]),
        ("zz", &[]),
    ] {
        let Err(StoreError::NotFound { wanted, near }) = find(text).map_err(Into::into) else {
            panic!("{text} is not there");
        };
        assert_eq!(wanted, text);
        assert_eq!(near, expected, "{text}");
    }
}

#[test]
fn at_most_five_near_misses_are_named() {
    let ids: Vec<String> = (0..40).map(|n| format!("the-log-{n:02}")).collect();
    let many: Vec<Candidate<'_>> = ids
        .iter()
        .map(|id| Candidate {
            kind: Kind::Essay,
            id,
            path: id,
        })
        .collect();
    let Err(Unresolved::NotFound { near, .. }) = resolve(&SessionRef::Id("log".to_owned()), &many)
    else {
        panic!("nothing begins with it");
    };
    assert_eq!(near.len(), 5);
}
