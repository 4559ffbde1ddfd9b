//! The known name that an unknown one was probably meant to be.

/// The nearest of `names`, when one is near enough to be meant.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|name| (distance(wanted, name), name))
        .min()
        .filter(|(distance, name)| *distance <= 1 + name.chars().count() / 4)
        .map(|(_, name)| name)
}

/// How many characters have to be put in, taken out or replaced (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut diagonal = std::mem::replace(row.first_mut().unwrap_or(&mut 0), left);
        for (above, cb) in row.iter_mut().skip(1).zip(&b) {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = *above;
            left = replaced.min(left + 1).min(*above + 1);
            *above = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_single_edits() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("lang", "lang", 0),
            ("日本", "日本語", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_a_near_name_is_offered() {
        let names = || ["lang", "color", "git.commit"].into_iter();
        assert_eq!(nearest("git.comit", names()), Some("git.commit"));
        assert_eq!(nearest("colour", names()), Some("color"));
        assert_eq!(nearest("something.else", names()), None);
    }
}
