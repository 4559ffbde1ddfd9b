//! Takes the secrets out of everything of a session that is written.

use segno_disk::RelPath;
use segno_store::session::{Brief, Card, Entry, Problem, SessionId};

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
            self.text(&mut turn.role);
            self.text(&mut turn.text);
        }
        self.problems(problems);
        // Last: what was found by now is looked for in the names that were made from it.
        self.names(card);
    }

    pub(super) fn entry(&mut self, entry: &mut Entry) {
        self.text(&mut entry.text);
        if let Some(role) = &mut entry.role {
            self.text(role);
        }
        self.path(&mut entry.file);
    }

    fn names(&mut self, card: &mut Card) {
        let Some(redactor) = &mut self.redactor else {
            return;
        };
        let id = redactor.clean_name(card.id.as_str());
        if id != card.id.as_str() {
            card.id = SessionId::new(&id).unwrap_or_else(|_| {
                SessionId::new("redacted").expect("because it is one short name")
            });
        }
        self.path(&mut card.path);
    }

    fn path(&mut self, path: &mut RelPath) {
        let Some(redactor) = &mut self.redactor else {
            return;
        };
        let parts = path.as_str().split('/');
        let clean: Vec<String> = parts.map(|part| redactor.clean_name(part)).collect();
        let clean = clean.join("/");
        if clean != path.as_str() {
            *path = RelPath::new(&clean).unwrap_or_else(|_| RelPath::root());
        }
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
            self.path(&mut problem.file);
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
