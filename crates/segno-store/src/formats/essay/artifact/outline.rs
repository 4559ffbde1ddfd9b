//! `stage-2-outline.md`.

use super::super::schema::{Audience, ClaimType};
use super::approval::{Approval, approval};
use super::thesis::claim_type;
use super::words::{first_number, one_line};
use crate::text::markdown::{Doc, Section};

/// What can be read from an outline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct Outline {
    /// The title of the essay.
    pub(in super::super) title: String,
    /// The thesis as the outline repeats it.
    pub(in super::super) thesis: String,
    /// How long the essay is to be.
    pub(in super::super) target_words: Option<u64>,
    /// For whom.
    pub(in super::super) audience: Option<Audience>,
    /// What sort of claim.
    pub(in super::super) claim_type: Option<ClaimType>,
    /// Its sections, in order.
    pub(in super::super) sections: Vec<OutlineSection>,
    /// Whether it was approved.
    pub(in super::super) approval: Approval,
}

/// One section of an outline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct OutlineSection {
    /// Its number as written; its place where no number is written.
    pub(in super::super) index: u64,
    /// Its title.
    pub(in super::super) title: String,
    /// How long it is to be.
    pub(in super::super) words: Option<u64>,
    /// What it is to say.
    pub(in super::super) content: String,
}

impl Outline {
    /// Reads an outline.
    pub(in super::super) fn read(text: &str) -> Self {
        let doc = Doc::parse(text);
        let whole = doc.whole();
        let field = |keys: &[&str]| doc.field(whole.clone(), keys).map(|field| field.value);
        let audience = field(&["Audience", "Target audience"]).and_then(audience);
        Self {
            title: title(&doc),
            thesis: doc
                .section(&["Thesis", "Thesis Statement"])
                .map(|section| one_line(section.own_text()))
                .unwrap_or_default(),
            target_words: field(&["Target length", "Target word count", "Length"])
                .and_then(first_number),
            audience,
            claim_type: field(&["Claim type"]).and_then(claim_type),
            sections: sections(&doc),
            approval: approval(&doc),
        }
    }

    /// The title of a section.
    pub(in super::super) fn section_title(&self, index: u64) -> Option<&str> {
        let found = self.sections.iter().find(|section| section.index == index);
        found.map(|section| section.title.as_str())
    }

    /// What is wrong with the numbers of its sections: they are to run from 1 without a gap.
    pub(in super::super) fn misnumbered(&self) -> Option<String> {
        let numbers: Vec<u64> = self.sections.iter().map(|section| section.index).collect();
        let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
        (numbers != expected).then(|| {
            let shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            shown.join(", ")
        })
    }
}

fn title(doc: &Doc) -> String {
    let Some(first) = doc.headings().first() else {
        return String::new();
    };
    let title = first.title.trim();
    for mark in ["Essay Outline:", "Outline:"] {
        if let Some(head) = title.get(..mark.len())
            && head.eq_ignore_ascii_case(mark)
        {
            return one_line(title.get(mark.len()..).unwrap_or_default());
        }
    }
    if first.level == 1 && numbered(title).is_none() {
        one_line(title)
    } else {
        String::new()
    }
}

fn audience(text: &str) -> Option<Audience> {
    let head = text.split("--").next().unwrap_or(text);
    let head = head.split(['\u{2014}', '(', ',']).next().unwrap_or(head);
    Audience::parse(head.trim().trim_matches('*'))
        .or_else(|| Audience::parse(head.split_whitespace().next().unwrap_or_default()))
}

/// The sections: headings `Section N: Title (~N words)` of any level, else the headings below `Structure`.
fn sections(doc: &Doc) -> Vec<OutlineSection> {
    let named: Vec<OutlineSection> = doc
        .sections()
        .filter_map(|section| {
            let (index, rest) = numbered(section.title())?;
            Some(read_section(section, index, rest))
        })
        .collect();
    if !named.is_empty() {
        return named;
    }
    let below = doc.section(&["Structure", "Sections"]);
    let children = below.map(|section| section.children()).unwrap_or_default();
    children
        .into_iter()
        .zip(1..)
        .map(|(section, index)| read_section(section, index, section.title()))
        .collect()
}

