//! What was around a discussion when it began: the commit of the repository, and the plan as a fingerprint.
//!
//! Both are read from the files alone; no program is asked.

use std::fmt::Write as _;

use segno_disk::{FileKind, ReadDisk, RelPath};
use sha2::{Digest as _, Sha256};

use super::site::fixed;
use crate::error::Result;

/// The parts of the plan that count.
const PLAN: [&str; 3] = [
    "docs/maestro/phases",
    "docs/maestro/tasks",
    "docs/maestro/tracks",
];

/// The commit that the repository stands at; `None` outside of one, before its first commit, and where its administration
/// lies elsewhere (a linked work tree).
pub(super) fn diff_anchor(files: &dyn ReadDisk) -> Option<String> {
    let head = text(files, &fixed(".git/HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref: ") else {
        return commit(head.trim());
    };
    let loose = RelPath::new(&format!(".git/{name}")).ok()?;
    if let Some(id) = text(files, &loose) {
        return commit(id.trim());
    }
    let packed = text(files, &fixed(".git/packed-refs"))?;
    packed.lines().find_map(|line| {
        let (id, packed_name) = line.split_once(' ')?;
        (packed_name == name).then(|| commit(id))?
    })
}

fn commit(text: &str) -> Option<String> {
    let is_id = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| text.to_owned())
}

/// A small file of the repository's administration. What cannot be read says nothing: a discussion begins without it.
fn text(files: &dyn ReadDisk, path: &RelPath) -> Option<String> {
    let stat = files.stat(path).ok()??;
    if stat.kind != FileKind::File || stat.len > 1 << 20 {
        return None;
    }
    String::from_utf8(files.read(path).ok()??.0).ok()
}

/// The fingerprint of the plan: the hash of its files' paths and contents, in the order of their paths. `None` without one.
pub(super) fn workspace_fingerprint(files: &dyn ReadDisk) -> Result<Option<String>> {
    let mut paths = vec![fixed("docs/maestro/index.json")];
    for dir in PLAN.map(fixed) {
        for entry in files.list(&dir)? {
            let is_item = entry.name.strip_suffix(".json").is_some();
            // A name that no path can hold is none of the plan's.
            if is_item
                && entry.kind == FileKind::File
                && let Ok(path) = dir.join_name(&entry.name)
            {
                paths.push(path);
            }
        }
    }
    let mut whole = Sha256::new();
    let mut is_there = false;
    for path in paths {
        if let Some((bytes, _)) = files.read(&path)? {
            is_there = true;
            let line = format!("{path} {}\n", hex(&Sha256::digest(&bytes)));
            whole.update(line.as_bytes());
        }
    }
    Ok(is_there.then(|| hex(&whole.finalize())))
}

/// A hash as other programs write it.
pub(super) fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("because writing to a string cannot fail");
        hex
    })
}

#[cfg(test)]
mod tests {
    use segno_disk::SimDisk;

    use super::*;

    fn disk(files: &[(&str, &str)]) -> SimDisk {
        let disk = SimDisk::new();
        for (path, text) in files {
            disk.plant(&fixed(path), text.as_bytes());
        }
        disk
    }

    #[test]
    fn the_anchor_is_the_commit_that_the_repository_stands_at() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let packed =
            format!("# pack-refs with: peeled\n{id} refs/heads/other\n{id} refs/heads/main\n");
        let check = |files: &[(&str, &str)], expected: Option<&str>| {
            let found = diff_anchor(&disk(files));
            assert_eq!(found.as_deref(), expected, "{files:?}");
        };
        check(&[], None);
        check(&[(".git/HEAD", id)], Some(id));
        let head = (".git/HEAD", "ref: refs/heads/main\n");
        check(&[head], None);
        check(
            &[head, (".git/refs/heads/main", &format!("{id}\n"))],
            Some(id),
        );
        check(&[head, (".git/packed-refs", &packed)], Some(id));
        check(&[head, (".git/refs/heads/main", "no id")], None);
        check(&[(".git/HEAD", "ref: ../../outside")], None);
        check(&[(".git", "gitdir: /elsewhere/.git/worktrees/x")], None);
    }

    #[test]
    fn the_fingerprint_changes_with_the_plan_and_with_nothing_else() {
        let plan = [
            ("docs/maestro/index.json", "{}"),
            ("docs/maestro/tasks/k.json", "{}"),
        ];
        let of = |files: &[(&str, &str)]| workspace_fingerprint(&disk(files)).unwrap();
        assert_eq!(of(&[("README.md", "x")]), None);
        let first = of(&plan).unwrap();
        assert_eq!(first.len(), 64);
        let with = |more: (&'static str, &'static str)| {
            let mut files = plan.to_vec();
            files.retain(|(path, _)| *path != more.0);
            files.push(more);
            of(&files).unwrap()
        };
        assert_eq!(with(("README.md", "x")), first);
        assert_eq!(
            with(("docs/maestro/sessions/discuss/s/meta.json", "{}")),
            first
        );
        assert_ne!(with(("docs/maestro/tasks/k.json", "{ }")), first);
        assert_ne!(with(("docs/maestro/phases/p.json", "{}")), first);
    }
}
