//! What a person asks for: words, phrases, beginnings, what must not be there, and filters.

use std::ops::Range;

use jiff::Timestamp;
use segno_store::session::{Kind, Now, Since, Status};

use crate::fold::fold;
use crate::term::{Cut, Reach, Term};

/// A question, understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    wanted: Vec<Term>,
    unwanted: Vec<Term>,
    /// Which sessions and entries may answer.
    pub filters: Filters,
}

/// Which sessions and entries may answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// Of one of these kinds; any when empty.
    pub kinds: Vec<Kind>,
    /// Of none of these kinds.
    pub not_kinds: Vec<Kind>,
    /// Of one of these statuses; any when empty.
    pub statuses: Vec<Status>,
    /// Of none of these statuses.
    pub not_statuses: Vec<Status>,
    /// Said by one of these, folded; by anybody when empty.
    pub roles: Vec<String>,
    /// Said by none of these, folded.
    pub not_roles: Vec<String>,
    /// In files whose path holds all of these, folded.
    pub paths: Vec<String>,
    /// In files whose path holds none of these, folded.
    pub not_paths: Vec<String>,
    /// At this moment or later.
    pub since: Option<Timestamp>,
    /// Before this moment.
    pub before: Option<Timestamp>,
}

/// The question cannot be understood; what to do is in the hint of the command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadQuery {
    /// A quotation mark without its partner.
    #[error("the quotation mark before `{0}` is never closed")]
    OpenQuote(String),
    /// `name:value`, and no filter has that name.
    #[error("`{0}:` is not a filter")]
    UnknownFilter(String),
    /// A filter without a value, or with one that it does not take.
    #[error("`{filter}:` cannot be `{value}`")]
    BadValue {
        /// The filter.
        filter: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        takes: &'static str,
    },
    /// Nothing to look for in a word: only signs.
    #[error("`{0}` has no letter or digit to look for")]
    NoLetters(String),
    /// Only filters, or only what must not be there.
    #[error("there is no word to look for")]
    NoWords,
}

/// The filters, and what each takes.
pub const FILTERS: [(&str, &str); 6] = [
    (
        "kind",
        "brainstorm, conversation, discuss, essay or handover",
    ),
    ("status", "active, paused, completed or abandoned"),
    ("role", "who said it, such as user or assistant"),
    (
        "since",
        "a date such as 2026-11-18, or how long ago: 30m, 12h, 7d, 2w",
    ),
    (
        "before",
        "a date such as 2026-11-18, or how long ago: 30m, 12h, 7d, 2w",
    ),
    ("path", "a part of the file's path"),
];

/// One piece of a question as it was typed.
struct Typed<'q> {
    text: &'q str,
    is_quoted: bool,
    is_not: bool,
    filter: Option<&'q str>,
}

impl Query {
    /// Understands a question. Spans of time count back from now.
    pub fn parse(text: &str, now: &Now) -> Result<Self, BadQuery> {
        let mut query = Self::default();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (typed, behind) = next(rest)?;
            rest = behind.trim_start();
            if let Some(name) = typed.filter {
                query.filters.add(name, &typed, now)?;
            } else {
                let term = Term::new(typed.text, typed.is_quoted)?;
                let Some(term) = term else { continue };
                if typed.is_not {
                    query.unwanted.push(term);
                } else {
                    query.wanted.push(term);
                }
            }
        }
        if query.wanted.is_empty() {
            return Err(BadQuery::NoWords);
        }
        Ok(query)
    }

    /// The question in the words of FTS5: what surely answers it, and what else may, if anything: there the text decides.
    pub(crate) fn to_fts(&self) -> (String, Option<String>) {
        let sure = self.fts_of(Reach::Sure, Reach::Suspected);
        let is_doubtful = self
            .wanted
            .iter()
            .chain(&self.unwanted)
            .any(Term::is_doubtful);
        let unsure = is_doubtful.then(|| {
            let all = self.fts_of(Reach::Suspected, Reach::Sure);
            format!("({all}) NOT ({sure})")
        });
        (sure, unsure)
    }

    fn fts_of(&self, wanted: Reach, unwanted: Reach) -> String {
        let fts = |terms: &[Term], reach, between| {
            let terms: Vec<String> = terms.iter().map(|term| term.to_fts(reach)).collect();
            terms.join(between)
        };
        let mut text = fts(&self.wanted, wanted, " AND ");
        if !self.unwanted.is_empty() {
            text = format!("({text}) NOT ({})", fts(&self.unwanted, unwanted, " OR "));
        }
        text
    }

    /// Where the wanted words stand in a text, in order and without overlap; `None` when the text is no answer.
    pub fn marks(&self, text: &str) -> Option<Vec<Range<usize>>> {
        let text = Cut::new(text);
        let mut marks = Vec::new();
        for term in &self.wanted {
            let found = term.find(&text);
            if found.is_empty() {
                return None;
            }
            marks.extend(found);
        }
        if self
            .unwanted
            .iter()
            .any(|term| !term.find(&text).is_empty())
        {
            return None;
        }
        marks.sort_by_key(|mark| (mark.start, mark.end));
        let mut apart: Vec<Range<usize>> = Vec::new();
        for mark in marks {
            match apart.last_mut() {
                Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
                _ => apart.push(mark),
            }
        }
        Some(apart)
    }
}

