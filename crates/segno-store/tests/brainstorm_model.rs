//! Random sequences of verbs against a simple model: no sequence loses an iteration, an idea or a comment.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]

use std::time::Duration;

use jiff::tz::TimeZone;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use segno_disk::ReadDisk as _;
use segno_disk::sim::SimDisk;
use segno_store::StoreError;
use segno_store::formats::brainstorm::{self as bs, Phase, Session};
use segno_store::formats::{self, Context, Place, Plan, Root};
use segno_store::session::{Kind, Now};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

/// What a user may do.
#[derive(Debug, Clone, Copy)]
enum Verb {
    Ask(i64),
    Answer,
    Idea(i64),
    Back(i64),
    Continue,
    Return(usize),
    Phase(usize),
    Suggest(u64),
    Save,
    /// Hours go by.
    Wait,
}

fn verb() -> impl Strategy<Value = Verb> {
    prop_oneof![
        5 => (0..=100_i64).prop_map(Verb::Ask),
        2 => Just(Verb::Answer),
        2 => (0..=10_i64).prop_map(Verb::Idea),
        4 => (0..=6_i64).prop_map(Verb::Back),
        3 => Just(Verb::Continue),
        3 => (0..4_usize).prop_map(Verb::Return),
        1 => (0..3_usize).prop_map(Verb::Phase),
        1 => any::<u64>().prop_map(Verb::Suggest),
        1 => Just(Verb::Save),
        1 => Just(Verb::Wait),
    ]
}

#[derive(Debug, Clone, PartialEq)]
struct Asked {
    question: String,
    ems: i64,
    is_answered: bool,
}

/// The session as a user thinks of it.
#[derive(Debug, Default)]
struct Model {
    /// The iterations that can be walked through.
    path: Vec<Asked>,
    /// How many of them lie behind the user, the current one included.
    at: usize,
    /// Iterations that others took the place of: number, the question they follow, and they.
    branches: Vec<(i64, String, Vec<Asked>)>,
    asked: usize,
    ideas: Vec<i64>,
}

impl Model {
    fn set_aside(&mut self) {
        let later = self.path.split_off(self.at);
        if !later.is_empty() {
            let number = self
                .branches
                .iter()
                .map(|branch| branch.0)
                .max()
                .unwrap_or(0)
                + 1;
            let follows = self.path[self.at - 1].question.clone();
            self.branches.push((number, follows, later));
        }
    }

    /// Does what a verb does; false when it must be refused.
    fn act(&mut self, verb: Verb) -> bool {
        let behind = i64::try_from(self.at).unwrap();
        match verb {
            Verb::Ask(ems) => {
                self.set_aside();
                self.asked += 1;
                let question = format!("q{}", self.asked);
                self.path.push(Asked {
                    question,
                    ems,
                    is_answered: false,
                });
                self.at += 1;
            }
            Verb::Answer => match self.at.checked_sub(1).map(|n| &mut self.path[n]) {
                Some(entry) if !entry.is_answered => entry.is_answered = true,
                _ => return false,
            },
            Verb::Idea(score) => self.ideas.push(score),
            Verb::Back(n) if (1..=5.min(behind - 1)).contains(&n) => {
                self.at -= usize::try_from(n).unwrap();
            }
            Verb::Continue if self.at < self.path.len() => self.at += 1,
            Verb::Return(n) if n < self.branches.len() => {
                let follows = self.branches[n].1.clone();
                let Some(root) = self.path.iter().position(|one| one.question == follows) else {
                    return false;
                };
                let (_, _, wanted) = self.branches.remove(n);
                self.at = root + 1;
                self.set_aside();
                self.path.extend(wanted);
                self.at = self.path.len();
            }
            Verb::Back(_) | Verb::Continue | Verb::Return(_) => return false,
            Verb::Phase(_) | Verb::Suggest(_) | Verb::Save | Verb::Wait => {}
        }
        true
    }
}

struct Desk {
    disk: SimDisk,
    minutes: u64,
}

impl Desk {
    fn now(&self) -> Now {
        let start: jiff::Timestamp = "2026-03-02T08:00:00Z".parse().unwrap();
        Now::new(
            start + Duration::from_secs(self.minutes * 60),
            TimeZone::UTC,
        )
    }

