//! Reading the state out of the YAML tree. A single bad value is no failure: it is reported, and read as null.

use segno_disk::RelPath;

use super::super::problem;
use super::super::schema::{
    Audience, ClaimType, Impact, Progress, Pushback, RunStatus, Score, VoiceMode,
};
use super::super::state::{
    ArgumentSection, ArgumentStage, Deferred, OutlineStage, Output, Override, Revision, State,
    ThesisStage, Voice, WritingSection, WritingStage,
};
use crate::session::Problem;
use crate::text::yaml::{Doc, Node};

/// Reads the state; `None` when the tree is not that of an essay.
pub(in super::super) fn decode(
    doc: &Doc,
    file: &RelPath,
    problems: &mut Vec<Problem>,
) -> Option<State> {
    let root = doc.root();
    let stages = root.get("stages").filter(|node| node.is_map());
    let stages = match stages {
        Some(stages) if root.is_map() => stages,
        _ => {
            problems.push(
                Problem::new(problem::NOT_ESSAY_STATE, file.clone())
                    .line(root.line())
                    .found("valid YAML, but not the state of an essay: it has no `stages`")
                    .lossy("take the backup, or rebuild the state from the artifacts"),
            );
            return None;
        }
    };
    let mut read = Reader { file, problems };
    let top = read.block(Some(root));
    Some(State {
        pipeline_id: read.text(top, "pipeline_id"),
        started_at: read.text(top, "started_at"),
        last_activity: read.text(top, "last_activity"),
        status: read.word(top, "status", RunStatus::parse),
        style_profile_path: read.text(top, "style_profile_path"),
        samples_dir_path: read.text(top, "samples_dir_path"),
        pushback_level: read.word(top, "pushback_level", Pushback::parse),
        session_dir: read.text(top, "session_dir"),
        current_stage: read.number(top, "current_stage"),
        current_stage_name: read.text(top, "current_stage_name"),
        thesis: read.thesis(stages.get("stage_1")),
        outline: read.outline(stages.get("stage_2")),
        arguments: read.arguments(stages.get("stage_3")),
        writing: read.writing(stages.get("stage_4")),
        voice: read.voice(root.get("voice_calibration")),
        deferred: read.rows(Some(root), "deferred_verifications", Reader::deferred),
        overrides: read.rows(Some(root), "user_overrides", Reader::override_),
        revisions: read.rows(Some(root), "revision_history", Reader::revision),
        output: read.output(root.get("output")),
    })
}

struct Reader<'p> {
    file: &'p RelPath,
    problems: &'p mut Vec<Problem>,
}

type Block<'d> = Option<Node<'d>>;

