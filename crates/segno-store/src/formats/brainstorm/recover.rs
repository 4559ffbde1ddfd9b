//! Repair: missing fields filled from what the session knows, contradictions settled, nothing thrown away.

use segno_disk::Change;

use super::codec::{Age, Read, Reading, free_name, read};
use super::gaps::{active_mode, gaps};
use super::record::Path;
use super::schema::{Mode, Session, Source};
use super::{checks, problems};
use crate::error::Result;
use crate::formats::{Context, Place, Plan, RecoverOptions, Recovery};
use crate::session::{Problem, Repair};

/// Lists that a recovery writes where they are missing.
const LISTS: &[&str] = &[
    "techniques_used",
    "techniques_history",
    "party_history",
    "panel_history",
    "ideas",
    "history",
];

/// Repairs what `check` reports as repairable.
pub(super) fn recover(
    cx: &Context<'_>,
    place: &Place,
    options: &RecoverOptions,
) -> Result<Plan<Recovery>> {
    let reading = match read(cx, place)? {
        Read::Session(reading) => reading,
        Read::Broken(problem) => {
            return Ok(Plan::nothing(Recovery {
                left: vec![problem],
                ..Recovery::default()
            }));
        }
    };
    let found = checks::problems(cx, place, &reading);
    if reading.age == Age::Newer {
        return Ok(Plan::nothing(Recovery {
            left: found,
            ..Recovery::default()
        }));
    }
    let wanted = |problem: &&Problem| match &problem.repair {
        Repair::Safe(_) => true,
        Repair::Lossy(_) => !options.safe_only,
        Repair::Manual(_) | Repair::None => false,
    };
    let (repaired, left): (Vec<_>, Vec<_>) = found.iter().partition(wanted);
    let mut recovery = Recovery {
        left: left.into_iter().cloned().collect(),
        ..Recovery::default()
    };
    if repaired.is_empty() {
        return Ok(Plan::nothing(recovery));
    }
    for problem in &repaired {
        recovery
            .done
            .push(format!("{}: {}", problem.found, problem.repair.text()));
        if matches!(problem.repair, Repair::Lossy(_)) {
            recovery.unknown.push(problem.found.clone());
        }
    }
    let (session, fill) = repaired_session(cx, place, &reading, &repaired, options);
    let Some(mut change) = reading.write(cx, place, &session, fill)? else {
        return Ok(Plan::nothing(recovery));
    };
    if let Change::Replace { backup, .. } = &mut change {
        let backup = match backup {
            Some(backup) => backup,
            None => backup.insert(backup_name(cx, place)?),
        };
        recovery
            .done
            .push(format!("the file as it was is kept as {backup}"));
    }
    Ok(Plan::in_order(vec![change], recovery))
}

fn backup_name(cx: &Context<'_>, place: &Place) -> Result<segno_disk::RelPath> {
    free_name(cx, |n| {
        place.path.with_suffix(&match n {
            1 => ".bak".to_owned(),
            n => format!(".{n}.bak"),
        })
    })
}

/// The session as it shall be, and the fields that are written even where they are empty.
fn repaired_session(
    cx: &Context<'_>,
    place: &Place,
    reading: &Reading,
    repaired: &[&Problem],
    options: &RecoverOptions,
) -> (Session, Vec<Path>) {
    let mut session = reading.current();
    let mut fill: Vec<Path> = LISTS
        .iter()
        .map(|key| vec!["session".into(), (*key).into()])
        .collect();
    for gap in gaps(cx, place, reading) {
        if gap.with.is_some() && (gap.is_known || !options.safe_only) {
            gap.fill(&mut session);
            fill.push(gap.path);
        }
    }
    for problem in repaired {
        match problem.code {
            problems::OUT_OF_RANGE => {
                let known = session.current().and_then(|entry| entry.ems);
                session.ems = known
                    .filter(|ems| (0..=100).contains(ems))
                    .or(Some(session.ems()));
            }
            problems::ITERATION_MISMATCH => session.iteration = session.last_iteration(),
            problems::MODE_MISMATCH => {
                session.technique_mode = match session.mode {
                    Some(Mode::Random) => Some(Source::Random),
                    Some(Mode::Progressive) => Some(Source::Progressive),
                    _ => session.technique_mode,
                };
                session.mode = Some(active_mode(&session));
            }
            _ => {}
        }
    }
    (session, fill)
}
