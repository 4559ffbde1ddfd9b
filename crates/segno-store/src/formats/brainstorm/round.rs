//! What rounds of a party and of a panel have in common: being open one at a time, numbers, speakers and references.

use std::collections::BTreeSet;

use super::iterate::in_progress;
use super::schema::{Mode, Session};
use crate::error::Result;
use crate::phrase;
use crate::phrase::{Phrase, Refusal};

/// One speaker of a round, and whom they refer to.
pub(super) struct Speech<'a> {
    pub(super) who: &'a str,
    pub(super) references: &'a [String],
}

/// Who may speak in a round, and how many do.
pub(super) struct Cast<'a> {
    /// Everybody there is.
    pub(super) known: &'a [&'a str],
    /// Says that somebody is not among them.
    pub(super) stranger: fn(&str) -> Phrase,
    /// How many take part.
    pub(super) size: std::ops::RangeInclusive<usize>,
    /// Says that it is another number.
    pub(super) wrong_size: fn(usize) -> Phrase,
}

/// Opens a party or a panel. They exclude each other.
pub(super) fn open(session: &mut Session, mode: Mode) -> Result<()> {
    in_progress(session)?;
    let other = if mode == Mode::Party {
        Mode::Panel
    } else {
        Mode::Party
    };
    if is_active(session, other) {
        let together = phrase!(
            "brainstorm-rule-together",
            "a party and a panel cannot be active together"
        );
        return Err(Refusal::rule(together).hint(exit_first(other)).into());
    }
    if is_active(session, mode) {
        let already = phrase!(
            "brainstorm-rule-active-already",
            "a {mode} is active already",
            mode = mode
        );
        let hint = phrase!(
            "brainstorm-rule-active-already-hint",
            "`{mode} round` adds a round, `{mode} exit` ends it",
            mode = mode
        );
        return Err(Refusal::rule(already).hint(hint).into());
    }
    set_active(session, mode, true);
    session.mode = Some(mode);
    Ok(())
}

/// Ends a party or a panel.
pub(super) fn close(session: &mut Session, mode: Mode) -> Result<()> {
    must_be_active(session, mode)?;
    set_active(session, mode, false);
    session.mode = Some(Mode::Standard);
    Ok(())
}

/// Refuses what needs an active party or panel.
pub(super) fn must_be_active(session: &Session, mode: Mode) -> Result<()> {
    if is_active(session, mode) {
        return Ok(());
    }
    let none = phrase!(
        "brainstorm-rule-none-active",
        "no {mode} is active",
        mode = mode
    );
    let hint = phrase!(
        "brainstorm-rule-none-active-hint",
        "`segno brainstorm {mode} start` opens one",
        mode = mode
    );
    Err(Refusal::rule(none).hint(hint).into())
}

/// Refuses what must wait until neither is active.
pub(super) fn must_be_over(session: &Session) -> Result<()> {
    for mode in [Mode::Party, Mode::Panel] {
        if is_active(session, mode) {
            let active = phrase!(
                "brainstorm-rule-still-active",
                "a {mode} is active",
                mode = mode
            );
            return Err(Refusal::rule(active).hint(exit_first(mode)).into());
        }
    }
    Ok(())
}

fn exit_first(mode: Mode) -> Phrase {
    phrase!(
        "brainstorm-rule-exit-first",
        "`segno brainstorm {mode} exit` first",
        mode = mode
    )
}

fn is_active(session: &Session, mode: Mode) -> bool {
    let active = if mode == Mode::Party {
        session.party_active
    } else {
        session.panel_active
    };
    active == Some(true)
}

fn set_active(session: &mut Session, mode: Mode, active: bool) {
    let field = if mode == Mode::Party {
        &mut session.party_active
    } else {
        &mut session.panel_active
    };
    *field = Some(active);
}

/// Refuses a round that breaks a rule.
pub(super) fn kept_rules(broken: Option<Phrase>) -> Result<()> {
    let Some(rule) = broken else {
        return Ok(());
    };
    let hint = phrase!(
        "brainstorm-rule-round-hint",
        "the round was not recorded; correct it and send it again"
    );
    Err(Refusal::rule(rule).hint(hint).into())
}

