//! Conversations in git (SESS-006): what is committed, what is left alone, and what git cannot do.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::Env;
use crate::conversation::{start, state};

/// A workspace that is a git repository with one commit and other work staged.
pub(crate) fn repository() -> Env {
    let env = Env::new();
    env.write(
        "home/.gitconfig",
        "[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = trunk\n",
    );
    env.write("desk/other.txt", "one\n");
    git(&env, &["init", "--quiet"]);
    git(&env, &["add", "other.txt"]);
    git(&env, &["commit", "--quiet", "-m", "first"]);
    env.write("desk/other.txt", "staged\n");
    git(&env, &["add", "other.txt"]);
    env.write("desk/other.txt", "not staged\n");
    env
}

fn hook(env: &Env, path: &str, text: &str) {
    env.write(path, format!("#!/bin/sh\n{text}"));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(env.path(path), mode).unwrap();
}

fn git(env: &Env, args: &[&str]) -> String {
    git_in(env, "desk", args)
}

fn git_in(env: &Env, dir: &str, args: &[&str]) -> String {
    let done = Command::new("git")
        .args(args)
        .env_clear()
        .env("HOME", env.path("home"))
        .env("PATH", "/usr/bin:/bin")
        .current_dir(env.path(dir))
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn sess_006_session_committed_with_conversation() {
    let env = repository();
    let dir = start(&env, &["plan", "The log"]);
    let done = env.run(["stop", "001", "--commit"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stderr.contains("committed to git: "),
        "{}",
        done.stderr
    );
    let files = git(&env, &["show", "--name-only", "--format=%s%n%b", "HEAD"]);
    assert_eq!(
        files,
        format!(
            "[session] Pause: The log\nSession state was saved with the document: conversation/001-plan-the-log\n\n\n\
             {dir}/.session/messages.jsonl\n{dir}/.session/session.json\n{dir}/feature-planning.md\n"
        )
    );
    // The other work is as it was: staged, changed again, not committed.
    assert_eq!(
        git(&env, &["diff", "--cached", "--name-only"]),
        "other.txt\n"
    );
    assert_eq!(git(&env, &["diff", "--name-only"]), "other.txt\n");
    assert_eq!(git(&env, &["show", ":other.txt"]), "staged\n");
    assert_eq!(git(&env, &["branch", "--show-current"]), "trunk\n");
}

#[test]
fn sess_006_session_only_updates() {
    let env = repository();
    env.write("desk/.segno/config.toml", "git.commit = true\n");
    let dir = start(&env, &["plan", "The log"]);
    assert_eq!(
        git(&env, &["log", "-1", "--format=%s"]),
        "[conversation] Initialize plan: The log\n"
    );
    env.run(["conversation", "say", "001", "--role", "user", "hello"]);
    let json = env.run(["stop", "001", "--json"]).json();
    assert_eq!(
        git(&env, &["rev-parse", "HEAD"]).trim(),
        json["commit"].as_str().unwrap()
    );
    let shown = git(&env, &["show", "--name-only", "--format=%B", "HEAD"]);
    assert!(
        shown.starts_with("[session] Pause: The log (session update)\n"),
        "{shown}"
    );
    assert!(shown.contains("Session state was saved"), "{shown}");
    assert!(!shown.contains("feature-planning.md"), "{shown}");
    env.run(["conversation", "complete", "001"]);
    assert_eq!(
        git(&env, &["log", "-1", "--format=%s"]),
        "[session] Complete: The log (session update)\n"
    );
    assert!(git(&env, &["status", "--porcelain", "--", &dir]).is_empty());
}

#[test]
fn what_git_cannot_do_is_a_warning_and_the_session_is_saved() {
    type Prepare = fn(&Env);
    let cases: [(&str, Prepare); 10] = [
        ("a rebase is going on", |env| {
            std::fs::create_dir(env.path("desk/.git/rebase-merge")).unwrap();
        }),
        ("a cherry-pick is going on", |env| {
            let head = git(env, &["rev-parse", "HEAD"]);
            env.write("desk/.git/CHERRY_PICK_HEAD", head);
        }),
        ("a revert is going on", |env| {
            let head = git(env, &["rev-parse", "HEAD"]);
            env.write("desk/.git/REVERT_HEAD", head);
        }),
        ("`git commit` said: no, says the hook", |env| {
            git(env, &["config", "core.hooksPath", "our-hooks"]);
            let refusing = "echo no, says the hook >&2\nexit 1\n";
            hook(env, "desk/our-hooks/pre-commit", refusing);
        }),
        ("`git commit` said: ", |env| {
            // Who commits is not known, and is not guessed.
            env.write(
                "home/.gitconfig",
                "[user]\nuseConfigOnly = true\n[init]\ndefaultBranch = trunk\n",
            );
        }),
        ("a merge is going on", |env| {
            let head = git(env, &["rev-parse", "HEAD"]);
            env.write("desk/.git/MERGE_HEAD", head);
        }),
        ("another git is writing", |env| {
            env.write("desk/.git/index.lock", "");
        }),
        ("git is told to ignore it", |env| {
            env.write("desk/.gitignore", "conversations/\n");
        }),
        ("this is no git repository", |env| {
            std::fs::remove_dir_all(env.path("desk/.git")).unwrap();
        }),
        ("`git commit` said: no, says the hook", |env| {
            let refusing = "echo no, says the hook >&2\nexit 1\n";
            hook(env, "desk/.git/hooks/pre-commit", refusing);
        }),
    ];
    for (words, prepare) in cases {
        let env = repository();
        let dir = start(&env, &["plan", "x"]);
        prepare(&env);
        let done = env.run(["stop", "001", "--commit"]);
        assert_eq!(done.code, 0, "{words}: {}", done.stderr);
        assert!(
            done.stderr
                .contains(&format!("the session is saved but not committed: {words}")),
            "{words}: {}",
            done.stderr
        );
        assert_eq!(state(&env, &dir)["status"], "paused");
        if words.contains("commit` said") {
            // The index is as it was before.
            assert_eq!(
                git(&env, &["diff", "--cached", "--name-only"]),
                "other.txt\n"
            );
            assert!(git(&env, &["status", "--porcelain"]).contains("?? conversations/"));
        }
    }
    let env = Env::new().var("PATH", "/nowhere");
    start(&env, &["plan", "x"]);
    let done = env.run(["stop", "001", "--commit"]);
    assert_eq!(done.code, 0);
    assert!(
        done.stderr.contains("there is no git on PATH"),
        "{}",
        done.stderr
    );
}

#[test]
fn git_tells_branch_changes_and_commits() {
    use segno::ambient::Ambient;
    use segno::git::Git;
    let env = repository();
    env.write("desk/new file.txt", "x");
    let git_of = |dir: &str| Git::open(&Ambient::system(), &env.path(dir));
    let git = git_of("desk").unwrap();
    assert_eq!(git.branch().unwrap().as_deref(), Some("trunk"));
    let changed: Vec<String> = git
        .changed_files()
        .unwrap()
        .into_iter()
        .map(|file| format!("{} {}", file.state, file.path))
        .collect();
    assert_eq!(changed, ["MM other.txt", "?? new file.txt"]);
    let commits = git.recent_commits(5).unwrap();
    assert_eq!(commits.len(), 1);
    assert_eq!(commits[0].subject, "first");
    assert!(git_of("home").is_err());
}

#[test]
fn hooks_run_as_for_any_commit_wherever_they_lie() {
    let env = repository();
    git(&env, &["config", "core.hooksPath", "our-hooks"]);
    hook(
        &env,
        "desk/our-hooks/pre-commit",
        "git diff --cached --name-only > committed\n",
    );
    hook(
        &env,
        "desk/our-hooks/commit-msg",
        "echo 'Seen-by: hook' >> \"$1\"\n",
    );
    let dir = start(&env, &["plan", "x"]);
    assert_eq!(env.run(["stop", "001", "--commit"]).code, 0);
    let body = git(&env, &["log", "-1", "--format=%B"]);
    assert!(body.contains("Seen-by: hook"), "{body}");
    let seen = std::fs::read_to_string(env.path("desk/committed")).unwrap();
    assert!(
        seen.contains(&format!("{dir}/.session/session.json")),
        "{seen}"
    );
    assert!(
        !seen.contains("other.txt"),
        "other work is not in it: {seen}"
    );
}

#[test]
fn a_detached_head_stays_detached_and_moves_no_branch() {
    let env = repository();
    let before = git(&env, &["rev-parse", "trunk"]);
    git(&env, &["stash", "--quiet"]);
    git(&env, &["checkout", "--quiet", "--detach"]);
    start(&env, &["plan", "x"]);
    let done = env.run(["stop", "001", "--commit"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stderr.contains("committed to git: "),
        "{}",
        done.stderr
    );
    assert_eq!(git(&env, &["rev-parse", "trunk"]), before);
    assert_eq!(git(&env, &["rev-parse", "HEAD^"]), before);
    assert_eq!(git(&env, &["branch", "--show-current"]), "");
}

#[test]
fn the_first_commit_of_a_repository_may_be_a_session() {
    let env = Env::new();
    env.write(
        "home/.gitconfig",
        "[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = trunk\n",
    );
    git(&env, &["init", "--quiet"]);
    env.write("desk/other.txt", "one\n");
    git(&env, &["add", "other.txt"]);
    start(&env, &["plan", "x"]);
    let done = env.run(["stop", "001", "--commit"]);
    assert!(
        done.stderr.contains("committed to git: "),
        "{}",
        done.stderr
    );
    assert_eq!(git(&env, &["rev-list", "--count", "HEAD"]), "1\n");
    let committed = git(&env, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(!committed.contains("other.txt"), "{committed}");
    assert_eq!(
        git(&env, &["diff", "--cached", "--name-only"]),
        "other.txt\n"
    );
}

#[test]
fn a_workspace_may_be_a_work_tree_a_submodule_or_a_part_of_a_repository() {
    // A work tree of its own: the commit is on its branch, the other one's branch stays.
    let env = repository();
    let before = git(&env, &["rev-parse", "trunk"]);
    git(
        &env,
        &["worktree", "add", "--quiet", "-b", "side", "../side"],
    );
    std::fs::create_dir(env.path("side/.segno")).unwrap();
    committed_in(&env.cd("side"), "side", "side", &before);

    // A submodule: its own history moves, that of the repository around it does not.
    let env = repository();
    git(&env, &["init", "--quiet", "../part"]);
    git_in(
        &env,
        "part",
        &["commit", "--quiet", "--allow-empty", "-m", "part"],
    );
    let from = env.path("part");
    git(
        &env,
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            from.to_str().unwrap(),
            "sub",
        ],
    );
    let around = git(&env, &["rev-parse", "HEAD"]);
    let inside = git_in(&env, "desk/sub", &["rev-parse", "HEAD"]);
    std::fs::create_dir(env.path("desk/sub/.segno")).unwrap();
    let env = env.cd("desk/sub");
    committed_in(&env, "desk/sub", "trunk", &inside);
    assert_eq!(git(&env, &["rev-parse", "HEAD"]), around);

    // A directory somewhere in a repository.
    let env = repository();
    let before = git(&env, &["rev-parse", "HEAD"]);
    std::fs::create_dir_all(env.path("desk/deep/down/.segno")).unwrap();
    committed_in(
        &env.cd("desk/deep/down"),
        "desk/deep/down",
        "trunk",
        &before,
    );
}

/// Saves a session in a directory with `--commit` and looks where the commit went.
fn committed_in(env: &Env, dir: &str, branch: &str, before: &str) {
    let started = env.run(["conversation", "start", "plan", "x"]);
    assert_eq!(started.code, 0, "{}", started.stderr);
    assert!(env.path(&format!("{dir}/conversations")).exists());
    let done = env.run(["stop", "001", "--commit"]);
    assert!(
        done.stderr.contains("committed to git: "),
        "{dir}: {}",
        done.stderr
    );
    assert_eq!(
        git_in(env, dir, &["branch", "--show-current"]).trim(),
        branch
    );
    assert_eq!(git_in(env, dir, &["rev-parse", "HEAD^"]), before, "{dir}");
    let files = git_in(env, dir, &["show", "--name-only", "--format=", "HEAD"]);
    assert_eq!(files.lines().count(), 3, "{dir}: {files}");
    assert!(
        files.contains("/001-plan-x/.session/messages.jsonl"),
        "{files}"
    );
}
