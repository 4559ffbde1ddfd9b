//! The agent's command: the file that holds its instructions, for each of the tools that keep such files.

use std::fmt::Write as _;

use segno_disk::RelPath;
use sha2::{Digest as _, Sha256};

use super::super::Context;
use crate::error::Result;

/// A command's file as one of the tools has it.
pub(super) struct CommandFile {
    pub(super) path: RelPath,
    /// The tool whose directory it lies in.
    pub(super) agent: &'static str,
    bytes: Vec<u8>,
}

impl CommandFile {
    /// `sha256:` and the digest of the file's bytes.
    pub(super) fn hash(&self) -> String {
        let digest = Sha256::digest(&self.bytes);
        let mut text = String::from("sha256:");
        for byte in digest {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// The instructions: the file's text without its front matter, or what a TOML file has under `prompt`.
    pub(super) fn prompt(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        if self.agent == "gemini"
            && let Ok(table) = text.parse::<toml::Table>()
            && let Some(prompt) = table.get("prompt").and_then(toml::Value::as_str)
        {
            return prompt.trim().to_owned();
        }
        without_front_matter(&text).trim().to_owned()
    }
}

/// Every file that holds this command, in the order in which tools are preferred.
pub(super) fn files(cx: &Context<'_>, command: &str) -> Result<Vec<CommandFile>> {
    let mut found = Vec::new();
    for (agent, dir, name) in names(command) {
        // A command that cannot be a file's name has no file.
        let Ok(path) = RelPath::new(dir).and_then(|dir| dir.join_name(&name)) else {
            continue;
        };
        if let Some((bytes, _)) = cx.files.read(&path)? {
            found.push(CommandFile { path, agent, bytes });
        }
    }
    Ok(found)
}

/// Where the tools keep a command: `/workspace.plan` is `workspace_plan.md`, and `plan.toml` for Gemini.
fn names(command: &str) -> Vec<(&'static str, &'static str, String)> {
    let name = command.trim().trim_start_matches('/');
    let name = name.split_whitespace().next().unwrap_or_default();
    let flat = name.replace('.', "_");
    let short = name.strip_prefix("workspace.").unwrap_or(name);
    let mut names = vec![
        ("claude", ".claude/commands", format!("{flat}.md")),
        ("opencode", ".opencode/command", format!("{flat}.md")),
        ("gemini", ".gemini/commands", format!("{short}.toml")),
        ("gemini", ".gemini/commands", format!("{flat}.toml")),
    ];
    names.dedup();
    names
}

fn without_front_matter(text: &str) -> &str {
    let body = text.trim_start_matches('\u{feff}');
    let Some(rest) = body.strip_prefix("---\n") else {
        return body;
    };
    match rest.split_once("\n---\n") {
        Some((_, behind)) => behind,
        None => body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_a_file_for_each_tool() {
        let files: Vec<String> = names("/workspace.plan --deep")
            .into_iter()
            .map(|(_, dir, name)| format!("{dir}/{name}"))
            .collect();
        assert_eq!(
            files,
            [
                ".claude/commands/workspace_plan.md",
                ".opencode/command/workspace_plan.md",
                ".gemini/commands/plan.toml",
                ".gemini/commands/workspace_plan.toml"
            ]
        );
        assert_eq!(names("/retro").len(), 3);
    }

    #[test]
    fn front_matter_is_no_instruction() {
        assert_eq!(
            without_front_matter("---\na: b\n---\nBe brief.\n"),
            "Be brief.\n"
        );
        assert_eq!(without_front_matter("--- no\n"), "--- no\n");
        assert_eq!(
            without_front_matter("---\nnever closed"),
            "---\nnever closed"
        );
    }
}
