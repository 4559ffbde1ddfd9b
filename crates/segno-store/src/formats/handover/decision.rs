//! One entry of the decisions log: its types, the fields they require, its header line, its spelling.

use std::fmt::Write as _;

use crate::error::{Result, StoreError};
use crate::session::Timestamp;

/// What an entry records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DecisionType {
    /// The user made an explicit choice.
    UserDecision,
    /// The steering documents changed.
    SteeringUpdate,
    /// Specs were split, waves rearranged, the scope changed.
    DirectionChange,
    /// What came of an escalation.
    EscalationResolved,
    /// An intentional deviation from the steering documents.
    SteeringException,
    /// The user had a finished spec revised.
    RevisionInitiated,
    /// A session began.
    SessionStart,
    /// A session was handed over.
    SessionEnd,
}

impl DecisionType {
    /// All types.
    pub const ALL: [Self; 8] = [
        Self::UserDecision,
        Self::SteeringUpdate,
        Self::DirectionChange,
        Self::EscalationResolved,
        Self::SteeringException,
        Self::RevisionInitiated,
        Self::SessionStart,
        Self::SessionEnd,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserDecision => "USER_DECISION",
            Self::SteeringUpdate => "STEERING_UPDATE",
            Self::DirectionChange => "DIRECTION_CHANGE",
            Self::EscalationResolved => "ESCALATION_RESOLVED",
            Self::SteeringException => "STEERING_EXCEPTION",
            Self::RevisionInitiated => "REVISION_INITIATED",
            Self::SessionStart => "SESSION_START",
            Self::SessionEnd => "SESSION_END",
        }
    }

    /// The fields without which an entry of this type is not complete.
    ///
    /// Session events need their context alone: that is what such entries really hold.
    pub const fn required(self) -> &'static [&'static str] {
        match self {
            Self::SessionStart | Self::SessionEnd => &["Context"],
            Self::SteeringException => &[
                "Context",
                "Decision",
                "Reason",
                "Impact",
                "Source",
                "Steering-ref",
            ],
            _ => &["Context", "Decision", "Reason", "Impact", "Source"],
        }
    }
}

impl std::fmt::Display for DecisionType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for DecisionType {
    type Err = UnknownType;

    /// Reads a type in any case, with `-` or `_`.
    fn from_str(text: &str) -> std::result::Result<Self, UnknownType> {
        let wanted = text.trim().to_ascii_uppercase().replace('-', "_");
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == wanted)
            .ok_or(UnknownType)
    }
}

/// The text names no type of decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a type of decision: it is one of USER_DECISION, STEERING_UPDATE, DIRECTION_CHANGE, ESCALATION_RESOLVED, \
     STEERING_EXCEPTION, REVISION_INITIATED, SESSION_START, SESSION_END"
)]
pub struct UnknownType;

/// A decision that is to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDecision {
    /// What it records.
    pub kind: DecisionType,
    /// What was decided, in a line.
    pub summary: String,
    /// What led to it.
    pub context: Option<String>,
    /// What was decided.
    pub decision: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// What follows.
    pub impact: Option<String>,
    /// Who or what initiated it.
    pub source: Option<String>,
    /// The steering document it deviates from.
    pub steering_ref: Option<String>,
}

impl NewDecision {
    /// A decision without any field yet.
    pub fn new(kind: DecisionType, summary: impl Into<String>) -> Self {
        Self {
            kind,
            summary: summary.into(),
            context: None,
            decision: None,
            reason: None,
            impact: None,
            source: None,
            steering_ref: None,
        }
    }

    /// Its fields in the order they are written, empty ones left out.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let all = [
            ("Context", &self.context),
            ("Decision", &self.decision),
            ("Reason", &self.reason),
            ("Impact", &self.impact),
            ("Source", &self.source),
            ("Steering-ref", &self.steering_ref),
        ];
        all.into_iter()
            .filter_map(|(key, value)| Some((key, one_line(value.as_deref()?))))
            .filter(|(_, value)| !value.is_empty())
            .collect()
    }

    /// Refuses what the type does not allow; says which fields are missing.
    pub fn check(&self) -> Result<()> {
        if one_line(&self.summary).is_empty() {
            return Err(invalid("a decision needs a summary", Vec::new()));
        }
        let fields = self.fields();
        let missing: Vec<&str> = self
            .kind
            .required()
            .iter()
            .copied()
            .filter(|key| !fields.iter().any(|(given, _)| given == key))
            .collect();
        if !missing.is_empty() {
            let flags: Vec<String> = missing
                .iter()
                .map(|key| format!("--{}", key.to_lowercase()))
                .collect();
            return Err(invalid(
                &format!("{} needs {}", self.kind, missing.join(", ")),
                vec![format!("give {}", flags.join(", "))],
            ));
        }
        if self.steering_ref.is_some() && self.kind != DecisionType::SteeringException {
            return Err(invalid(
                &format!(
                    "{} has no Steering-ref: only STEERING_EXCEPTION has",
                    self.kind
                ),
                vec!["leave --steering-ref out, or record a STEERING_EXCEPTION".to_owned()],
            ));
        }
        Ok(())
    }

    /// The entry as it stands in the log, its last line ended.
    pub(super) fn spell(&self, seq: u64, at: &str, eol: &str) -> String {
        let mut text = format!(
            "[{at}] D{seq}: {} | {}{eol}",
            self.kind,
            one_line(&self.summary)
        );
        for (key, value) in self.fields() {
            let _ = write!(text, "- {key}: {value}{eol}");
        }
        text
    }
}

