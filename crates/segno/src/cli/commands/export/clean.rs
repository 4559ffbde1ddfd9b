//! Takes the secrets out of everything of a session that is written.

use segno_store::session::{Brief, Card, Entry, Problem};

use crate::secrets::Redactor;

/// Takes secrets out, or leaves everything as it is.
pub(super) struct Cleaner {
    redactor: Option<Redactor>,
}

impl Cleaner {
    pub(super) fn new(redact: bool) -> Self {
        Self {
            redactor: redact.then(Redactor::new),
        }
    }

    /// How many were replaced; `None` when they are kept.
    pub(super) fn replaced(&self) -> Option<u64> {
        self.redactor.as_ref().map(Redactor::replaced)
    }

    pub(super) fn brief(&mut self, brief: &mut Brief) {
        // Taken apart, so that a new part of a brief cannot be forgotten here.
        let Brief {
            card,
            goal,
            state,
            decisions,
            open_questions,
            next,
            sections,
            turns,
            turns_left_out: _,
            problems,
        } = brief;
        self.card(card);
        self.text(goal);
        for text in state
            .iter_mut()
            .chain(decisions)
            .chain(open_questions)
            .chain(next)
        {
            self.text(text);
        }
        for section in sections {
            self.text(&mut section.title);
            self.text(&mut section.text);
        }
        for turn in turns {
            self.text(&mut turn.text);
        }
        self.problems(problems);
    }

    pub(super) fn entry(&mut self, entry: &mut Entry) {
        self.text(&mut entry.text);
    }

    fn card(&mut self, card: &mut Card) {
        self.text(&mut card.title);
        self.text(&mut card.position);
        self.text(&mut card.summary);
        self.problems(&mut card.problems);
    }

    fn problems(&mut self, problems: &mut [Problem]) {
        for problem in problems {
            self.text(&mut problem.found);
        }
    }

    fn text(&mut self, text: &mut String) {
        if let Some(redactor) = &mut self.redactor
            && let std::borrow::Cow::Owned(clean) = redactor.clean(text)
        {
            *text = clean;
        }
    }
}
