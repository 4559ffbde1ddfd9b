//! `segno essay status` and `segno essay draft`: looking, without changing anything.

use segno_store::formats::essay::{self, Overview, RunStatus};
use serde_json::json;

use super::stages::OneArgs;
use super::{input, words};
use crate::cli::{App, CommandError};
use crate::messages::{Catalogue, Message};
use crate::msg;
use crate::view::card;

/// Shows the full state.
pub(super) fn status(app: &App, args: &OneArgs) -> Result<(), CommandError> {
    let opened = app.open("essay status")?;
    let place = input::find(app, &opened, &args.session)?;
    let workspace = opened.workspace();
    let overview = essay::overview(&workspace.context(place.root, &opened.now), &place)?;
    if app.ui.is_json() {
        return app
            .ui
            .json(&card::session(&opened.card(&place), view(&overview)));
    }
    for line in lines(&overview, &app.ui.catalogue) {
        app.ui.data(line.as_str())?;
    }
    Ok(())
}

/// The full state in the user's language: a line per stage and section, with a mark where the work goes on.
fn lines(overview: &Overview, catalogue: &Catalogue) -> Vec<String> {
    let say = |message: &Message| catalogue.say(message);
    let mark = |here: bool| {
        let here = here.then(|| format!("  {}", say(&msg!("essay-here"))));
        here.unwrap_or_default()
    };
    let mut lines = vec![overview.anchor.clone(), String::new()];
    for stage in &overview.stages {
        let inside = stage.lines.iter().any(|line| line.here);
        let line = msg!(
            "essay-line-stage",
            stage = stage.number,
            title = say(&words::stage(stage.number)),
            status = say(&words::progress(stage.status)).to_uppercase()
        );
        lines.push(format!("{}{}", say(&line), mark(stage.here && !inside)));
        for line in &stage.lines {
            let detail = words::detail(&line.detail, catalogue);
            lines.push(format!("  {detail}{}", mark(line.here)));
        }
    }
    lines.push(String::new());
    let words = overview.words;
    lines.push(say(&match overview.target_words {
        Some(target) => msg!("essay-line-words-of", words = words, target = target),
        None => msg!("essay-line-words", words = words),
    }));
    for (number, claim) in &overview.open_claims {
        let line = msg!("essay-line-claim", number = *number, claim = claim);
        lines.push(say(&line));
    }
    for claim in &overview.overrides {
        lines.push(say(&msg!("essay-line-override", claim = claim)));
    }
    lines.push(say(&msg!("essay-line-next", command = &overview.next)));
    lines
}

fn view(overview: &Overview) -> serde_json::Value {
    let stages: Vec<_> = overview
        .stages
        .iter()
        .map(|stage| {
            let lines: Vec<_> = stage
                .lines
                .iter()
                .map(|line| json!({ "text": line.detail.to_string(), "here": line.here }))
                .collect();
            json!({
                "stage": stage.number, "title": stage.title, "status": stage.status.name(), "here": stage.here, "lines": lines,
            })
        })
        .collect();
    let claims: Vec<_> = overview
        .open_claims
        .iter()
        .map(|(number, claim)| json!({ "number": number, "claim": claim }))
        .collect();
    json!({
        "anchor": overview.anchor, "status": overview.status.map(RunStatus::name), "stages": stages, "open_claims": claims, "overrides": overview.overrides,
        "words": overview.words, "target_words": overview.target_words, "next": overview.next,
    })
}

/// Prints the essay so far.
pub(super) fn draft(app: &App, args: &OneArgs) -> Result<(), CommandError> {
    let opened = app.open("essay draft")?;
    let place = input::find(app, &opened, &args.session)?;
    let workspace = opened.workspace();
    let text = essay::essay_so_far(&workspace.context(place.root, &opened.now), &place)?;
    if app.ui.is_json() {
        return app.ui.json(&card::session(
            &opened.card(&place),
            json!({ "draft": text }),
        ));
    }
    app.ui.verbatim(&text)
}
