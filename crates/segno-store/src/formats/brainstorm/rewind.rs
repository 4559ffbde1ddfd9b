//! Back and forward through the iterations, and the branches that a new direction leaves behind.
//!
//! `back` moves the position only: history is kept, and `forward` walks through it again. Asking something new from an
//! earlier position begins a branch: the iterations behind that position move to `history_branches`, from where they can
//! be returned to.

use super::codec::change;
use super::iterate::{in_progress, set_phase};
use super::schema::{Branch, Iteration, Phase, Session};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::Now;

/// The most steps back in one go.
pub const MAX_BACK: i64 = 5;

/// A move through the iterations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jump {
    /// The iteration before and after.
    pub iteration: (i64, i64),
    /// The score before and after.
    pub ems: (i64, i64),
    /// The phase before and after.
    pub phase: (Phase, Phase),
    /// The questions of the iteration now.
    pub questions: Vec<String>,
    /// How many iterations lie ahead.
    pub ahead: usize,
}

/// How far back a session can go in one go.
pub fn max_back(session: &Session) -> i64 {
    (session.iteration() - 1).clamp(0, MAX_BACK)
}

/// Goes back by so many iterations.
pub fn back(cx: &Context<'_>, place: &Place, steps: i64) -> Result<Plan<Jump>> {
    change(cx, place, |session| {
        in_progress(session)?;
        let most = max_back(session);
        if steps < 1 || steps > most {
            let now = session.iteration();
            let refusal = Refusal::rule(phrase!(
                "brainstorm-back-too-far",
                "cannot go back {n} iterations",
                n = steps
            ))
            .because(phrase!(
                "brainstorm-back-now",
                "current iteration: {iteration}",
                iteration = now
            ));
            let hint = if most == 0 {
                phrase!(
                    "brainstorm-back-none",
                    "there is nothing before this iteration"
                )
            } else {
                phrase!(
                    "brainstorm-back-most",
                    "most possible: back {most}",
                    most = most
                )
            };
            return Err(refusal.hint(hint).into());
        }
        go_to(session, session.iteration() - steps)
    })
}

/// Goes forward by one iteration, through what is there.
pub fn forward(cx: &Context<'_>, place: &Place) -> Result<Plan<Jump>> {
    change(cx, place, |session| {
        in_progress(session)?;
        let next = session.iteration() + 1;
        if session.entry(next).is_none() {
            let slug = session.slug.clone().unwrap_or_default();
            let last = phrase!(
                "brainstorm-rule-last",
                "iteration {iteration} is the last there is",
                iteration = session.iteration()
            );
            let hint = phrase!(
                "brainstorm-rule-last-hint",
                "`segno brainstorm ask {slug} --question ...` begins the next one",
                slug = slug
            );
            return Err(Refusal::rule(last).hint(hint).into());
        }
        go_to(session, next)
    })
}

fn go_to(session: &mut Session, target: i64) -> Result<Jump> {
    let Some(entry) = session.entry(target).cloned() else {
        let gone = phrase!(
            "brainstorm-rule-no-entry",
            "history does not have iteration {iteration}",
            iteration = target
        );
        let hint = phrase!(
            "brainstorm-rule-no-entry-hint",
            "`segno check` says what is missing"
        );
        return Err(Refusal::rule(gone).hint(hint).into());
    };
    let from = (session.iteration(), session.ems(), session.phase());
    let ems = entry.ems.unwrap_or(from.1);
    session.iteration = Some(target);
    session.ems = Some(ems);
    set_phase(session, entry.phase.unwrap_or(from.2));
    if let Some(question) = entry.questions.last() {
        session.last_question = Some(question.clone());
    }
    Ok(Jump {
        iteration: (from.0, target),
        ems: (from.1, session.ems()),
        phase: (from.2, session.phase()),
        questions: entry.questions,
        ahead: session
            .history
            .iter()
            .filter(|entry| entry.iteration > Some(target))
            .count(),
    })
}

