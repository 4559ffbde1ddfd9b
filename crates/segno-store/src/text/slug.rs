//! A file name out of what a person called their work.

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The shortest cap that is honoured: room for `topic-` and six digits of a hash.
pub const MIN_SLUG: usize = 12;

/// Turns a topic into a name fit for a file, at most `max_len` bytes long (but see [`MIN_SLUG`]).
///
/// Lower case; Latin letters lose their marks (é → e, ß → ss, œ → oe); letters and digits of other scripts stay as they
/// are; everything else becomes a single `-`. The same topic always gives the same slug, in whichever Unicode form it was
/// typed. Where the topic does not fit, or holds no letter or digit at all, a short hash of it keeps different topics
/// apart. The result is never empty, never begins with a dot, and is no name that Windows reserves.
pub fn slug(topic: &str, max_len: usize) -> String {
    let max_len = max_len.max(MIN_SLUG);
    let slug = transliterate(topic);
    if slug.is_empty() {
        return format!("topic-{}", short_hash(topic));
    }
    if slug.len() > max_len {
        return shorten(&slug, max_len, &short_hash(topic));
    }
    if is_reserved(&slug) {
        return format!("topic-{slug}");
    }
    slug
}

fn transliterate(topic: &str) -> String {
    let mut slug = String::with_capacity(topic.len());
    let mut base = ' ';
    for c in topic.nfkd().filter(|c| !is_invisible(*c)) {
        if is_combining_mark(c) {
            // The accent of a Latin letter goes; the vowel sign of a Hindi one and the dakuten of か are part of the word.
            if base.is_alphanumeric() && !is_latin(base) {
                slug.push(c);
            }
            continue;
        }
        base = c;
        if c.is_alphanumeric() {
            for lower in c.to_lowercase() {
                match plain_latin(lower) {
                    Some(plain) => slug.push_str(plain),
                    None if is_combining_mark(lower) => {}
                    None => slug.push(lower),
                }
            }
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').nfc().collect()
}

fn is_latin(c: char) -> bool {
    c.is_ascii() || plain_latin(c).is_some() || matches!(c, '\u{c0}'..='\u{24f}')
}

/// Latin letters that are no plain letter with a mark, as far as normalisation goes.
const fn plain_latin(c: char) -> Option<&'static str> {
    Some(match c {
        'œ' => "oe",
        'æ' => "ae",
        'ß' => "ss",
        'þ' => "th",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'ŋ' => "n",
        _ => return None,
    })
}

/// Characters that a person neither sees nor means: soft hyphen, zero-width space, word joiner, byte-order mark.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// As many whole words as fit before `-` and the hash; of a single long word, as many characters.
fn shorten(slug: &str, max_len: usize, hash: &str) -> String {
    let room = max_len - hash.len() - 1;
    let kept = slug.get(..slug.floor_char_boundary(room)).unwrap_or("");
    let whole_words = match slug.get(kept.len()..) {
        Some(rest) if rest.starts_with('-') => kept,
        // Half the room is worth more than a whole word.
        _ => match kept.rsplit_once('-') {
            Some((words, _)) if words.len() * 2 >= room => words,
            _ => kept,
        },
    };
    // A combining mark alone at the cut is harmless, a dash is not.
    let words = whole_words.trim_end_matches('-');
    if words.is_empty() {
        return format!("topic-{hash}");
    }
    format!("{words}-{hash}")
}

fn short_hash(topic: &str) -> String {
    // The form in which the text was typed (NFC or NFD) is no difference of topic.
    let normal: String = topic.trim().nfc().collect();
    let digest = Sha256::digest(normal.as_bytes());
    let number = digest
        .iter()
        .take(3)
        .fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    format!("{number:06x}")
}

fn is_reserved(slug: &str) -> bool {
    let numbered = |name: &str| match slug.strip_prefix(name) {
        Some(rest) => matches!(rest.as_bytes(), [b'0'..=b'9']),
        None => false,
    };
    matches!(slug, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_become_readable_names() {
        for (topic, expected) in [
            ("Feature auth", "feature-auth"),
            ("  --Hello,   World!-- ", "hello-world"),
            ("L'hôpital à cœur ouvert", "l-hopital-a-coeur-ouvert"),
            ("l’été", "l-ete"),
            ("Straße / GROẞ", "strasse-gross"),
            (
                "Ærø, Łódź, Đà Nẵng, Ísafjörður",
                "aero-lodz-da-nang-isafjordur",
            ),
            ("İstanbul ışık", "istanbul-isik"),
            ("日本語の設計", "日本語の設計"),
            ("全文検索: テスト", "全文検索-テスト"),
            ("ガイド", "ガイド"),
            ("ｶﾞｲﾄﾞ ＡＢＣ１２", "ガイド-abc12"),
            ("Йод и чай", "йод-и-чай"),
            ("한국어 설계", "한국어-설계"),
            ("हिन्दी", "हिन्दी"),
            ("v2.0 🎉 release_notes", "v2-0-release-notes"),
            ("1\u{fe0f}\u{20e3} first", "1-first"),
            ("soft\u{ad}hyphen", "softhyphen"),
            ("../../etc/passwd", "etc-passwd"),
            ("a\0b\u{1b}[31m", "a-b-31m"),
            ("CON", "topic-con"),
            ("lpt1", "topic-lpt1"),
            ("lpt10", "lpt10"),
            ("console", "console"),
        ] {
            assert_eq!(slug(topic, 80), expected, "{topic:?}");
        }
    }

    #[test]
    fn the_unicode_form_makes_no_difference() {
        for topic in ["L'hôpital Ærø", "ガイド", "한국어", "Đà Nẵng"] {
            let nfc: String = topic.nfc().collect();
            let nfd: String = topic.nfd().collect();
            assert_eq!(slug(&nfc, 80), slug(&nfd, 80));
        }
        let nfc: String = "é".repeat(90);
        let nfd: String = nfc.nfd().collect();
        assert_eq!(slug(&nfc, 40), slug(&nfd, 40));
    }

    #[test]
    fn topics_without_letters_get_a_stable_name_of_their_own() {
        assert_eq!(slug("!!!", 40), "topic-e84c53");
        let topics = ["", ".", "..", "...", "🎉", "🎈", "?!", "\u{301}"];
        let mut slugs: Vec<String> = topics.iter().map(|topic| slug(topic, 40)).collect();
        assert!(
            slugs
                .iter()
                .all(|one| one.len() == 12 && one.starts_with("topic-")),
            "{slugs:?}"
        );
        slugs.sort();
        slugs.dedup();
        assert_eq!(slugs.len(), topics.len());
    }

    #[test]
    fn long_topics_are_cut_between_characters_and_stay_apart() {
        let one = "why the append-only log was chosen over the database in the end".to_owned();
        let other = format!("{one}, second thoughts");
        assert_eq!(
            slug(&one, 40).rsplit_once('-').unwrap().0,
            "why-the-append-only-log-was"
        );
        assert_ne!(slug(&one, 40), slug(&other, 40));
        for topic in [
            &one,
            &"日本語".repeat(40),
            &"हिन्दी ".repeat(40),
            &"x".repeat(5000),
        ] {
            for max_len in 0..60 {
                let slug = slug(topic, max_len);
                assert!(slug.len() <= max_len.max(MIN_SLUG), "{slug} in {max_len}");
                assert!(!slug.starts_with('-') && !slug.contains("--"), "{slug}");
                assert!(segno_disk::bad_name(&slug).is_none());
            }
        }
    }
}
