//! What an essay costs: a save of the state with its backup, a paragraph on a long draft, a rebuild from artifacts.
//!
//! A save is compared with a floor in the same run: the bare system calls of the document's protocol made safe (write,
//! sync, link, rename, rename, sync) over the same bytes, plus one printing of them. Both sides take turns.

#![expect(clippy::print_stdout, reason = "a benchmark speaks on stdout")]
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot run should say so at once"
)]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark reads the clock and measures the bare system calls"
)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use segno_disk::{Access, Basis, Change, RealDisk, RelPath, Volume};
use segno_store::formats::essay::{self, Essay, NEW_LOCK, NewEssay, ParagraphInput, Pushback};
use segno_store::formats::{Context, Format, Place, RecoverOptions, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::text::yaml::{Budget, Doc, Style, to_text};
use segno_store::workspace::{Workspace, Writer};

/// Samples of each side. They take turns, so that whatever else the machine does falls on both alike.
const ROUNDS: usize = 41;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn timed(run: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// The medians of two things that take turns, and the median of the ratio of the second to the first.
fn compared(mut first: impl FnMut(), mut second: impl FnMut()) -> (Duration, Duration, f64) {
    let mut firsts = Vec::new();
    let mut seconds = Vec::new();
    let mut ratios = Vec::new();
    for round in 0..ROUNDS {
        // Neither side always comes behind the other.
        let (a, b) = if round % 2 == 0 {
            let a = timed(&mut first);
            (a, timed(&mut second))
        } else {
            let b = timed(&mut second);
            (timed(&mut first), b)
        };
        firsts.push(a);
        seconds.push(b);
        ratios.push(b.as_secs_f64() / a.as_secs_f64());
    }
    ratios.sort_unstable_by(f64::total_cmp);
    let ratio = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    (median(firsts), median(seconds), ratio)
}

fn now() -> Now {
    Now::new("2026-02-14T14:30:22Z".parse().unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "bench".to_owned(),
        since: "now".to_owned(),
        patience: Duration::ZERO,
    }
}

/// The protocol as bare system calls, with no sync to spare: the new version, its name.
fn floor(dir: &Path, bytes: &[u8]) {
    let (state, bak, tmp, second) = (
        dir.join("f"),
        dir.join("f.bak"),
        dir.join("f.tmp"),
        dir.join("f.2"),
    );
    let mut file = File::create(&tmp).unwrap();
    file.write_all(bytes).unwrap();
    file.sync_all().unwrap();
    fs::hard_link(&state, &second).unwrap();
    fs::rename(&second, &bak).unwrap();
    fs::rename(&tmp, &state).unwrap();
    File::open(dir).unwrap().sync_all().unwrap();
}

/// A state of about so many bytes: as many sections as that takes.
fn state_text(bytes: usize) -> String {
    let mut text =
        "pipeline_id: \"essay-1\"\nstatus: \"in_progress\"\nstages:\n  stage_3:\n    sections:\n"
            .to_owned();
    let mut section = 1;
    while text.len() < bytes {
        let _ = write!(
            text,
            "      - section_index: {section}\n        status: \"not_started\"\n        argument_map_file: null\n        verified_claims: 0\n        deferred_claims: 0\n        completed_at: null\n"
        );
        section += 1;
    }
    text
}

fn save(dir: &Path, disk: &RealDisk, bytes: usize) {
    let text = state_text(bytes);
    let value = Doc::parse(text.as_str(), &Budget::default())
        .unwrap()
        .root()
        .to_value()
        .unwrap();
    fs::write(dir.join("f"), &text).unwrap();
    let volume = Volume::new(disk, RelPath::new(".segno").unwrap());
    let file = RelPath::new("session-state.yaml").unwrap();
    let change = |text: String| {
        Change::replace(file.clone(), text.into_bytes(), Basis::Any, Access::Private)
            .with_backup(RelPath::new("session-state.yaml.bak").unwrap())
            .with_temp(RelPath::new("session-state.yaml.tmp").unwrap())
    };
    volume.commit(&[change(text)]).unwrap();
    let print = || to_text(&value, &Style::default()).unwrap();
    let (bare, ours, ratio) = compared(
        || floor(dir, print().as_bytes()),
        || {
            volume.commit(&[change(print())]).unwrap();
        },
    );
    println!(
        "save {bytes} bytes with backup: {ours:?}, floor {bare:?}, ratio {ratio:.2} (wanted: up to 1.3)"
    );
}

fn begin(workspace: &Workspace<'_>) -> Place {
    let new = NewEssay {
        uuid: "1".to_owned(),
        pushback: Pushback::Full,
        style_profile: None,
        samples: None,
    };
    let now = now();
    let written = workspace.write_locked(Root::Workspace, NEW_LOCK, &now, &writer(), |cx| {
        essay::begin(cx, &new)
    });
    written.unwrap().outcome.0
}

/// A session with so many sections, all argued, by artifacts alone.
fn artifacts(dir: &Path, sections: u32) {
    fs::write(dir.join("stage-1-thesis.md"), "## Thesis Statement\n\nTides.\n\n## Claim Type\n\nargument\n\n## Approved By User\n\nYes\n").unwrap();
    let mut outline = "# Essay Outline: Long\n\n## Structure\n".to_owned();
    for n in 1..=sections {
        let _ = write!(
            outline,
            "\n### Section {n}: Part {n}\n\n**Purpose**: go on\n"
        );
        let map = format!(
            "### Point 1: Claim {n}\n\n**Verified**: YES\n\n## Approved By User\n\nYes -- 2026-02-14\n"
        );
        fs::write(dir.join(format!("stage-3-section-{n}-arguments.md")), map).unwrap();
    }
    outline.push_str("\n## Approved By User\n\nYes -- 2026-02-14\n");
    fs::write(dir.join("stage-2-outline.md"), outline).unwrap();
}

/// A session of one section, argued and approved, with a paragraph in its draft.
fn written(workspace: &Workspace<'_>, base: &Path) -> (Place, std::path::PathBuf) {
    let place = begin(workspace);
    let dir = base.join(place.path.as_str());
    artifacts(&dir, 1);
    let draft = dir.join("stage-4-draft.md");
    fs::write(&draft, "# Long\n\n## Part 1\n\nThe first.\n").unwrap();
    fs::remove_file(dir.join("session-state.yaml")).unwrap();
    let all = RecoverOptions::default();
    workspace.recover(&place, &all, &now(), &writer()).unwrap();
    (place, draft)
}

fn paragraphs(workspace: &Workspace<'_>, base: &Path) {
    let (short, _) = written(workspace, base);
    let (long, draft) = written(workspace, base);
    let line = "\nTen words stand in this line of the long draft.\n";
    let text = fs::read_to_string(&draft).unwrap() + &line.repeat(10_000);
    fs::write(&draft, text).unwrap();
    File::open(&draft).unwrap().sync_all().unwrap();
    let all = RecoverOptions::default();
    workspace.recover(&long, &all, &now(), &writer()).unwrap();
    let count = std::cell::Cell::new(0_u32);
    let say = |place: &Place| {
        count.set(count.get() + 1);
        let input = ParagraphInput {
            section: 1,
            text: format!("Paragraph {} says a little more.", count.get()),
            ..ParagraphInput::default()
        };
        let now = now();
        let plan = |cx: &Context<'_>| essay::paragraph(cx, place, &input);
        workspace.write(place, &now, &writer(), plan).unwrap();
    };
    let (brief, lengthy, ratio) = compared(|| say(&short), || say(&long));
    println!(
        "a paragraph on a short draft {brief:?}, on one of 100,000 words {lengthy:?}, ratio {ratio:.2}"
    );
}

fn main() {
    let base = std::env::temp_dir().join(format!("segno-bench-essay-{}", std::process::id()));
    fs::create_dir_all(&base).unwrap();
    let disk = RealDisk::open(&base).unwrap();
    save(&base, &disk, 10_000);
    save(&base, &disk, 1_000_000);

    let workspace = Workspace::new(&disk, Settings::default());
    let now = now();
    let place = begin(&workspace);
    let dir = base.join(place.path.as_str());
    artifacts(&dir, 100);
    let all = RecoverOptions::default();
    let mut rebuild = || {
        let _ = fs::remove_file(dir.join("session-state.yaml"));
        let _ = fs::remove_file(dir.join("session-state.yaml.bak"));
        let cx = workspace.context(Root::Workspace, &now);
        Essay.recover(&cx, &place, &all).unwrap();
    };
    let rebuild = median((0..ROUNDS).map(|_| timed(&mut rebuild)).collect());
    println!("rebuild of 100 sections: {rebuild:?} (wanted: under 50 ms)");
    paragraphs(&workspace, &base);
    fs::remove_dir_all(&base).unwrap();
}
