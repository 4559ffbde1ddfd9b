//! Revisions: the three levels of impact, the archive, the history.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{Desk, map_text, outline_text, thesis_input};
use segno_store::formats::essay::{self, Impact, ReviseInput, Version};

fn revision(stage: u64, text: String, impact: Option<Impact>, sections: &[u64]) -> ReviseInput {
    ReviseInput {
        stage,
        text,
        impact,
        sections: sections.to_vec(),
        reason: "the author asked".to_owned(),
    }
}

fn status_of(state: &str, stage: u32) -> &str {
    let at = state
        .find(&format!("  stage_{stage}:\n    status: \""))
        .unwrap();
    let rest = &state[at..];
    rest.split('"').nth(1).unwrap()
}

#[test]
fn minor_impact_flags_downstream_artifacts_and_archives_none_of_them() {
    let desk = Desk::new();
    let place = desk.written();
    let text = thesis_input().text.replace(
        "will feed coastal towns",
        "will surely feed the coastal towns",
    );
    let input = revision(1, text, None, &[]);
    let shown = desk.read(|cx| essay::assess(cx, &place, &input)).unwrap();
    assert_eq!((shown.proposed, shown.archived.len()), (Impact::Minor, 0));
    assert!(
        !desk.has(&place, "stage-1-thesis.v1.md"),
        "assessing writes nothing"
    );
    desk.write(&place, |cx| essay::revise(cx, &place, &input))
        .unwrap();
    let state = desk.state(&place);
    let statuses: Vec<&str> = (1..=4).map(|stage| status_of(&state, stage)).collect();
    assert_eq!(
        statuses,
        ["completed", "needs_review", "needs_review", "needs_review"]
    );
    assert!(desk.has(&place, "stage-1-thesis.v1.md") && desk.has(&place, "stage-2-outline.md"));
    assert!(state.contains("  - stage_revisited: 1\n    impact: \"minor\"\n    reason: \"the author asked\"\n    downstream_archived: []\n"), "{state}");
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    for stage in [2, 3, 4] {
        desk.write(&place, |cx| essay::review(cx, &place, stage, None))
            .unwrap();
    }
    assert!(
        !desk
            .state(&place)
            .replace("# not_started | in_progress | completed | needs_review", "")
            .contains("needs_review")
    );
}

