//! The three levels of recovery, the validation table, and damage of every sort.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{Desk, paragraph_input};
use segno_store::StoreError;
use segno_store::formats::essay::{self, Essay};
use segno_store::formats::{Format, RecoverOptions};

const LEVEL_1: &str = "Session state recovered from backup. Last state update may be lost.";
const LEVEL_2: &str =
    "Session state reconstructed from artifact files. Some metadata may be approximate.";
const LEVEL_3: &str = "Session state could not be automatically recovered.";

fn all() -> RecoverOptions {
    RecoverOptions::default()
}

fn at(stage: u32, section: Option<u32>) -> RecoverOptions {
    RecoverOptions {
        stage: Some(stage),
        section,
        ..RecoverOptions::default()
    }
}

#[test]
fn level_1_takes_the_backup_and_keeps_the_damaged_file() {
    let desk = Desk::new();
    let place = desk.written();
    let backup = desk.text(&place, "session-state.yaml.bak");
    desk.put(&place, "session-state.yaml", "pipeline_id: [torn");
    let error = desk
        .write(&place, |cx| essay::approve(cx, &place))
        .unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    let report = desk.recover(&place, &all()).outcome;
    assert_eq!(report.done[0], LEVEL_1);
    assert!(report.left.is_empty(), "{:?}", report.left);
    assert_eq!(
        desk.text(&place, "session-state.yaml.damaged.1"),
        "pipeline_id: [torn"
    );
    assert_eq!(
        desk.text(&place, "session-state.yaml.bak"),
        backup,
        "the backup stays the previous valid state"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    // The paragraph of the lost update is in the draft, so the state counts it.
    assert!(
        desk.state(&place).contains("completed_paragraphs: 1\n"),
        "{}",
        desk.state(&place)
    );
    desk.done(&place, 2);
}

#[test]
fn level_2_rebuilds_every_field_that_the_artifacts_hold() {
    let desk = Desk::new();
    let place = desk.written();
    desk.put(&place, "session-state.yaml", [0xff, 0xfe, 0x00]);
    desk.put(&place, "session-state.yaml.bak", "- a list\n");
    let report = desk.recover(&place, &all()).outcome;
    assert_eq!(report.done[0], LEVEL_2);
    assert!(
        report
            .unknown
            .iter()
            .any(|text| text.starts_with("pushback_level")),
        "{:?}",
        report.unknown
    );
    let state = desk.state(&place);
    for expected in [
        "started_at: \"2026-02-14T14:30:22Z\"",
        "claim_type: \"argument\"",
        "total_sections: 2\n    target_word_count: 900\n    audience: \"general\"",
        "      - section_index: 2\n        status: \"completed\"\n        argument_map_file: \"essays/essay-pipeline-20260214-143022/stage-3-section-2-arguments.md\"\n        verified_claims: 1\n",
        "birds_eye_approved: true",
        "      - section_index: 1\n        total_paragraphs: 2\n        completed_paragraphs: 2\n        status: \"completed\"\n",
        "    current_section: 2\n    current_paragraph: 2\n",
    ] {
        assert!(state.contains(expected), "{expected} is not in\n{state}");
    }
    assert_eq!(
        desk.text(&place, "session-state.yaml.bak.damaged.1"),
        "- a list\n"
    );
    assert!(desk.has(&place, "session-state.yaml.damaged.1"));
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    desk.done(&place, 2);
}

#[test]
fn level_3_lists_what_is_there_and_goes_where_the_user_says() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.put(&place, "session-state.yaml", "}{");
    desk.put(&place, "notes.txt", "mine");
    let report = desk.recover(&place, &all()).outcome;
    assert!(
        report.done.is_empty() && report.left[0].found.starts_with(LEVEL_3),
        "{report:?}"
    );
    assert!(
        report.left[0].repair.text().contains("notes.txt"),
        "{report:?}"
    );
    assert_eq!(
        desk.text(&place, "session-state.yaml"),
        "}{",
        "nothing is touched before the user says so"
    );
    let report = desk.recover(&place, &at(3, Some(2))).outcome;
    assert!(
        report
            .done
            .iter()
            .any(|text| text == "goes on at Stage 3, Section 2"),
        "{report:?}"
    );
    assert!(
        desk.state(&place).contains("current_stage: 3"),
        "{}",
        desk.state(&place)
    );
    assert_eq!(desk.text(&place, "session-state.yaml.damaged.1"), "}{");
}

