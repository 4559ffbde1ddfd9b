//! `segno brainstorm start`: finds what is there, and begins or comes back.

use clap::{Args, ValueEnum};
use segno_store::formats::brainstorm::{
    self as bs, Brainstorm, Existing, Persona, SessionStatus, Source, Start, existing, place_of,
    reopen, start,
};
use segno_store::formats::{Format as _, Place, Root};
use segno_store::session::Kind;
use serde::Deserialize;

use super::{phase_title, stdin};
use crate::cli::commands::clean;
use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError};
use crate::messages::{Message, Text};
use crate::msg;
use crate::view::{ago, card};

/// Begin a session, or come back to one that is there
#[derive(Debug, Args)]
pub(super) struct StartArgs {
    #[command(flatten)]
    launch: Launch,
    /// Read `{"slug", "resume", "new", "force", "persona", "random", "progressive"}` from standard input
    #[arg(long, conflicts_with = "Launch")]
    stdin: bool,
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
struct Launch {
    /// What the session is called, in kebab-case; without it, the session in progress last worked on
    slug: Option<String>,
    /// Come back to the session that is there
    #[arg(long, conflicts_with = "new")]
    resume: bool,
    /// Begin anew; a session of that name is archived
    #[arg(long)]
    new: bool,
    /// With --resume: also a completed or abandoned session, which is in progress again then
    #[arg(long, requires = "resume")]
    force: bool,
    /// Who leads
    #[arg(long, value_enum)]
    persona: Option<PersonaName>,
    /// Choose techniques at random
    #[arg(long, conflicts_with = "progressive")]
    random: bool,
    /// Choose techniques by the range of the score
    #[arg(long)]
    progressive: bool,
}

/// A persona by its name.
#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PersonaName {
    /// Structures
    Architecte,
    /// Contradicts
    Sparring,
    /// Decides
    Pragmatique,
}

impl From<PersonaName> for Persona {
    fn from(name: PersonaName) -> Self {
        match name {
            PersonaName::Architecte => Self::Architecte,
            PersonaName::Sparring => Self::Sparring,
            PersonaName::Pragmatique => Self::Pragmatique,
        }
    }
}

/// Launches a session.
pub(super) fn run(app: &App, args: &StartArgs) -> Result<(), CommandError> {
    let launch = stdin::or(&args.launch, args.stdin)?;
    // The flags exclude each other already; JSON may still say two at once.
    if (launch.resume && launch.new) || (launch.random && launch.progressive) {
        return Err(CommandError::new(Code::Invalid, msg!("brainstorm-one-way")));
    }
    let opened = app.open("brainstorm start")?;
    clean::apply(app, &opened, &Brainstorm)?;
    if launch.resume {
        let place = to_resume(&opened, launch.slug.as_deref())?;
        return come_back(app, &opened, &place, launch.force);
    }
    let found = match &launch.slug {
        Some(slug) => there(&opened, &place_of(slug)?)?,
        None => newest(&opened)?,
    };
    let Some(place) = found.filter(|_| !launch.new) else {
        return begin(app, &opened, &launch);
    };
    let box_of = look(&opened, &place)?;
    if !app.ui.can_ask() {
        return Err(exists(app, &opened, &place, box_of.as_ref()));
    }
    for line in box_lines(app, &opened, &place, box_of.as_ref()) {
        app.ui.note(line);
    }
    let choice =
        app.ui
            .choose_shown(msg!("brainstorm-which"), 2, msg!("brainstorm-exists-hint"))?;
    if choice == 0 {
        come_back(app, &opened, &place, launch.force)
    } else {
        begin(app, &opened, &launch)
    }
}

/// The session to come back to, named as every verb takes it. A name that was mistyped begins no session.
fn to_resume(opened: &Opened, named: Option<&str>) -> Result<Place, CommandError> {
    let found = match named {
        Some(named) => opened.find_of(Kind::Brainstorm, named),
        None => newest(opened)?
            .ok_or_else(|| CommandError::new(Code::NotFound, msg!("brainstorm-resume-none"))),
    };
    found.map_err(|error| error.hint(msg!("brainstorm-resume-none-hint")))
}

fn wanted_slug(app: &App, launch: &Launch) -> Result<String, CommandError> {
    match &launch.slug {
        Some(slug) => Ok(slug.clone()),
        None => app.ui.ask(
            msg!("brainstorm-which-slug"),
            msg!("brainstorm-which-slug-hint"),
        ),
    }
}

