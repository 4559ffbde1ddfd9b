//! Small file systems of a test's own: an image behind a loop device, or one in memory. They need root.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Which file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSystem {
    /// ext4 in an image file.
    Ext4,
    /// XFS in an image file, which must have 300 MB at least.
    Xfs,
    /// In memory.
    Tmpfs,
}

/// A mounted file system; unmounted when dropped, also by a panic.
pub struct Mount {
    kind: FileSystem,
    image: PathBuf,
    at: PathBuf,
    kilobytes: u64,
}

impl Mount {
    /// Makes a file system inside a directory and mounts it there.
    ///
    /// # Errors
    /// Says what is missing: the rights, the program that makes it, a loop device.
    pub fn make(kind: FileSystem, inside: &Path, kilobytes: u64) -> Result<Self, String> {
        let mount = Self {
            kind,
            image: inside.join("image"),
            at: inside.join("mount"),
            kilobytes,
        };
        std::fs::create_dir_all(&mount.at).map_err(|e| e.to_string())?;
        if kind != FileSystem::Tmpfs {
            let image = File::create(&mount.image).map_err(|e| e.to_string())?;
            image.set_len(kilobytes * 1024).map_err(|e| e.to_string())?;
            let program = if kind == FileSystem::Ext4 {
                "mkfs.ext4"
            } else {
                "mkfs.xfs"
            };
            run(Command::new(program).arg("-q").arg(&mount.image))?;
        }
        mount.mount()?;
        Ok(mount)
    }

    /// Where it is mounted.
    pub fn at(&self) -> &Path {
        &self.at
    }

    /// Mounts it again; the kernel replays what its journal holds.
    pub fn mount(&self) -> Result<(), String> {
        let mut command = Command::new("mount");
        match self.kind {
            FileSystem::Tmpfs => {
                command.args(["-t", "tmpfs", "-o"]);
                command
                    .arg(format!("size={}k", self.kilobytes))
                    .arg("tmpfs");
            }
            FileSystem::Ext4 | FileSystem::Xfs => {
                command.args(["-o", "loop"]).arg(&self.image);
            }
        }
        run(command.arg(&self.at))
    }

    /// Takes it off. A process that another thread is just starting holds every open file for a moment: it is waited for.
    pub fn unmount(&self) -> Result<(), String> {
        let mut done = Ok(());
        for _ in 0..100 {
            done = run(Command::new("umount").arg(&self.at));
            match &done {
                Err(why) if why.contains("busy") => std::thread::sleep(Duration::from_millis(20)),
                _ => break,
            }
        }
        done
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Lazily when somebody is still in there: a panicking test must not leave it behind.
        if self.unmount().is_err() {
            let _ = run(Command::new("umount").arg("-l").arg(&self.at));
        }
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command
        .output()
        .map_err(|e| format!("`{name}` cannot be run: {e}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(format!("`{name}` failed: {}", said.trim()))
}
