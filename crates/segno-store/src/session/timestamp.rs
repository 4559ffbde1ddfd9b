//! A time as a file wrote it: the text is kept, the moment is understood.

use std::cmp::Ordering;
use std::fmt;

use jiff::civil;
use jiff::tz::TimeZone;

use super::Now;

/// A time read from a file or about to be written to one. What was written is kept as written.
///
/// Two times are equal when they are written alike; [`Timestamp::cmp_in`] compares the moments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Timestamp {
    raw: String,
    moment: Moment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Moment {
    /// With an offset: a point in time.
    Instant(jiff::Timestamp),
    /// Without one: a time on the writer's own clock.
    Civil(civil::DateTime),
    /// A day on the writer's own calendar.
    Date(civil::Date),
}

impl Timestamp {
    /// Reads ISO 8601 (extended or basic; `T` or a space; with an offset, `Z` or neither; up to nanoseconds), a date
    /// alone, and the compact spellings `YYYYMMDD_HHMMSS[_ffffff]` and `YYYYMMDD-HHMMSS`.
    ///
    /// `None` for everything else. A bare number is never taken for Unix seconds: nothing in it says whether it counts
    /// seconds or milliseconds. White space around the time is kept in [`Timestamp::raw`] and otherwise ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let moment = read(text.trim())?;
        Some(Self {
            raw: text.to_owned(),
            moment,
        })
    }

    /// Now, as `2026-11-18T09:30:00Z`.
    pub fn utc_seconds(now: &Now) -> Self {
        Self::written(now.utc_seconds(), Moment::Instant(now.instant()))
    }

    /// Now, as `2026-11-18T10:30:00.123456` on the user's clock, the fraction left out when it is zero.
    pub fn local_micros(now: &Now) -> Self {
        Self::written(now.local_micros(), Moment::Civil(now.local().datetime()))
    }

    /// Today, as `2026-11-18` on the user's clock.
    pub fn date(now: &Now) -> Self {
        Self::written(now.date(), Moment::Date(now.local().date()))
    }

    /// A time as precise as its own text, so that it equals what is read back.
    fn written(raw: String, exact: Moment) -> Self {
        // A clock outside the years 0 to 9999 prints what ISO 8601 cannot read; the exact moment is then as good.
        Self::parse(&raw).unwrap_or(Self { raw, moment: exact })
    }

    pub(super) fn exactly(instant: jiff::Timestamp) -> Self {
        Self {
            raw: instant.to_string(),
            moment: Moment::Instant(instant),
        }
    }

    /// The text as it was written.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The time in one spelling, for output: UTC with `Z` where the offset is known, else without one; a date stays a
    /// date. Fractions keep the digits they need.
    pub fn iso(&self) -> String {
        match self.moment {
            Moment::Instant(instant) => instant.to_string(),
            Moment::Civil(civil) => civil.to_string(),
            Moment::Date(date) => date.to_string(),
        }
    }

    /// The point in time. A time without an offset is read on the given zone's clock, a date as its first moment there.
    ///
    /// Where that clock was put forward, a time it skipped counts from before the change; where it was put back, the
    /// first of the two is meant. A time beyond what can be counted is the last or first one that can.
    pub fn instant(&self, zone: &TimeZone) -> jiff::Timestamp {
        let civil = match self.moment {
            Moment::Instant(instant) => return instant,
            Moment::Civil(civil) => civil,
            Moment::Date(date) => date.at(0, 0, 0, 0),
        };
        zone.to_ambiguous_timestamp(civil)
            .compatible()
            .unwrap_or(if civil.year() > 0 {
                jiff::Timestamp::MAX
            } else {
                jiff::Timestamp::MIN
            })
    }

    /// The day on the given zone's calendar.
    pub fn date_in(&self, zone: &TimeZone) -> civil::Date {
        match self.moment {
            Moment::Instant(instant) => zone.to_datetime(instant).date(),
            Moment::Civil(civil) => civil.date(),
            Moment::Date(date) => date,
        }
    }

    /// True when only the day is known.
    pub const fn is_date(&self) -> bool {
        matches!(self.moment, Moment::Date(_))
    }

    /// True when the text says which point in time it is, whoever reads it.
    pub const fn has_offset(&self) -> bool {
        matches!(self.moment, Moment::Instant(_))
    }

    /// Earlier or later, times without an offset being read on the given zone's clock.
    ///
    /// A total order over moments: the same moment written in two ways compares as equal.
    pub fn cmp_in(&self, other: &Self, zone: &TimeZone) -> Ordering {
        self.instant(zone).cmp(&other.instant(zone))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.raw)
    }
}

fn read(text: &str) -> Option<Moment> {
    // The civil types accept `+09:00` and drop it, so a point in time is tried first ...
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Some(Moment::Instant(instant));
    }
    if let Some(instant) = offset_after_space(text) {
        return Some(Moment::Instant(instant));
    }
    // ... and nothing that carries an offset or a zone, however odd, gets past this line.
    if !text.bytes().all(is_civil_byte) {
        return None;
    }
    let Some((date, time)) = text.split_once(['T', 't', ' ', '_']) else {
        return read_date(text).or_else(|| read_compact(text));
    };
    if time.contains('-') {
        return None;
    }
    match text.parse::<civil::DateTime>() {
        Ok(civil) => Some(Moment::Civil(civil)),
        Err(_) => compact(date, time),
    }
}

const fn is_civil_byte(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.' | b',' | b'T' | b't' | b' ' | b'_')
}

/// `2026-11-18 10:00:00 +0900`, as git prints it.
fn offset_after_space(text: &str) -> Option<jiff::Timestamp> {
    let (time, offset) = text.rsplit_once(' ')?;
    if !offset.starts_with(['+', '-']) {
        return None;
    }
    format!("{time}{offset}").parse().ok()
}

fn read_date(text: &str) -> Option<Moment> {
    text.parse().ok().map(Moment::Date)
}

/// `20260214-143022`, as directories are named.
fn read_compact(text: &str) -> Option<Moment> {
    let (date, time) = text.split_once('-')?;
    compact(date, time)
}

/// `20260214` and `143022` or `143022_123456`.
fn compact(date: &str, time: &str) -> Option<Moment> {
    let (time, fraction) = time.split_once('_').unwrap_or((time, "0"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if date.len() != 8 || time.len() != 6 || !(1..=9).contains(&fraction.len()) {
        return None;
    }
    if !(digits(date) && digits(time) && digits(fraction)) {
        return None;
    }
    let civil = format!("{date}T{time}.{fraction}").parse().ok()?;
    Some(Moment::Civil(civil))
}
