//! The answers of a polish: out of JSON, or out of what a person typed.

use segno_store::formats::handover::decision::{DecisionType, NewDecision};
use segno_store::formats::handover::polish::{Answers, Note};
use serde_json::{Map, Value};

use crate::cli::{Code, CommandError};
use crate::msg;

const KEYS: [&str; 7] = [
    "accomplished",
    "next",
    "decisions",
    "tone",
    "exceptions",
    "goal",
    "warnings",
];

/// Reads answers given as one JSON object. A key that has no meaning is an error, so that nothing said is lost.
pub(super) fn from_json(typed: &str) -> Result<Answers, CommandError> {
    let value: Value = serde_json::from_str(typed).map_err(|error| {
        CommandError::new(Code::Invalid, msg!("handover-not-json"))
            .because(error.to_string())
            .hint(keys_hint())
    })?;
    let Value::Object(map) = value else {
        return Err(CommandError::new(Code::Invalid, msg!("handover-not-json")).hint(keys_hint()));
    };
    if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let error = msg!("handover-unknown-answer", key = key);
        return Err(CommandError::new(Code::Invalid, error).hint(keys_hint()));
    }
    let exceptions = match map.get("exceptions") {
        None | Some(Value::Null) => None,
        Some(_) => Some(notes(&map, "exceptions", DecisionType::SteeringException)?),
    };
    Ok(Answers {
        accomplished: texts(&map, "accomplished")?,
        next: text(&map, "next")?.unwrap_or_default(),
        decisions: notes(&map, "decisions", DecisionType::UserDecision)?,
        warnings: texts(&map, "warnings")?,
        tone: text(&map, "tone")?,
        exceptions,
        goal: text(&map, "goal")?,
        ..Answers::default()
    })
}

fn keys_hint() -> String {
    "{\"accomplished\": [], \"next\": \"\", \"decisions\": [], \"tone\": \"\", \"exceptions\": [], \"goal\": \"\", \"warnings\": []}"
        .to_owned()
}

fn wrong(key: &str) -> CommandError {
    CommandError::new(Code::Invalid, msg!("handover-wrong-answer", key = key)).hint(keys_hint())
}

fn text(map: &Map<String, Value>, key: &str) -> Result<Option<String>, CommandError> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Array(_)) => Ok(Some(texts(map, key)?.join("\n"))),
        Some(_) => Err(wrong(key)),
    }
}

fn texts(map: &Map<String, Value>, key: &str) -> Result<Vec<String>, CommandError> {
    let strings = match map.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::String(text)) => text.lines().map(ToOwned::to_owned).collect(),
        Some(Value::Array(all)) => {
            let strings = all.iter().map(|one| one.as_str().map(ToOwned::to_owned));
            strings
                .collect::<Option<Vec<String>>>()
                .ok_or_else(|| wrong(key))?
        }
        Some(_) => return Err(wrong(key)),
    };
    let bare = strings.into_iter().map(|text| text.trim().to_owned());
    Ok(bare.filter(|text| !text.is_empty()).collect())
}

fn notes(
    map: &Map<String, Value>,
    key: &str,
    kind: DecisionType,
) -> Result<Vec<Note>, CommandError> {
    let Some(Value::Array(all)) = map.get(key) else {
        return Ok(texts(map, key)?
            .iter()
            .map(|text| text.as_str().into())
            .collect());
    };
    all.iter()
        .map(|one| match one {
            Value::String(text) => Ok(text.as_str().into()),
            Value::Object(fields) => note(fields, kind).ok_or_else(|| wrong(key)),
            _ => Err(wrong(key)),
        })
        .collect()
}

/// A decision with the fields of the log.
fn note(fields: &Map<String, Value>, kind: DecisionType) -> Option<Note> {
    let known = [
        "type",
        "summary",
        "context",
        "decision",
        "reason",
        "impact",
        "source",
        "steering_ref",
    ];
    if !fields
        .iter()
        .all(|(key, value)| known.contains(&key.as_str()) && value.is_string())
    {
        return None;
    }
    let field = |key: &str| Some(fields.get(key)?.as_str()?.to_owned());
    let kind = match field("type") {
        Some(name) => name.parse().ok()?,
        None => kind,
    };
    let summary = field("summary").or_else(|| field("decision"))?;
    Some(Note {
        entry: Some(NewDecision {
            kind,
            context: field("context"),
            decision: field("decision"),
            reason: field("reason"),
            impact: field("impact"),
            source: field("source"),
            steering_ref: field("steering_ref"),
            summary: summary.clone(),
        }),
        text: summary,
    })
}

/// A list that a person typed on one line.
pub(super) fn split(typed: &str) -> Vec<String> {
    let parts = typed
        .split([';', '\u{ff1b}'])
        .map(|part| part.trim().to_owned());
    parts
        .filter(|part| !part.is_empty() && part != "-")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_texts_or_lists_and_decisions_may_have_fields() {
        let json = r#"{"accomplished": "a\n b ", "next": "n", "decisions": ["x", {"summary": "y", "reason": "z"}], "exceptions": []}"#;
        let answers = from_json(json).unwrap();
        assert_eq!(answers.accomplished, ["a", "b"]);
        assert_eq!(answers.exceptions, Some(Vec::new()));
        let entry = answers.decisions[1].entry.as_ref().unwrap();
        assert_eq!(
            (entry.kind.name(), entry.reason.as_deref()),
            ("USER_DECISION", Some("z"))
        );
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        for json in [
            "",
            "[]",
            r#"{"nxt": "n"}"#,
            r#"{"next": 3}"#,
            r#"{"decisions": [{"why": "z"}]}"#,
            r#"{"decisions": [{"summary": "s", "type": "NOPE"}]}"#,
        ] {
            assert_eq!(from_json(json).unwrap_err().code, Code::Invalid, "{json}");
        }
    }

    #[test]
    fn a_typed_list_is_parted_by_semicolons() {
        assert_eq!(split("a; b ;; c"), ["a", "b", "c"]);
        assert_eq!(split("-"), Vec::<String>::new());
    }
}
