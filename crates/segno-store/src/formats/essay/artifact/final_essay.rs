//! `final-essay.md`: the essay, its sources and what is known of how it was made.

use super::super::schema::Score;
use super::source::Source;
use super::words::{count_words, first_number};
use crate::text::markdown::Doc;

/// What a finished essay says of itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in super::super) struct FinalEssay {
    /// Its title.
    pub(in super::super) title: String,
    /// Which pipeline made it.
    pub(in super::super) pipeline: String,
    /// Its thesis.
    pub(in super::super) thesis: String,
    /// How many words it has.
    pub(in super::super) words: Option<u64>,
    /// How well it sounds like its author.
    pub(in super::super) voice_score: Option<Score>,
    /// How many claims are verified.
    pub(in super::super) verified: Option<u64>,
    /// How many claims the author kept against the fact checker.
    pub(in super::super) overrides: u64,
    /// When it was finished.
    pub(in super::super) completed_at: Option<String>,
}

impl FinalEssay {
    /// Reads the metadata of a finished essay.
    pub(in super::super) fn read(text: &str) -> Self {
        let doc = Doc::parse(text);
        let within = doc.section(&["Metadata"]).map(|section| section.body());
        let value = |key: &str| {
            let field = doc.field(within.clone()?, &[key])?;
            (!field.value.is_empty()).then(|| field.value.to_owned())
        };
        Self {
            title: doc
                .headings()
                .first()
                .map(|first| first.title.clone())
                .unwrap_or_default(),
            pipeline: value("Pipeline session").unwrap_or_default(),
            thesis: value("Thesis").unwrap_or_default(),
            words: value("Word count").and_then(|text| first_number(&text)),
            voice_score: value("Voice consistency score").and_then(|text| Score::parse(&text)),
            verified: value("Verified claims").and_then(|text| first_number(&text)),
            overrides: value("User overrides")
                .and_then(|text| first_number(&text))
                .unwrap_or(0),
            completed_at: value("Completed"),
        }
    }

    /// The whole file: title, body, sources, metadata.
    pub(in super::super) fn print(&self, body: &str, sources: &[Source], accessed: &str) -> String {
        use std::fmt::Write as _;
        let mut text = format!(
            "# {}\n\n{}\n\n---\n\n## Sources\n\n",
            self.title,
            body.trim()
        );
        for (source, number) in sources.iter().zip(1..) {
            let title = if source.title.is_empty() {
                "Untitled"
            } else {
                source.title.trim_end_matches('.')
            };
            let _ = match &source.url {
                Some(url) => writeln!(text, "{number}. {title}. {url}. Accessed {accessed}."),
                None => writeln!(text, "{number}. {title}."),
            };
        }
        if sources.is_empty() {
            text.push_str("None.\n");
        }
        let score = self
            .voice_score
            .map_or_else(|| "not checked".to_owned(), |score| format!("{score}/5"));
        let _ = write!(
            text,
            "\n---\n\n## Metadata\n\n- **Pipeline session**: {}\n- **Thesis**: {}\n- **Word count**: {}\n\
             - **Voice consistency score**: {score}\n- **Verified claims**: {}\n- **User overrides**: {}\n- **Completed**: {}\n",
            self.pipeline,
            self.thesis,
            self.words.unwrap_or_else(|| count_words(body)),
            self.verified.unwrap_or(0),
            self.overrides,
            self.completed_at.as_deref().unwrap_or_default(),
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_output_block_can_be_read_back() {
        let essay = FinalEssay {
            title: "On Tides".to_owned(),
            pipeline: "essay-1".to_owned(),
            thesis: "Tides power towns.".to_owned(),
            words: Some(1200),
            voice_score: Some(Score(4.5)),
            verified: Some(7),
            overrides: 1,
            completed_at: Some("2026-02-20T10:00:00Z".to_owned()),
        };
        let text = essay.print("## The Sea\n\nOne.\n", &[], "2026-02-20");
        assert_eq!(FinalEssay::read(&text), essay);
    }
}
