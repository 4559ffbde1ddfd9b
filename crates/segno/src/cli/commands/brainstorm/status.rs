//! `segno brainstorm status`: the score, its axes, and what to do next.

use clap::Args;
use segno_store::formats::Place;
use segno_store::formats::brainstorm::{self as bs, Advice, Axis, Level, Session};
use segno_store::session::Kind;

use super::{look, phase_title};
use crate::cli::opened::Opened;
use crate::cli::{App, CommandError, Line};
use crate::messages::Message;
use crate::msg;
use crate::view::card;

/// Show the score, its axes, and what to do next
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// The session
    session: String,
}

/// Shows where a session stands.
pub(super) fn run(app: &App, args: &StatusArgs) -> Result<(), CommandError> {
    let opened = app.open("brainstorm status")?;
    let place = opened.find_of(Kind::Brainstorm, &args.session)?;
    show(app, &opened, &place)
}

/// Shows where a session stands, to people or programs.
pub(super) fn show(app: &App, opened: &Opened, place: &Place) -> Result<(), CommandError> {
    let session = look(opened, place)?;
    if app.ui.is_json() {
        return app
            .ui
            .json(&card::session(&opened.card(place), view(&session)));
    }
    let ems = session.ems();
    app.ui.data(msg!(
        "brainstorm-status-head",
        slug = session.slug.as_deref().unwrap_or(place.id.as_str()),
        iteration = session.iteration().to_string(),
        phase = phase_title(session.phase())
    ))?;
    let level = app.ui.say(&level(Level::of(ems)));
    app.ui.data(Line::new().plain("   ").plain(msg!(
        "brainstorm-status-ems",
        ems = ems.to_string(),
        bar = bs::bar(ems),
        level = level
    )))?;
    if let Some(axes) = session.axes() {
        for axis in Axis::ALL {
            let Some(score) = axes.get(axis) else {
                continue;
            };
            let weak = if score < bs::WEAK_BELOW { " !" } else { "" };
            let line = format!(
                "   {:<14} {} {score:>3}/100{weak}",
                axis.name(),
                bs::bar(score)
            );
            app.ui.data(line)?;
        }
    }
    if bs::is_stagnant(&session) {
        app.ui.data(
            Line::new()
                .plain("   ")
                .plain(msg!("brainstorm-status-stagnant")),
        )?;
    }
    if let Some(entry) = session.current().filter(|entry| bs::is_waiting(entry)) {
        app.ui.data(
            Line::new()
                .plain("   ")
                .plain(msg!("brainstorm-status-open")),
        )?;
        for question in entry.questions.iter().skip(entry.responses.len()) {
            app.ui
                .data(Line::new().plain("   - ").plain(question.as_str()))?;
        }
    }
    app.ui.data(
        Line::new()
            .plain("   ")
            .plain(advice(Advice::of(&session), place.id.as_str())),
    )
}

fn level(level: Level) -> Message {
    match level {
        Level::Germination => msg!("brainstorm-level-germination"),
        Level::Development => msg!("brainstorm-level-development"),
        Level::Mature => msg!("brainstorm-level-mature"),
        Level::VeryComplete => msg!("brainstorm-level-complete"),
        Level::Exceptional => msg!("brainstorm-level-exceptional"),
    }
}

fn advice(advice: Advice, slug: &str) -> Message {
    let command = |verb: &str| format!("segno brainstorm {verb}");
    match advice {
        Advice::Answer => msg!(
            "brainstorm-next-answer",
            command = command(&format!("answer {slug}"))
        ),
        Advice::Finish => msg!(
            "brainstorm-next-finish",
            command = command(&format!("finish {slug}"))
        ),
        Advice::SuggestFinish => {
            msg!(
                "brainstorm-next-may-finish",
                command = command(&format!("finish {slug}"))
            )
        }
        Advice::SuggestTechnique => {
            msg!(
                "brainstorm-next-technique",
                command = command(&format!("technique suggest {slug}"))
            )
        }
        Advice::SuggestConverge => {
            msg!(
                "brainstorm-next-converge",
                command = command(&format!("phase {slug} convergent"))
            )
        }
        Advice::Continue => msg!(
            "brainstorm-next-ask",
            command = command(&format!("ask {slug}"))
        ),
        Advice::Nothing => msg!("brainstorm-next-nothing"),
    }
}

fn view(session: &Session) -> serde_json::Value {
    let axes: serde_json::Map<String, serde_json::Value> =
        session.axes().map_or_else(Default::default, |axes| {
            let known = Axis::ALL
                .into_iter()
                .filter_map(|axis| Some((axis, axes.get(axis)?)));
            known
                .map(|(axis, score)| (axis.name().to_lowercase(), score.into()))
                .collect()
        });
    let weak: Vec<String> = session.axes().map_or_else(Vec::new, |axes| {
        axes.weak()
            .iter()
            .map(|(axis, _)| axis.name().to_lowercase())
            .collect()
    });
    let open = session
        .current()
        .filter(|entry| bs::is_waiting(entry))
        .map(|entry| {
            entry
                .questions
                .iter()
                .skip(entry.responses.len())
                .cloned()
                .collect::<Vec<_>>()
        });
    serde_json::json!({
        "ems": session.ems(), "bar": bs::bar(session.ems()), "level": Level::of(session.ems()).name(),
        "axes": axes, "weak_axes": weak, "stagnant": bs::is_stagnant(session), "phase": session.phase().name(),
        "mode": session.mode().name(), "iteration": session.iteration(), "persona": session.persona,
        "open_questions": open.unwrap_or_default(), "next": Advice::of(session).name(),
    })
}
