//! EMS, the exploration maturity score: five axes, their weights, and what a score means.

use super::record::record;
use super::schema::{Iteration, Phase, Session};

/// An axis of the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// The need is precise.
    Clarte,
    /// The level of detail.
    Profondeur,
    /// Exhaustiveness.
    Couverture,
    /// Choices made.
    Decisions,
    /// Ready to act.
    Actionnabilite,
}

impl Axis {
    /// All five, in the order of the format.
    pub const ALL: [Self; 5] = [
        Self::Clarte,
        Self::Profondeur,
        Self::Couverture,
        Self::Decisions,
        Self::Actionnabilite,
    ];

    /// The name in the data: `Clarte`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clarte => "Clarte",
            Self::Profondeur => "Profondeur",
            Self::Couverture => "Couverture",
            Self::Decisions => "Decisions",
            Self::Actionnabilite => "Actionnabilite",
        }
    }

    /// Its weight in percent.
    pub const fn weight(self) -> i64 {
        match self {
            Self::Clarte => 25,
            Self::Profondeur | Self::Couverture | Self::Decisions => 20,
            Self::Actionnabilite => 15,
        }
    }

    /// The axis of a name: with or without accents, in any case, or by its English key.
    pub fn named(text: &str) -> Option<Self> {
        Some(match text.trim().to_lowercase().as_str() {
            "clarte" | "clarté" | "clarity" => Self::Clarte,
            "profondeur" | "depth" => Self::Profondeur,
            "couverture" | "coverage" => Self::Couverture,
            "decisions" | "décisions" => Self::Decisions,
            "actionnabilite" | "actionnabilité" | "actionability" => Self::Actionnabilite,
            _ => return None,
        })
    }
}

record! {
    /// The scores of the axes, as far as they are known.
    pub struct Axes [] {
        /// The need is precise.
        clarte: Option<i64> = "clarte",
        /// The level of detail.
        profondeur: Option<i64> = "profondeur",
        /// Exhaustiveness.
        couverture: Option<i64> = "couverture",
        /// Choices made.
        decisions: Option<i64> = "decisions",
        /// Ready to act.
        actionnabilite: Option<i64> = "actionnabilite",
    }
}

/// An axis below this is weak.
pub const WEAK_BELOW: i64 = 50;

impl Axes {
    /// The score of an axis.
    pub fn get(&self, axis: Axis) -> Option<i64> {
        match axis {
            Axis::Clarte => self.clarte,
            Axis::Profondeur => self.profondeur,
            Axis::Couverture => self.couverture,
            Axis::Decisions => self.decisions,
            Axis::Actionnabilite => self.actionnabilite,
        }
    }

    /// Sets the score of an axis.
    pub fn set(&mut self, axis: Axis, score: i64) {
        let place = match axis {
            Axis::Clarte => &mut self.clarte,
            Axis::Profondeur => &mut self.profondeur,
            Axis::Couverture => &mut self.couverture,
            Axis::Decisions => &mut self.decisions,
            Axis::Actionnabilite => &mut self.actionnabilite,
        };
        *place = Some(score);
    }

    /// The weighted score, cut to a whole number as real journals have it (87.5 is 87); `None` while an axis is unknown.
    pub fn ems(&self) -> Option<i64> {
        let mut sum = 0;
        for axis in Axis::ALL {
            sum += self.get(axis)? * axis.weight();
        }
        Some(sum / 100)
    }

    /// The axes that are not known.
    pub fn missing(&self) -> Vec<Axis> {
        let unknown = |axis: &Axis| self.get(*axis).is_none();
        Axis::ALL.into_iter().filter(unknown).collect()
    }

    /// The weak axes with their scores, the weakest first.
    pub fn weak(&self) -> Vec<(Axis, i64)> {
        let known = Axis::ALL
            .into_iter()
            .filter_map(|axis| Some((axis, self.get(axis)?)));
        let mut weak: Vec<_> = known.filter(|(_, score)| *score < WEAK_BELOW).collect();
        weak.sort_by_key(|(_, score)| *score);
        weak
    }
}

/// How mature an exploration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// 0 to 30.
    Germination,
    /// 31 to 50.
    Development,
    /// 51 to 70.
    Mature,
    /// 71 to 85.
    VeryComplete,
    /// 86 to 100.
    Exceptional,
}

impl Level {
    /// The level of a score.
    pub const fn of(ems: i64) -> Self {
        match ems {
            ..=30 => Self::Germination,
            31..=50 => Self::Development,
            51..=70 => Self::Mature,
            71..=85 => Self::VeryComplete,
            _ => Self::Exceptional,
        }
    }

    /// Its one spelling in answers to programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Germination => "germination",
            Self::Development => "developpement",
            Self::Mature => "mature",
            Self::VeryComplete => "tres_complete",
            Self::Exceptional => "exceptionnelle",
        }
    }
}

