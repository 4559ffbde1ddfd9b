//! What the line grammar finds in Markdown, and what it leaves alone.

use segno_store::text::markdown::{Checkbox, Doc, FieldStyle, LineKind, Mark, Marker};

fn outline(text: &str) -> Vec<String> {
    Doc::parse(text)
        .sections()
        .map(|section| format!("{section:?}"))
        .collect()
}

#[test]
fn headings_are_those_of_the_document_alone() {
    let check = |text: &str, expected: &[&str]| assert_eq!(outline(text), expected, "{text}");
    check("# A\n## B ##\n  ### C\t\n", &["# A", "## B", "### C"]);
    check("#no\n####### no\n    # no\n\\# no\n# #\n#\n", &["# ", "# "]);
    check("# C#\n# x #y\n", &["# C#", "# x #y"]);
    check(
        "Title\n=====\n\nSub\n---\n\ntext\n\n---\n",
        &["# Title", "## Sub"],
    );
    check("two\nlines\n---\n", &[]);
    check("**Branch**: main\n---\n| a |\n---\n> q\n---\n", &[]);
    check("- item\n---\n# A\n", &["# A"]);
    check("```\n# no\n```\n# yes\n", &["# yes"]);
    check("~~~ md\n```\n# no\n~~~~\n# yes\n", &["# yes"]);
    check("````\n```\n# no\n````\n# yes\n", &["# yes"]);
    check("``` a`b\n# yes\n", &["# yes"]);
    check("# A\n```\n# never closed\n", &["# A"]);
    check("1. item\n   ```\n   # no\n   ```\n# yes\n", &["# yes"]);
    check(
        "- item\n  ```\n  code\n# the item has ended\n",
        &["# the item has ended"],
    );
    check("- item\n\n  # inside the item\n\n# yes\n", &["# yes"]);
    check(
        "<!--\n# no\n-->\n# yes\n<!-- # no -->\n# yes\n",
        &["# yes", "# yes"],
    );
    check("<!-->\n# yes\n", &["# yes"]);
    check("---\ntitle: x\n# comment\n---\n# A\n", &["# A"]);
    check("---\n# A\n---\n", &["# A"]);
    check("\u{feff}# A\r\n## B\r\n", &["# A", "## B"]);
    check(
        "<<<<<<< ours\ntext\n=======\nother\n>>>>>>> theirs\n# A\n",
        &["# A"],
    );
}

#[test]
fn sections_reach_to_the_next_heading_of_their_level() {
    let doc = Doc::parse("# T\nintro\n## A\na\n### A1\na1\n#### A11\n### A2\n## B\nb");
    let a = doc.section(&["a"]).unwrap();
    assert_eq!(a.text(), "a\n### A1\na1\n#### A11\n### A2");
    assert_eq!(a.own_text(), "a");
    let children: Vec<_> = a
        .children()
        .iter()
        .map(|child| child.title().to_owned())
        .collect();
    assert_eq!(children, ["A1", "A2"]);
    assert!(a.section(&["A11"]).is_some());
    assert!(a.section(&["B"]).is_none());
    assert_eq!(doc.section(&["B"]).unwrap().text(), "b");
    assert_eq!(doc.slice(doc.header()), "intro\n");
}

#[test]
fn titles_are_found_however_people_vary_them() {
    let doc = Doc::parse(
        "## **Active  Goals**:\n## D\u{c9}CISIONS\n## \u{6b21}\u{3000}\u{306e}\u{ff1a}\n",
    );
    for titles in [
        ["no", "active goals"],
        ["d\u{e9}cisions", "no"],
        ["\u{6b21} \u{306e}", "x"],
    ] {
        assert!(doc.section(&titles).is_some(), "{titles:?}");
    }
    assert!(doc.section(&["goals"]).is_none());
}

#[test]
fn fields_are_read_in_all_their_spellings() {
    use FieldStyle::{Bold, BoldItem, Item};
    let check = |line: &str, expected: Option<(FieldStyle, &str, &str)>| {
        let doc = Doc::parse(format!("{line}\n"));
        let fields = doc.fields(doc.whole());
        let found = fields
            .first()
            .map(|field| (field.style, field.key, field.value));
        assert_eq!(found, expected, "{line}");
        for field in &fields {
            assert_eq!(doc.slice(field.value_range.clone()), field.value);
        }
    };
    check("**Branch**: main  ", Some((Bold, "Branch", "main")));
    check("**Branch:** main", Some((Bold, "Branch", "main")));
    check(
        "**\u{72b6}\u{614b}**\u{ff1a}\u{5b8c}\u{4e86}",
        Some((Bold, "\u{72b6}\u{614b}", "\u{5b8c}\u{4e86}")),
    );
    check("**Cl\u{e9}** : valeur", Some((Bold, "Cl\u{e9}", "valeur")));
    check(
        "**Added this session:**",
        Some((Bold, "Added this session", "")),
    );
    check(
        "- **Tone**: dry: very",
        Some((BoldItem, "Tone", "dry: very")),
    );
    check("  * **Tone**:", Some((BoldItem, "Tone", "")));
    check(
        "- Context: `x` at 12:30",
        Some((Item, "Context", "`x` at 12:30")),
    );
    check(
        "- Source\u{ff1a}\u{5224}\u{65ad}",
        Some((Item, "Source", "\u{5224}\u{65ad}")),
    );
    check("- https://example.org", None);
    check("- at 12:30 sharp", None);
    check("- [ ] do: it", None);
    check("- `a`: b", None);
    check("Key: value", None);
    check("**bold** text", None);
    check("    ", None);
}