/// Moves the iterations behind the current one into a branch; `None` when there are none. The outcome is its number.
pub(super) fn set_aside_later(session: &mut Session, now: &Now) -> Result<Option<i64>> {
    let from = session.iteration();
    let is_later = |entry: &Iteration| entry.iteration.is_some_and(|n| n > from);
    if !session.history.iter().any(is_later) {
        return Ok(None);
    }
    let (later, kept): (Vec<_>, Vec<_>) = session.history.drain(..).partition(is_later);
    session.history = kept;
    if let Some(entry) = later.iter().find(|entry| entry.extra.is_opaque) {
        return Err(not_movable(entry));
    }
    let number = session
        .branches
        .iter()
        .filter_map(|branch| branch.branch)
        .max()
        .unwrap_or(0)
        + 1;
    session.branches.push(Branch {
        branch: Some(number),
        from_iteration: Some(from),
        from_timestamp: session
            .entry(from)
            .and_then(|entry| entry.timestamp.clone()),
        replaced_at: Some(now.utc_seconds()),
        history: later,
        ..Branch::default()
    });
    Ok(Some(number))
}

/// Returns to a branch: its iterations take their place again, and what stood there becomes a branch.
pub fn return_to(cx: &Context<'_>, place: &Place, number: i64) -> Result<Plan<Jump>> {
    change(cx, place, |session| {
        in_progress(session)?;
        let Some(at) = session
            .branches
            .iter()
            .position(|branch| branch.branch == Some(number))
        else {
            return Err(no_branch(session, number));
        };
        let wanted = session.branches.get(at).cloned().unwrap_or_default();
        if let Some(entry) = wanted.history.iter().find(|entry| entry.extra.is_opaque) {
            return Err(not_movable(entry));
        }
        let root = wanted.from_iteration.unwrap_or(0);
        if !holds(&session.history, &wanted) {
            let other = session
                .branches
                .iter()
                .find(|branch| holds(&branch.history, &wanted));
            let hint = if let Some(other) = other.and_then(|branch| branch.branch) {
                phrase!(
                    "brainstorm-rule-branch-first",
                    "return to branch {branch} first: it holds that iteration",
                    branch = other
                )
            } else {
                phrase!(
                    "brainstorm-rule-branch-gone",
                    "the iteration it goes on from is gone from the file"
                )
            };
            let rule = phrase!(
                "brainstorm-rule-branch-elsewhere",
                "branch {branch} goes on from another iteration {iteration} than this one",
                branch = number,
                iteration = root
            );
            return Err(Refusal::rule(rule).hint(hint).into());
        }
        let here = (session.iteration(), session.ems(), session.phase());
        session.branches.remove(at);
        session.iteration = Some(root);
        set_aside_later(session, cx.now)?;
        session.history.extend(wanted.history);
        let last = session.last_iteration().unwrap_or(root);
        let mut jump = go_to(session, last)?;
        jump.iteration.0 = here.0;
        jump.ems.0 = here.1;
        jump.phase.0 = here.2;
        Ok(jump)
    })
}

/// True when these iterations hold the very one that a branch goes on from.
fn holds(history: &[Iteration], branch: &Branch) -> bool {
    history.iter().any(|entry| {
        entry.iteration == branch.from_iteration && entry.timestamp == branch.from_timestamp
    })
}

fn no_branch(session: &Session, number: i64) -> StoreError {
    let known: Vec<String> = session
        .branches
        .iter()
        .filter_map(|branch| Some(branch.branch?.to_string()))
        .collect();
    let hint = if known.is_empty() {
        phrase!("brainstorm-no-branches", "there are no branches")
    } else {
        phrase!(
            "brainstorm-rule-there-are",
            "there are: {names}",
            names = known.join(", ")
        )
    };
    let none = phrase!(
        "brainstorm-rule-no-branch",
        "there is no branch {branch}",
        branch = number
    );
    Refusal::rule(none).hint(hint).into()
}

fn not_movable(entry: &Iteration) -> StoreError {
    Refusal::rule(phrase!(
        "brainstorm-rule-tagged",
        "iteration {iteration} holds a value with a tag of its own, which cannot be moved without loss",
        iteration = entry.iteration.unwrap_or_default()
    ))
    .hint(phrase!("brainstorm-rule-tagged-hint", "write that value out by hand first"))
    .into()
}
