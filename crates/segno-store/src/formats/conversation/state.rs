//! The state, `session.json`: read field by field, changed in place, never printed anew.

use segno_disk::{Access, Basis, Change, Stamp};

use super::super::{Context, Place};
use super::check::UPDATE_FIRST;
use super::{VERSION, codes, reference, state_path};
use crate::error::{Result, StoreError};
use crate::session::{Now, Problem, Status, Timestamp};
use crate::text::json::{Doc, JsonError, Kind, Style, Tree, Value};

/// The state of a session, or why there is none.
pub(super) enum StateFile {
    /// A JSON object.
    Sound(State),
    /// Something else.
    Broken(Broken),
    /// Nothing.
    Missing,
}

/// A state file that is not a JSON object.
pub(super) struct Broken {
    pub(super) bytes: Vec<u8>,
    pub(super) stamp: Stamp,
    pub(super) why: JsonError,
}

/// A state that can be read and changed.
pub(super) struct State {
    doc: Doc,
    stamp: Stamp,
}

/// Everything that a new state says.
pub(super) struct Fresh<'a> {
    pub(super) id: &'a str,
    pub(super) kind: &'a str,
    pub(super) status: Status,
    pub(super) created: &'a str,
    pub(super) last_active: &'a str,
    pub(super) count: u64,
    pub(super) command: &'a str,
    pub(super) prompt_hash: &'a str,
    pub(super) model: &'a str,
    pub(super) tools: &'a [String],
    pub(super) agent: Option<&'a str>,
    pub(super) summary: &'a str,
}

impl Fresh<'_> {
    /// The bytes of the file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut agent = vec![
            ("command".to_owned(), Tree::from(self.command)),
            ("system_prompt_hash".to_owned(), self.prompt_hash.into()),
            ("model".to_owned(), self.model.into()),
            ("tools".to_owned(), self.tools.to_vec().into()),
        ];
        if let Some(name) = self.agent {
            agent.push(("agent".to_owned(), name.into()));
        }
        let tree = Tree::Object(vec![
            ("version".to_owned(), VERSION.into()),
            ("conversation_id".to_owned(), self.id.into()),
            ("conversation_type".to_owned(), self.kind.into()),
            ("status".to_owned(), self.status.name().into()),
            ("created_at".to_owned(), self.created.into()),
            ("last_active".to_owned(), self.last_active.into()),
            ("message_count".to_owned(), self.count.into()),
            ("agent_config".to_owned(), Tree::Object(agent)),
            ("context_summary".to_owned(), self.summary.into()),
        ]);
        let mut text = tree.to_text(Style::INDENTED);
        text.push('\n');
        text.into_bytes()
    }
}

/// Reads the state of a session.
pub(super) fn read(cx: &Context<'_>, place: &Place) -> Result<StateFile> {
    let Some((bytes, stamp)) = cx.files.read(&state_path(place)?)? else {
        return Ok(StateFile::Missing);
    };
    let text = std::str::from_utf8(&bytes).map(ToOwned::to_owned);
    let parsed = match text {
        Ok(text) => Doc::parse_object(text),
        Err(_) => Doc::from_bytes(bytes.clone()),
    };
    Ok(match parsed {
        Ok(doc) => StateFile::Sound(State { doc, stamp }),
        Err(why) => StateFile::Broken(Broken { bytes, stamp, why }),
    })
}

/// Reads a state that is about to be changed: one that is damaged or newer is refused.
pub(super) fn read_to_change(cx: &Context<'_>, place: &Place) -> Result<State> {
    let file = read(cx, place)?;
    let problems = file.problems(place)?;
    match file {
        StateFile::Sound(state) => {
            state.refuse_newer(place)?;
            Ok(state)
        }
        StateFile::Broken(_) | StateFile::Missing => Err(StoreError::Damaged {
            session: reference(place),
            problems,
        }),
    }
}

impl StateFile {
    /// What is wrong with the state, as far as it can be told without the transcript.
    pub(super) fn problems(&self, place: &Place) -> Result<Vec<Problem>> {
        let path = state_path(place)?;
        Ok(match self {
            Self::Missing => vec![
                Problem::new(codes::STATE_MISSING, path)
                    .found("there is no state file")
                    .lossy("make it anew from the directory and the messages"),
            ],
            Self::Broken(broken) => vec![
                Problem::new(codes::STATE_INVALID, path)
                    .line(broken.why.line as u64)
                    .found(broken.why.to_string())
                    .lossy("keep it aside, and make it anew from what can be read of it, the directory and the messages"),
            ],
            Self::Sound(state) => state.problems(place)?,
        })
    }
}

