//! Times as files write them, and how long ago they were.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests say plainly what they expect"
)]

use std::cmp::Ordering;

use jiff::tz::TimeZone;
use proptest::prelude::*;
use segno_store::session::{Ago, AgoUnit, Now, Timestamp};

/// Central Europe by its rule, so that the tests need no zone database.
fn paris() -> TimeZone {
    TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
}

fn now(text: &str) -> Now {
    Now::new(text.parse().unwrap(), paris())
}

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap_or_else(|| panic!("{text} is a time"))
}

#[test]
fn every_spelling_is_understood_and_kept_as_written() {
    // Text, normalised, the point in time for someone in Paris.
    for (text, iso, instant) in [
        (
            "2026-11-18T10:00:00Z",
            "2026-11-18T10:00:00Z",
            "2026-11-18T10:00:00Z",
        ),
        (
            "2026-11-18T10:00:00+09:00",
            "2026-11-18T01:00:00Z",
            "2026-11-18T01:00:00Z",
        ),
        (
            "2026-11-18T10:00:00+0900",
            "2026-11-18T01:00:00Z",
            "2026-11-18T01:00:00Z",
        ),
        (
            "2026-11-18 10:00:00+09",
            "2026-11-18T01:00:00Z",
            "2026-11-18T01:00:00Z",
        ),
        (
            "2026-11-18 10:00:00 +0900",
            "2026-11-18T01:00:00Z",
            "2026-11-18T01:00:00Z",
        ),
        (
            "2026-11-18 10:00:00 -0130",
            "2026-11-18T11:30:00Z",
            "2026-11-18T11:30:00Z",
        ),
        (
            "20261118T100000Z",
            "2026-11-18T10:00:00Z",
            "2026-11-18T10:00:00Z",
        ),
        (
            "2026-11-18T10:00Z",
            "2026-11-18T10:00:00Z",
            "2026-11-18T10:00:00Z",
        ),
        (
            "2026-11-18T10:00:00.120000Z",
            "2026-11-18T10:00:00.12Z",
            "2026-11-18T10:00:00.12Z",
        ),
        (
            "2026-11-18T10:00:00+01:00[Europe/Paris]",
            "2026-11-18T09:00:00Z",
            "2026-11-18T09:00:00Z",
        ),
        (
            "2026-11-18T10:00:00",
            "2026-11-18T10:00:00",
            "2026-11-18T09:00:00Z",
        ),
        (
            "2026-07-18T10:00:00",
            "2026-07-18T10:00:00",
            "2026-07-18T08:00:00Z",
        ),
        (
            "2026-11-18 10:00:00",
            "2026-11-18T10:00:00",
            "2026-11-18T09:00:00Z",
        ),
        (
            "2026-11-18 10:00",
            "2026-11-18T10:00:00",
            "2026-11-18T09:00:00Z",
        ),
        (
            "2025-12-27T10:00:00.123456",
            "2025-12-27T10:00:00.123456",
            "2025-12-27T09:00:00.123456Z",
        ),
        (
            "2025-12-27T10:00:00.123456789",
            "2025-12-27T10:00:00.123456789",
            "2025-12-27T09:00:00.123456789Z",
        ),
        (
            "20251227T100000",
            "2025-12-27T10:00:00",
            "2025-12-27T09:00:00Z",
        ),
        (
            "20251227_100000_012345",
            "2025-12-27T10:00:00.012345",
            "2025-12-27T09:00:00.012345Z",
        ),
        (
            "20251227_100000",
            "2025-12-27T10:00:00",
            "2025-12-27T09:00:00Z",
        ),
        (
            "20260214-143022",
            "2026-02-14T14:30:22",
            "2026-02-14T13:30:22Z",
        ),
        ("2026-02-20", "2026-02-20", "2026-02-19T23:00:00Z"),
        ("20260220", "2026-02-20", "2026-02-19T23:00:00Z"),
        (" 2026-02-20\t", "2026-02-20", "2026-02-19T23:00:00Z"),
        // Skipped by the clock, then shown by it twice.
        (
            "2026-03-29T02:30:00",
            "2026-03-29T02:30:00",
            "2026-03-29T01:30:00Z",
        ),
        (
            "2026-10-25T02:30:00",
            "2026-10-25T02:30:00",
            "2026-10-25T00:30:00Z",
        ),
        // At the edge of what can be counted.
        (
            "9999-12-31T23:59:59",
            "9999-12-31T23:59:59",
            "9999-12-30T22:00:00.999999999Z",
        ),
    ] {
        let time = time(text);
        assert_eq!(time.raw(), text);
        assert_eq!(time.to_string(), text);
        assert_eq!(time.iso(), iso, "{text}");
        assert_eq!(time.instant(&paris()).to_string(), instant, "{text}");
        assert_eq!(
            Timestamp::parse(&time.iso()).unwrap().iso(),
            iso,
            "normal form is stable"
        );
    }
}

