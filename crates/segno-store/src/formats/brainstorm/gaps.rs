//! What a file lacks that the format requires, and what each gap is filled with.
//!
//! A gap is known when the session itself says what belongs there; otherwise what is filled in is a default, and whoever
//! asks for the repair is told so.

use std::collections::BTreeSet;

use super::catalogue::technique;
use super::codec::{Age, Reading};
use super::problems::MANY;
use super::record::Path;
use super::schema::{Mode, Persona, Phase, Session, SessionStatus, Source};
use crate::formats::{Context, Place};
use crate::session::Timestamp;
use crate::text::yaml::Node;

/// A required field that is missing.
pub(super) struct Gap {
    /// Where it belongs.
    pub(super) path: Path,
    /// The line of the mapping that lacks it.
    pub(super) line: u64,
    /// What it is called: `phase` or `phase` of iteration 2.
    pub(super) what: String,
    /// What fills it; `None` when nothing can.
    pub(super) with: Option<String>,
    /// False when what fills it is a guess.
    pub(super) is_known: bool,
    fill: Box<dyn Fn(&mut Session)>,
}

impl Gap {
    /// Fills it.
    pub(super) fn fill(&self, session: &mut Session) {
        (self.fill)(session);
    }
}

/// The gaps of a file, in its order; the first [`MANY`] of them. One pass: a file may have nothing but gaps.
pub(super) fn gaps(cx: &Context<'_>, place: &Place, reading: &Reading) -> Vec<Gap> {
    let session = reading.current();
    let numbers = session.history.iter().filter_map(|entry| entry.iteration);
    let ids = session.ideas.iter().filter_map(|idea| idea.id);
    let mut gaps = Gaps {
        node: reading.node(),
        path: vec!["session".into()],
        owner: String::new(),
        taken: numbers.collect(),
        number: 0,
        idea: ids.max().unwrap_or(0),
        found: Vec::new(),
    };
    gaps.session(cx, place, reading, &session);
    gaps.each("ideas", |gaps, n| gaps.idea(&session, n));
    gaps.each("history", |gaps, n| gaps.entry(cx, &session, n));
    // What is still of an older shape is taken apart by the migration.
    if reading.age != Age::Old {
        gaps.each("techniques_history", |gaps, n| gaps.technique(&session, n));
    }
    gaps.each("party_history", |gaps, n| {
        gaps.round(n, |s, n| Some(&mut s.party.get_mut(n)?.round));
    });
    gaps.each("panel_history", |gaps, n| {
        gaps.round(n, |s, n| Some(&mut s.panel.get_mut(n)?.round));
    });
    gaps.found
}

struct Gaps<'a> {
    /// The mapping that is looked at.
    node: Node<'a>,
    /// Its path.
    path: Path,
    /// What it is called behind the name of a field.
    owner: String,
    /// The numbers that iterations have.
    taken: BTreeSet<i64>,
    /// That of the entry before.
    number: i64,
    /// The largest number of an idea.
    idea: i64,
    found: Vec<Gap>,
}

