//! The operations of a brainstorm, each through the workspace on a simulated disk.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]

use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::sim::SimDisk;
use segno_disk::{ReadDisk as _, RelPath};
use segno_store::StoreError;
use segno_store::formats::brainstorm::{self as bs, Applied, Axis, Phase, Session, Source};
use segno_store::formats::{self, Context, Place, Plan, RecoverOptions, Root};
use segno_store::phrase::Fault;
use segno_store::session::{Kind, Now};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

const STANDARD: &str = include_str!("../../../formats/brainstorm/examples/standard.yaml");
const PARTY: &str = include_str!("../../../formats/brainstorm/examples/party.yaml");
const RANDOM: &str = include_str!("../../../formats/brainstorm/old/random-1.0.yaml");
const OLD: &str = include_str!("../../../formats/brainstorm/old/standard-1.0.yaml");
const PROGRESSIVE: &str = include_str!("../../../formats/brainstorm/old/progressive-1.0.yaml");
const LACKING: &str = include_str!("../../../formats/brainstorm/broken/entries-lacking.yaml");
const SEVERAL: &str = include_str!("../../../formats/brainstorm/old/suggested-applied.yaml");
const SCRIPT: &str = include_str!("../../../formats/brainstorm/old/script-migrated.yaml");

/// A workspace on a simulated disk, and its clock.
struct Desk {
    disk: SimDisk,
    now: Now,
}

impl Desk {
    fn new() -> Self {
        Self {
            disk: SimDisk::new(),
            now: at("2026-03-02T11:30:00Z"),
        }
    }

    fn with(slug: &str, text: &str) -> (Self, Place) {
        let desk = Self::new();
        let place = bs::place_of(slug).unwrap();
        desk.disk.plant(&place.path, text.as_bytes());
        (desk, place)
    }

    fn at(&mut self, time: &str) {
        self.now = at(time);
    }

    fn workspace(&self) -> Workspace<'_> {
        Workspace::new(&self.disk, Settings::default())
    }

    fn try_do<T>(
        &self,
        plan: impl FnMut(&Context<'_>) -> segno_store::Result<Plan<T>>,
    ) -> segno_store::Result<T> {
        let writer = Writer {
            pid: 1,
            program: "test".into(),
            since: String::new(),
            patience: Duration::ZERO,
        };
        let workspace = self.workspace();
        workspace.settle(&writer)?;
        let written =
            workspace.write_locked(Root::Workspace, bs::LOCK, &self.now, &writer, plan)?;
        Ok(written.outcome)
    }

    #[track_caller]
    fn run<T>(&self, plan: impl FnMut(&Context<'_>) -> segno_store::Result<Plan<T>>) -> T {
        self.try_do(plan).unwrap()
    }

    /// The rule that refuses an operation.
    #[track_caller]
    fn refusal<T>(&self, plan: impl FnMut(&Context<'_>) -> segno_store::Result<Plan<T>>) -> String {
        match self.try_do(plan).map(drop).unwrap_err() {
            StoreError::Said(refusal) => {
                let phrases = refusal.causes.iter().chain(&refusal.hints);
                phrases.fold(refusal.what.to_string(), |said, more| {
                    format!("{said}; {more}")
                })
            }
            other => format!("{other:?}"),
        }
    }

    fn text(&self, path: &str) -> String {
        let found = self.disk.read(&RelPath::new(path).unwrap()).unwrap();
        String::from_utf8(found.unwrap().0).unwrap()
    }

    fn file(&self, place: &Place) -> String {
        self.text(place.path.as_str())
    }

    fn session(&self, place: &Place) -> Session {
        let workspace = self.workspace();
        bs::open(&workspace.context(Root::Workspace, &self.now), place).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let names = self
            .disk
            .files()
            .into_iter()
            .map(|(path, _)| path.to_string());
        names.filter(|name| !name.starts_with(".segno/l")).collect()
    }

    fn codes(&self, place: &Place) -> Vec<&'static str> {
        let workspace = self.workspace();
        let cx = workspace.context(Root::Workspace, &self.now);
        let found = formats::of(Kind::Brainstorm)
            .unwrap()
            .check(&cx, place)
            .unwrap();
        found.into_iter().map(|problem| problem.code).collect()
    }
}

fn at(time: &str) -> Now {
    Now::new(time.parse().unwrap(), TimeZone::UTC)
}

fn questions(texts: &[&str]) -> bs::Ask {
    bs::Ask {
        questions: texts.iter().map(ToString::to_string).collect(),
        ..bs::Ask::default()
    }
}

fn scored(text: &str, ems: i64) -> bs::Ask {
    bs::Ask {
        ems: Some(ems),
        ..questions(&[text])
    }
}

/// The lines that differ: `-` of the old text, `+` of the new one.
fn differing(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(same)
        .count();
    let gone = old[head..old.len() - tail]
        .iter()
        .map(|line| format!("-{line}"));
    let come = new[head..new.len() - tail]
        .iter()
        .map(|line| format!("+{line}"));
    gone.chain(come).collect()
}

#[test]
fn adding_an_idea_changes_a_few_lines_and_nothing_else() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let id = desk.run(|cx| bs::add_idea(cx, &place, "Ask the neighbours", Some(6)));
    assert_eq!(id, 4);
    let new = desk.file(&place);
    let expected = STANDARD
        .replace(
            "      content: \"Weather data instead of sensors\"\n      score: 5\n",
            "      content: \"Weather data instead of sensors\"\n      score: 5\n    - id: 4\n      \
             content: \"Ask the neighbours\"\n      score: 6\n",
        )
        .replace("updated: \"2026-03-02T11:00:00Z\"", "updated: \"2026-03-02T11:30:00Z\"")
        .replace("  duration_minutes: 30\n", "  duration_minutes: 60\n")
        .replace(
            "      timestamp: \"2026-03-02T11:00:00Z\"\n",
            "      timestamp: \"2026-03-02T11:00:00Z\"\n      duration: 30\n",
        );
    assert_eq!(new, expected);
}

#[test]
fn every_comment_survives_a_save_and_a_second_change_is_small() {
    for text in [STANDARD, PARTY, PROGRESSIVE, RANDOM] {
        let (desk, place) = Desk::with("x", text);
        desk.run(|cx| bs::save(cx, &place));
        let new = desk.file(&place);
        for comment in text.lines().filter_map(|line| line.split_once('#')) {
            assert!(
                new.contains(&format!("#{}\n", comment.1)),
                "{comment:?} in\n{new}"
            );
        }
        desk.run(|cx| bs::add_idea(cx, &place, "one", None));
        let again = desk.file(&place);
        let diff = differing(&new, &again);
        assert!(diff.len() <= 3, "{diff:?}");
    }
}

