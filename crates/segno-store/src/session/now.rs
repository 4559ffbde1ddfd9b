//! The time of an operation, as an argument.

use jiff::tz::TimeZone;

use super::Timestamp;

/// When an operation happens and in which time zone its user lives. The only clock this crate knows.
///
/// A time that was written without an offset is read on this user's clock. Clocks go back, and files are copied between
/// machines: a time that lies in the future is never an error, and counts as having happened just now.
#[derive(Debug, Clone)]
pub struct Now {
    instant: jiff::Timestamp,
    zone: TimeZone,
}

impl Now {
    /// A moment in a zone.
    pub fn new(instant: jiff::Timestamp, zone: TimeZone) -> Self {
        Self { instant, zone }
    }

    /// The moment itself.
    pub fn instant(&self) -> jiff::Timestamp {
        self.instant
    }

    /// The zone the user lives in.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The moment on the user's own clock.
    pub fn local(&self) -> jiff::Zoned {
        self.instant.to_zoned(self.zone.clone())
    }

    /// The moment as exactly as it is known, in UTC.
    pub fn timestamp(&self) -> Timestamp {
        Timestamp::exactly(self.instant)
    }

    /// `2026-11-18T09:30:00Z`.
    pub fn utc_seconds(&self) -> String {
        self.instant.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    /// `2026-11-18T10:30:00.123456` on the user's clock, the fraction left out when it is zero.
    pub fn local_micros(&self) -> String {
        let local = self.local();
        let micros = local.subsec_nanosecond() / 1000;
        let seconds = local.strftime("%Y-%m-%dT%H:%M:%S").to_string();
        if micros == 0 {
            seconds
        } else {
            format!("{seconds}.{micros:06}")
        }
    }

    /// `2026-11-18` on the user's clock.
    pub fn date(&self) -> String {
        self.local().strftime("%Y-%m-%d").to_string()
    }

    /// Whole seconds since then; 0 when then is in the future. A date counts from its first moment.
    pub fn seconds_since(&self, then: &Timestamp) -> u64 {
        let elapsed = self.instant.duration_since(then.instant(&self.zone));
        u64::try_from(elapsed.as_secs()).unwrap_or(0)
    }

    /// Whole minutes since then; 0 when then is in the future. A date counts from its first moment.
    pub fn minutes_since(&self, then: &Timestamp) -> u64 {
        self.seconds_since(then) / 60
    }

    /// Whole days of 24 hours since then; since a date, the days on the user's calendar. 0 when then is in the future.
    pub fn days_since(&self, then: &Timestamp) -> u64 {
        if then.is_date() {
            self.calendar_days_since(then)
        } else {
            self.seconds_since(then) / (24 * 60 * 60)
        }
    }

    /// How many midnights of the user's clock lie between then and now; 0 when then is in the future.
    pub fn calendar_days_since(&self, then: &Timestamp) -> u64 {
        let today = self.local().date();
        let elapsed = today.duration_since(then.date_in(&self.zone));
        u64::try_from(elapsed.as_hours() / 24).unwrap_or(0)
    }
}
