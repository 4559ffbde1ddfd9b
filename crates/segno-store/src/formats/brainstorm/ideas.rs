//! Ideas: added, scored, ranked.

use super::codec::change;
use super::iterate::{Said, in_progress, one_text};
use super::schema::{Idea, Session};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;

/// Adds an idea. The outcome is its number.
pub fn add_idea(
    cx: &Context<'_>,
    place: &Place,
    content: &str,
    score: Option<i64>,
) -> Result<Plan<i64>> {
    let content = one_text(content, Said::Idea)?;
    let score = score.map(checked).transpose()?;
    change(cx, place, |session| {
        in_progress(session)?;
        let id = session
            .ideas
            .iter()
            .filter_map(|idea| idea.id)
            .max()
            .unwrap_or(0)
            + 1;
        session.ideas.push(Idea {
            id: Some(id),
            content: Some(content),
            score,
            ..Idea::default()
        });
        Ok(id)
    })
}

/// Gives an idea a score.
pub fn score_idea(cx: &Context<'_>, place: &Place, id: i64, score: i64) -> Result<Plan<Idea>> {
    let score = checked(score)?;
    change(cx, place, |session| {
        in_progress(session)?;
        let known: Vec<String> = session
            .ideas
            .iter()
            .filter_map(|idea| Some(idea.id?.to_string()))
            .collect();
        let Some(idea) = session.ideas.iter_mut().find(|idea| idea.id == Some(id)) else {
            let none = phrase!("brainstorm-rule-no-idea", "there is no idea {id}", id = id);
            let hint = phrase!(
                "brainstorm-rule-there-are",
                "there are: {names}",
                names = known.join(", ")
            );
            return Err(Refusal::rule(none).hint(hint).into());
        };
        idea.score = Some(score);
        Ok(idea.clone())
    })
}

/// The ideas, best first; those without a score at the end.
pub fn ranked(session: &Session) -> Vec<&Idea> {
    let mut ideas: Vec<&Idea> = session.ideas.iter().collect();
    ideas.sort_by_key(|idea| std::cmp::Reverse(idea.score.unwrap_or(-1)));
    ideas
}

fn checked(score: i64) -> Result<i64> {
    if (0..=10).contains(&score) {
        return Ok(score);
    }
    let what = phrase!(
        "brainstorm-rule-idea-score",
        "the score is {score}",
        score = score
    );
    let hint = phrase!(
        "brainstorm-rule-idea-score-hint",
        "an idea is scored from 0 to 10"
    );
    Err(Refusal::input(what).hint(hint).into())
}
