//! The central test on essays: a paragraph, a revision with archived files, a pause, each on a session that stands.

#![expect(clippy::format_collect, reason = "a test says plainly what it expects")]
#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{DIR, Desk, map_text, moment, paragraph_input, writer};
use segno_disk::Disk;
use segno_disk::sim::SimDisk;
use segno_store::formats::essay::{self, Essay, Impact, ReviseInput};
use segno_store::formats::{Format, Place, Plan, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::Workspace;
use segno_testkit::crash::{self, Story, Wrap};
use segno_testkit::forgetful::{Forget, ForgetfulDisk};

/// One operation on a session that stands in stage 4. Short stories: each image is followed to the end.
struct Pipeline {
    operation: Operation,
}

#[derive(Clone, Copy, PartialEq)]
enum Operation {
    /// A paragraph: two appends and the state.
    Paragraph,
    /// A revision: a new map, three archived files and the state.
    Revise,
    /// A pause: the state alone.
    Pause,
}

const ALL: [Operation; 3] = [Operation::Paragraph, Operation::Revise, Operation::Pause];

/// A session that stands in stage 4, its state without comments: every image of it is read many times.
fn prepare(disk: &SimDisk) {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["Sea"]);
    desk.argue(&place, 1);
    desk.approve(&place);
    desk.say(&place, 1, "One.");
    for (file, bytes) in desk.disk.files() {
        if file.as_str().starts_with(DIR) {
            let text = String::from_utf8(bytes).unwrap();
            disk.plant(&file, plain(&text).as_bytes());
        }
    }
}

fn plain(text: &str) -> String {
    if !text.starts_with("# Session Identity") {
        return text.to_owned();
    }
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#') && !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

fn now() -> Now {
    moment("2026-02-14T14:30:22Z")
}

fn place(workspace: &Workspace<'_>) -> Result<Option<Place>, String> {
    let mut all = workspace.places(None, &now()).map_err(|e| e.to_string())?;
    if all.len() > 1 {
        return Err(format!("{} sessions", all.len()));
    }
    Ok(all.pop())
}

fn write<T>(
    workspace: &Workspace<'_>,
    place: &Place,
    plan: impl FnMut(&segno_store::formats::Context<'_>) -> segno_store::Result<Plan<T>>,
) -> Result<(), String> {
    let written = workspace.write(place, &now(), &writer(), plan);
    written.map(drop).map_err(|error| format!("{error:?}"))
}

impl Story for Pipeline {
    fn steps(&self) -> usize {
        1
    }

    fn perform(&self, disk: &dyn Disk, _step: usize) -> Result<(), String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let place = place(&workspace)?.ok_or("no session")?;
        let at = &place;
        match self.operation {
            Operation::Paragraph => write(&workspace, at, |cx| {
                essay::paragraph(cx, at, &paragraph_input(1, "Two."))
            }),
            Operation::Revise => write(&workspace, at, |cx| essay::revise(cx, at, &revision())),
            Operation::Pause => write(&workspace, at, |cx| essay::pause(cx, at)),
        }
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let place = place(&workspace)?.ok_or("no session")?;
        let now = now();
        let cx = workspace.context(Root::Workspace, &now);
        // Artifacts and state never disagree, whatever moment the power failed.
        let problems = Essay.check(&cx, &place).map_err(|e| e.to_string())?;
        if let Some(problem) = problems.first() {
            return Err(format!("{}: {problem}", problem.code));
        }
        let read = |name: &str| {
            let bytes = disk
                .read(&place.path.join(name).unwrap())
                .map_err(|e| e.to_string())?;
            Ok::<_, String>(bytes.map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned()))
        };
        backup_is_valid(read("session-state.yaml.bak")?)?;
        let state = read("session-state.yaml")?.ok_or("no state")?;
        let done = match self.operation {
            Operation::Paragraph => state.contains("completed_paragraphs: 2\n"),
            Operation::Revise => state.contains("- stage_revisited: 3\n"),
            Operation::Pause => state.contains("status: \"paused\""),
        };
        // All of the revision's files, or none.
        let archived = [
            "stage-3-section-1-arguments.v1.md",
            "stage-4-draft.v1.md",
            "stage-4-paragraph-log.v1.md",
        ];
        for name in archived {
            if read(name)?.is_some() != (done && self.operation == Operation::Revise) {
                return Err(format!("{name} with done = {done}"));
            }
        }
        Ok(usize::from(done))
    }
}

fn revision() -> ReviseInput {
    ReviseInput {
        stage: 3,
        text: map_text(1).replace("YES", "PARTIAL"),
        impact: Some(Impact::Major),
        sections: vec![1],
        reason: "r".to_owned(),
    }
}

/// Whatever the backup is, it is a whole state.
fn backup_is_valid(text: Option<String>) -> Result<(), String> {
    let Some(text) = text else { return Ok(()) };
    if text.starts_with("pipeline_id: ") && text.trim_end().ends_with("completed_at: null") {
        Ok(())
    } else {
        Err(format!("the backup is {text:?}"))
    }
}

#[test]
fn every_crash_of_a_pipeline_with_a_revision_leaves_a_prefix_that_goes_on() {
    for operation in ALL {
        let report = crash::check_after(&prepare, &Pipeline { operation }).unwrap();
        println!("{report}");
        assert!(report.reopened > 20, "{report}");
    }
}

#[test]
fn the_test_notices_a_disk_that_does_not_sync() {
    for (operation, forget) in [
        (Operation::Revise, Forget::Everything),
        (Operation::Pause, Forget::Dir),
    ] {
        let wrap: &Wrap = &move |disk: SimDisk| Box::new(ForgetfulDisk::new(disk, forget));
        let noticed = crash::check_after_on(&prepare, &Pipeline { operation }, wrap).is_err();
        assert!(noticed, "{forget:?} goes unnoticed");
    }
}
