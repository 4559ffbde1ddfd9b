//! What edits do to the bytes: typical changes, each with the whole text before and after.

#![cfg(test)]

use segno_store::text::yaml::{
    At, Budget, Doc, Edit, ErrorKind, Map, ROOT, Spelling, Step, Strings, Value, YamlError,
};

type Change = fn(&mut Edit<'_>) -> Result<(), YamlError>;

fn changed(before: &str, change: Change) -> Result<String, YamlError> {
    let doc = Doc::parse(before, &Budget::default())?;
    let mut edit = doc.edit();
    change(&mut edit)?;
    edit.finish()
}

#[track_caller]
fn check(before: &str, change: Change, after: &str) {
    match changed(before, change) {
        Ok(text) => assert_eq!(text, after, "\n--- got\n{text}\n--- wanted\n{after}"),
        Err(error) => panic!("{error}\n{before}"),
    }
}

#[track_caller]
fn refused(before: &str, change: Change, kind: ErrorKind) -> String {
    let error = changed(before, change).expect_err("this change is refused");
    assert_eq!(error.kind, kind, "{error}");
    error.to_string()
}

fn idea(id: i64, content: &str) -> Map {
    Map::new().with("id", id).with("content", content)
}

#[test]
fn a_scalar_changes_in_place_and_keeps_its_quotes_and_comment() {
    check(
        "a: 1  # one\nb: 2\n",
        |e| e.set(["a"], 10),
        "a: 10  # one\nb: 2\n",
    );
    check("a: \"x\" # c\n", |e| e.set(["a"], "w"), "a: \"w\" # c\n");
    check("a: 'x'\n", |e| e.set(["a"], "it's"), "a: 'it''s'\n");
    check(
        "a: 'x'\n",
        |e| e.set(["a"], "bell\u{7}"),
        "a: \"bell\\x07\"\n",
    );
    check(
        "a: x\n",
        |e| e.set(["a"], "plain words"),
        "a: plain words\n",
    );
    check("a: x\n", |e| e.set(["a"], "no"), "a: \"no\"\n");
    check("a: \"x\"\n", |e| e.set(["a"], 3), "a: 3\n");
    check("a:   x\nb:\n", |e| e.set(["b"], true), "a:   x\nb: true\n");
    check("a: # c\nb: 1\n", |e| e.set(["a"], 5), "a: 5 # c\nb: 1\n");
    check(
        "a: null # c\n",
        |e| e.set(["a"], "s.md"),
        "a: \"s.md\" # c\n",
    );
    check(
        "a:\n  \"on its own line\"\n",
        |e| e.set(["a"], "x"),
        "a:\n  \"x\"\n",
    );
    check("k: v", |e| e.set(["k"], "w"), "k: w");
    check(
        "a: 1.10\n",
        |e| e.set(["a"], Spelling::new("1.20").unwrap()),
        "a: 1.20\n",
    );
    check(
        "a: [1, 'b', {c: d}]\n",
        |e| e.set([Step::from("a"), 1.into()], "it"),
        "a: [1, 'it', {c: d}]\n",
    );
    check(
        "a: {b: , c: 1, d}\n",
        |e| e.set(["a", "b"], 2),
        "a: {b: 2 , c: 1, d}\n",
    );
    check(
        "a: {b: , c: 1, d}\n",
        |e| e.set(["a", "d"], 2),
        "a: {b: , c: 1, d: 2}\n",
    );
}

#[test]
fn text_of_several_lines_becomes_a_block_and_blocks_keep_what_surrounds_them() {
    check(
        "a: x # c\nb: 1\n",
        |e| e.set(["a"], "one\ntwo\n"),
        "a: | # c\n  one\n  two\nb: 1\n",
    );
    check(
        "a: | # c\n  one\n  two\n\n\nb: 1\n",
        |e| e.set(["a"], "three"),
        "a: |- # c\n  three\n\n\nb: 1\n",
    );
    check(
        "a: |\n  one\n\nb: 1\n",
        |e| e.set(["a"], 7),
        "a: 7\n\nb: 1\n",
    );
    check(
        "a: |+\n  one\n\nb: 1\n",
        |e| e.set(["a"], 7),
        "a: 7\nb: 1\n",
    );
    check(
        "- >-\n  folded\n  text\n- 2\n",
        |e| e.set([0_usize], "a\nb"),
        "- |-\n  a\n  b\n- 2\n",
    );
    check(
        "a: |\n  one\n    # not text\nb: 1\n",
        |e| e.set(["a"], "x\n"),
        "a: |\n  x\nb: 1\n",
    );
    check(
        "a: 1\n    # deep\nb: 1\n",
        |e| e.set(["a"], "x\ny"),
        "a: \"x\\ny\"\n    # deep\nb: 1\n",
    );
    check("k: v", |e| e.set(["k"], "a\nb\n"), "k: |\n  a\n  b\n");
    check("k: v", |e| e.set(["k"], "\tgo\nb\n"), "k: \"\\tgo\\nb\\n\"");
    check("a: |\n", |e| e.set(["a"], "x\n"), "a: |\n  x\n");
    check(
        "a: |2-\n    two\nb: 1\n",
        |e| e.set(["a"], "x"),
        "a: |-\n  x\nb: 1\n",
    );
}

#[test]
fn keys_are_inserted_where_asked_in_the_style_of_the_file() {
    let text = "# title\na: 1\n\n# about b\nb:\n    c: \"x\"\n";
    check(
        text,
        |e| e.insert(ROOT, "m", 2, At::End),
        "# title\na: 1\n\n# about b\nb:\n    c: \"x\"\nm: 2\n",
    );
    check(
        text,
        |e| e.insert(ROOT, "m", "s", At::After("a")),
        "# title\na: 1\nm: \"s\"\n\n# about b\nb:\n    c: \"x\"\n",
    );
    check(
        text,
        |e| e.insert(ROOT, "m", 2, At::Before("b")),
        "# title\na: 1\n\nm: 2\n# about b\nb:\n    c: \"x\"\n",
    );
    check(
        text,
        |e| e.insert(ROOT, "m", 2, At::Before("a")),
        "# title\nm: 2\na: 1\n\n# about b\nb:\n    c: \"x\"\n",
    );
    check(
        text,
        |e| e.insert(["b"], "m", Map::new().with("k", 1), At::End),
        "# title\na: 1\n\n# about b\nb:\n    c: \"x\"\n    m:\n        k: 1\n",
    );
    check(
        "- a: 1\n  b: 2\n- c\n",
        |e| e.insert([0_usize], "z", 0, At::Before("a")),
        "- z: 0\n  a: 1\n  b: 2\n- c\n",
    );
    check(
        "- a: 1\n  b: 2\n- c\n",
        |e| e.insert([0_usize], "z", 0, At::End),
        "- a: 1\n  b: 2\n  z: 0\n- c\n",
    );
    check(
        "a: {x: 1}\n",
        |e| e.insert(["a"], "w", "s", At::End),
        "a: {x: 1, w: \"s\"}\n",
    );
    check(
        "a: {x: 1}\n",
        |e| e.insert(["a"], "w", 2, At::Before("x")),
        "a: {w: 2, x: 1}\n",
    );
    check(
        "a: {}\nb: 1\n",
        |e| e.insert(["a"], "w", 2, At::End),
        "a:\n  w: 2\nb: 1\n",
    );
    check("", |e| e.insert(ROOT, "w", 2, At::End), "w: 2\n");
    check("# c", |e| e.insert(ROOT, "w", 2, At::End), "# c\nw: 2\n");
    check("---\n", |e| e.insert(ROOT, "w", 2, At::End), "---\nw: 2\n");
    check("---", |e| e.insert(ROOT, "w", 2, At::End), "---\nw: 2\n");
    check(
        "null # c\n",
        |e| e.insert(ROOT, "w", 2, At::End),
        "w: 2 # c\n",
    );
    check(
        "# only a comment\n",
        |e| e.insert(ROOT, "w", 2, At::End),
        "# only a comment\nw: 2\n",
    );
    check("a: 1", |e| e.set(["b"], 2), "a: 1\nb: 2\n");
    check(
        "a: |+\n  x\n\nb: 1\n",
        |e| e.insert(ROOT, "m", 2, At::After("a")),
        "a: |+\n  x\n\nm: 2\nb: 1\n",
    );
    check(
        "a: []\n  # under a\nb: 1\n",
        |e| e.insert(ROOT, "m", 2, At::After("a")),
        "a: []\n  # under a\nm: 2\nb: 1\n",
    );
    check("a: 1\n...\n", |e| e.set(["b"], 2), "a: 1\nb: 2\n...\n");
    check("---\na: 1\n", |e| e.set(["b"], 2), "---\na: 1\nb: 2\n");
}

#[test]
fn lists_grow_as_they_are_laid_out() {
    check(
        "a:\n  - 1 # c\n\nb: 1\n",
        |e| e.push(["a"], 2),
        "a:\n  - 1 # c\n  - 2\n\nb: 1\n",
    );
    check(
        "a:\n- 1\nb: 1\n",
        |e| e.push(["a"], idea(1, "x")),
        "a:\n- 1\n- id: 1\n  content: x\nb: 1\n"
            .replace(": x", ": \"x\"")
            .as_str(),
    );
    check(
        "a: [\"x\", \"y\"] # c\n",
        |e| e.push(["a"], "z"),
        "a: [\"x\", \"y\", \"z\"] # c\n",
    );
    check("a: [x, y,]\n", |e| e.push(["a"], "z"), "a: [x, y, z,]\n");
    check(
        "a: [\n  x, # c\n  y\n]\n",
        |e| e.push(["a"], 3),
        "a: [\n  x, # c\n  y, 3\n]\n",
    );
    check("a: []\n", |e| e.push(["a"], "z"), "a: [\"z\"]\n");
    check(
        "a: [] # c\nb: 1\n",
        |e| e.push(["a"], idea(1, "x")),
        "a: # c\n  - id: 1\n    content: \"x\"\nb: 1\n",
    );
    check("a:\nb: 1\n", |e| e.push(["a"], 1), "a:\n  - 1\nb: 1\n");
    check(
        "- 1\n- - 2\n",
        |e| e.push([1_usize], 3),
        "- 1\n- - 2\n  - 3\n",
    );
    check(
        "x: [1]\na: [[]]\n",
        |e| e.push([Step::from("a"), 0.into()], idea(1, "x")),
        "x: [1]\na: [[{id: 1, content: \"x\"}]]\n",
    );
    check(
        "a:\n  - 1\n",
        |e| {
            e.push(["a"], 2)?;
            e.push(["a"], 3)?;
            e.set([Step::from("a"), 2.into()], 4)?;
            e.remove([Step::from("a"), 1.into()])
        },
        "a:\n  - 1\n  - 4\n",
    );
}

#[test]
fn comments_that_sketch_the_items_stay_above_the_first_one() {
    check(
        "deferred: []\n  # - claim: \"[text]\"\n  #   resolved: false\n\noverrides: []\n  # - x\n",
        |e| {
            e.push(
                ["deferred"],
                Map::new().with("claim", "c").with("resolved", false),
            )
        },
        "deferred:\n  # - claim: \"[text]\"\n  #   resolved: false\n  - claim: \"c\"\n    resolved: false\n\noverrides: []\n  # - x\n",
    );
    check(
        "s:\n    status: \"x\"\n    sections:\n      # Populated\n      # - index: 1\n    done: null\n",
        |e| e.push(["s", "sections"], Map::new().with("index", 1)),
        "s:\n    status: \"x\"\n    sections:\n      # Populated\n      # - index: 1\n        - index: 1\n    done: null\n",
    );
}

#[test]
fn removal_takes_the_entry_and_leaves_its_neighbours() {
    check(
        "a: 1\n# about b\nb: 2 # c\n\nc: 3\n",
        |e| e.remove(["b"]),
        "a: 1\n# about b\n\nc: 3\n",
    );
    check("a:\n  x: 1\n  w: 2\nb: 1\n", |e| e.remove(["a"]), "b: 1\n");
    check(
        "- a: 1\n  b: 2\n",
        |e| e.remove([Step::from(0), "a".into()]),
        "- b: 2\n",
    );
    check(
        "- a: 1 # c\n  # about b\n  b: 2\n",
        |e| e.remove([Step::from(0), "a".into()]),
        "-  # c\n  # about b\n  b: 2\n",
    );
    check(
        "a:\n  x: 1\nb: 1\n",
        |e| e.remove(["a", "x"]),
        "a: {}\nb: 1\n",
    );
    check(
        "a: # c\n  # note\n  - x\nb: 1\n",
        |e| e.remove([Step::from("a"), 0.into()]),
        "a: [] # c\n  # note\nb: 1\n",
    );
    check(
        "a: [x, y, z]\n",
        |e| e.remove([Step::from("a"), 0.into()]),
        "a: [y, z]\n",
    );
    check(
        "a: [x, y, z]\n",
        |e| e.remove([Step::from("a"), 2.into()]),
        "a: [x, y]\n",
    );
    check(
        "a: [x]\n",
        |e| e.remove([Step::from("a"), 0.into()]),
        "a: []\n",
    );
    check(
        "a: [x, y, z]\n",
        |e| {
            e.remove([Step::from("a"), 2.into()])?;
            e.remove([Step::from("a"), 1.into()])?;
            e.push(["a"], "w")
        },
        "a: [x, w]\n",
    );
    check(
        "a: {x: 1, y, z: 2}\n",
        |e| e.remove(["a", "y"]),
        "a: {x: 1, z: 2}\n",
    );
    check(
        "a:\n- 1\n- 2\n- 3\n",
        |e| e.remove([Step::from("a"), 1.into()]),
        "a:\n- 1\n- 3\n",
    );
    check("a: 1\nb: 2", |e| e.remove(["b"]), "a: 1\n");
    check("a: |\n  t\n\nb: 2\n", |e| e.remove(["a"]), "\nb: 2\n");
}

#[test]
fn a_comment_left_behind_a_block_of_text_stays_a_comment() {
    let drop: Change = |edit| edit.remove(["m", "gone"]);
    check(
        "m:\n  t: |\n    one\n  gone:\n    # why\n\n     # more\n  z: 1\n",
        drop,
        "m:\n  t: |\n    one\n  # why\n\n  # more\n  z: 1\n",
    );
    check(
        "m:\r\n  t: >\r\n    one\r\n  gone: 2\r\n    # why\r\n",
        drop,
        "m:\r\n  t: >\r\n    one\r\n  # why\r\n",
    );
    // No text above that could take it in: the comment stays where it is.
    check(
        "m:\n  t: 1\n  gone: 2\n    # why\n",
        drop,
        "m:\n  t: 1\n    # why\n",
    );
}

#[test]
fn whole_collections_are_replaced_at_their_own_indentation() {
    check(
        "a:\n    - 1\n    - 2\nb: 1\n",
        |e| e.set(["a"], vec![3, 4]),
        "a:\n    - 3\n    - 4\nb: 1\n",
    );
    check(
        "a: 1 # c\nb: 1\n",
        |e| e.set(["a"], idea(1, "x")),
        "a: # c\n  id: 1\n  content: \"x\"\nb: 1\n",
    );
    check(
        "a:\n  x: 1 # c\nb: 1\n",
        |e| e.set(["a"], 5),
        "a: 5 # c\nb: 1\n",
    );
    check(
        "a:\n  x: 1\nb: 1\n",
        |e| e.set(["a"], vec![1]),
        "a:\n  - 1\nb: 1\n",
    );
    check(
        "- a: 1 # c\n  b: 2\n- 3\n",
        |e| e.set([0_usize], idea(1, "x")),
        "- id: 1\n  content: x\n- 3\n"
            .replace(": x", ": \"x\"")
            .as_str(),
    );
    check(
        "- 1 # c\n- 3\n",
        |e| e.set([0_usize], idea(1, "x")),
        "- id: 1 # c\n  content: \"x\"\n- 3\n",
    );
    check(
        "-\n- 3\n",
        |e| e.set([0_usize], idea(1, "x")),
        "- id: 1\n  content: \"x\"\n- 3\n",
    );
    check(
        "a: &x !!map\n  k: v\nb: 1\n",
        |e| e.set(["a"], vec![1]),
        "a:\n  - 1\nb: 1\n",
    );
    check(
        "a: [1, 2]\n",
        |e| e.set(["a"], vec!["p", "q"]),
        "a: [\"p\", \"q\"]\n",
    );
    check(
        "a: 1\n",
        |e| e.set(ROOT, Map::new().with("z", 1).with("w", 2)),
        "z: 1\nw: 2\n",
    );
}

#[test]
fn crlf_and_the_byte_order_mark_stay() {
    check(
        "\u{feff}a: 1\r\nb: |\r\n  x\r\n  y\r\n",
        |e| {
            e.set(["a"], 2)?;
            e.set(["b"], "p\nq\n")?;
            e.insert(ROOT, "c", vec![1], At::Before("a"))?;
            e.set(["d"], "end")
        },
        "\u{feff}c:\r\n  - 1\r\na: 2\r\nb: |\r\n  p\r\n  q\r\nd: \"end\"\r\n",
    );
}

#[test]
fn later_changes_of_a_batch_see_the_earlier_ones() {
    check(
        "a: 1\nb: {x: 1}\n",
        |e| {
            e.set(["m"], Map::new())?;
            e.set(["m", "k"], 1)?;
            e.set(["m", "k"], 2)?;
            e.insert(["m"], "first", 0, At::Before("k"))?;
            e.insert(ROOT, "o", 1, At::After("m"))?;
            e.remove(["a"])?;
            e.insert(ROOT, "a", 3, At::End)?;
            e.set(["b"], Map::new().with("l", Vec::<i64>::new()))?;
            e.push(["b", "l"], 1)?;
            e.remove(["o"])
        },
        "a: 3\nb: {l: [1]}\nm:\n  first: 0\n  k: 2\n",
    );
}

#[test]
fn what_cannot_be_done_is_refused_with_its_reason() {
    let aliased = "base: &b\n  x: 1\nuse: *b\n";
    refused(aliased, |e| e.set(["base", "x"], 2), ErrorKind::Refused);
    refused(aliased, |e| e.remove(["base"]), ErrorKind::Refused);
    refused(aliased, |e| e.set(["use", "x"], 2), ErrorKind::Refused);
    check(aliased, |e| e.set(["use"], 2), "base: &b\n  x: 1\nuse: 2\n");
    let text = refused("a: 1\n", |e| e.set(["b", "c"], 2), ErrorKind::Missing);
    assert_eq!(text, "line 1, column 1: there is no `b`");
    refused("a: 1\n", |e| e.set(["a", "c"], 2), ErrorKind::Missing);
    refused(
        "a: [1]\n",
        |e| e.set([Step::from("a"), 1.into()], 2),
        ErrorKind::Missing,
    );
    refused("a: 1\n", |e| e.push(["a"], 2), ErrorKind::WrongType);
    refused(
        "a: 1\n",
        |e| e.insert(ROOT, "a", 2, At::End),
        ErrorKind::Exists,
    );
    refused(
        "a: 1\n",
        |e| e.insert(ROOT, "b", 2, At::After("zz")),
        ErrorKind::Missing,
    );
    refused("a: 1\n", |e| e.remove(["zz"]), ErrorKind::Missing);
    refused(
        "[a: b]\n",
        |e| e.insert([0_usize], "c", 1, At::End),
        ErrorKind::Refused,
    );
    refused("a: 1\rb: 2\n", |e| e.set(["a"], 2), ErrorKind::Refused);
}

#[test]
fn explicit_keys_and_anchors_survive() {
    check(
        "? a\n: b\n? [c]\n: - d\n",
        |e| e.set(["a"], 1),
        "? a\n: 1\n? [c]\n: - d\n",
    );
    check(
        "? a\n: b\n? [c]\n: - d\n",
        |e| e.remove(["a"]),
        "? [c]\n: - d\n",
    );
    check("? a\n: b\n", |e| e.set(["z"], 1), "? a\n: b\nz: 1\n");
    check("a: &x 1\nb: 2\n", |e| e.set(["b"], 3), "a: &x 1\nb: 3\n");
    check(
        "a: !mine 1\nb: 2\n",
        |e| e.set(["b"], 3),
        "a: !mine 1\nb: 3\n",
    );
    check(
        "a: &l\n  - 1\nb: 2\n",
        |e| e.push(["a"], 3),
        "a: &l\n  - 1\n  - 3\nb: 2\n",
    );
}

#[test]
fn the_document_shows_whether_its_strings_are_quoted() {
    check(
        "a: word\nb: more words\n",
        |e| e.set(["c"], "text"),
        "a: word\nb: more words\nc: text\n",
    );
    check(
        "a: \"word\"\nb: 1\n",
        |e| e.set(["c"], "text"),
        "a: \"word\"\nb: 1\nc: \"text\"\n",
    );
    check(
        "a: \"word\"\n",
        |e| {
            e.strings(Strings::AsNeeded).inline_keys(&["tags"]);
            e.set(["tags"], vec!["x", "12:30"])?;
            e.set(["m"], Value::Null)
        },
        "a: \"word\"\ntags: [x, \"12:30\"]\nm: null\n",
    );
}

#[test]
fn a_change_in_a_long_list_is_made_among_items_that_are_not_read_again() {
    let item = |n: usize| {
        format!(
            "  - id: {n}   # {n}\n    points:\n{}",
            "      - \"p\"\n".repeat(9)
        )
    };
    let text = format!(
        "# mine\nlist:\n{}after: 1\n",
        (0..40).map(item).collect::<String>()
    );
    let doc = Doc::parse(text.as_str(), &Budget::default()).unwrap();
    let path = |n: usize, rest: &[Step<'static>]| {
        let mut path: Vec<Step<'static>> = vec!["list".into(), n.into()];
        path.extend(rest.iter().copied());
        path
    };
    let mut edit = doc.edit();
    edit.set(path(20, &["id".into()]), "x").unwrap();
    edit.set(path(30, &["points".into(), 4.into()]), "q\nr\n")
        .unwrap();
    edit.remove(path(5, &[])).unwrap();
    edit.push(["list"], Value::from("last")).unwrap();
    edit.insert(path(12, &[]), "note", "new", At::After("id"))
        .unwrap();
    let new = edit.finish().unwrap();
    let expected = text
        .replace(&item(5), "")
        .replace("- id: 20 ", "- id: x ")
        .replace("- id: 13   # 13\n", "- id: 13   # 13\n    note: \"new\"\n")
        .replace("after: 1", "  - \"last\"\nafter: 1");
    let at = expected.find("id: 30 ").unwrap();
    let at = at + expected[at..].match_indices("- \"p\"").nth(4).unwrap().0;
    let expected = format!("{}- \"q\\nr\\n\"{}", &expected[..at], &expected[at + 5..]);
    assert!(new == expected, "{new}");
}

#[test]
fn a_budget_counts_what_is_not_read_again() {
    let text = format!("list:\n{}", "  - 1\n".repeat(50));
    let budget = Budget {
        max_nodes: 54,
        ..Budget::default()
    };
    let doc = Doc::parse(text.as_str(), &budget).unwrap();
    let mut edit = doc.edit();
    edit.push(["list"], 2).unwrap();
    assert!(edit.clone().finish().is_ok());
    edit.push(["list"], 3).unwrap();
    assert_eq!(edit.finish().unwrap_err().kind, ErrorKind::TooManyNodes);
    let bytes = Budget::with_bytes(text.len());
    let doc = Doc::parse(text.as_str(), &bytes).unwrap();
    let mut edit = doc.edit();
    edit.push(["list"], 2).unwrap();
    assert_eq!(edit.finish().unwrap_err().kind, ErrorKind::TooLarge);
}
