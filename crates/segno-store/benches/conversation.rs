//! What a conversation of 100,000 messages costs: an append against one of 10 and against the bare system calls, a load
//! against `serde_json` over the same bytes in memory, a resume within a budget against the size of the file.
//!
//! Figures are ratios to floors measured in the same run: what a disk or a machine is like cancels out.

#![expect(clippy::print_stdout, reason = "a benchmark speaks on stdout")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark reads the clock and measures bare files"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark says plainly what it expects"
)]

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use segno_disk::RealDisk;
use segno_store::formats::conversation::{self, Conversation, LOCK_NEW, Remark, Role, Start};
use segno_store::formats::{Format as _, Place, ResumeOptions, Root};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::{Workspace, Writer};

const MANY: usize = 100_000;
const ROUNDS: usize = 300;

#[derive(serde::Deserialize)]
struct Message {
    role: String,
    content: String,
    timestamp: String,
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, mode, dir, path, budget] = args.as_slice()
        && mode == "resume"
    {
        return resume(Path::new(dir), path, budget.parse().unwrap());
    }
    let dir = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(dir.path()).unwrap();
    let workspace = Workspace::new(&disk, Settings::default());
    let small = conversation_of(&workspace, dir.path(), "small", 10);
    let large = conversation_of(&workspace, dir.path(), "large", MANY);
    append(&workspace, dir.path(), &small, &large);
    load(&workspace, dir.path(), &large);
    memory(dir.path(), &large);
}

fn now() -> Now {
    Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC)
}

fn writer() -> Writer {
    Writer {
        pid: 1,
        program: "bench".to_owned(),
        since: String::new(),
        patience: Duration::from_secs(1),
    }
}

fn message(index: usize) -> String {
    let words =
        "the log is the truth and the projection follows, \\\"quoted\\\" once\\nwith d\u{e9}tails ";
    format!(
        "{{\"role\":\"user\",\"content\":\"{index} {}\",\"timestamp\":\"2026-11-18T09:00:00Z\"}}\n",
        words.repeat(11)
    )
}

fn transcript(dir: &Path, place: &Place) -> std::path::PathBuf {
    dir.join(place.path.as_str())
        .join(".session/messages.jsonl")
}

fn conversation_of(workspace: &Workspace<'_>, dir: &Path, topic: &str, messages: usize) -> Place {
    let start = Start {
        kind: "plan".to_owned(),
        topic: topic.to_owned(),
        ..Start::default()
    };
    let started = workspace
        .write_locked(Root::Workspace, LOCK_NEW, &now(), &writer(), |cx| {
            conversation::start(cx, &start)
        })
        .unwrap();
    let place = started.outcome.place;
    let lines: String = (0..messages).map(message).collect();
    let mut file = OpenOptions::new()
        .append(true)
        .open(transcript(dir, &place))
        .unwrap();
    file.write_all(lines.as_bytes()).unwrap();
    file.sync_all().unwrap();
    place
}

fn append(workspace: &Workspace<'_>, dir: &Path, small: &Place, large: &Place) {
    let content = "what was said, about a thousand bytes of it: ".repeat(22);
    let line = format!(
        "{{\"role\":\"user\",\"content\":\"{content}\",\"timestamp\":\"2026-11-18T09:30:00Z\"}}\n"
    );
    let mut bare = File::create(dir.join("bare")).unwrap();
    let remarks = [Remark::new(Role::User, content)];
    let say = |place: &Place| {
        let said = workspace.write(place, &now(), &writer(), |cx| {
            conversation::say(cx, place, &remarks)
        });
        said.unwrap();
    };
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        // Interleaved, so that what else the disk does hits all three alike.
        times[0].push(timed(|| {
            bare.write_all(line.as_bytes()).unwrap();
            bare.sync_data().unwrap();
        }));
        times[1].push(timed(|| say(small)));
        times[2].push(timed(|| say(large)));
    }
    let quiet = times.clone().map(|times| nth(times, 10));
    let [bare, small, large] = times.map(median);
    println!("append: bare write + fdatasync      {:>8.1} us", bare * 1e6);
    println!(
        "append: to 10 messages              {:>8.1} us  {:.2} of bare (at most 1.3)",
        small * 1e6,
        small / bare
    );
    println!(
        "append: to 100,000 messages         {:>8.1} us  {:.2} of bare (at most 1.3)",
        large * 1e6,
        large / bare
    );
    println!(
        "append: 100,000 against 10          {:>8.2} (at most 1.2)",
        large / small
    );
    // What else the machine does is hardly in the quickest tenth.
    let [bare, small, large] = quiet;
    println!(
        "append: the same in quiet moments   {:>8.1} us  {:.2} and {:.2} of bare, {:.2}",
        bare * 1e6,
        small / bare,
        large / bare,
        large / small
    );
}

fn load(workspace: &Workspace<'_>, dir: &Path, place: &Place) {
    let bytes = std::fs::read(transcript(dir, place)).unwrap();
    #[expect(clippy::cast_precision_loss, reason = "a size in megabytes")]
    let megabytes = bytes.len() as f64 / 1e6;
    let floor = best(|| {
        let lines = bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        let weigh = |line| {
            let message: Message = serde_json::from_slice(line).unwrap();
            message.role.len() + message.content.len() + message.timestamp.len()
        };
        lines.map(weigh).sum()
    });
    let ours = best(|| {
        let mut weight = 0;
        let now = now();
        let context = workspace.context(Root::Workspace, &now);
        let done = Conversation.entries(&context, place, &mut |entry| {
            weight += entry.text.len();
            ControlFlow::Continue(())
        });
        done.unwrap();
        weight
    });
    println!(
        "load: serde_json in memory          {:>8.0} MB/s",
        megabytes / floor
    );
    println!(
        "load: entries from the disk         {:>8.0} MB/s  {:.2} of it (at least 0.5)",
        megabytes / ours,
        floor / ours
    );
}

fn memory(dir: &Path, place: &Place) {
    for budget in [1_000, 100_000, 1_000_000] {
        let child = Command::new(std::env::current_exe().unwrap())
            .args([
                "resume",
                dir.to_str().unwrap(),
                place.path.as_str(),
                &budget.to_string(),
            ])
            .output()
            .unwrap();
        print!("{}", String::from_utf8_lossy(&child.stdout));
    }
}

/// Resumes within a budget in a process of its own, whose peak is then its own.
fn resume(dir: &Path, path: &str, budget: usize) {
    let disk = RealDisk::open(dir).unwrap();
    let workspace = Workspace::new(&disk, Settings::default());
    let named = segno_store::session::SessionRef::Path(path.to_owned());
    let place = workspace.resolve(&named, &now()).unwrap();
    let before = peak();
    let options = ResumeOptions {
        budget: Some(budget),
        force: false,
    };
    let start = Instant::now();
    let now = now();
    let context = workspace.context(Root::Workspace, &now);
    let plan = Conversation.resume(&context, &place, &options).unwrap();
    let text = plan.outcome.text.unwrap();
    println!(
        "resume: budget {budget:>9} tokens: {:>7} kB of text, peak {:>7} kB (of which {before} kB before), {:.0} ms",
        text.len() / 1000,
        peak(),
        start.elapsed().as_secs_f64() * 1e3
    );
}

fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn median(times: Vec<f64>) -> f64 {
    nth(times, 2)
}

/// The time that one in `part` stays below.
fn nth(mut times: Vec<f64>, part: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / part).copied().unwrap_or(f64::NAN)
}

fn best(mut run: impl FnMut() -> usize) -> f64 {
    let once = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..5).map(once).fold(f64::MAX, f64::min)
}
