//! The auto-draft: after a command has finished, `session.md` says where the work stands.
//!
//! What people wrote is carried forward by not being touched: key decisions, warnings, tone, steering exceptions, and
//! every section that only this document has. A draft never regroups or restarts anything, because nothing in the
//! files says that a new session has begun; that is what a polish is for.

use segno_disk::{Access, Basis, Change, RelPath};

use super::document::{
    ACCOMPLISHED, AUTO_DRAFT, BRANCH, FILES, GENERATED, GOAL, Handed, MODE, NEXT, load,
};
use super::layout::Layout;
use super::page::Page;
use super::pipeline::Pipeline;
use super::role::Lead;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan};

/// What has just been done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// A design.
    Design,
    /// An implementation.
    Impl,
    /// A review.
    Review,
    /// A change or a run of the roadmap.
    Roadmap,
    /// A change of the steering documents.
    Steering,
    /// The pipeline was stopped.
    Stop,
}

impl After {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Design,
        Self::Impl,
        Self::Review,
        Self::Roadmap,
        Self::Steering,
        Self::Stop,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::Impl => "impl",
            Self::Review => "review",
            Self::Roadmap => "roadmap",
            Self::Steering => "steering",
            Self::Stop => "stop",
        }
    }

    /// What Accomplished says when nobody says more.
    fn done(self) -> String {
        match self {
            Self::Stop => "Pipeline stopped".to_owned(),
            command => format!("`/sdd-{}` completed", command.name()),
        }
    }
}

impl std::str::FromStr for After {
    type Err = UnknownCommand;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownCommand> {
        Self::ALL
            .into_iter()
            .find(|after| after.name() == text)
            .ok_or(UnknownCommand)
    }
}

/// The text names no command that is followed by a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a command that a draft follows: it is one of design, impl, review, roadmap, steering, stop"
)]
pub struct UnknownCommand;

/// What a draft is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftInput {
    /// What has just been done.
    pub after: After,
    /// What to do next; derived from the pipeline when not given.
    pub next: Option<String>,
    /// What was done, a line each.
    pub done: Vec<String>,
    /// Which files were changed.
    pub files: Vec<String>,
    /// What the session is for.
    pub goal: Option<String>,
    /// The branch, where there is one.
    pub branch: Option<String>,
}

/// What a draft wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drafted {
    /// Where.
    pub path: RelPath,
    /// True when there was no document before.
    pub created: bool,
    /// The next action it names.
    pub next: String,
    /// How many lines of work it added.
    pub added: usize,
    /// How many files it added.
    pub files: usize,
}

/// Writes the draft.
pub fn draft(
    cx: &Context<'_>,
    place: &Place,
    _lead: Lead,
    input: &DraftInput,
) -> Result<Plan<Drafted>> {
    let layout = Layout::of(place)?;
    let loaded = load(cx, &layout.session)?;
    let date = cx.now.date();
    let basis = match &loaded {
        Some(loaded) => Basis::Version(loaded.stamp),
        None => Basis::Absent,
    };
    let created = loaded.is_none();
    let mut page = loaded.map_or_else(|| Page::blank(&date), |loaded| Page::new(loaded.doc));
    let before = page.doc().text().to_owned();
    page.set_header(GENERATED, &date)?;
    if let Some(branch) = given(input.branch.as_ref()) {
        page.set_header(BRANCH, branch)?;
    }
    page.set_header(MODE, AUTO_DRAFT)?;
    if let Some(goal) = given(input.goal.as_ref()) {
        page.set_header(GOAL, goal)?;
    }
    let next = next_action(cx, &layout, input, &Handed::read(page.doc()))?;
    if Handed::read(page.doc()).next.as_deref() != Some(next.trim()) {
        page.set_section(NEXT, next.trim())?;
    }
    let default = [input.after.done()];
    let done = if input.done.is_empty() {
        &default[..]
    } else {
        &input.done
    };
    let added = page.add_items(ACCOMPLISHED, done)?;
    let files: Vec<String> = input.files.iter().map(|file| quoted(file)).collect();
    let files = page.add_items(FILES, &files)?;
    let drafted = Drafted {
        path: layout.session.clone(),
        created,
        next: next.trim().to_owned(),
        added,
        files,
    };
    let text = page.into_text();
    if text == before && !created {
        return Ok(Plan::nothing(drafted));
    }
    let change = Change::replace(layout.session, text.into_bytes(), basis, Access::Shared);
    Ok(Plan::in_order(vec![change], drafted))
}

/// A file name as it stands in a list.
pub(super) fn quoted(file: &str) -> String {
    format!("`{}`", file.trim().replace(['`', '\n', '\r'], " "))
}

pub(super) fn given(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

/// What is next: as told, as the pipeline says, as the document said, or to ask.
fn next_action(
    cx: &Context<'_>,
    layout: &Layout,
    input: &DraftInput,
    handed: &Handed,
) -> Result<String> {
    if let Some(next) = &input.next {
        if next.trim().is_empty() {
            return Err(StoreError::Invalid {
                what: "the next action is empty".to_owned(),
                hints: vec!["say what to do next, or leave `--next` out".to_owned()],
            });
        }
        return Ok(next.clone());
    }
    let derived = Pipeline::scan(cx, layout)?.and_then(|pipeline| pipeline.next_action());
    Ok(derived
        .or_else(|| handed.next.clone())
        .unwrap_or_else(|| "Wait for the user's instruction".to_owned()))
}
