//! The acceptance criteria of handovers, each under its own name: see the table in `formats/handover/FORMAT.md`.

#![expect(
    clippy::indexing_slicing,
    clippy::format_collect,
    reason = "a test says plainly what it expects"
)]
#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::cell::Cell;
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::{ReadDisk, RelPath, SimDisk};
use segno_store::StoreError;
use segno_store::formats::handover::buffer::{self, Knowledge, Origin, Tag};
use segno_store::formats::handover::decide::decide;
use segno_store::formats::handover::decision::{DecisionType, NewDecision};
use segno_store::formats::handover::document::{Handed, Mode};
use segno_store::formats::handover::draft::{After, DraftInput, draft};
use segno_store::formats::handover::flush::flush;
use segno_store::formats::handover::polish::{Answers, Note, Polished, polish};
use segno_store::formats::handover::resume::{Back, Trigger, resume};
use segno_store::formats::handover::role::Lead;
use segno_store::formats::handover::{current, log, render};
use segno_store::formats::{self, Context, Place, Plan, RecoverOptions, Root};
use segno_store::session::{Kind, Now, Problem, Status};
use segno_store::settings::Settings;
use segno_store::text::markdown::Doc;
use segno_store::workspace::{Workspace, Writer};

const DIR: &str = ".claude/sdd/handover";
const SESSION: &str = ".claude/sdd/handover/session.md";
const DECISIONS: &str = ".claude/sdd/handover/decisions.md";
const BUFFER: &str = ".claude/sdd/handover/buffer.md";
const SPECS: &str = ".claude/sdd/project/specs";

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

/// A workspace on a simulated disk.
struct World {
    disk: SimDisk,
    settings: Settings,
    seconds: Cell<i64>,
}

impl World {
    fn new() -> Self {
        Self {
            disk: SimDisk::new(),
            settings: Settings::default(),
            seconds: Cell::new(0),
        }
    }

    fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.disk.plant(&path(name), text.as_ref());
        self
    }

    fn now(&self) -> Now {
        let start: jiff::Timestamp = "2026-11-18T09:30:00Z".parse().unwrap();
        let at = start + jiff::SignedDuration::from_secs(self.seconds.get());
        Now::new(at, TimeZone::UTC)
    }

    fn write<T>(
        &self,
        plan: impl Fn(&Context<'_>, &Place) -> segno_store::Result<Plan<T>>,
    ) -> segno_store::Result<T> {
        self.seconds.set(self.seconds.get() + 1);
        let workspace = Workspace::new(&self.disk, self.settings.clone());
        let now = self.now();
        let writer = Writer {
            pid: 1,
            program: "test".to_owned(),
            since: now.utc_seconds(),
            patience: Duration::ZERO,
        };
        let place = current(&workspace.context(Root::Workspace, &now))?;
        let written = workspace.write(&place, &now, &writer, |cx| plan(cx, &place))?;
        Ok(written.outcome)
    }

    fn look<T>(&self, look: impl FnOnce(&Context<'_>) -> T) -> T {
        let workspace = Workspace::new(&self.disk, self.settings.clone());
        let now = self.now();
        look(&workspace.context(Root::Workspace, &now))
    }

    fn text(&self, name: &str) -> String {
        let (bytes, _) = self.disk.read(&path(name)).unwrap().expect(name);
        String::from_utf8(bytes).unwrap()
    }

    fn exists(&self, name: &str) -> bool {
        self.disk.stat(&path(name)).unwrap().is_some()
    }

    fn draft(&self, input: &DraftInput) -> segno_store::Result<()> {
        self.write(|cx, place| draft(cx, place, lead(), input))
            .map(drop)
    }

    fn polish(&self, answers: &Answers) -> segno_store::Result<Polished> {
        self.write(|cx, place| polish(cx, place, lead(), answers))
    }

    fn decide(&self, decision: &NewDecision) -> segno_store::Result<u64> {
        let recorded = self.write(|cx, place| decide(cx, place, lead(), decision))?;
        Ok(recorded.seqs[0])
    }

    fn learn(
        &self,
        tag: Tag,
        text: &str,
        category: Option<&str>,
    ) -> segno_store::Result<buffer::Learnt> {
        let origin = Origin {
            spec: "log".to_owned(),
            role: "Builder".to_owned(),
            task: Some("1.4".to_owned()),
            category: category.map(ToOwned::to_owned),
        };
        let piece = Knowledge::new(tag, text, &origin);
        self.write(|cx, place| buffer::learn(cx, place, lead(), std::slice::from_ref(&piece)))
    }

    fn resume(&self, trigger: Trigger) -> Back {
        self.write(|cx, place| resume(cx, place, lead(), trigger))
            .unwrap()
    }

    fn check(&self) -> Vec<Problem> {
        self.look(|cx| {
            let place = current(cx).unwrap();
            formats::of(Kind::Handover)
                .unwrap()
                .check(cx, &place)
                .unwrap()
        })
    }

    fn handed(&self) -> Handed {
        Handed::read(&Doc::parse(self.text(SESSION)))
    }
}

fn lead() -> Lead {
    Lead::claim("lead").unwrap()
}

fn after(after: After) -> DraftInput {
    DraftInput {
        after,
        next: None,
        done: Vec::new(),
        files: Vec::new(),
        goal: None,
        branch: None,
    }
}

fn choice(summary: &str) -> NewDecision {
    let text = || Some("because".to_owned());
    NewDecision {
        context: text(),
        decision: text(),
        reason: text(),
        impact: text(),
        source: text(),
        ..NewDecision::new(DecisionType::UserDecision, summary)
    }
}

fn answers(next: &str) -> Answers {
    Answers {
        accomplished: vec!["the log works".to_owned()],
        next: next.to_owned(),
        ..Answers::default()
    }
}

fn spec(phase: &str, wave: u64, dependencies: &str) -> String {
    format!("phase: {phase}\nroadmap:\n  wave: {wave}\n  dependencies: [{dependencies}]\n")
}

const HANDED: &str = "# Session Handover\n\
**Generated**: 2026-11-01\n\
**Branch**: main\n\
**Mode**: auto-draft\n\
\n\
## Direction\n\
### Immediate Next Action\n\
old action\n\
\n\
### Active Goals\n\
- [x] first\n  - nested\n\
\n\
### Key Decisions\n\
**Continuing from previous sessions:**\n\
1. plain files (ref D2)\n\
\n\
**Added this session:**\n\
2. no daemon\n\
\n\
**Obsoleted decisions (D1):**\n\
- ~~a database~~\n\
\n\
### Warnings\n\
- beware of NFS  \n\
\n\
## Session Context\n\
### Tone and Nuance\n\
calm,\tprecise\n\
\n\
### Steering Exceptions\n\
なし\n\
\n\
## My own section\n\
free text, *kept*\n\
\n\
## Accomplished\n\
- earlier work\n\
\n\
### Modified Files\n\
- `a.rs`, `b.rs`\n";

// Spec 1: session auto-draft.

#[test]
fn spec_1_1_a_draft_follows_every_command() {
    for command in After::ALL {
        let world = World::new();
        world.draft(&after(command)).unwrap();
        let text = world.text(SESSION);
        let said = if command == After::Stop {
            "Pipeline stopped"
        } else {
            command.name()
        };
        assert!(text.contains(said), "{text}");
        assert_eq!(world.handed().mode, Mode::AutoDraft);
    }
}

#[test]
fn spec_1_2_decisions_warnings_tone_and_exceptions_are_carried_forward_byte_for_byte() {
    let world = World::new().with(SESSION, HANDED);
    let mut input = after(After::Impl);
    input.next = Some("new action".to_owned());
    input.done = vec!["built the log".to_owned()];
    input.files = vec!["a.rs".to_owned(), "src/log.rs".to_owned()];
    input.branch = Some("main".to_owned());
    world.draft(&input).unwrap();
    let expected = HANDED
        .replace("2026-11-01", "2026-11-18")
        .replace("old action", "new action")
        .replace("- earlier work\n", "- earlier work\n- built the log\n")
        .replace("- `a.rs`, `b.rs`\n", "- `a.rs`, `b.rs`\n- `src/log.rs`\n");
    assert_eq!(world.text(SESSION), expected);
}

#[test]
fn spec_1_3_the_next_action_comes_from_the_pipeline() {
    let world = World::new()
        .with(SESSION, HANDED)
        .with(&format!("{SPECS}/roadmap.md"), "# Roadmap\n")
        .with(
            &format!("{SPECS}/disk/spec.yaml"),
            spec("implementation-complete", 1, ""),
        )
        .with(
            &format!("{SPECS}/log/spec.yaml"),
            spec("design-generated", 2, "disk"),
        )
        .with(
            &format!("{SPECS}/index/spec.yaml"),
            spec("initialized", 2, "log"),
        );
    world.draft(&after(After::Design)).unwrap();
    assert_eq!(
        world.handed().next.unwrap(),
        "Implement log: `/sdd-impl log`"
    );
    let mut told = after(After::Design);
    told.next = Some("ask the user".to_owned());
    world.draft(&told).unwrap();
    assert_eq!(world.handed().next.unwrap(), "ask the user");
}

#[test]
fn spec_1_4_work_is_appended_to_accomplished_and_not_twice() {
    let world = World::new();
    let mut input = after(After::Impl);
    for done in ["one", "two", "one"] {
        input.done = vec![done.to_owned()];
        world.draft(&input).unwrap();
    }
    assert_eq!(world.handed().accomplished.unwrap(), "- one\n- two");
}

#[test]
fn spec_1_5_a_draft_is_marked_as_one() {
    let polished = HANDED.replace("**Mode**: auto-draft\n", "");
    for text in [HANDED, &polished, "## Only a section\n", ""] {
        let world = World::new().with(SESSION, text);
        world.draft(&after(After::Roadmap)).unwrap();
        let text = world.text(SESSION);
        assert_eq!(text.matches("**Mode**: auto-draft").count(), 1, "{text}");
        assert_eq!(world.handed().mode, Mode::AutoDraft);
    }
}

#[test]
fn spec_1_6_stopping_the_pipeline_writes_a_draft() {
    let world = World::new().with(SESSION, HANDED);
    world
        .write(|cx, place| {
            formats::of(Kind::Handover)
                .unwrap()
                .stop(cx, place, Some("enough for today"))
        })
        .unwrap();
    let handed = world.handed();
    assert_eq!(handed.mode, Mode::AutoDraft);
    assert!(handed.accomplished.unwrap().contains("enough for today"));
    assert_eq!(handed.next.unwrap(), "old action");
}

// Spec 2: manual polish.

#[test]
fn spec_2_1_the_old_document_is_archived_under_the_day_of_archiving() {
    let world = World::new().with(SESSION, HANDED);
    let polished = world.polish(&answers("next")).unwrap();
    assert_eq!(
        polished.archive.unwrap().as_str(),
        format!("{DIR}/sessions/2026-11-18.md")
    );
    assert_eq!(world.text(&format!("{DIR}/sessions/2026-11-18.md")), HANDED);
}

#[test]
fn spec_2_2_archives_of_one_day_are_numbered() {
    let world = World::new().with(SESSION, HANDED);
    for _ in 0..3 {
        world.polish(&answers("next")).unwrap();
    }
    for name in ["2026-11-18", "2026-11-18-2", "2026-11-18-3"] {
        assert!(world.exists(&format!("{DIR}/sessions/{name}.md")), "{name}");
    }
    let world = World::new()
        .with(SESSION, HANDED)
        .with(&format!("{DIR}/sessions/2026-11-18-11.md"), "x")
        .with(&format!("{DIR}/sessions/2026-11-18-notes.md"), "x");
    let archive = world.polish(&answers("next")).unwrap().archive.unwrap();
    assert_eq!(archive.name(), "2026-11-18-12.md");
}

#[test]
fn spec_2_3_what_the_user_answered_is_in_the_document() {
    let world = World::new().with(SESSION, HANDED);
    let given = Answers {
        accomplished: vec!["the codec".to_owned(), "its tests".to_owned()],
        next: "`/sdd-impl index`".to_owned(),
        decisions: vec!["keep the text log".into(), "as in D2".into()],
        warnings: vec!["the index is slow".to_owned()],
        tone: Some("in a hurry".to_owned()),
        exceptions: Some(vec!["no unit test for the CLI".into()]),
        goal: Some("Ship the log".to_owned()),
        branch: Some("feature/log".to_owned()),
        files: vec!["src/log.rs".to_owned()],
        tests: Some("`cargo test` passed".to_owned()),
    };
    let polished = world.polish(&given).unwrap();
    assert_eq!(polished.seqs, [1, 2, 3]);
    let expected = "# Session Handover\n\
        **Generated**: 2026-11-18\n\
        **Branch**: feature/log\n\
        **Session Goal**: Ship the log\n\
        \n\
        ## Direction\n\
        ### Immediate Next Action\n\
        `/sdd-impl index`\n\
        \n\
        ### Active Goals\n\
        - [x] first\n  - nested\n\
        \n\
        ### Key Decisions\n\
        **Continuing from previous sessions:**\n\
        1. plain files (ref D2)\n\
        2. no daemon\n\
        \n\
        **Added this session:**\n\
        3. keep the text log (ref D1)\n\
        4. as in D2\n\
        \n\
        **Obsoleted decisions (D1):**\n\
        - ~~a database~~\n\
        \n\
        ### Warnings\n\
        - beware of NFS  \n\
        - the index is slow\n\
        \n\
        ## Session Context\n\
        ### Tone and Nuance\n\
        in a hurry\n\
        \n\
        ### Steering Exceptions\n\
        - no unit test for the CLI (ref D2)\n\
        \n\
        ## My own section\n\
        free text, *kept*\n\
        \n\
        ## Accomplished\n\
        - the codec\n\
        - its tests\n\
        - Tests: `cargo test` passed\n\
        \n\
        ### Modified Files\n\
        - `src/log.rs`\n";
    assert_eq!(world.text(SESSION), expected);
    let log = world.text(DECISIONS);
    assert!(
        log.contains("D1: USER_DECISION | keep the text log\n"),
        "{log}"
    );
    assert!(
        log.contains("D2: STEERING_EXCEPTION | no unit test for the CLI\n"),
        "{log}"
    );
    assert!(log.contains("- Steering-ref: not given\n"), "{log}");
}

#[test]
fn spec_2_5_a_polished_document_has_no_mode_marker() {
    let marked_twice = HANDED.replace("**Branch**", "**Mode**: auto-draft\n**Branch**");
    for text in [HANDED, &marked_twice, "", "no title at all\n"] {
        let world = World::new().with(SESSION, text);
        world.polish(&answers("next")).unwrap();
        assert!(!world.text(SESSION).contains("**Mode**"), "{text}");
        assert_eq!(world.handed().mode, Mode::Polished);
    }
}

#[test]
fn spec_2_6_a_polish_records_the_end_of_the_session() {
    let world = World::new().with(SESSION, HANDED);
    world.decide(&choice("first")).unwrap();
    let polished = world.polish(&answers("next")).unwrap();
    assert_eq!(polished.seqs, [2]);
    assert!(world.text(DECISIONS).ends_with(
        "\n\n[2026-11-18T09:30:02Z] D2: SESSION_END | the log works\n\
         - Context: Handover polished with the user\n- Decision: Session ended, handover archived\n"
    ));
}

#[test]
fn a_polish_without_a_next_action_is_refused_and_writes_nothing() {
    let world = World::new().with(SESSION, HANDED);
    assert!(matches!(
        world.polish(&answers("  ")),
        Err(StoreError::Invalid { .. })
    ));
    assert_eq!(world.text(SESSION), HANDED);
    assert!(!world.exists(DECISIONS));
}

// Spec 3: the format of session.md.

#[test]
fn spec_3_1_to_3_5_a_new_document_has_every_part_of_the_format_in_order() {
    let world = World::new();
    let mut input = after(After::Design);
    input.branch = Some("main".to_owned());
    input.goal = Some("Build the log".to_owned());
    input.next = Some("`/sdd-impl log`".to_owned());
    input.done = vec!["designed it".to_owned()];
    input.files = vec!["design.md".to_owned()];
    world.draft(&input).unwrap();
    assert_eq!(
        world.text(SESSION),
        "# Session Handover\n**Generated**: 2026-11-18\n**Branch**: main\n**Session Goal**: Build the log\n**Mode**: auto-draft\n\n\
         ## Direction\n### Immediate Next Action\n`/sdd-impl log`\n\n### Active Goals\nNone\n\n### Key Decisions\nNone\n\n### Warnings\nNone\n\n\
         ## Session Context\n### Tone and Nuance\nNone\n\n### Steering Exceptions\nNone\n\n\
         ## Accomplished\n- designed it\n\n### Modified Files\n- `design.md`\n\n\
         ## Resume Instructions\n1. Run `segno handover resume` and read the warnings\n2. Go on with the immediate next action\n"
    );
}

#[test]
fn spec_3_6_decisions_of_a_polish_refer_to_the_log() {
    let world = World::new();
    let mut given = answers("next");
    given.decisions = vec!["one".into(), "two, see D1".into(), Note::from("three")];
    world.polish(&given).unwrap();
    let items = world.handed().decision_items();
    assert_eq!(items, ["one (ref D1)", "two, see D1", "three (ref D2)"]);
}

#[test]
fn missing_sections_are_added_where_the_format_has_them() {
    let world = World::new().with(
        SESSION,
        "# Ours\n\nhello\n\n## Session Context\nfree\n\n## Last\nend",
    );
    let mut input = after(After::Impl);
    input.next = Some("go".to_owned());
    input.files = vec!["x".to_owned()];
    world.draft(&input).unwrap();
    let text = world.text(SESSION);
    let order: Vec<Option<usize>> = [
        "# Ours",
        "**Mode**: auto-draft",
        "hello",
        "## Direction",
        "### Immediate Next Action",
        "## Session Context",
        "free",
        "## Accomplished",
        "### Modified Files",
        "## Last",
        "end",
    ]
    .iter()
    .map(|part| text.find(part))
    .collect();
    assert!(
        order.iter().all(Option::is_some) && order.is_sorted(),
        "{text}"
    );
}

#[test]
fn documents_in_japanese_and_without_headers_are_understood() {
    let world = World::new().with(
        SESSION,
        "## 方向性\n### 次のアクション\n設計\n### 注意事項\n特になし\n## セッションコンテキスト\n### トーンとニュアンス\n静か\n",
    );
    let handed = world.handed();
    assert_eq!(handed.next.as_deref(), Some("設計"));
    assert_eq!(
        (handed.warnings, handed.tone.as_deref()),
        (None, Some("静か"))
    );
    let mut input = after(After::Impl);
    input.next = Some("実装".to_owned());
    world.draft(&input).unwrap();
    assert_eq!(world.handed().next.as_deref(), Some("実装"));
    assert!(!world.text(SESSION).contains("## Direction"));
}

// Spec 4: the decisions log.

#[test]
fn spec_4_7_entries_are_added_and_nothing_is_written_again() {
    let old = "[2026-02-20T12:30:00Z] D2: X_TYPE | ours\r\n- Context: c\r\n\r\n[2026-02-20T12:00:00Z] D1: SESSION_START | s\r\n- Context: c";
    let world = World::new().with(DECISIONS, old);
    assert_eq!(world.decide(&choice("next")).unwrap(), 3);
    let text = world.text(DECISIONS);
    assert!(
        text.starts_with(&format!(
            "{old}\r\n\r\n[2026-11-18T09:30:01Z] D3: USER_DECISION | next\r\n- Context: because\r\n"
        )),
        "{text}"
    );
}

#[test]
fn a_number_used_twice_is_a_problem_and_the_next_is_still_unique() {
    let world = World::new().with(
        DECISIONS,
        "[t] D1: SESSION_START | a\n- Context: x\n\n[t] D7: SESSION_START | b\n- Context: x\n\n[t] D7: SESSION_END | c\n- Context: x\n\n[t] D3: SESSION_START | d\n- Context: x\n",
    );
    let problems = world.check();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(
        (problems[0].code, problems[0].line),
        ("duplicate_number", Some(7))
    );
    assert_eq!(world.decide(&choice("next")).unwrap(), 8);
    assert_eq!(world.decide(&choice("next")).unwrap(), 9);
}

fn long_log(entries: u64, number: impl Fn(u64) -> u64) -> String {
    (1..=entries)
        .map(|n| format!("[2026-01-01T00:00:00Z] D{}: USER_DECISION | choice {n}\n- Context: c\n- Decision: some words about it\n- Reason: r\n- Impact: i\n- Source: s\n\n", number(n)))
        .collect()
}

#[test]
fn the_next_number_of_a_long_log_comes_from_its_end() {
    let world = World::new().with(DECISIONS, long_log(20_000, |n| n));
    assert_eq!(world.decide(&choice("next")).unwrap(), 20_001);
    // The numbering began anew at D1 half way.
    let world = World::new().with(
        DECISIONS,
        long_log(20_000, |n| if n > 12_000 { n - 12_000 } else { n }),
    );
    assert_eq!(world.decide(&choice("next")).unwrap(), 12_001);
    // Something near the end is out of order.
    let world = World::new().with(
        DECISIONS,
        long_log(20_000, |n| if n == 19_990 { 70_000 } else { n }),
    );
    assert_eq!(world.decide(&choice("next")).unwrap(), 70_001);
}

#[test]
fn the_highest_number_at_the_start_of_a_long_unordered_log_is_never_used_again() {
    let text = long_log(24_000, |n| match n {
        3 => 900_000,
        n if n % 7 == 0 => n + 3,
        n => n,
    });
    assert!(text.len() > 3 * 1024 * 1024, "{}", text.len());
    let world = World::new().with(DECISIONS, text.as_str());
    assert_eq!(world.decide(&choice("next")).unwrap(), 900_001);
    assert_eq!(world.decide(&choice("next")).unwrap(), 900_002);
    assert!(
        world.text(DECISIONS).starts_with(&text),
        "nothing of it was written again"
    );
    // Numbers used twice are problems all the same.
    let codes: Vec<&str> = world.check().iter().map(|problem| problem.code).collect();
    assert!(codes.contains(&"duplicate_number"), "{codes:?}");

    // The same edit after something was remembered of the log: put in by hand, far from the end.
    let text = long_log(20_000, |n| n);
    let world = World::new().with(DECISIONS, text.as_str());
    assert_eq!(world.decide(&choice("next")).unwrap(), 20_001);
    let grown = world.text(DECISIONS);
    let (before, behind) = grown.split_at(grown.find("[2026").unwrap());
    let edited = format!(
        "{before}[2026-01-01T00:00:00Z] D800000: SESSION_START | merged\n- Context: c\n\n{behind}"
    );
    let world = world.with(DECISIONS, edited);
    assert_eq!(world.decide(&choice("next")).unwrap(), 800_001);

    // What another program adds behind what is remembered counts as well, the very first line included.
    let more = "[2026-01-01T00:00:00Z] D850000: SESSION_START | theirs\n- Context: c\n";
    let text = format!("{}{more}", world.text(DECISIONS));
    let world = world.with(DECISIONS, text);
    assert_eq!(world.decide(&choice("next")).unwrap(), 850_001);
    let text = world.text(DECISIONS);
    let world = world.with(
        DECISIONS,
        format!("{text}{}", more.replace("850000", "860000")),
    );
    assert_eq!(world.decide(&choice("next")).unwrap(), 860_001);
}

#[test]
fn what_is_remembered_of_a_long_log_may_be_deleted_at_any_time() {
    let world = World::new().with(DECISIONS, long_log(20_000, |n| n));
    assert_eq!(world.decide(&choice("next")).unwrap(), 20_001);
    let mark = ".segno/handover/.claude_sdd_handover_decisions.md.mark";
    assert!(world.text(mark).contains("highest: 20000\n"));
    let world = world.with(mark, "nonsense");
    assert_eq!(world.decide(&choice("next")).unwrap(), 20_002);
    assert!(world.text(mark).contains("highest: 20001\n"));
    // One that is far behind is made anew; in between none is written.
    let before = world.text(mark);
    assert_eq!(world.decide(&choice("next")).unwrap(), 20_003);
    assert_eq!(world.text(mark), before);
    let text = world.text(DECISIONS);
    let more = long_log(5_000, |n| n + 30_000);
    let world = world.with(DECISIONS, format!("{text}{more}"));
    assert_eq!(world.decide(&choice("next")).unwrap(), 35_001);
    assert!(world.text(mark).contains("highest: 35000\n"));
}

#[test]
fn half_an_entry_at_the_end_is_set_aside_and_its_number_is_free_again() {
    let whole = "[2026-02-20T12:00:00Z] D1: SESSION_START | s\n- Context: c\n";
    for (torn, kept) in [
        ("\n[2026-02-20T12:0", true),
        ("\n[2026-02-20T12:00:00Z] D2: USER_DEC", true),
        (
            "\n[2026-02-20T12:00:00Z] D2: USER_DECISION | x\n- Context: c\n- Deci",
            true,
        ),
        (
            "\n[2026-02-20T12:00:00Z] D2: USER_DECISION | x\n- Context: c\n\0\0\0\0",
            true,
        ),
        (
            "\n[2026-02-20T12:00:00Z] D2: SESSION_START | x\n- Context: no newline",
            false,
        ),
    ] {
        let world = World::new().with(DECISIONS, format!("{whole}{torn}"));
        let codes: Vec<&str> = world.check().iter().map(|problem| problem.code).collect();
        assert_eq!(
            codes,
            if kept { vec!["torn_tail"] } else { vec![] },
            "{torn:?}"
        );
        let seq = world.decide(&choice("next")).unwrap();
        assert_eq!(seq, if kept { 2 } else { 3 }, "{torn:?}");
        let text = world.text(DECISIONS);
        assert!(text.starts_with(whole) && !text.contains('\0'), "{text}");
        let aside = world.disk.files().iter().any(|(file, bytes)| {
            file.as_str().contains("quarantine") && torn.ends_with(&*String::from_utf8_lossy(bytes))
        });
        assert_eq!(aside, kept, "{torn:?}");
        assert_eq!(world.check(), []);
    }
}

#[test]
fn recover_sets_half_an_entry_aside() {
    let whole = "[2026-02-20T12:00:00Z] D1: SESSION_START | s\n- Context: c\n";
    let world = World::new().with(
        DECISIONS,
        format!("{whole}\n[2026-02-20T12:00:00Z] D2: USER"),
    );
    let recovery = world
        .write(|cx, place| {
            formats::of(Kind::Handover)
                .unwrap()
                .recover(cx, place, &RecoverOptions::default())
        })
        .unwrap();
    assert_eq!((recovery.done.len(), recovery.left.len()), (1, 0));
    assert_eq!(world.text(DECISIONS), format!("{whole}\n"));
    assert_eq!(world.check(), []);
}

// Spec 5: the buffer.

#[test]
fn spec_5_1_to_5_3_and_5_5_knowledge_is_added_with_its_source_and_the_time() {
    let world = World::new();
    world
        .learn(Tag::Pattern, "write, then rename", Some("data"))
        .unwrap();
    world.learn(Tag::Incident, "a lost lock", None).unwrap();
    let again = world.learn(Tag::Incident, "a lost lock", None).unwrap();
    assert_eq!((again.added, again.known, again.pending), (0, 1, 2));
    assert_eq!(
        world.text(BUFFER),
        "# Handover Buffer\n**Updated**: 2026-11-18T09:30:02Z\n\n## Knowledge Buffer\n\
         - [PATTERN] write, then rename (source: log Builder, task 1.4; category: data)\n\
         - [INCIDENT] a lost lock (source: log Builder, task 1.4)\n\n## Skill Candidates\n"
    );
}

#[test]
fn spec_5_4_the_second_pattern_of_a_category_makes_a_skill_candidate() {
    let world = World::new().with(
        BUFFER,
        "# Handover Buffer\n**Updated**: 2026-02-20\n\nmy note\n\n## Knowledge Buffer\n- [PATTERN] old one (source: disk Builder, task 2; category: api)\n\n## Skill Candidates\n- **mine**: by hand\n\n## Own\nkept\n",
    );
    assert_eq!(
        world
            .learn(Tag::Incident, "x", Some("api"))
            .unwrap()
            .candidates
            .len(),
        0
    );
    assert_eq!(
        world
            .learn(Tag::Pattern, "y", Some("state"))
            .unwrap()
            .candidates
            .len(),
        0
    );
    let second = world.learn(Tag::Pattern, "z", Some("api")).unwrap();
    assert_eq!(
        second.candidates,
        ["**api-patterns**: Detected in disk, log (2 occurrences)"]
    );
    world.learn(Tag::Pattern, "third", Some("api")).unwrap();
    let text = world.text(BUFFER);
    assert!(
        text.contains(
            "- **mine**: by hand\n- **api-patterns**: Detected in disk, log (3 occurrences)\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("my note") && text.ends_with("## Own\nkept\n"),
        "{text}"
    );
}

#[test]
fn spec_5_6_a_flush_keeps_the_knowledge_and_then_clears_the_buffer() {
    let world = World::new().with(
        BUFFER,
        "# Handover Buffer\n**Updated**: 2026-02-20\n\n## Knowledge Buffer\nread me first\n- [PATTERN] Retry with back-off (source: a Builder, task 1; category: api)\n- [pattern] retry with back-off (source: b Builder, task 2; category: api)\n- [INCIDENT] lost\n  on two lines (source: a Lead, session 1)\n- not tagged\n\n## Skill Candidates\n- **api-patterns**: Detected in a, b (2 occurrences)\n",
    );
    let flushed = world
        .write(|cx, place| flush(cx, place, lead(), Some(3)))
        .unwrap();
    let names: Vec<&str> = flushed.written.iter().map(RelPath::name).collect();
    assert_eq!(
        names,
        [
            "pattern-api-retry-with-back-off.md",
            "incident-general-lost-on-two-lines.md"
        ]
    );
    assert_eq!((flushed.cleared, flushed.duplicates), (3, 1));
    let knowledge = ".claude/sdd/project/knowledge";
    let page = world.text(&format!("{knowledge}/pattern-api-retry-with-back-off.md"));
    assert!(
        page.contains("## Pattern Summary\nRetry with back-off\n")
            && page.contains("- b Builder, task 2 (wave 3), 2026-11-18"),
        "{page}"
    );
    let index = world.text(&format!("{knowledge}/index.md"));
    assert!(
        index.contains(
            "- [Retry with back-off](pattern-api-retry-with-back-off.md): pattern, api\n"
        ),
        "{index}"
    );
    assert!(
        index.contains("- **api-patterns**: Detected in a, b (2 occurrences)"),
        "{index}"
    );
    assert_eq!(
        world.text(BUFFER),
        "# Handover Buffer\n**Updated**: 2026-11-18T09:30:01Z\n\n## Knowledge Buffer\nread me first\n- not tagged\n\n## Skill Candidates\n"
    );
    let again = world
        .write(|cx, place| flush(cx, place, lead(), None))
        .unwrap();
    assert_eq!((again.written.len(), again.cleared), (0, 0));
}

#[test]
fn knowledge_that_is_there_already_is_not_written_twice_and_names_do_not_clash() {
    let world = World::new().with(
        ".claude/sdd/project/knowledge/pattern-api-a-b.md",
        "# other\n",
    );
    world.learn(Tag::Pattern, "a b", Some("api")).unwrap();
    let first = world
        .write(|cx, place| flush(cx, place, lead(), None))
        .unwrap();
    assert_eq!(first.written[0].name(), "pattern-api-a-b-2.md");
    world.learn(Tag::Pattern, "a b", Some("api")).unwrap();
    let second = world
        .write(|cx, place| flush(cx, place, lead(), None))
        .unwrap();
    assert_eq!(
        (second.written.len(), second.duplicates, second.cleared),
        (0, 1, 1)
    );
}

// Spec 6: resume.

fn project() -> World {
    World::new()
        .with(SESSION, HANDED)
        .with(DECISIONS, long_log(30, |n| n))
        .with(BUFFER, "# Handover Buffer\n\n## Knowledge Buffer\n- [REFERENCE] the manual (source: a Lead)\n\n## Skill Candidates\n- **s**: x\n")
        .with(&format!("{SPECS}/roadmap.md"), "# Roadmap\n")
        .with(&format!("{SPECS}/log/spec.yaml"), spec("implementation-complete", 1, ""))
        .with(&format!("{SPECS}/index/spec.yaml"), spec("design-generated", 2, "log"))
        .with(&format!("{SPECS}/view/spec.yaml"), "phase: blocked\nblocked_info: {blocked_by: index, reason: upstream_failure}\nroadmap: {wave: 2, dependencies: [index]}\n")
        .with(&format!("{SPECS}/log/verdicts.md"), "## [B1] design\n### Tracked\nM|a|b|from the first layout\n")
        .with(&format!("{SPECS}/index/reviews/verdicts.md"), "## [B1] design\n### Tracked\nM|a|b|from the second layout\n")
        .with(&format!("{SPECS}/verdicts-wave.md"), "## [W1-B1] design\n### Tracked\nL|a|b|of a wave\n")
        .with(&format!("{SPECS}/verdicts-cross-check.md"), "## [B1] design\n### Tracked\nH|a|b|of a cross-check\n")
        .with(".claude/sdd/project/reviews/cross-check/verdicts.md", "## [B2] design\n### Tracked\nH|a|b|of a later cross-check\n")
}

#[test]
fn spec_6_1_and_error_row_1_a_first_session_says_so_and_waits() {
    let world = World::new();
    let back = world.resume(Trigger::Startup);
    assert!(back.state.first && back.wait);
    assert_eq!(back.started, Some(1));
    let (text, _) = render::text(&back, None);
    assert!(
        text.contains("first session") && text.contains("Wait for the user"),
        "{text}"
    );
    assert!(
        world
            .text(DECISIONS)
            .starts_with("[2026-11-18T09:30:01Z] D1: SESSION_START | First session\n")
    );
    assert!(!world.exists(SESSION));
}

#[test]
fn spec_6_2_direction_context_warnings_and_exceptions_are_read() {
    let back = project().resume(Trigger::Startup);
    let handed = back.state.handed.unwrap();
    assert_eq!(handed.next.as_deref(), Some("old action"));
    assert_eq!(handed.warnings.as_deref(), Some("- beware of NFS"));
    assert_eq!(handed.tone.as_deref(), Some("calm,\tprecise"));
    assert_eq!(handed.exceptions, None);
    assert_eq!(
        handed.others,
        [("My own section".to_owned(), "free text, *kept*".to_owned())]
    );
}

#[test]
fn spec_6_3_active_reviews_are_found_in_every_layout() {
    let back = project().resume(Trigger::Startup);
    let found: Vec<(String, String)> = back
        .state
        .reviews
        .iter()
        .map(|review| {
            (
                review.subject.clone(),
                review.tracked[0].description.clone(),
            )
        })
        .collect();
    let expected = [
        ("index", "from the second layout"),
        ("log", "from the first layout"),
        ("cross-check", "of a cross-check"),
        ("wave", "of a wave"),
        ("cross-check", "of a later cross-check"),
    ];
    assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn spec_6_4_the_last_n_decisions_are_read() {
    let mut world = project();
    let seqs = |back: &Back| {
        back.state
            .decisions
            .iter()
            .map(|entry| entry.seq)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        seqs(&world.resume(Trigger::Startup)),
        (11..=30).collect::<Vec<_>>()
    );
    world.settings.handover.recent_decisions = 3;
    assert_eq!(seqs(&world.resume(Trigger::Startup)), [29, 30, 31]);
    // By number, never by time or place.
    let world = World::new()
        .with(SESSION, HANDED)
        .with(DECISIONS, long_log(100, |n| 101 - n));
    assert_eq!(
        seqs(&world.resume(Trigger::Startup)),
        (81..=100).collect::<Vec<_>>()
    );
}

#[test]
fn spec_6_5_pending_knowledge_and_skills_are_read() {
    let back = project().resume(Trigger::Startup);
    assert_eq!(back.state.knowledge[0].text, "the manual");
    assert_eq!(back.state.skills, ["**s**: x"]);
}

#[test]
fn spec_6_6_the_pipeline_is_rebuilt_when_a_roadmap_is_active() {
    let back = project().resume(Trigger::Startup);
    let (text, _) = render::text(&back, None);
    assert!(
        text.contains("- Wave 1: 1/1 implemented (100 %), complete\n"),
        "{text}"
    );
    assert!(
        text.contains("  - view: blocked (blocked by index (upstream_failure))"),
        "{text}"
    );
    let without = World::new().with(SESSION, HANDED).with(
        &format!("{SPECS}/log/spec.yaml"),
        spec("initialized", 1, ""),
    );
    assert_eq!(without.resume(Trigger::Startup).state.pipeline, None);
}

#[test]
fn spec_6_7_the_beginning_of_the_session_is_recorded() {
    let world = project();
    assert_eq!(world.resume(Trigger::Compact).started, Some(31));
    assert!(world.text(DECISIONS).ends_with(
        "[2026-11-18T09:30:01Z] D31: SESSION_START | Resume session\n- Context: Trigger: compact\n"
    ));
}

#[test]
fn spec_6_8_and_6_9_every_trigger_leads_to_the_next_action_and_a_compaction_waits() {
    for trigger in Trigger::ALL {
        let back = project().resume(trigger);
        assert_eq!(back.state.next(), Some("old action"));
        assert_eq!(back.wait, trigger == Trigger::Compact);
        let (text, _) = render::text(&back, None);
        assert!(text.ends_with("old action\n"), "{text}");
    }
}

#[test]
fn the_text_tells_the_points_in_their_order_and_keeps_within_a_budget() {
    let back = project().resume(Trigger::Startup);
    let (text, _) = render::text(&back, None);
    let order: Vec<Option<usize>> = [
        "## Immediate Next Action",
        "## Warnings",
        "## Tone and Nuance",
        "## Active reviews",
        "## Recent decisions",
        "## Knowledge buffer",
        "## Pipeline",
        "## Session",
        "## Now",
    ]
    .iter()
    .map(|part| text.find(part))
    .collect();
    assert!(
        order.iter().all(Option::is_some) && order.is_sorted(),
        "{text}"
    );
    let (short, left_out) = render::text(&back, Some(600));
    assert!(
        left_out > 0 && segno_store::session::estimate_tokens(&short) <= 600,
        "{left_out}"
    );
    assert!(short.contains("D30 USER_DECISION"), "the newest stay");
}

// Spec 7: the write triggers, each target and no other.

fn changed(world: &World, before: &[(RelPath, Vec<u8>)]) -> Vec<String> {
    let files = world.disk.files();
    let ours = files
        .iter()
        .filter(|(file, _)| !file.as_str().starts_with(".segno"));
    ours.filter(|file| !before.contains(file))
        .map(|(file, _)| file.as_str().trim_start_matches(".claude/sdd/").to_owned())
        .collect()
}

#[test]
fn spec_7_each_trigger_writes_its_files_and_no_other() {
    let check = |act: &dyn Fn(&World), expected: &[&str]| {
        let world = project();
        let before = world.disk.files();
        act(&world);
        assert_eq!(changed(&world, &before), expected);
    };
    check(
        &|world| world.draft(&after(After::Impl)).unwrap(),
        &["handover/session.md"],
    );
    check(
        &|world| drop(world.polish(&answers("n")).unwrap()),
        &[
            "handover/decisions.md",
            "handover/session.md",
            "handover/sessions/2026-11-18.md",
        ],
    );
    for kind in [
        DecisionType::UserDecision,
        DecisionType::SteeringUpdate,
        DecisionType::DirectionChange,
    ] {
        let decision = NewDecision {
            kind,
            ..choice("c")
        };
        check(
            &|world| assert_eq!(world.decide(&decision).unwrap(), 31),
            &["handover/decisions.md"],
        );
    }
    check(
        &|world| drop(world.learn(Tag::Pattern, "p", None).unwrap()),
        &["handover/buffer.md"],
    );
    check(
        &|world| {
            drop(
                world
                    .write(|cx, place| flush(cx, place, lead(), Some(1)))
                    .unwrap(),
            );
        },
        &[
            "handover/buffer.md",
            "project/knowledge/index.md",
            "project/knowledge/reference-general-the-manual.md",
        ],
    );
    check(
        &|world| drop(world.resume(Trigger::Startup)),
        &["handover/decisions.md"],
    );
}

// The error table.

#[test]
fn error_row_2_a_missing_log_begins_with_the_first_entry() {
    let world = World::new().with(SESSION, HANDED);
    assert_eq!(world.polish(&answers("n")).unwrap().seqs, [1]);
    assert!(
        world
            .text(DECISIONS)
            .starts_with("[2026-11-18T09:30:01Z] D1: SESSION_END | ")
    );
}

#[test]
fn error_row_3_a_missing_buffer_is_passed_over_and_made_when_needed() {
    let world = World::new().with(SESSION, HANDED);
    let back = world.resume(Trigger::Startup);
    assert_eq!(
        (back.state.knowledge.len(), back.state.problems.len()),
        (0, 0)
    );
    assert!(!world.exists(BUFFER));
    world.learn(Tag::Pattern, "p", None).unwrap();
    assert!(world.exists(BUFFER));
}

#[test]
fn error_row_4_without_git_the_handover_is_made_of_the_rest() {
    let world = World::new();
    world.polish(&answers("n")).unwrap();
    let handed = world.handed();
    assert_eq!((handed.branch, handed.files), (None, None));
    assert_eq!(handed.next.as_deref(), Some("n"));
}

#[test]
fn error_row_5_without_an_active_spec_the_handover_is_made_of_the_rest() {
    let world = World::new().with(&format!("{SPECS}/roadmap.md"), "# Roadmap\n");
    world.draft(&after(After::Roadmap)).unwrap();
    assert_eq!(
        world.handed().next.as_deref(),
        Some("Wait for the user's instruction")
    );
}

#[test]
fn error_row_6_an_archive_of_the_same_day_gets_a_suffix() {
    let world = World::new()
        .with(SESSION, HANDED)
        .with(&format!("{DIR}/sessions/2026-11-18.md"), "kept");
    let archive = world.polish(&answers("n")).unwrap().archive.unwrap();
    assert_eq!(archive.name(), "2026-11-18-2.md");
    assert_eq!(world.text(&format!("{DIR}/sessions/2026-11-18.md")), "kept");
}

// Bad input.

const CONFLICT: &str = "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n";

#[test]
fn marks_of_a_merge_are_named_with_their_lines_and_never_repaired() {
    let files = [
        SESSION,
        DECISIONS,
        BUFFER,
        ".claude/sdd/project/specs/log/verdicts.md",
        ".claude/sdd/project/specs/log/spec.yaml",
    ];
    for file in files {
        let broken = format!("{}\n{CONFLICT}", if file == SESSION { HANDED } else { "" });
        let world = project().with(file, &broken);
        let problems = world.check();
        let found = problems
            .iter()
            .find(|problem| problem.file.as_str() == file)
            .expect(file);
        assert_eq!(found.code, "merge_conflict");
        assert_eq!(
            found.line,
            Some(
                broken
                    .lines()
                    .position(|line| line.starts_with("<<<"))
                    .unwrap() as u64
                    + 1
            )
        );
        let back = world.resume(Trigger::Startup);
        assert!(
            back.state
                .problems
                .iter()
                .any(|problem| problem.code == "merge_conflict"),
            "{file}"
        );
        let draft = world.draft(&after(After::Impl));
        let learn = world.learn(Tag::Pattern, "p", None);
        assert_eq!(draft.is_err(), file == SESSION, "{file}");
        assert_eq!(learn.is_err(), file == BUFFER, "{file}");
        assert!(world.text(file).contains(CONFLICT), "{file}");
    }
}

#[test]
fn a_log_with_both_sides_of_a_merge_gets_a_number_above_both() {
    let log = "[t] D1: SESSION_START | a\n- Context: x\n\n<<<<<<< ours\n[t] D2: SESSION_END | b\n- Context: x\n=======\n[t] D9: SESSION_END | c\n- Context: x\n>>>>>>> theirs\n";
    let world = World::new().with(DECISIONS, log);
    assert_eq!(world.decide(&choice("next")).unwrap(), 10);
    assert!(world.text(DECISIONS).starts_with(log));
}

#[test]
fn another_encoding_is_a_problem_and_nothing_is_added_to_it() {
    let latin = b"[t] D1: SESSION_START | caf\xe9\n- Context: x\n".as_slice();
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("[t] D1".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    // "Decision" in Shift_JIS, as an editor of another age saves it.
    let shift_jis = b"[t] D1: SESSION_START | \x8c\x88\x92\xe8\n- Context: \x82\xa0\n".as_slice();
    for bytes in [latin, &utf16, shift_jis] {
        for file in [SESSION, DECISIONS, BUFFER] {
            let world = World::new().with(file, bytes);
            assert!(
                world
                    .check()
                    .iter()
                    .any(|problem| problem.code == "not_utf8"),
                "{file}"
            );
            let refused = match file {
                SESSION => world.draft(&after(After::Impl)).is_err(),
                DECISIONS => matches!(world.decide(&choice("x")), Err(StoreError::Damaged { .. })),
                _ => world.learn(Tag::Pattern, "p", None).is_err(),
            };
            assert!(refused, "{file}");
            let back = world.resume(Trigger::Startup);
            assert_eq!(back.started.is_none(), file == DECISIONS, "{file}");
            assert_eq!(world.disk.read(&path(file)).unwrap().unwrap().0, bytes);
        }
    }
}

#[test]
fn a_broken_spec_is_reported_and_the_others_are_shown() {
    let world = project().with(&format!("{SPECS}/index/spec.yaml"), "phase: [\n");
    let back = world.resume(Trigger::Startup);
    let pipeline = back.state.pipeline.unwrap();
    let names: Vec<&str> = pipeline.specs().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["log", "view"]);
    assert_eq!(back.state.problems[0].code, "yaml_syntax");
}

#[test]
fn a_heading_in_an_answer_is_refused_and_nothing_is_written() {
    let world = World::new().with(SESSION, HANDED);
    let result = world.polish(&answers("do this\n## Direction\nfooled"));
    assert!(
        matches!(result, Err(StoreError::Invalid { .. })),
        "{result:?}"
    );
    assert_eq!(world.text(SESSION), HANDED);
}

// How handovers are found.

#[test]
fn the_current_handover_and_its_archives_are_sessions() {
    let world = project().with(&format!("{DIR}/sessions/2026-11-02-2.md"), HANDED);
    let workspace = Workspace::new(&world.disk, Settings::default());
    let now = world.now();
    let places = workspace.places(Some(Kind::Handover), &now).unwrap();
    let cards = workspace.cards(&places, &now);
    let rows: Vec<(&str, Status, &str)> = cards
        .iter()
        .map(|card| (card.id.as_str(), card.status, card.position.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            ("current", Status::Active, "old action"),
            ("2026-11-02-2", Status::Completed, "old action")
        ]
    );
    assert_eq!(
        cards[0].counts,
        [("decisions", 30), ("knowledge", 1), ("tracked_reviews", 5)]
    );
    let lock = |place: &Place| formats::of(Kind::Handover).unwrap().lock_name(place);
    assert_eq!(lock(&places[0]), lock(&places[1]));
    for (file, id) in [
        (SESSION, "current"),
        (DIR, "current"),
        (
            ".claude/sdd/handover/sessions/2026-11-02-2.md",
            "2026-11-02-2",
        ),
    ] {
        let place = world.look(|cx| {
            formats::of(Kind::Handover)
                .unwrap()
                .at_path(cx, &path(file))
                .unwrap()
                .unwrap()
        });
        assert_eq!(place.id.as_str(), id);
    }
}

#[test]
fn the_newer_directory_and_a_configured_one_are_recognised() {
    let at = |world: &World| world.look(|cx| current(cx).unwrap().path.as_str().to_owned());
    assert_eq!(at(&World::new()), DIR);
    assert_eq!(
        at(&World::new().with(".sdd/handover/session.md", "x")),
        ".sdd/handover"
    );
    assert_eq!(
        at(&World::new().with(".sdd/project/specs/roadmap.md", "x")),
        ".sdd/handover"
    );
    let mut own = World::new();
    own.settings.handover.dir = Some("team/handover/".to_owned());
    assert_eq!(at(&own), "team/handover");
}

#[test]
fn every_searchable_unit_is_given_with_its_line() {
    let world = project();
    let mut found = Vec::new();
    world
        .look(|cx| {
            let place = current(cx).unwrap();
            formats::of(Kind::Handover)
                .unwrap()
                .entries(cx, &place, &mut |entry| {
                    found.push((entry.kind.name(), entry.location()));
                    std::ops::ControlFlow::Continue(())
                })
        })
        .unwrap();
    assert!(
        found.contains(&("decision", format!("{DECISIONS}:8"))),
        "{found:?}"
    );
    assert!(
        found.contains(&("knowledge", format!("{BUFFER}:4"))),
        "{found:?}"
    );
    assert!(
        found.contains(&("document", format!("{SESSION}:7"))),
        "{found:?}"
    );
}

#[test]
fn the_log_is_read_the_same_from_its_end_and_as_a_stream() {
    let world = World::new().with(DECISIONS, long_log(5_000, |n| n));
    let (recent, end) = log::recent(&world.disk, &path(DECISIONS), 700).unwrap();
    let mut all = Vec::new();
    let file = world.disk.open(&path(DECISIONS)).unwrap();
    log::each_entry(file.as_ref(), end.valid, &mut |entry| {
        all.push(entry);
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(
        (recent.len(), all.len(), end.next),
        (700, 5_000, Some(5_001))
    );
    let same = recent
        .iter()
        .zip(&all[4_300..])
        .all(|(a, b)| a.fields == b.fields && a.seq == b.seq);
    assert!(same);
}
