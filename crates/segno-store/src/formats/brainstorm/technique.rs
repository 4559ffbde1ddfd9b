//! Techniques in a session: suggested, applied, skipped; every one of them recorded.

use super::catalogue::{Technique, near, technique};
use super::codec::change;
use super::ems::Axis;
use super::iterate::in_progress;
use super::record::Applied;
use super::schema::{RandomState, Session, Source, TechniqueUse};
use super::select::{self, Suggestion};
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;

/// What was suggested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggested {
    /// How they were chosen.
    pub source: Source,
    /// The suggestions, the first to be applied first.
    pub suggestions: Vec<Suggestion>,
    /// Others that would do.
    pub alternatives: Vec<&'static Technique>,
}

/// Suggests techniques and records them. Without a source, the session's own way of choosing is used.
pub fn suggest(
    cx: &Context<'_>,
    place: &Place,
    source: Option<Source>,
    seed: u64,
) -> Result<Plan<Suggested>> {
    change(cx, place, |session| {
        in_progress(session)?;
        let source = source.or(session.technique_mode).unwrap_or(Source::Auto);
        let suggestions = match source {
            Source::Auto => auto(session)?,
            Source::Random => vec![because(
                session,
                &select::random(session, seed),
                format!("random, seed {seed}"),
            )],
            Source::Progressive => {
                let reason = format!("progressive, EMS {}", session.ems());
                vec![because(session, &select::progressive(session), reason)]
            }
            Source::Manual => return Err(by_name_only()),
        };
        let alternatives = select::alternatives(session, &suggestions);
        for suggestion in &suggestions {
            record(session, suggestion, source, false);
        }
        Ok(Suggested {
            source,
            suggestions,
            alternatives,
        })
    })
}

fn auto(session: &Session) -> Result<Vec<Suggestion>> {
    let found = select::auto(session);
    if !found.is_empty() {
        return Ok(found);
    }
    let what = if session.axes().is_some() {
        phrase!(
            "brainstorm-rule-not-weak",
            "no technique is called for: no axis is below 50%"
        )
    } else {
        phrase!(
            "brainstorm-rule-unknown-axes",
            "no technique is called for: the five axes are not known"
        )
    };
    Err(Refusal::rule(what)
        .hint(phrase!(
            "brainstorm-rule-give-axes",
            "give the axes with `segno brainstorm ask ... --axis clarte=42 ...`"
        ))
        .hint(phrase!(
            "brainstorm-rule-or-choose",
            "or choose with `--random`, `--progressive`, or `technique apply NAME`"
        ))
        .into())
}

/// Drawn techniques serve the weak axes too, where they are known.
fn because(session: &Session, drawn: &Suggestion, reason: String) -> Suggestion {
    let weak = session
        .axes()
        .map(super::ems::Axes::weak)
        .unwrap_or_default();
    Suggestion {
        technique: drawn.technique,
        weak,
        reason,
    }
}

fn by_name_only() -> StoreError {
    Refusal::input(phrase!(
        "brainstorm-rule-by-name",
        "a technique is chosen by hand with its name"
    ))
    .hint(phrase!(
        "brainstorm-rule-by-name-hint",
        "`segno brainstorm technique apply SLUG NAME`; `technique list` shows all"
    ))
    .into()
}

/// Applies a technique: the one that was suggested, or any by its slug or name. The outcome says whether it was
/// suggested before.
pub fn apply(
    cx: &Context<'_>,
    place: &Place,
    name: &str,
) -> Result<Plan<(&'static Technique, bool)>> {
    let found = named(name)?;
    change(cx, place, |session| {
        in_progress(session)?;
        let suggested = pending(session, found.slug);
        let was_suggested = suggested.is_some();
        if let Some(used) = suggested {
            used.applied = Applied::Yes;
        } else {
            let weak = session
                .axes()
                .map(super::ems::Axes::weak)
                .unwrap_or_default();
            let mut choice = select::suggestion(found, weak);
            if choice.reason.is_empty() {
                "manual".clone_into(&mut choice.reason);
            }
            record(session, &choice, Source::Manual, true);
        }
        if !session
            .techniques_used
            .iter()
            .any(|slug| slug == found.slug)
        {
            session.techniques_used.push(found.slug.to_owned());
        }
        Ok((found, was_suggested))
    })
}

/// Leaves a suggested technique alone; that it was suggested stays recorded.
pub fn skip(cx: &Context<'_>, place: &Place, name: &str) -> Result<Plan<&'static Technique>> {
    let found = named(name)?;
    change(cx, place, |session| {
        in_progress(session)?;
        match pending(session, found.slug) {
            Some(used) => {
                used.applied = Applied::No;
                Ok(found)
            }
            None => Err(Refusal::rule(phrase!(
                "brainstorm-rule-not-waiting",
                "`{slug}` is not a suggestion that waits",
                slug = found.slug
            ))
            .hint(phrase!(
                "brainstorm-rule-not-waiting-hint",
                "`segno brainstorm technique suggest` makes suggestions"
            ))
            .into()),
        }
    })
}

fn named(name: &str) -> Result<&'static Technique> {
    technique(name).ok_or_else(|| {
        let shown: String = name.chars().take(60).flat_map(char::escape_debug).collect();
        let none = phrase!(
            "brainstorm-rule-no-technique",
            "there is no technique `{name}`",
            name = shown
        );
        let mut refusal = Refusal::input(none);
        let near = near(name);
        if !near.is_empty() {
            let names = near.join(", ");
            refusal = refusal.hint(phrase!(
                "brainstorm-rule-nearest",
                "the nearest: {names}",
                names = names
            ));
        }
        let all = phrase!(
            "brainstorm-rule-all-techniques",
            "`segno brainstorm technique list` shows all 68"
        );
        refusal.hint(all).into()
    })
}

/// The newest suggestion of a technique that was not applied.
fn pending<'s>(session: &'s mut Session, slug: &str) -> Option<&'s mut TechniqueUse> {
    let now = session.iteration();
    let waits = |used: &&mut TechniqueUse| {
        used.slug.as_deref() == Some(slug)
            && used.applied != Applied::Yes
            && used.iteration == Some(now)
    };
    session.techniques.iter_mut().rev().find(waits)
}

fn record(session: &mut Session, suggestion: &Suggestion, source: Source, applied: bool) {
    let name = |(axis, _): &(Axis, i64)| axis.name().to_owned();
    session.techniques.push(TechniqueUse {
        iteration: Some(session.iteration()),
        slug: Some(suggestion.technique.slug.to_owned()),
        category: Some(suggestion.technique.category.to_owned()),
        reason: Some(suggestion.reason.clone()),
        applied: applied.into(),
        source: Some(source),
        weak_axes: suggestion.weak.iter().map(name).collect(),
        ..TechniqueUse::default()
    });
    if source == Source::Random {
        let state = session
            .random_state
            .get_or_insert_with(RandomState::default);
        state.last_category = Some(suggestion.technique.category.to_owned());
        state.category_counts.add(suggestion.technique.category);
    }
}
