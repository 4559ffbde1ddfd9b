//! Reads one configuration file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, Key, Shape};
use super::{Source, Value, nearest};
use crate::cli::{Code, CommandError};
use crate::messages::Text;
use crate::msg;

/// The largest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// Adds what the file sets; a missing file sets nothing.
pub(super) fn read(
    path: &Path,
    source: Source,
    set: &mut BTreeMap<String, (Value, Source)>,
    warnings: &mut Vec<Text>,
) -> Result<(), CommandError> {
    let Some(text) = load(path)? else {
        return Ok(());
    };
    let shown = path.display().to_string();
    let mut reader = Reader {
        file: &shown,
        text: &text,
        source,
        set,
        warnings,
    };
    let table = DeTable::parse(&text).map_err(|error| {
        let line = reader.line(error.span().map_or(0, |span| span.start));
        let broken = msg!(
            "config-broken",
            file = &shown,
            line = line,
            what = error.message()
        );
        CommandError::new(Code::Invalid, broken).hint(msg!("config-broken-hint"))
    })?;
    reader.table("", table.get_ref())
}

fn load(path: &Path) -> Result<Option<String>, CommandError> {
    let shown = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        CommandError::new(Code::Io, msg!("config-unreadable", file = &shown))
            .because(error.to_string())
    };
    let file = match File::open(path) {
        Ok(file) => file,
        // `NotADirectory`: `.segno` is a file, so there is no configuration in it.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = msg!("config-too-large", file = &shown, max = MAX_BYTES);
        return Err(CommandError::new(Code::Invalid, message));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(CommandError::new(
            Code::Invalid,
            msg!("config-not-utf8", file = &shown),
        )),
    }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    source: Source,
    set: &'a mut BTreeMap<String, (Value, Source)>,
    warnings: &'a mut Vec<Text>,
}

impl Reader<'_> {
    fn table(&mut self, section: &str, table: &DeTable<'_>) -> Result<(), CommandError> {
        for (name, value) in table {
            let full = format!("{section}{}", name.get_ref());
            let at = name.span().start;
            match (find(&full), value.get_ref()) {
                (Some(key), _) => self.value(key, full, value)?,
                (None, DeValue::Table(inner)) if is_section(&full) => {
                    self.table(&format!("{full}."), inner)?;
                }
                (None, _) if is_section(&full) => {
                    return Err(self.wrong(&full, "a section", value));
                }
                (None, _) => self.unknown(&full, at),
            }
        }
        Ok(())
    }

    fn value(
        &mut self,
        key: &'static Key,
        name: String,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), CommandError> {
        let wrong = || self.wrong(&name, &key.shape.to_string(), value);
        let value = match (key.shape, value.get_ref()) {
            (Shape::Text | Shape::TextTable, DeValue::String(text)) if !text.trim().is_empty() => {
                Value::Text(text.to_string())
            }
            (Shape::Choice(words), DeValue::String(text)) if words.contains(&text.as_ref()) => {
                Value::Text(text.to_string())
            }
            (Shape::Flag, DeValue::Boolean(flag)) => Value::Flag(*flag),
            (Shape::Count, DeValue::Integer(number)) => Value::Count(
                u32::from_str_radix(number.as_str(), number.radix()).map_err(|_| wrong())?,
            ),
            (Shape::Texts, DeValue::Array(items)) => Value::Texts(
                items
                    .iter()
                    .map(|item| item.get_ref().as_str().map(str::to_owned))
                    .collect::<Option<_>>()
                    .ok_or_else(wrong)?,
            ),
            _ => return Err(wrong()),
        };
        self.set.insert(name, (value, self.source));
        Ok(())
    }

    fn wrong(&self, key: &str, expected: &str, found: &Spanned<DeValue<'_>>) -> CommandError {
        let message = msg!(
            "config-wrong-type",
            file = self.file,
            line = self.line(found.span().start),
            key = key,
            expected = expected,
            found = shown(self.text.get(found.span()).unwrap_or_default()),
        );
        CommandError::new(Code::Invalid, message).hint(msg!("config-wrong-type-hint"))
    }

    fn unknown(&mut self, key: &str, at: usize) {
        let line = self.line(at);
        let names = KEYS.iter().map(|key| key.name);
        self.warnings.push(match nearest(key, names) {
            Some(near) => msg!(
                "config-unknown-key-near",
                file = self.file,
                line = line,
                key = key,
                near = near
            )
            .into(),
            None => msg!(
                "config-unknown-key",
                file = self.file,
                line = line,
                key = key
            )
            .into(),
        });
    }

    /// The line of an offset, as text: a line number takes no thousands separator.
    fn line(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        (1 + before.matches('\n').count()).to_string()
    }
}

fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| match key.shape {
        Shape::TextTable => name
            .strip_prefix(key.section())
            .is_some_and(|tool| !tool.is_empty()),
        _ => key.name == name,
    })
}

fn is_section(name: &str) -> bool {
    KEYS.iter().any(|key| {
        key.name
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// What stands in the file, cut where it is long.
fn shown(found: &str) -> String {
    const MAX: usize = 40;
    let line = found.lines().next().unwrap_or_default();
    if line.chars().count() <= MAX {
        line.to_owned()
    } else {
        line.chars().take(MAX).chain(['…']).collect()
    }
}
