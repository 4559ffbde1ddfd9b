//! Launch: finding what is there, beginning anew, coming back.

use segno_disk::{Access, Basis, Change, RelPath};

use super::codec::{Read, change, free_name, new_text, read};
use super::schema::{Mode, Persona, Phase, Session, SessionStatus, Source};
use super::{DIR, KIND};
use crate::error::Result;
use crate::formats::{Context, Place, Plan};
use crate::phrase;
use crate::phrase::Refusal;
use crate::session::{SessionId, Timestamp};

/// The score before the first question.
pub const FIRST_EMS: i64 = 25;

/// The longest slug: the file name and the id need room behind it.
pub const MAX_SLUG: usize = 80;

/// How a session begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// Who leads.
    pub persona: Option<Persona>,
    /// How techniques are chosen.
    pub technique_mode: Option<Source>,
}

/// What a launch did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// The session.
    pub place: Place,
    /// Where the session of the same name went.
    pub archived: Option<RelPath>,
}

/// What the launch box shows of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    /// Its slug.
    pub slug: String,
    /// Its score.
    pub ems: i64,
    /// When it was last changed.
    pub last_active: Option<Timestamp>,
    /// Its phase.
    pub phase: Phase,
    /// Its iteration.
    pub iteration: i64,
    /// Where it stands.
    pub status: SessionStatus,
}

/// Where the session of a slug is or would be. A slug is one name in kebab-case.
pub fn place_of(slug: &str) -> Result<Place> {
    let is_kebab = |c: char| c.is_alphanumeric() && !c.is_uppercase() || c == '-';
    let shown: String = slug.chars().take(60).flat_map(char::escape_debug).collect();
    if slug.is_empty()
        || slug.len() > MAX_SLUG
        || !slug.chars().all(is_kebab)
        || slug.starts_with('-')
    {
        let example = crate::text::slug::slug(slug, MAX_SLUG);
        let what = phrase!(
            "brainstorm-rule-slug",
            "`{slug}` cannot be a slug",
            slug = shown
        );
        let hint = phrase!(
            "brainstorm-rule-slug-hint",
            "a slug is lower-case letters, digits and `-`, at most {max} bytes: `{example}`",
            max = MAX_SLUG,
            example = example
        );
        return Err(Refusal::input(what).hint(hint).into());
    }
    Ok(Place {
        kind: KIND,
        root: crate::formats::Root::Workspace,
        id: SessionId::new(slug)?,
        path: RelPath::new(DIR)?.join_name(&format!("{slug}.yaml"))?,
    })
}

/// What the launch box shows; `None` when the file cannot be read.
pub fn existing(cx: &Context<'_>, place: &Place) -> Result<Option<Existing>> {
    let Read::Session(reading) = read(cx, place)? else {
        return Ok(None);
    };
    let session = reading.current();
    Ok(Some(Existing {
        slug: session.slug.clone().unwrap_or_else(|| place.id.to_string()),
        ems: session.ems(),
        last_active: last_active(&session),
        phase: session.phase(),
        iteration: session.iteration(),
        status: session.status(),
    }))
}

/// When a session was last worked on.
pub(super) fn last_active(session: &Session) -> Option<Timestamp> {
    let newest = session
        .history
        .iter()
        .rev()
        .find_map(|entry| entry.timestamp.as_deref());
    let texts = [
        session.updated.as_deref(),
        newest,
        session.created.as_deref(),
    ];
    texts.into_iter().flatten().find_map(Timestamp::parse)
}

/// Begins a session. One of the same name is archived beside the others first, readable or not; nothing is overwritten.
pub fn start(cx: &Context<'_>, slug: &str, start: &Start) -> Result<Plan<Started>> {
    let place = place_of(slug)?;
    let mut changes = Vec::new();
    let mut archived = None;
    if cx.files.stat(&place.path)?.is_some() {
        let to = archive_path(cx, &place)?;
        // Crash: after the move the old session stands under its archive name and there is none of this name: what was
        // asked for was not acknowledged, nothing is lost, and the next launch begins the new one.
        changes.push(Change::Move {
            from: place.path.clone(),
            to: to.clone(),
            access: Access::Private,
        });
        archived = Some(to);
    }
    let text = new_text(&new_session(cx, slug, start))?;
    // Commit point: the session is there when its file is.
    changes.push(Change::replace(
        place.path.clone(),
        text.into_bytes(),
        Basis::Absent,
        Access::Private,
    ));
    Ok(Plan::in_order(changes, Started { place, archived }))
}

fn new_session(cx: &Context<'_>, slug: &str, start: &Start) -> Session {
    let now = cx.now.utc_seconds();
    Session {
        id: Some(format!("{slug}-{}", cx.now.date())),
        slug: Some(slug.to_owned()),
        status: Some(SessionStatus::InProgress),
        phase: Some(Phase::Divergent),
        mode: Some(Mode::Standard),
        ems: Some(FIRST_EMS),
        persona: Some(
            start
                .persona
                .unwrap_or(Persona::Architecte)
                .name()
                .to_owned(),
        ),
        iteration: Some(0),
        started_at: Some(now.clone()),
        duration_minutes: Some(0),
        technique_mode: start.technique_mode,
        party_active: Some(false),
        panel_active: Some(false),
        last_question: Some(String::new()),
        created: Some(now.clone()),
        updated: Some(now),
        ..Session::default()
    }
}

/// The archive is a session among the others: `{slug}-{the day it began}.yaml`.
fn archive_path(cx: &Context<'_>, place: &Place) -> Result<RelPath> {
    let began = match read(cx, place)? {
        Read::Session(reading) => {
            let session = &reading.session;
            let texts = [
                session.created.as_deref(),
                session.started_at.as_deref(),
                session.updated.as_deref(),
            ];
            texts.into_iter().flatten().find_map(Timestamp::parse)
        }
        Read::Broken(_) => None,
    };
    let day = began.map_or_else(|| cx.now.date(), |at| at.date_in(cx.now.zone()).to_string());
    let dir = RelPath::new(DIR)?;
    free_name(cx, |n| match n {
        1 => dir.join_name(&format!("{}-{day}.yaml", place.id)),
        n => dir.join_name(&format!("{}-{day}-{n}.yaml", place.id)),
    })
}

/// Comes back to a session. One that is finished or given up is taken up again only when that is forced.
pub fn reopen(cx: &Context<'_>, place: &Place, force: bool) -> Result<Plan<Session>> {
    let session = super::codec::read_to_show(cx, place)?;
    if session.status() == SessionStatus::InProgress {
        return Ok(Plan::nothing(session));
    }
    if !force {
        super::iterate::in_progress(&session)?;
    }
    change(cx, place, |session| {
        session.status = Some(SessionStatus::InProgress);
        Ok(session.clone())
    })
}

/// The session is given up. It stays where it is until it is cleaned away.
pub fn abandon(cx: &Context<'_>, place: &Place) -> Result<Plan<()>> {
    change(cx, place, |session| match session.status() {
        SessionStatus::InProgress => {
            session.status = Some(SessionStatus::Abandoned);
            Ok(())
        }
        status => Err(Refusal::rule(phrase!(
            "brainstorm-rule-over-already",
            "the session is {status} already",
            status = status
        ))
        .into()),
    })
}
