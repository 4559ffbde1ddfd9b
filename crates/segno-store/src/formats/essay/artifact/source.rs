//! Where a claim comes from: a title and an address.

use super::words::{key, one_line};

/// One source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Source {
    /// What it is called; empty where only an address is given.
    pub(in super::super) title: String,
    /// Its address.
    pub(in super::super) url: Option<String>,
}

impl Source {
    /// Reads `Title. URL`, `[Title](URL)`, `Title (URL)`, a bare URL or a bare title. `None` for `none` and `n/a`.
    pub(in super::super) fn read(text: &str) -> Option<Self> {
        let text = one_line(text);
        let word = text.trim_matches(['.', '*', ' ']);
        if word.is_empty()
            || ["none", "n/a", "-"]
                .iter()
                .any(|no| word.eq_ignore_ascii_case(no))
        {
            return None;
        }
        let Some(start) = text.find("https://").or_else(|| text.find("http://")) else {
            return Some(Self {
                title: word.to_owned(),
                url: None,
            });
        };
        let (before, rest) = text.split_at(start);
        let end = rest.find([' ', ')', '>', ']', '"']).unwrap_or(rest.len());
        let url = rest
            .get(..end)
            .unwrap_or(rest)
            .trim_end_matches(['.', ',', ';']);
        let title =
            before.trim_matches(['[', ']', '(', '<', ' ', '.', ',', '-', ':', '"', '\u{2014}']);
        Some(Self {
            title: title.to_owned(),
            url: Some(url.to_owned()),
        })
    }

    fn identity(&self) -> String {
        match &self.url {
            Some(url) => {
                let plain = url.split('#').next().unwrap_or(url).trim_end_matches('/');
                let bare = plain
                    .strip_prefix("https://")
                    .or_else(|| plain.strip_prefix("http://"));
                let bare = bare.unwrap_or(plain);
                // The host is the same in capitals; a path need not be.
                let (host, path) = bare.split_at(bare.find('/').unwrap_or(bare.len()));
                format!("{}{path}", host.to_ascii_lowercase())
            }
            None => key(&self.title),
        }
    }
}

/// Each source once, by its address, in the order of first mention; a title given later is taken.
pub(in super::super) fn unique(sources: impl IntoIterator<Item = Source>) -> Vec<Source> {
    let mut found: Vec<Source> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for source in sources {
        match places.get(&source.identity()) {
            None => {
                places.insert(source.identity(), found.len());
                found.push(source);
            }
            Some(&place) => {
                if let Some(known) = found.get_mut(place)
                    && known.title.is_empty()
                {
                    known.title = source.title;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_the_same_when_their_addresses_are() {
        let all = [
            "Sea Almanac. https://sea.example/a",
            "[The Almanac](https://sea.example/a/)",
            "https://sea.example/b.",
            "B (http://sea.example/b#part)",
            "A Book",
            "a book.",
            "none",
        ];
        let found = unique(all.into_iter().filter_map(Source::read));
        let shown: Vec<_> = found
            .iter()
            .map(|s| (s.title.as_str(), s.url.as_deref()))
            .collect();
        assert_eq!(
            shown,
            [
                ("Sea Almanac", Some("https://sea.example/a")),
                ("B", Some("https://sea.example/b")),
                ("A Book", None)
            ]
        );
    }
}
