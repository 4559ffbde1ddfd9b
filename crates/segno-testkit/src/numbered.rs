//! A log of numbered lines and a file of numbered versions, whose every byte follows from the number: whatever is lost,
//! torn or glued shows.

use segno_disk::log::{self, Tail};
use segno_disk::{Access, Basis, Change, Disk, ReadDisk, RelPath, Volume};

/// The log and the file, on any disk.
pub struct Numbered {
    biggest: usize,
    log: RelPath,
    file: RelPath,
    backup: RelPath,
}

/// How far a log has been looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Up to this byte.
    pub at: u64,
    /// So many lines.
    pub lines: u64,
}

impl Numbered {
    /// Lines and versions of up to so many bytes; every third is big, the others small.
    pub fn up_to(biggest: usize) -> Result<Self, String> {
        let path = |text| RelPath::new(text).map_err(shown);
        Ok(Self {
            biggest,
            log: path("talk/log.jsonl")?,
            file: path("state/session.yaml")?,
            backup: path("state/session.yaml.bak")?,
        })
    }

    fn padding(&self, n: u64) -> String {
        let letter = char::from(b'a' + u8::try_from(n % 26).unwrap_or(0));
        let spread = usize::try_from(n.wrapping_mul(0x9e37_79b9) >> 7).unwrap_or(0);
        let most = if n.is_multiple_of(3) {
            self.biggest
        } else {
            300
        };
        letter.to_string().repeat(spread % most.max(1))
    }

    fn line(&self, n: u64) -> String {
        format!("{{\"n\":{n},\"t\":\"{}\"}}\n", self.padding(n))
    }

    fn version(&self, n: u64) -> String {
        format!("version: {n}\ntext: {}\nend: {n}\n", self.padding(n))
    }

    /// Appends the next line and says its number: one more than the last one there, from 0.
    pub fn append(&self, disk: &dyn Disk) -> Result<u64, String> {
        let tail = log::tail(disk, &self.log).map_err(shown)?;
        let next = self.last(disk, tail)?.map_or(0, |n| n + 1);
        let line = self.line(next);
        let change = tail.append(self.log.clone(), line.as_bytes(), Access::Private);
        volume(disk)?.commit(&[change]).map_err(shown)?;
        Ok(next)
    }

    fn last(&self, disk: &dyn Disk, tail: Tail) -> Result<Option<u64>, String> {
        if tail.valid == 0 {
            return Ok(None);
        }
        let file = disk.open(&self.log).map_err(shown)?;
        let newline = u64::from(!tail.unfinished);
        let start = log::line_start(file.as_ref(), tail.valid - newline).map_err(shown)?;
        let mut head = [0; 32];
        let n = file.read_full_at(start, &mut head).map_err(shown)?;
        let text = String::from_utf8_lossy(head.get(..n).unwrap_or_default()).into_owned();
        let number = text
            .strip_prefix("{\"n\":")
            .and_then(|rest| rest.split(',').next())
            .and_then(|digits| digits.parse().ok());
        number
            .map(Some)
            .ok_or_else(|| format!("the last line begins with {text:?}"))
    }

    /// Looks at the lines behind those seen before: each is exactly the line of its number. A last line that is whole but
    /// for its newline counts and is not gone past.
    pub fn look(&self, disk: &dyn ReadDisk, seen: Seen) -> Result<(u64, Seen), String> {
        let tail = log::tail(disk, &self.log).map_err(shown)?;
        if tail.valid < seen.at {
            return Err(format!("{} bytes are valid, {} were", tail.valid, seen.at));
        }
        let mut seen = seen;
        if tail.valid == seen.at {
            return Ok((seen.lines, seen));
        }
        let file = disk.open(&self.log).map_err(shown)?;
        while seen.at < tail.valid {
            let want = self.line(seen.lines);
            let left = usize::try_from(tail.valid - seen.at).unwrap_or(usize::MAX);
            let mut there = vec![0; want.len().min(left)];
            file.read_full_at(seen.at, &mut there).map_err(shown)?;
            let whole = there == want.as_bytes();
            let unfinished = tail.unfinished && Some(there.as_slice()) == but_newline(&want);
            if unfinished {
                return Ok((seen.lines + 1, seen));
            }
            if !whole {
                let head = String::from_utf8_lossy(there.get(..80).unwrap_or(&there)).into_owned();
                return Err(format!("instead of line {} there is {head:?}", seen.lines));
            }
            seen.at += want.len() as u64;
            seen.lines += 1;
        }
        Ok((seen.lines, seen))
    }

    /// Replaces the file by its next version, the present one kept as the backup, and says the new number.
    pub fn replace(&self, disk: &dyn Disk) -> Result<u64, String> {
        let (next, basis) = match disk.read(&self.file).map_err(shown)? {
            None => (0, Basis::Absent),
            Some((bytes, stamp)) => (self.number(&bytes)? + 1, Basis::Version(stamp)),
        };
        let bytes = self.version(next).into_bytes();
        let change = Change::replace(self.file.clone(), bytes, basis, Access::Private)
            .with_backup(self.backup.clone());
        volume(disk)?.commit(&[change]).map_err(shown)?;
        Ok(next)
    }

    /// How many versions the file has had. It is whole, and its backup is the version before or the same one.
    pub fn versions(&self, disk: &dyn ReadDisk) -> Result<u64, String> {
        let read = |path: &RelPath| -> Result<Option<u64>, String> {
            let found = disk.read(path).map_err(shown)?;
            found.map(|(bytes, _)| self.number(&bytes)).transpose()
        };
        match (read(&self.file)?, read(&self.backup)?) {
            (None, None) => Ok(0),
            (Some(0), None) => Ok(1),
            (Some(n), Some(kept)) if kept == n || kept + 1 == n => Ok(n + 1),
            other => Err(format!("file and backup are the versions {other:?}")),
        }
    }

    fn number(&self, bytes: &[u8]) -> Result<u64, String> {
        let text = String::from_utf8_lossy(bytes);
        let digits = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("version: "));
        let number = digits.and_then(|digits| digits.parse().ok());
        match number {
            Some(n) if self.version(n) == text => Ok(n),
            _ => {
                let head: String = text.chars().take(80).collect();
                Err(format!("no whole version: {} bytes, {head:?}", bytes.len()))
            }
        }
    }

    /// Removes what crashed writers left beside the file and says how much that was.
    pub fn sweep(&self, disk: &dyn Disk) -> Result<usize, String> {
        let volume = volume(disk)?;
        let dir = self.file.parent().unwrap_or_default();
        Ok(volume.sweep(&dir).map_err(shown)?.len())
    }
}

fn but_newline(line: &str) -> Option<&[u8]> {
    line.strip_suffix('\n').map(str::as_bytes)
}

fn volume(disk: &dyn Disk) -> Result<Volume<'_>, String> {
    Ok(Volume::new(disk, RelPath::new(".segno").map_err(shown)?))
}

/// An error with its cause, as a person would read it.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it stands where `map_err` gives the error away"
)]
pub fn shown(error: segno_disk::DiskError) -> String {
    format!("{error}: {}", error.source)
}
