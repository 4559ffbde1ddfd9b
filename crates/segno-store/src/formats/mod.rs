//! The five formats, one module each, all behind one trait.
//!
//! A format is pure: it reads through [`ReadDisk`], takes the time and ids as arguments, and returns [`Change`]s inside
//! a [`Plan`]. It never opens a file for writing. A format never imports another format.

pub mod brainstorm;
pub mod conversation;
pub mod discuss;
pub mod essay;
pub mod handover;

use std::ops::ControlFlow;

use segno_disk::{Change, ReadDisk, RelPath};

use crate::error::Result;
use crate::session::{Brief, Card, Entry, EntryKind, Kind, LineMark, Now, Problem, SessionId};
use crate::settings::Settings;

/// All formats, in the order of their names.
pub fn all() -> &'static [&'static dyn Format] {
    &[
        &brainstorm::Brainstorm,
        &conversation::Conversation,
        &discuss::Discuss,
        &essay::Essay,
        &handover::Handover,
    ]
}

/// The format of a kind.
pub fn of(kind: Kind) -> Option<&'static dyn Format> {
    all().iter().copied().find(|format| format.kind() == kind)
}

/// What a format reads with: the files below one root, the time, the settings.
pub struct Context<'a> {
    /// The files below the root.
    pub files: &'a dyn ReadDisk,
    /// What the root is.
    pub root: Root,
    /// When.
    pub now: &'a Now,
    /// The user's settings.
    pub settings: &'a Settings,
}

/// What a root is: sessions are looked for in the workspace and, for formats that keep them there, in the system's
/// temporary directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// The workspace.
    Workspace,
    /// The system's temporary directory: what lies there does not survive a reboot.
    Temporary,
}

/// Where a session is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// What kind.
    pub kind: Kind,
    /// Below which root.
    pub root: Root,
    /// Its id.
    pub id: SessionId,
    /// The file or directory that holds it.
    pub path: RelPath,
}

/// What an operation wants written, and what it found out on the way.
#[derive(Debug)]
pub struct Plan<T = ()> {
    /// The changes, in order. The format's `FORMAT.md` names which of them is the commit point.
    pub changes: Vec<Change>,
    /// Whether the changes must reach the disk all or none, also across a crash.
    pub unit: Unit,
    /// What the operation gives back once the changes are durable.
    pub outcome: T,
}

/// How the changes of a plan belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Each is durable before the next; after a crash a prefix of them is there, and the format repairs the rest.
    InOrder,
    /// All or none, through the write-ahead journal.
    AllOrNone,
}

impl<T> Plan<T> {
    /// Changes applied one after the other.
    pub fn in_order(changes: Vec<Change>, outcome: T) -> Self {
        Self {
            changes,
            unit: Unit::InOrder,
            outcome,
        }
    }

    /// Changes applied all or none.
    pub fn all_or_none(changes: Vec<Change>, outcome: T) -> Self {
        Self {
            changes,
            unit: Unit::AllOrNone,
            outcome,
        }
    }

    /// Nothing to write.
    pub fn nothing(outcome: T) -> Self {
        Self {
            changes: Vec::new(),
            unit: Unit::InOrder,
            outcome,
        }
    }
}

/// What a person chose where a repair needs a choice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecoverOptions {
    /// Only what loses nothing.
    pub safe_only: bool,
    /// For essays: the stage to resume at.
    pub stage: Option<u32>,
    /// For essays: the section to resume at.
    pub section: Option<u32>,
}

/// What a recovery did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// What was repaired, a sentence each.
    pub done: Vec<String>,
    /// What could not be known again and was filled with a default.
    pub unknown: Vec<String>,
    /// What is left for a person to do.
    pub left: Vec<Problem>,
}

/// What a time rule changed on access: the notice is shown to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// A stable word, such as `auto_paused`.
    pub code: &'static str,
    /// The session, as `kind/id`.
    pub session: String,
    /// What happened, in English; the binary translates by `code`.
    pub text: String,
}

/// How a session is come back to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResumeOptions {
    /// The most tokens that the text may have; the newest turns are kept whole.
    pub budget: Option<usize>,
    /// Also what the format would refuse, such as a completed session.
    pub force: bool,
}

/// What a returning agent is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resumed {
    /// The whole text, where the format says what it is made of; otherwise the brief is rendered.
    pub text: Option<String>,
    /// What the user should know: changed instructions, a rule of time that applied.
    pub warnings: Vec<Notice>,
    /// The agent's tool that the session was held with, where the format records it.
    pub tool: Option<String>,
    /// How many earlier turns the budget left out.
    pub left_out: u64,
}

/// What a stop or a completion did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stopped {
    /// The session's title.
    pub title: String,
    /// Where it stopped, in a sentence or two.
    pub summary: String,
}

/// A session that `segno migrate` can bring to the current version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// The version in the file.
    pub from: String,
    /// The version it becomes.
    pub to: String,
    /// What changes, a sentence each.
    pub steps: Vec<String>,
}

/// A session past its retention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The session, as `kind/id`.
    pub session: String,
    /// Where it was.
    pub from: RelPath,
    /// Where it is kept until the trash is emptied; `None` for what leaves the trash now.
    pub to: Option<RelPath>,
}

/// One format: how sessions of one kind are found, read, repaired and kept.
///
/// The operations that are particular to a kind (say, ask, replay ...) are functions of its module, each returning a
/// [`Plan`]; this trait is what `list`, `show`, `resume`, `check`, `recover`, `migrate` and `clean` ask of all of them.
pub trait Format: Sync {
    /// Which kind.
    fn kind(&self) -> Kind;