#[test]
fn start_writes_every_field_in_the_order_of_the_document() {
    let desk = Desk::new();
    let started = desk.run(|cx| bs::start(cx, "new-idea", &bs::Start::default()));
    insta::assert_snapshot!(desk.file(&started.place), @r#"
    format_version: "1.2"

    session:
      id: "new-idea-2026-03-02"
      slug: "new-idea"
      status: "in_progress"
      phase: "divergent"
      mode: "standard"
      ems: 25
      persona: "architecte"
      iteration: 0
      techniques_used: []
      started_at: "2026-03-02T11:30:00Z"
      duration_minutes: 0
      techniques_history: []
      party_active: false
      party_history: []
      panel_active: false
      panel_history: []
      ideas: []
      history: []
      history_branches: []
      last_question: ""
      created: "2026-03-02T11:30:00Z"
      updated: "2026-03-02T11:30:00Z"
    "#);
    assert_eq!(desk.codes(&started.place), [""; 0]);
}

#[test]
fn start_archives_the_old_file_beside_the_others_and_never_overwrites() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let start = bs::Start::default();
    let first = desk.run(|cx| bs::start(cx, "garden-sensors", &start));
    let second = desk.run(|cx| bs::start(cx, "garden-sensors", &start));
    let third = desk.run(|cx| bs::start(cx, "garden-sensors", &start));
    let name = |path: Option<RelPath>| path.unwrap().name().to_owned();
    assert_eq!(
        name(first.archived.clone()),
        "garden-sensors-2026-03-02.yaml"
    );
    assert_eq!(name(second.archived), "garden-sensors-2026-03-02-2.yaml");
    assert_eq!(name(third.archived), "garden-sensors-2026-03-02-3.yaml");
    assert_eq!(desk.text(first.archived.unwrap().as_str()), STANDARD);
    assert_eq!(desk.session(&place).iteration(), 0);
    let workspace = desk.workspace();
    assert_eq!(
        workspace
            .places(Some(Kind::Brainstorm), &desk.now)
            .unwrap()
            .len(),
        4
    );
}

#[test]
fn a_slug_that_leads_elsewhere_is_refused_with_one_that_would_do() {
    let long = "x".repeat(100);
    for bad in [
        "../x", "a/b", "", "UPPER", "a b", ".hidden", "-flag", "a\0b", &long,
    ] {
        let StoreError::Said(refusal) = bs::place_of(bad).unwrap_err() else {
            panic!("{bad:?}");
        };
        assert_eq!(refusal.fault, Fault::Invalid);
        let (what, hint) = (refusal.what.to_string(), refusal.hints[0].to_string());
        assert!(what.contains("cannot be a slug"), "{what}");
        assert!(hint.contains("lower-case"), "{hint}");
    }
    bs::place_of("会議-2").unwrap();
}

#[test]
fn ask_begins_the_next_iteration_and_keeps_times_deltas_and_durations() {
    let (mut desk, place) = Desk::with("garden-sensors", STANDARD);
    let asked = desk.run(|cx| bs::ask(cx, &place, &scored("Who pays?", 60)));
    assert_eq!((asked.iteration, asked.ems, asked.delta), (4, 60, 8));
    desk.at("2026-03-02T11:42:00Z");
    let change = bs::Ask {
        phase: Some(Phase::Convergent),
        ..scored("Which first?", 71)
    };
    let asked = desk.run(|cx| bs::ask(cx, &place, &change));
    assert_eq!(
        asked.phase_change,
        Some((Phase::Divergent, Phase::Convergent))
    );
    let session = desk.session(&place);
    assert_eq!(
        (session.ems(), session.iteration(), session.phase()),
        (71, 5, Phase::Convergent)
    );
    // The third lasted from 11:00 to 11:30, the fourth twelve minutes; thirty were counted before.
    let durations: Vec<_> = session.history.iter().map(|entry| entry.duration).collect();
    assert_eq!(durations, [None, None, Some(30), Some(12), None]);
    assert_eq!(session.duration_minutes, Some(72));
    assert_eq!(session.last_question.as_deref(), Some("Which first?"));
    assert_eq!(
        session.history[4].timestamp.as_deref(),
        Some("2026-03-02T11:42:00Z")
    );
    assert_eq!(session.updated.as_deref(), Some("2026-03-02T11:42:00Z"));
}

#[test]
fn ask_computes_the_score_from_the_axes_and_remembers_them() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let all = [90, 85, 90, 90, 80];
    let mut ask = questions(&["Why?"]);
    ask.axes = Axis::ALL.into_iter().zip(all).collect();
    assert_eq!(desk.run(|cx| bs::ask(cx, &place, &ask)).ems, 87);
    // One axis alone is enough once the others are known.
    ask.axes = vec![(Axis::Clarte, 10)];
    assert_eq!(desk.run(|cx| bs::ask(cx, &place, &ask)).ems, 67);
    let session = desk.session(&place);
    assert_eq!(session.axes().unwrap().weak(), [(Axis::Clarte, 10)]);
    assert!(
        desk.file(&place)
            .contains("      axes:\n        clarte: 10\n        profondeur: 85\n")
    );
}

#[test]
fn ask_refuses_scores_that_cannot_be() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let check = |ask: &bs::Ask, expected: &str| {
        let found = desk.refusal(|cx| bs::ask(cx, &place, ask));
        assert!(found.contains(expected), "{found}");
    };
    check(&questions(&[]), "no question was given");
    check(&questions(&["  "]), "a question is empty");
    check(&scored("x", 250), "EMS is 250");
    check(&scored("x", -1), "EMS is -1");
    let mut partial = questions(&["x"]);
    partial.axes = vec![(Axis::Clarte, 50), (Axis::Decisions, 50)];
    check(
        &partial,
        "unknown so far: profondeur, couverture, actionnabilite",
    );
    partial.ems = Some(50);
    check(&partial, "both");
    assert_eq!(desk.file(&place), STANDARD);
}

