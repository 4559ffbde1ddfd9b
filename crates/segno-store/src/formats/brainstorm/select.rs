//! Which technique to suggest: by weak axis, at random with balanced categories, or by the range of the score.
//!
//! Pure: the same session and the same seed give the same suggestion.

use super::catalogue::{Difficulty, Technique, technique, techniques};
use super::ems::Axis;
use super::record::Applied;
use super::schema::{Phase, Session};

/// What is suggested, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The technique.
    pub technique: &'static Technique,
    /// The axes that called for it, each with its score.
    pub weak: Vec<(Axis, i64)>,
    /// Why, as the file has it: `Clarte 42%`.
    pub reason: String,
}

/// The technique when nothing else fits.
const FALLBACK: &str = "six-hats";

/// Pairs that serve two weak axes together.
const PAIRS: [(Axis, Axis, [&str; 2]); 5] = [
    (
        Axis::Clarte,
        Axis::Couverture,
        ["question-storming", "six-hats"],
    ),
    (Axis::Profondeur, Axis::Decisions, ["5whys", "moscow"]),
    (
        Axis::Couverture,
        Axis::Actionnabilite,
        ["what-if", "premortem"],
    ),
    (
        Axis::Clarte,
        Axis::Profondeur,
        ["first-principles", "5whys"],
    ),
    (
        Axis::Decisions,
        Axis::Actionnabilite,
        ["scoring", "constraint-mapping"],
    ),
];

const fn primary(axis: Axis) -> &'static [&'static str] {
    match axis {
        Axis::Clarte => &["deep", "structured"],
        Axis::Profondeur => &["deep", "introspective"],
        Axis::Couverture => &["creative", "collaborative", "wild"],
        Axis::Decisions => &["structured", "deep", "prioritization"],
        Axis::Actionnabilite => &["structured", "prioritization"],
    }
}

const fn secondary(axis: Axis) -> &'static [&'static str] {
    match axis {
        Axis::Clarte => &["creative", "prioritization"],
        Axis::Profondeur => &["creative", "theatrical"],
        Axis::Couverture => &["theatrical", "biomimetic"],
        Axis::Decisions => &["collaborative"],
        Axis::Actionnabilite => &["collaborative", "wild"],
    }
}

/// By weak axis: the weakest first, two techniques of different categories when two axes are weak. Empty when no axis is
/// known to be weak.
pub(super) fn auto(session: &Session) -> Vec<Suggestion> {
    let weak = session
        .axes()
        .map(super::ems::Axes::weak)
        .unwrap_or_default();
    match weak.as_slice() {
        [] => Vec::new(),
        [one] => for_axis(session, *one, &[]).into_iter().collect(),
        [first, second, ..] => for_two(session, *first, *second),
    }
}

/// Further techniques for the weakest axis, beside those suggested.
pub(super) fn alternatives(session: &Session, suggested: &[Suggestion]) -> Vec<&'static Technique> {
    let weak = session
        .axes()
        .map(super::ems::Axes::weak)
        .unwrap_or_default();
    let Some((axis, _)) = weak.first().copied() else {
        return Vec::new();
    };
    let is_new = |one: &&Technique| suggested.iter().all(|s| s.technique.slug != one.slug);
    candidates(session, axis)
        .into_iter()
        .filter(is_new)
        .take(2)
        .collect()
}

fn for_two(session: &Session, first: (Axis, i64), second: (Axis, i64)) -> Vec<Suggestion> {
    let pair = PAIRS
        .iter()
        .find(|(a, b, _)| (*a, *b) == (first.0, second.0) || (*b, *a) == (first.0, second.0));
    if let Some((a, _, slugs)) = pair {
        let recent = recent(session);
        let found: Vec<&Technique> = slugs.iter().filter_map(|slug| technique(slug)).collect();
        if found
            .iter()
            .all(|one| !recent.contains(&one.slug) && is_allowed(session, one))
        {
            let (weak_a, weak_b) = if *a == first.0 {
                (first, second)
            } else {
                (second, first)
            };
            let mut both: Vec<Suggestion> = found
                .into_iter()
                .zip([weak_a, weak_b])
                .map(|(one, weak)| suggestion(one, vec![weak]))
                .collect();
            // What opens comes before what closes.
            both.sort_by_key(|one| one.technique.phase);
            return both;
        }
    }
    let one = for_axis(session, first, &[]);
    let taken: Vec<&str> = one.iter().map(|s| s.technique.category).collect();
    let two = for_axis(session, second, &taken);
    one.into_iter().chain(two).collect()
}

fn for_axis(session: &Session, weak: (Axis, i64), taken: &[&str]) -> Option<Suggestion> {
    let fits = candidates(session, weak.0);
    let fresh = fits.iter().find(|one| !taken.contains(&one.category));
    let fallback = || technique(FALLBACK).filter(|one| !taken.contains(&one.category));
    let found = fresh.copied().or_else(fallback)?;
    Some(suggestion(found, vec![weak]))
}

