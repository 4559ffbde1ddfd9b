//! What an unquoted scalar means, to YAML 1.2 readers and to the many that still read YAML 1.1.

/// What the YAML 1.2 core schema makes of an unquoted scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Null,
    Bool(bool),
    Int,
    Float,
    Str,
}

/// The meaning of an unquoted scalar in the YAML 1.2 core schema.
pub(super) fn meaning(text: &str) -> Meaning {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Meaning::Null,
        "true" | "True" | "TRUE" => return Meaning::Bool(true),
        "false" | "False" | "FALSE" => return Meaning::Bool(false),
        _ => {}
    }
    let first = text.as_bytes().first().copied().unwrap_or(b'a');
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.')) {
        return Meaning::Str;
    }
    if is_int(text) {
        Meaning::Int
    } else if is_float(text) {
        Meaning::Float
    } else {
        Meaning::Str
    }
}

fn is_int(text: &str) -> bool {
    if let Some(hex) = text.strip_prefix("0x") {
        return !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit());
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return !octal.is_empty() && octal.bytes().all(|b| (b'0'..=b'7').contains(&b));
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    unsigned.bytes().any(|b| b.is_ascii_digit())
        && !unsigned.starts_with(['e', 'E'])
        && unsigned
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
        && unsigned.parse::<f64>().is_ok()
}

/// The integer that a scalar of meaning `Int` stands for, where 64 bits hold it.
pub(super) fn int<T: TryFrom<i128>>(text: &str) -> Option<T> {
    let number = if let Some(hex) = text.strip_prefix("0x") {
        i128::from_str_radix(hex, 16).ok()
    } else if let Some(octal) = text.strip_prefix("0o") {
        i128::from_str_radix(octal, 8).ok()
    } else {
        text.parse::<i128>().ok()
    };
    T::try_from(number?).ok()
}

/// The number that a scalar of meaning `Int` or `Float` stands for.
pub(super) fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" if text.starts_with('-') => Some(f64::NEG_INFINITY),
        ".inf" | ".Inf" | ".INF" => Some(f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        _ if text.starts_with("0x") || text.starts_with("0o") => {
            // Only what 64 bits hold is a number to every reader; beyond that the spelling is all there is.
            int::<i64>(text)?.to_string().parse().ok()
        }
        _ => text.parse().ok(),
    }
}

/// The truth that YAML 1.1 reads in words such as `yes` and `off`.
pub(super) fn bool_yaml11(text: &str) -> Option<bool> {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "y" | "yes" | "on" | "true" => Some(true),
        "n" | "no" | "off" | "false" => Some(false),
        _ => None,
    }
}

/// True when some reader, old or new, would not take the unquoted text for a string. Errs towards true.
pub(super) fn is_ambiguous(text: &str) -> bool {
    if matches!(text, "" | "~" | "=" | "<<") || text.eq_ignore_ascii_case("null") {
        return true;
    }
    if bool_yaml11(text).is_some() {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(
        unsigned.to_ascii_lowercase().as_str(),
        ".inf" | ".nan" | "_"
    ) {
        return true;
    }
    // Numbers in any base, sexagesimals, dates and times: a digit, dot or underscore first, then only these.
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '_')
        && text.chars().any(|c| c.is_ascii_digit() || c == '_')
        && text.chars().all(|c| {
            c.is_ascii_hexdigit()
                || matches!(c, '_' | '.' | ':' | '+' | '-' | ' ' | 'x' | 'o')
                || matches!(c, 'T' | 't' | 'Z' | 'X' | 'O')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_schema_decides_the_meaning() {
        let cases = [
            ("", Meaning::Null),
            ("~", Meaning::Null),
            ("nUll", Meaning::Str),
            ("true", Meaning::Bool(true)),
            ("FALSE", Meaning::Bool(false)),
            ("no", Meaning::Str),
            ("0", Meaning::Int),
            ("-12", Meaning::Int),
            ("010", Meaning::Int),
            ("0x1F", Meaning::Int),
            ("0o17", Meaning::Int),
            ("12345678901234567890123", Meaning::Int),
            ("1.10", Meaning::Float),
            ("1e3", Meaning::Float),
            (".5", Meaning::Float),
            ("-.inf", Meaning::Float),
            (".nan", Meaning::Float),
            ("1_000", Meaning::Str),
            ("2026-11-18", Meaning::Str),
            ("12:30", Meaning::Str),
            (".", Meaning::Str),
            ("-", Meaning::Str),
            ("1.2.3", Meaning::Str),
            ("inf", Meaning::Str),
        ];
        for (text, expected) in cases {
            assert_eq!(meaning(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_readers_disagree_about_is_ambiguous() {
        for text in [
            "no",
            "Yes",
            "on",
            "OFF",
            "y",
            "N",
            "12:30",
            "1:30:00",
            "2026-11-18",
            "1_000",
            "=",
            "~",
            "-_",
            "0b11",
            "010",
            "1.10",
            "2026-11-18T10:00:00Z",
            "2001-12-14 21:59:43.10 -5",
            ".inf",
            "<<",
            "0o7",
            "190:20:30.15",
        ] {
            assert!(is_ambiguous(text), "{text:?}");
        }
        for text in ["word", "a-b", "e3", "x1", "-", ".", "5whys", "-x", "nope"] {
            assert!(!is_ambiguous(text), "{text:?}");
        }
    }
}
