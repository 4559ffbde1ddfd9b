//! `segno search`: finds what was said, decided and written, wherever it stands.

use std::ffi::OsString;

use clap::Args;
use jiff::Timestamp;
use segno_index::{BadQuery, Hit, Query};
use segno_store::formats::Root;
use segno_store::session::Kind;
use serde_json::{Map, Value, json};

use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError, Line, Role, catalogue};
use crate::msg;
use crate::view::ago;

/// Search everything that was said, decided and written
///
/// All words must occur in one message, idea, decision or section. `"a phrase"` is found as it stands, `begin*` finds
/// words that begin so, `-word` or `-"a phrase"` leaves out what holds it. Filters: `kind:`, `status:`, `role:`, `since:`,
/// `before:`, `path:`; with `-` before them they leave out. Accents, case and widths do not matter; Japanese, Chinese and
/// Korean are found by any part.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// What to look for: words, "phrases", begin*, -not, kind:essay, since:7d ...
    #[arg(value_name = "WORDS", required = true, num_args = 1..)]
    words: Vec<String>,
    /// Only sessions of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,
    /// At most so many hits
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Also in every other workspace that was opened on this machine
    #[arg(long)]
    all_workspaces: bool,
    /// Answer from the index as it is, without looking whether files have changed since
    ///
    /// For many searches in a row over very many sessions. A hit that is not there any more is left out all the same.
    #[arg(long)]
    no_refresh: bool,
    /// Only these fields, with a comma between: session, kind, id, title, status, what, role, at, workspace, file, line,
    /// text, marks, score
    ///
    /// With `--json` the hits have no other keys; else each hit is one line with tabs between the fields.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    fields: Option<Vec<Field>>,
}

/// A command line in which `-word` behind `search` is a word to leave out and no option: the minus of mathematics stands
/// in its place. The options of one letter, `-C`, `-h` and `-V`, stay what they are.
pub(crate) fn with_exclusions(args: &[OsString]) -> Vec<OsString> {
    let mut takes_value = false;
    let verb = args.iter().skip(1).position(|arg| {
        let is_verb = !takes_value && !arg.to_string_lossy().starts_with('-');
        let takes = ["-C", "--workspace", "--lang", "--color"];
        takes_value = takes.iter().any(|option| arg == *option);
        is_verb
    });
    let Some(verb) = verb
        .map(|verb| verb + 1)
        .filter(|verb| args.get(*verb).is_some_and(|arg| arg == "search"))
    else {
        return args.to_vec();
    };
    let mut is_over = false;
    let excluded = |(place, arg): (usize, &OsString)| {
        is_over = is_over || arg == "--";
        match arg.to_str().and_then(|text| text.strip_prefix('-')) {
            Some(word) if place > verb && !is_over && is_exclusion(word) => {
                format!("\u{2212}{word}").into()
            }
            _ => arg.clone(),
        }
    };
    args.iter().enumerate().map(excluded).collect()
}

/// True for what stands behind the `-` of a word to leave out.
fn is_exclusion(word: &str) -> bool {
    let is_option = word.starts_with('-')
        || word.chars().count() < 2
        || word
            .strip_prefix('C')
            .is_some_and(|dir| dir.starts_with(['/', '.', '~', '=']));
    !is_option
}

/// What can be said of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Field {
    Session,
    Kind,
    Id,
    Title,
    Status,
    What,
    Role,
    At,
    Workspace,
    File,
    Line,
    Text,
    Marks,
    Score,
}

/// All but the workspace, which only matters when there are several.
const USUAL: [Field; 13] = [
    Field::Session,
    Field::Kind,
    Field::Id,
    Field::Title,
    Field::Status,
    Field::What,
    Field::Role,
    Field::At,
    Field::File,
    Field::Line,
    Field::Text,
    Field::Marks,
    Field::Score,
];

/// A hit, and where the file is that holds it.
struct Shown {
    hit: Hit,
    workspace: String,
    file: String,
}

