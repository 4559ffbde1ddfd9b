//! What the printer writes, every reader reads back as the same data: old and new, strict and lenient.

#![cfg(test)]

mod yaml_oracles;

use segno_store::text::yaml::{Budget, Doc, Map, Page, Strings, Style, Value, to_text};
use yaml_oracles::{Case, agree, disagreements};

/// Strings that some reader somewhere takes for something else, or cannot carry in some style.
const CORES: &[&str] = &[
    "",
    " ",
    "~",
    "null",
    "Null",
    "NULL",
    "true",
    "True",
    "TRUE",
    "false",
    "yes",
    "Yes",
    "YES",
    "no",
    "No",
    "NO",
    "on",
    "On",
    "OFF",
    "off",
    "y",
    "Y",
    "n",
    "N",
    "0",
    "1",
    "-1",
    "+1",
    "010",
    "0o10",
    "0x1F",
    "0b101",
    "1_000",
    "1.0",
    "1.10",
    "1e3",
    "1.5e+3",
    ".5",
    "5.",
    ".inf",
    "-.inf",
    "+.Inf",
    ".nan",
    ".NaN",
    "nan",
    "inf",
    "12:30",
    "12:30:45",
    "1:20:30.5",
    "2026-11-18",
    "2026-11-18T10:30:00Z",
    "2026-11-18 10:30:00",
    "2001-12-14t21:59:43.10-05:00",
    "=",
    "<<",
    "-",
    "-_",
    "--",
    "---",
    "...",
    "--- x",
    "- a",
    "? a",
    ": a",
    "a: b",
    "a:",
    ":a",
    "a : b",
    "a #b",
    "#a",
    "a#b",
    "&a",
    "*a",
    "!a",
    "!!str a",
    "%a",
    "@a",
    "`a",
    "|",
    ">",
    "|-",
    "[",
    "]",
    "{",
    "}",
    "[a]",
    "{a: b}",
    ",",
    "a, b",
    "'",
    "\"",
    "'a'",
    "\"a\"",
    "it's",
    "\\",
    "\\n",
    "a\\b",
    "tab\there",
    "\t",
    "\ta",
    "a\t",
    "\n",
    "a\n",
    "\na",
    "a\n\n",
    "a\nb",
    "a\nb\n",
    "a\n\nb",
    "\ta\nb",
    " a\nb",
    "a\n b",
    "a\n\tb",
    "a\n \nb",
    "a \nb",
    "a\n---\nb",
    "a\n...\n",
    "a\n# b\n",
    "# a\nb",
    "- a\n- b",
    "a: |\n  b\n",
    "a\r\nb",
    "\r",
    "a\rb",
    "\u{0}",
    "\u{7}",
    "\u{1b}[0m",
    "\u{7f}",
    "\u{80}",
    "\u{85}",
    "a\u{85}b",
    "\u{a0}",
    "a\u{a0}b",
    "\u{2028}",
    "a\u{2028}b",
    "a\u{2029}b",
    "\u{feff}",
    "\u{feff}a",
    "a\u{feff}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{200b}",
    "\u{202e}a",
    "\u{e000}",
    "\u{fdd0}",
    "\u{1f680}",
    "\u{1f468}\u{200d}\u{1f469}",
    "\u{10ffff}",
    "\u{1fffe}",
    "caf\u{e9}",
    "e\u{301}",
    "\u{65e5}\u{672c}\u{8a9e}",
    "\u{661}\u{662}",
    "\u{ff11}",
    "word",
    "two words",
    "http://a.b/c?d=e&f",
    "C:\\dir",
    "a/b.c",
    "5whys",
    "v1.2",
    "1.2.3",
    "e3",
    "0.",
    "00",
    "1e",
    "+",
    ".",
    "..",
    "1__0",
    "0x",
    "_1",
    "a_b",
    "a-b",
    "100%",
    "$x",
    "a=b",
    "(a)",
    "a;b",
    "a?",
    "a!",
    "<a>",
    "a|b",
    "{{x}}",
    "{% x %}",
    "\"a\": b",
];

fn tricky() -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for core in CORES {
        all.push((*core).to_owned());
        for edge in [
            " ", "\t", "\n", ":", "#", "-", "'", "\"", ",", "0", "x", "\u{85}", "\u{2028}",
            "\u{e9}", ": ", " #",
        ] {
            all.push(format!("{edge}{core}"));
            all.push(format!("{core}{edge}"));
        }
        all.push(format!("first line\n{core}"));
        all.push(format!("{core}\nlast line"));
        all.push(format!("one\n{core}\nthree\n"));
    }
    all.sort();
    all.dedup();
    all
}

