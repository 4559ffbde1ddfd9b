//! `segno handover log`: the decisions, read and never changed.

use std::ops::ControlFlow;

use clap::Args;
use segno_store::formats::Root;
use segno_store::formats::handover::decision::{Decision, DecisionType};
use segno_store::formats::handover::{Layout, current, log};
use serde_json::json;

use super::view::DecisionView;
use crate::cli::{App, CommandError, Line, Role};

/// Show the decisions
#[derive(Debug, Args)]
pub(super) struct LogArgs {
    /// Only those of this type
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<DecisionType>,
    /// Only the last N
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    /// Only those that hold this text, whatever its case
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
}

pub(super) fn run(app: &App, args: &LogArgs) -> Result<(), CommandError> {
    let opened = app.open("handover log")?;
    let workspace = opened.workspace();
    let cx = workspace.context(Root::Workspace, &opened.now);
    let layout = Layout::of(&current(&cx)?)?;
    let (recent, end) = log::recent(cx.files, &layout.decisions, args.last.unwrap_or(0))?;
    super::warn(app, &end.problems);
    let entries = match (args.last, args.kind, &args.grep) {
        (Some(_), None, None) => recent,
        _ if end.valid == 0 => Vec::new(),
        _ => {
            let mut kept = Vec::new();
            let file = cx.files.open(&layout.decisions)?;
            log::each_entry(file.as_ref(), end.valid, &mut |entry| {
                if fits(&entry, args) {
                    kept.push(entry);
                }
                ControlFlow::Continue(())
            })?;
            // By number: times are written by hand and run backwards.
            kept.sort_by_key(|entry| entry.seq);
            let skip = kept.len().saturating_sub(args.last.unwrap_or(usize::MAX));
            kept.split_off(skip)
        }
    };
    if app.ui.is_json() {
        let views: Vec<DecisionView<'_>> = entries.iter().map(Into::into).collect();
        return app.ui.json(&json!({ "decisions": views }));
    }
    for entry in &entries {
        let at = entry.at.as_ref().map(|at| format!(" {}", at.raw()));
        let line = Line::new()
            .add(Role::Strong, format!("D{}", entry.seq))
            .add(Role::Dim, at.unwrap_or_default())
            .plain(format!(" {} | {}", entry.kind, entry.summary));
        app.ui.data(line)?;
        for (key, value) in &entry.fields {
            app.ui.data(
                Line::new()
                    .add(Role::Dim, format!("  {key}: "))
                    .plain(value.as_str()),
            )?;
        }
    }
    Ok(())
}

fn fits(entry: &Decision, args: &LogArgs) -> bool {
    let kind = args
        .kind
        .is_none_or(|kind| entry.known_type() == Some(kind));
    let holds = |text: &str, word: &str| text.to_lowercase().contains(&word.to_lowercase());
    kind && args.grep.as_ref().is_none_or(|word| {
        holds(&entry.title(), word) || entry.fields.iter().any(|(_, value)| holds(value, word))
    })
}