#[test]
fn moderate_impact_archives_the_affected_artifacts_and_flags_their_stages() {
    let desk = Desk::new();
    let place = desk.written();
    let input = revision(
        2,
        outline_text(&["The Sea", "The Harbour and its ships"]),
        None,
        &[],
    );
    let done = desk
        .write(&place, |cx| essay::revise(cx, &place, &input))
        .unwrap()
        .outcome;
    assert_eq!(done.impact, Impact::Moderate);
    let archived: Vec<&str> = done.archived.iter().map(|(_, to)| to.as_str()).collect();
    assert_eq!(
        archived,
        ["stage-3-section-2-arguments.v1.md", "stage-4-draft.v1.md"]
    );
    let state = desk.state(&place);
    let statuses: Vec<&str> = (1..=4).map(|stage| status_of(&state, stage)).collect();
    assert_eq!(
        statuses,
        ["completed", "completed", "needs_review", "needs_review"]
    );
    assert!(
        desk.text(&place, "stage-4-draft.v1.md")
            .contains("The town is hungry.")
    );
    assert!(
        !desk
            .text(&place, "stage-4-draft.md")
            .contains("The town is hungry.")
    );
    assert!(
        desk.text(&place, "stage-4-draft.md")
            .contains("It never forgets."),
        "what is not affected stays"
    );
    assert!(
        desk.check(&place).is_empty(),
        "no path dangles: {:?}",
        desk.check(&place)
    );
    desk.argue(&place, 2);
    desk.say(&place, 2, "The harbour is full.");
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn major_impact_archives_everything_downstream_and_restarts_from_the_revised_stage() {
    let desk = Desk::new();
    let place = desk.written();
    let input = revision(
        1,
        thesis_input().text.replace("argument", "explainer"),
        None,
        &[],
    );
    let done = desk
        .write(&place, |cx| essay::revise(cx, &place, &input))
        .unwrap()
        .outcome;
    assert_eq!(
        (done.proposed, done.why),
        (
            Impact::Major,
            essay::Why::ClaimType {
                from: essay::ClaimType::Argument,
                to: essay::ClaimType::Explainer
            }
        )
    );
    let archived: Vec<&str> = done.archived.iter().map(|(_, to)| to.as_str()).collect();
    assert_eq!(
        archived,
        [
            "stage-2-outline.v1.md",
            "stage-3-section-1-arguments.v1.md",
            "stage-3-section-2-arguments.v1.md",
            "stage-4-draft.v1.md",
            "stage-4-paragraph-log.v1.md"
        ]
    );
    let state = desk.state(&place);
    let statuses: Vec<&str> = (1..=4).map(|stage| status_of(&state, stage)).collect();
    assert_eq!(
        statuses,
        ["completed", "not_started", "not_started", "not_started"]
    );
    assert!(
        state.contains("downstream_archived: [\"stage-2-outline.v1.md\", "),
        "{state}"
    );
    assert!(state.contains("current_stage: 1 "), "{state}");
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    desk.outline(&place, &["Anew"]);
    desk.argue(&place, 1);
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn versions_count_up_and_two_of_them_can_be_compared() {
    let desk = Desk::new();
    let place = desk.written();
    for word in ["surely", "certainly"] {
        let text = thesis_input()
            .text
            .replace("will feed", &format!("will {word} feed"));
        let input = revision(1, text, Some(Impact::Minor), &[]);
        desk.write(&place, |cx| essay::revise(cx, &place, &input))
            .unwrap();
    }
    let history = desk.read(|cx| essay::history(cx, &place)).unwrap();
    let thesis = history
        .artifacts
        .iter()
        .find(|one| one.name == "stage-1-thesis.md")
        .unwrap();
    assert_eq!(
        (thesis.archived.as_slice(), thesis.current),
        ([1, 2].as_slice(), true)
    );
    assert_eq!(history.revisions.len(), 2);
    let diff = desk
        .read(|cx| essay::compare(cx, &place, "thesis", Version::Archived(2), Version::Current))
        .unwrap();
    let changed: Vec<String> = diff
        .iter()
        .filter(|line| line.mark() != ' ' && line.mark() != '@')
        .map(|line| format!("{}{}", line.mark(), line.text))
        .collect();
    assert_eq!(
        changed,
        [
            "-Tidal power will surely feed coastal towns.",
            "+Tidal power will certainly feed coastal towns."
        ]
    );
}

#[test]
fn a_map_is_revised_one_section_at_a_time_and_the_same_text_is_no_revision() {
    let desk = Desk::new();
    let place = desk.written();
    let input = revision(3, map_text(1), None, &[]);
    assert!(
        desk.write(&place, |cx| essay::revise(cx, &place, &input))
            .is_err(),
        "which section?"
    );
    let changed = map_text(2).replace("Claim number 2 holds", "Ships are what matters");
    let done = desk
        .write(&place, |cx| {
            essay::revise(cx, &place, &revision(3, changed.clone(), None, &[2]))
        })
        .unwrap()
        .outcome;
    assert_eq!(done.impact, Impact::Moderate);
    assert!(desk.has(&place, "stage-3-section-2-arguments.v1.md"));
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    let same = desk.text(&place, "stage-3-section-2-arguments.md");
    assert!(
        desk.write(&place, |cx| essay::revise(
            cx,
            &place,
            &revision(3, same.clone(), None, &[2])
        ))
        .is_err()
    );
}

/// A finished essay: every stage completed, every artifact there.
fn finished(desk: &Desk) -> segno_store::formats::Place {
    let place = desk.written();
    desk.done(&place, 2);
    let accepted = essay::FinishInput {
        without_voice_check: true,
        ..essay::FinishInput::default()
    };
    desk.write(&place, |cx| essay::finish(cx, &place, accepted))
        .unwrap();
    place
}

/// A text of the stage that differs from the present one.
fn changed(desk: &Desk, place: &segno_store::formats::Place, stage: u64) -> String {
    match stage {
        1 => thesis_input().text.replace("will feed", "will surely feed"),
        2 => outline_text(&["The Sea", "The Town"]).replace("900 words", "950 words"),
        3 => map_text(2).replace("YES", "PARTIAL"),
        _ => desk
            .text(place, "stage-4-draft.md")
            .replace("hungry", "very hungry"),
    }
}

#[test]
fn every_impact_on_every_stage_flags_archives_and_resets_as_the_document_says() {
    const C: &str = "completed";
    const R: &str = "needs_review";
    const N: &str = "not_started";
    let check =
        |stage: u64, impact: Impact, sections: &[u64], statuses: [&str; 4], gone: &[&str]| {
            let desk = Desk::new();
            let place = finished(&desk);
            let input = revision(stage, changed(&desk, &place, stage), Some(impact), sections);
            let before = desk.disk.files();
            let shown = desk.read(|cx| essay::assess(cx, &place, &input)).unwrap();
            assert_eq!(desk.disk.files(), before, "assessing changes nothing");
            let done = desk
                .write(&place, |cx| essay::revise(cx, &place, &input))
                .unwrap()
                .outcome;
            assert_eq!(done, shown, "what is shown is what is done");
            let state = desk.state(&place);
            let what = format!("stage {stage}, {impact}\n{state}");
            let found = [1, 2, 3, 4].map(|stage| status_of(&state, stage));
            assert_eq!(found, statuses, "{what}");
            let archived: Vec<String> = gone.iter().map(|stem| format!("{stem}.v1.md")).collect();
            let named: Vec<&str> = done.archived.iter().map(|(_, to)| to.as_str()).collect();
            assert_eq!(named, archived, "{what}");
            for name in &archived {
                assert!(desk.has(&place, name), "{name}: {what}");
                assert!(state.contains(&format!("\"{name}\"")), "{name}: {what}");
            }
            let logged = format!("- stage_revisited: {stage}\n    impact: \"{impact}\"\n");
            assert!(state.contains(&logged), "{what}");
            let at = if impact == Impact::Major { stage } else { 4 };
            assert!(state.contains(&format!("current_stage: {at} ")), "{what}");
            assert!(
                desk.check(&place).is_empty(),
                "{what} {:?}",
                desk.check(&place)
            );
        };
    let maps = ["stage-3-section-1-arguments", "stage-3-section-2-arguments"];
    let [one, two] = maps;
    let (outline, draft, log) = ("stage-2-outline", "stage-4-draft", "stage-4-paragraph-log");
    let essay = "final-essay";
    check(1, Impact::Minor, &[], [C, R, R, R], &[]);
    check(
        1,
        Impact::Moderate,
        &[2],
        [C, R, R, R],
        &[outline, two, draft, essay],
    );
    check(
        1,
        Impact::Major,
        &[],
        [C, N, N, N],
        &[outline, one, two, draft, log, essay],
    );
    check(2, Impact::Minor, &[], [C, C, R, R], &[]);
    check(
        2,
        Impact::Moderate,
        &[2],
        [C, C, R, R],
        &[two, draft, essay],
    );
    check(
        2,
        Impact::Major,
        &[],
        [C, C, N, N],
        &[one, two, draft, log, essay],
    );
    check(3, Impact::Minor, &[2], [C, C, C, R], &[]);
    check(3, Impact::Moderate, &[2], [C, C, C, R], &[draft, essay]);
    check(3, Impact::Major, &[2], [C, C, C, N], &[draft, log, essay]);
    check(4, Impact::Minor, &[], [C, C, C, C], &[]);
    check(4, Impact::Moderate, &[], [C, C, C, C], &[essay]);
    check(4, Impact::Major, &[], [C, C, C, C], &[essay]);
}

#[test]
fn a_version_takes_the_next_free_number_and_never_the_place_of_another() {
    let desk = Desk::new();
    let place = desk.written();
    desk.put(&place, "stage-1-thesis.v3.md", "of another program");
    desk.put(&place, "stage-2-outline.v1.md", "of another program");
    let text = thesis_input().text.replace("argument", "explainer");
    let done = desk
        .write(&place, |cx| {
            essay::revise(cx, &place, &revision(1, text.clone(), None, &[]))
        })
        .unwrap()
        .outcome;
    assert_eq!(done.own_version.as_deref(), Some("stage-1-thesis.v4.md"));
    assert_eq!(
        done.archived[0],
        (
            "stage-2-outline.md".to_owned(),
            "stage-2-outline.v2.md".to_owned()
        )
    );
    for name in ["stage-1-thesis.v3.md", "stage-2-outline.v1.md"] {
        assert_eq!(desk.text(&place, name), "of another program");
    }
}

#[test]
fn a_map_that_was_never_approved_is_not_completed_by_a_review() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["A", "B"]);
    desk.argue(&place, 1);
    desk.write(&place, |cx| {
        essay::argument(cx, &place, &essay_desk::argument_input(2, false))
    })
    .unwrap();
    let input = revision(1, changed(&desk, &place, 1), Some(Impact::Minor), &[]);
    desk.write(&place, |cx| essay::revise(cx, &place, &input))
        .unwrap();
    desk.write(&place, |cx| essay::review(cx, &place, 3, None))
        .unwrap();
    let state = desk.state(&place);
    for (section, status) in [(1, "completed"), (2, "in_progress")] {
        let row = format!("- section_index: {section}\n        status: \"{status}\"\n");
        assert!(state.contains(&row), "{row}{state}");
    }
}

