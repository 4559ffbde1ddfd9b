//! Texts made to hurt: each is refused with its reason, in bounded time and on a small stack.

#![cfg(test)]

use std::fmt::Write as _;

use segno_store::text::yaml::{Budget, Doc, ErrorKind, YamlError};

/// Reads on a thread with a small stack, so that any recursion over the input shows.
fn read(text: String) -> Result<Doc, YamlError> {
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let thread = small
        .spawn(move || Doc::parse(text, &Budget::default()))
        .expect("a thread starts");
    thread.join().expect("reading never panics")
}

/// A mapping of so many different keys.
fn keys(count: usize) -> String {
    let mut text = String::new();
    for n in 0..count {
        writeln!(text, "k{n}: {n}").expect("a String takes all");
    }
    text
}

#[track_caller]
fn refused(text: impl Into<String>, kind: ErrorKind, line: u64, column: u64) -> String {
    let error = read(text.into()).expect_err("it is refused");
    assert_eq!(
        (error.kind, error.line, error.column),
        (kind, line, column),
        "{error}"
    );
    error.message
}

#[test]
fn deep_nesting_is_refused_at_the_level_where_it_becomes_too_deep() {
    for count in [10_000, 100_000] {
        refused("[".repeat(count), ErrorKind::TooDeep, 1, 130);
        refused("- ".repeat(count), ErrorKind::TooDeep, 1, 257);
        refused("? ".repeat(count), ErrorKind::TooDeep, 1, 257);
        for opener in ["{a: ", "[{", "- - ? "] {
            let error = read(opener.repeat(count)).unwrap_err();
            assert!(
                matches!(error.kind, ErrorKind::TooDeep | ErrorKind::Syntax),
                "{error}"
            );
        }
    }
    let mut indented = String::new();
    for level in 0..3_000 {
        writeln!(indented, "{}a:", " ".repeat(level)).unwrap();
    }
    assert_eq!(read(indented).unwrap_err().kind, ErrorKind::TooDeep);
}

#[test]
fn nesting_up_to_the_limit_is_read_copied_and_dropped() {
    let doc = read(format!("{}{}", "[".repeat(128), "]".repeat(128))).unwrap();
    let value = doc.root().to_value().unwrap();
    assert_eq!(value, doc.root().to_value().unwrap());
    refused(
        format!("{}{}", "[".repeat(129), "]".repeat(129)),
        ErrorKind::TooDeep,
        1,
        129,
    );
}

#[test]
fn aliases_that_stand_for_too_much_are_refused() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let below = format!("*a{}", level - 1);
        let row = vec![below; 9].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{row}]").unwrap();
    }
    assert_eq!(read(bomb).unwrap_err().kind, ErrorKind::Aliases);

    let mut quoted = format!("big: &big \"{}\"\nall:\n", "x".repeat(100_000));
    quoted.push_str(&"- *big\n".repeat(100_000));
    assert_eq!(read(quoted).unwrap_err().kind, ErrorKind::Aliases);

    let many = format!("a: &a 1\nall: [{}]\n", "*a, ".repeat(10_001));
    assert_eq!(read(many).unwrap_err().kind, ErrorKind::Aliases);

    // Each level is shallow, the chain of aliases is not.
    let mut chain = format!("a0: &a0 {}{}\n", "[".repeat(60), "]".repeat(60));
    for level in 1..50 {
        let (open, close) = ("[".repeat(60), "]".repeat(60));
        writeln!(chain, "a{level}: &a{level} {open}*a{}{close}", level - 1).unwrap();
    }
    assert_eq!(read(chain).unwrap_err().kind, ErrorKind::Aliases);

    refused("a: &a [1, *a]\n", ErrorKind::Aliases, 1, 11);
    refused("a: *nowhere\n", ErrorKind::Syntax, 1, 4);
}

