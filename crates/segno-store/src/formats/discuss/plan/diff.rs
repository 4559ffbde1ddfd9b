//! What a replay changes in the plan, for people to read before they say yes.

use segno_disk::RelPath;

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
                    lines.push(format!("  {sign} {}: {}", field.name, on_one_line(value)));
                }
            }
        }
        lines
    }
}

/// A value of several lines as one: white space between tokens counts for nothing, and strings hold no line ends.
fn on_one_line(value: &str) -> String {
    if !value.contains('\n') {
        return value.to_owned();
    }
    let words: Vec<&str> = value.lines().map(str::trim).collect();
    words.join(" ")
}
