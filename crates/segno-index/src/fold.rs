//! Text as a person searches it: without case, accents, ligatures or the difference between widths.

use unicode_normalization::UnicodeNormalization as _;

/// Folds a text so that what looks alike to a searching person is alike.
///
/// Compatibility forms are unfolded (full-width letters, half-width katakana, ﬁ), accents dropped, letters such as œ, ß
/// and ø spelled out, case dropped, curly quotes and long dashes made plain. The result is NFC, and folding it again
/// changes nothing. The marks of kana stay: か and が are different letters; so do the vowel signs of Indic scripts and
/// Thai, without which words could not be told apart.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_dropped(*c)) {
        for lower in c.to_lowercase().filter(|c| !is_dropped(*c)) {
            match spelled_out(lower) {
                Some(plain) => folded.push_str(plain),
                None => folded.push(lower),
            }
        }
    }
    folded.nfc().collect()
}

/// Accents, and characters that nobody sees.
pub(crate) const fn is_dropped(c: char) -> bool {
    matches!(
        c,
        // The blocks of combining diacritical marks.
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
            // Hebrew points and Arabic short vowels, which most people do not write.
            | '\u{591}'..='\u{5bd}'
            | '\u{5bf}'
            | '\u{5c1}'..='\u{5c2}'
            | '\u{5c4}'..='\u{5c5}'
            | '\u{5c7}'
            | '\u{64b}'..='\u{65f}'
            | '\u{670}'
            // Soft hyphen, zero-width characters, variation selectors, byte-order mark.
            | '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2060}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}'
            | '\u{feff}'
    )
}

/// Letters and signs that normalisation leaves alone though a person types something plainer.
const fn spelled_out(c: char) -> Option<&'static str> {
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
        'ς' => "σ",
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => "'",
        '\u{201c}' | '\u{201d}' => "\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "-",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_folds_alike() {
        for (text, expected) in [
            ("", ""),
            ("Append_Only", "append_only"),
            ("Hôpital", "hopital"),
            ("ho\u{302}pital", "hopital"),
            ("CŒUR cœur", "coeur coeur"),
            ("décision", "decision"),
            ("Æsir Straße GROẞ ﬁn", "aesir strasse gross fin"),
            ("Łódź Đà Nẵng Øre ǿ", "lodz da nang ore o"),
            ("İstanbul ISPARTA ışık", "istanbul isparta isik"),
            ("ＡＢＣ１２", "abc12"),
            ("ｶﾞｲﾄﾞ ﾊﾟﾝ", "ガイド パン"),
            ("か\u{3099} が か", "が が か"),
            ("ハ\u{309a}", "パ"),
            ("全文検索", "全文検索"),
            ("\u{1112}\u{1161}\u{11ab}글", "한글"),
            ("ΛΌΓΟΣ λόγος", "λογοσ λογοσ"),
            ("Йод", "иод"),
            ("हिन्दी", "हिन्दी"),
            ("l’été — “oui”", "l'ete - \"oui\""),
            ("co\u{ad}opération\u{feff}", "cooperation"),
            ("❤\u{fe0f}", "❤"),
        ] {
            assert_eq!(fold(text), expected, "{text:?}");
            assert_eq!(fold(expected), expected, "folding again changes nothing");
        }
    }

    #[test]
    fn folding_twice_is_folding_once_for_every_letter() {
        // All planes that hold letters, but for the tens of thousands of ideographs, which fold to themselves.
        let letters = ('\0'..='\u{33ff}')
            .chain('\u{a000}'..='\u{abff}')
            .chain('\u{f900}'..='\u{1ffff}');
        for c in letters {
            let once = fold(&format!("x{c}"));
            assert_eq!(fold(&once), once, "{c:?}");
        }
    }
}
