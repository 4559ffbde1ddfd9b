//! Where discussions lie: canonical ones, and the three older sorts that are only read.

use std::collections::BTreeSet;

use segno_disk::{FileKind, ReadDisk, RelPath};

use super::{legacy, meta};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Root};
use crate::session::{Kind, SessionId};

/// Where canonical sessions lie.
pub const SESSIONS: &str = "docs/maestro/sessions/discuss";
/// Where work sessions lie.
pub(super) const WORK_SESSIONS: &str = "docs/sessions";
/// Where artifacts lie, the current generation first.
pub(super) const ARTIFACTS: [&str; 2] = ["docs/maestro/ai/artifacts", ".maestro/ai/artifacts"];
/// Where the earlier replay transcripts are looked for; one anywhere else is named by its path.
pub(super) const TRANSCRIPTS: &str = "tests/fixtures/discuss_replay";

/// Where answers of engines were once kept, a directory per topic.
pub(super) const ANSWERS: &str = "docs/maestro/ai/transcripts";
const ANSWER: &str = "_transcript.json";

pub(super) const META: &str = "meta.json";
pub(super) const TRANSCRIPT: &str = "transcript.jsonl";
pub(super) const RESULTS: &str = "_results.json";

/// How deep work sessions nest in each other.
const DEPTH: usize = 8;

/// What sort of session lies at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// `meta.json` and `transcript.jsonl`.
    Canonical,
    /// `session.json` with breadcrumbs.
    WorkSession,
    /// `*_results.json`.
    Artifact,
    /// A transcript of the first replays.
    Transcript,
}

impl Sort {
    /// What sort lies at a place: its path tells.
    pub fn of(place: &Place) -> Self {
        let name = place.path.name();
        if place.path.is_within(&fixed(SESSIONS)) {
            Self::Canonical
        } else if name == "session.json" {
            Self::WorkSession
        } else if name.ends_with(RESULTS) {
            Self::Artifact
        } else if has_transcript_suffix(name) {
            Self::Transcript
        } else {
            Self::Canonical
        }
    }

    /// What a person calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Canonical => "discuss session",
            Self::WorkSession => "work session",
            Self::Artifact => "discuss artifact",
            Self::Transcript => "replay transcript",
        }
    }
}

/// `meta.json` of a canonical session.
pub(super) fn meta_path(place: &Place) -> Result<RelPath> {
    Ok(place.path.join_name(META)?)
}

/// `transcript.jsonl` of a canonical session.
pub(super) fn transcript_path(place: &Place) -> Result<RelPath> {
    Ok(place.path.join_name(TRANSCRIPT)?)
}

/// The place of the canonical session with an id.
pub fn canonical(id: &SessionId) -> Result<Place> {
    Ok(Place {
        kind: Kind::Discuss,
        root: Root::Workspace,
        id: id.clone(),
        path: fixed(SESSIONS).join_name(id.as_str())?,
    })
}

