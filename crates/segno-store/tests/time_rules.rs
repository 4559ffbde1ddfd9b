//! The rules of time, asked in two ways: when something is due (from a card alone, for lists) and what is done (from the
//! session). For every kind the two must agree, or a list would leave out what a look at the session does.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]
#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is written to the real disk"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use segno_disk::RealDisk;
use segno_store::formats::{self, Format, Place};
use segno_store::session::{Card, Kind, Now, Status};
use segno_store::settings::Settings;
use segno_store::workspace::Workspace;
use segno_testkit::corpus::Corpus;

/// How long after the last activity is looked: around every rule of any format, and long after.
fn moments() -> Vec<SignedDuration> {
    let around = [
        SignedDuration::ZERO,
        SignedDuration::from_mins(5),
        SignedDuration::from_mins(30),
        SignedDuration::from_hours(24),
        SignedDuration::from_hours(7 * 24),
        SignedDuration::from_hours(400 * 24),
    ];
    let seconds = [-60, -1, 0, 1, 2, 60];
    let spread = around
        .iter()
        .flat_map(|at| seconds.map(|seconds| *at + SignedDuration::from_secs(seconds)));
    spread.collect()
}

/// What a list minds: active sessions, and paused ones where the format reminds of them.
fn is_minded(format: &dyn Format, card: &Card) -> bool {
    card.status == Status::Active || (card.status == Status::Paused && format.reminds_of_paused())
}

/// Asks both ways at a moment; true when something was done.
fn agree(workspace: &Workspace<'_>, place: &Place, now: &Now) -> bool {
    let format = formats::of(place.kind).unwrap();
    let cx = workspace.context(place.root, now);
    let card = format.card(&cx, place).unwrap();
    if !is_minded(format, &card) {
        return false;
    }
    let due = format.due(&cx, &card);
    let done = format.on_access(&cx, place).unwrap();
    let case = format!(
        "{place:?} at {}: due {due:?}, done {:?}",
        now.instant(),
        done.as_ref().map(|plan| &plan.outcome)
    );
    match (due, &done) {
        (due, Some(_)) => assert!(
            due.is_some_and(|due| due <= now.instant()),
            "a list would look too late or never: {case}"
        ),
        // A rule may say "longer than", so the very second is either's.
        (Some(due), None) => {
            let second = SignedDuration::from_secs(1);
            assert!(
                now.instant() <= due + second,
                "a list looks for nothing: {case}"
            );
        }
        (None, None) => {}
    }
    done.is_some()
}

fn settings(auto_pause_minutes: u32) -> Settings {
    let mut settings = Settings::default();
    settings.conversation.auto_pause_minutes = auto_pause_minutes;
    settings
}

/// Every other session that rests is worked on again.
fn wake_every_other(root: &Path) {
    let mut states = Vec::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(dir) = waiting.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.ends_with("session.json") || path.ends_with("session-state.yaml") {
                states.push(path);
            }
        }
    }
    states.sort();
    for state in states.iter().step_by(2) {
        let text = std::fs::read_to_string(state).unwrap();
        let text = text
            .replacen("status: \"paused\"", "status: \"in_progress\"", 1)
            .replacen("\"status\": \"paused\"", "\"status\": \"active\"", 1);
        std::fs::write(state, text).unwrap();
    }
}

#[test]
fn what_is_due_by_the_card_is_what_is_done_on_access_for_every_kind() {
    let root = tempfile::tempdir().unwrap();
    let corpus = Corpus {
        sessions: 60,
        messages: 300,
        seed: 5,
    };
    corpus.write(root.path()).unwrap();
    wake_every_other(root.path());
    let disk = RealDisk::open(root.path()).unwrap();
    let zones = [TimeZone::UTC, TimeZone::fixed(jiff::tz::offset(9))];
    let mut seen = BTreeSet::new();
    let mut done: BTreeMap<(Kind, &str), usize> = BTreeMap::new();
    for minutes in [0, 5, 30] {
        let workspace = Workspace::new(&disk, settings(minutes));
        for zone in &zones {
            let start = Now::new(jiff::Timestamp::UNIX_EPOCH, zone.clone());
            for place in workspace.places(None, &start).unwrap() {
                seen.insert(place.kind);
                let card = workspace.card(&place, &start);
                let last = card.last_active.as_ref().or(card.created.as_ref());
                let last = last.map_or(jiff::Timestamp::UNIX_EPOCH, |last| last.instant(zone));
                for after in moments() {
                    let now = Now::new(last + after, zone.clone());
                    if agree(&workspace, &place, &now) {
                        *done.entry((place.kind, card.status.name())).or_default() += 1;
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), 5, "every kind was asked: {seen:?}");
    let done: Vec<_> = done.into_keys().collect();
    assert_eq!(
        done,
        [
            (Kind::Conversation, "active"),
            (Kind::Essay, "active"),
            (Kind::Essay, "paused"),
        ],
        "something was done wherever there is a rule"
    );
}
