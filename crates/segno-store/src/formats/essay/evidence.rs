//! What the artifacts themselves say: the second source of truth when the state is lost or lags behind.

use std::collections::BTreeMap;

use segno_disk::{FileKind, RelPath};

use super::artifact::{
    ArgumentMap, Draft, FinalEssay, Outline, Thesis, fact_log, overrides_of, paragraph_counts,
    paragraph_sources, voice_scores,
};
use super::load::written_path;
use super::names::{self, DRAFT, FACT_LOG, FINAL, OUTLINE, PARAGRAPH_LOG, THESIS, VOICE_LOG};
use super::problem;
use super::schema::Score;
use super::state::{Override, State};
use crate::error::Result;
use crate::formats::Context;
use crate::session::Problem;
use crate::text::damage;

/// An artifact that is there: how the state writes its path, and what was read from it.
pub(super) struct Found<T> {
    pub(super) path: String,
    pub(super) read: T,
}

/// Everything that the artifacts of a session say.
#[derive(Default)]
pub(super) struct Evidence {
    pub(super) thesis: Option<Found<Thesis>>,
    pub(super) development_log: Option<String>,
    pub(super) outline: Option<Found<Outline>>,
    pub(super) maps: BTreeMap<u64, Found<ArgumentMap>>,
    pub(super) draft: Option<Found<Draft>>,
    /// The paragraphs of each section that the log knows.
    pub(super) paragraph_log: Option<Found<BTreeMap<u64, u64>>>,
    pub(super) final_essay: Option<Found<FinalEssay>>,
    pub(super) overrides: Vec<Override>,
    pub(super) voice: Vec<(u64, Score)>,
    /// Artifacts that are not text.
    pub(super) problems: Vec<Problem>,
}

impl Evidence {
    /// True when nothing can be rebuilt from it.
    pub(super) fn is_empty(&self) -> bool {
        self.thesis.is_none()
            && self.outline.is_none()
            && self.maps.is_empty()
            && self.draft.is_none()
            && self.final_essay.is_none()
    }

    /// The sections of the outline: number and title.
    pub(super) fn titles(&self) -> Vec<(u64, String)> {
        let outline = self.outline.as_ref().map(|found| &found.read);
        let sections = outline
            .map(|outline| outline.sections.as_slice())
            .unwrap_or_default();
        sections
            .iter()
            .map(|section| (section.index, section.title.clone()))
            .collect()
    }
}

impl Evidence {
    /// The paragraphs of each section as the draft has them; 0 for those that only the log knows.
    pub(super) fn paragraph_counts(&self) -> BTreeMap<u64, u64> {
        let logged = self.paragraph_log.iter().flat_map(|log| log.read.keys());
        let mut counts: BTreeMap<u64, u64> = logged.map(|section| (*section, 0)).collect();
        if let Some(draft) = &self.draft {
            for (section, written) in draft.read.numbered(&self.titles()) {
                counts.insert(section, written.paragraphs.len() as u64);
            }
        }
        counts
    }

    /// The sections of which the paragraph log says something else than the draft, with what the draft says.
    pub(super) fn log_differs(&self) -> Vec<(u64, u64)> {
        let Some(log) = &self.paragraph_log else {
            return Vec::new();
        };
        super::paragraph_log::differing(&log.read, &self.paragraph_counts())
    }
}

/// Reads the artifacts of a session.
pub(super) fn gather(
    cx: &Context<'_>,
    dir: &RelPath,
    state: &State,
    files: &BTreeMap<String, FileKind>,
) -> Result<Evidence> {
    let mut look = Look {
        cx,
        dir,
        state,
        files,
        problems: Vec::new(),
    };
    let mut found = Evidence {
        thesis: look.read(state.thesis.file.as_deref(), THESIS, Thesis::read)?,
        development_log: look.path(state.thesis.log.as_deref(), names::DEVELOPMENT_LOG)?,
        outline: look.read(state.outline.file.as_deref(), OUTLINE, Outline::read)?,
        draft: look.read(state.writing.draft.as_deref(), DRAFT, |text| {
            Draft::read(text)
        })?,
        paragraph_log: look.read(
            state.writing.log.as_deref(),
            PARAGRAPH_LOG,
            paragraph_counts,
        )?,
        final_essay: look.read(state.output.file.as_deref(), FINAL, FinalEssay::read)?,
        overrides: look
            .read(None, FACT_LOG, overrides_of)?
            .map(|found| found.read)
            .unwrap_or_default(),
        voice: look
            .read(None, VOICE_LOG, voice_scores)?
            .map(|found| found.read)
            .unwrap_or_default(),
        ..Evidence::default()
    };
    let rows = state.arguments.sections.iter().filter_map(|row| row.index);
    let named = files.keys().filter_map(|name| names::section_of(name));
    let sections: std::collections::BTreeSet<u64> = rows.chain(named).collect();
    for section in sections {
        let raw = state.argument(section).and_then(|row| row.file.as_deref());
        let name = names::argument_map(section);
        if let Some(map) = look.read(raw, &name, ArgumentMap::read)? {
            found.maps.insert(section, map);
        }
    }
    found.problems = look.problems;
    Ok(found)
}

