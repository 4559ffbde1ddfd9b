//! Finishing: every gate by itself, the sources, the metadata, the `output` block.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]

mod essay_desk;

use essay_desk::{Desk, moment, outline_text, thesis_input};
use segno_store::StoreError;
use segno_store::formats::Place;
use segno_store::formats::essay::{
    self, ArgumentInput, DeferInput, FinishInput, Impact, OverrideInput, ParagraphInput,
    ResolveInput, ReviseInput, Score, VoiceInput,
};

/// Both sections written to their end, the voice checked: nothing is in the way.
fn ready(desk: &Desk) -> Place {
    let place = desk.written();
    desk.done(&place, 2);
    let voice = VoiceInput {
        score: Score::new(4.5),
        ..VoiceInput::default()
    };
    desk.write(&place, |cx| essay::voice(cx, &place, &voice))
        .unwrap();
    place
}

fn finish(desk: &Desk, place: &Place, input: FinishInput) -> Result<essay::Finished, Vec<String>> {
    let done = desk.write(place, |cx| essay::finish(cx, place, input));
    match done {
        Ok(written) => Ok(written.outcome),
        Err(StoreError::Said(said)) => Err(said.hints.iter().map(ToString::to_string).collect()),
        Err(other) => Err(vec![format!("{other:?}")]),
    }
}

/// What stands in the way, one line each.
fn in_the_way(desk: &Desk, place: &Place) -> Vec<String> {
    let before = desk.disk.files();
    let hints = finish(desk, place, FinishInput::default()).unwrap_err();
    assert_eq!(desk.disk.files(), before, "a refusal changes nothing");
    hints
}

fn override_of(claim: &str) -> OverrideInput {
    OverrideInput {
        claim: claim.to_owned(),
        result: "contested".to_owned(),
        source: None,
        rationale: "seen it".to_owned(),
    }
}

#[test]
fn gate_every_stage_before_the_last_is_completed() {
    let desk = Desk::new();
    let place = ready(&desk);
    let minor = ReviseInput {
        stage: 2,
        text: outline_text(&["The Sea", "The Town"]).replace("900 words", "910 words"),
        impact: Some(Impact::Minor),
        sections: Vec::new(),
        reason: "r".to_owned(),
    };
    desk.write(&place, |cx| essay::revise(cx, &place, &minor))
        .unwrap();
    let hints = in_the_way(&desk, &place);
    assert!(
        hints.contains(&"stage 3 is needs_review, not completed".to_owned()),
        "{hints:?}"
    );
    for stage in [3, 4] {
        desk.write(&place, |cx| essay::review(cx, &place, stage, None))
            .unwrap();
    }
    assert!(finish(&desk, &place, FinishInput::default()).is_ok());
}

#[test]
fn gate_every_section_is_written_to_its_end() {
    let desk = Desk::new();
    let place = desk.written();
    let hints = in_the_way(&desk, &place);
    assert!(
        hints[0].starts_with("section 2 is not done: `segno essay section done"),
        "{hints:?}"
    );
}

#[test]
fn gate_every_deferred_claim_is_resolved() {
    let desk = Desk::new();
    let place = ready(&desk);
    for claim in ["Salt corrodes", "Fish return"] {
        let claim = DeferInput {
            claim: claim.to_owned(),
            section: Some(1),
            reason: "no_results".to_owned(),
            ..DeferInput::default()
        };
        desk.write(&place, |cx| essay::defer(cx, &place, &claim))
            .unwrap();
    }
    assert_eq!(in_the_way(&desk, &place).len(), 2);
    let settle = |claim: &str| ResolveInput {
        claim: claim.to_owned(),
        result: "partial".to_owned(),
        source: None,
    };
    desk.write(&place, |cx| essay::resolve(cx, &place, &settle("salt")))
        .unwrap();
    let hints = in_the_way(&desk, &place);
    assert!(
        hints.len() == 1 && hints[0].starts_with("claim 2 is not verified (`Fish return`)"),
        "{hints:?}"
    );
    desk.write(&place, |cx| essay::resolve(cx, &place, &settle("2")))
        .unwrap();
    let done = finish(&desk, &place, FinishInput::default()).unwrap();
    assert_eq!(done.resolved, 2);
}

#[test]
fn gate_overrides_are_confirmed_again_at_every_finish() {
    let desk = Desk::new();
    let place = ready(&desk);
    desk.write(&place, |cx| {
        essay::override_claim(cx, &place, &override_of("Fish return"))
    })
    .unwrap();
    let hints = in_the_way(&desk, &place);
    assert_eq!(
        hints,
        [
            "override to be confirmed again: `Fish return` (contested)",
            "give `--confirm-overrides` when they stand"
        ]
    );
    let confirmed = FinishInput {
        overrides_confirmed: true,
        ..FinishInput::default()
    };
    assert_eq!(finish(&desk, &place, confirmed).unwrap().overrides, 1);
    // A later change opens it again, and the confirmation of before does not count.
    let text = desk.text(&place, "stage-4-draft.md");
    let again = ReviseInput {
        stage: 4,
        text: text.replace("hungry", "very hungry"),
        impact: None,
        sections: Vec::new(),
        reason: "r".to_owned(),
    };
    desk.write(&place, |cx| essay::revise(cx, &place, &again))
        .unwrap();
    assert_eq!(in_the_way(&desk, &place).len(), 2);
}

