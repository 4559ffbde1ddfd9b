//! `segno conversation say`: one message or a batch of them, on the disk before anything is acknowledged.

use std::io::{self, BufRead, Read};
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use segno_disk::Receipt;
use segno_store::formats::Place;
use segno_store::formats::conversation::{self, Remark, Role, Said};
use segno_store::session::{Kind, Now, Timestamp};
use segno_store::text::json::Doc;
use segno_store::text::jsonl::MAX_LINE;

use crate::cli::opened::Opened;
use crate::cli::{App, Code, CommandError};
use crate::msg;
use crate::view::card;

/// Say something: the message is on the disk before it is acknowledged
///
/// A paused conversation becomes active again by what is said in it; a completed one refuses.
#[derive(Debug, Args)]
pub struct SayArgs {
    /// Where: its id, the beginning of it, or a path
    #[arg(value_name = "SESSION")]
    session: String,
    /// What is said; without it and --input, standard input
    #[arg(value_name = "TEXT", conflicts_with_all = ["input", "batch"], allow_hyphen_values = true)]
    text: Option<String>,
    /// By whom: user, assistant, system, tool
    #[arg(
        long,
        value_name = "ROLE",
        required_unless_present = "batch",
        conflicts_with = "batch"
    )]
    role: Option<Role>,
    /// Take what is said from a file; `-` is standard input. Its last line end is not part of the message
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "batch")]
    input: Option<PathBuf>,
    /// Take messages from standard input, one JSON object a line: role, content, and timestamp if you have one
    #[arg(long)]
    batch: bool,
    /// When a batch is acknowledged
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value = "all",
        requires = "batch"
    )]
    ack: Ack,
}

/// When a batch is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ack {
    /// Each line by itself, as soon as it is on the disk: a line of the answer each
    Each,
    /// All lines at once: one write, one sync, one answer; a line that makes no sense keeps all of them out
    All,
}

/// Says something.
pub fn run(app: &App, args: &SayArgs) -> Result<(), CommandError> {
    // Read first: a session is not kept waiting for somebody to type.
    let remarks = match (args.role, args.ack) {
        (Some(role), _) => Some(vec![Remark::new(role, message(app, args)?)]),
        (None, Ack::All) => Some(read_batch(&mut io::stdin().lock())?),
        (None, Ack::Each) => None,
    };
    let opened = app.open("conversation say")?;
    let place = opened.find_of(Kind::Conversation, &args.session)?;
    match remarks {
        Some(remarks) => say_all(app, &opened, &place, &remarks),
        None => say_each(app, &opened, &place),
    }
}

fn say_all(
    app: &App,
    opened: &Opened,
    place: &Place,
    remarks: &[Remark],
) -> Result<(), CommandError> {
    let (said, receipt) = say(opened, place, remarks, &opened.now)?;
    if app.ui.is_json() {
        let card = opened.card(place);
        let more = serde_json::json!({"saved": said.times.len(), "timestamps": said.times, "resumed": said.resumed});
        app.ui.json(&card::session(&card, more))?;
    } else {
        let session = format!("{}/{}", place.kind, place.id);
        app.ui.data(msg!(
            "conversation-said",
            count = said.times.len(),
            session = session
        ))?;
    }
    tell(app, place, &said, &receipt);
    Ok(())
}

/// Says line after line as they come, each acknowledged before the next is read.
fn say_each(app: &App, opened: &Opened, place: &Place) -> Result<(), CommandError> {
    let mut input = io::stdin().lock();
    let (mut line, mut saved) = (0, 0_u64);
    while let Some(text) = read_line(&mut input, line + 1)? {
        line += 1;
        let Some(remark) = remark(&text, line)? else {
            continue;
        };
        // A stream may stay open for hours: each line has its own moment.
        let (said, receipt) = say(opened, place, &[remark], &app.now()?)?;
        saved += 1;
        let at = said.times.first().map_or("", String::as_str);
        if app.ui.is_json() {
            let ack = serde_json::json!({"saved": saved, "line": line, "timestamp": at});
            app.ui.json(&ack)?;
        } else {
            app.ui
                .data(msg!("conversation-said-line", line = line, at = at))?;
        }
        app.ui.flush()?;
        tell(app, place, &said, &receipt);
    }
    Ok(())
}

