//! What holds of handovers whatever happens: the log is append-only, the Mode line says how a document came to be, and a
//! person's own lines stay.

#![expect(
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]
#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::time::Duration;

use jiff::tz::TimeZone;
use proptest::prelude::*;
use segno_disk::{ReadDisk, RelPath, SimDisk};
use segno_store::formats::handover::decide::decide;
use segno_store::formats::handover::decision::{DecisionType, NewDecision};
use segno_store::formats::handover::document::{Handed, Mode};
use segno_store::formats::handover::draft::{After, DraftInput, draft};
use segno_store::formats::handover::polish::{Answers, polish};
use segno_store::formats::handover::resume::{Trigger, resume};
use segno_store::formats::handover::role::Lead;
use segno_store::formats::handover::{current, log};
use segno_store::formats::{Context, Place, Plan, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::text::markdown::Doc;
use segno_store::workspace::{Workspace, Writer};

const SESSION: &str = ".claude/sdd/handover/session.md";
const DECISIONS: &str = ".claude/sdd/handover/decisions.md";

#[derive(Debug, Clone)]
enum Op {
    Draft(usize, String),
    Polish(String, String),
    Decide(String),
    Resume,
}

fn op() -> impl Strategy<Value = Op> {
    let words = "[a-zé 会!|:*D0-9-]{0,24}";
    prop_oneof![
        (0..After::ALL.len(), words).prop_map(|(after, text)| Op::Draft(after, text)),
        (words, words).prop_map(|(next, decision)| Op::Polish(next, decision)),
        words.prop_map(Op::Decide),
        Just(Op::Resume),
    ]
}

/// Lines that people put into documents, in any order.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("# Session Handover".to_owned()),
        Just("**Mode**: auto-draft".to_owned()),
        Just("**Branch**: main".to_owned()),
        Just("## Direction".to_owned()),
        Just("### Immediate Next Action".to_owned()),
        Just("### Key Decisions".to_owned()),
        Just("**Added this session:**".to_owned()),
        Just("1. chosen (ref D1)".to_owned()),
        Just("## Accomplished".to_owned()),
        Just("- done".to_owned()),
        Just("## Ours".to_owned()),
        Just(String::new()),
        "[a-zé 会*-]{0,16}",
    ]
}

fn entry() -> impl Strategy<Value = String> {
    (0_u64..40, "[a-z 会]{0,8}").prop_map(|(seq, text)| {
        format!("[2026-01-01] D{seq}: SESSION_START | {text}\n- Context: {text}\n\n")
    })
}

struct World {
    disk: SimDisk,
}

impl World {
    fn write<T>(
        &self,
        plan: impl Fn(&Context<'_>, &Place) -> segno_store::Result<Plan<T>>,
    ) -> segno_store::Result<T> {
        let workspace = Workspace::new(&self.disk, Settings::default());
        let now = Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC);
        let writer = Writer {
            pid: 1,
            program: "test".to_owned(),
            since: String::new(),
            patience: Duration::ZERO,
        };
        let place = current(&workspace.context(Root::Workspace, &now))?;
        Ok(workspace
            .write(&place, &now, &writer, |cx| plan(cx, &place))?
            .outcome)
    }

    fn perform(&self, op: &Op) -> bool {
        let lead = Lead::claim("lead").unwrap();
        let x = || Some("x".to_owned());
        match op {
            Op::Draft(after, text) => {
                let input = DraftInput {
                    after: After::ALL[*after],
                    next: None,
                    done: vec![text.clone()],
                    files: Vec::new(),
                    goal: None,
                    branch: None,
                };
                self.write(|cx, place| draft(cx, place, lead, &input))
                    .is_ok()
            }
            Op::Polish(next, decision) => {
                let answers = Answers {
                    next: next.clone(),
                    decisions: vec![decision.as_str().into()],
                    ..Answers::default()
                };
                self.write(|cx, place| polish(cx, place, lead, &answers))
                    .is_ok()
            }
            Op::Decide(summary) => {
                let decision = NewDecision {
                    context: x(),
                    decision: x(),
                    reason: x(),
                    impact: x(),
                    source: x(),
                    ..NewDecision::new(DecisionType::UserDecision, summary.as_str())
                };
                self.write(|cx, place| decide(cx, place, lead, &decision))
                    .is_ok()
            }
            Op::Resume => self
                .write(|cx, place| resume(cx, place, lead, Trigger::Startup))
                .is_ok(),
        }
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let found = self.disk.read(&RelPath::new(name).unwrap()).unwrap();
        found.map(|(bytes, _)| bytes)
    }
}

