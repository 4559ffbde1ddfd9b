//! Writes a workspace full of sessions of all five kinds: the same for the same seed, in several languages, with texts
//! that occur exactly where it says.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use crate::dice::Dice;

/// How much to write.
#[derive(Debug, Clone, Copy)]
pub struct Corpus {
    /// How many sessions, of all kinds.
    pub sessions: usize,
    /// How many messages, spread over the conversations and discussions.
    pub messages: usize,
    /// Which of all such workspaces.
    pub seed: u64,
}

/// A text that was put where nothing else says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// What to ask for.
    pub query: &'static str,
    /// What stands there.
    pub text: &'static str,
    /// Where: the file below the root, and the line.
    pub places: Vec<(String, u64)>,
}

/// What is planted: the question, and the text as it stands.
const PLANTS: [(&str, &str); 6] = [
    ("zirconflux", "zirconflux"),
    ("\"amber quiet harbour\"", "amber quiet harbour"),
    ("鳳凰木", "検証済みの鳳凰木を参照"),
    ("helicoidale", "une rampe hélicoïdale"),
    ("quasiLedger", "quasiLedger"),
    ("retro_lantern", "retro_lantern"),
];

/// What was written.
#[derive(Debug, Clone)]
pub struct Written {
    /// The planted texts.
    pub planted: Vec<Planted>,
    /// How many bytes there are in all files.
    pub bytes: u64,
    /// How many files.
    pub files: usize,
}

impl Corpus {
    /// Writes the workspace below a directory.
    pub fn write(&self, root: &Path) -> io::Result<Written> {
        let mut scribe = Scribe {
            root,
            words: Words::new(self.seed),
            planted: PLANTS
                .map(|(query, text)| Planted {
                    query,
                    text,
                    places: Vec::new(),
                })
                .to_vec(),
            rarity: (self.messages as u64 / 60).clamp(25, 2000),
            bytes: 0,
            files: 0,
        };
        fs::create_dir_all(root.join(".segno"))?;
        let spoken = (0..self.sessions)
            .filter(|number| is_spoken(*number))
            .count()
            .max(1);
        let each = self.messages / spoken;
        for number in 0..self.sessions {
            match number % 20 {
                0..=9 => scribe.conversation(number, each)?,
                10..=14 => scribe.discuss(number, each)?,
                15..=17 => scribe.brainstorm(number)?,
                18 => scribe.handover(number)?,
                _ => scribe.essay(number)?,
            }
        }
        Ok(Written {
            planted: scribe.planted,
            bytes: scribe.bytes,
            files: scribe.files,
        })
    }
}

const fn is_spoken(number: usize) -> bool {
    number % 20 < 15
}

struct Scribe<'r> {
    root: &'r Path,
    words: Words,
    planted: Vec<Planted>,
    /// Something is planted in one text of so many.
    rarity: u64,
    bytes: u64,
    files: usize,
}

