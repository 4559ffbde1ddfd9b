//! How fast a transcript of 100 MB is read, against `serde_json` alone over the same bytes in memory.

#![expect(clippy::print_stdout, reason = "a benchmark speaks on stdout")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::borrow::Cow;
use std::time::Instant;

use segno_disk::{FileKind, ReadFile, Result, Stat};
use segno_store::text::json::Doc;
use segno_store::text::jsonl::{Lines, Tail};

struct Memory(Vec<u8>);

impl ReadFile for Memory {
    fn stat(&self) -> Result<Stat> {
        Ok(Stat {
            kind: FileKind::File,
            len: self.0.len() as u64,
            modified_ns: 0,
            inode: 1,
            mode: 0o600,
        })
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.0.get(start..).unwrap_or_default();
        let count = rest.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(rest) {
            *to = *from;
        }
        Ok(count)
    }
}

#[derive(serde::Deserialize)]
struct Message<'m> {
    #[serde(borrow)]
    role: Cow<'m, str>,
    #[serde(borrow)]
    content: Cow<'m, str>,
    #[serde(borrow)]
    timestamp: Cow<'m, str>,
}

impl Message<'_> {
    fn weight(&self) -> usize {
        self.role.len() + self.content.len() + self.timestamp.len()
    }
}

fn transcript() -> Vec<u8> {
    let words = "the log is the truth and the projection follows, \\\"quoted\\\" once\\nwith d\u{e9}tails \u{4f1a}\u{8b70} ";
    let mut out = Vec::new();
    for index in 0..100_000_u32 {
        let content = words.repeat(11);
        let line = format!(
            "{{\"role\": \"user\", \"content\": \"{index} {content}\", \"timestamp\": \"2026-11-18T09:00:00Z\", \"extra\": {{\"n\": [1.10, {index}]}}}}\n"
        );
        out.extend_from_slice(line.as_bytes());
    }
    out
}

fn measure(name: &str, megabytes: f64, mut run: impl FnMut() -> usize) {
    let mut best = f64::MAX;
    let mut weight = 0;
    for _ in 0..5 {
        let start = Instant::now();
        weight = run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!(
        "{name:<34} {:>7.0} MB/s  ({weight} bytes seen)",
        megabytes / best
    );
}

fn main() {
    let file = Memory(transcript());
    #[expect(clippy::cast_precision_loss, reason = "a size in megabytes")]
    let megabytes = file.0.len() as f64 / 1e6;
    println!("{megabytes:.0} MB, 100000 lines");
    measure("serde_json, in memory", megabytes, || {
        let lines = file
            .0
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        lines
            .map(|line| serde_json::from_slice::<Message<'_>>(line).map_or(0, |m| m.weight()))
            .sum()
    });
    measure("Lines + serde_json", megabytes, || {
        let (mut lines, mut weight) = (Lines::new(&file), 0);
        while let Ok(Some(line)) = lines.next() {
            let message = line
                .json
                .ok()
                .and_then(|text| serde_json::from_str::<Message<'_>>(text).ok());
            weight += message.map_or(0, |message| message.weight());
        }
        weight
    });
    measure("Lines + json::Doc", megabytes, || {
        let (mut lines, mut weight) = (Lines::new(&file), 0);
        while let Ok(Some(line)) = lines.next() {
            let Some(doc) = line.json.ok().and_then(|text| Doc::parse(text).ok()) else {
                continue;
            };
            for key in ["role", "content", "timestamp"] {
                weight += doc
                    .get(key)
                    .and_then(|value| value.str())
                    .map_or(0, |text| text.len());
            }
        }
        weight
    });
    measure("Lines alone", megabytes, || {
        let (mut lines, mut weight) = (Lines::new(&file), 0);
        while let Ok(Some(line)) = lines.next() {
            weight += line.bytes.len();
        }
        weight
    });
    measure("Tail alone", megabytes, || {
        let Ok(mut lines) = Tail::open(&file) else {
            return 0;
        };
        let mut weight = 0;
        while let Ok(Some(line)) = lines.next() {
            weight += line.bytes.len();
        }
        weight
    });
}
