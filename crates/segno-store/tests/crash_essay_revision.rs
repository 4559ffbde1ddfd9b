//! A revision that archives ten files: state and archive change all or none, whatever moment the power fails.

#![expect(clippy::format_collect, reason = "a test says plainly what it expects")]
#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{DIR, Desk, moment, path, thesis_input, writer};
use segno_disk::Disk;
use segno_disk::sim::SimDisk;
use segno_store::formats::essay::{self, Essay, Impact, ReviseInput};
use segno_store::formats::{Format, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::Workspace;
use segno_testkit::crash::{self, Story};

const SECTIONS: u64 = 7;

/// Every file of a later stage, and what it is called afterwards.
fn archived() -> Vec<(String, String)> {
    let mut names = vec!["stage-2-outline".to_owned()];
    names.extend((1..=SECTIONS).map(|n| format!("stage-3-section-{n}-arguments")));
    names.extend([
        "stage-4-draft".to_owned(),
        "stage-4-paragraph-log".to_owned(),
    ]);
    let pair = |name: &String| (format!("{name}.md"), format!("{name}.v1.md"));
    names.iter().map(pair).collect()
}

/// An essay of seven sections as it lies on the disk, its state without comments: every image of it is read.
fn prepare(disk: &SimDisk) {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    let titles: Vec<String> = (1..=SECTIONS).map(|n| format!("T{n}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    desk.outline(&place, &titles);
    for section in 1..=SECTIONS {
        desk.argue(&place, section);
    }
    desk.approve(&place);
    desk.say(&place, 1, "One.");
    for (file, bytes) in desk.disk.files() {
        if file.as_str().starts_with(DIR) {
            disk.plant(&file, &plain(&bytes));
        }
    }
}

fn plain(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    if !text.starts_with("# Session Identity") {
        return bytes.to_vec();
    }
    let kept = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#') && !line.is_empty());
    let text: String = kept.map(|line| format!("{line}\n")).collect();
    text.into_bytes()
}

fn now() -> Now {
    moment("2026-02-14T15:00:00Z")
}

/// One step: the thesis becomes another one, and everything after it goes.
struct Revision;

impl Story for Revision {
    fn steps(&self) -> usize {
        1
    }

    fn perform(&self, disk: &dyn Disk, _step: usize) -> Result<(), String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let places = workspace.places(None, &now()).map_err(|e| e.to_string())?;
        let place = places.first().ok_or("no session")?;
        let input = ReviseInput {
            stage: 1,
            text: thesis_input().text.replace("argument", "explainer"),
            impact: Some(Impact::Major),
            sections: Vec::new(),
            reason: "r".to_owned(),
        };
        let plan = |cx: &segno_store::formats::Context<'_>| essay::revise(cx, place, &input);
        let written = workspace.write(place, &now(), &writer(), plan);
        written.map(drop).map_err(|error| format!("{error:?}"))
    }

    /// All of it or none of it: the thesis, the ten files, the state and its backup are looked at one by one.
    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let places = workspace.places(None, &now()).map_err(|e| e.to_string())?;
        let [place] = places.as_slice() else {
            return Err(format!("{} sessions", places.len()));
        };
        let now = now();
        let problems = Essay
            .check(&workspace.context(Root::Workspace, &now), place)
            .map_err(|e| e.to_string())?;
        if let Some(problem) = problems.first() {
            return Err(format!("{}: {problem}", problem.code));
        }
        let read = |name: &str| {
            let found = disk.read(&path(&format!("{DIR}/{name}")));
            let found = found.map_err(|e| e.to_string())?;
            Ok::<_, String>(found.map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned()))
        };
        let state = read("session-state.yaml")?.ok_or("no state")?;
        let done = state.contains("- stage_revisited: 1\n");
        for (name, version) in archived() {
            let there = (read(&name)?.is_some(), read(&version)?.is_some());
            if there != (!done, done) {
                return Err(format!("{name}, {version}: {there:?} with done = {done}"));
            }
            if done != state.contains(&version) {
                return Err(format!("{version} is logged wrongly with done = {done}"));
            }
        }
        let thesis = read("stage-1-thesis.md")?.ok_or("no thesis")?;
        if thesis.contains("explainer") != done || read("stage-1-thesis.v1.md")?.is_some() != done {
            return Err(format!("the thesis is {thesis:?} with done = {done}"));
        }
        let backup = read("session-state.yaml.bak")?.ok_or("no backup")?;
        if backup.contains("stage_revisited: 1\n") || !backup.trim_end().ends_with("null") {
            return Err(format!("the backup is {backup:?}"));
        }
        Ok(usize::from(done))
    }
}

#[test]
fn every_crash_of_a_revision_leaves_the_state_and_ten_archived_files_all_or_none() {
    let report = crash::check_after(&prepare, &Revision).unwrap();
    println!("{report}");
    assert_eq!(archived().len(), 10);
    assert!(report.reopened > 200, "{report}");
}