/// Says in what the log is not what it was with new entries behind it.
fn appended(before: &[u8], after: &[u8], next: u64, records: bool) -> Result<(), String> {
    let added = after
        .strip_prefix(before)
        .ok_or("what was there was written again")?;
    let added = String::from_utf8(added.to_vec()).map_err(|error| error.to_string())?;
    let headers: Vec<&str> = added.lines().filter(|line| line.starts_with('[')).collect();
    if headers.is_empty() == records {
        return Err(format!("{} entries were added", headers.len()));
    }
    for (header, seq) in headers.iter().zip(next..) {
        if !header.contains(&format!(" D{seq}: ")) {
            return Err(format!("{header} is not D{seq}"));
        }
    }
    Ok(())
}

/// Says how the Mode line of a document does not say how the document came to be.
fn marked(text: &str, wanted: Mode) -> Result<(), String> {
    let lines = text.lines().filter(|line| line.starts_with("**Mode**"));
    let mode = Handed::read(&Doc::parse(text)).mode;
    match (mode == wanted, wanted, lines.count()) {
        (false, ..) => Err(format!("read as {mode:?}: {text}")),
        (true, Mode::AutoDraft, 0) => Err(format!("a draft without its mark: {text}")),
        _ => Ok(()),
    }
}

#[test]
fn the_properties_can_fail() {
    let before = b"[t] D1: SESSION_START | a\n- Context: c\n\n";
    let log = |added: &str| [before, added.as_bytes()].concat();
    let entry = "[t] D2: SESSION_END | b\n- Context: c\n";
    appended(before, &log(entry), 2, true).unwrap();
    appended(before, before, 2, false).unwrap();
    let edited = log(entry)
        .iter()
        .map(|b| if *b == b'a' { b'x' } else { *b })
        .collect::<Vec<u8>>();
    for (after, records, what) in [
        (edited, true, "an old entry was changed"),
        (before[..20].to_vec(), false, "the log was cut"),
        (
            log("[t] D1: SESSION_END | b\n"),
            true,
            "a number was used twice",
        ),
        (
            log("[t] D3: SESSION_END | b\n"),
            true,
            "a number was left out",
        ),
        (before.to_vec(), true, "nothing was recorded"),
        (log(entry), false, "a draft wrote to the log"),
    ] {
        assert!(appended(before, &after, 2, records).is_err(), "{what}");
    }
    let draft = "# Session Handover\n**Mode**: auto-draft\n";
    let polished = "# Session Handover\n";
    marked(draft, Mode::AutoDraft).unwrap();
    marked(polished, Mode::Polished).unwrap();
    assert!(marked(draft, Mode::Polished).is_err());
    assert!(marked(polished, Mode::AutoDraft).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn append_only_the_log_only_ever_grows_at_its_end_and_numbers_are_new(
        old in proptest::collection::vec(entry(), 0..6),
        ops in proptest::collection::vec(op(), 1..6),
    ) {
        let world = World { disk: SimDisk::new() };
        let mut before = old.concat().into_bytes();
        if !before.is_empty() {
            world.disk.plant(&RelPath::new(DECISIONS).unwrap(), &before);
        }
        for op in &ops {
            let path = RelPath::new(DECISIONS).unwrap();
            let next = log::end(&world.disk, &path).unwrap().next.unwrap();
            let done = world.perform(op);
            let after = world.read(DECISIONS).unwrap_or_default();
            let records = done && !matches!(op, Op::Draft(..));
            if let Err(why) = appended(&before, &after, next, records) {
                return Err(TestCaseError::fail(format!("{op:?}: {why}")));
            }
            before = after;
        }
    }

    #[test]
    fn mode_marker_a_draft_has_it_a_polished_document_has_not_and_own_lines_stay(
        lines in proptest::collection::vec(line(), 0..12),
        ops in proptest::collection::vec(op(), 1..5),
    ) {
        let world = World { disk: SimDisk::new() };
        let own = "my own line, kept byte for byte \u{4f1a}  ";
        let text = format!("{}\n## Ours alone\n{own}\n", lines.join("\n"));
        world.disk.plant(&RelPath::new(SESSION).unwrap(), text.as_bytes());
        for op in &ops {
            let before = String::from_utf8(world.read(SESSION).unwrap()).unwrap();
            let done = world.perform(op);
            let text = String::from_utf8(world.read(SESSION).unwrap()).unwrap();
            let checked = match op {
                Op::Draft(..) if done => marked(&text, Mode::AutoDraft),
                Op::Polish(..) if done => marked(&text, Mode::Polished),
                _ => if text == before { Ok(()) } else { Err("the document changed".to_owned()) },
            };
            if let Err(why) = checked {
                return Err(TestCaseError::fail(format!("{op:?}: {why}")));
            }
            prop_assert!(text.contains(&format!("{own}\n")), "{}", text);
        }
    }
}
