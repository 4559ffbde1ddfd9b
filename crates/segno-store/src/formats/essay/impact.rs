//! How much of what comes later a revision touches, judged from the difference of the two texts.
//!
//! A judgement is a proposal: the user sees the difference and may choose another.

use std::collections::BTreeSet;

use super::artifact::{ArgumentMap, Outline, Thesis, same_title};
use super::schema::{ClaimType, Impact, Stage};

/// What is proposed, for which sections, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) impact: Impact,
    pub(super) sections: Vec<u64>,
    pub(super) why: Why,
}

/// Why an impact is proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The claim type changes.
    ClaimType {
        /// What it was.
        from: ClaimType,
        /// What it becomes.
        to: ClaimType,
    },
    /// The thesis says something else.
    OtherThesis,
    /// Domain, audience or evidence change; the thesis does not.
    Ground,
    /// The outline carries another thesis.
    OutlineThesis,
    /// Every section of the outline changes.
    EverySection,
    /// The audience changes.
    Audience,
    /// Some sections of the outline change.
    Sections(Vec<u64>),
    /// Sections are added behind the others.
    SectionsAdded,
    /// The claims of a section change.
    Claims,
    /// Verifications change; the claims do not.
    Verifications,
    /// Wording only.
    Wording,
    /// Only the final essay comes after the draft.
    OnlyFinal,
}

impl Why {
    /// A stable word for it.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ClaimType { .. } => "claim_type",
            Self::OtherThesis => "other_thesis",
            Self::Ground => "ground",
            Self::OutlineThesis => "outline_thesis",
            Self::EverySection => "every_section",
            Self::Audience => "audience",
            Self::Sections(_) => "sections",
            Self::SectionsAdded => "sections_added",
            Self::Claims => "claims",
            Self::Verifications => "verifications",
            Self::Wording => "wording",
            Self::OnlyFinal => "only_final",
        }
    }
}

/// Below this share of common words a sentence says something else.
const SAME_SENTENCE: f64 = 0.5;
/// Below this share of common words the plan of a section is another one.
const SAME_PLAN: f64 = 0.8;

/// Judges a revision of a stage.
pub(super) fn judge(stage: Stage, section: Option<u64>, old: &str, new: &str) -> Judged {
    match stage {
        Stage::Thesis => thesis(&Thesis::read(old), &Thesis::read(new)),
        Stage::Outline => outline(&Outline::read(old), &Outline::read(new)),
        Stage::Arguments => argument(section, &ArgumentMap::read(old), &ArgumentMap::read(new)),
        Stage::Writing => judged(Impact::Minor, Vec::new(), Why::OnlyFinal),
    }
}

fn judged(impact: Impact, sections: Vec<u64>, why: Why) -> Judged {
    Judged {
        impact,
        sections,
        why,
    }
}

fn thesis(old: &Thesis, new: &Thesis) -> Judged {
    if let (Some(before), Some(after)) = (old.claim_type, new.claim_type)
        && before != after
    {
        return judged(
            Impact::Major,
            Vec::new(),
            Why::ClaimType {
                from: before,
                to: after,
            },
        );
    }
    if likeness(&old.statement, &new.statement) < SAME_SENTENCE {
        return judged(Impact::Major, Vec::new(), Why::OtherThesis);
    }
    if !same_title(&old.ground, &new.ground) {
        return judged(Impact::Moderate, Vec::new(), Why::Ground);
    }
    judged(Impact::Minor, Vec::new(), Why::Wording)
}

fn outline(old: &Outline, new: &Outline) -> Judged {
    if let (Some(before), Some(after)) = (old.claim_type, new.claim_type)
        && before != after
    {
        return judged(
            Impact::Major,
            Vec::new(),
            Why::ClaimType {
                from: before,
                to: after,
            },
        );
    }
    let both = !old.thesis.is_empty() && !new.thesis.is_empty();
    if both && likeness(&old.thesis, &new.thesis) < SAME_SENTENCE {
        return judged(Impact::Major, Vec::new(), Why::OutlineThesis);
    }
    let all: Vec<u64> = old.sections.iter().map(|section| section.index).collect();
    let changed: Vec<u64> = old
        .sections
        .iter()
        .filter(|section| {
            let now = new
                .sections
                .iter()
                .find(|other| other.index == section.index);
            now.is_none_or(|now| {
                !same_title(&now.title, &section.title)
                    || likeness(&now.content, &section.content) < SAME_PLAN
            })
        })
        .map(|section| section.index)
        .collect();
    let audience = old.audience.is_some() && new.audience.is_some() && old.audience != new.audience;
    if !all.is_empty() && changed.len() == all.len() {
        return judged(Impact::Major, all, Why::EverySection);
    }
    if audience {
        return judged(Impact::Moderate, all, Why::Audience);
    }
    if !changed.is_empty() {
        let why = Why::Sections(changed.clone());
        return judged(Impact::Moderate, changed, why);
    }
    if new.sections.len() > old.sections.len() {
        return judged(Impact::Minor, Vec::new(), Why::SectionsAdded);
    }
    judged(Impact::Minor, Vec::new(), Why::Wording)
}

