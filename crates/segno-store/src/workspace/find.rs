//! Finding sessions: all of them, or the one that a person named.

use segno_disk::RelPath;

use super::Workspace;
use crate::error::{Result, StoreError};
use crate::formats::{self, Context, Format, Place, Root};
use crate::session::{
    Candidate, Card, Kind, Now, Problem, SessionRef, Status, Unresolved, resolve,
};

impl Workspace<'_> {
    /// Every session, of one kind or of all, in any order.
    pub fn places(&self, kind: Option<Kind>, now: &Now) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        for format in wanted(kind) {
            for root in self.roots() {
                match format.find(&self.context(root, now)) {
                    Ok(found) => places.extend(found),
                    // The temporary directory is everybody's: what cannot be read there is not ours.
                    Err(_) if root == Root::Temporary => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(places)
    }

    /// The session that a reference names. A path is relative to the workspace.
    pub fn resolve(&self, wanted: &SessionRef, now: &Now) -> Result<Place> {
        if let SessionRef::Path(text) = wanted {
            return self.at_path(text, now);
        }
        let kind = match wanted {
            SessionRef::Qualified(kind, id) => {
                if let Some(place) = self.resolve_exact(wanted, *kind, id, now)? {
                    return Ok(place);
                }
                Some(*kind)
            }
            _ => None,
        };
        let mut places = self.places(kind, now)?;
        let found = resolve(wanted, &candidates(&places));
        if found.is_err()
            && let Some(place) = self.called(wanted, kind, now)?
        {
            return Ok(place);
        }
        if let (Err(Unresolved::NotFound { .. }), Some(_)) = (&found, kind) {
            // The nearest may be of another kind.
            places = self.places(None, now)?;
            resolve(wanted, &candidates(&places))?;
        }
        let index = found?;
        if index < places.len() {
            return Ok(places.swap_remove(index));
        }
        Err(StoreError::NotFound {
            wanted: wanted.to_string(),
            near: Vec::new(),
        })
    }

    /// The session of a full id, where its format finds it without looking through everything.
    fn resolve_exact(
        &self,
        wanted: &SessionRef,
        kind: Kind,
        id: &str,
        now: &Now,
    ) -> Result<Option<Place>> {
        let Some(format) = formats::of(kind) else {
            return Ok(None);
        };
        let mut places = format.find_exact(&self.context(Root::Workspace, now), id)?;
        if places.is_empty() {
            return Ok(None);
        }
        let index = resolve(wanted, &candidates(&places))?;
        Ok((index < places.len()).then(|| places.swap_remove(index)))
    }

    /// The one session that calls itself by an id under which none lies.
    fn called(&self, wanted: &SessionRef, kind: Option<Kind>, now: &Now) -> Result<Option<Place>> {
        let (SessionRef::Qualified(_, id) | SessionRef::Id(id)) = wanted else {
            return Ok(None);
        };
        let mut found = Vec::new();
        for format in self::wanted(kind) {
            found.extend(format.find_called(&self.context(Root::Workspace, now), id)?);
        }
        Ok(if found.len() == 1 { found.pop() } else { None })
    }

    fn at_path(&self, text: &str, now: &Now) -> Result<Place> {
        let path = RelPath::new(text.trim_end_matches('/'))?;
        for format in formats::all() {
            if let Some(place) = format.at_path(&self.context(Root::Workspace, now), &path)? {
                return Ok(place);
            }
        }
        Err(StoreError::NotFound {
            wanted: text.to_owned(),
            near: Vec::new(),
        })
    }

    /// The cards of places. A session that cannot be read has a card that says so.
    pub fn cards(&self, places: &[Place], now: &Now) -> Vec<Card> {
        places.iter().map(|place| self.card(place, now)).collect()
    }

    /// The card of one place.
    pub fn card(&self, place: &Place, now: &Now) -> Card {
        card_in(&self.context(place.root, now), place)
    }
}

/// The card of a place, read through any context. A session that cannot be read has a card that says so.
pub fn card_in(cx: &Context<'_>, place: &Place) -> Card {
    let card = format_of(place).and_then(|format| format.card(cx, place));
    card.unwrap_or_else(|error| unreadable(place, &error))
}

/// The format of a place.
pub(super) fn format_of(place: &Place) -> Result<&'static dyn Format> {
    formats::of(place.kind).ok_or(StoreError::Unsupported {
        kind: place.kind,
        operation: "be opened by this version",
    })
}

fn wanted(kind: Option<Kind>) -> impl Iterator<Item = &'static dyn Format> {
    formats::all()
        .iter()
        .copied()
        .filter(move |format| kind.is_none_or(|k| k == format.kind()))
}

fn candidates(places: &[Place]) -> Vec<Candidate<'_>> {
    places
        .iter()
        .map(|place| Candidate {
            kind: place.kind,
            id: place.id.as_str(),
            path: place.path.as_str(),
        })
        .collect()
}

fn unreadable(place: &Place, error: &StoreError) -> Card {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    let found = format!("{error}{}", cause.unwrap_or_default());
    let problem = Problem::new("unreadable", place.path.clone())
        .found(found)
        .manual("look at the file, or move it away");
    Card {
        kind: place.kind,
        id: place.id.clone(),
        title: place.id.to_string(),
        status: Status::Paused,
        raw_status: String::new(),
        position: String::new(),
        summary: String::new(),
        created: None,
        last_active: None,
        path: place.path.clone(),
        counts: Vec::new(),
        problems: vec![problem],
    }
}
