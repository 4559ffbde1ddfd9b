//! A durable append of 1 KB against the bare `write` and `fdatasync` of the same bytes, by turns in one run.
//!
//! Goal: within 1.15 of the bare calls, and no growth with the length of the log.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use segno_disk::{Access, RealDisk, RelPath, Volume, log};

const ROUNDS: usize = 400;
const GOAL: f64 = 1.15;

fn main() -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    println!("durable append of 1 KB, median of {ROUNDS}, goal {GOAL:.2}");
    for lines in [10, 1_000, 100_000] {
        let (ours, bare) = measure(home.path(), lines)?;
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        let verdict = if ratio <= GOAL { "met" } else { "missed" };
        println!("{lines:>7} lines: {ours:>9.1?} against {bare:>9.1?} bare: {ratio:.3} {verdict}");
    }
    Ok(())
}

fn measure(home: &Path, lines: usize) -> Result<(Duration, Duration), Box<dyn Error>> {
    let line = format!("{{\"t\":\"{}\"}}\n", "x".repeat(1024 - 9));
    let content = line.repeat(lines);
    let name = format!("log-{lines}.jsonl");
    let beside = home.join(format!("bare-{lines}.jsonl"));
    for path in [home.join(&name), beside.clone()] {
        let mut file = File::create(path)?;
        file.write_all(content.as_bytes())?;
        file.sync_all()?;
    }
    let path = RelPath::new(&name)?;
    let disk = RealDisk::open(home)?;
    let volume = Volume::new(&disk, RelPath::new(".segno")?);
    let mut bare = OpenOptions::new().append(true).open(beside)?;
    let (mut ours_took, mut bare_took) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // By turns, and each as often the first of the two.
        for turn in 0..2 {
            let began = Instant::now();
            if (round + turn) % 2 == 0 {
                let tail = log::tail(&disk, &path)?;
                volume.commit(&[tail.append(path.clone(), line.as_bytes(), Access::Private)])?;
                ours_took.push(began.elapsed());
            } else {
                bare.write_all(line.as_bytes())?;
                bare.sync_data()?;
                bare_took.push(began.elapsed());
            }
        }
    }
    Ok((median(ours_took), median(bare_took)))
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took.get(took.len() / 2).copied().unwrap_or_default()
}
