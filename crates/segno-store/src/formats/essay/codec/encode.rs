//! Writing back only what has changed: two states are compared field by field and the fields that differ are edited, so
//! that comments, unknown keys, quoting and order stay.

use std::collections::BTreeSet;

use super::super::layout::{Fields, Row};
use super::super::schema::Stage;
use super::super::state::State;
use crate::error::{Result, StoreError};
use crate::phrase;
use crate::phrase::Refusal;
use crate::text::yaml::{Doc, Edit, ErrorKind, Map, Step, Strings, Value, YamlError};

/// Lists that stand on the line of their key.
const INLINE: &[&str] = &["downstream_archived"];

/// The text of the file with the fields that differ between the two states changed.
pub(in super::super) fn encode(doc: &Doc, before: &State, after: &State) -> Result<String> {
    let mut edit = doc.edit();
    edit.strings(Strings::Quoted).inline_keys(INLINE);
    changes(&mut edit, before, after).map_err(|error| unwritable(&error))?;
    edit.finish().map_err(|error| unwritable(&error))
}

fn unwritable(error: &YamlError) -> StoreError {
    let what = phrase!(
        "essay-state-fixed",
        "session-state.yaml cannot be changed without loss: {why}",
        why = error
    );
    let hint = phrase!(
        "essay-state-fixed-hint",
        "correct that line by hand, then try again; nothing was written"
    );
    Refusal::rule(what).hint(hint).into()
}

fn changes(
    edit: &mut Edit<'_>,
    before: &State,
    after: &State,
) -> std::result::Result<(), YamlError> {
    let stage = |stage: Stage| [Step::Key("stages"), Step::Key(stage.key())];
    let sections = |stage: Stage| {
        [
            Step::Key("stages"),
            Step::Key(stage.key()),
            Step::Key("sections"),
        ]
    };
    scalars(edit, &[], &before.top(), &after.top())?;
    let at = stage(Stage::Thesis);
    scalars(edit, &at, &before.thesis.fields(), &after.thesis.fields())?;
    let at = stage(Stage::Outline);
    scalars(edit, &at, &before.outline.fields(), &after.outline.fields())?;
    let at = stage(Stage::Arguments);
    let (old, new) = (&before.arguments, &after.arguments);
    scalars(edit, &at, &old.fields(), &new.fields())?;
    let at = sections(Stage::Arguments);
    rows(edit, &at, &old.sections, &new.sections)?;
    let at = stage(Stage::Writing);
    let (old, new) = (&before.writing, &after.writing);
    scalars(edit, &at, &old.fields(), &new.fields())?;
    let at = sections(Stage::Writing);
    rows(edit, &at, &old.sections, &new.sections)?;
    let at = [Step::Key("voice_calibration")];
    scalars(edit, &at, &before.voice.fields(), &after.voice.fields())?;
    let at = [Step::Key("deferred_verifications")];
    rows(edit, &at, &before.deferred, &after.deferred)?;
    let at = [Step::Key("user_overrides")];
    rows(edit, &at, &before.overrides, &after.overrides)?;
    let at = [Step::Key("revision_history")];
    rows(edit, &at, &before.revisions, &after.revisions)?;
    let at = [Step::Key("output")];
    scalars(edit, &at, &before.output.fields(), &after.output.fields())
}

fn scalars(
    edit: &mut Edit<'_>,
    at: &[Step<'_>],
    before: &Fields,
    after: &Fields,
) -> std::result::Result<(), YamlError> {
    for ((_, old), (key, new)) in before.iter().zip(after) {
        if old != new {
            put(edit, &below(at, Step::Key(key)), new.clone())?;
        }
    }
    Ok(())
}

fn rows<R: Row>(
    edit: &mut Edit<'_>,
    at: &[Step<'_>],
    before: &[R],
    after: &[R],
) -> std::result::Result<(), YamlError> {
    if after.is_empty() && !before.is_empty() {
        return put(edit, at, Value::List(Vec::new()));
    }
    let kept: BTreeSet<usize> = after.iter().filter_map(Row::at).collect();
    let mut free = (0..before.len()).filter(|place| !kept.contains(place));
    let mut added = Vec::new();
    for row in after {
        // A new row takes the place of one that goes, so that what stands around the rows stays around them.
        match row.at().or_else(|| free.next()) {
            Some(place) => {
                let old = before.get(place).map(Row::fields).unwrap_or_default();
                let path = below(at, Step::Index(place));
                scalars(edit, &path, &old, &row.fields())?;
            }
            None => added.push(row),
        }
    }
    // From the end on: the rows behind one that is removed move up.
    let gone: Vec<usize> = free.collect();
    for place in gone.into_iter().rev() {
        edit.remove(below(at, Step::Index(place)))?;
    }
    for row in added {
        push(edit, at, row.to_value())?;
    }
    Ok(())
}

fn below<'p>(at: &[Step<'p>], step: Step<'p>) -> Vec<Step<'p>> {
    at.iter().copied().chain([step]).collect()
}

/// Sets a value, the mappings above it made where they are missing.
fn put(edit: &mut Edit<'_>, path: &[Step<'_>], value: Value) -> std::result::Result<(), YamlError> {
    match edit.set(path, value.clone()) {
        Err(error) if error.kind == ErrorKind::Missing => {
            let Some((Step::Key(key), above)) = path.split_last() else {
                return Err(error);
            };
            let Some(Step::Key(_)) = above.last() else {
                return Err(error);
            };
            put(edit, above, Value::Map(Map::new().with(*key, value)))
        }
        other => other,
    }
}

fn push(edit: &mut Edit<'_>, at: &[Step<'_>], value: Value) -> std::result::Result<(), YamlError> {
    match edit.push(at, value.clone()) {
        Err(error) if error.kind == ErrorKind::Missing => put(edit, at, Value::List(vec![value])),
        other => other,
    }
}
