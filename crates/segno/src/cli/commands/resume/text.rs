//! What a returning agent is given to read.

use std::borrow::Cow;

use segno_store::formats::Resumed;
use segno_store::session::{Brief, estimate_tokens};
use serde::Serialize;

use super::format_of;
use crate::cli::opened::Opened;
use crate::cli::sessions::Found;
use crate::cli::{App, CommandError};
use crate::msg;
use crate::view::brief::{self, BriefView};

/// The text: what the format made of it, else the brief.
pub(super) fn of(
    app: &App,
    opened: &Opened,
    one: &Found,
    budget: Option<usize>,
    resumed: &mut Resumed,
) -> Result<String, CommandError> {
    // Moved, not copied: a history can be long.
    if let Some(text) = resumed.text.take() {
        return Ok(text);
    }
    let (text, brief) = welcome(app, &brief_of(opened, one, None)?, budget);
    resumed.left_out = brief.turns_left_out;
    Ok(text)
}

fn welcome(app: &App, brief: &Brief, budget: Option<usize>) -> (String, Brief) {
    brief.text_within(budget, |brief| brief::welcome(brief, &app.ui.catalogue))
}

/// Says so when a text is larger than its budget: what is left of it is not cut further.
pub(super) fn measure(app: &App, text: &str, budget: Option<usize>) {
    let tokens = estimate_tokens(text);
    if let Some(budget) = budget.filter(|budget| tokens > *budget) {
        app.ui
            .warn(msg!("brief-over-budget", tokens = tokens, budget = budget));
    }
}

/// The same for programs: the brief's own keys, and beside them `text` and `warnings`.
pub(super) fn answer(
    app: &App,
    opened: &Opened,
    one: &Found,
    budget: Option<usize>,
    resumed: &Resumed,
) -> Result<(), CommandError> {
    let brief = brief_of(opened, one, budget)?;
    let text = match &resumed.text {
        Some(text) => Cow::Borrowed(text.as_str()),
        None => Cow::Owned(welcome(app, &brief_of(opened, one, None)?, budget).0),
    };
    measure(app, &text, budget);
    let warnings = resumed.warnings.iter();
    app.ui.json(&ResumeView {
        brief: (&brief).into(),
        text: &text,
        text_left_out: resumed.left_out,
        tool: resumed.tool.as_deref(),
        warnings: warnings
            .map(|notice| WarningView {
                code: notice.code,
                message: &notice.text,
            })
            .collect(),
    })
}

/// The brief of a session as it is now.
pub(super) fn brief_of(
    opened: &Opened,
    one: &Found,
    budget: Option<usize>,
) -> Result<Brief, CommandError> {
    let place = &one.place;
    let format = format_of(one)?;
    let workspace = opened.workspace();
    Ok(format.brief(&workspace.context(place.root, &opened.now), place, budget)?)
}

#[derive(Serialize)]
struct ResumeView<'a> {
    #[serde(flatten)]
    brief: BriefView<'a>,
    text: &'a str,
    text_left_out: u64,
    tool: Option<&'a str>,
    warnings: Vec<WarningView<'a>>,
}

#[derive(Serialize)]
struct WarningView<'a> {
    code: &'static str,
    message: &'a str,
}
