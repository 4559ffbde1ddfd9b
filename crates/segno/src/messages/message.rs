//! A message before it is worded: a key and its arguments.

use fluent_bundle::FluentValue;
use segno_disk::RelPath;
use segno_store::phrase::Phrase;
use segno_store::session::{Kind, SessionId};

use crate::cli::neutral;

/// A key of the catalogue and its arguments. Made by [`crate::msg!`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Message {
    pub(super) key: &'static str,
    pub(super) args: Vec<(&'static str, Arg)>,
}

impl Message {
    /// A message without arguments.
    pub fn new(key: &'static str) -> Self {
        Self {
            key,
            args: Vec::new(),
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Arg>) -> Self {
        self.args.push((name, value.into()));
        self
    }
}

/// Makes a [`Message`]: `msg!("time-hours", n = 2)`. The key is written out, so that a test finds every key in use.
#[macro_export]
macro_rules! msg {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::messages::Message::new($key)$(.with(stringify!($name), $value))*
    };
}

/// An argument of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Arg {
    /// Text, which may come from a file: it is made harmless and kept on one line when it is worded.
    Text(String),
    /// A number, which plurals depend on.
    Number(u64),
}

impl Arg {
    pub(super) fn to_fluent(&self) -> FluentValue<'_> {
        match self {
            Self::Text(text) => FluentValue::from(neutral::line(text)),
            Self::Number(number) => FluentValue::from(*number),
        }
    }
}

/// Words for a person: a message of the catalogue, or text that is what it is in every language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Text {
    /// A message of the catalogue.
    Message(Message),
    /// Text as it is.
    Plain(String),
}

/// What the store says, by its key.
impl From<Phrase> for Message {
    fn from(phrase: Phrase) -> Self {
        let arg = |(name, value): &(&'static str, String)| (*name, Arg::Text(value.clone()));
        Self {
            key: phrase.key(),
            args: phrase.args().iter().map(arg).collect(),
        }
    }
}

impl From<Message> for Text {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Plain(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Plain(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

macro_rules! text_args {
    ($($type:ty),*) => {
        $(impl From<$type> for Arg {
            fn from(value: $type) -> Self {
                Self::Text(value.to_string())
            }
        })*
    };
}

text_args!(&str, &String, Kind, &RelPath, &SessionId);

impl From<u64> for Arg {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Arg {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Arg {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}
