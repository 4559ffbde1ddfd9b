//! Cuts a text into the words that are indexed and searched.
//!
//! - Letters and digits in a row are a word, folded ([`crate::fold`]); `append_only`, `append-only` and `v1.2` are two.
//! - `appendOnly` and `HTTPServer` are cut into their parts too; the whole is given beside them.
//! - Scripts that are written without spaces (Chinese, Japanese, Thai ...) and Korean, whose particles hang on the word,
//!   are cut into overlapping pairs of characters, and the last character of a run stands by itself once more. So any
//!   part of a run is found: two characters or more as pairs in a row, one character as the beginning of a token.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::fold::{fold, is_dropped};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A word, or a part of a compound one.
    Word,
    /// Two neighbouring characters of a run.
    Pair,
    /// The last character of a run.
    Last,
    /// A compound word in one piece; its parts were given before.
    Whole,
}

/// The longest token, in bytes: what is longer is cut, in texts and in queries alike.
const LONGEST: usize = 64;
/// A row of ASCII letters longer than this is no word that anybody wrote: a key, an encoded file.
const LONGEST_WORD: usize = 128;

/// Gives every token of a text in order, with the bytes that it stands at.
pub(crate) fn each(text: &str, sink: &mut dyn FnMut(Shape, &str, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut cutter = Cutter::default();
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(skip) = rest.iter().position(|byte| is_inside(*byte)) else {
            break;
        };
        let start = at + skip;
        let mut ascii = true;
        let mut end = start;
        while let Some(byte) = bytes.get(end).filter(|byte| is_inside(**byte)) {
            ascii &= byte.is_ascii();
            end += 1;
        }
        let chunk = text.get(start..end).unwrap_or_default();
        if ascii {
            cutter.ascii(chunk, start, sink);
        } else {
            cutter.any(chunk, start, sink);
        }
        at = end;
    }
}

/// ASCII letters and digits, and everything that is not ASCII: what that is, is looked at later.
const fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// A folded character, where it came from, and whether a compound word is cut before it.
#[derive(Clone, Copy)]
struct Piece {
    c: char,
    start: usize,
    end: usize,
    case: Case,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Small,
    Capital,
    None,
}

#[derive(Default)]
struct Cutter {
    word: String,
    pieces: Vec<Piece>,
    cuts: Vec<usize>,
}

impl Cutter {
    /// A row of ASCII letters and digits: nearly everything in most texts, so it takes the short way.
    fn ascii(
        &mut self,
        chunk: &str,
        start: usize,
        sink: &mut dyn FnMut(Shape, &str, Range<usize>),
    ) {
        let bytes = chunk.as_bytes();
        if !bytes.iter().any(u8::is_ascii_uppercase) {
            let word = chunk.get(..chunk.len().min(LONGEST)).unwrap_or(chunk);
            sink(Shape::Word, word, start..start + chunk.len());
            return;
        }
        self.word.clear();
        self.word.push_str(chunk);
        self.word.make_ascii_lowercase();
        self.cuts.clear();
        if bytes.len() <= LONGEST_WORD {
            self.cuts.extend((1..bytes.len()).filter(|at| {
                let case = |at: usize| {
                    bytes
                        .get(at)
                        .map_or(Case::None, |byte| case_of_ascii(*byte))
                };
                is_cut(case(at - 1), case(*at), case(at + 1))
            }));
        }
        let mut from = 0;
        for to in self.cuts.iter().copied().chain([bytes.len()]) {
            let part = self.word.get(from..to.min(from + LONGEST));
            sink(
                Shape::Word,
                part.unwrap_or_default(),
                start + from..start + to,
            );
            from = to;
        }
        if !self.cuts.is_empty() && bytes.len() <= LONGEST {
            sink(Shape::Whole, &self.word, start..start + bytes.len());
        }
    }

    /// A row with letters of other scripts in it, and signs that are no letters.
    fn any(&mut self, chunk: &str, start: usize, sink: &mut dyn FnMut(Shape, &str, Range<usize>)) {
        self.pieces.clear();
        let mut chars = chunk.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let mut end = at + c.len_utf8();
            let first = end;
            while let Some((next, joined)) = chars.next_if(|(_, c)| joins(*c)) {
                end = next + joined.len_utf8();
            }
            let (start, end) = (start + at, start + end);
            let alone = first + start - at == end;
            if alone && (c.is_ascii() || folds_to_itself(c)) {
                let case = if c.is_ascii() {
                    case_of_ascii(c as u8)
                } else {
                    Case::None
                };
                let c = c.to_ascii_lowercase();
                self.pieces.push(Piece {
                    c,
                    start,
                    end,
                    case,
                });
                continue;
            }
            let cluster = chunk.get(at..at + (end - start)).unwrap_or_default();
            let case = if c.is_uppercase() {
                Case::Capital
            } else if c.is_lowercase() || c.is_numeric() {
                Case::Small
            } else {
                Case::None
            };
            for (place, c) in fold(cluster).chars().enumerate() {
                let case = if place == 0 { case } else { Case::Small };
                self.pieces.push(Piece {
                    c,
                    start,
                    end,
                    case,
                });
            }
        }
        let pieces = std::mem::take(&mut self.pieces);
        for word in pieces.split(|piece| !is_letter(piece.c)) {
            for run in word.chunk_by(|a, b| is_unspaced(a.c) == is_unspaced(b.c)) {
                match run.first() {
                    Some(first) if is_unspaced(first.c) => self.pairs(run, sink),
                    Some(_) => self.compound(run, sink),
                    None => {}
                }
            }
        }
        self.pieces = pieces;
    }

    fn compound(&mut self, run: &[Piece], sink: &mut dyn FnMut(Shape, &str, Range<usize>)) {
        let case = |at: usize| run.get(at).map_or(Case::None, |piece| piece.case);
        let mut from = 0;
        let mut parts = 0;
        for to in 1..=run.len() {
            if to == run.len() || is_cut(case(to - 1), case(to), case(to + 1)) {
                self.give(Shape::Word, run.get(from..to).unwrap_or_default(), sink);
                from = to;
                parts += 1;
            }
        }
        if parts > 1 {
            self.give(Shape::Whole, run, sink);
        }
    }

    fn pairs(&mut self, run: &[Piece], sink: &mut dyn FnMut(Shape, &str, Range<usize>)) {
        for pair in run.windows(2) {
            self.give(Shape::Pair, pair, sink);
        }
        let last = run.get(run.len().saturating_sub(1)..).unwrap_or_default();
        self.give(Shape::Last, last, sink);
    }

    fn give(
        &mut self,
        shape: Shape,
        pieces: &[Piece],
        sink: &mut dyn FnMut(Shape, &str, Range<usize>),
    ) {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return;
        };
        self.word.clear();
        self.word.extend(pieces.iter().map(|piece| piece.c));
        if self.word.len() > LONGEST {
            self.word.truncate(self.word.floor_char_boundary(LONGEST));
        }
        sink(shape, &self.word, first.start..last.end);
    }
}

