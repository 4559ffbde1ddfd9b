//! Reading typed values: what each scalar means, how it is spelled, and where it stands.

#![cfg(test)]

use segno_disk::RelPath;
use segno_store::session::Repair;
use segno_store::text::yaml::{Budget, Doc, ErrorKind, Map, Node, NodeKind, Spelling, Value};

fn doc(text: &str) -> Doc {
    Doc::parse(text, &Budget::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn scalars_are_read_by_type_and_keep_their_spelling() {
    let doc = doc(
        "a: 1.10\nb: 010\nc: 2026-11-18\nd: 12345678901234567890123\ne: no\nf: \"5\"\ng: 0x1F\nh: true\ni: -3\n\
                   j: 18446744073709551615\nk: .inf\nl: yes # c\nm: ~\nn:\no: !!str 5\np: 1e3\n",
    );
    let at = |key| doc.root().get(key).unwrap();
    assert_eq!(
        (at("a").as_f64(), at("a").as_str(), at("a").as_i64()),
        (Some(1.1), Some("1.10"), None)
    );
    assert_eq!((at("b").as_i64(), at("b").raw()), (Some(10), "010"));
    assert_eq!(
        (at("c").as_str(), at("c").as_i64()),
        (Some("2026-11-18"), None)
    );
    assert_eq!(
        (at("d").as_i64(), at("d").as_str()),
        (None, Some("12345678901234567890123"))
    );
    assert_eq!(
        (
            at("e").as_bool(),
            at("e").as_bool_yaml11(),
            at("e").as_str()
        ),
        (None, Some(false), Some("no"))
    );
    assert_eq!(
        (at("f").as_i64(), at("f").as_str(), at("f").raw()),
        (None, Some("5"), "\"5\"")
    );
    assert_eq!((at("g").as_i64(), at("g").as_f64()), (Some(31), Some(31.0)));
    assert_eq!(
        (at("h").as_bool(), at("h").as_str()),
        (Some(true), Some("true"))
    );
    assert_eq!((at("i").as_i64(), at("i").as_u64()), (Some(-3), None));
    assert_eq!((at("j").as_i64(), at("j").as_u64()), (None, Some(u64::MAX)));
    assert_eq!(at("k").as_f64(), Some(f64::INFINITY));
    assert_eq!((at("l").as_bool(), at("l").raw()), (None, "yes"));
    assert!(at("m").is_null() && at("n").is_null() && at("n").as_str().is_none());
    assert_eq!(
        (at("o").as_i64(), at("o").as_str(), at("o").raw()),
        (None, Some("5"), "!!str 5")
    );
    assert_eq!((at("p").as_f64(), at("p").line()), (Some(1000.0), 16));
    assert!(doc.root().get("zz").is_none());
}

#[test]
fn block_and_quoted_text_is_resolved() {
    let doc = doc(
        "a: |\n  one\n   two\n\n\nb: >-\n  fo\n  ld\nc: \"x\\ty\\u00e9\"\nd: 'it''s'\ne: plain\n  goes on\nf: |+\n  keep\n\n",
    );
    let texts: Vec<_> = doc
        .root()
        .entries()
        .map(|(_, v)| v.as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "one\n two\n",
            "fo ld",
            "x\ty\u{e9}",
            "it's",
            "plain goes on",
            "keep\n\n"
        ]
    );
    let raws: Vec<_> = doc.root().entries().map(|(_, v)| v.raw()).collect();
    assert_eq!(raws[0], "|\n  one\n   two");
    assert_eq!(raws[1], ">-\n  fo\n  ld");
    let lines: Vec<_> = doc.root().entries().map(|(_, v)| v.line()).collect();
    assert_eq!(lines, [1, 6, 9, 10, 11, 13]);
}

#[test]
fn collections_and_aliases_are_walked() {
    let doc = doc("base: &b {x: 1, l: [p, q]}\nuse: *b\nlist:\n- - 1\n  - 2\n-\n- k: v\n");
    let root = doc.root();
    assert_eq!(
        (root.kind(), root.is_map(), root.is_list()),
        (NodeKind::Map, true, false)
    );
    let used = root.get("use").unwrap();
    assert_eq!(
        (used.raw(), used.get("x").unwrap().as_i64()),
        ("*b", Some(1))
    );
    assert_eq!(
        used.get("l")
            .unwrap()
            .items()
            .filter_map(Node::as_str)
            .collect::<Vec<_>>(),
        ["p", "q"]
    );
    let kinds: Vec<_> = root.get("list").unwrap().items().map(Node::kind).collect();
    assert_eq!(kinds, [NodeKind::List, NodeKind::Null, NodeKind::Map]);
    assert_eq!(
        used.items().count() + root.get("list").unwrap().entries().count(),
        0
    );
}

#[test]
fn plain_data_keeps_order_and_spelling() {
    let doc = doc("z: 1\na: 1.10\nm: {k: no, o: null}\nl: [true, \"no\", 007]\n1: x\n");
    let spelled = |text| Spelling::new(text).unwrap();
    let expected = Map::new()
        .with("z", 1)
        .with("a", spelled("1.10"))
        .with(
            "m",
            Map::new().with("k", spelled("no")).with("o", Value::Null),
        )
        .with(
            "l",
            Value::List(vec![true.into(), "no".into(), spelled("007").into()]),
        )
        .with(1, "x");
    assert_eq!(doc.root().to_value().unwrap(), Value::Map(expected));
}

#[test]
fn what_has_no_plain_data_says_so_and_is_still_read() {
    for text in ["? [a]\n: b\n", "a: !mine x\n"] {
        let doc = doc(text);
        assert_eq!(doc.root().entries().count(), 1);
        assert_eq!(
            doc.root().to_value().unwrap_err().kind,
            ErrorKind::Unsupported
        );
    }
}

#[test]
fn an_empty_text_is_null() {
    for text in ["", "# only a comment\n", "---\n", "\u{feff}"] {
        assert!(doc(text).root().is_null(), "{text:?}");
    }
}

#[test]
fn an_error_becomes_a_problem_of_its_file() {
    let error = Doc::parse("a: 1\na: 2\n", &Budget::default()).unwrap_err();
    let problem = error.problem(RelPath::new("s.yaml").unwrap());
    assert_eq!(
        (problem.code, problem.line),
        ("yaml_duplicate_key", Some(2))
    );
    assert_eq!(
        problem.found,
        "the key `a` is in this mapping twice (column 1)"
    );
    assert!(matches!(problem.repair, Repair::Manual(_)));
}
