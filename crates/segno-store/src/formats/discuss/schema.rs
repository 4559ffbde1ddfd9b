//! The words of the format: what a discussion may be about, what its contract allows, what happened in it.

use std::fmt;
use std::str::FromStr;

/// What a discussion is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// One task.
    Task,
    /// One phase.
    Phase,
    /// One track.
    Track,
    /// The repository.
    Repo,
    /// Issues.
    Issues,
    /// A runbook.
    Runbook,
    /// A workflow.
    Workflow,
    /// Solutions.
    Solutions,
    /// Everything.
    Global,
}

impl Subject {
    /// All of them, in the order of the document.
    pub const ALL: [Self; 9] = [
        Self::Task,
        Self::Phase,
        Self::Track,
        Self::Repo,
        Self::Issues,
        Self::Runbook,
        Self::Workflow,
        Self::Solutions,
        Self::Global,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Phase => "phase",
            Self::Track => "track",
            Self::Repo => "repo",
            Self::Issues => "issues",
            Self::Runbook => "runbook",
            Self::Workflow => "workflow",
            Self::Solutions => "solutions",
            Self::Global => "global",
        }
    }

    /// The contract that a new discussion about it has.
    pub const fn contract(self) -> Contract {
        match self {
            Self::Task => Contract::Task,
            Self::Phase => Contract::Phase,
            Self::Track => Contract::Track,
            _ => Contract::Global,
        }
    }

    /// What operations in this context may touch, by the names of the format; `None` when they may touch everything.
    pub const fn prefixes(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Task => Some(&["task", "issues", "log"]),
            Self::Phase => Some(&["phase", "task", "issues", "log"]),
            Self::Track => Some(&["track", "phase", "task", "issues", "log"]),
            Self::Repo => Some(&["repo", "repoconf", "make", "tu", "log"]),
            Self::Issues => Some(&["issues", "task", "log"]),
            Self::Runbook => Some(&["runbook", "log"]),
            Self::Workflow => Some(&["workflow", "log"]),
            Self::Solutions => Some(&["solutions", "issues", "log"]),
            Self::Global => None,
        }
    }
}

/// Which operations a discussion may end in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contract {
    /// All of them.
    Global,
    /// Those on tracks.
    Track,
    /// Those on phases.
    Phase,
    /// Those on tasks.
    Task,
}

impl Contract {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Global, Self::Track, Self::Phase, Self::Task];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Track => "track",
            Self::Phase => "phase",
            Self::Task => "task",
        }
    }

    /// True when the contract allows the operation.
    pub const fn allows(self, op: OpType) -> bool {
        match self {
            Self::Global => true,
            Self::Track => !matches!(op, OpType::MoveTask | OpType::EditTaskFields),
            Self::Phase => !matches!(op, OpType::AddTrack),
            Self::Task => !matches!(op, OpType::AddTrack | OpType::AddPhase),
        }
    }

    /// What the contract allows, in the order of the format.
    pub fn allowed(self) -> Vec<OpType> {
        OpType::ALL
            .into_iter()
            .filter(|op| self.allows(*op))
            .collect()
    }
}

/// The seven patch operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpType {
    /// A new track.
    AddTrack,
    /// A new phase of a track.
    AddPhase,
    /// A new task of a phase.
    AddTask,
    /// A task goes to another phase.
    MoveTask,
    /// Fields of a task.
    EditTaskFields,
    /// Something is done.
    MarkDone,
    /// Something is to be done again.
    MarkTodo,
}

impl OpType {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::AddTrack,
        Self::AddPhase,
        Self::AddTask,
        Self::MoveTask,
        Self::EditTaskFields,
        Self::MarkDone,
        Self::MarkTodo,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AddTrack => "add_track",
            Self::AddPhase => "add_phase",
            Self::AddTask => "add_task",
            Self::MoveTask => "move_task",
            Self::EditTaskFields => "edit_task_fields",
            Self::MarkDone => "mark_done",
            Self::MarkTodo => "mark_todo",
        }
    }
}

/// What an operation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A track.
    Track,
    /// A phase.
    Phase,
    /// A task.
    Task,
}

impl Item {
    /// All of them, from the outermost.
    pub const ALL: [Self; 3] = [Self::Track, Self::Phase, Self::Task];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Track => "track",
            Self::Phase => "phase",
            Self::Task => "task",
        }
    }
}

/// The types of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The user said something.
    UserMessage,
    /// The engine said something.
    AssistantMessage,
    /// The operations that the discussion ended in.
    FinalJson,
    /// The operations were replayed, or it was tried.
    ReplayRun,
    /// Something went wrong.
    Error,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::UserMessage,
        Self::AssistantMessage,
        Self::FinalJson,
        Self::ReplayRun,
        Self::Error,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserMessage => "user_message",
            Self::AssistantMessage => "assistant_message",
            Self::FinalJson => "final_json",
            Self::ReplayRun => "replay_run",
            Self::Error => "error",
        }
    }
}

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// The engine.
    Assistant,
}

impl Role {
    /// Both.
    pub const ALL: [Self; 2] = [Self::User, Self::Assistant];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// The text is none of the words that stand here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is one of {0}")]
pub struct UnknownWord(String);

macro_rules! words {
    ($($type:ty),*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.into_iter().find(|word| word.name() == text).ok_or_else(|| {
                    UnknownWord(Self::ALL.map(Self::name).join(", "))
                })
            }
        }
    )*};
}

words!(Subject, Contract, OpType, Item, EventKind, Role);

/// What a discussion is about, as it stands in `meta.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// What kind of thing; a word that is not ours is kept.
    pub kind: String,
    /// Which one, where it is one.
    pub reference: Option<String>,
    /// Why this was chosen.
    pub router_reason: String,
}

impl About {
    /// `task TASK-042`, or `global`.
    pub fn shown(&self) -> String {
        match &self.reference {
            Some(reference) => format!("{} {reference}", self.kind),
            None => self.kind.clone(),
        }
    }
}
