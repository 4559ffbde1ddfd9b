//! Starting a conversation: a numbered directory, the document of its type, an empty transcript and the state.

use segno_disk::{Access, Basis, Change, FileKind, RelPath};

use super::super::{Context, Place, Plan};
use super::command;
use super::document::{self, Placeholders, split_number};
use super::find::DEFAULT_FOLDER;
use super::registry::{self, Registry};
use super::state::Fresh;
use super::types::{BUILT_IN, ConversationType, built_in};
use super::{state_path, transcript_path};
use crate::error::{Result, StoreError};
use crate::session::{Kind, SessionId, Status};
use crate::text::slug::slug;

/// The lock under which new conversations get their numbers.
pub const LOCK_NEW: &str = "conversation-new";

/// The longest part of a directory's name that is made from the topic, in bytes.
const MAX_SLUG: usize = 80;
/// The longest topic, in bytes: it is a heading, not a message.
const MAX_TOPIC: usize = 2000;
/// The longest type, in bytes.
const MAX_TYPE: usize = 40;

/// What a person asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// The type: a built-in one, one of the registry, or one of their own.
    pub kind: String,
    /// What it is about.
    pub topic: String,
    /// The agent's command; else that of the type.
    pub command: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The tools that the agent has.
    pub tools: Vec<String>,
    /// The program that the agent is, such as `claude`: a resume starts it again.
    pub agent: Option<String>,
}

/// What was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// The session.
    pub place: Place,
    /// What it is called.
    pub title: String,
    /// The document, for the user to open.
    pub document: RelPath,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Something that is not as it might have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// No tool has a file for this command: no hash of the instructions could be kept.
    NoCommandFile(String),
    /// The registry names a template that is not there; the sections were used instead.
    NoTemplate(String),
    /// The type is neither built in nor registered.
    OwnType(String),
}

/// Starts a conversation; committed under [`LOCK_NEW`]. The state file is the commit point: a directory without one is no
/// session, and its number is not given out again.
pub fn start(cx: &Context<'_>, wanted: &Start) -> Result<Plan<Started>> {
    let topic = checked_topic(&wanted.topic)?;
    let mut notes = Vec::new();
    let kind = type_of(cx, &wanted.kind, &mut notes)?;
    let date = cx.now.date();
    let dated = kind.folder.join_name(&date)?;
    let id = format!(
        "{:03}-{}-{}",
        next_number(cx, &dated)?,
        kind.key,
        slug(&topic, MAX_SLUG)
    );
    let place = Place {
        kind: Kind::Conversation,
        root: cx.root,
        id: SessionId::new(&id)?,
        path: dated.join_name(&id)?,
    };
    let command = wanted
        .command
        .clone()
        .unwrap_or_else(|| kind.command.clone());
    let files = command::files(cx, &command)?;
    let of_agent = |file: &&command::CommandFile| Some(file.agent) == wanted.agent.as_deref();
    let file = files.iter().find(of_agent).or(files.first());
    if file.is_none() {
        notes.push(Note::NoCommandFile(command.clone()));
    }
    let created = cx.now.utc_seconds();
    let state = Fresh {
        id: &id,
        kind: &kind.key,
        status: Status::Active,
        created: &created,
        last_active: &created,
        count: 0,
        command: &command,
        prompt_hash: &file.map(command::CommandFile::hash).unwrap_or_default(),
        model: wanted.model.as_deref().unwrap_or_default(),
        tools: &wanted.tools,
        agent: wanted.agent.as_deref(),
        summary: "",
    };
    let placeholders = Placeholders {
        topic: &topic,
        id: &id,
        date: &date,
    };
    let mut changes = documents(cx, &kind, &place, &placeholders, &mut notes)?;
    // Crash: up to here there is a document without a session, which nobody was told of.
    changes.push(fresh(
        state_path(&place)?,
        state.to_bytes(),
        Access::Private,
    ));
    // Crash: a transcript that is missing is an empty one.
    changes.push(fresh(transcript_path(&place)?, Vec::new(), Access::Private));
    let started = Started {
        title: topic,
        document: place.path.join_name(&kind.document)?,
        place,
        notes,
    };
    Ok(Plan::in_order(changes, started))
}

