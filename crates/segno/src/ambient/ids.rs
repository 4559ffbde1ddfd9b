//! Fresh ids: random, or in tests made from a seed and the clock.

use jiff::Timestamp;
use uuid::Uuid;

/// A source of fresh ids.
#[derive(Debug)]
pub struct Ids(Option<u64>);

impl Ids {
    /// Ids from the system's random numbers.
    pub fn system() -> Self {
        Self(None)
    }

    /// Ids that the seed and the moment decide: each command of a test, one second after the other, gets its own.
    pub fn seeded(seed: u64, now: Timestamp) -> Self {
        let moment = now.as_microsecond().cast_unsigned();
        Self(Some(scramble(seed ^ scramble(moment))))
    }

    /// A random (version 4) UUID.
    pub fn uuid(&mut self) -> Uuid {
        let Some(high) = self.next() else {
            return Uuid::new_v4();
        };
        let low = self.next().unwrap_or_default();
        uuid::Builder::from_random_bytes(Uuid::from_u64_pair(high, low).into_bytes()).into_uuid()
    }

    /// `len` random lower-case hexadecimal digits, at most 32.
    pub fn hex(&mut self, len: usize) -> String {
        // The last 12 digits of a version 4 UUID are all random; the first 8 as well.
        let all = format!("{}{}", self.uuid().simple(), self.uuid().simple());
        all.chars()
            .enumerate()
            .filter(|(place, _)| !(8..20).contains(&(place % 32)))
            .map(|(_, digit)| digit)
            .take(len.min(32))
            .collect()
    }

    fn next(&mut self) -> Option<u64> {
        let state = self.0.as_mut()?;
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        Some(scramble(*state))
    }
}

/// The seed that a text stands for.
pub(super) fn seed(text: &str) -> u64 {
    text.bytes().fold(0, |seed, byte| {
        scramble(seed ^ u64::from(byte)) ^ seed.rotate_left(8)
    })
}

/// The finishing step of the `SplitMix64` generator.
fn scramble(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_ids_again_and_each_second_others() {
        let at = |second: i64| Ids::seeded(7, Timestamp::from_second(second).unwrap());
        let first = at(100).uuid();
        assert_eq!(first, at(100).uuid());
        assert_ne!(first, at(101).uuid());
        let mut ids = at(100);
        assert_ne!(ids.uuid(), ids.uuid());
        assert_eq!(first.get_version_num(), 4);
    }

    #[test]
    fn different_texts_are_different_seeds() {
        let texts = ["1", "2", "12", "21", "11", "a story"];
        let seeds: std::collections::BTreeSet<u64> = texts.map(seed).into();
        assert_eq!(seeds.len(), texts.len());
    }

    #[test]
    fn hexadecimal_ids_have_the_length_asked_for() {
        for mut ids in [Ids::system(), Ids::seeded(1, Timestamp::UNIX_EPOCH)] {
            for len in [0, 6, 20, 32] {
                let id = ids.hex(len);
                assert_eq!(id.len(), len);
                assert!(id.chars().all(|digit| digit.is_ascii_hexdigit()));
            }
            assert_ne!(ids.hex(12), ids.hex(12));
        }
    }
}
