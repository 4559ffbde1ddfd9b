//! Recording decisions: entries are added behind the last one, existing bytes are never written again.

use segno_disk::{Access, Change};

use super::decision::NewDecision;
use super::layout::Layout;
use super::log::{self, End};
use super::problems::refuse;
use super::role::Lead;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::session::Problem;

/// What came of recording decisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Their numbers.
    pub seqs: Vec<u64>,
    /// What is wrong with the log they were added to.
    pub problems: Vec<Problem>,
}

/// Records a decision under the next number.
pub fn decide(
    cx: &Context<'_>,
    place: &Place,
    _lead: Lead,
    decision: &NewDecision,
) -> Result<Plan<Recorded>> {
    decision.check()?;
    let layout = Layout::of(place)?;
    let end = log::end(cx.files, &layout.decisions)?;
    let (changes, recorded) = append(cx, &layout, end, std::slice::from_ref(decision))?;
    // Crash: nothing in a text log tells an entry of ours that a power cut shortened from one that a person left short.
    // The journal of the unit does: the entry is there whole or not at all.
    Ok(Plan::all_or_none(changes, recorded))
}

/// The changes that add entries behind the end of the log, and remember the end of a long one.
pub(super) fn append(
    cx: &Context<'_>,
    layout: &Layout,
    end: End,
    decisions: &[NewDecision],
) -> Result<(Vec<Change>, Recorded)> {
    if let Some(problem) = end.closed {
        return Err(refuse(problem));
    }
    let at = cx.now.utc_seconds();
    let mut next = end.next;
    let mut seqs = Vec::new();
    let mut text = String::new();
    if end.unfinished {
        text.push_str(end.eol);
    }
    if !end.parted {
        text.push_str(end.eol);
    }
    for (index, decision) in decisions.iter().enumerate() {
        let seq = next.ok_or_else(no_number)?;
        if index > 0 {
            text.push_str(end.eol);
        }
        text.push_str(&decision.spell(seq, &at, end.eol));
        seqs.push(seq);
        next = seq.checked_add(1);
    }
    let entries = Change::Append {
        path: layout.decisions.clone(),
        at: end.valid,
        seen: end.len,
        bytes: text.into_bytes(),
        access: Access::Shared,
    };
    let recorded = Recorded {
        seqs,
        problems: end.problems,
    };
    let changes = std::iter::once(entries).chain(end.remember);
    Ok((changes.collect(), recorded))
}

fn no_number() -> StoreError {
    StoreError::Refused {
        rule: "the log holds the largest number there is, so that none is left".to_owned(),
        hints: vec!["correct the number of that entry by hand".to_owned()],
    }
}
