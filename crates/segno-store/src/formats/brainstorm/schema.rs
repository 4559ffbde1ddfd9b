//! What a brainstorm file holds, schema 1.2, in the order of the format's document.
//!
//! Every single value is optional: a file may lack it, and then the methods below give the default. What is added to the
//! document's schema is marked *ours*; other tools read over it.

use super::ems::Axes;
use super::record::{Applied, Counts, Slugs, record, words};

/// The version this program writes.
pub const VERSION: &str = "1.2";

/// Keys whose lists stand on one line, as in the document's examples.
pub(super) const INLINE_KEYS: &[&str] = &[
    "techniques_used",
    "weak_axes",
    "personas_selected",
    "experts_selected",
    "references",
];

words! {
    /// Where a session stands.
    pub enum SessionStatus {
        /// Being worked on.
        InProgress = "in_progress",
        /// Finished: brief and journal are written.
        Completed = "completed",
        /// Given up.
        Abandoned = "abandoned",
    }
}

words! {
    /// The phase of the exploration.
    pub enum Phase {
        /// Opening up.
        Divergent = "divergent",
        /// Between the two; stored in progressive sessions.
        Transition = "transition",
        /// Closing in.
        Convergent = "convergent",
    }
}

words! {
    /// How the exploration is led.
    pub enum Mode {
        /// Questions and answers.
        Standard = "standard",
        /// A round of personas.
        Party = "party",
        /// A panel of experts.
        Panel = "panel",
        /// Of format 1.0: techniques drawn at random. Becomes `technique_mode`.
        Random = "random",
        /// Of format 1.0: techniques by maturity. Becomes `technique_mode`.
        Progressive = "progressive",
    }
}

words! {
    /// How a technique was chosen.
    pub enum Source {
        /// By the weakest axis.
        Auto = "auto",
        /// By name.
        Manual = "manual",
        /// Drawn, the less used categories first.
        Random = "random",
        /// By the range of the score.
        Progressive = "progressive",
    }
}

words! {
    /// The phase of a panel round.
    pub enum PanelPhase {
        /// Each expert's view.
        Discussion = "discussion",
        /// Views against each other.
        Debate = "debate",
        /// Questions to the user.
        Socratic = "socratic",
    }
}

words! {
    /// Who leads the conversation.
    pub enum Persona {
        /// Structures.
        Architecte = "architecte",
        /// Contradicts.
        Sparring = "sparring",
        /// Decides.
        Pragmatique = "pragmatique",
    }
}

record! {
    /// A technique that was suggested, and what came of it.
    pub struct TechniqueUse [iteration, slug] {
        /// At which iteration.
        iteration: Option<i64> = "iteration",
        /// Which.
        slug: Option<String> = "technique_slug",
        /// Its category.
        category: Option<String> = "category",
        /// Why: `Clarte 42%`.
        reason: Option<String> = "suggested_reason",
        /// Whether it was applied.
        applied: Applied = "applied",
        /// How it was chosen.
        source: Option<Source> = "source",
        /// The axes that called for it.
        weak_axes: Vec<String> = "weak_axes",
        /// Several techniques in one entry: a shape that other tools write, taken apart on reading.
        suggested: Slugs = "suggested",
    }
}

record! {
    /// What one persona said in a round.
    pub struct Contribution [] {
        /// Who.
        persona: Option<String> = "persona",
        /// The main points.
        key_points: Vec<String> = "key_points",
        /// Other personas referred to.
        references: Vec<String> = "references",
    }
}

record! {
    /// A round of a party.
    pub struct PartyRound [round] {
        /// Its number.
        round: Option<i64> = "round",
        /// About what.
        topic: Option<String> = "topic",
        /// Who took part.
        personas: Vec<String> = "personas_selected",
        /// What they said.
        contributions: Vec<Contribution> = "contributions",
        /// What came of it.
        synthesis: Option<String> = "synthesis",
        /// What the user was asked.
        user_question: Option<String> = "user_question",
    }
}

record! {
    /// What one expert said in a round.
    pub struct Opinion [] {
        /// Who.
        expert: Option<String> = "expert",
        /// From which school.
        framework: Option<String> = "framework",
        /// What.
        position: Option<String> = "position",
        /// Other experts referred to.
        references: Vec<String> = "references",
    }
}

record! {
    /// What a panel agreed on, and what not.
    pub struct Synthesis [] {
        /// Points of agreement.
        convergent: Vec<String> = "convergent",
        /// Productive tensions.
        tensions: Vec<String> = "tensions",
    }
}

record! {
    /// A round of a panel.
    pub struct PanelRound [round] {
        /// Its number.
        round: Option<i64> = "round",
        /// About what.
        topic: Option<String> = "topic",
        /// Which of the three.
        phase: Option<PanelPhase> = "phase",
        /// Who took part.
        experts: Vec<String> = "experts_selected",
        /// What they said.
        contributions: Vec<Opinion> = "contributions",
        /// What came of it.
        synthesis: Option<Synthesis> = "synthesis",
        /// What the user was asked. *Ours*: the document has no place for it and loses it.
        user_question: Option<String> = "user_question",
    }
}

