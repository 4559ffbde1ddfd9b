//! What an engine answers to `/done`: the JSON in it is found, and brought into the form of `final_json`.

use super::brief::FINAL_SHAPE;
use super::failure::Failure;
use super::ops::parse_all;
use super::schema::OpType;
use crate::text::json::{self, Budget, Doc, Kind, Style, Tree, Value};
use crate::text::jsonl::MAX_LINE;

/// How many places of an answer are tried as the beginning of JSON.
const CANDIDATES: usize = 200;

/// What an answer holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The payload of `final_json`.
    pub(super) payload: Tree,
    /// How many operations are in it.
    pub(super) count: usize,
    /// How many others stood before it in the answer, which corrects itself.
    pub(super) passed_over: usize,
}

/// The payload of `final_json` that an answer holds: the last that is complete and valid.
pub(super) fn payload(answer: &str) -> Result<Found, Failure> {
    if answer.trim().is_empty() {
        return Err(Failure::invalid("Empty JSON payload returned by engine."));
    }
    let whole = answer.trim();
    let mut why = None;
    if whole.starts_with(['{', '[']) && json::check(whole.as_bytes()).is_ok() {
        let found = last_valid(vec![Candidate::Value(whole)], &mut why)?;
        return found.ok_or_else(|| nothing(why));
    }
    // What stands in a fence is meant before what begins like JSON anywhere else.
    if let Some(found) = last_valid(fenced(answer), &mut why)? {
        return Ok(found);
    }
    let found = last_valid(bare(answer), &mut why)?;
    found.ok_or_else(|| nothing(why))
}

/// True when an answer is JSON and nothing else, bare or in one fence.
pub(super) fn is_only_json(answer: &str) -> bool {
    let whole = answer.trim();
    let fenced = whole.strip_prefix("```").and_then(|rest| {
        let (_, inside) = rest.split_once('\n')?;
        inside.strip_suffix("```")
    });
    json::check(fenced.unwrap_or(whole).trim().as_bytes()).is_ok()
}

fn nothing(why: Option<String>) -> Failure {
    Failure::invalid(why.unwrap_or_else(|| "No valid JSON found in response.".to_owned()))
}

/// The last candidate that holds operations, one that reads strictly before one that does not. `why` says what is wrong
/// with the first that holds none.
fn last_valid(
    candidates: Vec<Candidate<'_>>,
    why: &mut Option<String>,
) -> Result<Option<Found>, Failure> {
    let mut found: Vec<(Tree, usize)> = Vec::new();
    for candidate in candidates {
        let text = match candidate {
            Candidate::Value(text) => text,
            // An answer that breaks off is not answered by the part of it that is whole.
            Candidate::Broken(why) => {
                let failure = Failure::invalid("No valid JSON found in response.");
                return Err(failure.with_details(format!("Error parsing JSON: {why}")));
            }
        };
        let read = Doc::parse_within(text, budget())
            .map_err(|error| format!("Error parsing JSON: {error}"))
            .and_then(|doc| normalise(doc.root()));
        match read {
            Ok(read) if found.last() == Some(&read) => {}
            Ok(read) => found.push(read),
            Err(wrong) => *why = why.take().or(Some(wrong)),
        }
    }
    let passed_over = found.len().saturating_sub(1);
    let strict = match passed_over {
        0 => None,
        _ => found.iter().rposition(|(payload, _)| is_strict(payload)),
    };
    let chosen = strict.unwrap_or(passed_over);
    let taken = found.into_iter().nth(chosen);
    Ok(taken.map(|(payload, count)| Found {
        payload,
        count,
        passed_over: chosen,
    }))
}

/// True when every operation has what it must have.
fn is_strict(payload: &Tree) -> bool {
    let doc = Doc::parse_within(payload.to_text(Style::COMPACT), budget()).ok();
    let list = doc.as_ref().and_then(|doc| doc.get("patch_operations"));
    list.is_some_and(|list| parse_all(list).is_ok())
}

fn budget() -> Budget {
    Budget {
        bytes: MAX_LINE,
        ..Budget::default()
    }
}

