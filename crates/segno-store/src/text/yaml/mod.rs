//! The lossless YAML editor: reads within a budget, changes only the bytes it was asked to change.
//!
//! A [`Doc`] is the original text and a tree of spans over it. Values are read from the tree; changes are collected in
//! an [`Edit`] and spliced into the text; comments, quoting, blank lines, key order, line ends and a byte order mark stay
//! because they are never printed again. Before a changed text is handed out, all of it that a change can reach is read
//! back and compared with what was meant. New values are printed so that YAML 1.1 and YAML 1.2 readers agree on them.
//!
//! ```
//! use segno_store::text::yaml::{At, Budget, Doc, Map, Step};
//!
//! let text = "# mine\nsession:\n  ems: 52   # of 100\n  version: 1.10\n  ideas: []\n";
//! let doc = Doc::parse(text, &Budget::default())?;
//! let session = doc.root().get("session").expect("it is there");
//! assert_eq!(session.get("ems").and_then(|n| n.as_i64()), Some(52));
//! assert_eq!(session.get("version").map(|n| n.raw()), Some("1.10"));
//!
//! let mut edit = doc.edit();
//! edit.set(["session", "ems"], 60)?;
//! edit.insert(["session"], "phase", "divergent", At::After("ems"))?;
//! edit.push(["session", "ideas"], Map::new().with("id", 1).with("content", "a log"))?;
//! edit.set([Step::from("session"), "ideas".into(), 0.into(), "content".into()], "a better log")?;
//! assert_eq!(
//!     edit.finish()?,
//!     "# mine\nsession:\n  ems: 60   # of 100\n  phase: \"divergent\"\n  version: 1.10\n  ideas:\n    - id: 1\n      content: \"a better log\"\n"
//! );
//! # Ok::<(), segno_store::text::yaml::YamlError>(())
//! ```
//!
//! # Limitations
//!
//! - What is removed or replaced goes with the comments inside it, and with the comment behind it on a removed line. A
//!   collection that loses its last entry becomes `[]` or `{}`, and comments between its entries go.
//! - A value that an alias repeats is not changed (it would change in both places): that is refused, as is a change
//!   through an alias. Merge keys (`<<`) are ordinary keys; their entries are not looked into.
//! - A folded text (`>`) that gets a new value becomes a literal block or a quoted string.
//! - `[a: b]` cannot gain or lose entries; files whose lines end in a bare carriage return are read and not edited.
//! - A file that ends inside a literal block without a line break gains one when something is put behind that block.
//! - A finished batch is read back: of long lists only the items near a change, else the whole new text once more.

mod budget;
mod build;
mod changes;
mod doc;
mod edit;
mod error;
mod excerpt;
mod find;
mod habits;
mod keys;
mod layout;
mod node;
mod page;
mod path;
mod replace;
mod scalar;
mod scan;
mod splice;
mod value;
mod verify;
mod write;

pub use budget::Budget;
pub use doc::Doc;
pub use edit::Edit;
pub use error::{ErrorKind, YamlError};
pub use node::{Node, NodeKind};
pub use page::Page;
pub use path::{At, ROOT, Step};
pub use value::{Map, Spelling, Value};
pub use write::{Strings, Style, to_text};
