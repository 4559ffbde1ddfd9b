//! Listing and searching a large workspace, beside what others need for the same: a bare walk, `rg`, the `sqlite3` shell.
//!
//! `SEGNO_BENCH_SESSIONS` and `SEGNO_BENCH_MESSAGES` set the size (10000 and 1000000 for the figures in the documents; a
//! tenth of it by default), `SEGNO_BENCH_ROUNDS` how often each is measured. Every figure is the median of rounds in which
//! the candidates take turns, so that a busy machine slows all of them alike. Each search is a fresh process. With
//! `corpus DIR` it only writes the workspace, to look at by hand or under a profiler.

#![expect(clippy::print_stdout, reason = "a benchmark speaks on stdout")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark says plainly what it expects"
)]

use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use segno_testkit::corpus::{Corpus, Planted};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [_, "walk", dir] => println!("{}", walk(Path::new(dir))),
        [_, "tokens", dir] => println!("{}", tokens(Path::new(dir))),
        [_, "append", file, text] => append(Path::new(file), text),
        [_, "corpus", dir] => {
            corpus().write(Path::new(dir)).unwrap();
        }
        _ => Bench::new().run(),
    }
}

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

fn corpus() -> Corpus {
    Corpus {
        sessions: number("SEGNO_BENCH_SESSIONS", 1000),
        messages: number("SEGNO_BENCH_MESSAGES", 100_000),
        seed: 1,
    }
}

struct Bench {
    dir: tempfile::TempDir,
    planted: Vec<Planted>,
    bytes: u64,
    rounds: usize,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let corpus = corpus();
        let written = corpus.write(&dir.path().join("work")).unwrap();
        println!(
            "{} sessions, {} messages, {} files, {:.1} MB",
            corpus.sessions,
            corpus.messages,
            written.files,
            mega(written.bytes)
        );
        Self {
            dir,
            planted: written.planted,
            bytes: written.bytes,
            rounds: number("SEGNO_BENCH_ROUNDS", 9),
        }
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    fn segno(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_segno"));
        command
            .args(args)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("TMPDIR", self.dir.path())
            .current_dir(self.work());
        command
    }

