//! Every key of the configuration: name, type, default, meaning.

use std::fmt;

use super::value::Value;

/// One key.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name, sections separated by dots.
    pub name: &'static str,
    /// What it takes.
    pub shape: Shape,
    /// What holds when nobody sets it.
    pub default: Initial,
    /// What it means, in a sentence or two.
    pub doc: &'static str,
}

impl Key {
    /// For a table of texts, what the names of its entries begin with: `tools.`.
    pub(super) fn section(&self) -> &'static str {
        self.name.trim_end_matches("<name>")
    }
}

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Text that is not empty.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number that is not negative.
    Count,
    /// A list of texts.
    Texts,
    /// Names of the user's choosing, each with a text.
    TextTable,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text | Self::TextTable => f.write_str("text"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::Flag => f.write_str("true or false"),
            Self::Count => f.write_str("a whole number"),
            Self::Texts => f.write_str("a list of texts"),
        }
    }
}

/// What holds when nobody sets a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial {
    /// Nothing.
    Unset,
    /// A text.
    Text(&'static str),
    /// Yes or no.
    Flag(bool),
    /// A number.
    Count(u32),
    /// A list.
    Texts(&'static [&'static str]),
}

impl Initial {
    /// As a value.
    pub fn value(self) -> Value {
        match self {
            Self::Unset => Value::Unset,
            Self::Text(text) => Value::Text(text.to_owned()),
            Self::Flag(flag) => Value::Flag(flag),
            Self::Count(count) => Value::Count(count),
            Self::Texts(texts) => Value::Texts(texts.iter().map(ToString::to_string).collect()),
        }
    }
}

const fn key(name: &'static str, shape: Shape, default: Initial, doc: &'static str) -> Key {
    Key {
        name,
        shape,
        default,
        doc,
    }
}

/// All keys.
pub const KEYS: &[Key] = &[
    key(
        "lang",
        Shape::Choice(&["en", "fr", "ja"]),
        Initial::Unset,
        "Language of messages. When unset, LC_ALL, LC_MESSAGES and LANG decide; `--lang` wins over all of them.",
    ),
    key(
        "color",
        Shape::Choice(&["auto", "always", "never"]),
        Initial::Text("auto"),
        "When to use colour. `auto` is on a terminal only; `--color` and NO_COLOR win over this.",
    ),
    key(
        "git.commit",
        Shape::Flag,
        Initial::Flag(false),
        "Commit a session's files to git when it is saved. Your staged work, branch and hooks are respected.",
    ),
    key(
        "conversation.auto_pause_minutes",
        Shape::Count,
        Initial::Count(5),
        "Minutes without activity after which an active conversation is paused at the next access.",
    ),
    key(
        "brainstorm.retention_days",
        Shape::Count,
        Initial::Count(30),
        "Days that a completed or abandoned brainstorm is kept before `segno clean` puts it into the trash.",
    ),
    key(
        "essay.roots",
        Shape::Texts,
        Initial::Texts(&["essays"]),
        "Directories below the workspace where essays are looked for. New ones are made in the first.",
    ),
    key(
        "handover.dir",
        Shape::Text,
        Initial::Unset,
        "The handover directory below the workspace. When unset, `.claude/sdd/handover`, then `.sdd/handover`.",
    ),
    key(
        "handover.role",
        Shape::Text,
        Initial::Text("lead"),
        "The role that handovers are written as.",
    ),
    key(
        "handover.test_command",
        Shape::Text,
        Initial::Unset,
        "The command that runs the project's tests, for handovers that record their result. One that came with the workspace is run after you agreed to it.",
    ),
    key(
        "handover.recent_decisions",
        Shape::Count,
        Initial::Count(20),
        "How many of the latest decisions a resumed handover shows.",
    ),
    key(
        "resume.tool",
        Shape::Text,
        Initial::Unset,
        "The tool that sessions are resumed in when they name none themselves: a known agent or one of `tools`.",
    ),
    key(
        "tools.<name>",
        Shape::TextTable,
        Initial::Unset,
        "How a tool of this name is started: a command in which `{text}` stands for what it is told and `{file}` for a file \
         that holds it, such as `mytool --prompt {text}`.",
    ),
    key(
        "engines.<name>",
        Shape::TextTable,
        Initial::Unset,
        "How an engine of this name is started for `segno discuss chat`: a command that takes a text on standard input and \
         answers on standard output, in which `{model}` stands for the model, such as `myengine --model {model}`. One that \
         comes with a workspace is run only after you agree to it.",
    ),
    key(
        "lock.timeout_ms",
        Shape::Count,
        Initial::Count(5000),
        "Milliseconds to wait for another process that is writing the same session.",
    ),
];
