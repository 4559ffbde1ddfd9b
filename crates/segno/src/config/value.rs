//! The value of a setting, and its spellings.

/// The value of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Unset,
    /// A text.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// A number.
    Count(u32),
    /// A list.
    Texts(Vec<String>),
}

impl Value {
    /// As JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Unset => serde_json::Value::Null,
            Self::Text(text) => text.as_str().into(),
            Self::Flag(flag) => (*flag).into(),
            Self::Count(count) => (*count).into(),
            Self::Texts(texts) => texts.clone().into(),
        }
    }

    /// As it is written in the file; `None` when there is nothing.
    pub fn to_toml(&self) -> Option<String> {
        Some(match self {
            Self::Unset => return None,
            Self::Text(text) => toml::Value::from(text.as_str()).to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Texts(texts) => toml::Value::from(texts.clone()).to_string(),
        })
    }

    /// As lines for a script: the bare text, a list one per line.
    pub fn to_lines(&self) -> Vec<String> {
        match self {
            Self::Unset => Vec::new(),
            Self::Text(text) => vec![text.clone()],
            Self::Flag(flag) => vec![flag.to_string()],
            Self::Count(count) => vec![count.to_string()],
            Self::Texts(texts) => texts.clone(),
        }
    }
}
