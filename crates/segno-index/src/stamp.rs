//! What the file system says of a file without its being read, and whether that can be trusted.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::bytes::{Reader, Writer};

/// One version of one file, as far as the file system tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// Nothing stands there.
    Absent,
    /// Something stands there.
    Present(Version),
    /// What stands there cannot be told from what may stand there next: it is looked at anew each time.
    Unsure,
}

/// What changes when a file does. The change time is there because a program can set the others back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) len: u64,
    pub(crate) modified: i64,
    pub(crate) changed: i64,
    pub(crate) inode: u64,
    pub(crate) is_dir: bool,
}

/// How long after a change another one may carry the same time, in nanoseconds: the tick of the kernel's clock, and two
/// seconds on file systems that count whole seconds.
const TICK: i64 = 20_000_000;
const COARSE_TICK: i64 = 2_000_000_000;

impl Stamp {
    /// A version read at `now` may change within the same tick and look the same: then it is not remembered as sure.
    pub(crate) fn settled(self, now: i64) -> Self {
        match self {
            Self::Present(version) => {
                let last = version.modified.max(version.changed);
                let coarse =
                    version.modified % 1_000_000_000 == 0 && version.changed % 1_000_000_000 == 0;
                let tick = if coarse { COARSE_TICK } else { TICK };
                if last.saturating_add(tick) >= now {
                    Self::Unsure
                } else {
                    self
                }
            }
            other => other,
        }
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        match self {
            Self::Absent => out.byte(0),
            Self::Unsure => out.byte(1),
            Self::Present(version) => {
                out.byte(2 + u8::from(version.is_dir));
                out.number(version.len);
                out.fixed(version.modified.cast_unsigned());
                out.fixed(version.changed.cast_unsigned());
                out.number(version.inode);
            }
        }
    }

    pub(crate) fn read(bytes: &mut Reader<'_>) -> Option<Self> {
        Some(match bytes.byte()? {
            0 => Self::Absent,
            1 => Self::Unsure,
            kind @ (2 | 3) => Self::Present(Version {
                len: bytes.number()?,
                modified: bytes.fixed()?.cast_signed(),
                changed: bytes.fixed()?.cast_signed(),
                inode: bytes.number()?,
                is_dir: kind == 3,
            }),
            _ => return None,
        })
    }
}

/// A directory below which files are looked at.
#[derive(Debug)]
pub(crate) struct Eye(OwnedFd);

impl Eye {
    pub(crate) fn open(root: &Path) -> std::io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::PATH | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::open(root, flags, Mode::empty())?))
    }

    /// True when not even a link stands there.
    pub(crate) fn is_bare(&self, path: &str) -> bool {
        let found = rustix::fs::statat(self.0.as_fd(), path, AtFlags::SYMLINK_NOFOLLOW);
        matches!(found, Err(Errno::NOENT))
    }

    /// Looks at a path below the directory; links are followed.
    pub(crate) fn stamp(&self, path: &str) -> Stamp {
        let path = if path.is_empty() { "." } else { path };
        stamp_at(self.0.as_fd(), path)
    }
}

/// Looks at very many paths that stand near each other: the way to the directory they stand in is gone once. Each thread
/// has its own, so that no two count the same open directory.
pub(crate) struct Gaze<'e> {
    eye: &'e Eye,
    /// A directory below the eye's, with the `/` behind it.
    near: Option<(String, OwnedFd)>,
}

impl<'e> Gaze<'e> {
    pub(crate) fn new(eye: &'e Eye) -> Self {
        Self { eye, near: None }
    }

    /// Looks from a directory from now on.
    pub(crate) fn turn(&mut self, dir: &str) {
        let is_there = |(near, _): &(String, OwnedFd)| near.strip_suffix('/') == Some(dir);
        if self.near.as_ref().is_some_and(is_there) {
            return;
        }
        let flags = OFlags::DIRECTORY | OFlags::PATH | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(self.eye.0.as_fd(), dir, flags, Mode::empty());
        self.near = opened.ok().map(|fd| (format!("{dir}/"), fd));
    }

    /// What [`Eye::stamp`] says.
    pub(crate) fn stamp(&self, path: &str) -> Stamp {
        if let Some((near, fd)) = &self.near
            && let Some(rest) = path.strip_prefix(near.as_str())
        {
            return stamp_at(fd.as_fd(), rest);
        }
        self.eye.stamp(path)
    }
}

fn stamp_at(dir: BorrowedFd<'_>, path: &str) -> Stamp {
    match rustix::fs::statat(dir, path, AtFlags::empty()) {
        Ok(raw) => Stamp::Present(Version {
            len: raw.st_size.cast_unsigned(),
            modified: nanoseconds(raw.st_mtime, raw.st_mtime_nsec),
            changed: nanoseconds(raw.st_ctime, raw.st_ctime_nsec),
            inode: raw.st_ino,
            is_dir: rustix::fs::FileType::from_raw_mode(raw.st_mode).is_dir(),
        }),
        Err(Errno::NOENT | Errno::NOTDIR) => Stamp::Absent,
        Err(_) => Stamp::Unsure,
    }
}

fn nanoseconds(seconds: i64, rest: impl TryInto<i64>) -> i64 {
    seconds
        .saturating_mul(1_000_000_000)
        .saturating_add(rest.try_into().unwrap_or(0))
}

/// The moment on the clock that the file system stamps files with, in nanoseconds since 1970.
pub(crate) fn clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn version(modified: i64, changed: i64) -> Stamp {
        Stamp::Present(Version {
            len: 3,
            modified,
            changed,
            inode: 9,
            is_dir: false,
        })
    }

    #[test]
    fn a_file_that_changed_within_the_last_tick_is_not_trusted() {
        for (modified, changed, now, sure) in [
            (5 * SECOND + 1, 5 * SECOND + 1, 6 * SECOND, true),
            (
                5 * SECOND + 1,
                5 * SECOND + 1,
                5 * SECOND + 10_000_000,
                false,
            ),
            (
                5 * SECOND + 1,
                5 * SECOND + 1,
                5 * SECOND + 30_000_000,
                true,
            ),
            // Set back by hand: the change time tells.
            (SECOND + 1, 6 * SECOND + 1, 6 * SECOND + 2, false),
            // A file system that counts whole seconds.
            (5 * SECOND, 5 * SECOND, 6 * SECOND, false),
            (5 * SECOND, 5 * SECOND, 8 * SECOND, true),
            // A clock that runs ahead: never trusted.
            (90 * SECOND + 1, 90 * SECOND + 1, 6 * SECOND, false),
        ] {
            let stamp = version(modified, changed);
            let expected = if sure { stamp } else { Stamp::Unsure };
            assert_eq!(stamp.settled(now), expected, "{modified} {changed} {now}");
        }
        assert_eq!(Stamp::Absent.settled(0), Stamp::Absent);
    }

    #[test]
    fn a_stamp_is_read_back_as_it_was() {
        for stamp in [Stamp::Absent, Stamp::Unsure, version(-5, i64::MAX)] {
            let mut out = Writer::default();
            stamp.write(&mut out);
            assert_eq!(Stamp::read(&mut Reader(&out.0)), Some(stamp));
        }
    }
}
