//! The workspace, opened for one command.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use segno_disk::{RealDisk, RelPath, Volume};
use segno_store::formats::Place;
use segno_store::session::{Card, Kind, Now, SessionRef};
use segno_store::settings::Settings;
use segno_store::workspace::{OWN_DIR, Workspace, Writer};

use super::app::App;
use super::error::{Code, CommandError};
use super::handed;
use crate::config::{self, Config};
use crate::msg;

/// The workspace, opened for one command: its files, the moment, and who writes.
pub struct Opened {
    disk: RealDisk,
    temporary: Option<RealDisk>,
    settings: Settings,
    cwd: Option<PathBuf>,
    /// The moment the command runs at.
    pub now: Now,
    /// Who writes.
    pub writer: Writer,
}

impl App {
    /// Opens the workspace for a verb (as it is typed: `conversation say`), and finishes what a crash interrupted.
    pub fn open(&self, verb: &str) -> Result<Opened, CommandError> {
        // One look at the clock: whoever writes does so at the moment the command runs at.
        let now = self.now()?;
        let opened = self.opened(self.root(), self.config()?, now, verb)?;
        if opened.root().join(OWN_DIR).is_dir() {
            self.note_workspace(opened.root());
        }
        for unit in opened.workspace().settle(&opened.writer)? {
            self.ui.warn(msg!(
                "common-unit-finished",
                name = unit.name,
                count = unit.receipt.written.len()
            ));
        }
        handed::clean(&opened);
        Ok(opened)
    }

    /// Opens another workspace, with its own configuration. What a crash interrupted there stays as it is.
    pub(super) fn open_at(&self, root: &Path, verb: &str) -> Result<Opened, CommandError> {
        let config = Config::open(&config::Paths::new(root, &self.ambient))?;
        self.opened(root, &config, self.now()?, verb)
    }

    fn opened(
        &self,
        root: &Path,
        config: &Config,
        now: Now,
        verb: &str,
    ) -> Result<Opened, CommandError> {
        Ok(Opened {
            disk: RealDisk::open(root)?,
            // Not there or not ours to read: there are no sessions in it then.
            temporary: RealDisk::open(&self.ambient.temp_dir()).ok(),
            settings: config.settings.clone(),
            cwd: self.ambient.cwd.clone(),
            writer: Writer {
                pid: std::process::id(),
                program: format!("segno {verb}"),
                since: now.utc_seconds(),
                patience: config.own.lock_timeout,
            },
            now,
        })
    }
}

impl Opened {
    /// The workspace itself.
    pub fn workspace(&self) -> Workspace<'_> {
        let workspace = Workspace::new(&self.disk, self.settings.clone());
        match &self.temporary {
            Some(disk) => workspace.with_temporary(disk),
            None => workspace,
        }
    }

    /// Where the workspace is.
    pub fn root(&self) -> &Path {
        self.disk.root()
    }

    /// Where the temporary directory is that sessions are looked for in.
    pub fn temporary_root(&self) -> Option<&Path> {
        self.temporary.as_ref().map(RealDisk::root)
    }

    /// The same, but a writer that waits this long.
    #[must_use]
    pub fn patient(mut self, patience: Duration) -> Self {
        self.writer.patience = patience;
        self
    }

    /// The session that a person named: `kind/id`, an id, the beginning of one, or a path.
    pub fn find(&self, text: &str) -> Result<Place, CommandError> {
        let wanted =
            self.beneath(SessionRef::parse(text).map_err(segno_store::StoreError::from)?)?;
        Ok(self.workspace().resolve(&wanted, &self.now)?)
    }

    /// The session of one kind that a person named.
    pub fn find_of(&self, kind: Kind, text: &str) -> Result<Place, CommandError> {
        let wanted = SessionRef::parse_of(kind, text).map_err(segno_store::StoreError::from)?;
        let place = self
            .workspace()
            .resolve(&self.beneath(wanted)?, &self.now)?;
        if place.kind != kind {
            let error = msg!(
                "common-other-kind",
                session = text,
                found = place.kind,
                wanted = kind
            );
            return Err(CommandError::new(Code::Invalid, error));
        }
        Ok(place)
    }

    /// The card of a session as it is now.
    pub fn card(&self, place: &Place) -> Card {
        self.workspace().card(place, &self.now)
    }

    /// The workspace's files with our own directory in them.
    pub(super) fn own_volume(&self) -> Result<Volume<'_>, CommandError> {
        Ok(Volume::new(&self.disk, RelPath::new(OWN_DIR)?))
    }

    /// A path that a person gave becomes one below the workspace.
    fn beneath(&self, wanted: SessionRef) -> Result<SessionRef, CommandError> {
        let SessionRef::Path(text) = wanted else {
            return Ok(wanted);
        };
        let path = Path::new(&text);
        let full = match &self.cwd {
            Some(cwd) => cwd.join(path),
            None => path.to_path_buf(),
        };
        let plain = without_dots(&full);
        let root = self.root();
        let below = plain
            .strip_prefix(root)
            .map(Path::to_path_buf)
            .ok()
            .or_else(|| {
                real(&plain)?
                    .strip_prefix(real(root)?)
                    .map(Path::to_path_buf)
                    .ok()
            });
        match below.as_deref().and_then(Path::to_str) {
            Some(below) if !below.is_empty() => Ok(SessionRef::Path(below.to_owned())),
            _ => Err(
                CommandError::new(Code::Invalid, msg!("common-outside", path = text)).hint(msg!(
                    "common-outside-hint",
                    root = root.display().to_string()
                )),
            ),
        }
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
