//! Where the files of a handover are: the handover directory itself, and the project around it that is only read.

use segno_disk::{FileKind, RelPath};

use crate::error::Result;
use crate::formats::{Context, Place};
use crate::session::{Kind, SessionId};

/// The id of the one handover that is being written.
pub(super) const CURRENT: &str = "current";

/// Where handovers are looked for when nobody configured a place; new ones are made in the first.
const DEFAULT_DIRS: [&str; 2] = [".claude/sdd/handover", ".sdd/handover"];

/// How many directories deep knowledge is looked for below its own.
const KNOWLEDGE_DEPTH: usize = 3;

/// The files of one handover directory and of the project it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The handover directory.
    pub dir: RelPath,
    /// What the current session passes on.
    pub session: RelPath,
    /// The append-only log.
    pub decisions: RelPath,
    /// Knowledge that waits for the end of the wave.
    pub buffer: RelPath,
    /// Earlier versions of `session`.
    pub archive: RelPath,
    /// The project's own files beside the handover.
    pub project: RelPath,
    /// One directory per spec.
    pub specs: RelPath,
    /// The order of the specs; the pipeline is active when it exists.
    pub roadmap: RelPath,
    /// Where knowledge is kept for good.
    pub knowledge: RelPath,
    /// The project's own rules.
    pub steering: RelPath,
}

impl Layout {
    /// The layout around a handover directory.
    pub fn at(dir: &RelPath) -> Result<Self> {
        let project = dir.parent().unwrap_or_default().join("project")?;
        let specs = project.join("specs")?;
        Ok(Self {
            session: dir.join("session.md")?,
            decisions: dir.join("decisions.md")?,
            buffer: dir.join("buffer.md")?,
            archive: dir.join("sessions")?,
            roadmap: specs.join("roadmap.md")?,
            knowledge: project.join("knowledge")?,
            steering: project.join("steering")?,
            dir: dir.clone(),
            specs,
            project,
        })
    }

    /// The layout that a place belongs to: its own directory, or that above the archive it stands in.
    pub fn of(place: &Place) -> Result<Self> {
        if is_current(place) {
            return Self::at(&place.path);
        }
        let above = place.path.parent().and_then(|archive| archive.parent());
        Self::at(&above.unwrap_or_default())
    }

    /// The file that holds the text of a place.
    pub(super) fn document(place: &Place) -> Result<RelPath> {
        if is_current(place) {
            Ok(Self::at(&place.path)?.session)
        } else {
            Ok(place.path.clone())
        }
    }

    fn exists(&self, cx: &Context<'_>) -> Result<bool> {
        for file in [&self.session, &self.decisions, &self.buffer] {
            if cx.files.stat(file)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// True for the handover that is being written, false for an archive.
pub(super) fn is_current(place: &Place) -> bool {
    place.id.as_str() == CURRENT
}

/// The directories that may hold a handover: the configured one, or the two that are known.
pub(super) fn dirs(cx: &Context<'_>) -> Result<Vec<RelPath>> {
    let names: Vec<&str> = match &cx.settings.handover.dir {
        Some(dir) => vec![dir.trim_end_matches('/')],
        None => DEFAULT_DIRS.to_vec(),
    };
    let mut dirs = Vec::new();
    for name in names {
        dirs.push(RelPath::new(name)?);
    }
    Ok(dirs)
}

/// The handover that verbs work on, there or not yet: the first directory that holds one, else the first of all.
pub fn current(cx: &Context<'_>) -> Result<Place> {
    let dirs = dirs(cx)?;
    let mut chosen = None;
    for dir in &dirs {
        if Layout::at(dir)?.exists(cx)? {
            chosen = Some(dir);
            break;
        }
    }
    if chosen.is_none() {
        // A project that is set up but has no handover yet decides between the two layouts.
        for dir in &dirs {
            let above = dir.parent().unwrap_or_default();
            if !above.is_root() && cx.files.stat(&above)?.is_some() {
                chosen = Some(dir);
                break;
            }
        }
    }
    let dir = chosen.or(dirs.first()).cloned().unwrap_or_default();
    place(cx, CURRENT, dir)
}

fn place(cx: &Context<'_>, id: &str, path: RelPath) -> Result<Place> {
    Ok(Place {
        kind: Kind::Handover,
        root: cx.root,
        id: SessionId::new(id)?,
        path,
    })
}

/// Every handover: the current one and the archives, by names alone.
pub(super) fn find(cx: &Context<'_>) -> Result<Vec<Place>> {
    let mut found = Vec::new();
    for dir in dirs(cx)? {
        let layout = Layout::at(&dir)?;
        if layout.exists(cx)? {
            found.push(place(cx, CURRENT, dir)?);
        }
        for entry in cx.files.list(&layout.archive)? {
            let Some(id) = entry.name.strip_suffix(".md") else {
                continue;
            };
            // A name that cannot be an id is somebody's own file.
            if entry.kind == FileKind::File && id != CURRENT && SessionId::new(id).is_ok() {
                found.push(place(cx, id, layout.archive.join_name(&entry.name)?)?);
            }
        }
    }
    Ok(found)
}

/// The files of knowledge that were kept for good, beside the current handover.
pub(super) fn knowledge(cx: &Context<'_>, place: &Place) -> Result<Vec<RelPath>> {
    let mut files = Vec::new();
    if is_current(place) {
        markdown_below(
            cx,
            &Layout::of(place)?.knowledge,
            KNOWLEDGE_DEPTH,
            &mut files,
        )?;
    }
    Ok(files)
}

fn markdown_below(
    cx: &Context<'_>,
    dir: &RelPath,
    depth: usize,
    files: &mut Vec<RelPath>,
) -> Result<()> {
    for entry in cx.files.list(dir)? {
        let Ok(path) = dir.join_name(&entry.name) else {
            continue;
        };
        match entry.kind {
            FileKind::File if entry.name.strip_suffix(".md").is_some() => files.push(path),
            FileKind::Dir if depth > 0 => markdown_below(cx, &path, depth - 1, files)?,
            _ => {}
        }
    }
    Ok(())
}

/// The handover that a path belongs to.
pub(super) fn at_path(cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>> {
    for dir in dirs(cx)? {
        if !path.is_within(&dir) {
            continue;
        }
        let layout = Layout::at(&dir)?;
        if path.is_within(&layout.archive) && *path != layout.archive {
            return Ok(find(cx)?.into_iter().find(|place| place.path == *path));
        }
        if layout.exists(cx)? {
            return Ok(Some(place(cx, CURRENT, dir)?));
        }
    }
    Ok(None)
}
