//! `segno brainstorm phase`, `persona`, `energy` and `save`.

use clap::{Args, ValueEnum};
use segno_store::formats::brainstorm::{self as bs, Energy, Phase};
use serde::Deserialize;

use super::start::PersonaName;
use super::{change, phase_title, stdin};
use crate::cli::{App, CommandError};
use crate::msg;

/// Change the phase; a save point
#[derive(Debug, Args)]
pub(super) struct PhaseArgs {
    /// The session
    session: String,
    #[command(flatten)]
    to: PhaseName,
    /// Read `{"phase"}` from standard input
    #[arg(long, conflicts_with = "PhaseName")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhaseName {
    /// The phase: divergent, transition, convergent
    #[arg(required_unless_present = "stdin", value_parser = super::ask::phase)]
    #[serde(default, deserialize_with = "stdin::phase")]
    phase: Option<Phase>,
}

/// Changes the phase.
pub(super) fn phase(app: &App, args: &PhaseArgs) -> Result<(), CommandError> {
    let to = stdin::needed(stdin::or(&args.to, args.stdin)?.phase, "phase")?;
    let changed = change(app, "phase", &args.session, |cx, place| {
        bs::phase(cx, place, to)
    })?;
    if app.ui.is_json() {
        let more = serde_json::json!({"from": changed.outcome.name(), "to": to.name()});
        return changed.json(app, more);
    }
    app.ui.data(msg!(
        "brainstorm-phase-changed",
        from = changed.outcome.name(),
        to = phase_title(to)
    ))?;
    app.ui.note(changed.saved());
    Ok(())
}

/// Change who leads
#[derive(Debug, Args)]
pub(super) struct PersonaArgs {
    /// The session
    session: String,
    #[command(flatten)]
    to: Leader,
    /// Read `{"persona"}` from standard input
    #[arg(long, conflicts_with = "Leader")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct Leader {
    /// Who leads
    #[arg(value_enum, required_unless_present = "stdin")]
    persona: Option<PersonaName>,
}

/// Changes who leads.
pub(super) fn persona(app: &App, args: &PersonaArgs) -> Result<(), CommandError> {
    let to = stdin::or(&args.to, args.stdin)?;
    let persona = stdin::needed(to.persona, "persona")?.into();
    let changed = change(app, "persona", &args.session, |cx, place| {
        bs::persona(cx, place, persona)
    })?;
    if app.ui.is_json() {
        return changed.json(
            app,
            serde_json::json!({"from": changed.outcome, "to": persona.name()}),
        );
    }
    app.ui
        .data(msg!("brainstorm-persona-changed", persona = persona.name()))
}

/// Record an energy check; a save point
#[derive(Debug, Args)]
pub(super) struct EnergyArgs {
    /// The session
    session: String,
    #[command(flatten)]
    wish: Wish,
    /// Read `{"choice"}` from standard input
    #[arg(long, conflicts_with = "Wish")]
    stdin: bool,
}

#[derive(Debug, Clone, Args, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// What the user wants
    #[arg(value_enum, required_unless_present = "stdin")]
    choice: Option<Choice>,
}

/// What the user wants after an energy check.
#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    /// Go on
    Continue,
    /// Pause: everything is saved
    Pause,
    /// Speed up: converge
    Accelerate,
    /// Take another direction
    Pivot,
}

/// Records an energy check.
pub(super) fn energy(app: &App, args: &EnergyArgs) -> Result<(), CommandError> {
    let wish = stdin::or(&args.wish, args.stdin)?;
    let choice = match stdin::needed(wish.choice, "choice")? {
        Choice::Continue => Energy::Continue,
        Choice::Pause => Energy::Pause,
        Choice::Accelerate => Energy::Accelerate,
        Choice::Pivot => Energy::Pivot,
    };
    let changed = change(app, "energy", &args.session, |cx, place| {
        bs::energy(cx, place, choice)
    })?;
    let (ems, phase) = changed.outcome;
    if app.ui.is_json() {
        return changed.json(app, serde_json::json!({"choice": choice.number()}));
    }
    app.ui.data(msg!(
        "brainstorm-energy",
        ems = ems.to_string(),
        phase = phase.name()
    ))?;
    app.ui.note(changed.saved());
    Ok(())
}

/// Confirm where the session is saved and how to come back
#[derive(Debug, Args)]
pub(super) struct SaveArgs {
    /// The session
    session: String,
}

/// Saves: everything is durable already.
pub(super) fn save(app: &App, args: &SaveArgs) -> Result<(), CommandError> {
    let changed = change(app, "save", &args.session, bs::save)?;
    let session = &changed.outcome;
    let id = changed.place.id.as_str();
    let command = format!("segno brainstorm start {id} --resume");
    if app.ui.is_json() {
        return changed.json(app, serde_json::json!({"saved": true, "resume": command}));
    }
    app.ui.data(changed.saved())?;
    app.ui.data(msg!(
        "brainstorm-saved-state",
        ems = session.ems().to_string(),
        phase = phase_title(session.phase()),
        iteration = session.iteration().to_string()
    ))?;
    app.ui.data(msg!("brainstorm-come-back", command = command))
}
