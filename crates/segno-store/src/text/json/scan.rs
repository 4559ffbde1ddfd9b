//! The scanner: finds where JSON values begin and end, without recursion and without building anything.
//!
//! It accepts the grammar of RFC 8259 and nothing more, with one reading of it that matters here: an escape such as
//! `\ud83d` is four hexadecimal digits, paired or not. What is made of the spans is the [`Sink`]'s business.

use super::error::JsonError;
use super::value::Kind;

/// Is told of the values in the order of the text.
pub(super) trait Sink {
    /// An object or array begins at a byte.
    fn open(&mut self, kind: Kind, at: usize) -> Result<(), &'static str>;
    /// A member's key or any value that holds no others.
    fn scalar(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), &'static str>;
    /// The innermost open object or array ends before a byte.
    fn close(&mut self, end: usize);
}

/// Listens to nothing: the scanner only checks.
struct Deaf;

impl Sink for Deaf {
    fn open(&mut self, _: Kind, _: usize) -> Result<(), &'static str> {
        Ok(())
    }
    fn scalar(&mut self, _: Kind, _: usize, _: usize) -> Result<(), &'static str> {
        Ok(())
    }
    fn close(&mut self, _: usize) {}
}

/// A byte that cannot stand where it stands.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) at: usize,
    pub(super) message: &'static str,
}

type Scanned = Result<usize, Stop>;

/// Checks that the bytes are one JSON value with nothing but space around it.
///
/// The bytes of strings are not checked to be UTF-8.
pub fn check(bytes: &[u8]) -> Result<(), JsonError> {
    whole(bytes, 0, &mut Deaf).map_err(|stop| JsonError::at(bytes, stop.at, stop.message))
}

/// Checks that the bytes begin with one JSON value, space before it allowed, and says where it ends.
pub fn check_prefix(bytes: &[u8]) -> Result<usize, JsonError> {
    value(bytes, 0, &mut Deaf).map_err(|stop| JsonError::at(bytes, stop.at, stop.message))
}

/// Scans one value and the space around it, up to the end of the bytes.
pub(super) fn whole(bytes: &[u8], start: usize, sink: &mut impl Sink) -> Result<(), Stop> {
    let end = skip_space(bytes, value(bytes, start, sink)?);
    match bytes.get(end) {
        None => Ok(()),
        Some(_) => stop(end, "something follows the value"),
    }
}

/// Scans one value and says where it ends.
pub(super) fn value(bytes: &[u8], start: usize, sink: &mut impl Sink) -> Scanned {
    let mut open: Vec<Kind> = Vec::new();
    let mut pos = skip_space(bytes, start);
    loop {
        let Some(&byte) = bytes.get(pos) else {
            return stop(pos, "the text ends where a value should be");
        };
        pos = match byte {
            b'{' => {
                told(sink.open(Kind::Object, pos), pos)?;
                let inside = skip_space(bytes, pos + 1);
                if bytes.get(inside) != Some(&b'}') {
                    open.push(Kind::Object);
                    pos = key(bytes, inside, sink)?;
                    continue;
                }
                sink.close(inside + 1);
                inside + 1
            }
            b'[' => {
                told(sink.open(Kind::Array, pos), pos)?;
                let inside = skip_space(bytes, pos + 1);
                if bytes.get(inside) != Some(&b']') {
                    open.push(Kind::Array);
                    pos = inside;
                    continue;
                }
                sink.close(inside + 1);
                inside + 1
            }
            _ => scalar(bytes, pos, byte, sink)?,
        };
        // A value ends here: so may any number of the containers around it.
        loop {
            let Some(&container) = open.last() else {
                return Ok(pos);
            };
            pos = skip_space(bytes, pos);
            match (container, bytes.get(pos)) {
                (Kind::Object, Some(b',')) => {
                    pos = key(bytes, skip_space(bytes, pos + 1), sink)?;
                    break;
                }
                (_, Some(b',')) => {
                    pos = skip_space(bytes, pos + 1);
                    break;
                }
                (Kind::Object, Some(b'}')) | (Kind::Array, Some(b']')) => {
                    pos += 1;
                    open.pop();
                    sink.close(pos);
                }
                (_, None) => return stop(pos, "the text ends inside an object or array"),
                (Kind::Object, Some(_)) => return stop(pos, "expected `,` or `}`"),
                (_, Some(_)) => return stop(pos, "expected `,` or `]`"),
            }
        }
    }
}

/// The first byte at or after `pos` that is no space.
pub(super) fn skip_space(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(pos) {
        pos += 1;
    }
    pos
}

/// Scans a key and its colon, up to where the member's value begins.
fn key(bytes: &[u8], pos: usize, sink: &mut impl Sink) -> Scanned {
    match bytes.get(pos) {
        Some(b'"') => {}
        None => return stop(pos, "the text ends inside an object"),
        Some(b'}') => return stop(pos, "a comma stands before `}`; take it out"),
        Some(b'\'') => return stop(pos, "JSON strings stand in double quotes"),
        Some(_) => return stop(pos, "expected a key in double quotes"),
    }
    let end = string_end(bytes, pos + 1)?;
    told(sink.scalar(Kind::String, pos, end), pos)?;
    let colon = skip_space(bytes, end);
    match bytes.get(colon) {
        Some(b':') => Ok(skip_space(bytes, colon + 1)),
        None => stop(colon, "the text ends behind a key"),
        Some(_) => stop(colon, "expected `:` behind the key"),
    }
}

