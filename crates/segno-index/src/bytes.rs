//! The few shapes of bytes that the index keeps in its rows: small numbers in few bytes, texts with their length.

/// Writes numbers and texts behind each other.
#[derive(Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits per byte, the lowest first.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push((number & 0x7f) as u8);
    }

    /// A number that may be negative; small ones of either sign take few bytes.
    pub(crate) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    pub(crate) fn fixed(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// A text that may be missing.
    pub(crate) fn maybe(&mut self, text: Option<&str>) {
        self.byte(u8::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }
}

/// Reads what [`Writer`] wrote. `None` where the bytes are not that: the row is then of no use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'b>(pub(crate) &'b [u8]);

impl<'b> Reader<'b> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    pub(crate) fn fixed(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    pub(crate) fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(crate) fn bytes(&mut self) -> Option<&'b [u8]> {
        let len = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }

    #[expect(
        clippy::option_option,
        reason = "what is not there is something else than what cannot be read"
    )]
    pub(crate) fn maybe(&mut self) -> Option<Option<&'b str>> {
        match self.byte()? {
            0 => Some(None),
            1 => Some(Some(self.text()?)),
            _ => None,
        }
    }
}

/// A hash that goes on where it stopped: to notice that the beginning of a file that grew is no longer the same.
/// Not for enemies: what it guards can be read by whoever could fool it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rolling {
    pub(crate) hash: u64,
    pub(crate) pending: u64,
    pub(crate) filled: u8,
}

impl Default for Rolling {
    fn default() -> Self {
        Self {
            hash: 0x9e37_79b9_7f4a_7c15,
            pending: 0,
            filled: 0,
        }
    }
}

impl Rolling {
    /// Takes more bytes in; where they were cut does not matter.
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        while self.filled != 0 {
            let Some((byte, rest)) = bytes.split_first() else {
                return;
            };
            self.one(*byte);
            bytes = rest;
        }
        while let Some((word, rest)) = bytes.split_first_chunk() {
            self.mix(u64::from_le_bytes(*word));
            bytes = rest;
        }
        for byte in bytes {
            self.one(*byte);
        }
    }

    fn one(&mut self, byte: u8) {
        self.pending |= u64::from(byte) << (8 * self.filled);
        self.filled += 1;
        if self.filled == 8 {
            self.mix(self.pending);
            (self.pending, self.filled) = (0, 0);
        }
    }

    fn mix(&mut self, word: u64) {
        self.hash = (self.hash ^ word)
            .wrapping_mul(0xff51_afd7_ed55_8ccd)
            .rotate_left(29);
    }

    /// The hash of one text.
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut rolling = Self::default();
        rolling.add(bytes);
        rolling.value()
    }

    /// The hash of all that was taken in.
    pub(crate) fn value(&self) -> u64 {
        let mut last = *self;
        last.mix(self.pending ^ u64::from(self.filled) << 56);
        last.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut out = Writer::default();
        for number in [0, 1, 127, 128, 300, u64::MAX] {
            out.number(number);
        }
        for number in [0, -1, 1, i64::MIN, i64::MAX] {
            out.signed(number);
        }
        out.fixed(7);
        out.text("été");
        out.maybe(None);
        out.maybe(Some("x"));
        let mut bytes = Reader(&out.0);
        for number in [0, 1, 127, 128, 300, u64::MAX] {
            assert_eq!(bytes.number(), Some(number));
        }
        for number in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(bytes.signed(), Some(number));
        }
        assert_eq!(bytes.fixed(), Some(7));
        assert_eq!(bytes.text(), Some("été"));
        assert_eq!(bytes.maybe(), Some(None));
        assert_eq!(bytes.maybe(), Some(Some("x")));
        assert!(bytes.is_empty());
        assert_eq!(bytes.byte(), None);
        assert_eq!(Reader(&[9, b'a']).text(), None, "cut off");
        assert_eq!(Reader(&[0xff; 11]).number(), None, "no number");
    }

    #[test]
    fn a_hash_does_not_depend_on_how_the_bytes_were_cut() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = Rolling::of(&bytes);
        for cut in 0..=100 {
            let mut rolling = Rolling::default();
            rolling.add(&bytes[..cut]);
            rolling.add(&bytes[cut..]);
            assert_eq!(rolling.value(), whole, "{cut}");
        }
        assert_ne!(Rolling::of(&bytes[..99]), whole);
        assert_ne!(Rolling::of(&[0]), Rolling::of(&[0, 0]));
    }
}
