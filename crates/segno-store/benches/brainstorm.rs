//! One change to a brainstorm of 10 KB and of 1 MB, against a bare parse and print, and against `PyYAML` where it is.
//!
//! `cargo bench -p segno-store --bench brainstorm`. Ratios are to a floor measured in the same run.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures and prints"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use granit_parser::Parser;
use jiff::tz::TimeZone;
use segno_disk::RealDisk;
use segno_store::formats::Root;
use segno_store::formats::brainstorm as bs;
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::text::yaml::{Budget, Doc, Style, to_text};
use segno_store::workspace::{Workspace, Writer};

fn session(iterations: usize, ideas: usize) -> String {
    let mut text = String::from(
        "format_version: \"1.2\"\n\nsession:\n  id: \"b-2026-03-02\"\n  slug: \"b\"\n  status: \"in_progress\"\n  \
         phase: \"divergent\"\n  mode: \"standard\"\n  ems: 50\n  persona: \"architecte\"\n",
    );
    let _ = write!(
        text,
        "  iteration: {iterations}\n  techniques_used: []\n  started_at: \"2026-03-02T10:00:00Z\"\n"
    );
    text += "  duration_minutes: 0\n  techniques_history: []\n  party_active: false\n  party_history: []\n";
    text += "  panel_active: false\n  panel_history: []\n  ideas:\n";
    for n in 1..=ideas {
        let content = "a thought of some length about the matter at hand and what follows from it for everybody";
        let _ = write!(
            text,
            "    - id: {n}\n      content: \"{content} {n}, \u{e9}t\u{e9}\"\n      score: {}\n",
            n % 11
        );
    }
    text += "  history:\n";
    for n in 1..=iterations {
        let _ = write!(
            text,
            "    - iteration: {n}\n      phase: \"divergent\"\n      ems: {}\n      ems_delta: 0\n      questions:\n",
            n % 100
        );
        for m in 1..=3 {
            let _ = writeln!(
                text,
                "        - \"What would have to be true for {n}.{m} to work, and who would notice first if it did not?\""
            );
        }
        text += "      responses:\n";
        for m in 1..=3 {
            let _ = writeln!(
                text,
                "        - \"The people who use it every day would, within a week, says answer {n}.{m} at some length; \
                     and those who pay for it a month later, when the numbers come in and somebody reads them aloud.\""
            );
        }
        let _ = writeln!(text, "      timestamp: \"2026-03-02T10:{:02}:00Z\"", n % 60);
    }
    text + "  last_question: \"\"\n  created: \"2026-03-02T10:00:00Z\"\n  updated: \"2026-03-02T10:00:00Z\"\n"
}

/// The median time of each of several things, taken in turns, so that whatever else the machine does hits all alike.
fn medians<const N: usize>(rounds: usize, mut runs: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times: [Vec<Duration>; N] = std::array::from_fn(|_| Vec::with_capacity(rounds));
    for _ in 0..rounds {
        for (run, times) in runs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times.get(rounds / 2).copied().unwrap_or_default()
    })
}

fn python(path: &std::path::Path) -> Option<f64> {
    let code = "import sys,time,yaml\nt=open(sys.argv[1],encoding='utf8').read()\nb=9e9\nfor _ in range(2):\n s=time.perf_counter()\n \
                yaml.dump(yaml.safe_load(t),allow_unicode=True,sort_keys=False)\n b=min(b,time.perf_counter()-s)\nprint(b)";
    let output = Command::new("python3")
        .arg("-c")
        .arg(code)
        .arg(path)
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

fn main() {
    for (name, iterations, ideas, rounds) in [("10 KB", 6, 20, 101), ("1 MB", 500, 2000, 21)] {
        let text = session(iterations, ideas);
        let dir = std::env::temp_dir().join(format!("segno-bench-{}", std::process::id()));
        std::fs::create_dir_all(dir.join(bs::DIR)).unwrap();
        let file = dir.join(bs::DIR).join("b.yaml");
        let disk = RealDisk::open(&dir).unwrap();
        let workspace = Workspace::new(&disk, Settings::default());
        let now = Now::new("2026-03-02T11:00:00Z".parse().unwrap(), TimeZone::UTC);
        let place = bs::place_of("b").unwrap();
        let writer = Writer {
            pid: 1,
            program: "bench".into(),
            since: String::new(),
            patience: Duration::ZERO,
        };
        std::fs::write(&file, &text).unwrap();
        let mut events = || {
            black_box(Parser::new_from_str(&text).flatten().count());
        };
        let mut floor = || {
            let doc = Doc::parse(text.as_str(), &Budget::default()).unwrap();
            black_box(to_text(&doc.root().to_value().unwrap(), &Style::default()).unwrap());
        };
        let mut load = || {
            let cx = workspace.context(Root::Workspace, &now);
            black_box(bs::add_idea(&cx, &place, "one more", Some(5)).unwrap());
        };
        // Each save goes on from the one before: the file grows by an idea, as it does in use.
        let mut save = || {
            let written = workspace.write(&place, &now, &writer, |cx| {
                bs::add_idea(cx, &place, "one more", Some(5))
            });
            black_box(written.unwrap());
        };
        let times = medians(rounds, [&mut events, &mut floor, &mut load, &mut save]);
        let [events, floor, load, save] = times.map(|time| time.as_secs_f64() * 1000.0);
        println!(
            "{name} ({} bytes), medians of {rounds} rounds in turns:",
            text.len()
        );
        println!("  parser events alone       {events:8.2} ms");
        println!("  bare parse and print      {floor:8.2} ms (floor)");
        println!(
            "  load + change             {load:8.2} ms, {:.2} x the floor",
            load / floor
        );
        println!(
            "  load + change + save      {save:8.2} ms, {:.2} x the floor, fsyncs included",
            save / floor
        );
        std::fs::write(&file, &text).unwrap();
        if let Some(seconds) = python(&file) {
            let ms = seconds * 1000.0;
            println!(
                "  PyYAML load + dump        {ms:8.2} ms, {:.0} x slower than load + change + save",
                ms / save
            );
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
