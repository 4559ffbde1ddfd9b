//! The three logs: paragraphs, facts, voice. They are only ever appended to.

use std::collections::BTreeMap;

use super::super::names::PARAGRAPHS_NOW;
use super::super::schema::Score;
use super::super::state::Override;
use super::words::one_line;
use crate::text::markdown::{Doc, Section};

/// One entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct LogEntry {
    /// Its heading.
    pub(in super::super) title: String,
    /// Its fields.
    pub(in super::super) fields: Vec<(String, String)>,
}

impl LogEntry {
    /// An entry, to be filled.
    pub(in super::super) fn new(title: impl AsRef<str>) -> Self {
        Self {
            title: one_line(title.as_ref()),
            fields: Vec::new(),
        }
    }

    /// Adds a field; nothing when the value is empty.
    #[must_use]
    pub(in super::super) fn with(mut self, key: &str, value: Option<&str>) -> Self {
        if let Some(value) = value.map(one_line).filter(|value| !value.is_empty()) {
            self.fields.push((key.to_owned(), value));
        }
        self
    }

    /// Its text, to be appended to the log; with the log's title when it is the first.
    pub(in super::super) fn text(&self, log_title: Option<&str>) -> String {
        let mut text = match log_title {
            Some(title) => format!("# {title}\n\n"),
            None => "\n".to_owned(),
        };
        text.push_str("## ");
        text.push_str(&self.title);
        text.push_str("\n\n");
        for (key, value) in &self.fields {
            text.push_str("- **");
            text.push_str(key);
            text.push_str("**: ");
            text.push_str(value);
            text.push('\n');
        }
        text
    }

    fn value(&self, key: &str) -> Option<&str> {
        let found = self
            .fields
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }
}

fn entries(text: &str) -> Vec<LogEntry> {
    let doc = Doc::parse(text);
    let fields = |section: &Section<'_>| {
        let fields = doc.fields(section.own_body());
        let pair = |field: &crate::text::markdown::Field<'_>| {
            (field.key.to_owned(), field.value.to_owned())
        };
        fields.iter().map(pair).collect()
    };
    doc.sections()
        .map(|section| LogEntry {
            title: section.title().to_owned(),
            fields: fields(&section),
        })
        .collect()
}

/// The sources that the paragraph log names, an entry each.
pub(in super::super) fn paragraph_sources(text: &str) -> Vec<String> {
    let source = |entry: &LogEntry| {
        place_of(&entry.title)?;
        entry.value("Sources").map(str::to_owned)
    };
    entries(text).iter().filter_map(source).collect()
}

/// How many paragraphs the paragraph log knows of each section. An entry `Section N` that gives a number overrules what
/// stands before it.
pub(in super::super) fn paragraph_counts(text: &str) -> BTreeMap<u64, u64> {
    let mut counts = BTreeMap::new();
    for entry in entries(text) {
        let Some((section, paragraph)) = place_of(&entry.title) else {
            continue;
        };
        let now = entry
            .value(PARAGRAPHS_NOW)
            .and_then(super::words::first_number);
        let known: &mut u64 = counts.entry(section).or_default();
        match (paragraph, now) {
            (Some(paragraph), _) => *known = (*known).max(paragraph),
            (None, Some(now)) => *known = now,
            (None, None) => {}
        }
    }
    counts
}

/// `Section 2, Paragraph 3`, or `Section 2`.
fn place_of(title: &str) -> Option<(u64, Option<u64>)> {
    let head = title.get(..7)?;
    if !head.eq_ignore_ascii_case("section") {
        return None;
    }
    let rest = title.get(7..)?;
    match rest.split_once(',') {
        Some((section, paragraph)) => {
            let section = section.trim().parse().ok()?;
            Some((section, Some(super::words::first_number(paragraph)?)))
        }
        None => Some((rest.trim().parse().ok()?, None)),
    }
}