/// What serves an axis in this phase, best first: primary categories before secondary ones, techniques that raise the
/// axis before those that do not, never one of the last two iterations, never the category used last when there is
/// another.
fn candidates(session: &Session, axis: Axis) -> Vec<&'static Technique> {
    let recent = recent(session);
    let last = last_category(session);
    let rank = |one: &Technique| {
        let category = if primary(axis).contains(&one.category) {
            0
        } else if secondary(axis).contains(&one.category) {
            1
        } else {
            return None;
        };
        let misses = usize::from(!one.axes.contains(&axis));
        let again = usize::from(last.as_deref() == Some(one.category));
        Some((again, category, misses, one.difficulty))
    };
    let mut fits: Vec<_> = techniques()
        .iter()
        .filter(|one| fits_phase(session, one) && is_allowed(session, one))
        .filter(|one| !recent.contains(&one.slug))
        .filter_map(|one| Some((rank(one)?, one)))
        .collect();
    fits.sort_by_key(|(rank, _)| *rank);
    fits.into_iter().map(|(_, one)| one).collect()
}

/// At random: the less a category was used, the likelier it is; never the same category twice in a row, never a
/// technique that was applied already while there is another.
pub(super) fn random(session: &Session, seed: u64) -> Suggestion {
    let last = last_category(session);
    let used: Vec<&str> = session
        .applied()
        .filter_map(|one| one.slug.as_deref())
        .collect();
    let fits = |fresh: bool| {
        let wanted = move |one: &&'static Technique| !fresh || !used.contains(&one.slug);
        let here = techniques()
            .iter()
            .filter(|one| fits_phase(session, one) && is_allowed(session, one));
        let other = here.filter(|one| last.as_deref() != Some(one.category));
        other.filter(wanted).collect::<Vec<_>>()
    };
    let mut pool = fits.clone()(true);
    if pool.is_empty() {
        pool = fits(false);
    }
    let mut categories: Vec<&str> = pool.iter().map(|one| one.category).collect();
    categories.dedup();
    let most = categories
        .iter()
        .map(|name| uses(session, name))
        .max()
        .unwrap_or(0);
    let weights: Vec<u64> = categories
        .iter()
        .map(|name| 1 + (most - uses(session, name)) * 2)
        .collect();
    let mut draw = Draw(seed);
    let mut ticket = draw.below(weights.iter().sum());
    let mut chosen = "";
    for (name, weight) in categories.iter().zip(weights) {
        chosen = name;
        if ticket < weight {
            break;
        }
        ticket -= weight;
    }
    let inside: Vec<_> = pool
        .into_iter()
        .filter(|one| one.category == chosen)
        .collect();
    let place = usize::try_from(draw.below(inside.len() as u64)).unwrap_or(0);
    let found = inside.get(place).copied().or_else(|| technique(FALLBACK));
    suggestion(
        found.expect("because the catalogue holds the fallback"),
        Vec::new(),
    )
}

/// By the range of the score: first what opens, at the end what decides.
pub(super) fn progressive(session: &Session) -> Suggestion {
    let allowed: &[&str] = match session.ems() {
        ..=30 => &["creative", "wild", "collaborative"],
        31..=50 => &["deep", "theatrical", "introspective"],
        51..=75 => &["structured", "deep"],
        _ => &["structured"],
    };
    let recent = recent(session);
    let last = last_category(session);
    let mut fits: Vec<&Technique> = techniques()
        .iter()
        .filter(|one| allowed.contains(&one.category) && is_allowed(session, one))
        .filter(|one| !recent.contains(&one.slug))
        .collect();
    fits.sort_by_key(|one| {
        let again = last.as_deref() == Some(one.category);
        (
            again && allowed.len() > 1,
            uses(session, one.category),
            !fits_phase(session, one),
            one.difficulty,
        )
    });
    let found = fits.first().copied().or_else(|| technique(FALLBACK));
    suggestion(
        found.expect("because the catalogue holds the fallback"),
        Vec::new(),
    )
}

/// A suggestion for the given axes; without any, the reason names the score.
pub(super) fn suggestion(technique: &'static Technique, weak: Vec<(Axis, i64)>) -> Suggestion {
    let words: Vec<String> = weak
        .iter()
        .map(|(axis, score)| format!("{} {score}%", axis.name()))
        .collect();
    Suggestion {
        technique,
        weak,
        reason: words.join(", "),
    }
}

fn fits_phase(session: &Session, one: &Technique) -> bool {
    session.phase() == Phase::Transition || one.phase == session.phase()
}

fn is_allowed(session: &Session, one: &Technique) -> bool {
    session.ems() >= 30 || one.difficulty != Difficulty::Hard
}

/// What was suggested at this iteration or applied in the last two.
fn recent(session: &Session) -> Vec<&str> {
    let now = session.iteration();
    let is_recent = |at: i64, applied: bool| at == now || (applied && at >= now - 1);
    let found = session
        .techniques
        .iter()
        .filter(|one| is_recent(one.iteration.unwrap_or(0), one.applied == Applied::Yes));
    found.filter_map(|one| one.slug.as_deref()).collect()
}