fn there(opened: &Opened, place: &Place) -> Result<Option<Place>, CommandError> {
    let workspace = opened.workspace();
    let cx = workspace.context(Root::Workspace, &opened.now);
    Ok(Brainstorm.at_path(&cx, &place.path)?)
}

/// The session in progress that was last worked on.
fn newest(opened: &Opened) -> Result<Option<Place>, CommandError> {
    let workspace = opened.workspace();
    let mut found = Vec::new();
    for place in workspace.places(Some(Kind::Brainstorm), &opened.now)? {
        let card = workspace.card(&place, &opened.now);
        if card.status.is_open()
            && card
                .problems
                .iter()
                .all(|problem| !problem.code.starts_with("yaml_"))
        {
            found.push((card, place));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.newest_first(b, opened.now.zone()));
    Ok(found.into_iter().next().map(|(_, place)| place))
}

fn look(opened: &Opened, place: &Place) -> Result<Option<Existing>, CommandError> {
    let workspace = opened.workspace();
    Ok(existing(
        &workspace.context(place.root, &opened.now),
        place,
    )?)
}

fn begin(app: &App, opened: &Opened, launch: &Launch) -> Result<(), CommandError> {
    let slug = wanted_slug(app, launch)?;
    let technique_mode = match (launch.random, launch.progressive) {
        (true, _) => Some(Source::Random),
        (_, true) => Some(Source::Progressive),
        _ => None,
    };
    let how = Start {
        persona: launch.persona.map(Into::into),
        technique_mode,
    };
    let workspace = opened.workspace();
    let written = workspace.write_locked(
        Root::Workspace,
        bs::LOCK,
        &opened.now,
        &opened.writer,
        |cx| start(cx, &slug, &how),
    )?;
    let started = written.outcome;
    let archived = started.archived.as_ref().map(ToString::to_string);
    if app.ui.is_json() {
        let more = serde_json::json!({"created": true, "archived": archived});
        return app
            .ui
            .json(&card::session(&opened.card(&started.place), more));
    }
    if let Some(path) = archived {
        app.ui.note(msg!("brainstorm-archived", path = path));
    }
    app.ui.data(msg!(
        "brainstorm-created",
        path = started.place.path.as_str()
    ))
}

fn come_back(app: &App, opened: &Opened, place: &Place, force: bool) -> Result<(), CommandError> {
    let workspace = opened.workspace();
    workspace.write(place, &opened.now, &opened.writer, |cx| {
        reopen(cx, place, force)
    })?;
    if app.ui.is_json() {
        let more = serde_json::json!({"created": false});
        return app.ui.json(&card::session(&opened.card(place), more));
    }
    super::status::show(app, opened, place)
}

/// The box of the format's document, with its choices.
fn box_lines(app: &App, opened: &Opened, place: &Place, found: Option<&Existing>) -> Vec<Text> {
    let mut lines: Vec<Text> = vec![super::RULE.into()];
    let messages = box_messages(app, opened, place, found);
    lines.extend(messages.into_iter().map(Text::from));
    lines.extend([
        "".into(),
        msg!("brainstorm-resume-it").into(),
        msg!("brainstorm-new-one").into(),
        super::RULE.into(),
    ]);
    lines
}

fn box_messages(
    app: &App,
    opened: &Opened,
    place: &Place,
    found: Option<&Existing>,
) -> Vec<Message> {
    let Some(found) = found else {
        return vec![msg!(
            "brainstorm-box-unreadable",
            path = place.path.as_str()
        )];
    };
    let when = match &found.last_active {
        Some(at) => app.ui.say(&ago::since(at, &opened.now)),
        None => "-".to_owned(),
    };
    let mut lines = vec![
        msg!(
            "brainstorm-box-found",
            slug = &found.slug,
            ems = found.ems.to_string()
        ),
        msg!("brainstorm-box-active", when = when),
        msg!(
            "brainstorm-box-phase",
            phase = phase_title(found.phase),
            iteration = found.iteration.to_string()
        ),
    ];
    if found.status != SessionStatus::InProgress {
        lines.push(msg!("brainstorm-box-status", status = found.status.name()));
    }
    lines
}

fn exists(app: &App, opened: &Opened, place: &Place, found: Option<&Existing>) -> CommandError {
    let what = format!("brainstorm/{}", place.id);
    let error = CommandError::new(Code::Exists, msg!("errors-exists", what = what));
    let view = serde_json::to_value(card::CardView::from(&opened.card(place))).unwrap_or_default();
    box_messages(app, opened, place, found)
        .into_iter()
        .fold(error.about(view), CommandError::because)
        .hint(msg!("brainstorm-exists-hint"))
}
