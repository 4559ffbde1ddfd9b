//! The party: rounds of personas, with the rules that make a round worth having.

use super::codec::change;
use super::iterate::in_progress;
use super::round::{self, Cast, Speech, is_blank};
use super::schema::{Mode, PartyRound};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Phrase;

/// The personas there are.
pub const PERSONAS: [&str; 5] = ["Architect", "Security", "Frontend", "Backend", "QA"];

/// The one that is always there.
const ANCHOR: &str = "Architect";

/// Words of a topic and whom they call for; the first that fits counts.
const SIGNALS: [(&[&str], &[&str]); 7] = [
    (
        &["security", "securite", "auth", "token"],
        &["Security", "Backend", "Architect"],
    ),
    (
        &["api", "integration", "gateway"],
        &["Backend", "Security", "QA", "Architect"],
    ),
    (
        &["performance", "latency", "latence"],
        &["Backend", "Frontend", "Architect"],
    ),
    (
        &["database", "schema", "donnees", "sql"],
        &["Backend", "QA", "Architect"],
    ),
    (
        &["user", "ux", "utilisateur"],
        &["Frontend", "QA", "Architect"],
    ),
    (
        &["ui", "interface", "page"],
        &["Frontend", "QA", "Architect"],
    ),
    (&[], &["Architect", "Backend", "Security"]),
];

const CAST: Cast<'_> = Cast {
    known: &PERSONAS,
    stranger: |who| {
        phrase!(
            "brainstorm-rule-no-persona",
            "`{who}` is no persona: there are {names}",
            who = who,
            names = PERSONAS.join(", ")
        )
    },
    size: 3..=5,
    wrong_size: |count| {
        phrase!(
            "brainstorm-rule-party-size",
            "a round has 3 to 5 personas, not {count}",
            count = count
        )
    },
};

/// Whom a topic calls for.
pub fn personas_for(topic: &str) -> Vec<&'static str> {
    round::for_topic(topic, &SIGNALS)
}

/// Opens a party.
pub fn party_start(cx: &Context<'_>, place: &Place) -> Result<Plan<()>> {
    change(cx, place, |session| round::open(session, Mode::Party))
}

/// Records a round. Who takes part is given, or is who contributed. The outcome is the round's number.
pub fn party_round(cx: &Context<'_>, place: &Place, mut round: PartyRound) -> Result<Plan<i64>> {
    change(cx, place, |session| {
        in_progress(session)?;
        round::must_be_active(session, Mode::Party)?;
        let spoke = round.contributions.iter().map(|one| &one.persona);
        round.personas = round::selected(&round.personas, spoke);
        round::kept_rules(broken_rule(&round))?;
        let number = round::next_number(session.party.iter().map(|round| round.round));
        round.round = Some(number);
        session.party.push(round);
        Ok(number)
    })
}

/// Ends a party. The outcome is how many rounds there were.
pub fn party_exit(cx: &Context<'_>, place: &Place) -> Result<Plan<usize>> {
    change(cx, place, |session| {
        round::close(session, Mode::Party)?;
        Ok(session.party.len())
    })
}