#[test]
fn answer_goes_to_the_current_questions_in_their_order() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let one = ["A daily report".to_owned()];
    let answered = desk.run(|cx| bs::answer(cx, &place, &one));
    assert_eq!(answered.open, ["Who replaces them?", "What may one cost?"]);
    let many = vec!["x".to_owned(); 3];
    let refusal = desk.refusal(|cx| bs::answer(cx, &place, &many));
    assert!(
        refusal.starts_with("answers given: 3, questions open: 2"),
        "{refusal}"
    );
    let two = ["The gardener".to_owned(), "Ten".to_owned()];
    assert!(desk.run(|cx| bs::answer(cx, &place, &two)).open.is_empty());
    assert_eq!(desk.session(&place).current().unwrap().responses.len(), 3);
    let fresh = desk
        .run(|cx| bs::start(cx, "fresh", &bs::Start::default()))
        .place;
    assert!(
        desk.refusal(|cx| bs::answer(cx, &fresh, &one))
            .contains("nothing has been asked")
    );
}

#[test]
fn ideas_are_scored_from_0_to_10_and_ranked() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    desk.run(|cx| bs::score_idea(cx, &place, 3, 10));
    desk.run(|cx| bs::add_idea(cx, &place, "Later", None));
    let session = desk.session(&place);
    let order: Vec<_> = bs::ranked(&session)
        .iter()
        .map(|idea| idea.id.unwrap())
        .collect();
    assert_eq!(order, [3, 1, 2, 4]);
    assert!(
        desk.refusal(|cx| bs::score_idea(cx, &place, 3, 11))
            .contains("0 to 10")
    );
    assert!(
        desk.refusal(|cx| bs::score_idea(cx, &place, 9, 1))
            .contains("there are: 1, 2, 3, 4")
    );
    assert!(
        desk.refusal(|cx| bs::add_idea(cx, &place, " ", None))
            .contains("empty")
    );
    // The key of somebody else's is where it was.
    assert!(
        desk.file(&place)
            .contains("      owner: \"to be found\"   # a key of our own\n")
    );
}

#[test]
fn phase_and_persona_and_energy_are_kept() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    desk.run(|cx| bs::persona(cx, &place, bs::Persona::Sparring));
    assert_eq!(
        desk.run(|cx| bs::phase(cx, &place, Phase::Transition)),
        Phase::Divergent
    );
    let (_, phase) = desk.run(|cx| bs::energy(cx, &place, bs::Energy::Accelerate));
    assert_eq!(phase, Phase::Convergent);
    let session = desk.session(&place);
    assert_eq!(session.persona.as_deref(), Some("sparring"));
    assert_eq!(session.current().unwrap().energy_check, Some(true));
    assert_eq!(session.current().unwrap().user_choice, Some(3));
}

#[test]
fn back_restores_iteration_score_and_phase_and_continue_goes_forward_again() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let jump = desk.run(|cx| bs::back(cx, &place, 2));
    assert_eq!(
        (jump.iteration, jump.ems, jump.ahead),
        ((3, 1), (52, 25), 2)
    );
    assert_eq!(
        jump.questions,
        ["What shall be measured?", "Who reads the values?"]
    );
    let session = desk.session(&place);
    assert_eq!(
        (session.iteration(), session.ems(), session.history.len()),
        (1, 25, 3)
    );
    let jump = desk.run(|cx| bs::forward(cx, &place));
    assert_eq!((jump.iteration, jump.ems), ((1, 2), (25, 38)));
    desk.run(|cx| bs::forward(cx, &place));
    assert!(
        desk.refusal(|cx| bs::forward(cx, &place))
            .contains("iteration 3 is the last")
    );
    // Nothing but the position and the time has changed on the way.
    let back = desk
        .file(&place)
        .replace("2026-03-02T11:30:00Z", "2026-03-02T11:00:00Z")
        .replace("  duration_minutes: 60\n", "  duration_minutes: 30\n")
        .replace("      duration: 30\n", "");
    assert_eq!(back, STANDARD);
}

#[test]
fn back_never_goes_below_the_first_iteration_nor_further_than_five() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    for steps in [3, 5, 100, 0, -1] {
        let refusal = desk.refusal(|cx| bs::back(cx, &place, steps));
        assert!(refusal.contains("most possible: back 2"), "{refusal}");
    }
    for n in 0..7 {
        desk.run(|cx| bs::ask(cx, &place, &scored("?", 50 + n)));
    }
    assert!(
        desk.refusal(|cx| bs::back(cx, &place, 6))
            .contains("back 5")
    );
    desk.run(|cx| bs::back(cx, &place, 5));
    desk.run(|cx| bs::back(cx, &place, 4));
    assert!(
        desk.refusal(|cx| bs::back(cx, &place, 1))
            .contains("nothing before")
    );
    assert_eq!(desk.session(&place).history.len(), 10);
}

#[test]
fn asking_after_back_starts_a_branch_that_can_be_returned_to() {
    let (mut desk, place) = Desk::with("quiet-office", RANDOM);
    desk.run(|cx| bs::back(cx, &place, 2));
    let asked = desk.run(|cx| bs::ask(cx, &place, &scored("Another way?", 30)));
    assert_eq!((asked.iteration, asked.branch), (2, Some(1)));
    let session = desk.session(&place);
    assert_eq!(session.history.len(), 2);
    let kept: Vec<_> = session.branches[0]
        .history
        .iter()
        .map(|entry| entry.iteration.unwrap())
        .collect();
    assert_eq!(kept, [2, 3]);
    // What the entries held beyond the schema went with them.
    assert_eq!(
        session.branches[0].history[0].technique_selected.as_deref(),
        Some("six-hats")
    );
    assert_eq!(session.branches[0].history[0].energy_check, Some(true));

    desk.at("2026-03-02T11:31:00Z");
    let jump = desk.run(|cx| bs::return_to(cx, &place, 1));
    assert_eq!((jump.iteration, jump.ems), ((2, 3), (30, 41)));
    let session = desk.session(&place);
    assert_eq!(session.history.len(), 3);
    assert_eq!(session.branches.len(), 1);
    assert_eq!(session.branches[0].history[0].questions, ["Another way?"]);
    assert!(
        desk.refusal(|cx| bs::return_to(cx, &place, 9))
            .contains("there is no branch 9")
    );
}