const fn case_of_ascii(byte: u8) -> Case {
    if byte.is_ascii_uppercase() {
        Case::Capital
    } else if byte.is_ascii_alphanumeric() {
        Case::Small
    } else {
        Case::None
    }
}

/// `append|Only`, `HTTP|Server`.
fn is_cut(before: Case, here: Case, after: Case) -> bool {
    here == Case::Capital
        && (before == Case::Small || (before == Case::Capital && after == Case::Small))
}

/// Belongs to the character before it: accents, vowel signs, the marks of half-width kana, parts of Hangul syllables.
fn joins(c: char) -> bool {
    !c.is_ascii()
        && (is_combining_mark(c)
            || is_dropped(c)
            || matches!(c, '\u{ff9e}' | '\u{ff9f}' | '\u{1160}'..='\u{11ff}'))
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Kana, the common ideographs and Hangul syllables: folding would give them back as they are.
const fn folds_to_itself(c: char) -> bool {
    matches!(
        c,
        '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
    )
}

/// Written without spaces between words, or with endings that hang on the word.
const fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        // Thai, Lao; Myanmar; Khmer.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        // Hangul.
            | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7ff}'
        // Kana, with their marks and the mark of repetition.
            | '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        // Ideographs.
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}

/// The tokens of a text as the index takes them, with spaces between: in their row, and apart from it the compound words
/// in one piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) row: String,
    pub(crate) wholes: String,
}

/// Writes the tokens of a text.
pub(crate) fn write(text: &str) -> Written {
    let mut out = Written {
        row: String::with_capacity(text.len() + text.len() / 8),
        wholes: String::new(),
    };
    each(text, &mut |shape, token, _| {
        let place = match shape {
            Shape::Whole => &mut out.wholes,
            _ => &mut out.row,
        };
        place.push_str(token);
        place.push(' ');
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let written = write(text);
        let (row, wholes) = (written.row.trim_end(), written.wholes.trim_end());
        if wholes.is_empty() {
            return row.to_owned();
        }
        format!("{row} | {wholes}")
    }

    #[test]
    fn a_text_is_cut_into_words_parts_and_pairs() {
        for (text, expected) in [
            ("", ""),
            ("The log, then!", "the log then"),
            (
                "append_only append-only v1.2",
                "append only append only v1 2",
            ),
            ("appendOnly", "append only | appendonly"),
            ("HTTPServer2Go", "http server2 go | httpserver2go"),
            ("README", "readme"),
            ("La décision du Cœur", "la decision du coeur"),
            ("de\u{301}cision", "decision"),
            ("ÉtéIndien", "ete indien | eteindien"),
            ("l’été", "l ete"),
            ("全文検索", "全文 文検 検索 索"),
            ("検", "検"),
            ("API検索v2", "api 検索 索 v2"),
            ("ＡＰＩ　ｶﾞｲﾄﾞ", "api ガイ イド ド"),
            ("か\u{3099}く", "がく く"),
            ("時々、サーバー", "時々 々 サー ーバ バー ー"),
            ("학교에서", "학교 교에 에서 서"),
            ("\u{1112}\u{1161}\u{11ab}글", "한글 글"),
            ("😀 ok", "ok"),
            ("2026-11-18T09:30", "2026 11 18 t09 30 | 18t09"),
        ] {
            assert_eq!(written(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_nobody_wrote_as_a_word_is_one_token() {
        let key = "aB3".repeat(100);
        assert_eq!(written(&key), key.to_lowercase().get(..64).unwrap());
    }

    #[test]
    fn a_token_knows_the_bytes_it_stands_at() {
        let text = "Une Décision, 検索 appendOnly";
        let mut found = Vec::new();
        each(text, &mut |_, token, span| {
            found.push((token.to_owned(), text.get(span).unwrap()));
        });
        let expected = [
            ("une", "Une"),
            ("decision", "Décision"),
            ("検索", "検索"),
            ("索", "索"),
            ("append", "append"),
            ("only", "Only"),
            ("appendonly", "appendOnly"),
        ];
        let expected: Vec<_> = expected.map(|(a, b)| (a.to_owned(), b)).to_vec();
        assert_eq!(found, expected);
    }
}