impl Reader<'_> {
    fn block<'d>(&mut self, node: Option<Node<'d>>) -> Block<'d> {
        let node = node.filter(|node| !node.is_null())?;
        if !node.is_map() {
            self.bad(node, "this", "a mapping");
            return None;
        }
        Some(node)
    }

    fn bad(&mut self, node: Node<'_>, what: &str, expected: &str) {
        let raw: String = node.raw().chars().take(60).collect();
        self.problems.push(
            Problem::new(problem::BAD_VALUE, self.file.clone())
                .line(node.line())
                .found(format!("{what} is `{raw}`, not {expected}"))
                .manual("correct the line by hand; it is read as null and never overwritten"),
        );
    }

    fn value<'d>(block: Block<'d>, key: &str) -> Option<Node<'d>> {
        block?.get(key).filter(|node| !node.is_null())
    }

    fn text(&mut self, block: Block<'_>, key: &str) -> Option<String> {
        let node = Self::value(block, key)?;
        let text = node.as_str().map(str::to_owned);
        if text.is_none() {
            self.bad(node, &format!("`{key}`"), "text");
        }
        text
    }

    fn word<T>(
        &mut self,
        block: Block<'_>,
        key: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let node = Self::value(block, key)?;
        let word = node.as_str().and_then(parse);
        if word.is_none() {
            self.bad(
                node,
                &format!("`{key}`"),
                "one of the words that the format knows",
            );
        }
        word
    }

    fn number(&mut self, block: Block<'_>, key: &str) -> Option<u64> {
        let node = Self::value(block, key)?;
        let number = node
            .as_u64()
            .or_else(|| node.as_str().and_then(|text| text.trim().parse().ok()));
        if number.is_none() {
            self.bad(node, &format!("`{key}`"), "a whole number");
        }
        number
    }

    fn score(&mut self, block: Block<'_>, key: &str) -> Option<Score> {
        let node = Self::value(block, key)?;
        let score = node.as_str().and_then(Score::parse);
        if score.is_none() {
            self.bad(node, &format!("`{key}`"), "a score from 1 to 5");
        }
        score
    }

    fn truth(&mut self, block: Block<'_>, key: &str) -> Option<bool> {
        let node = Self::value(block, key)?;
        let truth = node.as_bool_yaml11();
        if truth.is_none() {
            self.bad(node, &format!("`{key}`"), "true or false");
        }
        truth
    }

    fn rows<T>(
        &mut self,
        block: Block<'_>,
        key: &str,
        one: impl Fn(&mut Self, usize, Node<'_>) -> T,
    ) -> Vec<T> {
        let Some(node) = Self::value(block, key) else {
            return Vec::new();
        };
        if !node.is_list() {
            self.bad(node, &format!("`{key}`"), "a list");
            return Vec::new();
        }
        let items: Vec<Node<'_>> = node.items().collect();
        items
            .into_iter()
            .enumerate()
            .map(|(at, item)| one(self, at, item))
            .collect()
    }

    fn thesis(&mut self, node: Option<Node<'_>>) -> ThesisStage {
        let block = self.block(node);
        ThesisStage {
            status: self.word(block, "status", Progress::parse),
            file: self.text(block, "thesis_file"),
            log: self.text(block, "development_log"),
            claim_type: self.word(block, "claim_type", ClaimType::parse),
            completed_at: self.text(block, "completed_at"),
        }
    }

    fn outline(&mut self, node: Option<Node<'_>>) -> OutlineStage {
        let block = self.block(node);
        OutlineStage {
            status: self.word(block, "status", Progress::parse),
            file: self.text(block, "outline_file"),
            total_sections: self.number(block, "total_sections"),
            target_word_count: self.number(block, "target_word_count"),
            audience: self.word(block, "audience", Audience::parse),
            completed_at: self.text(block, "completed_at"),
        }
    }

    fn arguments(&mut self, node: Option<Node<'_>>) -> ArgumentStage {
        let block = self.block(node);
        ArgumentStage {
            status: self.word(block, "status", Progress::parse),
            total_sections: self.number(block, "total_sections"),
            current_section: self.number(block, "current_section"),
            sections: self.rows(block, "sections", |read, at, item| {
                let block = read.block(Some(item));
                ArgumentSection {
                    at: Some(at),
                    index: read.number(block, "section_index"),
                    status: read.word(block, "status", Progress::parse),
                    file: read.text(block, "argument_map_file"),
                    verified: read.number(block, "verified_claims"),
                    deferred: read.number(block, "deferred_claims"),
                    completed_at: read.text(block, "completed_at"),
                }
            }),
            birds_eye_approved: self.truth(block, "birds_eye_approved"),
            completed_at: self.text(block, "completed_at"),
        }
    }

    fn writing(&mut self, node: Option<Node<'_>>) -> WritingStage {
        let block = self.block(node);
        WritingStage {
            status: self.word(block, "status", Progress::parse),
            current_section: self.number(block, "current_section"),
            current_paragraph: self.number(block, "current_paragraph"),
            draft: self.text(block, "draft_file"),
            log: self.text(block, "paragraph_log"),
            sections: self.rows(block, "sections", |read, at, item| {
                let block = read.block(Some(item));
                WritingSection {
                    at: Some(at),
                    index: read.number(block, "section_index"),
                    total: read.number(block, "total_paragraphs"),
                    completed: read.number(block, "completed_paragraphs"),
                    status: read.word(block, "status", Progress::parse),
                    voice_score: read.score(block, "voice_check_score"),
                }
            }),
            completed_at: self.text(block, "completed_at"),
        }
    }

    fn voice(&mut self, node: Option<Node<'_>>) -> Voice {
        let block = self.block(node);
        Voice {
            rating: self.number(block, "first_assessment_user_rating"),
            notes: self.text(block, "calibration_notes"),
            mode: self.word(block, "voice_reference_mode", VoiceMode::parse),
        }
    }

    fn output(&mut self, node: Option<Node<'_>>) -> Output {
        let block = self.block(node);
        Output {
            file: self.text(block, "final_essay_file"),
            sources_verified: self.number(block, "sources_verified"),
            voice_score: self.score(block, "voice_consistency_score"),
            words: self.number(block, "total_word_count"),
            completed_at: self.text(block, "completed_at"),
        }
    }

    fn deferred(&mut self, at: usize, item: Node<'_>) -> Deferred {
        let block = self.block(Some(item));
        Deferred {
            at: Some(at),
            line: item.line(),
            claim: self.text(block, "claim_text"),
            section: self.number(block, "section"),
            paragraph: self.number(block, "paragraph"),
            reason: self.text(block, "reason"),
            added_at: self.text(block, "added_at"),
            resolved: self.truth(block, "resolved"),
        }
    }

    fn override_(&mut self, at: usize, item: Node<'_>) -> Override {
        let block = self.block(Some(item));
        Override {
            at: Some(at),
            line: item.line(),
            claim: self.text(block, "claim_text"),
            result: self.text(block, "fact_checker_result"),
            action: self.text(block, "user_action"),
            rationale: self.text(block, "user_rationale"),
            logged_at: self.text(block, "logged_at"),
        }
    }

    fn revision(&mut self, at: usize, item: Node<'_>) -> Revision {
        let block = self.block(Some(item));
        Revision {
            at: Some(at),
            stage: self.number(block, "stage_revisited"),
            impact: self.word(block, "impact", Impact::parse),
            reason: self.text(block, "reason"),
            archived: self.rows(block, "downstream_archived", |_, _, item| {
                item.as_str().unwrap_or_default().to_owned()
            }),
            timestamp: self.text(block, "timestamp"),
        }
    }
}
