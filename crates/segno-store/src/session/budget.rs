//! How much an agent is given to read: an estimate of tokens, and what fits into a budget of them.

/// Estimates how many tokens a language model counts for a text.
///
/// The rule: four ASCII characters are a token; two characters of the other alphabets (é, ж, ع) are one; from U+2E80 on
/// (Chinese, Japanese, Korean, emoji) each character is one. Rounded up. Vocabularies differ, so this is a yardstick that
/// is the same for every session and leans to the high side for source code and lists.
pub fn estimate_tokens(text: &str) -> usize {
    let quarters: usize = text
        .chars()
        .map(|c| match c {
            '\0'..='\u{7f}' => 1,
            '\u{80}'..='\u{2e7f}' => 2,
            _ => 4,
        })
        .sum();
    quarters.div_ceil(4)
}

/// What of a list fits into a budget: see [`fit_newest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// How many of the oldest were left out; the kept ones begin at this index.
    pub left_out: usize,
    /// What the kept ones cost together.
    pub cost: usize,
}

/// Keeps as many of the newest as fit, each whole and none skipped. Sizes come oldest first.
///
/// The budget is a promise: when even the newest does not fit, nothing is kept and the caller says so.
pub fn fit_newest(sizes: &[usize], budget: usize) -> Fit {
    let mut fit = Fit {
        left_out: sizes.len(),
        cost: 0,
    };
    for size in sizes.iter().rev() {
        if *size > budget - fit.cost {
            break;
        }
        fit.cost += size;
        fit.left_out -= 1;
    }
    fit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_estimated_by_script() {
        for (text, tokens) in [
            ("", 0),
            ("a", 1),
            ("four", 1),
            ("fives", 2),
            ("we chose the append-only log", 7),
            ("éé", 1),
            ("été", 2),
            ("全文検索", 4),
            ("한국어", 3),
            ("🙂", 1),
            ("log の検索", 4),
        ] {
            assert_eq!(estimate_tokens(text), tokens, "{text}");
        }
    }

    #[test]
    fn the_newest_are_kept_whole_and_without_gaps() {
        for (sizes, budget, left_out, cost) in [
            (&[][..], 10, 0, 0),
            (&[5, 5, 5], 15, 0, 15),
            (&[5, 5, 5], 14, 1, 10),
            // The middle one is too large: the small old one behind it is not pulled past it.
            (&[1, 50, 5], 10, 2, 5),
            (&[1, 50], 10, 2, 0),
            (&[1, 2], 0, 2, 0),
            (&[usize::MAX, usize::MAX], usize::MAX, 1, usize::MAX),
        ] {
            assert_eq!(
                fit_newest(sizes, budget),
                Fit { left_out, cost },
                "{sizes:?} in {budget}"
            );
        }
    }
}
