//! A session as one JSON object, written as it is read: the brief's keys, then `entries`, then `redacted`.

use segno_store::session::{Brief, Entry};

use super::Writer;
use crate::view::brief::BriefView;
use crate::view::entry::EntryView;

#[derive(Default)]
pub(super) struct Json {
    begun: bool,
}

impl Writer for Json {
    fn begin(&mut self, brief: &Brief) -> String {
        let text = serde_json::to_string(&BriefView::from(brief)).unwrap_or_default();
        // The object is left open for what follows.
        let open = text.strip_suffix('}').unwrap_or(&text);
        format!("{open},\"entries\":[")
    }

    fn entry(&mut self, entry: &Entry) -> String {
        let text = serde_json::to_string(&EntryView::from(entry)).unwrap_or_default();
        let comma = if self.begun { "," } else { "" };
        self.begun = true;
        format!("{comma}\n{text}")
    }

    fn end(&mut self, replaced: Option<u64>) -> String {
        let count = serde_json::Value::from(replaced);
        format!("\n],\"redacted\":{count}}}\n")
    }
}