fn say(
    opened: &Opened,
    place: &Place,
    remarks: &[Remark],
    now: &Now,
) -> Result<(Said, Receipt), CommandError> {
    let written = opened.workspace().write(place, now, &opened.writer, |cx| {
        conversation::say(cx, place, remarks)
    })?;
    Ok((written.outcome, written.receipt))
}

fn tell(app: &App, place: &Place, said: &Said, receipt: &Receipt) {
    for path in &receipt.quarantined {
        app.ui.warn(msg!("common-set-aside", path = path));
    }
    if said.resumed {
        app.ui
            .note(msg!("conversation-active-again", id = &place.id));
    }
}

/// The message of the command line, a file or standard input.
fn message(app: &App, args: &SayArgs) -> Result<String, CommandError> {
    if let Some(text) = &args.text {
        return Ok(text.clone());
    }
    let from_stdin = |error: io::Error| {
        CommandError::new(Code::Io, msg!("errors-stdin")).because(error.to_string())
    };
    let bytes = match &args.input {
        Some(path) if path.as_os_str() != "-" => {
            let path = app.ambient.cwd.as_deref().unwrap_or(app.root()).join(path);
            std::fs::read(&path).map_err(|error| {
                let shown = path.display().to_string();
                let what = msg!("conversation-input", path = shown);
                CommandError::new(Code::Io, what).because(error.to_string())
            })?
        }
        None if app.ambient.terminals.stdin => {
            let error = CommandError::new(Code::Usage, msg!("conversation-nothing-said"));
            return Err(error.hint(msg!("conversation-nothing-said-hint")));
        }
        _ => {
            let mut bytes = Vec::new();
            let mut input = io::stdin().lock().take(MAX_LINE as u64 + 1);
            input.read_to_end(&mut bytes).map_err(from_stdin)?;
            bytes
        }
    };
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CommandError::new(Code::Invalid, msg!("conversation-not-text", at = at + 1))
    })?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// All messages of a batch; none when one of them makes no sense.
fn read_batch(input: &mut dyn BufRead) -> Result<Vec<Remark>, CommandError> {
    let mut remarks = Vec::new();
    let mut line = 0;
    while let Some(text) = read_line(input, line + 1)? {
        line += 1;
        remarks.extend(remark(&text, line)?);
    }
    if remarks.is_empty() {
        let error = CommandError::new(Code::Invalid, msg!("conversation-nothing-said"));
        return Err(error.hint(msg!("conversation-batch-hint")));
    }
    Ok(remarks)
}

fn read_line(input: &mut dyn BufRead, number: u64) -> Result<Option<Vec<u8>>, CommandError> {
    let mut line = Vec::new();
    input
        .take(MAX_LINE as u64 + 1)
        .read_until(b'\n', &mut line)
        .map_err(|error| {
            CommandError::new(Code::Io, msg!("errors-stdin")).because(error.to_string())
        })?;
    if line.len() > MAX_LINE {
        let why = format!("longer than {MAX_LINE} bytes");
        return Err(bad_line(number, &why));
    }
    Ok((!line.is_empty()).then_some(line))
}

/// One line of a batch; `None` for a blank one.
fn remark(line: &[u8], number: u64) -> Result<Option<Remark>, CommandError> {
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    let doc = Doc::from_bytes(line.to_vec()).map_err(|error| bad_line(number, error.message))?;
    let text = |key: &str| doc.get(key).and_then(|value| value.str());
    let role = text("role").ok_or_else(|| bad_line(number, "`role` is not a text"))?;
    let role: Role = role
        .parse()
        .map_err(|error: conversation::UnknownRole| bad_line(number, &error.to_string()))?;
    let content = text("content").ok_or_else(|| bad_line(number, "`content` is not a text"))?;
    let at = match doc.get("timestamp") {
        None => None,
        Some(value) => {
            let at = value.str().and_then(|text| Timestamp::parse(&text));
            Some(at.ok_or_else(|| bad_line(number, "`timestamp` is not an ISO time"))?)
        }
    };
    let known = ["role", "content", "timestamp"];
    let more = doc.root().entries();
    let more = more.filter(|entry| !known.iter().any(|key| entry.is(key)));
    Ok(Some(Remark {
        role,
        content: content.into_owned(),
        at,
        more: more
            .map(|entry| (entry.key().into_owned(), entry.value.into()))
            .collect(),
    }))
}

fn bad_line(number: u64, why: &str) -> CommandError {
    let what = msg!("conversation-batch-line", line = number, why = why);
    CommandError::new(Code::Invalid, what).hint(msg!("conversation-batch-hint"))
}
