//! What a returning agent or person must read first.

use super::{Card, Problem, Timestamp, estimate_tokens};

/// What a returning agent must read first: the same for every kind, rendered as text, JSON or a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// The session in one row.
    pub card: Card,
    /// What it was about.
    pub goal: String,
    /// Where it stands, a line each.
    pub state: Vec<String>,
    /// What was decided.
    pub decisions: Vec<String>,
    /// What is still open.
    pub open_questions: Vec<String>,
    /// What to do next, where the format knows.
    pub next: Option<String>,
    /// What the format has to say beyond that, in order: instructions, context, reviews.
    pub sections: Vec<BriefSection>,
    /// The last turns, oldest first, as many as the budget allows.
    pub turns: Vec<Turn>,
    /// How many earlier turns the budget left out.
    pub turns_left_out: u64,
    /// What was found wrong while reading.
    pub problems: Vec<Problem>,
}

impl Brief {
    /// A brief that says only which session it is about, to be filled in.
    pub fn new(card: Card) -> Self {
        Self {
            card,
            goal: String::new(),
            state: Vec::new(),
            decisions: Vec::new(),
            open_questions: Vec::new(),
            next: None,
            sections: Vec::new(),
            turns: Vec::new(),
            turns_left_out: 0,
            problems: Vec::new(),
        }
    }

    /// An estimate of what it costs an agent to read all of it, in tokens.
    pub fn tokens(&self) -> usize {
        self.tokens_without_turns() + self.turns.iter().map(Turn::tokens).sum::<usize>()
    }

    pub(super) fn tokens_without_turns(&self) -> usize {
        let card = [
            &self.card.title,
            &self.card.position,
            &self.card.summary,
            &self.goal,
        ];
        let lists = [&self.state, &self.decisions, &self.open_questions];
        let sections = self
            .sections
            .iter()
            .flat_map(|part| [&part.title, &part.text]);
        let texts = card
            .into_iter()
            .chain(lists.into_iter().flatten())
            .chain(&self.next)
            .chain(sections)
            .chain(self.problems.iter().map(|problem| &problem.found));
        texts.map(|text| estimate_tokens(text)).sum()
    }
}

/// A titled part of a brief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefSection {
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who.
    pub role: String,
    /// What.
    pub text: String,
    /// When, where known.
    pub at: Option<Timestamp>,
}

impl Turn {
    /// An estimate of what it costs an agent to read it, in tokens, its heading included.
    pub fn tokens(&self) -> usize {
        const HEADING: usize = 4;
        HEADING + estimate_tokens(&self.role) + estimate_tokens(&self.text)
    }
}