#[test]
fn a_branch_of_a_branch_is_returned_to_through_its_parent() {
    let (mut desk, place) = Desk::with("garden-sensors", STANDARD);
    let mut ask = |text: &str, time: &str| {
        desk.at(time);
        desk.run(|cx| bs::ask(cx, &place, &scored(text, 50)))
    };
    ask("4", "2026-03-02T12:00:00Z");
    ask("5", "2026-03-02T12:01:00Z");
    desk.run(|cx| bs::back(cx, &place, 2));
    desk.at("2026-03-02T12:02:00Z");
    assert_eq!(
        desk.run(|cx| bs::ask(cx, &place, &scored("4b", 50))).branch,
        Some(1)
    );
    desk.run(|cx| bs::back(cx, &place, 2));
    desk.at("2026-03-02T12:03:00Z");
    assert_eq!(
        desk.run(|cx| bs::ask(cx, &place, &scored("3c", 50))).branch,
        Some(2)
    );
    // Branch 1 goes on from iteration 3, which is in branch 2 now.
    let refusal = desk.refusal(|cx| bs::return_to(cx, &place, 1));
    assert!(refusal.contains("return to branch 2 first"), "{refusal}");
    desk.run(|cx| bs::return_to(cx, &place, 2));
    let jump = desk.run(|cx| bs::return_to(cx, &place, 1));
    assert_eq!(jump.iteration, (4, 5));
    let texts: Vec<String> = desk
        .session(&place)
        .history
        .iter()
        .map(|e| e.questions[0].clone())
        .collect();
    assert_eq!(texts[3..], ["4", "5"]);
    assert_eq!(desk.codes(&place), [""; 0]);
}

#[test]
fn techniques_are_suggested_with_their_reason_and_recorded() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    assert!(
        desk.refusal(|cx| bs::suggest(cx, &place, None, 0))
            .contains("axes are not known")
    );
    let mut ask = questions(&["Why?"]);
    ask.axes = Axis::ALL.into_iter().zip([42, 60, 60, 60, 60]).collect();
    desk.run(|cx| bs::ask(cx, &place, &ask));
    let suggested = desk.run(|cx| bs::suggest(cx, &place, None, 0));
    assert_eq!(suggested.source, Source::Auto);
    let slug = suggested.suggestions[0].technique.slug;
    let session = desk.session(&place);
    let used = session.techniques.last().unwrap();
    assert_eq!(used.reason.as_deref(), Some("Clarte 42%"));
    assert_eq!(used.weak_axes, ["Clarte"]);
    assert_eq!(
        (&used.applied, used.source, used.iteration),
        (&Applied::No, Some(Source::Auto), Some(4))
    );
    assert!(
        desk.file(&place)
            .contains("      weak_axes: [\"Clarte\"]\n")
    );

    let (_, was_suggested) = desk.run(|cx| bs::apply(cx, &place, slug));
    assert!(was_suggested);
    let session = desk.session(&place);
    assert_eq!(session.techniques.last().unwrap().applied, Applied::Yes);
    assert_eq!(session.techniques_used, ["moscow", "5whys", slug]);
    assert!(
        desk.refusal(|cx| bs::skip(cx, &place, slug))
            .contains("not a suggestion that waits")
    );
    assert!(
        desk.refusal(|cx| bs::apply(cx, &place, "six"))
            .contains("six-hats")
    );
    let (_, was_suggested) = desk.run(|cx| bs::apply(cx, &place, "RICE"));
    assert!(!was_suggested);
    assert_eq!(
        desk.session(&place).techniques.last().unwrap().source,
        Some(Source::Manual)
    );
}

#[test]
fn a_random_session_goes_on_drawing_and_keeps_its_old_state_in_step() {
    let (desk, place) = Desk::with("quiet-office", RANDOM);
    let first = desk.run(|cx| bs::suggest(cx, &place, None, 7));
    assert_eq!(first.source, Source::Random);
    let (again, same) = Desk::with("quiet-office", RANDOM);
    assert_eq!(again.run(|cx| bs::suggest(cx, &same, None, 7)), first);
    let state = desk.session(&place).random_state.unwrap();
    let category = first.suggestions[0].technique.category;
    assert_eq!(state.last_category.as_deref(), Some(category));
    assert_eq!(
        (
            state.category_counts.get(category),
            state.category_counts.get("ideation")
        ),
        (1, 2)
    );
    desk.run(|cx| bs::skip(cx, &place, first.suggestions[0].technique.slug));
    let progressive = desk.run(|cx| bs::suggest(cx, &place, Some(Source::Progressive), 0));
    assert_eq!(progressive.suggestions[0].reason, "progressive, EMS 41");
}

fn party_round() -> bs::PartyRound {
    let contribution = |who: &str, refers: &[&str]| bs::Contribution {
        persona: Some(who.into()),
        key_points: vec!["one".into(), "two".into()],
        references: refers.iter().map(ToString::to_string).collect(),
        ..bs::Contribution::default()
    };
    bs::PartyRound {
        topic: Some("the roof".into()),
        contributions: vec![
            contribution("Architect", &[]),
            contribution("QA", &["Architect"]),
            contribution("Frontend", &[]),
        ],
        synthesis: Some("glass".into()),
        user_question: Some("how much light?".into()),
        ..bs::PartyRound::default()
    }
}

#[test]
fn a_party_has_its_rules_and_excludes_a_panel() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    assert!(
        desk.refusal(|cx| bs::party_round(cx, &place, party_round()))
            .contains("no party")
    );
    desk.run(|cx| bs::party_start(cx, &place));
    assert!(
        desk.refusal(|cx| bs::panel_start(cx, &place))
            .contains("cannot be active together")
    );
    assert!(
        desk.refusal(|cx| bs::finish(cx, &place, true))
            .contains("a party is active")
    );
    assert_eq!(desk.run(|cx| bs::party_round(cx, &place, party_round())), 1);
    let mut without = party_round();
    without.contributions[0].persona = Some("Backend".into());
    let refusal = desk.refusal(|cx| bs::party_round(cx, &place, without.clone()));
    assert!(
        refusal.contains("Architect takes part in every round"),
        "{refusal}"
    );
    let session = desk.session(&place);
    assert_eq!((session.mode(), session.party.len()), (bs::Mode::Party, 1));
    assert_eq!(session.party[0].personas, ["Architect", "QA", "Frontend"]);
    assert_eq!(desk.run(|cx| bs::party_exit(cx, &place)), 1);
    assert_eq!(desk.session(&place).mode(), bs::Mode::Standard);
    assert_eq!(desk.codes(&place), [""; 0]);
}

fn panel_round() -> bs::PanelRound {
    let opinion = |who: &str| bs::Opinion {
        expert: Some(who.into()),
        position: Some("for".into()),
        ..bs::Opinion::default()
    };
    bs::PanelRound {
        topic: Some("the store".into()),
        contributions: ["Martin", "Newman", "Gamma"].map(opinion).to_vec(),
        synthesis: Some(bs::Synthesis {
            convergent: vec!["a".into()],
            tensions: vec!["b".into()],
            ..bs::Synthesis::default()
        }),
        user_question: Some("which?".into()),
        ..bs::PanelRound::default()
    }
}