/// The number of the next round.
pub(super) fn next_number(numbers: impl Iterator<Item = Option<i64>>) -> i64 {
    numbers.flatten().max().unwrap_or(0) + 1
}

/// Who takes part: those given, or else those who speak.
pub(super) fn selected<'a>(
    given: &[String],
    spoke: impl Iterator<Item = &'a Option<String>>,
) -> Vec<String> {
    if given.is_empty() {
        spoke.flatten().cloned().collect()
    } else {
        given.to_vec()
    }
}

/// The choice of the first signal whose words occur in a topic; one without words always fits.
pub(super) fn for_topic(topic: &str, signals: &[(&[&str], &[&'static str])]) -> Vec<&'static str> {
    let topic = topic.to_lowercase();
    let words: BTreeSet<&str> = topic.split(|c: char| !c.is_alphanumeric()).collect();
    let fits = |signal: &&(&[&str], &[&'static str])| {
        signal.0.is_empty() || signal.0.iter().any(|word| words.contains(word))
    };
    signals
        .iter()
        .find(fits)
        .map(|(_, who)| who.to_vec())
        .unwrap_or_default()
}

/// The first rule about who takes part that a round breaks.
pub(super) fn broken_cast(
    cast: &Cast<'_>,
    chosen: &[&str],
    topic: Option<&String>,
) -> Option<Phrase> {
    if let Some(stranger) = chosen.iter().find(|name| !cast.known.contains(name)) {
        return Some((cast.stranger)(stranger));
    }
    if let Some(rule) = repeated(chosen) {
        return Some(rule);
    }
    if !cast.size.contains(&chosen.len()) {
        return Some((cast.wrong_size)(chosen.len()));
    }
    is_blank(topic).then(|| phrase!("brainstorm-rule-topic", "a round has a topic"))
}

/// The first rule about who speaks and refers to whom that a round breaks.
pub(super) fn broken_speech(chosen: &[&str], speeches: &[Speech<'_>]) -> Option<Phrase> {
    for Speech { who, references } in speeches {
        if !chosen.contains(who) {
            return Some(phrase!(
                "brainstorm-rule-uninvited",
                "`{who}` contributes but was not selected",
                who = who
            ));
        }
        if let Some(rule) = bad_references(who, references, chosen) {
            return Some(rule);
        }
    }
    let spoke: Vec<&str> = speeches.iter().map(|speech| speech.who).collect();
    if let Some(rule) = repeated(&spoke) {
        return Some(rule);
    }
    let silent = chosen.iter().find(|name| !spoke.contains(name))?;
    Some(phrase!(
        "brainstorm-rule-silent",
        "{who} was selected and does not contribute",
        who = silent
    ))
}

fn repeated(names: &[&str]) -> Option<Phrase> {
    let mut seen = BTreeSet::new();
    let twice = names.iter().find(|name| !seen.insert(**name))?;
    Some(phrase!(
        "brainstorm-rule-twice",
        "{who} stands there twice",
        who = twice
    ))
}

fn bad_references(who: &str, references: &[String], chosen: &[&str]) -> Option<Phrase> {
    if references.len() > 2 {
        return Some(phrase!(
            "brainstorm-rule-references",
            "{who} refers to {count} others; at most 2",
            who = who,
            count = references.len()
        ));
    }
    if references.iter().any(|name| name == who) {
        return Some(phrase!(
            "brainstorm-rule-itself",
            "{who} refers to itself",
            who = who
        ));
    }
    let stranger = references
        .iter()
        .find(|name| !chosen.contains(&name.as_str()))?;
    Some(phrase!(
        "brainstorm-rule-refers-out",
        "{who} refers to `{other}`, who was not selected",
        who = who,
        other = stranger
    ))
}

pub(super) fn is_blank(text: Option<&String>) -> bool {
    text.is_none_or(|text| text.trim().is_empty())
}