/// Searches.
pub fn run(app: &App, args: &SearchArgs) -> Result<(), CommandError> {
    let here = app.open("search")?;
    let now = here.now.clone();
    let text = args.words.join(" ");
    let mut query = Query::parse(&text, &now).map_err(|error| bad_query(&error))?;
    query.filters.kinds.extend(args.kind);
    let everywhere = args.all_workspaces;
    let opened = if everywhere {
        app.all_workspaces(here, "search")
    } else {
        vec![here]
    };
    let mut total = 0;
    let mut shown = Vec::new();
    for opened in &opened {
        let workspace = opened.workspace();
        let source = catalogue::source(opened, &workspace);
        let answer = app.answer(&source, &query, args.limit, !args.no_refresh)?;
        total += answer.total;
        shown.extend(
            answer
                .hits
                .into_iter()
                .map(|hit| Shown::new(hit, opened, everywhere)),
        );
    }
    // Each index counts for itself; among several the order is that of the scores all the same.
    let when = |one: &Shown| {
        one.hit
            .at
            .as_ref()
            .map_or(Timestamp::MIN, |at| at.instant(now.zone()))
    };
    shown.sort_by(|a, b| {
        b.hit
            .score
            .total_cmp(&a.hit.score)
            .then_with(|| when(b).cmp(&when(a)))
    });
    shown.truncate(args.limit);
    if app.ui.is_json() {
        let mut fields = args.fields.clone().unwrap_or_else(|| USUAL.to_vec());
        if everywhere && args.fields.is_none() {
            fields.push(Field::Workspace);
        }
        let hits: Vec<Value> = shown.iter().map(|one| one.object(&fields)).collect();
        return app.ui.json(&json!({"total": total, "hits": hits}));
    }
    for one in &shown {
        if let Some(fields) = &args.fields {
            app.ui.data(one.fields(fields))?;
        } else {
            app.ui.data(one.heading(&now))?;
            app.ui.data(one.line())?;
        }
    }
    if shown.is_empty() {
        app.ui.note(msg!("search-nothing"));
    } else if shown.len() == args.limit && total > shown.len() {
        app.ui
            .note(msg!("search-more", shown = shown.len(), total = total));
    }
    Ok(())
}

impl Shown {
    fn new(hit: Hit, opened: &Opened, everywhere: bool) -> Self {
        let root = match hit.place.root {
            Root::Workspace => opened.root(),
            Root::Temporary => opened.temporary_root().unwrap_or(opened.root()),
        };
        let is_near = hit.place.root == Root::Workspace && !everywhere;
        let file = if is_near {
            hit.file.to_string()
        } else {
            root.join(hit.file.as_str()).display().to_string()
        };
        Self {
            hit,
            workspace: opened.root().display().to_string(),
            file,
        }
    }

    fn value(&self, field: Field) -> Value {
        let (hit, card) = (&self.hit, &self.hit.card);
        match field {
            Field::Session => json!(card.reference()),
            Field::Kind => json!(card.kind.name()),
            Field::Id => json!(card.id.as_str()),
            Field::Title => json!(card.title),
            Field::Status => json!(card.status.name()),
            Field::What => json!(hit.what.name()),
            Field::Role => json!(hit.role),
            Field::At => json!(hit.at.as_ref().map(segno_store::session::Timestamp::iso)),
            Field::Workspace => json!(self.workspace),
            Field::File => json!(self.file),
            Field::Line => json!(hit.line),
            Field::Text => json!(hit.excerpt.text),
            Field::Marks => {
                let marks = hit.excerpt.marks.iter().map(|mark| [mark.start, mark.end]);
                json!(marks.collect::<Vec<_>>())
            }
            Field::Score => json!(hit.score),
        }
    }

    fn object(&self, fields: &[Field]) -> Value {
        let pairs = fields
            .iter()
            .map(|field| (field.name().to_owned(), self.value(*field)));
        Value::Object(pairs.collect::<Map<_, _>>())
    }

