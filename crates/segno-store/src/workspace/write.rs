//! Writing: lock, plan, commit, receipt.

use std::time::Duration;

use segno_disk::lock::{Holder, Lock};
use segno_disk::{DiskError, Reason, Receipt, Volume};

use super::Workspace;
use super::find::format_of;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Notice, Place, Plan, RecoverOptions, Recovery, Root, Unit};
use crate::session::Now;

/// How often a plan is made anew when somebody else wrote in between.
const TRIES: usize = 5;

/// Who writes, and how long it waits for another writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    /// The process.
    pub pid: u32,
    /// The program and what it is doing, such as `segno conversation say`.
    pub program: String,
    /// Since when, as text.
    pub since: String,
    /// How long to wait for a lock.
    pub patience: Duration,
}

impl Writer {
    pub(super) fn holder(&self) -> Holder {
        Holder {
            pid: self.pid,
            program: self.program.clone(),
            since: self.since.clone(),
        }
    }
}

/// What came of a write: durable when this exists.
#[derive(Debug)]
pub struct Written<T> {
    /// What the operation gives back.
    pub outcome: T,
    /// Which files hold it.
    pub receipt: Receipt,
}

/// How often a repair looks again at what it made.
const ROUNDS: usize = 4;

impl Workspace<'_> {
    /// Carries out an operation on a session: takes its lock, plans from what is there, commits.
    ///
    /// `plan` is called again when another program wrote to a file in between, so it must compute everything from the
    /// context it is given.
    pub fn write<T>(
        &self,
        place: &Place,
        now: &Now,
        writer: &Writer,
        plan: impl FnMut(&Context<'_>) -> Result<Plan<T>>,
    ) -> Result<Written<T>> {
        let lock_name = format_of(place)?.lock_name(place);
        self.write_locked(place.root, &lock_name, now, writer, plan)
    }

    /// Carries out an operation under a lock of any name: for what is not one session yet, such as a new one.
    pub fn write_locked<T>(
        &self,
        root: Root,
        lock_name: &str,
        now: &Now,
        writer: &Writer,
        mut plan: impl FnMut(&Context<'_>) -> Result<Plan<T>>,
    ) -> Result<Written<T>> {
        let volume = self.volume(root);
        let _lock = take_lock(volume, lock_name, writer)?;
        volume.finish_unit(lock_name)?;
        let mut tries = 0;
        loop {
            tries += 1;
            let planned = plan(&self.context(root, now))?;
            let may_try_again = tries < TRIES;
            // A plan of several steps is looked at as a whole first: made anew after half of it, it would do that half
            // twice.
            let several = planned.unit == Unit::InOrder && planned.changes.len() > 1;
            if several && let Err(error) = volume.check(&planned.changes) {
                if error.is_conflict() && may_try_again {
                    continue;
                }
                return Err(error.into());
            }
            let done = match planned.unit {
                Unit::InOrder => volume.commit(&planned.changes),
                Unit::AllOrNone => volume.commit_unit(lock_name, &planned.changes),
            };
            match done {
                Ok(receipt) => {
                    return Ok(Written {
                        outcome: planned.outcome,
                        receipt,
                    });
                }
                // Whoever wrote in between did not take the lock; what they wrote is read and built upon.
                Err(error) if error.is_conflict() && may_try_again && !several => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Repairs a session, until nothing is left that can be repaired: what one repair made readable may show more.
    pub fn recover(
        &self,
        place: &Place,
        options: &RecoverOptions,
        now: &Now,
        writer: &Writer,
    ) -> Result<Written<Recovery>> {
        let format = format_of(place)?;
        let mut all = self.write(place, now, writer, |cx| format.recover(cx, place, options))?;
        // What a person chose was chosen for the first look.
        let rest = RecoverOptions {
            safe_only: options.safe_only,
            ..RecoverOptions::default()
        };
        for _ in 1..ROUNDS {
            let more = self.write(place, now, writer, |cx| format.recover(cx, place, &rest))?;
            let changed = !more.outcome.done.is_empty();
            all.outcome.done.extend(more.outcome.done);
            all.outcome.unknown.extend(more.outcome.unknown);
            all.outcome.left = more.outcome.left;
            all.receipt.absorb(more.receipt);
            if !changed {
                break;
            }
        }
        Ok(all)
    }

    /// Applies the rules of time to a session: auto-pause, expiry. `None` when nothing was due.
    pub fn apply_time_rules(
        &self,
        place: &Place,
        now: &Now,
        writer: &Writer,
    ) -> Result<Option<Notice>> {
        let format = format_of(place)?;
        // The look without the lock is the common case: nothing is due, or there is only something to say.
        match format.on_access(&self.context(place.root, now), place)? {
            None => return Ok(None),
            Some(due) if due.changes.is_empty() => return Ok(Some(due.outcome)),
            Some(_) => {}
        }
        let written = self.write(place, now, writer, |cx| {
            Ok(match format.on_access(cx, place)? {
                Some(due) => Plan {
                    changes: due.changes,
                    unit: due.unit,
                    outcome: Some(due.outcome),
                },
                None => Plan::nothing(None),
            })
        })?;
        Ok(written.outcome)
    }
}

fn take_lock(volume: &Volume<'_>, name: &str, writer: &Writer) -> Result<Lock> {
    volume
        .lock(name, &writer.holder(), writer.patience)
        .map_err(|error| match error {
            DiskError {
                reason: Reason::Busy(holder),
                ..
            } => StoreError::Busy {
                what: name.to_owned(),
                holder: *holder,
            },
            other => other.into(),
        })
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use segno_disk::{Access, Basis, Change, ReadDisk, RelPath, SimDisk, log};

    use super::*;
    use crate::settings::Settings;

    fn path(text: &str) -> RelPath {
        RelPath::new(text).unwrap()
    }

    fn writer() -> Writer {
        Writer {
            pid: 1,
            program: "test".to_owned(),
            since: String::new(),
            patience: Duration::ZERO,
        }
    }

    fn text(disk: &SimDisk, name: &str) -> String {
        let (bytes, _) = disk.read(&path(name)).unwrap().unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_plan_of_several_steps_that_meets_another_writer_is_made_anew_and_done_once() {
        let disk = SimDisk::new();
        disk.plant(&path("state"), b"old");
        let workspace = Workspace::new(&disk, Settings::default());
        let now = Now::new(jiff::Timestamp::UNIX_EPOCH, TimeZone::UTC);
        let mut calls = 0;
        let written = workspace.write_locked(Root::Workspace, "x", &now, &writer(), |cx| {
            calls += 1;
            let tail = log::tail(cx.files, &path("log"))?;
            let (state, stamp) = cx.files.read(&path("state"))?.unwrap();
            if calls == 1 {
                disk.plant(&path("state"), b"edited by hand");
            }
            let bytes = [state.as_slice(), b"+"].concat();
            let changes = vec![
                tail.append(path("log"), b"{}\n", Access::Private),
                Change::replace(path("state"), bytes, Basis::Version(stamp), Access::Private),
            ];
            Ok(Plan::in_order(changes, calls))
        });
        assert_eq!(written.unwrap().outcome, 2);
        assert_eq!(text(&disk, "log"), "{}\n", "the line is there once");
        assert_eq!(text(&disk, "state"), "edited by hand+");
    }

    #[test]
    fn a_file_moved_away_and_written_anew_in_one_plan_is_no_conflict() {
        let disk = SimDisk::new();
        disk.plant(&path("state"), b"broken");
        let workspace = Workspace::new(&disk, Settings::default());
        let now = Now::new(jiff::Timestamp::UNIX_EPOCH, TimeZone::UTC);
        let written = workspace.write_locked(Root::Workspace, "x", &now, &writer(), |_| {
            let aside = Change::Move {
                from: path("state"),
                to: path("aside/state"),
                access: Access::Private,
            };
            let anew = Change::replace(
                path("state"),
                b"sound".to_vec(),
                Basis::Absent,
                Access::Private,
            );
            Ok(Plan::in_order(vec![aside, anew], ()))
        });
        assert_eq!(written.unwrap().receipt.written.len(), 2);
        assert_eq!(
            (text(&disk, "state"), text(&disk, "aside/state")),
            ("sound".into(), "broken".into())
        );
    }
}