#[test]
fn what_is_not_a_time_is_not_guessed() {
    for text in [
        "",
        " ",
        "now",
        "yesterday",
        "1763460000",
        "1763460000000",
        "1763460000.5",
        "2026",
        "2026-11",
        "2026-02-30",
        "2026-13-01T00:00:00Z",
        "2026-11-18T25:00:00",
        "20251327_100000",
        "20251227_106000",
        "20251227_100000_",
        "20251227_100000_1234567890",
        "20251227_100000_12x",
        "10:00:00",
        "18/11/2026",
        // Read as a civil time these would silently lose their offset or zone.
        "2026-11-18T10:00:00[Europe/Paris]",
        "9999-12-31T23:59:59-12:00",
        "2026-11-18T10:00:00+99:00",
        "2026-11-18T10:00:00 EST",
        "2026-11-18T10:00:00Zjunk",
        "２０２６-11-18",
    ] {
        assert_eq!(Timestamp::parse(text), None, "{text:?}");
    }
}

#[test]
fn what_is_written_now_reads_back_as_the_same_time() {
    let now = now("2026-11-18T23:30:00.123456789Z");
    let check = |written: Timestamp, raw: &str| {
        assert_eq!(written.raw(), raw);
        assert_eq!(Timestamp::parse(raw), Some(written));
    };
    check(Timestamp::utc_seconds(&now), "2026-11-18T23:30:00Z");
    check(Timestamp::local_micros(&now), "2026-11-19T00:30:00.123456");
    check(Timestamp::date(&now), "2026-11-19");
    check(now.timestamp(), "2026-11-18T23:30:00.123456789Z");

    let whole_second = self::now("2026-11-18T23:30:00.000000999Z");
    check(
        Timestamp::local_micros(&whole_second),
        "2026-11-19T00:30:00",
    );
}

#[test]
fn moments_are_compared_whatever_their_spelling() {
    let zone = paris();
    for (one, other, expected) in [
        (
            "2026-11-18T10:00:00Z",
            "2026-11-18T11:00:00",
            Ordering::Equal,
        ),
        (
            "2026-11-18T10:00:00Z",
            "20261118_110000_000001",
            Ordering::Less,
        ),
        (
            "2026-11-18T10:00:00+09:00",
            "2026-11-18T10:00:00Z",
            Ordering::Less,
        ),
        ("2026-11-18", "2026-11-17T23:00:00Z", Ordering::Equal),
        ("2026-11-18", "2026-11-17T23:59:59", Ordering::Greater),
    ] {
        assert_eq!(
            time(one).cmp_in(&time(other), &zone),
            expected,
            "{one} {other}"
        );
        assert_eq!(time(other).cmp_in(&time(one), &zone), expected.reverse());
    }
}

