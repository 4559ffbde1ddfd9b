//! The index as commands use it: opened in the user's cache directory, brought up to date, done without where it must be.

use std::path::Path;
use std::time::{Duration, Instant};

use segno_index::{Answer, Depth, Index, IndexError, Progress, Query, Source};
use segno_store::formats::Place;
use segno_store::session::{Card, Kind};

use super::app::App;
use super::error::{Code, CommandError};
use super::opened::Opened;
use crate::msg;

/// How often it is shown anew how far a refresh is.
const BEAT: Duration = Duration::from_millis(100);
/// How wide the bar is.
const BAR: usize = 30;

impl App {
    /// The places and cards of all sessions, taken from the index as far as their files have not changed. `None` when
    /// there is no index to take them from: then they are read.
    pub(super) fn indexed_cards(
        &self,
        opened: &Opened,
        kind: Option<Kind>,
    ) -> Option<Vec<(Place, Card)>> {
        let cache = self.ambient.cache_dir()?;
        let workspace = opened.workspace();
        let source = source(opened, &workspace);
        let mut index = Index::open(Some(&cache), &source).ok()?;
        if index.trouble().is_some() {
            return None;
        }
        self.refresh(&mut index, &source, Depth::Cards).ok()?;
        let mut cards = index.cards().ok()?;
        cards.retain(|(place, _)| kind.is_none_or(|kind| kind == place.kind));
        Some(cards)
    }

    /// Brings an index up to date, and shows a person how far that is when it takes long.
    pub(super) fn refresh(
        &self,
        index: &mut Index,
        source: &Source<'_>,
        depth: Depth,
    ) -> Result<(), IndexError> {
        self.watched(|progress| index.refresh(source, depth, progress).map(|_| ()))
    }

    /// Does something that reads sessions, and shows a person how far that is when it takes long.
    fn watched<T>(&self, act: impl FnOnce(&mut dyn FnMut(Progress)) -> T) -> T {
        let (start, patience) = (Instant::now(), self.ambient.patience());
        let mut shown: Option<Instant> = None;
        let done = act(&mut |progress| {
            let is_due = match shown {
                None => start.elapsed() >= patience,
                Some(last) => last.elapsed() >= BEAT,
            };
            if is_due {
                shown = Some(Instant::now());
                self.ui.progress(Some(&self.bar(progress)));
            }
        });
        if shown.is_some() {
            self.ui.progress(None);
        }
        done
    }

    fn bar(&self, progress: Progress) -> String {
        let filled = BAR * progress.done / progress.total.max(1);
        let words = self.ui.say(&msg!(
            "index-progress",
            done = progress.done,
            total = progress.total
        ));
        format!(
            "[{}{}] {words}",
            "#".repeat(filled),
            "-".repeat(BAR - filled.min(BAR))
        )
    }

    /// An index of a workspace with all words in it, up to date: what there is, or a new one.
    pub(super) fn index_of(
        &self,
        source: &Source<'_>,
        open: impl FnOnce(Option<&Path>, &Source<'_>) -> Result<Index, IndexError>,
    ) -> Result<Index, CommandError> {
        let mut index = open(self.ambient.cache_dir().as_deref(), source)?;
        self.refresh(&mut index, source, Depth::Words)?;
        self.say_without(&index);
        Ok(index)
    }

    /// Answers a question; from the files as they are when `fresh` is asked for, else from the index as it is.
    pub(super) fn answer(
        &self,
        source: &Source<'_>,
        query: &Query,
        limit: usize,
        fresh: bool,
    ) -> Result<Answer, CommandError> {
        let mut index = Index::open(self.ambient.cache_dir().as_deref(), source)?;
        let answer = if fresh || !index.is_ready() {
            self.watched(|progress| index.answer(source, query, limit, progress))
        } else {
            index.search(source, query, limit)
        }?;
        self.say_without(&index);
        Ok(answer)
    }

    /// Says so when it had to be done without a file.
    fn say_without(&self, index: &Index) {
        if let Some(why) = index.trouble() {
            self.ui.note(msg!("index-without", why = why));
        }
    }
}

/// What an index is made of.
pub(super) fn source<'a>(
    opened: &'a Opened,
    workspace: &'a segno_store::workspace::Workspace<'a>,
) -> Source<'a> {
    Source {
        workspace,
        root: opened.root(),
        temporary: opened.temporary_root(),
        now: &opened.now,
    }
}

impl From<IndexError> for CommandError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error.into(),
            other => Self::new(Code::Io, msg!("index-failed"))
                .because(other.to_string())
                .hint(msg!("index-failed-hint")),
        }
    }
}
