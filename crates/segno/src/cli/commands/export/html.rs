//! A session as a page: one file that loads nothing and runs nothing, whatever was said in the session.
//!
//! Texts are rendered as Markdown. HTML in them is shown as text, images become links, and a link leads only to where a
//! reader can see that it leads; the page's own policy forbids everything else a second time.

use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use segno_store::session::{Brief, Entry, EntryKind};

use super::Writer;
use crate::messages::{Catalogue, Lang};
use crate::msg;
use crate::view::brief;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}\
h1{line-height:1.25}\
h2{margin-top:2.5rem;border-bottom:1px solid #8884}\
pre{overflow:auto;padding:.75rem;background:#8882;border-radius:.4rem}\
code{font-family:ui-monospace,monospace;font-size:.9em}\
table{border-collapse:collapse}td,th{border:1px solid #8886;padding:.2rem .6rem}\
blockquote{margin-left:0;padding-left:1rem;border-left:3px solid #8886}\
article{margin:1.2rem 0;padding:.2rem 1rem;border-left:4px solid #8888;overflow-wrap:anywhere}\
article.user{border-color:#2f81f7}article.assistant{border-color:#3fb950}article.system,article.tool{border-color:#a371f7}\
header{font-weight:600}header time,footer{color:#888;font-weight:400;font-size:.85em}\
@media print{article{break-inside:avoid}}";

pub(super) struct Html<'a> {
    catalogue: &'a Catalogue,
    begun: bool,
}

impl<'a> Html<'a> {
    pub(super) fn new(catalogue: &'a Catalogue) -> Self {
        Self {
            catalogue,
            begun: false,
        }
    }
}

impl Writer for Html<'_> {
    fn begin(&mut self, brief: &Brief) -> String {
        let lang = match self.catalogue.lang() {
            Lang::En => "en",
            Lang::Fr => "fr",
            Lang::Ja => "ja",
        };
        let title = escape(&brief.card.title);
        let body = render(&brief::markdown(brief, self.catalogue));
        format!(
            "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}"
        )
    }

    fn entry(&mut self, entry: &Entry) -> String {
        let mut page = String::new();
        if !self.begun {
            self.begun = true;
            let heading = self.catalogue.say(&msg!("show-entries"));
            let _ = writeln!(page, "<h2>{}</h2>", escape(&heading));
        }
        // Only words of our own become names of classes.
        let class = match (entry.kind, entry.role.as_deref()) {
            (EntryKind::Message, Some(role @ ("user" | "assistant" | "system" | "tool"))) => role,
            (kind, _) => kind.name(),
        };
        let who = match (entry.kind, entry.role.as_deref()) {
            (EntryKind::Message, Some(role)) => role.to_owned(),
            (kind, Some(role)) => format!("{kind}, {role}"),
            (kind, None) => kind.name().to_owned(),
        };
        let time = entry.at.as_ref().map(|at| {
            let at = escape(&at.iso());
            format!(" <time datetime=\"{at}\">{at}</time>")
        });
        let _ = writeln!(
            page,
            "<article class=\"{class}\">\n<header>{}{}</header>\n{}</article>",
            escape(&who),
            time.unwrap_or_default(),
            render(&entry.text)
        );
        page
    }

    fn end(&mut self, replaced: Option<u64>) -> String {
        let said = match replaced {
            Some(count) if count > 0 => self.catalogue.say(&msg!("export-redacted", count = count)),
            _ => String::new(),
        };
        let footer = if said.is_empty() {
            said
        } else {
            format!("<footer>{}</footer>\n", escape(&said))
        };
        format!("{footer}</body>\n</html>\n")
    }
}

/// Markdown of somebody else as HTML that is safe to open.
fn render(text: &str) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Parser::new_ext(text, options).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(
            Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }
            | Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            },
        ) => Event::Start(Tag::Link {
            link_type,
            dest_url: harmless(dest_url),
            title,
            id,
        }),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        // A line end that somebody typed is one.
        Event::SoftBreak => Event::HardBreak,
        other => other,
    });
    let mut page = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut page, events);
    page
}

/// The address, when it is one that a page may lead to; nowhere otherwise.
fn harmless(address: CowStr<'_>) -> CowStr<'_> {
    let lower = address.trim_start().to_ascii_lowercase();
    let scheme = lower.split_once(':').map(|(scheme, _)| scheme);
    match scheme {
        // What has no scheme leads into the page or beside it.
        None | Some("http" | "https" | "mailto") => address,
        Some(scheme) if scheme.contains(['/', '#', '?']) => address,
        Some(_) => CowStr::Borrowed(""),
    }
}

fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_cannot_run_or_load_anything() {
        for (text, page) in [
            (
                "<script>alert(1)</script>",
                "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
            ),
            (
                "a <img src=x onerror=y>",
                "<p>a &lt;img src=x onerror=y&gt;</p>\n",
            ),
            ("[x](javascript:alert(1))", "<p><a href=\"\">x</a></p>\n"),
            ("[x]( JavaScript:alert(1))", "<p><a href=\"\">x</a></p>\n"),
            ("[x](data:text/html,y)", "<p><a href=\"\">x</a></p>\n"),
            (
                "<javascript:alert(1)>",
                "<p><a href=\"\">javascript:alert(1)</a></p>\n",
            ),
            (
                "![x](https://example.org/y.png)",
                "<p><a href=\"https://example.org/y.png\">x</a></p>\n",
            ),
            (
                "[x](https://example.org/)",
                "<p><a href=\"https://example.org/\">x</a></p>\n",
            ),
            ("[x](a/b.md#c:d)", "<p><a href=\"a/b.md#c:d\">x</a></p>\n"),
            ("**a**\nb", "<p><strong>a</strong><br />\nb</p>\n"),
        ] {
            assert_eq!(render(text), page, "{text}");
        }
    }

    #[test]
    fn a_name_is_no_markup() {
        assert_eq!(
            escape("<a href=\"x\">'&'"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;"
        );
    }
}