/// `Section 3: Title` as 3 and `Title`.
fn numbered(title: &str) -> Option<(u64, &str)> {
    let title = title.trim().trim_start_matches('*');
    let head = title.get(..7)?;
    if !head.eq_ignore_ascii_case("section") {
        return None;
    }
    let rest = title.get(7..)?.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let index = rest.get(..digits)?.parse().ok()?;
    let behind = rest.get(digits..)?;
    let text = behind.trim_start_matches([':', '.', ')', '-', ' ', '\u{2013}', '\u{2014}']);
    Some((index, text.trim_end_matches('*')))
}

fn read_section(section: Section<'_>, index: u64, heading: &str) -> OutlineSection {
    let (title, words) = match heading.rsplit_once('(') {
        Some((title, tail)) if tail.contains("word") => (title.trim(), first_number(tail)),
        _ => (heading.trim(), None),
    };
    OutlineSection {
        index,
        title: one_line(title),
        words,
        content: one_line(section.text()),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    const USUAL: &str = "# Essay Outline: On Tides\n\n## Thesis\n\nTides power towns.\n\n## Parameters\n\n- **Target length**: 1,500 words\n- **Audience**: semi-technical -- engineers\n- **Tone**: calm\n- **Sections**: 2\n- **Claim type**: argument\n\n## Structure\n\n### Section 1: The Sea (~600 words)\n\n**Purpose**: begin\n\n### Section 2: The Town (~900 words)\n\n**Purpose**: end\n\n## Approved By User\n\nYes -- 2026-02-14\n";

    #[test]
    fn sections_words_and_audience_are_read_from_an_outline() {
        let check = |text: &str| {
            let found = Outline::read(text);
            assert_eq!(found.title, "On Tides", "{text}");
            assert_eq!(found.target_words, Some(1500));
            assert_eq!(found.audience, Some(Audience::SemiTechnical));
            assert_eq!(found.claim_type, Some(ClaimType::Argument));
            let titles: Vec<_> = found
                .sections
                .iter()
                .map(|s| (s.index, s.title.as_str(), s.words))
                .collect();
            assert_eq!(
                titles,
                [(1, "The Sea", Some(600)), (2, "The Town", Some(900))],
                "{text}"
            );
            assert_eq!(found.misnumbered(), None);
        };
        check(USUAL);
        check(&USUAL.replace('\n', "\r\n"));
        check(&USUAL.replace("### Section", "## Section"));
        check(&USUAL.replace("### Section", "##### section"));
        check(
            &USUAL
                .replace("Section 1:", "Section 1 --")
                .replace("Section 2:", "Section 2."),
        );
        check(
            &USUAL
                .replace("### Section 1: ", "### ")
                .replace("### Section 2: ", "### "),
        );
    }

    #[test]
    fn an_outline_without_sections_has_none_and_500_are_500() {
        assert!(
            Outline::read("# Essay Outline: X\n\n## Thesis\n\nT\n")
                .sections
                .is_empty()
        );
        let mut text = String::from("# Essay Outline: Long\n\n## Structure\n");
        for n in 1..=500 {
            let _ = write!(text, "\n### Section {n}: Part {n}\n\n**Purpose**: go on\n");
        }
        let found = Outline::read(&text);
        assert_eq!(found.sections.len(), 500);
        assert_eq!(found.misnumbered(), None);
        assert_eq!(found.section_title(500), Some("Part 500"));
        let gap = Outline::read("## Section 1: A\n## Section 3: B\n");
        assert_eq!(gap.misnumbered().as_deref(), Some("1, 3"));
    }
}
