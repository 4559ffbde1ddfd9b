//! `stage-4-draft.md`: the essay as far as it is written.

use std::collections::BTreeSet;
use std::ops::Range;

use super::words::{count_words, same_title};
use crate::error::Result;
use crate::phrase;
use crate::phrase::{Phrase, Refusal};
use crate::text::markdown::{Doc, LineKind};

/// A draft and where its sections stand in it.
#[derive(Debug, Clone)]
pub(in super::super) struct Draft {
    doc: Doc,
    /// The title of the essay.
    pub(in super::super) title: String,
    /// Its sections, in order.
    pub(in super::super) sections: Vec<DraftSection>,
}

/// One section of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct DraftSection {
    /// Its title.
    pub(in super::super) title: String,
    /// The bytes of its paragraphs.
    pub(in super::super) paragraphs: Vec<Range<usize>>,
    /// A rule follows it: it is finished.
    pub(in super::super) done: bool,
    /// All its bytes, heading and rule included.
    pub(in super::super) range: Range<usize>,
    /// The line of its heading, from 1.
    pub(in super::super) line: u64,
}

impl Draft {
    /// Reads a draft. The sections are the headings one level below the title, whatever that level is.
    pub(in super::super) fn read(text: impl Into<String>) -> Self {
        let doc = Doc::parse(text);
        let headings = doc.headings();
        let titled = headings.first().filter(|first| {
            let lower = headings
                .iter()
                .skip(1)
                .all(|other| other.level > first.level);
            lower && (first.level == 1 || headings.len() > 1)
        });
        let title = titled.map(|first| first.title.clone()).unwrap_or_default();
        let rest = headings.iter().skip(usize::from(titled.is_some()));
        let level = rest.clone().map(|heading| heading.level).min().unwrap_or(2);
        let starts: Vec<_> = rest.filter(|heading| heading.level == level).collect();
        let mut sections = Vec::with_capacity(starts.len());
        for (at, heading) in starts.iter().enumerate() {
            let end = starts
                .get(at + 1)
                .map_or(doc.text().len(), |next| next.range.start);
            sections.push(section(&doc, heading, end));
        }
        Self {
            doc,
            title,
            sections,
        }
    }

    /// Its text.
    pub(in super::super) fn text(&self) -> &str {
        self.doc.text()
    }

    /// How its lines end.
    pub(in super::super) fn eol(&self) -> &'static str {
        self.doc.eol()
    }

    /// The text of a paragraph.
    pub(in super::super) fn paragraph(&self, range: &Range<usize>) -> &str {
        self.doc.slice(range.clone())
    }

    /// The place of a section by its title.
    pub(in super::super) fn find(&self, title: &str) -> Option<usize> {
        let mut sections = self.sections.iter();
        sections.position(|section| same_title(&section.title, title))
    }

    /// How many words its paragraphs have.
    pub(in super::super) fn words(&self) -> u64 {
        let paragraphs = self.sections.iter().flat_map(|section| &section.paragraphs);
        paragraphs
            .map(|range| count_words(self.paragraph(range)))
            .sum()
    }

    /// Its sections with the number that the outline gives them: by title, else by place. One whose place belongs to
    /// another by its title has none: it is not of the outline.
    pub(in super::super) fn numbered<'s>(
        &'s self,
        titles: &[(u64, String)],
    ) -> Vec<(u64, &'s DraftSection)> {
        let by_title = |section: &DraftSection| {
            let found = titles
                .iter()
                .find(|(_, title)| same_title(title, &section.title));
            found.map(|(index, _)| *index)
        };
        let titled: Vec<Option<u64>> = self.sections.iter().map(by_title).collect();
        let mut taken: BTreeSet<u64> = titled.iter().flatten().copied().collect();
        let mut named: BTreeSet<u64> = BTreeSet::new();
        let mut numbered = Vec::with_capacity(self.sections.len());
        for ((section, title), place) in self.sections.iter().zip(titled).zip(1..) {
            let number = match title {
                // Two sections of one title: the first is the outline's.
                Some(number) => Some(number).filter(|number| named.insert(*number)),
                None => Some(place).filter(|place| taken.insert(*place)),
            };
            numbered.extend(number.map(|number| (number, section)));
        }
        numbered
    }
}

