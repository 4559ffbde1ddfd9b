//! The groups of Key Decisions: at a hand-over, what was added in the last session continues.

use std::fmt::Write as _;

use crate::text::markdown::{Doc, FieldStyle};

use super::document::is_none;

const CONTINUING: &str = "**Continuing from previous sessions:**";
const ADDED: &str = "**Added this session:**";

/// The text under Key Decisions with the added decisions moved to the continuing ones and these added, the numbering
/// going on. Every other group and line stays as it is.
pub(super) fn regroup(body: &str, added: &[String]) -> String {
    let body = if is_none(body) {
        ""
    } else {
        body.trim_matches('\n')
    };
    let next = highest_number(body) + 1;
    let moved = continue_added(body);
    if added.is_empty() {
        return moved;
    }
    let mut group = ADDED.to_owned();
    for (number, text) in (next..).zip(added) {
        let _ = write!(group, "\n{number}. {text}");
    }
    let groups = Groups::of(&moved);
    let at = match groups.find(is_continuing) {
        Some(group) => trimmed_end(&moved, group.content.0, group.content.1),
        None => moved.trim_end().len(),
    };
    let (before, after) = moved.split_at(at);
    let parting = if before.is_empty() { "" } else { "\n\n" };
    format!("{before}{parting}{group}{after}")
}

fn continue_added(body: &str) -> String {
    let groups = Groups::of(body);
    let Some(added) = groups.find(is_added) else {
        return body.to_owned();
    };
    let slice = |from: usize, to: usize| body.get(from..to).unwrap_or_default();
    let content = slice(added.content.0, added.content.1).trim_matches(['\n', '\r']);
    let content = if is_none(content) {
        ""
    } else {
        content.trim_end()
    };
    let Some(continuing) = groups.find(is_continuing) else {
        let rest = slice(added.content.0, body.len());
        let kept = if content.is_empty() {
            slice(added.content.1, body.len())
                .trim_start_matches(['\n', '\r'])
                .to_owned()
        } else {
            format!("{CONTINUING}\n{}", rest.trim_start_matches(['\n', '\r']))
        };
        return format!("{}{kept}", slice(0, added.label));
    };
    let end = trimmed_end(body, continuing.content.0, continuing.content.1);
    let held = slice(continuing.content.0, end);
    let list = match (is_none(held), content.is_empty()) {
        (true, false) => format!("{}{content}", slice(0, continuing.content.0)),
        (_, true) => slice(0, end).to_owned(),
        (false, false) => format!("{}\n{content}", slice(0, end)),
    };
    if added.label > continuing.label {
        let between = slice(end, added.label);
        let after = slice(added.content.1, body.len());
        let between = if after.is_empty() {
            between.trim_end()
        } else {
            between
        };
        format!("{list}{between}{after}")
    } else {
        let list = list.get(added.content.1..).unwrap_or_default();
        format!("{}{list}{}", slice(0, added.label), slice(end, body.len()))
    }
}

fn is_continuing(label: &str) -> bool {
    let label = label.to_lowercase();
    label.starts_with("continuing") || label.contains("継続") || label.contains("前セッション")
}

fn is_added(label: &str) -> bool {
    let label = label.to_lowercase();
    let ours = ["今セッション", "本セッション", "このセッション", "今回"];
    !is_continuing(&label)
        && (label.starts_with("added") || ours.iter().any(|word| label.contains(word)))
}

struct Group {
    key: String,
    /// Where its label begins.
    label: usize,
    /// What stands under the label, up to the next one.
    content: (usize, usize),
}

struct Groups(Vec<Group>);

impl Groups {
    fn of(body: &str) -> Self {
        let doc = Doc::parse(body);
        let fields = doc.fields(doc.whole());
        let labels: Vec<_> = fields
            .iter()
            .filter(|field| field.style == FieldStyle::Bold && field.value.is_empty())
            .collect();
        let ends = labels
            .iter()
            .skip(1)
            .map(|next| next.range.start)
            .chain([body.len()]);
        let groups = labels.iter().zip(ends).map(|(label, end)| Group {
            key: label.key.to_owned(),
            label: label.range.start,
            content: (label.range.end, end),
        });
        Self(groups.collect())
    }

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<&Group> {
        self.0.iter().find(|group| wanted(&group.key))
    }
}

fn trimmed_end(text: &str, start: usize, end: usize) -> usize {
    start + text.get(start..end).unwrap_or_default().trim_end().len()
}

/// The highest number of the list, a range such as `9-16:` included.
fn highest_number(body: &str) -> u64 {
    let number = |line: &str| -> Option<u64> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (first, rest) = line.split_at_checked(digits(line))?;
        if let Some(range) = rest.strip_prefix(['-', '\u{2013}', '~']) {
            let (last, behind) = range.split_at_checked(digits(range))?;
            return behind
                .starts_with([':', '.', ')'])
                .then(|| last.parse().ok())?;
        }
        rest.starts_with(['.', ')', ':'])
            .then(|| first.parse().ok())?
    };
    body.lines().filter_map(number).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, added: &[&str], expected: &str) {
        let added: Vec<String> = added.iter().map(ToString::to_string).collect();
        assert_eq!(regroup(body, &added), expected, "{body}");
    }

    #[test]
    fn added_decisions_continue_and_the_numbering_goes_on() {
        check(
            "**Continuing from previous sessions:**\n1. a (ref D1)\n\n**Added this session:**\n2. b (ref D4)\n3. c",
            &["d (ref D9)"],
            "**Continuing from previous sessions:**\n1. a (ref D1)\n2. b (ref D4)\n3. c\n\n**Added this session:**\n4. d (ref D9)",
        );
        check(
            "**Added this session:**\n1. a\n   more of a\n2. b",
            &["c"],
            "**Continuing from previous sessions:**\n1. a\n   more of a\n2. b\n\n**Added this session:**\n3. c",
        );
        check(
            "9-16: (D8-D16)",
            &["x"],
            "9-16: (D8-D16)\n\n**Added this session:**\n17. x",
        );
        check(
            "1. plain",
            &["x"],
            "1. plain\n\n**Added this session:**\n2. x",
        );
        check("なし", &["x"], "**Added this session:**\n1. x");
        check("None", &[], "");
    }

    #[test]
    fn an_obsoleted_group_survives_byte_for_byte() {
        let obsolete = "**Obsoleted decisions (D3):**\n- ~~2. gone~~  \n  why";
        check(
            &format!(
                "**Continuing from previous sessions:**\n1. a\n\n**Added this session:**\n3. b\n\n{obsolete}"
            ),
            &["c"],
            &format!(
                "**Continuing from previous sessions:**\n1. a\n3. b\n\n**Added this session:**\n4. c\n\n{obsolete}"
            ),
        );
        check(
            &format!("**Added this session:**\n3. b\n\n{obsolete}"),
            &[],
            &format!("**Continuing from previous sessions:**\n3. b\n\n{obsolete}"),
        );
    }

    #[test]
    fn groups_in_another_order_and_language_are_understood() {
        check(
            "**本セッション追加:**\n2. b\n\n**前セッションからの継続:**\n1. a",
            &[],
            "**前セッションからの継続:**\n1. a\n2. b",
        );
        check(
            "**Continuing from previous sessions:**\nNone\n\n**Added this session:**\n1. a",
            &[],
            "**Continuing from previous sessions:**\n1. a",
        );
    }
}
