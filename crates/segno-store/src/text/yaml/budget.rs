//! What a text may cost before it is refused: checked event by event, before anything is built.

use super::error::ErrorKind;

/// The limits within which a text is read. The defaults fit any session a person or agent would write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of the text; also of all scalars with the aliases written out. At most 1 GiB counts.
    pub max_bytes: usize,
    /// Mappings and lists inside each other, with the aliases written out. At most 256 counts.
    pub max_depth: usize,
    /// Scalars, lists and mappings, with the aliases written out. At most 50 million counts.
    pub max_nodes: usize,
    /// Aliases in the text.
    pub max_aliases: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            max_bytes: 16 * 1024 * 1024,
            max_depth: 128,
            max_nodes: 2_000_000,
            max_aliases: 10_000,
        }
    }
}

impl Budget {
    /// The default budget for a text of up to `max_bytes`.
    pub fn with_bytes(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            ..Self::default()
        }
    }

    /// The limits as enforced: positions fit 32 bits, and depth fits any thread's stack.
    pub(super) fn capped(self) -> Self {
        Self {
            max_bytes: self.max_bytes.min(1 << 30),
            max_depth: self.max_depth.min(256),
            max_nodes: self.max_nodes.min(50_000_000),
            max_aliases: self.max_aliases,
        }
    }
}

/// What a node costs with all aliases below it written out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weight {
    pub(super) nodes: u64,
    pub(super) bytes: u64,
    /// Levels of collections, itself included.
    pub(super) depth: usize,
}

impl Weight {
    pub(super) fn scalar(bytes: usize) -> Self {
        Self {
            nodes: 1,
            bytes: bytes as u64,
            depth: 0,
        }
    }

    /// Adds a child to a collection.
    pub(super) fn add(&mut self, child: Self) {
        self.nodes = self.nodes.saturating_add(child.nodes);
        self.bytes = self.bytes.saturating_add(child.bytes);
        self.depth = self.depth.max(child.depth + 1);
    }
}

/// Keeps count of a whole text.
#[derive(Debug)]
pub(super) struct Meter {
    budget: Budget,
    total: Weight,
    aliases: usize,
}

impl Meter {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            budget,
            total: Weight::default(),
            aliases: 0,
        }
    }

    /// Counts a node; `depth` collections are open around it.
    pub(super) fn node(&mut self, weight: Weight, depth: usize) -> Result<(), Refusal> {
        self.total.nodes = self.total.nodes.saturating_add(weight.nodes);
        self.total.bytes = self.total.bytes.saturating_add(weight.bytes);
        if depth + weight.depth > self.budget.max_depth {
            let limit = self.budget.max_depth;
            let text = format!("nested more than {limit} levels deep");
            return Err(Refusal(ErrorKind::TooDeep, text));
        }
        if self.total.nodes > self.budget.max_nodes as u64 {
            let limit = self.budget.max_nodes;
            let text = format!("more than {limit} values in one file");
            return Err(Refusal(ErrorKind::TooManyNodes, text));
        }
        Ok(())
    }

    /// Counts an alias that stands for `target`.
    pub(super) fn alias(&mut self, target: Weight, depth: usize) -> Result<(), Refusal> {
        self.aliases += 1;
        if self.aliases > self.budget.max_aliases {
            let limit = self.budget.max_aliases;
            let text = format!("more than {limit} aliases in one file");
            return Err(Refusal(ErrorKind::Aliases, text));
        }
        let counted = self.node(target, depth);
        let too_much = self.total.bytes > self.budget.max_bytes as u64;
        if counted.is_err() || too_much {
            let text = "the aliases stand for more text than one file may hold".to_owned();
            return Err(Refusal(ErrorKind::Aliases, text));
        }
        Ok(())
    }
}

/// A limit passed: which, and in which words.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) ErrorKind, pub(super) String);
