//! JSON documents keep every byte that an edit was not about.

#![expect(clippy::unwrap_used, reason = "a test may say plainly what it expects")]

use proptest::prelude::*;
use segno_store::text::json::{
    Budget, Doc, EditError, Escapes, Kind, Layout, Place, Step, Style, Tree, check,
};

/// What no serialiser would write twice the same way.
const AWKWARD: &str = "\u{feff}{\r\n    \"price\": 1.10,\r\n    \"big\": 12345678901234567890123,\r\n    \"half\": \"cut \\ud83d\",\r\n    \"key\": 1,\r\n    \"key\": 2,\r\n\r\n    \"\\u00e9tat\" : \"na\\u00efve\",\r\n    \"list\": [1,2 , 3],\r\n    \"none\": {}\r\n}";

fn edited(text: &str, edit: impl FnOnce(&mut Doc) -> Result<(), EditError>) -> String {
    let mut doc = Doc::parse(text).unwrap();
    edit(&mut doc).unwrap();
    doc.into_text()
}

#[test]
fn values_are_read_as_they_are_spelt() {
    let doc = Doc::parse_object(AWKWARD).unwrap();
    let raw = |key: &str| doc.get(key).unwrap().raw();
    assert_eq!(doc.text(), AWKWARD);
    assert_eq!(raw("price"), "1.10");
    assert_eq!(raw("big"), "12345678901234567890123");
    assert_eq!(raw("half"), "\"cut \\ud83d\"");
    assert_eq!(doc.get("half").unwrap().str().unwrap(), "cut \u{fffd}");
    assert!(doc.get("half").unwrap().is_lossy());
    assert_eq!(
        doc.get("key").unwrap().u64(),
        Some(2),
        "the last of two wins"
    );
    assert_eq!(doc.get("\u{e9}tat").unwrap().str().unwrap(), "na\u{ef}ve");
    let keys: Vec<_> = doc
        .root()
        .entries()
        .map(|entry| entry.key().into_owned())
        .collect();
    let expected = [
        "price",
        "big",
        "half",
        "key",
        "key",
        "\u{e9}tat",
        "list",
        "none",
    ];
    assert_eq!(keys, expected);
    assert_eq!(
        doc.get([Step::Key("list"), Step::Index(1)]).unwrap().i64(),
        Some(2)
    );
    assert!(doc.get(["list", "no"]).is_none());
}

#[test]
fn numbers_have_an_answer_only_where_it_is_true() {
    type Read = (Option<i64>, Option<u64>, bool);
    let check = |text: &str, expected: Read| {
        let doc = Doc::parse(text).unwrap();
        let root = doc.root();
        assert_eq!(
            (root.i64(), root.u64(), root.f64().is_some()),
            expected,
            "{text}"
        );
    };
    check("12", (Some(12), Some(12), true));
    check("12.0", (Some(12), Some(12), true));
    check("1.2e1", (Some(12), Some(12), true));
    check("-3", (Some(-3), None, true));
    check("1.5", (None, None, true));
    check("18446744073709551615", (None, Some(u64::MAX), true));
    check("12345678901234567890123", (None, None, true));
    check("1e400", (None, None, false));
    check("\"12\"", (None, None, false));
    check("null", (None, None, false));
}

#[test]
fn setting_a_value_touches_its_bytes_alone() {
    let check = |from: &str, to: &str, edit: &dyn Fn(&mut Doc) -> Result<(), EditError>| {
        let expected = AWKWARD.replacen(from, to, 1);
        assert_ne!(expected, AWKWARD);
        assert_eq!(edited(AWKWARD, edit), expected);
    };
    check("1.10", "2", &|doc| doc.set("price", 2));
    check("\"key\": 2", "\"key\": null", &|doc| {
        doc.set("key", Tree::Null)
    });
    check("na\\u00efve", "\\u00e9mu \\ud83d\\ude00", &|doc| {
        doc.set("\u{e9}tat", "\u{e9}mu \u{1f600}")
    });
    check("2 , 3", "2,\"x\" , 3", &|doc| {
        doc.insert_item("list", 2, "x")
    });
}