    fn run<T>(
        &self,
        plan: impl FnMut(&Context<'_>) -> segno_store::Result<Plan<T>>,
    ) -> segno_store::Result<T> {
        let writer = Writer {
            pid: 1,
            program: "test".into(),
            since: String::new(),
            patience: Duration::ZERO,
        };
        let workspace = Workspace::new(&self.disk, Settings::default());
        let written =
            workspace.write_locked(Root::Workspace, bs::LOCK, &self.now(), &writer, plan)?;
        Ok(written.outcome)
    }

    /// Carries a verb out; `None` when it is refused.
    fn act(&self, place: &Place, verb: Verb, model: &Model) -> Option<()> {
        let outcome = match verb {
            Verb::Ask(ems) => {
                let ask = bs::Ask {
                    questions: vec![format!("q{}", model.asked)],
                    ems: Some(ems),
                    ..bs::Ask::default()
                };
                self.run(|cx| bs::ask(cx, place, &ask)).map(drop)
            }
            Verb::Answer => self
                .run(|cx| bs::answer(cx, place, &["yes".to_owned()]))
                .map(drop),
            Verb::Idea(score) => self
                .run(|cx| bs::add_idea(cx, place, "an idea", Some(score)))
                .map(drop),
            Verb::Back(n) => self.run(|cx| bs::back(cx, place, n)).map(drop),
            Verb::Continue => self.run(|cx| bs::forward(cx, place)).map(drop),
            Verb::Return(n) => {
                let session = self.session(place);
                let number = session
                    .branches
                    .get(n)
                    .map_or(99, |branch| branch.branch.unwrap());
                self.run(|cx| bs::return_to(cx, place, number)).map(drop)
            }
            Verb::Phase(n) => self.run(|cx| bs::phase(cx, place, Phase::ALL[n])).map(drop),
            Verb::Suggest(seed) => {
                let how = Some(bs::Source::Random);
                self.run(|cx| bs::suggest(cx, place, how, seed)).map(drop)
            }
            Verb::Save => self.run(|cx| bs::save(cx, place)).map(drop),
            Verb::Wait => Ok(()),
        };
        match outcome {
            Ok(()) => Some(()),
            Err(StoreError::Said(_)) => None,
            Err(other) => unreachable!("{other:?}"),
        }
    }

    fn session(&self, place: &Place) -> Session {
        let workspace = Workspace::new(&self.disk, Settings::default());
        bs::open(&workspace.context(Root::Workspace, &self.now()), place).unwrap()
    }

    fn problems(&self, place: &Place) -> Vec<String> {
        let workspace = Workspace::new(&self.disk, Settings::default());
        let now = self.now();
        let cx = workspace.context(Root::Workspace, &now);
        let found = formats::of(Kind::Brainstorm)
            .unwrap()
            .check(&cx, place)
            .unwrap();
        found.into_iter().map(|problem| problem.found).collect()
    }
}

fn seen(entries: &[bs::Iteration]) -> Vec<Asked> {
    let one = |entry: &bs::Iteration| Asked {
        question: entry.questions[0].clone(),
        ems: entry.ems.unwrap(),
        is_answered: !entry.responses.is_empty(),
    };
    entries.iter().map(one).collect()
}

#[test]
fn no_sequence_of_verbs_loses_an_iteration_an_idea_or_a_comment() {
    let mut runner = TestRunner::new(Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&vec(verb(), 1..30), |verbs| {
        let mut desk = Desk {
            disk: SimDisk::new(),
            minutes: 0,
        };
        let place = desk
            .run(|cx| bs::start(cx, "t", &bs::Start::default()))
            .unwrap()
            .place;
        let text = String::from_utf8(desk.disk.read(&place.path).unwrap().unwrap().0).unwrap();
        let noted = text.replace("  ideas: []", "  # mine\n  ideas: []   # and this");
        desk.disk.plant(&place.path, noted.as_bytes());
        let mut model = Model::default();
        for verb in verbs {
            desk.minutes += if matches!(verb, Verb::Wait) { 500 } else { 1 };
            let before = desk.disk.read(&place.path).unwrap().unwrap().0;
            let allowed = model.act(verb);
            let done = desk.act(&place, verb, &model);
            prop_assert_eq!(done.is_some(), allowed, "{:?} on {:?}", verb, model);
            if !allowed {
                let after = desk.disk.read(&place.path).unwrap().unwrap().0;
                prop_assert_eq!(before, after, "a refusal changes nothing");
            }
            let session = desk.session(&place);
            prop_assert_eq!(&seen(&session.history), &model.path, "{:?}", verb);
            prop_assert_eq!(session.iteration(), i64::try_from(model.at).unwrap());
            let ems = model
                .at
                .checked_sub(1)
                .map_or(bs::FIRST_EMS, |n| model.path[n].ems);
            prop_assert_eq!(session.ems(), ems);
            let branches: Vec<_> = session
                .branches
                .iter()
                .map(|one| (one.branch.unwrap(), seen(&one.history)))
                .collect();
            let expected: Vec<_> = model
                .branches
                .iter()
                .map(|one| (one.0, one.2.clone()))
                .collect();
            prop_assert_eq!(branches, expected);
            let kept: usize = session.branches.iter().map(|one| one.history.len()).sum();
            prop_assert_eq!(
                session.history.len() + kept,
                model.asked,
                "every question asked is somewhere"
            );
            let scores: Vec<i64> = session
                .ideas
                .iter()
                .map(|idea| idea.score.unwrap())
                .collect();
            prop_assert_eq!(&scores, &model.ideas);
        }
        prop_assert_eq!(desk.problems(&place), [""; 0]);
        let text = String::from_utf8(desk.disk.read(&place.path).unwrap().unwrap().0).unwrap();
        prop_assert!(
            text.contains("  # mine\n") && text.contains("# and this\n"),
            "{}",
            text
        );
        Ok(())
    });
    outcome.unwrap_or_else(|error| unreachable!("{error}"));
}