    fn fields(&self, fields: &[Field]) -> Line {
        let words = fields.iter().map(|field| match self.value(*field) {
            Value::Null => String::new(),
            Value::String(text) => text.replace(['\t', '\n', '\r'], " "),
            other => other.to_string(),
        });
        Line::from(words.collect::<Vec<_>>().join("\t"))
    }

    /// Where it stands, in which session, what it is, and when.
    fn heading(&self, now: &segno_store::session::Now) -> Line {
        let hit = &self.hit;
        let who = hit.role.as_deref().unwrap_or(hit.what.name());
        let mut line = Line::new()
            .add(Role::Accent, format!("{}:{}", self.file, hit.line))
            .plain("  ")
            .add(Role::Strong, hit.card.reference())
            .plain("  ")
            .add(Role::Dim, who);
        if let Some(at) = &hit.at {
            line = line.plain("  ").plain(ago::since(at, now));
        }
        line
    }

    /// The line that holds the words, each of them marked.
    fn line(&self) -> Line {
        let excerpt = &self.hit.excerpt;
        let mut line = Line::new().plain("    ");
        let mut at = 0;
        for mark in &excerpt.marks {
            line = line
                .plain(excerpt.text.get(at..mark.start).unwrap_or_default())
                .add(
                    Role::Warn,
                    excerpt.text.get(mark.clone()).unwrap_or_default(),
                );
            at = mark.end;
        }
        line.plain(excerpt.text.get(at..).unwrap_or_default())
    }
}

impl Field {
    const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Kind => "kind",
            Self::Id => "id",
            Self::Title => "title",
            Self::Status => "status",
            Self::What => "what",
            Self::Role => "role",
            Self::At => "at",
            Self::Workspace => "workspace",
            Self::File => "file",
            Self::Line => "line",
            Self::Text => "text",
            Self::Marks => "marks",
            Self::Score => "score",
        }
    }
}

fn bad_query(error: &BadQuery) -> CommandError {
    let invalid = |message| CommandError::new(Code::Invalid, message);
    match error {
        BadQuery::OpenQuote(text) => {
            invalid(msg!("search-open-quote", text = text)).hint(msg!("search-open-quote-hint"))
        }
        BadQuery::UnknownFilter(name) => invalid(msg!("search-unknown-filter", name = name))
            .hint(msg!("search-unknown-filter-hint", name = name)),
        BadQuery::BadValue {
            filter,
            value,
            takes,
        } => invalid(msg!("search-bad-value", filter = *filter, value = value)).hint(msg!(
            "search-bad-value-hint",
            filter = *filter,
            takes = *takes
        )),
        BadQuery::NoLetters(text) => {
            invalid(msg!("search-no-letters", text = text)).hint(msg!("search-no-letters-hint"))
        }
        BadQuery::NoWords => invalid(msg!("search-no-words")).hint(msg!("search-no-words-hint")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_to_leave_out_is_no_option_and_options_stay_options() {
        let check = |line: &str, expected: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let words: Vec<String> = with_exclusions(&args)
                .into_iter()
                .map(|arg| arg.into_string().unwrap())
                .collect();
            assert_eq!(words.join(" "), expected, "{line}");
        };
        check(
            "segno search log -draft --json",
            "segno search log \u{2212}draft --json",
        );
        check(
            "segno --json search -hot log -Crash",
            "segno --json search \u{2212}hot log \u{2212}Crash",
        );
        check(
            "segno search log -C dir -h -C/tmp",
            "segno search log -C dir -h -C/tmp",
        );
        check(
            "segno -C search search x -y1",
            "segno -C search search x \u{2212}y1",
        );
        check("segno search x -- -draft", "segno search x -- -draft");
        check("segno list -draft", "segno list -draft");
        check("segno list search -draft", "segno list search -draft");
    }
}