#[test]
fn time_passed_is_counted_whole_and_never_below_zero() {
    let now = now("2026-11-18T09:30:00Z");
    // Then, minutes, days.
    for (then, minutes, days) in [
        ("2026-11-18T09:30:00Z", 0, 0),
        ("2026-11-18T09:25:01Z", 4, 0),
        ("2026-11-18T09:25:00Z", 5, 0),
        // On the user's clock it is 10:30.
        ("2026-11-18T10:25:00", 5, 0),
        ("2026-11-17T10:30:01", 1439, 0),
        ("2026-11-17T10:30:00", 1440, 1),
        ("2026-11-18", 630, 0),
        ("2026-11-17", 2070, 1),
        // With the hour that the clock was put back in between.
        ("2026-10-19", 43_890, 30),
        // The clock went back, or the file came from elsewhere.
        ("2026-11-18T09:30:01Z", 0, 0),
        ("2031-01-01T00:00:00Z", 0, 0),
        ("2031-01-01", 0, 0),
    ] {
        assert_eq!(now.minutes_since(&time(then)), minutes, "{then}");
        assert_eq!(now.days_since(&time(then)), days, "{then}");
    }
}

#[test]
fn calendar_days_survive_the_change_of_clocks() {
    // The 29th of March has 23 hours.
    let now = now("2026-03-29T22:00:00Z");
    assert_eq!(now.date(), "2026-03-30");
    assert_eq!(now.days_since(&time("2026-03-29")), 1);
}

#[test]
fn ago_is_said_in_the_unit_a_person_would_use() {
    const SECOND: i64 = 1;
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let now = now("2026-11-18T09:30:00Z");
    for (seconds, unit, n) in [
        (0, AgoUnit::Now, 0),
        (59 * SECOND, AgoUnit::Now, 0),
        (60 * SECOND, AgoUnit::Minute, 1),
        (59 * MINUTE + 59, AgoUnit::Minute, 59),
        (HOUR, AgoUnit::Hour, 1),
        (23 * HOUR + 59 * MINUTE, AgoUnit::Hour, 23),
        (DAY, AgoUnit::Day, 1),
        // It is half past ten: 34 hours ago was yesterday, 35 the day before.
        (34 * HOUR, AgoUnit::Day, 1),
        (35 * HOUR, AgoUnit::Day, 2),
        (6 * DAY, AgoUnit::Day, 6),
        (7 * DAY, AgoUnit::Week, 1),
        (13 * DAY, AgoUnit::Week, 1),
        (14 * DAY, AgoUnit::Week, 2),
        (29 * DAY, AgoUnit::Week, 4),
        (30 * DAY, AgoUnit::Month, 1),
        (60 * DAY, AgoUnit::Month, 2),
        (364 * DAY, AgoUnit::Month, 12),
        (365 * DAY, AgoUnit::Year, 1),
        (800 * DAY, AgoUnit::Year, 2),
        (-SECOND, AgoUnit::Now, 0),
        (-400 * DAY, AgoUnit::Now, 0),
    ] {
        let then = now.instant() - jiff::SignedDuration::from_secs(seconds);
        let then = time(&then.to_string());
        assert_eq!(Ago::between(&then, &now), Ago { unit, n }, "{seconds} s");
    }
}

#[test]
fn of_a_date_only_days_are_said() {
    let now = now("2026-11-18T09:30:00Z");
    for (then, unit, n) in [
        ("2026-11-18", AgoUnit::Day, 0),
        ("2026-11-17", AgoUnit::Day, 1),
        ("2026-11-11", AgoUnit::Week, 1),
        ("2025-11-18", AgoUnit::Year, 1),
        ("2026-11-19", AgoUnit::Day, 0),
    ] {
        assert_eq!(Ago::between(&time(then), &now), Ago { unit, n }, "{then}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_without_harm(text in "[0-9TZ:._+ \\-]{0,32}|\\PC{0,24}") {
        if let Some(time) = Timestamp::parse(&text) {
            prop_assert_eq!(time.raw(), &text);
            let again = Timestamp::parse(&time.iso());
            prop_assert_eq!(again.map(|again| again.iso()), Some(time.iso()));
            let _ = Ago::between(&time, &now("2026-11-18T09:30:00Z"));
        }
    }
}
