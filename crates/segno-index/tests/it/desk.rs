//! A workspace and a cache directory, and an index between them, for the tests.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use segno_disk::RealDisk;
use segno_index::{Answer, Depth, Index, Query, Refreshed, Source};
use segno_store::session::Now;
use segno_store::settings::Settings;
use segno_store::workspace::Workspace;
use tempfile::TempDir;

/// A workspace and a cache directory.
pub(crate) struct Desk {
    pub(crate) dir: TempDir,
}

pub(crate) const LOG: &str = "conversations/2026-11-17/001-plan-log";

impl Desk {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("work")).unwrap();
        Self { dir }
    }

    /// With one conversation of two messages.
    pub(crate) fn with_log() -> Self {
        let desk = Self::new();
        desk.converse(
            LOG,
            "The append-only log",
            &["How do we save it?", "By a log that only grows."],
        );
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("work").join(name)
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    pub(crate) fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn converse(&self, dir: &str, title: &str, said: &[&str]) {
        self.put(
            &format!("{dir}/plan.md"),
            format!("# {title}\n\n## Goals\n\nnothing lost\n"),
        );
        let id = dir.rsplit_once('/').unwrap().1;
        let state = serde_json::json!({
            "version": "1.0", "conversation_id": id, "conversation_type": "plan", "status": "paused",
            "created_at": "2026-11-17T10:00:00Z", "last_active": "2026-11-17T10:00:00Z", "message_count": said.len(),
            "agent_config": {}, "context_summary": "We chose the journal.",
        });
        self.put(
            &format!("{dir}/.session/session.json"),
            format!("{state:#}\n"),
        );
        self.put(&format!("{dir}/.session/messages.jsonl"), "");
        for text in said {
            self.say(dir, text);
        }
    }

    pub(crate) fn say(&self, dir: &str, text: &str) {
        let line = serde_json::json!({"role": "user", "content": text, "timestamp": "2026-11-17T10:00:00Z"});
        self.append(
            &format!("{dir}/.session/messages.jsonl"),
            &format!("{line}\n"),
        );
    }

    pub(crate) fn append(&self, name: &str, text: &str) {
        let mut file = fs::OpenOptions::new()
            .append(true)
            .open(self.path(name))
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn with<T>(&self, act: impl FnOnce(&Source<'_>) -> T) -> T {
        let root = self.dir.path().join("work");
        let disk = RealDisk::open(&root).unwrap();
        let workspace = Workspace::new(&disk, Settings::default());
        let now = Now::new("2026-11-18T09:30:00Z".parse().unwrap(), TimeZone::UTC);
        act(&Source {
            workspace: &workspace,
            root: &root,
            temporary: None,
            now: &now,
        })
    }

    /// Refreshes as a fresh process would, and says what was read.
    pub(crate) fn refresh(&self, depth: Depth) -> Refreshed {
        self.with(|source| {
            let mut index = Index::open(Some(&self.cache()), source).unwrap();
            assert_eq!(index.trouble(), None);
            index.refresh(source, depth, &mut |_| {}).unwrap()
        })
    }

    /// How many paths are looked at by a command that finds nothing changed.
    pub(crate) fn watched(&self) -> u64 {
        self.with(|source| {
            let index = Index::open(Some(&self.cache()), source).unwrap();
            index.stats().unwrap().files
        })
    }

    pub(crate) fn search(&self, query: &str) -> Answer {
        self.search_in(Some(&self.cache()), query).0
    }

    /// Searches as a fresh process would; what kept it from an index that stays, if anything.
    pub(crate) fn search_in(&self, cache: Option<&Path>, query: &str) -> (Answer, Option<String>) {
        self.with(|source| {
            let mut index = Index::open(cache, source).unwrap();
            index.refresh(source, Depth::Words, &mut |_| {}).unwrap();
            let query = Query::parse(query, source.now).unwrap();
            let answer = index.search(source, &query, 100_000).unwrap();
            (answer, index.trouble().map(str::to_owned))
        })
    }

    /// `file:line` of every hit.
    pub(crate) fn places(&self, query: &str) -> BTreeSet<String> {
        places(&self.search(query))
    }

    #[track_caller]
    pub(crate) fn check(&self, query: &str, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|place| (*place).to_owned()).collect();
        assert_eq!(self.places(query), expected, "{query}");
    }

    /// The file of the index.
    pub(crate) fn file(&self) -> PathBuf {
        let home = fs::read_dir(self.cache().join("index"))
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        let mut files: Vec<PathBuf> = fs::read_dir(home)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.retain(|file| file.extension().is_some_and(|end| end == "db"));
        assert_eq!(files.len(), 1, "{files:?}");
        files.remove(0)
    }
}

pub(crate) fn places(answer: &Answer) -> BTreeSet<String> {
    assert_eq!(answer.total, answer.hits.len(), "all hits are shown");
    answer
        .hits
        .iter()
        .map(|hit| format!("{}:{}", hit.file, hit.line))
        .collect()
}

/// Until what was just written can no longer share its time with what is written next. No answer depends on it, only how
/// much is read.
pub(crate) fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(60));
}