impl State {
    /// A text field.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        Some(self.doc.get(key)?.str()?.into_owned())
    }

    /// A text field of the agent's configuration.
    pub(super) fn agent(&self, key: &str) -> Option<String> {
        let value = self.doc.get(["agent_config", key])?;
        Some(value.str()?.into_owned())
    }

    /// The names of the tools that the agent had.
    pub(super) fn tools(&self) -> Vec<String> {
        let tools = self.doc.get(["agent_config", "tools"]);
        let items = tools.iter().flat_map(Value::items);
        items
            .filter_map(|item| Some(item.str()?.into_owned()))
            .collect()
    }

    /// The status as the file has it.
    pub(super) fn raw_status(&self) -> String {
        self.text("status").unwrap_or_default()
    }

    /// The status; one that is none of the three counts as paused, so that the session can be come back to.
    pub(super) fn status(&self) -> Status {
        known_status(&self.raw_status()).unwrap_or(Status::Paused)
    }

    /// A time.
    pub(super) fn time(&self, key: &str) -> Option<Timestamp> {
        Timestamp::parse(&self.text(key)?)
    }

    /// How many messages there were when the state was written.
    pub(super) fn count(&self) -> Option<u64> {
        self.doc.get("message_count")?.u64()
    }

    /// Sets a field, every other byte staying as it is.
    pub(super) fn set(&mut self, key: &str, value: impl Into<Tree>) -> Result<()> {
        self.doc
            .set(key, value)
            .map_err(|error| StoreError::Invalid {
                what: format!("`{key}` cannot be set: {error}"),
                hints: Vec::new(),
            })
    }

    /// Sets what changes whenever the state is written.
    pub(super) fn touch(&mut self, status: Status, last_active: &str, count: u64) -> Result<()> {
        self.set("status", status.name())?;
        self.set("last_active", last_active)?;
        self.set("message_count", count)
    }

    /// The change that puts this state in place of the one it was read from.
    pub(super) fn into_change(self, place: &Place) -> Result<Change> {
        let bytes = self.doc.into_text().into_bytes();
        let basis = Basis::Version(self.stamp);
        Ok(Change::replace(
            state_path(place)?,
            bytes,
            basis,
            Access::Private,
        ))
    }

    /// Fails when a newer version wrote the state.
    pub(super) fn refuse_newer(&self, place: &Place) -> Result<()> {
        match self.newer_version() {
            Some(found) => Err(StoreError::TooNew {
                session: reference(place),
                found,
                supported: VERSION,
            }),
            None => Ok(()),
        }
    }

    /// The version, when it is one that this program does not know.
    pub(super) fn newer_version(&self) -> Option<String> {
        let version = self.doc.get("version")?;
        let text = match version.str() {
            Some(text) => text.into_owned(),
            None => version.raw().to_owned(),
        };
        let major: u64 = text.split('.').next()?.trim().parse().ok()?;
        (major > 1).then_some(text)
    }

    fn problems(&self, place: &Place) -> Result<Vec<Problem>> {
        let path = state_path(place)?;
        let mut problems = Vec::new();
        if let Some(version) = self.newer_version() {
            let found = format!(
                "written by a newer version (format {version}, this program knows {VERSION})"
            );
            problems.push(
                Problem::new(codes::TOO_NEW, path)
                    .found(found)
                    .manual(UPDATE_FIRST),
            );
            return Ok(problems);
        }
        let status = self.raw_status();
        if known_status(&status).is_none() {
            let found = if status.is_empty() {
                "there is no status".to_owned()
            } else {
                format!("the status `{status}` is none of active, paused, completed")
            };
            problems.push(
                Problem::new(codes::STATUS_UNKNOWN, path.clone())
                    .found(found)
                    .lossy("make it paused"),
            );
        }
        for (key, is_right) in self.shapes() {
            if !is_right {
                problems.push(
                    Problem::new(codes::FIELD_INVALID, path.clone())
                        .found(format!("`{key}` is not what it should be"))
                        .lossy("set it from the directory and the messages"),
                );
            }
        }
        Ok(problems)
    }

    /// The fields that can be set right again, and whether they are. Missing ones are read around.
    pub(super) fn shapes(&self) -> [(&'static str, bool); 3] {
        let absent = |key: &str| self.doc.get(key).is_none();
        [
            (
                "created_at",
                absent("created_at") || self.time("created_at").is_some(),
            ),
            (
                "last_active",
                absent("last_active") || self.time("last_active").is_some(),
            ),
            (
                "message_count",
                absent("message_count")
                    || self
                        .doc
                        .get("message_count")
                        .is_some_and(|value| value.kind() == Kind::Number && value.u64().is_some()),
            ),
        ]
    }
}

/// The three statuses that a conversation can have.
pub(super) fn known_status(text: &str) -> Option<Status> {
    [Status::Active, Status::Paused, Status::Completed]
        .into_iter()
        .find(|status| status.name() == text)
}

/// The later of two times; the one that is there.
pub(super) fn later(
    one: Option<Timestamp>,
    other: Option<Timestamp>,
    now: &Now,
) -> Option<Timestamp> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one.cmp_in(&other, now.zone()).is_lt() {
            other
        } else {
            one
        }),
        (one, other) => one.or(other),
    }
}
