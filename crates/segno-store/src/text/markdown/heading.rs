//! Headings and the sections that they make.

use std::ops::Range;

use super::doc::Doc;
use super::line::{Line, LineKind, indented};

/// One heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6; an underlined heading is 1 (`===`) or 2 (`---`).
    pub level: usize,
    /// Its title as written, marks and closing `#`s left out.
    pub title: String,
    /// The bytes of the title.
    pub title_range: Range<usize>,
    /// The bytes of its line or two lines, the line end included.
    pub range: Range<usize>,
    /// The position of its (first) line, from 0.
    pub line: usize,
    /// True when it is underlined rather than begun with `#`.
    pub underlined: bool,
}

/// A heading and what stands under it.
#[derive(Clone, Copy)]
pub struct Section<'d> {
    doc: &'d Doc,
    index: usize,
}

impl<'d> Section<'d> {
    pub(super) fn new(doc: &'d Doc, index: usize) -> Self {
        Self { doc, index }
    }

    /// Its heading.
    pub fn heading(&self) -> &'d Heading {
        let heading = self.doc.headings().get(self.index);
        heading.expect("because a section is made only for a heading that exists")
    }

    /// Its title.
    pub fn title(&self) -> &'d str {
        &self.heading().title
    }

    /// The level of its heading.
    pub fn level(&self) -> usize {
        self.heading().level
    }

    /// All its bytes, from the heading to the next one of its level or above.
    pub fn range(&self) -> Range<usize> {
        self.heading().range.start..self.body().end
    }

    /// The bytes under its heading, the sections inside it included.
    pub fn body(&self) -> Range<usize> {
        let level = self.level();
        let mut later = self.doc.headings().iter().skip(self.index + 1);
        let end = later.find(|heading| heading.level <= level);
        self.heading().range.end..end.map_or(self.doc.text().len(), |next| next.range.start)
    }

    /// The bytes under its heading up to the next heading of any level.
    pub fn own_body(&self) -> Range<usize> {
        let next = self.doc.headings().get(self.index + 1);
        self.heading().range.end..next.map_or(self.doc.text().len(), |next| next.range.start)
    }

    /// The text under its heading, the sections inside it included, space around it left out.
    pub fn text(&self) -> &'d str {
        self.doc.slice(self.body()).trim()
    }

    /// The text under its heading up to the next heading of any level, space around it left out.
    pub fn own_text(&self) -> &'d str {
        self.doc.slice(self.own_body()).trim()
    }

    /// The sections directly inside it.
    pub fn children(&self) -> Vec<Section<'d>> {
        let end = self.body().end;
        let mut found: Vec<Section<'d>> = Vec::new();
        for section in self.doc.sections().skip(self.index + 1) {
            if section.heading().range.start >= end {
                break;
            }
            // A level that was skipped (`##` then `####`) still has its parent right above.
            let inside = found
                .last()
                .is_some_and(|last| section.level() > last.level());
            if !inside {
                found.push(section);
            }
        }
        found
    }

    /// The first section anywhere inside it that has one of these titles, as [`Doc::section`] compares them.
    pub fn section(&self, titles: &[&str]) -> Option<Section<'d>> {
        let end = self.body().end;
        let inside = self.doc.sections().skip(self.index + 1);
        inside
            .take_while(|section| section.heading().range.start < end)
            .find(|section| section.is(titles))
    }

    /// True when its title is one of these, as [`Doc::section`] compares them.
    pub fn is(&self, titles: &[&str]) -> bool {
        let own = plain(self.title());
        titles.iter().any(|title| plain(title) == own)
    }
}

impl std::fmt::Debug for Section<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", "#".repeat(self.level()), self.title())
    }
}

/// The level and title of a line that begins with `#`s.
pub(super) fn atx(rest: &str) -> Option<(usize, &str)> {
    let level = rest.bytes().take_while(|byte| *byte == b'#').count();
    let title = rest.get(level..)?;
    if !(1..=6).contains(&level) || !(title.is_empty() || title.starts_with([' ', '\t'])) {
        return None;
    }
    let title = title.trim();
    let open = title.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    Some((level, if closed { open.trim_end() } else { title }))
}

/// The headings of classified lines.
pub(super) fn headings(text: &str, lines: &[Line]) -> Vec<Heading> {
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let written = text.get(line.range()).unwrap_or_default();
        let (level, title, end) = match line.kind {
            LineKind::Heading => {
                let Some((level, title)) = atx(indented(written).1) else {
                    continue;
                };
                (level, title, line.next)
            }
            LineKind::Titled => {
                let underline = lines.get(index + 1);
                let marks = underline
                    .and_then(|line| text.get(line.range()))
                    .unwrap_or_default();
                let level = if marks.trim_start().starts_with('=') {
                    1
                } else {
                    2
                };
                (
                    level,
                    written.trim(),
                    underline.map_or(line.next, |line| line.next),
                )
            }
            _ => continue,
        };
        let title_start = title.as_ptr().addr() - text.as_ptr().addr();
        found.push(Heading {
            level,
            title: title.to_owned(),
            title_range: title_start..title_start + title.len(),
            range: line.start..end,
            line: index,
            underlined: line.kind == LineKind::Titled,
        });
    }
    found
}

/// A title or key without what people vary: case, space, emphasis, a colon at its end.
pub(super) fn plain(title: &str) -> String {
    let bare = title.trim().trim_end_matches([':', '\u{ff1a}', '*', ' ']);
    let mut out = String::with_capacity(bare.len());
    let mut words = bare.split_whitespace();
    out.extend(words.next());
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
    out.retain(|c| !matches!(c, '*' | '`'));
    out.to_lowercase()
}
