//! The stages of an essay, one verb after the other, and what each refuses.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{Desk, argument_input, moment, outline_text, paragraph_input, thesis_input};
use segno_store::StoreError;
use segno_store::formats::essay::{
    self, DeferInput, Essay, FinishInput, OverrideInput, ResolveInput, Score, VoiceInput,
};
use segno_store::formats::{Format, ResumeOptions};
use segno_store::phrase::Fault;
use segno_store::session::Status;

fn hints(error: &StoreError) -> String {
    match error {
        StoreError::Said(refusal) => {
            let hints: Vec<String> = refusal.hints.iter().map(ToString::to_string).collect();
            format!("{}; {}", refusal.what, hints.join("; "))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn a_new_session_is_written_as_the_document_lays_it_out() {
    let desk = Desk::new();
    let place = desk.begin();
    assert_eq!(place.id.as_str(), "essay-pipeline-20260214-143022");
    let text = desk.state(&place);
    assert!(
        text.starts_with("# Session Identity\npipeline_id: \"essay-3f0c1e5a-"),
        "{text}"
    );
    assert!(
        text.contains("started_at: \"2026-02-14T14:30:22Z\"\n"),
        "{text}"
    );
    assert!(
        text.contains("pushback_level: \"light\"  # full | light | minimal\n"),
        "{text}"
    );
    assert!(
        text.contains("      # Populated dynamically based on outline\n"),
        "{text}"
    );
    assert!(
        !desk.has(&place, "session-state.yaml.bak"),
        "the first save has nothing to back up"
    );
    let again = desk.begin();
    assert_eq!(
        again.id.as_str(),
        "essay-pipeline-20260214-143023",
        "two in one second"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn a_whole_pipeline_ends_in_an_essay_with_sources_and_metadata() {
    let desk = Desk::new();
    let place = desk.written();
    let step = desk.done(&place, 2);
    assert!(
        step.anchor.starts_with("[Stage 4/4 - Paragraph Writing"),
        "{}",
        step.anchor
    );
    assert_eq!(
        step.next,
        "segno essay finish essay-pipeline-20260214-143022"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    assert_eq!(
        desk.text(&place, "stage-4-draft.md"),
        "# On Tides\n\n## The Sea\n\nThe sea comes twice a day.\n\nIt never forgets.\n\n---\n\n## The Town\n\nThe town is hungry.\n\n---\n"
    );
    assert!(
        desk.text(&place, "stage-4-paragraph-log.md")
            .contains("## Section 1, Paragraph 2\n")
    );

    let gates = FinishInput::default();
    let refused = desk
        .write(&place, |cx| essay::finish(cx, &place, gates))
        .unwrap_err();
    assert!(
        hints(&refused).contains("the voice was not checked"),
        "{}",
        hints(&refused)
    );
    let voice = VoiceInput {
        section: Some(1),
        score: Score::new(4.0),
        ..VoiceInput::default()
    };
    desk.write(&place, |cx| essay::voice(cx, &place, &voice))
        .unwrap();
    assert!(
        desk.text(&place, "voice-check-log.md")
            .contains("## Section 1\n\n- **Score**: 4/5\n")
    );

    let done = desk
        .write(&place, |cx| essay::finish(cx, &place, gates))
        .unwrap()
        .outcome;
    assert_eq!(
        (done.words, done.sections, done.verified, done.sources),
        (13, 2, 2, 2)
    );
    let essay_text = desk.text(&place, "final-essay.md");
    assert!(
        essay_text.starts_with("# On Tides\n\n## The Sea\n\nThe sea comes twice a day.\n"),
        "{essay_text}"
    );
    assert!(essay_text.contains("1. Almanac. https://sea.example/1. Accessed 2026-02-14.\n2. Almanac. https://sea.example/2."), "{essay_text}");
    assert!(
        essay_text.contains("- **Voice consistency score**: 4/5\n- **Verified claims**: 2\n"),
        "{essay_text}"
    );
    let card = desk.read(|cx| Essay.card(cx, &place)).unwrap();
    assert_eq!(
        (card.status, card.title.as_str()),
        (Status::Completed, "On Tides")
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    assert!(
        desk.state(&place).contains("  total_word_count: 13\n"),
        "{}",
        desk.state(&place)
    );
}

#[test]
fn prerequisites_that_are_not_met_are_named() {
    let desk = Desk::new();
    let place = desk.begin();
    let refused = desk
        .write(&place, |cx| {
            essay::outline(cx, &place, &outline_text(&["A"]))
        })
        .unwrap_err();
    assert!(
        hints(&refused).contains("stage 1 is not completed"),
        "{}",
        hints(&refused)
    );
    desk.thesis(&place);
    let refused = desk
        .write(&place, |cx| {
            essay::argument(cx, &place, &argument_input(1, true))
        })
        .unwrap_err();
    assert!(
        hints(&refused).contains("stage 2 is not completed"),
        "{}",
        hints(&refused)
    );
    desk.outline(&place, &["A", "B"]);
    let refused = desk
        .write(&place, |cx| {
            essay::paragraph(cx, &place, &paragraph_input(1, "x"))
        })
        .unwrap_err();
    assert!(
        hints(&refused).contains("the arguments of section 1 are not completed"),
        "{}",
        hints(&refused)
    );
    let refused = desk
        .write(&place, |cx| {
            essay::argument(cx, &place, &argument_input(3, true))
        })
        .unwrap_err();
    assert!(
        hints(&refused).contains("there is no section 3"),
        "{}",
        hints(&refused)
    );
    let refused = desk
        .write(&place, |cx| essay::approve(cx, &place))
        .unwrap_err();
    assert!(
        hints(&refused).contains("section 1, 2"),
        "{}",
        hints(&refused)
    );
    let refused = desk
        .write(&place, |cx| essay::section_done(cx, &place, 1))
        .unwrap_err();
    assert!(
        hints(&refused).contains("no paragraphs yet"),
        "{}",
        hints(&refused)
    );
    let other = segno_store::formats::essay::ThesisInput {
        text: "Another.".into(),
        claim_type: Some(essay::ClaimType::Hybrid),
        log: None,
    };
    let refused = desk
        .write(&place, |cx| essay::thesis(cx, &place, &other))
        .unwrap_err();
    assert!(
        hints(&refused).contains("segno essay revise"),
        "{}",
        hints(&refused)
    );
    let same = desk
        .write(&place, |cx| essay::thesis(cx, &place, &thesis_input()))
        .unwrap();
    assert!(
        same.receipt.written.is_empty(),
        "the same again is acknowledged and changes nothing"
    );
}

#[test]
fn an_argument_map_without_approval_stays_in_progress() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["A"]);
    let mut input = argument_input(1, false);
    input
        .text
        .push_str("\n### Point 2: Late\n\n**Claim**: The sea is late\n**Verified**: DEFERRED\n");
    let step = desk
        .write(&place, |cx| essay::argument(cx, &place, &input))
        .unwrap()
        .outcome;
    assert_eq!(
        step.anchor,
        "[Stage 3/4 - Argument Development - Section 1 of 1] in progress"
    );
    let state = desk.state(&place);
    assert!(state.contains("status: \"in_progress\"\n        argument_map_file: \"essays/essay-pipeline-20260214-143022/stage-3-section-1-arguments.md\"\n        verified_claims: 1\n        deferred_claims: 1\n"), "{state}");
    assert!(
        state.contains("  - claim_text: \"The sea is late\"\n    section: 1\n"),
        "{state}"
    );
}

#[test]
fn stage_4_may_start_for_finished_sections_while_stage_3_goes_on() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["A", "B", "C"]);
    desk.argue(&place, 2);
    desk.say(&place, 2, "Second.");
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
    desk.argue(&place, 1);
    desk.say(&place, 1, "First.");
    desk.argue(&place, 3);
    desk.say(&place, 3, "Third.");
    desk.say(&place, 2, "Second, more.");
    assert_eq!(
        desk.text(&place, "stage-4-draft.md"),
        "# On Tides\n\n## A\n\nFirst.\n\n## B\n\nSecond.\n\nSecond, more.\n\n## C\n\nThird.\n"
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}

#[test]
fn claims_are_deferred_resolved_and_overridden_and_finish_asks_for_all_of_them() {
    let desk = Desk::new();
    let place = desk.written();
    desk.done(&place, 2);
    let defer = DeferInput {
        claim: "Salt: it corrodes #1".into(),
        section: Some(1),
        paragraph: None,
        reason: "timeout".into(),
    };
    desk.write(&place, |cx| essay::defer(cx, &place, &defer))
        .unwrap();
    let keep = OverrideInput {
        claim: "Fish return".into(),
        result: "contested".into(),
        source: None,
        rationale: "seen it".into(),
    };
    desk.write(&place, |cx| essay::override_claim(cx, &place, &keep))
        .unwrap();
    let gates = FinishInput {
        overrides_confirmed: false,
        without_voice_check: true,
    };
    let refused = hints(
        &desk
            .write(&place, |cx| essay::finish(cx, &place, gates))
            .unwrap_err(),
    );
    assert!(
        refused.contains("claim 1 is not verified") && refused.contains("--confirm-overrides"),
        "{refused}"
    );
    let settle = ResolveInput {
        claim: "1".into(),
        result: "verified".into(),
        source: Some("Rust. https://rust.example".into()),
    };
    desk.write(&place, |cx| essay::resolve(cx, &place, &settle))
        .unwrap();
    let log = desk.text(&place, "fact-check-log.md");
    assert!(
        log.contains("## Override: Fish return\n\n- **Fact-checker result**: contested\n"),
        "{log}"
    );
    let gates = FinishInput {
        overrides_confirmed: true,
        without_voice_check: true,
    };
    let done = desk
        .write(&place, |cx| essay::finish(cx, &place, gates))
        .unwrap()
        .outcome;
    assert_eq!((done.overrides, done.resolved, done.sources), (1, 1, 3));
}

#[test]
fn pause_and_resume_say_the_documents_sentences() {
    let mut desk = Desk::new();
    let place = desk.written();
    let paused = desk
        .write(&place, |cx| essay::pause(cx, &place))
        .unwrap()
        .outcome;
    assert_eq!(
        paused.summary,
        "Session paused at [Stage 4, Section 2, Paragraph 2]. To resume, invoke essay-pipeline and select this session."
    );
    assert!(desk.state(&place).contains("status: \"paused\""));
    desk.now = moment("2026-02-15T08:00:00Z");
    let resumed = desk
        .write(&place, |cx| {
            Essay.resume(cx, &place, &ResumeOptions::default())
        })
        .unwrap()
        .outcome;
    let text = resumed.text.unwrap();
    assert!(text.starts_with("Resuming at [Stage 4]. Here's where you left off: at Stage 4, Section 2, Paragraph 2; the thesis is \"Tidal power will feed coastal towns.\"; "), "{text}");
    assert!(
        desk.state(&place)
            .contains("status: \"in_progress\"  # in_progress | paused")
    );
    assert!(resumed.warnings.is_empty(), "{:?}", resumed.warnings);
}

#[test]
fn after_24_hours_a_session_is_paused_and_after_7_days_warned_of_and_never_removed() {
    let mut desk = Desk::new();
    let place = desk.begin();
    let due = |desk: &Desk| {
        desk.workspace()
            .apply_time_rules(&place, &desk.now, &essay_desk::writer())
            .unwrap()
    };
    desk.now = moment("2026-02-15T14:30:21Z");
    assert_eq!(due(&desk), None);
    desk.now = moment("2026-02-15T14:30:22Z");
    assert_eq!(due(&desk).unwrap().code, "auto_paused");
    assert!(desk.state(&place).contains("status: \"paused\""));
    assert!(
        desk.state(&place)
            .contains("last_activity: \"2026-02-14T14:30:22Z\""),
        "when it was last active stays"
    );
    assert_eq!(due(&desk), None);
    desk.now = moment("2026-02-21T14:30:22Z");
    let warning = due(&desk).unwrap();
    assert!(
        warning.code == "essay_idle" && warning.text.contains("segno essay abandon"),
        "{warning:?}"
    );
    assert!(desk.has(&place, "session-state.yaml"));
}

#[test]
fn status_shows_where_you_are() {
    let desk = Desk::new();
    let place = desk.written();
    let lines = desk.read(|cx| essay::overview(cx, &place)).unwrap().lines();
    assert!(
        lines.contains(&"Stage 3 - Argument Development: COMPLETED".to_owned()),
        "{lines:#?}"
    );
    assert!(
        lines.contains(&"  Section 1 (The Sea): 2/2 paragraphs approved".to_owned()),
        "{lines:#?}"
    );
    assert!(
        lines.contains(
            &"  Section 2 (The Town): 1/? paragraphs approved  <-- YOU ARE HERE".to_owned()
        ),
        "{lines:#?}"
    );
}

#[test]
fn comments_unknown_keys_and_order_of_the_state_stay() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.edit(
        &place,
        "# Configuration\n",
        "# Configuration, mine\nmy_key: {a: 1}  # mine\n",
    );
    desk.edit(
        &place,
        "    claim_type: null  #",
        "    mood: calm\n    claim_type: null   #",
    );
    let before = desk.state(&place);
    desk.thesis(&place);
    desk.outline(&place, &["A"]);
    let after = desk.state(&place);
    assert!(
        after.contains("# Configuration, mine\nmy_key: {a: 1}  # mine\n"),
        "{after}"
    );
    assert!(
        after.contains("    mood: calm\n    claim_type: \"argument\"   # argument | explainer"),
        "{after}"
    );
    let comments = |text: &str| text.lines().filter(|line| line.contains('#')).count();
    assert_eq!(comments(&before), comments(&after), "{after}");
    assert_eq!(
        desk.text(&place, "session-state.yaml.bak")
            .matches("mood: calm")
            .count(),
        1
    );
}

#[test]
fn bad_input_is_refused_with_what_would_be_right() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    let refused = |text: &str| {
        hints(
            &desk
                .write(&place, |cx| essay::outline(cx, &place, text))
                .unwrap_err(),
        )
    };
    assert!(refused("# Essay Outline: X\n\n## Thesis\n\nT\n").contains("no sections"));
    assert!(refused("## Section 1: A\n\n## Section 3: B\n").contains("numbered 1, 3"));
    assert!(refused("  \n").contains("empty"));
    let crlf = outline_text(&["A", "B"])
        .replace('\n', "\r\n")
        .replace("### ", "## ");
    desk.write(&place, |cx| essay::outline(cx, &place, &crlf))
        .unwrap();
    assert!(
        desk.text(&place, "stage-2-outline.md")
            .starts_with("# Essay Outline: On Tides\r\n")
    );
    assert!(desk.state(&place).contains("total_sections: 2\n"));
    desk.argue(&place, 1);
    for bad in ["", "a\n\nb", "# heading", "---"] {
        let error = desk
            .write(&place, |cx| {
                essay::paragraph(cx, &place, &paragraph_input(1, bad))
            })
            .unwrap_err();
        assert!(
            matches!(&error, StoreError::Said(said) if said.fault == Fault::Invalid),
            "{bad:?}: {error:?}"
        );
    }
}
