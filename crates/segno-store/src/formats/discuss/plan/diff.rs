//! What a replay changes in the plan, for people to read before they say yes.

use segno_disk::RelPath;

/// How much of a value people are shown, in bytes.
const SHOWN: usize = 2_000;

/// What changes in one file of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// The file.
    pub path: RelPath,
    /// True when it is not there yet.
    pub is_new: bool,
    /// What changes in it, in order.
    pub fields: Vec<FieldDiff>,
}

/// One member that changes: its JSON before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDiff {
    /// Its name; `tasks[]` for an item of a list.
    pub name: String,
    /// What stood there.
    pub old: Option<String>,
    /// What will stand there.
    pub new: Option<String>,
}

impl FieldDiff {
    pub(super) fn item(list: &str, old: Option<String>, new: Option<String>) -> Self {
        Self {
            name: format!("{list}[]"),
            old,
            new,
        }
    }
}

impl FileDiff {
    /// The difference in lines: the file, then `-` and `+` lines.
    pub fn lines(&self) -> Vec<String> {
        let mark = if self.is_new { " (new)" } else { "" };
        let mut lines = vec![format!("{}{mark}", self.path)];
        for field in &self.fields {
            for (sign, value) in [('-', &field.old), ('+', &field.new)] {
                if let Some(value) = value {
                    lines.push(format!("  {sign} {}: {}", field.name, shown(value)));
                }
            }
        }
        lines
    }
}

/// A value for people: one that is too long to be read is cut, and says how long it is.
fn shown(value: &str) -> String {
    if value.len() <= SHOWN {
        return value.to_owned();
    }
    let head = value.get(..value.floor_char_boundary(SHOWN));
    let size = value.len();
    format!("{}\u{2026} ({size} bytes)", head.unwrap_or_default())
}
