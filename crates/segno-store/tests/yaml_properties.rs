//! Random documents, random edits: every byte outside the edited range stays, and every reader finds what was meant.

#![cfg(test)]

mod yaml_oracles;

use std::cell::RefCell;
use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use segno_store::text::yaml::{At, Budget, Doc, Edit, Map, Node, Step, Value, YamlError};
use yaml_oracles::{Case, agree};

const TRICKY: &[&str] = &[
    "",
    "no",
    "12:30",
    "2026-11-18",
    "1_000",
    "=",
    "-_",
    "~",
    " lead",
    "trail ",
    "a: b",
    "a #b",
    "\tgo\ncode\n",
    "one\ntwo\n",
    "one\n\ntwo",
    " one\ntwo",
    "a\n \nb",
    "\u{85}",
    "x\u{2028}y",
    "\u{1f680}",
    "caf\u{e9}",
    "\u{0}",
    "it's",
    "\"q\"",
    "\\",
    "- a",
    "#",
    "plain",
    "two words",
    "---",
    "...",
    "a\r\nb",
    "end\n\n",
    "[x]",
    "{y}",
    "a, b",
    "|",
    "\u{feff}",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(TRICKY).prop_map(str::to_owned),
        3 => "word|two words|in_progress|a-b",
        2 => vec(any::<char>(), 0..10).prop_map(|chars| chars.into_iter().collect()),
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        2 => (-9_000_000_000_i64..9_000_000_000).prop_map(Value::from),
        4 => text().prop_map(Value::from),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[a-f]", 1 => select(&["no", "a b", "1", "x: y", "\u{e9}", "-"][..]).prop_map(str::to_owned)]
}

fn map_of(value: impl Strategy<Value = Value>, least: usize) -> impl Strategy<Value = Value> {
    vec((key(), value), least..5).prop_map(|entries| Value::Map(entries.into_iter().collect()))
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::List),
            map_of(inner, 0),
        ]
    })
}

/// Draws a document by hand, with all the liberties that people and other programs take.
struct Artist<'c> {
    choices: &'c [u8],
    at: usize,
    indent: usize,
    list_indent: usize,
    comments: usize,
}