/// What to do next, in the order of the evaluator's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// The current questions wait for an answer.
    Answer,
    /// 85 or more: finish.
    Finish,
    /// 70 or more: finishing is possible.
    SuggestFinish,
    /// Below 70 with a weak axis: try a technique.
    SuggestTechnique,
    /// 50 or more and still divergent: converge.
    SuggestConverge,
    /// Go on asking.
    Continue,
    /// Finished or given up: nothing.
    Nothing,
}

impl Advice {
    /// Its one spelling in answers to programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Finish => "finish",
            Self::SuggestFinish => "suggest_finish",
            Self::SuggestTechnique => "suggest_technique",
            Self::SuggestConverge => "suggest_converge",
            Self::Continue => "continue",
            Self::Nothing => "nothing",
        }
    }

    /// The advice for a session.
    pub fn of(session: &Session) -> Self {
        if session.status() != super::schema::SessionStatus::InProgress {
            return Self::Nothing;
        }
        if session.current().is_some_and(is_waiting) {
            return Self::Answer;
        }
        let ems = session.ems();
        let is_weak = session.axes().is_some_and(|axes| !axes.weak().is_empty());
        let covered = session
            .axes()
            .and_then(|axes| axes.couverture)
            .is_some_and(|score| score >= 60)
            && session.iteration() >= 3;
        match ems {
            85.. => Self::Finish,
            70..=84 => Self::SuggestFinish,
            _ if is_weak => Self::SuggestTechnique,
            _ if session.phase() == Phase::Divergent && (ems >= 50 || covered) => {
                Self::SuggestConverge
            }
            _ => Self::Continue,
        }
    }
}

/// True while questions have no answers.
pub fn is_waiting(entry: &Iteration) -> bool {
    entry.responses.len() < entry.questions.len()
}

/// True when the last two iterations moved the score by less than 3 each.
pub fn is_stagnant(session: &Session) -> bool {
    let now = session.iteration();
    let delta = |n: i64| session.entry(n).and_then(|entry| entry.ems_delta);
    now >= 3
        && [now, now - 1]
            .into_iter()
            .all(|n| delta(n).is_some_and(|d| d < 3))
}

/// A bar of ten blocks.
pub fn bar(score: i64) -> String {
    let filled = usize::try_from((score.clamp(0, 100) + 5) / 10).unwrap_or(0);
    format!("{}{}", "█".repeat(filled), "░".repeat(10 - filled))
}

/// The scores of iterations as one line of blocks.
pub fn sparkline(scores: impl IntoIterator<Item = i64>) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let block = |score: i64| {
        let step = usize::try_from(score.clamp(0, 100) * 7 / 100).unwrap_or(0);
        BLOCKS.get(step).copied().unwrap_or('█')
    };
    scores.into_iter().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_is_weighted_and_cut() {
        let check = |scores: [i64; 5], ems: i64| {
            let mut axes = Axes::default();
            for (axis, score) in Axis::ALL.into_iter().zip(scores) {
                axes.set(axis, score);
            }
            assert_eq!(axes.ems(), Some(ems), "{scores:?}");
        };
        check([90, 85, 90, 90, 80], 87);
        check([100; 5], 100);
        check([0; 5], 0);
        check([42, 50, 38, 30, 20], 37);
        assert_eq!(Axes::default().ems(), None);
        assert_eq!(Axis::ALL.map(Axis::weight).iter().sum::<i64>(), 100);
    }

    #[test]
    fn axes_are_known_with_and_without_accents_and_no_others_are() {
        for text in ["clarte", "Clarté", "CLARITY"] {
            assert_eq!(Axis::named(text), Some(Axis::Clarte));
        }
        for text in ["Risques", "Valeur", "Faisabilité", "Scope", ""] {
            assert_eq!(Axis::named(text), None, "{text}");
        }
    }

    #[test]
    fn levels_begin_where_the_format_says() {
        let levels = [0, 30, 31, 50, 51, 70, 71, 85, 86, 100].map(|ems| Level::of(ems).name());
        let expected = [
            "germination",
            "germination",
            "developpement",
            "developpement",
            "mature",
        ];
        assert_eq!(levels[..5], expected);
        assert_eq!(
            levels[5..],
            [
                "mature",
                "tres_complete",
                "tres_complete",
                "exceptionnelle",
                "exceptionnelle"
            ]
        );
    }

    #[test]
    fn bars_and_sparklines_show_the_score() {
        assert_eq!(bar(58), "██████░░░░");
        assert_eq!(bar(0), "░░░░░░░░░░");
        assert_eq!(bar(250), "██████████");
        assert_eq!(sparkline([0, 25, 52, 100]), "▁▂▄█");
    }
}
