//! The file: read within a budget, written back as differences.

use segno_disk::{Access, Basis, Change, RelPath, Stamp};

use super::clock;
use super::migrate;
use super::problems;
use super::record::{Patch, Path, Reader, Record as _};
use super::schema::{Session, VERSION};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::Problem;
use crate::text::damage;
use crate::text::yaml::{Budget, Doc, Node, Page, Style, YamlError};

/// The largest file that is read: far beyond any session, small enough to be read whole.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A file that could be read.
pub(super) struct Reading {
    pub(super) doc: Doc,
    stamp: Stamp,
    pub(super) age: Age,
    /// The version as the file spells it.
    pub(super) version: Option<String>,
    /// What the file says, as it says it.
    pub(super) session: Session,
    /// What was wrong with single values.
    pub(super) problems: Vec<Problem>,
}

/// How the file's version stands to ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    Old,
    Current,
    Newer,
}

/// What became of reading a file.
pub(super) enum Read {
    Session(Box<Reading>),
    /// Not YAML, too large, or no session: the file is left as it is.
    Broken(Problem),
}

/// Reads the file of a session. What is wrong with it is reported, not an error.
pub(super) fn read(cx: &Context<'_>, place: &Place) -> Result<Read> {
    let missing = || StoreError::NotFound {
        wanted: format!("{}/{}", place.kind, place.id),
        near: Vec::new(),
    };
    let stat = cx.files.stat(&place.path)?.ok_or_else(missing)?;
    if stat.len > MAX_BYTES as u64 {
        let problem = Problem::new("yaml_too_large", place.path.clone())
            .found(format!("{} bytes; at most {MAX_BYTES} are read", stat.len))
            .manual("split the file or move old parts to another");
        return Ok(Read::Broken(problem));
    }
    let (bytes, stamp) = cx.files.read(&place.path)?.ok_or_else(missing)?;
    Ok(match parse(&bytes, stamp, &place.path) {
        Ok(reading) => Read::Session(Box::new(reading)),
        Err(problem) => Read::Broken(damage::merge(&bytes, &place.path).unwrap_or(problem)),
    })
}

/// Reads a session that is going to be changed: a broken file and a newer version are refused.
pub(super) fn read_to_change(cx: &Context<'_>, place: &Place) -> Result<Box<Reading>> {
    let session = format!("{}/{}", place.kind, place.id);
    match read(cx, place)? {
        Read::Broken(problem) => Err(StoreError::Damaged {
            session,
            problems: vec![problem],
        }),
        Read::Session(reading) if reading.age == Age::Newer => Err(StoreError::TooNew {
            session,
            found: reading.version.clone().unwrap_or_default(),
            supported: VERSION,
        }),
        Read::Session(reading) => Ok(reading),
    }
}

/// Reads a session to look at it, as it would be after migration.
pub(super) fn read_to_show(cx: &Context<'_>, place: &Place) -> Result<Session> {
    match read(cx, place)? {
        Read::Session(reading) => Ok(reading.current()),
        Read::Broken(problem) => Err(StoreError::Damaged {
            session: format!("{}/{}", place.kind, place.id),
            problems: vec![problem],
        }),
    }
}

/// Carries an operation out on a session: reads it, migrates it, applies the operation, and writes what differs.
pub(super) fn change<T>(
    cx: &Context<'_>,
    place: &Place,
    operation: impl FnOnce(&mut Session) -> Result<T>,
) -> Result<Plan<T>> {
    let reading = read_to_change(cx, place)?;
    let mut session = reading.current();
    clock::count(&mut session, cx.now);
    let outcome = operation(&mut session)?;
    session.updated = Some(cx.now.utc_seconds());
    let change = reading.write(cx, place, &session, Vec::new())?;
    Ok(Plan::in_order(change.into_iter().collect(), outcome))
}

fn parse(bytes: &[u8], stamp: Stamp, path: &RelPath) -> std::result::Result<Reading, Problem> {
    let budget = Budget::with_bytes(MAX_BYTES);
    let doc = Doc::from_bytes(bytes, &budget).map_err(|error| error.problem(path.clone()))?;
    let mut reader = Reader::new(path.clone());
    let root = doc.root();
    let Some(node) = root.get("session").filter(|node| node.is_map()) else {
        return Err(Problem::new(problems::NOT_A_SESSION, path.clone())
            .line(root.line())
            .found("there is no mapping `session` in the file")
            .manual("move the file away if it is no brainstorm"));
    };
    let session = Session::read(node, &mut reader);
    let version = version(root);
    let is_apart = !session.techniques.iter().any(migrate::names_several);
    let age = age(version.as_deref(), node, is_apart);
    Ok(Reading {
        stamp,
        age,
        version,
        session,
        problems: reader.problems,
        doc,
    })
}

/// The version, from the top of the file; a migration script once wrote it into `session`, and the later of both counts.
fn version(root: Node<'_>) -> Option<String> {
    let top = root.get("format_version").and_then(Node::as_str);
    let inner = root.get("session")?.get("format_version");
    let inner = inner.and_then(Node::as_str);
    let later = match (top, inner) {
        (Some(top), Some(inner)) if parts(inner) > parts(top) => Some(inner),
        (top, inner) => top.or(inner),
    };
    later.map(ToOwned::to_owned)
}