fn invalid(what: &str, hints: Vec<String>) -> StoreError {
    StoreError::Invalid {
        what: what.to_owned(),
        hints,
    }
}

/// A field is one line: what a person typed on several is joined, so that no value can pose as an entry of its own.
pub(super) fn one_line(text: &str) -> String {
    let visible = text.replace(|c: char| c.is_control(), " ");
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The header line of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header<'t> {
    /// The time as written.
    pub at: &'t str,
    /// The number.
    pub seq: u64,
    /// The type as written.
    pub kind: &'t str,
    /// The summary; `None` when the line ends before it.
    pub summary: Option<&'t str>,
}

/// Reads a line as the header of an entry: `[time] D7: TYPE | summary`.
///
/// Marks that people put before it (`#`, `-`, `**`) are looked over. A line without a time counts when it names a type.
pub(super) fn header_of(line: &str) -> Option<Header<'_>> {
    let bare = line.trim_start_matches(['\u{feff}', '#', '-', '*', ' ', '\t']);
    let (at, rest) = match bare.strip_prefix('[') {
        Some(inner) => {
            let (at, rest) = inner.split_once(']')?;
            (at.trim(), rest.trim_start())
        }
        None => ("", bare),
    };
    let number = rest.strip_prefix('D')?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let seq = number.get(..digits)?.parse().ok()?;
    let behind = number.get(digits..)?.trim_start();
    let (kind, summary) = match behind.strip_prefix([':', '\u{ff1a}']) {
        Some(named) => match named.split_once('|') {
            Some((kind, summary)) => (kind.trim(), Some(summary.trim())),
            None => (named.trim(), None),
        },
        // `[time] D7` cut before its colon is still a header; `D7 says` in a sentence is none.
        None if behind.is_empty() && !at.is_empty() => ("", None),
        None => return None,
    };
    let typed = !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    (!at.is_empty() || (typed && summary.is_some())).then_some(Header {
        at,
        seq,
        kind,
        summary,
    })
}

/// One entry as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Its number.
    pub seq: u64,
    /// The type as written; one that we do not know is kept.
    pub kind: String,
    /// What was decided, in a line.
    pub summary: String,
    /// When, as written; never used for the order.
    pub at: Option<Timestamp>,
    /// Its fields in the order they stand there.
    pub fields: Vec<(String, String)>,
    /// What else stands in the entry.
    pub notes: Vec<String>,
    /// The line it begins on, from 1; 0 when it was read from the end of the log and nobody counted.
    pub line: u64,
}

impl Decision {
    /// Reads the text of one entry, its header line first.
    pub(super) fn read(text: &str, line: u64) -> Option<Self> {
        let mut lines = text.lines();
        let header = header_of(lines.next()?)?;
        let mut entry = Self {
            seq: header.seq,
            kind: header.kind.to_owned(),
            summary: header.summary.unwrap_or_default().to_owned(),
            at: Timestamp::parse(header.at),
            fields: Vec::new(),
            notes: Vec::new(),
            line,
        };
        for line in lines {
            entry.take(line);
        }
        Some(entry)
    }

    fn take(&mut self, line: &str) {
        let bare = line.trim();
        let item = bare.strip_prefix(['-', '*', '+']).unwrap_or_default();
        let bold = item.trim_start().replace("**", "");
        let field = bold.split_once([':', '\u{ff1a}']);
        match field {
            Some((key, value)) if is_key(key) => {
                self.fields
                    .push((key.trim().to_owned(), value.trim().to_owned()));
            }
            _ if bare.is_empty() => {}
            // A value that a person wrapped goes on here.
            _ => match self.fields.last_mut() {
                Some((_, value)) if item.is_empty() => {
                    value.push(' ');
                    value.push_str(bare);
                }
                _ => self.notes.push(bare.to_owned()),
            },
        }
    }

