//! Finds secrets in text and puts a name in their place, so that what is given away can be read by anybody.
//!
//! Equal secrets get equal numbers within one [`Redactor`]: a reader can still see that two places hold the same key. No
//! part or hash of the secret is left: a short password could be guessed from one.

mod guard;
mod rules;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use segno_store::text::slug::slug;

use guard::is_secret;
pub use rules::{RULES, Rule};

/// Replaces secrets, and counts them.
#[derive(Debug, Default)]
pub struct Redactor {
    numbers: HashMap<String, (usize, &'static str)>,
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
            let known = self.numbers.entry(value.to_owned());
            let (number, _) = *known.or_insert((next, secret.rule.name));
            let _ = write!(clean, "[REDACTED {} {number}]", secret.rule.name);
            self.replaced += 1;
            from = secret.at.end;
        }
        clean.push_str(text.get(from..).unwrap_or_default());
        Cow::Owned(clean)
    }

    /// A name that was made from a text: an id, a part of a path. What was found so far is found in it also in the form that
    /// a name gives it, lower case and perhaps cut off.
    pub fn clean_name(&mut self, name: &str) -> String {
        /// Shorter ones would be found in names by chance.
        const SHORTEST: usize = 6;
        let mut clean = self.clean(name).into_owned();
        let known: Vec<(String, usize, &str)> = self
            .numbers
            .iter()
            .map(|(value, (number, rule))| (slug(value, value.len()), *number, *rule))
            .collect();
        for (value, number, rule) in known {
            let ends = value.char_indices().map(|(at, c)| at + c.len_utf8());
            let begins = ends.filter_map(|end| value.get(..end));
            let begins: Vec<&str> = begins.filter(|begin| begin.len() >= SHORTEST).collect();
            if let Some(found) = begins.iter().rev().find(|begin| clean.contains(**begin)) {
                clean = clean.replace(*found, &format!("[REDACTED {rule} {number}]"));
                self.replaced += 1;
            }
        }
        clean
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
        check(
            "private-key",
            "cut off: ",
            pem("").trim_end(),
            "\nand that is it",
        );
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
        for (before, password, after) in [
            ("postgres://app:", "%40dm1nPa55", "@db"),
            ("postgres://app:", "$ecr3tPa55", "@db"),
            ("mysql://root:", "yourDog77", "@db"),
            ("mysql://root:", "exampleZ9", "@db/main?a=b@c"),
            ("postgres://app:", "pa/ss9word", "@db/main"),
            ("redis://:", "aaaa", "@h"),
            ("_postgres://app:", "todo.env.x", "@db"),
        ] {
            check("url-password", before, password, after);
        }
        let token = format!("s3cr3tT0ken{}", "V4lue99");
        check("url-token", "https://", &token, "@github.com/a/b");
        check("url-token", "https://", &token, ":@github.com/a/b");
        check("github-token", "token_", &key("ghp_", 36), "_x");
        check(
            "aws-key-id",
            "id_",
            &format!("AKIA{}", "Q7".repeat(8)),
            "_x",
        );
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
            "it begins with -----BEGIN RSA PRIVATE KEY----- and what follows\nis said in\nwords",
            "psql postgres://app:${DB_PASSWORD}@db postgres://app:$DB_PASSWORD@db mysql://root:%PASSWORD%@db",
            "redis://:<password>@h redis://:{{ password }}@h redis://:{{password}}@h redis://:xxxx@h redis://:****@h",
            "mysql://root:YOUR_PASSWORD@db mysql://root:your-password@db mysql://root:password@db a://b:example@c",
            "http://localhost:3000/@vite/client http://user@example.org ssh://git@github.com/a/b.git",
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

    #[test]
    fn a_name_made_from_a_text_with_a_secret_does_not_hold_it() {
        let secret = key("ghp_", 36);
        let mut redactor = Redactor::new();
        let title = redactor.clean(&format!("Rotate {secret} now")).into_owned();
        assert_eq!(title, "Rotate [REDACTED github-token 1] now");
        let made = slug(&format!("Rotate {secret} now"), 60);
        let name = redactor.clean_name(&format!("001-plan-{made}"));
        assert_eq!(name, "001-plan-rotate-[REDACTED github-token 1]-now");
        let made = slug(
            &format!("Rotate {secret} now and then, as it is said in the rules"),
            40,
        );
        let name = redactor.clean_name(&format!("001-plan-{made}"));
        assert!(name.contains("rotate-[REDACTED github-token 1]"), "{name}");
        assert_eq!(redactor.clean_name("002-debug-token"), "002-debug-token");
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
