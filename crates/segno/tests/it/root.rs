//! Which directory is the workspace.

use crate::Env;

fn workspace_of(env: &Env, args: &[&str]) -> String {
    let done = env.run([args, &["config", "path", "--json"]].concat());
    let path = done.json()["paths"][0]["path"].as_str().unwrap().to_owned();
    path.strip_suffix("/.segno/config.toml").unwrap().to_owned()
}

#[test]
fn the_nearest_marked_ancestor_is_the_workspace() {
    for (mark, is_file) in [
        (".segno", false),
        (".workspace", false),
        (".git", false),
        (".git", true),
    ] {
        let env = Env::new().cd("free");
        env.write("free/project/a/b/file", "");
        if is_file {
            env.write(&format!("free/project/{mark}"), "gitdir: elsewhere");
        } else {
            std::fs::create_dir_all(env.path("free/project").join(mark)).unwrap();
        }
        let env = env.cd("free/project/a/b");
        assert_eq!(workspace_of(&env, &[]), "[ENV]/free/project", "{mark}");
    }
}

#[test]
fn a_plain_file_is_a_mark_only_when_it_is_git() {
    let env = Env::new();
    env.write("free/.segno", "")
        .write("free/a/.workspace", "")
        .write("free/a/b/file", "");
    let env = env.cd("free/a/b");
    assert_eq!(workspace_of(&env, &[]), "[ENV]/free/a/b");
}

#[test]
fn the_option_says_where_the_search_begins() {
    let env = Env::new();
    env.write("free/project/.segno/x", "")
        .write("free/project/a/x", "");
    assert_eq!(workspace_of(&env, &[]), "[ENV]/desk");
    assert_eq!(
        workspace_of(&env, &["-C", "../free/project/a"]),
        "[ENV]/free/project"
    );
    assert_eq!(workspace_of(&env, &["--workspace=../free"]), "[ENV]/free");
}

#[test]
fn a_workspace_that_cannot_be_is_an_error() {
    let env = Env::new();
    env.write("desk/file", "");
    env.run(["-C", "nowhere", "config"]).check(
        1,
        "",
        "error: there is no directory `nowhere`\n  \
         hint: -C takes a directory that exists; the workspace is looked for from there upwards\n",
    );
    let file = env.run(["-C", "file", "config", "--json"]);
    assert_eq!(
        (file.code, file.json_error()["code"].as_str()),
        (1, Some("invalid"))
    );
}

#[cfg(unix)]
#[test]
fn a_current_directory_that_was_deleted_is_an_error() {
    use std::process::{Command, Stdio};
    let env = Env::new();
    let script = format!(
        "mkdir gone && cd gone && rmdir ../gone && exec '{}' config",
        env!("CARGO_BIN_EXE_segno")
    );
    let output = Command::new("/bin/sh")
        .args(["-c", &script])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .current_dir(env.path("desk"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.starts_with("error: the current directory no longer exists\n"),
        "{stderr}"
    );
}
