//! Artifacts as people and other programs write them, and what a paragraph costs on a long draft.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{Desk, argument_input, outline_text, paragraph_input, thesis_input};
use segno_disk::Change;
use segno_store::StoreError;
use segno_store::formats::essay::{self, ArgumentInput, ReviseInput};
use segno_store::formats::{Place, RecoverOptions};

/// A session whose only section has a draft of 100,000 words.
fn long(desk: &Desk) -> Place {
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["Sea"]);
    desk.argue(&place, 1);
    desk.approve(&place);
    desk.say(&place, 1, "The first.");
    let line = "\nTen words stand in this line of the long draft.\n";
    let text = desk.text(&place, "stage-4-draft.md") + &line.repeat(10_000);
    desk.put(&place, "stage-4-draft.md", text);
    desk.recover(&place, &RecoverOptions::default());
    place
}

#[test]
fn a_paragraph_on_a_draft_of_100000_words_appends_and_rewrites_nothing() {
    let desk = Desk::new();
    let place = long(&desk);
    let before = desk.text(&place, "stage-4-draft.md");
    let input = paragraph_input(1, "The last.");
    let plan = desk
        .read(|cx| essay::paragraph(cx, &place, &input))
        .unwrap();
    let written = |change: &Change| match change {
        Change::Append { bytes, at, .. } => (change.path().name().to_owned(), *at > 0, bytes.len()),
        Change::Replace { bytes, .. } => (change.path().name().to_owned(), false, bytes.len()),
        other => unreachable!("a paragraph does not {other:?}"),
    };
    let written: Vec<(String, bool, usize)> = plan.changes.iter().map(written).collect();
    assert_eq!(
        written[0],
        ("stage-4-draft.md".to_owned(), true, "\nThe last.\n".len())
    );
    assert!(
        written[1].0 == "stage-4-paragraph-log.md" && written[1].1 && written[1].2 < 200,
        "{written:?}"
    );
    assert!(
        written[2].0 == "session-state.yaml" && written.len() == 3,
        "{written:?}"
    );
    desk.say(&place, 1, "The last.");
    let after = desk.text(&place, "stage-4-draft.md");
    assert_eq!(after, before + "\nThe last.\n");
    assert!(desk.state(&place).contains("completed_paragraphs: 10002\n"));
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

/// The bytes that this thread has handed to the system to write, where the system counts them.
#[cfg(target_os = "linux")]
#[expect(
    clippy::disallowed_methods,
    reason = "what the system counts is in a file of its own"
)]
fn bytes_written() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "))?;
    line.trim().parse().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn a_paragraph_on_a_draft_of_100000_words_writes_little_to_a_real_disk() {
    use segno_store::settings::Settings;
    use segno_store::workspace::Workspace;

    let Some(_) = bytes_written() else {
        let skipped = segno_testkit::skip::skip("SEGNO_NO_SKIP", "the system does not count bytes");
        return skipped.unwrap();
    };
    let desk = Desk::new();
    let place = long(&desk);
    let dir = tempfile::tempdir().unwrap();
    let disk = segno_disk::RealDisk::open(dir.path()).unwrap();
    let volume = segno_disk::Volume::new(&disk, essay_desk::path(".segno"));
    for (file, bytes) in desk.disk.files() {
        if file.as_str().starts_with(essay_desk::DIR) {
            let (basis, access) = (segno_disk::Basis::Any, segno_disk::Access::Shared);
            volume
                .commit(&[Change::replace(file, bytes, basis, access)])
                .unwrap();
        }
    }
    let draft = disk_len(&disk, &place);
    let workspace = Workspace::new(&disk, Settings::default());
    let before = bytes_written().unwrap();
    let input = paragraph_input(1, "The last.");
    let plan = |cx: &segno_store::formats::Context<'_>| essay::paragraph(cx, &place, &input);
    workspace
        .write(&place, &desk.now, &essay_desk::writer(), plan)
        .unwrap();
    let wrote = bytes_written().unwrap() - before;
    assert!(draft > 450_000, "{draft}");
    assert!(wrote < 20_000, "{wrote} bytes for a paragraph");
}

#[cfg(target_os = "linux")]
fn disk_len(disk: &segno_disk::RealDisk, place: &Place) -> u64 {
    use segno_disk::ReadDisk as _;
    let draft = place.path.join("stage-4-draft.md").unwrap();
    disk.stat(&draft).unwrap().unwrap().len
}

