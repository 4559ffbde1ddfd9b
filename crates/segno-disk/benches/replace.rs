//! A replacement with backup against the bare system calls that it needs, by turns in one run.
//!
//! They are: create, write and `fsync` the new version; `fsync` the old one, which another program may have written
//! without; link it and rename the link to the backup; rename the new version into place; `fsync` the directory.
//! Goal: within 1.25 of them.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use segno_disk::{Access, Basis, Change, ReadDisk as _, RealDisk, RelPath, Volume};

const ROUNDS: usize = 200;
const GOAL: f64 = 1.25;

fn main() -> Result<(), Box<dyn Error>> {
    println!("replacement with backup, median of {ROUNDS}, goal {GOAL:.2}");
    for kilobytes in [10, 1024] {
        let home = tempfile::tempdir()?;
        let (ours, bare) = measure(home.path(), kilobytes)?;
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        let verdict = if ratio <= GOAL { "met" } else { "missed" };
        println!("{kilobytes:>5} KB: {ours:>9.1?} against {bare:>9.1?} bare: {ratio:.3} {verdict}");
    }
    Ok(())
}

fn measure(home: &Path, kilobytes: usize) -> Result<(Duration, Duration), Box<dyn Error>> {
    let content = vec![b'x'; kilobytes * 1024];
    let beside = home.join("bare");
    fs::create_dir(home.join("ours"))?;
    fs::create_dir(&beside)?;
    let disk = RealDisk::open(home)?;
    let volume = Volume::new(&disk, RelPath::new(".segno")?);
    let path = RelPath::new("ours/state.yaml")?;
    let backup = RelPath::new("ours/state.yaml.bak")?;
    fs::write(home.join("ours/state.yaml"), &content)?;
    fs::write(beside.join("state.yaml"), &content)?;
    let (mut ours_took, mut bare_took) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // By turns, and each as often the first of the two.
        for turn in 0..2 {
            let began = Instant::now();
            if (round + turn) % 2 == 0 {
                let basis = disk
                    .stat(&path)?
                    .map_or(Basis::Absent, |stat| Basis::Version(stat.stamp()));
                let change = Change::replace(path.clone(), content.clone(), basis, Access::Private);
                volume.commit(&[change.with_backup(backup.clone())])?;
                ours_took.push(began.elapsed());
            } else {
                bare_replace(&beside, &content)?;
                bare_took.push(began.elapsed());
            }
        }
    }
    Ok((median(ours_took), median(bare_took)))
}

fn bare_replace(dir: &Path, content: &[u8]) -> std::io::Result<()> {
    let [target, temp, second, backup] =
        ["state.yaml", "temp", "second", "state.yaml.bak"].map(|name| dir.join(name));
    let mut file = File::create_new(&temp)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    File::open(&target)?.sync_all()?;
    fs::hard_link(&target, &second)?;
    fs::rename(&second, &backup)?;
    fs::rename(&temp, &target)?;
    File::open(dir)?.sync_all()
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took.get(took.len() / 2).copied().unwrap_or_default()
}