/// Scans a string, number or word.
fn scalar(bytes: &[u8], pos: usize, first: u8, sink: &mut impl Sink) -> Scanned {
    let (kind, end) = match first {
        b'"' => (Kind::String, string_end(bytes, pos + 1)?),
        b'-' | b'0'..=b'9' => (Kind::Number, number_end(bytes, pos)?),
        b't' => (Kind::Bool, word(bytes, pos, "true")?),
        b'f' => (Kind::Bool, word(bytes, pos, "false")?),
        b'n' => (Kind::Null, word(bytes, pos, "null")?),
        b'N' | b'I' => return stop(pos, "`NaN` and `Infinity` are not JSON"),
        b'\'' => return stop(pos, "JSON strings stand in double quotes"),
        b']' => return stop(pos, "a value is missing before `]`"),
        b',' => return stop(pos, "a value is missing before `,`"),
        b'}' => return stop(pos, "a value is missing before `}`"),
        0 => return stop(pos, "a NUL byte stands where a value should be"),
        _ => return stop(pos, "expected a value"),
    };
    told(sink.scalar(kind, pos, end), pos)?;
    Ok(end)
}

/// The end of a string whose opening quote stands before `pos`.
fn string_end(bytes: &[u8], mut pos: usize) -> Scanned {
    loop {
        while let Some(chunk) = bytes.get(pos..).and_then(|rest| rest.first_chunk::<8>()) {
            let marks = special_bytes(u64::from_le_bytes(*chunk));
            if marks != 0 {
                pos += (marks.trailing_zeros() / 8) as usize;
                break;
            }
            pos += 8;
        }
        pos = match bytes.get(pos) {
            Some(b'"') => return Ok(pos + 1),
            Some(b'\\') => escape_end(bytes, pos)?,
            Some(..0x20) => return stop(pos, "a control character stands inside a string"),
            Some(_) => pos + 1,
            None => return stop(pos, "the text ends inside a string"),
        };
    }
}

/// Marks the high bit of each byte that is a quote, a backslash or a control character.
///
/// The lowest mark is always true; marks above it may not be, because subtraction borrows.
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5c);
    let is_quote = quote.wrapping_sub(ONES) & !quote;
    let is_backslash = backslash.wrapping_sub(ONES) & !backslash;
    let is_control = word.wrapping_sub(ONES * 0x20) & !word;
    (is_quote | is_backslash | is_control) & HIGH
}

fn escape_end(bytes: &[u8], pos: usize) -> Scanned {
    match bytes.get(pos + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(pos + 2),
        Some(b'u') => {
            let digits = bytes.get(pos + 2..).unwrap_or_default().iter().take(4);
            match digits.take_while(|digit| digit.is_ascii_hexdigit()).count() {
                4 => Ok(pos + 6),
                short if bytes.len() <= pos + 2 + short => {
                    stop(bytes.len(), "the text ends inside a string")
                }
                short => stop(pos + 2 + short, "`\\u` needs four hexadecimal digits"),
            }
        }
        None => stop(pos + 1, "the text ends inside a string"),
        Some(_) => stop(pos + 1, "no such escape in JSON"),
    }
}

fn number_end(bytes: &[u8], start: usize) -> Scanned {
    let digits = |pos: usize| -> Scanned {
        let more = bytes.get(pos..).unwrap_or_default();
        match more.iter().take_while(|byte| byte.is_ascii_digit()).count() {
            0 => stop(pos, "a digit is missing"),
            count => Ok(pos + count),
        }
    };
    let mut pos = start + usize::from(bytes.get(start) == Some(&b'-'));
    if bytes.get(pos) == Some(&b'0') {
        pos += 1;
        if bytes.get(pos).is_some_and(u8::is_ascii_digit) {
            return stop(pos, "a number cannot begin with 0");
        }
    } else {
        pos = digits(pos)?;
    }
    if bytes.get(pos) == Some(&b'.') {
        pos = digits(pos + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(pos) {
        let sign = usize::from(matches!(bytes.get(pos + 1), Some(b'+' | b'-')));
        pos = digits(pos + 1 + sign)?;
    }
    Ok(pos)
}

fn word(bytes: &[u8], pos: usize, word: &str) -> Scanned {
    let rest = bytes.get(pos..).unwrap_or_default();
    if rest.starts_with(word.as_bytes()) {
        Ok(pos + word.len())
    } else {
        stop(pos, "expected `true`, `false` or `null`")
    }
}

fn told(answer: Result<(), &'static str>, at: usize) -> Result<(), Stop> {
    answer.map_err(|message| Stop { at, message })
}

fn stop<T>(at: usize, message: &'static str) -> Result<T, Stop> {
    Err(Stop { at, message })
}