impl Scribe<'_> {
    fn put(&mut self, path: &str, text: &str) -> io::Result<()> {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().unwrap_or(self.root))?;
        self.bytes += text.len() as u64;
        self.files += 1;
        fs::write(file, text)
    }

    /// A text of any language, with something planted in it once in a while.
    fn text(&mut self, path: &str, line: u64) -> String {
        let mut text = self.words.text();
        if self.words.dice.one_in(self.rarity) {
            let which = self.words.dice.index(self.planted.len());
            if let Some(plant) = self.planted.get_mut(which) {
                text.push(' ');
                text.push_str(plant.text);
                text.push_str(" .");
                plant.places.push((path.to_owned(), line));
            }
        }
        text
    }

    fn conversation(&mut self, number: usize, messages: usize) -> io::Result<()> {
        let (date, time) = day(number);
        let id = format!("{number:05}-plan-{}", self.words.slug());
        let dir = format!("conversations/{date}/{id}");
        let title = self.words.title();
        let summary = self.words.title();
        let status = if number.is_multiple_of(3) {
            "completed"
        } else {
            "paused"
        };
        self.put(
            &format!("{dir}/plan.md"),
            &format!("# {title}\n\n## Goals\n\n{summary}\n"),
        )?;
        self.put(
            &format!("{dir}/.session/session.json"),
            &format!(
                "{{\n  \"version\": \"1.0\",\n  \"conversation_id\": \"{id}\",\n  \"conversation_type\": \"plan\",\n  \
                 \"status\": \"{status}\",\n  \"created_at\": \"{date}T{time}Z\",\n  \"last_active\": \"{date}T{time}Z\",\n  \
                 \"message_count\": {messages},\n  \"agent_config\": {{}},\n  \"context_summary\": \"{summary}\"\n}}\n"
            ),
        )?;
        let path = format!("{dir}/.session/messages.jsonl");
        let mut lines = String::new();
        for line in 1..=messages as u64 {
            let role = if line % 2 == 1 { "user" } else { "assistant" };
            let text = escaped(&self.text(&path, line));
            let _ = writeln!(
                lines,
                "{{\"role\": \"{role}\", \"content\": \"{text}\", \"timestamp\": \"{date}T{time}Z\"}}"
            );
        }
        self.put(&path, &lines)
    }

    fn discuss(&mut self, number: usize, messages: usize) -> io::Result<()> {
        let (date, time) = day(number);
        let id = format!("{number:08x}-5c1b-4e0f-9a55-2f6f7a1c0b11");
        let dir = format!("docs/maestro/sessions/discuss/{id}");
        let prompt = self.words.title();
        self.put(
            &format!("{dir}/meta.json"),
            &format!(
                "{{\n  \"session_id\": \"{id}\",\n  \"context\": {{\"kind\": \"global\", \"ref\": null, \"router_reason\": \"none\"}},\n  \
                 \"contract_type\": \"global\",\n  \"created_at\": \"{date}T{time}\",\n  \"updated_at\": \"{date}T{time}\",\n  \
                 \"status\": \"open\",\n  \"final_json_present\": false,\n  \"engine\": \"qwen\",\n  \"model\": \"default\",\n  \
                 \"initial_prompt\": \"{prompt}\"\n}}\n"
            ),
        )?;
        let path = format!("{dir}/transcript.jsonl");
        let mut lines = String::new();
        for line in 1..=messages as u64 {
            let role = if line % 2 == 1 {
                "user_message"
            } else {
                "assistant_message"
            };
            let text = escaped(&self.text(&path, line));
            let _ = writeln!(
                lines,
                "{{\"ts\": \"{date}T{time}\", \"type\": \"{role}\", \"payload\": {{\"content\": \"{text}\"}}}}"
            );
        }
        self.put(&path, &lines)
    }

    fn brainstorm(&mut self, number: usize) -> io::Result<()> {
        let (date, time) = day(number);
        let slug = format!("{}-{number}", self.words.slug());
        let path = format!(".project-memory/brainstorm-sessions/{slug}.yaml");
        let mut text = format!(
            "format_version: \"1.2\"\n\nsession:\n  id: \"{slug}-{date}\"\n  slug: \"{slug}\"\n  status: \"in_progress\"\n  \
             phase: \"divergent\"\n  mode: \"standard\"\n  ems: 45\n  persona: \"architecte\"\n  iteration: 1\n  techniques_used: []\n  \
             started_at: \"{date}T{time}Z\"\n  duration_minutes: 30\n  history:\n    - iteration: 1\n      phase: \"divergent\"\n      ems: 45\n      \
             ems_delta: 0\n      questions: []\n      responses: []\n      timestamp: \"{date}T{time}Z\"\n  created: \"{date}T{time}Z\"\n  \
             updated: \"{date}T{time}Z\"\n  ideas:\n"
        );
        for idea in 0..10 {
            let line = text.matches('\n').count() as u64 + 2;
            let content = self.text(&path, line).replace(['\n', '"'], " ");
            let _ = writeln!(
                text,
                "    - id: {}\n      content: \"{content}\"\n      score: 5",
                idea + 1
            );
        }
        self.put(&path, &text)
    }

    fn handover(&mut self, number: usize) -> io::Result<()> {
        let (date, _) = day(number);
        let path = format!(".claude/sdd/handover/sessions/{date}-{number}.md");
        let mut text = format!(
            "# Session Handover\n**Generated**: {date}\n**Branch**: main\n\n## Direction\n### Immediate Next Action\n"
        );
        for heading in ["## Session Context", "## Accomplished", "## Notes"] {
            let line = text.matches('\n').count() as u64 + 1;
            let body = self.text(&path, line).replace('\n', " ");
            let _ = write!(text, "{body}\n\n{heading}\n");
        }
        self.put(&path, &text)
    }

    fn essay(&mut self, number: usize) -> io::Result<()> {
        let (date, time) = day(number);
        let stamp = format!("{}-{:06}", date.replace('-', ""), number);
        let dir = format!("essays/essay-pipeline-{stamp}");
        self.put(
            &format!("{dir}/session-state.yaml"),
            &format!(
                "pipeline_id: \"essay-{number}\"\nstarted_at: \"{date}T{time}Z\"\nlast_activity: \"{date}T{time}Z\"\nstatus: \"paused\"\n\
                 session_dir: \"{dir}\"\ncurrent_stage: 1\ncurrent_stage_name: \"thesis_development\"\nstages:\n  stage_1:\n    \
                 status: \"in_progress\"\n    thesis_file: null\ndeferred_verifications: []\nuser_overrides: []\nrevision_history: []\n"
            ),
        )?;
        let path = format!("{dir}/notes.md");
        let mut text = String::from("# Notes\n");
        for part in 1..5 {
            let _ = writeln!(text, "\n## Part {part}\n");
            let line = text.matches('\n').count() as u64 + 1;
            let body = self.text(&path, line).replace('\n', " ");
            text.push_str(&body);
            text.push('\n');
        }
        self.put(&path, &text)
    }
}