#[test]
fn an_outline_of_500_sections_is_taken_argued_and_recovered() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    let titles: Vec<String> = (1..=500).map(|n| format!("Part {n}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    desk.outline(&place, &titles);
    assert!(desk.state(&place).contains("total_sections: 500\n"));
    desk.argue(&place, 500);
    desk.say(&place, 500, "The end comes first.");
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    desk.drop_file(&place, "session-state.yaml");
    desk.drop_file(&place, "session-state.yaml.bak");
    desk.recover(&place, &RecoverOptions::default());
    let state = desk.state(&place);
    assert!(
        state.contains("      - section_index: 500\n        status: \"completed\"\n"),
        "{state}"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn windows_line_ends_stay_in_every_artifact_and_in_what_is_added() {
    let desk = Desk::new();
    let place = desk.begin();
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let mut thesis = thesis_input();
    thesis.text = crlf(&thesis.text);
    desk.write(&place, |cx| essay::thesis(cx, &place, &thesis))
        .unwrap();
    desk.write(&place, |cx| {
        essay::outline(cx, &place, &crlf(&outline_text(&["Sea", "Town"])))
    })
    .unwrap();
    for section in [1, 2] {
        let mut map = argument_input(section, true);
        map.text = crlf(&map.text);
        desk.write(&place, |cx| essay::argument(cx, &place, &map))
            .unwrap();
    }
    desk.say(&place, 1, "One,\r\nin two lines.");
    let draft = crlf(&desk.text(&place, "stage-4-draft.md"));
    desk.put(&place, "stage-4-draft.md", &draft);
    desk.say(&place, 1, "Two,\nalso in two.");
    desk.say(&place, 2, "Three.");
    desk.done(&place, 1);
    for name in [
        "stage-1-thesis.md",
        "stage-2-outline.md",
        "stage-3-section-1-arguments.md",
        "stage-4-draft.md",
    ] {
        let text = desk.text(&place, name);
        assert_eq!(
            text.matches('\n').count(),
            text.matches("\r\n").count(),
            "{name}: {text:?}"
        );
    }
    let state = desk.state(&place);
    assert!(
        state.contains("claim_type: \"argument\"") && state.contains("completed_paragraphs: 2\n"),
        "{state}"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn other_heading_levels_and_styles_are_read_alike() {
    for (from, to) in [("### ", "#### "), ("### ", "## "), ("## ", "# ")] {
        let desk = Desk::new();
        let place = desk.begin();
        let mut thesis = thesis_input();
        thesis.text = thesis.text.replace(from, to);
        desk.write(&place, |cx| essay::thesis(cx, &place, &thesis))
            .unwrap();
        let outline = outline_text(&["Sea", "Town"]).replace(from, to);
        desk.write(&place, |cx| essay::outline(cx, &place, &outline))
            .unwrap();
        let map = ArgumentInput {
            section: 2,
            text: format!("{}\n## Approved By User\n\nYes\n", essay_desk::map_text(2))
                .replace(from, to),
            approved: false,
        };
        desk.write(&place, |cx| essay::argument(cx, &place, &map))
            .unwrap();
        let state = desk.state(&place);
        for expected in [
            "total_sections: 2\n    target_word_count: 900\n    audience: \"general\"",
            "status: \"completed\"\n        argument_map_file",
            "verified_claims: 1\n",
        ] {
            assert!(state.contains(expected), "{to}: {expected}\n{state}");
        }
    }
}

#[test]
fn a_draft_without_sections_is_refused() {
    let desk = Desk::new();
    let place = desk.written();
    let input = ReviseInput {
        stage: 4,
        text: "Only a paragraph.\n".to_owned(),
        impact: None,
        sections: Vec::new(),
        reason: "r".to_owned(),
    };
    let refused = desk.write(&place, |cx| essay::revise(cx, &place, &input));
    assert!(
        matches!(&refused, Err(StoreError::Said(said)) if said.what.to_string() == "the draft has no sections"),
        "{refused:?}"
    );
}

#[test]
fn a_state_that_is_yaml_of_another_shape_is_reported_and_never_written_to() {
    for other in [
        "",
        "just a line\n",
        "- a\n- list\n",
        "42\n",
        "stages: 3\n",
        "stages: [1, 2]\n",
        "name: other\nsteps: {}\n",
    ] {
        let desk = Desk::new();
        let place = desk.written();
        desk.put(&place, "session-state.yaml", other);
        assert_eq!(desk.codes(&place), ["not_essay_state"], "{other:?}");
        let refused = desk.write(&place, |cx| essay::pause(cx, &place));
        assert!(
            matches!(refused, Err(StoreError::Damaged { .. })),
            "{other:?}: {refused:?}"
        );
        assert_eq!(desk.state(&place), other);
        desk.recover(&place, &RecoverOptions::default());
        assert_eq!(desk.text(&place, "session-state.yaml.damaged.1"), other);
        assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    }
}
