//! `segno essay history`: versions of the artifacts, and the difference between two.

use clap::Args;
use segno_store::formats::essay::{self, DiffKind, DiffLine, Impact, Version};
use serde_json::json;

use super::{input, words};
use crate::cli::{App, CommandError, Line, Role};
use crate::msg;
use crate::view::card;

/// List the versions of the artifacts, or compare two
#[derive(Debug, Args)]
pub(super) struct HistoryArgs {
    /// The essay: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// Artifact to compare: thesis, outline, draft, final, the number of a section, or a file name
    artifact: Option<String>,
    /// Older version: v1, v2 ...
    #[arg(value_parser = version, requires = "artifact", default_value = "v1")]
    from: Version,
    /// Newer version: v2, v3 ... or current
    #[arg(value_parser = version, requires = "artifact", default_value = "current")]
    to: Version,
}

fn version(text: &str) -> Result<Version, String> {
    Version::parse(text).ok_or_else(|| "it is v1, v2 ... or current".to_owned())
}

/// Lists or compares.
pub(super) fn run(app: &App, args: &HistoryArgs) -> Result<(), CommandError> {
    let opened = app.open("essay history")?;
    let place = input::find(app, &opened, &args.session)?;
    let workspace = opened.workspace();
    let cx = workspace.context(place.root, &opened.now);
    if let Some(artifact) = &args.artifact {
        let diff = essay::compare(&cx, &place, artifact, args.from, args.to)?;
        if app.ui.is_json() {
            let lines: Vec<String> = diff
                .iter()
                .map(|line| format!("{}{}", line.mark(), line.text))
                .collect();
            return app.ui.json(&card::session(
                &opened.card(&place),
                json!({ "diff": lines }),
            ));
        }
        return show_diff(app, &diff);
    }
    let history = essay::history(&cx, &place)?;
    if app.ui.is_json() {
        let artifacts: Vec<_> = history
            .artifacts
            .iter()
            .map(
                |one| json!({ "name": one.name, "versions": one.archived, "current": one.current }),
            )
            .collect();
        let revisions: Vec<_> = history
            .revisions
            .iter()
            .map(|one| {
                json!({
                    "stage": one.stage, "impact": one.impact.map(Impact::name), "reason": one.reason,
                    "archived": one.archived, "timestamp": one.timestamp,
                })
            })
            .collect();
        let more = json!({ "artifacts": artifacts, "revisions": revisions });
        return app.ui.json(&card::session(&opened.card(&place), more));
    }
    for one in &history.artifacts {
        let mut versions: Vec<String> = one
            .archived
            .iter()
            .map(|version| format!("v{version}"))
            .collect();
        versions.extend(one.current.then(|| "current".to_owned()));
        app.ui.data(
            Line::new()
                .add(Role::Strong, one.name.as_str())
                .plain("  ")
                .plain(versions.join(" ")),
        )?;
    }
    for one in &history.revisions {
        app.ui.data(Line::new().plain(msg!(
            "essay-revision",
            stage = one.stage.unwrap_or(0),
            impact = one.impact.map_or_else(
                || "-".to_owned(),
                |impact| app.ui.catalogue.say(&words::impact(impact))
            ),
            reason = one.reason.clone().unwrap_or_default(),
            time = one.timestamp.clone().unwrap_or_default()
        )))?;
    }
    Ok(())
}

/// Shows a difference.
pub(super) fn show_diff(app: &App, diff: &[DiffLine]) -> Result<(), CommandError> {
    for line in diff {
        let role = match line.kind {
            DiffKind::Same => Role::Plain,
            DiffKind::Removed => Role::Bad,
            DiffKind::Added => Role::Good,
            DiffKind::Gap => Role::Dim,
        };
        app.ui
            .data(Line::new().add(role, format!("{}{}", line.mark(), line.text)))?;
    }
    Ok(())
}
