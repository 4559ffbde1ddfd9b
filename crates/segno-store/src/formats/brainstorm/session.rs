//! What a session says about itself: defaults where the file is silent, entries found by their number.

use super::ems::Axes;
use super::record::Applied;
use super::schema::{Iteration, Mode, Phase, Session, SessionStatus, TechniqueUse};

impl Session {
    /// Where it stands.
    pub fn status(&self) -> SessionStatus {
        self.status.unwrap_or(SessionStatus::InProgress)
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase.unwrap_or(Phase::Divergent)
    }

    /// How it is led.
    pub fn mode(&self) -> Mode {
        self.mode.unwrap_or(Mode::Standard)
    }

    /// The score, within 0 and 100.
    pub fn ems(&self) -> i64 {
        self.ems.unwrap_or(0).clamp(0, 100)
    }

    /// The current iteration; 0 before the first.
    pub fn iteration(&self) -> i64 {
        self.iteration.unwrap_or(0).max(0)
    }

    /// The entry of an iteration. Entries are found by their number, wherever they stand.
    pub fn entry(&self, iteration: i64) -> Option<&Iteration> {
        let wanted = |entry: &&Iteration| entry.iteration == Some(iteration);
        self.history.iter().rfind(wanted)
    }

    /// The entry of the current iteration.
    pub fn current(&self) -> Option<&Iteration> {
        self.entry(self.iteration())
    }

    /// The same, to be changed.
    pub fn current_mut(&mut self) -> Option<&mut Iteration> {
        let wanted = self.iteration();
        let mut entries = self.history.iter_mut();
        entries.rfind(|entry| entry.iteration == Some(wanted))
    }

    /// The last iteration that history holds.
    pub fn last_iteration(&self) -> Option<i64> {
        self.history
            .iter()
            .filter_map(|entry| entry.iteration)
            .max()
    }

    /// The axes as last known, at the current iteration or before.
    pub fn axes(&self) -> Option<&Axes> {
        let now = self.iteration();
        let known = self.history.iter().filter(|entry| entry.axes.is_some());
        let past = known.filter(|entry| entry.iteration.is_some_and(|n| n <= now));
        past.max_by_key(|entry| entry.iteration)?.axes.as_ref()
    }

    /// The techniques applied, each with its iteration.
    pub fn applied(&self) -> impl Iterator<Item = &TechniqueUse> {
        let applied = |used: &&TechniqueUse| used.applied == Applied::Yes;
        self.techniques.iter().filter(applied)
    }
}
