//! The picker: a list of sessions on the terminal, narrowed by typing, with a look at where each stopped.
//!
//! [`Picker`] is the whole of it as a value: keys in, a choice out. [`draw`] paints it, [`pick`] connects both to the
//! terminal. Nothing here knows where sessions come from.

mod draw;
mod fuzzy;
mod keys;
mod rank;
mod state;
mod terminal;

pub use draw::{Labels, draw};
pub use keys::Key;
pub use rank::Haystack;
pub use state::{Picker, Row, Step};
pub use terminal::pick;
