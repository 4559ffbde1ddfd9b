//! How an error is said: to people in lines, to programs as one JSON object.

use serde::Serialize;

use super::error::CommandError;
use super::line::{Line, Role};
use crate::messages::Catalogue;
use crate::msg;

/// The error in lines: the error itself, its causes, what to do next.
pub(super) fn styled(error: &CommandError) -> Vec<Line> {
    let mut lines = vec![
        Line::new()
            .add(Role::Bad, msg!("frame-error"))
            .plain(" ")
            .plain(error.message.clone()),
    ];
    for cause in &error.causes {
        lines.push(labelled(Role::Dim, msg!("frame-caused-by"), cause.clone()));
    }
    for hint in &error.hints {
        lines.push(labelled(Role::Good, msg!("frame-hint"), hint.clone()));
    }
    lines
}

fn labelled(role: Role, label: crate::messages::Message, text: crate::messages::Text) -> Line {
    Line::new()
        .plain("  ")
        .add(role, label)
        .plain(" ")
        .plain(text)
}

/// The error in lines without colour.
#[cfg(test)]
pub(super) fn lines(error: &CommandError, catalogue: &Catalogue) -> Vec<String> {
    styled(error)
        .iter()
        .map(|line| line.to_text(catalogue))
        .collect()
}

/// `{"error":{"code","message","causes","hints"}}`, the causes only where there are any.
#[derive(Debug, Serialize)]
pub(super) struct ErrorView {
    error: ErrorBody,
}

#[derive(Debug, Serialize)]
struct ErrorBody {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<String>,
    hints: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<serde_json::Value>,
}

impl ErrorView {
    pub(super) fn new(error: &CommandError, catalogue: &Catalogue) -> Self {
        let words = |texts: &[crate::messages::Text]| {
            texts.iter().map(|text| catalogue.text(text)).collect()
        };
        Self {
            error: ErrorBody {
                code: error.code.name(),
                message: catalogue.text(&error.message),
                causes: words(&error.causes),
                hints: words(&error.hints),
                session: error.session.as_deref().cloned(),
            },
        }
    }
}
