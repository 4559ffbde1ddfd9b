//! Which tool a session is resumed in.

use std::collections::BTreeMap;

use super::{PRESETS, Tool};
use crate::config::Source;

/// What decides, in this order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The one named on the command line: this one or none.
    pub named: Option<&'a str>,
    /// The one the session was held with.
    pub session: Option<&'a str>,
    /// The one in the configuration.
    pub configured: Option<&'a str>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// This one.
    Tool {
        /// The tool.
        tool: Tool,
        /// A tool that would have come before it and is not there.
        instead_of: Option<String>,
    },
    /// The one that was named is not a tool we know; these are.
    Unknown {
        /// What was named.
        name: String,
        /// All there are.
        known: Vec<String>,
    },
    /// None of these is installed.
    Missing {
        /// Those looked for.
        looked_for: Vec<String>,
    },
}

/// Chooses: the named one, else the session's own, else the configured one, else the first that is installed.
///
/// A name is only ever looked up among the agents we know and the commands of the configuration. What a session's file
/// says is somebody's word; it is never a program to run.
pub fn choose(
    wanted: Wanted<'_>,
    configured: &BTreeMap<String, (String, Source)>,
    is_installed: impl Fn(&Tool) -> bool,
) -> Choice {
    if let Some(name) = wanted.named {
        return match find(name, configured) {
            None => Choice::Unknown {
                name: name.to_owned(),
                known: known(configured),
            },
            Some(tool) if is_installed(&tool) => Choice::Tool {
                tool,
                instead_of: None,
            },
            Some(_) => Choice::Missing {
                looked_for: vec![name.to_owned()],
            },
        };
    }
    let mut looked_for: Vec<String> = Vec::new();
    let mut preferred = None;
    let first = [wanted.session, wanted.configured].into_iter().flatten();
    let rest = known(configured);
    let names = first
        .map(|name| (name, true))
        .chain(rest.iter().map(|name| (name.as_str(), false)));
    for (name, is_preferred) in names {
        if looked_for.iter().any(|seen| seen == name) {
            continue;
        }
        if let Some(tool) = find(name, configured).filter(&is_installed) {
            return Choice::Tool {
                tool,
                instead_of: preferred,
            };
        }
        looked_for.push(name.to_owned());
        if is_preferred {
            preferred.get_or_insert_with(|| name.to_owned());
        }
    }
    Choice::Missing { looked_for }
}

/// A command of the configuration wins over ours of the same name.
fn find(name: &str, configured: &BTreeMap<String, (String, Source)>) -> Option<Tool> {
    let (command, source) = if let Some((command, source)) = configured.get(name) {
        (command.as_str(), *source)
    } else {
        let (_, command) = PRESETS.iter().find(|(preset, _)| *preset == name)?;
        (*command, Source::Default)
    };
    Some(Tool {
        name: name.to_owned(),
        command: command.to_owned(),
        source,
    })
}

/// The agents we know, then the tools of the user's own configuration. A workspace's own commands come last: what a
/// cloned repository brings along is taken only when nothing else is there.
fn known(configured: &BTreeMap<String, (String, Source)>) -> Vec<String> {
    let presets = PRESETS.iter().map(|(name, _)| (*name).to_owned());
    let of = |wanted: Source| {
        let named = configured.iter();
        named
            .filter(move |(_, (_, source))| *source == wanted)
            .map(|(name, _)| name.clone())
    };
    let mut names: Vec<String> = Vec::new();
    for name in presets.chain(of(Source::User)).chain(of(Source::Workspace)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(wanted: Wanted<'_>, installed: &[&str]) -> String {
        let configured = BTreeMap::from([
            ("mine".to_owned(), ("mine {text}".to_owned(), Source::User)),
            (
                "theirs".to_owned(),
                ("theirs {text}".to_owned(), Source::Workspace),
            ),
        ]);
        match choose(wanted, &configured, |tool| {
            installed.contains(&tool.name.as_str())
        }) {
            Choice::Tool { tool, instead_of } => match instead_of {
                Some(missing) => format!("{} instead of {missing}", tool.name),
                None => tool.name,
            },
            Choice::Unknown { name, known } => format!("unknown {name}: {}", known.join(" ")),
            Choice::Missing { looked_for } => format!("missing: {}", looked_for.join(" ")),
        }
    }

    #[test]
    fn the_order_is_named_then_the_sessions_then_configured_then_the_first_on_the_path() {
        let wanted = |named, session, configured| Wanted {
            named,
            session,
            configured,
        };
        let all = [
            "claude", "codex", "gemini", "opencode", "qwen", "mine", "theirs",
        ];
        let check = |wanted: Wanted<'_>, installed: &[&str], expected: &str| {
            assert_eq!(chosen(wanted, installed), expected, "{wanted:?}");
        };
        check(
            wanted(Some("qwen"), Some("codex"), Some("gemini")),
            &all,
            "qwen",
        );
        check(wanted(None, Some("codex"), Some("gemini")), &all, "codex");
        check(wanted(None, None, Some("gemini")), &all, "gemini");
        check(wanted(None, None, None), &all, "claude");
        check(wanted(None, None, None), &["qwen", "opencode"], "opencode");
        check(wanted(None, None, None), &["theirs", "mine"], "mine");
        check(
            wanted(None, Some("codex"), Some("mine")),
            &["mine", "claude"],
            "mine instead of codex",
        );
        check(
            wanted(None, Some("codex"), None),
            &["claude"],
            "claude instead of codex",
        );
    }

    #[test]
    fn a_missing_tool_names_all_that_were_looked_for() {
        let named = Wanted {
            named: Some("codex"),
            ..Wanted::default()
        };
        assert_eq!(chosen(named, &["claude"]), "missing: codex");
        let unknown = Wanted {
            named: Some("cladue"),
            ..Wanted::default()
        };
        assert_eq!(
            chosen(unknown, &["claude"]),
            "unknown cladue: claude codex gemini opencode qwen mine theirs"
        );
        assert_eq!(
            chosen(Wanted::default(), &[]),
            "missing: claude codex gemini opencode qwen mine theirs"
        );
    }

    #[test]
    fn what_a_session_names_is_looked_up_and_never_run_as_it_is() {
        let session = |name| Wanted {
            session: Some(name),
            ..Wanted::default()
        };
        // Both "installed": the name of a session is no program.
        let installed = ["/bin/sh", "rm", "claude"];
        assert_eq!(
            chosen(session("/bin/sh"), &installed),
            "claude instead of /bin/sh"
        );
        assert_eq!(chosen(session("rm"), &installed), "claude instead of rm");
    }
}
