//! Engines: programs that take a text on standard input and answer on standard output.
//!
//! An engine is a preset or a template of the configuration (`engines.<name>`). No shell is involved: a template is split
//! into words, and `{model}` stands for the model. A template that comes with a workspace is somebody else's command; the
//! caller asks before it runs ([`Engine::is_foreign`]).

#![expect(
    clippy::match_same_arms,
    reason = "the two kinds of character are told apart in the order they are read"
)]

use std::io::{Read, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use crate::ambient::Ambient;
use crate::cli::{Code, CommandError};
use crate::config::{Config, Source, Value};
use crate::msg;

/// The model that means: whatever the engine itself would take.
pub const DEFAULT_MODEL: &str = "default";

/// The longest answer that is taken, in bytes: about what one line of a transcript holds.
const LONGEST: usize = 64 << 20;
/// How much is kept of what an engine complains about, in bytes.
const COMPLAINTS: usize = 64 << 10;

/// How a known engine is started: its words, and the word before a model.
const PRESETS: &[(&str, &[&str], &str)] = &[
    ("claude", &["claude", "-p"], "--model"),
    ("codex", &["codex", "exec", "-"], "--model"),
    ("gemini", &["gemini"], "--model"),
    ("qwen", &["qwen"], "--model"),
    ("opencode", &["opencode", "run"], "--model"),
];

/// A program that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engine {
    /// Its name.
    pub name: String,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Where its template comes from; `None` for a preset.
    pub source: Option<Source>,
}

impl Engine {
    /// The engine of a name: a template of the configuration, else a preset.
    pub fn named(name: &str, model: &str, config: &Config) -> Result<Self, CommandError> {
        let key = format!("engines.{name}");
        let template = config.list().into_iter().find(|one| one.name == key);
        if let Some(setting) = template
            && let Value::Text(text) = &setting.value
        {
            let words = words(text, model).map_err(|why| {
                CommandError::new(Code::Invalid, msg!("discuss-engine-template", key = &key))
                    .because(why)
            })?;
            return Ok(Self {
                name: name.to_owned(),
                words,
                source: Some(setting.source),
            });
        }
        let preset = PRESETS.iter().find(|(known, _, _)| *known == name);
        let Some((_, command, flag)) = preset else {
            let known: Vec<&str> = PRESETS.iter().map(|(known, _, _)| *known).collect();
            let error = msg!("discuss-engine-unknown", name = name);
            return Err(CommandError::new(Code::Invalid, error)
                .hint(msg!("discuss-engine-known", known = known.join(", ")))
                .hint(msg!("discuss-engine-configure", key = key)));
        };
        let mut words: Vec<String> = command.iter().map(ToString::to_string).collect();
        if model != DEFAULT_MODEL && !model.is_empty() {
            // `codex exec -` reads its prompt from the last word.
            let at = if words.last().is_some_and(|last| last == "-") {
                words.len() - 1
            } else {
                words.len()
            };
            words.splice(at..at, [(*flag).to_owned(), model.to_owned()]);
        }
        Ok(Self {
            name: name.to_owned(),
            words,
            source: None,
        })
    }

    /// True when the command came with the workspace: a person has to agree before it runs.
    pub fn is_foreign(&self) -> bool {
        self.source == Some(Source::Workspace)
    }

    /// The command as a person would type it.
    pub fn shown(&self) -> String {
        self.words.join(" ")
    }

