//! The catalogue of techniques: 68 rows of data, read once.

use std::sync::LazyLock;

use super::ems::Axis;
use super::schema::Phase;

/// How much a technique asks of its users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difficulty {
    /// For everybody.
    Easy,
    /// With some practice.
    Medium,
    /// Not before the exploration is under way.
    Hard,
}

impl Difficulty {
    /// Its one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

/// One technique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Technique {
    /// Its category.
    pub category: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// How files name it.
    pub slug: &'static str,
    /// What to do, in a sentence.
    pub description: &'static str,
    /// The phase it fits.
    pub phase: Phase,
    /// The axes it raises.
    pub axes: Vec<Axis>,
    /// How hard it is.
    pub difficulty: Difficulty,
}

static TECHNIQUES: LazyLock<Vec<Technique>> = LazyLock::new(|| {
    let rows = include_str!("techniques.csv").lines().skip(1);
    rows.filter_map(read).collect()
});

/// All techniques, in the order of the catalogue.
pub fn techniques() -> &'static [Technique] {
    &TECHNIQUES
}

/// The technique of a slug, or of a name in any case.
pub fn technique(text: &str) -> Option<&'static Technique> {
    let wanted = text.trim();
    techniques().iter().find(|one| {
        one.slug.eq_ignore_ascii_case(wanted) || one.name.to_lowercase() == wanted.to_lowercase()
    })
}

/// The techniques whose slug or name is nearest to a text, for a refusal that helps.
pub(super) fn near(text: &str) -> Vec<&'static str> {
    let wanted = text.trim().to_lowercase();
    let begins = |one: &&Technique| {
        let head: String = wanted.chars().take(3).collect();
        !head.is_empty() && (one.slug.contains(&head) || one.name.to_lowercase().contains(&head))
    };
    techniques()
        .iter()
        .filter(begins)
        .map(|one| one.slug)
        .take(5)
        .collect()
}

/// The categories, in the order of the catalogue.
pub fn categories() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = techniques().iter().map(|one| one.category).collect();
    names.dedup();
    names
}

fn read(row: &'static str) -> Option<Technique> {
    let mut cells = cells(row).into_iter();
    Some(Technique {
        category: cells.next()?,
        name: cells.next()?,
        slug: cells.next()?,
        description: cells.next()?,
        phase: Phase::named(cells.next()?)?,
        axes: cells.next()?.split(',').filter_map(Axis::named).collect(),
        difficulty: match cells.next()? {
            "easy" => Difficulty::Easy,
            "medium" => Difficulty::Medium,
            _ => Difficulty::Hard,
        },
    })
}

