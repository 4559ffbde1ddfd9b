//! The document's validation table, row by row, and what else can disagree between state and artifacts.
//!
//! Every row is a problem with its own code. What to do about it is the user's choice: put the file back, let
//! `segno recover` mark it for review, or say with `segno recover --stage` where to resume.

use std::collections::BTreeMap;

use segno_disk::{FileKind, RelPath};

use super::evidence::{Evidence, is_file};
use super::names::{self, STATE};
use super::problem;
use super::schema::{Progress, Stage};
use super::state::State;
use crate::formats::Context;
use crate::session::Problem;
use crate::text::damage;

/// What the table is checked against: a state and the names of the files beside it.
pub(super) struct Subject<'a, 'c> {
    pub(super) cx: &'a Context<'c>,
    pub(super) dir: &'a RelPath,
    pub(super) state: &'a State,
    pub(super) files: &'a BTreeMap<String, FileKind>,
}

/// Where a path of the state leads.
enum Leads {
    There,
    Missing,
    Outside,
}

impl Subject<'_, '_> {
    /// The table, from names alone.
    pub(super) fn table(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        self.stages(&mut found);
        self.sections(&mut found);
        self.ranges(&mut found);
        self.paths(&mut found);
        self.consistency(&mut found);
        found
    }

    fn problem(&self, code: &'static str, text: String) -> Problem {
        let file = names::file(self.dir, STATE).unwrap_or_else(|_| self.dir.clone());
        Problem::new(code, file).found(text)
    }

    fn leads(&self, raw: &str) -> Leads {
        let session_dir = self.state.session_dir.as_deref();
        match names::resolve(self.dir, session_dir, raw) {
            Err(names::Outside) => Leads::Outside,
            Ok(path) if is_file(self.cx, self.dir, self.files, &path) => Leads::There,
            Ok(_) => Leads::Missing,
        }
    }

    fn is_there(&self, raw: Option<&str>) -> bool {
        raw.is_some_and(|raw| matches!(self.leads(raw), Leads::There))
    }

    /// Row 1. Stage marked "completed": its artifact exists at the specified path.
    fn stages(&self, found: &mut Vec<Problem>) {
        let artifacts = [
            (Stage::Thesis, self.state.thesis.file.as_deref()),
            (Stage::Outline, self.state.outline.file.as_deref()),
            (Stage::Writing, self.state.writing.draft.as_deref()),
        ];
        for (stage, raw) in artifacts {
            if self.state.stage(stage) == Progress::Completed && !self.is_there(raw) {
                let what = raw.map_or_else(
                    || "names no artifact".to_owned(),
                    |raw| format!("`{raw}` is not there"),
                );
                found.push(
                    self.problem(
                        problem::STAGE_ARTIFACT_MISSING,
                        format!("stage {} is completed, but {what}", stage.number()),
                    )
                    .lossy(ASK_STAGE),
                );
            }
        }
        let arguments = &self.state.arguments;
        if self.state.stage(Stage::Arguments) == Progress::Completed
            && arguments.sections.is_empty()
        {
            found.push(
                self.problem(
                    problem::STAGE_ARTIFACT_MISSING,
                    "stage 3 is completed, but lists no sections".to_owned(),
                )
                .lossy(ASK_STAGE),
            );
        }
    }

    /// Row 2. Section marked "completed": its argument map exists.
    fn sections(&self, found: &mut Vec<Problem>) {
        for row in &self.state.arguments.sections {
            if row.status == Some(Progress::Completed) && !self.is_there(row.file.as_deref()) {
                let index = row.index.unwrap_or(0);
                let what = row.file.as_deref().unwrap_or("no file");
                found.push(
                    self.problem(
                        problem::ARGUMENT_MAP_MISSING,
                        format!("section {index} is completed, but its argument map ({what}) is not there"),
                    )
                    .lossy("put the map back, or mark the section for review"),
                );
            }
        }
    }

