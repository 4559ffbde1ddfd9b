//! The configuration: precedence, mistakes, and the command that shows it.

use crate::Env;

const WORKSPACE: &str = "desk/.segno/config.toml";
const USER: &str = "home/.config/segno/config.toml";

fn value(env: &Env, key: &str) -> (serde_json::Value, String) {
    let setting = env.run(["config", "get", key, "--json"]).json();
    let source = setting["source"].as_str().unwrap().to_owned();
    (setting["value"].clone(), source)
}

#[test]
fn the_workspace_wins_over_the_user_and_the_user_over_the_default() {
    let env = Env::new();
    let key = "conversation.auto_pause_minutes";
    assert_eq!(value(&env, key), (5.into(), "default".into()));
    env.write(USER, "[conversation]\nauto_pause_minutes = 10\n");
    assert_eq!(value(&env, key), (10.into(), "user".into()));
    env.write(WORKSPACE, "conversation.auto_pause_minutes = 0x14\n");
    assert_eq!(value(&env, key), (20.into(), "workspace".into()));
}

#[test]
fn the_users_directory_may_be_moved() {
    let env = Env::new();
    let moved = env.path("elsewhere");
    let env = env.var("XDG_CONFIG_HOME", moved.to_str().unwrap());
    env.write(USER, "lang = \"fr\"")
        .write("elsewhere/segno/config.toml", "lang = \"ja\"");
    assert_eq!(value(&env, "lang"), ("ja".into(), "user".into()));
}

#[test]
fn tools_of_both_files_are_there() {
    let env = Env::new();
    env.write(USER, "[tools]\nmine = \"mine {text}\"\nboth = \"user\"\n");
    env.write(WORKSPACE, "[tools]\nboth = \"workspace\"\n");
    assert_eq!(
        value(&env, "tools.mine"),
        ("mine {text}".into(), "user".into())
    );
    assert_eq!(
        value(&env, "tools.both"),
        ("workspace".into(), "workspace".into())
    );
}

#[test]
fn an_unknown_key_is_a_warning_with_the_nearest_known_one() {
    let env = Env::new();
    env.write(
        WORKSPACE,
        "\n[git]\ncomit = true\n[weather]\nsunny = true\n",
    );
    let done = env.run(["config", "get", "git.commit", "--quiet"]);
    done.check(
        0,
        "false\n",
        "warning: [ENV]/desk/.segno/config.toml:3: there is no key `git.comit`; did you mean `git.commit`?\n\
         warning: [ENV]/desk/.segno/config.toml:4: there is no key `weather`\n",
    );
    let json = env.run(["config", "get", "git.commit", "--json"]);
    let first: serde_json::Value =
        serde_json::from_str(json.stderr.lines().next().unwrap()).unwrap();
    assert!(
        first["warning"]["message"]
            .as_str()
            .unwrap()
            .contains("git.commit")
    );
}

#[test]
fn a_wrong_value_is_an_error_that_names_file_and_line() {
    let cases = [
        (
            "lang = \"de\"",
            1,
            "`lang` must be one of en, fr, ja, not \"de\"",
        ),
        (
            "\ncolor = true",
            2,
            "`color` must be one of auto, always, never, not true",
        ),
        (
            "git.commit = \"yes\"",
            1,
            "`git.commit` must be true or false, not \"yes\"",
        ),
        ("git = true", 1, "`git` must be a section, not true"),
        (
            "[lock]\ntimeout_ms = -1",
            2,
            "`lock.timeout_ms` must be a whole number, not -1",
        ),
        (
            "[lock]\ntimeout_ms = 5000000000",
            2,
            "`lock.timeout_ms` must be a whole number, not 5000000000",
        ),
        (
            "[lock]\ntimeout_ms = 1.5",
            2,
            "`lock.timeout_ms` must be a whole number, not 1.5",
        ),
        (
            "essay.roots = [\"a\", 1]",
            1,
            "`essay.roots` must be a list of texts, not [\"a\", 1]",
        ),
        (
            "handover.role = \" \"",
            1,
            "`handover.role` must be text, not \" \"",
        ),
        (
            "tools.x = [\"a\"]",
            1,
            "`tools.x` must be text, not [\"a\"]",
        ),
    ];
    for (text, line, expected) in cases {
        let env = Env::new();
        env.write(WORKSPACE, text);
        env.run(["config", "list"]).check(
            1,
            "",
            &format!(
                "error: [ENV]/desk/.segno/config.toml:{line}: {expected}\n  \
                 hint: correct the line or take it out; `segno config list` then explains every key\n"
            ),
        );
    }
}

#[test]
fn a_file_that_is_not_toml_is_an_error_that_names_its_line() {
    let env = Env::new();
    env.write(USER, "lang = \"fr\"\nbroken = = 1\n");
    let done = env.run(["config"]);
    assert_eq!(done.code, 1);
    assert!(
        done.stderr
            .starts_with("error: [ENV]/home/.config/segno/config.toml:2: this is not TOML: "),
        "{}",
        done.stderr
    );
    env.write(USER, [0xff, 0xfe]);
    let done = env.run(["config"]);
    assert!(done.stderr.contains("is not UTF-8 text"), "{}", done.stderr);
    env.write(USER, vec![b'#'; (1 << 20) + 1]);
    let done = env.run(["config"]);
    assert!(
        done.stderr.contains("is larger than 1048576 bytes"),
        "{}",
        done.stderr
    );
    // Verbs that need no settings are not held up by it.
    assert_eq!(env.run(["completions", "bash"]).code, 0);
    assert_eq!(env.run(["config", "path"]).code, 0);
}

#[test]
fn the_list_shows_every_key_with_its_meaning() {
    let env = Env::new();
    env.write(WORKSPACE, "git.commit = true\n");
    let done = env.run(["config"]);
    assert_eq!(done.code, 0);
    assert!(
        done.stdout
            .contains("git.commit = true  # from [ENV]/desk/.segno/config.toml\n    Commit ")
    );
    assert!(
        done.stdout
            .contains("essay.roots = [\"essays\"]  # default\n    Directories "),
        "{}",
        done.stdout
    );
    assert!(done.stdout.contains("resume.tool = not set  # default\n"));
    let json = env.run(["config", "list", "--json"]).json();
    assert_eq!(
        json["config"].as_array().unwrap().len(),
        segno::config::KEYS.len()
    );
}

#[test]
fn the_paths_say_what_is_there() {
    let env = Env::new();
    env.write(USER, "");
    env.run(["config", "path"]).check(
        0,
        "[ENV]/desk/.segno/config.toml  # not there\n[ENV]/home/.config/segno/config.toml  # there\n",
        "",
    );
}