/// What begins like JSON somewhere in an answer.
enum Candidate<'a> {
    /// An object or a list.
    Value(&'a str),
    /// It breaks off, or something is wrong inside; what.
    Broken(String),
}

/// Whatever begins like JSON, one behind the other. What lies inside another value is not one of them.
fn bare(answer: &str) -> Vec<Candidate<'_>> {
    let mut found = Vec::new();
    // Where the present line begins to say something.
    let mut first = indented(answer, 0);
    let mut at = 0;
    while found.len() < CANDIDATES
        && let Some(next) = answer.get(at..).and_then(|rest| rest.find(['{', '[']))
    {
        let passed = answer.get(at..at + next).unwrap_or_default();
        if let Some(end) = passed.rfind('\n') {
            first = indented(answer, at + end + 1);
        }
        at += next;
        let rest = answer.get(at..).unwrap_or_default();
        let is_first = at == first;
        if !is_meant(rest, is_first) {
            at += 1;
            continue;
        }
        match value_at(answer, at) {
            Ok(value) => {
                at += value.len();
                found.push(Candidate::Value(value));
            }
            Err(why) => {
                found.push(Candidate::Broken(why));
                break;
            }
        }
    }
    found
}

/// Where the first character that is not white space stands, from a place on.
fn indented(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    text.len() - rest.trim_start().len()
}

/// What stands in fences.
fn fenced(answer: &str) -> Vec<Candidate<'_>> {
    let mut found = Vec::new();
    for at in fences(answer).take(CANDIDATES) {
        let inside = answer.get(at..).and_then(|rest| rest.split_once('\n'));
        let inside = inside.map_or("", |(_, inside)| inside.trim_start());
        if !is_meant(inside, true) {
            continue;
        }
        match value_at(answer, answer.len() - inside.len()) {
            Ok(value) => found.push(Candidate::Value(value)),
            Err(why) => {
                found.push(Candidate::Broken(why));
                break;
            }
        }
    }
    found
}

/// Where the lines begin that open or close a fence.
fn fences(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        line.trim_start().starts_with("```").then_some(start)
    })
}

/// True when a bracket begins JSON and not a word in brackets: prose has those too. A list begins a line.
fn is_meant(text: &str, is_first: bool) -> bool {
    let inside = text.get(1..).unwrap_or_default().trim_start();
    match text.as_bytes().first() {
        Some(b'{') => inside.is_empty() || inside.starts_with(['"', '}']),
        Some(b'[') => is_first && (inside.is_empty() || inside.starts_with(['{', ']'])),
        _ => false,
    }
}

/// The object or list that begins at a place of an answer; braces inside its strings are only text. What is wrong with it
/// is said by the line of the whole answer.
fn value_at(answer: &str, at: usize) -> Result<&str, String> {
    let text = answer.get(at..).unwrap_or_default();
    let end = json::check_prefix(text.as_bytes()).map_err(|mut error| {
        let before = answer.as_bytes().get(..at).unwrap_or_default();
        error.line += memchr::memchr_iter(b'\n', before).count();
        error.to_string()
    })?;
    text.get(..end)
        .ok_or_else(|| "it ends inside a character".to_owned())
}

/// Brings what an engine wrote into `{"patch_operations": [{"op_type", "data"}]}`; other keys of the object stay.
fn normalise(root: Value<'_>) -> Result<(Tree, usize), String> {
    if root.kind() == Kind::Array {
        let operations = all(root)?;
        let count = operations.len();
        return Ok((wrapped(operations), count));
    }
    if let Some(list) = root.get("patch_operations") {
        if list.kind() != Kind::Array {
            return Err(unlike("`patch_operations` is not a list"));
        }
        let operations = all(list)?;
        let count = operations.len();
        let members = root.entries().map(|entry| {
            let key = entry.key().into_owned();
            if key == "patch_operations" {
                (key, Tree::Array(operations.clone()))
            } else {
                (key, Tree::respelt(entry.value))
            }
        });
        return Ok((Tree::Object(members.collect()), count));
    }
    for (key, name) in [("actions", "actions"), ("ops", "OPS envelope")] {
        if root.get(key).is_some_and(|list| list.kind() == Kind::Array) {
            return Err(unlike(&format!(
                "this is the vocabulary of {name}, not of patch operations"
            )));
        }
    }
    let operation = one(root).ok_or_else(|| unlike("it names no operation"))?;
    Ok((wrapped(vec![operation]), 1))
}