fn day(number: usize) -> (String, String) {
    let date = format!("2026-{:02}-{:02}", number / 28 % 10 + 1, number % 28 + 1);
    let time = format!(
        "{:02}:{:02}:{:02}",
        number % 24,
        number / 24 % 60,
        number / 1440 % 60
    );
    (date, time)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

/// Texts in four ways of writing. Common words are common: the share of a word falls with its rank.
struct Words {
    dice: Dice,
    english: Vec<String>,
    french: Vec<String>,
}

const ENGLISH: &str = "the of and to a in that is it for we on with as be this are not have by from or at but which all can \
    so if when there what one will more how do out up time no them file then log session agent write read save crash test \
    error path line user state index search decide question answer idea plan message keep after before because should";
const FRENCH: &str = "le la de et les des un une du en que qui dans est pour pas ce sur par au plus avec se il ne sont nous \
    été même où à déjà décision fichier idée séance après était créé mémoire côté élève là très être tâche résumé";
const KANJI: &str = "日本語検索索引会話記録決定質問回答計画設計実装試験失敗保存復元文書理由次回確認変更作業時間問題方法結果";
const KANA: &str = "のにはをがとでもからまですることあるこれそれしてますです";

impl Words {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut made = |common: &str, ends: &[&str]| {
            let mut words: Vec<String> = common.split_whitespace().map(str::to_owned).collect();
            let syllables = [
                "ba", "cor", "den", "fil", "gra", "hom", "jin", "kel", "lum", "mor", "nis", "pra",
                "quo", "ran", "sel", "tor", "ul", "ven", "win", "yor",
            ];
            while words.len() < 20_000 {
                let mut word = String::new();
                for _ in 0..=dice.below(3) {
                    word.push_str(syllables.get(dice.index(syllables.len())).unwrap_or(&"a"));
                }
                word.push_str(ends.get(dice.index(ends.len())).unwrap_or(&""));
                words.push(word);
            }
            words
        };
        let english = made(ENGLISH, &["", "s", "ed", "ing", "er", "ly", "ion"]);
        let french = made(FRENCH, &["", "é", "ée", "er", "ité", "ère", "ment"]);
        Self {
            dice,
            english,
            french,
        }
    }

    /// The rank of a word: half of all words are among the first hundred.
    fn rank(&mut self, count: usize) -> usize {
        let bits = 1 + self.dice.below(15);
        self.dice.index((1_usize << bits).min(count))
    }

    fn latin(&mut self, is_french: bool, count: u64, out: &mut String) {
        for place in 0..count {
            let words = if is_french {
                self.french.len()
            } else {
                self.english.len()
            };
            let rank = self.rank(words);
            let words = if is_french {
                &self.french
            } else {
                &self.english
            };
            if place > 0 {
                out.push_str(if place % 14 == 0 { ". " } else { " " });
            }
            out.push_str(words.get(rank).map_or("", String::as_str));
        }
    }

    fn japanese(&mut self, count: u64, out: &mut String) {
        let (kanji, kana): (Vec<char>, Vec<char>) =
            (KANJI.chars().collect(), KANA.chars().collect());
        for place in 0..count {
            let from = if place % 4 < 2 { &kanji } else { &kana };
            if place % 23 == 22 {
                out.push('。');
            }
            out.push(
                from.get(self.dice.index(from.len()))
                    .copied()
                    .unwrap_or('の'),
            );
        }
    }

    fn text(&mut self) -> String {
        let count = match self.dice.below(10) {
            0..=4 => 5 + self.dice.below(30),
            5..=8 => 40 + self.dice.below(90),
            _ => 200 + self.dice.below(300),
        };
        let mut out = String::new();
        match self.dice.below(20) {
            0..=11 => self.latin(false, count, &mut out),
            12..=15 => self.latin(true, count, &mut out),
            16..=18 => self.japanese(count, &mut out),
            _ => {
                self.latin(false, count / 2, &mut out);
                out.push_str("\n```rust\nfn append_only(logFile: &Path) -> io::Result<u64> { write_all(b\"v1.2\") }\n```\n");
                self.latin(false, count / 2, &mut out);
            }
        }
        out
    }

    fn title(&mut self) -> String {
        let mut out = String::new();
        let is_french = self.dice.one_in(4);
        self.latin(is_french, 5, &mut out);
        out
    }

    fn slug(&mut self) -> String {
        let rank = self.rank(self.english.len());
        self.english.get(rank).cloned().unwrap_or_default()
    }
}
