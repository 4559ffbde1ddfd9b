//! A time that a person gives as an argument: a date, or how long ago.

use std::str::FromStr;

use super::{Now, Timestamp};

/// From when on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// From this time on.
    At(Timestamp),
    /// From so many seconds ago on.
    Ago(i64),
}

impl Since {
    /// The moment it means.
    pub fn instant(&self, now: &Now) -> jiff::Timestamp {
        match self {
            Self::At(time) => time.instant(now.zone()),
            Self::Ago(seconds) => now
                .instant()
                .checked_sub(jiff::SignedDuration::from_secs(*seconds))
                .unwrap_or(jiff::Timestamp::MIN),
        }
    }
}

impl FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(time) = Timestamp::parse(text) {
            return Ok(Self::At(time));
        }
        ago(text).map(Self::Ago).ok_or_else(|| {
            "it is a date or time such as 2026-11-18, or how long ago: 30m, 12h, 7d, 2w".to_owned()
        })
    }
}

fn ago(text: &str) -> Option<i64> {
    let unit = text.chars().last()?;
    let seconds = match unit {
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        'w' => 7 * 24 * 60 * 60,
        _ => return None,
    };
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    Some(i64::from(number) * seconds)
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    #[test]
    fn dates_and_spans_are_understood_and_nothing_else() {
        let now = Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC);
        let check = |text: &str, expected: Option<&str>| {
            let since = text.parse::<Since>().ok();
            let moment = since.map(|since| since.instant(&now).to_string());
            assert_eq!(moment.as_deref(), expected, "{text}");
        };
        check("2026-11-01", Some("2026-11-01T00:00:00Z"));
        check("2026-11-01T10:00:00+09:00", Some("2026-11-01T01:00:00Z"));
        check("7d", Some("2026-11-11T09:30:00Z"));
        check("2w", Some("2026-11-04T09:30:00Z"));
        check("12h", Some("2026-11-17T21:30:00Z"));
        check("30m", Some("2026-11-18T09:00:00Z"));
        check("4294967295w", Some("-009999-01-02T01:59:59Z"));
        for bad in ["", "d", "-7d", "7", "7y", "yesterday", "4294967296d", "日"] {
            check(bad, None);
        }
    }
}
