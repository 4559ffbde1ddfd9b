//! A whole `segno conversation say` against a bare process that opens a file, appends, syncs and exits.

#![expect(clippy::print_stdout, reason = "a benchmark speaks on stdout")]
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark says plainly what it expects"
)]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 200;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, mode, file, text] = args.as_slice()
        && mode == "bare"
    {
        return bare(Path::new(file), text);
    }
    let dir = tempfile::tempdir().unwrap();
    let segno = |args: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_segno"))
            .args(args)
            .env_clear()
            .env("HOME", dir.path())
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(done.unwrap().success());
    };
    segno(&["conversation", "start", "plan", "bench"]);
    let text = "what was said, about a thousand bytes of it: ".repeat(22);
    let file = dir.path().join("bare");
    std::fs::write(&file, "").unwrap();
    let own = std::env::current_exe().unwrap();
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        times[0].push(timed(|| {
            let done = Command::new(&own)
                .arg("bare")
                .arg(&file)
                .arg(&text)
                .env_clear()
                .stdout(Stdio::null())
                .status();
            assert!(done.unwrap().success());
        }));
        times[1].push(timed(|| {
            segno(&[
                "conversation",
                "say",
                "001-plan-bench",
                "--role",
                "user",
                &text,
            ]);
        }));
    }
    let [bare, say] = times.map(median);
    println!("bare process                        {:>8.2} ms", bare * 1e3);
    println!(
        "segno conversation say              {:>8.2} ms  {:.2} of it (at most 2.5)",
        say * 1e3,
        say / bare
    );
}

fn bare(file: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).open(file).unwrap();
    writeln!(file, "{text}").unwrap();
    file.sync_data().unwrap();
}

fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