/// Every session, canonical ones first. An older one that has a canonical twin is not listed: it is the same session.
pub(super) fn find(cx: &Context<'_>) -> Result<Vec<Place>> {
    if cx.root != Root::Workspace {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in cx.files.list(&fixed(SESSIONS))? {
        if entry.kind == FileKind::Dir && !entry.name.starts_with('.') {
            found.extend(listed(&fixed(SESSIONS), &entry.name, &entry.name));
        }
    }
    let mut taken: BTreeSet<SessionId> = found.iter().map(|place| place.id.clone()).collect();
    let mut older = Vec::new();
    work_sessions(cx.files, &fixed(WORK_SESSIONS), 0, &mut older)?;
    for dir in ARTIFACTS {
        files_of(cx.files, &fixed(dir), &mut older, |name| {
            name.strip_suffix(RESULTS)
        })?;
    }
    files_of(cx.files, &fixed(TRANSCRIPTS), &mut older, |name| {
        transcript_stem(name).filter(|_| !name.ends_with(RESULTS))
    })?;
    for topic in cx.files.list(&fixed(ANSWERS))? {
        let Ok(dir) = fixed(ANSWERS).join_name(&topic.name) else {
            continue;
        };
        for entry in cx.files.list(&dir)? {
            let path = dir.join_name(&entry.name).ok();
            older.extend(path.and_then(|path| answer_at(&path)));
        }
    }
    for place in older {
        // Of what only has the name of an older session, nothing is said here.
        if !taken.contains(&place.id) && !legacy::is_foreign(cx.files, &place)? {
            taken.insert(place.id.clone());
            found.push(place);
        }
    }
    Ok(found)
}

/// The canonical session of this very id; older ones of the same id are the same session.
pub(super) fn find_exact(cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
    let Ok(id) = SessionId::new(id) else {
        return Ok(Vec::new());
    };
    let place = canonical(&id)?;
    let is_hidden = id.as_str().starts_with('.');
    let stat = cx.files.stat(&place.path)?;
    let is_there = stat.is_some_and(|stat| stat.kind == FileKind::Dir);
    Ok((is_there && !is_hidden)
        .then_some(place)
        .into_iter()
        .collect())
}

/// The canonical sessions whose `meta.json` says another id than their directory does: this one.
pub(super) fn find_called(cx: &Context<'_>, id: &str) -> Result<Vec<Place>> {
    let mut found = Vec::new();
    for entry in cx.files.list(&fixed(SESSIONS))? {
        let Some(place) = listed(&fixed(SESSIONS), &entry.name, &entry.name) else {
            continue;
        };
        if entry.kind == FileKind::Dir && meta::called(cx.files, &meta_path(&place)?, id)? {
            found.push(place);
        }
    }
    Ok(found)
}

fn work_sessions(
    files: &dyn ReadDisk,
    dir: &RelPath,
    depth: usize,
    found: &mut Vec<Place>,
) -> Result<()> {
    for entry in files.list(dir)? {
        if entry.kind != FileKind::Dir || entry.name == "breadcrumbs" {
            continue;
        }
        let Ok(inner) = dir.join_name(&entry.name) else {
            continue;
        };
        let file = inner.join_name("session.json")?;
        if files.stat(&file)?.is_some() {
            found.extend(place(&entry.name, file));
        }
        if depth < DEPTH {
            work_sessions(files, &inner, depth + 1, found)?;
        }
    }
    Ok(())
}

fn files_of(
    files: &dyn ReadDisk,
    dir: &RelPath,
    found: &mut Vec<Place>,
    id: impl Fn(&str) -> Option<&str>,
) -> Result<()> {
    for entry in files.list(dir)? {
        if entry.kind == FileKind::File
            && let Some(id) = id(&entry.name)
        {
            found.extend(listed(dir, &entry.name, id));
        }
    }
    Ok(())
}

/// The session that an engine's kept answer is: its id is its topic and its time, as many topics have the same times.
fn answer_at(path: &RelPath) -> Option<Place> {
    let topic = path.parent()?;
    let at = path.name().strip_suffix(ANSWER)?;
    let is_there = topic.parent() == Some(fixed(ANSWERS));
    let id = format!("{}-{at}", topic.name());
    is_there.then(|| place(&id, path.clone()))?
}

/// A place below a directory that was listed. A name that cannot be part of a path is passed over here and reported by
/// [`super::unusable::names`].
fn listed(dir: &RelPath, name: &str, id: &str) -> Option<Place> {
    place(id, dir.join_name(name).ok()?)
}

/// A place, when its name can be an id.
fn place(id: &str, path: RelPath) -> Option<Place> {
    Some(Place {
        kind: Kind::Discuss,
        root: Root::Workspace,
        id: SessionId::new(id).ok()?,
        path,
    })
}

/// The session that a path belongs to.
pub(super) fn at_path(cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
    let found = place_at(cx, path)?;
    if let Some(place) = &found
        && legacy::is_foreign(cx.files, place)?
    {
        return Err(StoreError::Invalid {
            what: format!(
                "`{}` has the name of an older {}, but is none: another program wrote it",
                place.path,
                Sort::of(place).name()
            ),
            hints: vec!["nothing needs to be done about it here".to_owned()],
        });
    }
    Ok(found)
}

fn place_at(cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
    let files = cx.files;
    let is = |path: &RelPath, kind: FileKind| -> Result<bool> {
        Ok(files.stat(path)?.is_some_and(|stat| stat.kind == kind))
    };
    if is(path, FileKind::Dir)? {
        let sessions = fixed(SESSIONS);
        for name in [TRANSCRIPT, META] {
            let is_ours = name == TRANSCRIPT || path.is_within(&sessions);
            if is_ours && is(&path.join_name(name)?, FileKind::File)? {
                return Ok(place(path.name(), path.clone()));
            }
        }
        let session = path.join_name("session.json")?;
        if path.is_within(&fixed(WORK_SESSIONS)) && is(&session, FileKind::File)? {
            return Ok(place(path.name(), session));
        }
        return inside_work_session(cx, path);
    }
    if !is(path, FileKind::File)? {
        return Ok(None);
    }
    let name = path.name();
    let dir = path.parent().unwrap_or_default();
    if name == TRANSCRIPT || (name == META && is(&dir.join_name(TRANSCRIPT)?, FileKind::File)?) {
        return Ok(place(dir.name(), dir.clone()));
    }
    if path.is_within(&fixed(WORK_SESSIONS)) {
        return inside_work_session(cx, &dir);
    }
    if let Some(place) = answer_at(path) {
        return Ok(Some(place));
    }
    if let Some(id) = name.strip_suffix(RESULTS) {
        return Ok(place(id, path.clone()));
    }
    match transcript_stem(name) {
        Some(stem) if legacy::is_transcript(files, path)? => Ok(place(stem, path.clone())),
        _ => Ok(None),
    }
}

/// The work session that a directory lies in.
fn inside_work_session(cx: &Context<'_>, dir: &RelPath) -> Result<Option<Place>> {
    let top = fixed(WORK_SESSIONS);
    let mut dir = dir.clone();
    while dir.is_within(&top) && dir != top {
        let file = dir.join_name("session.json")?;
        if cx.files.stat(&file)?.is_some() {
            return Ok(place(dir.name(), file));
        }
        dir = dir.parent().unwrap_or_default();
    }
    Ok(None)
}

pub(super) fn transcript_stem(name: &str) -> Option<&str> {
    name.strip_suffix(".jsonl")
        .or_else(|| name.strip_suffix(".json"))
        .or_else(|| name.strip_suffix(".txt"))
        .filter(|stem| !stem.is_empty())
}

fn has_transcript_suffix(name: &str) -> bool {
    transcript_stem(name).is_some()
}

pub(super) fn fixed(path: &str) -> RelPath {
    RelPath::new(path).expect("because the path is written out here")
}