    /// Rows 3 and 4. `current_section` within 1 to `total_sections`, `current_paragraph` within a reasonable range.
    fn ranges(&self, found: &mut Vec<Problem>) {
        let total = self.state.total_sections();
        let sections = [
            (3, self.state.arguments.current_section),
            (4, self.state.writing.current_section),
        ];
        for (stage, current) in sections {
            let Some(current) = current else { continue };
            if current == 0 || total.is_some_and(|total| current > total) {
                let range =
                    total.map_or_else(|| "1 or more".to_owned(), |total| format!("1 to {total}"));
                found.push(
                    self.problem(
                        problem::SECTION_OUT_OF_RANGE,
                        format!(
                            "stage {stage} is at section {current}, which is not within {range}"
                        ),
                    )
                    .lossy("go to the first unfinished section, or to `--stage N --section M`"),
                );
            }
        }
        if let Some(current) = self.state.writing.current_paragraph {
            let most = self.most_paragraphs();
            if current == 0 || current > most {
                found.push(
                    self.problem(
                        problem::PARAGRAPH_OUT_OF_RANGE,
                        format!(
                            "stage 4 is at paragraph {current}, which is not within 1 to {most}"
                        ),
                    )
                    .lossy("go behind the last paragraph that is written"),
                );
            }
        }
    }

    /// One more than the current section has or is to have.
    fn most_paragraphs(&self) -> u64 {
        let section = self.state.writing.current_section;
        let row = section.and_then(|section| self.state.written(section));
        row.map_or(1, |row| {
            let known = row.total.unwrap_or(0).max(row.completed.unwrap_or(0));
            known + 1
        })
    }

    /// Row 5. All referenced files exist; and no path leads outside the session directory.
    fn paths(&self, found: &mut Vec<Problem>) {
        for (what, raw, is_checked_by_status) in self.references() {
            match self.leads(raw) {
                Leads::There => {}
                Leads::Outside => found.push(
                    self.problem(
                        problem::PATH_OUTSIDE,
                        format!("`{raw}` ({what}) leads outside the session directory; it is not opened"),
                    )
                    .lossy("forget the path; the artifact of that name in the session directory is taken when there is one"),
                ),
                Leads::Missing if is_checked_by_status => {}
                Leads::Missing => found.push(
                    self.problem(problem::FILE_MISSING, format!("`{raw}` ({what}) is not there"))
                        .lossy("put the file back, or forget the path"),
                ),
            }
        }
    }

    /// Every path of the state: what it is, the path, and whether a row above speaks of it already.
    fn references(&self) -> Vec<(String, &str, bool)> {
        let state = self.state;
        let done = |stage: Stage| state.stage(stage) == Progress::Completed;
        let named = [
            (
                "thesis_file",
                state.thesis.file.as_deref(),
                done(Stage::Thesis),
            ),
            ("development_log", state.thesis.log.as_deref(), false),
            (
                "outline_file",
                state.outline.file.as_deref(),
                done(Stage::Outline),
            ),
            (
                "draft_file",
                state.writing.draft.as_deref(),
                done(Stage::Writing),
            ),
            ("paragraph_log", state.writing.log.as_deref(), false),
            ("final_essay_file", state.output.file.as_deref(), false),
        ];
        let named = named
            .into_iter()
            .filter_map(|(what, raw, told)| Some((what.to_owned(), raw?, told)));
        let maps = state.arguments.sections.iter().filter_map(|row| {
            let what = format!("argument_map_file of section {}", row.index.unwrap_or(0));
            let told = row.status == Some(Progress::Completed);
            Some((what, row.file.as_deref()?, told))
        });
        named.chain(maps).collect()
    }

    /// Row 6. No stage is `completed` while one before it is `not_started`.
    fn consistency(&self, found: &mut Vec<Problem>) {
        for stage in Stage::ALL {
            let blocking = Stage::ALL
                .into_iter()
                .take_while(|earlier| *earlier < stage)
                .find(|earlier| self.state.stage(*earlier) == Progress::NotStarted);
            if self.state.stage(stage) == Progress::Completed
                && let Some(earlier) = blocking
            {
                found.push(
                    self.problem(
                        problem::PREREQUISITE_NOT_STARTED,
                        format!(
                            "stage {} is completed, but stage {} is not started",
                            stage.number(),
                            earlier.number()
                        ),
                    )
                    .lossy(ASK_STAGE),
                );
            }
        }
    }

    /// What only the content of the artifacts shows.
    pub(super) fn against(&self, evidence: &Evidence) -> Vec<Problem> {
        let mut found = evidence.problems.clone();
        self.unrecorded(evidence, &mut found);
        self.beyond_outline(evidence, &mut found);
        self.paragraphs(evidence, &mut found);
        self.logged(evidence, &mut found);
        self.halves(evidence, &mut found);
        damage::settle_first(found)
    }

