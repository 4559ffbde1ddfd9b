//! Patch operations, read strictly: nothing is guessed, and what is wrong is named.

use super::failure::Failure;
use super::schema::{Item, OpType};
use crate::text::json::{Kind, Tree, Value};

/// A parent as an operation names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Named {
    /// By its id.
    Id(String),
    /// By its name, in any case of letters.
    Name(String),
}

/// What one operation does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    AddTrack {
        name: String,
        id: Option<String>,
    },
    AddPhase {
        name: String,
        id: Option<String>,
        track: Named,
    },
    AddTask {
        name: String,
        id: Option<String>,
        phase: Named,
        track: Option<Named>,
    },
    MoveTask {
        task: String,
        source: String,
        target: String,
    },
    EditTaskFields {
        task: String,
        fields: Vec<(String, Tree)>,
    },
    Mark {
        done: bool,
        item: Item,
        id: String,
    },
}

/// One operation, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operation {
    /// Which of the seven.
    pub(super) op: OpType,
    /// What it does.
    pub(super) action: Action,
    /// Keys of `data` that mean nothing to it.
    pub(super) ignored: Vec<String>,
}

impl Operation {
    /// Reads `{"op_type": ..., "data": {...}}`. Nothing is guessed.
    pub(super) fn parse(value: Value<'_>) -> Result<Self, String> {
        if value.kind() != Kind::Object {
            return Err("it is not an object".to_owned());
        }
        let word = value.get("op_type").ok_or("`op_type` is missing")?;
        let word = word.str().ok_or("`op_type` is not a text")?;
        let op: OpType = word
            .parse()
            .map_err(|known| format!("unknown operation `{word}`; {known}"))?;
        let data = value
            .get("data")
            .ok_or_else(|| format!("{op}: `data` is missing"))?;
        if data.kind() != Kind::Object {
            return Err(format!("{op}: `data` is not an object"));
        }
        let mut fields = Fields {
            data,
            used: Vec::new(),
        };
        let action = action(op, &mut fields).map_err(|why| format!("{op}: {why}"))?;
        Ok(Self {
            op,
            action,
            ignored: fields.unused(),
        })
    }

    /// What it is about: a mark is about what it marks.
    pub(super) fn item(&self) -> Item {
        match &self.action {
            Action::AddTrack { .. } => Item::Track,
            Action::AddPhase { .. } => Item::Phase,
            Action::Mark { item, .. } => *item,
            _ => Item::Task,
        }
    }
}

/// Reads a list of operations; the first that is wrong is named by its place, from 1.
pub(super) fn parse_all(list: Value<'_>) -> Result<Vec<Operation>, Failure> {
    if list.kind() != Kind::Array {
        return Err(Failure::invalid(
            "Invalid patch operation format: `patch_operations` is not a list",
        ));
    }
    let mut operations = Vec::new();
    for (index, value) in list.items().enumerate() {
        let operation = Operation::parse(value).map_err(|why| {
            Failure::invalid(format!(
                "Invalid patch operation format: operation {}: {why}",
                index + 1
            ))
        })?;
        operations.push(operation);
    }
    Ok(operations)
}

fn action(op: OpType, fields: &mut Fields<'_>) -> Result<Action, String> {
    Ok(match op {
        OpType::AddTrack => Action::AddTrack {
            name: fields.required("track_name")?,
            id: fields.optional("track_id")?,
        },
        OpType::AddPhase => Action::AddPhase {
            name: fields.required("phase_name")?,
            id: fields.optional("phase_id")?,
            track: fields
                .named("track")?
                .ok_or("`track_id` (or `track_name`) is missing")?,
        },
        OpType::AddTask => Action::AddTask {
            name: fields.required("task_name")?,
            id: fields.optional("task_id")?,
            phase: fields
                .named("phase")?
                .ok_or("`phase_id` (or `phase_name`) is missing")?,
            track: fields.named("track")?,
        },
        OpType::MoveTask => Action::MoveTask {
            task: fields.required("task_id")?,
            source: fields.required("source_phase_id")?,
            target: fields.required("target_phase_id")?,
        },
        OpType::EditTaskFields => Action::EditTaskFields {
            task: fields.required("task_id")?,
            fields: fields.object("fields")?,
        },
        OpType::MarkDone | OpType::MarkTodo => {
            let item = match fields.optional("item_type")? {
                None => Item::Task,
                Some(word) => word
                    .parse()
                    .map_err(|known| format!("`item_type` is `{word}`; {known}"))?,
            };
            Action::Mark {
                done: op == OpType::MarkDone,
                item,
                id: fields.required("item_id")?,
            }
        }
    })
}

/// The members of `data`, and which of them have been asked for.
struct Fields<'d> {
    data: Value<'d>,
    used: Vec<String>,
}

