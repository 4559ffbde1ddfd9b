//! JSON Lines are read in bounded memory from either end, and every fault is told.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may say plainly what it expects"
)]

use proptest::prelude::*;
use segno_disk::{FileKind, ReadFile, Result, Stat};
use segno_store::text::json::{Style, Tree};
use segno_store::text::jsonl::{Fault, Line, Lines, Tail, style_of, to_line};

/// A file in memory that gives a few bytes at a time, as a disk may.
struct Bytes {
    bytes: Vec<u8>,
    at_once: usize,
}

fn file(bytes: impl AsRef<[u8]>) -> Bytes {
    Bytes {
        bytes: bytes.as_ref().to_vec(),
        at_once: usize::MAX,
    }
}

impl ReadFile for Bytes {
    fn stat(&self) -> Result<Stat> {
        Ok(Stat {
            kind: FileKind::File,
            len: self.bytes.len() as u64,
            modified_ns: 0,
            inode: 1,
            mode: 0o600,
        })
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        let rest = self
            .bytes
            .get(usize::try_from(offset).unwrap()..)
            .unwrap_or_default();
        let count = rest.len().min(buf.len()).min(self.at_once);
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// A line without its borrow: where it stands, whether it ended, what it holds.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    number: u64,
    range: std::ops::Range<u64>,
    next: u64,
    ended: bool,
    json: std::result::Result<String, Fault>,
}

fn seen(line: Line<'_>) -> Seen {
    Seen {
        number: line.number,
        range: line.range,
        next: line.next,
        ended: line.ended,
        json: line.json.map(str::to_owned),
    }
}

fn forward(file: &Bytes, max: usize) -> Vec<Seen> {
    let mut lines = Lines::new(file).with_max_line(max);
    let mut all = Vec::new();
    while let Some(line) = lines.next().unwrap() {
        all.push(seen(line));
    }
    all
}

fn backward(file: &Bytes, max: usize) -> Vec<Seen> {
    let mut tail = Tail::open(file).unwrap().with_max_line(max);
    let mut all = Vec::new();
    while let Some(line) = tail.next().unwrap() {
        all.push(seen(line));
    }
    all.reverse();
    all
}

#[test]
fn lines_come_with_their_place_and_blank_ones_count() {
    let text = "\u{feff}{\"a\":1}\r\n\n  \n{\"b\":2}\n{\"c\":3}";
    let line = |number, range: std::ops::Range<u64>, next, ended, json: &str| Seen {
        number,
        range,
        next,
        ended,
        json: Ok(json.to_owned()),
    };
    let expected = [
        line(1, 3..10, 12, true, "{\"a\":1}"),
        line(4, 16..23, 24, true, "{\"b\":2}"),
        line(5, 24..31, 31, false, "{\"c\":3}"),
    ];
    assert_eq!(forward(&file(text), 1 << 20), expected);
    let mut from_the_end = expected;
    for (line, number) in from_the_end.iter_mut().zip([5, 2, 1]) {
        line.number = number;
    }
    assert_eq!(backward(&file(text), 1 << 20), from_the_end);
}

#[test]
fn every_fault_is_told_and_stops_nothing() {
    let check = |line: &[u8], expected: Fault| {
        let whole = [b"{\"before\":1}\n", line, b"\n{\"after\":1}\n"].concat();
        for all in [forward(&file(&whole), 50), backward(&file(&whole), 50)] {
            let json: Vec<_> = all.into_iter().map(|line| line.json).collect();
            let expected = [
                Ok("{\"before\":1}".to_owned()),
                Err(expected.clone()),
                Ok("{\"after\":1}".to_owned()),
            ];
            assert_eq!(json, expected, "{}", String::from_utf8_lossy(line));
        }
    };
    let ends_inside = "the text ends inside a string";
    check(
        b"{\"a\": \"x",
        Fault::InvalidJson {
            column: 9,
            message: ends_inside,
        },
    );
    check(
        "\u{e9}".as_bytes(),
        Fault::InvalidJson {
            column: 1,
            message: "expected a value",
        },
    );
    check(b"{\"a\": \"\xe9\"}", Fault::NotUtf8 { column: 8 });
    check(b"{\"a\": \"\xe3\x81", Fault::NotUtf8 { column: 8 });
    check(b"{\"a\"\0\0\0", Fault::Nul { column: 5, run: 3 });
    check(b"\0\0{\"a\":1}", Fault::Nul { column: 1, run: 2 });
    check(&[b'x'; 60], Fault::TooLong { len: 60 });
    check(
        b"{\"a\":1}{\"b\":2}",
        Fault::Spliced {
            whole: 2,
            torn: false,
        },
    );
    check(
        b"{\"a\":1} {\"b\":2}{\"c",
        Fault::Spliced {
            whole: 2,
            torn: true,
        },
    );
    check(
        b"{\"a\":1}{\"b",
        Fault::Spliced {
            whole: 1,
            torn: true,
        },
    );
    check(
        b"{\"a\":1} x",
        Fault::InvalidJson {
            column: 9,
            message: "something follows the value",
        },
    );
}

#[test]
fn the_objects_of_a_spliced_line_can_be_had() {
    let source = file("{\"a\":1}{\"b\":[{}]} {\"c\n");
    let mut lines = Lines::new(&source);
    let line = lines.next().unwrap().unwrap();
    assert_eq!(line.objects(), ["{\"a\":1}", "{\"b\":[{}]}"]);
    assert_eq!(line.bytes, b"{\"a\":1}{\"b\":[{}]} {\"c");
}

#[test]
fn reading_goes_on_from_where_it_ended() {
    let mut source = file("{\"a\":1}\n{\"b\"");
    let resume = {
        let mut lines = Lines::new(&source);
        assert_eq!(lines.next().unwrap().unwrap().next, 8);
        let resume = lines.offset();
        assert!(!lines.next().unwrap().unwrap().ended);
        resume
    };
    source.bytes.extend_from_slice(b":2}\n{\"c\":3}\n");
    let mut lines = Lines::from_offset(&source, resume);
    assert_eq!(lines.next().unwrap().unwrap().json, Ok("{\"b\":2}"));
    assert_eq!(lines.next().unwrap().unwrap().json, Ok("{\"c\":3}"));
    assert_eq!(lines.next().unwrap(), None);
    source.bytes.extend_from_slice(b"{\"d\":4}\n");
    assert_eq!(
        Lines::from_offset(&source, 24)
            .next()
            .unwrap()
            .unwrap()
            .range,
        24..31
    );
    assert_eq!(
        Tail::before(&source, 24).next().unwrap().unwrap().range,
        16..23
    );
}

#[test]
fn lines_longer_than_a_block_are_read_and_longer_than_the_cap_passed_over() {
    let long = format!("\"{}\"", "y".repeat(700_000));
    let longer = format!("\"{}\"", "z".repeat(1_500_000));
    for at_once in [usize::MAX, 70_001] {
        let text = format!("1\n{longer}\n{long}\r\n2\n{longer}");
        let source = Bytes {
            at_once,
            ..file(text)
        };
        for all in [forward(&source, 1_000_000), backward(&source, 1_000_000)] {
            let json: Vec<_> = all.into_iter().map(|line| line.json).collect();
            let too_long = Err(Fault::TooLong { len: 1_500_002 });
            let expected = [
                Ok("1".to_owned()),
                too_long.clone(),
                Ok(long.clone()),
                Ok("2".to_owned()),
                too_long,
            ];
            assert!(json == expected);
        }
    }
}

#[test]
fn a_value_is_written_as_one_line_whatever_it_holds() {
    let spread = Tree::raw("{\n  \"n\": 1.10,\n  \"s\": \"a\\n, b: c\"\n}").unwrap();
    let value = Tree::object([("role", Tree::from("us\u{e9}r\n")), ("payload", spread)]);
    let check = |style, expected: &str| assert_eq!(to_line(&value, style), expected);
    check(
        Style::PYTHON_INDENTED,
        "{\"role\": \"us\\u00e9r\\n\", \"payload\": {\"n\": 1.10, \"s\": \"a\\n, b: c\"}}\n",
    );
    check(
        Style::COMPACT,
        "{\"role\":\"us\u{e9}r\\n\",\"payload\":{\"n\":1.10,\"s\":\"a\\n, b: c\"}}\n",
    );
}

#[test]
fn the_style_of_a_line_is_learnt_from_it() {
    let check =
        |line: &str, expected| assert_eq!(style_of(line, Style::COMPACT), expected, "{line}");
    check("{\"a\": 1}", Style::SPACED);
    check("{\"a\": \"\\u00e9\"}", Style::PYTHON_LINE);
    check("{\"a\":\"\u{e9}\"}", Style::COMPACT);
    check("[]", Style::COMPACT);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_directions_see_the_same_lines_and_lose_no_byte(
        parts in prop::collection::vec(prop_oneof![
            Just(b"\n".to_vec()), Just(b"\r\n".to_vec()), Just(b" ".to_vec()), Just(b"{\"a\":1}".to_vec()),
            Just(b"{\"a\":".to_vec()), Just(b"\0\0".to_vec()), Just(b"\xff".to_vec()), Just(b"[1, 2, 3]".to_vec()),
            Just(b"\xef\xbb\xbf".to_vec()),
        ], 0..30),
        at_once in 1..9usize,
        max in 1..20usize,
    ) {
        let source = Bytes { bytes: parts.concat(), at_once };
        let lines = forward(&source, max);
        let mut from_end = backward(&source, max);
        prop_assert_eq!(lines.len(), from_end.len());
        for (line, other) in lines.iter().zip(&mut from_end) {
            other.number = line.number;
        }
        prop_assert_eq!(&lines, &from_end);
        let mut covered = 0;
        for line in &lines {
            let gap = &source.bytes[usize::try_from(covered).unwrap()..usize::try_from(line.range.start).unwrap()];
            let gap = gap.strip_prefix(b"\xef\xbb\xbf").unwrap_or(gap);
            prop_assert!(gap.iter().all(u8::is_ascii_whitespace), "{:?}", gap);
            covered = line.range.end;
        }
        let rest = &source.bytes[usize::try_from(covered).unwrap()..];
        let rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
        prop_assert!(rest.iter().all(u8::is_ascii_whitespace));
    }
}
