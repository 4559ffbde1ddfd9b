//! `stage-3-section-N-arguments.md`.

use super::approval::{Approval, approval};
use super::source::Source;
use super::words::one_line;
use crate::text::markdown::{Doc, Section};

/// What can be read from an argument map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct ArgumentMap {
    /// The points, in order.
    pub(in super::super) points: Vec<Point>,
    /// Claims that the map lists as put off, each with its reason where one is given.
    pub(in super::super) put_off: Vec<(String, Option<String>)>,
    /// What is still open.
    pub(in super::super) questions: Vec<String>,
    /// Whether it was approved.
    pub(in super::super) approval: Approval,
}

/// One point of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Point {
    /// What it claims.
    pub(in super::super) claim: String,
    /// What the fact checker said.
    pub(in super::super) verdict: Option<Verdict>,
    /// Where it comes from.
    pub(in super::super) source: Option<Source>,
    /// What stands under it.
    pub(in super::super) text: String,
}

/// What `**Verified**` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Verdict {
    Yes,
    No,
    Partial,
    Deferred,
    CommonKnowledge,
}

impl Verdict {
    fn parse(text: &str) -> Option<Self> {
        let word: String = text
            .trim_start_matches(['*', '`', ' '])
            .chars()
            .take_while(|c| c.is_alphabetic() || matches!(c, '_' | ' '))
            .collect();
        let word = word.trim().to_ascii_uppercase().replace(' ', "_");
        let begins = |name: &str| word == name || word.starts_with(&format!("{name}_"));
        [
            ("COMMON_KNOWLEDGE", Self::CommonKnowledge),
            ("YES", Self::Yes),
            ("NO", Self::No),
            ("PARTIAL", Self::Partial),
            ("DEFERRED", Self::Deferred),
        ]
        .into_iter()
        .find(|(name, _)| begins(name))
        .map(|(_, verdict)| verdict)
    }
}

impl ArgumentMap {
    /// Reads an argument map.
    pub(in super::super) fn read(text: &str) -> Self {
        let doc = Doc::parse(text);
        let bullets = |titles: &[&str]| -> Vec<String> {
            let Some(section) = doc.section(titles) else {
                return Vec::new();
            };
            let items = doc.items(section.own_body());
            items.iter().map(|item| one_line(item.text)).collect()
        };
        let none = |text: &String| {
            let word = text.trim_matches(['.', '*', '_', ' ']);
            word.eq_ignore_ascii_case("none") || word.is_empty()
        };
        let mut put_off = bullets(&["Deferred Verifications"]);
        put_off.retain(|text| !none(text));
        let mut questions = bullets(&["Open Questions"]);
        questions.retain(|text| !none(text));
        Self {
            points: points(&doc),
            put_off: put_off
                .into_iter()
                .map(|text| split_reason(&text))
                .collect(),
            questions,
            approval: approval(&doc),
        }
    }

    /// How many points are verified.
    pub(in super::super) fn verified(&self) -> u64 {
        self.count(Verdict::Yes)
    }

    /// How many points wait for a verification.
    pub(in super::super) fn deferred(&self) -> u64 {
        self.count(Verdict::Deferred)
    }

    fn count(&self, verdict: Verdict) -> u64 {
        let wanted = self
            .points
            .iter()
            .filter(|point| point.verdict == Some(verdict));
        wanted.count() as u64
    }

    /// The claims that wait for a verification, with the reason where the map gives one.
    pub(in super::super) fn deferred_claims(&self) -> Vec<(String, Option<String>)> {
        let mut claims: Vec<(String, Option<String>)> = self
            .points
            .iter()
            .filter(|point| point.verdict == Some(Verdict::Deferred))
            .map(|point| {
                let listed = self
                    .put_off
                    .iter()
                    .find(|(claim, _)| same(claim, &point.claim));
                (
                    point.claim.clone(),
                    listed.and_then(|(_, reason)| reason.clone()),
                )
            })
            .collect();
        for (claim, reason) in &self.put_off {
            if !claims.iter().any(|(known, _)| same(known, claim)) {
                claims.push((claim.clone(), reason.clone()));
            }
        }
        claims
    }

    /// The claims alone, for comparing two maps.
    pub(in super::super) fn claims(&self) -> Vec<&str> {
        self.points
            .iter()
            .map(|point| point.claim.as_str())
            .collect()
    }
}