#[test]
fn damage_to_the_primary_then_to_both_then_artifacts_removed_one_by_one_recovers_to_the_stated_level()
 {
    let desk = Desk::new();
    let place = desk.written();
    desk.put(&place, "session-state.yaml", "\tnot yaml");
    assert_eq!(desk.recover(&place, &all()).outcome.done[0], LEVEL_1);
    let artifacts = [
        "stage-4-paragraph-log.md",
        "stage-4-draft.md",
        "stage-3-section-2-arguments.md",
        "stage-3-section-1-arguments.md",
        "stage-2-outline.md",
        "stage-1-thesis.md",
    ];
    for gone in artifacts {
        desk.put(&place, "session-state.yaml", "broken: [");
        desk.put(&place, "session-state.yaml.bak", "broken: {");
        let report = desk.recover(&place, &all()).outcome;
        assert_eq!(report.done[0], LEVEL_2, "before {gone} goes");
        assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
        desk.drop_file(&place, gone);
        let report = desk.recover(&place, &all()).outcome;
        assert!(report.left.is_empty(), "{gone}: {:?}", report.left);
        assert!(
            desk.check(&place).is_empty(),
            "{gone}: {:?}",
            desk.check(&place)
        );
    }
    desk.put(&place, "session-state.yaml", "broken: [");
    desk.put(&place, "session-state.yaml.bak", "broken: {");
    let report = desk.recover(&place, &all()).outcome;
    assert!(report.left[0].found.starts_with(LEVEL_3), "{report:?}");
    assert_eq!(desk.recover(&place, &at(1, None)).outcome.left, []);
    desk.thesis(&place);
}

#[test]
fn a_missing_state_is_recovered_like_a_broken_one() {
    let desk = Desk::new();
    let place = desk.written();
    desk.drop_file(&place, "session-state.yaml");
    assert_eq!(desk.codes(&place), ["missing_state"]);
    assert_eq!(desk.recover(&place, &all()).outcome.done[0], LEVEL_1);
    desk.drop_file(&place, "session-state.yaml");
    desk.drop_file(&place, "session-state.yaml.bak");
    assert_eq!(desk.recover(&place, &all()).outcome.done[0], LEVEL_2);
}

#[test]
fn row_stage_marked_completed_its_artifact_exists() {
    let desk = Desk::new();
    let place = desk.written();
    desk.drop_file(&place, "stage-1-thesis.md");
    assert_eq!(desk.codes(&place), ["stage_artifact_missing"]);
    assert!(desk.recover(&place, &all()).outcome.left.is_empty());
    assert!(
        desk.state(&place)
            .contains("  stage_1:\n    status: \"needs_review\""),
        "{}",
        desk.state(&place)
    );
}

#[test]
fn row_section_marked_completed_its_argument_map_exists() {
    let desk = Desk::new();
    let place = desk.written();
    desk.drop_file(&place, "stage-3-section-2-arguments.md");
    assert_eq!(desk.codes(&place), ["argument_map_missing"]);
    desk.recover(&place, &all());
    assert!(desk.codes(&place).is_empty());
}

#[test]
fn row_current_section_is_within_1_to_total_sections() {
    let desk = Desk::new();
    let place = desk.written();
    desk.edit(
        &place,
        "current_section: 2\n    current_paragraph: 2",
        "current_section: 9\n    current_paragraph: 1",
    );
    assert_eq!(desk.codes(&place), ["section_out_of_range"]);
    desk.recover(&place, &all());
    assert!(desk.codes(&place).is_empty(), "{:?}", desk.check(&place));
    assert!(desk.state(&place).contains("current_section: 2\n"));
}

#[test]
fn row_current_paragraph_is_within_a_reasonable_range() {
    let desk = Desk::new();
    let place = desk.written();
    desk.edit(&place, "current_paragraph: 2", "current_paragraph: 70");
    assert_eq!(desk.codes(&place), ["paragraph_out_of_range"]);
    desk.recover(&place, &all());
    assert!(desk.state(&place).contains("current_paragraph: 2\n"));
}