#[test]
fn size_and_number_of_values_are_limited_and_the_limit_is_the_callers() {
    let text = "a: 1\n".to_owned();
    let error = Doc::parse(text.clone(), &Budget::with_bytes(4)).unwrap_err();
    assert_eq!(
        error.message,
        "the file has 5 bytes, more than the 4 allowed"
    );
    assert_eq!(error.kind, ErrorKind::TooLarge);
    let error = Doc::from_bytes(text.as_bytes(), &Budget::with_bytes(4)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooLarge);

    let huge = vec![b'a'; 100_000_000];
    let error = Doc::from_bytes(&huge, &Budget::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooLarge);
    assert!(error.message.contains("16777216"), "{error}");

    let few = Budget {
        max_nodes: 10,
        ..Budget::default()
    };
    let error = Doc::parse("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", &few).unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooManyNodes);
    assert!(Doc::parse("[1, 2, 3, 4, 5, 6, 7, 8, 9]", &few).is_ok());
}

#[test]
fn what_is_not_one_yaml_document_in_utf8_is_refused_with_its_place() {
    refused("a: 1\nb:\n  c: 1\n  c: 2\n", ErrorKind::DuplicateKey, 4, 3);
    refused("{a: 1, \"a\": 2}", ErrorKind::DuplicateKey, 1, 8);
    let many = keys(40);
    refused(format!("{many}k7: again\n"), ErrorKind::DuplicateKey, 41, 1);
    assert!(
        read("1: a\n\"1\": b\n".to_owned()).is_ok(),
        "a number and a text are two keys"
    );
    refused("a:\n\tb: 1\n", ErrorKind::Tabs, 2, 1);
    refused("a: 1\n\tb: 2\n", ErrorKind::Tabs, 2, 1);
    refused("a: 1\n---\nb: 2\n", ErrorKind::ManyDocuments, 2, 1);
    refused("a: 1\nb: \u{0}\u{1}\n", ErrorKind::Syntax, 2, 4);
    refused("title: Fix: the bug\n", ErrorKind::Syntax, 1, 11);
    refused("a: [1, 2\nb: 3\n", ErrorKind::Syntax, 2, 2);
    let check = |bytes: &[u8], line, column, says: &str| {
        let error = Doc::from_bytes(bytes, &Budget::default()).unwrap_err();
        assert_eq!(
            (error.kind, error.line, error.column),
            (ErrorKind::NotUtf8, line, column)
        );
        assert!(error.message.contains(says), "{error}");
    };
    check(b"a: 1\nb: caf\xE9\n", 2, 7, "0xE9");
    check(b"\xFF\xFEa\0", 1, 1, "UTF-16");
    check(b"\x89PNG\r\n\x1a\n\0", 1, 1, "0x89");
}

#[test]
fn long_and_odd_texts_cost_time_in_proportion() {
    let many = 300_000;
    let texts = [
        "a ".repeat(many / 2),
        format!("\"{}", "x".repeat(many)),
        format!("a: \"{}\"", "\u{e9}".repeat(many)),
        "#".repeat(many),
        "# c\n".repeat(many / 4),
        "\n".repeat(many),
        "- \n".repeat(many / 4),
        "- # c\n".repeat(many / 8),
        "a:\n".repeat(many / 4),
        "[],".repeat(many / 4),
        format!("[{}]", "a,".repeat(many / 4)),
        format!("a: |\n{}", "  x\n".repeat(many / 4)),
        format!("a: |\n{}", " \n".repeat(many / 4)),
        "&a ".repeat(many / 4),
        "!a ".repeat(many / 4),
        "? \n".repeat(many / 4),
        ": \n".repeat(many / 4),
        "'".repeat(many),
        "- |\n\n".repeat(many / 8),
        keys(50_000),
    ];
    for text in texts {
        // The runner's own patience is the clock: a quadratic reader would not come back.
        let start: String = text.chars().take(12).collect();
        if let Ok(doc) = read(text) {
            assert!(doc.root().line() >= 1, "{start:?}");
        }
    }
}
