//! The user's time zone without a walk through the whole zone database, which would cost a short command more than its
//! work does.

use std::path::Path;

use jiff::tz::TimeZone;

const DATABASE: &str = "/usr/share/zoneinfo";
const LOCAL: &str = "/etc/localtime";

/// The zone of `TZ`, else the system's own.
pub(super) fn of_system() -> TimeZone {
    let quick = match std::env::var_os("TZ") {
        Some(name) => name.to_str().and_then(named),
        None => local(),
    };
    // A rule in POSIX notation, a path, another system's ways: left to who knows them all.
    quick.unwrap_or_else(TimeZone::system)
}

fn named(name: &str) -> Option<TimeZone> {
    if name == "UTC" {
        return Some(TimeZone::UTC);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/_+-".contains(c);
    if name.is_empty() || name.starts_with('/') || !name.chars().all(plain) {
        return None;
    }
    read(name, &Path::new(DATABASE).join(name))
}

fn local() -> Option<TimeZone> {
    let link = std::fs::read_link(LOCAL).ok()?;
    let (_, name) = link.to_str()?.split_once("zoneinfo/")?;
    read(name, Path::new(LOCAL))
}

fn read(name: &str, path: &Path) -> Option<TimeZone> {
    let bytes = std::fs::read(path).ok()?;
    TimeZone::tzif(name, &bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_the_database_is_its_zone_and_anything_else_is_left_to_others() {
        assert_eq!(named("UTC"), Some(TimeZone::UTC));
        for odd in ["", "/etc/passwd", "EST5EDT,M3.2.0", ":x", "../x", "No/Such"] {
            assert_eq!(named(odd), None, "{odd}");
        }
        if let Some(zone) = named("Europe/Paris") {
            assert_eq!(zone.iana_name(), Some("Europe/Paris"));
        }
    }
}
