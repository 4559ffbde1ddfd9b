//! The picture in the README: a real run of the program, drawn as a terminal would show it.
//!
//! `ci/picture` draws it anew. The clock and the ids are those of the tests, so the picture changes when the program does.

use std::fmt::Write as _;
use std::path::Path;

use crate::workshop::{files, workshop};

/// What is typed in it.
const COMMANDS: &[&[&str]] = &[
    &["list"],
    &["search", "append_only"],
    &["check"],
    &["resume", "where", "keep", "--print"],
];

const COLUMNS: usize = 112;
/// Five letters are 42 wide.
const FIVE_LETTERS: usize = 42;
const ROW: usize = 19;
const EDGE: usize = 16;
/// A picture is looked at, not read: more of an answer than this is cut.
const MOST_LINES: usize = 14;

#[test]
fn the_picture_in_the_readme_is_a_real_run() {
    let env = workshop();
    // A crash in the middle of a message.
    let transcripts = files(&env.path("desk/conversations"));
    let mut transcripts = transcripts.into_iter();
    let (transcript, mut bytes) = transcripts
        .find(|(path, _)| path.ends_with("messages.jsonl"))
        .unwrap();
    bytes.extend_from_slice(b"{\"role\": \"assist");
    std::fs::write(transcript, bytes).unwrap();
    let mut rows: Vec<String> = Vec::new();
    for args in COMMANDS {
        let typed = [&["segno"], *args].concat().join(" ");
        rows.push(format!("\u{1b}[32m$\u{1b}[0m \u{1b}[1m{typed}\u{1b}[0m"));
        let done = env.run([*args, &["--color", "always"]].concat());
        let lines: Vec<&str> = done.stdout.lines().collect();
        rows.extend(lines.iter().take(MOST_LINES).flat_map(|line| wrapped(line)));
        if lines.len() > MOST_LINES {
            rows.push("\u{1b}[2m…\u{1b}[0m".to_owned());
        }
        rows.push(String::new());
    }
    rows.pop();
    let svg = draw(&rows);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/segno.svg");
    if std::env::var_os("SEGNO_UPDATE").is_some() {
        std::fs::write(&path, &svg).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == svg,
        "docs/segno.svg is not what the program shows: run ci/picture"
    );
}

fn draw(rows: &[String]) -> String {
    let width = COLUMNS * FIVE_LETTERS / 5 + 2 * EDGE;
    let height = rows.len() * ROW + 2 * EDGE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" font-size=\"14\" fill=\"#c9d1d9\">\n\
         <title>segno in a terminal</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"#0d1117\"/>\n"
    );
    for (place, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
        let y = EDGE + place * ROW + 14;
        let _ = writeln!(
            svg,
            "<text x=\"{EDGE}\" y=\"{y}\" xml:space=\"preserve\">{}</text>",
            spans(row)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// A line as the rows that a terminal makes of it, the colours carried over.
fn wrapped(line: &str) -> Vec<String> {
    let mut rows = vec![String::new()];
    let (mut left, mut style) = (COLUMNS, String::new());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            let mut code = String::from(letter);
            code.extend(letters.by_ref().take_while(|letter| *letter != 'm'));
            code.push('m');
            rows.last_mut().unwrap().push_str(&code);
            style = code;
            continue;
        }
        if left == 0 {
            rows.push(style.clone());
            left = COLUMNS;
        }
        rows.last_mut().unwrap().push(letter);
        left -= 1;
    }
    rows
}

/// A line with its colours as pieces of an SVG text, no wider than the terminal.
fn spans(row: &str) -> String {
    let mut out = String::new();
    let mut style = String::new();
    let mut left = COLUMNS;
    for (place, piece) in row.split("\u{1b}[").enumerate() {
        let text = match piece.split_once('m') {
            Some((codes, text)) if place > 0 => {
                style = restyled(&style, codes);
                text
            }
            _ => piece,
        };
        let text: String = text.chars().take(left).collect();
        left -= text.chars().count();
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        match (text.is_empty(), style.is_empty()) {
            (true, _) => {}
            (false, true) => out.push_str(&text),
            (false, false) => {
                let _ = write!(out, "<tspan{style}>{text}</tspan>");
            }
        }
    }
    out
}

fn restyled(before: &str, codes: &str) -> String {
    let mut style = before.to_owned();
    for code in codes.split(';') {
        match code {
            "" | "0" => style.clear(),
            "1" => style.push_str(" font-weight=\"bold\""),
            "2" => style.push_str(" fill-opacity=\"0.6\""),
            "4" => style.push_str(" text-decoration=\"underline\""),
            "31" => style.push_str(" fill=\"#ff7b72\""),
            "32" => style.push_str(" fill=\"#3fb950\""),
            "33" => style.push_str(" fill=\"#d29922\""),
            "36" => style.push_str(" fill=\"#39c5cf\""),
            other => unreachable!("a style that the picture does not know: {other}"),
        }
    }
    style
}
