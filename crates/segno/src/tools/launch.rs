//! Starts a tool with a session's text, and waits for it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use super::template::Template;
use crate::ambient::Ambient;
use crate::cli::CommandError;

/// The longest text that goes by argument, in bytes; a longer one goes by file. Linux takes 128 KiB in one
/// (`MAX_ARG_STRLEN`), the command interpreter of Windows 8,191 letters in all, and what is around the text has to fit.
pub const MAX_ARGUMENT: usize = if cfg!(windows) { 7_000 } else { 100_000 };

/// What a prompt cannot begin with: tools read it as an option, a command of their own, a file, a note.
const SIGNS: [char; 6] = ['-', '/', '#', '!', '@', '&'];

/// What a tool is started with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// The arguments.
    pub args: Vec<String>,
    /// The file that holds the text, where it goes by file.
    pub file: Option<PathBuf>,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Started {
    /// With this exit code.
    Ended(i32),
    /// A signal ended it.
    Killed,
}

/// Puts a text into a command. `keep` writes it to a private file and says where; `lead` is said before a text that a
/// tool would take for something else than a prompt; `read_file` is the prompt that names a file instead.
pub fn hand(
    template: &Template,
    text: &str,
    lead: &str,
    read_file: impl Fn(&str) -> String,
    keep: impl FnOnce(&str) -> Result<PathBuf, CommandError>,
) -> Result<Handed, CommandError> {
    let is_long = text.len() > MAX_ARGUMENT || text.contains('\0');
    let file = if template.takes_file() || (template.takes_text() && is_long) {
        Some(keep(text)?)
    } else {
        None
    };
    let path = file
        .as_deref()
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_default();
    let prompt = if is_long {
        read_file(&path)
    } else if text.trim_start().starts_with(SIGNS) {
        format!("{lead}\n\n{text}")
    } else {
        text.to_owned()
    };
    Ok(Handed {
        args: template.fill(&prompt, &path),
        file,
    })
}

/// Where the program of a command is: a name is looked for on `PATH`, a path is taken from the workspace.
pub(super) fn find(program: &str, ambient: &Ambient, root: &Path) -> Option<PathBuf> {
    if program.contains(['/', std::path::MAIN_SEPARATOR]) {
        let path = root.join(program);
        return path.is_file().then_some(path);
    }
    ambient.find_program(program)
}

impl super::Tool {
    /// Where its program is; `None` when it is not installed or its command makes no sense.
    pub fn program(&self, ambient: &Ambient, root: &Path) -> Option<PathBuf> {
        let template = Template::parse(&self.command).ok()?;
        find(template.program(), ambient, root)
    }
}

/// Runs a program in the terminal that we are in, and waits until it ends.
pub fn run(program: &Path, args: &[String], dir: &Path) -> io::Result<Started> {
    let status = while_child_runs(|| Command::new(program).args(args).current_dir(dir).status())?;
    Ok(ended(status))
}

fn ended(status: ExitStatus) -> Started {
    match status.code() {
        Some(code) => Started::Ended(code),
        None => Started::Killed,
    }
}

/// A Ctrl-C in the terminal goes to everybody in it. It is meant for the child: we stay to see how that ends.
#[cfg(unix)]
pub(crate) fn while_child_runs<T>(wait: impl FnOnce() -> T) -> T {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGQUIT};

    let seen = Arc::new(AtomicBool::new(false));
    // A handler, and not "ignore": a child inherits what is ignored, while handlers end where it begins.
    let handlers: Vec<_> = [SIGINT, SIGQUIT]
        .into_iter()
        .filter_map(|signal| signal_hook::flag::register(signal, Arc::clone(&seen)).ok())
        .collect();
    let done = wait();
    for handler in handlers {
        signal_hook::low_level::unregister(handler);
    }
    done
}

#[cfg(not(unix))]
pub(crate) fn while_child_runs<T>(wait: impl FnOnce() -> T) -> T {
    wait()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handed(command: &str, text: &str) -> (Handed, Option<String>) {
        let mut kept = None;
        let template = Template::parse(command).unwrap();
        let handed = hand(
            &template,
            text,
            "LEAD",
            |path| format!("read {path}"),
            |text| {
                kept = Some(text.to_owned());
                Ok("/private/file".into())
            },
        );
        (handed.unwrap(), kept)
    }

    #[test]
    fn a_text_goes_by_argument_as_long_as_it_fits() {
        let check = |command: &str, text: &str, args: &[&str], file: bool| {
            let (handed, kept) = handed(command, text);
            assert_eq!(handed.args, args);
            assert_eq!(handed.file.is_some(), file, "{command}");
            assert_eq!(kept.as_deref(), file.then_some(text));
        };
        check("claude {text}", "go on", &["go on"], false);
        check("gemini -i {text}", "日本", &["-i", "日本"], false);
        let fits = "x".repeat(MAX_ARGUMENT);
        check("claude {text}", &fits, &[&fits], false);
        let long = "x".repeat(MAX_ARGUMENT + 1);
        check("claude {text}", &long, &["read /private/file"], true);
        check(
            "opencode --prompt {text}",
            &long,
            &["--prompt", "read /private/file"],
            true,
        );
        check(
            "mine --in {file}",
            "short",
            &["--in", "/private/file"],
            true,
        );
        check("claude {text}", "a\0b", &["read /private/file"], true);
    }

    #[test]
    fn a_text_is_never_taken_for_an_option_or_a_command_of_the_tool() {
        for text in [
            "---\nfront: matter\n---",
            "# A title",
            "/clear",
            " --help",
            "!ls",
            "@file",
        ] {
            let (handed, _) = handed("claude {text}", text);
            assert_eq!(handed.args, [format!("LEAD\n\n{text}")]);
        }
    }
}