impl Gaps<'_> {
    /// Looks at every mapping of a list of the session.
    fn each(&mut self, list: &'static str, mut look: impl FnMut(&mut Self, usize)) {
        let session = self.node;
        let items = session.get(list).into_iter().flat_map(Node::items);
        for (n, item) in items.enumerate().filter(|(_, item)| item.is_map()) {
            if self.found.len() == MANY {
                break;
            }
            self.node = item;
            self.path = vec!["session".into(), list.into(), n.into()];
            look(self, n);
        }
        self.node = session;
    }

    /// A value of the wrong type was reported already, and is not overwritten.
    fn lacks(&self, key: &str) -> bool {
        self.node.get(key).is_none_or(Node::is_null)
    }

    fn gap(
        &mut self,
        key: &'static str,
        with: Option<String>,
        is_known: bool,
        fill: impl Fn(&mut Session) + 'static,
    ) {
        if self.found.len() == MANY {
            return;
        }
        let mut path = self.path.clone();
        path.push(key.into());
        let place = self.node.get(key).unwrap_or(self.node);
        self.found.push(Gap {
            path,
            line: place.line(),
            what: format!("`{key}`{}", self.owner),
            with,
            is_known,
            fill: Box::new(fill),
        });
    }

    /// A single value, and its place in the session. `is_known` is false when `with` is a guess.
    fn value<T: ToString + Clone + 'static>(
        &mut self,
        key: &'static str,
        with: T,
        is_known: bool,
        place: impl Fn(&mut Session) -> Option<&mut Option<T>> + 'static,
    ) {
        if self.lacks(key) {
            let shown = format!("`{}`", with.to_string());
            self.gap(key, Some(shown), is_known, move |session| {
                if let Some(place) = place(session) {
                    *place = Some(with.clone());
                }
            });
        }
    }

    /// A list, which is empty where it is missing.
    fn list(&mut self, key: &'static str) {
        if self.node.get(key).is_none() {
            self.gap(key, Some("an empty list".to_owned()), true, |_| {});
        }
    }

    /// A text that nobody but a person can give.
    fn text(&mut self, key: &'static str) {
        if self.lacks(key) {
            self.gap(key, None, false, |_| {});
        }
    }

    fn session(&mut self, cx: &Context<'_>, place: &Place, reading: &Reading, session: &Session) {
        let times = || {
            session
                .history
                .iter()
                .filter_map(|entry| entry.timestamp.clone())
        };
        let last = times().next_back();
        let known_begin = (session.started_at.clone())
            .or_else(|| session.created.clone())
            .or_else(|| times().next())
            .or_else(|| session.id.as_deref().and_then(date_of));
        let has_begin = known_begin.is_some();
        let begin = known_begin.unwrap_or_else(|| cx.now.utc_seconds());
        let day: String = begin.chars().take(10).collect();
        let slug = session.slug.clone().unwrap_or_else(|| place.id.to_string());
        let ems = session.current().and_then(|entry| entry.ems);
        let iteration = session.last_iteration();
        let minutes: i64 = session
            .history
            .iter()
            .filter_map(|entry| entry.duration)
            .sum();

        self.value("id", format!("{slug}-{day}"), has_begin, |s| {
            Some(&mut s.id)
        });
        self.value("slug", slug, true, |s| Some(&mut s.slug));
        let status = SessionStatus::InProgress;
        self.value("status", status, false, |s| Some(&mut s.status));
        self.value("phase", Phase::Divergent, false, |s| Some(&mut s.phase));
        if session.mode.is_none() {
            self.value("mode", active_mode(session), true, |s| Some(&mut s.mode));
        }
        self.value("ems", ems.unwrap_or(0), ems.is_some(), |s| Some(&mut s.ems));
        let persona = Persona::Architecte.name().to_owned();
        self.value("persona", persona, true, |s| Some(&mut s.persona));
        let (number, is_known) = (iteration.unwrap_or(0), iteration.is_some());
        self.value("iteration", number, is_known, |s| Some(&mut s.iteration));
        self.list("techniques_used");
        if reading.age != Age::Old {
            let begin = begin.clone();
            self.value("started_at", begin, has_begin, |s| Some(&mut s.started_at));
            let counted = minutes > 0;
            self.value("duration_minutes", minutes, counted, |s| {
                Some(&mut s.duration_minutes)
            });
        }
        self.list("ideas");
        self.list("history");
        self.value("created", begin.clone(), has_begin, |s| {
            Some(&mut s.created)
        });
        let is_known = last.is_some() || has_begin;
        let last = last.unwrap_or(begin);
        self.value("updated", last, is_known, |s| Some(&mut s.updated));
    }

    fn idea(&mut self, session: &Session, n: usize) {
        let id = session.ideas.get(n).and_then(|idea| idea.id);
        self.owner = id.map_or_else(
            || format!(" of the idea at place {}", n + 1),
            |id| format!(" of idea {id}"),
        );
        if self.lacks("id") {
            self.idea += 1;
            let free = self.idea;
            self.value("id", free, true, move |s| Some(&mut s.ideas.get_mut(n)?.id));
        }
        self.text("content");
    }

    fn entry(&mut self, cx: &Context<'_>, session: &Session, n: usize) {
        let Some(entry) = session.history.get(n) else {
            return;
        };
        let before = n.checked_sub(1).and_then(|n| session.history.get(n));
        let number = entry.iteration.unwrap_or_else(|| self.free_number());
        self.number = number;
        let is_current = entry.iteration == session.iteration;
        self.owner = format!(" of iteration {number}");

        let guess = number;
        self.value("iteration", guess, false, move |s| {
            Some(&mut s.history.get_mut(n)?.iteration)
        });
        let own = is_current.then_some(session.phase).flatten();
        let phase = own
            .or(before.and_then(|e| e.phase))
            .unwrap_or(Phase::Divergent);
        self.value("phase", phase, own.is_some(), move |s| {
            Some(&mut s.history.get_mut(n)?.phase)
        });
        let was = before.and_then(|e| e.ems);
        let sum = was.zip(entry.ems_delta).map(|(was, delta)| was + delta);
        let known = sum.or(is_current.then_some(session.ems).flatten());
        let ems = known.or(was).unwrap_or(0);
        self.value("ems", ems, known.is_some(), move |s| {
            Some(&mut s.history.get_mut(n)?.ems)
        });
        let delta = match n {
            0 => Some(0),
            _ => was.zip(entry.ems).map(|(was, ems)| ems - was),
        };
        let (shown, is_known) = (delta.unwrap_or(0), delta.is_some());
        self.value("ems_delta", shown, is_known, move |s| {
            Some(&mut s.history.get_mut(n)?.ems_delta)
        });
        self.list("questions");
        self.list("responses");
        let time = (before.and_then(|e| e.timestamp.clone()))
            .or_else(|| session.created.clone())
            .unwrap_or_else(|| cx.now.utc_seconds());
        self.value("timestamp", time, false, move |s| {
            Some(&mut s.history.get_mut(n)?.timestamp)
        });
    }

    fn technique(&mut self, session: &Session, n: usize) {
        let Some(used) = session.techniques.get(n) else {
            return;
        };
        let slug = used.slug.as_deref().unwrap_or_default();
        self.owner = format!(" of technique {}", n + 1);
        let now = session.iteration();
        self.value("iteration", now, false, move |s| {
            Some(&mut s.techniques.get_mut(n)?.iteration)
        });
        self.text("technique_slug");
        let found = technique(slug).map(|one| one.category);
        let category = found.unwrap_or("unknown").to_owned();
        let is_known = found.is_some();
        self.value("category", category, is_known, move |s| {
            Some(&mut s.techniques.get_mut(n)?.category)
        });
        let reason = "unknown".to_owned();
        self.value("suggested_reason", reason, false, move |s| {
            Some(&mut s.techniques.get_mut(n)?.reason)
        });
        if self.lacks("applied") {
            let applied = session.techniques_used.iter().any(|one| one == slug);
            self.gap(
                "applied",
                Some(format!("`{applied}`")),
                applied,
                move |session| {
                    if let Some(used) = session.techniques.get_mut(n) {
                        used.applied = applied.into();
                    }
                },
            );
        }
        let source = Source::Manual;
        self.value("source", source, false, move |s| {
            Some(&mut s.techniques.get_mut(n)?.source)
        });
        self.list("weak_axes");
    }

    /// A number that no iteration has: the one behind the entry before where it is free.
    fn free_number(&mut self) -> i64 {
        let next = self.number.saturating_add(1);
        let last = self.taken.last().copied().unwrap_or(0);
        let free = if self.taken.contains(&next) {
            last.saturating_add(1)
        } else {
            next
        };
        self.taken.insert(free);
        free
    }

    fn round(&mut self, n: usize, place: fn(&mut Session, usize) -> Option<&mut Option<i64>>) {
        self.owner = format!(" of round {}", n + 1);
        let number = i64::try_from(n).unwrap_or(0) + 1;
        self.value("round", number, true, move |s| place(s, n));
    }
}

/// The date at the end of `{slug}-{date}`.
fn date_of(id: &str) -> Option<String> {
    let date = id.get(id.len().checked_sub(10)?..)?;
    Timestamp::parse(date).filter(Timestamp::is_date)?;
    Some(date.to_owned())
}

/// The mode that goes with what is active.
pub(super) fn active_mode(session: &Session) -> Mode {
    match (session.party_active, session.panel_active) {
        (Some(true), _) => Mode::Party,
        (_, Some(true)) => Mode::Panel,
        _ => Mode::Standard,
    }
}
