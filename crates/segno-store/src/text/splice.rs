//! Byte-range replacements over one text, applied in one pass: what every lossless editor is made of.
//!
//! A splice names bytes of the *original* text, so several of them need not know of each other. Whatever no splice
//! names is copied as it is.

use std::ops::Range;

/// A set of replacements that do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Splices {
    all: Vec<Splice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Splice {
    range: Range<usize>,
    text: String,
}

/// Why a set of splices cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpliceError {
    /// Two of them change the same bytes.
    #[error("two edits change the same bytes: {first:?} and {second:?}")]
    Overlap {
        /// The one that begins first.
        first: Range<usize>,
        /// The one that begins inside it.
        second: Range<usize>,
    },
    /// One reaches outside the text or begins or ends inside a character.
    #[error("an edit of bytes {range:?} does not fit a text of {len} bytes")]
    Misfit {
        /// The bytes it names.
        range: Range<usize>,
        /// The length of the text.
        len: usize,
    },
}

impl Splices {
    /// No edits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts `text` in the place of the bytes of `range`.
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.all.push(Splice {
            range,
            text: text.into(),
        });
    }

    /// Puts `text` before the byte at `at`. Several insertions at one place stand in the order they were made.
    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Takes the bytes of `range` out.
    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, String::new());
    }

    /// True when nothing is to be changed.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many replacements there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True when a replacement changes bytes of the range; one that only inserts beside it does not.
    pub fn touches(&self, range: &Range<usize>) -> bool {
        self.all.iter().any(|splice| {
            let other = &splice.range;
            let inside = other.start > range.start && other.start < range.end;
            inside || (other.start < range.end && other.end > range.start)
        })
    }

    /// Where a byte that no replacement touches stands once all are made.
    pub fn moved(&self, at: usize) -> usize {
        let before = self.all.iter().filter(|splice| splice.range.end <= at);
        let (added, removed) = before.fold((0, 0), |(added, removed), splice| {
            (added + splice.text.len(), removed + splice.range.len())
        });
        at + added - removed
    }

    /// The text with all replacements made, or the reason why they contradict each other.
    pub fn apply(&self, text: &str) -> Result<String, SpliceError> {
        let mut ordered: Vec<&Splice> = self.all.iter().collect();
        // Stable: insertions at one place keep the order they were made in, and stand before a replacement there.
        ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
        let added: usize = ordered.iter().map(|splice| splice.text.len()).sum();
        let mut out = String::with_capacity(text.len() + added);
        let mut last = 0..0;
        for splice in ordered {
            let range = &splice.range;
            if text.get(range.clone()).is_none() {
                return Err(SpliceError::Misfit {
                    range: range.clone(),
                    len: text.len(),
                });
            }
            let Some(kept) = text.get(last.end..range.start) else {
                return Err(SpliceError::Overlap {
                    first: last,
                    second: range.clone(),
                });
            };
            out.push_str(kept);
            out.push_str(&splice.text);
            last = range.clone();
        }
        out.push_str(text.get(last.end..).unwrap_or_default());
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edits: &[(Range<usize>, &str)], expected: Result<&str, SpliceError>) {
        let mut splices = Splices::new();
        for (range, text) in edits {
            splices.replace(range.clone(), *text);
        }
        assert_eq!(
            splices.apply("h\u{e9}llo world"),
            expected.map(str::to_owned),
            "{edits:?}"
        );
    }

    #[test]
    fn replacements_are_made_in_one_pass_whatever_their_order() {
        check(&[], Ok("h\u{e9}llo world"));
        check(&[(7..12, "you"), (0..1, "H")], Ok("H\u{e9}llo you"));
        check(
            &[(3..3, "1"), (3..3, "2"), (3..4, "L")],
            Ok("h\u{e9}12Llo world"),
        );
        check(&[(0..12, ""), (12..12, "x")], Ok("x"));
    }

    #[test]
    fn contradictions_are_refused() {
        check(
            &[(4..9, "a"), (8..9, "b")],
            Err(SpliceError::Overlap {
                first: 4..9,
                second: 8..9,
            }),
        );
        check(
            &[(2..3, "a")],
            Err(SpliceError::Misfit {
                range: 2..3,
                len: 12,
            }),
        );
        check(
            &[(9..99, "a")],
            Err(SpliceError::Misfit {
                range: 9..99,
                len: 12,
            }),
        );
    }
}