/// The sources that the logs name, in order.
pub(super) fn logged_sources(
    cx: &Context<'_>,
    dir: &RelPath,
    state: &State,
) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    let log = state.writing.log.as_deref();
    let log = log.and_then(|raw| names::resolve(dir, state.session_dir.as_deref(), raw).ok());
    if let Some(path) = log
        && let Some((bytes, _)) = cx.files.read(&path)?
    {
        for sources in paragraph_sources(&String::from_utf8_lossy(&bytes)) {
            texts.extend(sources.split(';').map(str::to_owned));
        }
    }
    if let Some((bytes, _)) = cx.files.read(&names::file(dir, FACT_LOG)?)? {
        texts.extend(fact_log(&String::from_utf8_lossy(&bytes)));
    }
    Ok(texts)
}

struct Look<'a, 'c> {
    cx: &'a Context<'c>,
    dir: &'a RelPath,
    state: &'a State,
    files: &'a BTreeMap<String, FileKind>,
    problems: Vec<Problem>,
}

impl Look<'_, '_> {
    /// How the state writes the path of an artifact that is there: where the state says, else under its own name.
    fn path(&self, raw: Option<&str>, name: &str) -> Result<Option<String>> {
        Ok(self.place(raw, name)?.map(|(written, _)| written))
    }

    fn place(&self, raw: Option<&str>, name: &str) -> Result<Option<(String, RelPath)>> {
        if let Some(raw) = raw
            && let Ok(path) = names::resolve(self.dir, self.state.session_dir.as_deref(), raw)
            && is_file(self.cx, self.dir, self.files, &path)
        {
            return Ok(Some((raw.to_owned(), path)));
        }
        if self.files.get(name) == Some(&FileKind::File) {
            return Ok(Some((
                written_path(self.state, name),
                names::file(self.dir, name)?,
            )));
        }
        Ok(None)
    }

    fn read<T>(
        &mut self,
        raw: Option<&str>,
        name: &str,
        read: impl Fn(&str) -> T,
    ) -> Result<Option<Found<T>>> {
        let Some((written, path)) = self.place(raw, name)? else {
            return Ok(None);
        };
        let Some((bytes, _)) = self.cx.files.read(&path)? else {
            return Ok(None);
        };
        if let Some(damage) = damage::of_file(&bytes, &path) {
            let is_settled = damage.code != damage::MERGE_CONFLICT;
            self.problems.push(damage);
            if is_settled {
                // Nothing can be learnt from it, least of all that there is nothing.
                return Ok(None);
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            self.problems.push(
                Problem::new(problem::ARTIFACT_UNREADABLE, path)
                    .found("the artifact is not UTF-8 text throughout")
                    .manual("save it as UTF-8; what can be read of it is used until then"),
            );
        }
        Ok(Some(Found {
            path: written,
            read: read(&text),
        }))
    }
}

/// True when a file of the session is there. Files in its own directory cost no look at the disk.
pub(super) fn is_file(
    cx: &Context<'_>,
    dir: &RelPath,
    files: &BTreeMap<String, FileKind>,
    path: &RelPath,
) -> bool {
    match path.below(dir) {
        Some(name) if !name.contains('/') => files.get(name) == Some(&FileKind::File),
        // What cannot be looked at, or leads out of the root by a link, is not one of the session's files.
        _ => cx
            .files
            .stat(path)
            .is_ok_and(|stat| stat.is_some_and(|stat| stat.kind == FileKind::File)),
    }
}
