//! Records of a YAML file: read field by field, and written back as the differences alone.
//!
//! A record is declared once, with its keys in the document's order. Reading never fails: what has the wrong type is a
//! problem and reads as absent. Writing compares the record as it was read with the record as it shall be and edits only
//! the fields that differ, so that comments, layout and keys this program does not know stay as they are.

mod field;
mod patch;

use segno_disk::RelPath;

use super::problems;
use crate::session::Problem;
use crate::text::yaml::{Map, Node, YamlError};

pub(super) use field::Field;
pub use field::{Applied, Counts, Slugs};
pub(super) use patch::{Patch, Path};

/// Collects what is wrong while fields are read.
#[derive(Debug)]
pub(super) struct Reader {
    file: RelPath,
    pub(super) problems: Vec<Problem>,
}

impl Reader {
    pub(super) fn new(file: RelPath) -> Self {
        Self {
            file,
            problems: Vec::new(),
        }
    }

    fn bad(&mut self, node: Node<'_>, key: &str, wanted: &str) {
        if self.problems.len() == problems::MANY {
            return;
        }
        let shown: String = node.raw().chars().take(40).collect();
        self.problems.push(
            Problem::new(problems::BAD_VALUE, self.file.clone())
                .line(node.line())
                .found(format!("`{key}` is `{shown}`, not {wanted}"))
                .manual(format!("correct `{key}` by hand")),
        );
    }
}

/// A mapping with known keys.
pub(super) trait Record: Clone + Default + PartialEq {
    /// Reads all known fields and keeps the unknown ones.
    fn read(node: Node<'_>, reader: &mut Reader) -> Self;

    /// True when the other is this record, changed or not.
    fn is_same(&self, other: &Self) -> bool;

    /// The whole record, known keys first.
    fn to_map(&self) -> Map;

    /// Writes the fields that differ.
    fn diff<'d>(
        old: &Self,
        new: &Self,
        patch: &mut Patch<'d>,
        node: Node<'d>,
        path: &mut Path,
    ) -> Result<(), YamlError>;
}

/// What a record holds that this program does not know.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extra {
    /// Unknown keys and their values.
    pub keys: Map,
    /// True when some unknown part has no plain form (a tag, a mapping as a key): the record can stay, not move.
    pub is_opaque: bool,
}

impl Extra {
    pub(super) fn keep(&mut self, key: Node<'_>, value: Node<'_>) {
        match (key.to_value(), value.to_value()) {
            // A document has no key twice: nothing is searched for, however many there are.
            (Ok(key), Ok(value)) => self.keys.append(key, value),
            _ => self.is_opaque = true,
        }
    }
}

/// Declares a record: the fields that identify it, then each field with its type and the key it stands under, in the
/// document's order.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident [$($identity:ident),*] {
        $($(#[$field_meta:meta])* $field:ident: $type:ty = $key:literal,)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            /// What the file has here beyond the fields above.
            pub extra: $crate::formats::brainstorm::record::Extra,
        }

        impl $crate::formats::brainstorm::record::Record for $name {
            fn read(
                node: $crate::text::yaml::Node<'_>,
                reader: &mut $crate::formats::brainstorm::record::Reader,
            ) -> Self {
                let mut read = Self::default();
                for (key, value) in node.entries() {
                    match key.as_str() {
                        $(Some($key) => {
                            read.$field = $crate::formats::brainstorm::record::Field::read(value, $key, reader);
                        })*
                        _ => read.extra.keep(key, value),
                    }
                }
                read
            }

            fn is_same(&self, other: &Self) -> bool {
                // What had no number may have been given one: it is still the same, and stays where it is.
                self.extra == other.extra
                    $(&& (self.$identity.is_none() || self.$identity == other.$identity))*
            }

            fn to_map(&self) -> $crate::text::yaml::Map {
                let mut map = $crate::text::yaml::Map::new();
                $(if let Some(value) = $crate::formats::brainstorm::record::Field::value(&self.$field) {
                    map.insert($key, value);
                })*
                for (key, value) in self.extra.keys.iter() {
                    map.append(key.clone(), value.clone());
                }
                map
            }

            fn diff<'d>(
                old: &Self,
                new: &Self,
                patch: &mut $crate::formats::brainstorm::record::Patch<'d>,
                node: $crate::text::yaml::Node<'d>,
                path: &mut $crate::formats::brainstorm::record::Path,
            ) -> Result<(), $crate::text::yaml::YamlError> {
                let mut before = None;
                $(patch.field(node, path, $key, &mut before, (&old.$field, &new.$field))?;)*
                Ok(())
            }
        }
    };
}

/// Declares the words of an enumerated field.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_meta])* $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word in the file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The one of this name.
            pub fn named(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl $crate::formats::brainstorm::record::Field for Option<$name> {
            fn read(
                node: $crate::text::yaml::Node<'_>,
                key: &'static str,
                reader: &mut $crate::formats::brainstorm::record::Reader,
            ) -> Self {
                $crate::formats::brainstorm::record::word(node, key, reader, $name::named, &[$($word),*])
            }

            fn value(&self) -> Option<$crate::text::yaml::Value> {
                self.map(|one| one.name().into())
            }
        }
    };
}

pub(super) use {record, words};

/// Reads one of the given words.
pub(super) fn word<T>(
    node: Node<'_>,
    key: &'static str,
    reader: &mut Reader,
    named: impl Fn(&str) -> Option<T>,
    all: &[&str],
) -> Option<T> {
    if node.is_null() {
        return None;
    }
    let found = node.as_str().and_then(|text| named(text.trim()));
    if found.is_none() {
        reader.bad(node, key, &format!("one of {}", all.join(", ")));
    }
    found
}
