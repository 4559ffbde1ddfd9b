//! Markdown edits change what they were asked to change and no other byte.

#![expect(clippy::unwrap_used, reason = "a test may say plainly what it expects")]

use proptest::prelude::*;
use segno_store::text::markdown::{Checkbox, Doc, Edit, EditError, FieldStyle, Place, contained};

fn edited(text: &str, edit: impl FnOnce(&Doc, &mut Edit<'_>)) -> String {
    let doc = Doc::parse(text);
    let mut edits = doc.edit();
    edit(&doc, &mut edits);
    edits.finish().unwrap()
}

#[test]
fn a_body_is_replaced_between_its_blank_lines() {
    let check = |text: &str, body: &str, expected: &str| {
        let found = edited(text, |doc, edit| {
            edit.replace_body(doc.section(&["a"]).unwrap(), body)
                .unwrap();
        });
        assert_eq!(found, expected);
    };
    check("# A\n\nold\n\n### x\n\n# B\n", "new", "# A\n\nnew\n\n# B\n");
    check("# A\nold\n# B\n", "one\ntwo\n", "# A\none\ntwo\n# B\n");
    check(
        "# A\r\n\r\nold\r\n\r\n# B\r\n",
        "1\n2",
        "# A\r\n\r\n1\r\n2\r\n\r\n# B\r\n",
    );
    check("# A\n\nold\n\n# B\n", "", "# A\n\n# B\n");
    check("# A\nold\n\n# B\n", "", "# A\n\n# B\n");
    check("# A\n# B\n", "new", "# A\n\nnew\n\n# B\n");
    check("# A\n# B\ntext\n", "new", "# A\nnew\n\n# B\ntext\n");
    check("# A", "new", "# A\n\nnew\n");
    check("# A\n\nold", "new", "# A\n\nnew");
}

#[test]
fn a_body_up_to_the_next_heading_can_be_replaced_alone() {
    let found = edited("# A\n\nold\n\n## In\n\nx\n", |doc, edit| {
        edit.replace_own_body(doc.section(&["a"]).unwrap(), "new")
            .unwrap();
    });
    assert_eq!(found, "# A\n\nnew\n\n## In\n\nx\n");
}

#[test]
fn sections_are_added_with_blank_lines_around() {
    let check = |text: &str, place: &dyn Fn(&Doc) -> Option<&str>, expected: &str| {
        let doc = Doc::parse(text);
        let mut edit = doc.edit();
        let section = doc.section(&["a"]);
        let place = match (place(&doc), section) {
            (Some("before"), Some(section)) => Place::Before(section),
            (Some("after"), Some(section)) => Place::After(section),
            _ => Place::End,
        };
        edit.insert_section(place, 2, "N", "body\n").unwrap();
        assert_eq!(edit.finish().unwrap(), expected);
    };
    check(
        "## A\n\na\n\n## B\n\nb\n",
        &|_| Some("after"),
        "## A\n\na\n\n## N\n\nbody\n\n## B\n\nb\n",
    );
    check(
        "## A\na\n## B\nb\n",
        &|_| Some("before"),
        "## N\nbody\n\n## A\na\n## B\nb\n",
    );
    check("## A\n\na", &|_| None, "## A\n\na\n\n## N\n\nbody\n");
    check(
        "## A\r\n\r\na\r\n",
        &|_| None,
        "## A\r\n\r\na\r\n\r\n## N\r\n\r\nbody\r\n",
    );
    check("", &|_| None, "## N\n\nbody\n");
}

#[test]
fn items_join_the_list_that_is_there() {
    let check = |text: &str, checkbox: Checkbox, items: &[&str], expected: &str| {
        let found = edited(text, |doc, edit| {
            let range = doc.section(&["a"]).unwrap().own_body();
            edit.append_items(range, checkbox, items.iter().copied())
                .unwrap();
        });
        assert_eq!(found, expected);
    };
    let plain = Checkbox::None;
    check(
        "# A\n* x\n  * y\n\n# B\n",
        plain,
        &["z"],
        "# A\n* x\n  * y\n* z\n\n# B\n",
    );
    check(
        "# A\n9. x\n\ntext\n",
        plain,
        &["y", "z"],
        "# A\n9. x\n10. y\n11. z\n\ntext\n",
    );
    check(
        "# A\n- [x] x\n",
        Checkbox::Open,
        &["two\nlines"],
        "# A\n- [x] x\n- [ ] two\n  lines\n",
    );
    check("# A\n- x", plain, &["y"], "# A\n- x\n- y");
    check("# A\n\n# B\n", plain, &["y"], "# A\n\n- y\n\n# B\n");
    check("# A\ntext\n", plain, &["y"], "# A\ntext\n\n- y\n");
    check("# A\n**Added:**\n", plain, &["y"], "# A\n**Added:**\n- y\n");
    check(
        "# A\n\n- x\n  ```\n  - no\n  ```\n\n## C\n- c\n",
        plain,
        &["y"],
        "# A\n\n- x\n  ```\n  - no\n  ```\n- y\n\n## C\n- c\n",
    );
}

#[test]
fn fields_are_set_added_and_taken_out() {
    let text = "# S\r\n**Generated**: 2026-02-20  \r\n**Branch**:\r\n\r\n## D\r\n";
    let found = edited(text, |doc, edit| {
        let header = doc.header();
        edit.set_field(header.clone(), FieldStyle::Bold, &["branch"], "main")
            .unwrap();
        let generated = doc.field(header, &["Date", "generated"]).unwrap();
        edit.set_value(&generated, "2026-02-21").unwrap();
        edit.insert_field(&generated, FieldStyle::Bold, "Mode", "auto-draft")
            .unwrap();
    });
    assert_eq!(
        found,
        "# S\r\n**Generated**: 2026-02-21  \r\n**Mode**: auto-draft  \r\n**Branch**: main\r\n\r\n## D\r\n"
    );
    let found = edited(&found, |doc, edit| {
        edit.remove_field(&doc.field(doc.header(), &["mode"]).unwrap());
        edit.set_field(doc.header(), FieldStyle::Bold, &["Session Goal"], "ship")
            .unwrap();
    });
    assert_eq!(
        found,
        "# S\r\n**Generated**: 2026-02-21  \r\n**Branch**: main\r\n**Session Goal**: ship\r\n\r\n## D\r\n"
    );
    let found = edited("# S\n\ntext\n", |doc, edit| {
        edit.set_field(doc.header(), FieldStyle::BoldItem, &["Mode"], "x")
            .unwrap();
    });
    assert_eq!(found, "# S\n\n- **Mode**: x\n\ntext\n");
}

#[test]
fn several_edits_are_made_at_once() {
    let text = "\u{feff}# T\n\n- [ ] a\n- [x] b\n\n## Old\n\ngone\n\n## Keep\n\nk\n";
    let found = edited(text, |doc, edit| {
        let items = doc.items(doc.whole());
        edit.set_checkbox(&items[0], true)
            .set_checkbox(&items[1], false);
        edit.remove_section(doc.section(&["old"]).unwrap());
        edit.replace_body(doc.section(&["keep"]).unwrap(), "kept")
            .unwrap();
        edit.insert_section(Place::End, 2, "Last", "").unwrap();
    });
    assert_eq!(
        found,
        "\u{feff}# T\n\n- [x] a\n- [ ] b\n\n## Keep\n\nkept\n\n## Last\n"
    );
}

#[test]
fn edits_that_would_break_the_document_are_refused() {
    let doc = Doc::parse("# A\n\nx\n\n## B\n\ny\n");
    let a = doc.section(&["A"]).unwrap();
    let b = doc.section(&["B"]).unwrap();
    let body = |section, text: &str| {
        doc.edit()
            .replace_body(section, text)
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(
        body(b, "ok\n# C\n"),
        EditError::HeadingInside("C".to_owned())
    );
    assert_eq!(
        body(b, "T\n---\n"),
        EditError::HeadingInside("T".to_owned())
    );
    assert_eq!(body(a, "```\nopen"), EditError::LeftOpen);
    assert!(doc.edit().replace_body(a, "## deeper is fine\n").is_ok());
    let mut edit = doc.edit();
    edit.replace(a.own_body(), "<!-- swallows\n");
    assert_eq!(edit.finish(), Err(EditError::Disturbs("B".to_owned())));
    let mut edit = doc.edit();
    edit.remove_section(b);
    edit.replace_body(b, "z").unwrap();
    assert!(matches!(edit.finish(), Err(EditError::Splice(_))));
    let mut edit = doc.edit();
    let value = edit
        .set_field(doc.header(), FieldStyle::Bold, &["K"], "two\nlines")
        .map(|_| ());
    assert_eq!(value, Err(EditError::NotOneLine("K".to_owned())));
    let key = edit
        .set_field(doc.header(), FieldStyle::Bold, &["K:"], "v")
        .map(|_| ());
    assert_eq!(key, Err(EditError::BadKey("K:".to_owned())));
    let open = Doc::parse("# A\n```\ncode\n");
    let place = open
        .edit()
        .insert_section(Place::End, 2, "B", "")
        .map(|_| ());
    assert_eq!(place, Err(EditError::EndsOpen));
    let title = edit.insert_section(Place::End, 2, "a\nb", "").map(|_| ());
    assert_eq!(title, Err(EditError::NotOneLine("a\nb".to_owned())));
}

#[test]
fn any_text_can_be_contained() {
    let check = |text: &str, expected: &str| assert_eq!(contained(text), expected);
    check("plain\n\n- # item\n", "plain\n\n- # item\n");
    check("# A\nT\n===\n", "\\# A\nT\n\\===\n");
    check("```\n# code", "```\n# code\n```");
    check("<!-- x\n", "<!-- x\n-->");
    check("<<<<<<< a\n---", "\\<<<<<<< a\n\\---");
}

#[test]
fn a_conflict_shown_in_a_code_block_opens_none_behind_it() {
    let text = "```\n<<<<<<< a\n```\n=======";
    let doc = Doc::parse(contained(text).into_owned());
    let in_text = doc.conflicts().iter().filter(|mark| !mark.in_block).count();
    assert_eq!((doc.conflicts().len(), in_text), (1, 0));
}

/// Lines that mean something, in any order, with either line end.
fn document() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => Just(""), 2 => Just("# One"), 2 => Just("## Two"), 2 => Just("## Three ##"), 1 => Just("### Four"),
        1 => Just("Title"), 1 => Just("==="), 1 => Just("---"), 2 => Just("text \u{e9}\u{4f1a}"), 1 => Just("```"),
        1 => Just("~~~"), 1 => Just("<!--"), 1 => Just("-->"), 2 => Just("- item"), 1 => Just("  - [ ] inner"),
        1 => Just("3. three"), 2 => Just("**Key**: value  "), 1 => Just("- Other: value"), 1 => Just("**Label:**"),
        1 => Just("| a | b |"), 1 => Just("|---|---|"), 1 => Just("<<<<<<< a"), 1 => Just("======="),
        1 => Just(">>>>>>> b"), 1 => Just("    indented"), 1 => Just("\tx"), 1 => Just("> quote"),
    ];
    let eol = prop_oneof![Just("\n"), Just("\r\n")];
    (
        prop::collection::vec(line, 0..25),
        eol,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(lines, eol, mark, ended)| {
            let text = lines.join(eol);
            let mark = if mark { "\u{feff}" } else { "" };
            let last = if ended { eol } else { "" };
            format!("{mark}{text}{last}")
        })
}

