//! Paths that cannot leave the root: relative, normalised, checked before anything is opened.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::{DiskError, Reason};

/// The longest file name that the common file systems take, in bytes.
pub const MAX_NAME: usize = 255;
/// The longest path this program opens, in bytes.
pub const MAX_PATH: usize = 4000;

/// A path below a disk's root: UTF-8, `/` between names, no `.`/`..`/empty names, no NUL or control characters.
///
/// The root itself is the empty path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RelPath(String);

impl RelPath {
    /// The root of the disk.
    pub fn root() -> Self {
        Self(String::new())
    }

    /// Checks a path given as text.
    pub fn new(text: &str) -> Result<Self, DiskError> {
        if text.is_empty() {
            return Err(refuse(text, "it is empty"));
        }
        if text.starts_with('/') {
            return Err(refuse(text, "it is absolute"));
        }
        if text.len() > MAX_PATH {
            return Err(refuse(text, "it is too long"));
        }
        for name in text.split('/') {
            if let Some(why) = bad_name(name) {
                return Err(refuse(text, why));
            }
        }
        Ok(Self(text.to_owned()))
    }

    /// Adds one checked name, such as an id or a file name that came from outside.
    pub fn join_name(&self, name: &str) -> Result<Self, DiskError> {
        if name.contains('/') || name.contains('\\') {
            return Err(refuse(name, "it contains a path separator"));
        }
        if let Some(why) = bad_name(name) {
            return Err(refuse(name, why));
        }
        self.checked_join(name)
    }

    /// Adds a checked relative path of one or more names.
    pub fn join(&self, tail: &str) -> Result<Self, DiskError> {
        let tail = Self::new(tail)?;
        self.checked_join(&tail.0)
    }

    fn checked_join(&self, tail: &str) -> Result<Self, DiskError> {
        let joined = if self.0.is_empty() {
            tail.to_owned()
        } else {
            format!("{}/{tail}", self.0)
        };
        if joined.len() > MAX_PATH {
            return Err(refuse(&joined, "it is too long"));
        }
        Ok(Self(joined))
    }

    /// The same path with text added to its last name, such as `.bak`.
    pub fn with_suffix(&self, suffix: &str) -> Result<Self, DiskError> {
        Self::new(&format!("{}{suffix}", self.0))
    }

    /// The directory that holds this path; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        if self.0.is_empty() {
            return None;
        }
        Some(match self.0.rsplit_once('/') {
            Some((dir, _)) => Self(dir.to_owned()),
            None => Self::root(),
        })
    }

    /// The last name; empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The names from the root down.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|name| !name.is_empty())
    }

    /// True for the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// True when this path is `dir` or lies below it.
    pub fn is_within(&self, dir: &Self) -> bool {
        dir.is_root()
            || self.0 == dir.0
            || (self.0.starts_with(&dir.0) && self.0.as_bytes().get(dir.0.len()) == Some(&b'/'))
    }

    /// The path itself, then every directory above it, the root last.
    pub(crate) fn self_and_above(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(&*self.0), |path| {
            let above = path.rfind('/').map_or("", |at| path.split_at(at).0);
            (!path.is_empty()).then_some(above)
        })
    }

    /// The part below `dir`, when this path lies below it.
    pub fn below<'a>(&'a self, dir: &Self) -> Option<&'a str> {
        if dir.is_root() {
            return Some(&self.0);
        }
        self.0.strip_prefix(&dir.0)?.strip_prefix('/')
    }

    /// The path as text, `/` between names.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path for the system, to be joined to the root.
    pub fn to_path_buf(&self) -> PathBuf {
        PathBuf::from(&self.0)
    }
}

impl AsRef<Path> for RelPath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "." } else { &self.0 })
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Says why a name cannot be one component of a path, or `None` when it can.
pub fn bad_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it contains an empty name")
    } else if name == "." || name == ".." {
        Some("it contains `.` or `..`")
    } else if name.len() > MAX_NAME {
        Some("it contains a name that is too long")
    } else if name.chars().any(|c| c == '\0' || c.is_control()) {
        Some("it contains a control character")
    } else {
        None
    }
}

fn refuse(text: &str, why: &str) -> DiskError {
    // The text itself may hold escapes or megabytes: it is shown cut and quoted.
    let shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
    DiskError::because(
        "use",
        shown,
        Reason::BadPath,
        format!("not a usable path: {why}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_paths_are_refused_before_anything_is_opened() {
        let long = "x".repeat(256);
        let deep = "d/".repeat(2100) + "f";
        for bad in [
            "",
            "/etc/x",
            "../x",
            "a/../b",
            "a//b",
            ".",
            "..",
            "a/.",
            "a/",
            "nul\0",
            "esc\u{1b}[31m",
            "new\nline",
            &long,
            &deep,
        ] {
            let error = RelPath::new(bad).unwrap_err();
            assert_eq!(error.reason, Reason::BadPath, "{bad:?}");
        }
        for bad in ["a/b", "", ".", "..", "a\\b", "x\0", &long] {
            assert!(RelPath::root().join_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn usable_paths_keep_their_text() {
        let path = RelPath::new("会議/2026-11-18/001-plan-été/.session").unwrap();
        assert_eq!(path.name(), ".session");
        assert_eq!(
            path.parent().unwrap().as_str(),
            "会議/2026-11-18/001-plan-été"
        );
        assert!(path.is_within(&RelPath::new("会議").unwrap()));
        assert!(!path.is_within(&RelPath::new("会").unwrap()));
        let above: Vec<_> = path.self_and_above().skip(1).collect();
        assert_eq!(
            above,
            [
                "会議/2026-11-18/001-plan-été",
                "会議/2026-11-18",
                "会議",
                ""
            ]
        );
        assert_eq!(
            RelPath::new("a").unwrap().parent().unwrap(),
            RelPath::root()
        );
        assert_eq!(
            RelPath::root()
                .join("a/b")
                .unwrap()
                .below(&RelPath::new("a").unwrap()),
            Some("b")
        );
    }
}