impl<'d> Fields<'d> {
    fn get(&mut self, key: &str) -> Option<Value<'d>> {
        self.used.push(key.to_owned());
        self.data.get(key).filter(|value| !value.is_null())
    }

    fn optional(&mut self, key: &str) -> Result<Option<String>, String> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let text = value
            .str()
            .ok_or_else(|| format!("`{key}` is not a text"))?;
        if text.trim().is_empty() {
            return Err(format!("`{key}` is empty"));
        }
        Ok(Some(text.into_owned()))
    }

    fn required(&mut self, key: &str) -> Result<String, String> {
        self.optional(key)?
            .ok_or_else(|| format!("`{key}` is missing"))
    }

    /// A parent: by id where it is given, else by name.
    fn named(&mut self, what: &str) -> Result<Option<Named>, String> {
        let name = self.optional(&format!("{what}_name"))?;
        let id = self.optional(&format!("{what}_id"))?;
        Ok(id.map(Named::Id).or(name.map(Named::Name)))
    }

    fn object(&mut self, key: &str) -> Result<Vec<(String, Tree)>, String> {
        let value = self.get(key).ok_or_else(|| format!("`{key}` is missing"))?;
        if value.kind() != Kind::Object {
            return Err(format!("`{key}` is not an object"));
        }
        let members: Vec<(String, Tree)> = value
            .entries()
            .map(|entry| (entry.key().into_owned(), Tree::respelt(entry.value)))
            .collect();
        if members.is_empty() {
            return Err(format!("`{key}` is empty"));
        }
        Ok(members)
    }

    fn unused(&self) -> Vec<String> {
        self.data
            .entries()
            .map(|entry| entry.key().into_owned())
            .filter(|key| !self.used.contains(key))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::json::Doc;

    fn parse(text: &str) -> Result<Operation, String> {
        Operation::parse(Doc::parse(text).unwrap().root())
    }

    fn refused(text: &str, why: &str) {
        let error = parse(text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }

    #[test]
    fn strict_validation_names_what_is_missing_or_wrong_by_operation() {
        refused("3", "not an object");
        refused(r#"{"data": {}}"#, "`op_type` is missing");
        refused(r#"{"op_type": 1, "data": {}}"#, "not a text");
        refused(
            r#"{"op_type": "INVALID_OP_TYPE", "data": {}}"#,
            "unknown operation `INVALID_OP_TYPE`",
        );
        refused(r#"{"op_type": "add_track"}"#, "`data` is missing");
        refused(r#"{"op_type": "add_track", "data": []}"#, "not an object");
        refused(
            r#"{"op_type": "add_track", "data": {}}"#,
            "`track_name` is missing",
        );
        refused(
            r#"{"op_type": "add_track", "data": {"track_name": " "}}"#,
            "is empty",
        );
        refused(
            r#"{"op_type": "add_phase", "data": {"phase_name": "p"}}"#,
            "`track_id`",
        );
        refused(
            r#"{"op_type": "add_phase", "data": {"track_id": "t"}}"#,
            "`phase_name` is missing",
        );
        refused(
            r#"{"op_type": "add_task", "data": {"task_name": "t"}}"#,
            "`phase_id`",
        );
        refused(
            r#"{"op_type": "add_task", "data": {"task_name": 7, "phase_id": "p"}}"#,
            "not a text",
        );
        refused(
            r#"{"op_type": "move_task", "data": {"task_id": "t", "target_phase_id": "p"}}"#,
            "`source_phase_id`",
        );
        refused(
            r#"{"op_type": "move_task", "data": {"task_id": "t", "source_phase_id": "p"}}"#,
            "`target_phase_id`",
        );
        refused(
            r#"{"op_type": "edit_task_fields", "data": {"task_id": "t"}}"#,
            "`fields` is missing",
        );
        refused(
            r#"{"op_type": "edit_task_fields", "data": {"task_id": "t", "fields": "x"}}"#,
            "not an object",
        );
        refused(
            r#"{"op_type": "edit_task_fields", "data": {"task_id": "t", "fields": {}}}"#,
            "is empty",
        );
        refused(
            r#"{"op_type": "mark_done", "data": {}}"#,
            "`item_id` is missing",
        );
        refused(
            r#"{"op_type": "mark_todo", "data": {"item_id": "x", "item_type": "world"}}"#,
            "`item_type` is `world`",
        );
    }

    #[test]
    fn a_parent_may_be_named_and_keys_without_meaning_are_told() {
        let op = parse(
            r#"{"op_type": "add_phase", "data": {"phase_name": "p", "track_name": "T", "colour": 1}}"#,
        );
        let op = op.unwrap();
        assert_eq!(op.ignored, ["colour"]);
        let Action::AddPhase { track, .. } = op.action else {
            panic!()
        };
        assert_eq!(track, Named::Name("T".into()));
    }
}