impl Artist<'_> {
    fn choose(&mut self, of: u8) -> u8 {
        self.at += 1;
        self.choices[self.at % self.choices.len()] % of
    }

    fn block(&mut self, out: &mut String, value: &Value, column: usize, mut inline: bool) {
        let pad = " ".repeat(column);
        let count = match value {
            Value::Map(map) => map.len(),
            Value::List(items) => items.len(),
            _ => 0,
        };
        for n in 0..count {
            if !std::mem::take(&mut inline) {
                match self.choose(9) {
                    0 => out.push('\n'),
                    1 => self.comment(out, &pad, "\n"),
                    _ => {}
                }
                out.push_str(&pad);
            }
            match value {
                Value::Map(map) => {
                    let (key, value) = map.iter().nth(n).unwrap();
                    self.scalar_on_line(out, key);
                    out.push(':');
                    self.value(out, value, column, false);
                }
                Value::List(items) => {
                    out.push('-');
                    self.value(out, &items[n], column, true);
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, out: &mut String, value: &Value, column: usize, in_list: bool) {
        let block = match value {
            Value::Map(map) => !map.is_empty() && self.choose(5) > 0,
            Value::List(items) => !items.is_empty() && self.choose(3) > 0,
            _ => false,
        };
        if block && in_list && self.choose(4) > 0 {
            out.push(' ');
            self.block(out, value, column + 2, true);
        } else if block {
            self.line_end(out);
            let list = matches!(value, Value::List(_)) && !in_list;
            let deeper = if list { self.list_indent } else { self.indent };
            self.block(out, value, column + deeper, false);
        } else if let Some(literal) = self.literal(value, column + 2) {
            out.push_str(&literal);
        } else if *value == Value::Null && self.choose(2) == 0 {
            self.line_end(out);
            if self.choose(3) == 0 {
                let pad = " ".repeat(column + 1 + usize::from(self.choose(4)));
                self.comment(out, &pad, "\n");
            }
        } else {
            out.push_str(if self.choose(5) == 0 { "   " } else { " " });
            self.flow(out, value);
            self.line_end(out);
        }
    }

    fn literal(&mut self, value: &Value, column: usize) -> Option<String> {
        let text = value.as_str()?;
        let simple = |c: char| c == '\n' || c.is_ascii_alphanumeric();
        let safe = text.contains('\n') && text.chars().all(simple) && !text.starts_with('\n');
        if !safe || text.ends_with("\n\n") || self.choose(3) == 0 {
            return None;
        }
        let (header, body) = match text.strip_suffix('\n') {
            Some(body) => (" |", body),
            None => (" |-", text),
        };
        let mut out = header.to_owned();
        self.line_end(&mut out);
        for line in body.split('\n') {
            if !line.is_empty() {
                out.push_str(&" ".repeat(column));
                out.push_str(line);
            }
            out.push('\n');
        }
        Some(out)
    }

    fn flow(&mut self, out: &mut String, value: &Value) {
        match value {
            Value::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    out.push_str(if n == 0 { "" } else { ", " });
                    self.flow(out, item);
                }
                out.push(']');
            }
            Value::Map(map) => {
                out.push('{');
                for (n, (key, value)) in map.iter().enumerate() {
                    out.push_str(if n == 0 { "" } else { ", " });
                    self.scalar_on_line(out, key);
                    out.push_str(": ");
                    self.flow(out, value);
                }
                out.push('}');
            }
            scalar => self.scalar_on_line(out, scalar),
        }
    }

    fn scalar_on_line(&mut self, out: &mut String, value: &Value) {
        let Value::Str(text) = value else {
            let style = segno_store::text::yaml::Style::default();
            let printed = segno_store::text::yaml::to_text(value, &style).unwrap();
            out.push_str(printed.trim_end());
            return;
        };
        let word = text.len() > 5
            && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
            && text != "no";
        let ascii = text.chars().all(|c| (' '..='~').contains(&c));
        match self.choose(3) {
            0 if word => out.push_str(text),
            1 if ascii => {
                out.push('\'');
                out.push_str(&text.replace('\'', "''"));
                out.push('\'');
            }
            // JSON strings are YAML strings, once what YAML 1.1 takes for line breaks or refuses is escaped.
            _ => {
                let json = serde_json::Value::from(text.as_str()).to_string();
                for c in json.chars() {
                    let raw = (' '..='~').contains(&c) || ('\u{a1}'..='\u{1fff}').contains(&c);
                    if raw {
                        out.push(c);
                    } else {
                        write!(out, "\\U{:08X}", u32::from(c)).unwrap();
                    }
                }
            }
        }
    }

    fn comment(&mut self, out: &mut String, pad: &str, end: &str) {
        self.comments += 1;
        write!(out, "{pad}# c{} - x: 'y{end}", self.comments).unwrap();
    }

    fn line_end(&mut self, out: &mut String) {
        if self.choose(5) == 0 {
            self.comment(out, "  ", "");
        }
        out.push('\n');
    }
}

fn draw(value: &Value, choices: &[u8]) -> String {
    let mut artist = Artist {
        choices,
        at: 0,
        indent: 2,
        list_indent: 2,
        comments: 0,
    };
    artist.indent = [2, 4, 3][usize::from(artist.choose(3))];
    artist.list_indent = [0, 2, artist.indent][usize::from(artist.choose(3))];
    let mut text = String::new();
    artist.block(&mut text, value, 0, false);
    if artist.choose(4) == 0 {
        text = text.replace('\n', "\r\n");
    }
    if artist.choose(6) == 0 {
        text.insert(0, '\u{feff}');
    }
    text
}