#[test]
fn new_members_follow_the_layout_around_them() {
    let check = |text: &str, key: &[&str], value: Tree, expected: &str| {
        assert_eq!(edited(text, |doc| doc.set(key, value)), expected);
    };
    check(
        "{\n  \"a\": 1\n}",
        &["b"],
        2.into(),
        "{\n  \"a\": 1,\n  \"b\": 2\n}",
    );
    check(
        "{\r\n\t\"a\":1\r\n}\r\n",
        &["b"],
        2.into(),
        "{\r\n\t\"a\":1,\r\n\t\"b\":2\r\n}\r\n",
    );
    check(
        "{\"a\": 1}\n",
        &["b"],
        vec![1, 2].into(),
        "{\"a\": 1, \"b\": [1, 2]}\n",
    );
    check(
        "{\"a\":1}",
        &["b"],
        vec![1, 2].into(),
        "{\"a\":1,\"b\":[1,2]}",
    );
    check(
        "{ \"a\": 1 , \"c\": 1 }",
        &["b"],
        2.into(),
        "{ \"a\": 1 , \"c\": 1 , \"b\": 2 }",
    );
    check("{}", &["b"], 2.into(), "{\"b\": 2}");
    check(
        "{\n    \"a\": {},\n    \"z\": []\n}\n",
        &["a", "b"],
        Tree::object([("c", vec![1])]),
        "{\n    \"a\": {\n        \"b\": {\n            \"c\": [\n                1\n            ]\n        }\n    },\n    \"z\": []\n}\n",
    );
    check(
        "{\n  \"a\": null\n}",
        &["a"],
        Tree::object([("x", Tree::from(1)), ("y", Tree::Array(vec![]))]),
        "{\n  \"a\": {\n    \"x\": 1,\n    \"y\": []\n  }\n}",
    );
}

#[test]
fn an_empty_object_is_filled_in_the_style_of_its_format() {
    let mut doc = Doc::parse("{}\n")
        .unwrap()
        .or_styled(Style::PYTHON_INDENTED);
    doc.set("title", "\u{e9}t\u{e9}").unwrap();
    doc.set("tags", vec!["a"]).unwrap();
    assert_eq!(
        doc.text(),
        "{\n  \"title\": \"\\u00e9t\\u00e9\",\n  \"tags\": [\n    \"a\"\n  ]\n}\n"
    );
}

#[test]
fn members_can_be_placed() {
    let check = |place, expected: &str| {
        let text = "{\"a\": 1, \"b\": 2}";
        assert_eq!(
            edited(text, |doc| doc.insert(Step::ROOT, place, "x", true)),
            expected
        );
    };
    check(Place::First, "{\"x\": true, \"a\": 1, \"b\": 2}");
    check(Place::Last, "{\"a\": 1, \"b\": 2, \"x\": true}");
    check(Place::Before("b"), "{\"a\": 1, \"x\": true, \"b\": 2}");
    check(Place::After("a"), "{\"a\": 1, \"x\": true, \"b\": 2}");
    check(Place::After("no"), "{\"a\": 1, \"b\": 2, \"x\": true}");
}

#[test]
fn removal_leaves_one_comma_between_those_that_stay() {
    let check = |text: &str, key: &str, expected: &str| {
        assert_eq!(edited(text, |doc| doc.remove(key)), expected);
    };
    check("{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}");
    check("{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}");
    check("{\n  \"a\": 1\n}", "a", "{}");
    check(
        "{\"k\":1,\"k\":2,\"a\":3,\"k\":4,\"k\":5}",
        "k",
        "{\"a\":3}",
    );
    let list = edited("[1, [2, 3], 4]", |doc| doc.remove([1, 0]));
    assert_eq!(list, "[1, [3], 4]");
}

#[test]
fn impossible_edits_say_what_is_in_the_way_and_change_nothing() {
    let mut doc = Doc::parse(AWKWARD).unwrap();
    let text = doc.text().to_owned();
    let missing = |what: &str| Err(EditError::Missing(what.to_owned()));
    assert_eq!(doc.set(["no", "deep"], 1), missing("no"));
    assert_eq!(
        doc.set([Step::Key("list"), Step::Index(9)], 1),
        missing("list[9]")
    );
    assert_eq!(doc.remove("no"), missing("no"));
    assert_eq!(
        doc.set(["price", "x"], 1),
        Err(EditError::NotObject("price".to_owned()))
    );
    assert_eq!(
        doc.push("none", 1),
        Err(EditError::NotArray("none".to_owned()))
    );
    let twice = doc.insert(Step::ROOT, Place::First, "price", 1);
    assert_eq!(twice, Err(EditError::Exists("price".to_owned())));
    assert_eq!(doc.text(), text);
}

#[test]
fn values_move_between_documents_in_their_own_spelling() {
    let from = Doc::parse("{\n  \"n\": [\n    1.10,\n    \"\\ud83d, \\\" x\"\n  ]\n}").unwrap();
    let mut line = Doc::parse("{\"a\":1}").unwrap();
    line.set("n", from.get("n").unwrap()).unwrap();
    assert_eq!(line.text(), "{\"a\":1,\"n\":[1.10,\"\\ud83d, \\\" x\"]}");
    assert!(Tree::raw("{oops}").is_err());
}

