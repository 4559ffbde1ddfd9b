//! The whole pipeline, from the first state to a revision of the finished essay, with every operation of every step made
//! to fail in every way: each step is reported and happens whole or not at all.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{
    DIR, argument_input, begin, moment, outline_text, paragraph_input, path, thesis_input, writer,
};
use segno_disk::Disk;
use segno_store::formats::essay::{
    self, DeferInput, Essay, FinishInput, Impact, ResolveInput, ReviseInput, Score, VoiceInput,
};
use segno_store::formats::{Context, Format, Place, Plan, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::text::yaml::{Budget, Doc};
use segno_store::workspace::Workspace;
use segno_testkit::crash::{self, Story};

/// The verbs, and what each leaves: a line of the state that no earlier step wrote, and the files there are afterwards.
const STEPS: &[(&str, &str, &[&str])] = &[
    ("new", "current_stage: 1 ", &[]),
    ("thesis", "claim_type: \"argument\"", &["stage-1-thesis.md"]),
    ("outline", "target_word_count: 900", &["stage-2-outline.md"]),
    (
        "argument",
        "verified_claims: 1",
        &["stage-3-section-1-arguments.md"],
    ),
    ("approve", "birds_eye_approved: true", &[]),
    (
        "paragraph",
        "completed_paragraphs: 1",
        &["stage-4-draft.md", "stage-4-paragraph-log.md"],
    ),
    ("section done", "total_paragraphs: 1", &[]),
    (
        "claim defer",
        "claim_text: \"Salt corrodes\"",
        &["fact-check-log.md"],
    ),
    ("claim resolve", "resolved: true", &[]),
    ("voice", "voice_check_score: 4", &["voice-check-log.md"]),
    ("finish", "total_word_count: 1", &["final-essay.md"]),
    (
        "revise",
        "stage_revisited: 1",
        &[
            "stage-1-thesis.v1.md",
            "stage-2-outline.v1.md",
            "stage-3-section-1-arguments.v1.md",
            "stage-4-draft.v1.md",
            "stage-4-paragraph-log.v1.md",
            "final-essay.v1.md",
        ],
    ),
    ("pause", "\nstatus: \"paused\"", &[]),
];

/// What the revision takes away again: lines of the state, and files under their own names.
const REVISED_AWAY: &[&str] = &[
    "target_word_count: 900",
    "verified_claims: 1",
    "birds_eye_approved: true",
    "completed_paragraphs: 1",
    "total_paragraphs: 1",
    "voice_check_score: 4",
    "total_word_count: 1",
    "claim_type: \"argument\"",
    "current_stage: 1 ",
];
const ARCHIVED: &[&str] = &[
    "stage-2-outline.md",
    "stage-3-section-1-arguments.md",
    "stage-4-draft.md",
    "stage-4-paragraph-log.md",
    "final-essay.md",
];

struct Pipeline;

fn now() -> Now {
    moment("2026-02-14T14:30:22Z")
}

fn write<T>(
    workspace: &Workspace<'_>,
    place: &Place,
    plan: impl FnMut(&Context<'_>) -> segno_store::Result<Plan<T>>,
) -> Result<(), String> {
    let written = workspace.write(place, &now(), &writer(), plan);
    written.map(drop).map_err(|error| format!("{error:?}"))
}

fn perform(workspace: &Workspace<'_>, at: &Place, verb: &str) -> Result<(), String> {
    match verb {
        "thesis" => write(workspace, at, |cx| essay::thesis(cx, at, &thesis_input())),
        "outline" => write(workspace, at, |cx| {
            essay::outline(cx, at, &outline_text(&["Sea"]))
        }),
        "argument" => write(workspace, at, |cx| {
            essay::argument(cx, at, &argument_input(1, true))
        }),
        "approve" => write(workspace, at, |cx| essay::approve(cx, at)),
        "paragraph" => write(workspace, at, |cx| {
            essay::paragraph(cx, at, &paragraph_input(1, "One."))
        }),
        "section done" => write(workspace, at, |cx| essay::section_done(cx, at, 1)),
        "claim defer" => {
            let claim = DeferInput {
                claim: "Salt corrodes".to_owned(),
                reason: "timeout".to_owned(),
                ..DeferInput::default()
            };
            write(workspace, at, |cx| essay::defer(cx, at, &claim))
        }
        "claim resolve" => {
            let claim = ResolveInput {
                claim: "1".to_owned(),
                result: "verified".to_owned(),
                source: None,
            };
            write(workspace, at, |cx| essay::resolve(cx, at, &claim))
        }
        "voice" => {
            let voice = VoiceInput {
                section: Some(1),
                score: Score::new(4.0),
                ..VoiceInput::default()
            };
            write(workspace, at, |cx| essay::voice(cx, at, &voice))
        }
        "finish" => write(workspace, at, |cx| {
            essay::finish(cx, at, FinishInput::default())
        }),
        "revise" => {
            let input = ReviseInput {
                stage: 1,
                text: thesis_input().text.replace("argument", "explainer"),
                impact: Some(Impact::Major),
                sections: Vec::new(),
                reason: "r".to_owned(),
            };
            write(workspace, at, |cx| essay::revise(cx, at, &input))
        }
        "pause" => write(workspace, at, |cx| essay::pause(cx, at)),
        other => Err(format!("no verb {other}")),
    }
}

impl Story for Pipeline {
    fn steps(&self) -> usize {
        STEPS.len()
    }

    fn perform(&self, disk: &dyn Disk, step: usize) -> Result<(), String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let (verb, ..) = *STEPS.get(step).ok_or("no such step")?;
        if verb == "new" {
            let begun = begin(&workspace, &now());
            return begun.map(drop).map_err(|error| format!("{error:?}"));
        }
        let places = workspace.places(None, &now()).map_err(|e| e.to_string())?;
        perform(&workspace, places.first().ok_or("no session")?, verb)
    }

    fn observe(&self, disk: &dyn Disk) -> Result<usize, String> {
        let workspace = Workspace::new(disk, Settings::default());
        workspace.settle(&writer()).map_err(|e| e.to_string())?;
        let places = workspace.places(None, &now()).map_err(|e| e.to_string())?;
        let Some(place) = places.first() else {
            return Ok(0);
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
        let done = reached(&state)?;
        files_fit(done, &|name| Ok(read(name)?.is_some()))?;
        match read("session-state.yaml.bak")? {
            None if done <= 1 => {}
            None => return Err("there is no backup".to_owned()),
            Some(backup) => {
                // The previous valid state; the present one only when a failure fell between the two renames.
                let held = reached(&backup).map_err(|why| format!("backup: {why}"))?;
                if held + 1 != done && held != done {
                    return Err(format!("the backup holds {held} steps, the state {done}"));
                }
            }
        }
        Ok(done)
    }
}

/// How many steps a state holds: the marks of a prefix of the story, and of none of the rest.
fn reached(state: &str) -> Result<usize, String> {
    Doc::parse(state, &Budget::default()).map_err(|error| format!("no YAML: {error}"))?;
    let revised = state.contains("\n  - stage_revisited: 1\n");
    let has = |mark: &str| {
        let mut lines = state
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        lines.any(|line| format!("{line} ").contains(mark))
    };
    let marks: Vec<bool> = STEPS
        .iter()
        .map(|(verb, mark, _)| match *verb {
            "new" => true,
            "revise" => revised,
            "pause" => state.contains(mark),
            _ => has(mark) || (revised && REVISED_AWAY.contains(mark)),
        })
        .collect();
    let done = marks.iter().take_while(|mark| **mark).count();
    if marks.iter().skip(done).any(|mark| *mark) {
        return Err(format!("not a prefix of the story: {marks:?}\n{state}"));
    }
    if revised {
        let left: Vec<&&str> = REVISED_AWAY.iter().filter(|mark| has(mark)).collect();
        // The restart is at stage 1, whose mark is the same as that of a new session.
        if left != [&"current_stage: 1 "] {
            return Err(format!("the revision left {left:?}\n{state}"));
        }
    }
    Ok(done)
}

/// Each artifact is there when its step is done, and not before.
fn files_fit(done: usize, has: &dyn Fn(&str) -> Result<bool, String>) -> Result<(), String> {
    // The pause comes behind the revision and leaves its files alone.
    let all = done >= STEPS.len() - 1;
    for ((verb, _, files), step) in STEPS.iter().zip(1..) {
        for name in *files {
            let expected = step <= done && !(all && ARCHIVED.contains(name));
            if has(name)? != expected {
                return Err(format!("{name} of {verb} with {done} steps done"));
            }
        }
    }
    Ok(())
}

#[test]
fn every_failing_operation_of_the_whole_pipeline_is_reported_and_leaves_old_or_new() {
    let report = crash::check_faults(&Pipeline).unwrap();
    println!("{report:?}");
    assert!(report.faults > 500 && report.reported > 400, "{report:?}");
}

#[test]
fn the_observer_notices_a_file_or_a_line_that_does_not_fit() {
    assert!(files_fit(2, &|name| Ok(name == "stage-1-thesis.md")).is_ok());
    assert!(files_fit(2, &|_| Ok(false)).is_err());
    assert!(files_fit(2, &|_| Ok(true)).is_err());
    assert!(reached("claim_type: \"argument\"\n").is_ok_and(|done| done == 2));
    assert!(reached("birds_eye_approved: true\n").is_err());
    assert!(reached("torn: [").is_err());
}