    /// The value of a field, whatever its case.
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(given, _)| given.eq_ignore_ascii_case(key))
            .map(|(_, value)| value.as_str())
    }

    /// The type, where it is one of the eight.
    pub fn known_type(&self) -> Option<DecisionType> {
        self.kind.parse().ok()
    }

    /// The fields that its type requires and it lacks.
    pub fn missing(&self) -> Vec<&'static str> {
        let required = self.known_type().map_or(&[][..], DecisionType::required);
        let lacks = |key: &&&str| self.field(key).is_none_or(str::is_empty);
        required.iter().filter(lacks).copied().collect()
    }

    /// `D7 USER_DECISION: summary`.
    pub fn title(&self) -> String {
        format!("D{} {}: {}", self.seq, self.kind, self.summary)
    }
}

/// The keys of the format and those that people add: a short word, no sentence.
fn is_key(key: &str) -> bool {
    let key = key.trim();
    !key.is_empty() && key.chars().count() <= 24 && !key.contains(['`', '/', '(', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_4_5_and_4_6_all_eight_types_are_supported() {
        let names: Vec<&str> = DecisionType::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), 8);
        for name in names {
            assert_eq!(name.parse::<DecisionType>().unwrap().name(), name);
            let typed = name.to_lowercase().replace('_', "-");
            assert_eq!(typed.parse::<DecisionType>().unwrap().name(), name);
        }
        assert!("DECISION".parse::<DecisionType>().is_err());
    }

    fn full(kind: DecisionType) -> NewDecision {
        let text = || Some("x".to_owned());
        NewDecision {
            context: text(),
            decision: text(),
            reason: text(),
            impact: text(),
            source: text(),
            ..NewDecision::new(kind, "s")
        }
    }

    #[test]
    fn spec_4_2_to_4_4_each_type_requires_its_fields() {
        for kind in DecisionType::ALL {
            let mut decision = full(kind);
            if kind == DecisionType::SteeringException {
                assert!(decision.check().is_err(), "spec 4.3: Steering-ref");
                decision.steering_ref = Some("tech.md".to_owned());
            }
            decision.check().unwrap();
            decision.reason = None;
            decision.impact = None;
            let session = matches!(kind, DecisionType::SessionStart | DecisionType::SessionEnd);
            assert_eq!(
                decision.check().is_ok(),
                session,
                "{kind} without reason and impact"
            );
            decision.context = None;
            assert!(decision.check().is_err(), "{kind} without context");
        }
        let mut wrong = full(DecisionType::UserDecision);
        wrong.steering_ref = Some("tech.md".to_owned());
        assert!(wrong.check().is_err());
    }

    #[test]
    fn spec_4_1_an_entry_is_spelt_as_the_format_says() {
        let mut decision = full(DecisionType::UserDecision);
        decision.summary = "one\n[2026-01-01T00:00:00Z] D9: forged | line".to_owned();
        let text = decision.spell(7, "2026-11-18T09:30:00Z", "\n");
        assert_eq!(
            text,
            "[2026-11-18T09:30:00Z] D7: USER_DECISION | one [2026-01-01T00:00:00Z] D9: forged | line\n\
             - Context: x\n- Decision: x\n- Reason: x\n- Impact: x\n- Source: x\n"
        );
        let read = Decision::read(&text, 1).unwrap();
        assert_eq!((read.seq, read.missing()), (7, Vec::new()));
    }

    #[test]
    fn headers_are_read_as_people_write_them() {
        for (line, expected) in [
            (
                "[2026-02-20T00:00:00Z] D1: SESSION_START | Resume",
                Some((1, "SESSION_START")),
            ),
            (
                "## [2026-02-20] D12: USER_DECISION | x",
                Some((12, "USER_DECISION")),
            ),
            ("- **[2026-02-20] D3: NEW_TYPE | x", Some((3, "NEW_TYPE"))),
            ("[2026-02-20] D4", Some((4, ""))),
            ("[2026-02-20] D4: USER_DEC", Some((4, "USER_DEC"))),
            ("D5: USER_DECISION | no time", Some((5, "USER_DECISION"))),
            ("D5 was about the log", None),
            ("- Decision: D5 stands | really", None),
            ("[2026-02-20] Done: x | y", None),
            ("[2026-02-20] D99999999999999999999999: X | y", None),
            ("", None),
        ] {
            let found = header_of(line).map(|header| (header.seq, header.kind));
            assert_eq!(found, expected, "{line}");
        }
    }
}