#[test]
fn items_nest_and_know_all_their_bytes() {
    use Checkbox::{Done, None as Plain, Open};
    let text = "- [x] done\n  more\n  - [ ] inner\n    1) deep\n\n  tail\n- [X] two\nlazy\n\n3. three\n10. ten\n**Label:**\n* star\n\ntext\n";
    let doc = Doc::parse(text);
    let items = doc.items(doc.whole());
    let seen: Vec<_> = items
        .iter()
        .map(|item| {
            (
                item.depth,
                item.marker.to_string(),
                item.checkbox,
                item.text,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (0, "-".to_owned(), Done, "done"),
            (1, "-".to_owned(), Open, "inner"),
            (2, "1)".to_owned(), Plain, "deep"),
            (0, "-".to_owned(), Done, "two"),
            (0, "3.".to_owned(), Plain, "three"),
            (0, "10.".to_owned(), Plain, "ten"),
            (0, "*".to_owned(), Plain, "star"),
        ]
    );
    let whole = |index: usize| doc.slice(items[index].range.clone());
    assert_eq!(
        whole(0),
        "- [x] done\n  more\n  - [ ] inner\n    1) deep\n\n  tail\n"
    );
    assert_eq!(whole(1), "  - [ ] inner\n    1) deep\n");
    assert_eq!(whole(3), "- [X] two\nlazy\n");
    assert_eq!(whole(5), "10. ten\n");
    assert_eq!(whole(6), "* star\n");
    assert_eq!(items[5].marker, Marker::Number(10, '.'));
    assert_eq!(doc.slice(items[1].mark_range.clone().unwrap()), " ");
}

#[test]
fn no_item_is_found_in_block_and_rules_are_no_items() {
    let doc = Doc::parse("- a\n  ```\n  - no\n  ```\n\n* * *\n- - -\n1.no\n-no\n");
    let texts: Vec<_> = doc
        .items(doc.whole())
        .iter()
        .map(|item| item.text.to_owned())
        .collect();
    assert_eq!(texts, ["a"]);
    let rules = doc
        .lines()
        .iter()
        .filter(|line| line.kind == LineKind::Rule)
        .count();
    assert_eq!(rules, 2);
}

#[test]
fn tables_give_trimmed_cells_and_their_places() {
    let text = "| Sev | What |\r\n|:---|---:|\r\n| H | a \\| b |\r\n| L ||\r\nM | c\r\n\r\n| no | table |\r\n";
    let doc = Doc::parse(text);
    let tables = doc.tables(doc.whole());
    assert_eq!(tables.len(), 1);
    let table = &tables[0];
    let what = table.column("what").unwrap();
    let column: Vec<_> = (0..table.rows.len())
        .map(|row| table.cell(row, what))
        .collect();
    assert_eq!(column, [Some("a \\| b"), Some(""), Some("c")]);
    for cell in table.rows.iter().flatten().chain(&table.header) {
        assert_eq!(doc.slice(cell.range.clone()), cell.text);
    }
    assert!(doc.slice(table.range.clone()).ends_with("M | c\r\n"));
}

#[test]
fn unsettled_merges_are_found() {
    let doc = Doc::parse(
        "T\n=======\n<<<<<<< a\n1\n||||||| o\n=======\n2\n>>>>>>> b\n```\n<<<<<<< x\n```\n",
    );
    let marks: Vec<_> = doc
        .conflicts()
        .iter()
        .map(|c| (c.mark, c.line, c.in_block))
        .collect();
    assert_eq!(
        marks,
        [
            (Mark::Ours, 2, false),
            (Mark::Base, 4, false),
            (Mark::Middle, 5, false),
            (Mark::Theirs, 7, false),
            (Mark::Ours, 9, true),
        ]
    );
    assert_eq!(outline(doc.text()), ["# T"]);
}

#[test]
fn blocks_are_parted_by_blank_lines_but_not_inside_code() {
    let doc = Doc::parse("[t] D1: X | y\n- Context: a\n\n\n```\na\n\nb\n```\nend\n");
    let blocks: Vec<_> = doc
        .blocks(doc.whole())
        .into_iter()
        .map(|block| doc.slice(block))
        .collect();
    assert_eq!(
        blocks,
        ["[t] D1: X | y\n- Context: a", "```\na\n\nb\n```\nend"]
    );
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_place() {
    let error = Doc::from_bytes(b"# A\n\xff".to_vec()).unwrap_err();
    assert_eq!((error.line, error.offset), (2, 4));
}

#[test]
fn long_monotonous_documents_are_read_through() {
    for text in [
        "- ".repeat(200_000),
        "> ".repeat(200_000),
        "#\n".repeat(100_000),
        "- a\n".repeat(50_000),
        "```\n".repeat(100_001),
    ] {
        let doc = Doc::parse(text);
        assert!(doc.fields(doc.whole()).is_empty());
        let _ = doc.blocks(doc.whole());
    }
}
