//! Why operations were not accepted or not applied: what goes into the audit line and to the user.

/// What sort of failure, for programs to branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The operations are not what the format takes.
    Invalid,
    /// Contract, context or the state of the plan forbid them.
    Refused,
    /// Something that an operation names is not in the plan.
    NotFound,
    /// The discussion did not end in operations.
    NothingToReplay,
    /// Files of the session that are needed cannot be read.
    Damaged,
    /// Files of the plan that are needed cannot be read.
    DamagedPlan,
    /// Somebody else holds the repository's lock.
    Busy,
    /// The disk failed or refused.
    Disk,
}

/// Why operations were not accepted or not applied. Nothing of the plan has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What sort.
    pub kind: FailureKind,
    /// What is wrong.
    pub message: String,
    /// More about it, where there is more.
    pub details: Option<String>,
}

impl Failure {
    /// A failure of a sort.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            details: None,
        }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Invalid, message)
    }

    pub(super) fn refused(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Refused, message)
    }

    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new(FailureKind::NotFound, message)
    }

    pub(super) fn nothing_to_replay(message: impl Into<String>) -> Self {
        Self::new(FailureKind::NothingToReplay, message)
    }

    pub(super) fn damaged_plan(message: impl Into<String>) -> Self {
        Self::new(FailureKind::DamagedPlan, message)
    }

    pub(super) fn damaged(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Damaged, message)
    }

    /// The same, with more about it.
    #[must_use]
    pub fn with_details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }
}