impl Filters {
    fn add(&mut self, name: &str, typed: &Typed<'_>, now: &Now) -> Result<(), BadQuery> {
        let known = FILTERS.into_iter();
        let mut known = known.filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((filter, takes)) = known.next() else {
            return Err(BadQuery::UnknownFilter(name.to_owned()));
        };
        let bad = |value: &str| BadQuery::BadValue {
            filter,
            value: value.to_owned(),
            takes,
        };
        let is_time = matches!(filter, "since" | "before");
        if typed.text.is_empty() || (is_time && typed.is_not) {
            return Err(bad(if typed.is_not { "-" } else { "" }));
        }
        if is_time {
            let moment: Since = typed.text.parse().map_err(|_| bad(typed.text))?;
            let moment = moment.instant(now);
            if filter == "since" {
                self.since = Some(self.since.map_or(moment, |other| other.max(moment)));
            } else {
                self.before = Some(self.before.map_or(moment, |other| other.min(moment)));
            }
            return Ok(());
        }
        if filter == "path" {
            let paths = if typed.is_not {
                &mut self.not_paths
            } else {
                &mut self.paths
            };
            paths.push(fold(typed.text.trim_start_matches("./")));
            return Ok(());
        }
        for value in typed
            .text
            .split(',')
            .map(str::trim)
            .filter(|value| !value.is_empty())
        {
            match filter {
                "kind" => {
                    let kind = value.parse().map_err(|_| bad(value))?;
                    (if typed.is_not {
                        &mut self.not_kinds
                    } else {
                        &mut self.kinds
                    })
                    .push(kind);
                }
                "status" => {
                    let status = value.parse().map_err(|_| bad(value))?;
                    (if typed.is_not {
                        &mut self.not_statuses
                    } else {
                        &mut self.statuses
                    })
                    .push(status);
                }
                _ => {
                    let roles = if typed.is_not {
                        &mut self.not_roles
                    } else {
                        &mut self.roles
                    };
                    roles.push(fold(value));
                }
            }
        }
        Ok(())
    }

    /// Whether a session may answer.
    pub(crate) fn takes_session(&self, kind: Kind, status: Status) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && !self.not_kinds.contains(&kind)
            && (self.statuses.is_empty() || self.statuses.contains(&status))
            && !self.not_statuses.contains(&status)
    }

    /// Whether an entry may answer: who said it, in which file, at which second since 1970.
    pub(crate) fn takes_entry(&self, role: Option<&str>, file: &str, at: Option<i64>) -> bool {
        if !self.roles.is_empty() || !self.not_roles.is_empty() {
            let role = fold(role.unwrap_or_default());
            if (!self.roles.is_empty() && !self.roles.contains(&role))
                || self.not_roles.contains(&role)
            {
                return false;
            }
        }
        if !self.paths.is_empty() || !self.not_paths.is_empty() {
            let file = fold(file);
            let holds = |part: &String| file.contains(part.as_str());
            if !self.paths.iter().all(holds) || self.not_paths.iter().any(holds) {
                return false;
            }
        }
        let since = self
            .since
            .is_none_or(|since| at.is_some_and(|at| at >= since.as_second()));
        since
            && self
                .before
                .is_none_or(|before| at.is_some_and(|at| at < before.as_second()))
    }
}

