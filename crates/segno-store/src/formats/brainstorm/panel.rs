//! The panel: rounds of three experts, in discussion, debate and Socratic questioning.

use super::codec::change;
use super::iterate::in_progress;
use super::round::{self, Cast, Speech, is_blank};
use super::schema::{Mode, PanelPhase, PanelRound};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Phrase;

/// The experts there are, each with the school they speak for.
pub const EXPERTS: [(&str, &str); 5] = [
    ("Martin", "SOLID"),
    ("Fowler", "Enterprise Patterns"),
    ("Newman", "Distributed Systems"),
    ("Gamma", "Design Patterns"),
    ("Beck", "TDD"),
];

const SIGNALS: [(&[&str], &[&str]); 6] = [
    (
        &["test", "tests", "testing", "tdd"],
        &["Beck", "Martin", "Fowler"],
    ),
    (
        &["scalability", "scale", "distributed", "microservices"],
        &["Newman", "Fowler", "Martin"],
    ),
    (
        &["refactor", "refactoring", "legacy"],
        &["Fowler", "Martin", "Beck"],
    ),
    (&["pattern", "patterns"], &["Gamma", "Fowler", "Martin"]),
    (&["code", "quality", "clean"], &["Martin", "Beck", "Gamma"]),
    (&[], &["Fowler", "Martin", "Newman"]),
];

const NAMES: [&str; 5] = [
    EXPERTS[0].0,
    EXPERTS[1].0,
    EXPERTS[2].0,
    EXPERTS[3].0,
    EXPERTS[4].0,
];

const CAST: Cast<'_> = Cast {
    known: &NAMES,
    stranger: |who| {
        phrase!(
            "brainstorm-rule-no-expert",
            "`{who}` is no expert of the panel: there are {names}",
            who = who,
            names = NAMES.join(", ")
        )
    },
    size: 3..=3,
    wrong_size: |count| {
        phrase!(
            "brainstorm-rule-panel-size",
            "a round has exactly 3 experts, not {count}",
            count = count
        )
    },
};

/// Whom a topic calls for.
pub fn experts_for(topic: &str) -> Vec<&'static str> {
    round::for_topic(topic, &SIGNALS)
}

/// Opens a panel.
pub fn panel_start(cx: &Context<'_>, place: &Place) -> Result<Plan<()>> {
    change(cx, place, |session| round::open(session, Mode::Panel))
}

/// Records a round. Without a phase it is that of the round before; the first is a discussion. An expert without a
/// framework speaks for their own school. The outcome is the round's number and phase.
pub fn panel_round(
    cx: &Context<'_>,
    place: &Place,
    mut round: PanelRound,
) -> Result<Plan<(i64, PanelPhase)>> {
    change(cx, place, |session| {
        in_progress(session)?;
        round::must_be_active(session, Mode::Panel)?;
        let before = session.panel.last().and_then(|round| round.phase);
        let phase = *round
            .phase
            .get_or_insert(before.unwrap_or(PanelPhase::Discussion));
        let spoke = round.contributions.iter().map(|one| &one.expert);
        round.experts = round::selected(&round.experts, spoke);
        for one in &mut round.contributions {
            let own = EXPERTS
                .iter()
                .find(|(name, _)| one.expert.as_deref() == Some(name));
            if let (None, Some((_, school))) = (&one.framework, own) {
                one.framework = Some((*school).to_owned());
            }
        }
        round::kept_rules(broken_rule(&round))?;
        let number = round::next_number(session.panel.iter().map(|round| round.round));
        round.round = Some(number);
        session.panel.push(round);
        Ok((number, phase))
    })
}

/// Ends a panel. The outcome is how many rounds there were.
pub fn panel_exit(cx: &Context<'_>, place: &Place) -> Result<Plan<usize>> {
    change(cx, place, |session| {
        round::close(session, Mode::Panel)?;
        Ok(session.panel.len())
    })
}

/// The first rule that a round breaks.
pub(super) fn broken_rule(round: &PanelRound) -> Option<Phrase> {
    let chosen: Vec<&str> = round.experts.iter().map(String::as_str).collect();
    if let Some(rule) = round::broken_cast(&CAST, &chosen, round.topic.as_ref()) {
        return Some(rule);
    }
    let mut speeches = Vec::new();
    for one in &round.contributions {
        let who = one.expert.as_deref().unwrap_or("");
        if chosen.contains(&who) && is_blank(one.position.as_ref()) {
            return Some(phrase!(
                "brainstorm-rule-position",
                "{who} takes a position",
                who = who
            ));
        }
        let references = &one.references;
        speeches.push(Speech { who, references });
    }
    if let Some(rule) = round::broken_speech(&chosen, &speeches) {
        return Some(rule);
    }
    let synthesis = round.synthesis.as_ref();
    let is_whole = synthesis.is_some_and(|s| !s.convergent.is_empty() && !s.tensions.is_empty());
    (!is_whole).then(|| {
        phrase!(
            "brainstorm-rule-both-halves",
            "a synthesis names both what converges and the tensions"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::schema::{Opinion, Synthesis};
    use super::*;

    fn round() -> PanelRound {
        let opinion = |who: &str| Opinion {
            expert: Some(who.to_owned()),
            position: Some("for it".to_owned()),
            ..Opinion::default()
        };
        PanelRound {
            topic: Some("the store".to_owned()),
            experts: ["Martin", "Fowler", "Beck"].map(ToOwned::to_owned).to_vec(),
            contributions: ["Martin", "Fowler", "Beck"].map(opinion).to_vec(),
            synthesis: Some(Synthesis {
                convergent: vec!["tests".to_owned()],
                tensions: vec!["speed".to_owned()],
                ..Synthesis::default()
            }),
            ..PanelRound::default()
        }
    }

    #[test]
    fn each_rule_of_a_round_is_enforced_by_name() {
        assert_eq!(broken_rule(&round()), None);
        let check = |change: &dyn Fn(&mut PanelRound), expected: &str| {
            let mut broken = round();
            change(&mut broken);
            let found = broken_rule(&broken).unwrap().to_string();
            assert!(found.contains(expected), "{found}");
        };
        check(&|r| r.experts[0] = "Nobody".to_owned(), "no expert");
        check(&|r| r.experts[0] = "Beck".to_owned(), "twice");
        check(&|r| drop(r.experts.pop()), "exactly 3 experts, not 2");
        check(&|r| r.topic = None, "topic");
        check(
            &|r| r.contributions[0].expert = Some("Gamma".to_owned()),
            "not selected",
        );
        check(&|r| r.contributions[0].position = None, "position");
        check(
            &|r| r.contributions[0].references = vec!["Newman".to_owned()],
            "not selected",
        );
        check(&|r| drop(r.contributions.pop()), "does not contribute");
        check(
            &|r| r.synthesis.as_mut().unwrap().tensions.clear(),
            "tensions",
        );
        check(&|r| r.synthesis = None, "both what converges");
    }

    #[test]
    fn a_topic_calls_for_three_experts() {
        let check = |topic: &str, who: &[&str]| assert_eq!(experts_for(topic), who, "{topic}");
        check("Architecture", &["Fowler", "Martin", "Newman"]);
        check("Code quality", &["Martin", "Beck", "Gamma"]);
        check("Testing strategy", &["Beck", "Martin", "Fowler"]);
        check("Patterns", &["Gamma", "Fowler", "Martin"]);
        check("Scalability", &["Newman", "Fowler", "Martin"]);
        check("Refactoring", &["Fowler", "Martin", "Beck"]);
        for (_, who) in SIGNALS {
            assert_eq!(who.len(), 3);
        }
    }
}
