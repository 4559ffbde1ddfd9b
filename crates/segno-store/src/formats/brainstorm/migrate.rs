//! From format 1.0 to 1.2, in memory; the file follows at its first change.
//!
//! The document's sketch is followed but for three defects: the version stands at the top of the file, a `mode` of
//! `random` or `progressive` is kept (as `technique_mode`), and the techniques come from the entries that used them.

use std::collections::BTreeSet;

use super::catalogue::technique;
use super::ems::Axis;
use super::record::{Applied, Extra, Slugs};
use super::schema::{Iteration, Mode, Session, Source, TechniqueUse, VERSION};
use crate::session::Timestamp;

/// The fields that a migration writes even where they are empty.
pub(super) const ADDED: &[&str] = &[
    "mode",
    "techniques_used",
    "techniques_history",
    "party_active",
    "party_history",
    "panel_active",
    "panel_history",
];

/// The reason that stands with a migrated technique.
const REASON: &str = "migrated from v1.0";

/// The session as format 1.2 says it.
pub(super) fn migrated(old: &Session) -> Session {
    let mut session = old.clone();
    let kept = match old.mode {
        Some(Mode::Random) => Some(Source::Random),
        Some(Mode::Progressive) => Some(Source::Progressive),
        _ if old.random_state.is_some() => Some(Source::Random),
        _ if old.progressive_state.is_some() => Some(Source::Progressive),
        _ => None,
    };
    session.technique_mode = session.technique_mode.or(kept);
    if !matches!(old.mode, Some(Mode::Party | Mode::Panel)) {
        session.mode = Some(Mode::Standard);
    }
    session.party_active.get_or_insert(false);
    session.panel_active.get_or_insert(false);
    session.techniques = old.techniques.iter().flat_map(apart).collect();
    let mut listed: BTreeSet<String> = old.techniques_used.iter().cloned().collect();
    let applied = session.applied().filter_map(|used| used.slug.clone());
    let unlisted: Vec<String> = applied.filter(|slug| listed.insert(slug.clone())).collect();
    session.techniques_used.extend(unlisted);
    if session.techniques.is_empty() {
        session.techniques = techniques(old, kept);
    }
    if session.started_at.is_none() {
        session.started_at.clone_from(&old.created);
    }
    if session.duration_minutes.is_none() {
        session.duration_minutes = minutes(old);
    }
    session
}

/// True when an entry names several techniques, as other tools write them. One that cannot be moved stays as it is.
pub(super) fn names_several(entry: &TechniqueUse) -> bool {
    !entry.suggested.0.is_empty() && !entry.extra.is_opaque
}

/// One entry for each technique of an entry that names several.
///
/// What is short goes with each of them, all else with the first: a file cannot grow beyond measure by being taken apart.
fn apart(entry: &TechniqueUse) -> Vec<TechniqueUse> {
    if !names_several(entry) {
        return vec![entry.clone()];
    }
    let applied = match &entry.applied {
        Applied::These(slugs) => slugs.clone(),
        Applied::Yes => entry.suggested.0.clone(),
        Applied::No | Applied::Unknown => Vec::new(),
    };
    let suggested: BTreeSet<&String> = entry.suggested.0.iter().collect();
    let others = applied.iter().filter(|slug| !suggested.contains(slug));
    let slugs: Vec<String> = entry.suggested.0.iter().chain(others).cloned().collect();
    let applied: BTreeSet<String> = applied.iter().cloned().collect();
    let mut extra = Extra::default();
    let mut reason = entry.reason.clone();
    for (key, value) in entry.extra.keys.iter() {
        if key.as_str() == Some("reason") && reason.is_none() {
            reason = value.as_str().map(ToOwned::to_owned);
        } else {
            extra.keys.append(key.clone(), value.clone());
        }
    }
    let reason = reason.unwrap_or_else(|| REASON.to_owned());
    let is_short = reason.len() <= 200 && entry.weak_axes.len() <= Axis::ALL.len();
    let one = |(n, slug): (usize, String)| TechniqueUse {
        iteration: entry.iteration,
        category: technique(&slug).map_or_else(
            || Some("unknown".to_owned()),
            |one| Some(one.category.to_owned()),
        ),
        reason: Some(if n == 0 || is_short {
            reason.clone()
        } else {
            REASON.to_owned()
        }),
        applied: applied.contains(&slug).into(),
        source: entry.source.or(Some(Source::Auto)),
        weak_axes: if n == 0 || is_short {
            entry.weak_axes.clone()
        } else {
            Vec::new()
        },
        extra: if n == 0 {
            extra.clone()
        } else {
            Extra::default()
        },
        slug: Some(slug),
        suggested: Slugs::default(),
    };
    slugs.into_iter().enumerate().map(one).collect()
}

/// From the first to the last sign of life, where both are known.
fn minutes(old: &Session) -> Option<i64> {
    let moment = |text: &Option<String>| {
        let at = text.as_deref().and_then(Timestamp::parse)?;
        Some(at.instant(&jiff::tz::TimeZone::UTC))
    };
    let worked = moment(&old.updated)?.duration_since(moment(&old.created)?);
    Some((worked.as_secs() / 60).max(0))
}

/// What a migration does to a session, a sentence each.
pub(super) fn steps(from: &str, old: &Session) -> Vec<String> {
    let new = migrated(old);
    let mut steps = Vec::new();
    if from != VERSION {
        steps.push(format!("format_version becomes \"{VERSION}\""));
    }
    if let (Some(from), Some(to)) = (old.mode, new.technique_mode)
        && matches!(from, Mode::Random | Mode::Progressive)
    {
        steps.push(format!(
            "mode `{from}` becomes `standard`, kept as technique_mode `{to}`"
        ));
    } else if old.mode != new.mode {
        steps.push("mode is set to `standard`".to_owned());
    }
    if old.techniques.is_empty() {
        let count = new.techniques.len();
        steps.push(format!("techniques_history is made from {count} uses"));
    } else if old.techniques != new.techniques {
        let count = new.techniques.len();
        steps.push(format!(
            "techniques_history has an entry for each of {count} techniques"
        ));
    }
    if old.party_active.is_none() || old.panel_active.is_none() {
        steps.push("party and panel are added, inactive".to_owned());
    }
    steps
}

fn techniques(old: &Session, kept: Option<Source>) -> Vec<TechniqueUse> {
    let mut found: Vec<TechniqueUse> = Vec::new();
    for entry in &old.history {
        if let Some(slug) = entry.technique_selected.as_deref() {
            found.push(used(
                slug,
                entry.iteration,
                Some(entry),
                kept.unwrap_or(Source::Auto),
            ));
        }
    }
    let last = old.iteration().max(1);
    let mut seen: BTreeSet<String> = found.iter().filter_map(|one| one.slug.clone()).collect();
    for (index, slug) in old.techniques_used.iter().enumerate() {
        if seen.insert(slug.clone()) {
            let guess = i64::try_from(index).unwrap_or(0) + 1;
            found.push(used(slug, Some(guess.min(last)), None, Source::Manual));
        }
    }
    found
}

fn used(slug: &str, at: Option<i64>, entry: Option<&Iteration>, source: Source) -> TechniqueUse {
    let known = technique(slug).map(|one| one.category.to_owned());
    let then = entry.and_then(|entry| entry.technique_category.clone());
    TechniqueUse {
        iteration: at,
        slug: Some(slug.to_owned()),
        category: known.or(then).or_else(|| Some("unknown".to_owned())),
        reason: Some(REASON.to_owned()),
        applied: Applied::Yes,
        source: Some(source),
        ..TechniqueUse::default()
    }
}