    /// Every session of this kind below the root, in any order. Looks at names; reads content only where other programs
    /// give their files the same names.
    fn find(&self, cx: &Context<'_>) -> Result<Vec<Place>>;

    /// The sessions of this very id where new ones are made, without a walk through the whole workspace. None when the
    /// format has no quicker way than [`Format::find`], or the id is not there: then everything is looked through.
    fn find_exact(&self, _cx: &Context<'_>, _id: &str) -> Result<Vec<Place>> {
        Ok(Vec::new())
    }

    /// The sessions that call themselves by this id in their own files while they lie under another one. Asked only when
    /// nothing else answers to it.
    fn find_called(&self, _cx: &Context<'_>, _id: &str) -> Result<Vec<Place>> {
        Ok(Vec::new())
    }

    /// The session a path belongs to: its directory, or any of its files. `None` when the path is not of this format.
    fn at_path(&self, cx: &Context<'_>, path: &RelPath) -> Result<Option<Place>>;

    /// The session in one row, as cheaply as the format allows; problems that this much reading shows are in it.
    fn card(&self, cx: &Context<'_>, place: &Place) -> Result<Card>;

    /// Everything that is wrong with the session, from a full read.
    fn check(&self, cx: &Context<'_>, place: &Place) -> Result<Vec<Problem>>;

    /// What is wrong with files that sessions of this kind share and that belong to none of them: reported once for a
    /// workspace, also where there is no session.
    fn check_shared(&self, _cx: &Context<'_>) -> Result<Vec<Problem>> {
        Ok(Vec::new())
    }

    /// Repairs what [`Format::check`] reports. Never destroys what it cannot read.
    fn recover(
        &self,
        cx: &Context<'_>,
        place: &Place,
        options: &RecoverOptions,
    ) -> Result<Plan<Recovery>>;

    /// Every searchable unit, in order, until the sink breaks.
    fn entries(
        &self,
        cx: &Context<'_>,
        place: &Place,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<()>;

    /// The file of a session that only ever grows and holds all its entries; they can be read from any line of it on
    /// ([`Format::entries_from`]). `None` when the entries stand elsewhere.
    fn transcript(&self, _place: &Place) -> Result<Option<RelPath>> {
        Ok(None)
    }

    /// The entries of [`Format::transcript`] behind a mark, until the sink breaks.
    fn entries_from(
        &self,
        cx: &Context<'_>,
        place: &Place,
        _from: LineMark,
        sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<()> {
        self.entries(cx, place, sink)
    }

    /// The Markdown files that belong to a session and are not among its entries: for searching.
    fn documents(&self, _cx: &Context<'_>, _place: &Place) -> Result<Vec<(EntryKind, RelPath)>> {
        Ok(Vec::new())
    }

    /// The first moment at which [`Format::on_access`] may find something due for a session of this card; `None`
    /// for never, as for a format without rules of time. Too early costs a look at the session, too late a rule.
    fn due(&self, _cx: &Context<'_>, _card: &Card) -> Option<jiff::Timestamp> {
        None
    }

    /// What a returning agent must read first, within a budget of tokens where one is given.
    fn brief(&self, cx: &Context<'_>, place: &Place, budget: Option<usize>) -> Result<Brief>;

    /// Comes back to a session: what the agent is given to read, and what that changes on the disk (active again).
    fn resume(
        &self,
        _cx: &Context<'_>,
        _place: &Place,
        _options: &ResumeOptions,
    ) -> Result<Plan<Resumed>> {
        Ok(Plan::nothing(Resumed::default()))
    }

    /// Sets a session aside, to be resumed later, with a summary given or made from what is there.
    fn stop(
        &self,
        _cx: &Context<'_>,
        place: &Place,
        _summary: Option<&str>,
    ) -> Result<Plan<Stopped>> {
        Err(crate::StoreError::Unsupported {
            kind: place.kind,
            operation: "be stopped",
        })
    }

    /// Applies the rules of time (auto-pause, expiry) as of now. `None` when nothing is due.
    fn on_access(&self, _cx: &Context<'_>, _place: &Place) -> Result<Option<Plan<Notice>>> {
        Ok(None)
    }

    /// True when [`Format::on_access`] has something to say of sessions that are paused already.
    fn reminds_of_paused(&self) -> bool {
        false
    }

    /// What a migration to the current version would do. `None` when the session is current.
    fn migrate(&self, _cx: &Context<'_>, _place: &Place) -> Result<Option<Plan<Migration>>> {
        Ok(None)
    }

    /// Sessions past their retention, and the changes that put them into the trash.
    fn clean(&self, _cx: &Context<'_>) -> Result<Plan<Vec<Removal>>> {
        Ok(Plan::nothing(Vec::new()))
    }

    /// What sort of session of its kind it is, where the kind has sorts: `plan`, `debug`. For lists.
    fn sort_of(&self, _cx: &Context<'_>, _place: &Place) -> Result<Option<String>> {
        Ok(None)
    }

    /// The name of the lock that a clean-up takes; a format whose sessions share one lock gives that one.
    fn clean_lock(&self) -> String {
        format!("{}-clean", self.kind())
    }

    /// The name of the lock that writers of this session take; sessions that share files share a lock.
    fn lock_name(&self, place: &Place) -> String {
        format!("{}-{}", place.kind, place.path.as_str().replace('/', "_"))
    }
}