/// Takes the next piece off a question that does not begin with white space.
fn next(text: &str) -> Result<(Typed<'_>, &str), BadQuery> {
    let not = text
        .strip_prefix(['-', '\u{2212}'])
        .filter(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || opening(c).is_some()));
    let is_not = not.is_some();
    let rest = not.unwrap_or(text);
    let filter = filter_name(rest);
    let value = filter.map_or(rest, |name| rest.get(name.len() + 1..).unwrap_or_default());
    let quoted = value.chars().next().and_then(opening);
    let typed = |text, is_quoted| Typed {
        text,
        is_quoted,
        is_not,
        filter,
    };
    if let Some((open, close)) = quoted {
        let inside = value.get(open.len_utf8()..).unwrap_or_default();
        let Some((inside, behind)) = inside.split_once(close) else {
            return Err(BadQuery::OpenQuote(inside.to_owned()));
        };
        return Ok((typed(inside, true), behind));
    }
    let end = value.find(char::is_whitespace).unwrap_or(value.len());
    let (word, behind) = value.split_at(end);
    Ok((typed(word, false), behind))
}

/// A quotation mark that opens, and the one that closes.
fn opening(c: char) -> Option<(char, char)> {
    Some(match c {
        '"' => ('"', '"'),
        '\u{201c}' => ('\u{201c}', '\u{201d}'),
        '\u{ab}' => ('\u{ab}', '\u{bb}'),
        '\u{300c}' => ('\u{300c}', '\u{300d}'),
        _ => return None,
    })
}

