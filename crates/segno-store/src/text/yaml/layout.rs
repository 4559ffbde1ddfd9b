//! Lines, gaps and indentation: where things are on the page.

/// The length of a byte order mark at the beginning.
pub(super) fn bom_len(text: &str) -> usize {
    if text.starts_with('\u{FEFF}') { 3 } else { 0 }
}

/// The line break that the text uses: that of its first line.
pub(super) fn newline(text: &str) -> &'static str {
    match memchr::memchr(b'\n', text.as_bytes()) {
        Some(at) if at > 0 && text.as_bytes().get(at - 1) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the line of a byte begins.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or_else(|| bom_len(text).min(at), |newline| newline + 1)
}

/// Where the line of a byte ends, its line break not included.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    match memchr::memchr(b'\n', rest) {
        None => text.len(),
        Some(0) => at,
        Some(n) if rest.get(n - 1) == Some(&b'\r') => at + n - 1,
        Some(n) => at + n,
    }
}

/// Where the line after the one that holds (or was just ended before) `at` begins; the end of the text if none does.
pub(super) fn line_after(text: &str, at: usize) -> usize {
    if at > 0 && text.as_bytes().get(at - 1) == Some(&b'\n') {
        return at;
    }
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |n| at + n + 1)
}

/// The column of a byte, from 0, in characters.
pub(super) fn column(text: &str, at: usize) -> usize {
    text.get(line_start(text, at)..at)
        .map_or(0, |before| before.chars().count())
}

/// True when only spaces stand before a byte on its line.
pub(super) fn is_first_on_line(text: &str, at: usize) -> bool {
    let before = text.get(line_start(text, at)..at).unwrap_or("");
    before.bytes().all(|b| b == b' ')
}

/// Skips white space, line breaks and comments.
pub(super) fn skip_gap(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'#' => at = line_end(text, at),
            _ => break,
        }
    }
    at
}

/// Skips an anchor and a tag, and the white space and comments around them.
pub(super) fn skip_properties(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = skip_gap(text, from);
    while matches!(bytes.get(at), Some(b'&' | b'!')) {
        at = token_end(text, at);
        at = skip_gap(text, at);
    }
    at
}

/// Where an anchor or tag token ends.
pub(super) fn token_end(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let space = rest.iter().position(u8::is_ascii_whitespace);
    space.map_or(text.len(), |n| from + n)
}

/// Finds the `|` or `>` of a block scalar behind its indicator.
pub(super) fn block_header(text: &str, from: usize) -> usize {
    skip_properties(text, from)
}

/// Where the `|2-` of a block scalar ends.
pub(super) fn header_end(text: &str, header: usize) -> usize {
    let rest = text.as_bytes().get(header + 1..).unwrap_or_default();
    let marks = rest
        .iter()
        .take_while(|b| matches!(b, b'0'..=b'9' | b'+' | b'-'));
    header + 1 + marks.count()
}

/// The end of a block scalar without the blank lines that only happen to follow it. With `+` they belong to it.
pub(super) fn block_end(
    text: &str,
    header: usize,
    start: usize,
    end: usize,
    indent: usize,
) -> usize {
    let marks_end = header_end(text, header);
    if text
        .get(header..marks_end)
        .is_some_and(|marks| marks.contains('+'))
    {
        return end.max(marks_end);
    }
    let mut kept = end;
    while kept > start.max(marks_end) {
        let body = text.get(..kept).unwrap_or("");
        let body = body.strip_suffix('\n').unwrap_or(body);
        let body = body.strip_suffix('\r').unwrap_or(body);
        let begin = line_start(text, body.len());
        let line = body.get(begin..).unwrap_or("");
        if line.bytes().any(|b| b != b' ') || line.len() > indent {
            return body.len().max(marks_end);
        }
        kept = begin;
    }
    marks_end
}

/// The end of the last of the comment lines that directly follow a line and stand deeper than `base`.
pub(super) fn deeper_comments_end(text: &str, end_of_line: usize, base: usize) -> usize {
    let mut end = end_of_line;
    let mut next = line_after(text, end_of_line);
    while next < text.len() {
        let stop = line_end(text, next);
        let line = text.get(next..stop).unwrap_or("");
        let content = line.trim_start_matches(' ');
        if !content.starts_with('#') || line.len() - content.len() <= base {
            break;
        }
        end = stop;
        next = line_after(text, stop);
    }
    end
}

/// Where the comment lines that stand directly above a line, at its own column, begin.
///
/// Comments that open the whole text are its title, not the line's: then it is the line itself.
pub(super) fn own_comments_start(text: &str, line: usize, column: usize) -> usize {
    let mut top = line;
    loop {
        if top <= bom_len(text) {
            return line;
        }
        let above = line_start(text, top - 1);
        let content = text.get(above..top).unwrap_or("");
        let trimmed = content.trim_start_matches(' ');
        if !trimmed.starts_with('#') || content.len() - trimmed.len() != column {
            return top;
        }
        top = above;
    }
}

/// True when a literal block ending on this line would swallow what follows: white space that is more than an empty
/// line, or a comment deeper than `base`.
pub(super) fn would_swallow(text: &str, end_of_line: usize, base: usize) -> bool {
    let rest = text.get(line_after(text, end_of_line)..).unwrap_or("");
    for line in rest.lines() {
        let content = line.trim_start_matches([' ', '\t']);
        if !content.is_empty() {
            return content.starts_with('#') && line.len() - content.len() > base;
        }
        if !line.is_empty() {
            return true;
        }
    }
    false
}
