//! `segno config`: every setting, its value, where it comes from, and what it does.

use std::path::Path;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::cli::{App, Code, CommandError, Line, Role};
use crate::config::{Setting, Source, nearest};
use crate::messages::Text;
use crate::msg;

/// Show every setting, its value, where it comes from, and what it does
#[derive(Debug, Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Show every setting (as `segno config` alone does)
    List,
    /// Print the value of one setting
    Get {
        /// Name of the setting, such as `conversation.auto_pause_minutes`
        key: String,
    },
    /// Show which files the settings are read from
    Path,
}

/// Shows the configuration.
pub fn run(app: &App, args: ConfigArgs) -> Result<(), CommandError> {
    match args.verb.unwrap_or(Verb::List) {
        Verb::List => list(app),
        Verb::Get { key } => get(app, &key),
        Verb::Path => path(app),
    }
}

/// A setting as JSON.
#[derive(Debug, Serialize)]
struct SettingView {
    key: String,
    value: serde_json::Value,
    source: &'static str,
    #[serde(rename = "type")]
    shape: String,
    default: serde_json::Value,
    doc: &'static str,
}

impl SettingView {
    fn new(setting: &Setting) -> Self {
        Self {
            key: setting.name.clone(),
            value: setting.value.to_json(),
            source: setting.source.name(),
            shape: setting.key.shape.to_string(),
            default: setting.key.default.value().to_json(),
            doc: setting.key.doc,
        }
    }
}

fn list(app: &App) -> Result<(), CommandError> {
    let config = app.config()?;
    if app.ui.is_json() {
        let settings: Vec<_> = config.list().iter().map(SettingView::new).collect();
        return app.ui.json(&serde_json::json!({"config": settings}));
    }
    for setting in config.list() {
        let value: Text = match setting.value.to_toml() {
            Some(value) => value.into(),
            None => msg!("config-unset").into(),
        };
        let line = Line::new()
            .add(Role::Strong, setting.name.clone())
            .plain(" = ")
            .plain(value)
            .add(Role::Dim, "  # ")
            .add(Role::Dim, origin(app, setting.source));
        app.ui.data(line)?;
        app.ui
            .data(Line::new().add(Role::Dim, format!("    {}", setting.key.doc)))?;
    }
    Ok(())
}

fn origin(app: &App, source: Source) -> Text {
    let paths = app.config_paths();
    let file = match source {
        Source::Default => None,
        Source::User => paths.user,
        Source::Workspace => Some(paths.workspace),
    };
    match file {
        None => msg!("config-from-default").into(),
        Some(file) => msg!("config-from-file", file = file.display().to_string()).into(),
    }
}

fn get(app: &App, name: &str) -> Result<(), CommandError> {
    let config = app.config()?;
    let settings = config.list();
    let Some(setting) = settings.iter().find(|setting| setting.name == name) else {
        let names = settings.iter().map(|setting| setting.name.as_str());
        let error = CommandError::new(Code::NotFound, msg!("config-no-key", key = name));
        let error = match nearest(name, names) {
            Some(near) => error.hint(msg!("config-no-key-near", near = near)),
            None => error,
        };
        return Err(error.hint(msg!("config-no-key-list")));
    };
    if app.ui.is_json() {
        return app.ui.json(&SettingView::new(setting));
    }
    app.ui.note(Line::new().add(Role::Dim, setting.key.doc));
    for line in setting.value.to_lines() {
        app.ui.data(line)?;
    }
    Ok(())
}

fn path(app: &App) -> Result<(), CommandError> {
    let paths = app.config_paths();
    let files: Vec<(&str, &Path)> = std::iter::once(("workspace", paths.workspace.as_path()))
        .chain(paths.user.as_deref().map(|path| ("user", path)))
        .collect();
    if app.ui.is_json() {
        let files: Vec<_> = files
            .iter()
            .map(|(scope, path)| {
                serde_json::json!({"scope": scope, "path": path.to_string_lossy(), "exists": path.is_file()})
            })
            .collect();
        return app.ui.json(&serde_json::json!({"paths": files}));
    }
    for (_, path) in files {
        let state = if path.is_file() {
            msg!("config-present")
        } else {
            msg!("config-absent")
        };
        let line = Line::new()
            .plain(path.display().to_string())
            .add(Role::Dim, "  # ")
            .add(Role::Dim, state);
        app.ui.data(line)?;
    }
    Ok(())
}
