//! The languages the program speaks.

use unic_langid::LanguageIdentifier;

use crate::ambient::Vars;

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Lang {
    /// English
    En,
    /// French
    Fr,
    /// Japanese
    Ja,
}

impl Lang {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::En, Self::Fr, Self::Ja];

    /// Its code.
    pub const fn name(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Fr => "fr",
            Self::Ja => "ja",
        }
    }

    /// The language of a code or a locale such as `fr_FR.UTF-8`; `None` for one the program does not speak.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let code = locale
            .split(['_', '-', '.', '@'])
            .next()
            .unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|lang| lang.name().eq_ignore_ascii_case(code))
    }

    /// The language of the environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set decides; one that
    /// the program does not speak means English.
    pub fn of_environment(vars: &Vars) -> Self {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| vars.text(name))
            .and_then(|locale| Self::of_locale(&locale))
            .unwrap_or(Self::En)
    }

    pub(super) fn id(self) -> LanguageIdentifier {
        self.name()
            .parse()
            .expect("because a two-letter code is a language identifier")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let check = |vars: &[(&str, &str)], expected: Lang| {
            let vars = Vars::Fixed(
                vars.iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
            );
            assert_eq!(Lang::of_environment(&vars), expected, "{vars:?}");
        };
        check(&[], Lang::En);
        check(&[("LANG", "fr_FR.UTF-8")], Lang::Fr);
        check(
            &[("LANG", "fr_FR.UTF-8"), ("LC_ALL", "ja_JP.UTF-8")],
            Lang::Ja,
        );
        check(&[("LANG", "fr"), ("LC_MESSAGES", "C")], Lang::En);
        check(&[("LANG", "fr-CA"), ("LC_ALL", "")], Lang::Fr);
        check(&[("LANG", "de_DE.UTF-8")], Lang::En);
        check(&[("LANG", "frisian")], Lang::En);
    }
}
