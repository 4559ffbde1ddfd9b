//! What is plainly no secret, although it stands where one could: places for a value, words of a sentence, source code.

use super::rules::Guard;

/// True when a value that a rule found passes the rule's guard.
pub(super) fn is_secret(guard: Guard, value: &str) -> bool {
    match guard {
        Guard::Shape => true,
        Guard::Random => is_disorderly(value),
        Guard::Given => !is_placeholder(value) && !is_port(value),
        Guard::Value => !is_placeholder(value) && !is_prose(value),
    }
}

/// Where a value belongs but none stands. A placeholder is the whole of a value: a password may well begin like one.
fn is_placeholder(value: &str) -> bool {
    const WORDS: [&str; 13] = [
        "password",
        "passwd",
        "pass",
        "pwd",
        "secret",
        "token",
        "example",
        "changeme",
        "placeholder",
        "redacted",
        "todo",
        "yourpassword",
        "null",
    ];
    let lower = value.to_ascii_lowercase();
    let within = |open: &str, close: &str| value.starts_with(open) && value.ends_with(close);
    within("${", "}")
        || within("<", ">")
        || within("{", "}")
        || within("[", "]")
        // One that stands there already, and a command whose output would.
        || value.starts_with("[REDACTED")
        || value.starts_with("$(")
        || value.strip_prefix('$').is_some_and(is_capital_name)
        || is_percent(value)
        || lower.starts_with("your_")
        || lower.starts_with("your-")
        || WORDS.contains(&lower.trim_end_matches(|c: char| c.is_ascii_digit() && lower.starts_with("changeme")))
        || is_filler(value)
        || is_looked_up(value)
}

/// `DB_PASSWORD`
fn is_capital_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') && name.chars().all(plain)
}

/// `%PASSWORD%`, `%(password)s`, `%s`
fn is_percent(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('%') else {
        return false;
    };
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_name_part);
    let inner = |close: &str| rest.strip_suffix(close);
    matches!(rest, "s" | "v" | "d")
        || inner("%").is_some_and(is_name)
        || inner(")s")
            .and_then(|rest| rest.strip_prefix('('))
            .is_some_and(is_name)
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `xxxx`, `****`, `....`
fn is_filler(value: &str) -> bool {
    let mut letters = value.chars();
    let first = letters.next().unwrap_or('*');
    matches!(first, 'x' | 'X' | '*' | '.' | '-' | '_' | '#')
        && letters.all(|letter| letter == first)
}

/// `process.env.API_KEY`, `os.environ['API_KEY']`, `secrets.API_KEY`
fn is_looked_up(value: &str) -> bool {
    const PLACES: [&str; 7] = [
        "process.env",
        "import.meta.env",
        "os.environ",
        "os.getenv",
        "getenv",
        "env",
        "secrets",
    ];
    let is_looked_up_in = |place: &&str| {
        value.strip_prefix(place).is_some_and(|rest| {
            rest.starts_with(['.', '[', '('])
                && rest.chars().all(|c| is_name_part(c) || ".[]()".contains(c))
        })
    };
    PLACES.iter().any(is_looked_up_in)
}

/// `3000/@vite/client` in `http://localhost:3000/@vite/client`: a port and a path.
fn is_port(value: &str) -> bool {
    let port = value.split('/').next().unwrap_or_default();
    port.len() < value.len() && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// A word, a path, a type: what stands after `token:` in a sentence or in source code.
fn is_prose(value: &str) -> bool {
    let has = |test: fn(&char) -> bool| value.chars().any(|letter| test(&letter));
    let mixed = has(char::is_ascii_digit) || has(|letter| "!#%&*+/=?@^~".contains(*letter));
    !mixed
        || !has(char::is_ascii_alphabetic) && value.len() < 16
        || value.contains("::")
        || value.contains("//")
}

/// Shannon's entropy of at least 3.5 bits a letter, and a digit among them.
fn is_disorderly(value: &str) -> bool {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total = f64::from(u32::try_from(value.len()).unwrap_or(u32::MAX));
    let entropy: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum();
    entropy >= 3.5 && value.bytes().any(|byte| byte.is_ascii_digit())
}