fn section(doc: &Doc, heading: &crate::text::markdown::Heading, end: usize) -> DraftSection {
    let body = heading.range.end..end;
    let mut done = false;
    let mut paragraphs = Vec::new();
    for block in doc.blocks(body) {
        let first = doc.lines_in(block.start..block.end).next();
        match first.map(|(_, line)| line.kind) {
            Some(LineKind::Rule) => done = true,
            Some(LineKind::Heading | LineKind::Titled | LineKind::Comment) => {}
            _ => {
                // Text behind a rule means that the section goes on.
                done = false;
                paragraphs.push(block);
            }
        }
    }
    DraftSection {
        title: heading.title.clone(),
        paragraphs,
        done,
        range: heading.range.start..end,
        line: heading.line as u64 + 1,
    }
}

/// Checks that a text is one paragraph and gives it without the space around it.
pub(in super::super) fn one_paragraph(text: &str) -> Result<String> {
    let refuse = |what: Phrase| {
        let hint = phrase!(
            "essay-one-paragraph",
            "hand in one paragraph at a time, as it is to stand in the draft"
        );
        Err(Refusal::input(what).hint(hint).into())
    };
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let text = text.trim();
    if text.is_empty() {
        return refuse(phrase!("essay-empty-paragraph", "the paragraph is empty"));
    }
    let doc = Doc::parse(text);
    if !doc.headings().is_empty() {
        return refuse(phrase!(
            "essay-paragraph-heading",
            "the paragraph holds a heading, which would begin a section of the draft"
        ));
    }
    if doc.lines().iter().any(|line| line.kind == LineKind::Rule) {
        return refuse(phrase!(
            "essay-paragraph-rule",
            "the paragraph holds a rule (`---`), which would end its section"
        ));
    }
    // Put under a heading, an open code block would swallow what comes after it.
    if Doc::parse(format!("{text}\n\n# x\n")).headings().is_empty() {
        return refuse(phrase!(
            "essay-paragraph-open",
            "the paragraph leaves a code block or a comment open"
        ));
    }
    if doc.blocks(doc.whole()).len() != 1 {
        return refuse(phrase!(
            "essay-paragraphs-many",
            "the text is more than one paragraph"
        ));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_finished_sections_are_read_from_the_draft() {
        let text = "# On Tides\n\n## The Sea\n\nOne.\n\nTwo,\nstill two.\n\n---\n\n## The Town\n\nThree.\n";
        for text in [
            text.to_owned(),
            text.replace('\n', "\r\n"),
            text.replace("## ", "### "),
            text.replace("# On Tides\n\n", ""),
        ] {
            let draft = Draft::read(text.as_str());
            let shown: Vec<_> = draft
                .sections
                .iter()
                .map(|s| (s.title.as_str(), s.paragraphs.len(), s.done))
                .collect();
            assert_eq!(
                shown,
                [("The Sea", 2, true), ("The Town", 1, false)],
                "{text:?}"
            );
            assert_eq!(draft.words(), 5);
        }
    }

    #[test]
    fn sections_are_numbered_by_title_then_by_place_and_no_number_is_given_twice() {
        let titles = [(1, "Sea".to_owned()), (2, "Town".to_owned())];
        let check = |text: &str, expected: &[(u64, &str)]| {
            let draft = Draft::read(text);
            let numbered = draft.numbered(&titles);
            let shown: Vec<(u64, &str)> = numbered
                .iter()
                .map(|(number, section)| (*number, section.title.as_str()))
                .collect();
            assert_eq!(shown, expected, "{text}");
        };
        check("## Town\n\n## Sea\n", &[(2, "Town"), (1, "Sea")]);
        check("## The sea\n\n## Town\n", &[(1, "The sea"), (2, "Town")]);
        check("## Sea\n\n## Mine\n\n## Town\n", &[(1, "Sea"), (2, "Town")]);
        check("## Sea\n\n## Sea\n\n## Town\n", &[(1, "Sea"), (2, "Town")]);
    }

    #[test]
    fn a_paragraph_is_one_block_without_structure_of_its_own() {
        assert_eq!(one_paragraph("  One\r\nline.\n").unwrap(), "One\nline.");
        for bad in ["", "a\n\nb", "# h", "---", "a\n---", "```\nopen"] {
            assert!(one_paragraph(bad).is_err(), "{bad:?}");
        }
    }
}
