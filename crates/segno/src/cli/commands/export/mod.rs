//! `segno export`: one session as one file that anybody can read, without the secrets that were said in it.

mod clean;
mod conversation;
mod html;
mod json;
mod markdown;

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use segno_store::StoreError;
use segno_store::formats;
use segno_store::session::{Brief, Entry};

use self::clean::Cleaner;
use crate::cli::{App, Code, CommandError};
use crate::messages::Catalogue;
use crate::msg;
use crate::view::card;

/// Write a session as one file that a colleague or another tool can read, without its secrets
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  segno export conversation/001-plan-log --to html --output log.html\n  \
                  segno export my-essay --to conversation | segno conversation say 002 --batch"
)]
pub struct ExportArgs {
    /// Which one: `kind/id`, an id, the beginning of one, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// As what
    #[arg(long, value_enum, value_name = "FORM", default_value = "markdown")]
    to: Form,
    /// Write it to a file that does not exist yet; `-` or nothing is standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Leave keys, tokens and passwords in it; otherwise a name stands in their place (docs/secrets.md)
    #[arg(long)]
    keep_secrets: bool,
}

/// What a session is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A text with headings
    Markdown,
    /// A page for a browser: nothing in it is loaded from elsewhere, and nothing in it runs
    Html,
    /// One JSON object: the session, where it stands, and every entry with its place
    Json,
    /// JSON Lines of role, content and timestamp, as `segno conversation say --batch` takes them
    Conversation,
}

/// One form: a beginning, every entry, an end. Each part is given as text and written as it comes.
trait Writer {
    fn begin(&mut self, brief: &Brief) -> String;
    fn entry(&mut self, entry: &Entry) -> String;
    /// `replaced` is how many secrets were replaced; `None` when they were kept.
    fn end(&mut self, replaced: Option<u64>) -> String;
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Json => "json",
            Self::Conversation => "conversation",
        }
    }

    fn writer(self, catalogue: &Catalogue) -> Box<dyn Writer + '_> {
        match self {
            Self::Markdown => Box::new(markdown::Markdown::new(catalogue)),
            Self::Html => Box::new(html::Html::new(catalogue)),
            Self::Json => Box::new(json::Json::default()),
            Self::Conversation => Box::new(conversation::Conversation::new(catalogue)),
        }
    }
}

/// Writes a session as one file.
pub fn run(app: &App, args: &ExportArgs) -> Result<(), CommandError> {
    let opened = app.open("export")?;
    let place = opened.find(&args.session)?;
    let format = formats::of(place.kind).ok_or(StoreError::Unsupported {
        kind: place.kind,
        operation: "be opened by this version",
    })?;
    let workspace = opened.workspace();
    let cx = workspace.context(place.root, &opened.now);
    let mut cleaner = Cleaner::new(!args.keep_secrets);
    let mut brief = format.brief(&cx, &place, None)?;
    // All of them follow.
    brief.turns.clear();
    brief.turns_left_out = 0;
    cleaner.brief(&mut brief);

    let mut target = Target::open(app, args.to, args.output.as_deref())?;
    let mut writer = args.to.writer(&app.ui.catalogue);
    let written = (|| {
        target.write(&writer.begin(&brief))?;
        let mut given = Ok(());
        format.entries(&cx, &place, &mut |mut entry| {
            cleaner.entry(&mut entry);
            given = target.write(&writer.entry(&entry));
            match given {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        given?;
        target.write(&writer.end(cleaner.replaced()))?;
        target.finish()
    })();
    if let Err(error) = written {
        target.abandon();
        return Err(error);
    }
    if app.ui.is_json() {
        let more = serde_json::json!({
            "to": args.to.name(),
            "file": target.path(),
            "text": target.held(),
            "redacted": cleaner.replaced(),
        });
        app.ui.json(&card::session(&brief.card, more))?;
    } else if let Some(path) = target.path() {
        app.ui.data(msg!("export-written", path = path))?;
    }
    match cleaner.replaced() {
        Some(count) => app.ui.note(msg!("export-redacted", count = count)),
        None => app.ui.warn(msg!("export-kept")),
    }
    Ok(())
}

/// Where it goes.
enum Target<'a> {
    /// To standard output.
    Out {
        app: &'a App,
        /// For programs: exactly.
        exact: bool,
    },
    /// Into the answer, which is one JSON object.
    Answer(String),
    /// Into a file of its own.
    File {
        file: BufWriter<File>,
        path: &'a Path,
    },
}

impl<'a> Target<'a> {
    fn open(app: &'a App, form: Form, output: Option<&'a Path>) -> Result<Self, CommandError> {
        match output.filter(|path| *path != Path::new("-")) {
            None if app.ui.is_json() => Ok(Self::Answer(String::new())),
            None => Ok(Self::Out {
                app,
                exact: matches!(form, Form::Json | Form::Conversation),
            }),
            Some(path) => match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(file) => Ok(Self::File {
                    file: BufWriter::new(file),
                    path,
                }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let path = path.display().to_string();
                    Err(
                        CommandError::new(Code::Exists, msg!("export-exists", path = path))
                            .hint(msg!("export-exists-hint")),
                    )
                }
                Err(error) => Err(cannot_write(path, &error)),
            },
        }
    }

    fn write(&mut self, text: &str) -> Result<(), CommandError> {
        match self {
            Self::Out { app, exact: true } => app.ui.verbatim(text),
            Self::Out { app, .. } => app.ui.document(text),
            Self::Answer(held) => {
                held.push_str(text);
                Ok(())
            }
            Self::File { file, path } => file
                .write_all(text.as_bytes())
                .map_err(|error| cannot_write(path, &error)),
        }
    }

    /// What was written is on the disk before it is said to be.
    fn finish(&mut self) -> Result<(), CommandError> {
        match self {
            Self::Out { .. } | Self::Answer(_) => Ok(()),
            Self::File { file, path } => file
                .flush()
                .and_then(|()| file.get_ref().sync_all())
                .map_err(|error| cannot_write(path, &error)),
        }
    }

    /// Half a file is no file.
    fn abandon(&mut self) {
        if let Self::File { path, .. } = self {
            let _ = std::fs::remove_file(path);
        }
    }

    fn path(&self) -> Option<String> {
        match self {
            Self::File { path, .. } => Some(path.display().to_string()),
            Self::Out { .. } | Self::Answer(_) => None,
        }
    }

    fn held(&self) -> Option<&str> {
        match self {
            Self::Answer(held) => Some(held),
            Self::Out { .. } | Self::File { .. } => None,
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    let path = path.display().to_string();
    CommandError::new(Code::Io, msg!("errors-disk", op = "write", path = path))
        .because(error.to_string())
}