    /// An artifact that was cut off: what a completed stage is about is not in it.
    fn halves(&self, evidence: &Evidence, found: &mut Vec<Problem>) {
        let done = |stage: Stage| self.state.stage(stage) == Progress::Completed;
        let mut lacks = |path: &str, what: String| {
            let text = format!("`{path}` belongs to a completed stage, and {what}");
            let problem = self.problem(problem::ARTIFACT_INCOMPLETE, text);
            found.push(problem.manual("take the last good one from git or a backup"));
        };
        if let Some(thesis) = evidence.thesis.as_ref().filter(|_| done(Stage::Thesis))
            && thesis.read.statement.is_empty()
        {
            lacks(&thesis.path, "has no thesis statement".to_owned());
        }
        if let Some(outline) = evidence.outline.as_ref().filter(|_| done(Stage::Outline)) {
            let there = outline.read.sections.len() as u64;
            let total = self.state.total_sections().unwrap_or(0);
            if there < total {
                lacks(&outline.path, format!("has {there} of {total} sections"));
            }
        }
        for row in &self.state.arguments.sections {
            let map = row.index.and_then(|section| evidence.maps.get(&section));
            if let Some(map) = map.filter(|map| map.read.points.is_empty())
                && row.status == Some(Progress::Completed)
            {
                lacks(&map.path, "has no point".to_owned());
            }
        }
    }

    fn logged(&self, evidence: &Evidence, found: &mut Vec<Problem>) {
        let logged = evidence.paragraph_log.as_ref().map(|log| &log.read);
        for (section, there) in evidence.log_differs() {
            let known = logged.and_then(|log| log.get(&section)).unwrap_or(&0);
            found.push(
                self.problem(
                    problem::PARAGRAPH_LOG_DIFFERS,
                    format!("section {section} has {there} paragraphs in the draft and {known} in the paragraph log"),
                )
                .safe("note in the log what the draft has"),
            );
        }
    }

    fn unrecorded(&self, evidence: &Evidence, found: &mut Vec<Problem>) {
        let state = self.state;
        let mut artifact = |path: Option<&str>, raw: Option<&str>| {
            if let (Some(path), None) = (path, raw) {
                found.push(
                    self.problem(
                        problem::UNRECORDED_ARTIFACT,
                        format!("`{path}` is there, but the state does not know of it"),
                    )
                    .safe("record it in the state"),
                );
            }
        };
        let thesis = evidence.thesis.as_ref().map(|found| found.path.as_str());
        artifact(thesis, state.thesis.file.as_deref());
        artifact(
            evidence.development_log.as_deref(),
            state.thesis.log.as_deref(),
        );
        let outline = evidence.outline.as_ref().map(|found| found.path.as_str());
        artifact(outline, state.outline.file.as_deref());
        for (section, map) in &evidence.maps {
            let row = state.argument(*section);
            artifact(Some(&map.path), row.and_then(|row| row.file.as_deref()));
        }
        let draft = evidence.draft.as_ref().map(|found| found.path.as_str());
        artifact(draft, state.writing.draft.as_deref());
        let log = evidence
            .paragraph_log
            .as_ref()
            .map(|found| found.path.as_str());
        artifact(log, state.writing.log.as_deref());
        let essay = evidence
            .final_essay
            .as_ref()
            .map(|found| found.path.as_str());
        artifact(essay, state.output.file.as_deref());
    }

    fn beyond_outline(&self, evidence: &Evidence, found: &mut Vec<Problem>) {
        let total = evidence.titles().len() as u64;
        if total == 0 {
            return;
        }
        for section in evidence.maps.keys().filter(|section| **section > total) {
            found.push(
                self.problem(
                    problem::SECTION_NOT_IN_OUTLINE,
                    format!("section {section} has arguments, but the outline has {total} sections"),
                )
                .manual("put the section back into the outline, or archive the map with `segno essay revise ID --stage 2`"),
            );
        }
    }

    fn paragraphs(&self, evidence: &Evidence, found: &mut Vec<Problem>) {
        let Some(draft) = &evidence.draft else { return };
        if self.state.writing.draft.is_none() {
            // Told already: the draft is not recorded at all.
            return;
        }
        for (section, written) in draft.read.numbered(&evidence.titles()) {
            let there = written.paragraphs.len() as u64;
            let row = self.state.written(section);
            let known = row.and_then(|row| row.completed).unwrap_or(0);
            if there != known {
                found.push(
                    self.problem(
                        problem::PARAGRAPHS_DIFFER,
                        format!(
                            "section {section} has {there} paragraphs in the draft and {known} in the state"
                        ),
                    )
                    .safe("count those of the draft"),
                );
            }
        }
    }
}

const ASK_STAGE: &str = "put the file back, mark the stage for review, or say where to resume with `--stage N --section M`";
