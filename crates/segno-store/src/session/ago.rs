//! How long ago, in the one unit a person would say. The words are in the binary's catalogue.

use super::{Now, Timestamp};

/// How long ago something was: `Ago { unit: Hour, n: 2 }` is "2 hours ago".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ago {
    /// The unit.
    pub unit: AgoUnit,
    /// How many. 0 for [`AgoUnit::Now`]; with [`AgoUnit::Day`], 0 is "today" (said only of a time known to the day) and
    /// 1 is "yesterday".
    pub n: u64,
}

/// The unit in which a person would say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AgoUnit {
    /// Less than a minute, or in the future.
    Now,
    /// Less than an hour.
    Minute,
    /// Less than 24 hours.
    Hour,
    /// Less than a week.
    Day,
    /// Less than 30 days.
    Week,
    /// Less than 365 days, 30 days each.
    Month,
    /// From then on, 365 days each.
    Year,
}

impl AgoUnit {
    /// All units, shortest first.
    pub const ALL: [Self; 7] = [
        Self::Now,
        Self::Minute,
        Self::Hour,
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Year,
    ];

    /// The one spelling, as in the catalogue's keys.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

impl Ago {
    /// How long before `now` was `then`?
    ///
    /// Up to 24 hours the time that passed is counted, beyond that the midnights of the user's clock: what happened on
    /// Monday noon is "2 days ago" on Wednesday morning, though 48 hours have not passed.
    pub fn between(then: &Timestamp, now: &Now) -> Self {
        let days = now.calendar_days_since(then);
        if then.is_date() {
            return Self::days(days);
        }
        let seconds = now.seconds_since(then);
        match seconds {
            0..MINUTE => Self::new(AgoUnit::Now, 0),
            MINUTE..HOUR => Self::new(AgoUnit::Minute, seconds / MINUTE),
            HOUR..DAY => Self::new(AgoUnit::Hour, seconds / HOUR),
            // A day of 25 hours can hold both ends.
            _ => Self::days(days.max(1)),
        }
    }

    fn days(days: u64) -> Self {
        match days {
            0..7 => Self::new(AgoUnit::Day, days),
            7..30 => Self::new(AgoUnit::Week, days / 7),
            30..365 => Self::new(AgoUnit::Month, days / 30),
            _ => Self::new(AgoUnit::Year, days / 365),
        }
    }

    const fn new(unit: AgoUnit, n: u64) -> Self {
        Self { unit, n }
    }
}