fn unlike(why: &str) -> String {
    format!("JSON does not match the required schema, {FINAL_SHAPE}: {why}")
}

fn wrapped(operations: Vec<Tree>) -> Tree {
    Tree::object([("patch_operations", Tree::Array(operations))])
}

fn all(list: Value<'_>) -> Result<Vec<Tree>, String> {
    list.items()
        .enumerate()
        .map(|(index, value)| {
            one(value).ok_or_else(|| unlike(&format!("Operation {} names no operation", index + 1)))
        })
        .collect()
}

/// One operation: the type under one of three keys, the data apart or beside it. Without a type, the keys tell it.
fn one(value: Value<'_>) -> Option<Tree> {
    if value.kind() != Kind::Object {
        return None;
    }
    let named = ["op_type", "operation", "type"]
        .into_iter()
        .find_map(|key| Some((key, value.get(key)?.str()?)));
    let (op, data) = match named {
        Some((_, op))
            if value
                .get("data")
                .is_some_and(|data| data.kind() == Kind::Object) =>
        {
            (op.into_owned(), Tree::respelt(value.get("data")?))
        }
        Some((key, op)) => {
            let rest = value.entries().filter(|entry| !entry.is(key));
            let rest = rest.map(|entry| (entry.key().into_owned(), Tree::respelt(entry.value)));
            (op.into_owned(), Tree::Object(rest.collect()))
        }
        None => (inferred(value)?.name().to_owned(), Tree::respelt(value)),
    };
    Some(Tree::object([("op_type", Tree::from(op)), ("data", data)]))
}