/// One edit: what it does to the document and what to plain data.
#[derive(Debug, Clone)]
enum Change {
    Set(Value),
    Push(Value),
    Insert(String, Value, u8),
    Remove,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => scalar().prop_map(Change::Set),
        2 => value().prop_map(Change::Set),
        3 => value().prop_map(Change::Push),
        3 => ("[g-l]", value(), any::<u8>()).prop_map(|(k, v, at)| Change::Insert(k, v, at)),
        2 => Just(Change::Remove),
    ]
}

#[derive(Debug, Clone, PartialEq)]
enum Hop {
    Key(String),
    Index(usize),
}

fn steps(path: &[Hop]) -> Vec<Step<'_>> {
    let step = |hop| match hop {
        &Hop::Index(n) => Step::Index(n),
        Hop::Key(key) => Step::Key(key),
    };
    path.iter().map(step).collect()
}

fn paths(value: &Value, here: &mut Vec<Hop>, all: &mut Vec<Vec<Hop>>) {
    all.push(here.clone());
    let children: Vec<(Hop, &Value)> = match value {
        Value::Map(map) => map
            .iter()
            .map(|(k, v)| (Hop::Key(k.as_str().unwrap().to_owned()), v))
            .collect(),
        Value::List(items) => items
            .iter()
            .enumerate()
            .map(|(n, v)| (Hop::Index(n), v))
            .collect(),
        _ => return,
    };
    for (hop, child) in children {
        here.push(hop);
        paths(child, here, all);
        here.pop();
    }
}

fn at<'v>(value: &'v Value, path: &[Hop]) -> &'v Value {
    path.iter().fold(value, |value, hop| match hop {
        Hop::Key(key) => value.get(key).unwrap(),
        Hop::Index(n) => &value.as_list().unwrap()[*n],
    })
}

/// The data with the value at a path passed through `with`; `None` removes it.
fn rebuilt(value: &Value, path: &[Hop], with: &dyn Fn(&Value) -> Option<Value>) -> Option<Value> {
    let Some((hop, rest)) = path.split_first() else {
        return with(value);
    };
    Some(match (value, hop) {
        (Value::Map(map), Hop::Key(key)) => {
            let entries = map.iter().filter_map(|(k, v)| {
                let kept = if k.as_str() == Some(key) {
                    rebuilt(v, rest, with)
                } else {
                    Some(v.clone())
                };
                Some((k.clone(), kept?))
            });
            Value::Map(entries.collect())
        }
        (Value::List(items), Hop::Index(at)) => {
            let items = items.iter().enumerate().filter_map(|(n, v)| {
                if n == *at {
                    rebuilt(v, rest, with)
                } else {
                    Some(v.clone())
                }
            });
            Value::List(items.collect())
        }
        _ => unreachable!("paths come from the data"),
    })
}

/// Makes a change on the document and on the data; gives the data, or `None` where the change does not apply.
fn make(
    edit: &mut Edit<'_>,
    data: &Value,
    path: &[Hop],
    change: &Change,
) -> Result<Option<Value>, YamlError> {
    let here = at(data, path);
    match change {
        Change::Set(value) if !path.is_empty() => {
            edit.set(steps(path), value.clone())?;
            Ok(rebuilt(data, path, &|_| Some(value.clone())))
        }
        Change::Push(value) if matches!(here, Value::List(_) | Value::Null) => {
            edit.push(steps(path), value.clone())?;
            Ok(rebuilt(data, path, &|old| {
                let mut items = old.as_list().unwrap_or_default().to_vec();
                items.push(value.clone());
                Some(Value::List(items))
            }))
        }
        Change::Insert(key, value, place) if matches!(here, Value::Map(_)) => {
            let map = here.as_map().unwrap();
            if map.get(key).is_some() {
                return Ok(None);
            }
            let nth = usize::from(*place) % (map.len() + 1);
            let neighbour = map
                .iter()
                .nth(nth)
                .map(|(k, _)| k.as_str().unwrap().to_owned());
            let (index, where_to) = match &neighbour {
                None => (map.len(), At::End),
                Some(name) if place % 2 == 0 => (nth, At::Before(name)),
                Some(name) => (nth + 1, At::After(name)),
            };
            edit.insert(steps(path), key, value.clone(), where_to)?;
            Ok(rebuilt(data, path, &|old| {
                let mut entries: Vec<(Value, Value)> = old
                    .as_map()
                    .unwrap()
                    .iter()
                    .map(|(k, v)| (k.clone(), v.clone()))
                    .collect();
                entries.insert(index, (key.as_str().into(), value.clone()));
                Some(Value::Map(entries.into_iter().collect()))
            }))
        }
        Change::Remove if !path.is_empty() => {
            edit.remove(steps(path))?;
            Ok(rebuilt(data, path, &|_| None))
        }
        _ => Ok(None),
    }
}

