//! Finds secrets in text and puts a name in their place, so that what is given away can be read by anybody.
//!
//! Equal secrets get equal numbers within one [`Redactor`]: a reader can still see that two places hold the same key. No
//! part or hash of the secret is left: a short password could be guessed from one.

mod rules;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use rules::Guard;
pub use rules::{RULES, Rule};

/// Replaces secrets, and counts them.
#[derive(Debug, Default)]
pub struct Redactor {
    numbers: HashMap<String, usize>,
    replaced: u64,
}

impl Redactor {
    /// One that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text with `[REDACTED rule 1]` in the place of every secret.
    pub fn clean<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        let found = find(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut clean = String::with_capacity(text.len());
        let mut from = 0;
        for secret in found {
            let value = text.get(secret.at.clone()).unwrap_or_default();
            clean.push_str(text.get(from..secret.at.start).unwrap_or_default());
            let next = self.numbers.len() + 1;
            let number = *self.numbers.entry(value.to_owned()).or_insert(next);
            let _ = write!(clean, "[REDACTED {} {number}]", secret.rule.name);
            self.replaced += 1;
            from = secret.at.end;
        }
        clean.push_str(text.get(from..).unwrap_or_default());
        Cow::Owned(clean)
    }

    /// How many places were replaced so far.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }
}

/// A secret and where it stands, in bytes.
#[derive(Debug)]
struct Secret {
    at: Range<usize>,
    rule: &'static Rule,
}

/// The secrets of a text in order, none within another.
fn find(text: &str) -> Vec<Secret> {
    let mut all: Vec<(usize, Secret)> = Vec::new();
    for (order, (rule, pattern)) in RULES.iter().zip(patterns()).enumerate() {
        for found in pattern.captures_iter(text.as_bytes()) {
            // The group that took part, or all of it.
            let secret = found.iter().skip(1).flatten().next();
            let Some(secret) = secret.or_else(|| found.get(0)) else {
                continue;
            };
            let at = secret.range();
            if text
                .get(at.clone())
                .is_some_and(|value| is_secret(rule.guard, value))
            {
                all.push((order, Secret { at, rule }));
            }
        }
    }
    all.sort_by_key(|(order, secret)| (secret.at.start, *order));
    let mut apart: Vec<(usize, Secret)> = Vec::with_capacity(all.len());
    for (order, secret) in all {
        match apart.last_mut() {
            // The union of two that overlap is replaced, under the name of the surer rule.
            Some((held, last)) if secret.at.start < last.at.end => {
                last.at.end = last.at.end.max(secret.at.end);
                if order < *held {
                    (*held, last.rule) = (order, secret.rule);
                }
            }
            _ => apart.push((order, secret)),
        }
    }
    apart.into_iter().map(|(_, secret)| secret).collect()
}

fn patterns() -> &'static [Regex] {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let compile = |rule: &Rule| {
            RegexBuilder::new(rule.pattern)
                .unicode(false)
                .build()
                .expect("because a test compiles every rule")
        };
        RULES.iter().map(compile).collect()
    })
}

fn is_secret(guard: Guard, value: &str) -> bool {
    match guard {
        Guard::Shape => true,
        Guard::Random => is_disorderly(value),
        Guard::Given => !is_placeholder(value),
        Guard::Value => !is_placeholder(value) && !is_prose(value),
    }
}