/// The first rule that a round breaks.
pub(super) fn broken_rule(round: &PartyRound) -> Option<Phrase> {
    let chosen: Vec<&str> = round.personas.iter().map(String::as_str).collect();
    if let Some(rule) = round::broken_cast(&CAST, &chosen, round.topic.as_ref()) {
        return Some(rule);
    }
    if !chosen.contains(&ANCHOR) {
        return Some(phrase!(
            "brainstorm-rule-anchor",
            "{who} takes part in every round",
            who = ANCHOR
        ));
    }
    let mut speeches = Vec::new();
    for one in &round.contributions {
        let who = one.persona.as_deref().unwrap_or("");
        if chosen.contains(&who) && !(2..=3).contains(&one.key_points.len()) {
            return Some(phrase!(
                "brainstorm-rule-points",
                "{who} makes 2 or 3 points, not {count}",
                who = who,
                count = one.key_points.len()
            ));
        }
        let references = &one.references;
        speeches.push(Speech { who, references });
    }
    if let Some(rule) = round::broken_speech(&chosen, &speeches) {
        return Some(rule);
    }
    if speeches.iter().all(|speech| speech.references.is_empty()) {
        return Some(phrase!(
            "brainstorm-rule-no-reference",
            "at least one persona refers to another"
        ));
    }
    if is_blank(round.synthesis.as_ref()) {
        return Some(phrase!(
            "brainstorm-rule-synthesis",
            "a round ends with a synthesis"
        ));
    }
    is_blank(round.user_question.as_ref()).then(|| {
        phrase!(
            "brainstorm-rule-question",
            "a round ends with a question to the user"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::schema::Contribution;
    use super::*;

    fn round() -> PartyRound {
        let contribution = |who: &str, references: &[&str]| Contribution {
            persona: Some(who.to_owned()),
            key_points: vec!["one".to_owned(), "two".to_owned()],
            references: references.iter().map(ToString::to_string).collect(),
            ..Contribution::default()
        };
        PartyRound {
            topic: Some("the gateway".to_owned()),
            personas: ["Architect", "Security", "QA"]
                .map(ToOwned::to_owned)
                .to_vec(),
            contributions: vec![
                contribution("Architect", &[]),
                contribution("Security", &["Architect"]),
                contribution("QA", &["Architect", "Security"]),
            ],
            synthesis: Some("a facade".to_owned()),
            user_question: Some("which store?".to_owned()),
            ..PartyRound::default()
        }
    }

    #[test]
    fn each_rule_of_a_round_is_enforced_by_name() {
        assert_eq!(broken_rule(&round()), None);
        let check = |change: &dyn Fn(&mut PartyRound), expected: &str| {
            let mut broken = round();
            change(&mut broken);
            let found = broken_rule(&broken).unwrap().to_string();
            assert!(found.contains(expected), "{found}");
        };
        check(&|r| r.personas[2] = "Intern".to_owned(), "no persona");
        check(&|r| r.personas[2] = "Security".to_owned(), "twice");
        check(&|r| r.personas.truncate(2), "3 to 5 personas, not 2");
        check(
            &|r| r.personas[0] = "Backend".to_owned(),
            "Architect takes part",
        );
        check(&|r| r.topic = None, "topic");
        check(
            &|r| r.contributions[1].persona = Some("Backend".to_owned()),
            "was not selected",
        );
        check(&|r| r.contributions[1].key_points.clear(), "2 or 3 points");
        check(
            &|r| r.contributions[1].references = vec!["Security".to_owned()],
            "itself",
        );
        check(
            &|r| r.contributions[1].references = vec!["Backend".to_owned()],
            "not selected",
        );
        check(
            &|r| r.contributions[1].references = vec!["Architect".to_owned(); 3],
            "at most 2",
        );
        check(
            &|r| {
                r.contributions
                    .iter_mut()
                    .for_each(|c| c.references.clear());
            },
            "refers to another",
        );
        check(&|r| drop(r.contributions.pop()), "does not contribute");
        check(&|r| r.synthesis = Some(" ".to_owned()), "synthesis");
        check(&|r| r.user_question = None, "question to the user");
    }

    #[test]
    fn a_topic_calls_for_its_personas_and_always_for_the_architect() {
        let check = |topic: &str, who: &[&str]| assert_eq!(personas_for(topic), who, "{topic}");
        check("System architecture", &["Architect", "Backend", "Security"]);
        check("A UI feature", &["Frontend", "QA", "Architect"]);
        check(
            "API integration",
            &["Backend", "Security", "QA", "Architect"],
        );
        check("Performance", &["Backend", "Frontend", "Architect"]);
        check("Security", &["Security", "Backend", "Architect"]);
        check("The database", &["Backend", "QA", "Architect"]);
        check("The user and UX", &["Frontend", "QA", "Architect"]);
        check("anything", &["Architect", "Backend", "Security"]);
        for (_, who) in SIGNALS {
            assert!(who.contains(&ANCHOR) && who.len() >= 3);
        }
    }
}