#[test]
fn a_panel_has_three_experts_and_both_halves_of_a_synthesis() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    desk.run(|cx| bs::panel_start(cx, &place));
    let round = panel_round();
    let (number, phase) = desk.run(|cx| bs::panel_round(cx, &place, round.clone()));
    assert_eq!((number, phase), (1, bs::PanelPhase::Discussion));
    let debate = bs::PanelRound {
        phase: Some(bs::PanelPhase::Debate),
        ..round.clone()
    };
    assert_eq!(
        desk.run(|cx| bs::panel_round(cx, &place, debate.clone())).1,
        bs::PanelPhase::Debate
    );
    let mut two = round;
    two.contributions.pop();
    let refusal = desk.refusal(|cx| bs::panel_round(cx, &place, two.clone()));
    assert!(refusal.contains("exactly 3 experts, not 2"), "{refusal}");
    let session = desk.session(&place);
    assert_eq!(
        session.panel[0].contributions[1].framework.as_deref(),
        Some("Distributed Systems")
    );
    assert_eq!(desk.run(|cx| bs::panel_exit(cx, &place)), 2);
}

#[test]
fn finish_writes_the_documents_and_the_counts_and_completes() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let finished = desk.run(|cx| bs::finish(cx, &place, false));
    assert!(finished.is_early);
    assert_eq!(
        finished.brief.as_str(),
        "docs/briefs/garden-sensors/brief-garden-sensors-2026-03-02.md"
    );
    let brief = desk.text(finished.brief.as_str());
    for part in [
        "# PRD — Garden sensors\n",
        "| **Document ID** | PRD-2026-001 |",
        "| **EMS Score** | 52/100 |",
        "## Goals\n\n- Solar sensors that sleep between readings (8/10)\n- One gateway per greenhouse (7/10)\n",
        "| 3 | Weather data instead of sensors | 5/10 |",
        "## Questions Ouvertes\n\n- How are lost sensors noticed?\n",
    ] {
        assert!(brief.contains(part), "{part} in\n{brief}");
    }
    for empty in ["Non-Goals", "Personas", "Timeline", "### Panel", "Risques"] {
        assert!(!brief.contains(empty), "{empty}");
    }
    let journal = desk.text(finished.journal.as_str());
    for part in [
        "| Init | 25 | - | Cadrage initial |\n| 1 | 25 | +0 | divergent : What shall be measured? |\n",
        "| Final | 52 | - | Finalisation |\n\n`▂▃▄`\n",
        "## Frameworks Appliques\n\n- **5whys** (deep) — iteration 2 — Clarte 42%\n",
        "- (iteration 2) **How long must a battery last?** — A season\n",
    ] {
        assert!(journal.contains(part), "{part} in\n{journal}");
    }
    assert!(!journal.contains("Pivots") && !journal.contains("EMS Final"));
    let session = desk.session(&place);
    assert_eq!(session.status(), bs::SessionStatus::Completed);
    let line: serde_json::Value =
        serde_json::from_str(&desk.text(".project-memory/logs/brainstorm-history.jsonl")).unwrap();
    assert_eq!(line["technique_categories"], serde_json::json!({"deep": 1}));
    assert_eq!(line["timestamp"], "2026-03-02T11:30:00");
    let stats: serde_json::Value =
        serde_json::from_str(&desk.text(".project-memory/metrics/brainstorm-stats.json")).unwrap();
    assert_eq!(stats["total_sessions"], 1);
    assert_eq!(
        stats["by_ems_bucket"],
        serde_json::json!({"low": 0, "medium": 1, "high": 0})
    );
    assert_eq!(stats["avg_iterations"], 3.0);
    let index = desk.text(".project-memory/briefs-index.jsonl");
    assert!(index.contains("\"slug\": \"garden-sensors\""), "{index}");
    assert!(
        desk.refusal(|cx| bs::finish(cx, &place, true))
            .contains("is completed")
    );
}

#[test]
fn finish_fills_every_section_that_a_session_has_something_for_in_the_order_of_the_format() {
    let (mut desk, place) = Desk::with("garden-sensors", STANDARD);
    let answers = vec!["It breaks".to_owned(); 3];
    desk.run(|cx| bs::apply(cx, &place, "premortem"));
    desk.run(|cx| bs::answer(cx, &place, &answers));
    desk.run(|cx| bs::add_idea(cx, &place, "Ask a crow | <b>", Some(1)));
    desk.run(|cx| bs::party_start(cx, &place));
    desk.run(|cx| bs::party_round(cx, &place, party_round()));
    desk.run(|cx| bs::party_exit(cx, &place));
    desk.run(|cx| bs::panel_start(cx, &place));
    desk.run(|cx| bs::panel_round(cx, &place, panel_round()));
    desk.run(|cx| bs::panel_exit(cx, &place));
    let mut ask = questions(&["Who pays?"]);
    ask.axes = Axis::ALL.into_iter().zip([90, 85, 90, 90, 80]).collect();
    desk.run(|cx| bs::ask(cx, &place, &ask));
    desk.run(|cx| bs::back(cx, &place, 1));
    desk.at("2026-03-02T11:45:00Z");
    desk.run(|cx| bs::ask(cx, &place, &ask));
    desk.run(|cx| bs::energy(cx, &place, bs::Energy::Pivot));
    let finished = desk.run(|cx| bs::finish(cx, &place, false));

    let headings = |path: &RelPath| -> Vec<String> {
        let text = desk.text(path.as_str());
        let lines = text.lines().filter_map(|line| line.strip_prefix("## "));
        lines.map(ToOwned::to_owned).collect()
    };
    assert_eq!(
        headings(&finished.brief),
        [
            "Executive Summary",
            "Goals",
            "Non-Goals (Out of Scope v1)",
            "Exploration Summary",
            "Questions Ouvertes",
            "Risques (Pre-mortem)",
            "Appendix",
        ]
    );
    assert_eq!(
        headings(&finished.journal),
        [
            "Resume",
            "Progression EMS",
            "EMS Final Détaillé",
            "Metadonnees Brainstormer",
            "Decisions Cles",
            "Pivots",
            "Deep Dives",
            "Frameworks Appliques",
            "Questions Resolues",
        ]
    );
    let brief = desk.text(finished.brief.as_str());
    for part in [
        "| **Owner** | - |\n",
        "- Ask a crow \\| &lt;b> (1/10)\n",
        "### Party\n\n- glass\n",
        "### Panel\n\n- a\n",
        "## Risques (Pre-mortem)\n\n- b\n- It breaks\n",
        "## Questions Ouvertes\n\n- Who pays?\n",
    ] {
        assert!(brief.contains(part), "{part} in\n{brief}");
    }
    let journal = desk.text(finished.journal.as_str());
    for part in [
        "| Clarte | 90/100 | 25% |\n",
        "**EMS Global Pondéré**: 87/100\n",
        "| Rounds party / panel | 1 / 1 |\n",
        "- Apres l'iteration 3 : 1 iterations mises de cote (branche 1)\n  - Who pays?\n",
        "- Iteration 4 : pivot demande\n",
        "### Party 1 — the roof\n\n- **Architect** : one ; two\n",
        "- **Synthese** : glass\n- **Question** : how much light?\n\n### Panel 1 (discussion) — the store\n",
        "- **Newman** (Distributed Systems) : for\n",
        "- **Convergences** : a\n- **Tensions** : b\n- **Question** : which?\n",
    ] {
        assert!(journal.contains(part), "{part} in\n{journal}");
    }
    let stats: serde_json::Value =
        serde_json::from_str(&desk.text(".project-memory/metrics/brainstorm-stats.json")).unwrap();
    let counted = |key: &str| stats[key].clone();
    assert_eq!(counted("party_sessions"), 1);
    assert_eq!(counted("panel_sessions"), 1);
    assert_eq!(counted("by_mode")["party"], 1);
    assert_eq!(counted("panel_phases_usage")["discussion"], 1);
    assert_eq!(counted("panel_experts_usage")["Newman"], 1);
    assert_eq!(counted("party_personas_usage")["QA"], 1);
    assert_eq!(counted("by_ems_bucket")["high"], 1);
    assert_eq!(counted("techniques_usage")["premortem"], 1);
}

