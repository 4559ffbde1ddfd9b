//! The corpus of essays: what each checked-in session reads as, and what is found wrong with it.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use std::path::Path;

use essay_desk::moment;
use segno_disk::RealDisk;
use segno_store::formats::Format;
use segno_store::formats::Root;
use segno_store::formats::essay::Essay;
use segno_store::settings::Settings;
use segno_store::workspace::Workspace;

/// One line per session: id, status, position, title, codes of the problems.
fn read(folder: &str) -> Vec<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats/essay");
    let disk = RealDisk::open(&dir).unwrap();
    let mut settings = Settings::default();
    settings.essay.roots = vec![folder.to_owned()];
    let workspace = Workspace::new(&disk, settings);
    let now = moment("2026-03-01T12:00:00Z");
    let places = workspace.places(None, &now).unwrap();
    let cx = workspace.context(Root::Workspace, &now);
    let line = |place| {
        let card = Essay.card(&cx, place).unwrap();
        let codes: Vec<&str> = Essay
            .check(&cx, place)
            .unwrap()
            .iter()
            .map(|problem| problem.code)
            .collect();
        Essay.brief(&cx, place, None).unwrap();
        format!(
            "{} | {} | {} | {} | {}",
            card.id,
            card.status,
            card.position,
            card.title,
            codes.join(" ")
        )
    };
    places.iter().map(line).collect()
}

#[test]
fn examples_have_nothing_wrong_with_them() {
    assert_eq!(
        read("examples"),
        ["essay-pipeline-20260214-143022 | paused | Stage 3, Section 1 | The Open Boatyard | "]
    );
}

#[test]
fn broken_sessions_are_listed_with_what_is_wrong() {
    assert_eq!(
        read("broken"),
        [
            "essay-pipeline-20260301-090000 | paused |  | essay-pipeline-20260301-090000 | yaml_syntax",
            "essay-pipeline-20260301-090001 | paused |  | essay-pipeline-20260301-090001 | not_essay_state",
            "essay-pipeline-20260301-090002 | active | Stage 4 | essay-pipeline-20260301-090002 | bad_value stage_artifact_missing section_out_of_range path_outside prerequisite_not_started",
        ]
    );
}

#[test]
fn sessions_of_other_writers_open() {
    assert_eq!(
        read("old"),
        [
            "essay-pipeline-20260110-080000 | active | Stage 2 | Small harbours should repair boats in public, because a craft that is watched is a craft that is learned. | "
        ]
    );
}
