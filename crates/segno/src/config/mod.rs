//! The configuration: `.segno/config.toml` in the workspace over `config.toml` in the user's own directory.
//!
//! Every key stands in one table ([`KEYS`]) with its type, default and meaning; `docs/configuration.md` is made from
//! it. A key that is not in it is a warning, a value of the wrong type an error that names file and line.

mod file;
mod keys;
mod nearest;
mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use segno_store::settings::{
    BrainstormSettings, ConversationSettings, EssaySettings, HandoverSettings, Settings,
};

pub use keys::{Initial, KEYS, Key, Shape};
pub use nearest::nearest;
pub use value::Value;

use crate::ambient::Ambient;
use crate::cli::CommandError;
use crate::cli::args::ColorWhen;
use crate::messages::{Lang, Text};

/// Where the configuration is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The workspace's own file.
    pub workspace: PathBuf,
    /// The user's file; `None` when there is no home directory.
    pub user: Option<PathBuf>,
}

impl Paths {
    /// The files of a workspace and its user.
    pub fn new(root: &Path, ambient: &Ambient) -> Self {
        Self {
            workspace: root.join(".segno").join("config.toml"),
            user: ambient.config_dir().map(|dir| dir.join("config.toml")),
        }
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Nobody set it.
    Default,
    /// The user's file.
    User,
    /// The workspace's file.
    Workspace,
}

impl Source {
    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User => "user",
            Self::Workspace => "workspace",
        }
    }
}

/// One setting as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its full name; `tools.mytool` for a tool.
    pub name: String,
    /// What it means.
    pub key: &'static Key,
    /// Its value.
    pub value: Value,
    /// Where that comes from.
    pub source: Source,
}

/// The configuration as it stands.
#[derive(Debug, Clone)]
pub struct Config {
    /// What sessions depend on.
    pub settings: Settings,
    /// What the command itself depends on.
    pub own: OwnSettings,
    /// What is in the files and has no meaning.
    pub warnings: Vec<Text>,
    set: BTreeMap<String, (Value, Source)>,
}

/// What the command itself depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSettings {
    /// The language; `None` leaves it to the environment.
    pub lang: Option<Lang>,
    /// When to use colour.
    pub color: ColorWhen,
    /// Whether saving commits session files to git.
    pub git_commit: bool,
    /// Which tool a session is resumed in; `None` leaves it to the session.
    pub resume_tool: Option<String>,
    /// Command templates of tools by name, and whose each is. One that stands in the user's own file word for word is
    /// the user's, wherever else it stands.
    pub tools: BTreeMap<String, (String, Source)>,
    /// Whose the command is that runs the project's tests, where one is set.
    pub test_command: Option<Source>,
    /// How long to wait for another process.
    pub lock_timeout: Duration,
}

/// The setting that is a command to run.
const TEST_COMMAND: &str = "handover.test_command";

impl Default for Config {
    fn default() -> Self {
        Self::of(BTreeMap::new(), Vec::new())
    }
}

impl Config {
    /// Reads both files; either may be missing.
    pub fn open(paths: &Paths) -> Result<Self, CommandError> {
        let mut set = BTreeMap::new();
        let mut warnings = Vec::new();
        if let Some(user) = &paths.user {
            file::read(user, Source::User, &mut set, &mut warnings)?;
        }
        let users = set.clone();
        file::read(&paths.workspace, Source::Workspace, &mut set, &mut warnings)?;
        for (name, (value, source)) in &mut set {
            let is_command = name.starts_with("tools.") || name == TEST_COMMAND;
            if is_command && users.get(name).is_some_and(|(own, _)| own == value) {
                *source = Source::User;
            }
        }
        Ok(Self::of(set, warnings))
    }

    /// Every setting in the order of the table, tools by name.
    pub fn list(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        for key in KEYS {
            let named = match key.shape {
                Shape::TextTable => self.below(key).collect(),
                _ => Vec::from_iter(self.set.get_key_value(key.name)),
            };
            if named.is_empty() {
                settings.push(Setting {
                    name: key.name.to_owned(),
                    key,
                    value: key.default.value(),
                    source: Source::Default,
                });
            }
            settings.extend(named.into_iter().map(|(name, (value, source))| Setting {
                name: name.clone(),
                key,
                value: value.clone(),
                source: *source,
            }));
        }
        settings
    }

    fn below(&self, key: &'static Key) -> impl Iterator<Item = (&String, &(Value, Source))> {
        self.set
            .iter()
            .filter(|(name, _)| name.starts_with(key.section()))
    }

    fn of(set: BTreeMap<String, (Value, Source)>, warnings: Vec<Text>) -> Self {
        let values = Values(&set);
        let settings = Settings {
            conversation: ConversationSettings {
                auto_pause_minutes: values.count("conversation.auto_pause_minutes"),
            },
            brainstorm: BrainstormSettings {
                retention_days: values.count("brainstorm.retention_days"),
            },
            essay: EssaySettings {
                roots: values.texts("essay.roots"),
            },
            handover: HandoverSettings {
                dir: values.text("handover.dir"),
                role: values.text("handover.role").unwrap_or_default(),
                test_command: values.text(TEST_COMMAND),
                recent_decisions: values.count("handover.recent_decisions"),
            },
        };
        let own = OwnSettings {
            lang: values.text("lang").and_then(|name| Lang::of_locale(&name)),
            color: values
                .text("color")
                .and_then(|name| ColorWhen::named(&name))
                .unwrap_or(ColorWhen::Auto),
            git_commit: values.get("git.commit") == Value::Flag(true),
            resume_tool: values.text("resume.tool"),
            tools: values.table("tools."),
            test_command: set.get(TEST_COMMAND).map(|(_, source)| *source),
            lock_timeout: Duration::from_millis(values.count("lock.timeout_ms").into()),
        };
        Self {
            settings,
            own,
            warnings,
            set,
        }
    }
}

/// The values that were set over the defaults of the table.
struct Values<'a>(&'a BTreeMap<String, (Value, Source)>);

impl Values<'_> {
    fn get(&self, name: &str) -> Value {
        match self.0.get(name) {
            Some((value, _)) => value.clone(),
            None => KEYS
                .iter()
                .find(|key| key.name == name)
                .expect("because a test reads every key of the table")
                .default
                .value(),
        }
    }

    fn count(&self, name: &str) -> u32 {
        match self.get(name) {
            Value::Count(count) => count,
            _ => 0,
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        match self.get(name) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        match self.get(name) {
            Value::Texts(texts) => texts,
            _ => Vec::new(),
        }
    }

    fn table(&self, section: &str) -> BTreeMap<String, (String, Source)> {
        self.0
            .iter()
            .filter_map(|(name, (value, source))| match value {
                Value::Text(text) => {
                    let name = name.strip_prefix(section)?.to_owned();
                    Some((name, (text.clone(), *source)))
                }
                _ => None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_store() {
        assert_eq!(Config::default().settings, Settings::default());
    }
}