    fn own(&self, args: &[&str]) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(args).current_dir(self.work());
        command
    }

    fn run(&self) {
        self.build();
        self.list();
        self.search();
        self.append();
    }

    fn build(&self) {
        let work = self.work();
        let work = work.to_str().unwrap();
        timed(&mut self.own(&["tokens", work]));
        let bare = timed(&mut self.own(&["tokens", work]));
        let built = timed(&mut self.segno(&["index", "--rebuild", "--json"]));
        let peak = memory(&mut self.segno(&["index", "--rebuild", "--json"]));
        let stats = self
            .segno(&["index", "--stats", "--json"])
            .output()
            .unwrap();
        let stats: serde_json::Value = serde_json::from_slice(&stats.stdout).unwrap();
        let size = stats["bytes"].as_u64().unwrap();
        report("bare tokenising pass", bare, None);
        report("segno index --rebuild", built, Some((bare, "at most 6")));
        println!("  memory {peak:.0} MB (under 256)");
        #[expect(clippy::cast_precision_loss, reason = "bytes of a benchmark")]
        let share = size as f64 * 100.0 / self.bytes as f64;
        println!(
            "  index {:.1} MB, {share:.1} % of the text (at most 60)",
            mega(size)
        );
    }

    fn list(&self) {
        timed(&mut self.segno(&["list", "--json"]));
        let mut times = [const { Vec::new() }; 3];
        let peak = memory(&mut self.segno(&["list"]));
        for _ in 0..self.rounds {
            times[0].push(timed(&mut self.own(&["walk", "."])));
            times[1].push(timed(&mut self.segno(&["list", "--json"])));
            times[2].push(timed(&mut self.segno(&["list"])));
        }
        let [walk, json, table] = times.map(median);
        report("bare walk with stat", walk, None);
        report("segno list --json", json, Some((walk, "at most 2")));
        report("segno list", table, Some((walk, "at most 2")));
        println!("  memory {peak:.0} MB");
    }

    fn search(&self) {
        let has = |name: &str| {
            Command::new(name)
                .arg("--version")
                .stdout(Stdio::null())
                .status()
                .is_ok()
        };
        let (has_rg, has_shell) = (has("rg"), has("sqlite3"));
        for (name, is_there) in [("rg", has_rg), ("sqlite3", has_shell)] {
            if !is_there {
                println!("{name} is not installed: not compared");
            }
        }
        let table = has_shell.then(|| self.ready_table());
        let mut asked: Vec<(&str, String, &str, Option<usize>)> = self
            .planted
            .iter()
            .map(|plant| {
                let pattern = if plant.query == "helicoidale" {
                    "h[eé]lico[iï]dale"
                } else {
                    plant.text
                };
                (
                    plant.query,
                    pattern.to_owned(),
                    plant.query,
                    Some(plant.places.len()),
                )
            })
            .collect();
        asked.push(("session", "session".to_owned(), "session", None));
        asked.push((
            "nowheretobefound",
            "nowheretobefound".to_owned(),
            "nowheretobefound",
            Some(0),
        ));
        for (query, pattern, _, count) in asked {
            let answer = self
                .segno(&["search", query, "--json", "--limit", "1000000"])
                .output()
                .unwrap();
            let answer: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
            if let Some(count) = count {
                // A title or a summary may say it once more.
                let found = answer["hits"].as_array().unwrap().len();
                assert!(
                    found >= count && (count > 0 || found == 0),
                    "{query}: {found} of {count}"
                );
            }
            let mut times = [const { Vec::new() }; 5];
            let peak = memory(&mut self.segno(&["search", query, "--json"]));
            for _ in 0..self.rounds {
                times[0].push(timed(&mut self.segno(&["search", query, "--json"])));
                let blind = ["search", query, "--json", "--no-refresh"];
                times[3].push(timed(&mut self.segno(&blind)));
                times[4].push(timed(&mut self.own(&["walk", "."])));
                if has_rg {
                    let mut rg = Command::new("rg");
                    rg.args(["--hidden", "--no-ignore", "-n", &pattern, "."])
                        .current_dir(self.work());
                    times[1].push(timed(&mut rg));
                }
                if let Some(table) = &table {
                    times[2].push(timed(&mut shell(table, query)));
                }
            }
            let [ours, rg, sqlite, blind, walk] = times.map(median);
            if let Some(table) = &table {
                let said = shell(table, query).output().unwrap();
                assert!(said.status.success(), "{query}: the shell cannot ask");
                assert_eq!(said.stdout.is_empty(), count == Some(0), "{query}");
            }
            println!("search {query} ({} hits)", answer["total"]);
            report("  segno search", ours, None);
            report("  the same, files not looked at", blind, None);
            let share = format!("ours is {:.2} of it", ours / walk);
            println!(
                "{:<36}{:>10.2} ms  {share}",
                "  bare walk with stat",
                walk * 1e3
            );
            if has_rg {
                println!(
                    "{:<36}{:>10.2} ms  {:.1} times ours (at least 20)",
                    "  rg",
                    rg * 1e3,
                    rg / ours
                );
            }
            if has_shell {
                println!(
                    "{:<36}{:>10.2} ms  ours is {:.2} of it (at most 3)",
                    "  sqlite3 shell",
                    sqlite * 1e3,
                    ours / sqlite
                );
            }
            println!("    memory {peak:.0} MB (under 64)");
        }
    }

    /// The same texts in an FTS5 table that somebody has ready, made by the shell itself: one of another version may not
    /// be able to read ours, and one that only says so is fast.
    fn ready_table(&self) -> PathBuf {
        let table = self.dir.path().join("ready.db");
        let mut making = Command::new("sqlite3")
            .arg(&table)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut sql = std::io::BufWriter::new(making.stdin.take().unwrap());
        let begin =
            "CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='unicode61'); BEGIN;";
        writeln!(sql, "{begin}").unwrap();
        let mut files = Vec::new();
        files_below(&self.work(), &mut files);
        for file in files {
            for line in std::fs::read_to_string(file).unwrap().lines() {
                let line = pairs(line).replace('\'', "''");
                writeln!(sql, "INSERT INTO words(text) VALUES ('{line}');").unwrap();
            }
        }
        writeln!(sql, "COMMIT; INSERT INTO words(words) VALUES ('optimize');").unwrap();
        drop(sql);
        assert!(making.wait().unwrap().success());
        table
    }

    fn append(&self) {
        let bare = self.dir.path().join("bare");
        std::fs::write(&bare, "").unwrap();
        let mut files = Vec::new();
        files_below(&self.work().join("conversations"), &mut files);
        files.sort();
        let session = files
            .iter()
            .find(|file| file.ends_with("messages.jsonl"))
            .unwrap();
        let mut times = [const { Vec::new() }; 2];
        for round in 0..self.rounds {
            times[0].push(timed(&mut self.own(&[
                "append",
                bare.to_str().unwrap(),
                "a new message",
            ])));
            let word = format!("freshword{round}");
            append(
                session,
                &format!("{{\"role\": \"user\", \"content\": \"{word}\"}}"),
            );
            let mut search = self.segno(&["search", &word, "--json"]);
            times[1].push(timed(&mut search));
            let answer = self.segno(&["search", &word, "--json"]).output().unwrap();
            let answer: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
            assert_eq!(answer["total"], 1, "{word}");
        }
        let [bare, ours] = times.map(median);
        report("bare append process", bare, None);
        report("a new message searchable", ours, Some((bare, "under 10")));
    }
}

