//! The words that every format shares: kinds, statuses, cards, entries, problems, briefs.
#![expect(clippy::unwrap_used, reason = "tests say plainly what they expect")]

use jiff::tz::TimeZone;
use segno_disk::RelPath;
use segno_store::session::{
    Brief, Card, Entry, EntryKind, Kind, Problem, Repair, SessionId, Status, Timestamp, Turn,
};

fn card(id: &str, last_active: Option<&str>) -> Card {
    Card {
        kind: Kind::Discuss,
        id: SessionId::new(id).unwrap(),
        title: String::new(),
        status: Status::Active,
        raw_status: "running".to_owned(),
        position: String::new(),
        summary: String::new(),
        created: None,
        last_active: last_active.map(|text| Timestamp::parse(text).unwrap()),
        path: RelPath::new(id).unwrap(),
        counts: Vec::new(),
        problems: Vec::new(),
    }
}

#[test]
fn names_read_back_as_what_they_name() {
    for kind in Kind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    for status in Status::ALL {
        assert_eq!(status.to_string().parse(), Ok(status));
    }
    for kind in EntryKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
        let unknown = "thought".parse::<EntryKind>().unwrap_err().to_string();
        assert!(unknown.contains(kind.name()), "the error lists {kind}");
    }
}

#[test]
fn a_list_begins_with_what_was_worked_on_last() {
    let mut cards = [
        card("never", None),
        card("utc", Some("2026-11-18T10:00:00Z")),
        // 10:30 in Paris is half an hour before 10:00 in Greenwich.
        card("local", Some("2026-11-18T10:30:00")),
        card("same", Some("2026-11-18T10:00:00Z")),
    ];
    let zone = TimeZone::fixed(jiff::tz::offset(1));
    cards.sort_by(|one, other| one.newest_first(other, &zone));
    let order: Vec<String> = cards.iter().map(Card::reference).collect();
    assert_eq!(
        order,
        [
            "discuss/same",
            "discuss/utc",
            "discuss/local",
            "discuss/never"
        ]
    );
}

#[test]
fn a_problem_says_where_what_and_what_to_do() {
    let file = RelPath::new("a/transcript.jsonl").unwrap();
    let whole = Problem::new("unreadable", file.clone()).found("it is no text");
    assert_eq!(whole.to_string(), "a/transcript.jsonl: it is no text");
    assert_eq!(whole.repair, Repair::None);

    let torn = Problem::new("torn_tail", file)
        .line(12)
        .found("breaks off")
        .safe("set it aside");
    assert_eq!(torn.to_string(), "a/transcript.jsonl:12: breaks off");
    assert_eq!(
        (torn.repair.name(), torn.repair.text()),
        ("safe", "set it aside")
    );
    assert!(torn.repair.is_automatic());
    assert!(!torn.manual("ask its author").repair.is_automatic());
}

#[test]
fn an_entry_says_where_it_stands() {
    let file = RelPath::new("notes.md").unwrap();
    let at = Timestamp::parse("2026-11-18");
    let entry = Entry::new(EntryKind::Decision, "append only", file, 7)
        .by("lead")
        .at(at.clone());
    assert_eq!(entry.location(), "notes.md:7");
    assert_eq!((entry.role.as_deref(), entry.at), (Some("lead"), at));
}

fn brief_with_turns(texts: &[&str]) -> Brief {
    let mut brief = Brief::new(card("k7f", None));
    "decide how the log is kept".clone_into(&mut brief.goal);
    brief.decisions.push("append only".to_owned());
    brief.turns = texts
        .iter()
        .map(|text| Turn {
            role: "user".to_owned(),
            text: (*text).to_owned(),
            at: None,
        })
        .collect();
    brief
}

#[test]
fn a_brief_gives_up_its_oldest_turns_to_fit() {
    let mut brief = brief_with_turns(&["one one one", "two two two", "three three three"]);
    let whole = brief.tokens();
    brief.fit(whole);
    assert_eq!((brief.turns.len(), brief.turns_left_out), (3, 0));

    brief.fit(whole - 1);
    assert_eq!((brief.turns.len(), brief.turns_left_out), (2, 1));
    assert_eq!(brief.turns[0].text, "two two two");
    assert!(brief.tokens() < whole);

    // What was left out before is not forgotten, and what the session stands on stays.
    brief.fit(0);
    assert_eq!((brief.turns.len(), brief.turns_left_out), (0, 3));
    assert_eq!(brief.decisions, ["append only"]);
}