/// The first byte behind white space and comments.
fn behind_gap(text: &str, from: usize) -> usize {
    let mut rest = text[from..].trim_start();
    while rest.starts_with('#') {
        rest = rest.find('\n').map_or("", |n| rest[n..].trim_start());
    }
    text.len() - rest.len()
}

/// The bytes that a change may touch: from the end of the key (or the dash) to the end of the value.
fn window(doc: &Doc, data: &Value, path: &[Hop], change: &Change) -> (usize, usize) {
    let text = doc.text();
    let offset = |node: Node<'_>| node.raw().as_ptr() as usize - text.as_ptr() as usize;
    let range = |path: &[Hop]| {
        let (mut node, mut from) = (doc.root(), 0);
        for hop in path {
            match hop {
                Hop::Key(name) => {
                    let (key, value) = node
                        .entries()
                        .find(|(k, _)| k.as_str() == Some(name))
                        .unwrap();
                    from = offset(key) + key.raw().len();
                    node = value;
                }
                Hop::Index(n) => {
                    let before = node.items().take(*n).last();
                    let block = !node.raw().starts_with('[');
                    let start = offset(node);
                    node = node.items().nth(*n).unwrap();
                    from = before.map_or(start, |b| offset(b) + b.raw().len());
                    if block {
                        from = behind_gap(text, from);
                    }
                }
            }
        }
        (from, (offset(node) + node.raw().len()).max(from), node)
    };
    match change {
        Change::Set(_) | Change::Push(_) | Change::Insert(..) => {
            let (from, to, _) = range(path);
            (from, to)
        }
        Change::Remove => {
            let parent = &path[..path.len() - 1];
            let siblings = match at(data, parent) {
                Value::Map(map) => map.len(),
                Value::List(items) => items.len(),
                _ => 0,
            };
            let (from, to, node) = range(parent);
            if siblings == 1 || node.raw().starts_with(['[', '{']) {
                return (from, to);
            }
            let (named, end, child) = range(path);
            let line = text[..named].rfind('\n').map_or(0, |n| n + 1);
            let rest = text[end..].find('\n').map_or(text.len(), |n| end + n + 1);
            let start = match path.last().unwrap() {
                Hop::Key(_) => {
                    let (key, _) = node
                        .entries()
                        .find(|(_, v)| v.raw().as_ptr() == child.raw().as_ptr())
                        .unwrap();
                    offset(key)
                }
                Hop::Index(_) => named,
            };
            if !text[line..start].trim_matches([' ', '\u{feff}']).is_empty() {
                // The first of a nested collection, on its parent's line: the next one moves up.
                let next = text[rest..].trim_start_matches([' ', '\r', '\n']);
                return (start, text.len() - next.len());
            }
            (line, comments_end(text, rest, start - line))
        }
    }
}

/// Behind the comments deeper than a column that begin at `from`: they may move out of the reach of a literal above.
fn comments_end(text: &str, from: usize, column: usize) -> usize {
    let lines = text[from..].split_inclusive('\n');
    let moved = lines.take_while(|line| {
        let content = line.trim_start_matches(' ');
        content.trim().is_empty()
            || (content.starts_with('#') && line.len() - content.len() > column)
    });
    from + moved.map(str::len).sum::<usize>()
}