#[test]
fn an_override_of_a_deferred_claim_settles_it() {
    let desk = Desk::new();
    let place = ready(&desk);
    let claim = DeferInput {
        claim: "Fish return".to_owned(),
        reason: "timeout".to_owned(),
        ..DeferInput::default()
    };
    desk.write(&place, |cx| essay::defer(cx, &place, &claim))
        .unwrap();
    desk.write(&place, |cx| {
        essay::override_claim(cx, &place, &override_of("fish return"))
    })
    .unwrap();
    let hints = in_the_way(&desk, &place);
    assert!(
        !hints.iter().any(|hint| hint.contains("not verified")),
        "{hints:?}"
    );
}

#[test]
fn gate_the_voice_was_checked_or_its_lack_is_accepted() {
    let desk = Desk::new();
    let place = desk.written();
    desk.done(&place, 2);
    let hints = in_the_way(&desk, &place);
    assert!(
        hints.len() == 1 && hints[0].contains("--without-voice-check"),
        "{hints:?}"
    );
    let accepted = FinishInput {
        without_voice_check: true,
        ..FinishInput::default()
    };
    assert_eq!(finish(&desk, &place, accepted).unwrap().voice_score, None);
    assert!(
        desk.text(&place, "final-essay.md")
            .contains("- **Voice consistency score**: not checked\n")
    );
}

#[test]
fn sources_of_maps_paragraphs_and_fact_checks_are_listed_once_by_their_address() {
    let desk = Desk::new();
    let place = desk.begin();
    desk.thesis(&place);
    desk.outline(&place, &["Sea", "Town"]);
    for (section, source) in [
        (1, "Almanac. https://Sea.example/tides"),
        (2, "[The Almanac](http://sea.example/tides/#p2)"),
    ] {
        let map = ArgumentInput {
            section,
            text: format!("### Point 1: x\n\n**Source**: {source}\n**Verified**: YES\n"),
            approved: true,
        };
        desk.write(&place, |cx| essay::argument(cx, &place, &map))
            .unwrap();
    }
    desk.approve(&place);
    for section in [1, 2] {
        let paragraph = ParagraphInput {
            section,
            text: format!("Paragraph of {section}."),
            sources: Some(
                "https://sea.example/tides ; Atlas. https://sea.example/Tides; none".to_owned(),
            ),
            ..ParagraphInput::default()
        };
        desk.write(&place, |cx| essay::paragraph(cx, &place, &paragraph))
            .unwrap();
        desk.done(&place, section);
    }
    let accepted = FinishInput {
        without_voice_check: true,
        ..FinishInput::default()
    };
    let done = finish(&desk, &place, accepted).unwrap();
    assert_eq!((done.verified, done.sources), (2, 2));
    let text = desk.text(&place, "final-essay.md");
    let (_, sources) = text.split_once("## Sources\n\n").unwrap();
    let (sources, _) = sources.split_once("\n---").unwrap();
    assert_eq!(
        sources,
        "1. Almanac. https://Sea.example/tides. Accessed 2026-02-14.\n2. Atlas. https://sea.example/Tides. Accessed 2026-02-14.\n"
    );
}

#[test]
fn the_final_essay_has_the_draft_without_its_rules_and_the_metadata_and_fills_output() {
    let mut desk = Desk::new();
    let place = ready(&desk);
    desk.now = moment("2026-02-14T16:00:22Z");
    let done = finish(&desk, &place, FinishInput::default()).unwrap();
    assert_eq!(done.minutes, Some(90));
    assert_eq!(
        desk.text(&place, "final-essay.md"),
        "# On Tides\n\n## The Sea\n\nThe sea comes twice a day.\n\nIt never forgets.\n\n## The Town\n\nThe town is hungry.\n\n\
         ---\n\n## Sources\n\n1. Almanac. https://sea.example/1. Accessed 2026-02-14.\n2. Almanac. https://sea.example/2. Accessed 2026-02-14.\n\n\
         ---\n\n## Metadata\n\n- **Pipeline session**: essay-3f0c1e5a-0000-4000-8000-000000000001\n\
         - **Thesis**: Tidal power will feed coastal towns.\n- **Word count**: 13\n- **Voice consistency score**: 4.5/5\n\
         - **Verified claims**: 2\n- **User overrides**: 0\n- **Completed**: 2026-02-14T16:00:22Z\n"
    );
    let state = desk.state(&place);
    let (_, output) = state.split_once("\noutput:\n").unwrap();
    assert_eq!(
        output,
        "  final_essay_file: \"essays/essay-pipeline-20260214-143022/final-essay.md\"  # \"{session_dir}/final-essay.md\"\n  \
         sources_verified: 2\n  voice_consistency_score: 4.5\n  total_word_count: 13\n  completed_at: \"2026-02-14T16:00:22Z\"\n"
    );
    assert!(state.contains("\nstatus: \"completed\""), "{state}");
}

#[test]
fn an_essay_that_is_finished_again_keeps_the_version_before() {
    let desk = Desk::new();
    let place = ready(&desk);
    finish(&desk, &place, FinishInput::default()).unwrap();
    let reworded = ReviseInput {
        stage: 1,
        text: thesis_input().text.replace("will feed", "will surely feed"),
        impact: Some(Impact::Minor),
        sections: Vec::new(),
        reason: "r".to_owned(),
    };
    desk.write(&place, |cx| essay::revise(cx, &place, &reworded))
        .unwrap();
    for stage in [2, 3, 4] {
        desk.write(&place, |cx| essay::review(cx, &place, stage, None))
            .unwrap();
    }
    finish(&desk, &place, FinishInput::default()).unwrap();
    assert!(
        desk.text(&place, "final-essay.md").contains("will surely")
            && !desk.text(&place, "final-essay.v1.md").contains("surely")
    );
    assert!(desk.check(&place).is_empty(), "{:?}", desk.check(&place));
}