/// Where a value belongs but none stands.
fn is_placeholder(value: &str) -> bool {
    const NAMED: [&str; 12] = [
        "your",
        "changeme",
        "example",
        "placeholder",
        "redacted",
        "process.env",
        "os.environ",
        "getenv",
        "env.",
        "secrets.",
        "todo",
        "****",
    ];
    let lower = value.to_ascii_lowercase();
    let mut letters = lower.chars();
    let first = letters.next();
    value.starts_with(['$', '<', '{', '%', '['])
        || NAMED.iter().any(|name| lower.contains(name))
        || letters.all(|letter| Some(letter) == first)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A key is put together here, so that no scanner takes this file for a leak.
    fn key(prefix: &str, letters: usize) -> String {
        let body = "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ".repeat(3);
        format!("{prefix}{}", &body[..letters])
    }

    #[track_caller]
    fn check(rule: &str, before: &str, secret: &str, after: &str) {
        let mut redactor = Redactor::new();
        let text = format!("{before}{secret}{after}");
        assert_eq!(
            redactor.clean(&text),
            format!("{before}[REDACTED {rule} 1]{after}"),
            "{text}"
        );
        assert_eq!(redactor.replaced(), 1);
    }

    #[test]
    fn every_rule_finds_its_secret_and_nothing_around_it() {
        let pem = |end: &str| format!("-----BEGIN RSA {}-----\nMIIE+/ab\n{end}", "PRIVATE KEY");
        let whole = pem(&format!("-----END RSA {}-----", "PRIVATE KEY"));
        check("private-key", "the key is\n", &whole, "\nand that is it");
        check("private-key", "cut off: ", &pem(""), "");
        check(
            "age-key",
            "",
            &format!("AGE-SECRET-KEY-1{}", "Q7".repeat(29)),
            "\n",
        );
        check("anthropic-key", "key ", &key("sk-ant-api03-", 40), " end");
        check("openai-key", "key ", &key("sk-proj-", 40), ".");
        check("openai-key", "key ", &key("sk-", 48), ".");
        check("google-key", "?k=", &key("AIza", 35), "&x=1");
        check("google-key", "", &key("ya29.", 60), " ");
        check("model-host-token", "", &key("hf_", 34), " ");
        check(
            "github-token",
            "git clone with ",
            &key("ghp_", 36),
            ", then",
        );
        check("github-token", "", &key("github_pat_", 60), "");
        check("gitlab-token", "", &key("glpat-", 20), "");
        check(
            "aws-key-id",
            "id ",
            &format!("AKIA{}", "Q7".repeat(8)),
            " x",
        );
        check(
            "aws-secret",
            "aws_secret_access_key = \"",
            &key("", 40),
            "\"",
        );
        check(
            "azure-key",
            "AccountName=a;AccountKey=",
            &key("", 64),
            ";End",
        );
        check("slack-token", "", &key("xoxb-1234-", 30), " ");
        check(
            "chat-token",
            "",
            &format!("123456789:{}", key("AA", 33)),
            " ",
        );
        check("payment-key", "", &key("sk_live_", 24), " ");
        check("registry-token", "", &key("npm_", 36), " ");
        check(
            "service-token",
            "",
            &format!("SG.{}.{}", key("", 22), key("", 43)),
            " ",
        );
        check("jwt", "", &format!("eyJ{0}.eyJ{0}.{0}", key("", 30)), " ");
        check(
            "url-password",
            "postgres://app:",
            "pa$s@w0rd",
            "@db.internal/main",
        );
        check("url-password", "redis://:", "hunter", "@localhost:6379");
        check(
            "authorization",
            "Authorization: Bearer ",
            "abc.DEF-123",
            "\n",
        );
        check("authorization", "-H 'bearer ", &key("", 24), "'");
        check("assigned-secret", "DB_PASSWORD=", "hunter2-hunter", "\n");
        check("assigned-secret", "{\"api_key\": \"", "0a1b2c3d4e5f", "\"}");
        check(
            "assigned-secret",
            "export SECRET_TOKEN='",
            "tr0ub4dor&3",
            "'",
        );
    }

    #[test]
    fn every_rule_compiles_is_named_once_and_is_tried_above() {
        assert_eq!(patterns().len(), RULES.len());
        let tests = include_str!("mod.rs");
        for rule in RULES {
            let same = RULES.iter().filter(|other| other.name == rule.name);
            assert_eq!(same.count(), 1, "{}", rule.name);
            assert!(
                tests.contains(&format!("\"{}\",", rule.name)),
                "{}",
                rule.name
            );
        }
    }

    #[test]
    fn what_people_write_about_secrets_is_left_alone() {
        for text in [
            "The token: a word. The password: required, at least eight letters.",
            "token = ${GITHUB_TOKEN}, api_key: <your key here>, secret: process.env.SECRET_1",
            "password: changeme123 is a bad one; API_KEY=xxxxxxxxxxxx; token: ************",
            "https://example.org/a:b@c is no password, and neither is user@example.org:8080",
            "sk-this-is-a-long-word-with-hyphens and task-force-of-twenty-letters",
            "let token: Token::Kind = secret::find(text)?; // secret => https://example.org/1",
            "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "6f9619ff-8b86-d011-b42d-00cf4fc964ff, 全文検索のトークン: 単語",
            "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
        ] {
            let mut redactor = Redactor::new();
            assert_eq!(redactor.clean(text), text);
            assert_eq!(redactor.replaced(), 0);
        }
    }

    #[test]
    fn equal_secrets_have_equal_numbers_and_no_part_of_them_is_left() {
        let (one, two) = (key("ghp_", 36), key("ghp_", 40));
        let mut redactor = Redactor::new();
        let text = redactor.clean(&format!("é{one} 日本{two}")).into_owned();
        assert_eq!(
            text,
            "é[REDACTED github-token 1] 日本[REDACTED github-token 2]"
        );
        assert_eq!(redactor.clean(&one), "[REDACTED github-token 1]");
        assert_eq!(redactor.replaced(), 3);
    }

    #[test]
    fn a_secret_that_two_rules_find_is_replaced_once_under_the_surer_name() {
        let mut redactor = Redactor::new();
        let text = format!("GITHUB_TOKEN={}", key("ghp_", 36));
        assert_eq!(
            redactor.clean(&text),
            "GITHUB_TOKEN=[REDACTED github-token 1]"
        );
        assert_eq!(redactor.replaced(), 1);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_cleaned_without_a_panic_and_once_is_enough(text in "\\PC{0,200}") {
            let once = Redactor::new().clean(&text).into_owned();
            let twice = Redactor::new().clean(&once).into_owned();
            proptest::prop_assert_eq!(once, twice);
        }
    }
}