/// Everything before the window stands at the beginning, everything behind it at the end. New lines may come only behind
/// what the line ends with and the comment lines that directly follow it.
fn kept(old: &str, new: &str, (from, to): (usize, usize)) -> bool {
    let Some(rest) = new.strip_prefix(&old[..from]) else {
        return false;
    };
    let tail = &old[to..];
    let mut cut = 0;
    for (n, line) in tail.split_inclusive('\n').enumerate() {
        if n > 0 && !line.trim_start_matches(' ').starts_with('#') {
            break;
        }
        for end in [cut, cut + line.trim_end_matches(['\r', '\n']).len()] {
            let changed = rest.strip_suffix(&tail[end..]);
            if changed
                .is_some_and(|changed| changed.contains(tail[..end].trim_end_matches(['\r', '\n'])))
            {
                return true;
            }
        }
        cut += line.len();
    }
    tail.is_empty()
}

/// Nothing went, and what came is in one piece.
fn only_grew(old: &str, new: &str) -> bool {
    let prefix = old
        .bytes()
        .zip(new.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let suffix = old
        .bytes()
        .rev()
        .zip(new.bytes().rev())
        .take_while(|(a, b)| a == b)
        .count();
    prefix + suffix >= old.len()
}

fn document() -> impl Strategy<Value = (Value, Vec<u8>)> {
    (map_of(value(), 1), vec(any::<u8>(), 40..90))
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    })
}

