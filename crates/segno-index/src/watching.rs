//! A disk that remembers what was looked at: what a card or a list of sessions was made from.
//!
//! No format has to say which files it reads. Whatever it looked at is noted with its stamp, and what was made from it
//! holds as long as none of the stamps has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use segno_disk::{DirEntry, ReadDisk, ReadFile, RelPath, Result, Stat};

use crate::bytes::{Reader, Rolling, Writer};
use crate::stamp::{Eye, Stamp};

/// What was looked at, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// What stood there.
    pub(crate) stamp: Stamp,
    /// The names in it and what they are, when it was listed: a hash of them.
    pub(crate) listed: Option<u64>,
    /// Whether its content was read.
    pub(crate) opened: bool,
}

impl Look {
    fn is_dir(&self) -> bool {
        matches!(self.stamp, Stamp::Present(version) if version.is_dir)
    }
}

/// Everything that was looked at, by path.
pub(crate) type Looks = BTreeMap<String, Look>;

/// A disk that remembers what was looked at.
pub(crate) struct Watching<'d> {
    files: &'d dyn ReadDisk,
    eye: &'d Eye,
    looks: Mutex<Looks>,
}

impl<'d> Watching<'d> {
    pub(crate) fn new(files: &'d dyn ReadDisk, eye: &'d Eye) -> Self {
        Self {
            files,
            eye,
            looks: Mutex::default(),
        }
    }

    /// What was looked at until now.
    pub(crate) fn into_looks(self) -> Looks {
        self.looks
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What was looked at until now, without what need not be looked at again because something else tells of it.
    pub(crate) fn into_needed_looks(self) -> Looks {
        let eye = self.eye;
        let mut looks = self.into_looks();
        // Whatever appears in a directory gives it another time. That still nothing stands there is asked now, after the
        // directory was looked at: what appeared between the two looks would not give it another time any more.
        let absent: Vec<String> = looks
            .iter()
            .filter(|(path, look)| {
                look.stamp == Stamp::Absent
                    && looks.get(dir_of(path)).is_some_and(Look::is_dir)
                    && eye.is_bare(path)
            })
            .map(|(path, _)| path.clone())
            .collect();
        for path in &absent {
            looks.remove(path);
        }
        // A directory that nobody listed is there as long as something in it is.
        let telling: BTreeSet<&str> = absent.iter().map(|path| dir_of(path)).collect();
        let glances: Vec<String> = looks
            .iter()
            .filter(|(path, look)| {
                look.is_dir()
                    && look.listed.is_none()
                    && !telling.contains(path.as_str())
                    && has_more_below(&looks, path)
            })
            .map(|(path, _)| path.clone())
            .collect();
        for path in &glances {
            looks.remove(path);
        }
        looks
    }

    /// Notes a path before it is looked at: what changes from then on is noticed the next time.
    fn note(&self, path: &RelPath, note: impl FnOnce(&mut Look)) {
        let mut looks = self
            .looks
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if !looks.contains_key(path.as_str()) {
            let look = Look {
                stamp: self.eye.stamp(path.as_str()),
                listed: None,
                opened: false,
            };
            looks.insert(path.as_str().to_owned(), look);
        }
        if let Some(look) = looks.get_mut(path.as_str()) {
            note(look);
        }
    }
}

impl ReadDisk for Watching<'_> {
    fn stat(&self, path: &RelPath) -> Result<Option<Stat>> {
        self.note(path, |_| {});
        self.files.stat(path)
    }

    fn list(&self, dir: &RelPath) -> Result<Vec<DirEntry>> {
        self.note(dir, |_| {});
        let entries = self.files.list(dir)?;
        self.note(dir, |look| look.listed = Some(names_hash(&entries)));
        Ok(entries)
    }

    fn open(&self, path: &RelPath) -> Result<Box<dyn ReadFile>> {
        self.note(path, |look| look.opened = true);
        self.files.open(path)
    }

    fn read_link(&self, path: &RelPath) -> Result<Option<String>> {
        self.note(path, |look| look.stamp = Stamp::Unsure);
        self.files.read_link(path)
    }
}

/// The directory that a path stands in.
pub(crate) fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// True when a file below a directory was found there and is looked at itself.
fn has_more_below(looks: &Looks, dir: &str) -> bool {
    let below = format!("{dir}/");
    looks
        .range(below.clone()..)
        .take_while(|(path, _)| path.starts_with(&below))
        .any(|(_, look)| matches!(look.stamp, Stamp::Present(version) if !version.is_dir))
}

/// A hash of the names in a directory and what they are.
pub(crate) fn names_hash(entries: &[DirEntry]) -> u64 {
    let mut hash = Rolling::default();
    for entry in entries {
        hash.add(entry.name.as_bytes());
        hash.add(&[0, entry.kind as u8]);
    }
    hash.value()
}

/// Writes what was looked at, paths below `base` without it. What may have changed within the tick of its reading is not
/// trusted.
pub(crate) fn write(looks: &Looks, base: &str, read_at: i64, out: &mut Writer) {
    out.number(looks.len() as u64);
    for (path, look) in looks {
        let below = path
            .strip_prefix(base)
            .filter(|rest| !base.is_empty() && (rest.is_empty() || rest.starts_with('/')));
        let flags = u8::from(below.is_some())
            | u8::from(look.listed.is_some()) << 1
            | u8::from(look.opened) << 2;
        out.byte(flags);
        out.text(below.unwrap_or(path));
        if let Some(hash) = look.listed {
            out.fixed(hash);
        }
        look.stamp.settled(read_at).write(out);
    }
}

/// Reads what [`write`] wrote, path by path, without keeping it: `each` is given the path and the look.
pub(crate) fn read_each(
    bytes: &mut Reader<'_>,
    base: &str,
    path: &mut String,
    mut each: impl FnMut(&str, Look),
) -> Option<()> {
    let count = bytes.number()?;
    for _ in 0..count {
        let flags = bytes.byte()?;
        let text = bytes.text()?;
        path.clear();
        if flags & 1 != 0 {
            path.push_str(base);
        }
        path.push_str(text);
        let listed = if flags & 2 != 0 {
            Some(bytes.fixed()?)
        } else {
            None
        };
        let look = Look {
            stamp: Stamp::read(bytes)?,
            listed,
            opened: flags & 4 != 0,
        };
        each(path, look);
    }
    Some(())
}