record! {
    /// An idea.
    pub struct Idea [id] {
        /// Its number.
        id: Option<i64> = "id",
        /// What it says.
        content: Option<String> = "content",
        /// From 0 to 10, once it has one.
        score: Option<i64> = "score",
    }
}

record! {
    /// One iteration: questions, answers, and the score it reached.
    pub struct Iteration [iteration, timestamp] {
        /// Its number, from 1.
        iteration: Option<i64> = "iteration",
        /// The phase it was in.
        phase: Option<Phase> = "phase",
        /// The score.
        ems: Option<i64> = "ems",
        /// The change of score since the one before.
        ems_delta: Option<i64> = "ems_delta",
        /// The five axes, where they are known. *Ours*.
        axes: Option<Axes> = "axes",
        /// Of format 1.0: the technique used.
        technique_selected: Option<String> = "technique_selected",
        /// Of format 1.0: its category then.
        technique_category: Option<String> = "technique_category",
        /// What was asked.
        questions: Vec<String> = "questions",
        /// What was answered.
        responses: Vec<String> = "responses",
        /// When it began.
        timestamp: Option<String> = "timestamp",
        /// How long it took, in minutes.
        duration: Option<i64> = "duration",
        /// Whether the user's energy was asked after.
        energy_check: Option<bool> = "energy_check_triggered",
        /// What the user chose then: 1 go on, 2 pause, 3 speed up, 4 change direction.
        user_choice: Option<i64> = "user_choice",
    }
}

record! {
    /// Iterations that others took the place of. *Ours*.
    pub struct Branch [branch] {
        /// Its number.
        branch: Option<i64> = "branch",
        /// The iteration it goes on from.
        from_iteration: Option<i64> = "from_iteration",
        /// When that iteration began: tells it from another of the same number.
        from_timestamp: Option<String> = "from_timestamp",
        /// When others took its place.
        replaced_at: Option<String> = "replaced_at",
        /// The iterations.
        history: Vec<Iteration> = "history",
    }
}

record! {
    /// State of random selection, as format 1.0 kept it.
    pub struct RandomState [] {
        /// The category drawn last.
        last_category: Option<String> = "last_category",
        /// How often each was drawn.
        category_counts: Counts = "category_counts",
    }
}

record! {
    /// What the first phase left, at the change of phase.
    pub struct TransitionSummary [] {
        /// Ideas scored 7 or more.
        validated_ideas: Option<i64> = "validated_ideas",
        /// The other ideas.
        ideas_to_deepen: Option<i64> = "ideas_to_deepen",
        /// The direction the user confirmed.
        direction_confirmed: Option<String> = "direction_confirmed",
    }
}

record! {
    /// State of progressive selection, as format 1.0 kept it.
    pub struct ProgressiveState [] {
        /// The divergent phase is done.
        divergent_completed: Option<bool> = "divergent_completed",
        /// The transition is done.
        transition_completed: Option<bool> = "transition_completed",
        /// What the divergent phase left.
        transition_summary: Option<TransitionSummary> = "transition_summary",
    }
}

record! {
    /// The whole session.
    pub struct Session [] {
        /// `{slug}-{date}`.
        id: Option<String> = "id",
        /// What it is called.
        slug: Option<String> = "slug",
        /// Where it stands.
        status: Option<SessionStatus> = "status",
        /// The phase.
        phase: Option<Phase> = "phase",
        /// How it is led.
        mode: Option<Mode> = "mode",
        /// The score.
        ems: Option<i64> = "ems",
        /// Who leads.
        persona: Option<String> = "persona",
        /// The current iteration; 0 before the first.
        iteration: Option<i64> = "iteration",
        /// Techniques applied, in the order of their first use.
        techniques_used: Vec<String> = "techniques_used",
        /// When it began.
        started_at: Option<String> = "started_at",
        /// How long it took, in minutes.
        duration_minutes: Option<i64> = "duration_minutes",
        /// How techniques are chosen when the caller does not say. *Ours*: keeps the `mode` of format 1.0.
        technique_mode: Option<Source> = "technique_mode",
        /// State of random selection.
        random_state: Option<RandomState> = "random_state",
        /// State of progressive selection.
        progressive_state: Option<ProgressiveState> = "progressive_state",
        /// Every technique suggested.
        techniques: Vec<TechniqueUse> = "techniques_history",
        /// A party is going on.
        party_active: Option<bool> = "party_active",
        /// Its rounds.
        party: Vec<PartyRound> = "party_history",
        /// A panel is going on.
        panel_active: Option<bool> = "panel_active",
        /// Its rounds.
        panel: Vec<PanelRound> = "panel_history",
        /// The ideas.
        ideas: Vec<Idea> = "ideas",
        /// The iterations.
        history: Vec<Iteration> = "history",
        /// Iterations that others took the place of. *Ours*.
        branches: Vec<Branch> = "history_branches",
        /// The question asked last.
        last_question: Option<String> = "last_question",
        /// When the file was made.
        created: Option<String> = "created",
        /// When it was last changed.
        updated: Option<String> = "updated",
    }
}
