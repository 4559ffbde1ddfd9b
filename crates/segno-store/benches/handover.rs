//! What a decision costs on a log of 10 and of 100,000 entries, and how long it takes to come back to 200 specs.

#![expect(clippy::format_collect, reason = "the log is made once")]
#![expect(clippy::print_stdout, reason = "a benchmark speaks on stdout")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark says plainly what it expects"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use segno_disk::RealDisk;
use segno_store::formats::Root;
use segno_store::formats::handover::decide::decide;
use segno_store::formats::handover::decision::{DecisionType, NewDecision};
use segno_store::formats::handover::resume::State;
use segno_store::formats::handover::role::Lead;
use segno_store::formats::handover::{Layout, current};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

const ROUNDS: usize = 60;

fn put(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn log(entries: u64) -> String {
    (1..=entries)
        .map(|n| format!("[2026-01-01T00:00:00Z] D{n}: USER_DECISION | choice {n} of many\n- Context: something led to it\n- Decision: what was decided, in some words\n- Reason: why\n- Impact: what follows\n- Source: user\n\n"))
        .collect()
}

fn now() -> Now {
    Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn decide_once(root: &Path, decision: &NewDecision) -> Duration {
    let disk = RealDisk::open(root).unwrap();
    let workspace = Workspace::new(&disk, Settings::default());
    let now = now();
    let writer = Writer {
        pid: std::process::id(),
        program: "bench".to_owned(),
        since: String::new(),
        patience: Duration::from_secs(1),
    };
    let lead = Lead::claim("lead").unwrap();
    let started = Instant::now();
    let place = current(&workspace.context(Root::Workspace, &now)).unwrap();
    workspace
        .write(&place, &now, &writer, |cx| {
            decide(cx, &place, lead, decision)
        })
        .unwrap();
    started.elapsed()
}

fn main() {
    let text = || Some("some words".to_owned());
    let decision = NewDecision {
        context: text(),
        decision: text(),
        reason: text(),
        impact: text(),
        source: text(),
        ..NewDecision::new(DecisionType::UserDecision, "one more")
    };
    let base = tempfile::tempdir().unwrap();
    let (small, large) = (base.path().join("small"), base.path().join("large"));
    put(&small, ".claude/sdd/handover/decisions.md", &log(10));
    put(&large, ".claude/sdd/handover/decisions.md", &log(100_000));
    let (mut on_small, mut on_large) = (Vec::new(), Vec::new());
    // In turns, so that whatever else the machine does falls on both.
    for _ in 0..ROUNDS {
        on_small.push(decide_once(&small, &decision));
        on_large.push(decide_once(&large, &decision));
    }
    let (on_small, on_large) = (median(on_small), median(on_large));
    let ratio = on_large.as_secs_f64() / on_small.as_secs_f64();
    println!(
        "decide: 10 entries {on_small:?}, 100,000 entries {on_large:?}, ratio {ratio:.2} (at most 1.2)"
    );

    put(
        &large,
        ".claude/sdd/handover/session.md",
        "# Session Handover\n\n## Direction\n### Immediate Next Action\ngo\n",
    );
    put(
        &large,
        ".claude/sdd/project/specs/roadmap.md",
        "# Roadmap\n",
    );
    for n in 0..200 {
        let needs = if n == 0 {
            String::new()
        } else {
            format!("\"spec-{}\"", n - 1)
        };
        put(
            &large,
            &format!(".claude/sdd/project/specs/spec-{n}/spec.yaml"),
            &format!(
                "feature_name: \"spec-{n}\"\nversion: \"1.0.0\"\nchangelog:\n  - version: \"1.0.0\"\n    action: \"made\"\nphase: design-generated\nblocked_info: null\nroadmap:\n  wave: {}\n  dependencies: [{needs}]\n",
                n / 20 + 1
            ),
        );
        put(
            &large,
            &format!(".claude/sdd/project/specs/spec-{n}/verdicts.md"),
            "# Verdicts\n\n## [B1] design | t\n### Tracked\nM|a|b|c\n",
        );
    }
    let disk = RealDisk::open(&large).unwrap();
    let workspace = Workspace::new(&disk, Settings::default());
    let now = now();
    let mut times = Vec::new();
    for _ in 0..20 {
        let cx = workspace.context(Root::Workspace, &now);
        let started = Instant::now();
        let state = State::read(&cx, &Layout::of(&current(&cx).unwrap()).unwrap()).unwrap();
        times.push(started.elapsed());
        assert_eq!((state.decisions.len(), state.reviews.len()), (20, 200));
    }
    println!(
        "resume: 200 specs, 100,000 decisions: {:?} (at most 50 ms)",
        median(times)
    );
}
