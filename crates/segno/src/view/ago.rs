//! How long ago something was, in words.

use segno_store::session::{Ago, AgoUnit, Now, Timestamp};

use crate::messages::Message;
use crate::msg;

/// How long before `now` it was, in words.
pub fn since(then: &Timestamp, now: &Now) -> Message {
    ago(Ago::between(then, now))
}

/// So long ago, in words.
pub fn ago(ago: Ago) -> Message {
    let n = ago.n;
    match ago.unit {
        AgoUnit::Now => msg!("time-now"),
        AgoUnit::Minute => msg!("time-minutes", n = n),
        AgoUnit::Hour => msg!("time-hours", n = n),
        AgoUnit::Day if n == 0 => msg!("time-today"),
        AgoUnit::Day if n == 1 => msg!("time-yesterday"),
        AgoUnit::Day => msg!("time-days", n = n),
        AgoUnit::Week => msg!("time-weeks", n = n),
        AgoUnit::Month => msg!("time-months", n = n),
        AgoUnit::Year => msg!("time-years", n = n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{Catalogue, Lang};

    #[test]
    fn every_unit_is_said_in_every_language() {
        let table = [
            (AgoUnit::Now, 0, "just now", "à l’instant", "たった今"),
            (
                AgoUnit::Minute,
                1,
                "1 minute ago",
                "il y a 1 minute",
                "1分前",
            ),
            (
                AgoUnit::Minute,
                59,
                "59 minutes ago",
                "il y a 59 minutes",
                "59分前",
            ),
            (AgoUnit::Hour, 1, "1 hour ago", "il y a 1 heure", "1時間前"),
            (
                AgoUnit::Hour,
                2,
                "2 hours ago",
                "il y a 2 heures",
                "2時間前",
            ),
            (AgoUnit::Day, 0, "today", "aujourd’hui", "今日"),
            (AgoUnit::Day, 1, "yesterday", "hier", "昨日"),
            (AgoUnit::Day, 6, "6 days ago", "il y a 6 jours", "6日前"),
            (
                AgoUnit::Week,
                1,
                "1 week ago",
                "il y a 1 semaine",
                "1週間前",
            ),
            (
                AgoUnit::Week,
                3,
                "3 weeks ago",
                "il y a 3 semaines",
                "3週間前",
            ),
            (AgoUnit::Month, 1, "1 month ago", "il y a 1 mois", "1か月前"),
            (
                AgoUnit::Month,
                11,
                "11 months ago",
                "il y a 11 mois",
                "11か月前",
            ),
            (AgoUnit::Year, 1, "1 year ago", "il y a 1 an", "1年前"),
            (
                AgoUnit::Year,
                1200,
                "1200 years ago",
                "il y a 1200 ans",
                "1200年前",
            ),
        ];
        let [en, fr, ja] = Lang::ALL.map(Catalogue::new);
        for (unit, n, english, french, japanese) in table {
            let message = ago(Ago { unit, n });
            assert_eq!(en.say(&message), english);
            assert_eq!(fr.say(&message), french);
            assert_eq!(ja.say(&message), japanese);
        }
    }
}
