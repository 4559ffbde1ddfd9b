//! A session as a text with headings.

use segno_store::session::{Brief, Entry};

use super::Writer;
use crate::messages::Catalogue;
use crate::msg;
use crate::view::{brief, entry};

pub(super) struct Markdown<'a> {
    catalogue: &'a Catalogue,
    begun: bool,
}

impl<'a> Markdown<'a> {
    pub(super) fn new(catalogue: &'a Catalogue) -> Self {
        Self {
            catalogue,
            begun: false,
        }
    }
}

impl Writer for Markdown<'_> {
    fn begin(&mut self, brief: &Brief) -> String {
        brief::markdown(brief, self.catalogue)
    }

    fn entry(&mut self, entry: &Entry) -> String {
        let text = entry::markdown(entry);
        if self.begun {
            return text;
        }
        self.begun = true;
        format!("\n## {}\n{text}", self.catalogue.say(&msg!("show-entries")))
    }

    fn end(&mut self, replaced: Option<u64>) -> String {
        match replaced {
            Some(count) if count > 0 => {
                let said = self.catalogue.say(&msg!("export-redacted", count = count));
                format!("\n---\n\n{said}\n")
            }
            _ => String::new(),
        }
    }
}