fn same(a: &str, b: &str) -> bool {
    super::words::key(a) == super::words::key(b)
}

/// `claim -- reason`, `claim (timeout)`.
fn split_reason(text: &str) -> (String, Option<String>) {
    for mark in [" -- ", " \u{2014} "] {
        if let Some((claim, reason)) = text.rsplit_once(mark) {
            return (unquoted(claim), Some(reason.trim().to_owned()));
        }
    }
    let bracket = text.trim_end().strip_suffix(')');
    if let Some((claim, reason)) = bracket.and_then(|text| text.rsplit_once(" ("))
        && REASONS.contains(&reason)
    {
        return (unquoted(claim), Some(reason.to_owned()));
    }
    (unquoted(text), None)
}

/// The document's reasons to put a verification off. Anything else in brackets belongs to the claim.
const REASONS: &[&str] = &["timeout", "service_unavailable", "no_results"];

fn unquoted(text: &str) -> String {
    text.trim()
        .trim_matches(['"', '\u{201c}', '\u{201d}'])
        .to_owned()
}

fn points(doc: &Doc) -> Vec<Point> {
    let named: Vec<Section<'_>> = doc
        .sections()
        .filter(|section| point_claim(section.title()).is_some())
        .collect();
    let sections = if named.is_empty() {
        let flow = doc.section(&["Argument Flow", "Arguments", "Points"]);
        flow.map(|section| section.children()).unwrap_or_default()
    } else {
        named
    };
    sections
        .into_iter()
        .map(|section| point(doc, section))
        .collect()
}

fn point(doc: &Doc, section: Section<'_>) -> Point {
    let value = |keys: &[&str]| {
        let field = doc.field(section.own_body(), keys)?;
        (!field.value.is_empty()).then_some(field.value)
    };
    let heading = point_claim(section.title()).unwrap_or(section.title());
    Point {
        claim: one_line(value(&["Claim"]).unwrap_or(heading)),
        verdict: value(&["Verified"]).and_then(Verdict::parse),
        source: value(&["Source", "Sources"]).and_then(Source::read),
        text: one_line(section.own_text()),
    }
}

/// `Point 2: The claim` as `The claim`.
fn point_claim(title: &str) -> Option<&str> {
    let head = title.get(..5)?;
    if !head.eq_ignore_ascii_case("point") {
        return None;
    }
    let rest = title.get(5..)?.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    let claim = rest.get(digits..)?;
    Some(claim.trim_start_matches([':', '.', '-', ' ', '\u{2013}', '\u{2014}']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_counted_by_their_verdict() {
        let text = "# Section 1 Argument Map: The Sea\n\n## Argument Flow\n\n### Point 1: Tides are regular\n\n**Claim**: Tides come twice a day\n**Source**: Sea Almanac. https://sea.example/a\n**Verified**: YES\n\n### Point 2: Turbines last\n\n**Verified**: DEFERRED (timeout)\n\n### Point 3: Water is wet\n\n**Verified**: COMMON_KNOWLEDGE\n\n## Open Questions\n\n- Who pays?\n\n## Deferred Verifications\n\n- Turbines last -- service_unavailable\n- Salt corrodes (no_results)\n- It pays (in part)\n\n## Approved By User\n\nYes -- 2026-02-14T15:00:00Z\n";
        for text in [
            text.to_owned(),
            text.replace('\n', "\r\n"),
            text.replace("### ", "## "),
        ] {
            let map = ArgumentMap::read(&text);
            assert_eq!(
                map.claims(),
                ["Tides come twice a day", "Turbines last", "Water is wet"]
            );
            assert_eq!((map.verified(), map.deferred()), (1, 1));
            assert_eq!(
                map.deferred_claims(),
                [
                    (
                        "Turbines last".to_owned(),
                        Some("service_unavailable".to_owned())
                    ),
                    ("Salt corrodes".to_owned(), Some("no_results".to_owned())),
                    ("It pays (in part)".to_owned(), None)
                ]
            );
            assert_eq!(map.questions, ["Who pays?"]);
            assert!(map.approval.yes);
        }
        assert!(
            !ArgumentMap::read("## Approved By User\n\nNo\n")
                .approval
                .yes
        );
    }
}
