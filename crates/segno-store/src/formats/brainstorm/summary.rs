//! A session for those who come back: its card and its brief.

use super::checks;
use super::codec::{Read, read};
use super::ems::{Advice, Level, bar, is_stagnant, is_waiting};
use super::ideas::ranked;
use super::launch::last_active;
use super::schema::{Session, SessionStatus};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place};
use crate::session::{Brief, BriefSection, Card, Problem, Status, Timestamp, Turn};

/// The session in one row.
pub(super) fn card(cx: &Context<'_>, place: &Place) -> Result<Card> {
    Ok(match read(cx, place)? {
        Read::Session(reading) => {
            let problems = checks::problems(cx, place, &reading);
            card_of(place, &reading.current(), problems)
        }
        Read::Broken(problem) => damaged_card(place, problem),
    })
}

/// Of a file that cannot be read only its name is known: nothing is said that stands nowhere, and nobody is sent there.
fn damaged_card(place: &Place, problem: Problem) -> Card {
    Card {
        status: Status::Paused,
        raw_status: String::new(),
        position: String::new(),
        counts: Vec::new(),
        ..card_of(place, &Session::default(), vec![problem])
    }
}

fn card_of(place: &Place, session: &Session, problems: Vec<Problem>) -> Card {
    let status = match session.status() {
        // A brainstorm has no word for a pause: it waits wherever it was left.
        SessionStatus::InProgress => Status::Active,
        SessionStatus::Completed => Status::Completed,
        SessionStatus::Abandoned => Status::Abandoned,
    };
    let count = |list: usize| list as u64;
    Card {
        kind: place.kind,
        id: place.id.clone(),
        title: title(session.slug.as_deref().unwrap_or(place.id.as_str())),
        status,
        raw_status: session
            .status
            .map_or_else(String::new, |status| status.name().to_owned()),
        position: format!(
            "iteration {}, EMS {}, {}",
            session.iteration(),
            session.ems(),
            session.phase()
        ),
        summary: summary(session),
        created: session
            .created
            .as_deref()
            .or(session.started_at.as_deref())
            .and_then(Timestamp::parse),
        last_active: last_active(session),
        path: place.path.clone(),
        counts: vec![
            ("iterations", count(session.history.len())),
            ("ideas", count(session.ideas.len())),
            ("techniques", count(session.techniques_used.len())),
            ("branches", count(session.branches.len())),
        ],
        problems,
    }
}

