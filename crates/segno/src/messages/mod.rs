//! What the program says to people, in English, French and Japanese.
//!
//! A [`Message`] is a key and its arguments ([`crate::msg!`]); the [`Catalogue`] words it. The texts are Fluent files,
//! `messages/<language>/<topic>.ftl`; the part of a key before its first hyphen names its topic, and only the file of
//! that topic is parsed, when its first message is asked for. A key that a language lacks falls back to English.
//!
//! What the store says (`segno_store::phrase!`) has its key here too, and is worded like any other message.
//!
//! Tests at the end of the crate hold the three languages to the same keys and variables, and the code to keys that
//! exist.

mod lang;
mod message;

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

pub use lang::Lang;
pub use message::{Arg, Message, Text};

/// One topic: the same messages in every language.
#[derive(Debug)]
pub struct Topic {
    /// Its name, which its keys begin with.
    pub name: &'static str,
    sources: [&'static str; 3],
}

macro_rules! topics {
    ($($name:literal),* $(,)?) => {
        /// All topics. A new one is a line here and a file per language.
        pub const TOPICS: &[Topic] = &[$(Topic {
            name: $name,
            sources: [
                include_str!(concat!("en/", $name, ".ftl")),
                include_str!(concat!("fr/", $name, ".ftl")),
                include_str!(concat!("ja/", $name, ".ftl")),
            ],
        }),*];
    };
}

topics![
    "brainstorm",
    "brief",
    "card",
    "common",
    "config",
    "conversation",
    "dashboard",
    "discuss",
    "errors",
    "essay",
    "export",
    "frame",
    "handover",
    "index",
    "list",
    "picker",
    "resume",
    "rules",
    "search",
    "show",
    "stop",
    "time",
    "tools",
    "tour",
    "upkeep",
];

type Bundle = FluentBundle<FluentResource>;

/// The texts of one language, parsed as they are needed.
pub struct Catalogue {
    lang: Lang,
    own: Vec<OnceLock<Bundle>>,
    english: Vec<OnceLock<Bundle>>,
}

impl Catalogue {
    /// The catalogue of a language. Parses nothing yet.
    pub fn new(lang: Lang) -> Self {
        let slots = || TOPICS.iter().map(|_| OnceLock::new()).collect();
        Self {
            lang,
            own: slots(),
            english: slots(),
        }
    }

    /// Its language.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Words a message. A key that no language has comes back as itself: the tests do not let it come to that.
    pub fn say(&self, message: &Message) -> String {
        word(message, self.lang, &self.own)
            .or_else(|| word(message, Lang::En, &self.english))
            .unwrap_or_else(|| message.key.to_owned())
    }

    /// Words a text: a message is looked up, anything else is given back as it is.
    pub fn text(&self, text: &Text) -> String {
        match text {
            Text::Message(message) => self.say(message),
            Text::Plain(plain) => plain.clone(),
        }
    }
}

/// Words a message in one language; `None` when the language lacks it.
fn word(message: &Message, lang: Lang, slots: &[OnceLock<Bundle>]) -> Option<String> {
    let (name, _) = message.key.split_once('-')?;
    let place = TOPICS.iter().position(|topic| topic.name == name)?;
    let topic = TOPICS.get(place)?;
    let bundle = slots.get(place)?.get_or_init(|| parse(topic, lang));
    let pattern = bundle.get_message(message.key)?.value()?;
    let mut args = FluentArgs::with_capacity(message.args.len());
    for (name, arg) in &message.args {
        args.set(*name, arg.to_fluent());
    }
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&args), &mut errors);
    debug_assert!(errors.is_empty(), "{}: {errors:?}", message.key);
    Some(text.into_owned())
}

fn parse(topic: &Topic, lang: Lang) -> Bundle {
    let mut bundle = Bundle::new_concurrent(vec![lang.id()]);
    // The marks around arguments are for mixed-direction layout; terminals print them as boxes.
    bundle.set_use_isolating(false);
    let [en, fr, ja] = topic.sources;
    let source = match lang {
        Lang::En => en,
        Lang::Fr => fr,
        Lang::Ja => ja,
    };
    // A file with a mistake still gives its other messages; a test finds the mistake.
    let resource = match FluentResource::try_new(source.to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource_overriding(resource);
    bundle
}

#[cfg(test)]
mod tests;
