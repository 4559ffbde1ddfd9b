//! Several changes as one: all of them or none, also across a crash.
//!
//! The new contents are written beside their targets first, where a full disk or a refused write costs nothing. Then one
//! small journal file says what is to be put in place: its rename is the commit point. Whoever finds a journal after a
//! crash puts the rest in place; there is nothing to roll back.
//!
//! The journal is JSON Lines: a heading with the number of steps, then the steps. It is replaced atomically, so that it
//! is there whole or not at all.

use std::ops::Range;

use serde_json::{Value, json};

use crate::change::{Basis, Change};
use crate::commit::{Staged, Sync, fits};
use crate::disk::{Access, Stamp};
use crate::error::{DiskError, Result};
use crate::lock::Holder;
use crate::path::RelPath;
use crate::volume::{Receipt, Volume};

/// One thing to put in place. Each may be done twice.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// A staged file takes the place of its target.
    Publish {
        temp: RelPath,
        target: RelPath,
        basis: Basis,
        backup: Option<RelPath>,
    },
    /// Bytes are added behind the valid prefix, of a file that was `seen` long; without bytes, its torn tail is cut.
    Append {
        path: RelPath,
        at: u64,
        seen: u64,
        bytes: Vec<u8>,
        access: Access,
    },
    /// A file gets another name.
    Move { from: RelPath, to: RelPath },
    /// A file goes.
    Remove { path: RelPath, basis: Basis },
}

/// A unit that a crash had interrupted and that is finished now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Its name: the lock it was made under.
    pub name: String,
    /// What was put in place.
    pub receipt: Receipt,
}