    /// Gives the engine a text and waits for its answer.
    pub fn ask(&self, text: &str, ambient: &Ambient) -> Result<String, EngineError> {
        let program = self.program(ambient)?;
        let mut child = Command::new(program)
            .args(self.words.get(1..).unwrap_or_default())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| EngineError::failed(self, &error.to_string()))?;
        // Both directions at once: an engine that answers before it has read everything would block the two of us.
        let input = child.stdin.take();
        let question = text.to_owned();
        let feeder = thread::spawn(move || {
            if let Some(mut input) = input {
                // An engine that has heard enough closes its input; its exit code says whether that was an error.
                let _ = input.write_all(question.as_bytes());
            }
        });
        let complaints = child
            .stderr
            .take()
            .map(|pipe| thread::spawn(|| end_of(pipe)));
        let mut answer = Vec::new();
        if let Some(output) = child.stdout.take() {
            let mut output = output.take(LONGEST as u64 + 1);
            let read = output.read_to_end(&mut answer);
            read.map_err(|error| EngineError::failed(self, &error.to_string()))?;
        }
        if answer.len() > LONGEST {
            // Nobody waits for the threads: what it started may hold its pipes open for as long as it likes.
            let _ = child.kill();
            let _ = child.wait();
            let why = format!("its answer is longer than {} MB", LONGEST >> 20);
            return Err(EngineError::failed(self, &why));
        }
        let status = child
            .wait()
            .map_err(|error| EngineError::failed(self, &error.to_string()))?;
        let _ = feeder.join();
        let complaints = complaints.and_then(|reader| reader.join().ok());
        if !status.success() {
            let said = complaints.unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            let last: Vec<&str> = said.trim().lines().rev().take(20).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            return Err(EngineError {
                message: format!("the engine {} failed: {status}", self.name),
                details: Some(last.join("\n")).filter(|said| !said.is_empty()),
            });
        }
        let answer = String::from_utf8_lossy(&answer).trim().to_owned();
        if answer.is_empty() {
            return Err(EngineError::failed(self, "it answered nothing"));
        }
        Ok(answer)
    }

    fn program(&self, ambient: &Ambient) -> Result<PathBuf, EngineError> {
        let word = self.words.first().map(String::as_str).unwrap_or_default();
        let path = PathBuf::from(word);
        if path.components().count() > 1 {
            return Ok(path);
        }
        ambient.find_program(word).ok_or_else(|| EngineError {
            message: format!(
                "the engine {} is not installed: no `{word}` on the PATH",
                self.name
            ),
            details: None,
        })
    }
}

/// Reads everything and keeps the end of it: an engine that complains without end fills no memory, and never waits.
fn end_of(mut pipe: impl Read) -> Vec<u8> {
    let (mut kept, mut piece) = (Vec::new(), vec![0; 8 << 10]);
    while let Ok(n) = pipe.read(&mut piece) {
        if n == 0 {
            break;
        }
        kept.extend_from_slice(piece.get(..n).unwrap_or_default());
        if kept.len() > 2 * COMPLAINTS {
            kept.drain(..kept.len() - COMPLAINTS);
        }
    }
    kept.drain(..kept.len().saturating_sub(COMPLAINTS));
    kept
}

/// Why an engine gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineError {
    /// What happened.
    pub message: String,
    /// What the engine said of it.
    pub details: Option<String>,
}

impl EngineError {
    fn failed(engine: &Engine, why: &str) -> Self {
        Self {
            message: format!("the engine {} failed: {why}", engine.name),
            details: None,
        }
    }
}

/// Splits a template into words: spaces part them, quotes hold them together, `{model}` is the model.
fn words(template: &str, model: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in template.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    if words.is_empty() {
        return Err("it is empty".to_owned());
    }
    let words = words.into_iter();
    Ok(words.map(|word| word.replace("{model}", model)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_split_into_words_without_a_shell() {
        let check = |template: &str, expected: &[&str]| {
            assert_eq!(words(template, "m1").unwrap(), expected);
        };
        check("my-engine --model {model}", &["my-engine", "--model", "m1"]);
        check("a 'b c' \"d e\"f ''", &["a", "b c", "d ef", ""]);
        check("a; rm -rf $HOME", &["a;", "rm", "-rf", "$HOME"]);
        assert!(words("a 'b", "m").is_err());
        assert!(words("  ", "m").is_err());
    }

    #[test]
    fn of_endless_complaints_the_end_is_kept() {
        let said = "x".repeat(5 * COMPLAINTS) + "the end";
        let kept = end_of(said.as_bytes());
        assert_eq!(kept.len(), COMPLAINTS);
        assert!(kept.ends_with(b"the end"));
        assert_eq!(end_of(&b"short"[..]), b"short");
    }

    #[test]
    fn a_model_is_passed_on_unless_it_is_the_default() {
        let config = Config::default();
        let words = |name: &str, model: &str| Engine::named(name, model, &config).unwrap().words;
        assert_eq!(words("claude", "default"), ["claude", "-p"]);
        assert_eq!(words("claude", "opus"), ["claude", "-p", "--model", "opus"]);
        assert_eq!(
            words("codex", "o9"),
            ["codex", "exec", "--model", "o9", "-"]
        );
        assert_eq!(
            words("opencode", "x/y"),
            ["opencode", "run", "--model", "x/y"]
        );
        assert!(Engine::named("nobody", "default", &config).is_err());
    }
}
