//! The central test on a handover: drafted, decided, learnt, polished, flushed, come back to, with the power cut anywhere.

#![expect(
    clippy::indexing_slicing,
    reason = "a test says plainly what it expects"
)]
#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::{Disk, ReadDisk as _, RelPath, SimDisk};
use segno_store::formats::handover::buffer::{self, Knowledge, Origin, Tag};
use segno_store::formats::handover::decide::decide;
use segno_store::formats::handover::decision::{DecisionType, NewDecision};
use segno_store::formats::handover::document::{Handed, Mode};
use segno_store::formats::handover::draft::{After, DraftInput, draft};
use segno_store::formats::handover::flush::flush;
use segno_store::formats::handover::polish::{Answers, polish};
use segno_store::formats::handover::resume::{Trigger, resume};
use segno_store::formats::handover::role::Lead;
use segno_store::formats::handover::{current, log};
use segno_store::formats::{Context, Place, Plan, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::text::markdown::Doc;
use segno_store::workspace::{Workspace, Writer};
use segno_testkit::crash::{self, Story, Wrap};
use segno_testkit::forgetful::{Forget, ForgetfulDisk};

/// What happens in a story.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Act {
    Draft,
    Decide,
    Learn,
    Polish,
    Flush,
    Resume,
}

/// Some acts, one after the other. Several short stories: what two units leave together multiplies.
struct Acts(&'static [Act]);

/// What a reader sees of it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Seen {
    /// How the document came to be, and its next action.
    document: Option<(Mode, String)>,
    /// Number and type of every entry, each of them whole.
    log: Vec<(u64, &'static str)>,
    /// What waits in the buffer.
    waiting: Option<usize>,
    /// The same of the archive as of the document: it is the document that was.
    archived: Option<(Mode, String)>,
    /// Whether the knowledge and its index hold what was learnt.
    kept: (bool, bool),
}

impl Seen {
    fn after(mut self, act: Act) -> Self {
        match act {
            Act::Draft => self.document = Some((Mode::AutoDraft, "n".to_owned())),
            Act::Decide => self.record("SESSION_END"),
            Act::Learn => self.waiting = Some(1),
            Act::Polish => {
                self.archived = self.document.replace((Mode::Polished, "m".to_owned()));
                self.record("SESSION_END");
            }
            Act::Flush => (self.waiting, self.kept) = (Some(0), (true, true)),
            Act::Resume => self.record("SESSION_START"),
        }
        self
    }

    fn record(&mut self, kind: &'static str) {
        self.log.push((self.log.len() as u64 + 1, kind));
    }
}

fn now() -> Now {
    Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "test".to_owned(),
        since: String::new(),
        patience: Duration::ZERO,
    }
}

fn workspace(disk: &dyn Disk) -> Workspace<'_> {
    let mut settings = Settings::default();
    settings.handover.dir = Some("h".to_owned());
    Workspace::new(disk, settings)
}

/// The shortest entry there is: every byte of it is a place where the power may be cut.
fn choice() -> NewDecision {
    NewDecision {
        context: Some("x".to_owned()),
        ..NewDecision::new(DecisionType::SessionEnd, "c")
    }
}

fn perform(act: Act, cx: &Context<'_>, place: &Place) -> segno_store::Result<Plan> {
    fn only<T>(plan: Plan<T>) -> Plan {
        Plan {
            changes: plan.changes,
            unit: plan.unit,
            outcome: (),
        }
    }
    let lead = Lead::claim("lead").unwrap();
    Ok(match act {
        Act::Draft => {
            let input = DraftInput {
                after: After::Impl,
                next: Some("n".to_owned()),
                done: vec!["d".to_owned()],
                files: Vec::new(),
                goal: None,
                branch: None,
            };
            only(draft(cx, place, lead, &input)?)
        }
        Act::Decide => only(decide(cx, place, lead, &choice())?),
        Act::Learn => {
            let pieces = [Knowledge::new(Tag::Pattern, "p", &Origin::default())];
            only(buffer::learn(cx, place, lead, &pieces)?)
        }
        Act::Polish => {
            let answers = Answers {
                next: "m".to_owned(),
                ..Answers::default()
            };
            only(polish(cx, place, lead, &answers)?)
        }
        Act::Flush => only(flush(cx, place, lead, None)?),
        Act::Resume => only(resume(cx, place, lead, Trigger::Startup)?),
    })
}

impl Story for Acts {
    fn steps(&self) -> usize {
        self.0.len()
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let workspace = workspace(disk);
        let now = now();
        let place =
            current(&workspace.context(Root::Workspace, &now)).map_err(|e| e.to_string())?;
        let written = workspace.write(&place, &now, &writer(), |cx| {
            perform(self.0[step], cx, &place)
        });
        written.map(drop).map_err(|error| error.to_string())
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let workspace = workspace(disk);
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let seen = look(disk).map_err(|e| e.to_string())?;
        for document in [None, Some((Mode::Polished, "n".to_owned()))] {
            let mut expected = Seen {
                document,
                ..Seen::default()
            };
            for (done, act) in self.0.iter().enumerate() {
                if seen == expected {
                    return Ok(done);
                }
                expected = expected.after(*act);
            }
            if seen == expected {
                return Ok(self.0.len());
            }
        }
        Err(format!("no state of the story: {seen:?}"))
    }
}