#[test]
fn finish_never_overwrites_and_goes_on_counting() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    desk.run(|cx| bs::finish(cx, &place, false));
    desk.run(|cx| bs::reopen(cx, &place, true));
    desk.run(|cx| bs::ask(cx, &place, &scored("More?", 80)));
    let again = desk.run(|cx| bs::finish(cx, &place, false));
    assert!(!again.is_early);
    assert!(
        again.brief.as_str().ends_with("-2026-03-02-v2.md"),
        "{}",
        again.brief
    );
    assert!(desk.text(again.brief.as_str()).contains("PRD-2026-002"));
    let stats: serde_json::Value =
        serde_json::from_str(&desk.text(".project-memory/metrics/brainstorm-stats.json")).unwrap();
    assert_eq!(
        (
            stats["total_sessions"].as_i64(),
            stats["avg_iterations"].as_f64()
        ),
        (Some(2), Some(3.5))
    );
    assert_eq!(
        desk.text(".project-memory/briefs-index.jsonl")
            .lines()
            .count(),
        2
    );
}

#[test]
fn finish_below_50_must_be_forced() {
    let (desk, place) = Desk::with("quiet-office", RANDOM);
    let refusal = desk.refusal(|cx| bs::finish(cx, &place, false));
    assert!(refusal.contains("the EMS is 41: below 50"), "{refusal}");
    assert_eq!(desk.file(&place), RANDOM);
    desk.run(|cx| bs::finish(cx, &place, true));
}

#[test]
fn abandon_ends_a_session_and_resume_needs_force() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    desk.run(|cx| bs::abandon(cx, &place));
    assert!(
        desk.refusal(|cx| bs::add_idea(cx, &place, "x", None))
            .contains("is abandoned")
    );
    assert!(
        desk.refusal(|cx| bs::reopen(cx, &place, false))
            .contains("is abandoned")
    );
    desk.run(|cx| bs::reopen(cx, &place, true));
    desk.run(|cx| bs::add_idea(cx, &place, "x", None));
}

#[test]
fn a_1_0_file_is_read_as_1_2_and_written_at_its_first_change_with_a_backup() {
    let (desk, place) = Desk::with("quiet-office", RANDOM);
    let session = desk.session(&place);
    assert_eq!(
        (session.mode(), session.technique_mode),
        (bs::Mode::Standard, Some(Source::Random))
    );
    assert_eq!(desk.file(&place), RANDOM, "reading changes nothing");
    desk.run(|cx| bs::add_idea(cx, &place, "Carpets", Some(4)));
    let text = desk.file(&place);
    assert!(text.contains("\nformat_version: \"1.2\"\n"), "{text}");
    assert!(
        text.contains("  mode: \"standard\"  # the flag of the launch\n"),
        "{text}"
    );
    assert!(text.contains("  technique_mode: \"random\"\n"), "{text}");
    assert_eq!(desk.text(&format!("{}.v1.0.bak", place.path)), RANDOM);
    let session = desk.session(&place);
    let uses: Vec<_> = session
        .techniques
        .iter()
        .map(|used| {
            (
                used.iteration.unwrap(),
                used.slug.as_deref().unwrap(),
                used.category.as_deref().unwrap(),
                used.source.unwrap(),
            )
        })
        .collect();
    assert_eq!(
        uses,
        [
            (1, "scamper", "structured", Source::Random),
            (2, "six-hats", "structured", Source::Random),
            (3, "what-if", "creative", Source::Manual),
        ]
    );
    assert_eq!(
        (session.party_active, session.panel_active),
        (Some(false), Some(false))
    );
    // From 14:00 to 14:30, and from then on the program counts.
    assert_eq!(session.duration_minutes, Some(30));
    assert_eq!(desk.codes(&place), [""; 0]);
}

#[test]
fn migrate_says_what_it_does_and_leaves_the_rest() {
    let check = |slug: &str, text: &str, from: &str| {
        let (desk, place) = Desk::with(slug, text);
        let format = formats::of(Kind::Brainstorm).unwrap();
        let done = desk.run(|cx| Ok(format.migrate(cx, &place)?.unwrap()));
        assert_eq!((done.from.as_str(), done.to.as_str()), (from, "1.2"));
        let new = desk.file(&place);
        for line in text
            .lines()
            .filter(|line| !line.contains("format_version") && !line.contains(" mode:"))
        {
            assert!(new.contains(line), "{line}");
        }
        let again = desk.workspace();
        assert!(
            format
                .migrate(&again.context(Root::Workspace, &desk.now), &place)
                .unwrap()
                .is_none()
        );
        (desk.session(&place), done.steps)
    };
    let (session, _) = check("bike-rental", OLD, "1.0");
    assert_eq!(session.techniques[0].category.as_deref(), Some("deep"));
    assert_eq!(session.techniques[2].category.as_deref(), Some("unknown"));
    assert_eq!(
        session.techniques[2].iteration,
        Some(2),
        "never beyond the last iteration"
    );
    let (session, steps) = check("night-bus", PROGRESSIVE, "1.0");
    assert_eq!(session.technique_mode, Some(Source::Progressive));
    assert!(
        steps.iter().any(|step| step.contains("`progressive`")),
        "{steps:?}"
    );
    let (desk, place) = Desk::with("herb-index", SCRIPT);
    desk.run(|cx| bs::save(cx, &place));
    assert_eq!(desk.codes(&place), [""; 0]);
}