/// The name in `name:value`. `std::fs`, `https://`, `10:30`, `localhost:8080` and `Note:` are words.
fn filter_name(text: &str) -> Option<&str> {
    let (name, value) = text.split_once(':')?;
    let is_known = FILTERS
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(name));
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_word = value.is_empty()
        || value.starts_with([':', '/'])
        || value.starts_with(|c: char| c.is_whitespace() || c.is_ascii_digit());
    (is_known || (is_name && !is_word)).then_some(name)
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    fn parse(text: &str) -> Result<Query, BadQuery> {
        let now = Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC);
        Query::parse(text, &now)
    }

    #[test]
    fn a_question_becomes_quoted_tokens_and_nothing_else() {
        for (text, expected) in [
            ("log", r#""log""#),
            ("Append LOG", r#""append" AND "log""#),
            ("\"the log\"", r#"row : "the log""#),
            (
                "\u{ab} d\u{e9}cision prise \u{bb}",
                r#"row : "decision prise""#,
            ),
            ("app*", r#""app" *"#),
            ("log \u{2212}draft", r#"("log") NOT ("draft")"#),
            (
                "log -draft -\"old one\"",
                r#"("log") NOT ("draft" OR (row : "old one" OR ("old" AND "one" AND wholes : ("old" OR "one"))))"#,
            ),
            ("append_only", r#"row : "append only""#),
            ("appendOnly", r#"(row : "append only" OR "appendonly")"#),
            ("v1.2", r#"row : "v1 2""#),
            ("検索", r#""検索""#),
            ("全文検索", r#"row : "全文 文検 検索""#),
            ("検", r#""検" *"#),
            ("API検索", r#"row : "api 検索""#),
            ("\"検索 log\"", r#"row : "検索 索 log""#),
            (
                "std::fs https://x.org 10:30 Note:",
                r#"row : "std fs" AND row : "https x org" AND row : "10 30" AND "note""#,
            ),
            ("localhost:8080", r#"row : "localhost 8080""#),
            ("a\" OR b", r#""a" AND "or" AND "b""#),
            ("NEAR(a b) - c", r#"row : "near a" AND "b" AND "c""#),
            ("a - -- b", r#""a" AND "b""#),
        ] {
            match parse(text) {
                Ok(query) => assert_eq!(query.to_fts().0, expected, "{text}"),
                Err(BadQuery::NoLetters(_)) if text.contains("- ") => {}
                Err(error) => panic!("{text}: {error}"),
            }
        }
    }

    #[test]
    fn filters_are_understood() {
        let query = parse("log Kind:essay,discuss -status:completed role:User since:7d before:2026-11-18 path:./Plan").unwrap();
        let filters = query.filters;
        assert_eq!(filters.kinds, [Kind::Essay, Kind::Discuss]);
        assert_eq!(filters.not_statuses, [Status::Completed]);
        assert_eq!(filters.roles, ["user"]);
        assert_eq!(filters.paths, ["plan"]);
        assert_eq!(filters.since.unwrap().to_string(), "2026-11-11T09:30:00Z");
        assert_eq!(filters.before.unwrap().to_string(), "2026-11-18T00:00:00Z");
    }

    #[test]
    fn what_cannot_be_understood_says_what_is_wrong() {
        let check = |text: &str, expected: &str| {
            let error = parse(text).unwrap_err().to_string();
            assert_eq!(error, expected, "{text}");
        };
        check(
            "\"the log",
            "the quotation mark before `the log` is never closed",
        );
        check("log tag:x", "`tag:` is not a filter");
        check("log kind:poem", "`kind:` cannot be `poem`");
        check("log since:yesterday", "`since:` cannot be `yesterday`");
        check("log kind:", "`kind:` cannot be ``");
        check("log -since:7d", "`since:` cannot be `-`");
        check("-draft", "there is no word to look for");
        check("kind:essay", "there is no word to look for");
        check("", "there is no word to look for");
        check("\"\"", "there is no word to look for");
        check("++", "`++` has no letter or digit to look for");
    }

    #[test]
    fn the_words_are_marked_where_they_stand() {
        let check = |query: &str, text: &str, expected: Option<&[&str]>| {
            let marks = parse(query).unwrap().marks(text);
            let words = marks.map(|marks| {
                marks
                    .into_iter()
                    .map(|mark| text.get(mark).unwrap())
                    .collect::<Vec<_>>()
            });
            assert_eq!(words.as_deref(), expected, "{query} in {text}");
        };
        check(
            "decision",
            "La Décision, une décision",
            Some(&["Décision", "décision"]),
        );
        check("the log", "the old log", Some(&["the", "log"]));
        check("\"the log\"", "the old log", None);
        check("\"the log\"", "to The  Log", Some(&["The  Log"]));
        check("only", "appendOnly", Some(&["Only"]));
        check("appendonly", "an appendOnly log", Some(&["appendOnly"]));
        check(
            "append_only",
            "appendOnly and append only",
            Some(&["appendOnly", "append only"]),
        );
        check("app*", "append", Some(&["append"]));
        check("文検", "全文検索", Some(&["文検"]));
        check("文", "全文検索", Some(&["文"]));
        check("索", "全文検索", Some(&["索"]));
        check("全文検索", "全文検索", Some(&["全文検索"]));
        // A compound word is found by either reading, and by a phrase that runs across it.
        for text in ["the GitHub token", "the github token", "the GITHUB-token"] {
            let marked = text.get(4..).unwrap();
            for query in ["github", "GitHub", "GITHUB"] {
                check(query, text, Some(&[text.get(4..10).unwrap()]));
            }
            check("\"github token\"", text, Some(&[marked]));
            check("\"GitHub token\"", text, Some(&[marked]));
            check("github-token", text, Some(&[marked]));
        }
        check("\"hub token\"", "a GitHub token", Some(&["Hub token"]));
        check("\"git hub\"", "a GitHub token", Some(&["GitHub"]));
        check("githubt*", "a GitHubToken", Some(&["GitHubToken"]));
        check("\"appendonly foobar\"", "appendOnly and fooBar", None);
        check(
            "log -\"appendonly foobar\"",
            "log appendOnly and fooBar",
            Some(&["log"]),
        );
        check("log -\"github token\"", "log of a GitHub token", None);
        check("log -old", "the old log", None);
        check("log", "catalogue", None);
    }
}
