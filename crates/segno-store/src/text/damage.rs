//! What a crash, a disk or a merge does to a text file as a whole: nothing is left in it, NUL bytes, marks of a merge that
//! nobody settled. The same for every format.

use segno_disk::RelPath;

use crate::session::Problem;

/// A merge that nobody settled left its marks in the file.
pub const MERGE_CONFLICT: &str = "merge_conflict";
/// There is nothing in a file that something was written to.
pub const FILE_EMPTY: &str = "file_empty";
/// The file holds NUL bytes, as a power cut may leave it.
pub const FILE_NUL: &str = "file_nul";

/// What to do about a file that cannot be known again from anything else.
const TAKE_BACK: &str = "take the last good one from git or a backup";

/// The first of these that a file shows.
pub fn of_file(bytes: &[u8], file: &RelPath) -> Option<Problem> {
    if bytes.trim_ascii().is_empty() {
        return Some(empty(file));
    }
    nul(bytes, file).or_else(|| merge(bytes, file))
}

/// The problem of a file with nothing in it.
pub fn empty(file: &RelPath) -> Problem {
    Problem::new(FILE_EMPTY, file.clone())
        .found("there is nothing in the file")
        .manual(TAKE_BACK)
}

/// The problem of NUL bytes in a text.
pub fn nul(bytes: &[u8], file: &RelPath) -> Option<Problem> {
    let at = memchr::memchr(0, bytes)?;
    let before = bytes.get(..at).unwrap_or_default();
    let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
    let count = memchr::memchr_iter(0, bytes).count();
    let found = format!("the file holds NUL bytes ({count} of {})", bytes.len());
    let problem = Problem::new(FILE_NUL, file.clone()).line(line).found(found);
    Some(problem.manual(TAKE_BACK))
}

/// The problem of the marks that a merge left.
pub fn merge(bytes: &[u8], file: &RelPath) -> Option<Problem> {
    merge_on(&marks(lines_of(bytes)), file)
}

/// The problem of conflict marks on these lines.
pub fn merge_on(lines: &[u64], file: &RelPath) -> Option<Problem> {
    let first = *lines.first()?;
    let shown: Vec<String> = lines.iter().take(12).map(ToString::to_string).collect();
    let more = if lines.len() > 12 { ", ..." } else { "" };
    Some(
        Problem::new(MERGE_CONFLICT, file.clone())
            .line(first)
            .found(format!(
                "marks of an unsettled merge on lines {}{more}",
                shown.join(", ")
            ))
            .manual("open the file, keep what is right of both sides, and delete the marks"),
    )
}

/// What else is wrong with a file in which a merge is unsettled is not repaired before somebody has settled it.
pub fn settle_first(problems: Vec<Problem>) -> Vec<Problem> {
    let conflicts: Vec<RelPath> = problems
        .iter()
        .filter(|problem| problem.code == MERGE_CONFLICT)
        .map(|problem| problem.file.clone())
        .collect();
    if conflicts.is_empty() {
        return problems;
    }
    let by_hand = |problem: Problem| problem.by_hand("settle the merge first");
    problems.into_iter().map(by_hand).collect()
}

/// The lines of a text in memory, without their line feeds; the last one may be empty.
pub fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let mut start = 0;
    ends.map(move |end| {
        let line = bytes.get(start..end).unwrap_or_default();
        start = end + 1;
        line
    })
}

/// True for a line that begins or ends a side of an unsettled merge.
pub fn is_mark(line: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"<<<<<<<", b">>>>>>>", b"|||||||"];
    marks.iter().any(|mark| {
        line.strip_prefix(*mark).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(b" ") || rest.starts_with(b"\r")
        })
    })
}

/// True for any line of a merge's own, the middle one included: by itself that may also underline a title.
pub fn is_mark_or_middle(line: &[u8]) -> bool {
    is_mark(line) || line.trim_ascii_end() == b"======="
}

/// The lines that a merge left behind; none when there is only what looks like its middle.
pub fn marks<'b>(lines: impl Iterator<Item = &'b [u8]>) -> Vec<u64> {
    let mut found = Vec::new();
    let mut sides = false;
    for (index, line) in lines.enumerate() {
        if is_mark_or_middle(line) {
            sides |= is_mark(line);
            found.push(index as u64 + 1);
        }
    }
    if sides { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_damage_is_named_with_its_line() {
        let file = RelPath::new("a.md").unwrap();
        let code = |bytes: &[u8]| of_file(bytes, &file).map(|problem| (problem.code, problem.line));
        assert_eq!(code(b" \n\n"), Some((FILE_EMPTY, None)));
        assert_eq!(code(b"a\n\0\0"), Some((FILE_NUL, Some(2))));
        assert_eq!(
            code(b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"),
            Some((MERGE_CONFLICT, Some(2)))
        );
        assert_eq!(code(b"Title\n=======\n"), None);
    }
}