/// Checks that a text is the other but for what stands in a range of it.
fn same_outside(before: &str, range: std::ops::Range<usize>, after: &str) -> bool {
    after.len() >= range.start + (before.len() - range.end)
        && after.starts_with(&before[..range.start])
        && after.ends_with(&before[range.end..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_ranges_lie_in_the_text(text in document()) {
        let doc = Doc::parse(text.clone());
        let joined: String = doc.lines().iter().map(|line| doc.slice(line.full())).collect();
        prop_assert_eq!(joined, text.trim_start_matches('\u{feff}'));
        for section in doc.sections() {
            prop_assert_eq!(doc.slice(section.heading().title_range.clone()), section.title());
            prop_assert!(section.range().end <= text.len());
        }
        for item in doc.items(doc.whole()) {
            prop_assert_eq!(doc.slice(item.text_range.clone()), item.text);
            prop_assert!(text.get(item.range).is_some());
        }
    }

    #[test]
    fn a_replaced_body_is_read_back(text in document(), pick in any::<prop::sample::Index>(), body in "[a-z\u{e9}]{1,5}(\n[a-z]{1,4}){0,2}") {
        let doc = Doc::parse(text.clone());
        let count = doc.headings().len();
        prop_assume!(count > 0);
        let at = pick.index(count);
        let section = doc.sections().nth(at).unwrap();
        let mut edit = doc.edit();
        edit.replace_body(section, &body).unwrap();
        match edit.finish() {
            Ok(after) => {
                prop_assert!(same_outside(&text, section.body(), &after));
                let again = Doc::parse(after);
                let read = again.sections().nth(at).unwrap();
                prop_assert_eq!(read.text().replace("\r\n", "\n"), body);
            }
            // Refused rather than damaged: a title right below would become part of the text.
            Err(error) => prop_assert!(matches!(error, EditError::Disturbs(_)), "{error}"),
        }
    }

    #[test]
    fn a_set_field_is_read_back(text in document(), pick in any::<prop::sample::Index>(), value in "[a-z\u{e9}]{0,5}") {
        let doc = Doc::parse(text.clone());
        let scopes: Vec<_> = doc.sections().map(|section| section.own_body()).chain([doc.header()]).collect();
        let scope = scopes[pick.index(scopes.len())].clone();
        let mut edit = doc.edit();
        edit.set_field(scope.clone(), FieldStyle::Bold, &["Key"], &value).unwrap();
        let Ok(after) = edit.finish() else { return Ok(()); };
        prop_assert!(same_outside(&text, scope.clone(), &after));
        let grown = after.len() + scope.end - text.len();
        let again = Doc::parse(after);
        prop_assert_eq!(again.field(scope.start..grown, &["key"]).map(|field| field.value.to_owned()), Some(value));
    }

    #[test]
    fn an_appended_item_is_the_last_of_its_list(text in document(), pick in any::<prop::sample::Index>()) {
        let doc = Doc::parse(text.clone());
        let scopes: Vec<_> = doc.sections().map(|section| section.own_body()).collect();
        prop_assume!(!scopes.is_empty());
        let scope = scopes[pick.index(scopes.len())].clone();
        let before = doc.items(scope.clone()).len();
        let mut edit = doc.edit();
        if edit.append_items(scope.clone(), Checkbox::Open, ["fresh"]).is_err_and(|error| error == EditError::EndsOpen) {
            let open = ["```", "~~~", "<!--"].iter().any(|mark| text.contains(mark));
            prop_assert!(open, "only a document that ends inside a block refuses");
            return Ok(());
        }
        let Ok(after) = edit.finish() else { return Ok(()); };
        prop_assert!(same_outside(&text, scope.clone(), &after));
        let again = Doc::parse(after.clone());
        let items = again.items(scope.start..after.len() + scope.end - text.len());
        prop_assert_eq!(items.len(), before + 1, "{}", after);
        prop_assert!(items.iter().any(|item| item.text == "fresh" && item.depth == 0));
    }

    #[test]
    fn an_inserted_section_is_found_and_the_rest_is_as_it_was(text in document(), pick in any::<prop::sample::Index>(), after in any::<bool>()) {
        let doc = Doc::parse(text.clone());
        let count = doc.headings().len();
        let place = match (count, after) {
            (0, _) => Place::End,
            (_, true) => Place::After(doc.sections().nth(pick.index(count)).unwrap()),
            (_, false) => Place::Before(doc.sections().nth(pick.index(count)).unwrap()),
        };
        let mut edit = doc.edit();
        if edit.insert_section(place, 2, "Fresh", "body").is_err_and(|error| error == EditError::EndsOpen) {
            let open = ["```", "~~~", "<!--"].iter().any(|mark| text.contains(mark));
            prop_assert!(open, "only a document that ends inside a block refuses");
            return Ok(());
        }
        let Ok(found) = edit.finish() else { return Ok(()); };
        let again = Doc::parse(found.clone());
        let fresh = again.section(&["fresh"]).unwrap();
        prop_assert_eq!(fresh.own_text(), "body");
        let added = fresh.heading().range.start..fresh.own_body().end;
        let without = [&found[..added.start], &found[added.end..]].concat();
        prop_assert_eq!(without.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn contained_text_fits_every_section(text in document()) {
        let doc = Doc::parse("# A\n\nx\n\n# B\n");
        let mut edit = doc.edit();
        edit.replace_own_body(doc.section(&["A"]).unwrap(), &contained(&text)).unwrap();
        let after = Doc::parse(edit.finish().unwrap());
        prop_assert_eq!(after.headings().len(), 2);
        prop_assert!(after.conflicts().iter().all(|conflict| conflict.in_block), "{}", after.text());
    }
}
