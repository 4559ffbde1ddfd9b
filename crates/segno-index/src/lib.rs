//! What is derived from sessions to find them: text folding, matching, and the catalogue with its full-text search.
//!
//! Nothing here is the truth: all of it is made from the files of sessions, is kept in the user's cache directory, and may
//! be deleted at any time. [`Index::open`] gives the index of a workspace, [`Index::refresh`] looks at every file that it
//! was made from and reads what has changed, [`Index::cards`] and [`Index::search`] answer.
//!
//! The index holds no text: of what was said, only which words occur in which entry. What is shown is read from the files.

mod blocks;
mod bytes;
mod error;
mod excerpt;
mod file;
mod fold;
mod gather;
mod index;
mod matcher;
mod query;
mod refresh;
mod row;
mod search;
mod stamp;
mod term;
mod tokens;
mod watch;
mod watching;
mod write;

pub use error::{IndexError, Result};
pub use excerpt::Excerpt;
pub use file::workspace_key;
pub use fold::fold;
pub use gather::Depth;
pub use index::{Index, Source, Stats};
pub use matcher::{Folded, Matcher, Score, matches_words};
pub use query::{BadQuery, FILTERS, Filters, Query};
pub use refresh::{Progress, Refreshed};
pub use search::{Answer, Hit, What};
