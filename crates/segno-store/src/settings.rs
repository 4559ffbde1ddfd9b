//! What a person can configure about sessions, as plain values with their defaults.
//!
//! The binary reads `.segno/config.toml` and the user's configuration into this; the formats only see the values.

/// All settings that sessions depend on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Settings of conversations.
    pub conversation: ConversationSettings,
    /// Settings of brainstorms.
    pub brainstorm: BrainstormSettings,
    /// Settings of essays.
    pub essay: EssaySettings,
    /// Settings of handovers.
    pub handover: HandoverSettings,
}

/// Settings of conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationSettings {
    /// Minutes without activity after which an active conversation counts as paused.
    pub auto_pause_minutes: u32,
}

impl Default for ConversationSettings {
    fn default() -> Self {
        Self {
            auto_pause_minutes: 5,
        }
    }
}

/// Settings of brainstorms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrainstormSettings {
    /// Days that a completed or abandoned session is kept.
    pub retention_days: u32,
}

impl Default for BrainstormSettings {
    fn default() -> Self {
        Self { retention_days: 30 }
    }
}

/// Settings of essays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EssaySettings {
    /// Where sessions are looked for, relative to the workspace; new ones are made in the first.
    pub roots: Vec<String>,
}

impl Default for EssaySettings {
    fn default() -> Self {
        Self {
            roots: vec!["essays".to_owned()],
        }
    }
}

/// Settings of handovers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoverSettings {
    /// The handover directory, relative to the workspace; `None` looks for `.claude/sdd/handover`, then `.sdd/handover`.
    pub dir: Option<String>,
    /// The role this program writes as.
    pub role: String,
    /// The command that runs the project's tests, when polish should run it.
    pub test_command: Option<String>,
    /// How many decisions a resume reads.
    pub recent_decisions: u32,
}

impl Default for HandoverSettings {
    fn default() -> Self {
        Self {
            dir: None,
            role: "lead".to_owned(),
            test_command: None,
            recent_decisions: 20,
        }
    }
}
