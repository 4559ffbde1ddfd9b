//! What a verb is given: the surroundings, the workspace, the configuration, and the way to answer.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use segno_store::session::Now;
use segno_store::settings::Settings;

use super::args::{ColorWhen, Globals};
use super::error::{Code, CommandError};
use super::ui::{Ui, UiOptions};
use crate::ambient::{Ambient, Ids};
use crate::config::{self, Config};
use crate::messages::Lang;
use crate::{msg, root};

/// What a verb is given.
pub struct App {
    /// The way to answer.
    pub ui: Ui,
    /// Clock, ids, environment, directories.
    pub ambient: Ambient,
    root: Result<PathBuf, CommandError>,
    config: Result<Config, CommandError>,
    warned: OnceLock<()>,
}

impl App {
    /// Finds the workspace and reads the configuration. What goes wrong is kept for [`App::ready`] and [`App::config`],
    /// so that it can be said in the user's language and only to verbs that need it.
    pub fn new(ambient: Ambient, globals: &Globals) -> Self {
        let root = root::find(&ambient, globals.workspace.as_deref());
        let config = match &root {
            Ok(root) => Config::open(&config::Paths::new(root, &ambient)),
            Err(_) => Ok(Config::default()),
        };
        let own = config.as_ref().ok().map(|config| &config.own);
        let lang = globals
            .lang
            .or_else(|| own?.lang)
            .unwrap_or_else(|| Lang::of_environment(&ambient.vars));
        let color = globals
            .color
            .or_else(|| ambient.vars.get("NO_COLOR").map(|_| ColorWhen::Never))
            .or_else(|| Some(own?.color))
            .unwrap_or(ColorWhen::Auto);
        let ui = Ui::new(UiOptions {
            lang,
            color,
            json: globals.json,
            quiet: globals.quiet,
            terminals: ambient.terminals,
            columns: ambient.vars.text("COLUMNS"),
        });
        Self {
            ui,
            ambient,
            root,
            config,
            warned: OnceLock::new(),
        }
    }

    /// Fails when there is no workspace to work in.
    pub fn ready(&self) -> Result<(), CommandError> {
        self.root.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// The workspace.
    pub fn root(&self) -> &Path {
        self.root
            .as_deref()
            .expect("because no verb runs before `ready` has succeeded")
    }

    /// The configuration. The first look warns of what is in it and has no meaning.
    pub fn config(&self) -> Result<&Config, CommandError> {
        let config = self.config.as_ref().map_err(Clone::clone)?;
        if self.warned.set(()).is_ok() {
            for warning in &config.warnings {
                self.ui.warn(warning.clone());
            }
        }
        Ok(config)
    }

    /// What sessions depend on of the configuration.
    pub fn settings(&self) -> Result<&Settings, CommandError> {
        Ok(&self.config()?.settings)
    }

    /// Where the configuration is looked for.
    pub fn config_paths(&self) -> config::Paths {
        config::Paths::new(self.root(), &self.ambient)
    }

    /// The moment this command runs at.
    pub fn now(&self) -> Result<Now, CommandError> {
        self.ambient.now().map_err(|error| clock_error(&error))
    }

    /// A source of fresh ids.
    pub fn ids(&self) -> Result<Ids, CommandError> {
        self.ambient.ids().map_err(|error| clock_error(&error))
    }
}

fn clock_error(error: &dyn std::error::Error) -> CommandError {
    let report = CommandError::new(Code::Invalid, msg!("errors-clock")).because(error.to_string());
    match error.source() {
        Some(source) => report.because(source.to_string()),
        None => report,
    }
}
