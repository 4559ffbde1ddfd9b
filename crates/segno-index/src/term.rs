//! A word or a phrase that is looked for: how the index is asked for it, and where it stands in a text.
//!
//! A compound word (`appendOnly`) can be read in its parts and in one piece, in a text as well as in a question, and either
//! reading of the one is found by either reading of the other. The index knows the row of the parts and, apart from it,
//! the compound words in one piece; a phrase that runs across the two is only suspected by it, and the text decides.

use std::ops::Range;

use crate::query::BadQuery;
use crate::tokens::{self, Shape};

/// A word or a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    // Invariant: none is empty, and there is one at least.
    /// The ways in which it can be read, each a row of tokens.
    ways: Vec<Vec<String>>,
    /// Whether the last token may go on.
    is_beginning: bool,
}

/// What the index is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Nothing but what holds the term.
    Sure,
    /// Everything that may hold it.
    Suspected,
}

/// With more compound words than this, a term is read all in parts or all in one piece, not in every mixture.
const MOST_MIXED: usize = 3;

impl Term {
    /// `None` for a piece that is only white space between quotation marks.
    pub(crate) fn new(text: &str, is_quoted: bool) -> Result<Option<Self>, BadQuery> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let starred = text.strip_suffix('*').filter(|_| !is_quoted);
        let mut cut = Cut::new(starred.unwrap_or(text));
        let last = cut.row.last().map(|token| token.shape);
        let last = last.ok_or_else(|| BadQuery::NoLetters(text.to_owned()))?;
        let mut is_beginning = starred.is_some();
        if last == Shape::Last {
            let before = cut.row.iter().rev().nth(1).map(|token| token.shape);
            // With a pair before it, that says it all; in the text the run may go on.
            is_beginning = before != Some(Shape::Pair);
            if !is_beginning {
                cut.row.pop();
            }
        }
        Ok(Some(Self {
            ways: cut.ways(),
            is_beginning,
        }))
    }

    /// True when the index alone cannot say in every case whether a text holds the term.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.ways.iter().any(|way| way.len() > 1)
    }

    /// The term in the words of FTS5. Only our own tokens, quoted, are in it.
    pub(crate) fn to_fts(&self, reach: Reach) -> String {
        let star = if self.is_beginning { " *" } else { "" };
        let mut asked = Vec::new();
        for way in &self.ways {
            let column = if way.len() > 1 { "row : " } else { "" };
            asked.push(format!("{column}\"{}\"{star}", way.join(" ")));
        }
        for way in self.ways.iter().filter(|way| way.len() > 1) {
            if reach == Reach::Sure {
                break;
            }
            let last = way.len() - 1;
            let quoted = |(at, token): (usize, &String)| {
                let star = if at == last { star } else { "" };
                format!("\"{token}\"{star}")
            };
            let tokens: Vec<String> = way.iter().enumerate().map(quoted).collect();
            let (all, any) = (tokens.join(" AND "), tokens.join(" OR "));
            asked.push(format!("({all} AND wholes : ({any}))"));
        }
        if asked.len() == 1 {
            asked.concat()
        } else {
            format!("({})", asked.join(" OR "))
        }
    }

    /// Where the term stands in a text.
    pub(crate) fn find(&self, text: &Cut) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for way in &self.ways {
            for from in 0..text.row.len() {
                if let Some(to) = self.follow(text, from, way) {
                    found.extend(
                        text.span(from, to)
                            .map(|span| self.narrowed(span, text, from)),
                    );
                }
            }
        }
        found
    }

    /// Where a way ends in a text that it begins in at a token.
    fn follow(&self, text: &Cut, at: usize, way: &[String]) -> Option<usize> {
        let Some((wanted, rest)) = way.split_first() else {
            return Some(at);
        };
        let fits = |token: &str| {
            if self.is_beginning && rest.is_empty() {
                token.starts_with(wanted.as_str())
            } else {
                token == wanted
            }
        };
        let whole = text.whole_at(at).filter(|whole| fits(&whole.token));
        let part = text.row.get(at).filter(|token| fits(&token.text));
        (whole.and_then(|whole| self.follow(text, whole.to, rest)))
            .or_else(|| part.and_then(|_| self.follow(text, at + 1, rest)))
    }

    /// Of a pair that was found by its first character, only that one is meant.
    fn narrowed(&self, span: Range<usize>, text: &Cut, at: usize) -> Range<usize> {
        let token = text.row.get(at).map_or("", |token| token.text.as_str());
        let wanted = match self.ways.as_slice() {
            [way] if self.is_beginning && way.len() == 1 => way.concat().len(),
            _ => return span,
        };
        let cut = token.len().saturating_sub(wanted);
        let is_pair = wanted <= 4 && (1..=4).contains(&cut);
        if is_pair && span.len() == token.len() && !token.is_ascii() {
            span.start..span.start + wanted
        } else {
            span
        }
    }
}

/// A text, cut into its tokens.
pub(crate) struct Cut {
    row: Vec<Token>,
    /// In the order of their places.
    wholes: Vec<Whole>,
}

struct Token {
    shape: Shape,
    text: String,
    span: Range<usize>,
}

/// A compound word in one piece.
struct Whole {
    token: String,
    /// The tokens of the row that are its parts.
    from: usize,
    to: usize,
}

impl Cut {
    pub(crate) fn new(text: &str) -> Self {
        let (mut row, mut wholes) = (Vec::<Token>::new(), Vec::new());
        tokens::each(text, &mut |shape, token, span| {
            let token = token.to_owned();
            if shape == Shape::Whole {
                let parts = row
                    .iter()
                    .rev()
                    .take_while(|part| part.span.start >= span.start);
                let (from, to) = (row.len() - parts.count(), row.len());
                wholes.push(Whole { token, from, to });
            } else {
                row.push(Token {
                    shape,
                    text: token,
                    span,
                });
            }
        });
        Self { row, wholes }
    }

    fn whole_at(&self, at: usize) -> Option<&Whole> {
        let found = self.wholes.binary_search_by_key(&at, |whole| whole.from);
        found.ok().and_then(|place| self.wholes.get(place))
    }

    /// The bytes from one token to before another.
    fn span(&self, from: usize, to: usize) -> Option<Range<usize>> {
        let last = self.row.get(to.checked_sub(1)?)?;
        Some(self.row.get(from)?.span.start..last.span.end)
    }

    /// The ways in which the text can be read.
    fn ways(&self) -> Vec<Vec<String>> {
        let n = self.wholes.len();
        let masks: Vec<u32> = if n <= MOST_MIXED {
            (0..1 << n).collect()
        } else {
            vec![0, u32::MAX]
        };
        masks.into_iter().map(|mask| self.way(mask)).collect()
    }

    /// Reads the text with those compound words in one piece whose bit is set.
    fn way(&self, mask: u32) -> Vec<String> {
        let mut way = Vec::new();
        let mut at = 0;
        for (place, whole) in self.wholes.iter().enumerate() {
            if mask
                .checked_shr(u32::try_from(place.min(31)).unwrap_or(31))
                .unwrap_or(0)
                & 1
                == 0
            {
                continue;
            }
            let between = self.row.get(at..whole.from).unwrap_or_default();
            way.extend(between.iter().map(|token| token.text.clone()));
            way.push(whole.token.clone());
            at = whole.to;
        }
        let rest = self.row.get(at..).unwrap_or_default();
        way.extend(rest.iter().map(|token| token.text.clone()));
        way
    }
}