fn look(disk: &dyn Disk) -> segno_store::Result<Seen> {
    let read = |name: &str| -> segno_store::Result<Option<String>> {
        let found = disk.read(&RelPath::new(name)?)?;
        Ok(found.map(|(bytes, _)| String::from_utf8(bytes).unwrap()))
    };
    let page = |name: &str| -> segno_store::Result<Option<(Mode, String)>> {
        let handed = read(name)?.map(|text| Handed::read(&Doc::parse(text)));
        Ok(handed.map(|handed| (handed.mode, handed.next.unwrap_or_default())))
    };
    let (entries, end) = log::recent(disk, &RelPath::new("h/decisions.md")?, 9)?;
    let short = entries.iter().find(|entry| !entry.missing().is_empty());
    let wrong = match (end.problems.first(), short) {
        (Some(problem), _) => Some(problem.to_string()),
        (None, Some(short)) => Some(format!("D{} lacks {:?}", short.seq, short.missing())),
        (None, None) => None,
    };
    if let Some(wrong) = wrong {
        let what = format!("settled, but the log is not whole: {wrong}");
        return Err(segno_store::StoreError::Invalid {
            what,
            hints: Vec::new(),
        });
    }
    let log = entries
        .iter()
        .map(|entry| (entry.seq, entry.known_type().unwrap().name()));
    let waiting = read("h/buffer.md")?.map(|text| buffer::pending(&Doc::parse(text)).len());
    let holds = |name: &str, what: &str| -> segno_store::Result<bool> {
        Ok(read(name)?.is_some_and(|text| text.contains(what)))
    };
    Ok(Seen {
        document: page("h/session.md")?,
        log: log.collect(),
        waiting,
        archived: page("h/sessions/2026-11-18.md")?,
        kept: (
            holds("project/knowledge/pattern-general-p.md", "p")?,
            holds("project/knowledge/index.md", "pattern-general-p")?,
        ),
    })
}

/// A short document of a person's own: the blank one of a first session has more bytes than the story needs.
const PLANTED: &str = "## Accomplished\n- d\n## Direction\n### Next Action\nn\n";

/// A workspace that has been used before: making its directories is the disk's own story, and multiplies every other.
fn ready(disk: SimDisk) -> Box<dyn Disk> {
    let file = |name: &str| RelPath::new(name).unwrap();
    if disk.position() == 0 && disk.stat(&file(".segno/.gitignore")).unwrap().is_none() {
        for name in [
            ".segno/.gitignore",
            ".segno/locks/handover-h.lock",
            ".segno/journal/.keep",
            "h/.keep",
            "h/sessions/.keep",
            "project/knowledge/.keep",
        ] {
            disk.plant(&file(name), b"");
        }
        disk.plant(&file("h/session.md"), PLANTED.as_bytes());
    }
    Box::new(disk)
}

const DECIDING: Acts = Acts(&[Act::Decide]);
const POLISHING: Acts = Acts(&[Act::Polish]);
const FLUSHING: Acts = Acts(&[Act::Learn, Act::Flush]);

#[test]
fn a_power_cut_while_deciding_leaves_a_prefix() {
    let report = crash::check_on(&DECIDING, &ready).unwrap();
    assert!(report.reopened > 50, "{report}");
}

#[test]
fn a_power_cut_while_polishing_leaves_a_prefix() {
    let report = crash::check_on(&POLISHING, &ready).unwrap();
    assert!(report.reopened > 50, "{report}");
}

#[test]
fn a_power_cut_while_learning_and_flushing_leaves_a_prefix() {
    let report = crash::check_on(&FLUSHING, &ready).unwrap();
    assert!(report.reopened > 50, "{report}");
}

/// A whole working session: nothing of it is lost, shortened or there twice, whichever of its steps the power is cut in.
const WHOLE: Acts = Acts(&[
    Act::Draft,
    Act::Decide,
    Act::Learn,
    Act::Polish,
    Act::Flush,
    Act::Resume,
]);

#[test]
fn a_power_cut_in_a_whole_session_leaves_a_prefix() {
    let report = crash::check_some(&WHOLE, &ready, 6).unwrap();
    assert!(report.reopened > 200, "{report}");
}

#[test]
fn a_failing_disk_is_reported_and_leaves_the_old_or_the_new() {
    for story in [DECIDING, WHOLE] {
        let report = crash::check_faults(&story).unwrap();
        assert!(report.reported > 50, "{report:?}");
    }
}

#[test]
fn the_test_can_fail_a_disk_that_forgets_to_sync_is_found_out() {
    // An entry goes through the journal: what makes it durable is the sync of the journal and of its name.
    for forget in [Forget::File, Forget::Dir] {
        let wrap: Box<Wrap> = Box::new(move |disk| Box::new(ForgetfulDisk::new(disk, forget)));
        assert!(
            crash::check_on(&DECIDING, wrap.as_ref()).is_err(),
            "{forget:?}"
        );
    }
}