/// `feature-auth` is called `Feature auth`.
pub(super) fn title(slug: &str) -> String {
    let words = slug.replace('-', " ");
    let mut chars = words.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn summary(session: &Session) -> String {
    let best = ranked(session)
        .first()
        .and_then(|idea| idea.content.clone());
    match (best, &session.last_question) {
        (Some(idea), _) => format!("best idea: {idea}"),
        (None, Some(question)) if !question.is_empty() => format!("last question: {question}"),
        _ => String::new(),
    }
}

/// What a returning agent must read first.
pub(super) fn brief(cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief> {
    let reading = match read(cx, place)? {
        Read::Session(reading) => reading,
        Read::Broken(problem) => {
            return Err(StoreError::Damaged {
                session: format!("{}/{}", place.kind, place.id),
                problems: vec![problem],
            });
        }
    };
    let session = reading.current();
    let problems = checks::problems(cx, place, &reading);
    let mut brief = Brief::new(card_of(place, &session, problems.clone()));
    brief.problems = problems;
    brief.goal = brief.card.title.clone();
    brief.state = state(&session);
    brief.decisions = decisions(&session);
    brief.open_questions = open_questions(&session);
    brief.next = next(&session, place.id.as_str());
    brief.sections = sections(&session);
    brief.turns = turns(&session);
    if let Some(budget) = budget {
        brief.fit(budget);
    }
    Ok(brief)
}

fn state(session: &Session) -> Vec<String> {
    let mut state = vec![
        format!(
            "EMS {}/100 {} ({})",
            session.ems(),
            bar(session.ems()),
            Level::of(session.ems()).name()
        ),
        format!(
            "phase {}, iteration {}, mode {}",
            session.phase(),
            session.iteration(),
            session.mode()
        ),
    ];
    if let Some(persona) = &session.persona {
        state.push(format!("persona {persona}"));
    }
    if let Some(axes) = session.axes() {
        let weak: Vec<String> = axes
            .weak()
            .iter()
            .map(|(axis, score)| format!("{} {score}%", axis.name()))
            .collect();
        if !weak.is_empty() {
            state.push(format!("weak axes: {}", weak.join(", ")));
        }
    }
    if is_stagnant(session) {
        state.push("the score has hardly moved for two iterations".to_owned());
    }
    let ahead = session
        .history
        .iter()
        .filter(|entry| entry.iteration > session.iteration)
        .count();
    if ahead > 0 {
        state.push(format!(
            "{ahead} later iterations are kept: `continue` goes through them again"
        ));
    }
    if !session.branches.is_empty() {
        state.push(format!(
            "{} branches are kept: `history --branches` lists them",
            session.branches.len()
        ));
    }
    state
}

/// A brainstorm records no decisions as such: what stands for them are the best ideas and what panels agreed on.
fn decisions(session: &Session) -> Vec<String> {
    let good = |idea: &&super::schema::Idea| {
        idea.score
            .is_some_and(|score| score >= super::iterate::VALIDATED)
    };
    let ideas = ranked(session).into_iter().filter(good);
    let ideas =
        ideas.filter_map(|idea| Some(format!("{} ({}/10)", idea.content.as_ref()?, idea.score?)));
    let agreed = session
        .panel
        .iter()
        .filter_map(|round| round.synthesis.as_ref());
    let agreed = agreed.flat_map(|synthesis| synthesis.convergent.iter().cloned());
    let party = session
        .party
        .iter()
        .filter_map(|round| round.synthesis.clone());
    ideas.chain(party).chain(agreed).collect()
}

/// The questions that wait for an answer.
pub(super) fn open_questions(session: &Session) -> Vec<String> {
    let unanswered = session
        .current()
        .filter(|entry| is_waiting(entry))
        .map(|entry| {
            entry
                .questions
                .get(entry.responses.len()..)
                .unwrap_or_default()
                .to_vec()
        });
    let party = session
        .party
        .last()
        .filter(|_| session.party_active == Some(true));
    let panel = session
        .panel
        .last()
        .filter(|_| session.panel_active == Some(true));
    let asked = party.and_then(|round| round.user_question.clone());
    let asked_too = panel.and_then(|round| round.user_question.clone());
    unanswered
        .unwrap_or_default()
        .into_iter()
        .chain(asked)
        .chain(asked_too)
        .collect()
}

fn next(session: &Session, slug: &str) -> Option<String> {
    let command = match Advice::of(session) {
        Advice::Nothing => return None,
        Advice::Answer => {
            format!("answer the open questions: segno brainstorm answer {slug} --response ...")
        }
        Advice::Finish => format!("finish: segno brainstorm finish {slug}"),
        Advice::SuggestFinish => format!("go on, or finish: segno brainstorm finish {slug}"),
        Advice::SuggestTechnique => {
            format!("try a technique: segno brainstorm technique suggest {slug}")
        }
        Advice::SuggestConverge => format!("converge: segno brainstorm phase {slug} convergent"),
        Advice::Continue => format!("ask on: segno brainstorm ask {slug} --question ..."),
    };
    Some(command)
}

fn sections(session: &Session) -> Vec<BriefSection> {
    let mut sections = Vec::new();
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            sections.push(BriefSection {
                title: title.to_owned(),
                text: lines.join("\n"),
            });
        }
    };
    let line = |idea: &super::schema::Idea| {
        let score = idea
            .score
            .map_or_else(|| "-".to_owned(), |score| score.to_string());
        format!(
            "{}. [{score}] {}",
            idea.id.unwrap_or_default(),
            idea.content.as_deref().unwrap_or_default()
        )
    };
    section(
        "Ideas, best first",
        ranked(session).into_iter().take(10).map(line).collect(),
    );
    let applied = session.applied().filter_map(|used| {
        Some(format!(
            "{} (iteration {})",
            used.slug.as_deref()?,
            used.iteration.unwrap_or_default()
        ))
    });
    section("Techniques applied", applied.collect());
    if session.party_active == Some(true) {
        let rounds = session.party.iter().filter_map(|round| {
            Some(format!(
                "{}: {}",
                round.topic.as_deref()?,
                round.synthesis.as_deref().unwrap_or_default()
            ))
        });
        section("Party, going on", rounds.collect());
    }
    if session.panel_active == Some(true) {
        let rounds = session.panel.iter().filter_map(|round| round.topic.clone());
        section("Panel, going on", rounds.collect());
    }
    sections
}

fn turns(session: &Session) -> Vec<Turn> {
    let mut turns = Vec::new();
    for entry in session
        .history
        .iter()
        .filter(|entry| entry.iteration <= session.iteration)
    {
        let at = entry.timestamp.as_deref().and_then(Timestamp::parse);
        for (n, question) in entry.questions.iter().enumerate() {
            turns.push(Turn {
                role: "assistant".to_owned(),
                text: question.clone(),
                at: at.clone(),
            });
            if let Some(answer) = entry.responses.get(n) {
                turns.push(Turn {
                    role: "user".to_owned(),
                    text: answer.clone(),
                    at: at.clone(),
                });
            }
        }
    }
    turns
}