#[test]
fn errors_say_where_and_what() {
    let check = |text: &str, line: usize, column: usize, message: &str| {
        let error = Doc::parse(text).unwrap_err();
        assert_eq!(
            (error.line, error.column, error.message),
            (line, column, message),
            "{text}"
        );
    };
    check("", 1, 1, "the text ends where a value should be");
    check(
        "{\n  \"a\": 1,\n}",
        3,
        1,
        "a comma stands before `}`; take it out",
    );
    check(
        "{\"\u{e9}\u{e9}\": nul}",
        1,
        8,
        "expected `true`, `false` or `null`",
    );
    check("{\"a\": NaN}", 1, 7, "`NaN` and `Infinity` are not JSON");
    check("{'a': 1}", 1, 2, "JSON strings stand in double quotes");
    check(
        "{\"a\": \"x\ny\"}",
        1,
        9,
        "a control character stands inside a string",
    );
    check("[1, 2", 1, 6, "the text ends inside an object or array");
    check("{} {}", 1, 4, "something follows the value");
    check("[01]", 1, 3, "a number cannot begin with 0");
    check("\"\\u12", 1, 6, "the text ends inside a string");
    let error = Doc::from_bytes(b"{\n\"a\": \"\xff\"}".to_vec()).unwrap_err();
    assert_eq!(
        (error.line, error.column, error.message),
        (2, 7, "not UTF-8 from here on")
    );
    let error = Doc::parse_object("[1]").unwrap_err();
    assert_eq!(error.message, "expected an object, `{` first");
}