fn parse(text: &str) -> Doc {
    Doc::parse(text, &Budget::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn one_edit_changes_its_own_bytes_and_every_reader_sees_it() {
    let cases = RefCell::new(Vec::new());
    let strategy = (document(), any::<prop::sample::Index>(), change());
    let outcome = runner(1500).run(&strategy, |((data, choices), pick, change)| {
        let text = draw(&data, &choices);
        let doc = parse(&text);
        prop_assert_eq!(&doc.root().to_value().unwrap(), &data, "{}", text);
        let mut all = Vec::new();
        paths(&data, &mut Vec::new(), &mut all);
        let path = &all[pick.index(all.len())];
        let mut edit = doc.edit();
        let made = make(&mut edit, &data, path, &change);
        let made = made.map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        let Some(want) = made else {
            return Ok(());
        };
        let new = edit.finish();
        let new = new.map_err(|e| TestCaseError::fail(format!("{e} at {path:?}\n{text}")))?;
        let read = parse(&new).root().to_value().unwrap();
        prop_assert_eq!(&read, &want, "\n{}\n---\n{}", text, new);
        let range = window(&doc, &data, path, &change);
        let grows = match at(&data, path) {
            Value::List(items) => matches!(change, Change::Push(_)) && !items.is_empty(),
            Value::Map(map) => matches!(change, Change::Insert(..)) && !map.is_empty(),
            _ => false,
        };
        let fine = if grows {
            only_grew(&text, &new)
        } else {
            kept(&text, &new, range)
        };
        prop_assert!(fine, "{:?} {:?}\n{}\n---\n{}", path, range, text, new);
        cases.borrow_mut().push(Case { text: new, want });
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
    let mut cases = cases.into_inner();
    cases.truncate(800);
    agree(&cases);
}

#[test]
fn a_batch_of_edits_is_the_same_as_one_edit_after_the_other() {
    let cases = RefCell::new(Vec::new());
    let strategy = (
        document(),
        vec((any::<prop::sample::Index>(), change()), 1..7),
    );
    let outcome = runner(600).run(&strategy, |((data, choices), changes)| {
        let text = draw(&data, &choices);
        let doc = parse(&text);
        let mut edit = doc.edit();
        let mut want = data;
        for (pick, change) in &changes {
            let mut all = Vec::new();
            paths(&want, &mut Vec::new(), &mut all);
            let path = &all[pick.index(all.len())];
            let made = make(&mut edit, &want, path, change);
            let made = made.map_err(|e| TestCaseError::fail(format!("{e} {path:?}\n{text}")))?;
            want = made.unwrap_or(want);
        }
        let new = match edit.finish() {
            Ok(new) => new,
            // Changes that meet in one place are refused, never guessed at.
            Err(error) if error.kind == segno_store::text::yaml::ErrorKind::Refused => {
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{text}"))),
        };
        let read = parse(&new).root().to_value().unwrap();
        prop_assert_eq!(&read, &want, "\n{}\n---\n{}", text, new);
        cases.borrow_mut().push(Case { text: new, want });
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
    let mut cases = cases.into_inner();
    assert!(cases.len() > 500, "too many batches were refused");
    cases.truncate(400);
    agree(&cases);
}

#[test]
fn edits_among_many_items_say_what_they_mean_though_most_items_are_not_read_again() {
    let long = vec(value(), 6..14).prop_map(|items| {
        let list = Value::List(items);
        Value::Map(
            Map::new()
                .with("first", 1)
                .with("list", list)
                .with("last", 2),
        )
    });
    let strategy = (
        (long, vec(any::<u8>(), 40..90)),
        vec((any::<prop::sample::Index>(), change()), 1..4),
    );
    let outcome = runner(400).run(&strategy, |((data, choices), changes)| {
        let text = draw(&data, &choices);
        let doc = parse(&text);
        let mut edit = doc.edit();
        let mut want = data;
        for (pick, change) in &changes {
            let mut all = Vec::new();
            paths(&want, &mut Vec::new(), &mut all);
            let path = &all[pick.index(all.len())];
            let made = make(&mut edit, &want, path, change);
            want = made.ok().flatten().unwrap_or(want);
        }
        // In a debug build this compares what an excerpt says with what the whole says.
        if let Ok(new) = edit.finish() {
            let read = parse(&new).root().to_value().unwrap();
            prop_assert_eq!(&read, &want, "\n{}\n---\n{}", text, new);
        }
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn no_text_makes_the_reader_panic_or_lose_a_byte() {
    let piece = select(
        &[
            "a",
            ": ",
            ":",
            "- ",
            "-",
            "? ",
            "\n",
            "\n  ",
            " ",
            "[",
            "]",
            "{",
            "}",
            ",",
            "'",
            "\"",
            "|",
            ">",
            "|+\n  x\n\n",
            "#",
            " #c\n",
            "&a ",
            "*a",
            "!t ",
            "!!str ",
            "~",
            "1",
            "\t",
            "\r\n",
            "---\n",
            "...\n",
            "\u{feff}",
            "\u{e9}",
            "<<: ",
            "b: ",
            "%YAML 1.2\n",
        ][..],
    );
    let strategy = vec(piece, 0..30);
    let outcome = runner(6000).run(&strategy, |pieces| {
        let text = pieces.concat();
        let Ok(doc) = Doc::parse(text.as_str(), &Budget::default()) else {
            return Ok(());
        };
        prop_assert_eq!(doc.text(), text.as_str());
        let _ = doc.root().to_value();
        let keys: Vec<String> = doc
            .root()
            .entries()
            .filter_map(|(k, _)| k.as_str().map(str::to_owned))
            .collect();
        for key in &keys {
            for value in [
                Value::from(7),
                Value::from("x\ny"),
                Value::from(Map::new().with("z", vec![1])),
            ] {
                let mut edit = doc.edit();
                // It may be refused; what is handed out has been read back.
                if edit.set([key.as_str()], value.clone()).is_ok() {
                    match edit.finish() {
                        Ok(new) => prop_assert_eq!(
                            parse(&new).root().get(key).unwrap().to_value().unwrap(),
                            value
                        ),
                        Err(e) => prop_assert!(!e.message.is_empty()),
                    }
                }
            }
            let mut edit = doc.edit();
            let _ = edit.remove([key.as_str()]).and_then(|()| edit.finish());
        }
        let mut edit = doc.edit();
        let _ = edit.set(["new"], 1).and_then(|()| edit.finish());
        let mut edit = doc.edit();
        let _ = edit.push([0_usize], 1).and_then(|()| edit.finish());
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
}