#[test]
fn row_all_referenced_files_exist() {
    let desk = Desk::new();
    let place = desk.written();
    desk.drop_file(&place, "stage-4-paragraph-log.md");
    assert_eq!(desk.codes(&place), ["file_missing"]);
    desk.recover(&place, &all());
    assert!(desk.codes(&place).is_empty());
}

#[test]
fn row_no_stage_is_completed_while_a_prerequisite_is_not_started() {
    let desk = Desk::new();
    let place = desk.written();
    desk.edit(
        &place,
        "  stage_2:\n    status: \"completed\"",
        "  stage_2:\n    status: \"not_started\"",
    );
    assert_eq!(desk.codes(&place), ["prerequisite_not_started"]);
    desk.recover(&place, &all());
    assert!(desk.codes(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn an_artifact_without_its_state_entry_is_recorded_and_loses_nothing() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.put(&place, "stage-1-thesis.md", essay_desk::thesis_input().text);
    assert_eq!(desk.codes(&place), ["unrecorded_artifact"]);
    let safe = RecoverOptions {
        safe_only: true,
        ..RecoverOptions::default()
    };
    assert!(desk.recover(&place, &safe).outcome.left.is_empty());
    assert!(desk.state(&place).contains("claim_type: \"argument\""));
    desk.outline(&place, &["A"]);
    desk.argue(&place, 1);
    desk.say(&place, 1, "One.");
    let draft = desk.text(&place, "stage-4-draft.md");
    desk.put(
        &place,
        "stage-4-draft.md",
        format!("{draft}\nTwo, by hand.\n"),
    );
    assert_eq!(
        desk.codes(&place),
        ["paragraphs_differ", "paragraph_log_differs"]
    );
    desk.recover(&place, &safe);
    assert!(desk.state(&place).contains("completed_paragraphs: 2\n"));
    desk.write(&place, |cx| {
        essay::paragraph(cx, &place, &paragraph_input(1, "Three."))
    })
    .unwrap();
    assert!(desk.codes(&place).is_empty());
}

#[test]
fn a_path_that_leads_outside_the_session_is_refused_and_never_opened() {
    let desk = Desk::new();
    let place = desk.written();
    let own = "thesis_file: \"essays/essay-pipeline-20260214-143022/stage-1-thesis.md\"";
    for bad in [
        "/etc/passwd",
        "../../secret.md",
        "essays/essay-pipeline-other/stage-1-thesis.md",
    ] {
        desk.edit(&place, own, &format!("thesis_file: \"{bad}\""));
        assert!(
            desk.codes(&place).contains(&"path_outside"),
            "{bad}: {:?}",
            desk.check(&place)
        );
        desk.recover(&place, &all());
        assert!(
            desk.codes(&place).is_empty(),
            "{bad}: {:?}",
            desk.check(&place)
        );
        assert!(
            desk.state(&place).contains(own),
            "the artifact of that name is taken again"
        );
    }
    desk.edit(
        &place,
        own,
        "thesis_file: \"/tmp/essay-pipeline-20260214-143022/stage-1-thesis.md\"",
    );
    assert!(
        desk.codes(&place).is_empty(),
        "a path written for another root still means the same file"
    );
}

#[test]
fn a_section_removed_from_the_outline_while_its_arguments_exist_is_reported() {
    let desk = Desk::new();
    let place = desk.written();
    desk.put(
        &place,
        "stage-2-outline.md",
        essay_desk::outline_text(&["The Sea"]),
    );
    assert!(
        desk.codes(&place).contains(&"section_not_in_outline"),
        "{:?}",
        desk.check(&place)
    );
}

#[test]
fn single_bad_values_are_reported_with_their_line_and_left_alone() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.edit(&place, "current_stage: 1", "current_stage: soon");
    desk.edit(&place, "revision_history: []", "revision_history: 7");
    let problems = desk.check(&place);
    assert_eq!(
        desk.codes(&place),
        ["bad_value", "bad_value"],
        "{problems:?}"
    );
    assert_eq!(problems[0].line, Some(14));
    desk.write(&place, |cx| essay::pause(cx, &place)).unwrap();
    assert!(
        desk.state(&place).contains("current_stage: soon")
            && desk.state(&place).contains("revision_history: 7")
    );
    assert!(desk.read(|cx| Essay.card(cx, &place)).is_ok());
}

#[test]
fn the_paragraph_log_is_brought_in_line_with_the_draft() {
    let safe = RecoverOptions {
        safe_only: true,
        ..RecoverOptions::default()
    };
    // What a person made of the draft, and what the state and the log say of section 2 afterwards.
    for (from, to, paragraphs) in [
        ("hungry.\n", "hungry.\n\nAnother, by hand.\n", 2),
        ("The town is hungry.\n", "", 0),
    ] {
        let desk = Desk::new();
        let place = desk.written();
        let draft = desk.text(&place, "stage-4-draft.md").replace(from, to);
        desk.put(&place, "stage-4-draft.md", &draft);
        let log = desk.text(&place, "stage-4-paragraph-log.md");
        assert_eq!(
            desk.codes(&place),
            ["paragraphs_differ", "paragraph_log_differs"]
        );
        let report = desk.recover(&place, &safe).outcome;
        assert!(report.left.is_empty(), "{report:?}");
        assert_eq!(desk.text(&place, "stage-4-draft.md"), draft);
        let noted = desk.text(&place, "stage-4-paragraph-log.md");
        assert!(noted.starts_with(&log), "the log is only appended to");
        assert!(
            noted.ends_with(&format!("- **Paragraphs in the draft**: {paragraphs}\n")),
            "{noted}"
        );
        assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
        desk.say(&place, 2, "It goes on.");
        assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    }
}

#[test]
fn a_log_of_another_shape_says_nothing_of_the_draft() {
    let desk = Desk::new();
    let place = desk.written();
    desk.put(
        &place,
        "stage-4-paragraph-log.md",
        "# My notes\n\nFirst paragraph went well.\n",
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn a_log_alone_that_differs_is_noted_without_touching_the_state() {
    let desk = Desk::new();
    let place = desk.written();
    let log = desk.text(&place, "stage-4-paragraph-log.md");
    let (log, _) = log.split_once("\n## Section 2").unwrap();
    desk.put(&place, "stage-4-paragraph-log.md", log);
    assert_eq!(desk.codes(&place), ["paragraph_log_differs"]);
    let state = desk.state(&place);
    let done = desk.recover(&place, &all());
    assert_eq!(done.receipt.written.len(), 1, "{done:?}");
    assert_eq!(desk.state(&place), state);
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

/// Damages one thing of a session whose stage 4 is under way.
type Damage = fn(&Desk, &segno_store::formats::Place);

#[test]
fn every_row_of_the_table_is_asked_about_when_the_session_is_resumed() {
    let rows: [(&str, Damage); 7] = [
        ("stage_artifact_missing", |desk, place| {
            desk.drop_file(place, "stage-2-outline.md");
        }),
        ("argument_map_missing", |desk, place| {
            desk.drop_file(place, "stage-3-section-1-arguments.md");
        }),
        ("section_out_of_range", |desk, place| {
            desk.edit(
                place,
                "current_section: 2\n    current_paragraph: 2",
                "current_section: 0\n    current_paragraph: 1",
            );
        }),
        ("paragraph_out_of_range", |desk, place| {
            desk.edit(place, "current_paragraph: 2", "current_paragraph: 0");
        }),
        ("file_missing", |desk, place| {
            desk.drop_file(place, "stage-4-draft.md");
        }),
        ("path_outside", |desk, place| {
            let own = "thesis_file: \"essays/essay-pipeline-20260214-143022/stage-1-thesis.md\"";
            desk.edit(place, own, "thesis_file: \"../elsewhere.md\"");
        }),
        ("prerequisite_not_started", |desk, place| {
            let done = "  stage_1:\n    status: \"completed\"";
            desk.edit(place, done, "  stage_1:\n    status: \"not_started\"");
        }),
    ];
    for (code, damage) in rows {
        let desk = Desk::new();
        let place = desk.written();
        damage(&desk, &place);
        assert!(
            desk.codes(&place).contains(&code),
            "{code}: {:?}",
            desk.check(&place)
        );
        let options = segno_store::formats::ResumeOptions::default();
        let resumed = desk.write(&place, |cx| Essay.resume(cx, &place, &options));
        let warnings = resumed.unwrap().outcome.warnings;
        let asked = warnings.iter().find(|warning| warning.code == code);
        let asked = &asked.unwrap().text;
        assert!(
            asked.contains("How to proceed?") && asked.contains("segno recover"),
            "{code}: {asked}"
        );
        // One answer is a repair, another the place where the user wants to go on.
        desk.recover(&place, &all());
        assert!(
            desk.check(&place).is_empty(),
            "{code}: {:?}",
            desk.check(&place)
        );
        let place_named = desk.recover(&place, &at(1, None)).outcome;
        assert!(place_named.left.is_empty(), "{code}: {place_named:?}");
        assert!(desk.state(&place).contains("current_stage: 1 "), "{code}");
    }
}

#[test]
fn level_2_reads_back_claims_overrides_voice_and_output() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["Sea"]);
    let mut map = essay_desk::argument_input(1, true);
    map.text.push_str(
        "\n### Point 2: Late\n\n**Claim**: The sea is late\n**Verified**: DEFERRED\n\n## Deferred Verifications\n\n- The sea is late (timeout)\n",
    );
    desk.write(&place, |cx| essay::argument(cx, &place, &map))
        .unwrap();
    desk.approve(&place);
    desk.say(&place, 1, "One.");
    desk.done(&place, 1);
    let keep = essay::OverrideInput {
        claim: "Fish return".into(),
        result: "contested".into(),
        source: None,
        rationale: "seen it".into(),
    };
    desk.write(&place, |cx| essay::override_claim(cx, &place, &keep))
        .unwrap();
    for (section, score) in [(Some(1), 3.0), (None, 4.5)] {
        let voice = essay::VoiceInput {
            section,
            score: essay::Score::new(score),
            ..essay::VoiceInput::default()
        };
        desk.write(&place, |cx| essay::voice(cx, &place, &voice))
            .unwrap();
    }
    let settle = essay::ResolveInput {
        claim: "1".into(),
        result: "verified".into(),
        source: None,
    };
    desk.write(&place, |cx| essay::resolve(cx, &place, &settle))
        .unwrap();
    let gates = essay::FinishInput {
        overrides_confirmed: true,
        ..essay::FinishInput::default()
    };
    desk.write(&place, |cx| essay::finish(cx, &place, gates))
        .unwrap();
    let before = desk.state(&place);
    desk.put(&place, "session-state.yaml", "broken: [");
    desk.put(&place, "session-state.yaml.bak", "broken: {");
    assert_eq!(desk.recover(&place, &all()).outcome.done[0], LEVEL_2);
    let after = desk.state(&place);
    let block = |text: &str, from: &str| {
        let at = text.find(from).unwrap();
        text[at..].to_owned()
    };
    assert_eq!(block(&after, "\noutput:\n"), block(&before, "\noutput:\n"));
    assert!(after.contains("pipeline_id: \"essay-3f0c1e5a-0000-4000-8000-000000000001\""));
    for expected in [
        "status: \"completed\"",
        "voice_check_score: 3\n",
        "  - claim_text: \"Fish return\"\n    fact_checker_result: \"contested\"\n    user_action: \"override\"\n    user_rationale: \"seen it\"\n",
        "  - claim_text: \"The sea is late\"\n    section: 1\n    paragraph: null\n    reason: \"timeout\"\n",
        "verified_claims: 1\n        deferred_claims: 1\n",
    ] {
        assert!(after.contains(expected), "{expected} is not in\n{after}");
    }
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn a_draft_with_a_section_of_its_own_settles() {
    let desk = Desk::new();
    let place = desk.written();
    let draft = desk
        .text(&place, "stage-4-draft.md")
        .replace("## The Town", "## An aside\n\nMine.\n\n## The Town");
    desk.put(&place, "stage-4-draft.md", draft);
    desk.recover(&place, &all());
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    desk.say(&place, 2, "And it is patient.");
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}
