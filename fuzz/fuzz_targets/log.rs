//! Any bytes as a log: the valid prefix ends at a line end, and what is appended behind it is read back.

#![no_main]

use segno_disk::sim::SimDisk;
use segno_disk::{Access, ReadDisk as _, RelPath, Volume, log};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let disk = SimDisk::new();
    let path = RelPath::new("log").unwrap();
    disk.plant(&path, bytes);
    let tail = log::tail(&disk, &path).unwrap();
    let valid = usize::try_from(tail.valid).unwrap();
    assert!(valid == 0 || bytes[valid - 1] == b'\n');
    let change = tail.append(path.clone(), b"{}\n", Access::Private);
    let own = RelPath::new(".segno").unwrap();
    Volume::new(&disk, own).commit(&[change]).unwrap();
    let after = disk.read(&path).unwrap().unwrap().0;
    assert!(after.starts_with(&bytes[..valid]) && after.ends_with(b"{}\n"));
});
