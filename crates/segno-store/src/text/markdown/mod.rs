//! Markdown by a line grammar: found by lines, changed by splices, never parsed and printed again.
//!
//! [`Doc`] is a text and the kinds of its lines. Headings make [`Section`]s; [`Field`]s, [`Item`]s and [`Table`]s are
//! found in any range of it, each with the bytes it takes. An [`Edit`] collects changes and makes them at once; every
//! byte outside them stays, line ends and a byte order mark included.
//!
//! # Limitations
//! The grammar is a part of `CommonMark`, chosen for the documents that the formats keep:
//! - Headings inside block quotes and list items make no sections.
//! - A setext heading is one line of text over at least three `=` or `-`; a field (`**Key**: value`) over `---` is
//!   a field over a rule.
//! - HTML comments count where they begin a line; other HTML is text.

mod classify;
mod conflict;
mod contain;
mod doc;
mod edit;
mod field;
mod heading;
mod item;
mod line;
mod table;
mod written;

pub use conflict::{Conflict, Mark};
pub use contain::contained;
pub use doc::{Doc, NotUtf8};
pub use edit::{Edit, EditError, Place};
pub use field::{Field, FieldStyle};
pub use heading::{Heading, Section};
pub use item::{Checkbox, Item, Marker};
pub use line::{Line, LineKind};
pub use table::{Cell, Table};