#[test]
fn a_newer_version_is_read_and_never_rewritten() {
    let text = STANDARD.replace("\"1.2\"", "\"1.3\"");
    let (desk, place) = Desk::with("garden-sensors", &text);
    assert_eq!(desk.session(&place).ems(), 52);
    assert_eq!(desk.codes(&place), ["too_new"]);
    let error = desk.try_do(|cx| bs::save(cx, &place)).unwrap_err();
    assert!(matches!(error, StoreError::TooNew { .. }), "{error:?}");
    let format = formats::of(Kind::Brainstorm).unwrap();
    let recovery = desk.run(|cx| format.recover(cx, &place, &RecoverOptions::default()));
    assert_eq!(recovery.left.len(), 1);
    assert_eq!(desk.file(&place), text);
}

#[test]
fn missing_fields_are_reported_and_filled_by_recover() {
    let (desk, place) = Desk::with("ticket-shop", PARTY);
    assert_eq!(desk.codes(&place), ["missing_field"; 7]);
    desk.run(|cx| bs::add_idea(cx, &place, "Paper tickets", None));
    assert_eq!(
        desk.codes(&place),
        ["missing_field"; 5],
        "only what was touched is written"
    );
    let format = formats::of(Kind::Brainstorm).unwrap();
    let recovery = desk.run(|cx| format.recover(cx, &place, &RecoverOptions::default()));
    assert_eq!(recovery.left, []);
    assert_eq!(desk.codes(&place), [""; 0]);
    let session = desk.session(&place);
    // The day is in the id, the rest cannot be known.
    assert_eq!(session.created.as_deref(), Some("2026-03-03"));
    assert!(
        recovery
            .unknown
            .iter()
            .any(|text| text.contains("duration_minutes")),
        "{recovery:?}"
    );
    assert!(
        desk.files()
            .iter()
            .any(|name| name.ends_with("ticket-shop.yaml.bak"))
    );
}

#[test]
fn what_entries_lack_is_reported_and_filled_by_recover_with_what_is_known() {
    let format = formats::of(Kind::Brainstorm).unwrap();
    let (desk, place) = Desk::with("entries-lacking", LACKING);
    let safe = RecoverOptions {
        safe_only: true,
        ..RecoverOptions::default()
    };
    let recovery = desk.run(|cx| format.recover(cx, &place, &safe));
    assert_eq!(recovery.unknown, [""; 0], "nothing was guessed");
    let session = desk.session(&place);
    // 30 and ten more is 40; idea 7 is the largest number; the catalogue knows the category.
    assert_eq!(session.history[0].ems_delta, Some(0));
    assert_eq!(
        (session.history[1].iteration, session.history[1].ems),
        (None, Some(40))
    );
    assert_eq!(session.history[2].phase, Some(Phase::Divergent));
    assert_eq!(session.ideas[0].id, Some(8));
    let used = &session.techniques[0];
    assert_eq!(
        (used.category.as_deref(), &used.applied),
        (Some("deep"), &Applied::Yes)
    );
    assert_eq!((used.source, used.reason.as_deref()), (None, None));
    let text = desk.file(&place);
    assert!(
        text.contains("      questions: []\n      responses: []\n      timestamp: \"2026-03-05T10:02:00Z\"\n      note: \"kept\"   # a key"),
        "{text}"
    );

    let recovery = desk.run(|cx| format.recover(cx, &place, &RecoverOptions::default()));
    assert_eq!(
        recovery.left.len(),
        1,
        "what an idea says only a person knows: {:?}",
        recovery.left
    );
    let guessed = recovery.unknown.join("; ");
    for part in [
        "`iteration` of iteration 2",
        "`timestamp` of iteration 3",
        "`source` of technique 1",
    ] {
        assert!(guessed.contains(part), "{part} in {guessed}");
    }
    let session = desk.session(&place);
    assert_eq!(session.history[1].iteration, Some(2));
    assert_eq!(
        session.history[2].timestamp.as_deref(),
        Some("2026-03-05T10:02:00Z")
    );
    assert_eq!(desk.codes(&place), ["missing_field"]);
    for line in LACKING.lines().filter(|line| line.contains('#')) {
        let comment = line.split_once('#').unwrap().1;
        assert!(desk.file(&place).contains(comment), "{comment}");
    }
}

#[test]
fn entries_that_name_several_techniques_become_an_entry_for_each() {
    let (desk, place) = Desk::with("tool-shed", SEVERAL);
    assert_eq!(desk.codes(&place), [""; 0]);
    let uses = |session: &Session| -> Vec<(i64, String, String, bool)> {
        let text = |text: &Option<String>| text.clone().unwrap();
        let one = |used: &bs::TechniqueUse| {
            let applied = used.applied == Applied::Yes;
            (
                used.iteration.unwrap(),
                text(&used.slug),
                text(&used.category),
                applied,
            )
        };
        session.techniques.iter().map(one).collect()
    };
    let used =
        |n, slug: &str, category: &str, applied| (n, slug.to_owned(), category.to_owned(), applied);
    let expected = [
        used(1, "six-hats", "structured", true),
        used(1, "what-if", "creative", false),
        used(2, "5whys", "deep", false),
        used(2, "shelf-walk", "unknown", false),
        used(2, "moscow", "structured", true),
    ];
    assert_eq!(uses(&desk.session(&place)), expected);
    assert_eq!(desk.file(&place), SEVERAL, "reading changes nothing");
    let format = formats::of(Kind::Brainstorm).unwrap();
    let done = desk.run(|cx| Ok(format.migrate(cx, &place)?.unwrap()));
    assert_eq!(
        done.steps,
        ["techniques_history has an entry for each of 5 techniques"]
    );
    let session = desk.session(&place);
    assert_eq!(uses(&session), expected);
    assert_eq!(
        session.techniques[0].reason.as_deref(),
        Some("Couverture 35%")
    );
    assert_eq!(session.techniques_used, ["six-hats", "moscow"]);
    let text = desk.file(&place);
    assert!(
        text.contains("noted_by: \"evaluator\"") && !text.contains("suggested:"),
        "{text}"
    );
    assert_eq!(desk.text(&format!("{}.v1.2.bak", place.path)), SEVERAL);
    assert_eq!(desk.codes(&place), [""; 0]);
}

