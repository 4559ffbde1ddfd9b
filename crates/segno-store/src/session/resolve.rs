//! Which of the sessions that exist did a person mean? Nothing is guessed: one answer, all answers, or the nearest.

use super::{Kind, SessionRef};

/// A session that exists, as far as naming it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// What kind.
    pub kind: Kind,
    /// Its id within the kind, not always unique.
    pub id: &'a str,
    /// The file or directory that holds it, as paths in references are written.
    pub path: &'a str,
}

/// Why a reference names no one session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// No session answers to the name; these are the nearest.
    #[error("no session `{wanted}`")]
    NotFound {
        /// What was asked for.
        wanted: String,
        /// The nearest, best first, as `kind/id`.
        near: Vec<String>,
    },
    /// Several sessions answer to the name.
    #[error("`{wanted}` names {} sessions", candidates.len())]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// All that match, as `kind/id` or as a path where ids repeat.
        candidates: Vec<String>,
    },
}

/// How many near misses are worth reading.
const MAX_NEAR: usize = 5;

/// Finds the one session that a reference means and gives its position among the candidates.
///
/// An exact id wins over the beginning of one, and a number that an id begins with over a piece of a longer one: `001` is
/// the conversation of that number, whatever other ids begin with these digits. A path means the session whose own path it
/// is, or the innermost one it lies in; it must be relative to the root that the candidates' paths are relative to.
pub fn resolve(reference: &SessionRef, candidates: &[Candidate<'_>]) -> Result<usize, Unresolved> {
    let matches = match reference {
        SessionRef::Qualified(kind, id) => by_id(candidates, id, Some(*kind)),
        SessionRef::Id(id) => by_id(candidates, id, None),
        SessionRef::Path(path) => by_path(candidates, path),
    };
    match matches.as_slice() {
        [(position, _)] => Ok(*position),
        [] => Err(Unresolved::NotFound {
            wanted: reference.to_string(),
            near: nearest(reference, candidates),
        }),
        several => Err(Unresolved::Ambiguous {
            wanted: reference.to_string(),
            candidates: labels(several),
        }),
    }
}

type Match<'a> = (usize, Candidate<'a>);

fn by_id<'a>(candidates: &[Candidate<'a>], id: &str, kind: Option<Kind>) -> Vec<Match<'a>> {
    let of_kind = || {
        let all = candidates.iter().copied().enumerate();
        all.filter(|(_, one)| kind.is_none_or(|kind| kind == one.kind))
    };
    let exact: Vec<_> = of_kind().filter(|(_, one)| one.id == id).collect();
    if !exact.is_empty() {
        return exact;
    }
    let begun = || of_kind().filter_map(|found| Some((found, found.1.id.strip_prefix(id)?)));
    if id.bytes().all(|byte| byte.is_ascii_digit()) {
        let numbered = begun().filter(|(_, rest)| rest.starts_with('-'));
        let numbered: Vec<_> = numbered.map(|(found, _)| found).collect();
        if !numbered.is_empty() {
            return numbered;
        }
    }
    begun().map(|(found, _)| found).collect()
}

fn by_path<'a>(candidates: &[Candidate<'a>], path: &str) -> Vec<Match<'a>> {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let holds = |dir: &str| match path.strip_prefix(dir) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    };
    let all = candidates.iter().copied().enumerate();
    let around: Vec<_> = all
        .filter(|(_, one)| !one.path.is_empty() && holds(one.path))
        .collect();
    let innermost = around.iter().map(|(_, one)| one.path.len()).max();
    let mut matches = around;
    matches.retain(|(_, one)| Some(one.path.len()) == innermost);
    matches
}

/// `kind/id` each, or the path where that would name two.
fn labels(matches: &[Match<'_>]) -> Vec<String> {
    let repeats = |one: &Candidate<'_>| {
        let same = |other: &&Match<'_>| other.1.kind == one.kind && other.1.id == one.id;
        matches.iter().filter(same).count() > 1
    };
    let label = |(_, one): &Match<'_>| {
        if repeats(one) {
            one.path.to_owned()
        } else {
            qualified(one)
        }
    };
    matches.iter().map(label).collect()
}

fn qualified(one: &Candidate<'_>) -> String {
    format!("{}/{}", one.kind, one.id)
}

/// What the person may have meant: ids that contain the text, then those it takes few edits to reach.
fn nearest(reference: &SessionRef, candidates: &[Candidate<'_>]) -> Vec<String> {
    let (wanted_kind, wanted) = match reference {
        SessionRef::Qualified(kind, id) => (Some(*kind), id.as_str()),
        SessionRef::Id(id) => (None, id.as_str()),
        SessionRef::Path(path) => {
            let path = path.trim_end_matches('/');
            (None, path.rsplit('/').next().unwrap_or(path))
        }
    };
    let wanted = Wanted::new(wanted);
    let mut ranked: Vec<_> = candidates
        .iter()
        .filter_map(|one| {
            let rank = wanted.rank(one)?;
            let other_kind = wanted_kind.is_some_and(|kind| kind != one.kind);
            Some((rank, other_kind, qualified(one)))
        })
        .collect();
    ranked.sort();
    ranked.dedup();
    let labels = ranked.into_iter().map(|(_, _, label)| label);
    labels.take(MAX_NEAR).collect()
}

struct Wanted {
    text: String,
    chars: Vec<char>,
}

impl Wanted {
    /// Characters compared: enough to tell ids apart, and a bound on the work for hostile ones.
    const COMPARED: usize = 64;

    fn new(text: &str) -> Self {
        let text = text.to_lowercase();
        let chars = text.chars().take(Self::COMPARED).collect();
        Self { text, chars }
    }

    /// Lower is nearer; `None` is not near at all.
    fn rank(&self, one: &Candidate<'_>) -> Option<usize> {
        let id = one.id.to_lowercase();
        if self.text.is_empty() {
            return None;
        }
        if id.contains(&self.text) {
            return Some(0);
        }
        if self.text == one.kind.name() || (id.chars().count() >= 3 && self.text.contains(&id)) {
            return Some(1);
        }
        // Every short text is a few edits from every other.
        if self.chars.len() < 3 {
            return None;
        }
        let id: Vec<char> = id.chars().take(Self::COMPARED).collect();
        let edits = edits_to_beginning(&self.chars, &id);
        let allowed = self.chars.len().div_ceil(4).min(3);
        (edits <= allowed).then_some(1 + edits)
    }
}

/// The fewest insertions, deletions and substitutions that make `text` some beginning of `of`: a mistyped prefix is as
/// near as a mistyped id.
fn edits_to_beginning(text: &[char], of: &[char]) -> usize {
    // One row of the edit-distance table; cell n is the distance to the first n characters of `of`.
    let mut row: Vec<usize> = (0..=of.len()).collect();
    for (done, c) in text.iter().enumerate() {
        let mut diagonal = done;
        let mut left = done + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, other) in row.iter_mut().skip(1).zip(of) {
            let substituted = diagonal + usize::from(c != other);
            diagonal = *cell;
            *cell = substituted.min(*cell + 1).min(left + 1);
            left = *cell;
        }
    }
    row.into_iter().min().unwrap_or(text.len())
}
