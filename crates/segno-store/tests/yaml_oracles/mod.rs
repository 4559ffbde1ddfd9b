//! Other YAML readers as judges: `PyYAML` (both loaders), ruamel.yaml and js-yaml, each started once for many cases.
//!
//! They are looked for in the directory `SEGNO_ORACLES` (as `ci/install-oracles` makes it), then in `target/oracles`,
//! then on the path. With `SEGNO_ORACLES` set, a reader that is missing fails the test; without, it is said and skipped.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use segno_store::text::yaml::Value;
use serde_json::{Value as Json, json};

/// A text and the data that every reader must find in it.
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) want: Value,
}

const PYTHON: &str = include_str!("check.py");
const NODE: &str = include_str!("check.cjs");
const ALL: [&str; 6] = [
    "js-yaml-1.1",
    "js-yaml-1.2",
    "pyyaml",
    "pyyaml-c",
    "ruamel-1.1",
    "ruamel-1.2",
];

/// Lets every reader at hand read every case; panics with the first few disagreements.
pub(crate) fn agree(cases: &[Case]) {
    let (_, mut wrong) = disagreements(cases);
    let count = wrong.len();
    wrong.truncate(5);
    assert!(
        wrong.is_empty(),
        "{count} disagreements:\n{}",
        wrong.join("\n")
    );
}

/// The readers that read the cases, and what each of them read differently.
pub(crate) fn disagreements(cases: &[Case]) -> (BTreeSet<String>, Vec<String>) {
    let mut input = String::new();
    for case in cases {
        input.push_str(&json!({"text": case.text, "want": to_json(&case.want)}).to_string());
        input.push('\n');
    }
    let (home, required) = home();
    let venv = home.join("python/bin/python3");
    let python = if venv.exists_here() {
        venv
    } else {
        PathBuf::from("python3")
    };
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for (program, args) in [
        (python, ["-c", PYTHON]),
        (PathBuf::from("node"), ["-e", NODE]),
    ] {
        match run(&program, args, &home, &input) {
            Ok(output) => judge(&output, cases, &mut seen, &mut wrong),
            Err(why) => eprintln!("skipped: {} does not run: {why}", program.display()),
        }
    }
    let missing: Vec<&str> = ALL
        .into_iter()
        .filter(|name| !seen.contains(*name))
        .collect();
    if !missing.is_empty() {
        let advice = "run ci/install-oracles and set SEGNO_ORACLES";
        eprintln!("skipped: not read by {missing:?}, which are not installed here; {advice}");
        assert!(
            !required,
            "SEGNO_ORACLES is set but {missing:?} are not there"
        );
    }
    (seen, wrong)
}

fn judge(output: &str, cases: &[Case], seen: &mut BTreeSet<String>, wrong: &mut Vec<String>) {
    for line in output.lines() {
        let said: Json = serde_json::from_str(line).expect("the judges speak JSON");
        if let Some(readers) = said["readers"].as_array() {
            seen.extend(readers.iter().filter_map(Json::as_str).map(str::to_owned));
            continue;
        }
        let number = said["case"].as_u64().expect("a case number");
        let case = &cases[usize::try_from(number).unwrap()];
        let (reader, got) = (&said["reader"], &said["got"]);
        wrong.push(format!(
            "{reader} read {got}\nwanted {}\nfrom {:?}\n{}",
            to_json(&case.want),
            case.text,
            case.text
        ));
    }
}

trait ExistsHere {
    fn exists_here(&self) -> bool;
}

impl ExistsHere for PathBuf {
    #[expect(
        clippy::disallowed_methods,
        reason = "a test looks for other programs on the real disk"
    )]
    fn exists_here(&self) -> bool {
        self.exists()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test is told by the environment where its judges are"
)]
fn home() -> (PathBuf, bool) {
    match std::env::var_os("SEGNO_ORACLES") {
        Some(dir) => (PathBuf::from(dir), true),
        None => (
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/oracles"),
            false,
        ),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test starts the other readers")]
fn run(
    program: &PathBuf,
    args: [&str; 2],
    home: &std::path::Path,
    input: &str,
) -> Result<String, String> {
    let mut child = Command::new(program)
        .args(args)
        .env("NODE_PATH", home.join("node_modules"))
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("its input was asked for");
    let output = std::thread::scope(|scope| {
        // Written from a second thread: both pipes are smaller than what goes through them.
        scope.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output()
    });
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(output.status.to_string())
    }
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => json!(number),
        Value::Plain(spelling) => panic!("readers differ on {spelling:?}"),
        Value::Str(text) => json!(text),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| {
                let key = key.as_str().expect("test keys are strings");
                (key.to_owned(), to_json(value))
            });
            Json::Object(entries.collect())
        }
    }
}
