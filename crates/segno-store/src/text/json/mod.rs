//! JSON that keeps every byte it was not asked to change.
//!
//! [`Doc`] is the text of one JSON document together with the spans of its values. Reading goes through [`Value`]s,
//! which borrow the raw text: `1.10` stays `1.10`, a number of 23 digits keeps them all, a lone surrogate keeps its
//! escape. Editing replaces the bytes of one value, or adds a member in the layout that the file has already.
//! What is to be written is a [`Tree`].
//!
//! Nothing here recurses over input, so nesting is bounded by memory and the budget alone.

mod doc;
mod edit;
mod error;
mod layout;
mod path;
mod print;
mod scan;
mod string;
mod tape;
mod tree;
mod value;

pub use doc::{Budget, Doc};
pub use edit::{EditError, Place};
pub use error::JsonError;
pub(super) use layout::has_wide_escape;
pub use path::{Path, Step};
pub use print::{Escapes, Layout, Style};
pub use scan::{check, check_prefix};
pub use string::quote;
pub use tree::{Raw, Tree};
pub use value::{Entries, Entry, Items, Kind, Value};
