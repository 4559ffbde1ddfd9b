//! Everything that can be wrong with a session that was read, with what can be done about it.

use std::collections::BTreeSet;

use super::codec::{Age, Reading};
use super::problems as code;
use super::schema::{Mode, Session, VERSION};
use super::{gaps, panel, party};
use crate::formats::{Context, Place};
use crate::session::Problem;
use crate::text::yaml::Node;

/// What is done about a session that a newer version wrote.
const UPDATE_FIRST: &str = "update segno to change this session; it can be read";

/// All problems of a session, in the order of the file where that is known.
pub(super) fn problems(cx: &Context<'_>, place: &Place, reading: &Reading) -> Vec<Problem> {
    let mut found = reading.problems.clone();
    let session = reading.current();
    let check = Check {
        place,
        reading,
        session: &session,
    };
    if reading.age == Age::Newer {
        let version = reading.version.as_deref().unwrap_or_default();
        found.push(
            check
                .problem(code::TOO_NEW, "format_version")
                .found(format!("format {version}; this program knows {VERSION}"))
                .manual(UPDATE_FIRST),
        );
    }
    found.extend(check.missing(cx));
    found.extend(check.ranges());
    found.extend(check.history());
    found.extend(check.modes());
    found.extend(check.names());
    found.extend(check.rounds());
    found.sort_by_key(|problem| problem.line);
    if reading.age == Age::Newer {
        let by_hand = |problem: Problem| problem.by_hand(UPDATE_FIRST);
        found = found.into_iter().map(by_hand).collect();
    }
    found
}

struct Check<'a> {
    place: &'a Place,
    reading: &'a Reading,
    session: &'a Session,
}

