//! The vocabulary that every format speaks. It imports nothing of ours but paths.

mod ago;
mod brief;
mod budget;
mod card;
mod entry;
mod fit;
mod id;
mod kind;
mod now;
mod problem;
mod reference;
mod resolve;
mod since;
mod status;
mod timestamp;

pub use ago::{Ago, AgoUnit};
pub use brief::{Brief, BriefSection, Turn};
pub use budget::{Fit, estimate_tokens, fit_newest};
pub use card::Card;
pub use entry::{Entry, EntryKind, LineMark, UnknownEntryKind};
pub use fit::first_lines;
pub use id::{BadId, MAX_ID, SessionId};
pub use kind::{Kind, UnknownKind};
pub use now::Now;
pub use problem::{Problem, Repair};
pub use reference::{BadReference, SessionRef};
pub use resolve::{Candidate, Unresolved, resolve};
pub use since::Since;
pub use status::{Status, UnknownStatus};
pub use timestamp::Timestamp;
