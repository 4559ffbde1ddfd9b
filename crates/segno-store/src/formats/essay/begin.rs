//! `new`: a session directory with its first state.

use segno_disk::{Access, Basis, Change, RelPath};

use super::names::{self, STATE, TEMP};
use super::position::Step;
use super::schema::Pushback;
use super::template;
use crate::error::{Result, StoreError};
use crate::formats::{Context, Place, Plan, Root};
use crate::session::{Kind, SessionId};

/// What a new session is to know from the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEssay {
    /// A fresh UUID, for `pipeline_id`.
    pub uuid: String,
    /// How hard the agent questions.
    pub pushback: Pushback,
    /// The author's style profile.
    pub style_profile: Option<String>,
    /// The author's samples.
    pub samples: Option<String>,
}

/// The lock under which sessions are begun.
pub const NEW_LOCK: &str = "essay-new";

/// Begins a session in the first of the configured directories.
pub fn begin(cx: &Context<'_>, input: &NewEssay) -> Result<Plan<(Place, Step)>> {
    let root = super::find::first_root(cx)?;
    // Two sessions of one second: the later one is named for the next second.
    let mut later = 0;
    let dir = loop {
        let dir = root.join_name(&names::session_dir(cx.now, later))?;
        if cx.files.stat(&dir)?.is_none() || super::find::is_vacant(cx, &dir)? {
            break dir;
        }
        later += 1;
        if later > 3600 {
            return Err(StoreError::Exists {
                what: format!("`{dir}`"),
                hint: "wait a moment and try again".to_owned(),
            });
        }
    };
    let place = Place {
        kind: Kind::Essay,
        root: cx.root,
        id: SessionId::new(dir.name())?,
        path: dir.clone(),
    };
    let now = cx.now.utc_seconds();
    let mut state = template::fresh(
        format!("essay-{}", input.uuid),
        session_dir_text(cx, &dir),
        now,
    );
    state.pushback_level = Some(input.pushback);
    state.style_profile_path.clone_from(&input.style_profile);
    state.samples_dir_path.clone_from(&input.samples);
    state.thesis.status = Some(super::schema::Progress::InProgress);
    let text = template::print(&state)?;
    let step = Step::of(&state, &place, Vec::new());
    // Crash: the directory may be there with nothing in it; that is no session, and the next one may take it.
    let change = Change::replace(
        names::file(&dir, STATE)?,
        text.into_bytes(),
        Basis::Absent,
        Access::Private,
    );
    let change = change.with_temp(names::file(&dir, TEMP)?);
    Ok(Plan::in_order(vec![change], (place, step)))
}

/// How a state writes the session's directory: relative to the workspace, so that it can be moved and committed.
pub(super) fn session_dir_text(cx: &Context<'_>, dir: &RelPath) -> String {
    match cx.root {
        Root::Workspace => dir.as_str().to_owned(),
        Root::Temporary => dir.name().to_owned(),
    }
}
