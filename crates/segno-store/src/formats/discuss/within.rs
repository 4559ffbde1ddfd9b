//! A brief within a budget: a long list of operations is cut, and the user's last turn is kept before all others.

use crate::session::{Brief, Turn, estimate_tokens, fit_newest};

/// Cuts a brief to a budget of tokens.
pub(super) fn fit(brief: &mut Brief, budget: usize) {
    brief.goal = cut(&brief.goal, budget / 8);
    let turns = std::mem::take(&mut brief.turns);
    let operations = std::mem::take(&mut brief.decisions);
    let left = budget.saturating_sub(brief.tokens());
    // Turns that need less leave more for the operations.
    let wanted: usize = turns.iter().map(Turn::tokens).sum();
    let for_operations = left.saturating_sub(wanted).max(left / 2);
    brief.decisions = first_of(operations, for_operations);
    let left = budget.saturating_sub(brief.tokens());
    let count = turns.len();
    brief.turns = newest_of(turns, left);
    brief.turns_left_out += (count - brief.turns.len()) as u64;
}

/// The first operations that fit, and how many more there are.
fn first_of(operations: Vec<String>, budget: usize) -> Vec<String> {
    /// What the line that counts the others costs.
    const COUNT: usize = 12;
    let all: usize = operations.iter().map(|text| estimate_tokens(text)).sum();
    if all <= budget {
        return operations;
    }
    let count = operations.len();
    let mut left = budget.saturating_sub(COUNT);
    // One that is long by itself does not crowd out the others.
    let longest = left / 4;
    let mut kept = Vec::new();
    for text in operations {
        let text = cut(&text, longest);
        let cost = estimate_tokens(&text);
        if cost > left || text.is_empty() {
            break;
        }
        left -= cost;
        kept.push(text);
    }
    let more = count - kept.len();
    if more > 0 {
        kept.push(format!("\u{2026} and {more} more operations"));
    }
    kept
}

/// The newest turns that fit, the user's last one among them, cut where it must be.
fn newest_of(mut turns: Vec<Turn>, budget: usize) -> Vec<Turn> {
    let sizes: Vec<usize> = turns.iter().map(Turn::tokens).collect();
    let fit = fit_newest(&sizes, budget);
    let last = turns.iter().rposition(|turn| turn.role == "user");
    let Some(last) = last.filter(|last| *last < fit.left_out) else {
        return turns.split_off(fit.left_out);
    };
    let mut behind = turns.split_off(last + 1);
    let Some(mut user) = turns.pop() else {
        return Vec::new();
    };
    let empty = Turn {
        text: String::new(),
        ..user.clone()
    };
    user.text = cut(&user.text, budget.saturating_sub(empty.tokens()));
    if user.text.is_empty() {
        return Vec::new();
    }
    let left = budget.saturating_sub(user.tokens());
    let fit = fit_newest(sizes.get(last + 1..).unwrap_or_default(), left);
    let mut kept = vec![user];
    kept.extend(behind.drain(fit.left_out..));
    kept
}

/// The beginning of a text that costs at most so many tokens.
fn cut(text: &str, tokens: usize) -> String {
    // A token is at most four characters of one byte, or one of four.
    let most = text.floor_char_boundary(tokens.saturating_mul(4));
    let mut head = text.get(..most).unwrap_or(text);
    if head.len() == text.len() && estimate_tokens(text) <= tokens {
        return text.to_owned();
    }
    while !head.is_empty() && estimate_tokens(head) + 1 > tokens {
        let end = head.floor_char_boundary(head.len() * 7 / 8);
        head = head.get(..end).unwrap_or_default();
    }
    if head.is_empty() {
        return String::new();
    }
    format!("{}\u{2026}", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(role: &str, text: &str) -> Turn {
        Turn {
            role: role.into(),
            text: text.into(),
            at: None,
        }
    }

    #[test]
    fn the_user_s_last_turn_is_kept_before_others_and_cut_where_it_must_be() {
        let long = "word ".repeat(1000);
        let turns = || {
            vec![
                turn("user", "early"),
                turn("user", &long),
                turn("assistant", &long),
            ]
        };
        let kept = newest_of(turns(), 100);
        assert_eq!(kept.len(), 1);
        assert!(kept[0].role == "user" && kept[0].text.ends_with('\u{2026}'));
        assert!(
            kept[0].tokens() <= 100 && kept[0].tokens() > 80,
            "{}",
            kept[0].tokens()
        );
        let kept = newest_of(turns(), 1_300);
        let roles: Vec<&str> = kept.iter().map(|turn| turn.role.as_str()).collect();
        assert_eq!(roles, ["user"]);
        assert_eq!(kept[0].text, long);
        assert_eq!(newest_of(turns(), 10_000).len(), 3);
        assert!(newest_of(turns(), 0).is_empty());
    }

    #[test]
    fn a_text_is_cut_to_what_it_may_cost() {
        for text in [
            "word ".repeat(1000),
            "\u{e9}".repeat(1000),
            "\u{672c}".repeat(1000),
        ] {
            for tokens in [0, 1, 2, 10, 100] {
                let head = cut(&text, tokens);
                assert!(estimate_tokens(&head) <= tokens, "{tokens}: {head}");
            }
        }
        assert_eq!(cut("short", 2), "short");
    }
}
