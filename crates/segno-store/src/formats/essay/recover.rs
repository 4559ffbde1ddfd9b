//! The three levels of recovery: the backup, the artifacts, a person.
//!
//! Whatever level is used, the unreadable file stays under a name of its own beside the new one.

use std::collections::BTreeMap;

use segno_disk::{Access, Basis, Change, FileKind, RelPath, Stamp};

use super::evidence::{self, Evidence};
use super::load::{self, Read, Readable, Session, list, read_state};
use super::names::{self, BACKUP, STATE};
use super::reconcile::{Reach, reconcile};
use super::schema::{Progress, Stage};
use super::state::State;
use super::store_artifact::{no_section, no_stage};
use super::validate::Subject;
use super::{codec, paragraph_log, template};
use crate::error::Result;
use crate::formats::{Context, Place, Plan, RecoverOptions, Recovery};
use crate::session::{Problem, Timestamp};
use crate::text::damage;

/// The document's report of level 1.
pub(super) const FROM_BACKUP: &str =
    "Session state recovered from backup. Last state update may be lost.";
/// The document's report of level 2.
pub(super) const FROM_ARTIFACTS: &str =
    "Session state reconstructed from artifact files. Some metadata may be approximate.";
/// The document's report of level 3.
pub(super) const NOT_RECOVERED: &str = "Session state could not be automatically recovered.";

/// Repairs a session.
pub(super) fn recover(
    cx: &Context<'_>,
    place: &Place,
    options: &RecoverOptions,
) -> Result<Plan<Recovery>> {
    let dir = &place.path;
    let files = list(cx.files, dir)?;
    let work = Work {
        cx,
        place,
        options,
        files,
    };
    match read_state(cx.files, dir, STATE)? {
        Read::State(readable) => work.settle(*readable),
        Read::Missing => work.level_1(None, vec![load::missing_state(dir)]),
        // Which side of a merge is right is not for a program to say.
        Read::Unreadable(problems, _)
            if problems
                .iter()
                .any(|problem| problem.code == damage::MERGE_CONFLICT) =>
        {
            Ok(Plan::nothing(Recovery {
                left: problems,
                ..Recovery::default()
            }))
        }
        Read::Unreadable(problems, stamp) => work.level_1(Some(stamp), problems),
    }
}

struct Work<'a, 'c> {
    cx: &'a Context<'c>,
    place: &'a Place,
    options: &'a RecoverOptions,
    files: BTreeMap<String, FileKind>,
}

impl Work<'_, '_> {
    fn dir(&self) -> &RelPath {
        &self.place.path
    }

    fn reach(&self) -> Reach {
        if self.options.safe_only {
            Reach::Record
        } else {
            Reach::Settle
        }
    }

    /// The state can be read: state and artifacts are made to agree.
    fn settle(&self, readable: Readable) -> Result<Plan<Recovery>> {
        let session = Session::of(readable, self.place, self.files.clone());
        let mut report = Recovery::default();
        let mut after = session.state.clone();
        let mut evidence = self.agree(&mut after, &mut report)?;
        let noted = self.note_in_log(&after, &mut evidence, &mut report)?;
        self.left(&after, &evidence, &session.problems, &mut report);
        if after == session.state {
            return Ok(Plan::in_order(noted.into_iter().collect(), report));
        }
        session.save(&after, noted.into_iter().collect(), report)
    }

    /// Brings the paragraph log in line with the draft, which is the truth of the two.
    fn note_in_log(
        &self,
        state: &State,
        evidence: &mut Evidence,
        report: &mut Recovery,
    ) -> Result<Option<Change>> {
        let differing = evidence.log_differs();
        let counts = evidence.paragraph_counts();
        let Some(log) = evidence
            .paragraph_log
            .as_mut()
            .filter(|_| !differing.is_empty())
        else {
            return Ok(None);
        };
        let session_dir = state.session_dir.as_deref();
        let Ok(path) = names::resolve(self.dir(), session_dir, &log.path) else {
            return Ok(None);
        };
        for (section, count) in &differing {
            report.done.push(format!(
                "noted in the paragraph log that section {section} has {count} paragraphs, as the draft has them"
            ));
        }
        let change = paragraph_log::append(self.cx, &path, &counts)?;
        log.read = counts;
        Ok(change)
    }

    /// Brings a state in line with the artifacts, then with what the user directs.
    fn agree(&self, state: &mut State, report: &mut Recovery) -> Result<Evidence> {
        let evidence = evidence::gather(self.cx, self.dir(), state, &self.files)?;
        reconcile(state, &evidence, self.reach(), report);
        self.direct(state, report)?;
        Ok(evidence)
    }

