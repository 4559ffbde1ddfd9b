//! The agents we know, and how each takes a first prompt and then stays for the conversation.

/// Name and command of every agent we know, in the order in which they are looked for.
pub const PRESETS: [(&str, &str); 5] = [
    ("claude", "claude {text}"),
    ("codex", "codex {text}"),
    ("gemini", "gemini -i {text}"),
    ("opencode", "opencode --prompt {text}"),
    ("qwen", "qwen -i {text}"),
];
