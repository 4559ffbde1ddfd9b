//! How a person names a session: `kind/id`, an id, the beginning of one, or a path.

use std::fmt;

use segno_disk::MAX_PATH;

use super::{Kind, SessionId};

/// How a person named a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionRef {
    /// `kind/id` or `kind/prefix`.
    Qualified(Kind, String),
    /// An id or the beginning of one.
    Id(String),
    /// A path to the session's directory or one of its files.
    Path(String),
}

impl SessionRef {
    /// Understands what a person typed. Nothing is opened, and no id that could lead elsewhere gets through.
    ///
    /// What starts with `/` or `.`, or has a `/` after something that is not a kind, is a path. A path is only text here:
    /// it may lead anywhere, and the workspace refuses what lies outside its root. What stands behind `kind/` is an id
    /// and never a path, so `discuss/../x` is refused.
    pub fn parse(text: &str) -> Result<Self, BadReference> {
        if text.trim().is_empty() {
            return Err(BadReference::new(text, "it is empty", HINT_ID));
        }
        if text.starts_with(['/', '.']) {
            return path(text);
        }
        let Some((first, rest)) = text.split_once('/') else {
            return id(text, text, HINT_ID).map(Self::Id);
        };
        let Ok(kind) = first.parse::<Kind>() else {
            return path(text);
        };
        id(rest, text, HINT_BELOW_KIND).map(|id| Self::Qualified(kind, id))
    }

    /// The same where only one kind can be meant, as in `segno discuss show ID`: a bare id is one of that kind.
    pub fn parse_of(kind: Kind, text: &str) -> Result<Self, BadReference> {
        match Self::parse(text)? {
            Self::Id(id) => Ok(Self::Qualified(kind, id)),
            Self::Qualified(other, _) if other != kind => Err(BadReference::new(
                text,
                "it names a session of another kind",
                "use the command of that kind, or leave the kind out",
            )),
            same => Ok(same),
        }
    }
}

impl fmt::Display for SessionRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Qualified(kind, id) => write!(f, "{kind}/{id}"),
            Self::Id(text) | Self::Path(text) => f.write_str(text),
        }
    }
}

const HINT_ID: &str =
    "name it by `kind/id`, its id, the beginning of its id, or a path; `segno list` shows them";
const HINT_BELOW_KIND: &str = "an id is one name; if a path is meant, begin it with `./`";

/// The beginning of an id obeys the same rules as an id.
fn id(text: &str, whole: &str, hint: &'static str) -> Result<String, BadReference> {
    match SessionId::new(text) {
        Ok(id) => Ok(id.as_str().to_owned()),
        Err(bad) => Err(BadReference::new(whole, bad.why(), hint)),
    }
}

fn path(text: &str) -> Result<SessionRef, BadReference> {
    let why = if text.len() > MAX_PATH {
        "it is too long"
    } else if text.chars().any(char::is_control) {
        "it contains a control character"
    } else {
        return Ok(SessionRef::Path(text.to_owned()));
    };
    Err(BadReference::new(text, why, HINT_ID))
}

/// The text cannot name a session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` cannot name a session: {why}")]
pub struct BadReference {
    shown: String,
    why: &'static str,
    hint: &'static str,
}

impl BadReference {
    fn new(text: &str, why: &'static str, hint: &'static str) -> Self {
        Self {
            // The text may hold escapes or megabytes: it is shown cut and quoted.
            shown: text.chars().take(60).flat_map(char::escape_debug).collect(),
            why,
            hint,
        }
    }

    /// What to do instead.
    pub const fn hint(&self) -> &'static str {
        self.hint
    }
}
