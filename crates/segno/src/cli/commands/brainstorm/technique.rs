//! `segno brainstorm technique list|suggest|apply|skip`.

use clap::{Args, Subcommand};
use segno_store::formats::brainstorm::{
    self as bs, Phase, Source, Suggestion, Technique, techniques,
};
use serde::Deserialize;

use super::{change, stdin};
use crate::cli::{App, Code, CommandError, Line, Role, Table};
use crate::msg;

/// List, suggest, apply and skip techniques
#[derive(Debug, Args)]
pub(super) struct TechniqueArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// List the techniques
    List(ListArgs),
    /// Suggest a technique and record it
    Suggest(SuggestArgs),
    /// Apply a technique: a suggested one, or any by its name
    Apply(NameArgs),
    /// Leave a suggested technique alone
    Skip(NameArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only of this category
    #[arg(long)]
    category: Option<String>,
    /// Only of this phase
    #[arg(long, value_parser = super::ask::phase)]
    phase: Option<Phase>,
}

#[derive(Debug, Args)]
struct SuggestArgs {
    /// The session
    session: String,
    #[command(flatten)]
    how: How,
    /// Read `{"auto", "random", "progressive", "seed"}` from standard input
    #[arg(long, conflicts_with = "How")]
    stdin: bool,
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct How {
    /// By the weakest axis
    #[arg(long, group = "how")]
    auto: bool,
    /// At random, the less used categories first
    #[arg(long, group = "how")]
    random: bool,
    /// By the range of the score
    #[arg(long, group = "how")]
    progressive: bool,
    /// With --random: draw the same again
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Debug, Args)]
struct NameArgs {
    /// The session
    session: String,
    #[command(flatten)]
    named: Named,
    /// Read `{"technique"}` from standard input
    #[arg(long, conflicts_with = "Named")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    /// The technique: its slug or name
    #[arg(required_unless_present = "stdin")]
    technique: Option<String>,
}

impl NameArgs {
    fn name(&self) -> Result<String, CommandError> {
        stdin::needed(stdin::or(&self.named, self.stdin)?.technique, "technique")
    }
}

/// Runs a verb of techniques.
pub(super) fn run(app: &App, args: &TechniqueArgs) -> Result<(), CommandError> {
    match &args.verb {
        Verb::List(args) => list(app, args),
        Verb::Suggest(args) => suggest(app, args),
        Verb::Apply(args) => apply(app, args),
        Verb::Skip(args) => skip(app, args),
    }
}

fn list(app: &App, args: &ListArgs) -> Result<(), CommandError> {
    let wanted = |one: &&Technique| {
        args.category
            .as_deref()
            .is_none_or(|category| one.category == category)
            && args.phase.is_none_or(|phase| one.phase == phase)
    };
    let found: Vec<&Technique> = techniques().iter().filter(wanted).collect();
    if app.ui.is_json() {
        let views: Vec<_> = found.into_iter().map(view).collect();
        return app.ui.json(&serde_json::json!({"techniques": views}));
    }
    let mut table = Table::new([
        msg!("brainstorm-column-technique"),
        msg!("brainstorm-column-category"),
        msg!("brainstorm-column-phase"),
        msg!("brainstorm-column-difficulty"),
        msg!("brainstorm-column-what"),
    ]);
    for one in found {
        table.row([
            one.slug.into(),
            one.category.into(),
            one.phase.name().into(),
            one.difficulty.name().into(),
            one.description.into(),
        ]);
    }
    app.ui.table(&table)
}

fn suggest(app: &App, args: &SuggestArgs) -> Result<(), CommandError> {
    let how = stdin::or(&args.how, args.stdin)?;
    let source = match (how.auto, how.random, how.progressive) {
        (false, false, false) => None,
        (true, false, false) => Some(Source::Auto),
        (false, true, false) => Some(Source::Random),
        (false, false, true) => Some(Source::Progressive),
        // The flags exclude each other already; JSON may still say two at once.
        _ => return Err(CommandError::new(Code::Invalid, msg!("brainstorm-one-way"))),
    };
    let seed = match how.seed {
        Some(seed) => seed,
        // Few digits, so that a person can type it again.
        None => u64::from_str_radix(&app.ids()?.hex(6), 16).unwrap_or_default(),
    };
    let changed = change(app, "technique suggest", &args.session, |cx, place| {
        bs::suggest(cx, place, source, seed)
    })?;
    let found = &changed.outcome;
    if app.ui.is_json() {
        let suggestions: Vec<_> = found.suggestions.iter().map(suggestion).collect();
        let others: Vec<_> = found.alternatives.iter().map(|one| one.slug).collect();
        let more = serde_json::json!({
            "source": found.source.name(), "suggestions": suggestions, "alternatives": others,
        });
        return changed.json(app, more);
    }
    for one in &found.suggestions {
        app.ui.data(
            Line::new()
                .add(Role::Strong, one.technique.slug)
                .plain(format!(" ({}) — {}", one.technique.category, one.reason)),
        )?;
        app.ui
            .data(Line::new().plain("   ").plain(one.technique.description))?;
    }
    if !found.alternatives.is_empty() {
        let names: Vec<&str> = found.alternatives.iter().map(|one| one.slug).collect();
        app.ui
            .note(msg!("brainstorm-alternatives", names = names.join(", ")));
    }
    Ok(())
}

fn apply(app: &App, args: &NameArgs) -> Result<(), CommandError> {
    let name = args.name()?;
    let changed = change(app, "technique apply", &args.session, |cx, place| {
        bs::apply(cx, place, &name)
    })?;
    let (technique, was_suggested) = changed.outcome;
    if app.ui.is_json() {
        let more = serde_json::json!({"technique": view(technique), "suggested": was_suggested});
        return changed.json(app, more);
    }
    app.ui
        .data(msg!("brainstorm-technique-applied", name = technique.name))?;
    app.ui
        .data(Line::new().plain("   ").plain(technique.description))
}

fn skip(app: &App, args: &NameArgs) -> Result<(), CommandError> {
    let name = args.name()?;
    let changed = change(app, "technique skip", &args.session, |cx, place| {
        bs::skip(cx, place, &name)
    })?;
    if app.ui.is_json() {
        return changed.json(app, serde_json::json!({"technique": view(changed.outcome)}));
    }
    app.ui.data(msg!(
        "brainstorm-technique-skipped",
        name = changed.outcome.name
    ))
}

fn suggestion(one: &Suggestion) -> serde_json::Value {
    let weak: Vec<&str> = one.weak.iter().map(|(axis, _)| axis.name()).collect();
    serde_json::json!({"technique": view(one.technique), "reason": one.reason, "weak_axes": weak})
}

fn view(one: &Technique) -> serde_json::Value {
    let axes: Vec<&str> = one.axes.iter().map(|axis| axis.name()).collect();
    serde_json::json!({
        "slug": one.slug, "name": one.name, "category": one.category, "description": one.description,
        "phase": one.phase.name(), "axes": axes, "difficulty": one.difficulty.name(),
    })
}