#[test]
fn a_pause_is_not_counted_when_somebody_comes_back() {
    let (mut desk, place) = Desk::with("garden-sensors", STANDARD);
    desk.at("2026-03-02T11:10:00Z");
    desk.run(|cx| bs::save(cx, &place));
    desk.at("2026-03-03T09:00:00Z");
    desk.run(|cx| bs::add_idea(cx, &place, "Overnight", None));
    desk.at("2026-03-03T09:05:00Z");
    desk.run(|cx| bs::ask(cx, &place, &scored("Next?", 60)));
    let session = desk.session(&place);
    assert_eq!(session.history[2].duration, Some(15));
    assert_eq!(session.duration_minutes, Some(45));
}

#[test]
fn clean_moves_what_is_over_and_old_to_the_trash_and_lets_it_go_a_month_later() {
    let (mut desk, place) = Desk::with("bike-rental", OLD);
    let open = bs::place_of("quiet-office").unwrap();
    desk.disk.plant(&open.path, RANDOM.as_bytes());
    let format = formats::of(Kind::Brainstorm).unwrap();
    desk.at("2026-02-05T11:00:00Z");
    assert_eq!(
        desk.run(|cx| format.clean(cx)),
        [],
        "the thirtieth day is not over"
    );
    desk.at("2026-02-06T12:00:00Z");
    let removed = desk.run(|cx| format.clean(cx));
    assert_eq!(removed.len(), 1);
    assert_eq!(removed[0].session, "brainstorm/bike-rental");
    let trash = removed[0].to.clone().unwrap();
    assert_eq!(
        trash.as_str(),
        ".segno/trash/brainstorm/2026-02-06_bike-rental.yaml"
    );
    assert_eq!(desk.text(trash.as_str()), OLD);
    assert!(desk.disk.stat(&place.path).unwrap().is_none());
    desk.at("2026-03-08T12:00:00Z");
    assert_eq!(desk.run(|cx| format.clean(cx)), []);
    desk.at("2026-03-09T12:00:00Z");
    let gone = desk.run(|cx| format.clean(cx));
    assert_eq!((gone.len(), gone[0].to.clone()), (1, None));
    assert!(desk.disk.stat(&trash).unwrap().is_none());
    assert_eq!(
        desk.file(&open),
        RANDOM,
        "what is in progress is never touched"
    );
}

#[test]
fn a_person_who_edits_in_between_loses_nothing() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let mut tries = 0;
    desk.run(|cx| {
        let plan = bs::add_idea(cx, &place, "Ask the neighbours", None)?;
        tries += 1;
        if tries == 1 {
            let edited = STANDARD.replace("# No party", "# no party, never");
            desk.disk.plant(&place.path, edited.as_bytes());
        }
        Ok(plan)
    });
    assert_eq!(tries, 2);
    let text = desk.file(&place);
    assert!(text.contains("# no party, never") && text.contains("Ask the neighbours"));
}

#[test]
fn the_brief_says_where_it_stands_and_what_to_do_next() {
    let (desk, place) = Desk::with("garden-sensors", STANDARD);
    let workspace = desk.workspace();
    let cx = workspace.context(Root::Workspace, &desk.now);
    let format = formats::of(Kind::Brainstorm).unwrap();
    let brief = format.brief(&cx, &place, None).unwrap();
    assert_eq!(brief.card.position, "iteration 3, EMS 52, divergent");
    assert_eq!(brief.open_questions.len(), 3);
    assert_eq!(brief.decisions.len(), 2);
    assert!(
        brief
            .next
            .unwrap()
            .contains("segno brainstorm answer garden-sensors")
    );
    assert_eq!(brief.turns.len(), 7 + 4);
    let mut lines = Vec::new();
    format
        .entries(&cx, &place, &mut |entry| {
            lines.push((entry.kind.name(), entry.line, entry.text));
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    for (_, line, text) in &lines {
        let found = STANDARD
            .lines()
            .nth(usize::try_from(*line).unwrap() - 1)
            .unwrap();
        assert!(found.contains(text.as_str()), "{line}: {found}");
    }
    assert_eq!(lines.len(), 7 + 4 + 3 + 2);
}

#[test]
fn a_file_of_nothing_but_mistakes_is_reported_in_bounded_time_and_room() {
    let lines = |line: &str, count: usize| line.repeat(count);
    let unknown = (0..30_000).fold(String::new(), |text, n| text + &format!("  k{n}: 1\n"));
    let text = format!(
        "session:\n  slug: hostile\n{unknown}  ideas:\n{}  history:\n{}",
        lines("    - {score: 99}\n", 30_000),
        lines("    - {ems: 999, phase: sideways}\n", 30_000)
    );
    let (desk, place) = Desk::with("hostile", &text);
    let codes = desk.codes(&place);
    assert!((2000..=6000).contains(&codes.len()), "{}", codes.len());
    desk.run(|cx| bs::add_idea(cx, &place, "one more", None));
    assert_eq!(desk.session(&place).ideas.len(), 30_001);
}

#[test]
fn hostile_files_are_reported_in_bounded_time_and_left_as_they_are() {
    let deep = format!(
        "session:\n  a: {}{}\n",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    let nested: String = (0..10_000).fold(String::from("session:\n"), |text, n| {
        text + &" ".repeat(n + 1) + "a:\n"
    });
    let large = vec![b'#'; bs::MAX_BYTES + 1];
    let cases: [(&[u8], &str); 5] = [
        (deep.as_bytes(), "yaml_too_deep"),
        (nested.as_bytes(), "yaml_too_large"),
        (&large, "yaml_too_large"),
        (b"session:\n  slug: \"\xff\xfe\"\n", "yaml_not_utf8"),
        (b"\x00\x01\x02binary", "yaml_syntax"),
    ];
    for (bytes, code) in cases {
        let desk = Desk::new();
        let place = bs::place_of("hostile").unwrap();
        desk.disk.plant(&place.path, bytes);
        assert_eq!(desk.codes(&place), [code]);
        let error = desk
            .try_do(|cx| bs::add_idea(cx, &place, "x", None))
            .unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
        assert_eq!(desk.disk.read(&place.path).unwrap().unwrap().0, bytes);
        // Even such a file is archived and not overwritten.
        let started = desk.run(|cx| bs::start(cx, "hostile", &bs::Start::default()));
        assert_eq!(
            desk.disk
                .read(&started.archived.unwrap())
                .unwrap()
                .unwrap()
                .0,
            bytes
        );
    }
}