fn parts(version: &str) -> Option<(u64, u64)> {
    let (major, minor) = version
        .trim()
        .split_once('.')
        .unwrap_or((version.trim(), "0"));
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn age(version: Option<&str>, session: Node<'_>, is_apart: bool) -> Age {
    match version.map(parts) {
        Some(Some((1, 2))) if is_apart => Age::Current,
        Some(Some((0, _) | (1, 0..=2))) => Age::Old,
        // Nothing this program knows: it is not rewritten.
        Some(_) => Age::Newer,
        None if !is_apart => Age::Old,
        None if session.get("techniques_history").is_some() => Age::Current,
        None if session
            .get("party_active")
            .or(session.get("panel_active"))
            .is_some() =>
        {
            Age::Current
        }
        None => Age::Old,
    }
}

impl Reading {
    /// The session in the current version.
    pub(super) fn current(&self) -> Session {
        match self.age {
            Age::Old => migrate::migrated(&self.session),
            Age::Current | Age::Newer => self.session.clone(),
        }
    }

    /// The node of the session.
    pub(super) fn node(&self) -> Node<'_> {
        let root = self.doc.root();
        root.get("session").unwrap_or(root)
    }

    /// The line of a key of the session; of the session itself where there is no such key.
    pub(super) fn line(&self, key: &str) -> u64 {
        self.node().get(key).unwrap_or_else(|| self.node()).line()
    }

    /// The change that makes the file say what `session` says; `None` when it does already.
    ///
    /// An old file is brought to the current version on the way and kept as it was under another name.
    pub(super) fn write(
        &self,
        cx: &Context<'_>,
        place: &Place,
        session: &Session,
        fill: Vec<Path>,
    ) -> Result<Option<Change>> {
        let Some(text) = self
            .text(session, fill)
            .map_err(|error| not_editable(&error))?
        else {
            return Ok(None);
        };
        let basis = Basis::Version(self.stamp);
        let change = Change::replace(
            place.path.clone(),
            text.into_bytes(),
            basis,
            Access::Private,
        );
        if self.age != Age::Old {
            return Ok(Some(change));
        }
        let version = self.version.as_deref().unwrap_or("1.0");
        let backup = free_name(cx, |n| match n {
            1 => place.path.with_suffix(&format!(".v{version}.bak")),
            n => place.path.with_suffix(&format!(".v{version}-{n}.bak")),
        })?;
        Ok(Some(change.with_backup(backup)))
    }

    /// The new text of the file; `None` when nothing differs.
    pub(super) fn text(
        &self,
        session: &Session,
        mut fill: Vec<Path>,
    ) -> std::result::Result<Option<String>, YamlError> {
        if self.age == Age::Old && fill.is_empty() {
            let added = migrate::ADDED.iter();
            fill = added
                .map(|key| vec!["session".into(), (*key).into()])
                .collect();
        }
        let top = self.doc.root().get("format_version").and_then(Node::as_str);
        let is_versioned = self.age == Age::Old || (top.is_none() && !fill.is_empty());
        let mut patch = Patch::new(&self.doc, fill);
        if is_versioned {
            let mut before = None;
            let written = Some(VERSION.to_owned());
            let old = top.map(ToOwned::to_owned);
            let root = self.doc.root();
            patch.field(
                root,
                &mut Path::new(),
                "format_version",
                &mut before,
                (&old, &written),
            )?;
        }
        let mut path: Path = vec!["session".into()];
        Session::diff(&self.session, session, &mut patch, self.node(), &mut path)?;
        patch.finish()
    }
}

/// The first name in a row that nothing stands at.
pub(super) fn free_name(
    cx: &Context<'_>,
    name: impl Fn(u32) -> std::result::Result<RelPath, segno_disk::DiskError>,
) -> Result<RelPath> {
    let mut n = 1;
    loop {
        let path = name(n)?;
        if cx.files.stat(&path)?.is_none() {
            return Ok(path);
        }
        n += 1;
    }
}

/// The text of a new file.
pub(super) fn new_text(session: &Session) -> Result<String> {
    let style = Style {
        inline_keys: super::schema::INLINE_KEYS,
        ..Style::default()
    };
    let mut page = Page::new(style);
    page.entry("format_version", VERSION)
        .blank()
        .open("session");
    for (key, value) in session.to_map().iter() {
        page.entry(key.clone(), value.clone());
    }
    page.close();
    page.finish().map_err(|error| not_editable(&error))
}

fn not_editable(error: &YamlError) -> StoreError {
    Refusal::rule(phrase!(
        "brainstorm-not-editable",
        "the file cannot be changed as asked: {error}",
        error = error
    ))
    .hint(phrase!(
        "brainstorm-not-editable-hint",
        "edit the file by hand at that line, then try again"
    ))
    .into()
}