#[test]
fn the_paragraph_log_follows_a_revision() {
    let desk = Desk::new();
    let place = desk.written();
    let cut = revision(2, changed(&desk, &place, 2), Some(Impact::Moderate), &[1]);
    desk.write(&place, |cx| essay::revise(cx, &place, &cut))
        .unwrap();
    let log = desk.text(&place, "stage-4-paragraph-log.md");
    assert!(
        log.ends_with(
            "## Section 1\n\n- **User action**: Revised\n- **Paragraphs in the draft**: 0\n"
        ),
        "{log}"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    let text = desk.text(&place, "stage-4-draft.md") + "\nAnother of the town.\n";
    let more = revision(4, text, None, &[]);
    desk.write(&place, |cx| essay::revise(cx, &place, &more))
        .unwrap();
    let log = desk.text(&place, "stage-4-paragraph-log.md");
    assert!(
        log.ends_with(
            "## Section 2\n\n- **User action**: Revised\n- **Paragraphs in the draft**: 2\n"
        ),
        "{log}"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn a_section_removed_by_a_revision_takes_its_arguments_into_the_archive() {
    let desk = Desk::new();
    let place = desk.written();
    let shorter = outline_text(&["The Sea"]);
    let minor = revision(2, shorter.clone(), Some(Impact::Minor), &[]);
    assert!(
        desk.write(&place, |cx| essay::revise(cx, &place, &minor))
            .is_err(),
        "wording only cannot take a section away"
    );
    let proposed = revision(2, shorter, None, &[]);
    let done = desk
        .write(&place, |cx| essay::revise(cx, &place, &proposed))
        .unwrap()
        .outcome;
    assert_eq!(done.impact, Impact::Moderate);
    assert!(
        desk.has(&place, "stage-3-section-2-arguments.v1.md")
            && !desk.has(&place, "stage-3-section-2-arguments.md")
    );
    assert!(desk.state(&place).contains("total_sections: 1\n"));
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn rows_of_sections_shrink_and_are_begun_anew_without_a_trace_of_the_old_ones() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["A", "B", "C", "D"]);
    desk.argue(&place, 3);
    for (titles, impact) in [
        (&["A", "B", "C"][..], Impact::Minor),
        (&["X"], Impact::Major),
    ] {
        let input = revision(2, outline_text(titles), Some(impact), &[]);
        desk.write(&place, |cx| essay::revise(cx, &place, &input))
            .unwrap();
        let state = desk.state(&place);
        let rows: Vec<&str> = state
            .lines()
            .filter_map(|line| line.strip_prefix("      - section_index: "))
            .collect();
        let expected: Vec<String> = (1..=titles.len()).map(|n| n.to_string()).collect();
        assert_eq!(rows, expected, "{state}");
        assert_eq!(
            state.contains("stage-3-section-3-arguments.md\""),
            impact == Impact::Minor,
            "{state}"
        );
        assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    }
}