    /// What is still wrong afterwards.
    fn left(&self, state: &State, evidence: &Evidence, values: &[Problem], report: &mut Recovery) {
        let subject = Subject {
            cx: self.cx,
            dir: self.dir(),
            state,
            files: &self.files,
        };
        report.left = values.to_vec();
        report.left.extend(subject.table());
        report.left.extend(subject.against(evidence));
    }

    fn level_1(&self, damaged: Option<Stamp>, problems: Vec<Problem>) -> Result<Plan<Recovery>> {
        if self.options.safe_only {
            return Ok(Plan::nothing(Recovery {
                left: problems,
                ..Recovery::default()
            }));
        }
        match read_state(self.cx.files, self.dir(), BACKUP)? {
            Read::State(backup) => {
                let mut report = Recovery::default();
                report.done.push(FROM_BACKUP.to_owned());
                let mut after = backup.state.clone();
                let mut evidence = self.agree(&mut after, &mut report)?;
                let text = codec::encode(&backup.doc, &backup.state, &after)?;
                // Crash: the log may be in line with the draft while the state is not yet; the next recovery goes on.
                let noted = self.note_in_log(&after, &mut evidence, &mut report)?;
                self.left(&after, &evidence, &backup.problems, &mut report);
                let put = self.put(text, damaged, &mut report)?;
                let changes = noted.into_iter().chain([put]).collect();
                Ok(Plan::in_order(changes, report))
            }
            Read::Unreadable(..) => self.level_2(damaged, problems, true),
            Read::Missing => self.level_2(damaged, problems, false),
        }
    }

    fn level_2(
        &self,
        damaged: Option<Stamp>,
        problems: Vec<Problem>,
        damaged_backup: bool,
    ) -> Result<Plan<Recovery>> {
        let mut report = Recovery::default();
        let (mut state, started) = self.blank();
        let mut evidence = evidence::gather(self.cx, self.dir(), &state, &self.files)?;
        if evidence.is_empty() && self.options.stage.is_none() {
            return Ok(self.level_3(problems));
        }
        report.done.push(if evidence.is_empty() {
            "A fresh state was made at the place you named.".to_owned()
        } else {
            FROM_ARTIFACTS.to_owned()
        });
        reconcile(&mut state, &evidence, Reach::Rebuild, &mut report);
        if let Some(found) = &evidence.final_essay
            && found.read.pipeline.starts_with("essay-")
        {
            state.pipeline_id = Some(found.read.pipeline.clone());
        }
        self.direct(&mut state, &mut report)?;
        unknown(&state, started, &mut report);
        let text = template::print(&state)?;
        let noted = self.note_in_log(&state, &mut evidence, &mut report)?;
        let mut changes: Vec<Change> = noted.into_iter().collect();
        if damaged_backup {
            // Crash: the damaged backup is set aside first, so that no later save puts a new one over it.
            let kept = self.free_name(BACKUP)?;
            report.done.push(format!(
                "the unreadable backup is kept as `{}`",
                kept.name()
            ));
            changes.push(Change::Move {
                from: names::file(self.dir(), BACKUP)?,
                to: kept,
                access: Access::Private,
            });
        }
        changes.push(self.put(text, damaged, &mut report)?);
        self.left(&state, &evidence, &[], &mut report);
        Ok(Plan::in_order(changes, report))
    }

    /// Nothing to go by: says what is there and asks.
    fn level_3(&self, mut problems: Vec<Problem>) -> Plan<Recovery> {
        let there: Vec<&str> = self.files.keys().map(String::as_str).collect();
        let listing = if there.is_empty() {
            "nothing".to_owned()
        } else {
            there.join(", ")
        };
        let ask = format!(
            "There is: {listing}. Where to resume? `segno recover {} --stage N --section M` makes a fresh state there",
            self.place.id
        );
        if let Some(first) = problems.first_mut() {
            first.found = format!("{NOT_RECOVERED} {}", first.found);
            *first = first.clone().manual(ask);
        }
        Plan::nothing(Recovery {
            left: problems,
            ..Recovery::default()
        })
    }