/// A line with its ideographs in overlapping pairs, as the shell's tokenizer cannot cut them.
fn pairs(line: &str) -> String {
    let is_wide = |c: char| ('\u{3040}'..='\u{9fff}').contains(&c);
    let mut out = String::with_capacity(line.len() * 2);
    let mut last = None;
    for c in line.chars() {
        if !is_wide(c) {
            out.push(c);
            last = None;
            continue;
        }
        if let Some(last) = last {
            out.extend([' ', last, c, ' ']);
        }
        last = Some(c);
    }
    out
}

/// Asks the ready table as a person would at the shell.
fn shell(table: &Path, query: &str) -> Command {
    let words = match query {
        "鳳凰木" => "\"鳳凰 凰木\"",
        "retro_lantern" => "\"retro lantern\"",
        other => other,
    };
    let mut command = Command::new("sqlite3");
    command
        .arg(format!("file:{}?mode=ro", table.display()))
        .arg(format!(
            "SELECT rowid, rank FROM words WHERE words MATCH '{words}' ORDER BY rank LIMIT 20;"
        ));
    command
}

/// A bare walk: every directory listed, every file looked at.
fn walk(dir: &Path) -> u64 {
    let mut sum = 0;
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            sum += walk(&entry.path());
        } else {
            sum += entry.metadata().unwrap().size();
        }
    }
    sum
}

/// A bare tokenising pass: every file read, every word folded and counted, nothing kept.
fn tokens(dir: &Path) -> usize {
    let mut files = Vec::new();
    files_below(dir, &mut files);
    let mut count = 0;
    for file in files {
        let text = String::from_utf8(std::fs::read(file).unwrap()).unwrap();
        for line in text.lines() {
            let folded = segno_index::fold(line);
            count += folded
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .count();
        }
    }
    count
}

fn append(file: &Path, text: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).open(file).unwrap();
    writeln!(file, "{text}").unwrap();
    file.sync_data().unwrap();
}

fn files_below(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Runs a process; how long it took.
fn timed(command: &mut Command) -> f64 {
    let start = Instant::now();
    let end = quiet(command).status().unwrap();
    let time = start.elapsed().as_secs_f64();
    // `rg` that finds nothing says so with 1; of any other it is a failure, and failing is fast.
    let is_rg = command.get_program() == "rg";
    assert!(
        end.success() || (is_rg && end.code() == Some(1)),
        "{command:?}: {end}"
    );
    time
}

/// Runs a process; the most memory it had, in megabytes. It is asked while it runs, which would disturb a clock.
fn memory(command: &mut Command) -> f64 {
    let mut child = quiet(command).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0_f64;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(high_water(&status));
        std::thread::sleep(std::time::Duration::from_micros(500));
    }
    peak
}

fn quiet(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}

fn high_water(status: &str) -> f64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilo = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kilo.unwrap_or(0.0) / 1024.0
}

fn report(what: &str, time: f64, against: Option<(f64, &str)>) {
    let ratio = against.map(|(other, wanted)| format!("{:.2} of it ({wanted})", time / other));
    println!(
        "{what:<36}{:>10.2} ms  {}",
        time * 1e3,
        ratio.unwrap_or_default()
    );
}

fn mega(bytes: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "bytes of a benchmark")]
    let bytes = bytes as f64;
    bytes / 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
