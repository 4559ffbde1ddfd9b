//! Conversations written by hand, as another program may have left them, and tools that only note what they are given.

use crate::Env;

/// A conversation of 2026-11-17: where it lies, what it is about, where it stands.
pub(crate) struct Told<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    pub(crate) status: &'a str,
    pub(crate) last_active: &'a str,
    pub(crate) summary: &'a str,
}

impl Default for Told<'_> {
    fn default() -> Self {
        Self {
            id: "001-plan-log",
            title: "The append-only log",
            status: "paused",
            last_active: "2026-11-18T07:30:00Z",
            summary: "We chose the log.",
        }
    }
}

/// Writes a conversation of two messages.
pub(crate) fn tell(env: &Env, told: &Told<'_>) {
    let dir = format!("desk/conversations/2026-11-17/{}", told.id);
    let kind = told.id.split('-').nth(1).unwrap();
    env.write(&format!("{dir}/{kind}.md"), format!("# {}\n", told.title));
    let state = serde_json::json!({
        "version": "1.0", "conversation_id": told.id, "conversation_type": kind, "status": told.status,
        "created_at": "2026-11-17T10:00:00Z", "last_active": told.last_active, "message_count": 2,
        "agent_config": {"command": "/workspace.plan", "system_prompt_hash": "", "model": "", "tools": []},
        "context_summary": told.summary,
    });
    env.write(
        &format!("{dir}/.session/session.json"),
        format!("{state:#}\n"),
    );
    let line = |role: &str, content: &str| serde_json::json!({"role": role, "content": content, "timestamp": "2026-11-17T10:00:00Z"});
    let lines = format!(
        "{}\n{}\n",
        line("user", "How do we save it?"),
        line("assistant", "By a log that only grows.")
    );
    env.write(&format!("{dir}/.session/messages.jsonl"), lines);
}

/// A workspace with two paused conversations.
pub(crate) fn two() -> Env {
    let env = Env::new();
    tell(&env, &Told::default());
    tell(
        &env,
        &Told {
            id: "002-debug-token",
            title: "Le jeton expiré",
            summary: "A race in the token refresh.",
            last_active: "2026-11-18T08:30:00Z",
            ..Told::default()
        },
    );
    env
}

/// The status that stands in the file of a conversation.
pub(crate) fn status(env: &Env, id: &str) -> String {
    let file = env.path(&format!(
        "desk/conversations/2026-11-17/{id}/.session/session.json"
    ));
    let text = std::fs::read_to_string(file).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["status"].as_str().unwrap().to_owned()
}

/// Makes tools of these names the only ones on `PATH`. Each notes its arguments, its directory and the file that the
/// last argument names, and ends with the code in `$TOOL_EXIT`.
#[cfg(unix)]
#[must_use]
pub(crate) fn with_tools(env: Env, names: &[&str]) -> Env {
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    let dir = env.path("tools");
    std::fs::create_dir_all(&dir).unwrap();
    for name in names {
        let path = dir.join(name);
        let script = "#!/bin/sh\n\
            printf '%s' \"${0##*/}\" > \"$NOTES/name\"\n\
            : > \"$NOTES/args\"\n\
            for arg in \"$@\"; do printf '%s\\0' \"$arg\" >> \"$NOTES/args\"; last=$arg; done\n\
            pwd > \"$NOTES/dir\"\n\
            path=$(printf '%s' \"$last\" | /usr/bin/tr ' ' '\\n' | /usr/bin/grep '/handed/' | /usr/bin/head -n 1)\n\
            if [ -n \"$path\" ]; then /bin/cp -p \"$path\" \"$NOTES/file\"; fi\n\
            exit ${TOOL_EXIT:-0}\n";
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let notes = env.path("notes");
    std::fs::create_dir_all(&notes).unwrap();
    let text = |path: &PathBuf| path.to_str().unwrap().to_owned();
    env.var("PATH", &text(&dir)).var("NOTES", &text(&notes))
}

/// Which tool was started last, and with which arguments.
#[cfg(unix)]
pub(crate) fn started(env: &Env) -> (String, Vec<String>) {
    let read = |name: &str| std::fs::read_to_string(env.path("notes").join(name)).unwrap();
    let args = read("args");
    let args = args.split_terminator('\0').map(str::to_owned).collect();
    (read("name"), args)
}

/// A tool of one's own words, beside those of [`with_tools`].
#[cfg(unix)]
pub(crate) fn script(env: &Env, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;

    let path = env.path("tools").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}