    /// A state of which nothing is known but the directory.
    fn blank(&self) -> (State, bool) {
        let now = self.cx.now.utc_seconds();
        let name = self.dir().name();
        let named = names::time_of(name);
        let id = format!("essay-{}", named.unwrap_or("recovered"));
        let dir = super::begin::session_dir_text(self.cx, self.dir());
        let mut state = template::fresh(id, dir, now);
        let started = named.and_then(Timestamp::parse);
        if let Some(started) = &started {
            let at = started.instant(self.cx.now.zone());
            state.started_at = Some(at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        }
        (state, started.is_some())
    }

    /// Replaces the state file, the damaged one kept under a name of its own.
    fn put(&self, text: String, damaged: Option<Stamp>, report: &mut Recovery) -> Result<Change> {
        let change = load::state_change(
            self.dir(),
            text.into_bytes(),
            damaged.map_or(Basis::Absent, Basis::Version),
        )?;
        if damaged.is_none() {
            return Ok(change);
        }
        let kept = self.free_name(STATE)?;
        report
            .done
            .push(format!("the unreadable state is kept as `{}`", kept.name()));
        // Not the document's `.bak`: that one holds the previous valid state, which the damaged file is not.
        Ok(change.with_backup(kept))
    }

    fn free_name(&self, name: &str) -> Result<RelPath> {
        let mut n = 1_u64;
        loop {
            let wanted = format!("{name}.damaged.{n}");
            if !self.files.contains_key(&wanted) {
                return names::file(self.dir(), &wanted);
            }
            n += 1;
        }
    }

    /// Goes where the user says.
    fn direct(&self, state: &mut State, report: &mut Recovery) -> Result<()> {
        let Some(number) = self.options.stage else {
            return Ok(());
        };
        let stage = Stage::of(u64::from(number)).ok_or_else(|| no_stage(number))?;
        let section = self.options.section.map(u64::from);
        if let (Some(section), Some(total)) = (section, state.total_sections())
            && (section == 0 || section > total)
        {
            return Err(no_section(section, total, &self.place.id));
        }
        for earlier in Stage::ALL
            .into_iter()
            .take_while(|earlier| *earlier < stage)
        {
            if state.stage(earlier) == Progress::NotStarted {
                state.set_stage(earlier, Progress::NeedsReview);
            }
        }
        for later in stage.later() {
            if state.stage(later) == Progress::Completed {
                state.set_stage(later, Progress::NeedsReview);
            }
        }
        state.set_stage(stage, Progress::InProgress);
        state.go_to(stage);
        load::touch(state, self.cx.now);
        match stage {
            Stage::Arguments => state.arguments.current_section = section.or(Some(1)),
            Stage::Writing => {
                let section = section.unwrap_or(1);
                let written = state.written(section).and_then(|row| row.completed);
                state.writing.current_section = Some(section);
                state.writing.current_paragraph = Some(written.unwrap_or(0) + 1);
            }
            Stage::Thesis | Stage::Outline => {}
        }
        report
            .done
            .push(format!("goes on at {}", super::position::position(state)));
        Ok(())
    }
}

/// What a rebuilt state could not know.
fn unknown(state: &State, started: bool, report: &mut Recovery) {
    let mut unknown: Vec<String> = Vec::new();
    let by_name = state.pipeline_id.as_deref().is_some_and(|id| id.len() < 40);
    if by_name {
        unknown.push("pipeline_id (made from the directory's name)".to_owned());
    }
    unknown.push(if started {
        "started_at (taken from the directory's name)".to_owned()
    } else {
        "started_at".to_owned()
    });
    unknown.extend(
        [
            "style_profile_path",
            "samples_dir_path",
            "pushback_level",
            "voice_calibration",
            "revision_history",
        ]
        .map(str::to_owned),
    );
    if !state.writing.sections.is_empty() {
        unknown.push(
            "total_paragraphs of unfinished sections (the draft has at least as many)".to_owned(),
        );
    }
    if state.deferred.iter().any(|claim| claim.added_at.is_none()) {
        unknown.push("when claims were deferred, and whether they were resolved since".to_owned());
    }
    let dated = [
        (Stage::Thesis, &state.thesis.completed_at),
        (Stage::Outline, &state.outline.completed_at),
    ];
    for (stage, at) in dated {
        if state.stage(stage) == Progress::Completed && at.is_none() {
            unknown.push(format!("when stage {} was completed", stage.number()));
        }
    }
    report.unknown.extend(unknown);
}

/// What is wrong with a session whose state cannot be read, with the level that will repair it.
pub(super) fn unreadable(
    cx: &Context<'_>,
    place: &Place,
    problems: Vec<Problem>,
) -> Result<Vec<Problem>> {
    let backup = matches!(read_state(cx.files, &place.path, BACKUP)?, Read::State(_));
    let text = if backup {
        "take the previous state from session-state.yaml.bak"
    } else {
        "rebuild the state from the artifacts, or ask where to resume when there are none"
    };
    Ok(problems
        .into_iter()
        .map(|problem| problem.lossy(text))
        .collect())
}
