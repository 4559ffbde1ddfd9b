//! A line of output before it is written: pieces of text, each with its role. The terminal's colours are not in it.

use anstyle::{AnsiColor, Style};

use super::neutral;
use crate::messages::{Catalogue, Message, Text};

/// What a piece of text is, from which its colour follows. The text must read as well without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Running text.
    Plain,
    /// A title, a key.
    Strong,
    /// Of lesser interest.
    Dim,
    /// Success, advice.
    Good,
    /// Wants attention.
    Warn,
    /// An error, damage.
    Bad,
    /// Something to type: a command, an id.
    Accent,
}

impl Role {
    /// Its style on a terminal.
    pub(super) const fn style(self) -> Style {
        let style = Style::new();
        match self {
            Self::Plain => style,
            Self::Strong => style.bold(),
            Self::Dim => style.dimmed(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Warn => AnsiColor::Yellow.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Accent => AnsiColor::Cyan.on_default(),
        }
    }
}

/// A line of output: pieces of text with their roles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line(Vec<(Role, Text)>);

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a piece in a role.
    #[must_use]
    pub fn add(mut self, role: Role, text: impl Into<Text>) -> Self {
        self.0.push((role, text.into()));
        self
    }

    /// Adds running text.
    #[must_use]
    pub fn plain(self, text: impl Into<Text>) -> Self {
        self.add(Role::Plain, text)
    }

    /// The text alone, made harmless.
    pub fn to_text(&self, catalogue: &Catalogue) -> String {
        self.render(catalogue, false)
    }

    /// The text, made harmless, with colours where they are wanted.
    pub(super) fn render(&self, catalogue: &Catalogue, colour: bool) -> String {
        let mut out = String::new();
        for (role, text) in &self.0 {
            let words = catalogue.text(text);
            let words = neutral::block(&words);
            if colour && *role != Role::Plain {
                let style = role.style();
                out.push_str(&style.render().to_string());
                out.push_str(&words);
                out.push_str(&style.render_reset().to_string());
            } else {
                out.push_str(&words);
            }
        }
        out
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Self::new().plain(text)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self::new().plain(text)
    }
}

impl From<Message> for Line {
    fn from(message: Message) -> Self {
        Self::new().plain(message)
    }
}

impl From<Text> for Line {
    fn from(text: Text) -> Self {
        Self::new().plain(text)
    }
}
