//! How long a session and its iterations took, counted whenever something changes.
//!
//! The time since the last change goes to the iteration that is current, unless it is longer than a session is meant to
//! last: then it was a pause. Whole minutes are counted from the beginning of the iteration, so that many quick changes
//! add up to what they took.

use super::schema::{Session, SessionStatus};
use crate::session::{Now, Timestamp};

/// The format's own limit of a session, in minutes: whoever was away for longer made a pause.
const PAUSE_MINUTES: u64 = 120;

/// Brings the minutes of the current iteration, and of the session with it, up to now.
pub(super) fn count(session: &mut Session, now: &Now) {
    if session.status() != SessionStatus::InProgress {
        return;
    }
    let time = |text: &Option<String>| text.as_deref().and_then(Timestamp::parse);
    let Some(last) = time(&session.updated) else {
        return;
    };
    let entry = session.current();
    let began = entry.map_or(&session.started_at, |entry| &entry.timestamp);
    let Some(began) = time(began) else {
        return;
    };
    if now.minutes_since(&last) > PAUSE_MINUTES {
        return;
    }
    let then = Now::new(last.instant(now.zone()), now.zone().clone());
    let worked =
        now.minutes_since(&began) - then.minutes_since(&began).min(now.minutes_since(&began));
    let Ok(worked @ 1..) = i64::try_from(worked) else {
        return;
    };
    if let Some(entry) = session.current_mut() {
        entry.duration = Some(entry.duration.unwrap_or(0).saturating_add(worked));
    }
    let total = session.duration_minutes.unwrap_or(0);
    session.duration_minutes = Some(total.saturating_add(worked));
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::super::schema::Iteration;
    use super::*;

    fn after(times: &[&str]) -> (Option<i64>, Option<i64>) {
        let mut session = Session {
            iteration: Some(1),
            updated: Some("2026-03-02T10:00:00Z".to_owned()),
            history: vec![Iteration {
                iteration: Some(1),
                timestamp: Some("2026-03-02T10:00:00Z".to_owned()),
                ..Iteration::default()
            }],
            ..Session::default()
        };
        for time in times {
            let now = Now::new(
                format!("2026-03-02T{time}Z").parse().unwrap(),
                TimeZone::UTC,
            );
            count(&mut session, &now);
            session.updated = Some(now.utc_seconds());
        }
        (session.history[0].duration, session.duration_minutes)
    }

    #[test]
    fn many_quick_changes_add_up_to_what_they_took() {
        assert_eq!(
            after(&["10:00:40", "10:01:20", "10:01:59", "10:02:01"]),
            (Some(2), Some(2))
        );
        assert_eq!(after(&["10:00:59"]), (None, None));
    }

    #[test]
    fn a_pause_does_not_count_and_what_came_before_and_after_it_does() {
        assert_eq!(
            after(&["10:10:00", "15:00:00", "15:05:00"]),
            (Some(15), Some(15))
        );
        assert_eq!(after(&["12:00:00"]), (Some(120), Some(120)));
        assert_eq!(after(&["12:01:00"]), (None, None));
        // A clock that was set back takes nothing away.
        assert_eq!(
            after(&["10:10:00", "09:00:00", "09:05:00"]),
            (Some(10), Some(10))
        );
    }
}
