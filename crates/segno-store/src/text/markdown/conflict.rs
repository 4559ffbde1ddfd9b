//! The marks that a merge leaves in a file when nobody has settled it.

/// One mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `<<<<<<<`: one side begins.
    Ours,
    /// `|||||||`: what both sides had before begins.
    Base,
    /// `=======`: the other side begins.
    Middle,
    /// `>>>>>>>`: the other side ends.
    Theirs,
}

/// A mark and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conflict {
    /// Which one.
    pub mark: Mark,
    /// The position of its line, from 0.
    pub line: usize,
    /// True inside a code block or comment, where it may be meant as it stands.
    pub in_block: bool,
}

/// The mark that a line is: seven equal characters at its beginning, alone or with a name behind.
pub(super) fn mark_of(line: &str) -> Option<Mark> {
    let (marks, name) = line.split_at_checked(7)?;
    let mark = match marks {
        "<<<<<<<" => Mark::Ours,
        "|||||||" => Mark::Base,
        "=======" => Mark::Middle,
        ">>>>>>>" => Mark::Theirs,
        _ => return None,
    };
    (name.is_empty() || name.starts_with(' ')).then_some(mark)
}