impl Volume<'_> {
    /// Carries out all the changes or none. The caller holds the lock of the same name.
    ///
    /// A failure before the commit point leaves everything as it was. After it (a rename that the system refuses), the
    /// error is returned and the next [`Volume::finish_units`] goes on.
    pub fn commit_unit(&self, name: &str, changes: &[Change]) -> Result<Receipt> {
        self.finish_unit(name)?;
        let mut receipt = Receipt::default();
        let steps = self.prepare(changes, &mut receipt)?;
        let journal = self.journal_path(name)?;
        self.make_own(&journal)?;
        let text = encode(&steps);
        // Crash: up to here nothing is changed but temporary files. From the journal's rename on, everything is.
        let commit = Change::replace(journal.clone(), text, Basis::Any, Access::Private);
        if let Err(error) = self.commit(&[commit]) {
            self.withdraw(&journal, &steps);
            return Err(error);
        }
        self.carry_out(&steps, &mut receipt)?;
        self.close_journal(&journal, &steps)?;
        Ok(receipt)
    }

    /// Finishes what a crash interrupted: every unit whose lock is free.
    pub fn finish_units(&self, holder: &Holder) -> Result<Vec<Finished>> {
        let mut finished = Vec::new();
        for entry in self.disk.list(&self.journal_dir()?)? {
            let Some(name) = entry.name.strip_suffix(".unit") else {
                continue;
            };
            // A living process that is in the middle of its unit finishes it by itself.
            let lock = self.lock_path(name)?;
            self.make_own(&lock)?;
            let Some(mut held) = self.disk.try_lock(&lock)? else {
                continue;
            };
            held.write_holder(&holder.to_text())?;
            if let Some(receipt) = self.finish_unit(name)? {
                finished.push(Finished {
                    name: name.to_owned(),
                    receipt,
                });
            }
        }
        Ok(finished)
    }

    /// Finishes the unit of this name, if there is one. The caller holds its lock.
    pub fn finish_unit(&self, name: &str) -> Result<Option<Receipt>> {
        let journal = self.journal_path(name)?;
        let Some((bytes, _)) = self.disk.read(&journal)? else {
            return Ok(None);
        };
        let mut receipt = Receipt::default();
        let Some(steps) = decode(&bytes) else {
            let kept = self.quarantine_path(&journal, "unreadable")?;
            self.move_new(&journal, &kept, Sync::Now)?;
            receipt.quarantined.push(kept);
            return Ok(Some(receipt));
        };
        self.carry_out(&steps, &mut receipt)?;
        self.close_journal(&journal, &steps)?;
        Ok(Some(receipt))
    }

    fn prepare(&self, changes: &[Change], receipt: &mut Receipt) -> Result<Vec<Step>> {
        let mut steps = Vec::with_capacity(changes.len());
        // What an earlier step of the unit takes away, a later one may write anew.
        let mut gone: Vec<&RelPath> = Vec::new();
        for change in changes {
            let prepared = self.prepare_one(change, &gone, receipt);
            match change {
                Change::Move { from, .. } => gone.push(from),
                Change::Remove { path, .. } => gone.push(path),
                _ => {}
            }
            match prepared {
                Ok(step) => steps.extend(step),
                Err(error) => {
                    self.abandon(&steps);
                    return Err(error);
                }
            }
        }
        let touched = paths(&steps);
        if let Err(error) = self.disk.sync_everything(&touched) {
            self.abandon(&steps);
            return Err(error);
        }
        Ok(steps)
    }

    fn prepare_one(
        &self,
        change: &Change,
        gone: &[&RelPath],
        receipt: &mut Receipt,
    ) -> Result<Option<Step>> {
        Ok(Some(match change {
            Change::Replace {
                path,
                bytes,
                basis,
                backup,
                temp,
                access,
            } => {
                let (target, stat) = self.real_path(path)?;
                let moved_away = gone.contains(&&target);
                let basis = if moved_away { Basis::Any } else { *basis };
                let old = fits(&target, basis, stat)?;
                let mut staged =
                    self.stage(&target, bytes, old, temp.as_ref(), *access, receipt)?;
                staged.close();
                let old = staged.old.filter(|_| !moved_away);
                let basis = old.map_or(Basis::Absent, |old| Basis::Version(old.stamp()));
                Step::Publish {
                    temp: staged.temp,
                    target,
                    basis,
                    backup: backup.clone(),
                }
            }
            Change::Append {
                path,
                at,
                seen,
                bytes,
                access,
            } => {
                let len = self.disk.stat(path)?.map_or(0, |stat| stat.len);
                if len != *seen {
                    return Err(changed(path));
                }
                if *at < len {
                    receipt
                        .quarantined
                        .push(self.quarantine_range(path, *at, len)?);
                }
                let (path, bytes) = (path.clone(), bytes.clone());
                Step::Append {
                    path,
                    at: *at,
                    seen: *seen,
                    bytes,
                    access: *access,
                }
            }
            Change::Move { from, to, access } => {
                if self.disk.stat(from)?.is_none() || self.disk.stat(to)?.is_some() {
                    return Err(changed(to));
                }
                self.make_dirs(&to.parent().unwrap_or_default(), *access)?;
                Step::Move {
                    from: from.clone(),
                    to: to.clone(),
                }
            }
            Change::Remove { path, basis } => {
                let old = self.check_basis(path, *basis)?;
                let basis = old.map_or(Basis::Absent, |old| Basis::Version(old.stamp()));
                Step::Remove {
                    path: path.clone(),
                    basis,
                }
            }
            Change::CreateDir { path, access } => {
                // A directory that nothing is in yet harms nobody: it is made before the commit point.
                self.make_dirs(path, *access)?;
                return Ok(None);
            }
        }))
    }

    /// Takes a journal back whose commit failed. The staged files go only when it is known to be gone: a journal that a
    /// power cut brings back needs them.
    fn withdraw(&self, journal: &RelPath, steps: &[Step]) {
        let gone = match self.disk.remove(journal) {
            Err(error) if !error.is_not_found() => Err(error),
            _ => self.journal_dir().and_then(|dir| self.disk.sync_dir(&dir)),
        };
        if gone.is_ok() {
            self.abandon(steps);
        }
    }

    fn abandon(&self, steps: &[Step]) {
        for step in steps {
            if let Step::Publish { temp, .. } = step {
                self.discard(temp);
            }
        }
    }

    fn carry_out(&self, steps: &[Step], receipt: &mut Receipt) -> Result<()> {
        for step in steps {
            match step {
                Step::Publish {
                    temp,
                    target,
                    basis,
                    backup,
                } => {
                    self.publish_step(temp, target, *basis, backup.as_ref(), receipt)?;
                }
                Step::Append {
                    path,
                    at,
                    seen,
                    bytes,
                    access,
                } => {
                    self.append_step(path, *at..*seen, bytes, *access, receipt)?;
                    receipt.written.push(path.clone());
                }
                Step::Move { from, to } => {
                    if self.disk.stat(from)?.is_some() && self.disk.stat(to)?.is_none() {
                        self.move_new(from, to, Sync::Later)?;
                    }
                    receipt.written.push(to.clone());
                }
                Step::Remove { path, basis } => {
                    // Crash: what somebody wrote there in between stays.
                    if self
                        .check_basis(path, *basis)
                        .is_ok_and(|stat| stat.is_some())
                    {
                        self.disk.remove(path)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn publish_step(
        &self,
        temp: &RelPath,
        target: &RelPath,
        basis: Basis,
        backup: Option<&RelPath>,
        receipt: &mut Receipt,
    ) -> Result<()> {
        receipt.written.push(target.clone());
        let present = self.disk.stat(target)?;
        let overtaken = present.is_some() && fits(target, basis, present).is_err();
        if (overtaken || backup.is_some()) && self.disk.stat(temp)?.is_none() {
            // Crash: this step was done before.
            return Ok(());
        }
        if overtaken {
            // Crash: somebody edited the file between the crash and now. The unit stands; the edit is set aside.
            let kept = self.quarantine_path(target, "overtaken")?;
            self.disk.link(target, &kept)?;
            receipt.quarantined.push(kept);
        }
        let staged = Staged::closed(temp.clone(), present);
        match self.publish(&staged, target, Basis::Any, backup, Sync::Later) {
            // Crash: this step was done before, and somebody has since removed what it put there.
            Err(error) if error.is_not_found() && self.disk.stat(temp)?.is_none() => Ok(()),
            published => published,
        }
    }

    /// `torn` is what stood behind the valid prefix when the unit began; it is in quarantine since then.
    fn append_step(
        &self,
        path: &RelPath,
        torn: Range<u64>,
        bytes: &[u8],
        access: Access,
        receipt: &mut Receipt,
    ) -> Result<()> {
        let at = torn.start;
        let mut len = self.disk.stat(path)?.map_or(0, |stat| stat.len);
        let done = if bytes.is_empty() {
            len != torn.end
        } else {
            len >= at + bytes.len() as u64 && self.holds(path, at, bytes)?
        };
        if done {
            return Ok(());
        }
        if len < at {
            // Past the commit point this is no conflict that a new plan could resolve.
            let cause = std::io::Error::other("it has become shorter since the unit began");
            return Err(DiskError::io("append to", path.to_path_buf(), cause));
        }
        if len == torn.end && !torn.is_empty() {
            self.disk.open_append(path)?.truncate(at)?;
            len = at;
        }
        if bytes.is_empty() {
            return Ok(());
        }
        self.append(path, at, len, bytes, access, receipt)
    }

    fn holds(&self, path: &RelPath, at: u64, bytes: &[u8]) -> Result<bool> {
        let mut there = vec![0; bytes.len()];
        let n = self.disk.open(path)?.read_full_at(at, &mut there)?;
        Ok(n == bytes.len() && there == bytes)
    }

    fn close_journal(&self, journal: &RelPath, steps: &[Step]) -> Result<()> {
        // Crash: before this sync some of the steps may be undone; the journal is still there and does them again.
        self.disk.sync_everything(&paths(steps))?;
        self.disk.remove(journal)?;
        self.disk.sync_dir(&self.journal_dir()?)
    }
}

fn changed(path: &RelPath) -> DiskError {
    let reason = crate::error::Reason::Conflict;
    DiskError::because(
        "write",
        path.to_path_buf(),
        reason,
        "it has been changed since it was read",
    )
}

fn paths(steps: &[Step]) -> Vec<RelPath> {
    steps
        .iter()
        .flat_map(|step| match step {
            Step::Publish { temp, target, .. } => vec![temp.clone(), target.clone()],
            Step::Append { path, .. } | Step::Remove { path, .. } => vec![path.clone()],
            Step::Move { from, to } => vec![from.clone(), to.clone()],
        })
        .collect()
}

fn encode(steps: &[Step]) -> Vec<u8> {
    let mut text = json!({ "segno_unit": 1, "steps": steps.len() }).to_string();
    text.push('\n');
    for step in steps {
        let line = match step {
            Step::Publish {
                temp,
                target,
                basis,
                backup,
            } => json!({
                "publish": target.as_str(),
                "temp": temp.as_str(),
                "basis": encode_basis(*basis),
                "backup": backup.as_ref().map(RelPath::as_str),
            }),
            Step::Append {
                path,
                at,
                seen,
                bytes,
                access,
            } => json!({
                "append": path.as_str(),
                "at": at,
                "seen": seen,
                "bytes": bytes,
                "private": *access == Access::Private,
            }),
            Step::Move { from, to } => json!({ "move": from.as_str(), "to": to.as_str() }),
            Step::Remove { path, basis } => {
                json!({ "remove": path.as_str(), "basis": encode_basis(*basis) })
            }
        };
        text.push_str(&line.to_string());
        text.push('\n');
    }
    text.into_bytes()
}

fn encode_basis(basis: Basis) -> Value {
    match basis {
        Basis::Version(stamp) => json!({
            "len": stamp.len,
            "modified_ns": stamp.modified_ns.to_string(),
            "inode": stamp.inode,
        }),
        Basis::Absent => Value::String("absent".to_owned()),
        Basis::Any => Value::Null,
    }
}

fn decode(bytes: &[u8]) -> Option<Vec<Step>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.lines().map(serde_json::from_str::<Value>);
    let heading = lines.next()?.ok()?;
    if heading.get("segno_unit")?.as_u64()? != 1 {
        return None;
    }
    let steps: Vec<Step> = lines
        .map(|line| decode_step(&line.ok()?))
        .collect::<Option<Vec<_>>>()?;
    (heading.get("steps")?.as_u64()? == steps.len() as u64).then_some(steps)
}

fn decode_step(line: &Value) -> Option<Step> {
    let path = |key: &str| RelPath::new(line.get(key)?.as_str()?).ok();
    if line.get("publish").is_some() {
        let backup = match line.get("backup")? {
            Value::Null => None,
            _ => Some(path("backup")?),
        };
        let basis = decode_basis(line.get("basis")?)?;
        return Some(Step::Publish {
            temp: path("temp")?,
            target: path("publish")?,
            basis,
            backup,
        });
    }
    if line.get("append").is_some() {
        let bytes = line.get("bytes")?.as_array()?;
        let bytes = bytes
            .iter()
            .map(|byte| u8::try_from(byte.as_u64()?).ok())
            .collect::<Option<_>>()?;
        let private = line.get("private")?.as_bool()?;
        let access = if private {
            Access::Private
        } else {
            Access::Shared
        };
        return Some(Step::Append {
            path: path("append")?,
            at: line.get("at")?.as_u64()?,
            seen: line.get("seen")?.as_u64()?,
            bytes,
            access,
        });
    }
    if line.get("move").is_some() {
        return Some(Step::Move {
            from: path("move")?,
            to: path("to")?,
        });
    }
    let basis = decode_basis(line.get("basis")?)?;
    Some(Step::Remove {
        path: path("remove")?,
        basis,
    })
}

fn decode_basis(value: &Value) -> Option<Basis> {
    match value {
        Value::Null => Some(Basis::Any),
        Value::String(_) => Some(Basis::Absent),
        stamp => Some(Basis::Version(Stamp {
            len: stamp.get("len")?.as_u64()?,
            modified_ns: stamp.get("modified_ns")?.as_str()?.parse().ok()?,
            inode: stamp.get("inode")?.as_u64()?,
        })),
    }
}
