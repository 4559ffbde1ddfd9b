//! `stage-1-thesis.md`.

use super::super::schema::ClaimType;
use super::approval::{Approval, approval, with_approval};
use super::words::one_line;
use crate::error::{Result, StoreError};
use crate::phrase;
use crate::phrase::Refusal;
use crate::text::markdown::{Doc, Place};

/// What can be read from a thesis.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct Thesis {
    /// The thesis itself, on one line.
    pub(in super::super) statement: String,
    /// What sort of claim it makes.
    pub(in super::super) claim_type: Option<ClaimType>,
    /// Everything else it says that later stages rest on: domain, audience, evidence.
    pub(in super::super) ground: String,
    /// Whether it was approved.
    pub(in super::super) approval: Approval,
}

const STATEMENT: &[&str] = &["Thesis Statement", "Thesis", "Approved Thesis Statement"];
const CLAIM: &[&str] = &["Claim Type", "Type of Claim"];
const GROUND: [&[&str]; 3] = [
    &["Domain"],
    &[
        "Target Audience (Preliminary)",
        "Target Audience",
        "Audience",
    ],
    &[
        "Key Evidence Threads (Identified During Development)",
        "Key Evidence Threads",
        "Evidence",
    ],
];

impl Thesis {
    /// Reads a thesis.
    pub(in super::super) fn read(text: &str) -> Self {
        let doc = Doc::parse(text);
        let statement = match doc.section(STATEMENT) {
            Some(section) => section.own_text(),
            None => first_paragraph(&doc),
        };
        let claim = doc.section(CLAIM).map(|section| section.own_text());
        let claim = claim.or_else(|| Some(doc.field(doc.whole(), CLAIM)?.value));
        let ground = GROUND
            .iter()
            .filter_map(|titles| doc.section(titles))
            .map(|section| one_line(section.text()));
        Self {
            statement: one_line(statement),
            claim_type: claim.and_then(claim_type),
            ground: ground.collect::<Vec<_>>().join(" | "),
            approval: approval(&doc),
        }
    }

    /// The artifact out of what was handed in: a bare sentence gets its headings, a claim type and an approval are added
    /// where they are missing. What is there stays byte for byte.
    pub(in super::super) fn complete(text: &str, claim: ClaimType, now: &str) -> Result<String> {
        let doc = Doc::parse(text);
        if doc.headings().is_empty() {
            let statement = text.trim();
            return Ok(format!(
                "# Approved Thesis\n\n## Thesis Statement\n\n{statement}\n\n## Claim Type\n\n{claim}\n\n\
                 ## Approved By User\n\nYes -- {now}\n"
            ));
        }
        let mut text = text.to_owned();
        if Self::read(&text).claim_type.is_none() {
            let mut edit = doc.edit();
            let place = doc.section(STATEMENT).map_or(Place::End, Place::After);
            let level = doc.section(STATEMENT).map_or(2, |section| section.level());
            text = edit
                .insert_section(place, level, "Claim Type", claim.name())
                .map(drop)
                .and_then(|()| edit.finish())
                .map_err(|error| {
                    let what = phrase!(
                        "essay-thesis-closed",
                        "the thesis cannot take its claim type: {why}",
                        why = error
                    );
                    let hint = phrase!("essay-add-claim-type", "add `## Claim Type` to it");
                    StoreError::from(Refusal::input(what).hint(hint))
                })?;
        }
        with_approval(&text, now)
    }
}

/// `**argument**`, `Argument (with a prediction)`, `hybrid -- ...`
pub(super) fn claim_type(text: &str) -> Option<ClaimType> {
    let word: String = text
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .chars()
        .take_while(|c| c.is_alphabetic())
        .collect();
    ClaimType::parse(&word)
}

fn first_paragraph(doc: &Doc) -> &str {
    let range = doc.header();
    let blocks = doc.blocks(range);
    blocks.first().map_or("", |block| doc.slice(block.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thesis_is_read_whatever_its_heading_levels_and_line_ends() {
        let check = |text: &str| {
            let found = Thesis::read(text);
            assert_eq!(found.statement, "Tides power towns.", "{text:?}");
            assert_eq!(found.claim_type, Some(ClaimType::Prediction), "{text:?}");
            assert!(found.approval.yes, "{text:?}");
            assert_eq!(found.approval.at.as_deref(), Some("2026-02-14T14:30:00Z"));
        };
        let usual = "# Approved Thesis\n\n## Thesis Statement\n\nTides power\ntowns.\n\n## Claim Type\n\nprediction\n\n## Approved By User\n\nYes -- 2026-02-14T14:30:00Z\n";
        check(usual);
        check(&usual.replace('\n', "\r\n"));
        check(&usual.replace("## ", "#### "));
        check(&usual.replace("## ", "# "));
        check(&format!("\u{feff}{usual}"));
        check(
            "Thesis Statement\n===\n\nTides power towns.\n\nClaim type\n---\n**Prediction**\n\nApproved by user\n---\nyes (2026-02-14T14:30:00Z)\n",
        );
    }

    #[test]
    fn a_bare_sentence_becomes_an_artifact_and_an_artifact_stays_as_it_is() {
        let made = Thesis::complete(
            "Tides power towns.\n",
            ClaimType::Argument,
            "2026-01-01T00:00:00Z",
        )
        .unwrap();
        let found = Thesis::read(&made);
        assert_eq!(found.statement, "Tides power towns.");
        assert_eq!(found.claim_type, Some(ClaimType::Argument));
        assert_eq!(
            Thesis::complete(&made, ClaimType::Argument, "later").unwrap(),
            made
        );
        let partial =
            "# Mine\r\n\r\n## Thesis Statement\r\n\r\nTides.\r\n\r\n## Notes\r\n\r\nkept\r\n";
        let made = Thesis::complete(partial, ClaimType::Hybrid, "2026-01-01T00:00:00Z").unwrap();
        assert!(made.contains("## Claim Type\r\n\r\nhybrid\r\n"), "{made:?}");
        assert!(made.contains("## Notes\r\n\r\nkept\r\n"), "{made:?}");
        assert!(Thesis::read(&made).approval.yes);
    }
}
