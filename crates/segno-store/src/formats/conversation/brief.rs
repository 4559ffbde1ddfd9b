//! What a returning person or agent reads first.

use super::super::{Context, Place};
use super::card;
use super::check::check_soon;
use super::state::{self, StateFile};
use super::transcript::{Transcript, Wanted};
use crate::error::Result;
use crate::session::Brief;

/// How many of the last turns are shown where no budget is given.
const TURNS: usize = 20;

/// The brief, the newest turns in it as far as the budget goes.
pub(super) fn brief(cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
    let state = state::read(cx, place)?;
    let mut brief = Brief::new(card::card(cx, place)?);
    brief.problems = check_soon(cx, place)?;
    brief.goal.clone_from(&brief.card.title);
    brief.state = lines(place, &state);
    if !brief.card.summary.trim().is_empty() {
        brief.state.push(brief.card.summary.clone());
    }
    let wanted = match budget {
        Some(budget) => Wanted::Tokens(budget.saturating_sub(brief.tokens())),
        None => Wanted::Turns(TURNS),
    };
    let newest = Transcript::open(cx, place)?.newest(wanted)?;
    brief.turns = newest.turns;
    brief.turns_left_out = newest.left_out;
    if let Some(budget) = budget {
        brief.fit(budget);
    }
    Ok(brief)
}

fn lines(place: &Place, state: &StateFile) -> Vec<String> {
    let mut lines = vec![format!("type: {}", card::kind_of(place, state))];
    let StateFile::Sound(state) = state else {
        return lines;
    };
    for (name, key) in [("command", "command"), ("model", "model")] {
        if let Some(value) = state.agent(key).filter(|value| !value.trim().is_empty()) {
            lines.push(format!("{name}: {value}"));
        }
    }
    let tools = state.tools();
    if !tools.is_empty() {
        lines.push(format!("tools: {}", tools.join(", ")));
    }
    lines
}