fn last_category(session: &Session) -> Option<String> {
    session.techniques.last()?.category.clone()
}

fn uses(session: &Session, category: &str) -> u64 {
    let of = |one: &&super::schema::TechniqueUse| one.category.as_deref() == Some(category);
    session.techniques.iter().filter(of).count() as u64
}

/// A sequence of numbers that the seed decides (`SplitMix64`).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ems::Axes;
    use super::super::schema::{Iteration, TechniqueUse};
    use super::*;

    fn session(ems: i64, phase: Phase, axes: &[(Axis, i64)]) -> Session {
        let mut known = Axes::default();
        for (axis, score) in axes {
            known.set(*axis, *score);
        }
        Session {
            ems: Some(ems),
            phase: Some(phase),
            iteration: Some(3),
            history: vec![Iteration {
                iteration: Some(3),
                axes: Some(known),
                ..Iteration::default()
            }],
            ..Session::default()
        }
    }

    fn used(iteration: i64, slug: &str, applied: bool) -> TechniqueUse {
        TechniqueUse {
            iteration: Some(iteration),
            slug: Some(slug.to_owned()),
            category: technique(slug).map(|one| one.category.to_owned()),
            applied: applied.into(),
            ..TechniqueUse::default()
        }
    }

    #[test]
    fn auto_serves_the_weakest_axis_and_names_it() {
        let divergent = session(
            42,
            Phase::Divergent,
            &[(Axis::Couverture, 38), (Axis::Clarte, 80)],
        );
        let found = auto(&divergent);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].reason, "Couverture 38%");
        assert_eq!(found[0].technique.phase, Phase::Divergent);
        assert!(primary(Axis::Couverture).contains(&found[0].technique.category));
        assert_eq!(alternatives(&divergent, &found).len(), 2);
        assert!(auto(&session(80, Phase::Divergent, &[(Axis::Clarte, 90)])).is_empty());
    }

    #[test]
    fn auto_mixes_two_techniques_for_two_weak_axes() {
        for (a, b, slugs) in PAIRS {
            let two = session(40, Phase::Transition, &[(a, 30), (b, 40)]);
            let mut found: Vec<&str> = auto(&two).iter().map(|s| s.technique.slug).collect();
            found.sort_unstable();
            let mut expected = slugs.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
        let other = session(
            40,
            Phase::Divergent,
            &[(Axis::Clarte, 30), (Axis::Decisions, 40)],
        );
        let found = auto(&other);
        assert_eq!(found.len(), 2);
        assert_ne!(found[0].technique.category, found[1].technique.category);
    }

    #[test]
    fn auto_drops_what_was_used_lately_and_what_is_hard_early() {
        let mut early = session(20, Phase::Divergent, &[(Axis::Couverture, 10)]);
        for _ in 0..6 {
            let found = auto(&early).remove(0).technique;
            assert_ne!(found.difficulty, Difficulty::Hard);
            assert!(
                early
                    .techniques
                    .iter()
                    .all(|one| one.slug.as_deref() != Some(found.slug))
            );
            early.techniques.push(used(3, found.slug, true));
        }
    }

    #[test]
    fn random_repeats_with_its_seed_and_never_draws_a_category_twice_running() {
        let mut now = session(45, Phase::Divergent, &[]);
        assert_eq!(random(&now, 7), random(&now, 7));
        let mut last = String::new();
        let mut seen = std::collections::BTreeMap::new();
        for seed in 0..200 {
            let found = random(&now, seed).technique;
            assert_ne!(found.category, last);
            last = found.category.to_owned();
            *seen.entry(found.category).or_insert(0_u32) += 1;
            now.techniques.push(used(3, found.slug, false));
        }
        // The nine categories with divergent techniques are drawn about equally often: balance, not size, decides.
        let (least, most) = (seen.values().min().unwrap(), seen.values().max().unwrap());
        assert!(seen.len() >= 9 && most - least <= 12, "{seen:?}");
    }

    #[test]
    fn random_prefers_what_was_not_applied_yet() {
        let mut now = session(45, Phase::Convergent, &[]);
        for one in techniques()
            .iter()
            .filter(|one| one.phase == Phase::Convergent && one.slug != "rice")
        {
            now.techniques.push(used(1, one.slug, true));
        }
        now.techniques.push(used(1, "swot", true));
        assert_eq!(random(&now, 3).technique.slug, "rice");
    }

    #[test]
    fn progressive_follows_the_ranges_of_the_score() {
        let check = |ems: i64, allowed: &[&str]| {
            let found = progressive(&session(ems, Phase::Divergent, &[])).technique;
            assert!(
                allowed.contains(&found.category),
                "{ems}: {}",
                found.category
            );
        };
        check(0, &["creative", "wild", "collaborative"]);
        check(30, &["creative", "wild", "collaborative"]);
        check(31, &["deep", "theatrical", "introspective"]);
        check(50, &["deep", "theatrical", "introspective"]);
        check(51, &["structured", "deep"]);
        check(75, &["structured", "deep"]);
        check(76, &["structured"]);
    }
}