/// The sources that the fact-check log names.
pub(in super::super) fn fact_log(text: &str) -> Vec<String> {
    let source = |entry: &LogEntry| {
        let source = entry
            .value("Source")
            .or_else(|| entry.value("Fact-checker source"));
        source.map(str::to_owned)
    };
    entries(text).iter().filter_map(source).collect()
}

/// The overrides that the fact-check log holds.
pub(in super::super) fn overrides_of(text: &str) -> Vec<Override> {
    let own = |entry: LogEntry| {
        let head = entry.title.get(..9)?;
        if !head.eq_ignore_ascii_case("override:") {
            return None;
        }
        let text = |key: &str| entry.value(key).map(str::to_owned);
        Some(Override {
            claim: entry.title.get(9..).map(|claim| claim.trim().to_owned()),
            result: text("Fact-checker result"),
            action: text("User action").or_else(|| Some("override".to_owned())),
            rationale: text("User rationale"),
            logged_at: text("Logged at"),
            ..Override::default()
        })
    };
    entries(text).into_iter().filter_map(own).collect()
}

/// The scores that the voice-check log holds, by section (0 for the whole essay), the last of each.
pub(in super::super) fn voice_scores(text: &str) -> Vec<(u64, Score)> {
    let scored = |entry: LogEntry| {
        let score = Score::parse(entry.value("Score")?)?;
        let section = super::words::first_number(&entry.title).unwrap_or(0);
        Some((section, score))
    };
    entries(text).into_iter().filter_map(scored).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_logged_can_be_read_back() {
        let over = LogEntry::new("Override: Tides\n# are old")
            .with("Fact-checker result", Some("contested"))
            .with("User rationale", Some("my own\nwork"))
            .with("Logged at", Some("2026-01-01T00:00:00Z"))
            .text(Some("Fact Check Log"));
        let verified = LogEntry::new("Verified: Water is wet")
            .with("Source", Some("Almanac. https://sea.example/a"))
            .text(None);
        let text = format!("{over}{verified}");
        let found = overrides_of(&text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].claim.as_deref(), Some("Tides # are old"));
        assert_eq!(found[0].rationale.as_deref(), Some("my own work"));
        assert_eq!(fact_log(&text), ["Almanac. https://sea.example/a"]);
        let voice = LogEntry::new("Section 2")
            .with("Score", Some("4/5"))
            .text(Some("Voice Check Log"));
        let whole = LogEntry::new("Whole essay")
            .with("Score", Some("4.5/5"))
            .text(None);
        assert_eq!(
            voice_scores(&format!("{voice}{whole}")),
            [(2, Score(4.0)), (0, Score(4.5))]
        );
        let log = "# Paragraph Writing Log\n\n## Section 1, Paragraph 2\n\n**User action**: Approved\n**Sources**: https://x.example\n";
        assert_eq!(paragraph_sources(log), ["https://x.example"]);
    }

    #[test]
    fn a_later_entry_about_a_whole_section_overrules_its_paragraphs() {
        let mut log = "# Paragraph Writing Log\n".to_owned();
        let mut check = |entry: &str, expected: &[(u64, u64)]| {
            log.push_str(entry);
            let counts: Vec<(u64, u64)> = paragraph_counts(&log).into_iter().collect();
            assert_eq!(counts, expected, "{log}");
        };
        check("", &[]);
        check("\n## Section 1, Paragraph 1\n", &[(1, 1)]);
        check("\n### SECTION 1, paragraph 2 (edited)\n", &[(1, 2)]);
        check("\n## Section 1, Paragraph 1\n", &[(1, 2)]);
        check("\n## Section 2, Paragraph 1\n", &[(1, 2), (2, 1)]);
        check(
            "\n## Section 1\n\n- **User action**: Revised\n- **Paragraphs in the draft**: 0\n",
            &[(1, 0), (2, 1)],
        );
        check("\n## Section 1, Paragraph 1\n", &[(1, 1), (2, 1)]);
    }
}
