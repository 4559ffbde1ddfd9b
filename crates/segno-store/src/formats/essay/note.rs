//! What a verb says beside its answer. Values, not sentences: whoever shows them words them in the user's language.

use super::schema::Score;

/// What was done beyond what was asked, or should be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The version before is kept under this name.
    VersionKept {
        /// The name.
        name: String,
    },
    /// A section stays in progress: its argument map is not approved.
    MapNotApproved {
        /// Which section.
        section: u64,
    },
    /// The draft ends with this paragraph already; nothing was added.
    ParagraphThere,
    /// This claim waits for its verification already.
    ClaimWaits,
    /// This claim is settled already.
    ClaimSettled,
    /// So many claims wait for a verification.
    ClaimsOpen {
        /// How many.
        count: u64,
    },
    /// What a voice score asks for.
    Voice(VoiceAction),
}

impl Note {
    /// A stable word for it.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::VersionKept { .. } => "version_kept",
            Self::MapNotApproved { .. } => "map_not_approved",
            Self::ParagraphThere => "paragraph_there",
            Self::ClaimWaits => "claim_waits",
            Self::ClaimSettled => "claim_settled",
            Self::ClaimsOpen { .. } => "claims_open",
            Self::Voice(VoiceAction::Proceed) => "voice_proceed",
            Self::Voice(VoiceAction::ProceedWithNotes) => "voice_proceed_with_notes",
            Self::Voice(VoiceAction::Ask) => "voice_ask",
            Self::Voice(VoiceAction::Flag) => "voice_flag",
            Self::Voice(VoiceAction::Pause) => "voice_pause",
        }
    }
}

/// What a voice score asks for: 5 proceed, 4 proceed with notes, 3 ask, 2 flag, 1 pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceAction {
    /// The voice is consistent.
    Proceed,
    /// The voice is close.
    ProceedWithNotes,
    /// The voice is uneven: the author is asked whether to revise.
    Ask,
    /// The voice is off: the author is shown where.
    Flag,
    /// The voice is not the author's.
    Pause,
}

impl VoiceAction {
    /// What a score asks for; a fraction counts as the nearest whole score.
    pub fn of(score: Score) -> Self {
        match score.0 {
            s if s >= 4.5 => Self::Proceed,
            s if s >= 3.5 => Self::ProceedWithNotes,
            s if s >= 2.5 => Self::Ask,
            s if s >= 1.5 => Self::Flag,
            _ => Self::Pause,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_voice_score_asks_for_what_the_pipeline_says() {
        for (score, expected) in [
            (5.0, VoiceAction::Proceed),
            (4.0, VoiceAction::ProceedWithNotes),
            (3.0, VoiceAction::Ask),
            (2.0, VoiceAction::Flag),
            (1.0, VoiceAction::Pause),
            (4.4, VoiceAction::ProceedWithNotes),
        ] {
            assert_eq!(VoiceAction::of(Score(score)), expected, "{score}");
        }
    }
}