impl Check<'_> {
    fn problem(&self, code: &'static str, key: &str) -> Problem {
        Problem::new(code, self.place.path.clone()).line(self.reading.line(key))
    }

    /// Problems of the items of a list of the session, each by its place in the list.
    fn items(
        &self,
        code: &'static str,
        list: &str,
        found: impl IntoIterator<Item = (usize, String, String)>,
    ) -> Vec<Problem> {
        let node = self.reading.node().get(list);
        let lines: Vec<u64> = node
            .into_iter()
            .flat_map(Node::items)
            .map(Node::line)
            .collect();
        let problem = |(place, found, repair): (usize, String, String)| {
            let problem = Problem::new(code, self.place.path.clone());
            let problem = match lines.get(place) {
                Some(line) => problem.line(*line),
                None => problem,
            };
            problem.found(found).manual(repair)
        };
        found.into_iter().take(code::MANY).map(problem).collect()
    }

    fn missing(&self, cx: &Context<'_>) -> Vec<Problem> {
        let problem = |gap: gaps::Gap| {
            let found = format!("{} is missing", gap.what);
            let problem = Problem::new(code::MISSING_FIELD, self.place.path.clone())
                .line(gap.line)
                .found(found);
            match gap.with {
                Some(with) if gap.is_known => problem.safe(format!("fill it with {with}")),
                Some(with) => problem.lossy(format!("fill it with {with}")),
                None => problem.manual("only you know what belongs there"),
            }
        };
        let gaps = gaps::gaps(cx, self.place, self.reading).into_iter();
        gaps.map(problem).collect()
    }

    fn ranges(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        let session = self.session;
        if let Some(ems) = session.ems.filter(|ems| !(0..=100).contains(ems)) {
            let problem = self
                .problem(code::OUT_OF_RANGE, "ems")
                .found(format!("`ems` is {ems}, not 0 to 100"));
            let known = session
                .current()
                .and_then(|entry| entry.ems)
                .filter(|ems| (0..=100).contains(ems));
            found.push(match known {
                Some(known) => problem.safe(format!("take {known} from the current iteration")),
                None => problem.lossy(format!("take {}", session.ems())),
            });
        }
        let entries = session.history.iter().enumerate();
        let scores = entries.filter_map(|(place, entry)| {
            let ems = entry.ems.filter(|ems| !(0..=100).contains(ems))?;
            let n = entry.iteration.unwrap_or_default();
            let what = format!("`ems` of iteration {n} is {ems}, not 0 to 100");
            Some((place, what, "correct the score by hand".to_owned()))
        });
        found.extend(self.items(code::OUT_OF_RANGE, "history", scores));
        let ideas = session.ideas.iter().enumerate();
        let scores = ideas.filter_map(|(place, idea)| {
            let score = idea.score.filter(|score| !(0..=10).contains(score))?;
            let id = idea.id.unwrap_or_default();
            let what = format!("the score of idea {id} is {score}, not 0 to 10");
            let repair = format!("segno brainstorm idea score {} ID SCORE", self.place.id);
            Some((place, what, repair))
        });
        found.extend(self.items(code::OUT_OF_RANGE, "ideas", scores));
        found
    }

    fn history(&self) -> Vec<Problem> {
        let entries = self.session.history.iter().enumerate();
        let numbers: Vec<(usize, i64)> = entries
            .filter_map(|(place, entry)| Some((place, entry.iteration?)))
            .collect();
        let order = numbers.windows(2).filter_map(|pair| {
            let [(_, a), (place, b)] = pair else {
                return None;
            };
            let what = format!("iteration {b} stands behind iteration {a}");
            let repair = "put the entries into the order of their iterations".to_owned();
            (b <= a).then_some((*place, what, repair))
        });
        let mut found = self.items(code::HISTORY_ORDER, "history", order);
        let there: BTreeSet<i64> = numbers.iter().map(|(_, n)| *n).collect();
        let last = there.last().copied().unwrap_or(0);
        // A damaged number may be enormous: only the first few gaps are named.
        let gaps: Vec<String> = (1..=last.min(100_000))
            .filter(|n| !there.contains(n))
            .take(10)
            .map(|n| n.to_string())
            .collect();
        // An entry without a number is reported as such, and may be one of them.
        let unnumbered = self.session.history.len() - numbers.len();
        if gaps.len() > unnumbered {
            found.push(
                self.problem(code::HISTORY_GAP, "history")
                    .found(format!("iterations are missing: {}", gaps.join(", ")))
                    .manual("restore them from a copy if there is one; what is there can be used"),
            );
        }
        let now = self.session.iteration();
        if !there.is_empty() && !there.contains(&now) {
            found.push(
                self.problem(code::ITERATION_MISMATCH, "iteration")
                    .found(format!("`iteration` is {now}, which history does not have"))
                    .lossy(format!("go to iteration {last}, the last there is")),
            );
        }
        found
    }

    fn modes(&self) -> Vec<Problem> {
        let session = self.session;
        let party = session.party_active == Some(true);
        let panel = session.panel_active == Some(true);
        let problem = |text: &str| self.problem(code::MODE_MISMATCH, "mode").found(text);
        match (session.mode(), party, panel) {
            (_, true, true) => vec![
                problem("a party and a panel are both active")
                    .manual("set one of the two to false"),
            ],
            (Mode::Random | Mode::Progressive, ..) => vec![
                problem("`mode` is a word of format 1.0")
                    .safe("keep it as `technique_mode`, and set `mode` to standard"),
            ],
            (Mode::Party, false, _)
            | (Mode::Panel, _, false)
            | (Mode::Standard, true, _)
            | (Mode::Standard, _, true) => vec![
                problem("`mode` disagrees with what is active")
                    .safe("set `mode` by what is active"),
            ],
            _ => Vec::new(),
        }
    }

    fn names(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        let stem = self.place.id.as_str();
        if let Some(slug) = &self.session.slug
            && stem != slug
            && !stem.starts_with(&format!("{slug}-"))
        {
            found.push(
                self.problem(code::SLUG_MISMATCH, "slug")
                    .found(format!("the slug is `{slug}`, the file is named `{stem}`"))
                    .manual("rename the file or correct the slug"),
            );
        }
        let mut seen = BTreeSet::new();
        let ideas = self.session.ideas.iter().enumerate();
        let twice = ideas.filter_map(|(place, idea)| {
            let id = idea.id.filter(|id| !seen.insert(*id))?;
            let what = format!("there are two ideas {id}");
            Some((place, what, "give one of them another id".to_owned()))
        });
        found.extend(self.items(code::DUPLICATE_IDEA, "ideas", twice));
        found
    }

    fn rounds(&self) -> Vec<Problem> {
        let repair = || "correct the round by hand; it is read as it is".to_owned();
        let party = self.session.party.iter().enumerate();
        let party = party.filter_map(|(place, round)| {
            Some((place, party::broken_rule(round)?.to_string(), repair()))
        });
        let panel = self.session.panel.iter().enumerate();
        let panel = panel.filter_map(|(place, round)| {
            Some((place, panel::broken_rule(round)?.to_string(), repair()))
        });
        let mut found = self.items(code::ROUND_RULE, "party_history", party);
        found.extend(self.items(code::ROUND_RULE, "panel_history", panel));
        found
    }
}
