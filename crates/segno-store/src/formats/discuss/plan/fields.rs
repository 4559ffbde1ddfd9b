//! Which fields of a task can be edited, and what each takes.

use super::super::failure::Failure;
use crate::text::json::{Doc, Kind, Tree};

/// What becomes of a field.
pub(super) enum Field {
    /// It is a member of every task.
    Own(Tree),
    /// No task has it: it is kept below `details`.
    Detail,
    /// It says what is so already, or cannot be edited.
    Fixed,
}

/// What an edit of a field of a task means, its type checked.
pub(super) fn field(name: &str, value: &Tree) -> Result<Field, Failure> {
    let kinds: &[Kind] = match name {
        "name" | "status" => &[Kind::String],
        "priority" => &[Kind::String, Kind::Number],
        "estimated_hours" => &[Kind::Number, Kind::Null],
        "completed" => &[Kind::Bool],
        "owner" | "created_at" | "updated_at" => &[Kind::String, Kind::Null],
        "description" => &[Kind::Array, Kind::String],
        "tags" | "dependencies" | "subtasks" => &[Kind::Array],
        "details" => &[Kind::Object],
        "task_id" | "phase_id" => return Ok(Field::Fixed),
        _ => return Ok(Field::Detail),
    };
    let doc = Doc::parse(value.to_text(crate::text::json::Style::COMPACT))
        .expect("because a printed tree is JSON");
    let kind = doc.root().kind();
    let is_blank = name == "name" && doc.root().str().is_some_and(|text| text.trim().is_empty());
    if !kinds.contains(&kind) || is_blank {
        return Err(Failure::invalid(format!(
            "Field '{name}' of a task takes {}, not {}",
            kinds
                .iter()
                .map(|kind| word(*kind))
                .collect::<Vec<_>>()
                .join(" or "),
            if is_blank {
                "an empty text"
            } else {
                word(kind)
            },
        )));
    }
    // A description is a list of lines; one line alone is understood.
    if name == "description" && kind == Kind::String {
        return Ok(Field::Own(Tree::Array(vec![value.clone()])));
    }
    Ok(Field::Own(value.clone()))
}

/// A type in a person's words.
pub(super) const fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "an object",
        Kind::Array => "a list",
        Kind::String => "a text",
        Kind::Number => "a number",
        Kind::Bool => "true or false",
        Kind::Null => "null",
    }
}
