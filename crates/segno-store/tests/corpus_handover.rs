//! The corpus of handovers: `formats/handover/{examples,broken,old}`, each folder a workspace.

#![expect(clippy::unwrap_used, reason = "a test says plainly what it expects")]
#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is read from the real disk"
)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use segno_disk::{RelPath, SimDisk};
use segno_store::formats::handover::current;
use segno_store::formats::handover::draft::{After, DraftInput, draft};
use segno_store::formats::handover::role::Lead;
use segno_store::formats::{self, Root};
use segno_store::session::{Kind, Now};
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats/handover")
}

fn now() -> Now {
    Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC)
}

fn plant(disk: &SimDisk, dir: &Path, base: &Path) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if std::fs::metadata(&path).unwrap().is_dir() {
            plant(disk, &path, base);
        } else {
            let name = path.strip_prefix(base).unwrap().to_str().unwrap();
            disk.plant(&RelPath::new(name).unwrap(), &std::fs::read(&path).unwrap());
        }
    }
}

fn world(name: &str) -> SimDisk {
    let disk = SimDisk::new();
    let base = corpus().join(name);
    plant(&disk, &base, &base);
    disk
}

/// Cards, briefs and problems of every session in a folder, in a few lines.
fn seen(name: &str) -> String {
    let disk = world(name);
    let workspace = Workspace::new(&disk, Settings::default());
    let now = now();
    let format = formats::of(Kind::Handover).unwrap();
    let cx = workspace.context(Root::Workspace, &now);
    let mut lines = Vec::new();
    for place in workspace.places(None, &now).unwrap() {
        let card = workspace.card(&place, &now);
        let counts: Vec<String> = card
            .counts
            .iter()
            .map(|(name, n)| format!("{name} {n}"))
            .collect();
        lines.push(format!(
            "{}: {} | {} | {} | {}",
            card.reference(),
            card.title,
            card.status,
            card.position,
            counts.join(", ")
        ));
        let brief = format.brief(&cx, &place, None).unwrap();
        lines.extend(brief.state.iter().map(|line| format!("  state: {line}")));
        lines.extend(
            brief
                .open_questions
                .iter()
                .map(|line| format!("  open: {line}")),
        );
        let sections: Vec<&str> = brief
            .sections
            .iter()
            .map(|section| section.title.as_str())
            .collect();
        lines.push(format!("  sections: {}", sections.join(", ")));
        for problem in format.check(&cx, &place).unwrap() {
            let repair = problem.repair.name();
            lines.push(format!(
                "  {} {} ({repair})",
                problem.code,
                problem.location()
            ));
        }
    }
    lines.join("\n").replace(".claude/sdd/", "")
}

#[test]
fn examples_are_read_without_problems() {
    assert_eq!(
        seen("examples/full"),
        "handover/current: Session handover | active | `/sdd-impl index` の続き（検索の並び順） | decisions 5, knowledge 2, tracked_reviews 2\n\
         \x20 state: Wave 1: 1/1 implemented (100 %), complete\n\
         \x20 state: Wave 2: 0/2 implemented (0 %)\n\
         \x20 open: index [B1] M | missing-spec | Spec 2.AC1 | the order of results is not defined\n\
         \x20 open: index [B1] L (noise) | wording | Spec 3 | \"fast\" is not a number\n\
         \x20 open: wave [W1-B1] H | interface | log/index | who creates the directory\n\
         \x20 sections: Pipeline, Active Goals, Key Decisions, Warnings, Tone and Nuance, Accomplished, Notes for Hana, Knowledge buffer\n\
         handover/2026-11-10: Session handover | completed | `/sdd-design index` | \n\
         \x20 sections: Key Decisions"
    );
    assert_eq!(
        seen("examples/newer"),
        "handover/current: Ship it | paused | Release | decisions 0, knowledge 0, tracked_reviews 0\n  sections: "
    );
}

#[test]
fn old_shapes_are_read() {
    assert_eq!(
        seen("old/headless"),
        "handover/current: Session handover | paused | commit | decisions 3, knowledge 0, tracked_reviews 1\n\
         \x20 open: release [Design-B1] M | a | b | c\n\
         \x20 sections: Pipeline, Key Decisions"
    );
}

#[test]
fn broken_files_are_reported_with_what_can_be_done() {
    let problems = |name: &str| -> Vec<String> {
        let seen = seen(&format!("broken/{name}"));
        let lines = seen
            .lines()
            .filter(|line| line.ends_with("(safe)") || line.ends_with("(manual)"));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    assert_eq!(
        problems("torn"),
        ["torn_tail handover/decisions.md:4 (safe)"]
    );
    assert_eq!(
        problems("twice"),
        [
            "duplicate_number handover/decisions.md:7 (manual)",
            "incomplete_entry handover/decisions.md:7 (manual)"
        ]
    );
    assert_eq!(
        problems("merge"),
        ["merge_conflict handover/session.md:2 (manual)"]
    );
    assert_eq!(
        problems("encoding"),
        [
            "not_utf8 handover/session.md:2 (manual)",
            "not_utf8 handover/buffer.md:1 (manual)"
        ]
    );
    assert_eq!(
        problems("specs"),
        [
            "yaml_syntax project/specs/c/spec.yaml:1 (manual)",
            "dependency_cycle project/specs/a/spec.yaml (manual)",
            "missing_dependency project/specs/b/spec.yaml (manual)",
            "unknown_phase project/specs/d/spec.yaml (manual)"
        ]
    );
}

#[test]
fn a_draft_changes_only_the_intended_lines_of_every_document() {
    for (name, session) in [
        ("examples/full", ".claude/sdd/handover/session.md"),
        ("examples/newer", ".sdd/handover/session.md"),
        ("old/headless", ".claude/sdd/handover/session.md"),
    ] {
        let disk = world(name);
        let read = || {
            let files = disk.files();
            let found = files.into_iter().find(|(path, _)| path.as_str() == session);
            String::from_utf8(found.unwrap().1).unwrap()
        };
        let before = read();
        let workspace = Workspace::new(&disk, Settings::default());
        let now = now();
        let place = current(&workspace.context(Root::Workspace, &now)).unwrap();
        let writer = Writer {
            pid: 1,
            program: "test".to_owned(),
            since: String::new(),
            patience: Duration::ZERO,
        };
        let input = DraftInput {
            after: After::Impl,
            next: Some("the one next thing".to_owned()),
            done: vec!["the new work".to_owned()],
            files: vec!["new.rs".to_owned()],
            goal: None,
            branch: None,
        };
        let lead = Lead::claim("lead").unwrap();
        workspace
            .write(&place, &now, &writer, |cx| draft(cx, &place, lead, &input))
            .unwrap();
        let after = read();
        let lost: Vec<&str> = before
            .lines()
            .filter(|line| !after.contains(line))
            .collect();
        assert!(
            lost.iter().all(|line| line.contains("Generated")
                || line.contains("/sdd-impl index")
                || ["commit", "Release"].contains(line)),
            "{name} lost {lost:?}"
        );
        let crlf = before.contains("\r\n");
        assert_eq!(
            after.matches('\n').count() == after.matches("\r\n").count(),
            crlf,
            "{name}"
        );
    }
}
