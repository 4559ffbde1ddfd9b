//! The difference between two texts, line by line.

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What became of it.
    pub kind: DiffKind,
    /// The line, without its end.
    pub text: String,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffKind {
    /// It is in both.
    Same,
    /// It is only in the old text.
    Removed,
    /// It is only in the new text.
    Added,
    /// Lines that are in both were left out here.
    Gap,
}

impl DiffLine {
    /// The mark before the line: ` `, `-`, `+`, `@`.
    pub const fn mark(&self) -> char {
        match self.kind {
            DiffKind::Same => ' ',
            DiffKind::Removed => '-',
            DiffKind::Added => '+',
            DiffKind::Gap => '@',
        }
    }
}

/// Lines shown around a change.
const CONTEXT: usize = 3;
/// Beyond so many comparisons the middle is shown as replaced: a person cannot read such a difference anyway.
const MOST_CELLS: usize = 4_000_000;

/// The difference, with a few lines around each change. Empty when the texts are the same but for line ends.
pub(super) fn diff(old: &str, new: &str) -> Vec<DiffLine> {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tail = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_mid = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_mid = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    if old_mid.is_empty() && new_mid.is_empty() {
        return Vec::new();
    }
    let line = |kind: DiffKind| {
        move |text: &&str| DiffLine {
            kind,
            text: (*text).to_owned(),
        }
    };
    let mut all: Vec<DiffLine> = old.iter().take(head).map(line(DiffKind::Same)).collect();
    if old_mid.len().saturating_mul(new_mid.len()) > MOST_CELLS {
        all.extend(old_mid.iter().map(line(DiffKind::Removed)));
        all.extend(new_mid.iter().map(line(DiffKind::Added)));
    } else {
        all.extend(middle(old_mid, new_mid));
    }
    let after = old.get(old.len() - tail..).unwrap_or_default();
    all.extend(after.iter().map(line(DiffKind::Same)));
    with_gaps(&all)
}

/// The longest common subsequence, walked from its beginning.
fn middle(old: &[&str], new: &[&str]) -> Vec<DiffLine> {
    let width = new.len() + 1;
    let mut longest = vec![0_u32; (old.len() + 1) * width];
    let at = |row: usize, column: usize| row * width + column;
    for (row, a) in old.iter().enumerate().rev() {
        for (column, b) in new.iter().enumerate().rev() {
            let get = |row, column| longest.get(at(row, column)).copied().unwrap_or(0);
            let best = if a == b {
                get(row + 1, column + 1) + 1
            } else {
                get(row + 1, column).max(get(row, column + 1))
            };
            if let Some(cell) = longest.get_mut(at(row, column)) {
                *cell = best;
            }
        }
    }
    let get = |row: usize, column: usize| longest.get(at(row, column)).copied().unwrap_or(0);
    let (mut row, mut column) = (0, 0);
    let mut lines = Vec::new();
    loop {
        let (kind, text) = match (old.get(row), new.get(column)) {
            (Some(a), Some(b)) if a == b => {
                row += 1;
                column += 1;
                (DiffKind::Same, a)
            }
            (Some(a), Some(_)) if get(row + 1, column) >= get(row, column + 1) => {
                row += 1;
                (DiffKind::Removed, a)
            }
            (Some(a), None) => {
                row += 1;
                (DiffKind::Removed, a)
            }
            (_, Some(b)) => {
                column += 1;
                (DiffKind::Added, b)
            }
            (None, None) => return lines,
        };
        lines.push(DiffLine {
            kind,
            text: (*text).to_owned(),
        });
    }
}

/// Leaves out what lies far from any change.
fn with_gaps(all: &[DiffLine]) -> Vec<DiffLine> {
    let changed: Vec<usize> = (0..all.len())
        .filter(|at| all.get(*at).is_some_and(|line| line.kind != DiffKind::Same))
        .collect();
    let mut shown = Vec::new();
    let mut near = changed.iter().copied().peekable();
    let mut last_change: Option<usize> = None;
    let mut in_gap = false;
    for (at, line) in all.iter().enumerate() {
        while near.next_if(|change| *change <= at).is_some_and(|change| {
            last_change = Some(change);
            true
        }) {}
        let behind = last_change.is_some_and(|change| at - change <= CONTEXT);
        let ahead = near.peek().is_some_and(|change| change - at <= CONTEXT);
        if behind || ahead {
            in_gap = false;
            shown.push(line.clone());
        } else if !in_gap {
            in_gap = true;
            shown.push(DiffLine {
                kind: DiffKind::Gap,
                text: format!("line {}", at + 1),
            });
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &[&str]) {
        let shown: Vec<String> = diff(old, new)
            .iter()
            .map(|line| format!("{}{}", line.mark(), line.text))
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn changes_are_shown_with_a_few_lines_around_them() {
        check("a\nb\n", "a\nb\n", &[]);
        check("a\nb\n", "a\r\nb\r\n", &[]);
        check("a\nb\nc\n", "a\nx\nc\n", &[" a", "-b", "+x", " c"]);
        check("", "a\n", &["+a"]);
        check(
            "a\nb\nc\nd\n",
            "b\nc\nd\ne\n",
            &["-a", " b", " c", " d", "+e"],
        );
        check(
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "1\n2\n3\n4\n5\n6\n7\n8\nx\n",
            &["@line 1", " 6", " 7", " 8", "-9", "+x"],
        );
    }
}