fn argument(section: Option<u64>, old: &ArgumentMap, new: &ArgumentMap) -> Judged {
    let sections: Vec<u64> = section.into_iter().collect();
    let (before, after) = (old.claims(), new.claims());
    let same = before.len() == after.len()
        && before
            .iter()
            .zip(&after)
            .all(|(a, b)| likeness(a, b) >= SAME_PLAN);
    if !same {
        return judged(Impact::Moderate, sections, Why::Claims);
    }
    let texts = old.points.iter().zip(&new.points);
    if texts.clone().any(|(a, b)| a.verdict != b.verdict) {
        return judged(Impact::Minor, sections, Why::Verifications);
    }
    judged(Impact::Minor, sections, Why::Wording)
}

/// The share of words that two texts have in common; 1 when neither has any.
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let most = a.len().max(b.len());
    if most == 0 {
        return 1.0;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "a text has far fewer words than a float has digits"
    )]
    let share = a.intersection(&b).count() as f64 / most as f64;
    share
}

/// The words that carry meaning, without their endings in `s`. Scripts without spaces count by letter pairs.
fn words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let word = word.to_lowercase();
        if word.is_ascii() {
            if word.len() > 3 || word.chars().all(|c| c.is_ascii_digit()) && !word.is_empty() {
                found.insert(word.trim_end_matches('s').to_owned());
            }
            continue;
        }
        let letters: Vec<char> = word.chars().collect();
        for pair in letters.windows(2) {
            found.insert(pair.iter().collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn thesis_text(statement: &str, claim: &str, domain: &str) -> String {
        format!(
            "## Thesis Statement\n\n{statement}\n\n## Claim Type\n\n{claim}\n\n## Domain\n\n{domain}\n"
        )
    }

    fn outline_text(sections: &[(&str, &str)]) -> String {
        let mut text =
            "# Essay Outline: T\n\n## Parameters\n\n- **Audience**: general\n\n## Structure\n"
                .to_owned();
        for ((title, purpose), n) in sections.iter().zip(1..) {
            let _ = write!(
                text,
                "\n### Section {n}: {title}\n\n**Purpose**: {purpose}\n"
            );
        }
        text
    }

    #[test]
    fn rewording_the_thesis_is_minor_and_another_claim_type_is_major() {
        let old = thesis_text(
            "Tidal power will feed coastal towns cheaply",
            "argument",
            "energy",
        );
        let check = |new: &str, expected: Impact| {
            assert_eq!(
                judge(Stage::Thesis, None, &old, new).impact,
                expected,
                "{new}"
            );
        };
        check(
            &thesis_text(
                "Coastal towns will be fed cheaply by tidal power",
                "argument",
                "energy",
            ),
            Impact::Minor,
        );
        check(
            &thesis_text(
                "Tidal power will feed coastal towns cheaply",
                "explainer",
                "energy",
            ),
            Impact::Major,
        );
        check(
            &thesis_text("Nobody should build harbours on sand", "argument", "energy"),
            Impact::Major,
        );
        check(
            &thesis_text(
                "Tidal power will feed coastal towns cheaply",
                "argument",
                "public finance",
            ),
            Impact::Moderate,
        );
    }

    #[test]
    fn modifying_one_section_of_the_outline_is_moderate_and_all_of_them_major() {
        let old = outline_text(&[
            ("Sea", "show the tides"),
            ("Town", "show the demand"),
            ("Cost", "count the money"),
        ]);
        let check = |new: &[(&str, &str)], impact: Impact, sections: &[u64]| {
            let found = judge(Stage::Outline, None, &old, &outline_text(new));
            assert_eq!(
                (found.impact, found.sections.as_slice()),
                (impact, sections),
                "{new:?}"
            );
        };
        check(
            &[
                ("Sea", "show the tides"),
                ("Harbour", "describe ships"),
                ("Cost", "count the money"),
            ],
            Impact::Moderate,
            &[2],
        );
        check(
            &[
                ("Sea", "Show the tides."),
                ("Town", "show the demand"),
                ("Cost", "count the money"),
            ],
            Impact::Minor,
            &[],
        );
        check(
            &[("Sea", "show the tides"), ("Town", "show the demand")],
            Impact::Moderate,
            &[3],
        );
        check(
            &[("A", "x y z"), ("B", "other words"), ("C", "new plan")],
            Impact::Major,
            &[1, 2, 3],
        );
        check(
            &[
                ("Sea", "show the tides"),
                ("Town", "show the demand"),
                ("Cost", "count the money"),
                ("End", "close"),
            ],
            Impact::Minor,
            &[],
        );
    }

    #[test]
    fn other_claims_in_a_map_are_moderate_for_that_section() {
        let map = |claim: &str, verdict: &str| {
            format!("### Point 1: x\n\n**Claim**: {claim}\n**Verified**: {verdict}\n")
        };
        let old = map("Tides are regular enough", "DEFERRED");
        let found = judge(
            Stage::Arguments,
            Some(2),
            &old,
            &map("Ships are heavy", "YES"),
        );
        assert_eq!((found.impact, found.sections), (Impact::Moderate, vec![2]));
        let found = judge(
            Stage::Arguments,
            Some(2),
            &old,
            &map("Tides are regular enough", "YES"),
        );
        assert_eq!(found.impact, Impact::Minor);
    }
}
