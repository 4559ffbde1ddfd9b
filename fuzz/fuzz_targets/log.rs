//! Any bytes as a log: the valid prefix ends at a line end or in a whole value, and what is appended stands on its own line.

#![no_main]

use segno_disk::sim::SimDisk;
use segno_disk::{Access, ReadDisk as _, RelPath, Volume, log};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let disk = SimDisk::new();
    let path = RelPath::new("log").unwrap();
    disk.plant(&path, bytes);
    let tail = log::tail(&disk, &path).unwrap();
    let valid = usize::try_from(tail.valid).unwrap();
    let ends_line = valid == 0 || bytes[valid - 1] == b'\n';
    assert_eq!(ends_line, !tail.unfinished);
    if tail.unfinished {
        let last = bytes[..valid].rsplit(|byte| *byte == b'\n').next().unwrap();
        serde_json::from_slice::<&serde_json::value::RawValue>(last).unwrap();
    }
    let change = tail.append(path.clone(), b"{}\n", Access::Private);
    let own = RelPath::new(".segno").unwrap();
    Volume::new(&disk, own).commit(&[change]).unwrap();
    let after = disk.read(&path).unwrap().unwrap().0;
    let newline: &[u8] = if tail.unfinished { b"\n" } else { b"" };
    assert_eq!(after, [&bytes[..valid], newline, b"{}\n"].concat());
});
