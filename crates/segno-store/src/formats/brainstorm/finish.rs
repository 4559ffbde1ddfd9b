//! Finish: the brief and the journal, the history and the statistics, and the session completed — all or nothing.

use segno_disk::{Access, Basis, Change, RelPath};

use super::codec::read_to_change;
use super::documents::{self, Sheet};
use super::iterate::in_progress;
use super::schema::{Session, SessionStatus};
use super::{clock, round, statistics};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;

/// Below this score a finish is early: a warning.
pub const WARN_BELOW: i64 = 60;
/// Below this score a finish must be forced.
pub const FORCE_BELOW: i64 = 50;

/// What a finish wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The brief.
    pub brief: RelPath,
    /// The journal.
    pub journal: RelPath,
    /// The score.
    pub ems: i64,
    /// True when the score is below [`WARN_BELOW`].
    pub is_early: bool,
}

/// Writes brief and journal, updates history, statistics and index, and completes the session.
///
/// Commit point: the unit. A crash leaves all of it or nothing.
pub fn finish(cx: &Context<'_>, place: &Place, force: bool) -> Result<Plan<Finished>> {
    let reading = read_to_change(cx, place)?;
    let mut session = reading.current();
    may_finish(&session, force)?;
    clock::count(&mut session, cx.now);
    session.status = Some(SessionStatus::Completed);
    session.updated = Some(cx.now.utc_seconds());

    let slug = session.slug.clone().unwrap_or_else(|| place.id.to_string());
    let (brief, journal) = document_paths(cx, place)?;
    let sheet = Sheet {
        session: &session,
        slug: &slug,
        date: cx.now.date(),
        number: statistics::next_number(cx)?,
        session_file: place.path.as_str(),
        journal_file: journal.name(),
    };
    let page = |path: &RelPath, text: String| {
        Change::replace(
            path.clone(),
            text.into_bytes(),
            Basis::Absent,
            Access::Shared,
        )
    };
    let mut changes = vec![
        page(&brief, documents::brief(&sheet)),
        page(&journal, documents::journal(&sheet)),
    ];
    changes.extend(statistics::changes(cx, place, &session, &brief, &journal)?);
    changes.extend(reading.write(cx, place, &session, Vec::new())?);
    let ems = session.ems();
    let finished = Finished {
        brief,
        journal,
        ems,
        is_early: ems < WARN_BELOW,
    };
    Ok(Plan::all_or_none(changes, finished))
}

fn may_finish(session: &Session, force: bool) -> Result<()> {
    in_progress(session)?;
    round::must_be_over(session)?;
    if session.ems() < FORCE_BELOW && !force {
        let early = phrase!(
            "brainstorm-rule-early",
            "the EMS is {ems}: below {least} a finish must be forced",
            ems = session.ems(),
            least = FORCE_BELOW
        );
        let hint = phrase!(
            "brainstorm-rule-early-hint",
            "go on exploring, or add `--force`"
        );
        return Err(Refusal::rule(early).hint(hint).into());
    }
    Ok(())
}

/// Both documents get the same number, and neither overwrites anything.
fn document_paths(cx: &Context<'_>, place: &Place) -> Result<(RelPath, RelPath)> {
    // The file's own name, not the slug inside it, which somebody else may have written.
    let name = place.id.as_str();
    let dir = RelPath::new("docs/briefs")?.join_name(name)?;
    let date = cx.now.date();
    let tail = |n: u32| {
        if n == 1 {
            String::new()
        } else {
            format!("-v{n}")
        }
    };
    let path = |kind: &str, n: u32| dir.join_name(&format!("{kind}-{name}-{date}{}.md", tail(n)));
    let mut n = 1;
    loop {
        let (brief, journal) = (path("brief", n)?, path("journal", n)?);
        if cx.files.stat(&brief)?.is_none() && cx.files.stat(&journal)?.is_none() {
            return Ok((brief, journal));
        }
        n += 1;
    }
}