fn fresh(path: RelPath, bytes: Vec<u8>, access: Access) -> Change {
    // Absent: a program that does not ask for our lock and took the same name is noticed, and the next number taken.
    Change::replace(path, bytes, Basis::Absent, access)
}

/// The topic on one line, fit to be a heading.
fn checked_topic(topic: &str) -> Result<String> {
    let line: String = topic
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return Err(StoreError::Invalid {
            what: "the topic is empty".to_owned(),
            hints: vec!["say what the conversation is about, in a few words".to_owned()],
        });
    }
    if line.len() > MAX_TOPIC {
        return Err(StoreError::Invalid {
            what: format!("the topic has {} bytes, more than {MAX_TOPIC}", line.len()),
            hints: vec!["give it a short name, and say the rest as its first message".to_owned()],
        });
    }
    Ok(line)
}

/// The type that was asked for.
fn type_of(cx: &Context<'_>, key: &str, notes: &mut Vec<Note>) -> Result<ConversationType> {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if key.is_empty() || key.len() > MAX_TYPE || !key.chars().all(plain) || key.starts_with('-') {
        let shown: String = key.chars().take(60).flat_map(char::escape_debug).collect();
        return Err(StoreError::Invalid {
            what: format!("`{shown}` cannot be a type of conversation"),
            hints: vec![
                format!("letters, digits, `-` and `_`, at most {MAX_TYPE} bytes"),
                known_types(None),
            ],
        });
    }
    let Some(registry) = Registry::read(cx)? else {
        if built_in(key).is_none() {
            notes.push(Note::OwnType(key.to_owned()));
        }
        return ConversationType::unregistered(key, DEFAULT_FOLDER);
    };
    if let Some(entry) = registry.get(key) {
        return ConversationType::registered(entry);
    }
    if built_in(key).is_some() {
        return ConversationType::unregistered(key, key);
    }
    Err(StoreError::Invalid {
        what: format!("this workspace has no type of conversation `{key}`"),
        hints: vec![
            known_types(Some(&registry)),
            "a new type is added to `.workspace/registry.json`".to_owned(),
        ],
    })
}

fn known_types(registry: Option<&Registry>) -> String {
    let built_in = BUILT_IN.iter().map(|one| one.key);
    let own = registry.iter().flat_map(|registry| &registry.types);
    let mut names: Vec<&str> = built_in.chain(own.map(|one| one.key.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    format!("the types are {}", names.join(", "))
}

/// One more than the highest number of the dated folder.
fn next_number(cx: &Context<'_>, dated: &RelPath) -> Result<u64> {
    let entries = cx.files.list(dated)?;
    let taken = entries
        .iter()
        .filter_map(|entry| split_number(&entry.name).0);
    Ok(taken.max().unwrap_or(0).saturating_add(1))
}

/// The documents of the type, filled in.
fn documents(
    cx: &Context<'_>,
    kind: &ConversationType,
    place: &Place,
    placeholders: &Placeholders<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Change>> {
    let mut template = None;
    if let Some(name) = &kind.template {
        template = registry::template(cx, name)?;
        if template.is_none() {
            notes.push(Note::NoTemplate(name.clone()));
        }
    }
    let template = template.unwrap_or_else(|| document::built_in_template(kind));
    let write = |name: &str, template: &str| -> Result<Change> {
        let text = placeholders.fill(template);
        Ok(fresh(
            place.path.join_name(name)?,
            text.into_bytes(),
            Access::Shared,
        ))
    };
    let mut changes = vec![write(&kind.document, &template)?];
    if document::is_project(&kind.key) {
        let index = registry::template(cx, "project-index.md")?;
        let index = index.unwrap_or_else(|| document::project_index(&kind.document));
        changes.push(write("index.md", &index)?);
        let docs = place.path.join_name("docs")?;
        // A directory is kept from the first attempt when the plan is made a second time.
        if cx
            .files
            .stat(&docs)?
            .is_none_or(|stat| stat.kind != FileKind::Dir)
        {
            changes.push(Change::CreateDir {
                path: docs,
                access: Access::Shared,
            });
        }
    }
    Ok(changes)
}
