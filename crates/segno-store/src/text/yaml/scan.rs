//! The parser's errors in our words.

use granit_parser::{ErrorKind as ScanKind, ScanError};

use super::budget::Budget;
use super::error::{ErrorKind, YamlError};

/// The parser's error in our words: a tab is pointed at where it is, and limits are named as ours.
pub(super) fn scan_error(text: &str, error: &ScanError, budget: Budget) -> YamlError {
    let marker = error.marker();
    let at = (marker.line() as u64, marker.col() as u64 + 1);
    match error.kind() {
        ScanKind::RecursionLimitExceeded => {
            let message = format!("nested more than {} levels deep", budget.max_depth);
            YamlError::new(ErrorKind::TooDeep, at, message)
        }
        ScanKind::TabInPlainScalar
        | ScanKind::TabNotAllowed
        | ScanKind::TabInBlockIndentation
        | ScanKind::TabInIndentation => {
            let lines = text
                .lines()
                .enumerate()
                .skip(marker.line().saturating_sub(1));
            let tab = lines.take(2).find_map(|(n, line)| {
                let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
                let column = line.get(..indent)?.find('\t')?;
                Some((n as u64 + 1, column as u64 + 1))
            });
            let message = "a tab is used as indentation; YAML takes only spaces".to_owned();
            YamlError::new(ErrorKind::Tabs, tab.unwrap_or(at), message)
        }
        ScanKind::UnexpectedCharacter { character } if character.is_control() => {
            let message = format!("the control character {character:?} cannot stand in YAML text");
            YamlError::new(ErrorKind::Syntax, at, message)
        }
        _ => YamlError::new(ErrorKind::Syntax, at, error.info()),
    }
}