/// The cells of a row; a cell in quotes may hold commas.
fn cells(row: &'static str) -> Vec<&'static str> {
    let mut cells = Vec::new();
    let mut rest = row;
    loop {
        let (cell, after) = match rest.strip_prefix('"').and_then(|open| open.split_once('"')) {
            Some((cell, after)) => (cell, after.strip_prefix(',')),
            None => match rest.split_once(',') {
                Some((cell, after)) => (cell, Some(after)),
                None => (rest, None),
            },
        };
        cells.push(cell);
        match after {
            Some(after) => rest = after,
            None => return cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_has_68_techniques_with_the_totals_of_the_format() {
        let count = |wanted: &dyn Fn(&Technique) -> bool| {
            techniques().iter().filter(|one| wanted(one)).count()
        };
        assert_eq!(techniques().len(), 68);
        assert_eq!(count(&|one| one.phase == Phase::Divergent), 48);
        assert_eq!(count(&|one| one.phase == Phase::Convergent), 20);
        assert_eq!(count(&|one| one.difficulty == Difficulty::Easy), 20);
        assert_eq!(count(&|one| one.difficulty == Difficulty::Medium), 32);
        assert_eq!(count(&|one| one.difficulty == Difficulty::Hard), 16);
        let sizes: Vec<usize> = categories()
            .iter()
            .map(|name| count(&|one| one.category == *name))
            .collect();
        assert_eq!(sizes, [5, 11, 8, 6, 11, 6, 8, 3, 3, 4, 3]);
        assert_eq!(count(&|one| one.axes.is_empty()), 0);
    }

    /// Category, then each technique with phase, difficulty and axes, as the format's authors list them.
    const LISTED: &str = "\
collaborative: yes-and[D/e/Co], brain-writing[D/e/Co+Pr], random-stimulation[D/m/Co+Pr], role-playing[C/e/Co+Cl], ideation-relay[D/e/Co]
creative: what-if[D/e/Co+Pr], analogical[D/m/Co+Pr], reversal[D/m/Cl+Co], first-principles[D/h/Cl+Pr], forced-relationships[D/m/Co+Pr], time-shifting[D/m/Co+Pr], metaphor-mapping[D/m/Cl+Pr], cross-pollination[D/m/Co+Pr], concept-blending[D/h/Co+Pr], reverse-brainstorm[D/e/Co+Ac], sensory[D/m/Pr+Co]
deep: 5whys[C/e/Cl+Pr], morphological[C/h/Co+Pr], provocation[D/m/Co+Pr], assumption-reversal[C/m/Cl+De], question-storming[D/e/Cl+Co], constraint-mapping[C/m/Ac+De], failure-analysis[C/m/Pr+Ac], emergent[D/h/Co+Pr]
introspective: inner-child[D/e/Cl+Pr], shadow-work[D/h/Cl+Pr], values-archaeology[C/m/Cl+De], future-self[D/m/De+Ac], body-wisdom[D/m/Cl+De], permission-giving[D/e/Co+Pr]
structured: scamper[C/e/Co+Pr], six-hats[D/e/Co+De], mind-mapping[D/e/Co+Pr], resource-constraints[D/m/Ac+De], decision-tree[C/m/De+Ac], solution-matrix[C/m/De+Ac], trait-transfer[D/m/Co+Pr], moscow[C/e/De+Ac], swot[C/e/De+Co], scoring[C/m/De+Ac], premortem[C/m/Ac+De]
theatrical: time-travel[D/e/Pr+Co], alien[D/e/Cl+Co], dream-fusion[D/m/Co+Pr], emotion-orchestra[D/m/Co+Pr], parallel-universe[D/h/Co+Pr], persona-journey[D/m/Co+Cl]
wild: chaos[D/h/Ac+Pr], guerrilla[D/h/Co+Pr], pirate[D/m/Co], zombie[D/m/Ac+Cl], drunk-history[D/e/Cl], anti-solution[D/m/Cl+Co], quantum-super[D/h/Co+De], elemental[D/m/Co+Pr]
biomimetic: nature-solutions[D/m/Co+Pr], ecosystem[D/h/Co+Pr], evolutionary[C/h/Ac+De]
quantum: observer[C/h/De+Pr], entanglement[D/h/Co+Pr], superposition-collapse[C/h/De]
cultural: indigenous[D/m/Co+Pr], fusion-cuisine[D/m/Co+Pr], ritual-innovation[D/h/Pr+Ac], mythic[D/h/Cl+Pr]
prioritization: rice[C/e/De+Ac], impact-effort[C/e/De+Ac], kano[C/m/De+Cl]";

    #[test]
    fn each_of_the_68_techniques_has_the_phase_difficulty_and_axes_of_the_format() {
        let describe = |one: &Technique| {
            let phase = if one.phase == Phase::Divergent {
                "D"
            } else {
                "C"
            };
            let axes: Vec<&str> = one.axes.iter().map(|axis| &axis.name()[..2]).collect();
            let difficulty = &one.difficulty.name()[..1];
            format!("{}[{phase}/{difficulty}/{}]", one.slug, axes.join("+"))
        };
        let lines = categories().into_iter().map(|category| {
            let of_it = techniques().iter().filter(|one| one.category == category);
            format!(
                "{category}: {}",
                of_it.map(describe).collect::<Vec<_>>().join(", ")
            )
        });
        for (found, listed) in lines.zip(LISTED.lines()) {
            assert_eq!(found, listed);
        }
        assert_eq!(LISTED.matches('[').count(), 68);
    }

    #[test]
    fn a_technique_is_found_by_slug_and_by_name() {
        assert_eq!(technique("5whys").unwrap().category, "deep");
        assert_eq!(technique("five WHYS").unwrap().slug, "5whys");
        assert_eq!(technique("yes, and").unwrap().slug, "yes-and");
        assert!(technique("nothing").is_none());
        assert!(near("six").contains(&"six-hats"));
    }
}