fn inferred(value: Value<'_>) -> Option<OpType> {
    let has = |key: &str| value.get(key).is_some();
    if has("track_name") && !has("phase_name") && !has("task_name") {
        return Some(OpType::AddTrack);
    }
    if has("phase_name") && !has("task_name") {
        return Some(OpType::AddPhase);
    }
    if has("task_name") {
        return Some(OpType::AddTask);
    }
    match value.get("status")?.str()?.as_ref() {
        "done" | "completed" => Some(OpType::MarkDone),
        "todo" | "pending" => Some(OpType::MarkTodo),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, expected: &str) {
        let payload = payload(answer).unwrap().payload;
        assert_eq!(payload.to_text(Style::COMPACT), expected, "{answer}");
    }

    const TRACK: &str =
        r#"{"patch_operations":[{"op_type":"add_track","data":{"track_name":"a } b"}}]}"#;

    #[test]
    fn the_json_of_an_answer_is_found_fenced_or_bare_and_braces_in_strings_are_text() {
        check(TRACK, TRACK);
        check(&format!("Here it is:\n```json\n{TRACK}\n```\nDone."), TRACK);
        check(&format!("```\n{TRACK}\n```"), TRACK);
        check(
            &format!("Sure {{ as agreed }}:\n\n{TRACK}\n\nThat }} is all."),
            TRACK,
        );
        check(&format!("In one line: {TRACK} (see [1])"), TRACK);
        check(&format!("First [1], then\n[2]\n{TRACK}"), TRACK);
    }

    #[test]
    fn other_spellings_of_an_operation_are_brought_into_the_one_form() {
        check(
            r#"[{"operation": "add_track", "track_name": "a } b"}]"#,
            TRACK,
        );
        check(r#"{"type": "add_track", "track_name": "a } b"}"#, TRACK);
        check(r#"{"track_name":"a } b"}"#, TRACK);
        check(
            r#"[{"item_id": "x", "status": "done"}]"#,
            r#"{"patch_operations":[{"op_type":"mark_done","data":{"item_id":"x","status":"done"}}]}"#,
        );
        check(
            r#"{"summary": "s", "patch_operations": []}"#,
            r#"{"summary":"s","patch_operations":[]}"#,
        );
    }

    #[test]
    fn an_answer_without_operations_says_what_is_wrong() {
        for (answer, why) in [
            ("  \n", "Empty JSON payload"),
            ("no braces at all", "No valid JSON found"),
            ("{\"patch_operations\": [", "No valid JSON found"),
            ("{\"hello\": 1}", "required schema"),
            ("{\"patch_operations\": {}}", "not a list"),
            ("[{\"a\": 1}]", "Operation 1 names no operation"),
            ("{\"actions\": [{\"type\": \"track.add\"}]}", "actions"),
            ("{\"ops\": [{\"op\": \"task.create\"}]}", "OPS envelope"),
        ] {
            let failure = payload(answer).unwrap_err();
            assert!(
                failure.message.contains(why),
                "{answer}: {}",
                failure.message
            );
        }
    }

    #[test]
    fn a_whole_part_of_an_answer_that_breaks_off_is_not_taken_for_it() {
        let op = r#"{"op_type": "add_track", "data": {"track_name": "a"}}"#;
        for answer in [
            format!("{{\"patch_operations\": [{op}, {op}"),
            format!("[{op},\n{op},\n"),
            format!("```json\n{{\"patch_operations\": [{op}\n```\n"),
            format!("Here:\n```json\n[\n  {op},\n  {{\"op_type\": \n```\nDone."),
            format!("So: {{\"patch_operations\": [{op}, oops]}}"),
        ] {
            let failure = payload(&answer).unwrap_err();
            assert_eq!(
                failure.message, "No valid JSON found in response.",
                "{answer}"
            );
            assert!(failure.details.unwrap().starts_with("Error parsing JSON"));
        }
        // Nor is what lies inside a value of another vocabulary.
        let inside = format!("See {{\"actions\": [{op}]}}");
        assert!(payload(&inside).unwrap_err().message.contains("actions"));
    }

    #[test]
    fn a_hostile_answer_does_not_take_for_ever() {
        assert!(payload(&"[".repeat(200_000)).is_err());
        assert!(payload(&"{".repeat(200_000)).is_err());
        assert!(payload(&"[\n".repeat(100_000)).is_err());
    }

    #[test]
    fn the_last_final_json_that_is_complete_and_valid_is_the_one_that_is_meant() {
        let other = TRACK.replace("a } b", "first");
        let fenced = |json: &str| format!("```json\n{json}\n```\n");
        for (answer, passed_over) in [
            (
                format!("{}Wait, corrected:\n{}", fenced(&other), fenced(TRACK)),
                1,
            ),
            (format!("So: {other}\nno, so: {TRACK}"), 1),
            // What is no operation, or lacks what it must have, is not meant.
            (
                format!("{}as in\n{}", fenced(TRACK), fenced("{\"a\": 1}")),
                0,
            ),
            (
                format!(
                    "{}makes\n{}",
                    fenced(TRACK),
                    fenced("{\"status\": \"done\"}")
                ),
                0,
            ),
            // Said twice is said once.
            (format!("{}Again:\n{}", fenced(TRACK), fenced(TRACK)), 0),
        ] {
            let found = payload(&answer).unwrap();
            assert_eq!(found.payload.to_text(Style::COMPACT), TRACK, "{answer}");
            assert_eq!(found.passed_over, passed_over, "{answer}");
        }
        // A correction that breaks off is none, and what it corrects is not meant either.
        let broken = format!("{}No:\n```json\n[{{\"op_type\": \n```", fenced(TRACK));
        assert!(payload(&broken).is_err());
    }

    #[test]
    fn operations_are_kept_in_the_form_of_the_format_and_numbers_as_they_were_written() {
        let found = payload(
            "[{\"op_type\":\"add_track\",\"data\":{\"track_name\":\"\u{e9}\u{2028}\\/\",\"n\":1.10,\"half\":\"\\ud83d\"}}]",
        );
        assert_eq!(
            found.unwrap().payload.to_text(Style::PYTHON_LINE),
            "{\"patch_operations\": [{\"op_type\": \"add_track\", \"data\": {\"track_name\": \"\\u00e9\\u2028/\", \"n\": 1.10, \"half\": \"\\ud83d\"}}]}"
        );
    }
}