fn styles() -> [Style; 4] {
    let plain = Style::default();
    [
        plain,
        Style {
            strings: Strings::AsNeeded,
            ..plain
        },
        Style {
            strings: Strings::AsNeeded,
            indent: 4,
            list_indent: 0,
            inline_keys: &["l"],
        },
        Style {
            indent: 1,
            list_indent: 1,
            inline_keys: &["l", "k"],
            ..plain
        },
    ]
}

fn round_trips(value: &Value, style: &Style) -> String {
    let text = to_text(value, style).expect("it can be printed");
    let doc =
        Doc::parse(text.clone(), &Budget::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let read = doc.root().to_value().expect("plain data");
    assert_eq!(&read, value, "\n{text}");
    text
}

#[test]
fn six_thousand_tricky_strings_are_read_back_by_every_reader() {
    let strings = tricky();
    assert!(strings.len() > 5_000, "{} strings", strings.len());
    let mut cases = Vec::new();
    for (n, group) in strings.chunks(12).enumerate() {
        let style = styles()[n % 4];
        let items = group.iter().map(|text| {
            let map = Map::new().with("v", text).with("l", vec![text.as_str()]);
            Value::from(map.with(text, Value::Null))
        });
        let value: Value = Map::new()
            .with("all", Value::List(items.collect()))
            .with("end", "x")
            .into();
        cases.push(Case {
            text: round_trips(&value, &style),
            want: value,
        });
    }
    agree(&cases);
}

#[test]
fn the_judges_notice_a_difference() {
    let case = |text: &str, want: &str| Case {
        text: text.to_owned(),
        want: Map::new().with("a", want).into(),
    };
    let cases = [
        case("a: word\n", "word"),
        case("a: no\n", "no"),
        case("a: 1\n", "1"),
    ];
    let (seen, wrong) = disagreements(&cases);
    for reader in &seen {
        assert!(
            wrong.iter().any(|w| w.contains(reader)),
            "{reader} noticed nothing"
        );
    }
}

#[test]
fn a_document_that_is_one_scalar_or_empty_collection_is_read_back() {
    let mut cases = Vec::new();
    for value in [
        Value::Null,
        true.into(),
        (-5).into(),
        "no".into(),
        "a\nb\n".into(),
        Map::new().into(),
        Vec::<i64>::new().into(),
    ] {
        cases.push(Case {
            text: round_trips(&value, &Style::default()),
            want: value,
        });
    }
    agree(&cases);
}

#[test]
fn numbers_keep_their_value() {
    for number in [0.5, -1.0, 1e100, 1.5e-9, f64::MAX, 1e16, 123_456.789] {
        let text = to_text(&Map::new().with("x", number).into(), &Style::default()).unwrap();
        let doc = Doc::parse(text, &Budget::default()).unwrap();
        assert_eq!(doc.root().get("x").unwrap().as_f64(), Some(number));
    }
    let text = to_text(
        &Map::new().with("x", u64::MAX).with("y", 1e21).into(),
        &Style::default(),
    )
    .unwrap();
    assert_eq!(text, "x: 18446744073709551615\n\"y\": 1.0e+21\n");
}

#[test]
fn a_page_has_comments_blank_lines_and_nested_entries() {
    let mut page = Page::new(Style::default());
    page.comment("Session Identity")
        .entry("pipeline_id", "essay-1")
        .noted("status", "in_progress", "in_progress | paused")
        .blank()
        .open("stages")
        .open("stage_1")
        .entry("thesis", "one\ntwo\n")
        .noted("file", Value::Null, "when completed")
        .close()
        .blank()
        .comment("Stage 2")
        .open("stage_2")
        .entry("sections", Vec::<i64>::new())
        .comment("- index: 1")
        .close()
        .close()
        .entry("no", vec![1, 2]);
    let text = page.finish().unwrap();
    insta::assert_snapshot!(text, @r#"
    # Session Identity
    pipeline_id: "essay-1"
    status: "in_progress"  # in_progress | paused

    stages:
      stage_1:
        thesis: |
          one
          two
        file: null  # when completed

      # Stage 2
      stage_2:
        sections: []
        # - index: 1
    "no":
      - 1
      - 2
    "#);
    assert!(
        Page::new(Style::default())
            .open("x")
            .close()
            .finish()
            .is_err()
    );
}
