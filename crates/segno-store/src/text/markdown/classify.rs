//! Says what each line of a text is, from the first to the last.

use super::conflict::{Mark, mark_of};
use super::field::field_parts;
use super::heading::atx;
use super::item::marker_of;
use super::line::{Line, LineKind, indented};

/// What is still open behind the last line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Nothing,
    /// A code block, by its fence.
    Fence {
        mark: char,
        count: usize,
        within: usize,
    },
    Comment,
}

/// Fills in the kinds of the lines and says what the last one leaves open.
pub(super) fn classify(text: &str, lines: &mut [Line]) -> Open {
    let mut reader = Reader {
        text,
        open: Open::Nothing,
        list: None,
        in_conflict: false,
    };
    let from = reader.front_matter(lines);
    for index in from..lines.len() {
        let Some((before, line)) = lines
            .split_at_mut_checked(index)
            .and_then(|(before, rest)| rest.first_mut().map(|line| (before, line)))
        else {
            break;
        };
        line.kind = reader.kind(line, before);
        if line.kind == LineKind::Underline
            && let Some(title) = before.last_mut()
        {
            title.kind = LineKind::Titled;
        }
    }
    reader.open
}

struct Reader<'t> {
    text: &'t str,
    open: Open,
    /// The column at which the content of the outermost list item begins, while one is open.
    list: Option<usize>,
    in_conflict: bool,
}

impl<'t> Reader<'t> {
    fn str(&self, line: &Line) -> &'t str {
        self.text.get(line.range()).unwrap_or_default()
    }

    /// Marks a YAML block at the very beginning and says where the rest begins.
    fn front_matter(&self, lines: &mut [Line]) -> usize {
        let is_fence = |line: &Line| self.str(line).trim_end() == "---";
        let looks_like_yaml = |line: &Line| {
            let (key, _) = self.str(line).split_once(':').unwrap_or_default();
            !key.is_empty()
                && key
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
        };
        match &*lines {
            [first, second, ..] if is_fence(first) && looks_like_yaml(second) => {}
            _ => return 0,
        }
        let Some(close) = lines.iter().skip(1).position(is_fence) else {
            return 0;
        };
        for line in lines.iter_mut().take(close + 2) {
            line.kind = LineKind::FrontMatter;
        }
        close + 2
    }

    fn kind(&mut self, line: &Line, before: &[Line]) -> LineKind {
        let text = self.str(line);
        let (column, rest) = indented(text);
        if let Some(kind) = self.inside_block(column, rest) {
            return kind;
        }
        if rest.is_empty() {
            return LineKind::Blank;
        }
        if let Some(mark) = mark_of(text)
            && (self.in_conflict || matches!(mark, Mark::Ours | Mark::Theirs))
        {
            self.in_conflict = mark != Mark::Theirs;
            return LineKind::Conflict;
        }
        let in_item = self.list.is_some_and(|content| column >= content);
        if (in_item || column <= 3)
            && let Some(kind) = self.opens_block(column, rest)
        {
            return kind;
        }
        if in_item {
            let is_item = marker_of(rest).is_some() && !is_rule(rest);
            return if is_item {
                LineKind::Item
            } else {
                LineKind::Text
            };
        }
        let kind = if column <= 3 {
            self.plain_kind(rest, before)
        } else {
            LineKind::Text
        };
        let after_blank = before
            .last()
            .is_none_or(|line| line.kind == LineKind::Blank);
        match kind {
            LineKind::Item => self.list = marker_of(rest).map(|marker| column + marker.width),
            // Text right under an item continues it, as lazily as people type.
            LineKind::Text if !after_blank => {}
            _ => self.list = None,
        }
        kind
    }

    /// The kind of a line inside a code block or comment; `None` outside, and where a list item's end closes the block.
    fn inside_block(&mut self, column: usize, rest: &str) -> Option<LineKind> {
        match self.open {
            Open::Nothing => None,
            Open::Comment => {
                if rest.contains("-->") {
                    self.open = Open::Nothing;
                }
                Some(LineKind::Comment)
            }
            Open::Fence { within, .. } if column < within && !rest.is_empty() => {
                self.open = Open::Nothing;
                None
            }
            Open::Fence {
                mark,
                count,
                within,
            } => {
                let run = rest.chars().take_while(|c| *c == mark).count();
                let closes = run >= count
                    && column < within + 4
                    && rest.trim_end().chars().all(|c| c == mark);
                if closes {
                    self.open = Open::Nothing;
                    return Some(LineKind::Fence);
                }
                Some(LineKind::Code)
            }
        }
    }

    fn opens_block(&mut self, column: usize, rest: &str) -> Option<LineKind> {
        if let Some(behind) = rest.strip_prefix("<!--") {
            // `<!-->` is a comment of its own, so the mark may share the dashes of the opening.
            if !behind.contains("-->") && !behind.starts_with('>') && !behind.starts_with("->") {
                self.open = Open::Comment;
            }
            return Some(LineKind::Comment);
        }
        let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let count = rest.chars().take_while(|c| *c == mark).count();
        let info = rest.get(count..).unwrap_or_default();
        if count < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        let within = self.list.filter(|content| column >= *content).unwrap_or(0);
        self.open = Open::Fence {
            mark,
            count,
            within,
        };
        Some(LineKind::Fence)
    }

    fn plain_kind(&self, rest: &str, before: &[Line]) -> LineKind {
        if atx(rest).is_some() {
            LineKind::Heading
        } else if is_underline(rest) && self.is_title(before) {
            LineKind::Underline
        } else if is_rule(rest) {
            LineKind::Rule
        } else if marker_of(rest).is_some() {
            LineKind::Item
        } else {
            LineKind::Text
        }
    }

    /// True when the last of these lines is a paragraph of its own, fit to be a title.
    fn is_title(&self, before: &[Line]) -> bool {
        let Some((last, earlier)) = before.split_last() else {
            return false;
        };
        let text = self.str(last);
        let stands_alone = earlier
            .last()
            .is_none_or(|line| !matches!(line.kind, LineKind::Text | LineKind::Item));
        last.kind == LineKind::Text
            && stands_alone
            && indented(text).0 <= 3
            && !text.trim_start().starts_with(['|', '>'])
            && field_parts(text).is_none()
    }
}

fn is_underline(rest: &str) -> bool {
    let marks = rest.trim_end();
    marks.len() >= 3 && (marks.bytes().all(|b| b == b'=') || marks.bytes().all(|b| b == b'-'))
}

/// True for three or more equal marks with nothing but space between.
fn is_rule(rest: &str) -> bool {
    let Some(mark) = rest.chars().next().filter(|c| matches!(c, '-' | '*' | '_')) else {
        return false;
    };
    let marks = rest.chars().filter(|c| *c == mark).count();
    marks >= 3 && rest.chars().all(|c| c == mark || c == ' ' || c == '\t')
}
