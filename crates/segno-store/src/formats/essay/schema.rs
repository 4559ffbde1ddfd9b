//! The words of the format: statuses, claim types, stages, scores.

use crate::text::yaml::Value;

/// Words that the file uses for one thing, each with its one spelling.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$word_doc])* $word,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$word,)*];

            /// The one spelling.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$word => $text,)*
                }
            }

            /// Reads the spelling, whatever its case.
            pub fn parse(text: &str) -> Option<Self> {
                let text = text.trim();
                Self::ALL.iter().copied().find(|word| word.name().eq_ignore_ascii_case(text))
            }

            /// All spellings, for messages.
            pub fn choices() -> String {
                Self::ALL.iter().map(|word| word.name()).collect::<Vec<_>>().join(", ")
            }
        }

        impl From<$name> for Value {
            fn from(word: $name) -> Self {
                Self::from(word.name())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

words! {
    /// Where the session as a whole stands.
    RunStatus {
        /// Being worked on.
        InProgress = "in_progress",
        /// Set aside.
        Paused = "paused",
        /// Finished.
        Completed = "completed",
        /// Given up.
        Abandoned = "abandoned",
    }
}

words! {
    /// Where a stage or a section stands.
    Progress {
        /// Nothing done.
        NotStarted = "not_started",
        /// Being worked on.
        InProgress = "in_progress",
        /// Done and approved.
        Completed = "completed",
        /// Done once, but what it rests on has changed.
        NeedsReview = "needs_review",
    }
}

words! {
    /// How hard the agent questions the author.
    Pushback {
        /// All rounds.
        Full = "full",
        /// One round.
        Light = "light",
        /// None.
        Minimal = "minimal",
    }
}

words! {
    /// What sort of claim the thesis makes.
    ClaimType {
        /// That something is so, against those who say otherwise.
        Argument = "argument",
        /// How something works.
        Explainer = "explainer",
        /// What will happen.
        Prediction = "prediction",
        /// Several of these.
        Hybrid = "hybrid",
    }
}

words! {
    /// Whom the essay is written for.
    Audience {
        /// Everybody.
        General = "general",
        /// People who know the field's words.
        SemiTechnical = "semi-technical",
        /// People of the field.
        Expert = "expert",
    }
}

words! {
    /// What the voice is compared with.
    VoiceMode {
        /// The style profile.
        Profile = "profile",
        /// The samples.
        Sample = "sample",
        /// Both.
        Hybrid = "hybrid",
    }
}

words! {
    /// How much of what comes later a revision touches.
    Impact {
        /// Wording only.
        Minor = "minor",
        /// Some of it.
        Moderate = "moderate",
        /// The direction of the essay.
        Major = "major",
    }
}

/// The four stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Stage 1.
    Thesis = 1,
    /// Stage 2.
    Outline = 2,
    /// Stage 3.
    Arguments = 3,
    /// Stage 4.
    Writing = 4,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 4] = [Self::Thesis, Self::Outline, Self::Arguments, Self::Writing];

    /// The stage of a number.
    pub fn of(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.number() == number)
    }

    /// Its number.
    pub const fn number(self) -> u64 {
        self as u64
    }

    /// Its name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Thesis => "thesis_development",
            Self::Outline => "essay_structuring",
            Self::Arguments => "argument_development",
            Self::Writing => "paragraph_writing",
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Thesis => "Thesis Development",
            Self::Outline => "Essay Structuring",
            Self::Arguments => "Argument Development",
            Self::Writing => "Paragraph Writing",
        }
    }

    /// Its key below `stages`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Thesis => "stage_1",
            Self::Outline => "stage_2",
            Self::Arguments => "stage_3",
            Self::Writing => "stage_4",
        }
    }

    /// The stages after it.
    pub fn later(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |stage| *stage > self)
    }
}

/// A score from 1 to 5, perhaps with a fraction.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Score(pub f64);

impl Score {
    /// The score, when it lies between 1 and 5.
    pub fn new(number: f64) -> Option<Self> {
        (1.0..=5.0).contains(&number).then_some(Self(number))
    }

    /// Reads `4`, `4.5` and `4/5`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.strip_suffix("/5").unwrap_or(text).trim();
        number.parse().ok().and_then(Self::new)
    }

    fn tenths(self) -> f64 {
        (self.0 * 10.0).round() / 10.0
    }
}

impl From<Score> for Value {
    #[expect(clippy::cast_possible_truncation, reason = "a score is at most 5")]
    fn from(score: Score) -> Self {
        let tenths = score.tenths();
        if tenths.fract() == 0.0 {
            Self::from(tenths as i64)
        } else {
            Self::from(tenths)
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.tenths())
    }
}