#[test]
fn deep_and_huge_documents_neither_overflow_nor_pass_the_budget() {
    let deep = format!(
        "{{\"x\": {}1{}, \"y\": 1}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let changed = edited(&deep, |doc| doc.set("y", 2));
    assert_eq!(changed, deep.replace("\"y\": 1", "\"y\": 2"));
    assert!(Doc::parse("[".repeat(100_000)).is_err());
    let small = Budget {
        bytes: 10,
        values: 3,
    };
    assert!(Doc::parse_within("[1, 2]", small).is_ok());
    let error = Doc::parse_within("[1,2,3]", small).unwrap_err();
    assert_eq!(
        error.message,
        "the document holds more values than are read at once"
    );
    let error = Doc::parse_within("[1, 2     ]", small).unwrap_err();
    assert_eq!(error.message, "the document is larger than is read at once");
}

#[test]
fn trees_are_printed_as_python_and_javascript_print_them() {
    let tree = Tree::object([
        ("a", Tree::from("\u{e9}")),
        ("b", Tree::array([Tree::from(1), Tree::Null, true.into()])),
        ("c", Tree::Object(vec![])),
        ("d", Tree::float(1.0).unwrap()),
    ]);
    let check = |style, expected: &str| assert_eq!(tree.to_text(style), expected);
    check(
        Style::PYTHON_LINE,
        r#"{"a": "\u00e9", "b": [1, null, true], "c": {}, "d": 1.0}"#,
    );
    check(
        Style::COMPACT,
        "{\"a\":\"\u{e9}\",\"b\":[1,null,true],\"c\":{},\"d\":1.0}",
    );
    check(
        Style::INDENTED,
        "{\n  \"a\": \"\u{e9}\",\n  \"b\": [\n    1,\n    null,\n    true\n  ],\n  \"c\": {},\n  \"d\": 1.0\n}",
    );
    assert_eq!(Tree::float(f64::NAN), None);
}

/// Random JSON text with random space, awkward numbers and escapes.
fn json() -> impl Strategy<Value = String> {
    let space =
        || prop_oneof![3 => Just(""), 1 => Just(" "), 1 => Just("\n  "), 1 => Just("\r\n\t")];
    let string = prop_oneof![
        "[a-c]{0,3}".prop_map(|text| format!("\"{text}\"")),
        Just("\"\\ud83d\"".to_owned()),
        Just("\"\\u00e9\\n\"".to_owned()),
        Just("\"\u{e9}\u{1f600}\"".to_owned()),
        Just("\"\\\"}{[,:\"".to_owned()),
    ];
    let scalar = prop_oneof![
        Just("1.10".to_owned()),
        Just("-0".to_owned()),
        Just("12345678901234567890123".to_owned()),
        Just("1e400".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        string,
    ];
    scalar.prop_recursive(4, 40, 6, move |inner| {
        let item = (space(), inner.clone(), space()).prop_map(|(a, b, c)| format!("{a}{b}{c}"));
        let member = (space(), "[a-d]", space(), space(), inner, space())
            .prop_map(|(a, key, b, c, value, d)| format!("{a}\"{key}\"{b}:{c}{value}{d}"));
        prop_oneof![
            prop::collection::vec(item, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(member, 0..5).prop_map(|all| format!("{{{}}}", all.join(","))),
        ]
    })
}

/// Every way from the root to a value.
fn ways(doc: &Doc) -> Vec<Vec<(Option<String>, usize)>> {
    let mut found = vec![vec![]];
    let mut at = 0;
    while let Some(way) = found.get(at).cloned() {
        at += 1;
        let value = doc.get(steps(&way).as_slice()).unwrap();
        for entry in value.entries() {
            found.push([way.clone(), vec![(Some(entry.key().into_owned()), 0)]].concat());
        }
        for index in 0..value.items().count() {
            found.push([way.clone(), vec![(None, index)]].concat());
        }
    }
    found
}

fn steps(way: &[(Option<String>, usize)]) -> Vec<Step<'_>> {
    way.iter()
        .map(|(key, index)| key.as_deref().map_or(Step::Index(*index), Step::Key))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_scanner_accepts_what_serde_json_accepts(mut text in json(), cut in any::<prop::sample::Index>(), junk in "[\\]\\[{}\",:0-9eE.+\\\\u \\-tn\u{1}]{0,2}") {
        let sound = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(check(text.as_bytes()).is_ok(), sound.is_ok());
        let mut at = cut.index(text.len() + 1);
        while !text.is_char_boundary(at) { at -= 1; }
        text.insert_str(at, &junk);
        let oracle = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(check(text.as_bytes()).is_ok(), oracle.is_ok(), "{}", text);
        text.truncate(at);
        let oracle = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(check(text.as_bytes()).is_ok(), oracle.is_ok(), "{}", text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let _ = check(&bytes);
        let _ = Doc::from_bytes(bytes);
    }

    #[test]
    fn a_set_value_is_read_back_and_all_else_stays(text in json(), pick in any::<prop::sample::Index>(), value in "\\PC{0,6}") {
        let mut doc = Doc::parse(text.clone()).unwrap();
        let all = ways(&doc);
        let way = &all[pick.index(all.len())];
        let range = doc.get(steps(way).as_slice()).unwrap().range();
        doc.set(steps(way).as_slice(), value.as_str()).unwrap();
        prop_assert!(doc.text().starts_with(&text[..range.start]));
        prop_assert!(doc.text().ends_with(&text[range.end..]));
        let read = doc.get(steps(way).as_slice()).unwrap();
        prop_assert_eq!(read.str().unwrap(), value);
    }

    #[test]
    fn added_and_removed_children_leave_the_others_as_they_were(text in json(), pick in any::<prop::sample::Index>(), index in 0..6usize) {
        let mut doc = Doc::parse(text.clone()).unwrap();
        let all = ways(&doc);
        let way = &all[pick.index(all.len())];
        let path = steps(way);
        let value = doc.get(path.as_slice()).unwrap();
        let kind = value.kind();
        let children = |doc: &Doc| -> Vec<String> {
            let value = doc.get(path.as_slice()).unwrap();
            let members = value.entries().map(|entry| format!("{}={}", entry.key(), entry.value.raw()));
            members.chain(value.items().map(|item| item.raw().to_owned())).collect()
        };
        let before = children(&doc);
        let at = index.min(before.len());
        match kind {
            Kind::Object => {
                let mut full = path.clone();
                full.push(Step::Key("fresh"));
                doc.set(full.as_slice(), 7).unwrap();
                let mut expected = before.clone();
                expected.push("fresh=7".to_owned());
                prop_assert_eq!(children(&doc), expected);
                doc.remove(full.as_slice()).unwrap();
            }
            Kind::Array => {
                doc.insert_item(path.as_slice(), index, 7).unwrap();
                let mut expected = before.clone();
                expected.insert(at, "7".to_owned());
                prop_assert_eq!(children(&doc), expected);
                let mut full = path.clone();
                full.push(Step::Index(at));
                doc.remove(full.as_slice()).unwrap();
            }
            _ => return Ok(()),
        }
        prop_assert_eq!(children(&doc), before.clone());
        if !before.is_empty() {
            prop_assert_eq!(doc.text(), &text, "a child added and taken out leaves no trace");
        }
    }

    #[test]
    fn whatever_is_printed_is_json_and_reads_back(text in "\\PC{0,12}", control in any::<char>(), width in 0..4usize) {
        let text = format!("{text}{control}");
        let tree = Tree::object([(text.clone(), Tree::array([text.clone()]))]);
        for escapes in [Escapes::Ascii, Escapes::Raw] {
            for layout in [Layout::Compact, Layout::Spaced, Layout::Indented(width)] {
                let printed = tree.to_text(Style { escapes, layout });
                prop_assert_eq!(escapes == Escapes::Raw || printed.is_ascii(), true);
                let read: serde_json::Value = serde_json::from_str(&printed).unwrap();
                prop_assert_eq!(read[&text][0].as_str(), Some(text.as_str()));
                let doc = Doc::parse(printed).unwrap();
                prop_assert_eq!(doc.get([Step::Key(&text), Step::Index(0)]).unwrap().str().unwrap(), text.as_str());
            }
        }
    }
}
